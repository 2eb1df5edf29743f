//! Linear equalities of numbers that hold in all reachable states, location by location (M. Karr, *Affine Relationships Among Variables of a
//! Program*, Acta Informatica 1976).
//!
//! They are found by symbolic abstraction (T. Reps, M. Sagiv, G. Yorsh, VMCAI 2004): of each location we know the affine hull of states that may be there.
//! An initial state, or a step from a hull, that ends outside of all hulls makes one of them larger by a dimension. When the solver finds none,
//! all reachable states are inside. So there are as many queries as dimensions of locations, and not more.
//!
//! Before that, hulls are those of states that are reachable in a few steps. What they say may be wrong, or it is right for a reason that
//! equalities alone do not show: that `x = n` after a loop up to `n`, say, which needs `x ≤ n` in the loop.
//!
//! After it, what the steps compare numbers with tells locations apart, too: a loop may have phases, with equalities of their own.
//!
//! IC3 gets the equalities as predicates from the start. Interpolants may find such an equality one number at a time: `x ≤ 1`, `x ≤ 2`, …

use super::affine::{Equation, Hull};
use super::{WordFrames, problem};
use crate::InterpolationConfig;
use crate::bounded::{Bounded, Cuts, Interpolate};
use indubit_logic::Lit;
use indubit_run::{Ask, Run, Stop};
use indubit_smt::{Rational, Smt, SmtConfig};
use indubit_system::{Start, WordProblem};
use indubit_term::{Op, Sort, Term, Terms, Value};
use std::collections::HashMap;

/// With more locations than this, there is one only.
const MAX_LOCATIONS: usize = 64;
/// With more numbers than this, hulls are not looked for: their equations have many numbers with large coefficients before they become simple.
const MAX_NUMBERS: usize = 16;
/// A number that tells locations apart has at most so many values.
const MAX_VALUES: usize = 8;
/// With more guards than this, phases are not looked for.
const MAX_GUARDS: usize = 5;
/// States are sampled that are reachable in so many steps.
const DEPTH: usize = 16;

/// Equalities between the state variables of each location: those that hold, and those that hold for a few steps. None are found where the
/// solver cannot decide.
pub(super) fn equalities(problem: &WordProblem, terms: &mut Terms, run: &Run<'_>) -> Ask<Vec<Term>> {
    let mut search = Search::new(problem, terms, run);
    let mut found = Vec::new();
    match search.find_control().and_then(|()| search.find(&mut found, run)) {
        Ok(()) | Err(Stop::Incomplete(_)) => Ok(found),
        Err(stop) => Err(stop),
    }
}

/// Where the state variables that are not numbers, and numbers with few values, have these values.
struct Location {
    values: Vec<Value>,
    hull: Hull,
    /// That we are there, in the hull.
    inside: Term,
}

/// What tells locations apart, the other state variables, and the hull of each location.
#[derive(Default)]
struct Hulls {
    control: Vec<Term>,
    /// Formulas about numbers that tell locations apart, too.
    guards: Vec<Term>,
    numbers: Vec<Term>,
    locations: Vec<Location>,
}

impl Hulls {
    /// Make the hull of a state's location large enough for it. Which one was that?
    fn absorb(&mut self, terms: &mut Terms, state: &dyn Fn(Term) -> Value) -> usize {
        let mut values: Vec<Value> = self.control.iter().map(|&v| state(v)).collect();
        let holds = |&guard: &Term| terms.holds(guard, state).expect("linear arithmetic has values");
        values.extend(self.guards.iter().map(holds).map(Value::Bool));
        let number = |&v: &Term| state(v).as_rational().map_or(Rational::ZERO, Rational::from);
        let point: Vec<Rational> = self.numbers.iter().map(number).collect();
        let at = match self.locations.iter().position(|l| l.values == values) {
            Some(at) => {
                if !self.locations[at].hull.join(&point) {
                    return at;
                }
                at
            }
            None => {
                self.locations.push(Location { values, hull: Hull::new(point), inside: terms.bool(false) });
                self.locations.len() - 1
            }
        };
        let apart: Vec<Term> = self.control.iter().chain(&self.guards).copied().collect();
        let mut inside = problem::equalities(terms, &apart, &self.locations[at].values);
        let equations = self.locations[at].hull.equations();
        inside.extend(equations.iter().map(|e| self.equality(terms, e)));
        self.locations[at].inside = terms.and(&inside);
        at
    }
    /// Outside of all hulls.
    fn outside(&self, terms: &mut Terms) -> Term {
        let inside: Vec<Term> = self.locations.iter().map(|l| l.inside).collect();
        let inside = terms.or(&inside);
        terms.not(inside)
    }
    fn equality(&self, terms: &mut Terms, equation: &Equation) -> Term {
        let numbers: Vec<Term> = equation.coefficients.iter().map(|&(at, _)| self.numbers[at]).collect();
        let all_integers = numbers.iter().all(|&v| terms.sort(v) == Sort::Int);
        let sort = if all_integers { Sort::Int } else { Sort::Real };
        let mut parts = Vec::new();
        for (number, (_, coefficient)) in numbers.into_iter().zip(&equation.coefficients) {
            let number = if all_integers { number } else { terms.as_real(number) };
            parts.push(terms.scale(coefficient, number));
        }
        let sum = terms.add(&parts);
        let constant = terms.constant(Value::number(sort, equation.constant.clone()));
        terms.eq(sum, constant)
    }
    /// Add the equations of all locations, each once. That a single number has one value is something that interpolants find, too.
    fn tell(&self, terms: &mut Terms, found: &mut Vec<Term>) {
        for equation in self.locations.iter().flat_map(|l| l.hull.equations()) {
            let equality = self.equality(terms, &equation);
            if equation.coefficients.len() > 1 && !found.contains(&equality) {
                found.push(equality);
            }
        }
    }
    /// If there are too many locations, there will be fewer: without guards, or one.
    fn merge(&mut self, terms: &Terms) -> bool {
        if self.locations.len() <= MAX_LOCATIONS {
            return false;
        }
        self.locations.clear();
        if !std::mem::take(&mut self.guards).is_empty() {
            return true;
        }
        let control = std::mem::take(&mut self.control);
        self.numbers.extend(control.into_iter().filter(|&v| terms.sort(v).is_number()));
        true
    }
}

