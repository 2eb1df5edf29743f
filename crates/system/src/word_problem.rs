//! What an engine for words works on.

use crate::word_lasso::{self, Copied};
use crate::{Claim, Conclusion, WordSystem, Words};
use indubit_run::Stop;
use indubit_term::{Term, Terms};
use std::collections::HashMap;

/// Over numbers, what goes on for ever need not repeat.
const NO_LASSO: &str = "there is no lasso, but over numbers a run can go on for ever without one";

impl Claim<Term> {
    /// The formula that must hold in all reachable states for a proof to decide the claim, if it is about reachability; `terms` are those of the
    /// system, or more.
    pub fn always(&self, terms: &mut Terms) -> Option<Term> {
        match *self {
            Claim::Always(good) => Some(good),
            Claim::Reachable(goal) => Some(terms.not(goal)),
            Claim::Justice(_) | Claim::Ltl(_) | Claim::Ctl(_) => None,
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
    /// What was added to find lassos, if that is what is searched for.
    pub(crate) copied: Option<Copied>,
}

impl WordProblem {
    /// The question that decides a claim about reachability, or finds lassos that violate one of justice.
    pub fn new(system: &WordSystem, claim: &Claim<Term>) -> Option<WordProblem> {
        if let Claim::Justice(signals) = claim {
            return Some(word_lasso::problem(system, signals));
        }
        let mut system = system.clone();
        let good = claim.always(&mut system.terms)?;
        let bad = system.terms.not(good);
        Some(WordProblem::about(system, bad))
    }
    /// Can this be reached?
    pub fn about(system: WordSystem, bad: Term) -> WordProblem {
        WordProblem { system, bad, copied: None }
    }
    /// What a conclusion about it says of the claim that it was made for. That there is no lasso does not mean that no run goes on for ever.
    pub fn raised(&self, conclusion: Conclusion<Words>) -> Conclusion<Words> {
        let Some(copied) = self.copied else { return conclusion };
        let unknown = |safe_up_to| Conclusion::Unknown { stop: Stop::Incomplete(NO_LASSO), safe_up_to };
        match conclusion {
            Conclusion::Unsafe(trace) => copied.lasso(&trace).map_or(unknown(None), Conclusion::Unsafe),
            Conclusion::Safe(_) => unknown(None),
            unknown => unknown,
        }
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
