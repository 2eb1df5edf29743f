//! Atoms `sum ≤ bound` and `sum < bound`, and their normal form.
//!
//! The sum of an atom in normal form has integer coefficients without a common factor, its variables are sorted, and the first
//! coefficient is positive. What bounds a sum from below is the negation of an atom that bounds it from above, so an
//! atom and its negation have one variable. Over integers bounds are integers and never strict: `2x + 2y < 5` is
//! `x + y ≤ 2`, and its negation `x + y ≥ 3`.

use crate::rational::Rational;

/// A number that the caller reasons about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArithVar(pub u32);

/// `sum ≤ bound`, or `sum < bound` if strict.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AtMost {
    /// The variables with their coefficients.
    pub sum: Vec<(ArithVar, Rational)>,
    /// What the sum is compared to.
    pub bound: Rational,
    /// Is it below?
    pub strict: bool,
}

impl AtMost {
    /// `sum > bound` as `-sum < -bound`, and the other way round.
    pub fn negated(&self) -> AtMost {
        let sum = self.sum.iter().map(|(v, c)| (*v, -c)).collect();
        AtMost { sum, bound: -&self.bound, strict: !self.strict }
    }
    /// Does it hold for these values?
    pub fn holds(&self, value: impl Fn(ArithVar) -> Rational) -> bool {
        let mut sum = Rational::ZERO;
        self.sum.iter().for_each(|(v, c)| sum += &(c * &value(*v)));
        if self.strict { sum < self.bound } else { sum <= self.bound }
    }
}

/// An atom in normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Normal {
    /// It has no variables.
    Constant(bool),
    /// The atom, or its negation.
    Atom { atom: AtMost, negated: bool },
}

/// The normal form of `sum ≤ bound` or `sum < bound`.
pub(crate) fn normalize(
    sum: &[(ArithVar, Rational)],
    bound: &Rational,
    strict: bool,
    is_integer: impl Fn(ArithVar) -> bool,
) -> Normal {
    let mut sum = sum.to_vec();
    sum.sort_by_key(|(v, _)| *v);
    sum.dedup_by(|(w, d), (v, c)| {
        let same = v == w;
        if same {
            *c += &*d;
        }
        same
    });
    sum.retain(|(_, c)| !c.is_zero());
    let Some((_, first)) = sum.first() else {
        return Normal::Constant(if strict { bound.is_positive() } else { !bound.is_negative() });
    };
    let negated = first.is_negative();
    // The factor that makes coefficients integers without a common factor, and the first of them positive.
    let (mut numerator, mut denominator) = (Rational::ZERO, Rational::ONE);
    for (_, c) in &sum {
        numerator = numerator.gcd(&c.numerator());
        denominator = denominator.lcm(&c.denominator());
    }
    let mut factor = &denominator / &numerator;
    if negated {
        factor = -factor;
    }
    if !factor.is_one() {
        sum.iter_mut().for_each(|(_, c)| *c *= &factor);
    }
    let mut bound = bound * &factor;
    // -s ≤ b is s ≥ -b, the negation of s < -b.
    let mut strict = strict != negated;
    if sum.iter().all(|(v, _)| is_integer(*v)) {
        bound = if strict { &bound.ceil() - &Rational::ONE } else { bound.floor() };
        strict = false;
    }
    Normal::Atom { atom: AtMost { sum, bound, strict }, negated }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn r(n: i64, d: i64) -> Rational {
        Rational::new(n, d)
    }

    #[test]
    fn normal_forms_mean_the_same() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..20_000 {
            let sum: Vec<(ArithVar, Rational)> = (0..rng.usize(..4))
                .map(|_| (ArithVar(rng.u32(..3)), r(rng.i64(-6..7), rng.i64(1..4))))
                .collect();
            let (bound, strict) = (r(rng.i64(-9..10), rng.i64(1..4)), rng.bool());
            let integers = rng.bool();
            let normal = normalize(&sum, &bound, strict, |_| integers);
            for _ in 0..5 {
                let values: Vec<Rational> =
                    (0..3).map(|_| r(rng.i64(-5..6), if integers { 1 } else { rng.i64(1..4) })).collect();
                let value = |v: ArithVar| values[v.0 as usize].clone();
                let plain = AtMost { sum: sum.clone(), bound: bound.clone(), strict }.holds(value);
                let normal = match &normal {
                    Normal::Constant(constant) => *constant,
                    Normal::Atom { atom, negated } => {
                        assert_ne!(atom.negated().holds(value), atom.holds(value));
                        atom.holds(value) != *negated
                    }
                };
                assert_eq!(plain, normal);
            }
        }
    }

    #[test]
    fn complements_share_an_atom() {
        let (x, y) = (ArithVar(0), ArithVar(1));
        let is_integer = |_| true;
        let a = normalize(&[(x, r(2, 1)), (y, r(2, 1))], &r(5, 1), true, is_integer);
        let b = normalize(&[(y, r(-1, 3)), (x, r(-1, 3))], &r(-1, 1), false, is_integer);
        let (Normal::Atom { atom: a, negated: false }, Normal::Atom { atom: b, negated: true }) = (a, b)
        else {
            panic!("x + y ≤ 2 and its negation")
        };
        assert_eq!(a, b);
        assert_eq!(a, AtMost { sum: vec![(x, r(1, 1)), (y, r(1, 1))], bound: r(2, 1), strict: false });
    }
}
