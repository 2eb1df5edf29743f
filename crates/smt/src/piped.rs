//! Another solver behind the face of ours, for theories that ours does not have: each query is a script for [`External`].

use crate::{External, Opinion, Smt};
use indubit_interpolate::System;
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Cancel, Run, Stop};
use indubit_term::{Sort, Term, Terms, Value};
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// Answers queries about formulas over terms.
pub trait TermSolver {
    /// A new proposition.
    fn proposition(&mut self, terms: &mut Terms) -> Lit;
    /// The literal that is equivalent to a formula; what defines it goes to a part.
    fn literal(&mut self, terms: &Terms, part: u32, formula: Term) -> Lit;
    /// Add the disjunction of literals to a part.
    fn add_clause(&mut self, part: u32, lits: &[Lit]);
    /// Is there a model in which all assumptions hold, each in its part?
    fn solve(&mut self, terms: &mut Terms, assumptions: &[(u32, Lit)]) -> Ask<bool>;
    /// May the assumption have been used in the last refutation?
    fn failed(&self, lit: Lit) -> bool;
    /// The value of a literal in the last model.
    fn value(&self, terms: &Terms, lit: Lit) -> bool;
    /// The value of a variable in the last model; anything, if nothing mentions it.
    fn value_of(&self, terms: &Terms, var: Term) -> Value;
    /// After a refutation: the interpolants at some cuts.
    fn interpolants(
        &mut self,
        terms: &mut Terms,
        cuts: RangeInclusive<u32>,
        system: System,
    ) -> Ask<Vec<Term>>;
    /// Tell the observer what this took.
    fn report(&self, run: &mut Run<'_>);
}

impl TermSolver for Smt {
    fn proposition(&mut self, _terms: &mut Terms) -> Lit {
        Smt::proposition(self)
    }
    fn literal(&mut self, terms: &Terms, part: u32, formula: Term) -> Lit {
        Smt::literal(self, terms, part, formula)
    }
    fn add_clause(&mut self, part: u32, lits: &[Lit]) {
        Smt::add_clause(self, part, lits);
    }
    fn solve(&mut self, _terms: &mut Terms, assumptions: &[(u32, Lit)]) -> Ask<bool> {
        Smt::solve(self, assumptions)
    }
    fn failed(&self, lit: Lit) -> bool {
        Smt::failed(self, lit)
    }
    fn value(&self, _terms: &Terms, lit: Lit) -> bool {
        Smt::value(self, lit)
    }
    fn value_of(&self, terms: &Terms, var: Term) -> Value {
        Smt::value_of(self, terms, var)
    }
    fn interpolants(
        &mut self,
        terms: &mut Terms,
        cuts: RangeInclusive<u32>,
        system: System,
    ) -> Ask<Vec<Term>> {
        Smt::interpolants(self, terms, cuts, system)
    }
    fn report(&self, run: &mut Run<'_>) {
        Smt::report(self, run);
    }
}

/// A solver by a pipe.
pub struct Piped {
    solver: External,
    cancel: Cancel,
    /// The formula of each variable, from number 1.
    formulas: Vec<Term>,
    literals: HashMap<Term, Lit>,
    clauses: Vec<Vec<Lit>>,
    model: HashMap<Term, Value>,
    n_queries: u64,
}

impl Piped {
    /// Nothing is asserted.
    pub fn new(solver: External, cancel: &Cancel) -> Piped {
        Piped {
            solver,
            cancel: cancel.clone(),
            formulas: Vec::new(),
            literals: HashMap::new(),
            clauses: Vec::new(),
            model: HashMap::new(),
            n_queries: 0,
        }
    }
    fn formula(&self, terms: &mut Terms, lit: Lit) -> Term {
        if lit.is_const() {
            return terms.bool(lit == Lit::TRUE);
        }
        let formula = self.formulas[lit.var().index() - 1];
        if lit.is_negated() { terms.not(formula) } else { formula }
    }
}

impl TermSolver for Piped {
    fn proposition(&mut self, terms: &mut Terms) -> Lit {
        let fresh = terms.var(".proposition", Sort::Bool);
        self.literal(terms, 0, fresh)
    }
    fn literal(&mut self, terms: &Terms, _part: u32, formula: Term) -> Lit {
        if let Some(value) = terms.as_bool(formula) {
            return Lit::constant(value);
        }
        let formulas = &mut self.formulas;
        *self.literals.entry(formula).or_insert_with(|| {
            formulas.push(formula);
            Lit::positive(Var::from_index(formulas.len()))
        })
    }
    fn add_clause(&mut self, _part: u32, lits: &[Lit]) {
        self.clauses.push(lits.to_vec());
    }
    fn solve(&mut self, terms: &mut Terms, assumptions: &[(u32, Lit)]) -> Ask<bool> {
        self.n_queries += 1;
        let mut query: Vec<Term> = assumptions.iter().map(|&(_, lit)| self.formula(terms, lit)).collect();
        for clause in &self.clauses {
            let lits: Vec<Term> = clause.iter().map(|&lit| self.formula(terms, lit)).collect();
            query.push(terms.or(&lits));
        }
        let vars = terms.variables(&query);
        match self.solver.ask_values(terms, &query, &vars, &self.cancel)? {
            (Opinion::Unsat, _) => Ok(false),
            (Opinion::Unknown(_), _) => Err(Stop::Incomplete("the other solver does not know")),
            (Opinion::Sat, values) => {
                let values =
                    values.ok_or(Stop::Incomplete("the other solver has a model that we cannot read"))?;
                self.model = vars.into_iter().zip(values).collect();
                // What has no value, a division by zero, may be anything.
                let is_false =
                    |&formula: &Term| terms.holds(formula, &|var| self.value_of(terms, var)) == Ok(false);
                match query.iter().any(is_false) {
                    true => Err(Stop::Incomplete("the other solver has a model that is none")),
                    false => Ok(true),
                }
            }
        }
    }
    fn failed(&self, _lit: Lit) -> bool {
        true
    }
    fn value(&self, terms: &Terms, lit: Lit) -> bool {
        if lit.is_const() {
            return lit == Lit::TRUE;
        }
        let formula = self.formulas[lit.var().index() - 1];
        // What has no value is as good as false: whoever asks looks for what is true.
        terms.holds(formula, &|var| self.value_of(terms, var)).unwrap_or(false) != lit.is_negated()
    }
    fn value_of(&self, terms: &Terms, var: Term) -> Value {
        self.model.get(&var).cloned().unwrap_or_else(|| Value::zero(terms.sort(var)))
    }
    fn interpolants(&mut self, _: &mut Terms, _: RangeInclusive<u32>, _: System) -> Ask<Vec<Term>> {
        Err(Stop::Incomplete("the other solver gives no interpolants"))
    }
    fn report(&self, run: &mut Run<'_>) {
        run.count("queries", self.n_queries);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_have_models_and_refutations() {
        let z3 = External::new("z3").unwrap();
        if !z3.is_installed() {
            return;
        }
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.var(name, Sort::Int));
        let (product, fifteen, one) = (terms.mul(x, y), terms.int(-15), terms.int(1));
        let is_product = terms.eq(product, fifteen);
        let [x_large, y_large] = [x, y].map(|v| terms.lt(one, v));
        let mut piped = Piped::new(z3, &Cancel::new());
        let [a, b, c] = [is_product, x_large, y_large].map(|t| piped.literal(&terms, 0, t));
        assert_eq!(piped.solve(&mut terms, &[(0, a), (0, b)]), Ok(true));
        assert!(piped.value(&terms, a) && piped.value(&terms, b) && !piped.value(&terms, c));
        piped.add_clause(0, &[c, Lit::FALSE]);
        assert_eq!(piped.solve(&mut terms, &[(0, a), (0, b)]), Ok(false));
    }
}
