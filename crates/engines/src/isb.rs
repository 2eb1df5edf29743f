//! Model checking by interpolation sequences (Y. Vizel, O. Grumberg, *Interpolation-Sequence Based Model Checking*, FMCAD 2009), as retold by
//! I. Zabrodin, *Craig Interpolation in Model Checking*, slides, 2025 (docs/SOURCES.md). Others call it IMC.
//!
//! | Zabrodin, slides *ISB* | here |
//! |---|---|
//! | ⟨F₀ = I⟩ as an FRS | `frs` |
//! | φᵏ | frames `0..=k`, one part each, and the question whether the last one is bad |
//! | ⟨I₁ᵏ, …, Iₖᵏ⟩ | [`Interpolate::interpolants`] |
//! | Fᵢ = Fᵢ ∧ Iᵢᵏ for 1 ≤ i < k, Fₖ = Iₖᵏ | [`update`] |
//! | Lemma 2: Fᵢ → F₀ ∨ … ∨ Fᵢ₋₁ | [`fixpoint`] |

use crate::Engine;
use crate::bounded::{BitFrames, BoundedConfig, Cuts, Interpolate};
use crate::interpolation::{Found, InterpolationConfig, Progress};
use indubit_run::{Ask, Run};
use indubit_system::{Conclusion, Safety, Start};

/// Model checking of one problem by interpolation sequences.
pub(crate) struct Isb {
    safety: Safety,
    config: InterpolationConfig,
    frames: BoundedConfig,
}

impl Isb {
    /// Nothing has been asked yet.
    pub(crate) fn new(safety: Safety, config: InterpolationConfig, frames: BoundedConfig) -> Isb {
        Isb { safety, config, frames }
    }
}

impl Engine for Isb {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        let mut progress = Progress::default();
        let mut frames =
            BitFrames::interpolating(&self.safety, Start::Initial, Cuts::All, self.config, self.frames, run);
        let found = search(&mut frames, &mut progress, run);
        progress.report(run);
        found.map_or_else(|stop| progress.unknown(stop), Conclusion::from)
    }
}

/// The frames begin in the initial states, and are cut after each step.
pub(crate) fn search<B: Interpolate>(
    frames: &mut B,
    progress: &mut Progress,
    run: &mut Run<'_>,
) -> Ask<Found<B::Trace, B::Proof>> {
    let mut frs = vec![frames.initial()];
    for k in 0.. {
        run.within_bound(k)?;
        run.checkpoint()?;
        let last = frames.extend_constrained();
        // φᵏ
        let bad = frames.bad(last);
        if frames.solve(&[bad])? {
            return Ok(Found::Trace(frames.trace(last)?));
        }
        progress.refuted(k, run);
        let interpolants = frames.interpolants(run)?;
        progress.found(frames, &interpolants);
        update(frames, &mut frs, &interpolants);
        if let Some(i) = fixpoint(frames, &frs)? {
            let reachable = frs.drain(..i).reduce(|a, b| frames.union(a, b)).expect("the initial states");
            return Ok(Found::Proof(frames.proof(reachable)));
        }
        // Fₖ → P, so nothing is lost for the sequences to come.
        frames.assert(&[(bad, false)]);
    }
    unreachable!("there are not so many lengths")
}

/// Fᵢ = Fᵢ ∧ Iᵢᵏ, and the last interpolant is a new element.
fn update<B: Interpolate>(frames: &mut B, frs: &mut Vec<B::States>, interpolants: &[B::States]) {
    for (i, &interpolant) in (1..).zip(interpolants) {
        match frs.get_mut(i) {
            Some(states) => *states = frames.intersection(*states, interpolant),
            None => frs.push(interpolant),
        }
    }
}

/// The first i with Fᵢ → F₀ ∨ … ∨ Fᵢ₋₁, which is an inductive invariant then.
fn fixpoint<B: Interpolate>(frames: &mut B, frs: &[B::States]) -> Ask<Option<usize>> {
    for i in 1..frs.len() {
        if frames.is_covered(frs[i], &frs[..i])? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}
