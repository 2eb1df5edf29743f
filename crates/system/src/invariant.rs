//! Invariants: clauses over the nodes of a system and over a few additional gates.

use indubit_aig::Aig;
use indubit_logic::{Clause, Lit, Var};
use std::collections::{HashMap, HashSet};

/// A conjunction of clauses.
///
/// A literal is a node of the system it belongs to (a latch, an input, any gate), or, from `n_vars` on, one of
/// the additional AND gates that the invariant brings along. So the lemmas of IC3 stay readable clauses, and
/// anything else (a disjunction of cubes, an interpolant) fits too.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Invariant {
    n_vars: usize,
    gates: Vec<[Lit; 2]>,
    clauses: Vec<Clause>,
}

impl Invariant {
    /// *True*, for a system with `n_vars` nodes.
    pub fn new(n_vars: usize) -> Invariant {
        Invariant { n_vars, gates: Vec::new(), clauses: Vec::new() }
    }
    /// The number of nodes of the system.
    pub fn n_vars(&self) -> usize {
        self.n_vars
    }
    /// The additional gates; the first has variable `n_vars`.
    pub fn gates(&self) -> &[[Lit; 2]] {
        &self.gates
    }
    /// The clauses.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }
    /// Is it *true*?
    pub fn is_trivial(&self) -> bool {
        self.clauses.is_empty()
    }
    /// Conjoin a clause.
    pub fn add(&mut self, clause: Clause) {
        debug_assert!(clause.lits().iter().all(|l| l.var().index() < self.n_vars + self.gates.len()));
        self.clauses.push(clause);
    }
    /// An additional gate.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let var = Var::from_index(self.n_vars + self.gates.len());
        debug_assert!(a.var() < var && b.var() < var);
        self.gates.push([a, b]);
        Lit::positive(var)
    }
    /// The conjunction of literals as a chain of additional gates.
    pub fn and_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        lits.into_iter().reduce(|a, b| self.and(a, b)).unwrap_or(Lit::TRUE)
    }
    /// The invariant with only the clauses that `keep` accepts.
    pub fn filtered(&self, keep: impl Fn(&Clause) -> bool) -> Invariant {
        let clauses = self.clauses.iter().filter(|c| keep(c)).cloned().collect();
        Invariant { n_vars: self.n_vars, gates: self.gates.clone(), clauses }
    }
    /// The invariant with only the clauses at these positions.
    pub fn select(&self, positions: &[usize]) -> Invariant {
        let clauses = positions.iter().map(|&i| self.clauses[i].clone()).collect();
        Invariant { n_vars: self.n_vars, gates: self.gates.clone(), clauses }
    }
    /// The invariant with each clause, and each additional gate, only once.
    pub fn without_repetitions(&self) -> Invariant {
        let mut single = Invariant::new(self.n_vars);
        let mut made: HashMap<[Lit; 2], Lit> = HashMap::new();
        let and = |a: Lit, b: Lit| *made.entry([a.min(b), a.max(b)]).or_insert_with(|| single.and(a, b));
        let gates = self.copy_gates(&Lit::positive, &[], and);
        let mut said: HashSet<Vec<Lit>> = HashSet::new();
        for clause in &self.clauses {
            let lits = clause.lits().iter().map(|&l| self.resolve(&gates, &Lit::positive, l));
            let lits: Vec<Lit> = lits.collect();
            let mut sorted = lits.clone();
            sorted.sort_unstable();
            if said.insert(sorted) {
                single.add(Clause::new(lits));
            }
        }
        single
    }
    /// This invariant as one edge over additional gates of `target`, an invariant of another system, with
    /// each node replaced by what it is there. `target` itself claims nothing more by that.
    pub fn edge_in(&self, target: &mut Invariant, node: impl Fn(Var) -> Lit) -> Lit {
        let gates = self.copy_gates(&node, &[], |a, b| target.and(a, b));
        let mut clauses = Vec::with_capacity(self.clauses.len());
        for clause in &self.clauses {
            let negated: Vec<Lit> = clause.lits().iter().map(|&l| !self.resolve(&gates, &node, l)).collect();
            clauses.push(!target.and_all(negated));
        }
        target.and_all(clauses)
    }
    /// Conjoin this invariant to `target`, an invariant of another system, with each node replaced by what
    /// it is there. Clauses that become true are dropped, false literals removed.
    pub fn conjoin_to(&self, target: &mut Invariant, node: impl Fn(Var) -> Lit) {
        self.conjoin_with(target, node, &[]);
    }
    /// As [`conjoin_to`](Self::conjoin_to), and what has become of some literals.
    pub fn conjoin_with(&self, target: &mut Invariant, node: impl Fn(Var) -> Lit, lits: &[Lit]) -> Vec<Lit> {
        let gates = self.copy_gates(&node, lits, |a, b| match (a, b) {
            (Lit::TRUE, other) | (other, Lit::TRUE) => other,
            (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
            _ => target.and(a, b),
        });
        for clause in &self.clauses {
            let lits = clause.lits().iter().map(|&l| self.resolve(&gates, &node, l));
            let mut lits: Vec<Lit> = lits.filter(|&l| l != Lit::FALSE).collect();
            if !lits.contains(&Lit::TRUE) {
                lits.dedup();
                target.add(Clause::new(lits));
            }
        }
        lits.iter().map(|&l| self.resolve(&gates, &node, l)).collect()
    }
    /// Build the invariant in a circuit, one edge a clause; `node` says what the system's nodes are there.
    pub fn build(&self, aig: &mut Aig, node: impl FnMut(&mut Aig, Var) -> Lit) -> Vec<Lit> {
        self.build_with(aig, node, &[]).0
    }
    /// As [`build`](Self::build), and what some literals are there.
    pub fn build_with(
        &self,
        aig: &mut Aig,
        mut node: impl FnMut(&mut Aig, Var) -> Lit,
        lits: &[Lit],
    ) -> (Vec<Lit>, Vec<Lit>) {
        // What clauses and gates mention is looked up first: `node` may want to build it.
        let mut known: HashMap<Var, Lit> = HashMap::new();
        let of_system = lits.iter().map(|l| l.var()).filter(|v| v.index() < self.n_vars);
        for var in self.nodes().chain(of_system) {
            known.entry(var).or_insert_with(|| node(aig, var));
        }
        let node = |v: Var| known[&v];
        let gates = self.copy_gates(&node, lits, |a, b| aig.and(a, b));
        let lits = lits.iter().map(|&l| self.resolve(&gates, &node, l)).collect();
        let clause = |c: &Clause| c.lits().iter().map(|&l| self.resolve(&gates, &node, l)).collect();
        let clauses: Vec<Vec<Lit>> = self.clauses.iter().map(clause).collect();
        (clauses.into_iter().map(|c| aig.or_all(c)).collect(), lits)
    }
    /// The nodes of the system that clauses and additional gates mention, with repetitions.
    pub fn nodes(&self) -> impl Iterator<Item = Var> {
        let clauses = self.clauses.iter().flat_map(|c| c.lits());
        let lits = self.gates.iter().flatten().chain(clauses);
        lits.map(|l| l.var()).filter(|v| v.index() < self.n_vars)
    }
    /// Make the additional gates that some clause or one of `lits` depends on elsewhere with `and`; `node` says what the system's
    /// nodes are there.
    fn copy_gates(
        &self,
        node: &impl Fn(Var) -> Lit,
        lits: &[Lit],
        mut and: impl FnMut(Lit, Lit) -> Lit,
    ) -> Vec<Lit> {
        let needed = self.needed_gates(lits);
        let mut gates: Vec<Lit> = Vec::with_capacity(self.gates.len());
        for (&[a, b], needed) in self.gates.iter().zip(needed) {
            let gate = match needed {
                true => and(self.resolve(&gates, node, a), self.resolve(&gates, node, b)),
                false => Lit::FALSE,
            };
            gates.push(gate);
        }
        gates
    }
    fn needed_gates(&self, lits: &[Lit]) -> Vec<bool> {
        let gate = |l: &Lit| l.var().index().checked_sub(self.n_vars);
        let mut needed = vec![false; self.gates.len()];
        for i in self.clauses.iter().flat_map(|c| c.lits()).chain(lits).filter_map(gate) {
            needed[i] = true;
        }
        for i in (0..self.gates.len()).rev() {
            if needed[i] {
                self.gates[i].iter().filter_map(gate).for_each(|fanin| needed[fanin] = true);
            }
        }
        needed
    }
    /// What a literal of this invariant is, given its copied gates.
    fn resolve(&self, gates: &[Lit], node: &impl Fn(Var) -> Lit, lit: Lit) -> Lit {
        let positive = match lit.var().index().checked_sub(self.n_vars) {
            Some(i) => gates[i],
            None => node(lit.var()),
        };
        positive ^ lit.is_negated()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_go() {
        let [a, b] = [1, 2].map(|v| Lit::positive(Var::new(v)));
        let mut inv = Invariant::new(3);
        let (g, h) = (inv.and(a, b), inv.and(b, a));
        inv.add(Clause::new([g, !a]));
        inv.add(Clause::new([!a, h]));
        inv.add(Clause::new([b]));
        let single = inv.without_repetitions();
        assert_eq!(
            (single.gates(), single.clauses()),
            (&[[a, b]][..], &[Clause::new([g, !a]), Clause::new([b])][..])
        );
    }

    #[test]
    fn mapping_keeps_the_meaning() {
        let [a, b] = [1, 2].map(|v| Lit::positive(Var::new(v)));
        let mut inv = Invariant::new(3);
        let g = inv.and(a, !b);
        inv.add(Clause::new([!g, b]));
        inv.add(Clause::new([a, !b]));
        let mut target = Invariant::new(5);
        // a becomes node 4 negated, b becomes true.
        inv.conjoin_to(&mut target, |v| if v.index() == 1 { Var::new(4).lit(true) } else { Lit::TRUE });
        assert_eq!(target.clauses(), [Clause::new([Var::new(4).lit(true)])]);
        let mut aig = Aig::new();
        let (a, b) = (aig.leaf(), aig.leaf());
        let built = inv.build(&mut aig, |_, v| Lit::positive(v));
        let expected = aig.or(a, !b);
        assert_eq!(built[1], expected);
        assert_eq!(inv.select(&[1]).clauses(), &inv.clauses()[1..]);
        let without_gate = inv.filtered(|c| c.lits().contains(&a));
        let mut small = Invariant::new(3);
        without_gate.conjoin_to(&mut small, Lit::positive);
        assert!(small.gates().is_empty() && small.clauses().len() == 1);
        let edge = inv.edge_in(&mut target, |v| if v.index() == 1 { Lit::FALSE } else { Lit::TRUE });
        assert!(edge.var().index() >= 5 && target.clauses().len() == 1);
    }
}
