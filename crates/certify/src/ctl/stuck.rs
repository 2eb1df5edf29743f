//! States from which no fair path stays where it would have to.
//!
//! Set number `k` has a ranked proof that no infinite run sees all signals infinitely often: a run of the circuit that begins anywhere in the set, and in each step keeps the constraints, stays in the
//! invariant, where what is inside the operator is not said to fail, where a fair path is not said to be missing, and out of the sets before. A fair path from the set would be such a
//! run, or come to one of the sets before, and go on from there as a fair path.
//!
//! That such runs do not exist is a justice property of a system that is made here, and its proof is checked as any other.

use crate::evidence::check_proof;
use crate::{Reason, Solving};
use indubit_aig::Aig;
use indubit_logic::{Lit, Var};
use indubit_run::Ask;
use indubit_system::{BitSystem, Branching, Justice, Proof, Stuck};

/// The runs that stay where a path that satisfies `EG` has to stay.
pub(super) struct Runs {
    system: BitSystem,
    /// A latch that is true in the first step only.
    first: Lit,
    /// The number of nodes that the circuit of the graph has.
    n_vars: usize,
}

impl Runs {
    /// In a circuit that begins with that of the graph, and in which all of `kept` holds in each step.
    pub fn new(
        model: &BitSystem,
        graph: &Branching,
        source: &Aig,
        kept: impl IntoIterator<Item = Lit>,
    ) -> Runs {
        let circuit = &graph.circuit;
        let position = circuit.latch_positions();
        let n_own = model.latches().len();
        let label = |latch: usize| match latch.checked_sub(n_own) {
            None => model.latch_label(latch),
            Some(shown) => model.input_label(graph.shown[shown]),
        };
        let mut system = BitSystem::new();
        // Nodes keep their numbers.
        for index in 1..source.n_vars() {
            let var = Var::from_index(index);
            match (source.fanins(var), position.get(index).copied().flatten()) {
                (Some([a, b]), _) => system.aig_mut().raw_and(a, b),
                (None, Some(latch)) => system.add_latch(&label(latch as usize), None),
                (None, None) => system.push_input(None),
            };
        }
        for latch in &circuit.latches {
            system.set_next(Lit::positive(latch.var), latch.next);
        }
        for lit in circuit.constraints.iter().copied().chain(kept).filter(|&lit| lit != Lit::TRUE) {
            system.add_constraint("", lit);
        }
        system.justice.push(Justice { lits: graph.signals(), name: None });
        let first = system.add_latch("first", Some(true));
        system.set_next(first, Lit::FALSE);
        Runs { system, first, n_vars: circuit.aig.n_vars() }
    }

    /// Is no such run from this set fair? From now on no run comes to it.
    pub fn check(&mut self, stuck: &Stuck, by: &Solving) -> Ask<Result<(), Reason>> {
        debug_assert_eq!(stuck.why.n_vars(), self.n_vars, "shapes are checked first");
        let mut system = self.system.clone();
        let begins = system.aig_mut().implies(self.first, stuck.states);
        system.add_constraint("", begins);
        self.system.add_constraint("", !stuck.states);
        let property = &system.properties()[0];
        let why = stuck.why.carried(system.aig().n_vars(), Lit::positive);
        check_proof(&system, property, &Proof::Ranked(Box::new(why)), by)
    }
}
