//! Linear equalities of numbers that hold in all reachable states, location by location (M. Karr, *Affine Relationships Among Variables of a
//! Program*, Acta Informatica 1976).
//!
//! They are found by symbolic abstraction (T. Reps, M. Sagiv, G. Yorsh, VMCAI 2004): of each location we know the affine hull of states that may be there.
//! An initial state, or a step from a hull, that ends outside of all hulls makes one of them larger by a dimension. When the solver finds none,
//! all reachable states are inside. So there are as many queries as dimensions of locations, and not more.
//!
//! IC3 gets the equalities as predicates from the start. Interpolants may find such an equality one number at a time: `x ≤ 1`, `x ≤ 2`, …

use super::affine::{Equation, Hull};
use super::problem::WordProblem;
use indubit_logic::Lit;
use indubit_run::{Ask, Run, Stop};
use indubit_smt::{Rational, Smt, SmtConfig};
use indubit_term::{Op, Sort, Term, Terms, Value};
use std::collections::HashMap;

/// With more locations than this, there is one only.
const MAX_LOCATIONS: usize = 64;
/// With more numbers than this, hulls are not looked for: their equations have many numbers with large coefficients before they become simple.
const MAX_NUMBERS: usize = 16;
/// A number that tells locations apart has at most so many values.
const MAX_VALUES: usize = 8;

/// Equalities between the state variables of each location. None are found where the solver cannot decide.
pub(super) fn equalities(problem: &WordProblem, terms: &mut Terms, run: &Run<'_>) -> Ask<Vec<Term>> {
    let mut search = Search::new(problem, terms, run);
    match search.find_control().and_then(|()| search.find_hulls()) {
        Ok(true) => Ok(search.result()),
        Ok(false) | Err(Stop::Incomplete(_)) => Ok(Vec::new()),
        Err(stop) => Err(stop),
    }
}

/// Where the state variables that are not numbers, and numbers with few values, have these values.
struct Location {
    values: Vec<Value>,
    hull: Hull,
    /// The values and the equations of the hull.
    now: Vec<Lit>,
    /// Switches clauses on: some of these do not hold, before and after a step.
    not_now: Lit,
    not_next: Lit,
}

struct Search<'s> {
    problem: &'s WordProblem,
    terms: &'s mut Terms,
    smt: Smt,
    init: Lit,
    step: Lit,
    priming: HashMap<Term, Term>,
    /// What tells locations apart, and the other state variables.
    control: Vec<Term>,
    numbers: Vec<Term>,
    locations: Vec<Location>,
}

