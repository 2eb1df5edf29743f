//! CHC: constrained Horn clauses in SMT-LIB (`set-logic HORN`), as transition systems.
//!
//! A predicate stands for the states at one location, its arguments for the variables there. Clauses with at most one
//! predicate in their body are facts (initial states), rules (steps) and queries (what must not be reached). The
//! system of clauses has a model exactly if no query can be reached, and an inductive invariant is such a model.
//!
//! - [`parse`] and [`read`]: clauses as a system, with the way back from an invariant to a model.
//! - [`write()`]: any system over words as clauses over one predicate `state`.

mod clause;
mod read;
mod system;
mod write;

pub use read::{parse, read};
pub use system::{Chc, ChcPredicate};
pub use write::write;
