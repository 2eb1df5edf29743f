//! What Yosys says about the models it writes, and what it reads about their traces.
//!
//! - Symbols of AIGER files: several names of one latch, and registers that are stored negated.
//! - The maps beside a model: `.ywa` and `.aim` for AIGER, `.ywb` for BTOR2.
//! - `witness`: a trace as a Yosys witness (`.yw`).

mod aim;
mod json;
mod maps;
mod symbols;
pub mod witness;
mod ywa;
mod ywb;

pub use maps::{name_bits, name_btor2};
pub(crate) use symbols::interpret;
pub use ywb::Ywb;

#[cfg(test)]
mod tests;