struct Search<'s> {
    problem: &'s WordProblem,
    terms: &'s mut Terms,
    smt: Smt,
    init: Lit,
    step: Lit,
    priming: HashMap<Term, Term>,
    hulls: Hulls,
}

impl<'s> Search<'s> {
    fn new(problem: &'s WordProblem, terms: &'s mut Terms, run: &Run<'_>) -> Search<'s> {
        let mut smt = Smt::new(run.cancel(), SmtConfig { interpolation: false, seed: run.seed });
        let init = smt.literal(terms, 0, problem.system.init);
        let step = smt.literal(terms, 0, problem.system.trans);
        let (numbers, control) = problem.currents().partition(|&v| terms.sort(v).is_number());
        let priming = problem.priming();
        let hulls = Hulls { control, numbers, ..Hulls::default() };
        Search { problem, terms, smt, init, step, priming, hulls }
    }
    /// A formula as a literal, before or after a step.
    fn literal(&mut self, formula: Term, is_next: bool) -> Lit {
        let formula = if is_next { self.terms.substitute(formula, &self.priming) } else { formula };
        self.smt.literal(self.terms, 0, formula)
    }

    /// Numbers that have few values tell locations apart, too.
    fn find_control(&mut self) -> Ask<()> {
        for var in std::mem::take(&mut self.hulls.numbers) {
            let is_control = self.is_assigned_constants(var) && self.has_few_values(var)?;
            if is_control { &mut self.hulls.control } else { &mut self.hulls.numbers }.push(var);
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
                let met = if is_next { self.priming[&var] } else { var };
                let value = self.smt.value_of(self.terms, met);
                values.push(self.terms.constant(value));
            }
        }
        Ok(true)
    }

