//! The one thread that looks at the clock, at memory and at signals.

use crate::{Cancel, Stop};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often it looks.
const PERIOD: Duration = Duration::from_millis(20);
/// How long the run may take to unwind after the flag was raised.
const GRACE: Duration = Duration::from_millis(700);

/// The limits of a run. Everything counts: parsing, preprocessing, engines, checking the evidence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time from the start of the watchdog.
    pub time: Option<Duration>,
    /// Resident memory of the whole process in bytes, foreign solvers included.
    pub memory: Option<u64>,
}

/// Raises the flag when a limit is reached or a signal came in; stops when dropped.
pub struct Watchdog {
    stop: mpsc::Sender<()>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// Watch `limits` and `signals` (flags that a signal handler sets).
    ///
    /// If the run has not ended soon after the flag was raised (a solver that does not listen), `overdue` is
    /// called with the reason: the place to print what is known and leave the process. Fails if the system allows
    /// no further thread.
    pub fn spawn(
        limits: Limits,
        cancel: Cancel,
        signals: Vec<Arc<AtomicBool>>,
        overdue: impl FnOnce(Stop) + Send + 'static,
    ) -> io::Result<Watchdog> {
        let (stop, stopped) = mpsc::channel();
        let deadline = limits.time.and_then(|t| Instant::now().checked_add(t));
        let thread = std::thread::Builder::new().spawn(move || {
            let mut raised_at: Option<Instant> = None;
            while let Err(mpsc::RecvTimeoutError::Timeout) = stopped.recv_timeout(PERIOD) {
                if signals.iter().any(|s| s.load(Ordering::Relaxed)) {
                    cancel.cancel();
                }
                if deadline.is_some_and(|d| Instant::now() >= d) {
                    cancel.out_of_time();
                }
                if limits.memory.is_some_and(|m| resident_bytes().is_some_and(|r| r > m)) {
                    cancel.out_of_memory();
                }
                if let Some(reason) = cancel.reason() {
                    let since = *raised_at.get_or_insert_with(Instant::now);
                    if since.elapsed() > GRACE {
                        overdue(reason);
                        return;
                    }
                }
            }
        })?;
        Ok(Watchdog { stop, thread: Some(thread) })
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        // The thread may have ended already, after `overdue`: then there is nobody to tell.
        let _ = self.stop.send(());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Memory of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Resident bytes now.
    pub resident: u64,
    /// The most there ever were.
    pub peak: u64,
}

/// Memory of the process with this number (`self` is this one), where the system tells (Linux).
pub fn memory_of(process: &str) -> Option<Memory> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let bytes = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        Some(kib * 1024)
    };
    Some(Memory { resident: bytes("VmRSS:")?, peak: bytes("VmHWM:")? })
}

/// Resident memory of this process, where the system tells (Linux).
pub fn resident_bytes() -> Option<u64> {
    memory_of("self").map(|memory| memory.resident)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(limits: Limits, signals: Vec<Arc<AtomicBool>>) -> Option<Stop> {
        let cancel = Cancel::new();
        let (tell, told) = mpsc::channel();
        let overdue = move |reason| tell.send(reason).unwrap();
        let _watchdog = Watchdog::spawn(limits, cancel.clone(), signals, overdue).unwrap();
        let overdue = told.recv_timeout(Duration::from_secs(30)).unwrap();
        assert_eq!(cancel.reason(), Some(overdue));
        cancel.reason()
    }

    #[test]
    fn deadline_memory_and_signals_raise_the_flag() {
        let time = Some(Duration::from_millis(1));
        assert_eq!(watch(Limits { time, memory: None }, vec![]), Some(Stop::TimeLimit));
        if resident_bytes().is_some() {
            let memory = Some(1);
            assert_eq!(watch(Limits { time: None, memory }, vec![]), Some(Stop::MemoryLimit));
        }
        let signal = Arc::new(AtomicBool::new(true));
        assert_eq!(watch(Limits::default(), vec![signal]), Some(Stop::Cancelled));
    }

    #[test]
    fn dropping_it_ends_the_thread() {
        let cancel = Cancel::new();
        let watchdog = Watchdog::spawn(Limits::default(), cancel.clone(), vec![], |_| panic!("not overdue"));
        drop(watchdog.unwrap());
        assert_eq!(cancel.reason(), None);
    }
}
