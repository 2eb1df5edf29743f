//! From the user's model to a problem for engines: pick a bad signal or several, or what a run would have to see infinitely often; fold reset functions away.
//!
//! A latch whose initial value is a function of other signals becomes free, and a constraint that is active
//! only in the first step ties it to that function. The first step is recognised by an additional latch
//! `first`, initially true and false ever after. So initial states are a cube for every engine,
//! and initiation is a syntactic test; inputs that a reset function reads are those of the first step, as AIGER wants.

use crate::appendix::Appendix;
use indubit_logic::{Clause, Lit, Var};
use indubit_run::{Ask, Run};
use indubit_system::{
    BitSystem, Influence, Invariant, Latch, Lower, Memory, Proof, Raise, Ranked, ResetOrder, Safety,
    StateVar, Trace,
};

/// Selects edges of the circuit whose reachability is in question.
#[derive(Clone, Debug)]
pub struct Select {
    /// The edge.
    pub bad: Lit,
    /// Others that are asked about beside it.
    pub also: Vec<Lit>,
}

impl Select {
    /// Signals that a run would have to see infinitely often.
    pub fn infinitely_often(signals: Vec<Lit>) -> Select {
        Select { bad: Lit::FALSE, also: signals }
    }
    /// One edge.
    pub fn one(bad: Lit) -> Select {
        Select { bad, also: Vec::new() }
    }
}

impl Lower for Select {
    type From = BitSystem;
    fn name(&self) -> &'static str {
        "select"
    }
    fn lower(&self, system: &BitSystem, _: &mut Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
        let mut safety = Safety {
            aig: system.aig().clone(),
            inputs: system.inputs().iter().map(|i| i.lit.var()).collect(),
            latches: system.latches().iter().map(state_var).collect(),
            bad: self.bad,
            also: self.also.clone(),
            constraints: system.constraints.iter().map(|c| c.lit).collect(),
        };
        // Only what can matter: a reset function elsewhere would keep its latch, and all that feeds it, alive.
        let mut influence = Influence::new(system);
        let cone = influence.of(safety.roots());
        let (inside, outside): (Vec<&Latch>, Vec<&Latch>) =
            system.latches().iter().filter(|l| l.has_reset_function()).partition(|l| cone.contains(l.var));
        let resets: Vec<(Lit, Lit)> = inside.iter().map(|l| (Lit::positive(l.var), l.reset)).collect();
        let model = (!outside.is_empty()).then(|| system.clone());
        let (n_vars, n_latches) = (safety.aig.n_vars(), safety.latches.len());
        if resets.is_empty() {
            return Ok((safety, Box::new(Unfold { n_vars, n_latches, resets, appendix: None, model })));
        }
        let first = safety.aig.leaf();
        safety.latches.push(StateVar { var: first.var(), next: Lit::FALSE, init: Some(true) });
        for &(latch, reset) in &resets {
            let differs = safety.aig.xor(latch, reset);
            let constraint = safety.aig.implies(first, !differs);
            safety.constraints.push(constraint);
        }
        let appendix = Some(Appendix::new(&safety.aig, first.var()));
        Ok((safety, Box::new(Unfold { n_vars, n_latches, resets, appendix, model })))
    }
}

fn state_var(latch: &Latch) -> StateVar {
    let init = match latch.reset {
        Lit::FALSE => Some(false),
        Lit::TRUE => Some(true),
        _ => None,
    };
    StateVar { var: latch.var, next: latch.next, init }
}

/// The way back: forget `first`.
struct Unfold {
    /// Nodes of the user's model.
    n_vars: usize,
    /// Latches of the user's model.
    n_latches: usize,
    /// Latches with reset functions that matter, and these functions.
    resets: Vec<(Lit, Lit)>,
    /// `first`, and what ties latches to their reset functions.
    appendix: Option<Appendix>,
    /// The user's model, if it has reset functions that were left out: a trace gets their values from it.
    model: Option<BitSystem>,
}

impl Unfold {
    /// An invariant `J(state, first)` holds of a run of the user's model as
    /// `J(state, false) ∨ (Reset ∧ J(state, true))`: either the first step is over, or this is it. Clauses
    /// that do not mention `first` need no such case split and stay as they are.
    fn invariant(&self, folded: &Invariant) -> Invariant {
        let mut raised = Invariant::new(self.n_vars);
        let Some(appendix) = &self.appendix else {
            folded.conjoin_to(&mut raised, Lit::positive);
            return raised;
        };
        let of_model = |c: &Clause| c.lits().iter().all(|l| l.var().index() < self.n_vars);
        folded.filtered(of_model).conjoin_to(&mut raised, Lit::positive);
        let split = folded.filtered(|c| !of_model(c));
        if !split.is_trivial() {
            let [later, initial] = [Lit::FALSE, Lit::TRUE].map(|is_first| {
                let node = appendix.with_leaf(is_first, &mut raised);
                split.edge_in(&mut raised, node)
            });
            let reset = self.reset_edge(&mut raised);
            let initial = raised.and(reset, initial);
            raised.add(Clause::new([later, initial]));
        }
        raised
    }
    /// A ranked proof may remember whether this is the first step: `first` becomes memory, and what ties latches to their reset functions
    /// is an invariant.
    fn ranked(&self, folded: &Ranked) -> Ranked {
        let Some(appendix) = &self.appendix else { return folded.carried(self.n_vars, Lit::positive) };
        let first = Memory { name: "first step".into(), initial: true, next: Lit::FALSE };
        let is_first = Lit::positive(appendix.leaf());
        // The leaf is the node after those of the model here as there.
        let mut raised =
            folded.rebased(self.n_vars, vec![first], |with| appendix.with_leaf(is_first, with)).tidied();
        for &(latch, reset) in &self.resets {
            raised.with.add(Clause::new([!is_first, !latch, reset]));
            raised.with.add(Clause::new([!is_first, latch, !reset]));
        }
        raised
    }
    /// "Every latch with a reset function has the value of that function."
    fn reset_edge(&self, raised: &mut Invariant) -> Lit {
        let mut equal = Vec::with_capacity(2 * self.resets.len());
        for &(latch, reset) in &self.resets {
            equal.push(!raised.and(latch, !reset));
            equal.push(!raised.and(!latch, reset));
        }
        raised.and_all(equal)
    }
}

impl Raise for Unfold {
    fn trace(&self, mut trace: Trace) -> Trace {
        trace.initial.truncate(self.n_latches);
        if let Some(model) = &self.model {
            let order = ResetOrder::new(model).expect("a validated model has acyclic resets");
            let found = trace.initial;
            trace.initial = order.initial_state(model, &trace.inputs[0], |latch| found[latch]);
        }
        trace
    }
    fn proof(&self, proof: Proof) -> Proof {
        // After the first step `first` is false, so it makes no two states differ.
        let of_model = |latches: Vec<usize>| latches.into_iter().filter(|&i| i < self.n_latches).collect();
        proof.map(|invariant| self.invariant(&invariant), of_model, |ranked| self.ranked(&ranked))
    }
    fn up(&self, node: Var) -> Option<Lit> {
        (node.index() < self.n_vars).then(|| Lit::positive(node))
    }
    fn down(&self, node: Var) -> Option<Lit> {
        Some(Lit::positive(node))
    }
}
