//! All states of a small system, and all steps between them.

use super::Set;
use crate::explicit::Refusal;
use indubit_aig::simulate;
use indubit_logic::Lit;
use indubit_system::{BitSystem, ResetOrder};

/// So many bits a state and the inputs of a step may have together.
const MOST_BITS: usize = 14;

/// A step that keeps the constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The state after it.
    pub to: usize,
    /// What it chooses: first the inputs that are no part of a state, then what those that are hold after it; the first one is the lowest bit.
    pub inputs: u32,
    /// The fairness signals that are true in it, the first one in the lowest bit. Without fairness, there is one that is always true.
    pub seen: u32,
}

/// The states of a system.
pub struct States {
    /// The inputs that are a part of the state: it has one bit for each latch, the first one lowest, and then one for each of these.
    pub shown: Vec<usize>,
    /// The number of signals, at least one.
    pub n_signals: usize,
    /// The steps from each state.
    pub steps: Vec<Vec<Step>>,
    /// The initial states.
    pub initial: Set,
    /// For each atom the states in which it is true.
    pub atoms: Vec<Set>,
}

/// The edges that have an input in their cone, for each input.
fn sees(system: &BitSystem, roots: &[Lit]) -> Vec<bool> {
    let aig = system.aig();
    let mut is_seen = vec![false; aig.n_vars()];
    roots.iter().for_each(|root| is_seen[root.var().index()] = true);
    for (gate, fanins) in aig.ands().rev() {
        if is_seen[gate.index()] {
            fanins.iter().for_each(|lit| is_seen[lit.var().index()] = true);
        }
    }
    system.inputs().iter().map(|input| is_seen[input.lit.var().index()]).collect()
}

fn bits(n: usize, number: usize) -> impl Iterator<Item = bool> {
    (0..n).map(move |i| number >> i & 1 == 1)
}

impl States {
    pub(super) fn new(system: &BitSystem, atoms: &[Lit]) -> Result<States, Refusal> {
        let (n_latches, n_inputs) = (system.latches().len(), system.inputs().len());
        let resets = system.latches().iter().map(|latch| latch.reset);
        let is_shown = sees(system, &atoms.iter().copied().chain(resets).collect::<Vec<Lit>>());
        let (shown, hidden): (Vec<usize>, Vec<usize>) = (0..n_inputs).partition(|&i| is_shown[i]);
        if n_latches + n_inputs + shown.len() > MOST_BITS || system.fairness.len() > 32 {
            return Err(Refusal::TooLarge);
        }
        ResetOrder::new(system).map_err(|_| Refusal::CyclicReset)?;
        let n_states = 1 << (n_latches + shown.len());
        let n_signals = system.fairness.len().max(1);
        let mut states = States {
            shown,
            n_signals,
            steps: vec![Vec::new(); n_states],
            initial: vec![false; n_states],
            atoms: vec![vec![false; n_states]; atoms.len()],
        };
        for state in 0..n_states {
            let latches: Vec<bool> = bits(n_latches, state).collect();
            for choice in 0..1usize << hidden.len() {
                let mut inputs = vec![false; n_inputs];
                for (&input, value) in states.shown.iter().zip(bits(n_inputs, state >> n_latches)) {
                    inputs[input] = value;
                }
                for (&input, value) in hidden.iter().zip(bits(n_inputs, choice)) {
                    inputs[input] = value;
                }
                let values = system.evaluate(&latches, &inputs);
                let holds = |lit: Lit| simulate::value(&values, lit);
                // What atoms and resets say is the same for all choices.
                let is_reset = |(latch, &value): (&indubit_system::Latch, &bool)| holds(latch.reset) == value;
                states.initial[state] = system.latches().iter().zip(&latches).all(is_reset);
                for (set, &atom) in states.atoms.iter_mut().zip(atoms) {
                    set[state] = holds(atom);
                }
                if !system.constraints.iter().all(|constraint| holds(constraint.lit)) {
                    continue;
                }
                let fairness = system.fairness.iter().enumerate();
                let seen = fairness.fold(0, |seen, (i, signal)| seen | u32::from(holds(signal.lit)) << i);
                let seen = if system.fairness.is_empty() { 1 } else { seen };
                let next = system.next_state(&values).into_iter().enumerate();
                let next = next.fold(0, |code, (i, value)| code | usize::from(value) << i);
                for then in 0..1usize << states.shown.len() {
                    let inputs = (choice | then << hidden.len()) as u32;
                    states.steps[state].push(Step { to: next | then << n_latches, inputs, seen });
                }
            }
        }
        Ok(states)
    }
    /// How many there are.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.steps.len()
    }
    /// Those that can be reached from initial ones, whether a fair path goes on from there or not.
    pub fn reachable(&self) -> Set {
        let mut reached = self.initial.clone();
        let mut open: Vec<usize> = (0..self.len()).filter(|&s| reached[s]).collect();
        while let Some(state) = open.pop() {
            for step in &self.steps[state] {
                if !std::mem::replace(&mut reached[step.to], true) {
                    open.push(step.to);
                }
            }
        }
        reached
    }
}
