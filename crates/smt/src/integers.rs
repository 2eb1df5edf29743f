//! Integers: when all bounds hold together over the rationals, and some integer has a fractional value.
//!
//! First variables that are not basic are moved within their bounds, where that makes fractional ones integers. Then rows are
//! looked at: a row without integer solutions refutes the bounds of its variables (the extended GCD test: Griggio, *A
//! Practical Approach to Satisfiability Modulo Linear Integer Arithmetic*, JSAT 2012). Then the range of one variable is split at
//! its value: `x ≤ c` or its complement `x ≥ c + 1` is decided, the one that is nearer to 0, so that the search stays in
//! a box. A split is about one number, so it never mixes what the two sides of an interpolant have.

use crate::arithmetic::{Arithmetic, Why};
use crate::delta::Delta;
use crate::rational::Rational;
use crate::simplex::Limits;
use crate::tableau::{Index, RowIndex};
use indubit_logic::Lit;
use indubit_run::{Ask, Stop};
use indubit_sat::theory::Completion;

/// Why a query has no answer. With another seed it may have one.
pub const TOO_MANY_SPLITS: &str = "the limit of splits of integers in a query";

/// Variables are moved by at most so much.
const MAX_MOVE: i64 = 12;

/// With interpolation, rows are refuted by divisors after so many splits in a query: what splits can refute has interpolants
/// without remainders.
const DIVISORS_AFTER: u64 = 8;

impl Arithmetic {
    /// Limits count anew.
    pub(crate) fn begin_query(&mut self) {
        (self.n_splits_in_query, self.n_cuts_in_query) = (0, 0);
    }
    /// Have all integers integer values? If not, what next?
    pub(crate) fn complete_integers(&mut self, clause: &mut Vec<Lit>, ticks: &mut u64) -> Ask<Completion> {
        if self.fractional().is_none() {
            return Ok(Completion::Model);
        }
        if self.config.patches {
            self.patch(ticks);
        }
        let Some(var) = self.fractional() else { return Ok(Completion::Model) };
        let is_time = !self.config.interpolation || self.n_splits_in_query >= DIVISORS_AFTER;
        if self.config.divisors && is_time {
            for row in self.simplex.tableau.rows() {
                *ticks += 1 + self.simplex.tableau.row(row).len() as u64 / 4;
                if let Some(why) = self.has_no_integers(row, clause) {
                    self.n_conflicts += 1;
                    return Ok(Completion::Conflict(self.certify(why)));
                }
            }
        }
        if let Some(cut) = self.cut(clause, ticks) {
            return Ok(cut);
        }
        if self.n_splits_in_query >= self.config.max_splits {
            return Err(Stop::Incomplete(TOO_MANY_SPLITS));
        }
        self.n_splits += 1;
        self.n_splits_in_query += 1;
        let value = self.simplex.value(var);
        let (floor, upwards) = (value.floor(), value.real.is_negative());
        Ok(Completion::Split(self.atom(var, Delta::new(floor, 0)) ^ upwards))
    }

    fn is_fractional(&self, var: Index) -> bool {
        self.columns[var as usize].is_integer && !self.simplex.value(var).is_integer()
    }

