//! Systems over words in the `examples/` folder. These files are written by hand, and say in their comments what they are.

use super::Expected::{self, Safe, Unsafe};

/// A file of the `examples/` folder with a system over words.
#[derive(Clone, Copy, Debug)]
pub struct WordModel {
    /// The name of its file, `.vmt` or `.smt2`.
    pub file: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Its properties in their order, with what is known of them.
    pub expected: &'static [(&'static str, Expected)],
}

/// All of them.
pub const WORDS: &[WordModel] = &[
    WordModel {
        file: "program1.vmt",
        about: "The first program that shows incremental proofs, over integers: `indubit prove program1.vmt --lemmas program1.lemmas`.",
        expected: &[("y_positive", Safe)],
    },
    WordModel {
        file: "program2.vmt",
        about: "The second one, which needs two lemmas at once: `indubit prove program2.vmt --lemmas program2.lemmas`.",
        expected: &[("y_positive", Safe)],
    },
    WordModel {
        file: "sums.vmt",
        about: "The simplest system with infinitely many states: x counts, y sums up.",
        expected: &[("y_natural", Safe)],
    },
    WordModel {
        file: "bakery.vmt",
        about: "Lamport's bakery for two processes, whose tickets grow without bound.",
        expected: &[("exclusion", Safe)],
    },
    WordModel {
        file: "train_gate.vmt",
        about: "A train, a gate and two clocks over real numbers.",
        expected: &[("gate_is_closed", Safe), ("train_is_quick", Safe)],
    },
    WordModel {
        file: "buffer.vmt",
        about: "A bounded buffer with a producer and a consumer, for any capacity.",
        expected: &[("no_overflow", Safe), ("nothing_lost", Safe)],
    },
    WordModel {
        file: "buffer_overflow.vmt",
        about: "The same with a mistake in the producer.",
        expected: &[("no_overflow", Unsafe { depth: Some(2) }), ("nothing_lost", Safe)],
    },
    WordModel {
        file: "counter.smt2",
        about: "Two loops as Horn clauses over two predicates.",
        expected: &[("query", Safe)],
    },
];
