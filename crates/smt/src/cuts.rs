//! Gomory's mixed integer cuts (Dutertre, de Moura, *Integrating Simplex with DPLL(T)*, SRI-CSL-06-01, "Gomory cuts").
//!
//! The row of a fractional integer x says x + Σ a·v = 0. Where every v is at a bound, let y ≥ 0 be its distance from there: then x + Σ a·y = β, with
//! the signs of a turned for upper bounds, where β is the present value. With f the fractional part of β, integers x satisfy
//!
//! - Σ g·y ≥ 1, where g is a/f for a > 0 and −a/(1 − f) for a < 0,
//!
//! and the present values, for which all y are 0, do not. If v is an integer, too, any integer may be added to its a, since that changes x by an
//! integer: the fractional part of a, or that minus 1, gives the smaller g. If a is an integer, g is 0 and v may be anywhere.
//!
//! A cut holds where the bounds do that it uses, so it becomes a lemma: one of these bounds does not hold, or the cut does. Bounds that hold for
//! good drop out of it. What it says is an atom over numbers like any other, and stays.

use crate::arithmetic::Arithmetic;
use crate::atom::{ArithVar, Normal, normalize};
use crate::rational::Rational;
use crate::tableau::RowIndex;
use indubit_logic::Lit;
use indubit_sat::theory::Completion;

/// So many at most in one query.
const MAX: u64 = 64;
/// Larger coefficients soon make huge ones.
const MAX_COEFFICIENT: i64 = 1000;

/// Where all `reasons` hold, so does the atom.
#[derive(Debug)]
struct Cut {
    atom: Normal,
    reasons: Vec<Lit>,
}

impl Arithmetic {
    /// A cut that the present values violate, as a lemma in `clause`.
    pub(crate) fn cut(&mut self, clause: &mut Vec<Lit>, ticks: &mut u64) -> Option<Completion> {
        if !self.config.cuts
            || self.config.interpolation
            || self.n_splits_in_query < self.config.cuts_after
            || self.n_cuts_in_query >= MAX
        {
            return None;
        }
        let rows = self.simplex.tableau.rows();
        let cuts = rows.filter_map(|row| {
            *ticks += 1 + self.simplex.tableau.row(row).len() as u64 / 4;
            self.gomory(row)
        });
        let Cut { atom, reasons } = cuts.min_by_key(Cut::cost)?;
        self.n_cuts += 1;
        self.n_cuts_in_query += 1;
        let lit = self.literal(atom);
        clause.extend(reasons.iter().map(|&l| !l));
        if lit == Lit::FALSE {
            self.n_conflicts += 1;
            return Some(Completion::Conflict(0));
        }
        clause.insert(0, lit);
        Some(Completion::Lemma(0))
    }

    /// The cut of a row whose basic variable is a fractional integer, and all of whose other variables are at a bound.
    fn gomory(&self, row: RowIndex) -> Option<Cut> {
        let tableau = &self.simplex.tableau;
        let (basic, pivot) = (tableau.basic(row), tableau.pivot_of(row));
        let value = self.simplex.value(basic);
        if !self.columns[basic as usize].is_integer || value.real.is_integer() {
            return None;
        }
        let fraction = |r: &Rational| r - &r.floor();
        let f = fraction(&value.real);
        let rest = &Rational::ONE - &f;
        // Σ g·y ≥ 1 as sum ≤ bound, with a distance to a lower bound −(l − v), to an upper one u − v.
        let mut sum: Vec<(ArithVar, Rational)> = Vec::new();
        let mut bound = Rational::from(-1);
        let mut reasons = Vec::new();
        for entry in tableau.row(row).iter().filter(|e| e.var != basic) {
            let column = &self.columns[entry.var as usize];
            let mut a = &entry.coefficient / pivot;
            if column.is_integer && a.is_integer() {
                continue;
            }
            let (limits, value) = (self.simplex.limits(entry.var), self.simplex.value(entry.var));
            if let (true, Some(lower), Some(upper)) = (limits.is_fixed(), &limits.lower, &limits.upper) {
                reasons.extend([lower.reason, upper.reason]);
                continue;
            }
            let is_at_upper = limits.upper.as_ref().is_some_and(|b| b.value == *value);
            let at = if is_at_upper { &limits.upper } else { &limits.lower };
            let at = at.as_ref().filter(|b| b.value == *value)?;
            reasons.push(at.reason);
            if is_at_upper {
                a = -a;
            }
            if column.is_integer {
                a = fraction(&a);
                if a > f {
                    a -= &Rational::ONE;
                }
            }
            let mut g = if a.is_positive() { &a / &f } else { -(&a / &rest) };
            if !is_at_upper {
                g = -g;
            }
            bound.add_product(&g, &at.value.real);
            sum.extend(column.sum.iter().map(|(v, c)| (*v, c * &g)));
        }
        let atom = normalize(&sum, &bound, false, |v| self.is_integer(v));
        let cut = Cut { atom, reasons };
        cut.is_handy().then_some(cut)
    }
}

