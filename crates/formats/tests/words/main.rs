//! Systems over words: what is written is read again, with the same meaning; what is wrong is named.

mod btor2;
mod chc;
mod corpus;
mod errors;
mod fuzz;
mod smv;
mod smv_write;
mod support;
mod vmt;
