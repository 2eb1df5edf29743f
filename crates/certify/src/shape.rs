//! Are proofs from memory well-formed? What is asked here only keeps nonsense away from what checks them.

use crate::Reason;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Invariant, Property, Ranked};

fn misfit<T>(text: String) -> Result<T, Reason> {
    Err(Reason::Misfit(text))
}

/// Is an invariant of the model, for k-induction, well-formed?
pub(crate) fn check_shape(model: &BitSystem, with: &Invariant, k: u32) -> Result<(), Reason> {
    if k == 0 {
        return misfit("0-induction proves nothing".into());
    }
    check_invariant(with, model.aig().n_vars())
}

pub(crate) fn check_invariant(with: &Invariant, n_vars: usize) -> Result<(), Reason> {
    if with.n_vars() != n_vars {
        let n = with.n_vars();
        return misfit(format!("the invariant is about {n} nodes, the model has {n_vars}"));
    }
    let gates = with.gates().iter().enumerate().flat_map(|(i, g)| g.iter().map(move |&l| (l, n_vars + i)));
    let end = n_vars + with.gates().len();
    let clauses = with.clauses().iter().flat_map(|c| c.lits()).map(|&l| (l, end));
    match gates.chain(clauses).find(|(lit, bound)| lit.var().index() >= *bound) {
        Some((lit, _)) => misfit(format!("the invariant uses node {lit:?} before it is there")),
        None => Ok(()),
    }
}

/// Is a ranked proof of a justice property well-formed?
pub(crate) fn check_ranked(model: &BitSystem, property: &Property, proof: &Ranked) -> Result<(), Reason> {
    let Some(signals) = model.infinitely_often(&property.claim) else {
        let text = "a rank says nothing about what must never happen, or must happen once";
        return misfit(text.into());
    };
    check_ranked_shape(model.aig().n_vars(), signals.len(), proof)
}

/// Is a ranked proof about a circuit with so many nodes, and so many signals, well-formed?
pub(crate) fn check_ranked_shape(n_vars: usize, n_signals: usize, proof: &Ranked) -> Result<(), Reason> {
    let n = proof.n_vars();
    if n != n_vars {
        return misfit(format!("the rank is about {n} nodes, the model has {n_vars}"));
    }
    if proof.absent.len() != n_signals {
        let n = proof.absent.len();
        return misfit(format!("the rank is about {n} signals, the property has {n_signals}"));
    }
    let (n_memory, n_second) = (proof.memory().len(), proof.second().len());
    check_invariant(&proof.with, n_vars + n_memory + n_second)?;
    let end = proof.with.n_vars() + proof.with.gates().len();
    let places = [
        ("a next value of its memory", proof.memory().iter().map(|m| m.next).collect()),
        ("its order", proof.order.clone()),
        ("what it asks about another state", proof.second().to_vec()),
        ("what it says is absent", proof.absent.clone()),
        ("its relation", vec![proof.relation]),
    ];
    for (place, lits) in &places {
        if let Some(lit) = lits.iter().find(|l| l.var().index() >= end) {
            return misfit(format!("{place}, in a rank, is node {lit:?}, which is not there"));
        }
    }
    // Only the relation may look at another state.
    let first = n_vars + n_memory;
    let mut looks = vec![false; end];
    looks[first..first + n_second].fill(true);
    for (i, gate) in proof.with.gates().iter().enumerate() {
        looks[first + n_second + i] = gate.iter().any(|l| looks[l.var().index()]);
    }
    let elsewhere = |lits: &[Lit]| lits.iter().any(|l| looks[l.var().index()]);
    if proof.with.clauses().iter().any(|c| elsewhere(c.lits())) {
        return misfit("the invariant of a rank looks at another state".into());
    }
    match places.iter().find(|(place, lits)| *place != "its relation" && elsewhere(lits)) {
        Some((place, _)) => misfit(format!("{place}, in a rank, looks at another state")),
        None => Ok(()),
    }
}
