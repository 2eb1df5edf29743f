//! What an engine works on.

use indubit_aig::{Aig, Cone, Import, simulate};
use indubit_logic::{Lit, Var, VarMap};

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
    /// The values of all nodes in one step, from the state and the inputs.
    pub fn evaluate(&self, state: &[bool], inputs: &[bool]) -> Vec<bool> {
        let mut values = vec![false; self.aig.n_vars()];
        let leaves =
            self.latches.iter().map(|l| l.var).zip(state).chain(self.inputs.iter().copied().zip(inputs));
        leaves.for_each(|(leaf, &value)| values[leaf.index()] = value);
        simulate::propagate_bools(&self.aig, &mut values);
        values
    }
    /// The next state, from the values of all nodes.
    pub fn next_state(&self, values: &[bool]) -> Vec<bool> {
        self.latches.iter().map(|l| simulate::value(values, l.next)).collect()
    }
    /// What nodes that depend on latches only are one step later: there the latches are their next values. Gates are built in the graph that the copying is asked to go to,
    /// of which this circuit is the first part.
    pub fn later(&self) -> Import {
        let mut later = Import::new(&self.aig);
        self.latches.iter().for_each(|latch| later.set(latch.var, latch.next));
        later
    }
    /// What all nodes are one step later, where the inputs are new leaves of `aig`, of which this circuit is the first part.
    pub fn later_with_inputs(&self, aig: &mut Aig) -> Import {
        let mut later = self.later();
        self.inputs.iter().for_each(|&input| later.set(input, aig.leaf()));
        later
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
    /// Only the [cone of influence](Safety::cone_of_influence), hashed anew: inputs first, then latches, then gates. And what
    /// has become of each node.
    pub fn reduced(&self) -> (Safety, Import) {
        let cone = self.cone_of_influence();
        let mut aig = Aig::new();
        let mut import = Import::new(&self.aig);
        let mut inputs = Vec::new();
        for &var in self.inputs.iter().filter(|&&v| cone.contains(v)) {
            let leaf = aig.leaf();
            import.set(var, leaf);
            inputs.push(leaf.var());
        }
        let kept: Vec<&StateVar> = self.latches.iter().filter(|l| cone.contains(l.var)).collect();
        let leaves: Vec<Lit> = kept.iter().map(|_| aig.leaf()).collect();
        for (latch, &leaf) in kept.iter().zip(&leaves) {
            import.set(latch.var, leaf);
        }
        let bad = import.lit(&self.aig, &mut aig, self.bad);
        let also = self.also.iter().map(|&l| import.lit(&self.aig, &mut aig, l)).collect();
        let constraints = self.constraints.iter().map(|&c| import.lit(&self.aig, &mut aig, c)).collect();
        let mut latches = Vec::with_capacity(kept.len());
        for (latch, &leaf) in kept.iter().zip(&leaves) {
            let next = import.lit(&self.aig, &mut aig, latch.next);
            latches.push(StateVar { var: leaf.var(), next, init: latch.init });
        }
        (Safety { aig, inputs, latches, bad, also, constraints }, import)
    }
    /// Where the nodes of this problem come from: each as a literal of the problem `before`, given what has become of the
    /// nodes there. Every gate here is some node there.
    pub fn origins(&self, before: &Safety, down: impl Fn(Var) -> Option<Lit>) -> VarMap<Lit> {
        let mut up = VarMap::filled(self.aig.n_vars(), Lit::FALSE);
        let mut known = VarMap::filled(self.aig.n_vars(), false);
        known[Var::CONST] = true;
        // Leaves are to be raised to leaves, not to a gate that happens to equal one: they go first.
        let leaves = before.inputs.iter().copied().chain(before.latches.iter().map(|l| l.var));
        for v in leaves.chain(before.aig.ands().map(|(v, _)| v)) {
            if let Some(lit) = down(v)
                && !std::mem::replace(&mut known[lit.var()], true)
            {
                up[lit.var()] = v.lit(lit.is_negated());
            }
        }
        debug_assert!(
            self.aig.ands().all(|(gate, _)| known[gate]),
            "a gate that is no node of the problem before"
        );
        up
    }
}
