//! A solver that learns the circuit as it is asked about it.

use indubit_aig::{Definition, Encoder};
use indubit_logic::Lit;
use indubit_run::Cancel;
use indubit_sat::{RelSolver, Solve};
use indubit_system::Safety;

/// What every solver of an oracle is made with.
pub(super) struct Environment {
    pub(super) cancel: Cancel,
    pub(super) seed: u64,
}

/// A solver for one step of the system: constraints, lemmas, and the cones it was asked for.
pub(super) struct FrameSolver {
    pub(super) sat: RelSolver,
    encoder: Encoder,
}

impl FrameSolver {
    /// A solver that knows the constraints.
    pub(super) fn new(safety: &Safety, environment: &Environment) -> FrameSolver {
        let mut solver = FrameSolver::without_constraints(environment);
        for &constraint in &safety.constraints {
            solver.encode(safety, constraint);
            solver.sat.add_clause(&[constraint]);
        }
        solver
    }
    /// A solver that knows nothing.
    pub(super) fn without_constraints(environment: &Environment) -> FrameSolver {
        let sat = RelSolver::new(&environment.cancel, environment.seed);
        FrameSolver { sat, encoder: Encoder::new() }
    }
    /// Make the cone of `lit` known.
    pub(super) fn encode(&mut self, safety: &Safety, lit: Lit) {
        self.encoder.visit(&safety.aig, lit, |definition| match definition {
            Definition::Constant => self.sat.add_clause(&[Lit::TRUE]),
            Definition::And(gate, a, b) => self.sat.define_and(gate, a, b),
        });
    }
}
