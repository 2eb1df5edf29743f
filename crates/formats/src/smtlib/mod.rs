//! SMT-LIB: what VMT and CHC have in common.
//!
//! - [`expressions`]: text as nested lists, with places.
//! - [`elaborate`]: expressions as terms, with scopes, definitions, annotations, and predicates for CHC.
//! - [`names`]: symbols for variables that are written, each different.
//!
//! Nothing recurses over the nesting of a file. What a file unfolds to is limited by its length, so that a chain of
//! definitions that double each time is an error and not a full memory.

pub(crate) mod elaborate;
pub(crate) mod expressions;
pub(crate) mod literal;
pub(crate) mod names;
pub(crate) mod script;
