//! Incremental proofs (seed 001): lemmas φ₁ … φₖ, each inductive relative to those before it, and then the property.
//!
//! Lemmas that are not inductive in their order may be so together, as for the seed's program `M₂`: the largest subset of them that is
//! inductive relative to what is proved is found by dropping, again and again, all that some step from all of them breaks (Flanagan, Leino,
//! *Houdini*, FME 2001; MaxIndSubset of seed 004 for clauses of IC3). It does not depend on the order in which they are dropped.
//!
//! A lemma may mention inputs: it then says something about a state and the inputs that come with it, and is kept if it holds in the
//! next state whatever comes there. Constraints hold in both moments of a step.
//!
//! What is found is believed only after the independent check: of the lemmas that were proved, and of the property with them.
//!
//! | | over bits | over words |
//! |---|---|---|
//! | lemmas and properties of a model | [`Incremental`] | [`WordIncremental`] |
//! | one or two moments of it in a solver | `bit_moments` | `word_moments` |
//! | which formulas are inductive relative to which | `induction` | `induction` |
//! | one query | `queries` | `queries` |

mod bit_moments;
mod bits;
mod cycles;
mod induction;
pub(crate) mod queries;
pub(crate) mod word_moments;
mod words;

pub use bits::{Incremental, counterexample_to_induction, has_initial_state};
pub use words::{WordIncremental, word_counterexample_to_induction, word_has_initial_state};

use indubit_run::Stop;
use indubit_system::Trace;

/// Why an incremental proof ends without a verdict.
pub const NOT_INDUCTIVE_RELATIVE: &str = "the property is not inductive relative to the lemmas";

/// The name of this way to prove, where engines have theirs.
pub const PROVE: &str = "prove";

/// What is known about a lemma.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing<T = Trace> {
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
pub struct Support<T = Trace> {
    /// Lemmas that it rests on, by position, and that do not rest on it.
    pub relative_to: Vec<usize>,
    /// Lemmas that are proved only together with it: they rest on it, and it on them.
    pub together_with: Vec<usize>,
    /// A step that breaks it, from a state in which all holds that was proved before. None if there is no such step, and
    /// not kept for each of very many lemmas.
    pub alone: Option<T>,
}

impl<T> Support<T> {
    /// The same with another step, or with none.
    pub fn map<U>(self, step: impl FnOnce(T) -> U) -> Support<U> {
        let Support { relative_to, together_with, alone } = self;
        Support { relative_to, together_with, alone: alone.map(step) }
    }
}
