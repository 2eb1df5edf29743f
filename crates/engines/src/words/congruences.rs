//! Congruences of integers that hold in all reachable states: `x mod 4 = 3` (P. Granger, *Static Analysis of Arithmetical Congruences*, Int. J.
//! Computer Math. 1989).
//!
//! They are found as equalities are, by symbolic abstraction: of each integer we know the class of numbers `r + m·ℤ` that it may be. An initial
//! state, or a step from where all are in their classes, that ends outside of one makes some classes larger: `m` becomes a divisor of itself. When the
//! solver finds none, all reachable states are inside. The integers are state variables, and sums of them that initial states and the property
//! speak of.
//!
//! IC3 gets the congruences as predicates from the start. No interpolant over inequalities says them, and counting up takes for ever.

use super::problem::atoms;
use indubit_logic::Lit;
use indubit_run::{Ask, Run, Stop};
use indubit_smt::{Smt, SmtConfig};
use indubit_system::WordProblem;
use indubit_term::{BigInt, Sort, Term, Terms, Value};
use std::collections::{HashMap, HashSet};

/// With more integers than this, classes are not looked for.
const MAX_INTEGERS: usize = 32;
/// Each round makes a class larger; where numbers are large, that may be often.
const MAX_ROUNDS: usize = 100;

/// Congruences that hold in all reachable states. None are found where the solver cannot decide.
pub(super) fn congruences(problem: &WordProblem, terms: &mut Terms, run: &Run<'_>) -> Ask<Vec<Term>> {
    let mut search = Search::new(problem, terms, run);
    match search.find() {
        Ok(true) => Ok(search.classes.iter().filter_map(|class| class.congruence(search.terms)).collect()),
        Ok(false) | Err(Stop::Incomplete(_)) => Ok(Vec::new()),
        Err(stop) => Err(stop),
    }
}

/// An integer, and what it may be: `remainder + modulus·ℤ`, one number if the modulus is 0.
#[derive(Clone, Debug)]
struct Class {
    integer: Term,
    remainder: BigInt,
    modulus: BigInt,
}

impl Class {
    /// Make it large enough for a number.
    fn join(&mut self, number: &BigInt) {
        let difference = BigInt::from((number - &self.remainder).magnitude().clone());
        self.modulus = gcd(self.modulus.clone(), difference);
    }
    /// That the integer is in it.
    fn formula(&self, terms: &mut Terms) -> Term {
        let zero = BigInt::default();
        if self.modulus == zero {
            let number = terms.int(self.remainder.clone());
            return terms.eq(self.integer, number);
        }
        let modulus = terms.int(self.modulus.clone());
        let remainder = &self.remainder % &self.modulus;
        let remainder = if remainder < zero { remainder + &self.modulus } else { remainder };
        let (left, right) = (terms.modulo(self.integer, modulus), terms.int(remainder));
        terms.eq(left, right)
    }
    /// That the integer is in the class, if that is a congruence and says something.
    fn congruence(&self, terms: &mut Terms) -> Option<Term> {
        (self.modulus > BigInt::from(1)).then(|| self.formula(terms))
    }
}

fn gcd(mut a: BigInt, mut b: BigInt) -> BigInt {
    while b != BigInt::default() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

struct Search<'s> {
    terms: &'s mut Terms,
    smt: Smt,
    init: Lit,
    step: Lit,
    priming: HashMap<Term, Term>,
    classes: Vec<Class>,
}

