//! Lifting a predecessor: from the one state in a model to as many states as possible that make the same
//! step.
//!
//! First by ternary simulation (Eén, Mishchenko, Brayton, FMCAD 2011), which drops latches one by one without a
//! solver, then by the unsatisfiable core of `inputs ∧ state ∧ ¬(target′ ∧ constraints)` (Chockler et al.,
//! FMCAD 2011), which sees through reconvergence. Both keep the constraints true, not only the target: every
//! lifted state with these inputs is a legal step.

use super::{Environment, FrameSolver, Inputs};
use indubit_aig::ternary::Forget;
use indubit_logic::{Cube, Lit};
use indubit_pdr::Predecessor;
use indubit_run::Ask;
use indubit_sat::{Solve, SolveWith};
use indubit_system::Safety;

/// Lifts predecessors.
pub(super) struct Lifter {
    forget: Forget,
    /// Knows the circuit but asserts nothing.
    solver: FrameSolver,
    assumptions: Vec<Lit>,
    pub(super) n_lifts: u64,
}

impl Lifter {
    pub(super) fn new(safety: &Safety, environment: &Environment) -> Lifter {
        let solver = FrameSolver::without_constraints(environment);
        Lifter { forget: Forget::new(&safety.aig), solver, assumptions: Vec::new(), n_lifts: 0 }
    }

    /// States that, with the inputs of the model in `frame`, make all `targets` true and keep the constraints.
    pub(super) fn lift(
        &mut self,
        safety: &Safety,
        frame: &FrameSolver,
        targets: &[Lit],
    ) -> Ask<Predecessor<Inputs>> {
        self.n_lifts += 1;
        let goals = || targets.iter().chain(&safety.constraints).copied();
        self.forget.start(&safety.aig, goals(), |var| frame.sat.value(Lit::positive(var)));
        let value = |var| Lit::with_value(var, frame.sat.value(Lit::positive(var)));
        let mut state: Vec<Lit> = Vec::new();
        for latch in &safety.latches {
            if !self.forget.forget(&safety.aig, latch.var) {
                state.push(value(latch.var));
            }
        }
        let relevant = |&v: &_| self.forget.cone().contains(v);
        let inputs: Inputs =
            safety.inputs.iter().map(|v| relevant(v) && frame.sat.value(Lit::positive(*v))).collect();

        self.assumptions.clear();
        self.assumptions.extend(safety.inputs.iter().filter(|v| relevant(v)).map(|&v| value(v)));
        self.assumptions.extend(&state);
        for goal in goals() {
            self.solver.encode(safety, goal);
        }
        let missed: Vec<Lit> = goals().map(|goal| !goal).collect();
        let misses = self.solver.sat.solve_with(&missed, &self.assumptions)?;
        debug_assert!(!misses, "ternary simulation said that every such state makes the step");
        state.retain(|&lit| self.solver.sat.failed(lit));
        Ok(Predecessor { cube: Cube::new(state), step: inputs })
    }
}
