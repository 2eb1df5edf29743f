//! What commands share at a terminal: printing, files that were asked for, exit codes and errors with hints, limits and
//! signals, and values on the command line.
//!
//! Libraries emit events and return errors; this crate is how a program tells a user of them.

pub mod exit;
pub mod guard;
pub mod output;
pub mod panics;
pub mod preflight;
pub mod status_line;
pub mod terminal;
pub mod values;
