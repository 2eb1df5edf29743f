//! Claims in computation tree logic.
//!
//! A proof ([`CtlProof`]) is about the [`Branching`] of the model, which is made here once more from the model and the formula. With `R` its invariant, `C` the constraints, `t` the
//! state after a step from `s`, and `t(g)` the one after the step with the inputs of a choice, each of these is one query that chooses nothing:
//!
//! | what | for states in `R` |
//! |---|---|
//! | invariant | initially → R; C → R(t) |
//! | `EX p` holds | yes → C(g) ∧ yes_p(t(g)) ∧ yes_fair(t(g)) |
//! | `EX p` does not | no ∧ C → no_p(t) ∨ no_fair(t) |
//! | `E [p U q]` holds | yes ∧ ¬(yes_q ∧ yes_fair) → yes_p ∧ C(g) ∧ yes(t(g)) ∧ rank(t(g)) < rank |
//! | `E [p U q]` does not | no → no_q ∨ no_fair; no ∧ C → no_p ∨ no(t) ∨ no_fair(t) |
//! | `EG p` holds | yes → yes_p, and for each signal yes → C(g) ∧ yes(t(g)) ∧ (signal(g) ∨ rank(t(g)) < rank) |
//! | `EG p` does not | no → S₀ ∨ S₁ ∨ …, sets of states that are stuck, see `ctl/stuck.rs` |
//! | the formula holds | initially → yes ∨ no_fair |
//!
//! That the formula fails in a state is evaluated there. Which states have a fair path is what `EG true` says; by that, no path leads to a state in `no_fair` and goes on as a fair one. Sets are
//! about operators one after the other, each after those inside it, so what they say is true from the inside out.

mod circuit;
mod condition;
mod file;
mod operators;
mod shape;
mod start;
mod stuck;
#[cfg(test)]
mod tests;

pub use condition::Condition;
pub(crate) use file::{certify_file, certify_sets};
pub use start::decided_in;

use crate::audit::Setback;
use crate::evidence::says_nothing;
use crate::{Reason, Solving};
use indubit_logic::Lit;
use indubit_run::{Ask, Stop};
use indubit_system::{BitSystem, Bits, Branching, Claim, Ctl, CtlProof, Evidence, Property};
use operators::Checker;

/// Does the evidence decide a claim in computation tree logic?
pub(crate) fn check(
    model: &BitSystem,
    property: &Property,
    formula: &Ctl<Lit>,
    evidence: &Evidence<Bits>,
    by: &Solving,
) -> Ask<Result<(), Reason>> {
    let Evidence::Ctl(proof) = evidence else {
        return Ok(Err(says_nothing::<Bits>(property)));
    };
    match decide(model, property, formula, proof, by) {
        Ok(()) => Ok(Ok(())),
        Err(Refusal::Because(reason)) => Ok(Err(reason)),
        Err(Refusal::Setback(setback)) => setback.settle(),
    }
}

/// Why a check did not come to a good end.
enum Refusal {
    Because(Reason),
    Setback(Setback),
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Refusal {
        Refusal::Because(reason)
    }
}

impl From<Setback> for Refusal {
    fn from(setback: Setback) -> Refusal {
        Refusal::Setback(setback)
    }
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Refusal {
        Refusal::Setback(stop.into())
    }
}

fn decide(
    model: &BitSystem,
    property: &Property,
    formula: &Ctl<Lit>,
    proof: &CtlProof,
    by: &Solving,
) -> Result<(), Refusal> {
    let title = property.title();
    let own: Vec<Property> = model.properties().into_iter().filter(|p| p.id == property.id).collect();
    if !matches!(&own[..], [own] if own.claim == Claim::Ctl(formula.clone())) {
        let text = format!("the system does not claim what {title} says, or twice");
        return Err(Reason::Misfit(text).into());
    }
    let n_vars = model.aig().n_vars();
    if let Some(atom) = formula.atoms().iter().find(|atom| atom.var().index() >= n_vars) {
        let text = format!("an atom of {title} is {atom:?}, which the model does not have");
        return Err(Reason::Misfit(text).into());
    }
    let graph = Branching::new(model, formula);
    shape::check(&graph, proof)?;
    Checker::new(model, &graph, proof, by)?.check()
}
