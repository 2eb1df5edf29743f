//! Lifting a predecessor: from the one state in a model to as many states as possible that make the same
//! step.
//!
//! Three ways, each optional, in this order:
//! - *flips*: latches are unassigned in the model by a look at what they feed, without a query (`sat/src/kernel/flip.rs`);
//! - *ternary simulation* (Eén, Mishchenko, Brayton, FMCAD 2011) drops latches one by one without a solver;
//! - *the unsatisfiable core* of `inputs ∧ state ∧ ¬(target′ ∧ constraints)` (Chockler et al., FMCAD 2011) sees through
//!   reconvergence.
//!
//! Each keeps the target true, and the constraints that are *heeded*: with all of them, every lifted state with these inputs
//! is a legal step. Where constraints are many, states that differ in nothing else are told apart by them. So none is
//! heeded at first (local abstraction, docs/IC3.md): lemmas are sound whatever constraints queries assert, but
//! obligations may be about states that cannot make the step. If these reach an initial state, the counterexample breaks a
//! constraint, which is heeded from then on.
//!
//! The state variables of the target can be treated in this way, too: if none is heeded at first, a predecessor makes some of the target
//! true, as if the others were inputs. A counterexample that leaves the path of its obligations says which to heed.

use super::atoms::Atoms;
use super::solvers::{FrameSolver, Solvers};
use super::{Inputs, Order};
use indubit_aig::ternary::Forget;
use indubit_logic::{Cube, Lit, Var};
use indubit_pdr::Predecessor;
use indubit_run::Ask;
use indubit_sat::{Solve, SolveWith, Unassign};
use indubit_system::Safety;

/// Which ways are taken. With none, a predecessor is what the model assigns.
#[derive(Clone, Copy, Debug)]
pub struct Lifting {
    /// None is: a predecessor is one state.
    pub whole_states: bool,
    /// Unassign latches by inspecting watches.
    pub flips: bool,
    /// Ternary simulation.
    pub ternary: bool,
    /// The core of a query.
    pub core: bool,
    /// Every constraint is heeded, and not only those that a counterexample has broken.
    pub constraints: bool,
    /// Every state variable of the target is, and not only those that a counterexample got wrong.
    pub targets: bool,
}

impl Default for Lifting {
    fn default() -> Lifting {
        // The core drops one latch in a hundred after the other two, for a query a lift (docs/SOLVER.md).
        Lifting {
            whole_states: false,
            flips: true,
            ternary: true,
            core: false,
            constraints: false,
            targets: true,
        }
    }
}

/// Lifts predecessors.
pub(super) struct Lifter {
    lifting: Lifting,
    forget: Forget,
    /// Constraints to keep.
    heeded: Vec<Lit>,
    /// By number of the atom, if not all of a target is kept: is it?
    kept: Option<Vec<bool>>,
    /// Are there gates among the atoms?
    has_gates: bool,
    /// Knows the circuit but asserts nothing.
    solver: FrameSolver,
    /// The latches of the model that are still there.
    state: Vec<Lit>,
    assumptions: Vec<Lit>,
    missed: Vec<Lit>,
    pub(super) n_lifts: u64,
    /// Latches in models, and after each way, or in whole states.
    pub(super) n_latches: [u64; 4],
}

impl Lifter {
    pub(super) fn new(safety: &Safety, atoms: &Atoms, solvers: &Solvers, lifting: Lifting) -> Lifter {
        let mut forget = Forget::new(&safety.aig);
        atoms.gates().for_each(|gate| forget.make_opaque(gate));
        Lifter {
            lifting,
            forget,
            heeded: if lifting.constraints { safety.constraints.clone() } else { Vec::new() },
            kept: (!lifting.targets).then(|| vec![false; atoms.all().len()]),
            has_gates: atoms.gates().next().is_some(),
            solver: solvers.empty(),
            state: Vec::new(),
            assumptions: Vec::new(),
            missed: Vec::new(),
            n_lifts: 0,
            n_latches: [0; 4],
        }
    }

    /// The solver for cores.
    pub(super) fn solver(&self) -> &FrameSolver {
        &self.solver
    }

    /// How many constraints are kept.
    pub(super) fn n_heeded(&self) -> u64 {
        self.heeded.len() as u64
    }
    /// From now on keep this constraint. False if it was kept before.
    pub(super) fn heed(&mut self, constraint: Lit) -> bool {
        let is_new = !self.heeded.contains(&constraint);
        if is_new {
            self.heeded.push(constraint);
        }
        is_new
    }

