//! Readers and writers: the only place that touches the user's files and the only one that can say "bad input".
//!
//! Bad input is an [`Error`] with the file, the place in it, what was found and what was expected. It never is a
//! panic, and memory follows the size of a file, not the numbers its header claims.
//!
//! - [`model`]: any model, by its contents.
//! - [`aiger`]: models, ASCII and binary.
//! - [`as_words`]: circuits as systems over words.
//! - [`vmt`], [`chc`]: systems over words, as annotated SMT-LIB and as Horn clauses.
//! - [`smv`]: the language of NuSMV and nuXmv.
//! - [`dimacs`]: formulas in CNF; [`lrat`]: proofs that they have no model.
//! - [`witness`] and [`stimulus`]: AIGER's traces and inputs as text.
//! - [`certificate`]: proofs as Certifaiger witness circuits; [`certificate_all`]: several proofs as one; [`ctl_certificate`]: proofs in sets of states.
//! - [`trace_table`], [`vcd`], [`invariant_text`], [`ranked_text`]: evidence for people; [`word_trace`], [`word_text`]: the same over words.
//! - [`seen`]: what is remarkable about the steps of a run.
//! - [`lemmas`]: formulas over the names of a model, from people and for them.
//! - [`ctl_file`]: files of formulas of branching time about a circuit; [`ctl_tree`]: why such a formula holds or fails.
//! - [`yosys`]: what Yosys says about the names of its models, and traces for it.
//! - [`load`] and [`save`]: whole files, written in one step.

pub mod aiger;
pub mod as_words;
pub mod btor2;
pub mod certificate;
pub mod certificate_all;
pub mod chc;
mod conditions;
pub mod ctl_certificate;
pub mod ctl_file;
mod ctl_text;
pub mod ctl_tree;
pub mod dimacs;
mod error;
pub mod invariant_text;
pub mod lemmas;
pub mod lrat;
mod ltl_text;
mod minimize;
pub mod model;
mod ranked_certificate;
pub mod ranked_text;
mod save;
pub mod seen;
mod signals;
mod smtlib;
pub mod smv;
pub mod stimulus;
mod table;
pub mod told;
pub mod trace_table;
pub mod vcd;
pub mod vmt;
pub mod witness;
pub mod word_text;
pub mod word_trace;
pub mod yosys;

pub use error::{Error, Place};
pub use save::{Draft, abandon, can_save, descriptor, load, save};
