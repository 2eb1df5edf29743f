//! What an engine for words works on.

use crate::{Claim, WordSystem};
use indubit_term::{Term, Terms};
use std::collections::HashMap;

impl Claim<Term> {
    /// The formula that must hold in all reachable states for a proof to decide the claim, if it is about reachability; `terms` are those of the
    /// system, or more.
    pub fn always(&self, terms: &mut Terms) -> Option<Term> {
        match *self {
            Claim::Always(good) => Some(good),
            Claim::Reachable(goal) => Some(terms.not(goal)),
            Claim::Justice(_) | Claim::Ltl(_) => None,
        }
    }
}

/// One safety question about a [`WordSystem`]: can something bad be reached?
#[derive(Clone, Debug)]
pub struct WordProblem {
    /// The system.
    pub system: WordSystem,
    /// What is bad: over current state variables and inputs.
    pub bad: Term,
}

impl WordProblem {
    /// The question that decides a claim, if it is about reachability.
    pub fn new(system: &WordSystem, claim: &Claim<Term>) -> Option<WordProblem> {
        let mut system = system.clone();
        let good = claim.always(&mut system.terms)?;
        let bad = system.terms.not(good);
        Some(WordProblem { system, bad })
    }
    /// The state variables.
    pub fn currents(&self) -> impl Iterator<Item = Term> {
        self.system.states.iter().map(|v| v.current)
    }
    /// The state variables after a step.
    pub fn nexts(&self) -> impl Iterator<Item = Term> {
        self.system.states.iter().map(|v| v.next)
    }
    /// Replaces each state variable by its value after a step.
    pub fn priming(&self) -> HashMap<Term, Term> {
        self.currents().zip(self.nexts()).collect()
    }
}
