//! Runs, and parts of runs, that have only so much time.

use crate::Cancel;
use std::sync::mpsc::{RecvTimeoutError, channel};
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stop;

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