impl Cut {
    fn terms(&self) -> &[(ArithVar, Rational)] {
        match &self.atom {
            Normal::Constant(_) => &[],
            Normal::Atom { atom, .. } => &atom.sum,
        }
    }
    /// Are its coefficients small?
    fn is_handy(&self) -> bool {
        let max = Rational::from(MAX_COEFFICIENT);
        self.terms().iter().all(|(_, c)| c.abs() <= max)
    }
    /// Short ones that need little are preferred.
    fn cost(&self) -> (usize, usize) {
        (self.terms().len(), self.reasons.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::ArithConfig;
    use indubit_run::Cancel;
    use indubit_sat::theory::Theory as _;

    /// All points of a box: integers, and multiples of 1/2 for reals.
    fn points(integers: &[bool]) -> Vec<Vec<Rational>> {
        integers.iter().fold(vec![Vec::new()], |points, &is_integer| {
            let steps = if is_integer { 1 } else { 2 };
            let values = (-4 * steps..=4 * steps).map(|n| Rational::new(n, steps));
            values
                .flat_map(|v| points.iter().map(move |p| [&p[..], std::slice::from_ref(&v)].concat()))
                .collect()
        })
    }

    #[test]
    fn cuts_exclude_the_present_values_and_no_integers() {
        let mut rng = fastrand::Rng::with_seed(5);
        let (mut n_cuts, mut n_mixed) = (0, 0);
        for _ in 0..400 {
            let mut theory = Arithmetic::new(&Cancel::new(), ArithConfig::default());
            let integers: Vec<bool> = (0..rng.usize(2..4)).map(|_| rng.u8(..4) > 0).collect();
            let numbers: Vec<ArithVar> = integers.iter().map(|&i| theory.number(i)).collect();
            for position in 0..rng.usize(2..9) {
                let sum: Vec<(ArithVar, Rational)> = (0..rng.usize(1..4))
                    .map(|_| (numbers[rng.usize(..numbers.len())], Rational::from(rng.i64(-5..6))))
                    .collect();
                let lit = theory.at_most(&sum, &Rational::new(rng.i64(-9..10), rng.i64(1..3)), rng.bool());
                if lit.is_const() {
                    continue;
                }
                theory.assign(lit, position, false);
                if theory.propagate(&mut Vec::new(), &mut Vec::new(), &mut 0).unwrap().is_some() {
                    theory.backtrack(position);
                    continue;
                }
                for row in theory.simplex.tableau.rows() {
                    let Some(Cut { atom, reasons }) = theory.gomory(row) else { continue };
                    n_cuts += 1;
                    n_mixed += usize::from(integers.contains(&false));
                    let lit = theory.literal(atom);
                    let atom = theory.meaning(lit);
                    assert!(atom.is_some() || lit == Lit::FALSE);
                    let holds =
                        |value: &dyn Fn(ArithVar) -> Rational| atom.as_ref().is_some_and(|a| a.holds(value));
                    let present =
                        |v: ArithVar| theory.simplex.value(theory.numbers[v.0 as usize]).real.clone();
                    assert!(!holds(&present), "{atom:?}");
                    let reasons: Vec<_> = reasons.iter().map(|&l| theory.meaning(l).unwrap()).collect();
                    for point in points(&integers) {
                        let value = |v: ArithVar| point[v.0 as usize].clone();
                        let is_meant = reasons.iter().all(|r| r.holds(value));
                        assert!(!is_meant || holds(&value), "{atom:?} at {point:?}");
                    }
                }
            }
        }
        assert!(n_cuts > 200 && n_mixed > 20, "{n_cuts} and {n_mixed}");
    }
}
