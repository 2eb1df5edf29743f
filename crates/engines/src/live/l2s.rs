//! Liveness to safety (A. Biere, C. Artho, V. Schuppan, *Liveness Checking as Safety Checking*, FMICS 2002).
//!
//! At some step, which is guessed, the state is copied. If the same state occurs again, and the signal was seen in between, there is a lasso;
//! that can be reached or not, and any engine for safety decides which. An inductive invariant of the circuit with the copy says of each state and each copy
//! whether the one may come after the other: read with the copy as another state, it is the relation of a ranked proof (Froleyks et al., CAV 2026).

use super::stabilize::stabilizing;
use super::watch::Watched;
use crate::{Engine, Options};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Run};
use indubit_system::{Conclusion, Invariant, Liveness, Proof, Ranked, Safety, StateVar, Trace};
use std::collections::HashMap;

pub(crate) struct LivenessToSafety {
    problem: Liveness,
    options: Options,
}

/// A circuit in which a lasso is bad.
struct Copied {
    circuit: Safety,
    /// "There is a copy."
    saved: Lit,
    /// "The signal was seen since."
    seen: Lit,
    /// The copies of the latches, by position.
    copies: Vec<Lit>,
    /// "Copy the state of this step."
    save: Lit,
}

impl Copied {
    fn new(watched: &Watched) -> Copied {
        let mut circuit = watched.circuit.clone();
        let latches = circuit.latches.clone();
        let aig = &mut circuit.aig;
        let [save, saved, seen] = [(); 3].map(|()| aig.leaf());
        let copies: Vec<Lit> = latches.iter().map(|_| aig.leaf()).collect();
        let now = aig.and(save, !saved);
        let by_then = aig.or(save, saved);
        let seen_by_then = aig.or(seen, watched.signal);
        let seen_next = aig.and(by_then, seen_by_then);
        let mut same = aig.and(saved, seen);
        let mut added = vec![(saved, by_then), (seen, seen_next)];
        for (latch, &copy) in latches.iter().zip(&copies) {
            let current = Lit::positive(latch.var);
            added.push((copy, aig.ite(now, current, copy)));
            let equal = aig.iff(current, copy);
            same = aig.and(same, equal);
        }
        // A loop keeps to what is so at the end.
        let kept = circuit.aig.implies(by_then, watched.inside);
        let kept = circuit.aig.or(kept, same);
        circuit.constraints.push(kept);
        circuit.inputs.push(save.var());
        let state_var = |(leaf, next): (Lit, Lit)| StateVar { var: leaf.var(), next, init: Some(false) };
        circuit.latches.extend(added.into_iter().map(state_var));
        circuit.bad = same;
        Copied { circuit, saved, seen, copies, save }
    }

    /// The lasso in a run to a state that was copied.
    fn lasso(&self, watched: &Watched, mut trace: Trace) -> Trace {
        let save = self.circuit.inputs.len() - 1;
        debug_assert_eq!(self.circuit.inputs[save], self.save.var());
        trace.loops_to = trace.inputs.iter().position(|row| row[save]);
        // The last row is that of the step in which the loop is seen to be one.
        trace.inputs.pop();
        watched.restricted(trace)
    }

    /// What an invariant says of the pairs of a state and its copy.
    ///
    /// With `J(s, u)` for "the invariant holds in state `s` with the copy `u`", `J₀` if the signal was not seen since and `J₁` if it was, and with latches `m` that
    /// remember which of several signals were seen: *s comes after u* if `J₀(s, u)` and `m(u)` implies `m(s)`, or `J₁(s, u)`. After a step in which the state was
    /// copied that holds, and a step keeps it; and if `s` has a step to `u`, `J₁(s, u)` is impossible, and so is a step in which the signal is seen: the next state would be
    /// its own copy. So `m` stays the same in that step.
    fn proof(&self, watched: &Watched, invariant: &Invariant) -> Ranked {
        let no_names = HashMap::new();
        let position: HashMap<Var, usize> =
            self.copies.iter().enumerate().map(|(i, copy)| (copy.var(), i)).collect();
        let n_copies = self.copies.len();
        // A state of its own: nothing was copied yet.
        let alone = |v: Var| {
            let is_added =
                position.contains_key(&v) || [self.saved, self.seen, self.save].iter().any(|l| l.var() == v);
            is_added.then_some(Lit::FALSE)
        };
        let (mut proof, map) = watched.proof(&self.circuit, &no_names, n_copies, |_, v| alone(v));
        invariant.conjoin_to(&mut proof.with, |v| map[v]);
        for (i, latch) in watched.circuit.latches.iter().enumerate() {
            proof.set_second(i, map[latch.var]);
        }
        let [after, after_signal] = [Lit::FALSE, Lit::TRUE].map(|seen| {
            let shape = proof.clone();
            let memory: HashMap<Var, Lit> = watched.seen().map(|l| (l.var(), map.lit(l))).collect();
            let leaf = |v: Var| match v {
                v if v == self.saved.var() => Some(Lit::TRUE),
                v if v == self.seen.var() => Some(seen),
                v if v == self.save.var() => Some(Lit::FALSE),
                v => memory.get(&v).copied().or_else(|| position.get(&v).map(|&i| shape.second_lit(i))),
            };
            let map = proof.import(&self.circuit, leaf);
            invariant.edge_in(&mut proof.with, |v| map[v])
        });
        let mut grown = after;
        for (i, latch) in watched.circuit.latches.iter().enumerate() {
            if watched.seen().any(|l| l.var() == latch.var) {
                let lost = proof.with.and(proof.second_lit(i), !proof.second()[i]);
                grown = proof.with.and(grown, !lost);
            }
        }
        let neither = proof.with.and(!grown, !after_signal);
        // Where a signal is missed, nothing else is to be shown.
        proof.relation = !proof.with.and(neither, !map.lit(watched.settled.has_missed));
        proof.tidied()
    }
}

impl LivenessToSafety {
    pub(crate) fn new(problem: Liveness, options: &Options) -> LivenessToSafety {
        LivenessToSafety { problem, options: options.clone() }
    }
}

impl LivenessToSafety {
    fn decide(&self, run: &mut Run<'_>) -> Ask<Conclusion> {
        let facts = stabilizing(&self.problem, self.options.live.stabilize, run)?;
        let watched = Watched::new(&self.problem, &facts);
        let copied = Copied::new(&watched);
        let inner = self.options.live.engine.implementation();
        let conclusion = run.part_beside(|own| (inner.make)(copied.circuit.clone(), &self.options).run(own));
        match conclusion {
            Conclusion::Safe(proof) => {
                Ok(Conclusion::Safe(Proof::Ranked(Box::new(copied.proof(&watched, proof.invariant())))))
            }
            Conclusion::Unsafe(trace) => Ok(Conclusion::Unsafe(copied.lasso(&watched, trace))),
            Conclusion::Unknown { stop, .. } => Err(stop),
        }
    }
}

impl Engine for LivenessToSafety {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        self.decide(run).unwrap_or_else(|stop| Conclusion::Unknown { stop, safe_up_to: None })
    }
}
