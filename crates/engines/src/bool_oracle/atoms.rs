//! What cubes are made of: latches, and if wanted gates that depend on latches only (Dureja, Gurfinkel, Ivrii, Vizel,
//! "IC3 with Internal Signals", FMCAD 2021).
//!
//! A gate can be an atom if it depends on no input and has the same value in all initial states; so a cube of atoms meets the
//! initial states if and only if no literal contradicts them. It is one if something other than such a gate depends on it:
//! behind these gates, the step sees nothing of the latches.

use indubit_aig::ternary;
use indubit_logic::{Lit, Ternary, Var};
use indubit_system::{Safety, StateVar};

/// The atoms of a problem. The latches come first, in their order.
pub(super) struct Atoms {
    all: Vec<StateVar>,
    /// By node.
    position: Vec<Option<u32>>,
    n_latches: usize,
}

impl Atoms {
    /// The latches.
    pub(super) fn latches(safety: &Safety) -> Atoms {
        let all = safety.latches.clone();
        Atoms { position: safety.latch_positions(), n_latches: all.len(), all }
    }
    /// The latches and internal signals. The circuit gets the gates that the next values of the latter need.
    pub(super) fn with_internal_signals(safety: &mut Safety) -> Atoms {
        let mut atoms = Atoms::latches(safety);
        let values = initial_values(safety);
        let aig = safety.aig.clone();
        let mut is_internal = vec![false; aig.n_vars()];
        let mut is_latch = vec![false; aig.n_vars()];
        for latch in &safety.latches {
            is_latch[latch.var.index()] = true;
        }
        for (gate, fanins) in aig.ands() {
            let below = fanins.iter().all(|l| is_internal[l.var().index()] || is_latch[l.var().index()]);
            is_internal[gate.index()] = below && values[gate.index()] != Ternary::Unknown;
        }
        let mut is_seen = vec![false; aig.n_vars()];
        for (_, fanins) in aig.ands().filter(|(gate, _)| !is_internal[gate.index()]) {
            fanins.iter().for_each(|l| is_seen[l.var().index()] = true);
        }
        let roots = safety.roots().chain(safety.latches.iter().map(|l| l.next));
        roots.for_each(|l| is_seen[l.var().index()] = true);
        let mut later = safety.later();
        for (gate, _) in aig.ands().filter(|(gate, _)| is_internal[gate.index()] && is_seen[gate.index()]) {
            let next = later.lit(&aig, &mut safety.aig, Lit::positive(gate));
            atoms.all.push(StateVar { var: gate, next, init: values[gate.index()].known() });
        }
        atoms.position = vec![None; safety.aig.n_vars()];
        for (i, atom) in atoms.all.iter().enumerate() {
            atoms.position[atom.var.index()] = Some(i as u32);
        }
        atoms
    }
    pub(super) fn all(&self) -> &[StateVar] {
        &self.all
    }
    pub(super) fn number(&self, lit: Lit) -> u32 {
        self.position[lit.var().index()].expect("a state literal is an atom")
    }
    pub(super) fn get(&self, lit: Lit) -> &StateVar {
        &self.all[self.number(lit) as usize]
    }
    /// The value that initial states give to the atom of `lit`, seen through the literal's sign.
    pub(super) fn initially(&self, lit: Lit) -> Option<bool> {
        self.get(lit).init.map(|value| value ^ lit.is_negated())
    }
    /// Does a cube contain an initial state? Those are a cube, so this is syntactic: no literal contradicts them.
    pub(super) fn intersects_init(&self, lits: &[Lit]) -> bool {
        lits.iter().all(|&l| self.initially(l) != Some(false))
    }
    /// `core`, with a literal of `whole`, of which it is a subset, if that is what it takes to have no initial state. None if `whole`
    /// has some.
    pub(super) fn without_initial_states(&self, mut core: Vec<Lit>, whole: &[Lit]) -> Option<Vec<Lit>> {
        if self.intersects_init(&core) {
            core.push(*whole.iter().find(|&&l| self.initially(l) == Some(false))?);
        }
        Some(core)
    }
    /// Is the node an atom?
    pub(super) fn contains(&self, var: Var) -> bool {
        self.position[var.index()].is_some()
    }
    /// The gates among them.
    pub(super) fn gates(&self) -> impl Iterator<Item = Var> {
        self.all[self.n_latches..].iter().map(|atom| atom.var)
    }
}

/// The value of each node in all initial states, if it is the same for all inputs.
fn initial_values(safety: &Safety) -> Vec<Ternary> {
    let mut values = vec![Ternary::Unknown; safety.aig.n_vars()];
    for latch in &safety.latches {
        values[latch.var.index()] = latch.init.into();
    }
    ternary::propagate(&safety.aig, &mut values);
    values
}
