//! And-inverter graphs: construction with structural hashing, cones, simulation, ternary simulation, CNF.
//!
//! Nodes are numbered in topological order: node 0 is the constant *false*, and the fanins of an AND are
//! smaller than the AND itself. An edge is a [`Lit`](indubit_logic::Lit): a node and a sign.
//!
//! ```
//! use indubit_aig::{Aig, simulate};
//! let mut aig = Aig::new();
//! let (a, b) = (aig.leaf(), aig.leaf());
//! let x = aig.xor(a, b);
//! assert_eq!(x, aig.xor(b, a)); // hashed: the same node
//! let mut words = vec![0u64; aig.n_vars()];
//! words[a.var().index()] = 0b0011;
//! words[b.var().index()] = 0b0101;
//! simulate::propagate(&aig, &mut words);
//! assert_eq!(simulate::word(&words, x) & 0b1111, 0b0110);
//! ```

mod cone;
mod encode;
mod gates;
mod graph;
pub mod simulate;
pub mod ternary;
mod two_level;

pub use cone::Cone;
pub use encode::{Definition, Encoder};
pub use gates::GateEncoder;
pub use graph::{Aig, Fanouts, Import};
