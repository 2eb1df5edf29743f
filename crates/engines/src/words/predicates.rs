//! The predicates of an abstraction, each as an atom of PDR's cubes, and as a literal of the solver before and after a step.

use indubit_logic::{Lit, Var};
use indubit_term::Term;
use std::collections::HashMap;

/// A predicate over the state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Predicate {
    /// What it says, over current state variables.
    pub(super) term: Term,
    /// That it holds now.
    pub(super) now: Lit,
    /// That it holds after the step.
    pub(super) next: Lit,
}

/// The predicates ℙ, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub(super) struct Predicates {
    all: Vec<Predicate>,
    by_term: HashMap<Term, usize>,
}

impl Predicates {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }
    pub(super) fn all(&self) -> &[Predicate] {
        &self.all
    }
    pub(super) fn contains(&self, term: Term) -> bool {
        self.by_term.contains_key(&term)
    }
    pub(super) fn push(&mut self, predicate: Predicate) {
        self.by_term.insert(predicate.term, self.all.len());
        self.all.push(predicate);
    }
    /// The atom of predicate number `i`. Variable 0 is a constant everywhere.
    pub(super) fn lit(i: usize, value: bool) -> Lit {
        Lit::with_value(Var::from_index(i + 1), value)
    }
    /// The number of the predicate that a literal of a cube is about.
    pub(super) fn number(lit: Lit) -> usize {
        lit.var().index() - 1
    }
    fn of(&self, lit: Lit) -> &Predicate {
        &self.all[Predicates::number(lit)]
    }
    /// A literal of a cube, as one of the solver.
    pub(super) fn now(&self, lit: Lit) -> Lit {
        self.of(lit).now ^ lit.is_negated()
    }
    /// A literal of a cube after the step, as one of the solver.
    pub(super) fn next(&self, lit: Lit) -> Lit {
        self.of(lit).next ^ lit.is_negated()
    }
    /// The predicate of a literal of a cube, and whether it is negated.
    pub(super) fn term(&self, lit: Lit) -> (Term, bool) {
        (self.of(lit).term, lit.is_negated())
    }
}
