//! The engines, each a small file that reads like its paper, behind one table: [`ALL`].
//!
//! ```
//! use indubit_run::{Cancel, Run};
//! use indubit_system::{Safety, StateVar, Verdict};
//! use indubit_engines::{Options, find};
//! // One latch that toggles; bad when it is set.
//! let mut safety = Safety::default();
//! let latch = safety.aig.leaf();
//! safety.latches.push(StateVar { var: latch.var(), next: !latch, init: Some(false) });
//! safety.bad = latch;
//! let mut run = Run::new(Cancel::new());
//! let ic3 = find("ic3").unwrap();
//! let verdict = (ic3.make)(safety, &Options::default()).run(&mut run);
//! assert!(matches!(verdict, Verdict::Unsafe(trace) if trace.len() == 1));
//! ```

mod avy;
mod bmc;
mod bool_oracle;
mod bounded;
mod ic3;
mod induction;
mod interpolation;
mod isb;
mod itp;
mod k_induction;
mod options;
mod pba;
mod strengthening;
mod words;

pub use bmc::{Bmc, BmcConfig, Query};
pub use bool_oracle::{BoolOracle, Lifting, OracleConfig};
pub use bounded::{
    Answers, Backend, Bits, Bounded, BoundedConfig, Cuts, Interpolate, Parted, StateSets, Whole,
};
pub use induction::NOT_INDUCTIVE;
pub use interpolation::InterpolationConfig;
pub use options::{Options, SWITCHES, Switch};
pub use pba::{Cores, Inner, PbaConfig, Until};
pub use words::{PredOracle, Refine, WORDS, WordConfig, WordInfo, WordProblem, WordVerdict, Words};

use ic3::{Ic3, SharedIc3};
use indubit_run::Run;
use indubit_system::{Invariant, Safety, Verdict};
use strengthening::Strengthening;

