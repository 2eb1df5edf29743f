//! BTOR2: word-level models, one node a line (A. Niemetz, M. Preiner, C. Wolf, A. Biere, *BTOR2, BtorMC and Boolector 3.0*, CAV 2018).
//!
//! | line | meaning |
//! |---|---|
//! | `ID sort bitvec W`, `ID sort array INDEX ELEMENT` | a sort |
//! | `ID input SORT`, `ID state SORT` | a variable |
//! | `ID init SORT STATE VALUE` | its initial value; of an array also one element for all indices |
//! | `ID next SORT STATE VALUE` | its next value; a state without one is free in each step but, if it has an initial value, the first |
//! | `ID constraint NODE` | holds in every step |
//! | `ID bad NODE`, `ID justice N NODE ...`, `ID fair NODE` | properties |
//! | `ID output NODE` | a name for a node |
//! | `ID OPERATOR SORT NODE ...` | a node |
//!
//! `-NODE` is the bitwise negation of a node. A symbol may stand at the end of each line, and behind `;` a comment: what Yosys writes
//! there is the place in the source.

pub mod certificate;
mod line;
mod operators;
mod read;
pub mod witness;
mod write;

pub use read::{Btor2, is_recognized, parse, read};
pub use write::write;
