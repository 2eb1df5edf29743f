//! Steps of single states, by simulation: how Quip finds reachable states.

use super::Inputs;
use indubit_aig::simulate;
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
    /// The state after a step, and whether the constraints allow the step.
    pub(super) fn step(&mut self, safety: &Safety, state: &State, inputs: &Inputs) -> (bool, State) {
        self.values.resize(safety.aig.n_vars(), false);
        for (latch, value) in safety.latches.iter().zip(unpack(state)) {
            self.values[latch.var.index()] = value;
        }
        for (input, &value) in safety.inputs.iter().zip(inputs) {
            self.values[input.index()] = value;
        }
        simulate::propagate_bools(&safety.aig, &mut self.values);
        let value = |lit| simulate::value(&self.values, lit);
        let is_legal = safety.constraints.iter().all(|&c| value(c));
        (is_legal, pack(safety.latches.iter().map(|l| value(l.next))))
    }
    /// A step with random inputs, if the constraints allow it.
    pub(super) fn random_step(&mut self, safety: &Safety, state: &State) -> Option<(Inputs, State)> {
        let inputs: Inputs = safety.inputs.iter().map(|_| self.rng.bool()).collect();
        let (is_legal, next) = self.step(safety, state, &inputs);
        is_legal.then_some((inputs, next))
    }
}
