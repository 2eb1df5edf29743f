//! The rows of general simplex: sparse, with integer coefficients.
//!
//! A row says that the sum of its entries is 0. One of its variables is *basic*: it occurs in no other row. Pivoting makes
//! another variable of the row the basic one, by taking it out of all other rows. Rows have no common factor, so
//! coefficients stay small where they can, and no fractions arise.

use crate::rational::Rational;

/// A variable of the tableau: a number of the caller, or the value of a sum.
pub(crate) type Index = u32;
pub(crate) type RowIndex = u32;

/// No row, no place.
const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) var: Index,
    pub(crate) coefficient: Rational,
    /// Where the column of the variable has this entry.
    place: u32,
}

/// Invariant: entry `at` of row `row` is the one that the column of its variable has at `place` as `(row, at)`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tableau {
    rows: Vec<Vec<Entry>>,
    /// By row; `NONE` for rows that are not in use.
    basic: Vec<Index>,
    /// Rows that are not in use.
    free: Vec<RowIndex>,
    columns: Vec<Vec<(RowIndex, u32)>>,
    /// By variable: the row in which it is basic.
    row_of: Vec<u32>,
    /// By variable, while rows are added: one more than its position in the row. All 0 otherwise.
    positions: Vec<u32>,
}

impl Tableau {
    pub(crate) fn new_var(&mut self) -> Index {
        self.columns.push(Vec::new());
        self.row_of.push(NONE);
        self.positions.push(0);
        self.row_of.len() as Index - 1
    }
    /// The rows in use.
    pub(crate) fn rows(&self) -> impl Iterator<Item = RowIndex> + use<> {
        let in_use: Vec<RowIndex> =
            (0..self.rows.len()).filter(|&r| self.basic[r] != NONE).map(|r| r as RowIndex).collect();
        in_use.into_iter()
    }
    pub(crate) fn row(&self, row: RowIndex) -> &[Entry] {
        &self.rows[row as usize]
    }
    pub(crate) fn basic(&self, row: RowIndex) -> Index {
        self.basic[row as usize]
    }
    pub(crate) fn row_of(&self, var: Index) -> Option<RowIndex> {
        let row = self.row_of[var as usize];
        (row != NONE).then_some(row)
    }
    pub(crate) fn column(&self, var: Index) -> &[(RowIndex, u32)] {
        &self.columns[var as usize]
    }
    /// The coefficient of the basic variable in its row.
    pub(crate) fn pivot_of(&self, row: RowIndex) -> &Rational {
        let (_, at) = self.columns[self.basic[row as usize] as usize][0];
        &self.rows[row as usize][at as usize].coefficient
    }

    /// The variable, which no row has, is the sum; it is basic in its row. Coefficients are integers.
    pub(crate) fn define(&mut self, defined: Index, sum: &[(Index, Rational)]) {
        debug_assert!(self.columns[defined as usize].is_empty());
        let row = self.free.pop().unwrap_or_else(|| {
            self.rows.push(Vec::new());
            self.basic.push(NONE);
            self.rows.len() as RowIndex - 1
        });
        self.basic[row as usize] = defined;
        self.push(row, defined, Rational::from(-1));
        for (var, coefficient) in sum {
            self.push(row, *var, coefficient.clone());
        }
        for (var, _) in sum {
            if let Some(other) = self.row_of(*var) {
                let entry = self.rows[row as usize].iter().position(|e| e.var == *var);
                self.eliminate(other, row, entry.expect("sums have no basic variable in common"));
            }
        }
        self.row_of[defined as usize] = row;
    }

    /// Forget a row, and with it what its basic variable is.
    fn drop_row(&mut self, row: RowIndex) {
        self.row_of[self.basic[row as usize] as usize] = NONE;
        self.basic[row as usize] = NONE;
        while let Some(at) = self.rows[row as usize].len().checked_sub(1) {
            self.remove(row, at);
        }
        self.free.push(row);
    }

    /// Make `entering` basic in the row instead of what is. Other rows with it are forgotten if nobody needs their basic variable.
    pub(crate) fn pivot(&mut self, row: RowIndex, entering: Index, is_needed: impl Fn(Index) -> bool) {
        let leaving = std::mem::replace(&mut self.basic[row as usize], entering);
        self.row_of[leaving as usize] = NONE;
        self.row_of[entering as usize] = row;
        // What is pivoted on comes first in its column.
        let column = &mut self.columns[entering as usize];
        let place = column.iter().position(|&(r, _)| r == row).expect("the row has the variable");
        column.swap(0, place);
        for place in [0, place] {
            let (row, at) = self.columns[entering as usize][place];
            self.rows[row as usize][at as usize].place = place as u32;
        }
        while let Some(&(other, at)) = self.columns[entering as usize].get(1) {
            match is_needed(self.basic[other as usize]) {
                true => self.eliminate(row, other, at as usize),
                false => self.drop_row(other),
            }
        }
    }

