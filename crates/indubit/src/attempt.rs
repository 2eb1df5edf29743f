//! A short attempt of an engine between two passes: most problems are easy, and preprocessing would take longer than the
//! engine does.
//!
//! The attempt ends after so many events. Engines of many small steps tell of each, so that is a measure of effort that
//! is the same at each time; the others are not tried.

use crate::check::Strategy;
use indubit_engines::within;
use indubit_logic::Lit;
use indubit_run::{Event, Run};
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
    let exchange = run.exchange.clone();
    let found = within(events, exchange, run, |own| {
        (strategy.engine.make)(safety.clone(), &strategy.options).run(own)
    });
    found.map(|found| found.tell(run))
}
