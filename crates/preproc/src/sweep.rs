//! SAT sweeping: gates that compute the same function of latches and inputs are merged (Kuehlmann, Paruthi, Krohm,
//! Ganai, IEEE TCAD 2002; Mishchenko, Chatterjee, Jiang, Brayton: FRAIGs, 2005).
//!
//! Random patterns propose candidates, and each is proved or refuted by SAT, from the leaves up, in a circuit in which
//! those proved before are merged already. A model that refutes one candidate is simulated and refutes others. What is
//! merged is equal in every state with every input: no invariant is needed on the way back.

use crate::classes::{Classes, Scope};
use crate::effort::Effort;
use crate::frame::{Frame, Known, Outcome};
use crate::patterns::{self, Walk};
use crate::prover::Prover;
use crate::rebuild::{Because, merged, rebuild, unchanged};
use fastrand::Rng;
use indubit_logic::{Lit, VarMap};
use indubit_run::{Ask, Run};
use indubit_system::{Lower, Raise, Safety};

/// Nodes that the pass may visit.
const EFFORT: u64 = 100_000_000;
/// Nodes and ticks for one question.
const LIMIT: usize = 10_000;
/// Random patterns, in words of 64.
const PATTERNS: usize = 256;

/// Merges gates that are equal whatever latches and inputs are.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// How many times the usual effort it may spend.
    pub effort: u32,
}

impl Lower for Sweep {
    type From = Safety;
    fn name(&self) -> &'static str {
        "fraig"
    }
    fn lower(&self, from: &Safety, run: &mut Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
        match self.equals(from, run)? {
            Some(equals) => Ok(rebuild(from, &equals, Because::Fact)),
            None => Ok(unchanged(from)),
        }
    }
}

impl Sweep {
    /// For each gate one that it equals, whatever latches and inputs are, if there is one before it; none if there are no such gates.
    fn equals(&self, from: &Safety, run: &mut Run<'_>) -> Ask<Option<VarMap<Option<Lit>>>> {
        let mut effort = Effort::new(EFFORT, self.effort);
        let times = effort.rounds(2 * from.aig.n_vars(), PATTERNS, 4);
        if times < patterns::MIN_PATTERNS {
            return Ok(None);
        }
        let signatures = patterns::anywhere(from, times, &mut effort, run)?;
        let mut classes = Classes::new(from, Scope::Gates, &signatures.hashes, signatures.negated);
        let mut frame = Frame::new(from, Prover::new(LIMIT, run));
        for var in from.inputs.iter().copied().chain(from.latches.iter().map(|l| l.var)) {
            frame.map[var] = frame.prover.leaf(var.index() as u64);
        }
        prove_frame(frame, &mut classes, &mut effort, run)?;
        Ok((classes.n_candidates() > 0).then(|| classes.representatives()))
    }
    /// The problem with gates merged, and what has become of each node that is still there: for whoever has a way back of their own. None if there is nothing to merge.
    pub fn merged(&self, from: &Safety, run: &mut Run<'_>) -> Ask<Option<(Safety, VarMap<Option<Lit>>)>> {
        Ok(self.equals(from, run)?.map(|equals| merged(from, &equals)))
    }
}

/// Prove candidates in a frame that nothing else is known about. On return, all that is left in `classes` is equal there.
pub(crate) fn prove_frame(
    mut frame: Frame<'_>,
    classes: &mut Classes,
    effort: &mut Effort,
    run: &Run<'_>,
) -> Ask<Outcome> {
    let mut walk = Walk::new(frame.from);
    let mut random = Rng::with_seed(run.seed);
    frame.prove(classes, &mut Known::nothing(), effort, run, |frame, classes, effort| {
        let salt = random.u64(..);
        walk.set(|leaf| frame.prover.spread(frame.map[leaf], salt));
        effort.nodes(frame.map.0.len());
        classes.refine(&walk.words, u64::MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{lowered, safety};

    /// Two ways to say that of three latches at least two are set.
    fn majorities(s: &mut Safety, [a, b, c]: [Lit; 3]) -> [Lit; 2] {
        let pairs = [s.aig.and(a, b), s.aig.and(b, c), s.aig.and(a, c)];
        let one = s.aig.or_all(pairs);
        let either = s.aig.or(b, c);
        let both = s.aig.and(b, c);
        [one, s.aig.ite(a, either, both)]
    }

    #[test]
    fn equal_functions_are_merged() {
        let equal = safety([None, None, None], 0, |s, latches, _| {
            let [one, other] = majorities(s, latches);
            let bad = s.aig.xor(one, other);
            (latches.map(|l| !l), bad, vec![])
        });
        assert_eq!(lowered(&Sweep { effort: 1 }, &equal).bad, Lit::FALSE);
    }

    #[test]
    fn what_is_equal_in_reachable_states_only_stays() {
        let stuck = safety([Some(false), Some(false), Some(false)], 0, |s, latches, _| {
            let bad = s.aig.and_all(latches);
            (latches, bad, vec![])
        });
        assert_eq!(lowered(&Sweep { effort: 1 }, &stuck).aig.n_ands(), 2);
    }

    #[test]
    fn constraints_stay_what_they_are() {
        // Under the constraint bad is false, but that is for an engine to find out.
        let constrained = safety([None, None, None], 0, |s, [a, b, c], _| {
            let [one, other] = majorities(s, [a, b, c]);
            let bad = s.aig.and(one, a);
            ([b, c, a], bad, vec![!other])
        });
        let small = lowered(&Sweep { effort: 1 }, &constrained);
        assert_ne!(small.bad, Lit::FALSE);
        assert_eq!(small.constraints.len(), 1);
    }
}