    /// Take a variable that is basic in row `source` out of row `target`, which has it at this position.
    fn eliminate(&mut self, source: RowIndex, target: RowIndex, at: usize) {
        let (a, b) = (self.pivot_of(source), &self.rows[target as usize][at].coefficient);
        let common = a.gcd(b);
        let (mut keep, mut add) = (a / &common, -(b / &common));
        if keep.is_negative() {
            (keep, add) = (-keep, -add);
        }
        if !keep.is_one() {
            self.rows[target as usize].iter_mut().for_each(|e| e.coefficient *= &keep);
        }
        for (at, entry) in self.rows[target as usize].iter().enumerate() {
            self.positions[entry.var as usize] = at as u32 + 1;
        }
        let source_row = std::mem::take(&mut self.rows[source as usize]);
        for entry in &source_row {
            match self.positions[entry.var as usize] {
                0 => self.push(target, entry.var, &entry.coefficient * &add),
                at => {
                    let sum = &mut self.rows[target as usize][at as usize - 1].coefficient;
                    sum.add_product(&entry.coefficient, &add)
                }
            }
        }
        self.rows[source as usize] = source_row;
        self.clean(target);
    }

    fn push(&mut self, row: RowIndex, var: Index, coefficient: Rational) {
        let (entries, column) = (&mut self.rows[row as usize], &mut self.columns[var as usize]);
        let place = column.len() as u32;
        column.push((row, entries.len() as u32));
        entries.push(Entry { var, coefficient, place });
    }

    /// Take out what has become 0, and common factors.
    fn clean(&mut self, row: RowIndex) {
        let mut common = Rational::ZERO;
        let mut at = 0;
        while let Some(entry) = self.rows[row as usize].get(at) {
            self.positions[entry.var as usize] = 0;
            if entry.coefficient.is_zero() {
                self.remove(row, at);
                continue;
            }
            if !common.is_one() {
                common = common.gcd(&entry.coefficient);
            }
            at += 1;
        }
        if !common.is_one() {
            self.rows[row as usize].iter_mut().for_each(|e| e.coefficient = &e.coefficient / &common);
        }
    }

    fn remove(&mut self, row: RowIndex, at: usize) {
        let Entry { var, place, .. } = self.rows[row as usize].swap_remove(at);
        let column = &mut self.columns[var as usize];
        column.swap_remove(place as usize);
        if let Some(&(moved_row, moved_at)) = column.get(place as usize) {
            // The entry that moved in the column may be the one that is about to move in the row.
            let moved_at = match moved_row == row && moved_at as usize == self.rows[row as usize].len() {
                true => at,
                false => moved_at as usize,
            };
            self.rows[moved_row as usize][moved_at].place = place;
        }
        if let Some(entry) = self.rows[row as usize].get(at) {
            self.columns[entry.var as usize][entry.place as usize] = (row, at as u32);
        }
    }

    /// Do rows and columns say the same?
    #[cfg(test)]
    pub(crate) fn check_invariants(&self) {
        for (r, row) in self.rows.iter().enumerate() {
            for (at, entry) in row.iter().enumerate() {
                assert_eq!(
                    self.columns[entry.var as usize][entry.place as usize],
                    (r as RowIndex, at as u32)
                );
                assert!(!entry.coefficient.is_zero() && entry.coefficient.is_integer());
            }
            assert_eq!(row.is_empty(), self.basic[r] == NONE);
            if let Some(&basic) = self.basic.get(r).filter(|&&b| b != NONE) {
                assert_eq!(self.columns[basic as usize].len(), 1, "a basic variable has one row");
                assert_eq!(self.row_of[basic as usize], r as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_keep_their_meaning() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..300 {
            let mut tableau = Tableau::default();
            let n = rng.u32(2..8);
            let mut values: Vec<Rational> = (0..n).map(|_| Rational::from(rng.i64(-9..10))).collect();
            (0..n).for_each(|_| _ = tableau.new_var());
            for _ in 0..30 {
                let rows: Vec<RowIndex> = tableau.rows().collect();
                let is_gone = |tableau: &Tableau, v: Index| {
                    v >= n && tableau.row_of(v).is_none() && tableau.column(v).is_empty()
                };
                if rng.u8(..3) == 0 || rows.is_empty() {
                    let mut sum: Vec<(Index, Rational)> = Vec::new();
                    for var in 0..tableau.row_of.len() as Index {
                        let c = rng.i64(-3..4);
                        if c != 0 && rng.bool() && !is_gone(&tableau, var) {
                            sum.push((var, Rational::from(c)));
                        }
                    }
                    let mut value = Rational::ZERO;
                    sum.iter().for_each(|(v, c)| value += &(c * &values[*v as usize]));
                    values.push(value);
                    let defined = tableau.new_var();
                    tableau.define(defined, &sum);
                } else {
                    let row = rows[rng.usize(..rows.len())];
                    let entries = tableau.row(row);
                    let entering = entries[rng.usize(..entries.len())].var;
                    if entering != tableau.basic(row) {
                        tableau.pivot(row, entering, |v| v < n || v % 3 > 0);
                    }
                }
                tableau.check_invariants();
                for row in tableau.rows() {
                    let mut sum = Rational::ZERO;
                    tableau.row(row).iter().for_each(|e| sum += &(&e.coefficient * &values[e.var as usize]));
                    assert!(sum.is_zero());
                }
            }
        }
    }
}
