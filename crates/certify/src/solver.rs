//! Who answers the checker's queries.

use crate::Reason;
use crate::audit::{Audited, Setback};
use indubit_logic::Lit;
use indubit_run::{Ask, Cancel};
use indubit_sat::{Cadical, Config, Solve};
use indubit_smt::External;

/// How queries are to be answered: until when, and by whom.
///
/// By default CaDiCaL is asked, and believed. In paranoid mode our own solver is asked, and nothing is believed: each
/// refutation is checked down to resolution, and each model against the clauses.
///
/// Where one of these is wanted, the flag that ends the run will do: `&cancel` asks CaDiCaL.
#[derive(Clone, Debug)]
pub struct Solving {
    pub(crate) cancel: Cancel,
    paranoid: bool,
    pub(crate) other: Option<External>,
}

impl Solving {
    /// Until `cancel` is raised, by CaDiCaL.
    pub fn new(cancel: &Cancel) -> Solving {
        Solving { cancel: cancel.clone(), paranoid: false, other: None }
    }
    /// In paranoid mode, or not.
    pub fn with_paranoia(mut self, paranoid: bool) -> Solving {
        self.paranoid = paranoid;
        self
    }
    /// Over words by another solver, where ours has no theory.
    pub fn with_other(mut self, other: Option<External>) -> Solving {
        self.other = other;
        self
    }
    pub(crate) fn checkpoint(&self) -> Ask<()> {
        self.cancel.checkpoint()
    }
    /// A solver for one query.
    pub(crate) fn solver(&self) -> Solver {
        self.with_config(Config::Unsat)
    }
    /// A solver for many small queries about the same clauses.
    pub(crate) fn solver_for_many(&self) -> Solver {
        self.with_config(Config::Incremental)
    }
    fn with_config(&self, config: Config) -> Solver {
        match self.paranoid {
            false => Solver::Believed(Cadical::new(config, &self.cancel)),
            true => Solver::Audited(Box::new(Audited::new(&self.cancel, 0))),
        }
    }
}

impl From<&Cancel> for Solving {
    fn from(cancel: &Cancel) -> Solving {
        Solving::new(cancel)
    }
}

impl From<&Solving> for Solving {
    fn from(other: &Solving) -> Solving {
        other.clone()
    }
}

/// An answer, unless the run was ended or the answer did not check.
pub(crate) type Sure<T> = Result<T, Setback>;

impl Setback {
    /// For whoever asked for a check: a solver's mistake is no verdict, but a reason to have none.
    pub(crate) fn settle<T>(self) -> Ask<Result<T, Reason>> {
        match self {
            Setback::Stop(stop) => Err(stop),
            Setback::Solver(error) => Ok(Err(Reason::Solver(error))),
        }
    }
}

/// A solver of either kind.
pub(crate) enum Solver {
    Believed(Cadical),
    Audited(Box<Audited>),
}

impl Solver {
    pub fn add_clause(&mut self, lits: &[Lit]) {
        match self {
            Solver::Believed(solver) => solver.add_clause(lits),
            Solver::Audited(solver) => solver.add_clauses([lits]),
        }
    }
    /// Is there a model of the clauses in which all `assumptions` hold?
    pub fn solve(&mut self, assumptions: &[Lit]) -> Sure<bool> {
        match self {
            Solver::Believed(solver) => Ok(solver.solve(assumptions)?),
            Solver::Audited(solver) => solver.solve(assumptions),
        }
    }
    /// The value of `lit` in the model.
    pub fn value(&self, lit: Lit) -> bool {
        match self {
            Solver::Believed(solver) => solver.value(lit),
            Solver::Audited(solver) => solver.value(lit),
        }
    }
}

/// For tests: the answer to a question, which is the same whoever is asked, up to the counterexample.
#[cfg(test)]
pub(crate) fn by_either<T>(ask: impl Fn(Solving) -> Ask<Result<T, Reason>>) -> Result<T, Reason> {
    let [believed, audited] =
        [false, true].map(|paranoid| ask(Solving::new(&Cancel::new()).with_paranoia(paranoid)).unwrap());
    assert_eq!(believed.is_ok(), audited.is_ok());
    assert!(!matches!(audited, Err(Reason::Solver(_))));
    believed
}
