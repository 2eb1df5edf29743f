//! Giving up: why, and how the news travels.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::Duration;

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
///
/// It can also make a run wait, while others have their turn: at the next look at the flag.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Flag>);

/// A flag as a timer knows it: it does not keep the flag alive.
pub(crate) struct WeakCancel(Weak<Flag>);

impl WeakCancel {
    pub(crate) fn get(&self) -> Option<Cancel> {
        self.0.upgrade().map(Cancel)
    }
}

#[derive(Debug, Default)]
struct Flag {
    reason: AtomicU8,
    is_paused: AtomicBool,
    gives_way: AtomicBool,
    /// The run that this one is a part of.
    parent: Option<Cancel>,
    /// Whoever waits does so here.
    gate: (Mutex<()>, Condvar),
}

/// Who waits looks this often whether the run was ended.
const PATIENCE: Duration = Duration::from_millis(10);

/// Who has given way looks this often whether there is something to do.
const WAY: Duration = Duration::from_millis(2);

const GO: u8 = 0;
const CANCELLED: u8 = 1;
const TIME: u8 = 2;
const MEMORY: u8 = 3;

impl Cancel {
    /// A flag that is not raised.
    pub fn new() -> Cancel {
        Cancel::default()
    }
    /// A flag of its own for a part of the run: it is up when this one is.
    pub fn child(&self) -> Cancel {
        Cancel(Arc::new(Flag { parent: Some(self.clone()), ..Flag::default() }))
    }
    pub(crate) fn downgrade(&self) -> WeakCancel {
        WeakCancel(Arc::downgrade(&self.0))
    }
    /// A flag that goes up by itself after this time.
    ///
    /// ```
    /// use indubit_run::{Cancel, Stop};
    /// use std::time::Duration;
    /// let cancel = Cancel::after(Duration::from_millis(1));
    /// while !cancel.is_raised() {}
    /// assert_eq!(cancel.reason(), Some(Stop::TimeLimit));
    /// ```
    pub fn after(limit: Duration) -> Cancel {
        let cancel = Cancel::new();
        crate::timer::raise_after(limit, &cancel);
        cancel
    }
    /// Let the run, with all its parts, wait at its next look at the flag, or go on.
    pub fn pause(&self, is_paused: bool) {
        let _turn = self.0.gate.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.0.is_paused.store(is_paused, Ordering::Relaxed);
        self.0.gate.1.notify_all();
    }
    /// Is this run to wait, or one that it is a part of?
    pub fn is_paused(&self) -> bool {
        self.0.is_paused.load(Ordering::Relaxed) || self.0.parent.as_ref().is_some_and(Cancel::is_paused)
    }
    /// Wait until it is this run's turn, or it has ended.
    fn wait(&self) {
        let mut turn = self.0.gate.0.lock().unwrap_or_else(PoisonError::into_inner);
        while self.is_paused() && self.reason().is_none() {
            turn = match self.0.gate.1.wait_timeout(turn, PATIENCE) {
                Ok((turn, _)) => turn,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }
    /// There is nothing to do before another run has done something: leave the turn to the others, and wait a little.
    pub fn give_way(&self) -> Ask<()> {
        let whole = std::iter::successors(Some(self), |cancel| cancel.0.parent.as_ref());
        whole.for_each(|cancel| cancel.0.gives_way.store(true, Ordering::Relaxed));
        let turn = self.0.gate.0.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.0.gate.1.wait_timeout(turn, WAY));
        self.checkpoint()
    }
    /// Has it given way, since this was last asked?
    pub fn has_given_way(&self) -> bool {
        self.0.gives_way.swap(false, Ordering::Relaxed)
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
        let _ = self.0.reason.compare_exchange(GO, reason, Ordering::Relaxed, Ordering::Relaxed);
    }
    /// The reason, once the flag has been raised.
    pub fn reason(&self) -> Option<Stop> {
        match self.0.reason.load(Ordering::Relaxed) {
            GO => self.0.parent.as_ref()?.reason(),
            TIME => Some(Stop::TimeLimit),
            MEMORY => Some(Stop::MemoryLimit),
            _ => Some(Stop::Cancelled),
        }
    }
    /// Has the flag been raised? Waits first, if the run is to wait.
    pub fn is_raised(&self) -> bool {
        self.checkpoint().is_err()
    }
    /// Go on, or unwind. Waits first, if the run is to wait.
    pub fn checkpoint(&self) -> Ask<()> {
        if self.is_paused() {
            self.wait();
        }
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

    #[test]
    fn who_gives_way_is_noticed_once_by_whoever_gives_turns() {
        let cancel = Cancel::new();
        let part = cancel.child();
        assert!(!cancel.has_given_way());
        assert_eq!(part.give_way(), Ok(()));
        assert_eq!([cancel.has_given_way(), cancel.has_given_way()], [true, false]);
        cancel.cancel();
        assert_eq!(part.give_way(), Err(Stop::Cancelled));
    }

    #[test]
    fn a_part_ends_with_the_whole_and_not_the_other_way_round() {
        let whole = Cancel::new();
        let [a, b] = [whole.child(), whole.child()];
        a.cancel();
        assert_eq!((a.reason(), b.reason(), whole.reason()), (Some(Stop::Cancelled), None, None));
        whole.out_of_time();
        assert_eq!((a.reason(), b.reason()), (Some(Stop::Cancelled), Some(Stop::TimeLimit)));
    }

    #[test]
    fn who_is_paused_waits_until_the_end() {
        let whole = Cancel::new();
        let part = whole.child();
        part.pause(true);
        part.pause(false);
        assert_eq!(part.checkpoint(), Ok(()));
        whole.pause(true);
        assert!(part.is_paused());
        whole.pause(false);
        part.pause(true);
        whole.cancel();
        assert_eq!(part.checkpoint(), Err(Stop::Cancelled));
    }
}
