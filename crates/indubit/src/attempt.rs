//! A short attempt of an engine between two passes: most problems are easy, and preprocessing would take longer than the
//! engine does.
//!
//! The attempt ends after so many events. Engines of many small steps tell of each, so that is a measure of effort that
//! is the same at each time; the others are not tried.

use crate::check::Strategy;
use indubit_logic::Lit;
use indubit_run::{Cancel, Event, Observer, Run};
use indubit_system::{Safety, Verdict};

/// Events times nodes of the problem: that is about how the effort grows.
const EFFORT: usize = 10_000_000;
/// On small problems, no more events than that.
const MAX_EVENTS: usize = 2_000;

/// What the engine finds out in a short while; none if that is too short.
pub(crate) fn attempt(
    safety: &Safety,
    strategy: &Strategy,
    effort: u32,
    run: &mut Run<'_>,
) -> Option<Verdict> {
    // Whoever records queries wants those of one engine.
    if safety.bad == Lit::FALSE || !strategy.engine.tells || run.queries.is_some() {
        return None;
    }
    run.event(Event::Engine { name: strategy.engine.name });
    let events = (EFFORT / safety.aig.n_vars()).min(MAX_EVENTS);
    let events = events.saturating_mul(effort as usize);
    within(events, run, |own| (strategy.engine.make)(safety.clone(), &strategy.options).run(own))
}

/// What an engine finds out before it has told so many events; none if that is too short.
pub(crate) fn within(
    events: usize,
    run: &mut Run<'_>,
    engine: impl FnOnce(&mut Run<'_>) -> Verdict,
) -> Option<Verdict> {
    let cancel = run.cancel().child();
    let (seed, bound, paranoid, exchange) = (run.seed, run.bound, run.paranoid, run.exchange.clone());
    let mut limited = Limited { run, cancel: cancel.clone(), left: events, counts: Vec::new() };
    let mut own = Run::new(cancel, &mut limited)
        .with_seed(seed)
        .with_bound(bound)
        .with_paranoia(paranoid)
        .with_exchange(exchange);
    let verdict = engine(&mut own);
    let Limited { run, left, counts, .. } = limited;
    if left == 0 && run.checkpoint().is_ok() && matches!(verdict, Verdict::Unknown { .. }) {
        return None;
    }
    counts.into_iter().for_each(|(name, value)| run.event(Event::Count { name, value }));
    Some(verdict)
}

/// Ends an attempt when it has told enough, and passes on what it tells. What it has counted is kept: that counts only if
/// the attempt is the last one.
struct Limited<'o, 'r> {
    run: &'o mut Run<'r>,
    cancel: Cancel,
    left: usize,
    counts: Vec<(&'static str, u64)>,
}

impl Observer for Limited<'_, '_> {
    fn event(&mut self, event: &Event<'_>) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.cancel.cancel();
        }
        match *event {
            Event::Count { name, value } => self.counts.push((name, value)),
            event => self.run.event(event),
        }
    }
}
