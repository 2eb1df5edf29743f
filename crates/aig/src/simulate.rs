//! Simulation of 64 assignments at once.

use crate::Aig;
use indubit_logic::{Lit, Var};

/// The 64 values of an edge.
pub fn word(words: &[u64], lit: Lit) -> u64 {
    words[lit.var().index()] ^ (lit.is_negated() as u64).wrapping_neg()
}

/// Compute all ANDs from the leaves in `words` (one word a node; node 0 is set to *false*).
pub fn propagate(aig: &Aig, words: &mut [u64]) {
    debug_assert_eq!(words.len(), aig.n_vars());
    words[Var::CONST.index()] = 0;
    for (gate, [a, b]) in aig.ands() {
        words[gate.index()] = word(words, a) & word(words, b);
    }
}

/// The value of an edge in a single-assignment simulation.
pub fn value(values: &[bool], lit: Lit) -> bool {
    values[lit.var().index()] ^ lit.is_negated()
}

/// As [`propagate`], for one assignment.
pub fn propagate_bools(aig: &Aig, values: &mut [bool]) {
    debug_assert_eq!(values.len(), aig.n_vars());
    values[Var::CONST.index()] = false;
    for (gate, [a, b]) in aig.ands() {
        values[gate.index()] = value(values, a) & value(values, b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_agree_with_single_values() {
        let mut aig = Aig::new();
        let leaves: Vec<Lit> = (0..6).map(|_| aig.leaf()).collect();
        let x = aig.xor(leaves[0], leaves[1]);
        let y = aig.ite(leaves[2], x, !leaves[3]);
        let z = aig.and_all([y, leaves[4], !leaves[5], x]);
        let mut words = vec![0u64; aig.n_vars()];
        for (i, l) in leaves.iter().enumerate() {
            words[l.var().index()] = (0..64).filter(|p| p >> i & 1 == 1).fold(0, |w, p| w | 1 << p);
        }
        propagate(&aig, &mut words);
        for pattern in 0..64 {
            let mut values = vec![false; aig.n_vars()];
            for (i, l) in leaves.iter().enumerate() {
                values[l.var().index()] = pattern >> i & 1 == 1;
            }
            propagate_bools(&aig, &mut values);
            for root in [x, y, !z] {
                assert_eq!(word(&words, root) >> pattern & 1 == 1, value(&values, root));
            }
        }
    }
}
