//! Interpolation-based model checking (K. L. McMillan, *Interpolation and SAT-Based Model Checking*, CAV 2003), as retold by
//! I. Zabrodin, *Craig Interpolation in Model Checking*, slides, 2025 (docs/SOURCES.md).
//!
//! | Zabrodin, slides *ITP* | here |
//! |---|---|
//! | outer loop: a larger bound k | [`outer_loop`] |
//! | inner loop: a safe FRS ⟨I, I₁ᵏ, I₂ᵏ, …⟩ | [`inner_loop`], the FRS is `frs` |
//! | A = Iⱼ₋₁ᵏ(V⁰) ∧ T(V⁰, V¹) | the first part of the frames, with `start` |
//! | B = path¹ᵏ ∧ (¬P(V¹) ∨ … ∨ ¬P(Vᵏ)) | their second part, with [`bad_within`] |
//! | the interpolant Iⱼᵏ | [`Interpolate::interpolants`] at the only cut |
//! | Lemma 2: Iⱼᵏ → I ∨ I₁ᵏ ∨ … ∨ Iⱼ₋₁ᵏ | [`Interpolate::is_covered`] |
//!
//! A counterexample counts while the constraints hold, so each ¬P(Vⁱ) comes with those of V¹, …, Vⁱ, and those of V⁰ belong to A.

use crate::Engine;
use crate::bmc::extend_to_bad;
use crate::bounded::{BitFrames, Bounded, BoundedConfig, Cuts, Interpolate};
use crate::interpolation::{Found, InterpolationConfig, Progress};
use indubit_run::{Ask, Run};
use indubit_system::{Conclusion, Safety, Start};

/// Interpolation-based model checking of one problem.
pub(crate) struct Itp {
    safety: Safety,
    config: InterpolationConfig,
    frames: BoundedConfig,
}

impl Itp {
    /// Nothing has been asked yet.
    pub(crate) fn new(safety: Safety, config: InterpolationConfig, frames: BoundedConfig) -> Itp {
        Itp { safety, config, frames }
    }
}

impl Engine for Itp {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        let mut progress = Progress::default();
        let new = |run: &Run<'_>| {
            BitFrames::interpolating(
                &self.safety,
                Start::Anywhere,
                Cuts::First,
                self.config,
                self.frames,
                run,
            )
        };
        let found = outer_loop(new, self.config, &mut progress, run);
        progress.report(run);
        found.map_or_else(|stop| progress.unknown(stop), Conclusion::from)
    }
}

/// How the inner loop ends.
enum Inner<T, P> {
    Done(Found<T, P>),
    /// From the states that it has arrived at in so many steps, a bad state may be reached; they need not be reachable.
    TooCoarse(u32),
}

/// What `new` makes are time frames that begin anywhere and are cut after the first step.
pub(crate) fn outer_loop<B: Interpolate>(
    new: impl Fn(&Run<'_>) -> B,
    config: InterpolationConfig,
    progress: &mut Progress,
    run: &mut Run<'_>,
) -> Ask<Found<B::Trace, B::Proof>> {
    // An initial state that is bad: there are no steps to interpolate.
    let mut frames = new(run);
    frames.extend_constrained();
    let initial = frames.initial();
    let start = frames.within(0, initial);
    if frames.solve(&[start, frames.bad(0)])? {
        return Ok(Found::Trace(frames.trace(0)?));
    }
    progress.refuted(0, run);
    let mut k = 1;
    loop {
        run.within_bound(k)?;
        match inner_loop(&mut new(run), k, config, progress, run)? {
            Inner::Done(found) => return Ok(found),
            // Not beyond the user's bound, so that all that lies within it is decided.
            Inner::TooCoarse(steps) => {
                k = run.at_most_bound(k + if config.leap { steps } else { 1 }).max(k + 1)
            }
        }
    }
}

/// For a fixed bound: a longer and longer FRS, until it is too coarse or a fixpoint.
fn inner_loop<B: Interpolate>(
    frames: &mut B,
    k: u32,
    config: InterpolationConfig,
    progress: &mut Progress,
    run: &mut Run<'_>,
) -> Ask<Inner<B::Trace, B::Proof>> {
    frames.extend_constrained();
    let (bad, each) = bad_within(frames, k as usize);
    let mut frs = vec![frames.initial()];
    let mut from = frs[0];
    loop {
        run.checkpoint()?;
        let start = frames.within(0, from);
        if frames.solve(&[start, bad])? {
            if frs.len() > 1 {
                return Ok(Inner::TooCoarse(frs.len() as u32 - 1));
            }
            return shortest(frames, start, &each, progress, run)
                .map(|trace| Inner::Done(Found::Trace(trace)));
        }
        progress.refuted(k, run);
        let interpolant = frames.interpolants(run)?[0];
        progress.found(frames, &[interpolant]);
        if frames.is_covered(interpolant, &frs)? {
            let reachable = frs.into_iter().reduce(|a, b| frames.union(a, b)).expect("the initial states");
            return Ok(Inner::Done(Found::Proof(frames.proof(reachable))));
        }
        frs.push(interpolant);
        from = if config.from_all { frames.union(from, interpolant) } else { interpolant };
    }
}

/// There is a counterexample of one of the lengths `1..=k`: a shortest one. With leaps, several lengths may be new.
fn shortest<B: Bounded>(
    frames: &mut B,
    start: B::Formula,
    each: &[B::Formula],
    progress: &mut Progress,
    run: &mut Run<'_>,
) -> Ask<B::Trace> {
    let length = 1 + frames.first_true(each).expect("a model of their disjunction");
    let first_new = progress.safe_up_to.map_or(1, |k| k as usize + 1);
    if length == first_new {
        return frames.trace(length);
    }
    for k in first_new..=length {
        if frames.solve(&[start, each[k - 1]])? {
            return frames.trace(k);
        }
        progress.refuted(k as u32, run);
    }
    unreachable!("there is a counterexample of this length")
}

/// Add frames `1..=k`. "One of them is bad", and the same for each of them.
fn bad_within<B: Bounded>(frames: &mut B, k: usize) -> (B::Formula, Vec<B::Formula>) {
    // All of them need the constraints of the first one.
    let first = frames.extend_constrained();
    let mut each = vec![frames.bad(first)];
    let mut valid = None;
    each.extend((1..k).map(|_| extend_to_bad(frames, &mut valid)));
    let any = each[1..].iter().fold(each[0], |any, &bad| frames.or(any, bad));
    (any, each)
}