    /// Is all of a target kept?
    pub(super) fn keeps_all(&self) -> bool {
        self.kept.is_none()
    }
    /// Is the atom with this number kept, if it is in a target?
    pub(super) fn keeps(&self, atom: u32) -> bool {
        self.kept.as_ref().is_none_or(|kept| kept[atom as usize])
    }
    /// From now on it is. False if it was before.
    pub(super) fn keep(&mut self, atom: u32) -> bool {
        self.kept.as_mut().is_some_and(|kept| !std::mem::replace(&mut kept[atom as usize], true))
    }
    /// How many atoms are kept; none if that is not counted.
    pub(super) fn n_kept(&self) -> u64 {
        self.kept.iter().flatten().filter(|&&is_kept| is_kept).count() as u64
    }

    /// States that, with the inputs of the model in `frame`, make all `targets` true and keep what is heeded.
    pub(super) fn lift(
        &mut self,
        safety: &Safety,
        atoms: &Atoms,
        frame: &mut FrameSolver,
        targets: &[Lit],
        order: &Order,
    ) -> Ask<Predecessor<Inputs>> {
        self.n_lifts += 1;
        // What the solver has not assigned can have any value.
        let model = frame.sat.solver();
        self.state.clear();
        let assigned = |var| model.assigned(var).map(|value| Lit::with_value(var, value));
        self.state.extend(safety.latches.iter().filter_map(|latch| assigned(latch.var)));
        order.to_lift(&mut self.state);
        self.assumptions.clear();
        self.assumptions.extend(safety.inputs.iter().filter_map(|&var| assigned(var)));
        let inputs: Inputs = safety.inputs.iter().map(|&var| model.assigned(var).unwrap_or(false)).collect();
        self.n_latches[0] += self.state.len() as u64;
        if self.lifting.whole_states {
            let value = |var| Lit::with_value(var, model.assigned(var).unwrap_or(false));
            let cube = Cube::new(safety.latches.iter().map(|latch| value(latch.var)));
            self.n_latches.iter_mut().skip(1).for_each(|n| *n += cube.len() as u64);
            return Ok(Predecessor { cube, step: inputs });
        }

        // Only leaves can be unassigned: what is below a gate that is an atom would be lost with it.
        if self.lifting.flips && !self.has_gates {
            frame.sat.unassign(&mut self.state);
        }
        self.n_latches[1] += self.state.len() as u64;
        if self.lifting.ternary {
            self.forget_latches(safety, atoms, frame, targets, order);
        }
        self.n_latches[2] += self.state.len() as u64;
        if self.lifting.core {
            self.take_core(safety, targets)?;
        }
        self.n_latches[3] += self.state.len() as u64;
        Ok(Predecessor { cube: Cube::new(self.state.iter().copied()), step: inputs })
    }

    fn forget_latches(
        &mut self,
        safety: &Safety,
        atoms: &Atoms,
        frame: &FrameSolver,
        targets: &[Lit],
        order: &Order,
    ) {
        let goals = targets.iter().chain(&self.heeded).copied();
        let model = frame.sat.solver();
        self.forget.start(&safety.aig, goals, |var| model.assigned(var));
        if self.has_gates {
            let cone = self.forget.cone().vars().iter().filter(|&&var| atoms.contains(var));
            let known = |&var: &Var| Some(Lit::with_value(var, self.forget.value(var).known()?));
            self.state.clear();
            self.state.extend(cone.filter_map(known));
            order.to_lift(&mut self.state);
        }
        self.state.retain(|lit| !self.forget.forget(&safety.aig, lit.var()));
    }

    fn take_core(&mut self, safety: &Safety, targets: &[Lit]) -> Ask<()> {
        self.missed.clear();
        for &goal in targets.iter().chain(&self.heeded) {
            self.solver.encode(safety, goal);
            self.missed.push(!goal);
        }
        self.assumptions.extend(self.state.iter().rev());
        let misses = self.solver.sat.solve_with(&self.missed, &self.assumptions)?;
        debug_assert!(!misses, "the ways before said that every such state makes the step");
        self.state.retain(|&lit| self.solver.sat.failed(lit));
        Ok(())
    }
}