impl<'s> Search<'s> {
    fn new(problem: &'s WordProblem, terms: &'s mut Terms, run: &Run<'_>) -> Search<'s> {
        let mut smt = Smt::new(run.cancel(), SmtConfig { interpolation: false, seed: run.seed });
        let init = smt.literal(terms, 0, problem.system.init);
        let step = smt.literal(terms, 0, problem.system.trans);
        let class = |integer| Class { integer, remainder: BigInt::default(), modulus: BigInt::default() };
        let classes = integers(problem, terms).into_iter().map(class).collect();
        Search { terms, smt, init, step, priming: problem.priming(), classes }
    }
    /// Are all reachable states in their classes? There may be no states, or no end of them.
    fn find(&mut self) -> Ask<bool> {
        if self.classes.is_empty()
            || self.classes.len() > MAX_INTEGERS
            || !self.smt.solve(&[(0, self.init)])?
        {
            return Ok(false);
        }
        for i in 0..self.classes.len() {
            self.classes[i].remainder = self.number(self.classes[i].integer, false);
        }
        for _ in 0..MAX_ROUNDS {
            self.classes.retain(|class| class.modulus != BigInt::from(1));
            let inside: Vec<Term> = self.classes.iter().map(|class| class.formula(self.terms)).collect();
            let inside = self.terms.and(&inside);
            let [now, next] = [false, true].map(|is_next| self.literal(inside, is_next));
            let is_next = if self.smt.solve(&[(0, self.init), (0, !now)])? {
                false
            } else if self.smt.solve(&[(0, self.step), (0, now), (0, !next)])? {
                true
            } else {
                return Ok(true);
            };
            for i in 0..self.classes.len() {
                let number = self.number(self.classes[i].integer, is_next);
                self.classes[i].join(&number);
            }
        }
        Ok(false)
    }
    /// A formula as a literal, before or after a step.
    fn literal(&mut self, formula: Term, is_next: bool) -> Lit {
        let formula = if is_next { self.terms.substitute(formula, &self.priming) } else { formula };
        self.smt.literal(self.terms, 0, formula)
    }
    /// An integer in the last model, before or after a step.
    fn number(&self, integer: Term, is_next: bool) -> BigInt {
        let value = |var: Term| {
            let met = if is_next { self.priming[&var] } else { var };
            self.smt.value_of(self.terms, met)
        };
        match self.terms.evaluate(integer, &value) {
            Ok(Value::Int(number)) => number,
            _ => unreachable!("a sum of integers is an integer"),
        }
    }
}

/// The state variables that are integers, and sums of several of them that are compared with something.
fn integers(problem: &WordProblem, terms: &mut Terms) -> Vec<Term> {
    let mut found: Vec<Term> = problem.currents().filter(|&v| terms.sort(v) == Sort::Int).collect();
    let states: HashSet<Term> = found.iter().copied().collect();
    for atom in atoms(terms, &[problem.system.init, problem.bad]) {
        let Some(&left) = terms.args(atom).first().filter(|&&left| terms.sort(left) == Sort::Int) else {
            continue;
        };
        let mut sum = terms.sum(left);
        let is_whole = sum.monomials.iter().all(|(var, by)| states.contains(var) && by.is_integer());
        if sum.monomials.len() > 1 && is_whole {
            sum.constant = Default::default();
            let sum = terms.of_sum(&sum, Sort::Int);
            if !found.contains(&sum) {
                found.push(sum);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_run::Cancel;
    use indubit_system::WordSystem;

    /// The congruences of x, y and x + y where both start with `start` and a step adds one of `steps` to them.
    fn found(start: [i64; 2], steps: &[[i64; 2]]) -> Vec<String> {
        let mut system = WordSystem::new();
        let [x, y] = ["x", "y"].map(|name| system.add_state(name, Sort::Int));
        let terms = &mut system.terms;
        let starts = [(x, start[0]), (y, start[1])].map(|(var, at)| {
            let at = terms.int(at);
            terms.eq(var.current, at)
        });
        system.init = terms.and(&starts);
        let mut choices = Vec::new();
        for by in steps {
            let moves = [(x, by[0]), (y, by[1])].map(|(var, by)| {
                let by = terms.int(by);
                let next = terms.add(&[var.current, by]);
                terms.eq(var.next, next)
            });
            choices.push(terms.and(&moves));
        }
        system.trans = terms.or(&choices);
        let (sum, large) = (terms.add(&[x.current, y.current]), terms.int(1001));
        let meets = terms.eq(sum, large);
        let holds = terms.not(meets);
        system.add_invar("p", holds);
        let problem = WordProblem::new(&system, &system.properties[0].claim).unwrap();
        let mut terms = problem.system.terms.clone();
        let run = Run::new(Cancel::new());
        let found = congruences(&problem, &mut terms, &run).unwrap();
        found.into_iter().map(|c| terms.display(c).to_string()).collect()
    }

    #[test]
    fn classes_of_variables_and_sums() {
        assert_eq!(found([0, 0], &[[4, 0], [-6, 9]]), ["(= (mod x 2) 0)", "(= (mod y 9) 0)"]);
        assert_eq!(
            found([-1, 2], &[[4, 8]]),
            ["(= (mod x 4) 3)", "(= (mod y 8) 2)", "(= (mod (+ x y) 12) 1)"]
        );
        // One up, one down: only the sum stays even.
        assert_eq!(found([0, 0], &[[1, -1], [2, 0]]), ["(= (mod (+ x y) 2) 0)"]);
        assert_eq!(found([0, 0], &[[1, 0], [0, 1]]), [""; 0]);
    }
}
