//! Engines for liveness: is there a run that sees each of some signals infinitely often?
//!
//! Each of them asks the engines for safety, and says of what those prove why no such run exists ([`Ranked`](indubit_system::Ranked)).

mod chain;
mod facts;
mod fair;
mod k_liveness;
mod l2s;
mod lasso;
mod rlive;
mod sides;
mod stabilize;
mod watch;

pub(crate) use fair::Fair;
pub(crate) use k_liveness::KLiveness;
pub(crate) use l2s::LivenessToSafety;
pub(crate) use lasso::LassoSearch;
pub(crate) use rlive::Rlive;
pub use stabilize::Stabilize;

use crate::ic3::Ic3;
use crate::{EngineId, Implementation, Options, Proves};
use indubit_system::{Bits, Safety};

/// How engines for liveness go about it.
#[derive(Clone, Copy, Debug)]
pub struct LiveConfig {
    /// Which signals are looked at for those that stabilize.
    pub stabilize: Stabilize,
    /// How often FAIR lets k-liveness count after each wall; 0 is not at all.
    pub count: u32,
    /// Who decides the safety problem that liveness becomes.
    pub engine: Invariants,
    /// Questions about what can be reached are for Quip.
    pub quip: bool,
}

impl Default for LiveConfig {
    fn default() -> LiveConfig {
        LiveConfig { stabilize: Stabilize::Gates, count: 0, engine: Invariants(EngineId::Quip), quip: true }
    }
}

/// The options of an engine that takes what is proved about one circuit as states of another: its lemmas are about latches.
pub(crate) fn over_latches(options: &Options) -> Options {
    let mut options = options.clone();
    options.oracle.internal_signals = false;
    options
}

/// Who decides what can be reached.
pub(crate) fn searcher(circuit: Safety, options: &Options) -> Ic3 {
    if options.live.quip { Ic3::quip(circuit, options) } else { Ic3::new(circuit, options) }
}

/// The name of an engine that proves safety by inductive invariants, which are what liveness is proved with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invariants(EngineId);

impl Invariants {
    /// Any engine that goes on until it has an invariant.
    pub fn named(name: &str) -> Option<Invariants> {
        let has_invariants = |e: &Implementation<Bits>| e.proves == Proves::Invariants && !e.as_given;
        let found = crate::find(name).filter(|e| e.bits.as_ref().is_some_and(has_invariants))?;
        Some(Invariants(found.id))
    }
    /// As users type it.
    pub fn name(self) -> &'static str {
        self.0.info().name
    }
    fn implementation(self) -> &'static Implementation<Bits> {
        self.0.info().bits.as_ref().expect("it is for bits, or it would have no name here")
    }
}
