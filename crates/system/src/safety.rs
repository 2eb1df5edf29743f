//! What an engine works on.

use indubit_aig::{Aig, Cone};
use indubit_logic::{Lit, Var};

/// A state variable of a [`Safety`] problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateVar {
    /// The leaf for its current value.
    pub var: Var,
    /// Its value in the next step.
    pub next: Lit,
    /// Its initial value; `None` means free.
    pub init: Option<bool>,
}

/// One safety question: can `bad` be true in some step, with all constraints true in every step up to and
/// including that one?
///
/// Initial values are constants or free, so the initial states are a cube; reset functions have been
/// folded away. Invariant: the leaves of `aig` are exactly `inputs` and `latches`.
#[derive(Clone, Debug, Default)]
pub struct Safety {
    /// The circuit.
    pub aig: Aig,
    /// The inputs.
    pub inputs: Vec<Var>,
    /// The state.
    pub latches: Vec<StateVar>,
    /// The bad signal; may depend on inputs.
    pub bad: Lit,
    /// Other bad signals that are asked about beside it.
    pub also: Vec<Lit>,
    /// All hold in every step of a trace; may depend on inputs.
    pub constraints: Vec<Lit>,
}

impl Safety {
    /// Inputs, latches and gates, for reports.
    pub fn size(&self) -> [usize; 3] {
        [self.inputs.len(), self.latches.len(), self.aig.n_ands()]
    }
    /// The bad signals.
    pub fn bads(&self) -> impl Iterator<Item = Lit> {
        std::iter::once(self.bad).chain(self.also.iter().copied())
    }
    /// The edges that must survive: the bad signals and the constraints.
    pub fn roots(&self) -> impl Iterator<Item = Lit> {
        self.bads().chain(self.constraints.iter().copied())
    }
    /// For each node the position of the latch it is.
    pub fn latch_positions(&self) -> Vec<Option<u32>> {
        let mut position = vec![None; self.aig.n_vars()];
        for (i, latch) in self.latches.iter().enumerate() {
            position[latch.var.index()] = Some(i as u32);
        }
        position
    }
    /// The sequential cone of influence of the roots: all nodes that can ever matter.
    pub fn cone_of_influence(&self) -> Cone {
        let position = self.latch_positions();
        let mut cone = Cone::new();
        cone.clear(&self.aig);
        for root in self.roots() {
            cone.add(&self.aig, root);
        }
        cone.close(&self.aig, |var| position[var.index()].map(|i| self.latches[i as usize].next));
        cone
    }
}
