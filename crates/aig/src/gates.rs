//! CNF with fewer variables: a gate that only one other gate reads gets no variable of its own.
//!
//! A conjunction takes in conjunctions among its operands, and negated ones (so disjunctions) as long as that does not
//! make more clauses: the criterion of bounded variable elimination (Eén, Biere, SAT 2005), decided by counting before
//! there are any clauses. Multiplexers and exclusive ors come out as the well-known four or five clauses. Both
//! directions are always defined, since an unrolling is asked about again from other sides.
//!
//! Graphs grow while they are being encoded, so a gate without a variable may be asked about later after all;
//! it is defined then, and nothing but a little sharing was lost.

use crate::Aig;
use indubit_logic::{Lit, Var};

/// The most operands that a conjunction has.
const MAX_OPERANDS: usize = 16;
/// The most literals that a disjunction among its operands has.
const MAX_DISJUNCTION: usize = 4;

/// Tells a solver about cones, each gate once, as [`Encoder`](crate::Encoder) does, in larger units.
///
/// Variables of the CNF are nodes of the graph. Every assignment to the leaves extends to all encoded gates.
#[derive(Clone, Debug, Default)]
pub struct GateEncoder {
    done: Vec<bool>,
    /// How many gates read each node.
    readers: Vec<Readers>,
    stack: Vec<Var>,
    operands: Vec<Lit>,
    /// The disjunctions among the operands, one after the other, and where each ends.
    disjunctions: Vec<Lit>,
    ends: Vec<usize>,
    clause: Vec<Lit>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Readers {
    #[default]
    None,
    One,
    Many,
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
                *readers = if *readers == Readers::None { Readers::One } else { Readers::Many };
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
            } else if let Some(fanins) = aig.fanins(var) {
                self.collect(aig, fanins);
                self.define(Lit::positive(var), &mut clause);
            }
        }
    }
    /// The fanins of a gate that needs no variable.
    fn private(&self, aig: &Aig, var: Var) -> Option<[Lit; 2]> {
        let private = self.readers[var.index()] == Readers::One && !self.done[var.index()];
        if private { aig.fanins(var) } else { None }
    }
    /// Replace conjunctions without variables in `lits`, from `start` on, by their operands, up to `max` literals.
    fn flatten(&self, aig: &Aig, lits: &mut Vec<Lit>, start: usize, max: usize) {
        let mut at = start;
        while let Some(&lit) = lits.get(at) {
            let room = !lit.is_negated() && lits.len() - start < max;
            match if room { self.private(aig, lit.var()) } else { None } {
                Some([a, b]) => {
                    lits[at] = a;
                    lits.push(b);
                }
                None => at += 1,
            }
        }
    }
    /// The operands of the conjunction of `fanins`: literals and disjunctions.
    fn collect(&mut self, aig: &Aig, fanins: [Lit; 2]) {
        let mut operands = std::mem::take(&mut self.operands);
        let mut disjunctions = std::mem::take(&mut self.disjunctions);
        operands.clear();
        disjunctions.clear();
        self.ends.clear();
        operands.extend(fanins);
        self.flatten(aig, &mut operands, 0, MAX_OPERANDS);
        operands.sort_unstable();
        operands.dedup();
        // The clauses that make the gate true: one for each choice of a literal from every disjunction.
        let mut choices = 1;
        operands.retain(|&lit| {
            let inner = if lit.is_negated() { self.private(aig, lit.var()) } else { None };
            let Some(fanins) = inner else { return true };
            let start = disjunctions.len();
            disjunctions.extend(fanins);
            self.flatten(aig, &mut disjunctions, start, MAX_DISJUNCTION);
            let width = disjunctions.len() - start;
            // With a variable: its definition, one clause with it, and the choices there are. Without: a clause
            // for the disjunction, and more choices.
            if choices * width > choices + width + 1 {
                disjunctions.truncate(start);
                return true;
            }
            choices *= width;
            disjunctions[start..].iter_mut().for_each(|l| *l = !*l);
            self.ends.push(disjunctions.len());
            false
        });
        (self.operands, self.disjunctions) = (operands, disjunctions);
    }
    /// The clauses of `gate` for what was collected.
    fn define(&mut self, gate: Lit, clause: &mut impl FnMut(&[Lit])) {
        let GateEncoder { stack, operands, disjunctions, ends, clause: lits, .. } = self;
        stack.extend(operands.iter().chain(disjunctions.iter()).map(|l| l.var()));
        for &operand in operands.iter() {
            clause(&[!gate, operand]);
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let ranges: Vec<_> = starts.zip(ends.iter().copied()).collect();
        let mut choices = 1;
        for &(start, end) in &ranges {
            lits.clear();
            lits.push(!gate);
            lits.extend(&disjunctions[start..end]);
            clause(lits);
            choices *= end - start;
        }
        for choice in 0..choices {
            lits.clear();
            lits.push(gate);
            lits.extend(operands.iter().map(|&l| !l));
            let mut rest = choice;
            for &(start, end) in &ranges {
                lits.push(!disjunctions[start + rest % (end - start)]);
                rest /= end - start;
            }
            let chosen = &lits[1 + operands.len()..];
            if !chosen.iter().any(|&l| lits.contains(&!l)) {
                clause(lits);
            }
        }
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
        let x = aig.iff(leaves[0], leaves[1]);
        let wide = aig.and_all(leaves[2..].iter().copied().chain([x]));
        let mut encoder = GateEncoder::new();
        // Four operands, two disjunctions, and for the other direction a clause for each of the two ways to differ.
        assert_eq!(clauses(&mut encoder, &aig, wide).len(), 8);
        // By itself, the equivalence has four clauses.
        assert_eq!(clauses(&mut encoder, &aig, !x).len(), 4);
        let mux = aig.ite(leaves[2], leaves[4], leaves[0]);
        assert_eq!(clauses(&mut encoder, &aig, mux).len(), 5);
        let inner = aig.fanins(wide.var()).expect("a gate")[1];
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
