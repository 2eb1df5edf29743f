//! Who decides formulas.

use crate::verdict::Error;
use indubit_run::Run;
use indubit_sat::Config;
use indubit_smt::{External, Piped, TermSolver, Theory};
use indubit_system::Words;
use indubit_term::{Term, Terms};

/// Who decides formulas.
#[derive(Clone)]
pub enum Decider {
    /// Our solver.
    Ours(Theory),
    /// Somebody else, who may have other theories.
    Other(External),
}

impl Decider {
    /// The one for these formulas; what is beyond ours is for `other`.
    pub(crate) fn of(
        terms: &Terms,
        formulas: &[Term],
        other: Option<&External>,
    ) -> Result<Decider, Error<Words>> {
        match (Theory::of(terms, formulas), other) {
            (Ok(theory), _) => Ok(Decider::Ours(theory)),
            (Err(_), Some(other)) => Ok(Decider::Other(other.clone())),
            (Err(term), None) => Err(no_theory(terms, term)),
        }
    }
    /// Is it one for these formulas, too?
    pub(super) fn has(&self, terms: &Terms, formulas: &[Term]) -> Result<(), Error<Words>> {
        let is_beyond = |formula: &Term| match self {
            Decider::Ours(theory) => !theory.has(terms, *formula),
            Decider::Other(_) => false,
        };
        formulas.iter().copied().find(is_beyond).map_or(Ok(()), |formula| Err(no_theory(terms, formula)))
    }
    /// Somebody else than our solver, if it is he who decides.
    pub(super) fn other(&self) -> Option<&External> {
        if let Decider::Other(other) = self { Some(other) } else { None }
    }
    /// A solver for terms, which ends with the run and has its seed.
    pub(super) fn solver(&self, run: &Run<'_>) -> Box<dyn TermSolver> {
        match self {
            Decider::Ours(theory) => theory.solver(Config::Incremental, run.seed, run.cancel()),
            Decider::Other(other) => Box::new(Piped::new(other.clone(), run.cancel())),
        }
    }
}

fn no_theory(terms: &Terms, term: Term) -> Error<Words> {
    Error::NoTheory { term: terms.display(term).short().to_string() }
}
