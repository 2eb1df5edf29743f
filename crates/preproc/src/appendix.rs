//! A latch and gates that a pass has added behind the nodes of a circuit, and how claims about them are raised.

use indubit_aig::Aig;
use indubit_logic::{Lit, Var};
use indubit_system::Invariant;

/// What was added: a leaf, and then gates only.
pub(crate) struct Appendix {
    leaf: Var,
    gates: Vec<[Lit; 2]>,
}

impl Appendix {
    /// Everything from `leaf` on.
    pub(crate) fn new(aig: &Aig, leaf: Var) -> Appendix {
        let added = (leaf.index() + 1..aig.n_vars()).map(Var::from_index);
        let gates = added.map(|v| aig.fanins(v).expect("only gates were added after the leaf")).collect();
        Appendix { leaf, gates }
    }
    /// The number of nodes before.
    pub(crate) fn n_vars(&self) -> usize {
        self.leaf.index()
    }
    pub(crate) fn leaf(&self) -> Var {
        self.leaf
    }
    /// What each node is where the leaf is this literal of `target`: the gates become additional gates of `target`, an invariant of the
    /// circuit as it was.
    pub(crate) fn with_leaf(&self, value: Lit, target: &mut Invariant) -> impl Fn(Var) -> Lit + use<> {
        let mut gates: Vec<Lit> = Vec::with_capacity(self.gates.len());
        let leaf = self.leaf.index();
        let node = move |gates: &[Lit], v: Var| match v.index().checked_sub(leaf) {
            None => Lit::positive(v),
            Some(0) => value,
            Some(i) => gates[i - 1],
        };
        for &fanins in &self.gates {
            let [a, b] = fanins.map(|lit| node(&gates, lit.var()) ^ lit.is_negated());
            gates.push(match (a, b) {
                (Lit::TRUE, other) | (other, Lit::TRUE) => other,
                (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
                _ => target.and(a, b),
            });
        }
        move |v| node(&gates, v)
    }
}
