//! Words of bits, for building models by hand.

use indubit_aig::Aig;
use indubit_logic::Lit;
use indubit_system::BitSystem;

/// Some edges of a circuit as an unsigned number, least significant bit first.
///
/// ```
/// use indubit_system::BitSystem;
/// use indubit_testkit::{Word, explicit};
/// // A counter that must not reach 5.
/// let mut system = BitSystem::new();
/// let count = Word::latches(&mut system, "count", 3, 0);
/// let next = count.plus(system.aig_mut(), 1);
/// count.set_next(&mut system, &next);
/// let five = count.is(system.aig_mut(), 5);
/// system.add_bad("five", five);
/// assert_eq!(system.latch_label(2), "count[2]");
/// assert_eq!(explicit::check(&system).unwrap()[0].depth(), Some(5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word(Vec<Lit>);

impl Word {
    /// The word with these bits, least significant first.
    pub fn new(bits: impl IntoIterator<Item = Lit>) -> Word {
        Word(bits.into_iter().collect())
    }
    /// The number `value` modulo `2^width`.
    pub fn constant(width: usize, value: u64) -> Word {
        Word::new((0..width).map(|i| Lit::constant(i < 64 && value >> i & 1 == 1)))
    }
    /// New inputs `name[0]`, `name[1]`, …
    pub fn inputs(system: &mut BitSystem, name: &str, width: usize) -> Word {
        Word::new((0..width).map(|i| system.add_input(&format!("{name}[{i}]"))))
    }
    /// New latches `name[0]`, `name[1]`, … that start with `initial` and keep their value until
    /// [`set_next`](Word::set_next).
    pub fn latches(system: &mut BitSystem, name: &str, width: usize, initial: u64) -> Word {
        let word = Word::uninitialised(system, name, width);
        word.set_reset(system, &Word::constant(width, initial));
        word
    }
    /// New latches that start with any value.
    pub fn uninitialised(system: &mut BitSystem, name: &str, width: usize) -> Word {
        Word::new((0..width).map(|i| system.add_latch(&format!("{name}[{i}]"), None)))
    }
    /// What a word of latches becomes in the next step.
    pub fn set_next(&self, system: &mut BitSystem, next: &Word) {
        for (latch, next) in self.zip(next) {
            system.set_next(latch, next);
        }
    }
    /// What a word of latches is initially.
    pub fn set_reset(&self, system: &mut BitSystem, reset: &Word) {
        for (latch, reset) in self.zip(reset) {
            system.set_reset(latch, reset);
        }
    }
    /// The bits, least significant first.
    pub fn bits(&self) -> &[Lit] {
        &self.0
    }
    /// The bit with this index.
    pub fn bit(&self, index: usize) -> Lit {
        self.0[index]
    }
    /// How many bits there are.
    pub fn width(&self) -> usize {
        self.0.len()
    }
    /// With zeros in front.
    pub fn widen(&self, width: usize) -> Word {
        let mut bits = self.0.clone();
        bits.resize(width.max(bits.len()), Lit::FALSE);
        Word(bits)
    }
    /// With copies of the sign in front: the same number in two's complement.
    pub fn widen_signed(&self, width: usize) -> Word {
        let mut bits = self.0.clone();
        bits.resize(width.max(bits.len()), self.0.last().copied().unwrap_or(Lit::FALSE));
        Word(bits)
    }
    /// The lowest bits.
    pub fn low(&self, width: usize) -> Word {
        Word(self.0[..width].to_vec())
    }
    /// All bits complemented.
    pub fn complement(&self) -> Word {
        Word::new(self.0.iter().map(|&b| !b))
    }
    /// The sum modulo `2^width`, plus one if `carry`.
    pub fn add(&self, aig: &mut Aig, other: &Word, mut carry: Lit) -> Word {
        Word::new(self.zip(other).map(|(a, b)| {
            let half = aig.xor(a, b);
            let sum = aig.xor(half, carry);
            let generated = aig.and(a, b);
            let propagated = aig.and(half, carry);
            carry = aig.or(generated, propagated);
            sum
        }))
    }
    /// The difference modulo `2^width`.
    pub fn sub(&self, aig: &mut Aig, other: &Word) -> Word {
        self.add(aig, &other.complement(), Lit::TRUE)
    }
    /// The sum with a constant, modulo `2^width`.
    pub fn plus(&self, aig: &mut Aig, value: u64) -> Word {
        self.add(aig, &Word::constant(self.width(), value), Lit::FALSE)
    }
    /// The product, of twice the width: rows are added, with carries rippling.
    pub fn times(&self, aig: &mut Aig, other: &Word) -> Word {
        let width = self.width();
        let mut sum = vec![Lit::FALSE; width + other.width()];
        for (i, &y) in other.0.iter().enumerate() {
            let mut carry = Lit::FALSE;
            for (j, &x) in self.0.iter().enumerate() {
                let product = aig.and(x, y);
                (sum[i + j], carry) = full_adder(aig, [sum[i + j], product, carry]);
            }
            sum[i + width] = carry;
        }
        Word(sum)
    }
    /// That product by another circuit: carries are saved, and columns are added. That the two are equal is hard to see for a solver.
    pub fn times_by_columns(&self, aig: &mut Aig, other: &Word) -> Word {
        let width = self.width() + other.width();
        let mut columns = vec![Vec::new(); width + 1];
        for (i, &y) in other.0.iter().enumerate() {
            for (j, &x) in self.0.iter().enumerate() {
                columns[i + j].push(aig.and(x, y));
            }
        }
        for at in 0..width {
            while columns[at].len() > 1 {
                let third = if columns[at].len() > 2 { columns[at].remove(0) } else { Lit::FALSE };
                let (first, second) = (columns[at].remove(0), columns[at].remove(0));
                let (sum, carry) = full_adder(aig, [first, second, third]);
                columns[at].push(sum);
                columns[at + 1].push(carry);
            }
        }
        Word::new(columns[..width].iter().map(|c| c.first().copied().unwrap_or(Lit::FALSE)))
    }
    /// One more if `up`, one less if `down`, the same if both or neither.
    pub fn count(&self, aig: &mut Aig, up: Lit, down: Lit) -> Word {
        let one = |lit| Word::new([lit]).widen(self.width());
        let sum = self.add(aig, &one(up), Lit::FALSE);
        sum.sub(aig, &one(down))
    }
    /// Are the two words equal?
    pub fn equals(&self, aig: &mut Aig, other: &Word) -> Lit {
        let bits: Vec<Lit> = self.zip(other).map(|(a, b)| aig.iff(a, b)).collect();
        aig.and_all(bits)
    }
    /// Is it this number?
    pub fn is(&self, aig: &mut Aig, value: u64) -> Lit {
        self.equals(aig, &Word::constant(self.width(), value))
    }
    /// Is it smaller than the other as an unsigned number?
    pub fn less(&self, aig: &mut Aig, other: &Word) -> Lit {
        self.zip(other).fold(Lit::FALSE, |lower, (a, b)| {
            let same = aig.iff(a, b);
            let above = aig.and(!a, b);
            aig.ite(same, lower, above)
        })
    }
    /// Is it larger than this number?
    pub fn exceeds(&self, aig: &mut Aig, value: u64) -> Lit {
        Word::constant(self.width(), value).less(aig, self)
    }
    /// `self` if `condition`, else `other`.
    pub fn or_else(&self, aig: &mut Aig, condition: Lit, other: &Word) -> Word {
        Word::new(self.zip(other).map(|(a, b)| aig.ite(condition, a, b)))
    }
    /// `value` if `condition`, else `self`: the assignment under a condition.
    pub fn when(&self, aig: &mut Aig, condition: Lit, value: &Word) -> Word {
        value.or_else(aig, condition, self)
    }
    /// Bit by bit, the exclusive or.
    pub fn xor(&self, aig: &mut Aig, other: &Word) -> Word {
        Word::new(self.zip(other).map(|(a, b)| aig.xor(a, b)))
    }
    /// Are at least two bits set?
    pub fn has_two(&self, aig: &mut Aig) -> Lit {
        let (mut one, mut two) = (Lit::FALSE, Lit::FALSE);
        for &bit in &self.0 {
            let again = aig.and(one, bit);
            two = aig.or(two, again);
            one = aig.or(one, bit);
        }
        two
    }
    /// Is some bit set?
    pub fn any(&self, aig: &mut Aig) -> Lit {
        aig.or_all(self.0.iter().copied())
    }
    fn zip(&self, other: &Word) -> impl Iterator<Item = (Lit, Lit)> {
        assert_eq!(self.width(), other.width(), "words of different widths");
        self.0.iter().copied().zip(other.0.clone())
    }
}