    /// An integer number with a value that is none; one that has few values left, if there are several.
    fn fractional(&self) -> Option<Index> {
        let candidates = self.numbers.iter().copied().filter(|&var| self.is_fractional(var));
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

    /// Make fractional numbers integers by moving others.
    fn patch(&mut self, ticks: &mut u64) {
        for i in 0..self.numbers.len() {
            let var = self.numbers[i];
            if !self.is_fractional(var) {
                continue;
            }
            let Some(row) = self.simplex.tableau.row_of(var) else { continue };
            if let Some((moved, by)) = self.find_move(var, row, ticks) {
                self.simplex.shift(moved, &by, None);
            }
        }
    }

    /// A variable of the row, and by how much to move it, so that the basic variable becomes an integer and none ceases to
    /// be one.
    fn find_move(&self, var: Index, row: RowIndex, ticks: &mut u64) -> Option<(Index, Delta)> {
        let tableau = &self.simplex.tableau;
        let pivot = tableau.pivot_of(row);
        for entry in tableau.row(row).iter().filter(|e| e.var != var) {
            let rate = -(&entry.coefficient / pivot);
            if rate.is_integer()
                || !self.columns[entry.var as usize].is_integer
                || self.simplex.limits(entry.var).is_fixed()
            {
                continue;
            }
            let fits = |by: &i64| {
                let by = Rational::from(*by);
                (self.simplex.value(var).real.clone() + &rate * &by).is_integer()
            };
            let steps = (1..=MAX_MOVE).flat_map(|n| [n, -n]).filter(fits);
            for by in steps.take(2) {
                *ticks += 1 + tableau.column(entry.var).len() as u64;
                let by = Delta::new(Rational::from(by), 0);
                if self.can_move(entry.var, &by) {
                    return Some((entry.var, by));
                }
            }
        }
        None
    }

    /// Do all bounds hold, and all integers stay such, when a variable that is not basic is moved?
    fn can_move(&self, moved: Index, by: &Delta) -> bool {
        let tableau = &self.simplex.tableau;
        let is_fine = |var: Index, rate: &Rational| {
            let mut value = self.simplex.value(var).into_owned();
            value.add_times(rate, by);
            let Limits { lower, upper } = self.simplex.limits(var);
            lower.as_ref().is_none_or(|b| b.value <= value)
                && upper.as_ref().is_none_or(|b| b.value >= value)
                && (!self.columns[var as usize].is_integer || value.is_integer() || self.is_fractional(var))
        };
        is_fine(moved, &Rational::ONE)
            && tableau.column(moved).iter().all(|&(row, at)| {
                let rate = -(&tableau.row(row)[at as usize].coefficient / tableau.pivot_of(row));
                is_fine(tableau.basic(row), &rate)
            })
    }

    /// Does a divisor exclude all integers? Variables that are not fixed are on one side, those with bounds on both sides and
    /// the smallest coefficients on the other: if the former have a common divisor, the latter and the fixed ones must have a sum
    /// that it divides. If not, the lemma is in `clause`.
    fn has_no_integers(&self, row: RowIndex, clause: &mut Vec<Lit>) -> Option<Why> {
        let entries = self.simplex.tableau.row(row);
        let limits = |var: Index| self.simplex.limits(var);
        if !entries.iter().all(|e| self.columns[e.var as usize].is_integer) {
            return None;
        }
        let open = || entries.iter().filter(|e| !limits(e.var).is_fixed());
        let mut smallest = open().map(|e| e.coefficient.abs()).min();
        let is_bounded = |var: Index| limits(var).lower.is_some() && limits(var).upper.is_some();
        if open().any(|e| Some(e.coefficient.abs()) == smallest && !is_bounded(e.var)) {
            smallest = None;
        }
        let divided = || open().filter(|e| Some(e.coefficient.abs()) != smallest);
        let divisor = divided().fold(Rational::ZERO, |gcd, e| gcd.gcd(&e.coefficient));
        if divisor.is_zero() || divisor.is_one() {
            return None;
        }
        let (mut low, mut high) = (Rational::ZERO, Rational::ZERO);
        let mut factors = Vec::new();
        for entry in entries.iter() {
            let Limits { lower: Some(lower), upper: Some(upper) } = limits(entry.var) else { continue };
            if lower.value != upper.value && Some(entry.coefficient.abs()) != smallest {
                continue;
            }
            let [mut from, mut to] = [lower, upper].map(|b| &entry.coefficient * &b.value.real);
            if entry.coefficient.is_negative() {
                std::mem::swap(&mut from, &mut to);
            }
            low += &from;
            high += &to;
            clause.extend([!lower.reason, !upper.reason]);
            factors.push(entry.coefficient.clone());
        }
        if (&low / &divisor).ceil() > (&high / &divisor).floor() {
            return Some(Why::Divisor { factors, divisor });
        }
        clause.clear();
        None
    }
}
