//! Numbers of bits as circuits. Arithmetic is exact: results have as many bits as they need, and nothing wraps around.

use indubit_aig::Aig;
use indubit_logic::Lit;
use std::sync::Arc;

/// No number has more bits than that, but for vectors of the model, which have as many as they have.
pub(super) const MOST_BITS: usize = 4096;

/// A circuit that may grow so far: what is too large is noticed while it is built, not when memory is gone.
pub(super) struct Circuit {
    pub aig: Aig,
    most: usize,
}

impl Circuit {
    pub fn new(aig: Aig, n_gates: usize) -> Circuit {
        let most = aig.n_vars() + n_gates;
        Circuit { aig, most }
    }
    /// Has it grown too large, or a number? Then what it says is not to be used.
    pub fn is_full(&self) -> bool {
        self.aig.n_vars() > self.most
    }
}

/// A number: its bits, least significant first, and whether it is in two's complement.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub bits: Arc<[Lit]>,
    pub signed: bool,
}

impl Word {
    pub fn new(bits: impl IntoIterator<Item = Lit>) -> Word {
        Word { bits: bits.into_iter().collect(), signed: false }
    }
    /// As many bits as it takes as a number in two's complement.
    fn signed_width(&self) -> usize {
        if self.signed { self.bits.len() } else { self.bits.len() + 1 }
    }
    /// Bit `i` of the number with as many bits in front as one likes.
    fn bit(&self, i: usize) -> Lit {
        match (self.bits.get(i), self.bits.last()) {
            (Some(&bit), _) => bit,
            (None, Some(&sign)) if self.signed => sign,
            _ => Lit::FALSE,
        }
    }
    /// `self = other`.
    pub fn equals(&self, other: &Word, circuit: &mut Circuit) -> Lit {
        let width = self.signed_width().max(other.signed_width());
        let equal: Vec<Lit> = (0..width).map(|i| circuit.aig.iff(self.bit(i), other.bit(i))).collect();
        circuit.aig.and_all(equal)
    }
    /// `self < other`.
    pub fn less(&self, other: &Word, circuit: &mut Circuit) -> Lit {
        let width = self.signed_width().max(other.signed_width());
        let aig = &mut circuit.aig;
        let below = |aig: &mut Aig, lower: Lit, a: Lit, b: Lit| {
            let same = aig.iff(a, b);
            let above = aig.and(!a, b);
            aig.ite(same, lower, above)
        };
        let lower = (0..width - 1).fold(Lit::FALSE, |lower, i| below(aig, lower, self.bit(i), other.bit(i)));
        // The sign counts the other way round.
        below(aig, lower, other.bit(width - 1), self.bit(width - 1))
    }
}

/// The sum of numbers, each as it is or with the opposite sign.
pub(super) fn sum(terms: &[(bool, Word)], circuit: &mut Circuit) -> Word {
    let widest = terms.iter().map(|(_, word)| word.signed_width()).max().unwrap_or(1);
    // -(-8) has one bit more than -8.
    let width = widest + 1 + terms.len().next_power_of_two().trailing_zeros() as usize;
    if width > MOST_BITS {
        circuit.most = 0;
        return Word::new([]);
    }
    let mut total = vec![Lit::FALSE; width];
    for (negative, word) in terms {
        if circuit.is_full() {
            break;
        }
        let aig = &mut circuit.aig;
        let mut carry = Lit::constant(*negative);
        for (i, a) in total.iter_mut().enumerate() {
            let b = word.bit(i) ^ *negative;
            let half = aig.xor(*a, b);
            let (generated, propagated) = (aig.and(*a, b), aig.and(half, carry));
            *a = aig.xor(half, carry);
            carry = aig.or(generated, propagated);
        }
    }
    Word { bits: total.into(), signed: true }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_aig::simulate;

    /// Against the machine's own arithmetic, for all pairs of a signed and an unsigned number of three bits.
    #[test]
    fn arithmetic_is_exact() {
        let mut aig = Aig::new();
        let leaves: Vec<Lit> = (0..6).map(|_| aig.leaf()).collect();
        let mut circuit = Circuit::new(aig, 1000);
        let a = Word { signed: true, ..Word::new(leaves[..3].iter().copied()) };
        let b = Word::new(leaves[3..].iter().copied());
        let three = Word::new([Lit::TRUE, Lit::TRUE]);
        let total = sum(&[(false, a.clone()), (true, b.clone()), (true, three.clone())], &mut circuit);
        let lits = [
            a.less(&b, &mut circuit),
            b.less(&a, &mut circuit),
            a.equals(&b, &mut circuit),
            a.less(&three, &mut circuit),
            b.less(&three, &mut circuit),
            a.less(&a.clone(), &mut circuit),
        ];
        assert!(!circuit.is_full());
        for x in 0..8i64 {
            for y in 0..8i64 {
                let mut values = vec![false; circuit.aig.n_vars()];
                for i in 0..3 {
                    values[leaves[i].var().index()] = x >> i & 1 == 1;
                    values[leaves[i + 3].var().index()] = y >> i & 1 == 1;
                }
                simulate::propagate_bools(&circuit.aig, &mut values);
                let bit = |l: Lit| simulate::value(&values, l);
                let x = if x >= 4 { x - 8 } else { x };
                assert_eq!(lits.map(bit), [x < y, y < x, x == y, x < 3, y < 3, false], "{x} {y}");
                let width = total.bits.len();
                let unsigned = (0..width).fold(0, |n, i| n | i64::from(bit(total.bits[i])) << i);
                let signed = if bit(total.bits[width - 1]) { unsigned - (1 << width) } else { unsigned };
                assert_eq!(signed, x - y - 3);
            }
        }
    }
}
