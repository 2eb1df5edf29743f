//! Bounded model checking (A. Biere, A. Cimatti, E. Clarke, Y. Zhu, *Symbolic Model Checking without BDDs*, TACAS 1999).
//!
//! I. Zabrodin (*Craig Interpolation in Model Checking*, slides *BMC* and *Revisiting BMC*, 2025; docs/SOURCES.md) has two
//! formulas for "is there a counterexample?", and what a refutation leaves behind makes a third:
//!
//! ```text
//! φᵏ = I(V⁰) ∧ path⁰ᵏ ∧ ¬P(Vᵏ)                  of length k                   Query::Exact
//! ψᵏ = I(V⁰) ∧ path⁰ᵏ ∧ (¬P(V⁰) ∨ … ∨ ¬P(Vᵏ))    of some length up to k       Query::UpTo
//! φᵏ ∧ P(V⁰) ∧ … ∧ P(Vᵏ⁻¹)                      of length k and no shorter   Query::Facts
//! ```
//!
//! Where φ⁰ … φᵏ⁻¹ were refuted, the three are equally satisfiable: ψᵏ with the refuted lengths as facts is the third
//! by unit propagation, and the facts follow from I and T. What differs is what the solver knows at the beginning. (The
//! slides' ψᵏ starts at length 1, I ∧ ¬P having been looked at before; here length 0 is one like the others.)
//!
//! Lengths are asked about one by one, or several at once: with a step of n, "of length k" is "of a length from k to
//! k + n − 1". A frame counts only if the constraints hold up to it and in it, whatever comes after.

use crate::{BitFrames, Bounded, BoundedConfig, Engine};
use indubit_run::{Ask, Run, Stop};
use indubit_system::{Conclusion, Safety, Start};

/// How BMC goes about it.
#[derive(Clone, Copy, Debug)]
pub struct BmcConfig {
    /// The time frames and their solver.
    pub frames: BoundedConfig,
    /// How many lengths one question is about; 0 is as good as 1. With more than 1, a counterexample need not be a
    /// shortest one.
    pub step: u32,
    /// What one question is. In k-induction, one of the base case.
    pub query: Query,
}

/// The formula that is asked about a new length (see above).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// φᵏ and that no shorter counterexample exists.
    Facts,
    /// φᵏ.
    Exact,
    /// ψᵏ.
    UpTo,
}

impl Default for BmcConfig {
    fn default() -> BmcConfig {
        BmcConfig { frames: BoundedConfig::default(), step: 1, query: Query::Facts }
    }
}

/// Bounded model checking of one problem.
pub struct Bmc {
    safety: Safety,
    config: BmcConfig,
}

impl Bmc {
    /// Nothing has been asked yet.
    pub fn new(safety: Safety, config: BmcConfig) -> Bmc {
        Bmc { safety, config }
    }
}

impl Engine for Bmc {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        let mut frames = BitFrames::new(&self.safety, Start::Initial, self.config.frames, run);
        let mut safe_up_to = None;
        let found = search(&mut frames, self.config, &mut safe_up_to, run);
        frames.report(run);
        match found {
            Ok(trace) => Conclusion::Unsafe(trace),
            Err(stop) => Conclusion::Unknown { stop, safe_up_to },
        }
    }
}

/// Why there is no use in going on: so many steps are impossible. For bits, there is no certificate of that.
pub(crate) const NO_LONGER_TRACE: &str = "the constraints allow no longer trace, which bmc cannot prove";

/// Ask for counterexamples of length 0, 1, 2, … for ever, `step` lengths at a time; the first of them that the model is
/// about is the trace's.
pub(crate) fn search<B: Bounded>(
    frames: &mut B,
    config: BmcConfig,
    safe_up_to: &mut Option<u32>,
    run: &mut Run<'_>,
) -> Ask<B::Trace> {
    let mut lengths = Lengths::new(config.query);
    loop {
        let first = frames.extend_constrained();
        run.within_bound(first as u32)?;
        run.checkpoint()?;
        lengths.add(frames, frames.bad(first));
        if run.bounds().safe_up_to() >= Some(first as u32) {
            // Another engine knows.
            lengths.refuted(frames);
            *safe_up_to = Some(first as u32);
            continue;
        }
        let (mut last, mut valid) = (first, None);
        for _ in 1..config.step {
            if run.within_bound((last + 1) as u32).is_err() {
                break;
            }
            run.checkpoint()?;
            let target = extend_to_bad(frames, &mut valid);
            lengths.add(frames, target);
            last += 1;
        }
        if let Some(length) = lengths.solve(frames)? {
            return frames.trace(length);
        }
        *safe_up_to = Some(last as u32);
        if !lengths.in_core(frames) {
            // Not the bad signal but the constraints alone are refuted: so many steps are impossible.
            return Err(Stop::Incomplete(NO_LONGER_TRACE));
        }
        lengths.refuted(frames);
        if let Some(valid) = valid {
            frames.assert(&[(valid, true)]);
        }
        run.publish_bound(last as u32);
        run.spend(1);
    }
}

/// Add a time frame of which nothing is asserted. "It is bad, and the constraints hold up to it": `valid` says that they do in the frames
/// before it of which nothing was asserted either, and is about this one, too, afterwards.
pub(crate) fn extend_to_bad<B: Bounded>(frames: &mut B, valid: &mut Option<B::Formula>) -> B::Formula {
    let k = frames.extend();
    let constraint = frames.constraint(k);
    let here = valid.map_or(constraint, |valid| frames.and(valid, constraint));
    *valid = Some(here);
    frames.and(here, frames.bad(k))
}

/// The lengths of counterexamples that the next question is about.
pub(crate) struct Lengths<F> {
    query: Query,
    /// "Bad at this length", from length `first` on.
    targets: Vec<F>,
    first: usize,
    /// The disjunction of them.
    any: Option<F>,
}

impl<F: Copy> Lengths<F> {
    pub(crate) fn new(query: Query) -> Lengths<F> {
        Lengths { query, targets: Vec::new(), first: 0, any: None }
    }
    /// The question is about one more length, at the end of which `target` holds.
    pub(crate) fn add<B: Bounded<Formula = F>>(&mut self, frames: &mut B, target: F) {
        self.any = Some(self.any.map_or(target, |any| frames.or(any, target)));
        self.targets.push(target);
    }
    fn any(&self) -> F {
        self.any.expect("a question is about one length or more")
    }
    /// The length of a counterexample.
    pub(crate) fn solve<B: Bounded<Formula = F>>(&self, frames: &mut B) -> Ask<Option<usize>> {
        let found = frames.solve(&[self.any()])?;
        Ok(found
            .then(|| self.first + frames.first_true(&self.targets).expect("a model of their disjunction")))
    }
    /// Does the refutation speak of bad signals at all?
    fn in_core<B: Bounded<Formula = F>>(&self, frames: &B) -> bool {
        frames.in_core(self.any())
    }
    /// There is none. The next question is about lengths to come; ψᵏ is about these too.
    pub(crate) fn refuted<B: Bounded<Formula = F>>(&mut self, frames: &mut B) {
        if self.query == Query::Facts {
            frames.assert(&[(self.any(), false)]);
        }
        if self.query != Query::UpTo {
            self.first += self.targets.len();
            self.targets.clear();
            self.any = None;
        }
    }
}
