//! Numbers of the form `c + k·δ`, where δ is positive and as small as is needed: a strict bound `x < c` is `x ≤ c − δ`
//! (Dutertre, de Moura, *A Fast Linear-Arithmetic Solver for DPLL(T)*, CAV 2006, §5).

use crate::rational::Rational;

/// `real + delta·δ`, ordered lexicographically.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Delta {
    pub(crate) real: Rational,
    pub(crate) delta: Rational,
}

impl Delta {
    pub(crate) fn new(real: Rational, delta: i64) -> Delta {
        Delta { real, delta: Rational::from(delta) }
    }
    pub(crate) fn minus(&self, other: &Delta) -> Delta {
        Delta { real: &self.real - &other.real, delta: &self.delta - &other.delta }
    }
    pub(crate) fn times(&self, factor: &Rational) -> Delta {
        let delta = if self.delta.is_zero() { Rational::ZERO } else { &self.delta * factor };
        Delta { real: &self.real * factor, delta }
    }
    /// Add `factor · other`.
    pub(crate) fn add_times(&mut self, factor: &Rational, other: &Delta) {
        self.real.add_product(&other.real, factor);
        if !other.delta.is_zero() {
            self.delta.add_product(&other.delta, factor);
        }
    }
    pub(crate) fn is_integer(&self) -> bool {
        self.delta.is_zero() && self.real.is_integer()
    }
    /// The largest integer that is not larger.
    pub(crate) fn floor(&self) -> Rational {
        if self.real.is_integer() && self.delta.is_negative() {
            return &self.real - &Rational::ONE;
        }
        self.real.floor()
    }
}
