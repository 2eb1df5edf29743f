//! Giving up: why, and how the news travels.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Why a run gave up. Never an error: errors are for malformed input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Someone asked for it: a signal, or the caller.
    Cancelled,
    /// The time limit was reached.
    TimeLimit,
    /// The memory limit was reached.
    MemoryLimit,
    /// The bound on the depth was reached.
    Bound,
    /// The engine cannot decide this, for the reason given.
    Incomplete(&'static str),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Cancelled => "cancelled",
            Stop::TimeLimit => "time limit",
            Stop::MemoryLimit => "memory limit",
            Stop::Bound => "bound reached",
            Stop::Incomplete(reason) => reason,
        })
    }
}

/// Every call that may reach a solver returns this, so `?` unwinds a run that was ended.
pub type Ask<T> = Result<T, Stop>;

/// The flag that ends a run. Clones share it; the first reason wins.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicU8>);

const GO: u8 = 0;
const CANCELLED: u8 = 1;
const TIME: u8 = 2;
const MEMORY: u8 = 3;

impl Cancel {
    /// A flag that is not raised.
    pub fn new() -> Cancel {
        Cancel::default()
    }
    /// End the run.
    pub fn cancel(&self) {
        self.raise(CANCELLED);
    }
    /// End the run because of the time limit.
    pub fn out_of_time(&self) {
        self.raise(TIME);
    }
    /// End the run because of the memory limit.
    pub fn out_of_memory(&self) {
        self.raise(MEMORY);
    }
    fn raise(&self, reason: u8) {
        // A later reason does not replace the first: whoever lost the exchange has nothing to add.
        let _ = self.0.compare_exchange(GO, reason, Ordering::Relaxed, Ordering::Relaxed);
    }
    /// The reason, once the flag has been raised.
    pub fn reason(&self) -> Option<Stop> {
        match self.0.load(Ordering::Relaxed) {
            GO => None,
            TIME => Some(Stop::TimeLimit),
            MEMORY => Some(Stop::MemoryLimit),
            _ => Some(Stop::Cancelled),
        }
    }
    /// Has the flag been raised?
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed) != GO
    }
    /// Go on, or unwind.
    pub fn checkpoint(&self) -> Ask<()> {
        self.reason().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_wins() {
        let cancel = Cancel::new();
        let clone = cancel.clone();
        assert_eq!(cancel.checkpoint(), Ok(()));
        clone.out_of_memory();
        cancel.out_of_time();
        cancel.cancel();
        assert_eq!(cancel.checkpoint(), Err(Stop::MemoryLimit));
        assert!(clone.is_raised());
    }
}
