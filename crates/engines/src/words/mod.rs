//! Engines for words: integers, reals and Booleans.
//!
//! | engine | is |
//! |---|---|
//! | `ic3ia` | `Pdr` over predicates, abstract counterexamples refined as a whole (Cimatti et al., TACAS 2014) |
//! | `ctigar` | `Pdr` over predicates, single steps refined (Birgmeier et al., CAV 2014) |
//! | `quip` | Quip over predicates: `ic3ia` with may-obligations and reachable states |
//! | `bmc`, `kind`, `itp`, `isb` | the engines for bits, over other time frames |

mod affine;
mod congruences;
mod equalities;
mod frames;
mod ic3ia;
mod pred_oracle;
mod predicates;
mod problem;
mod refinement;
mod states;

pub use frames::Words;
pub use pred_oracle::PredOracle;
pub use problem::WordProblem;

use crate::bounded::Cuts;
use crate::interpolation::{Found, Progress};
use crate::{Engine, Options, bmc, isb, itp, k_induction};
use ic3ia::Ic3ia;
use indubit_run::{Run, Stop};
use indubit_system::{Start, Verdict, WordProof, WordTrace};

/// What an engine for words found out.
pub type WordVerdict = Verdict<WordTrace, WordProof>;

/// When steps are refined that the abstraction is too coarse for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refine {
    /// Never: abstract counterexamples are refined as a whole.
    Paths,
    /// When there is an abstract counterexample, its last such step.
    Lazily,
    /// At once, until a frame has had many: there may be no end of them.
    Eagerly,
}

/// How the abstraction is made and refined.
#[derive(Clone, Copy, Debug)]
pub struct WordConfig {
    /// Predecessors are lifted by cores.
    pub lift: bool,
    /// Which steps are refined.
    pub refine: Refine,
    /// Where steps are refined at once: also consecution abstraction failures (Birgmeier et al., CAV 2014), where no step leads into
    /// the one state that an abstract state was made of.
    pub consecution: bool,
    /// An abstract counterexample is simulated along its cubes, and not only by its length.
    pub along_cubes: bool,
    /// The atoms of the transition relation are predicates from the start, too.
    pub predicates_of_steps: bool,
    /// Linear equalities that hold in all reachable states are predicates from the start, too.
    pub equalities: bool,
    /// So are congruences.
    pub congruences: bool,
}

impl Default for WordConfig {
    fn default() -> WordConfig {
        WordConfig {
            lift: false,
            refine: Refine::Lazily,
            consecution: true,
            along_cubes: true,
            predicates_of_steps: false,
            equalities: true,
            congruences: true,
        }
    }
}

/// An engine for words as the command line lists it.
pub struct WordInfo {
    /// What users type.
    pub name: &'static str,
    /// One line on what it does.
    pub summary: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// Can it prove safety, and not only find bugs?
    pub proves: bool,
    /// An engine for a problem.
    pub make: fn(WordProblem, &Options) -> Box<dyn Engine<WordVerdict>>,
}

/// Every engine for words.
pub const WORDS: &[WordInfo] = &[
    WordInfo {
        name: "ic3ia",
        summary: "IC3 over predicates, which spurious counterexamples give more of",
        paper: "A. Cimatti, A. Griggio, S. Mover, S. Tonetta, IC3 Modulo Theories via Implicit Predicate Abstraction, TACAS 2014",
        proves: true,
        make: |problem, options| Box::new(Ic3ia::new(problem, options)),
    },
    WordInfo {
        name: "ctigar",
        summary: "IC3 over predicates, which single steps give more of",
        paper: "J. Birgmeier, A. R. Bradley, G. Weissenbacher, Counterexample to Induction-Guided Abstraction-Refinement, CAV 2014",
        proves: true,
        make: |problem, options| Box::new(Ic3ia::ctigar(problem, options)),
    },
    WordInfo {
        name: "quip",
        summary: "Quip over predicates: IC3 that pushes lemmas first, with reachable states to tell good lemmas from bad",
        paper: "A. Ivrii, A. Gurfinkel, Pushing to the Top, FMCAD 2015",
        proves: true,
        make: |problem, options| Box::new(Ic3ia::quip(problem, options)),
    },
    WordInfo {
        name: "bmc",
        summary: "bounded model checking: unroll until a counterexample appears",
        paper: "A. Biere, A. Cimatti, E. Clarke, Y. Zhu, Symbolic Model Checking without BDDs, TACAS 1999",
        proves: false,
        make: |problem, options| {
            Box::new(Unrolling { name: "bmc", problem, options: options.clone(), run: run_bmc })
        },
    },
    WordInfo {
        name: "kind",
        summary: "k-induction, with simple-path constraints when they are needed",
        paper: "M. Sheeran, S. Singh, G. Stålmarck, Checking Safety Properties Using Induction and a SAT-Solver, FMCAD 2000",
        proves: true,
        make: |problem, options| {
            Box::new(Unrolling { name: "kind", problem, options: options.clone(), run: run_kind })
        },
    },
    WordInfo {
        name: "itp",
        summary: "interpolation: what a step reaches is kept apart from what can reach a bad state in k steps",
        paper: "K. L. McMillan, Interpolation and SAT-Based Model Checking, CAV 2003",
        proves: true,
        make: |problem, options| {
            Box::new(Unrolling { name: "itp", problem, options: options.clone(), run: run_itp })
        },
    },
    WordInfo {
        name: "isb",
        summary: "interpolation sequences: one refutation of k steps says what each step reaches",
        paper: "Y. Vizel, O. Grumberg, Interpolation-Sequence Based Model Checking, FMCAD 2009",
        proves: true,
        make: |problem, options| {
            Box::new(Unrolling { name: "isb", problem, options: options.clone(), run: run_isb })
        },
    },
];

