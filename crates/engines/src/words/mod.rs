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

pub use frames::WordFrames;
pub use pred_oracle::PredOracle;

use crate::bounded::Cuts;
use crate::interpolation::{Found, Progress};
use crate::{Engine, Options, bmc, isb, itp, k_induction};
pub(crate) use ic3ia::Ic3ia;
use indubit_run::{Run, Stop};
use indubit_system::{Conclusion, Start, WordProblem, WordProof, Words};

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

/// An engine for bits, over time frames of words.
pub(crate) struct Unrolling {
    problem: WordProblem,
    options: Options,
    run: fn(&WordProblem, &Options, &mut Run<'_>) -> Conclusion<Words>,
}

impl Unrolling {
    pub(crate) fn bmc(problem: WordProblem, options: &Options) -> Unrolling {
        Unrolling { problem, options: options.clone(), run: run_bmc }
    }
    pub(crate) fn k_induction(problem: WordProblem, options: &Options) -> Unrolling {
        Unrolling { problem, options: options.clone(), run: run_kind }
    }
    pub(crate) fn itp(problem: WordProblem, options: &Options) -> Unrolling {
        Unrolling { problem, options: options.clone(), run: run_itp }
    }
    pub(crate) fn isb(problem: WordProblem, options: &Options) -> Unrolling {
        Unrolling { problem, options: options.clone(), run: run_isb }
    }
}

impl Engine<Words> for Unrolling {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion<Words> {
        (self.run)(&self.problem, &self.options, run)
    }
}

fn run_bmc(problem: &WordProblem, options: &Options, run: &mut Run<'_>) -> Conclusion<Words> {
    let frames = WordFrames::new(problem, Start::Initial, Cuts::None, options.interpolation, run);
    let mut frames = frames.asking(options.other.as_ref(), run);
    let mut safe_up_to = None;
    let found = bmc::search(&mut frames, options.bmc, &mut safe_up_to, run);
    frames.report(run);
    match (found, safe_up_to) {
        (Ok(trace), _) => Conclusion::Unsafe(trace),
        // With the bad signal or without, there is no run of this length.
        (Err(Stop::Incomplete(bmc::NO_LONGER_TRACE)), Some(length)) if length > 0 => {
            Conclusion::Safe(WordProof::Ends { last: length - 1 })
        }
        (Err(stop), safe_up_to) => Conclusion::Unknown { stop, safe_up_to },
    }
}

fn run_kind(problem: &WordProblem, options: &Options, run: &mut Run<'_>) -> Conclusion<Words> {
    let frames = |start| {
        WordFrames::new(problem, start, Cuts::None, options.interpolation, run)
            .asking(options.other.as_ref(), run)
    };
    let both = [frames(Start::Initial), frames(Start::Anywhere)];
    let mut safe_up_to = None;
    match k_induction::search(both, options.bmc.query, |_, _, _| (), &mut safe_up_to, run) {
        Ok(Found::Trace(trace)) => Conclusion::Unsafe(trace),
        Ok(Found::Proof(steps)) => {
            Conclusion::Safe(WordProof::KInductive { k: steps.k, simple_path: steps.is_simple })
        }
        Err(stop) => Conclusion::Unknown { stop, safe_up_to },
    }
}

fn run_itp(problem: &WordProblem, options: &Options, run: &mut Run<'_>) -> Conclusion<Words> {
    let mut progress = Progress::default();
    let new =
        |run: &Run<'_>| WordFrames::new(problem, Start::Anywhere, Cuts::First, options.interpolation, run);
    let found = itp::outer_loop(new, options.interpolation, &mut progress, run);
    progress.report(run);
    found.map_or_else(|stop| progress.unknown(stop), Conclusion::from)
}

fn run_isb(problem: &WordProblem, options: &Options, run: &mut Run<'_>) -> Conclusion<Words> {
    let mut progress = Progress::default();
    let mut frames = WordFrames::new(problem, Start::Initial, Cuts::All, options.interpolation, run);
    let found = isb::search(&mut frames, &mut progress, run);
    progress.report(run);
    found.map_or_else(|stop| progress.unknown(stop), Conclusion::from)
}
