//! Readers and writers: the only place that touches the user's files and the only one that can say "bad input".
//!
//! Bad input is an [`Error`] with the file, the place in it, what was found and what was expected. It never is a
//! panic, and memory follows the size of a file, not the numbers its header claims.
//!
//! - [`aiger`]: models, ASCII and binary.
//! - [`load`] and [`save`]: whole files, written in one step.

pub mod aiger;
mod error;
mod save;

pub use error::{Error, Place};
pub use save::{load, save};
