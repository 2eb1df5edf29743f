//! One signal in place of several: it is true whenever each of them has been seen since it was last true.
//!
//! A run sees each of the signals infinitely often iff it sees the one infinitely often. A latch for each signal remembers that it has been seen;
//! when all have, they begin anew. (With one signal there is nothing to remember.) So engines count, or look for, one signal,
//! and a proof about that is a proof about all of them: where the one is no longer seen, latches only become true, and when they have
//! stopped doing so, the signal whose latch is false is absent.
//!
//! Signals count only in steps that keep to the [facts](super::facts) about the end of runs: a run that sees them infinitely often sees them so, too. When one of those
//! changes, what was seen is forgotten.

use super::facts::Settled;
use indubit_aig::simulate;
use indubit_logic::{Clause, Lit, Var, VarMap};
use indubit_system::{Fact, Invariant, Liveness, Memory, Ranked, Safety, StateVar, Trace};
use std::collections::HashMap;

/// A liveness problem with one signal.
pub(super) struct Watched {
    /// The circuit, and behind its nodes and latches those that remember.
    pub circuit: Safety,
    /// The one signal.
    pub signal: Lit,
    /// For each signal of the problem, the latch that remembers it, if it has one: signals that are always true, or the same as another
    /// one, have none, and neither has a signal that is the only one left.
    seen: Vec<Option<Lit>>,
    /// The signals of the problem.
    signals: Vec<Lit>,
    /// What is so at the end, and "this step keeps to it".
    pub settled: Settled,
    pub inside: Lit,
    /// The signal that the only one is, if there is only one.
    only: Option<usize>,
    /// Nodes and latches of the problem.
    n_vars: usize,
    n_latches: usize,
}

/// The positions of signals that differ from each other, and from *true* if there is another one: at least one.
pub(super) fn different(signals: &[Lit]) -> Vec<usize> {
    let is_new = |&i: &usize| signals[i] != Lit::TRUE && !signals[..i].contains(&signals[i]);
    let different: Vec<usize> = (0..signals.len()).filter(is_new).collect();
    if different.is_empty() { vec![0] } else { different }
}

