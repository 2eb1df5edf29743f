//! General simplex for bounds on variables of a tableau (Dutertre, de Moura, CAV 2006).
//!
//! Invariants: rows hold for the values; variables that are not basic are within their bounds; basic ones that are not are
//! among the suspects; a sum that has bounds is in the tableau. Rows of sums without bounds are forgotten when a pivot would
//! change them, and made again when a bound comes. Bounds are taken back one by one, values and tableau stay as they are: what held before
//! a bound came still can.

use crate::delta::Delta;
use crate::rational::Rational;
use crate::tableau::{Index, RowIndex, Tableau};
use indubit_logic::Lit;
use indubit_run::{Ask, Cancel};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Pivots in one check until the smallest variable is always taken (Bland's rule), which terminates.
const BLAND_AFTER: u64 = 100;
/// Pivots between two looks at the cancel flag.
const POLL: u64 = 64;

/// A bound, and the literal that says so.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) value: Delta,
    pub(crate) reason: Lit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Lower,
    Upper,
}

impl Direction {
    pub(crate) fn opposite(self) -> Direction {
        match self {
            Direction::Lower => Direction::Upper,
            Direction::Upper => Direction::Lower,
        }
    }
    /// Does a bound in this direction at `new` exclude `old`?
    fn is_beyond(self, new: &Delta, old: &Delta) -> bool {
        match self {
            Direction::Lower => new > old,
            Direction::Upper => new < old,
        }
    }
}

/// What a bound means to a variable that has others.
pub(crate) enum Bounded {
    /// Nothing: it has one that says more.
    Already,
    /// It excludes more than the one before, if there was one.
    Closer { before: Option<Delta> },
    /// It contradicts the bound in the other direction.
    Conflict,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) lower: Option<Bound>,
    pub(crate) upper: Option<Bound>,
}

impl Limits {
    pub(crate) fn is_fixed(&self) -> bool {
        matches!((&self.lower, &self.upper), (Some(l), Some(u)) if l.value == u.value)
    }
    pub(crate) fn of(&self, direction: Direction) -> Option<&Bound> {
        match direction {
            Direction::Lower => self.lower.as_ref(),
            Direction::Upper => self.upper.as_ref(),
        }
    }
    fn of_mut(&mut self, direction: Direction) -> &mut Option<Bound> {
        match direction {
            Direction::Lower => &mut self.lower,
            Direction::Upper => &mut self.upper,
        }
    }
}

/// A bound that was replaced.
#[derive(Clone, Debug)]
struct Undo {
    position: usize,
    var: Index,
    direction: Direction,
    old: Option<Bound>,
}

/// Bounds that contradict each other: the sum of their multiples says `0 < 0`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conflict {
    /// The literals of the bounds.
    pub(crate) literals: Vec<Lit>,
    /// How often each bound counts (Farkas).
    pub(crate) factors: Vec<Rational>,
}

