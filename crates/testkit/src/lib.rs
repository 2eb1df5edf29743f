//! What the tests of all crates share: models, and an answer that needs no solver.
//!
//! - [`random`]: random systems from a seed, with every corner of AIGER in them, for safety and for liveness.
//! - [`random_words`]: the same over words, with exhaustive search.
//! - [`explicit`]: the exact answer for a small system, by visiting its states one by one.
//! - [`live`]: the same about justice properties, by the components of the graph of all steps.
//! - [`temporal`]: the same about claims in temporal logic.
//! - [`branching`]: the same about claims in computation tree logic, and proofs of them.
//! - [`shrink`]: a delta debugger that makes a failing model small.
//! - [`models`]: the models of the `examples/` folder, built in memory with [`Word`]s.
//! - [`corpus`]: the files of `examples/` and, where there is one, of a folder of benchmarks.
//!
//! ```
//! use indubit_testkit::{explicit, random, shrink};
//! // The first random system with a counterexample of at least five steps ...
//! let is_deep = |s: &indubit_system::BitSystem| {
//!     let answers = explicit::check(s).expect("random systems are small");
//!     answers.iter().any(|a| a.depth() >= Some(5))
//! };
//! let config = random::Config::default();
//! let deep = (0..).map(|seed| random::system(seed, &config)).find(is_deep).unwrap();
//! // ... and the core of it.
//! let small = shrink::shrink(&deep, is_deep);
//! assert!(small.latches().len() <= deep.latches().len());
//! ```

pub mod branching;
pub mod corpus;
pub mod explicit;
pub mod live;
pub mod models;
pub mod random;
pub mod random_arrays;
pub mod random_words;
pub mod shrink;
pub mod smv;
pub mod temporal;
mod word;

pub use word::Word;

/// The example in the README compiles and runs. It is tested here because packages do not reach outside of their folders, and this is none.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