/// The sum of three bits, and what is carried.
fn full_adder(aig: &mut Aig, [a, b, c]: [Lit; 3]) -> (Lit, Lit) {
    let half = aig.xor(a, b);
    let (sum, both, carried) = (aig.xor(half, c), aig.and(a, b), aig.and(half, c));
    (sum, aig.or(both, carried))
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_aig::simulate;

    /// Every operation against the machine's own arithmetic, for all pairs of 4-bit numbers.
    #[test]
    fn arithmetic() {
        let mut aig = Aig::new();
        let a = Word::new((0..4).map(|_| aig.leaf()));
        let b = Word::new((0..4).map(|_| aig.leaf()));
        let (sum, difference) = (a.add(&mut aig, &b, Lit::FALSE), a.sub(&mut aig, &b));
        let (less, equal) = (a.less(&mut aig, &b), a.equals(&mut aig, &b));
        let (nine, above) = (a.is(&mut aig, 9), a.exceeds(&mut aig, 9));
        let (two, any) = (a.has_two(&mut aig), a.any(&mut aig));
        let counted = a.count(&mut aig, b.bit(0), b.bit(1));
        let chosen = a.when(&mut aig, less, &b);
        let plus = a.plus(&mut aig, 3);
        let wide = a.widen_signed(6);
        let products = [a.times(&mut aig, &b), a.times_by_columns(&mut aig, &b)];
        for x in 0..16u64 {
            for y in 0..16u64 {
                let mut values = vec![false; aig.n_vars()];
                for i in 0..4 {
                    values[a.bit(i).var().index()] = x >> i & 1 == 1;
                    values[b.bit(i).var().index()] = y >> i & 1 == 1;
                }
                simulate::propagate_bools(&aig, &mut values);
                let bit = |l: Lit| simulate::value(&values, l);
                let word = |w: &Word| w.bits().iter().rev().fold(0, |n, &l| n << 1 | bit(l) as u64);
                assert_eq!(word(&sum), (x + y) % 16);
                assert_eq!(word(&difference), x.wrapping_sub(y) % 16);
                assert_eq!((bit(less), bit(equal)), (x < y, x == y));
                assert_eq!((bit(nine), bit(above)), (x == 9, x > 9));
                assert_eq!((bit(two), bit(any)), (x.count_ones() >= 2, x > 0));
                assert_eq!(word(&counted), (x + (y & 1)).wrapping_sub(y >> 1 & 1) % 16);
                assert_eq!(word(&chosen), x.max(y));
                assert_eq!(word(&plus), (x + 3) % 16);
                assert_eq!(products.each_ref().map(word), [x * y; 2]);
                assert_eq!(word(&wide), if x >= 8 { x + 48 } else { x });
            }
        }
    }
}
