//! Query streams: what an engine asked of its incremental solvers, so that the same can be asked of others.
//!
//! | file | idea |
//! |---|---|
//! | `record` | a solver that writes down what it is asked |
//! | `read` | the stream of a file, checked and ready to be replayed |
//! | `replay` | the stream on any solver, with the answers compared |
//!
//! # Format
//!
//! A file is one stream or several. A stream begins with the line `indubit queries 1` and goes on in bytes: a tag and
//! its operands, up to the tag 0. Numbers are varints (seven bits a byte, the lowest first, the top bit set in all
//! bytes but the last). A list of literals is its length and for each literal the difference of its code (twice
//! the variable plus the sign) from the one before it, at first from 0, as a varint with the sign in the lowest bit.
//! Solvers are numbered from 0 in the order in which they come about.
//!
//! | tag | event | operands |
//! |---|---|---|
//! | 0 | end of the stream | |
//! | 1 | a new solver | |
//! | 2 | a new solver, which is a clone | the one that was cloned |
//! | 3 | a gate is defined | solver; list: the gate, its two fanins |
//! | 4 | a clause is added | solver; list |
//! | 5, 6 | a query, unsatisfiable or satisfiable | solver; list: assumptions |
//! | 7, 8 | the same with a temporary clause | solver; list: clause; list: assumptions |
//! | 9 | which literals of the last model can be unassigned? | solver; list |

mod read;
mod record;
mod replay;
#[cfg(test)]
mod tests;

pub use read::{Malformed, Stream};
pub use record::Recorded;
pub use replay::{Rebuilt, Report, Subject, replay};

/// The first line of a stream.
pub const HEADER: &str = "indubit queries 1\n";

const END: u8 = 0;
const NEW: u8 = 1;
const CLONE: u8 = 2;
const AND: u8 = 3;
const CLAUSE: u8 = 4;
const QUERY: u8 = 5;
const QUERY_WITH: u8 = 7;
const UNASSIGN: u8 = 9;
