//! The exact answer about justice properties of a small system, by the graph of all its steps.
//!
//! A counterexample is an infinite run in which all constraints hold in every step, and each fairness signal and each signal
//! of the property is true in infinitely many steps. There is one if and only if a strongly connected component is reachable whose own steps
//! see each of these signals, and have a cycle at all: without signals any infinite run will do. Signals and constraints may depend on inputs,
//! so they belong to steps and not to states.
//!
//! As in [`explicit`](crate::explicit), reset functions are evaluated with the inputs of the first step, and nothing is shared with engines, passes or the
//! checker but the circuit and its 64-way simulation.
//!
//! ```
//! use indubit_system::{BitSystem, Justice};
//! use indubit_testkit::live;
//! // A latch that toggles is set again and again: every second step.
//! let mut system = BitSystem::new();
//! let a = system.add_latch("a", Some(false));
//! system.set_next(a, !a);
//! system.justice.push(Justice { lits: vec![a], name: None });
//! let runs = live::Runs::new(&system).unwrap();
//! assert!(runs.violates(0));
//! let lasso = runs.shortest_lasso(0).unwrap();
//! assert_eq!((lasso.inputs.len(), lasso.loops_to), (2, Some(0)));
//! assert!(live::check_lasso(&system, 0, &lasso).unwrap().is_exact());
//! ```

mod cases;
mod components;
mod graph;
mod lasso;
mod replay;
#[cfg(test)]
mod tests;

pub use cases::{Case, check_lasso_against_reference, expected_verdict, live_cases, only, shortest};
pub use replay::{Fault, Rounds, check_lasso};

use crate::explicit::Refusal;
use components::Components;
use graph::Graph;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Trace};

/// All runs of a small system, and what they say about its justice properties.
pub struct Runs {
    graph: Graph,
    alive: Vec<bool>,
    components: Components,
    n_inputs: usize,
    n_latches: usize,
    /// For each justice property what a counterexample sees infinitely often, fairness included: a bit for each signal.
    wanted: Vec<u64>,
}

/// Why a justice property has the verdict it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// It fails.
    Fails,
    /// It holds, for all runs end.
    AllRunsEnd,
    /// It holds, for some signal is never true.
    NeverSeen,
    /// It holds, for some signal is true for a while only.
    SeenForAWhile,
    /// It holds though each signal alone can be true infinitely often.
    NeverTogether,
}

impl Runs {
    /// All runs of this one.
    pub fn new(system: &BitSystem) -> Result<Runs, Refusal> {
        let fair: Vec<Lit> = system.fairness.iter().map(|s| s.lit).collect();
        let mut signals: Vec<Lit> =
            fair.iter().chain(system.justice.iter().flat_map(|j| &j.lits)).copied().collect();
        signals.sort_unstable();
        signals.dedup();
        if signals.len() > 64 {
            return Err(Refusal::TooLarge);
        }
        let bits = |lits: &[Lit]| {
            let positions = lits.iter().filter_map(|lit| signals.binary_search(lit).ok());
            positions.fold(0, |bits, i| bits | 1u64 << i)
        };
        let wanted = system.justice.iter().map(|j| bits(&fair) | bits(&j.lits)).collect();
        let graph = Graph::new(system, &signals)?;
        let alive = components::alive(&graph);
        let components = Components::new(&graph, &alive);
        let (n_inputs, n_latches) = (system.inputs().len(), system.latches().len());
        Ok(Runs { graph, alive, components, n_inputs, n_latches, wanted })
    }
    /// How many states there are that some step leads into.
    pub fn n_states(&self) -> usize {
        self.graph.vertices.len()
    }
    /// How many of them are dead ends: every run from there comes to a state in which the constraints cannot hold.
    pub fn n_dead(&self) -> usize {
        self.alive.iter().filter(|alive| !**alive).count()
    }
    /// Does some run go on for ever?
    pub fn has_infinite_run(&self) -> bool {
        self.alive.contains(&true)
    }
    /// Is there a counterexample to this justice property?
    pub fn violates(&self, justice: usize) -> bool {
        self.is_fair(self.wanted[justice])
    }
    fn is_fair(&self, wanted: u64) -> bool {
        self.components.fair(wanted).next().is_some()
    }
    /// Why there is one, or none.
    pub fn reason(&self, justice: usize) -> Reason {
        let wanted = self.wanted[justice];
        let ever = self.graph.edges().fold(0, |ever, edge| ever | edge.seen);
        let mut single = (0..64).map(|i| 1 << i).filter(|bit| bit & wanted != 0);
        match () {
            () if self.violates(justice) => Reason::Fails,
            () if !self.has_infinite_run() => Reason::AllRunsEnd,
            () if ever & wanted != wanted => Reason::NeverSeen,
            () if single.any(|bit| !self.is_fair(bit)) => Reason::SeenForAWhile,
            () => Reason::NeverTogether,
        }
    }
    /// A counterexample that is not too long.
    pub fn lasso(&self, justice: usize) -> Option<Trace> {
        lasso::some(&self.graph, &self.components, self.wanted[justice]).map(|found| self.trace(&found))
    }
    /// A counterexample with as few steps as possible until the state is one that there was before, on all latches. It tries all states, so the system
    /// should have a few hundred of them at most.
    pub fn shortest_lasso(&self, justice: usize) -> Option<Trace> {
        lasso::shortest(&self.graph, &self.components, self.wanted[justice]).map(|found| self.trace(&found))
    }
    fn trace(&self, lasso: &lasso::Lasso) -> Trace {
        let bits = |code: u32, n: usize| (0..n).map(|i| code >> i & 1 == 1).collect();
        Trace {
            initial: bits(lasso.initial, self.n_latches),
            inputs: lasso.inputs.iter().map(|&row| bits(row, self.n_inputs)).collect(),
            loops_to: Some(lasso.loops_to),
        }
    }
}

/// Whether each justice property holds.
pub fn check(system: &BitSystem) -> Result<Vec<bool>, Refusal> {
    let runs = Runs::new(system)?;
    Ok((0..system.justice.len()).map(|i| !runs.violates(i)).collect())
}