impl Watched {
    pub(super) fn new(problem: &Liveness, facts: &[Fact]) -> Watched {
        let mut circuit = problem.circuit().clone();
        let signals = std::mem::take(&mut circuit.also);
        let (n_vars, n_latches) = (circuit.aig.n_vars(), circuit.latches.len());
        let settled = Settled::new(&mut circuit, facts);
        let inside = settled.inside(&mut circuit);
        let different = different(&signals);
        let mut seen = vec![None; signals.len()];
        if let [only] = different[..] {
            let signal = circuit.aig.and(signals[only], inside);
            let only = Some(only);
            return Watched { circuit, signal, seen, signals, settled, inside, only, n_vars, n_latches };
        }
        let mut by_now = Vec::with_capacity(different.len());
        for &i in &different {
            let latch = circuit.aig.leaf();
            seen[i] = Some(latch);
            by_now.push((latch, signals[i]));
        }
        let counted = |(latch, signal): (Lit, Lit)| {
            let signal = circuit.aig.and(signal, inside);
            (latch, circuit.aig.or(latch, signal))
        };
        let by_now: Vec<(Lit, Lit)> = by_now.into_iter().map(counted).collect();
        let signal = circuit.aig.and_all(by_now.iter().map(|&(_, by_now)| by_now));
        for (latch, by_now) in by_now {
            let next = circuit.aig.and_all([by_now, !signal, settled.unchanged]);
            circuit.latches.push(StateVar { var: latch.var(), next, init: Some(false) });
        }
        Watched { circuit, signal, seen, signals, settled, inside, only: None, n_vars, n_latches }
    }
    /// The latches that remember.
    pub(super) fn seen(&self) -> impl Iterator<Item = Lit> {
        self.seen.iter().flatten().copied()
    }
    /// A latch of the circuit, with a name if it is not of the problem.
    fn memory(&self, latch: &StateVar, others: &HashMap<Var, String>) -> Memory {
        let position = self.seen.iter().position(|l| *l == Some(Lit::positive(latch.var)));
        let name = match position {
            Some(signal) => format!("seen {signal}"),
            None => others.get(&latch.var).cloned().unwrap_or_default(),
        };
        Memory { name, initial: latch.init.unwrap_or(false), next: Lit::FALSE }
    }
    /// A proof about the problem with these latches of `extended`, of which this circuit is the first part: all but those of the problem, and
    /// those that `leaf` says what they are. Its order begins with what stabilizes. What the nodes of `extended` are there.
    pub(super) fn proof(
        &self,
        extended: &Safety,
        names: &HashMap<Var, String>,
        second: usize,
        leaf: impl Fn(&Ranked, Var) -> Option<Lit>,
    ) -> (Ranked, VarMap<Lit>) {
        let empty = Ranked::new(self.n_vars, Vec::new(), vec![Lit::FALSE; second], self.signals.len());
        let is_memory = |latch: &&StateVar| leaf(&empty, latch.var).is_none();
        let kept: Vec<&StateVar> = extended.latches[self.n_latches..].iter().filter(is_memory).collect();
        let memory = kept.iter().map(|latch| self.memory(latch, names)).collect();
        let mut proof = Ranked::new(self.n_vars, memory, vec![Lit::FALSE; second], self.signals.len());
        let at: HashMap<Var, Lit> =
            kept.iter().enumerate().map(|(i, latch)| (latch.var, proof.memory_lit(i))).collect();
        let shape = proof.clone();
        let map = proof.import(extended, |v| at.get(&v).copied().or_else(|| leaf(&shape, v)));
        for (i, latch) in kept.iter().enumerate() {
            proof.set_next(i, map.lit(latch.next));
        }
        proof.order = self.settled.order.iter().map(|&lit| map.lit(lit)).collect();
        match self.only {
            Some(signal) => proof.absent[signal] = Lit::TRUE,
            None => {
                let has_missed = map.lit(self.settled.has_missed);
                for (signal, latch) in self.seen.iter().enumerate() {
                    let Some(latch) = latch else { continue };
                    let missed = self.settled.missed.iter().filter(|(_, s)| *s == signal);
                    let here = proof.with.and(!has_missed, !map.lit(*latch));
                    proof.absent[signal] =
                        missed.fold(here, |absent, &(missed, _)| !proof.with.and(!absent, !map.lit(missed)));
                }
                let some_missing = self.seen().map(|latch| !map.lit(latch));
                proof.with.add(Clause::new(some_missing));
            }
        }
        (proof, map)
    }
    /// The proof that an order is one: `invariant` is about `extended`, where all latches behind those of the problem are memory; those that remember signals
    /// are the last of the order.
    pub(super) fn ordered(
        &self,
        extended: &Safety,
        names: &HashMap<Var, String>,
        invariant: &Invariant,
        order: impl Iterator<Item = Lit>,
    ) -> Ranked {
        let (mut proof, map) = self.proof(extended, names, 0, |_, _| None);
        invariant.conjoin_to(&mut proof.with, |v| map[v]);
        proof.order.extend(order.chain(self.seen()).map(|lit| map.lit(lit)));
        proof.tidied()
    }
    /// A lasso in a run of a circuit whose first part is this one: a state of the problem that occurs twice, with all signals in between.
    pub(super) fn lasso_in(&self, trace: &Trace) -> Option<Trace> {
        let circuit = &self.circuit;
        let mut state: Vec<bool> = trace.initial[..circuit.latches.len()].to_vec();
        let mut first: HashMap<Vec<bool>, usize> = HashMap::new();
        // For each signal, the last step in which it was seen.
        let mut last: Vec<Option<usize>> = vec![None; self.signals.len()];
        for (step, row) in trace.inputs.iter().enumerate() {
            let since = *first.entry(state[..self.n_latches].to_vec()).or_insert(step);
            if since < step && last.iter().all(|&l| l >= Some(since)) {
                let inputs = trace.inputs[..step].iter().map(|row| row[..circuit.inputs.len()].to_vec());
                let initial = trace.initial[..self.n_latches].to_vec();
                return Some(Trace { initial, inputs: inputs.collect(), loops_to: Some(since) });
            }
            let values = circuit.evaluate(&state, row);
            for (last, &signal) in last.iter_mut().zip(&self.signals) {
                if simulate::value(&values, signal) {
                    *last = Some(step);
                }
            }
            state = circuit.next_state(&values);
        }
        None
    }
    /// A trace of the circuit, or of one that it is the first part of, as one of the problem.
    pub(super) fn restricted(&self, trace: Trace) -> Trace {
        let row = |row: Vec<bool>| row[..self.circuit.inputs.len()].to_vec();
        Trace {
            initial: trace.initial[..self.n_latches].to_vec(),
            inputs: trace.inputs.into_iter().map(row).collect(),
            loops_to: trace.loops_to,
        }
    }
}
