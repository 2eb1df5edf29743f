//! Preprocessing: each pass makes a problem smaller and knows the way back.
//!
//! [`Select`] turns one bad signal of the user's model into a [`Safety`](indubit_system::Safety) problem; the passes shrink it.
//! [`prepare`] makes a sequence of [`Passes`] and returns the stack of ways back.
//!
//! Each pass has a share of effort, counted in nodes and ticks: a model of millions of gates gets through with what can be
//! found in a few seconds, and equal seeds give equal results.

mod appendix;
mod classes;
mod coi;
mod correspond;
mod effort;
mod fold;
mod frame;
mod patterns;
mod prover;
mod rebuild;
mod rewrite;
mod select;
mod sequence;
mod sweep;
mod ternary;
#[cfg(test)]
mod testing;

pub use coi::ConeOfInfluence;
pub use correspond::{Latches, Signals};
pub use fold::Fold;
pub use rewrite::Rewrite;
pub use select::Select;
pub use sequence::{PASSES, Pass, Passes, Prepared, Stage, WayBack, prepare};
pub use sweep::Sweep;
pub use ternary::TernaryConstants;
