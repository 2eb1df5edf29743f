//! x
#![allow(missing_docs, clippy::all)]
mod smt;
mod stub;
pub use smt::*;
pub use stub::*;
