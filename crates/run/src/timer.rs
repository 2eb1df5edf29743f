//! Runs, and parts of runs, that have only so much time.

use crate::Cancel;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often a timer looks whether anybody still wants it.
const PERIOD: Duration = Duration::from_millis(50);

/// Raise the flag after so much time, unless it is gone by then.
pub(crate) fn raise_after(limit: Duration, cancel: &Cancel) {
    let (start, flag) = (Instant::now(), cancel.downgrade());
    std::thread::spawn(move || {
        while let Some(cancel) = flag.get() {
            let left = limit.saturating_sub(start.elapsed());
            if left.is_zero() {
                return cancel.out_of_time();
            }
            drop(cancel);
            std::thread::sleep(left.min(PERIOD));
        }
    });
}

/// Do something that ends with the run, or when this much time has gone by. None if it was the time, and the run goes on.
pub fn within_time<T>(limit: Duration, cancel: &Cancel, part: impl FnOnce(&Cancel) -> T) -> Option<T> {
    let own = cancel.child();
    let (done, is_done) = channel::<()>();
    let result = std::thread::scope(|scope| {
        let flag = own.clone();
        scope.spawn(move || {
            if is_done.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                flag.out_of_time();
            }
        });
        let result = part(&own);
        drop(done);
        result
    });
    let is_over = own.reason().is_some() && cancel.reason().is_none();
    (!is_over).then_some(result)
}

/// Raises a flag if a piece of work takes too long. One piece comes after the other, each with its own time.
pub struct Timer {
    limits: Option<Sender<Instant>>,
    thread: Option<JoinHandle<()>>,
}

impl Timer {
    /// For a flag. There is no limit yet; and none ever, if the system allows no further thread.
    pub fn new(cancel: &Cancel) -> Timer {
        let (limits, next) = channel::<Instant>();
        let flag = cancel.clone();
        let watch = move || {
            let Ok(mut end) = next.recv() else { return };
            loop {
                end = match next.recv_timeout(end.saturating_duration_since(Instant::now())) {
                    Ok(end) => end,
                    Err(RecvTimeoutError::Timeout) => return flag.out_of_time(),
                    Err(RecvTimeoutError::Disconnected) => return,
                };
            }
        };
        Timer { limits: Some(limits), thread: std::thread::Builder::new().spawn(watch).ok() }
    }
    /// The piece that begins now has so much time.
    pub fn restart(&self, limit: Duration) {
        let end = Instant::now() + limit;
        // Nobody is there any more if the time of an earlier piece was over.
        let _ = self.limits.as_ref().map(|limits| limits.send(end));
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.limits = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stop;

    #[test]
    fn each_piece_has_its_own_time() {
        let cancel = Cancel::new();
        let timer = Timer::new(&cancel);
        for _ in 0..100 {
            timer.restart(Duration::from_secs(3600));
        }
        drop(timer);
        assert_eq!(cancel.reason(), None);
        let timer = Timer::new(&cancel);
        timer.restart(Duration::from_millis(1));
        while !cancel.is_raised() {}
        assert_eq!(cancel.reason(), Some(Stop::TimeLimit));
        timer.restart(Duration::from_millis(1));
        drop(Timer::new(&cancel));
    }

    #[test]
    fn time_runs_out_for_the_part_only() {
        let cancel = Cancel::new();
        let wait = |own: &Cancel| loop {
            if let Err(stop) = own.checkpoint() {
                return stop;
            }
        };
        assert_eq!(within_time(Duration::from_millis(1), &cancel, wait), None);
        assert_eq!(cancel.reason(), None);
        assert_eq!(within_time(Duration::from_secs(3600), &cancel, |_| 7), Some(7));
        cancel.cancel();
        assert_eq!(within_time(Duration::from_secs(3600), &cancel, wait), Some(Stop::Cancelled));
    }
}
