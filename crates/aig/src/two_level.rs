//! Conjunction that looks one level further than its operands (Brummayer, Biere, Local Two-Level And-Inverter Graph
//! Minimization without Blowup, MEMICS 2006).
//!
//! Every rule replaces the conjunction by something that exists already or by a conjunction of smaller operands, so
//! the graph never has more gates than [`Aig::and`] would make. Where constants come in at one end, as in the time
//! frames of an unrolling, this finds what a file's own structure hides.

use crate::Aig;
use indubit_logic::Lit;

impl Aig {
    /// The conjunction as by [`Aig::and`], simplified by the fanins of `a` and `b` as well.
    pub fn and_two_level(&mut self, a: Lit, b: Lit) -> Lit {
        let (mut a, mut b) = (a, b);
        loop {
            match self.look(a, b) {
                Look::Is(lit) => return lit,
                Look::And(c, d) => (a, b) = (c, d),
                Look::Nothing => return self.and(a, b),
            }
        }
    }

    /// One rule, if any applies.
    fn look(&self, a: Lit, b: Lit) -> Look {
        let (x, y) = (self.fanins(a.var()), self.fanins(b.var()));
        let asymmetric = |x: Option<[Lit; 2]>, a: Lit, b: Lit| match x {
            Some([p, q]) if !a.is_negated() => match b {
                _ if b == !p || b == !q => Look::Is(Lit::FALSE),
                _ if b == p || b == q => Look::Is(a),
                _ => Look::Nothing,
            },
            Some([p, q]) => match b {
                _ if b == !p || b == !q => Look::Is(b),
                _ if b == p => Look::And(!q, b),
                _ if b == q => Look::And(!p, b),
                _ => Look::Nothing,
            },
            None => Look::Nothing,
        };
        for (x, a, b) in [(x, a, b), (y, b, a)] {
            let look = asymmetric(x, a, b);
            if !matches!(look, Look::Nothing) {
                return look;
            }
        }
        let (Some(x), Some(y)) = (x, y) else { return Look::Nothing };
        match (a.is_negated(), b.is_negated()) {
            (false, false) => both(a, x, y),
            (false, true) => one(a, x, y),
            (true, false) => one(b, y, x),
            (true, true) => neither(x, y),
        }
    }
}

enum Look {
    /// The conjunction is this.
    Is(Lit),
    /// It is the conjunction of these.
    And(Lit, Lit),
    /// No rule applies.
    Nothing,
}

/// `(x0 & x1) & (y0 & y1)`, `a` being the first.
fn both(a: Lit, x: [Lit; 2], y: [Lit; 2]) -> Look {
    if x.iter().any(|&p| y.contains(&!p)) {
        return Look::Is(Lit::FALSE);
    }
    match y {
        [p, q] if x.contains(&p) => Look::And(a, q),
        [q, p] if x.contains(&p) => Look::And(a, q),
        _ => Look::Nothing,
    }
}

/// `(x0 & x1) & !(y0 & y1)`, `a` being the first.
fn one(a: Lit, x: [Lit; 2], y: [Lit; 2]) -> Look {
    if x.iter().any(|&p| y.contains(&!p)) {
        return Look::Is(a);
    }
    match y {
        [p, q] if x.contains(&p) => Look::And(a, !q),
        [q, p] if x.contains(&p) => Look::And(a, !q),
        _ => Look::Nothing,
    }
}

/// `!(x0 & x1) & !(y0 & y1)`: resolution.
fn neither([p, q]: [Lit; 2], y: [Lit; 2]) -> Look {
    match (y.contains(&p), y.contains(&q)) {
        (true, _) if y.contains(&!q) => Look::Is(!p),
        (_, true) if y.contains(&!p) => Look::Is(!q),
        _ => Look::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate;

    /// All conjunctions of gates over three leaves, a few levels deep, against the truth table.
    #[test]
    fn the_function_is_the_conjunction_and_never_costs_more() {
        let mut aig = Aig::new();
        let mut lits: Vec<Lit> = (0..3).map(|_| aig.leaf()).collect();
        let leaves = lits.clone();
        let mut asked = Vec::new();
        for round in 0..3 {
            let operands: Vec<Lit> = lits.iter().flat_map(|&l| [l, !l]).collect();
            for (i, &a) in operands.iter().enumerate() {
                for &b in &operands[..i] {
                    let before = aig.n_vars();
                    let lit = aig.and_two_level(a, b);
                    assert!(aig.n_vars() <= before + 1);
                    asked.push((a, b, lit));
                    if round < 2 && lits.len() < 60 && !lits.contains(&lit) && !lits.contains(&!lit) {
                        lits.push(lit);
                    }
                }
            }
        }
        let mut words = vec![0u64; aig.n_vars()];
        for (i, l) in leaves.iter().enumerate() {
            words[l.var().index()] = [0xf0, 0xcc, 0xaa][i];
        }
        simulate::propagate(&aig, &mut words);
        for (a, b, lit) in asked {
            let [x, y, z] = [a, b, lit].map(|l| simulate::word(&words, l) & 0xff);
            assert_eq!(x & y, z, "{a:?} {b:?} {lit:?}");
        }
    }

    #[test]
    fn rules_find_what_plain_hashing_misses() {
        let mut aig = Aig::new();
        let (a, b, c) = (aig.leaf(), aig.leaf(), aig.leaf());
        let ab = aig.and(a, b);
        let n = aig.n_vars();
        assert_eq!(aig.and_two_level(ab, !a), Lit::FALSE);
        assert_eq!(aig.and_two_level(ab, b), ab);
        assert_eq!(aig.and_two_level(!ab, !b), !b);
        let a_not_b = aig.and(a, !b);
        assert_eq!(aig.and_two_level(!ab, a), a_not_b);
        assert_eq!(aig.and_two_level(!ab, !a_not_b), !a);
        assert_eq!(aig.n_vars(), n + 1);
        let ac = aig.and(a, c);
        let abc = aig.and_two_level(ab, ac);
        assert_eq!(aig.and_two_level(ab, c), abc);
    }
}