/// An engine for bits, over time frames of words.
struct Unrolling {
    name: &'static str,
    problem: WordProblem,
    options: Options,
    run: fn(&WordProblem, &Options, &mut Run<'_>) -> WordVerdict,
}

impl Engine<WordVerdict> for Unrolling {
    fn name(&self) -> &'static str {
        self.name
    }
    fn run(&mut self, run: &mut Run<'_>) -> WordVerdict {
        (self.run)(&self.problem, &self.options, run)
    }
}

fn run_bmc(problem: &WordProblem, options: &Options, run: &mut Run<'_>) -> WordVerdict {
    let frames = Words::new(problem, Start::Initial, Cuts::None, options.interpolation, run);
    let mut frames = frames.asking(options.other.as_ref(), run);
    let mut safe_up_to = None;
    let found = bmc::search(&mut frames, options.bmc, &mut safe_up_to, run);
    frames.report(run);
    match (found, safe_up_to) {
        (Ok(trace), _) => Verdict::Unsafe(trace),
        // With the bad signal or without, there is no run of this length.
        (Err(Stop::Incomplete(bmc::NO_LONGER_TRACE)), Some(length)) if length > 0 => {
            Verdict::Safe(WordProof::Ends { last: length - 1 })
        }
        (Err(stop), safe_up_to) => Verdict::Unknown { stop, safe_up_to },
    }
}

fn run_kind(problem: &WordProblem, options: &Options, run: &mut Run<'_>) -> WordVerdict {
    let frames = |start| {
        Words::new(problem, start, Cuts::None, options.interpolation, run).asking(options.other.as_ref(), run)
    };
    let both = [frames(Start::Initial), frames(Start::Anywhere)];
    let mut safe_up_to = None;
    match k_induction::search(both, options.bmc.query, |_, _, _| (), &mut safe_up_to, run) {
        Ok(Found::Trace(trace)) => Verdict::Unsafe(trace),
        Ok(Found::Proof(steps)) => {
            Verdict::Safe(WordProof::KInductive { k: steps.k, simple_path: steps.is_simple })
        }
        Err(stop) => Verdict::Unknown { stop, safe_up_to },
    }
}

fn run_itp(problem: &WordProblem, options: &Options, run: &mut Run<'_>) -> WordVerdict {
    let mut progress = Progress::default();
    let new = |run: &Run<'_>| Words::new(problem, Start::Anywhere, Cuts::First, options.interpolation, run);
    let found = itp::outer_loop(new, options.interpolation, &mut progress, run);
    progress.report(run);
    found.map_or_else(|stop| progress.unknown(stop), Verdict::from)
}

fn run_isb(problem: &WordProblem, options: &Options, run: &mut Run<'_>) -> WordVerdict {
    let mut progress = Progress::default();
    let mut frames = Words::new(problem, Start::Initial, Cuts::All, options.interpolation, run);
    let found = isb::search(&mut frames, &mut progress, run);
    progress.report(run);
    found.map_or_else(|stop| progress.unknown(stop), Verdict::from)
}
