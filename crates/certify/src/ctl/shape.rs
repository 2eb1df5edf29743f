//! Is a proof about a graph of states well-formed? What is asked here keeps nonsense away from what checks it, and inputs out of sets of states.

use super::operators::{Operator, operators};
use crate::Reason;
use crate::shape::{check_invariant, check_ranked_shape};
use indubit_logic::Lit;
use indubit_system::{Bounds, Branching, CtlNode, CtlProof};
use std::fmt::Display;

fn misfit<T>(text: String) -> Result<T, Reason> {
    Err(Reason::Misfit(text))
}

/// Is the proof about this graph, and are its sets about states?
pub(super) fn check(graph: &Branching, proof: &CtlProof) -> Result<(), Reason> {
    check_invariant(&proof.with, graph.circuit.aig.n_vars())?;
    let (n, known) = (graph.operators().count(), proof.operators.len());
    if n != known {
        return misfit(format!("the proof is about {known} temporal operators, the formula has {n}"));
    }
    let n_latches = graph.circuit.latches.len();
    if let Some(state) = &proof.fails_in
        && state.len() != n_latches
    {
        let n = state.len();
        return misfit(format!("the state that the proof is about has {n} values, and {n_latches} latches"));
    }
    let states = States::new(graph, proof);
    for clause in proof.with.clauses() {
        clause.lits().iter().try_for_each(|&lit| states.has(&"the invariant", "a clause", lit))?;
    }
    for (operator, bounds) in operators(graph, proof) {
        states.check(graph, operator, bounds)?;
    }
    Ok(())
}

/// Which nodes are functions of a state.
struct States {
    /// For each node of the circuit and each gate of the proof, whether it depends on an input.
    depends: Vec<bool>,
}

impl States {
    fn new(graph: &Branching, proof: &CtlProof) -> States {
        let aig = &graph.circuit.aig;
        let mut depends = vec![false; aig.n_vars()];
        for input in &graph.circuit.inputs {
            depends[input.index()] = true;
        }
        for (gate, [a, b]) in aig.ands() {
            depends[gate.index()] = depends[a.var().index()] || depends[b.var().index()];
        }
        for [a, b] in proof.with.gates() {
            depends.push(depends[a.var().index()] || depends[b.var().index()]);
        }
        States { depends }
    }
    fn has(&self, of: &impl Display, place: &str, lit: Lit) -> Result<(), Reason> {
        match self.depends.get(lit.var().index()) {
            Some(false) => Ok(()),
            Some(true) => misfit(format!("{of}: {place} depends on inputs, at {lit:?}")),
            None => misfit(format!("{of}: {place} is {lit:?}, which is not there")),
        }
    }
    fn check(&self, graph: &Branching, of: Operator, bounds: &Bounds) -> Result<(), Reason> {
        self.has(&of, "the set in which it holds", bounds.yes)?;
        self.has(&of, "the set in which it does not hold", bounds.no)?;
        let n_signals = graph.signals().len();
        let is_globally = matches!(of.node, CtlNode::ExistsGlobally(_));
        let wanted = if is_globally { n_signals } else { 1 };
        let n = bounds.choices.len();
        if n != wanted && (n > 0 || bounds.yes != Lit::FALSE) {
            return misfit(format!("{of}: the proof has {n} choices for it, and {wanted} are wanted"));
        }
        let n_inputs = graph.circuit.inputs.len();
        for choice in &bounds.choices {
            let n = choice.inputs.len();
            if n != n_inputs {
                return misfit(format!("{of}: a choice has {n} inputs, the circuit {n_inputs}"));
            }
            choice.inputs.iter().try_for_each(|&lit| self.has(&of, "a choice", lit))?;
            choice.rank.iter().try_for_each(|&lit| self.has(&of, "a rank", lit))?;
        }
        if !is_globally && !bounds.stuck.is_empty() {
            return misfit(format!("{of}: that paths are stuck says nothing about it"));
        }
        for stuck in &bounds.stuck {
            self.has(&of, "a set of stuck states", stuck.states)?;
            check_ranked_shape(graph.circuit.aig.n_vars(), n_signals, &stuck.why)
                .map_err(|reason| Reason::Misfit(format!("{of}: {reason}")))?;
        }
        Ok(())
    }
}
