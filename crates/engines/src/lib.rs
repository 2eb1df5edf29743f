//! The engines, each a small file that reads like its paper, behind one table: [`ENGINES`].
//!
//! ```
//! use indubit_run::{Cancel, Run};
//! use indubit_system::{Conclusion, Safety, StateVar};
//! use indubit_engines::{EngineId, Options};
//! // One latch that toggles; bad when it is set.
//! let mut safety = Safety::default();
//! let latch = safety.aig.leaf();
//! safety.latches.push(StateVar { var: latch.var(), next: !latch, init: Some(false) });
//! safety.bad = latch;
//! let mut run = Run::new(Cancel::new());
//! let ic3 = EngineId::Ic3.info().bits.as_ref().unwrap();
//! let conclusion = (ic3.make)(safety, &Options::default()).run(&mut run);
//! assert!(matches!(conclusion, Conclusion::Unsafe(trace) if trace.len() == 1));
//! ```

mod avy;
mod bmc;
mod bool_oracle;
mod bounded;
mod branching;
mod diagrams;
mod ic3;
mod induction;
mod interpolation;
mod isb;
mod itp;
mod k_induction;
mod live;
mod options;
mod pba;
mod strengthening;
mod switches;
mod table;
mod words;

pub use bmc::{Bmc, BmcConfig, Query};
pub use bool_oracle::{BoolOracle, Lifting, OracleConfig};
pub use bounded::{
    Answers, Backend, BitFrames, Bounded, BoundedConfig, Cuts, Interpolate, Parted, StateSets, Whole,
};
pub use branching::BranchingConfig;
pub use diagrams::{Census, DeadEnds};
pub use induction::NOT_INDUCTIVE;
pub use interpolation::InterpolationConfig;
pub use live::{Invariants, LiveConfig, Stabilize};
pub use options::Options;
pub use pba::{Cores, Inner, PbaConfig, Until};
pub use switches::{SWITCHES, Switch, Switched};
pub use table::{Branch, ENGINES, EngineId, EngineInfo, Implementation, Proves, Share, Supported, find};
pub use words::{PredOracle, Refine, WordConfig, WordFrames};

use indubit_run::{Ask, Run};
use indubit_system::{Bits, Conclusion, CtlProof, Kind};

/// Decides one problem, of bits unless it says otherwise, or says why it could not.
pub trait Engine<K: Kind = Bits> {
    /// Work until there is a conclusion or the run ends.
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion<K>;
}

/// Decides a formula of computation tree logic about a graph of states.
pub trait BranchingEngine {
    /// Work until it is known whether the formula holds, and why, or the run ends.
    fn run(&mut self, run: &mut Run<'_>) -> Ask<CtlProof>;
}

/// Decides several targets of one problem, and what it learns from one helps with the others.
pub trait Shared<K: Kind = Bits> {
    /// Work on target number `target` until there is a conclusion or the run ends. If the last run was about the same one, it
    /// goes on where that has ended.
    fn run(&mut self, target: usize, run: &mut Run<'_>) -> Conclusion<K>;
    /// What holds in all reachable states, as far as is known: a proof of everything that it excludes.
    fn proof(&self) -> K::Proof;
    /// Record what was counted.
    fn report(&self, run: &mut Run<'_>);
}