/// Decides one safety problem, of bits unless it says otherwise, or says why it could not.
pub trait Engine<V = Verdict> {
    /// Its name in [`ALL`], or in [`WORDS`].
    fn name(&self) -> &'static str;
    /// Work until there is a verdict or the run ends.
    fn run(&mut self, run: &mut Run<'_>) -> V;
}

/// Decides several bad signals of one problem, and what it learns from one helps with the others.
pub trait Shared {
    /// Work on bad signal number `target` until there is a verdict or the run ends. If the last run was about the same one, it
    /// goes on where that has ended.
    fn run(&mut self, target: usize, run: &mut Run<'_>) -> Verdict;
    /// What holds in all reachable states, as far as is known: an inductive invariant.
    fn invariant(&self) -> Invariant;
    /// Tell the observer what was counted.
    fn report(&self, run: &mut Run<'_>);
}

/// Makes an engine for all bad signals of a problem.
pub type Share = fn(Safety, &Options, &Run<'_>) -> Box<dyn Shared>;

/// An engine as the command line lists it.
pub struct Info {
    /// What users type.
    pub name: &'static str,
    /// One line on what it does.
    pub summary: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// Can it prove safety, and not only find bugs?
    pub proves: bool,
    /// Does it record its solver queries if the run wants that?
    pub records: bool,
    /// Does it tell of each of its many small steps, so that they measure its effort?
    pub tells: bool,
    /// Is it about the problem as the user has it, so that preprocessing is left out unless it is asked for?
    pub as_given: bool,
    /// An engine for all bad signals of a problem, if it knows how to share what it learns. Its solvers end with the run.
    pub share: Option<Share>,
    /// An engine for a problem.
    pub make: fn(Safety, &Options) -> Box<dyn Engine>,
}

/// Every engine. One that is not here does not exist: the conformance suite runs over this table.
pub const ALL: &[Info] = &[
    Info {
        name: "ic3",
        summary: "property-directed reachability: one step at a time, no unrolling",
        paper: "A. R. Bradley, SAT-Based Model Checking without Unrolling, VMCAI 2011; \
                N. Een, A. Mishchenko, R. Brayton, Efficient Implementation of Property Directed Reachability, FMCAD 2011",
        proves: true,
        records: true,
        tells: true,
        as_given: false,
        share: Some(|safety, options, run| Box::new(SharedIc3::new(Ic3::new(safety, options), run))),
        make: |safety, options| Box::new(Ic3::new(safety, options)),
    },
    Info {
        name: "quip",
        summary: "IC3 that pushes lemmas before it learns new ones, with reachable states to tell good lemmas from bad",
        paper: "A. Ivrii, A. Gurfinkel, Pushing to the Top, FMCAD 2015",
        proves: true,
        records: true,
        tells: true,
        as_given: false,
        share: Some(|safety, options, run| Box::new(SharedIc3::new(Ic3::quip(safety, options), run))),
        make: |safety, options| Box::new(Ic3::quip(safety, options)),
    },
    Info {
        name: "bmc",
        summary: "bounded model checking: unroll until a counterexample appears",
        paper: "A. Biere, A. Cimatti, E. Clarke, Y. Zhu, Symbolic Model Checking without BDDs, TACAS 1999",
        proves: false,
        records: false,
        tells: false,
        as_given: false,
        share: None,
        make: |safety, options| Box::new(Bmc::new(safety, options.bmc)),
    },
    Info {
        name: "kind",
        summary: "k-induction, with simple-path constraints when they are needed",
        paper: "M. Sheeran, S. Singh, G. Stålmarck, Checking Safety Properties Using Induction and a SAT-Solver, FMCAD 2000; \
                N. Een, N. Sörensson, Temporal Induction by Incremental SAT Solving, BMC 2003",
        proves: true,
        records: false,
        tells: false,
        as_given: false,
        share: None,
        make: |safety, options| Box::new(k_induction::KInduction::new(safety, options.bmc)),
    },
    Info {
        name: "pba",
        summary: "proof-based abstraction: keep the latches that refute counterexamples up to a length, and prove the rest",
        paper: "K. L. McMillan, N. Amla, Automatic Abstraction without Counterexamples, TACAS 2003",
        proves: true,
        records: false,
        tells: false,
        as_given: false,
        share: None,
        make: |safety, options| Box::new(pba::Pba::new(safety, options)),
    },
    Info {
        name: "itp",
        summary: "interpolation: what a step reaches is kept apart from what can reach a bad state in k steps",
        paper: "K. L. McMillan, Interpolation and SAT-Based Model Checking, CAV 2003",
        proves: true,
        records: false,
        tells: false,
        as_given: false,
        share: None,
        make: |safety, options| Box::new(itp::Itp::new(safety, options.interpolation, options.bmc.frames)),
    },
    Info {
        name: "isb",
        summary: "interpolation sequences: one refutation of k steps says what each step reaches",
        paper: "Y. Vizel, O. Grumberg, Interpolation-Sequence Based Model Checking, FMCAD 2009",
        proves: true,
        records: false,
        tells: false,
        as_given: false,
        share: None,
        make: |safety, options| Box::new(isb::Isb::new(safety, options.interpolation, options.bmc.frames)),
    },
    Info {
        name: "avy",
        summary: "IC3 whose frames are strengthened by interpolation sequences",
        paper: "Y. Vizel, A. Gurfinkel, Interpolating Property Directed Reachability, CAV 2014",
        proves: true,
        records: true,
        tells: true,
        as_given: false,
        share: None,
        make: |safety, options| Box::new(avy::Avy::new(safety, options)),
    },
    Info {
        name: "induction",
        summary: "is the property inductive as it stands? If not, a counterexample to induction shows what it does not say",
        paper: "Z. Manna, A. Pnueli, Temporal Verification of Reactive Systems: Safety, Springer 1995",
        proves: true,
        records: false,
        tells: false,
        as_given: true,
        share: None,
        make: |safety, options| Box::new(induction::Induction::new(safety, options.bmc.frames)),
    },
    Info {
        name: "fsis",
        summary: "inductive strengthening: counterexamples to induction are generalized to inductive lemmas, without frames",
        paper: "A. R. Bradley, Z. Manna, Checking Safety by Inductive Generalization of Counterexamples to Induction, FMCAD 2007",
        proves: true,
        records: true,
        tells: true,
        as_given: false,
        share: None,
        make: |safety, options| Box::new(Strengthening::fsis(safety, options)),
    },
    Info {
        name: "naive",
        summary: "inductive strengthening: counterexamples to induction are removed one by one, as an exercise",
        paper: "L. Geatti, Incremental Inductive Verification, lecture slides (University of Udine)",
        proves: true,
        records: true,
        tells: true,
        as_given: false,
        share: None,
        make: |safety, options| Box::new(Strengthening::naive(safety, options)),
    },
];

/// The engine with this name.
pub fn find(name: &str) -> Option<&'static Info> {
    ALL.iter().find(|e| e.name == name)
}
