//! What is remarkable about the steps of a run: constraints that they break, and properties that they decide.

use crate::signals;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Claim, Trace, WordSystem, WordTrace};

/// What is remarkable about a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The constraints that are violated in it.
    pub broken: Vec<String>,
    /// The properties, by position, whose bad state or cover it is.
    pub hit: Vec<usize>,
}

/// Of each step of a run of a circuit.
pub fn bits(model: &BitSystem, trace: &Trace) -> Vec<Seen> {
    let targets: Vec<Option<Lit>> = model.properties().iter().map(|p| p.claim.target()).collect();
    let label = |i: usize| match &model.constraints[i].name {
        Some(name) => format!("{name} (c{i})"),
        None => format!("c{i}"),
    };
    let step = |values: Vec<bool>| {
        let is_true = |lit: Lit| values[lit.var().index()] ^ lit.is_negated();
        let broken = (0..model.constraints.len()).filter(|&i| !is_true(model.constraints[i].lit)).map(label);
        let hit = (0..targets.len()).filter(|&p| targets[p].is_some_and(is_true));
        Seen { broken: broken.collect(), hit: hit.collect() }
    };
    signals::replay(model, trace).map(step).collect()
}

/// Of each step of a run over words, which breaks nothing: what cannot happen is no step.
pub fn words(system: &WordSystem, trace: &WordTrace) -> Vec<Seen> {
    let step = |step: usize| {
        let value = trace.values_at(system, step);
        let is_hit = |p: &usize| match system.properties[*p].claim {
            Claim::Always(good) => system.terms.holds(good, &value) == Ok(false),
            Claim::Reachable(goal) => system.terms.holds(goal, &value) == Ok(true),
            Claim::Justice(_) | Claim::Ltl(_) | Claim::Ctl(_) => false,
        };
        Seen { broken: Vec::new(), hit: (0..system.properties.len()).filter(is_hit).collect() }
    };
    (0..trace.states.len().min(trace.inputs.len())).map(step).collect()
}
