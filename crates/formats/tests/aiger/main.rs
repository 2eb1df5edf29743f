//! AIGER files: what they mean, what is wrong with bad ones, round trips, and any bytes at all.

mod corpus;
mod errors;
mod fuzz;
mod models;
mod support;
