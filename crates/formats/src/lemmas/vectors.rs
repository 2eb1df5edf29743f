//! Bit-vectors as numbers. Arithmetic is exact: results have as many bits as they need, and nothing wraps around.

use super::words::MOST_BITS;
use indubit_term::{BigInt, BigUint, MAX_PRODUCT_WIDTH, MAX_WIDTH, Op, Term, Terms};

/// A number: its bits, and whether it is in two's complement.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vector {
    pub term: Term,
    pub signed: bool,
}

impl Vector {
    /// As many bits as the number needs.
    pub fn constant(number: &BigInt, terms: &mut Terms) -> Vector {
        let signed = number < &BigInt::default();
        let width = (number.bits() as u32 + u32::from(signed)).clamp(1, MAX_WIDTH);
        let term = terms.bits(width, number.magnitude().clone());
        Vector { term: if signed { terms.bv(Op::BvNeg, &[term]) } else { term }, signed }
    }
    /// As many bits as it takes, as a number in two's complement or as one without a sign.
    fn width(self, signed: bool, terms: &Terms) -> u32 {
        terms.width(self.term) + u32::from(signed && !self.signed)
    }
    fn extended(self, width: u32, terms: &mut Terms) -> Term {
        let more = width - terms.width(self.term);
        match self.signed {
            true => terms.bv(Op::SignExtend(more), &[self.term]),
            false => terms.zero_extend(more, self.term),
        }
    }
    /// In two's complement: a variable, or a part of one, is read so. A number that has been computed is what it is, if it is known to have a
    /// sign.
    pub fn as_signed(self, terms: &Terms) -> Option<Vector> {
        let is_read = matches!(terms.op(self.term), Op::Var | Op::Extract { .. });
        (is_read || self.signed).then_some(Vector { signed: true, ..self })
    }
    /// Both with the same number of bits, and whether these are in two's complement. `None` if these are too many.
    pub fn alike(self, other: Vector, terms: &mut Terms) -> Option<([Term; 2], bool)> {
        let signed = self.signed || other.signed;
        let width = self.width(signed, terms).max(other.width(signed, terms));
        (width <= MAX_WIDTH).then(|| ([self, other].map(|v| v.extended(width, terms)), signed))
    }
    /// `self < other`.
    pub fn less(self, other: Vector, terms: &mut Terms) -> Option<Term> {
        let (pair, signed) = self.alike(other, terms)?;
        Some(terms.bv(if signed { Op::BvSlt } else { Op::BvUlt }, &pair))
    }
    /// `self = other`.
    pub fn equals(self, other: Vector, terms: &mut Terms) -> Option<Term> {
        let ([a, b], _) = self.alike(other, terms)?;
        Some(terms.eq(a, b))
    }
    pub fn times(self, other: Vector, terms: &mut Terms) -> Option<Vector> {
        let signed = self.signed || other.signed;
        let width = self.width(signed, terms) + other.width(signed, terms);
        let fits = width as usize <= MAX_PRODUCT_WIDTH;
        fits.then(|| {
            let pair = [self, other].map(|v| v.extended(width, terms));
            Vector { term: terms.bv(Op::BvMul, &pair), signed }
        })
    }
}

/// The sum of numbers, each as it is or with the opposite sign. `None` if that has too many bits.
pub(super) fn sum(numbers: &[(bool, Vector)], terms: &mut Terms) -> Option<Vector> {
    let signed = numbers.iter().any(|(negative, number)| *negative || number.signed);
    let widest = numbers.iter().map(|(_, number)| number.width(signed, terms)).max()?;
    // -(-8) has one bit more than -8.
    let carries = numbers.len().next_power_of_two().trailing_zeros() + u32::from(signed);
    let width = widest + carries;
    if width as usize > MOST_BITS {
        return None;
    }
    let mut total = terms.bits(width, BigUint::default());
    for (negative, number) in numbers {
        let number = number.extended(width, terms);
        let number = if *negative { terms.bv(Op::BvNeg, &[number]) } else { number };
        total = terms.bv(Op::BvAdd, &[total, number]);
    }
    Some(Vector { term: total, signed })
}
