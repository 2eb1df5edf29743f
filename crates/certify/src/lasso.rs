//! Counterexamples to justice properties: runs that go on for ever, replayed by simulation.
//!
//! A lasso is one if its constraints hold in every step, its loop closes, and each signal is seen within the loop.
//!
//! **The loop closes** if the state after the last step is the one in which it begins. It need not be the whole state. Let the latches that differ, or have ever come
//! to depend on one that does, be unknown when the loop begins. If ternary simulation of the loop ends with the same values of the others, then each time round these have the same values at
//! the same places, whatever the unknown ones do; and constraints and signals that are known in that simulation have these values for ever. That is so, for example, if all latches agree
//! in the cone of influence of constraints and signals: those are functions of each other and of the inputs.

use crate::Reason;
use crate::replay::{Replay, named, named_signal};
use indubit_aig::{simulate, ternary};
use indubit_logic::{Lit, Ternary};
use indubit_system::{BitSystem, Claim, Influence, Property, Trace};

/// Is the trace a lasso that violates a justice property with these signals?
pub(crate) fn check(
    model: &BitSystem,
    property: &Property,
    signals: &[Lit],
    trace: &Trace,
) -> Result<(), Reason> {
    let Some(begin) = trace.loops_to else {
        return Err(Reason::Finite { property: named(property) });
    };
    if begin >= trace.inputs.len() {
        let n = trace.inputs.len();
        return Err(Reason::Misfit(format!("the loop begins in step {begin}, and the trace has {n} steps")));
    }
    let mut replay = Replay::new(model, trace)?;
    let mut is_seen = vec![false; signals.len()];
    let mut first = trace.initial.clone();
    for step in 0..trace.inputs.len() {
        if step == begin {
            first.clone_from(&replay.state);
        }
        let values = replay.step()?;
        if step >= begin {
            for (seen, &signal) in is_seen.iter_mut().zip(signals) {
                *seen |= simulate::value(&values, signal);
            }
        }
    }
    if let Some(i) = is_seen.iter().position(|seen| !seen) {
        return Err(Reason::NotSeen { signal: signal_name(model, property, i), step: begin });
    }
    let last = replay.state;
    if first == last || closes(model, signals, trace, begin, &first, &last) {
        return Ok(());
    }
    // What matters is named, if it is that.
    let mut influence = Influence::new(model);
    let cone = influence.of(signals.iter().copied().chain(model.constraints.iter().map(|c| c.lit)));
    let differs: Vec<usize> = (0..first.len()).filter(|&i| first[i] != last[i]).collect();
    let matters = differs.iter().copied().find(|&i| cone.contains(model.latches()[i].var));
    let latch = matters.or(differs.first().copied()).unwrap_or_default();
    let values = [first[latch], last[latch]];
    Err(Reason::NotClosed { latch: model.latch_label(latch), step: begin, values })
}

/// The values of some edges in each step of a lasso that sees the fairness of the model while it repeats. Where it closes, all latches must agree that the edges depend on.
pub(crate) fn follow(
    model: &BitSystem,
    property: &Property,
    edges: &[Lit],
    trace: &Trace,
) -> Result<Vec<Vec<bool>>, Reason> {
    let fairness: Vec<Lit> = model.fairness.iter().map(|f| f.lit).collect();
    let fair = Property { claim: Claim::Justice(Vec::new()), ..property.clone() };
    check(model, &fair, &fairness, trace)?;
    let begin = trace.loops_to.expect("it was checked to be a lasso");
    let mut replay = Replay::new(model, trace)?;
    let (mut first, mut rows) = (Vec::new(), Vec::new());
    for step in 0..trace.inputs.len() {
        if step == begin {
            first.clone_from(&replay.state);
        }
        let values = replay.step()?;
        rows.push(edges.iter().map(|&edge| simulate::value(&values, edge)).collect());
    }
    let mut influence = Influence::new(model);
    let roots = edges.iter().chain(&fairness).copied().chain(model.constraints.iter().map(|c| c.lit));
    let cone = influence.of(roots);
    let differs = |&i: &usize| first[i] != replay.state[i] && cone.contains(model.latches()[i].var);
    match (0..first.len()).find(differs) {
        None => Ok(rows),
        Some(i) => {
            let values = [first[i], replay.state[i]];
            Err(Reason::NotClosed { latch: model.latch_label(i), step: begin, values })
        }
    }
}