impl<'s> Search<'s> {
    fn new(problem: &'s WordProblem, terms: &'s mut Terms, run: &Run<'_>) -> Search<'s> {
        let mut smt = Smt::new(run.cancel(), SmtConfig { interpolation: false, seed: run.seed });
        let init = smt.literal(terms, 0, problem.system.init);
        let step = smt.literal(terms, 0, problem.system.trans);
        let (numbers, control) = problem.currents().partition(|&v| terms.sort(v).is_number());
        let priming = problem.priming();
        Search { problem, terms, smt, init, step, priming, control, numbers, locations: Vec::new() }
    }
    /// A formula as a literal, before or after a step.
    fn literal(&mut self, formula: Term, is_next: bool) -> Lit {
        let formula = if is_next { self.terms.substitute(formula, &self.priming) } else { formula };
        self.smt.literal(self.terms, 0, formula)
    }
    fn value(&self, var: Term, is_next: bool) -> Value {
        let var = if is_next { self.priming[&var] } else { var };
        self.smt.value_of(self.terms, var)
    }

    /// Numbers that have few values tell locations apart, too.
    fn find_control(&mut self) -> Ask<()> {
        for var in std::mem::take(&mut self.numbers) {
            let is_control = self.is_assigned_constants(var) && self.has_few_values(var)?;
            if is_control { &mut self.control } else { &mut self.numbers }.push(var);
        }
        Ok(())
    }
    /// Is it compared with constants and with itself only?
    fn is_assigned_constants(&self, var: Term) -> bool {
        let versions = [var, self.priming[&var]];
        let system = &self.problem.system;
        self.terms.cone(&[system.init, system.trans]).into_iter().all(|term| {
            let args = self.terms.args(term);
            match self.terms.op(term) {
                Op::Eq | Op::Le | Op::Lt => {
                    let leaves = self.leaves(args);
                    leaves.iter().all(|l| !versions.contains(l))
                        || leaves.iter().all(|l| versions.contains(l) || self.terms.value(*l).is_some())
                }
                Op::Ite => true,
                _ => args.iter().all(|a| !versions.contains(a)),
            }
        })
    }
    /// What choices between terms are made of.
    fn leaves(&self, terms: &[Term]) -> Vec<Term> {
        let (mut stack, mut leaves) = (terms.to_vec(), Vec::new());
        while let Some(term) = stack.pop() {
            match self.terms.op(term) {
                Op::Ite => stack.extend(&self.terms.args(term)[1..]),
                _ => leaves.push(term),
            }
        }
        leaves
    }
    fn has_few_values(&mut self, var: Term) -> Ask<bool> {
        let mut values: Vec<Term> = Vec::new();
        for (query, is_next) in [(self.init, false), (self.step, true)] {
            loop {
                let among: Vec<Term> = values.iter().map(|&v| self.terms.eq(var, v)).collect();
                let among = self.terms.or(&among);
                let mut assumptions = vec![(0, query), (0, !self.literal(among, is_next))];
                if is_next {
                    assumptions.push((0, self.literal(among, false)));
                }
                if !self.smt.solve(&assumptions)? {
                    break;
                }
                if values.len() == MAX_VALUES {
                    return Ok(false);
                }
                let value = self.value(var, is_next);
                values.push(self.terms.constant(value));
            }
        }
        Ok(true)
    }

    /// Larger and larger hulls, until all reachable states are inside. If there are too many locations, a single one.
    fn find_hulls(&mut self) -> Ask<bool> {
        if self.numbers.is_empty() || self.numbers.len() > MAX_NUMBERS {
            return Ok(false);
        }
        let mut changed = Vec::new();
        loop {
            let outside = self.locations.iter().map(|l| (0, l.not_now));
            let assumptions: Vec<(u32, Lit)> = [(0, self.init)].into_iter().chain(outside).collect();
            if !self.smt.solve(&assumptions)? {
                break;
            }
            let at = self.absorb(false);
            changed.push(at);
            if self.merge(&mut changed) {
                return self.find_hulls();
            }
        }
        while let Some(from) = changed.pop() {
            loop {
                let inside = self.locations[from].now.iter().map(|&l| (0, l));
                let outside = self.locations.iter().map(|l| (0, l.not_next));
                let assumptions: Vec<(u32, Lit)> =
                    [(0, self.step)].into_iter().chain(inside).chain(outside).collect();
                if !self.smt.solve(&assumptions)? {
                    break;
                }
                let at = self.absorb(true);
                if at != from && !changed.contains(&at) {
                    changed.push(at);
                }
                if self.merge(&mut changed) {
                    return self.find_hulls();
                }
            }
        }
        Ok(true)
    }
    /// Too many locations: there will be one.
    fn merge(&mut self, changed: &mut Vec<usize>) -> bool {
        if self.locations.len() <= MAX_LOCATIONS {
            return false;
        }
        changed.clear();
        self.locations.clear();
        let control = std::mem::take(&mut self.control);
        self.numbers.extend(control.into_iter().filter(|&v| self.terms.sort(v).is_number()));
        true
    }
    /// Make the hull of a location large enough for the state in the last model.
    fn absorb(&mut self, is_next: bool) -> usize {
        let values: Vec<Value> = self.control.iter().map(|&v| self.value(v, is_next)).collect();
        let number = |&v: &Term| self.value(v, is_next).as_rational().map_or(Rational::ZERO, Rational::from);
        let point: Vec<Rational> = self.numbers.iter().map(number).collect();
        let at = match self.locations.iter().position(|l| l.values == values) {
            Some(at) => {
                self.locations[at].hull.join(&point);
                at
            }
            None => {
                let (hull, [not_now, not_next]) = (Hull::new(point), [Lit::FALSE; 2]);
                self.locations.push(Location { values, hull, now: Vec::new(), not_now, not_next });
                self.locations.len() - 1
            }
        };
        self.encode(at);
        at
    }
    /// Tell the solver what the hull of a location is now.
    fn encode(&mut self, at: usize) {
        let Location { values, hull, .. } = &self.locations[at];
        let (values, equations) = (values.clone(), hull.equations());
        let mut inside = super::problem::equalities(self.terms, &self.control, &values);
        inside.extend(equations.iter().map(|e| self.equality(e)));
        let [(now, not_now), (_, not_next)] = [false, true].map(|is_next| {
            let lits: Vec<Lit> = inside.iter().map(|&t| self.literal(t, is_next)).collect();
            let switch = self.smt.proposition();
            let outside: Vec<Lit> = lits.iter().map(|&l| !l).chain([!switch]).collect();
            self.smt.add_clause(0, &outside);
            (lits, switch)
        });
        let location = &mut self.locations[at];
        (location.now, location.not_now, location.not_next) = (now, not_now, not_next);
    }
    fn equality(&mut self, equation: &Equation) -> Term {
        let all_integers =
            equation.coefficients.iter().all(|&(at, _)| self.terms.sort(self.numbers[at]) == Sort::Int);
        let sort = if all_integers { Sort::Int } else { Sort::Real };
        let mut parts = Vec::new();
        for (at, coefficient) in &equation.coefficients {
            let number = self.numbers[*at];
            let number = if all_integers { number } else { self.terms.as_real(number) };
            parts.push(self.terms.scale(coefficient, number));
        }
        let sum = self.terms.add(&parts);
        let constant = self.terms.constant(Value::number(sort, equation.constant.clone()));
        self.terms.eq(sum, constant)
    }
    /// The equations of all locations, each once. That a single number has one value is something that interpolants find, too.
    fn result(&mut self) -> Vec<Term> {
        let equations: Vec<Equation> = self.locations.iter().flat_map(|l| l.hull.equations()).collect();
        let mut found: Vec<Term> = Vec::new();
        for equation in equations.iter().filter(|e| e.coefficients.len() > 1) {
            let equality = self.equality(equation);
            if self.terms.value(equality).is_none() && !found.contains(&equality) {
                found.push(equality);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_run::{Cancel, Ignore};
    use indubit_system::{WordSystem, WordVar};

    /// Units go from x to y to z, one at a time; `full` tells when y has one. There are n of them.
    fn transfer(control: Sort) -> WordProblem {
        let mut system = WordSystem::new();
        let [x, y, z, n] = ["x", "y", "z", "n"].map(|name| system.add_state(name, Sort::Int));
        let full = system.add_state("full", control);
        let terms = &mut system.terms;
        let [zero, one] = [0, 1].map(|i| terms.int(i));
        let [no, yes] =
            if control == Sort::Bool { [terms.bool(false), terms.bool(true)] } else { [zero, one] };
        let mut step = |from: WordVar, to: WordVar, [before, after]: [Term; 2]| {
            let mut parts = vec![terms.eq(full.current, before), terms.eq(full.next, after)];
            for var in [x, y, z, n] {
                let value = match var {
                    var if var == from => terms.sub(var.current, one),
                    var if var == to => terms.add(&[var.current, one]),
                    var => var.current,
                };
                parts.push(terms.eq(var.next, value));
            }
            terms.and(&parts)
        };
        let steps = [step(x, y, [no, yes]), step(y, z, [yes, no])];
        system.trans = terms.or(&steps);
        let init = [(x, n.current), (y, zero), (z, zero), (full, no)]
            .map(|(var, value)| terms.eq(var.current, value));
        system.init = terms.and(&init);
        let bad = terms.bool(false);
        WordProblem { system, bad }
    }

    fn found(problem: &WordProblem) -> Vec<String> {
        let mut terms = problem.system.terms.clone();
        let mut observer = Ignore;
        let run = Run::new(Cancel::new(), &mut observer);
        let found = equalities(problem, &mut terms, &run).unwrap();
        found.iter().map(|&e| terms.display(e).to_string()).collect()
    }

    #[test]
    fn each_location_has_its_own_equalities() {
        for control in [Sort::Bool, Sort::Int] {
            assert_eq!(found(&transfer(control)), ["(= (+ x z) n)", "(= (+ x z 1) n)"]);
        }
    }

    #[test]
    fn with_many_locations_there_is_one() {
        let mut problem = transfer(Sort::Bool);
        for i in 0..7 {
            problem.system.add_state(&format!("free {i}"), Sort::Bool);
        }
        assert_eq!(found(&problem), ["(= (+ x y z) n)"]);
    }

    #[test]
    fn nothing_holds_of_numbers_that_may_be_anything() {
        let mut problem = transfer(Sort::Bool);
        problem.system.init = problem.system.terms.bool(true);
        assert_eq!(found(&problem), [""; 0]);
    }
}
