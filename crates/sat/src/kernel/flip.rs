//! Unassigning leaves in a model, so that a state becomes a cube without a query (docs/SOLVER.md).
//!
//! A leaf can be unassigned if every assigned gate that it feeds is false because of its other fanin. Only gates inside the
//! domain count: others are in no cone of the query. Lemmas and the temporary clause do not count either: they
//! said where to look for a model, not what a step is.
//!
//! *Why that is sound.* All assigned gates of the domain are justified in the model (see `justify`), and they still are
//! without the leaf. So any values of the unassigned leaves give these gates the values that they have. What is true at
//! level 0 stays assigned: it may be given, or justify what is. The caller keeps leaves that are assumed themselves.

use super::Kernel;
use super::policy::{Domain, ProofSink};
use super::theory::Theory;
use indubit_logic::Lit;

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    /// After a model was found: take out of `lits`, which are true leaves, those that can be unassigned, one after the
    /// other, and unassign them.
    pub(crate) fn unassign(&mut self, lits: &mut Vec<Lit>) {
        self.require(lits);
        lits.retain(|&lit| {
            let can_go = self.trail.value(lit) > 0 && self.trail.level_of(lit.var()) > 0;
            let stays = !can_go || self.is_needed(lit);
            if !stays {
                self.trail.clear_value(lit);
            }
            stays
        });
    }

    /// Does the true leaf justify a gate that nothing else justifies?
    fn is_needed(&self, lit: Lit) -> bool {
        let trail = &self.trail;
        self.circuit.fanouts(lit.var()).any(|(gate, other)| {
            let justified = trail.value(other) < 0 && other.var() != lit.var();
            trail.domain.contains(gate) && trail.has(gate) && !justified
        })
    }
}
