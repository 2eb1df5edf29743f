//! Structural rewriting: gates are made anew with the rules of [`Aig::and_two_level`](indubit_aig::Aig::and_two_level).
//!
//! A gate that was not there before equals the one that it was made for, which it becomes on the way back.

use crate::rebuild::rewrite;
use indubit_aig::Aig;
use indubit_run::{Ask, Run};
use indubit_system::{Lower, Raise, Safety};

/// Simplifies gates by what their operands are made of. The circuit never grows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rewrite;

impl Lower for Rewrite {
    type From = Safety;
    fn name(&self) -> &'static str {
        "rewrite"
    }
    fn lower(&self, from: &Safety, _: &mut Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
        Ok(rewrite(from, Aig::and_two_level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::safety;
    use indubit_logic::Clause;
    use indubit_run::Cancel;
    use indubit_system::{Invariant, Proof};

    #[test]
    fn a_gate_that_was_not_there_is_raised_to_the_one_it_was_made_for() {
        // a ∧ ¬(a ∧ b) is a ∧ ¬b, which is no node of the problem before.
        let before = safety([None, None], 0, |s, [a, b], _| {
            let both = s.aig.and(a, b);
            let bad = s.aig.and(a, !both);
            ([b, a], bad, vec![])
        });
        let mut run = Run::new(Cancel::new());
        let (after, raise) = Rewrite.lower(&before, &mut run).unwrap();
        assert_eq!(after.aig.n_ands(), 1);
        let gate = Clause::new([!after.bad]);
        assert_eq!(raise.clause_up(&gate), Some(Clause::new([!before.bad])));
        let mut invariant = Invariant::new(after.aig.n_vars());
        invariant.add(gate);
        let Proof::Inductive(raised) = raise.proof(Proof::Inductive(invariant)) else {
            panic!("the shape of a proof stays");
        };
        assert_eq!(raised.clauses().len(), 1);
    }
}
