//! Ctrl-C and SIGTERM as flags for the watchdog.

use crate::exit::Code;
use signal_hook::consts::TERM_SIGNALS;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// From now on the first signal raises the flag that is returned, and a second one ends the process at once.
pub fn install() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    for &signal in TERM_SIGNALS {
        // In this order: a signal first looks whether there was one before it. Where the system refuses to
        // install a handler, the signal keeps its default effect, which is to end the process.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, Code::Unknown as i32, flag.clone());
        let _ = signal_hook::flag::register(signal, flag.clone());
    }
    flag
}
