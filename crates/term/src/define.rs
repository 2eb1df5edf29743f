//! Definitions: where a formula says what a variable is.

use crate::{Op, Sort, Sum, Term, Terms};
use num_traits::{One, Signed, Zero};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many definitions can rest on each other.
const MAX_ROUNDS: usize = 30;

impl Terms {
    /// Which of these variables does a formula define, by which terms without such variables, and what else does it say? With
    /// `accept(is_constant)` a definition counts.
    pub fn definitions(
        &mut self,
        formula: Term,
        variables: &FxHashSet<Term>,
        accept: impl Fn(bool) -> bool,
    ) -> (FxHashMap<Term, Term>, Term) {
        let mut found: FxHashMap<Term, Term> = FxHashMap::default();
        let mut rest = self.conjuncts(formula);
        // Most values mention no such variable: that is found out once for all.
        let mut mentioning: FxHashSet<Term> = FxHashSet::default();
        let cone = self.cone(&[formula]);
        for &term in &cone {
            if variables.contains(&term) || self.args(term).iter().any(|arg| mentioning.contains(arg)) {
                mentioning.insert(term);
            }
        }
        for _ in 0..MAX_ROUNDS {
            let before = rest.len();
            let mut left = Vec::new();
            for conjunct in rest {
                let definition =
                    sides(self, conjunct, variables).into_iter().find_map(|(variable, value)| {
                        if !variables.contains(&variable) || found.contains_key(&variable) {
                            return None;
                        }
                        // A value that is made here of what the formula has need not be a part of it.
                        let mut value = value;
                        if mentioning.contains(&value) || cone.binary_search(&value).is_err() {
                            let is_open = |v: &Term| variables.contains(v) && !found.contains_key(v);
                            if self.variables(&[value]).iter().any(is_open) {
                                return None;
                            }
                            value = self.substitute(value, &found);
                        }
                        accept(self.value(value).is_some()).then_some((variable, value))
                    });
                match definition {
                    Some((variable, value)) => drop(found.insert(variable, value)),
                    None => left.push(conjunct),
                }
            }
            rest = left;
            if rest.len() == before {
                break;
            }
        }
        let rest = self.and(&rest);
        let rest = self.substitute(rest, &found);
        (found, rest)
    }
}

/// What the formula says is equal to what, as far as one side may be one of the variables.
fn sides(terms: &mut Terms, formula: Term, variables: &FxHashSet<Term>) -> Vec<(Term, Term)> {
    let inner = if terms.op(formula) == Op::Not { terms.args(formula)[0] } else { formula };
    let negated = inner != formula;
    let mut sides = Vec::new();
    if let (Op::Eq, &[a, b]) = (terms.op(inner), terms.args(inner)) {
        if !negated {
            sides.extend([(a, b), (b, a)]);
            if terms.sort(a).is_number() {
                sides.extend(solved(terms, a, b, variables));
            }
        } else if terms.sort(a) == Sort::Bool {
            let (not_a, not_b) = (terms.not(a), terms.not(b));
            sides.extend([(a, not_b), (b, not_a)]);
        }
    } else if terms.is_var(inner) {
        sides.push((inner, terms.bool(!negated)));
    }
    sides
}

/// An equality of numbers, solved for each of the variables in it. Integers must not be divided.
fn solved(terms: &mut Terms, a: Term, b: Term, variables: &FxHashSet<Term>) -> Vec<(Term, Term)> {
    let sort = terms.sort(a);
    let minus = -num_rational::BigRational::one();
    let sum = terms.sum(a).plus(&minus, &terms.sum(b));
    let mut found = Vec::new();
    for (variable, factor) in sum.monomials.iter().filter(|(v, _)| variables.contains(v)) {
        if sort == Sort::Int && !factor.abs().is_one() {
            continue;
        }
        let only = Sum { monomials: vec![(*variable, factor.clone())], constant: Zero::zero() };
        // factor · variable + rest = 0
        let rest = sum.plus(&minus, &only).scaled(&(&minus / factor));
        found.push((*variable, terms.of_sum(&rest, sort)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_rest_on_each_other() {
        let mut terms = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.var(name, Sort::Int));
        let one = terms.int(1);
        // x = y + 1, 2 z = x, y = 1
        let more = terms.add(&[y, one]);
        let two_z = terms.add(&[z, z]);
        let all = [terms.eq(x, more), terms.eq(two_z, x), terms.eq(y, one)];
        let formula = terms.and(&all);
        let variables = [x, y, z].into_iter().collect();
        let (found, rest) = terms.definitions(formula, &variables, |_| true);
        let two = terms.int(2);
        assert_eq!((found.get(&x), found.get(&y), found.get(&z)), (Some(&two), Some(&one), None));
        let left = terms.eq(two_z, two);
        assert_eq!(rest, left);
    }
}
