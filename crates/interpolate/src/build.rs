//! Gates of interpolants.
//!
//! Interpolants repeat themselves: a clause of A is part of many partial interpolants, which are then combined. Most of
//! that is found by looking at the operands' own operands ([`Aig::and_two_level`]).

use indubit_aig::Aig;
use indubit_logic::Lit;

/// The conjunction.
pub(crate) fn and(aig: &mut Aig, a: Lit, b: Lit) -> Lit {
    aig.and_two_level(a, b)
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