    /// The equations of states that are reachable in a few steps, and those of all states that are.
    fn find(&mut self, found: &mut Vec<Term>, run: &Run<'_>) -> Ask<()> {
        if self.hulls.numbers.is_empty() || self.hulls.numbers.len() > MAX_NUMBERS {
            return Ok(());
        }
        while !self.sample(run)? {}
        self.hulls.tell(self.terms, found);
        while !self.close()? {}
        self.hulls.tell(self.terms, found);
        self.find_in_phases(found)
    }
    /// The equations of each phase of a loop: what steps compare with a constant tells phases apart (R. Sharma, I. Dillig, T. Dillig, A. Aiken, CAV 2011).
    fn find_in_phases(&mut self, found: &mut Vec<Term>) -> Ask<()> {
        let guards = self.guards();
        if guards.is_empty() || guards.len() > MAX_GUARDS {
            return Ok(());
        }
        self.hulls.locations.clear();
        self.hulls.guards = guards.clone();
        while !self.close()? {}
        let n_before = found.len();
        self.hulls.tell(self.terms, found);
        if found.len() > n_before {
            found.extend(guards);
        }
        Ok(())
    }
    /// Comparisons in the transition relation that are about numbers before the step alone.
    fn guards(&self) -> Vec<Term> {
        let is_known = |&v: &Term| self.hulls.numbers.contains(&v);
        let is_plain = |&t: &Term| !matches!(self.terms.op(t), Op::Div | Op::Mod | Op::ToInt | Op::Ite);
        let is_guard = |&atom: &Term| {
            matches!(self.terms.op(atom), Op::Le | Op::Lt | Op::Eq)
                && self.terms.sort(self.terms.args(atom)[0]).is_number()
                && self.terms.variables(&[atom]).iter().all(is_known)
                && self.terms.cone(&[atom]).iter().all(is_plain)
        };
        self.terms.cone(&[self.problem.system.trans]).into_iter().filter(is_guard).collect()
    }
    /// The hulls of states that are reachable in a few steps. False if there were too many locations.
    fn sample(&mut self, run: &Run<'_>) -> Ask<bool> {
        let (terms, how) = (std::mem::take(self.terms), InterpolationConfig::default());
        let mut frames = WordFrames::with_terms(self.problem, terms, Start::Initial, Cuts::None, how, run);
        let done = self.sample_in(&mut frames);
        *self.terms = frames.into_terms();
        done
    }
    fn sample_in(&mut self, frames: &mut WordFrames<'_>) -> Ask<bool> {
        let position: HashMap<Term, usize> = self.problem.currents().zip(0..).collect();
        for k in 0..=DEPTH {
            frames.extend_constrained();
            loop {
                let outside = self.hulls.outside(frames.terms_mut());
                let outside = frames.within(k, outside);
                if !frames.solve(&[outside])? {
                    break;
                }
                for state in frames.trace(k)?.states {
                    self.hulls.absorb(frames.terms_mut(), &|var| state[position[&var]].clone());
                    if self.hulls.merge(frames.terms_mut()) {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }
    /// Larger hulls, until all reachable states are inside. False if there were too many locations.
    fn close(&mut self) -> Ask<bool> {
        while self.leaves_hulls(&[self.init], false)?.is_some() {
            if self.hulls.merge(self.terms) {
                return Ok(false);
            }
        }
        let mut changed: Vec<usize> = (0..self.hulls.locations.len()).collect();
        while let Some(from) = changed.pop() {
            loop {
                let inside = self.literal(self.hulls.locations[from].inside, false);
                let Some(at) = self.leaves_hulls(&[self.step, inside], true)? else { break };
                if at != from && !changed.contains(&at) {
                    changed.push(at);
                }
                if self.hulls.merge(self.terms) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
    /// Can we be outside of all hulls, under these assumptions? If so, one of them has become larger.
    fn leaves_hulls(&mut self, assumptions: &[Lit], is_next: bool) -> Ask<Option<usize>> {
        let outside = self.hulls.outside(self.terms);
        let outside = self.literal(outside, is_next);
        let assumptions: Vec<(u32, Lit)> = assumptions.iter().chain([&outside]).map(|&l| (0, l)).collect();
        if !self.smt.solve(&assumptions)? {
            return Ok(None);
        }
        let Search { smt, priming, .. } = self;
        let vars = self.hulls.control.iter().chain(&self.hulls.numbers);
        let value = |&v: &Term| (v, smt.value_of(self.terms, if is_next { priming[&v] } else { v }));
        let state: HashMap<Term, Value> = vars.map(value).collect();
        Ok(Some(self.hulls.absorb(self.terms, &|var| state[&var].clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_run::Cancel;
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
        WordProblem::about(system, bad)
    }

    fn found(problem: &WordProblem) -> Vec<String> {
        let mut terms = problem.system.terms.clone();
        let run = Run::new(Cancel::new());
        let found = equalities(problem, &mut terms, &run).unwrap();
        found.iter().map(|&e| terms.display(e).to_string()).collect()
    }

    #[test]
    fn each_location_has_its_own_equalities() {
        for control in [Sort::Bool, Sort::Int] {
            assert_eq!(found(&transfer(control)), ["(= (+ x z) n)", "(= (+ x z 1) n)"]);
        }
    }

    /// y waits until x is 500, and then goes along.
    #[test]
    fn each_phase_has_its_own_equalities() {
        let mut system = WordSystem::new();
        let [x, y] = ["x", "y"].map(|name| system.add_state(name, Sort::Int));
        let terms = &mut system.terms;
        let [zero, one, many] = [0, 1, 500].map(|i| terms.int(i));
        let init = [terms.eq(x.current, zero), terms.eq(y.current, many)];
        system.init = terms.and(&init);
        let goes = terms.ge(x.current, many);
        let [next_x, next_y] = [x, y].map(|v| terms.add(&[v.current, one]));
        let next_y = terms.ite(goes, next_y, y.current);
        let steps = [terms.eq(x.next, next_x), terms.eq(y.next, next_y)];
        system.trans = terms.and(&steps);
        let bad = terms.bool(false);
        assert_eq!(found(&WordProblem::about(system, bad)), ["(= x y)", "(<= x 499)"]);
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
