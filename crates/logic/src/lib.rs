//! Variables, literals, cubes and clauses: the one vocabulary that every crate of Indubit shares.
//!
//! A state atom is a [`Var`], whether it stands for a latch, an internal gate or (later) an interned
//! predicate, and an AIG edge is a [`Lit`] as well. So frames, obligations, generalization, circuits and
//! CNF all speak of the same two integers, and nothing is translated between them.
//!
//! ```
//! use indubit_logic::{Cube, Lit, Var};
//! let a = Lit::positive(Var::new(1));
//! let b = Lit::positive(Var::new(2));
//! let small = Cube::new([a]);
//! let large = Cube::new([!b, a]);
//! assert!(small.subsumes(&large));
//! ```

mod cube;
mod lit;
mod ternary;

pub use cube::{Clause, Cube};
pub use lit::{Lit, Var, VarMap};
pub use ternary::Ternary;