/// Do the latches that agree determine everything that matters in the loop?
fn closes(
    model: &BitSystem,
    signals: &[Lit],
    trace: &Trace,
    begin: usize,
    first: &[bool],
    last: &[bool],
) -> bool {
    let known = |i: usize| if first[i] == last[i] { first[i].into() } else { Ternary::Unknown };
    let mut start: Vec<Ternary> = (0..first.len()).map(known).collect();
    loop {
        let mut state = start.clone();
        let mut is_seen = vec![false; signals.len()];
        let mut is_kept = true;
        for inputs in &trace.inputs[begin..] {
            let mut values = vec![Ternary::Unknown; model.aig().n_vars()];
            for (latch, &value) in model.latches().iter().zip(&state) {
                values[latch.var.index()] = value;
            }
            for (input, &value) in model.inputs().iter().zip(inputs) {
                values[input.lit.var().index()] = value.into();
            }
            ternary::propagate(model.aig(), &mut values);
            let holds = |lit: Lit| ternary::value(&values, lit) == Ternary::True;
            is_kept &= model.constraints.iter().all(|c| holds(c.lit));
            is_seen.iter_mut().zip(signals).for_each(|(seen, &signal)| *seen |= holds(signal));
            state = model.latches().iter().map(|l| ternary::value(&values, l.next)).collect();
        }
        // With less known at the beginning, less is known later.
        if !is_kept || is_seen.contains(&false) {
            return false;
        }
        let lost: Vec<usize> =
            (0..start.len()).filter(|&i| start[i] != Ternary::Unknown && state[i] != start[i]).collect();
        if lost.is_empty() {
            return true;
        }
        lost.into_iter().for_each(|i| start[i] = Ternary::Unknown);
    }
}

/// Where the loop begins of which a trace is the stem and the first time round: the first step whose state is that after the last one, on all latches that the property and the constraints depend on.
///
/// It is the longest loop that there is, so no other one sees more. A witness does not say where its loop begins; `aigsim` looks for the same step, with all latches.
pub(crate) fn find_loop(
    model: &BitSystem,
    property: &Property,
    signals: &[Lit],
    trace: &Trace,
) -> Result<usize, Reason> {
    let mut influence = Influence::new(model);
    let cone = influence.of(signals.iter().copied().chain(model.constraints.iter().map(|c| c.lit)));
    let matters: Vec<usize> =
        (0..model.latches().len()).filter(|&i| cone.contains(model.latches()[i].var)).collect();
    let of = |state: &[bool]| -> Vec<bool> { matters.iter().map(|&i| state[i]).collect() };
    let mut replay = Replay::new(model, trace)?;
    let mut states = Vec::with_capacity(trace.inputs.len());
    for _ in 0..trace.inputs.len() {
        states.push(of(&replay.state));
        replay.step()?;
    }
    let last = of(&replay.state);
    let found = states.iter().position(|state| *state == last);
    found.ok_or_else(|| Reason::NoLoop { property: named(property) })
}

/// What the signal at a position is called: fairness comes first.
fn signal_name(model: &BitSystem, property: &Property, position: usize) -> String {
    match model.fairness.get(position) {
        Some(fairness) => format!("fairness {}", named_signal(format!("f{position}"), fairness)),
        None => format!("signal {} of property {}", position - model.fairness.len(), named(property)),
    }
}

#[cfg(test)]
#[path = "lasso_tests.rs"]
mod tests;
