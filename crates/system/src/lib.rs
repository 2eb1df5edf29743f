//! Transition systems, the evidence for verdicts about them, and the way back from a smaller problem.
//!
//! - [`BitSystem`]: the user's model, with names and every section of an AIGER file.
//! - [`Safety`]: what an engine works on: one bad signal, constant or free initial values.
//! - [`Trace`], [`Invariant`], [`Proof`], [`Verdict`]: evidence, on either of the two.
//! - [`Raise`]: how evidence found on a lowered problem comes back up to the user's model.
//! - [`Localization`]: a problem with some latches free, and what proofs about it say about the whole.
//! - [`Unroller`]: time frames as one hashed circuit.
//! - [`WordSystem`], [`WordTrace`]: systems over terms, with relations, and their runs.

mod bit;
mod evidence;
mod influence;
mod invariant;
mod localize;
mod raise;
mod reset;
mod safety;
mod unroll;
mod validate;
mod word;

pub use bit::{BitSystem, Justice, Latch, Name, Property, PropertyKind, Signal};
pub use evidence::{Proof, Trace, Verdict};
pub use influence::Influence;
pub use invariant::Invariant;
pub use localize::Localization;
pub use raise::{Lower, Raise, Stack};
pub use reset::{CyclicReset, ResetOrder};
pub use safety::{Safety, StateVar};
pub use unroll::{Frame, Start, Unroller};
pub use validate::Malformed;
pub use word::{WordMalformed, WordProof, WordProperty, WordSystem, WordTrace, WordVar};
