//! Clauses of invariants as simple as their own literals make them.
//!
//! Preprocessing says what nodes were equal to by gates, and lemmas mention these gates beside what they are made of: `!a | (!b & a)` is `!a | !b`. In a clause each
//! literal matters only where all others are false.

use crate::Invariant;
use indubit_aig::Aig;
use indubit_logic::{Clause, Lit, Var};
use std::collections::{BTreeSet, HashMap};

/// Clauses of more literals, and literals that depend on more gates, are left as they are.
const MOST: usize = 200;

impl Invariant {
    /// The same invariant of a system, whose first nodes are those of `aig`: additional gates that are disjunctions become literals of their clause, in all gates what the
    /// clause says already is replaced by a constant, and clauses that are always true go.
    pub fn simplified(&self, aig: &Aig) -> Invariant {
        let mut simple = Simple { aig, invariant: self.filtered(|_| false) };
        for clause in self.clauses() {
            if let Some(lits) = simple.clause(clause.lits()) {
                simple.invariant.add(Clause::new(lits));
            }
        }
        simple.invariant
    }
}

struct Simple<'a> {
    aig: &'a Aig,
    /// The clauses that are simple, and all gates.
    invariant: Invariant,
}

impl Simple<'_> {
    /// A clause made simple, unless it is always true.
    fn clause(&mut self, lits: &[Lit]) -> Option<Vec<Lit>> {
        if lits.len() > MOST {
            return Some(lits.to_vec());
        }
        let mut clause = self.flat(lits.iter().copied())?;
        let mut at = 0;
        while let Some(&lit) = clause.get(at) {
            at += 1;
            let others = clause.iter().filter(|&&other| other != lit);
            let false_there = others.map(|other| (other.var(), Lit::FALSE ^ other.is_negated())).collect();
            let simple = self.lit(lit, false_there);
            if simple != lit {
                let others = clause.iter().copied().filter(|&other| other != lit);
                clause = self.flat(others.chain([simple]))?;
                at = 0;
            }
        }
        Some(clause)
    }

    /// The literals of a clause, where negated gates are what they are a disjunction of; nothing if it is always true.
    fn flat(&self, lits: impl Iterator<Item = Lit>) -> Option<Vec<Lit>> {
        let given: Vec<Lit> = lits.filter(|&lit| lit != Lit::FALSE).collect();
        let (mut open, mut flat): (Vec<Lit>, Vec<Lit>) = (given.iter().rev().copied().collect(), Vec::new());
        while let Some(lit) = open.pop() {
            match self.own_fanins(lit.var()) {
                Some([a, b]) if lit.is_negated() && flat.len() + open.len() < MOST => open.extend([!b, !a]),
                _ if lit == Lit::TRUE || flat.contains(&!lit) => return None,
                _ if lit == Lit::FALSE || flat.contains(&lit) => {}
                _ => flat.push(lit),
            }
        }
        Some(if flat.len() < MOST { flat } else { given })
    }

    /// What a literal is where nodes have the given values.
    fn lit(&mut self, lit: Lit, mut known: HashMap<Var, Lit>) -> Lit {
        let (mut cone, mut open) = (BTreeSet::new(), vec![lit.var()]);
        while let Some(var) = open.pop() {
            let is_open = !known.contains_key(&var) && cone.len() < MOST;
            let fanins = self.fanins(var).filter(|_| is_open && cone.insert(var));
            open.extend(fanins.into_iter().flatten().map(Lit::var));
        }
        if cone.len() == MOST {
            return lit;
        }
        // In the order in which they were made.
        for var in cone {
            let Some(fanins) = self.fanins(var) else { continue };
            let now = fanins.map(|l| known.get(&l.var()).map_or(l, |&value| value ^ l.is_negated()));
            let gate = match now {
                [Lit::FALSE, _] | [_, Lit::FALSE] => Lit::FALSE,
                [Lit::TRUE, other] | [other, Lit::TRUE] => other,
                [a, b] if a == b => a,
                [a, b] if a == !b => Lit::FALSE,
                _ if now == fanins => Lit::positive(var),
                [a, b] => self.invariant.and(a, b),
            };
            known.insert(var, gate);
        }
        known.get(&lit.var()).map_or(lit, |&value| value ^ lit.is_negated())
    }

    fn fanins(&self, var: Var) -> Option<[Lit; 2]> {
        let of_system = var.index() < self.aig.n_vars();
        if of_system { self.aig.fanins(var) } else { self.own_fanins(var) }
    }
    /// The operands of an additional gate.
    fn own_fanins(&self, var: Var) -> Option<[Lit; 2]> {
        let position = var.index().checked_sub(self.invariant.n_vars())?;
        self.invariant.gates().get(position).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes() -> ([Lit; 3], Invariant) {
        ([1, 2, 3].map(|v| Lit::positive(Var::new(v))), Invariant::new(4))
    }
    fn clauses(invariant: &Invariant) -> Vec<Vec<Lit>> {
        invariant.simplified(&Aig::new()).clauses().iter().map(|c| c.lits().to_vec()).collect()
    }

    #[test]
    fn gates_say_what_the_clause_does_not() {
        let ([a, b, c], mut inv) = nodes();
        let both = inv.and(!b, a);
        let either = !inv.and(!b, !c);
        let more = inv.and(either, a);
        inv.add(Clause::new([!a, both]));
        inv.add(Clause::new([!a, more]));
        assert_eq!(clauses(&inv), [vec![!a, !b], vec![!a, b, c]]);
    }

    #[test]
    fn what_is_always_true_goes() {
        let ([a, b, c], mut inv) = nodes();
        let [left, right] = [b, !b].map(|b| !inv.and(!b, a));
        // (a -> b) & (a -> !b) where a is false.
        let both = inv.and(left, right);
        inv.add(Clause::new([a, both, c]));
        inv.add(Clause::new([left, a]));
        assert_eq!(clauses(&inv), Vec::<Vec<Lit>>::new());
    }

    #[test]
    fn what_the_clause_contains_is_false_in_gates() {
        let ([a, b, c], mut inv) = nodes();
        let both = inv.and(a, b);
        inv.add(Clause::new([a, both]));
        inv.add(Clause::new([both, c]));
        assert_eq!(clauses(&inv), [vec![a], vec![both, c]]);
    }

    #[test]
    fn gates_of_the_system_are_seen_through_where_that_makes_them_simpler() {
        let mut aig = Aig::new();
        let [a, b, c] = [(); 3].map(|()| aig.leaf());
        let (left, right) = (aig.and(!b, a), aig.and(b, c));
        let mut inv = Invariant::new(aig.n_vars());
        inv.add(Clause::new([!a, left]));
        inv.add(Clause::new([!a, !right]));
        let clauses: Vec<_> = inv.simplified(&aig).clauses().iter().map(|c| c.lits().to_vec()).collect();
        assert_eq!(clauses, [vec![!a, !b], vec![!a, !right]]);
    }

    /// On all values of three nodes, random invariants say what they said.
    #[test]
    fn they_say_the_same() {
        for seed in 0..500 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let (nodes, mut inv) = nodes();
            let mut lits = nodes.to_vec();
            for _ in 0..rng.usize(1..8) {
                let [a, b] = [(); 2].map(|()| lits[rng.usize(..lits.len())] ^ rng.bool());
                lits.push(inv.and(a, b));
            }
            for _ in 0..rng.usize(1..5) {
                let lits = (0..rng.usize(1..4)).map(|_| lits[rng.usize(..lits.len())] ^ rng.bool());
                inv.add(Clause::new(lits));
            }
            let simple = inv.simplified(&Aig::new());
            for values in 0..8 {
                let node = |v: Var| Lit::FALSE ^ (values >> (v.index() - 1) & 1 == 1);
                let [before, after] = [&inv, &simple].map(|inv| {
                    let mut constant = Invariant::new(1);
                    inv.conjoin_to(&mut constant, |v| if v == Var::CONST { Lit::FALSE } else { node(v) });
                    constant.clauses().iter().all(|c| c.lits().contains(&Lit::TRUE))
                });
                assert_eq!(before, after, "seed {seed}, values {values}: {inv:?} {simple:?}");
            }
        }
    }
}