impl Conflict {
    pub(crate) fn clear(&mut self) {
        self.literals.clear();
        self.factors.clear();
    }
    pub(crate) fn push(&mut self, bound: &Bound, factor: Rational) {
        self.literals.push(bound.reason);
        self.factors.push(factor);
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Simplex {
    pub(crate) tableau: Tableau,
    limits: Vec<Limits>,
    values: Vec<Delta>,
    /// By variable: what it is the sum of; empty for those that are no sums.
    sums: Vec<Vec<(Index, Rational)>>,
    undo: Vec<Undo>,
    suspects: BinaryHeap<Reverse<Index>>,
    is_suspect: Vec<bool>,
    /// What the last conflict was.
    pub(crate) conflict: Conflict,
    cancel: Cancel,
    pub(crate) n_pivots: u64,
}

impl Simplex {
    pub(crate) fn new(cancel: &Cancel) -> Simplex {
        Simplex {
            tableau: Tableau::default(),
            limits: Vec::new(),
            values: Vec::new(),
            sums: Vec::new(),
            undo: Vec::new(),
            suspects: BinaryHeap::new(),
            is_suspect: Vec::new(),
            conflict: Conflict::default(),
            cancel: cancel.clone(),
            n_pivots: 0,
        }
    }
    /// A variable without bounds.
    pub(crate) fn new_var(&mut self) -> Index {
        self.define(Vec::new())
    }
    /// A variable without bounds that is a sum of others which are no sums, with integer coefficients.
    pub(crate) fn define(&mut self, sum: Vec<(Index, Rational)>) -> Index {
        self.limits.push(Limits::default());
        self.values.push(Delta::default());
        self.sums.push(sum);
        self.is_suspect.push(false);
        self.tableau.new_var()
    }
    /// Has the tableau forgotten what the variable is, or not heard of it?
    fn is_dormant(&self, var: Index) -> bool {
        !self.sums[var as usize].is_empty() && self.tableau.column(var).is_empty()
    }
    fn sum_of(&self, var: Index) -> Delta {
        let mut value = Delta::default();
        self.sums[var as usize].iter().for_each(|(v, c)| value.add_times(c, &self.values[*v as usize]));
        value
    }
    /// Tell the tableau again what the variable is.
    fn wake(&mut self, var: Index) {
        if self.is_dormant(var) {
            self.values[var as usize] = self.sum_of(var);
            self.tableau.define(var, &self.sums[var as usize]);
        }
    }
    pub(crate) fn value(&self, var: Index) -> Cow<'_, Delta> {
        match self.is_dormant(var) {
            true => Cow::Owned(self.sum_of(var)),
            false => Cow::Borrowed(&self.values[var as usize]),
        }
    }
    pub(crate) fn limits(&self, var: Index) -> &Limits {
        &self.limits[var as usize]
    }

    /// Bound a variable until `position` is taken back, or for good. What contradicts its other bound is the conflict.
    pub(crate) fn bound(
        &mut self,
        var: Index,
        direction: Direction,
        bound: Bound,
        position: Option<usize>,
    ) -> Bounded {
        self.wake(var);
        let limits = &mut self.limits[var as usize];
        if limits.of(direction).is_some_and(|old| !direction.is_beyond(&bound.value, &old.value)) {
            return Bounded::Already;
        }
        let other = limits.of(direction.opposite());
        if let Some(other) = other.filter(|other| direction.is_beyond(&bound.value, &other.value)) {
            self.conflict.clear();
            self.conflict.push(other, Rational::ONE);
            self.conflict.push(&bound, Rational::ONE);
            return Bounded::Conflict;
        }
        let value = bound.value.clone();
        let old = limits.of_mut(direction).replace(bound);
        let before = old.as_ref().map(|b| b.value.clone());
        if let Some(position) = position {
            self.undo.push(Undo { position, var, direction, old });
        }
        if self.violated(var).is_some() {
            if self.tableau.row_of(var).is_some() {
                self.suspect(var);
            } else {
                self.update(var, &value);
            }
        }
        Bounded::Closer { before }
    }

    /// Take back the bounds from this position on.
    pub(crate) fn backtrack(&mut self, position: usize) {
        while let Some(undo) = self.undo.pop_if(|undo| undo.position >= position) {
            *self.limits[undo.var as usize].of_mut(undo.direction) = undo.old;
        }
    }

    fn suspect(&mut self, var: Index) {
        if !std::mem::replace(&mut self.is_suspect[var as usize], true) {
            self.suspects.push(Reverse(var));
        }
    }

    /// The bound that a variable violates.
    fn violated(&self, var: Index) -> Option<Direction> {
        let (value, limits) = (&self.values[var as usize], &self.limits[var as usize]);
        if limits.lower.as_ref().is_some_and(|b| *value < b.value) {
            Some(Direction::Lower)
        } else if limits.upper.as_ref().is_some_and(|b| *value > b.value) {
            Some(Direction::Upper)
        } else {
            None
        }
    }

    /// Give a variable that is not basic another value.
    fn update(&mut self, var: Index, value: &Delta) {
        let change = value.minus(&self.values[var as usize]);
        self.shift(var, &change, None);
    }

    /// Change the value of a variable that is not basic, and those of the basic ones in its column but for one row.
    pub(crate) fn shift(&mut self, var: Index, change: &Delta, except: Option<RowIndex>) {
        self.values[var as usize].add_times(&Rational::ONE, change);
        for i in 0..self.tableau.column(var).len() {
            let (row, at) = self.tableau.column(var)[i];
            if Some(row) == except {
                continue;
            }
            let coefficient = &self.tableau.row(row)[at as usize].coefficient;
            let rate = -(coefficient / self.tableau.pivot_of(row));
            let basic = self.tableau.basic(row);
            self.values[basic as usize].add_times(&rate, change);
            if self.violated(basic).is_some() {
                self.suspect(basic);
            }
        }
    }

    /// Find values within all bounds. False if there are none: then the conflict says why.
    pub(crate) fn check(&mut self, ticks: &mut u64) -> Ask<bool> {
        let begin = self.n_pivots;
        while let Some(Reverse(var)) = self.suspects.pop() {
            self.is_suspect[var as usize] = false;
            let Some(row) = self.tableau.row_of(var) else { continue };
            let Some(direction) = self.violated(var) else { continue };
            *ticks += 1 + self.tableau.row(row).len() as u64 / 4;
            let by_bland = self.n_pivots - begin > BLAND_AFTER;
            let Some(entering) = self.entering(row, direction, by_bland) else {
                self.suspect(var);
                self.explain(row, direction);
                return Ok(false);
            };
            if (self.n_pivots - begin) % POLL == POLL - 1
                && let Err(stop) = self.cancel.checkpoint()
            {
                self.suspect(var);
                return Err(stop);
            }
            self.pivot(row, entering, direction, ticks);
        }
        Ok(true)
    }

    /// Does `other` grow with the basic variable of the row?
    fn goes_along(&self, row: RowIndex, coefficient: &Rational) -> bool {
        coefficient.signum() != self.tableau.pivot_of(row).signum()
    }

    /// A variable of the row that can move so that the basic one comes within its bound.
    fn entering(&self, row: RowIndex, violated: Direction, by_bland: bool) -> Option<Index> {
        let basic = self.tableau.basic(row);
        let can_move = |var: Index, coefficient: &Rational| {
            let up = self.goes_along(row, coefficient) == (violated == Direction::Lower);
            let limit = if up { &self.limits[var as usize].upper } else { &self.limits[var as usize].lower };
            limit.as_ref().is_none_or(|b| b.value != self.values[var as usize])
        };
        let candidates =
            self.tableau.row(row).iter().filter(|e| e.var != basic && can_move(e.var, &e.coefficient));
        let cost = |var: Index| if by_bland { 0 } else { self.tableau.column(var).len() };
        candidates.map(|e| e.var).min_by_key(|&var| (cost(var), var))
    }

    /// Set the basic variable to its bound by moving another variable of the row, which becomes basic.
    fn pivot(&mut self, row: RowIndex, entering: Index, violated: Direction, ticks: &mut u64) {
        self.n_pivots += 1;
        let leaving = self.tableau.basic(row);
        let target = self.limits[leaving as usize].of(violated).expect("a violated bound").value.clone();
        let entry = self.tableau.row(row).iter().find(|e| e.var == entering).expect("it is in the row");
        // a·leaving + b·entering + … = 0
        let rate = -(self.tableau.pivot_of(row) / &entry.coefficient);
        let change = target.minus(&self.values[leaving as usize]).times(&rate);
        self.values[leaving as usize] = target;
        self.shift(entering, &change, Some(row));
        *ticks += self.tableau.column(entering).len() as u64 * (1 + self.tableau.row(row).len() as u64 / 4);
        let Simplex { tableau, limits, sums, .. } = self;
        let is_bounded = |limits: &Limits| limits.lower.is_some() || limits.upper.is_some();
        tableau.pivot(row, entering, |v| sums[v as usize].is_empty() || is_bounded(&limits[v as usize]));
        if self.violated(entering).is_some() {
            self.suspect(entering);
        }
    }

    /// The bounds of the row that keep its basic variable from its own.
    fn explain(&mut self, row: RowIndex, violated: Direction) {
        let mut conflict = std::mem::take(&mut self.conflict);
        conflict.clear();
        let basic = self.tableau.basic(row);
        for entry in self.tableau.row(row) {
            let direction = match entry.var == basic {
                true => violated,
                false if self.goes_along(row, &entry.coefficient) == (violated == Direction::Lower) => {
                    Direction::Upper
                }
                false => Direction::Lower,
            };
            let bound = self.limits[entry.var as usize].of(direction).expect("no variable can move");
            conflict.push(bound, entry.coefficient.abs());
        }
        self.conflict = conflict;
    }

    /// A value of δ for which all bounds hold.
    pub(crate) fn epsilon(&self) -> Rational {
        let mut epsilon = Rational::ONE;
        let mut respect = |low: &Delta, high: &Delta| {
            if low.delta > high.delta {
                let largest = &(&high.real - &low.real) / &(&low.delta - &high.delta);
                if largest < epsilon {
                    epsilon = largest;
                }
            }
        };
        for (limits, value) in self.limits.iter().zip(&self.values) {
            if let Some(lower) = &limits.lower {
                respect(&lower.value, value);
            }
            if let Some(upper) = &limits.upper {
                respect(value, &upper.value);
            }
        }
        epsilon
    }

    /// All that must hold after a check.
    #[cfg(test)]
    pub(crate) fn check_invariants(&self) {
        self.tableau.check_invariants();
        for row in self.tableau.rows() {
            let mut sum = Delta::default();
            let entries = self.tableau.row(row);
            entries.iter().for_each(|e| sum.add_times(&e.coefficient, &self.values[e.var as usize]));
            assert_eq!(sum, Delta::default(), "a row does not hold");
        }
        for var in 0..self.limits.len() as Index {
            assert!(self.violated(var).is_none() || self.is_suspect[var as usize]);
        }
    }
}
