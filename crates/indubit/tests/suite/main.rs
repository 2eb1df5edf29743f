//! The library from outside, in one binary.
//!
//! `INDUBIT_RANDOM=20000 cargo test --release -p indubit --test suite` runs as many random systems in each module that draws some, from
//! `INDUBIT_SEED` on; `… --test suite conformance::` only one module.

#![allow(clippy::unwrap_used)] // a test may panic

mod all;
mod arrays;
mod bmc;
mod common;
mod conformance;
mod counting;
mod ctl;
mod fixpoints;
mod lemmas;
mod live_bugs;
mod liveness;
mod passes;
mod prove;
mod race;
mod repeated;
mod seeded_bugs;
mod simulate;
mod smv;
mod speed;
mod temporal;
mod trouble;
mod turns;
