//! SAT solvers behind small capability traits.
//!
//! [`RelSolver`] is ours, made for IC3's many small queries on one circuit; [`Cdcl`] is the same kernel over everything,
//! with derivations ([`proof`]) if wanted. [`Cadical`] adapts a mature solver for few
//! large ones and for checking. [`stream`] records what solvers are asked and replays it. Every `solve` polls the run's cancel flag and unwinds with
//! [`Stop`](indubit_run::Stop) when it is raised.

mod cadical;
mod cdcl;
mod kernel;
pub mod proof;
mod rel;
pub mod stream;
pub mod theory {
    //! Theories beside the clauses.
    pub use crate::kernel::theory::{Certificate, Completion, NoTheory, Theory};
}
#[cfg(test)]
mod tests;

pub use cadical::{Cadical, Config};
pub use cdcl::Cdcl;
pub use kernel::{Counts, OrderKind, RestartKind, Tuning};
pub use rel::{RelConfig, RelSolver};

use indubit_logic::{Lit, Var};
use indubit_run::Ask;

/// Adding clauses and solving under assumptions.
pub trait Solve {
    /// Add the disjunction of `lits` for good.
    fn add_clause(&mut self, lits: &[Lit]);
    /// Is there a model of the clauses in which all `assumptions` hold?
    fn solve(&mut self, assumptions: &[Lit]) -> Ask<bool>;
    /// The value of `lit` in the model, after [`solve`](Solve::solve) said yes. A variable that no clause
    /// mentions has either value.
    fn value(&self, lit: Lit) -> bool;
    /// Was `lit` one of the assumptions that the refutation used, after [`solve`](Solve::solve) said no?
    fn failed(&self, lit: Lit) -> bool;
}

/// Solving with one more clause that is gone afterwards.
pub trait SolveWith: Solve {
    /// As [`Solve::solve`], with the disjunction of `clause` for this call only.
    fn solve_with(&mut self, clause: &[Lit], assumptions: &[Lit]) -> Ask<bool>;
}

/// Telling what all models have in common.
pub trait Facts: Solve {
    /// The value that `lit` has in every model of the clauses so far, if the solver has come to know it.
    fn fixed(&self, lit: Lit) -> Option<bool>;
}

/// Knowing the definitions of gates, and not only clauses.
pub trait Circuit: Solve {
    /// `gate` is the conjunction of `a` and `b`. A cone is defined before it is asked about.
    fn define_and(&mut self, gate: Var, a: Lit, b: Lit) {
        let gate = Lit::positive(gate);
        self.add_clause(&[!gate, a]);
        self.add_clause(&[!gate, b]);
        self.add_clause(&[gate, !a, !b]);
    }
}

/// Telling what in a model does not matter.
pub trait Unassign: Solve {
    /// After a yes: of `lits`, leaves that are true in the model, take out some whose values do not matter. Whatever
    /// values they get, all gates that the query is about keep theirs, and so do its assumptions. Earlier ones are
    /// tried first. The model stays as it was told by [`value`](Solve::value) for the others, until the next query.
    fn unassign(&mut self, lits: &mut Vec<Lit>);
}

/// Counting effort.
pub trait Counted {
    /// Since the solver was made; a clone may take over what the original had.
    fn counts(&self) -> Counts;
}
