//! An engine with limited effort.
//!
//! Engines of many small steps tell of each, so the number of events is a measure of effort that is the same at each time.

use indubit_run::{Cancel, Event, Exchange, Observer, Run};
use indubit_system::Verdict;
use std::sync::Arc;

/// What an engine finds out before it has told so many events; none if that is too short. `exchange` is about the problem
/// that the engine has.
pub fn within(
    events: usize,
    exchange: Arc<Exchange>,
    run: &mut Run<'_>,
    engine: impl FnOnce(&mut Run<'_>) -> Verdict,
) -> Option<Found> {
    let cancel = run.cancel().child();
    let (seed, bound, paranoid) = (run.seed, run.bound, run.paranoid);
    let mut limited = Limited::new(run, &cancel, events);
    let mut own = Run::new(cancel, &mut limited)
        .with_seed(seed)
        .with_bound(bound)
        .with_paranoia(paranoid)
        .with_exchange(exchange);
    let verdict = engine(&mut own);
    let Limited { run, left, counts, .. } = limited;
    let is_over = left == 0 && run.checkpoint().is_ok() && matches!(verdict, Verdict::Unknown { .. });
    (!is_over).then_some(Found { verdict, counts })
}

/// What an engine has found out, and what it has counted on the way.
pub struct Found {
    /// Its verdict.
    pub verdict: Verdict,
    /// Its counts, not told yet.
    pub counts: Vec<(&'static str, u64)>,
}

impl Found {
    /// The verdict, and the counts are told.
    pub fn tell(self, run: &mut Run<'_>) -> Verdict {
        self.counts.into_iter().for_each(|(name, value)| run.event(Event::Count { name, value }));
        self.verdict
    }
}

/// Ends an attempt when it has told enough, and passes on what it tells. What it has counted is kept: that counts only if
/// the attempt is the last one.
pub struct Limited<'o, 'r> {
    run: &'o mut Run<'r>,
    cancel: Cancel,
    left: usize,
    /// What was counted, not told yet.
    pub counts: Vec<(&'static str, u64)>,
}

impl<'o, 'r> Limited<'o, 'r> {
    /// Raises the flag after so many events.
    pub fn new(run: &'o mut Run<'r>, cancel: &Cancel, events: usize) -> Limited<'o, 'r> {
        Limited { run, cancel: cancel.clone(), left: events, counts: Vec::new() }
    }
}

impl Observer for Limited<'_, '_> {
    fn event(&mut self, event: &Event<'_>) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.cancel.cancel();
        }
        match *event {
            Event::Count { name, value } => self.counts.push((name, value)),
            // Who begins anew is for a while behind what is known.
            Event::Bound { safe_up_to } if self.run.safe_up_to() >= Some(safe_up_to) => (),
            event => self.run.event(event),
        }
    }
}
