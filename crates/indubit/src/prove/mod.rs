//! Incremental proofs (*Incremental Inductive Verification*, slides after L. Geatti, docs/SOURCES.md): lemmas φ₁ … φₖ, each inductive relative
//! to those before it, and then the property.
//!
//! Lemmas that are not inductive in their order may be so together, as for the slides' program `M₂`: the largest subset of them that is
//! inductive relative to what is proved is found by dropping, again and again, all that some step from all of them breaks (Flanagan, Leino,
//! *Houdini*, FME 2001; for clauses of IC3, rule MaxIndSubset of Ivrii, Gurfinkel, FMCAD 2015). It does not depend on the order in which they are dropped.
//!
//! A lemma about a circuit may mention inputs: it then says something about a state and the inputs that come with it, and is kept if it holds in the
//! next state whatever comes there. Constraints hold in both moments of a step.
//!
//! What is found is believed only after the independent check: of the lemmas that were proved, and of the property with them.
//!
//! | file | is |
//! |---|---|
//! | `incremental` | lemmas and properties of a model |
//! | `induction` | which formulas are inductive relative to which |
//! | `queries` | one query |
//! | `moments` | one or two moments of a model in a solver: what differs between bits and words, which `bit_moments` and `word_moments` have |
//! | `decider` | whose solver that is |
//! | `deadlock` | reachable states without successor |
//! | `cycles` | what needs each other: strongly connected components |

mod bit_moments;
mod cycles;
mod deadlock;
pub(crate) mod decider;
mod incremental;
mod induction;
pub(crate) mod moments;
pub(crate) mod queries;
pub(crate) mod word_moments;

pub use deadlock::deadlock;
pub use incremental::{
    Incremental, NOT_INDUCTIVE_RELATIVE, PROVE, Vacuity, counterexample_to_induction, vacuity,
};
pub use moments::Inductive;

use indubit_run::Stop;

/// What is known about a lemma; `T` is what a step looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing<T> {
    /// It holds in every state of any model: it says nothing.
    Trivial,
    /// It is proved.
    Proved(Support<T>),
    /// It is false in an initial state, this one.
    FalseInitially(T),
    /// It is not inductive relative to all that is proved: a step from a state in which it holds, and all that is proved, to one in
    /// which it does not. That is no run from an initial state.
    NotInductive(T),
    /// It was not decided: there was no time, or it was too much for the solver.
    Unknown(Stop),
}

/// What a lemma, or the property, is inductive relative to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support<T> {
    /// Lemmas that it rests on, by position, and that do not rest on it.
    pub relative_to: Vec<usize>,
    /// Lemmas that are proved only together with it: they rest on it, and it on them.
    pub together_with: Vec<usize>,
    /// A step that breaks it, from a state in which all holds that was proved before. None if there is no such step, and
    /// not kept for each of very many lemmas.
    pub alone: Option<T>,
}

impl<T> Support<T> {
    /// This support with another step, or with none.
    pub fn map<U>(self, step: impl FnOnce(T) -> U) -> Support<U> {
        let Support { relative_to, together_with, alone } = self;
        Support { relative_to, together_with, alone: alone.map(step) }
    }
}
