//! Definitional CNF of a graph, cone by cone and on demand.

use crate::Aig;
use indubit_logic::{Lit, Var};

/// Remembers which gates a solver has been told about, so that each is defined once.
///
/// Variables of the CNF are the nodes of the graph. A gate's clauses define it from smaller variables
/// (both directions), so every assignment to the leaves extends to all encoded gates.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    done: Vec<bool>,
    stack: Vec<Var>,
}

impl Encoder {
    /// Nothing is encoded yet.
    pub fn new() -> Encoder {
        Encoder::default()
    }
    /// Has the node been encoded (leaves count when a cone that contains them has been)?
    pub fn contains(&self, var: Var) -> bool {
        self.done.get(var.index()).copied().unwrap_or(false)
    }
    /// Visit each gate in the cone of `root` that has not been visited yet, and the constant when it is met for the
    /// first time.
    pub fn visit(&mut self, aig: &Aig, root: Lit, mut visit: impl FnMut(Definition)) {
        if self.done.len() < aig.n_vars() {
            self.done.resize(aig.n_vars(), false);
        }
        self.stack.push(root.var());
        while let Some(var) = self.stack.pop() {
            if std::mem::replace(&mut self.done[var.index()], true) {
                continue;
            }
            if let Some([a, b]) = aig.fanins(var) {
                visit(Definition::And(Lit::positive(var), a, b));
                self.stack.extend([a.var(), b.var()]);
            } else if var == Var::CONST {
                visit(Definition::Constant);
            }
        }
    }
    /// Give `clause` the definitions of all gates in the cone of `root` that it has not seen yet, and the
    /// unit clause for the constant when it is met for the first time.
    pub fn encode(&mut self, aig: &Aig, root: Lit, mut clause: impl FnMut(&[Lit])) {
        self.visit(aig, root, |definition| match definition {
            Definition::Constant => clause(&[Lit::TRUE]),
            Definition::And(gate, a, b) => {
                clause(&[!gate, a]);
                clause(&[!gate, b]);
                clause(&[gate, !a, !b]);
            }
        });
    }
}

/// What is to be known about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// Variable 0 is false.
    Constant,
    /// The first literal is the conjunction of the other two.
    And(Lit, Lit, Lit),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_gate_is_encoded_once() {
        let mut aig = Aig::new();
        let (a, b) = (aig.leaf(), aig.leaf());
        let x = aig.xor(a, b);
        let mut encoder = Encoder::new();
        let mut clauses = Vec::new();
        encoder.encode(&aig, x, |c| clauses.push(c.to_vec()));
        assert_eq!(clauses.len(), 9);
        encoder.encode(&aig, !x, |_| panic!("encoded twice"));
        assert!(encoder.contains(a.var()) && !encoder.contains(Var::CONST));
        encoder.encode(&aig, Lit::TRUE, |c| assert_eq!(c, [Lit::TRUE]));
        let y = aig.and(a, !b);
        let z = aig.and(y, x);
        let mut more = 0;
        encoder.encode(&aig, z, |_| more += 1);
        assert!(more <= 6);
    }
}
