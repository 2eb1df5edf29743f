//! Integers: when all bounds hold together over the rationals, and some integer has a fractional value.
//!
//! First rows are looked at: if the variables of a row that are not fixed have coefficients with a common divisor which
//! does not divide the rest, no integers satisfy it. Then the range of one variable is split at its value:
//! `x ≤ c` is decided, and its complement `x ≥ c + 1` is what is left when that fails. A split is about one number, so
//! it never mixes what the two sides of an interpolant have.

use crate::arithmetic::Arithmetic;
use crate::delta::Delta;
use crate::rational::Rational;
use crate::tableau::{Index, RowIndex};
use indubit_logic::Lit;
use indubit_run::{Ask, Stop};
use indubit_sat::theory::Completion;

impl Arithmetic {
    /// Have all integers integer values? If not, what next?
    pub(crate) fn complete_integers(&mut self, clause: &mut Vec<Lit>, ticks: &mut u64) -> Ask<Completion> {
        let Some(var) = self.fractional() else { return Ok(Completion::Model) };
        if self.config.divisors && !self.config.interpolation {
            for row in 0..self.simplex.tableau.n_rows() as RowIndex {
                *ticks += 1;
                if self.has_no_integers(row) {
                    self.explain_fixed(row);
                    return Ok(Completion::Conflict(self.conflict(clause)));
                }
            }
        }
        if self.n_splits_in_query >= self.config.max_splits {
            return Err(Stop::Incomplete("the limit of splits of integers in a query"));
        }
        self.n_splits += 1;
        self.n_splits_in_query += 1;
        let floor = self.simplex.value(var).floor();
        Ok(Completion::Split(self.atom(var, Delta::new(floor, 0))))
    }

    /// An integer number with a value that is none; one that has few values left, if there are several.
    fn fractional(&self) -> Option<Index> {
        let candidates =
            self.numbers.iter().copied().filter(|&var| {
                self.columns[var as usize].is_integer && !self.simplex.value(var).is_integer()
            });
        let range = |var: Index| {
            let limits = self.simplex.limits(var);
            let (lower, upper) = (limits.lower.as_ref()?, limits.upper.as_ref()?);
            Some(&upper.value.real - &lower.value.real)
        };
        candidates.min_by_key(|&var| match range(var) {
            Some(range) => (false, range),
            None => (true, Rational::ZERO),
        })
    }

    /// Do the coefficients of the row have a divisor that excludes all integers?
    fn has_no_integers(&self, row: RowIndex) -> bool {
        let (mut fixed, mut divisor) = (Rational::ZERO, Rational::ZERO);
        for entry in self.simplex.tableau.row(row) {
            if !self.columns[entry.var as usize].is_integer {
                return false;
            }
            if self.simplex.limits(entry.var).is_fixed() {
                fixed += &(&entry.coefficient * &self.simplex.value(entry.var).real);
            } else {
                divisor = divisor.gcd(&entry.coefficient);
            }
        }
        !divisor.is_zero() && !(&fixed / &divisor).is_integer()
    }

    fn explain_fixed(&mut self, row: RowIndex) {
        let mut conflict = std::mem::take(&mut self.simplex.conflict);
        conflict.clear();
        for entry in self.simplex.tableau.row(row) {
            let limits = self.simplex.limits(entry.var);
            if limits.is_fixed() {
                for bound in limits.lower.iter().chain(&limits.upper) {
                    conflict.literals.push(bound.reason);
                }
            }
        }
        self.simplex.conflict = conflict;
    }
}
