//! ANDs that look two levels deep before they become gates.
//!
//! Interpolants repeat themselves: a clause of A is part of many partial interpolants, which are then combined. Most of
//! that is found by looking at the operands' own operands (Brummayer, Biere, *Local Two-Level And-Inverter Graph
//! Minimization without Blowup*, MEMICS 2006; their rules of levels one and two). No rule adds a gate that plain
//! hashing would not.

use indubit_aig::Aig;
use indubit_logic::Lit;

/// What two-level inspection makes of a conjunction.
enum Found {
    /// It equals this edge.
    Edge(Lit),
    /// It equals the conjunction of these two, which are smaller.
    Pair(Lit, Lit),
}

/// The conjunction.
pub(crate) fn and(aig: &mut Aig, a: Lit, b: Lit) -> Lit {
    let (mut a, mut b) = (a, b);
    loop {
        match inspect(aig, a, b).or_else(|| inspect(aig, b, a)) {
            Some(Found::Edge(edge)) => return edge,
            Some(Found::Pair(x, y)) => (a, b) = (x, y),
            None => return aig.and(a, b),
        }
    }
}

/// The disjunction.
pub(crate) fn or(aig: &mut Aig, a: Lit, b: Lit) -> Lit {
    !and(aig, !a, !b)
}

/// The conjunction of all, as a balanced tree; `layer` is used up.
pub(crate) fn and_all(aig: &mut Aig, layer: &mut Vec<Lit>) -> Lit {
    while layer.len() > 1 {
        for i in 0..layer.len().div_ceil(2) {
            layer[i] = match layer[2 * i..] {
                [a, b, ..] => and(aig, a, b),
                _ => layer[2 * i],
            };
        }
        layer.truncate(layer.len().div_ceil(2));
    }
    layer.pop().unwrap_or(Lit::TRUE)
}

/// `if c then a else b`.
pub(crate) fn ite(aig: &mut Aig, c: Lit, a: Lit, b: Lit) -> Lit {
    if a == b {
        return a;
    }
    // Which of the two normal forms lets constants vanish.
    if a == Lit::TRUE || b == Lit::TRUE {
        let (if_not, if_so) = (or(aig, c, b), or(aig, !c, a));
        return and(aig, if_not, if_so);
    }
    let (if_so, if_not) = (and(aig, c, a), and(aig, !c, b));
    or(aig, if_so, if_not)
}

/// `a ∧ b`, where `a` is looked into.
fn inspect(aig: &Aig, a: Lit, b: Lit) -> Option<Found> {
    let fanins = |lit: Lit| if lit.is_const() { None } else { aig.fanins(lit.var()) };
    let [x, y] = fanins(a)?;
    if !a.is_negated() {
        if b == x || b == y {
            return Some(Found::Edge(a));
        }
        if b == !x || b == !y {
            return Some(Found::Edge(Lit::FALSE));
        }
        let [z, w] = fanins(b)?;
        let holds = |l: Lit| l == x || l == y;
        let clashes = holds(!z) || holds(!w);
        return match b.is_negated() {
            // x ∧ y ∧ z ∧ w with a complementary pair.
            false => clashes.then_some(Found::Edge(Lit::FALSE)),
            // x ∧ y ∧ ¬(z ∧ w): one of z, w is false already, or true already.
            true if clashes => Some(Found::Edge(a)),
            true if holds(z) => Some(Found::Pair(a, !w)),
            true if holds(w) => Some(Found::Pair(a, !z)),
            true => None,
        };
    }
    if b == !x || b == !y {
        return Some(Found::Edge(b));
    }
    if b == x || b == y {
        return Some(Found::Pair(b, if b == x { !y } else { !x }));
    }
    let [z, w] = fanins(b).filter(|_| b.is_negated())?;
    // ¬(x ∧ y) ∧ ¬(x ∧ ¬y) is ¬x.
    match [x, y, z, w] {
        _ if (x, y) == (z, !w) || (x, y) == (w, !z) => Some(Found::Edge(!x)),
        _ if (y, x) == (z, !w) || (y, x) == (w, !z) => Some(Found::Edge(!y)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_aig::simulate;

    #[test]
    fn random_formulas_keep_their_meaning_and_shrink() {
        let mut rng = fastrand::Rng::with_seed(3);
        let (mut n_ours, mut n_plain) = (0, 0);
        for _ in 0..2000 {
            let (mut ours, mut plain) = (Aig::new(), Aig::new());
            let mut pairs: Vec<(Lit, Lit)> = (0..4).map(|_| (ours.leaf(), plain.leaf())).collect();
            for _ in 0..25 {
                let mut pick = || {
                    let (a, b) = pairs[rng.usize(..pairs.len())];
                    let flip = rng.bool();
                    (a ^ flip, b ^ flip)
                };
                let [a, b, c] = [pick(), pick(), pick()];
                pairs.push(match rng.u8(..4) {
                    0 => (ite(&mut ours, a.0, b.0, c.0), plain.ite(a.1, b.1, c.1)),
                    1 => (or(&mut ours, a.0, b.0), plain.or(a.1, b.1)),
                    2 => (and_all(&mut ours, &mut vec![a.0, b.0, c.0]), plain.and_all([a.1, b.1, c.1])),
                    _ => (and(&mut ours, a.0, b.0), plain.and(a.1, b.1)),
                });
            }
            let words = |aig: &Aig| {
                let mut words = vec![0u64; aig.n_vars()];
                words[1..5].copy_from_slice(&[0xaaaa, 0xcccc, 0xf0f0, 0xff00]);
                simulate::propagate(aig, &mut words);
                words
            };
            let (left, right) = (words(&ours), words(&plain));
            for &(a, b) in &pairs {
                assert_eq!(simulate::word(&left, a) & 0xffff, simulate::word(&right, b) & 0xffff);
            }
            n_ours += ours.n_ands();
            n_plain += plain.n_ands();
        }
        assert!(n_ours * 5 < n_plain * 4, "{n_ours} gates, {n_plain} without the rules");
    }

    #[test]
    fn absorption_and_multiplexers() {
        let mut aig = Aig::new();
        let (a, b) = (aig.leaf(), aig.leaf());
        let both = and(&mut aig, a, b);
        assert_eq!(or(&mut aig, a, both), a);
        assert_eq!(and(&mut aig, !a, both), Lit::FALSE);
        let expected = aig.and(a, !b);
        assert_eq!(and(&mut aig, a, !both), expected);
        assert_eq!(ite(&mut aig, a, Lit::TRUE, Lit::FALSE), a);
        let expected = aig.or(a, b);
        assert_eq!(ite(&mut aig, a, Lit::TRUE, b), expected);
        let expected = aig.and(!a, b);
        assert_eq!(ite(&mut aig, a, Lit::FALSE, b), expected);
        assert_eq!(ite(&mut aig, a, b, b), b);
    }
}
