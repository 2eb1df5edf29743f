//! Constant and equivalent latches by ternary simulation.
//!
//! From the initial state (free latches unknown) with unknown inputs, ternary simulation visits a sequence of
//! ternary states, each a cube that contains all states reachable in that many steps. When a state repeats,
//! the disjunction of the cubes is an inductive invariant. A latch with the same known value in each of them
//! is constant; two latches that are always known and always equal (or always different) are equivalent.
//!
//! If the sequence does not repeat within a budget, states are joined instead until a fixpoint: a single cube,
//! which gives constants only. That has a budget too, and beyond it nothing is replaced.

use crate::rebuild::{Because, rebuild};
use indubit_aig::ternary;
use indubit_logic::{Clause, Lit, Ternary, VarMap};
use indubit_run::{Ask, Run};
use indubit_system::{Invariant, Lower, Raise, Safety};
use std::collections::{HashMap, HashSet};

/// Literals of all cubes of the invariant together: what the certificate grows by.
const MAX_LITERALS: usize = 50_000;
/// Gates evaluated by each of the two simulations, so that a large model does not drown here.
const MAX_EFFORT: usize = 100_000_000;

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
            None => vec![fixpoint(from, run)?.unwrap_or_else(|| vec![Ternary::Unknown; from.latches.len()])],
        };
        let replaced = replacements(from, &cubes);
        let mut because = Invariant::new(from.aig.n_vars());
        if replaced.iter().any(Option::is_some) {
            justify(from, &cubes, &mut because);
        }
        let mut by_node = VarMap::filled(from.aig.n_vars(), None);
        for (latch, by) in from.latches.iter().zip(replaced) {
            by_node[latch.var] = by;
        }
        Ok(rebuild(from, &by_node, Because::Invariant(because)))
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
        if literals > MAX_LITERALS && cubes.len() > 1 || cubes.len() > max_steps(from) {
            return Ok(None);
        }
        let next = successor(from, &state, &mut values);
        cubes.push(std::mem::replace(&mut state, next));
    }
    Ok(Some(cubes))
}

fn max_steps(from: &Safety) -> usize {
    MAX_EFFORT / from.aig.n_vars()
}

/// The least ternary state that contains the initial one and its own successor, within the budget.
fn fixpoint(from: &Safety, run: &Run<'_>) -> Ask<Option<State>> {
    let mut values = vec![Ternary::Unknown; from.aig.n_vars()];
    let mut state = initial(from);
    for _ in 0..max_steps(from) {
        run.checkpoint()?;
        let next = successor(from, &state, &mut values);
        let joined: State = state.iter().zip(&next).map(|(&a, &b)| a.join(b)).collect();
        if joined == state {
            return Ok(Some(state));
        }
        state = joined;
    }
    Ok(None)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn lowered(safety: &Safety) -> Safety {
        testing::lowered(&TernaryConstants, safety)
    }

    fn safety<const N: usize>(
        init: [Option<bool>; N],
        make: impl Fn(&mut Safety, [Lit; N]) -> ([Lit; N], Lit),
    ) -> Safety {
        testing::safety(init, 0, |safety, latches, _| {
            let (next, bad) = make(safety, latches);
            (next, bad, Vec::new())
        })
    }

    #[test]
    fn a_stuck_latch_becomes_a_constant() {
        // b stays 0 whatever a does.
        let stuck = safety([None, Some(false)], |s, [a, b]| {
            let both = s.aig.and(a, b);
            let bad = s.aig.or(both, b);
            ([!a, both], bad)
        });
        assert_eq!(lowered(&stuck).bad, Lit::FALSE);
    }

    #[test]
    fn latches_in_phase_are_merged() {
        // Two toggles, one the complement of the other: they never agree.
        let toggles = safety([Some(false), Some(true)], |s, [a, b]| {
            let agree = s.aig.iff(a, b);
            ([!a, !b], agree)
        });
        assert_eq!(lowered(&toggles).bad, Lit::FALSE);
    }

    #[test]
    fn free_latches_stay() {
        let free = safety([None, None], |s, [a, b]| ([b, a], s.aig.and(a, b)));
        assert_eq!(lowered(&free).latches.len(), 2);
    }
}
