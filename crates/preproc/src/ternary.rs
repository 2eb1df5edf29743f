//! Constant and equivalent latches by ternary simulation.
//!
//! From the initial state (free latches unknown) with unknown inputs, ternary simulation visits a sequence of
//! ternary states, each a cube that contains all states reachable in that many steps. When a state repeats,
//! the disjunction of the cubes is an inductive invariant. A latch with the same known value in each of them
//! is constant; two latches that are always known and always equal (or always different) are equivalent.
//!
//! If the sequence does not repeat within a budget, states are joined instead until a fixpoint: a single cube,
//! which gives constants only but always ends.

use crate::rebuild::rebuild;
use indubit_aig::ternary;
use indubit_logic::{Clause, Lit, Ternary};
use indubit_run::{Ask, Run};
use indubit_system::{Invariant, Lower, Raise, Safety};
use std::collections::{HashMap, HashSet};

/// Literals of all cubes of the invariant together: what the certificate grows by.
const BUDGET: usize = 50_000;

/// Replaces constant latches by constants and equivalent ones by each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct TernaryConstants;

type State = Vec<Ternary>;

impl Lower for TernaryConstants {
    type From = Safety;
    fn name(&self) -> &'static str {
        "ternary"
    }
    fn lower(&self, from: &Safety, run: &mut Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
        let cubes = match sequence(from, run)? {
            Some(cubes) => cubes,
            None => vec![fixpoint(from, run)?],
        };
        let replaced = replacements(from, &cubes);
        let mut because = Invariant::new(from.aig.n_vars());
        if replaced.iter().any(Option::is_some) {
            justify(from, &cubes, &mut because);
        }
        Ok(rebuild(from, &replaced, because))
    }
}

fn initial(from: &Safety) -> State {
    from.latches.iter().map(|l| l.init.into()).collect()
}

fn successor(from: &Safety, state: &State, values: &mut [Ternary]) -> State {
    for (latch, &value) in from.latches.iter().zip(state) {
        values[latch.var.index()] = value;
    }
    for input in &from.inputs {
        values[input.index()] = Ternary::Unknown;
    }
    ternary::propagate(&from.aig, values);
    from.latches.iter().map(|l| ternary::value(values, l.next)).collect()
}

/// The ternary states until one repeats, if that happens within the budget.
fn sequence(from: &Safety, run: &Run<'_>) -> Ask<Option<Vec<State>>> {
    let mut values = vec![Ternary::Unknown; from.aig.n_vars()];
    let mut seen = HashSet::new();
    let mut cubes = Vec::new();
    let mut state = initial(from);
    let mut literals = 0;
    while seen.insert(state.clone()) {
        run.checkpoint()?;
        literals += state.iter().filter(|&&v| v != Ternary::Unknown).count();
        if literals > BUDGET && cubes.len() > 1 {
            return Ok(None);
        }
        let next = successor(from, &state, &mut values);
        cubes.push(std::mem::replace(&mut state, next));
    }
    Ok(Some(cubes))
}

/// The least ternary state that contains the initial one and its own successor.
fn fixpoint(from: &Safety, run: &Run<'_>) -> Ask<State> {
    let mut values = vec![Ternary::Unknown; from.aig.n_vars()];
    let mut state = initial(from);
    loop {
        run.checkpoint()?;
        let next = successor(from, &state, &mut values);
        let joined: State = state.iter().zip(&next).map(|(&a, &b)| a.join(b)).collect();
        if joined == state {
            return Ok(state);
        }
        state = joined;
    }
}

/// For each latch the constant or the earlier latch that it equals in all cubes.
fn replacements(from: &Safety, cubes: &[State]) -> Vec<Option<Lit>> {
    let mut first_with: HashMap<Vec<bool>, Lit> = HashMap::new();
    let replacement = |i: usize| {
        let values: Option<Vec<bool>> = cubes.iter().map(|c| c[i].known()).collect();
        let mut values = values?;
        let (flip, latch) = (values[0], Lit::positive(from.latches[i].var));
        values.iter_mut().for_each(|v| *v ^= flip);
        if !values.contains(&true) {
            return Some(Lit::constant(flip));
        }
        match first_with.get(&values) {
            Some(&first) => Some(first ^ flip),
            None => {
                first_with.insert(values, latch ^ flip);
                None
            }
        }
    };
    (0..from.latches.len()).map(replacement).collect()
}

/// "The state is in one of the cubes": unit clauses for what they share, gates for the rest.
fn justify(from: &Safety, cubes: &[State], because: &mut Invariant) {
    let known = |cube: &State, i: usize| Some(Lit::with_value(from.latches[i].var, cube[i].known()?));
    let (constant, varying): (Vec<usize>, Vec<usize>) = (0..from.latches.len())
        .filter(|&i| cubes.iter().any(|c| c[i] != Ternary::Unknown))
        .partition(|&i| cubes.iter().all(|c| c[i] == cubes[0][i]));
    for lit in constant.iter().filter_map(|&i| known(&cubes[0], i)) {
        because.add(Clause::new([lit]));
    }
    let rests: Vec<Vec<Lit>> =
        cubes.iter().map(|c| varying.iter().filter_map(|&i| known(c, i)).collect()).collect();
    // A cube without literals is everything: then the disjunction says nothing.
    if rests.iter().all(|rest| !rest.is_empty()) {
        let gates: Vec<Lit> = rests.into_iter().map(|rest| because.and_all(rest)).collect();
        because.add(Clause::new(gates));
    }
}
