//! Lassos that everyone can follow: their states repeat completely.

use crate::{BitSystem, Property, Trace};
use indubit_aig::simulate;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

/// So many steps of a lasso are looked at for a state that repeats as a whole, and fewer of a large model: so many nodes in all.
const LONGEST_LASSO: usize = 10_000;
const MOST_NODES: usize = 50_000_000;

/// How many steps of a lasso of a system are worth looking at.
pub fn lasso_limit(system: &BitSystem) -> usize {
    (MOST_NODES / system.aig().n_vars().max(1)).min(LONGEST_LASSO)
}

/// The lasso, with its loop repeated until the whole state is one that has been there before, and all signals of the property have been seen since then.
///
/// Engines leave out latches that do not matter, so these may differ where a loop closes. Our checker knows that they do not matter, but a witness
/// has no place for it: `aigsim`, for one, wants the state after the last step to be equal to an earlier one. Of all repetitions the first is taken, with
/// the earliest state that it repeats: the fewest steps before the loop, and the fewest in all.
///
/// The lasso stays what it is if it has no such repetition within `limit` steps, or is none.
///
/// ```
/// use indubit_system::{BitSystem, Justice, Trace, close_lasso};
/// // A bit that toggles, and two beside it that nothing depends on: they begin anew every fourth step.
/// let mut model = BitSystem::new();
/// let a = model.add_latch("a", Some(false));
/// let [b, c] = ["b", "c"].map(|n| model.add_latch(n, Some(false)));
/// model.set_next(a, !a);
/// model.set_next(b, c);
/// model.set_next(c, !b);
/// model.justice.push(Justice { lits: vec![a], name: None });
/// let lasso = Trace { initial: vec![false; 3], inputs: vec![vec![]; 2], loops_to: Some(0) };
/// let closed = close_lasso(&model, &model.properties()[0], &lasso, 100);
/// assert_eq!((closed.inputs.len(), closed.loops_to), (4, Some(0)));
/// ```
pub fn close_lasso(system: &BitSystem, property: &Property, lasso: &Trace, limit: usize) -> Trace {
    let signals = system.infinitely_often(&property.claim).unwrap_or_default();
    let mut last_seen: Vec<Option<usize>> = vec![None; signals.len()];
    // Where each state was first: states are compared by what they hash to, and once more before that counts.
    let mut first = HashMap::new();
    let mut state = lasso.initial.clone();
    for step in 0..=limit {
        let begin = *first.entry(hash(&state)).or_insert(step);
        let has_all = last_seen.iter().all(|seen| seen.is_some_and(|seen| seen >= begin));
        if begin < step && has_all && state_at(system, lasso, begin) == Some(state.clone()) {
            let inputs = (0..step).filter_map(|i| row(lasso, i)).cloned().collect();
            return Trace { initial: lasso.initial.clone(), inputs, loops_to: Some(begin) };
        }
        let Some(inputs) = row(lasso, step) else { break };
        let values = system.evaluate(&state, inputs);
        if system.constraints.iter().any(|c| !simulate::value(&values, c.lit)) {
            break;
        }
        for (seen, &signal) in last_seen.iter_mut().zip(&signals) {
            if simulate::value(&values, signal) {
                *seen = Some(step);
            }
        }
        state = system.next_state(&values);
    }
    lasso.clone()
}

/// The inputs of a step of the run that a trace stands for.
fn row(trace: &Trace, step: usize) -> Option<&Vec<bool>> {
    let n_steps = trace.inputs.len();
    match trace.loops_to {
        Some(begin) if step >= n_steps && begin < n_steps => {
            trace.inputs.get(begin + (step - begin) % (n_steps - begin))
        }
        _ => trace.inputs.get(step),
    }
}

fn state_at(system: &BitSystem, trace: &Trace, step: usize) -> Option<Vec<bool>> {
    let mut state = trace.initial.clone();
    for i in 0..step {
        let values = system.evaluate(&state, row(trace, i)?);
        state = system.next_state(&values);
    }
    Some(state)
}

fn hash(state: &[bool]) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Justice;
    use indubit_logic::Lit;

    /// An input that is remembered for one step, and a counter of steps, modulo 4.
    fn model() -> BitSystem {
        let mut model = BitSystem::new();
        let i = model.add_input("i");
        let a = model.add_latch("a", Some(false));
        model.set_next(a, i);
        model.justice.push(Justice { lits: vec![a, !a], name: None });
        let [low, high] = ["low", "high"].map(|n| model.add_latch(n, Some(false)));
        let high_next = model.aig_mut().xor(low, high);
        model.set_next(low, !low);
        model.set_next(high, high_next);
        model
    }

    fn lasso(rows: &str, loops_to: Option<usize>) -> Trace {
        let inputs = rows.bytes().map(|b| vec![b == b'1']).collect();
        Trace { initial: vec![false; 3], inputs, loops_to }
    }

    fn closed(rows: &str, loops_to: usize, limit: usize) -> (String, Option<usize>) {
        let model = model();
        let closed = close_lasso(&model, &model.properties()[0], &lasso(rows, Some(loops_to)), limit);
        (closed.inputs.iter().map(|row| if row[0] { '1' } else { '0' }).collect(), closed.loops_to)
    }

    #[test]
    fn loops_are_repeated_until_everything_does() {
        assert_eq!(closed("10", 0, 100), ("1010".into(), Some(0)));
        assert_eq!(closed("0001", 1, 100), ("00010".into(), Some(1)));
        // Both signals have to be seen, however often the state repeats.
        assert_eq!(closed("000000000010", 9, 100).1.map(|l| l % 4), Some(0));
    }

    #[test]
    fn too_long_or_too_broken_lassos_stay() {
        assert_eq!(closed("10", 0, 3), ("10".into(), Some(0)));
        assert_eq!(closed("00", 0, 100), ("00".into(), Some(0)));
        let mut model = model();
        let property = model.properties().remove(0);
        let finite = lasso("10", None);
        assert_eq!(close_lasso(&model, &property, &finite, 100), finite);
        model.add_constraint("", Lit::FALSE);
        let broken = lasso("10", Some(0));
        assert_eq!(close_lasso(&model, &property, &broken, 100), broken);
    }
}
