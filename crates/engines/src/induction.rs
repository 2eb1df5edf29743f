//! Is the property inductive as it stands? (Z. Manna, A. Pnueli, *Temporal Verification of Reactive Systems: Safety*, 1995.)
//!
//! Two queries decide: *initiation* `I ⇒ P` and *consecution* `P ∧ T ⇒ P'`. If consecution fails, its counterexample `err` (a
//! CTI) is a state of `P` with a successor outside of it, and says nothing about what can be reached. One case is
//! clear all the same (L. Geatti, *Incremental Inductive Verification*, slides, naïve algorithm, item 3.1;
//! docs/SOURCES.md): if such a state is initial, `P` is violated in the next step. So that is the third query,
//! `I ∧ T ⇒ P'`, and any CTI that is shown to somebody afterwards does not begin in an initial state.
//!
//! Constraints hold in both states of a step, as everywhere: a trace counts while they do.

use crate::{BitFrames, Bounded, BoundedConfig, Engine};
use indubit_logic::Clause;
use indubit_run::{Ask, Run, Stop};
use indubit_system::{Conclusion, Invariant, Proof, Safety, Start};

/// Why the inductive check of a property ends without a verdict.
pub const NOT_INDUCTIVE: &str = "the property is not inductive";

pub(crate) struct Induction {
    safety: Safety,
    config: BoundedConfig,
}

impl Induction {
    pub(crate) fn new(safety: Safety, config: BoundedConfig) -> Induction {
        Induction { safety, config }
    }

    fn verify(&self, safe_up_to: &mut Option<u32>, run: &mut Run<'_>) -> Ask<Conclusion> {
        let mut base = BitFrames::new(&self.safety, Start::Initial, self.config, run);
        if let Some(length) = counterexample(&mut base)? {
            return Ok(Conclusion::Unsafe(base.trace(length)?));
        }
        *safe_up_to = Some(0);
        run.publish_bound(0);
        run.spend(1);
        let mut step = BitFrames::new(&self.safety, Start::Anywhere, self.config, run);
        if is_consecutive(&mut step)? {
            return Ok(Conclusion::Safe(Proof::Inductive(self.property())));
        }
        run.within_bound(1)?;
        run.checkpoint()?;
        if let Some(length) = counterexample(&mut base)? {
            return Ok(Conclusion::Unsafe(base.trace(length)?));
        }
        *safe_up_to = Some(1);
        run.publish_bound(1);
        run.spend(1);
        Err(Stop::Incomplete(NOT_INDUCTIVE))
    }

    /// `P`. It mentions inputs if the bad signal does.
    fn property(&self) -> Invariant {
        let mut property = Invariant::new(self.safety.aig.n_vars());
        property.add(Clause::new([!self.safety.bad]));
        property
    }
}

/// Is there a counterexample one step longer than the last one asked for? If not, that is known from now on.
fn counterexample<B: Bounded>(frames: &mut B) -> Ask<Option<usize>> {
    let length = frames.extend_constrained();
    let bad = frames.bad(length);
    if frames.solve(&[bad])? {
        return Ok(Some(length));
    }
    frames.assert(&[(bad, false)]);
    Ok(None)
}

/// `P ∧ T ⇒ P'`, in frames that start anywhere.
fn is_consecutive<B: Bounded>(frames: &mut B) -> Ask<bool> {
    let now = frames.extend_constrained();
    frames.assert(&[(frames.bad(now), false)]);
    let next = frames.extend_constrained();
    Ok(!frames.solve(&[frames.bad(next)])?)
}

impl Engine for Induction {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        let mut safe_up_to = None;
        self.verify(&mut safe_up_to, run).unwrap_or_else(|stop| Conclusion::Unknown { stop, safe_up_to })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_logic::Lit;
    use indubit_run::Cancel;
    use indubit_system::StateVar;

    /// Two bits; `next` says what they become, bad is the second one.
    fn two_bits(init: [bool; 2], next: fn([Lit; 2]) -> [Lit; 2]) -> Safety {
        let mut safety = Safety::default();
        let bits = [(); 2].map(|()| safety.aig.leaf());
        for ((bit, next), init) in bits.iter().zip(next(bits)).zip(init) {
            safety.latches.push(StateVar { var: bit.var(), next, init: Some(init) });
        }
        safety.bad = bits[1];
        safety
    }

    fn verdict(safety: Safety, bound: Option<u32>) -> Conclusion {
        let mut run = Run::new(Cancel::new()).with_bound(bound);
        Induction::new(safety, BoundedConfig::default()).run(&mut run)
    }

    #[test]
    fn each_query_has_its_answer() {
        let still = |[a, b]: [Lit; 2]| [a, b];
        let shift = |[a, _]: [Lit; 2]| [a, a];
        // Initiation fails; consecution holds; it fails at an initial state; it fails elsewhere.
        let bad_at_once = verdict(two_bits([false, true], still), None);
        assert!(matches!(bad_at_once, Conclusion::Unsafe(trace) if trace.is_empty()));
        let inductive = verdict(two_bits([false, false], still), None);
        assert!(matches!(inductive, Conclusion::Safe(Proof::Inductive(p)) if p.clauses().len() == 1));
        let bad_in_a_step = verdict(two_bits([true, false], shift), None);
        assert!(matches!(bad_in_a_step, Conclusion::Unsafe(trace) if trace.len() == 1));
        let unknown = |stop, k| Conclusion::Unknown { stop, safe_up_to: Some(k) };
        let not_inductive = verdict(two_bits([false, false], shift), None);
        assert_eq!(not_inductive, unknown(Stop::Incomplete(NOT_INDUCTIVE), 1));
        assert_eq!(verdict(two_bits([true, false], shift), Some(0)), unknown(Stop::Bound, 0));
    }
}
