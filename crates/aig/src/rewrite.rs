//! Conjunctions that look at the fanins of their operands (Brummayer, Biere: Local Two-Level And-Inverter Graph Minimization
//! without Blowup, MEMICS 2006).
//!
//! Every rule makes at most one gate, so a graph that is rebuilt with them does not grow. Rules that only choose among
//! equal numbers of gates are applied when the gate they make is there already.

use crate::Aig;
use indubit_logic::Lit;

impl Aig {
    /// The conjunction, simplified by what the operands are conjunctions of; at most one new gate.
    pub fn and_rewritten(&mut self, a: Lit, b: Lit) -> Lit {
        let (mut a, mut b) = (a, b);
        loop {
            match self.two_levels(a, b) {
                Step::Done(lit) => return lit,
                Step::Again(x, y) => (a, b) = (x, y),
                Step::Gate => return self.and(a, b),
            }
        }
    }
    /// The conjuncts of an edge that is a conjunction.
    fn conjuncts(&self, lit: Lit) -> Option<[Lit; 2]> {
        self.fanins(lit.var()).filter(|_| !lit.is_negated())
    }
    /// The conjuncts of what an edge is the negation of.
    fn negated_conjuncts(&self, lit: Lit) -> Option<[Lit; 2]> {
        self.conjuncts(!lit)
    }
    fn two_levels(&self, a: Lit, b: Lit) -> Step {
        if a.is_const() || b.is_const() || a.var() == b.var() {
            return Step::Gate;
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some(conjuncts) = self.conjuncts(a) {
                // Contradiction, idempotence.
                if conjuncts.contains(&!b) {
                    return Step::Done(Lit::FALSE);
                }
                if conjuncts.contains(&b) {
                    return Step::Done(a);
                }
            }
            if let Some(conjuncts) = self.negated_conjuncts(a) {
                // Subsumption: a follows from b.
                if conjuncts.contains(&!b) {
                    return Step::Done(b);
                }
                // Substitution: b holds, so it says nothing in a.
                if let Some(rest) = other(conjuncts, b) {
                    return Step::Again(b, !rest);
                }
            }
        }
        if let (Some(x), Some(y)) = (self.conjuncts(a), self.conjuncts(b)) {
            if x.iter().any(|&l| y.contains(&!l)) {
                return Step::Done(Lit::FALSE);
            }
            return self.shared(a, x, b, y).unwrap_or(Step::Gate);
        }
        if let (Some(x), Some(y)) = (self.negated_conjuncts(a), self.negated_conjuncts(b)) {
            // Resolution.
            return resolve(x, y).map_or(Step::Gate, Step::Done);
        }
        for (a, b) in [(a, b), (b, a)] {
            let (Some(x), Some(y)) = (self.negated_conjuncts(a), self.conjuncts(b)) else { continue };
            if x.iter().any(|&l| y.contains(&!l)) {
                return Step::Done(b);
            }
            if let Some(rest) = y.into_iter().find_map(|l| other(x, l)) {
                return Step::Again(b, !rest);
            }
        }
        Step::Gate
    }
    /// Two conjunctions with a conjunct in common: one of them and the rest of the other, if that is a gate already.
    fn shared(&self, a: Lit, x: [Lit; 2], b: Lit, y: [Lit; 2]) -> Option<Step> {
        let in_b = y.into_iter().find_map(|l| other(x, l)).and_then(|rest| self.find_and(b, rest));
        let in_a = || x.into_iter().find_map(|l| other(y, l)).and_then(|rest| self.find_and(a, rest));
        in_b.or_else(in_a).map(Step::Done)
    }
}

/// What has become of a conjunction.
enum Step {
    /// It is this.
    Done(Lit),
    /// It is the conjunction of these, of which more may be known.
    Again(Lit, Lit),
    /// It needs a gate.
    Gate,
}

/// Of two literals the one that is not `lit`, if the other is.
fn other([x, y]: [Lit; 2], lit: Lit) -> Option<Lit> {
    if x == lit {
        Some(y)
    } else if y == lit {
        Some(x)
    } else {
        None
    }
}

/// `¬(c ∧ d) ∧ ¬(c ∧ ¬d)` is `¬c`.
fn resolve(x: [Lit; 2], y: [Lit; 2]) -> Option<Lit> {
    x.into_iter().find(|&c| other(x, c).is_some_and(|d| other(y, c) == Some(!d))).map(|c| !c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate;

    /// All edges over four leaves, three levels up, with all pairs of signs: the rewritten conjunction has the values of
    /// the plain one, and no pair makes more than one gate.
    #[test]
    fn rules_keep_the_function_and_never_grow() {
        let mut aig = Aig::new();
        let leaves: Vec<Lit> = (0..4).map(|_| aig.leaf()).collect();
        let mut edges = leaves.clone();
        for level in 0..2 {
            let below = edges.clone();
            for (i, &a) in below.iter().enumerate() {
                for &b in &below[..i] {
                    for (x, y) in [(a, b), (!a, b), (a, !b), (!a, !b)] {
                        if level == 0 || (x.code() + y.code()) % 7 < 3 {
                            edges.push(aig.and(x, y));
                        }
                    }
                }
            }
            edges.sort_unstable();
            edges.dedup();
        }
        let mut saved = 0;
        for (i, &a) in edges.iter().enumerate() {
            for &b in &edges[..i] {
                for (x, y) in [(a, b), (!a, b), (a, !b), (!a, !b)] {
                    let before = aig.n_vars();
                    let rewritten = aig.and_rewritten(x, y);
                    assert!(aig.n_vars() <= before + 1);
                    saved += usize::from(rewritten != aig.and(x, y));
                    let mut words = vec![0; aig.n_vars()];
                    for (leaf, word) in leaves.iter().zip([0xaaaa, 0xcccc, 0xf0f0, 0xff00]) {
                        words[leaf.var().index()] = word;
                    }
                    simulate::propagate(&aig, &mut words);
                    let expected = simulate::word(&words, x) & simulate::word(&words, y);
                    assert_eq!((simulate::word(&words, rewritten) ^ expected) & 0xffff, 0, "{x:?} {y:?}");
                    if aig.n_vars() > 4000 {
                        assert!(saved > 100);
                        return;
                    }
                }
            }
        }
        assert!(saved > 100);
    }

    #[test]
    fn each_rule() {
        let mut aig = Aig::new();
        let [a, b, c] = [(); 3].map(|()| aig.leaf());
        let ab = aig.and(a, b);
        let not_a_b = aig.and(!a, b);
        assert_eq!(aig.and_rewritten(ab, !a), Lit::FALSE);
        assert_eq!(aig.and_rewritten(ab, not_a_b), Lit::FALSE);
        assert_eq!(aig.and_rewritten(ab, a), ab);
        assert_eq!(aig.and_rewritten(!ab, !a), !a);
        assert_eq!(aig.and_rewritten(!ab, not_a_b), not_a_b);
        assert_eq!(aig.and_rewritten(!ab, !not_a_b), !b);
        let a_not_b = aig.and(a, !b);
        assert_eq!(aig.and_rewritten(!ab, a), a_not_b);
        let ac = aig.and(a, c);
        let ab_c = aig.and(ab, c);
        assert_eq!(aig.and_rewritten(ab, ac), ab_c);
    }
}
