//! Which states satisfy a formula, by fixpoints.

use super::{Set, States};
use indubit_logic::Lit;
use indubit_system::{Ctl, CtlNode};

/// States that were taken away together: among those that were left no path from there sees a signal any more.
#[derive(Clone, Debug)]
pub struct Peeled {
    /// These.
    pub set: Set,
    /// The signal.
    pub signal: usize,
}

/// What is known of a node of a formula.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// The states that satisfy it.
    pub set: Set,
    /// Of *until* how many steps it takes from there; of *globally*, for each signal, how many until a step in which it is seen.
    pub distances: Vec<Vec<u32>>,
    /// Of *globally*, what was taken away of the states in which what is inside holds and a fair path begins, one after the other.
    pub peeled: Vec<Peeled>,
}

impl From<Set> for Judged {
    fn from(set: Set) -> Judged {
        Judged { set, ..Judged::default() }
    }
}

/// The states with a fair path, and for each node of a formula those that satisfy it.
pub(super) fn all(states: &States, formula: &Ctl<Lit>) -> (Judged, Vec<Judged>) {
    let all = vec![true; states.len()];
    let fair = globally(states, &all);
    let mut nodes: Vec<Judged> = Vec::new();
    let both = |a: &Set, b: &Set| -> Set { a.iter().zip(b).map(|(&a, &b)| a && b).collect() };
    for &node in formula.nodes() {
        let of = |id: indubit_system::CtlId| &nodes[id.index()].set;
        nodes.push(match node {
            CtlNode::True => all.clone().into(),
            CtlNode::Atom(number) => states.atoms[number as usize].clone().into(),
            CtlNode::Not(a) => of(a).iter().map(|&a| !a).collect::<Set>().into(),
            CtlNode::And(a, b) => both(of(a), of(b)).into(),
            CtlNode::ExistsNext(a) => {
                let goal = both(of(a), &fair.set);
                let has_step = |steps: &Vec<super::Step>| steps.iter().any(|step| goal[step.to]);
                states.steps.iter().map(has_step).collect::<Set>().into()
            }
            CtlNode::ExistsUntil(a, b) => until(states, of(a), &both(of(b), &fair.set)),
            CtlNode::ExistsGlobally(a) => globally(states, &both(of(a), &fair.set)),
        });
    }
    (fair, nodes)
}

fn until(states: &States, along: &Set, goal: &Set) -> Judged {
    let mut set = goal.clone();
    let mut distances = vec![0; states.len()];
    for distance in 1.. {
        let comes = |s: &usize| !set[*s] && along[*s] && states.steps[*s].iter().any(|step| set[step.to]);
        let new: Vec<usize> = (0..states.len()).filter(comes).collect();
        if new.is_empty() {
            break;
        }
        for s in new {
            (set[s], distances[s]) = (true, distance);
        }
    }
    Judged { set, distances: vec![distances], peeled: Vec::new() }
}

/// How many steps it takes to one in which a signal is seen, all of them inside a set; no number if there is no way.
fn ways(states: &States, inside: &Set, signal: usize) -> Vec<Option<u32>> {
    let mut ways: Vec<Option<u32>> = vec![None; states.len()];
    for distance in 0.. {
        let has_step = |s: &usize| {
            let mut steps = states.steps[*s].iter().filter(|step| inside[step.to]);
            steps.any(|step| ways[step.to].is_some() || step.seen >> signal & 1 == 1)
        };
        let is_new = |s: &usize| inside[*s] && ways[*s].is_none() && has_step(s);
        let new: Vec<usize> = (0..states.len()).filter(is_new).collect();
        if new.is_empty() {
            break;
        }
        for s in new {
            ways[s] = Some(distance);
        }
    }
    ways
}

fn globally(states: &States, inside: &Set) -> Judged {
    let mut set = inside.clone();
    let mut peeled = Vec::new();
    let mut n_unchanged = 0;
    for signal in (0..states.n_signals).cycle() {
        if n_unchanged == states.n_signals {
            break;
        }
        let ways = ways(states, &set, signal);
        let gone: Set = (0..states.len()).map(|s| set[s] && ways[s].is_none()).collect();
        n_unchanged += 1;
        if gone.contains(&true) {
            set.iter_mut().zip(&gone).for_each(|(left, gone)| *left &= !gone);
            peeled.push(Peeled { set: gone, signal });
            n_unchanged = 0;
        }
    }
    let distances = (0..states.n_signals).map(|signal| ways(states, &set, signal));
    let distances = distances.map(|ways| ways.into_iter().map(Option::unwrap_or_default).collect());
    Judged { distances: distances.collect(), set, peeled }
}
