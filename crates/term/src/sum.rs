//! Linear sums: the normal form of arithmetic.
//!
//! An `Add` is a sum of at least two monomials in the order of their terms, and then perhaps a constant. A monomial is a
//! term that is neither a sum nor a constant, or a `Mul` of a constant (not 0, not 1) and such a term. A product
//! that is not linear is a `Mul` of terms that are no constants; it is a term like any other here.
//!
//! A comparison is between a sum without constant, whose coefficients are integers without a common divisor, the first
//! of them positive, and a constant. Over integers `<` does not occur, and constants are rounded. So a comparison and its
//! negation have the same atom: `x >= 3` is the negation of `x <= 2`.

use crate::{BigInt, BigRational, Op, Sort, Term, Terms, Value};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

/// A linear sum of terms.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sum {
    /// Terms with their coefficients, which are not 0, in the order of the terms, each once.
    pub monomials: Vec<(Term, BigRational)>,
    /// The constant.
    pub constant: BigRational,
}

impl Sum {
    /// Only a constant.
    pub fn constant(constant: BigRational) -> Sum {
        Sum { monomials: Vec::new(), constant }
    }
    /// This plus `factor` times the other.
    pub fn plus(&self, factor: &BigRational, other: &Sum) -> Sum {
        let mut monomials = Vec::with_capacity(self.monomials.len() + other.monomials.len());
        let mut push = |term: Term, coefficient: BigRational| {
            if !coefficient.is_zero() {
                monomials.push((term, coefficient));
            }
        };
        let (mut a, mut b) = (self.monomials.iter().peekable(), other.monomials.iter().peekable());
        loop {
            match (a.peek(), b.peek()) {
                (Some((t, c)), Some((u, d))) if t == u => {
                    push(*t, c + factor * d);
                    a.next();
                    b.next();
                }
                (Some((t, c)), other) if other.is_none_or(|(u, _)| t < u) => {
                    push(*t, c.clone());
                    a.next();
                }
                (_, Some((u, d))) => {
                    push(*u, factor * d);
                    b.next();
                }
                _ => break,
            }
        }
        Sum { monomials, constant: &self.constant + factor * &other.constant }
    }
    /// This times a number.
    pub fn scaled(&self, factor: &BigRational) -> Sum {
        Sum::default().plus(factor, self)
    }
    /// Write the monomials as a factor times a sum of integers without common divisor, the first of them positive;
    /// the constant becomes 0. `None` if there are no monomials.
    pub(crate) fn primitive(&self) -> Option<(BigRational, Sum)> {
        let (_, first) = self.monomials.first()?;
        let (mut numerators, mut denominators) = (BigInt::zero(), BigInt::one());
        for (_, c) in &self.monomials {
            numerators = numerators.gcd(c.numer());
            denominators = denominators.lcm(c.denom());
        }
        let mut factor = BigRational::new(numerators, denominators);
        if first.is_negative() {
            factor = -factor;
        }
        let sum = Sum { monomials: self.monomials.clone(), constant: BigRational::zero() };
        let inverse = factor.recip();
        Some((factor, sum.scaled(&inverse)))
    }
}

impl Terms {
    /// A number as a linear sum.
    ///
    /// # Panics
    /// If the term is not a number.
    pub fn sum(&self, term: Term) -> Sum {
        assert!(self.sort(term).is_number(), "`{}` is not a number", self.display(term).short());
        let mut sum = Sum::default();
        let parts = if self.op(term) == Op::Add { self.args(term) } else { &[term][..] };
        for &part in parts {
            if let Some(constant) = self.number(part) {
                sum.constant += constant;
            } else {
                let (coefficient, base) = self.monomial(part);
                sum.monomials.push((base, coefficient));
            }
        }
        // Products that are too large to multiply out may be out of order.
        if !sum.monomials.is_sorted_by(|a, b| a.0 < b.0) {
            let monomials = std::mem::take(&mut sum.monomials);
            for monomial in monomials {
                let one = Sum { monomials: vec![monomial], constant: BigRational::zero() };
                sum = sum.plus(&BigRational::one(), &one);
            }
        }
        sum
    }
    /// A constant's number.
    pub(crate) fn number(&self, term: Term) -> Option<BigRational> {
        self.value(term).and_then(Value::as_rational)
    }
    /// A term that is no sum as coefficient and base.
    fn monomial(&self, term: Term) -> (BigRational, Term) {
        if let (Op::Mul, &[first, base]) = (self.op(term), self.args(term))
            && let Some(coefficient) = self.number(first)
        {
            return (coefficient, base);
        }
        (BigRational::one(), term)
    }
    /// The term for a sum of this sort.
    ///
    /// # Panics
    /// If its terms are of another sort.
    pub fn of_sum(&mut self, sum: &Sum, sort: Sort) -> Term {
        let mut args = Vec::with_capacity(sum.monomials.len() + 1);
        for (base, coefficient) in &sum.monomials {
            args.push(if coefficient.is_one() {
                *base
            } else {
                let coefficient = self.constant(Value::number(sort, coefficient.clone()));
                self.intern(Op::Mul, &[coefficient, *base])
            });
        }
        if !sum.constant.is_zero() || args.is_empty() {
            args.push(self.constant(Value::number(sort, sum.constant.clone())));
        }
        if let [only] = args[..] { only } else { self.intern(Op::Add, &args) }
    }
}
