//! CNF with fewer variables: wide conjunctions, multiplexers and exclusive ors instead of binary gates.
//!
//! A gate that only one other gate reads, from within a larger conjunction or as half of a multiplexer, gets no
//! variable of its own. Graphs grow while they are being encoded, so such a gate may be asked about later after all;
//! then it is defined then, and nothing but a little sharing was lost. Both directions are always defined:
//! an unrolling is asked about again from other sides.

use crate::Aig;
use indubit_logic::{Lit, Var};

/// The widest conjunction that gets one variable.
const MAX_WIDTH: usize = 16;

/// Tells a solver about cones, each gate once, as [`Encoder`](crate::Encoder) does, in larger units.
///
/// Variables of the CNF are nodes of the graph. Every assignment to the leaves extends to all encoded gates.
#[derive(Clone, Debug, Default)]
pub struct GateEncoder {
    done: Vec<bool>,
    /// How many gates read each node: 0, 1, or more.
    readers: Vec<Readers>,
    stack: Vec<Var>,
    inputs: Vec<Lit>,
    clause: Vec<Lit>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Readers {
    #[default]
    None,
    One,
    Many,
}

impl Readers {
    fn more(self) -> Readers {
        if self == Readers::None { Readers::One } else { Readers::Many }
    }
}

impl GateEncoder {
    /// Nothing is encoded yet.
    pub fn new() -> GateEncoder {
        GateEncoder::default()
    }
    /// Does the node have a variable?
    pub fn contains(&self, var: Var) -> bool {
        self.done.get(var.index()).copied().unwrap_or(false)
    }
    /// The node will be read by gates to come: if one reads it already, it is worth a variable.
    pub fn expect(&mut self, aig: &Aig, lit: Lit) {
        self.count(aig);
        let readers = &mut self.readers[lit.var().index()];
        if *readers == Readers::One {
            *readers = Readers::Many;
        }
    }
    /// Count the readers of nodes that are new.
    fn count(&mut self, aig: &Aig) {
        let first = self.readers.len();
        self.readers.resize(aig.n_vars(), Readers::None);
        self.done.resize(aig.n_vars(), false);
        for gate in first..aig.n_vars() {
            for fanin in aig.fanins(Var::from_index(gate)).into_iter().flatten() {
                let readers = &mut self.readers[fanin.var().index()];
                *readers = readers.more();
            }
        }
    }
    /// Give `clause` the definitions of all nodes in the cone of `root` that need a variable and have none yet, and the
    /// unit clause for the constant when it is met for the first time.
    pub fn encode(&mut self, aig: &Aig, root: Lit, mut clause: impl FnMut(&[Lit])) {
        self.count(aig);
        self.stack.push(root.var());
        while let Some(var) = self.stack.pop() {
            if std::mem::replace(&mut self.done[var.index()], true) {
                continue;
            }
            if var == Var::CONST {
                clause(&[Lit::TRUE]);
            } else if let Some((condition, yes, no)) = self.multiplexer(aig, var) {
                define_ite(Lit::positive(var), condition, yes, no, &mut clause);
                self.stack.extend([condition.var(), yes.var(), no.var()]);
            } else if aig.fanins(var).is_some() {
                self.define_and(aig, var, &mut clause);
            }
        }
    }
    /// If the node is a multiplexer whose halves nobody else reads: its condition and what it is then and otherwise.
    fn multiplexer(&self, aig: &Aig, var: Var) -> Option<(Lit, Lit, Lit)> {
        let [a, b] = aig.fanins(var)?;
        let half = |lit: Lit| match self.is_private(lit.var()) && lit.is_negated() {
            true => aig.fanins(lit.var()),
            false => None,
        };
        let ([p, q], [r, s]) = (half(a)?, half(b)?);
        // !(c & x) & !(!c & y) is: if c then !x else !y.
        match () {
            _ if p == !r => Some((p, !q, !s)),
            _ if p == !s => Some((p, !q, !r)),
            _ if q == !r => Some((q, !p, !s)),
            _ if q == !s => Some((q, !p, !r)),
            _ => None,
        }
    }
    fn is_private(&self, var: Var) -> bool {
        self.readers[var.index()] == Readers::One && !self.done[var.index()]
    }
    fn define_and(&mut self, aig: &Aig, var: Var, clause: &mut impl FnMut(&[Lit])) {
        let mut inputs = std::mem::take(&mut self.inputs);
        inputs.clear();
        inputs.extend(aig.fanins(var).into_iter().flatten());
        let mut at = 0;
        while let Some(&lit) = inputs.get(at) {
            let inner = (!lit.is_negated() && inputs.len() < MAX_WIDTH && self.is_private(lit.var()))
                .then(|| aig.fanins(lit.var()))
                .flatten();
            match inner {
                Some([a, b]) if self.multiplexer(aig, lit.var()).is_none() => {
                    inputs[at] = a;
                    inputs.push(b);
                }
                _ => at += 1,
            }
        }
        inputs.sort_unstable();
        inputs.dedup();
        let gate = Lit::positive(var);
        self.clause.clear();
        self.clause.push(gate);
        for &input in &inputs {
            clause(&[!gate, input]);
            self.clause.push(!input);
            self.stack.push(input.var());
        }
        clause(&self.clause);
        self.inputs = inputs;
    }
}

/// `gate` is `if condition then yes else no`.
fn define_ite(gate: Lit, condition: Lit, yes: Lit, no: Lit, clause: &mut impl FnMut(&[Lit])) {
    clause(&[!condition, !yes, gate]);
    clause(&[!condition, yes, !gate]);
    clause(&[condition, !no, gate]);
    clause(&[condition, no, !gate]);
    if yes != !no {
        // Implied, but not found by unit propagation.
        clause(&[!yes, !no, gate]);
        clause(&[yes, no, !gate]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate;

    fn clauses(encoder: &mut GateEncoder, aig: &Aig, root: Lit) -> Vec<Vec<Lit>> {
        let mut clauses = Vec::new();
        encoder.encode(aig, root, |c| clauses.push(c.to_vec()));
        clauses
    }

    #[test]
    fn units_are_recognised() {
        let mut aig = Aig::new();
        let leaves: Vec<Lit> = (0..6).map(|_| aig.leaf()).collect();
        let x = aig.xor(leaves[0], leaves[1]);
        let wide = aig.and_all(leaves.iter().copied().chain([x]));
        let mut encoder = GateEncoder::new();
        // The exclusive or has four clauses, the conjunction of seven has eight.
        assert_eq!(clauses(&mut encoder, &aig, wide).len(), 12);
        assert!(clauses(&mut encoder, &aig, !x).is_empty());
        let inner = aig.fanins(wide.var()).expect("a gate")[0];
        assert!(!encoder.contains(inner.var()));
        assert_eq!(clauses(&mut encoder, &aig, Lit::TRUE), [[Lit::TRUE]]);
    }

    #[test]
    fn what_is_to_be_read_again_has_a_variable() {
        let mut aig = Aig::new();
        let (a, b, c) = (aig.leaf(), aig.leaf(), aig.leaf());
        let ab = aig.and(a, b);
        let abc = aig.and(ab, c);
        let mut encoder = GateEncoder::new();
        encoder.expect(&aig, ab);
        assert_eq!(clauses(&mut encoder, &aig, abc).len(), 6);
    }

    /// In random graphs, encoded root by root while they grow, the clauses allow exactly the circuit's assignments.
    #[test]
    fn the_clauses_mean_the_circuit() {
        let mut state = 1u64;
        let mut random = move |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        for _ in 0..300 {
            let mut aig = Aig::new();
            let mut lits: Vec<Lit> = (0..5).map(|_| aig.leaf()).collect();
            let mut encoder = GateEncoder::new();
            let mut all = Vec::new();
            for _ in 0..25 {
                let [a, b, c] = [(); 3].map(|()| lits[random(lits.len())] ^ (random(2) == 1));
                lits.push(match random(4) {
                    0 => aig.ite(a, b, c),
                    1 => aig.xor(a, b),
                    _ => aig.and(a, b),
                });
                if random(4) == 0 {
                    all.extend(clauses(&mut encoder, &aig, lits[random(lits.len())]));
                }
            }
            for assignment in 0..32u32 {
                let mut values = vec![false; aig.n_vars()];
                (0..5).for_each(|i| values[i + 1] = assignment >> i & 1 == 1);
                simulate::propagate_bools(&aig, &mut values);
                let holds = |values: &[bool], c: &Vec<Lit>| c.iter().any(|&l| simulate::value(values, l));
                assert!(all.iter().all(|c| holds(&values, c)));
                // And each variable is defined: it cannot have the other value.
                for var in (6..aig.n_vars()).filter(|&v| encoder.contains(Var::from_index(v))) {
                    values[var] = !values[var];
                    assert!(!all.iter().all(|c| holds(&values, c)), "variable {var} is not defined");
                    values[var] = !values[var];
                }
            }
        }
    }
}
