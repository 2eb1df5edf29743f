//! What a run is given (cancellation, limits, seed, an observer) and how it ends early.
//!
//! Engines and solvers poll one flag, [`Cancel`]. A single [`Watchdog`] thread turns deadlines, the memory
//! limit and signals into that flag, so nothing below it looks at a clock.

mod cancel;
mod event;
mod exchange;
mod program;
mod sink;
mod timer;
mod trade;
mod watchdog;

pub use cancel::{Ask, Cancel, Stop};
pub use event::{Event, Ignore, Observer};
pub use exchange::Exchange;
pub use program::program;
pub use sink::Sink;
pub use timer::within_time;
pub use trade::Trade;
pub use watchdog::{Limits, Memory, Watchdog, memory_of, resident_bytes};

use std::sync::Arc;

/// The environment of one run: cancellation in, events out.
pub struct Run<'r> {
    cancel: Cancel,
    observer: &'r mut dyn Observer,
    safe_up_to: Option<u32>,
    /// Do not look for counterexamples longer than this, nor for inductions deeper than this.
    pub bound: Option<u32>,
    /// Seed of every random choice; equal seeds give equal runs.
    pub seed: u64,
    /// Check expensive invariants while running (P1–P4 of seed 000 after each level), and every answer of the solver
    /// that checks the evidence.
    pub paranoid: bool,
    /// Where an engine that asks many small solver queries records them.
    pub queries: Option<Sink>,
    /// What other engines found out about the same property.
    pub exchange: Arc<Exchange>,
    /// Lemmas for and from other engines.
    pub trade: Option<Box<dyn Trade>>,
}

impl<'r> Run<'r> {
    /// A run that ends when `cancel` says so and reports to `observer`.
    pub fn new(cancel: Cancel, observer: &'r mut dyn Observer) -> Run<'r> {
        Run {
            cancel,
            observer,
            safe_up_to: None,
            bound: None,
            seed: 0,
            paranoid: false,
            queries: None,
            exchange: Arc::default(),
            trade: None,
        }
    }
    /// With a bound on the depth.
    pub fn with_bound(mut self, bound: Option<u32>) -> Run<'r> {
        self.bound = bound;
        self
    }
    /// With a seed.
    pub fn with_seed(mut self, seed: u64) -> Run<'r> {
        self.seed = seed;
        self
    }
    /// With expensive invariants checked.
    pub fn with_paranoia(mut self, paranoid: bool) -> Run<'r> {
        self.paranoid = paranoid;
        self
    }
    /// With a place to record solver queries.
    pub fn with_queries(mut self, queries: Option<Sink>) -> Run<'r> {
        self.queries = queries;
        self
    }
    /// With what other engines find out.
    pub fn with_exchange(mut self, exchange: Arc<Exchange>) -> Run<'r> {
        self.exchange = exchange;
        self
    }
    /// The flag that ends this run; solvers keep a clone.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }
    /// Go on, or unwind because the run has been ended.
    pub fn checkpoint(&self) -> Ask<()> {
        self.cancel.checkpoint()
    }
    /// Is depth `k` still within the bound?
    pub fn within_bound(&self, k: u32) -> Ask<()> {
        match self.bound {
            Some(bound) if k > bound => Err(Stop::Bound),
            _ => Ok(()),
        }
    }
    /// Depth `k`, or the bound if that is smaller.
    pub fn at_most_bound(&self, k: u32) -> u32 {
        self.bound.map_or(k, |bound| k.min(bound))
    }
    /// Tell the observer.
    pub fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Property { .. } => {
                self.safe_up_to = None;
                self.exchange = Arc::default();
            }
            Event::Bound { safe_up_to } => {
                self.safe_up_to = self.safe_up_to.max(Some(safe_up_to));
                self.exchange.publish_bound(safe_up_to);
            }
            _ => (),
        }
        self.observer.event(&event);
    }
    /// The highest bound that was reported for the present property.
    pub fn safe_up_to(&self) -> Option<u32> {
        self.safe_up_to
    }
}
