//! One or two moments of a model in a solver.

use super::decider::Decider;
use crate::path::Path;
use crate::verdict::Error;
use fastrand::Rng;
use indubit_logic::Lit;
use indubit_run::{Ask, Run};
use indubit_smt::External;
use indubit_system::{Claim, Property};

/// Moments of a model in a solver.
pub trait Moments {
    /// What a solution looks like.
    type Trace;
    /// Can all of `lits` hold?
    fn solve(&mut self, lits: &[Lit]) -> Ask<bool>;
    /// Can all of `lits` hold, together with one of `any`?
    fn solve_with(&mut self, any: &[Lit], lits: &[Lit]) -> Ask<bool>;
    /// Was this one of those for which they cannot?
    fn failed(&self, lit: Lit) -> bool;
    /// Is it true in the last model? It has been asked about, or asserted.
    fn is_true(&self, lit: Lit) -> bool;
    /// The states and inputs of the last model. It begins in an initial state only if all of this does.
    fn trace(&self) -> Self::Trace;
}

/// Which moments.
#[derive(Clone, Copy)]
pub struct Which {
    /// Does it begin in an initial state, or anywhere?
    pub is_initial: bool,
    /// How many steps there are between moments.
    pub n_steps: usize,
}

impl Which {
    /// An initial state.
    pub const INITIAL: Which = Which::first(0);
    /// Any state.
    pub const ANY: Which = Which { is_initial: false, n_steps: 0 };
    /// Any state, and one after it.
    pub const STEP: Which = Which { is_initial: false, n_steps: 1 };
    /// An initial state, and so many after it.
    pub const fn first(n_steps: usize) -> Which {
        Which { is_initial: true, n_steps }
    }
}

/// Kinds of systems in which formulas can be asked to be inductive.
pub trait Inductive: Path {
    /// Moments of a system.
    type Moments<'s>: Moments<Trace = Self::Trace>;

    /// No lemma.
    fn no_lemmas(system: &Self::System) -> Self::Lemmas;
    /// Are they lemmas about this system?
    fn validate_lemmas(system: &Self::System, lemmas: &Self::Lemmas) -> Result<(), Self::Malformed>;
    /// The one who decides about a system, some lemmas, and as many claims as possible; what is beyond ours is for `other`.
    fn decider(
        system: &Self::System,
        lemmas: &Self::Lemmas,
        claims: &[&Claim<Self::Formula>],
        other: Option<&External>,
    ) -> Result<Decider, Error<Self>>;
    /// Can it decide this claim, too?
    fn has_theory(_: &Decider, _: &Self::Lemmas, _: &Claim<Self::Formula>) -> Result<(), Error<Self>> {
        Ok(())
    }
    /// Moments in a solver.
    fn moments<'s>(
        system: &'s Self::System,
        lemmas: &Self::Lemmas,
        decider: &Decider,
        which: Which,
        run: &Run<'_>,
    ) -> Self::Moments<'s>;
    /// What the lemmas are in moment `k`.
    fn lemmas_at(moments: &mut Self::Moments<'_>, k: usize, lemmas: &Self::Lemmas) -> Vec<Lit>;
    /// What must hold in moment `k` for the claim to be decided by a proof, if it is about reachability.
    fn goal_at(moments: &mut Self::Moments<'_>, k: usize, claim: &Claim<Self::Formula>) -> Option<Lit>;
    /// Is it a formula that cannot be assumed of a state, since it speaks of inputs? Then it has to follow from the lemmas.
    fn must_follow(_: &Self::System, _: &Claim<Self::Formula>) -> bool {
        false
    }
    /// The lemmas at these positions, and a claim, as a proof.
    fn proof(
        system: &Self::System,
        lemmas: &Self::Lemmas,
        positions: &[usize],
        claim: Option<&Claim<Self::Formula>>,
    ) -> Self::Proof;
    /// That a moment is the last step of a trace of one step: its state, and its inputs.
    fn row_at(moments: &mut Self::Moments<'_>, last: &Self::Trace) -> [Vec<Lit>; 2];
    /// Which state variables are not determined by a step: any of several values can come next.
    fn is_free(system: &Self::System) -> Vec<bool>;
    /// Random values for the inputs in moment `k`, and for the state variables that are marked.
    fn wishes_at(moments: &mut Self::Moments<'_>, k: usize, states: &[bool], random: &mut Rng) -> Vec<Lit>;
    /// One more step of a trace: `step` has two moments, and the first one is the last step so far, with other inputs maybe. The new step
    /// alone.
    fn append(system: &Self::System, trace: &mut Self::Trace, step: Self::Trace) -> Self::Trace;
    /// That nothing bad happens, whatever happens: with it, the check of a proof is about the lemmas alone.
    fn nothing(proof: &Self::Proof) -> Property<Self::Formula>;
}
