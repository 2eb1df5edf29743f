//! Steps of single states, by simulation: how Quip finds reachable states.

use super::Inputs;
use super::atoms::Atoms;
use indubit_aig::simulate;
use indubit_logic::Lit;
use indubit_pdr::State;
use indubit_system::Safety;

/// Simulates one state at a time.
pub(super) struct Simulator {
    /// By node.
    values: Vec<bool>,
    rng: fastrand::Rng,
}

/// Values as bits.
pub(super) fn pack(values: impl Iterator<Item = bool>) -> State {
    let mut words = Vec::new();
    for (i, value) in values.enumerate() {
        if i % 64 == 0 {
            words.push(0);
        }
        if let Some(last) = words.last_mut() {
            *last |= u64::from(value) << (i % 64);
        }
    }
    words.into()
}

/// Bits as values, perhaps with some behind the last one.
pub(super) fn unpack(state: &State) -> impl Iterator<Item = bool> {
    state.iter().flat_map(|word| (0..64).map(move |bit| word >> bit & 1 == 1))
}

impl Simulator {
    pub(super) fn new(seed: u64) -> Simulator {
        Simulator { values: Vec::new(), rng: fastrand::Rng::with_seed(seed) }
    }
    /// The constraints that a step breaks, and the state after it.
    pub(super) fn step(
        &mut self,
        safety: &Safety,
        atoms: &Atoms,
        state: &State,
        inputs: &Inputs,
    ) -> (Vec<Lit>, State) {
        self.values.resize(safety.aig.n_vars(), false);
        for (latch, value) in safety.latches.iter().zip(unpack(state)) {
            self.values[latch.var.index()] = value;
        }
        for (input, &value) in safety.inputs.iter().zip(inputs) {
            self.values[input.index()] = value;
        }
        simulate::propagate_bools(&safety.aig, &mut self.values);
        let value = |lit| simulate::value(&self.values, lit);
        let broken = safety.constraints.iter().copied().filter(|&c| !value(c)).collect();
        (broken, pack(atoms.all().iter().map(|a| value(a.next))))
    }
    /// A step with random inputs, if the constraints allow it.
    pub(super) fn random_step(
        &mut self,
        safety: &Safety,
        atoms: &Atoms,
        state: &State,
    ) -> Option<(Inputs, State)> {
        let inputs: Inputs = safety.inputs.iter().map(|_| self.rng.bool()).collect();
        let (broken, next) = self.step(safety, atoms, state, &inputs);
        broken.is_empty().then_some((inputs, next))
    }
}
