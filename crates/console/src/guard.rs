//! Limits and signals: however a process ends, it ends soon, and nothing half-written stays.
//!
//! The first signal, or a limit, raises the flag that the run polls. If the run does not end by itself, the
//! watchdog's thread reports in its place. If that does not get through either, because nobody reads what is printed,
//! the process ends without a report.

use crate::exit::{Code, Failure, leave};
use indubit_run::{Cancel, Limits, Stop, Watchdog};
use signal_hook::consts::{SIGINT, TERM_SIGNALS};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Limits and signals are watched while this lives. Afterwards a signal ends the process at once.
pub struct Guard {
    watchdog: Option<Watchdog>,
    is_over: Arc<AtomicBool>,
}

/// The exit code if the process had to end now: what is known may be behind a lock by then.
#[derive(Clone)]
pub struct CodeSoFar(Arc<AtomicU8>);

impl Default for CodeSoFar {
    fn default() -> CodeSoFar {
        CodeSoFar::new()
    }
}

impl CodeSoFar {
    /// Nothing is known.
    pub fn new() -> CodeSoFar {
        CodeSoFar(Arc::new(AtomicU8::new(Code::Unknown as u8)))
    }
    /// What is known has changed.
    pub fn set(&self, code: Code) {
        self.0.store(code as u8, Ordering::Relaxed);
    }
    /// What the process would end with.
    pub fn get(&self) -> u8 {
        self.0.load(Ordering::Relaxed)
    }
}

/// For commands with one report: it is given once, by the run, or in its place by the watchdog's thread.
#[derive(Clone)]
pub struct Report {
    /// Locked while the report is given.
    given: Arc<Mutex<bool>>,
    /// The exit code of a run without an answer.
    unfinished: Code,
    code: CodeSoFar,
}

impl Report {
    /// Nothing is given yet; a run without an answer ends with the code `unfinished`.
    pub fn new(unfinished: Code) -> Report {
        let code = CodeSoFar::new();
        code.set(unfinished);
        Report { given: Arc::default(), unfinished, code }
    }
    /// A guard that gives a `report` without an answer and leaves, if the run does not end by itself.
    pub fn guard(
        &self,
        limits: Limits,
        cancel: &Cancel,
        report: impl FnOnce(Stop) + Send + 'static,
    ) -> Result<Guard, Failure> {
        let (given, code) = (self.given.clone(), self.unfinished);
        Guard::new(limits, cancel, self.code.clone(), move |stop| {
            let given = given.lock().unwrap_or_else(PoisonError::into_inner);
            if !*given {
                report(stop);
                leave(code as u8);
            }
        })
    }
    /// The run has ended with this code: give its report.
    pub fn give(&self, code: Code, report: impl FnOnce() -> Result<(), Failure>) -> Result<Code, Failure> {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        *given = true;
        self.code.set(code);
        report().map(|()| code)
    }
}

impl Guard {
    /// `report` is called on another thread if the run does not listen: it prints what is known and leaves the
    /// process, or returns if the run has ended after all. Whatever happens in it may block.
    pub fn new(
        limits: Limits,
        cancel: &Cancel,
        code: CodeSoFar,
        report: impl FnOnce(Stop) + Send + 'static,
    ) -> Result<Guard, Failure> {
        let [is_raised, is_over] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        for &signal in TERM_SIGNALS {
            // Where the system refuses to install a handler, the signal keeps its default effect, which is to end
            // the process.
            let over = is_over.clone();
            let _ = signal_hook::flag::register_conditional_shutdown(signal, Code::Unknown as i32, over);
            let _ = signal_hook::flag::register(signal, is_raised.clone());
        }
        let raised = cancel.clone();
        let overdue = move |stop| {
            // The flag is up already, so this one has only its period of grace.
            let last = Watchdog::spawn(Limits::default(), raised, Vec::new(), move |_| leave(code.get()));
            // Without it, the report must do.
            report(stop);
            drop(last);
        };
        let watchdog =
            Watchdog::spawn(limits, cancel.clone(), vec![is_raised], overdue).map_err(|error| {
                Failure::bad_input(format!(
                    "cannot start the thread that watches limits and signals: {error}"
                ))
                .with_hint("the system's limit on processes and threads may be too low (`ulimit -u`)")
            })?;
        Ok(Guard { watchdog: Some(watchdog), is_over })
    }

    /// For commands without limits that do not poll: signals only.
    pub fn for_signals() -> Result<Guard, Failure> {
        let report = |_| {
            crate::terminal::stderr("interrupted\n");
            leave(Code::Unknown as u8);
        };
        Guard::new(Limits::default(), &Cancel::new(), CodeSoFar::new(), report)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.watchdog.take());
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// Ctrl-C ends what is at work, and the process only if that does not listen.
pub struct Interrupts {
    is_raised: Arc<AtomicBool>,
    /// Does the next Ctrl-C end the process?
    is_last: Arc<AtomicBool>,
}

impl Interrupts {
    /// From now on, Ctrl-C is looked at by whoever is watched.
    pub fn new() -> Interrupts {
        let [is_raised, is_last] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        // Where the system refuses to install a handler, the signal ends the process, as it does by default.
        let _ =
            signal_hook::flag::register_conditional_shutdown(SIGINT, Code::Unknown as i32, is_last.clone());
        let _ = signal_hook::flag::register(SIGINT, is_raised.clone());
        Interrupts { is_raised, is_last }
    }
    /// Raise this flag at Ctrl-C, as long as what comes back lives.
    pub fn watch(&self, cancel: &Cancel) -> Result<Watchdog, Failure> {
        self.is_raised.store(false, Ordering::Relaxed);
        self.is_last.store(false, Ordering::Relaxed);
        let is_last = self.is_last.clone();
        let overdue = move |_| {
            crate::terminal::stderr("this takes a while to end; Ctrl-C once more leaves\n");
            is_last.store(true, Ordering::Relaxed);
        };
        Watchdog::spawn(Limits::default(), cancel.clone(), vec![self.is_raised.clone()], overdue).map_err(
            |error| Failure::bad_input(format!("cannot start the thread that watches for Ctrl-C: {error}")),
        )
    }
}

impl Default for Interrupts {
    fn default() -> Interrupts {
        Interrupts::new()
    }
}
