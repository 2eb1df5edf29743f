//! What is so from some step on in each run that could be a counterexample.
//!
//! Two kinds of facts are found one after the other (`stabilize.rs`). A literal *rests*: in steps that keep to the facts before it, it does not become false again. And a
//! literal that rests *is* so: while the facts before it are, some signal is seen only where it is true. So a run that sees all signals infinitely
//! often keeps to all of them at the end.
//!
//! As predicates of states the first kind are an order in which every run moves in one direction. Where a literal that must be true is not, the run has *missed* the signal that needs it, and
//! all later predicates are true: nothing needs to be shown there any more.

use indubit_logic::Lit;
use indubit_system::{Fact, Safety};

/// Facts, as gates of a circuit.
pub(super) struct Settled {
    /// Predicates of states: the first of them that changes in a step becomes true.
    pub order: Vec<Lit>,
    /// "None of them changes in this step."
    pub unchanged: Lit,
    /// Where each of these holds, which exclude each other, the signal with this number is not seen in steps in which none of them changes.
    pub missed: Vec<(Lit, usize)>,
    /// "One of those holds."
    pub has_missed: Lit,
}

impl Settled {
    pub(super) fn new(circuit: &mut Safety, facts: &[Fact]) -> Settled {
        let mut settled =
            Settled { order: Vec::new(), unchanged: Lit::TRUE, missed: Vec::new(), has_missed: Lit::FALSE };
        for fact in facts {
            let elsewhere = fact.under.iter().map(|&lit| !lit).chain([fact.lit]);
            let lit = circuit.aig.or_all(elsewhere.collect::<Vec<_>>());
            let has_missed = settled.has_missed;
            match fact.is_for {
                None => settled.order.push(circuit.aig.or(has_missed, lit)),
                Some(signal) => {
                    settled.missed.push((circuit.aig.and(!has_missed, !lit), signal));
                    settled.has_missed = circuit.aig.or(has_missed, !lit);
                }
            }
        }
        settled.unchanged = unchanged(circuit, &settled.order);
        settled
    }
    /// "This step keeps to all facts."
    pub(super) fn inside(&self, circuit: &mut Safety) -> Lit {
        circuit.aig.and(self.unchanged, !self.has_missed)
    }
}

/// "None of these predicates of states changes in this step", as a new gate of the circuit.
pub(super) fn unchanged(circuit: &mut Safety, lits: &[Lit]) -> Lit {
    let source = circuit.aig.clone();
    let mut later = circuit.later();
    let aig = &mut circuit.aig;
    let same: Vec<Lit> = lits
        .iter()
        .map(|&lit| {
            let next = later.lit(&source, aig, lit);
            aig.iff(lit, next)
        })
        .collect();
    aig.and_all(same)
}
