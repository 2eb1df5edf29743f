//! Traces, proofs and verdicts.

use crate::{Bits, Invariant, Kind, Ranked};
use indubit_run::Stop;
use std::fmt;

/// An execution: an initial state and the inputs of each step. It is finite, or a lasso.
///
/// Positions follow the latches and inputs of the system it belongs to. The last step of a finite one is that in which
/// the bad signal is true.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Trace {
    /// One value a latch.
    pub initial: Vec<bool>,
    /// One row of input values a step; at least one row.
    pub inputs: Vec<Vec<bool>>,
    /// The step that comes after the last one, if it is a lasso: from there on the run repeats for ever. As far as latches matter
    /// to what the lasso is about, they have the same values then.
    pub loops_to: Option<usize>,
}

impl Trace {
    /// A finite one.
    pub fn finite(initial: Vec<bool>, inputs: Vec<Vec<bool>>) -> Trace {
        Trace { initial, inputs, loops_to: None }
    }
    /// The number of transitions: a trace that is bad in its initial state has length 0. Of a lasso, the one that closes the loop counts.
    pub fn len(&self) -> usize {
        self.inputs.len().saturating_sub(usize::from(self.loops_to.is_none()))
    }
    /// Does it end where it began?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Why a bad signal is never true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The invariant holds initially, is kept by every step, and together with the constraints excludes bad.
    Inductive(Invariant),
    /// `¬bad ∧ with` holds for the first `k` steps, and `k` good steps in a row force another one.
    ///
    /// With `simple_path`, `with` must be inductive by itself, whatever the constraints say of the state it is
    /// claimed for.
    KInductive {
        /// The depth, at least 1.
        k: u32,
        /// An invariant that strengthens the property (*true* if nothing was needed).
        with: Invariant,
        /// The `k + 1` states may be taken to differ pairwise, compared on these latches (positions, increasing).
        /// Where `with` holds, these latches must determine, along with the inputs, their own next values, the
        /// constraints and bad.
        simple_path: Option<Vec<usize>>,
    },
    /// Every run comes to an end of seeing some signal: a rank goes down until it does.
    Ranked(Box<Ranked>),
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_proof(f, self.shape(), self.invariant().clauses().len())
    }
}

impl Proof {
    /// What kind of proof it is.
    pub fn shape(&self) -> Shape {
        match self {
            Proof::Inductive(_) => Shape::Inductive,
            Proof::KInductive { k, simple_path, .. } => {
                Shape::KInductive { k: *k, simple_path: simple_path.is_some() }
            }
            Proof::Ranked(ranked) => Shape::Ranked { n_ranks: ranked.order.len() as u32 },
        }
    }
    /// The invariant that it has, or that strengthens the property. That of a ranked proof is about the system with
    /// [memory](Ranked::memory).
    pub fn invariant(&self) -> &Invariant {
        match self {
            Proof::Inductive(invariant) | Proof::KInductive { with: invariant, .. } => invariant,
            Proof::Ranked(ranked) => &ranked.with,
        }
    }
    /// The proof with its invariant, the latches of simple paths, or its ranks replaced: a proof about another system.
    pub fn map(
        self,
        invariant: impl FnOnce(Invariant) -> Invariant,
        latches: impl FnOnce(Vec<usize>) -> Vec<usize>,
        ranked: impl FnOnce(Ranked) -> Ranked,
    ) -> Proof {
        match self {
            Proof::Ranked(proof) => Proof::Ranked(Box::new(ranked(*proof))),
            Proof::Inductive(inductive) => Proof::Inductive(invariant(inductive)),
            Proof::KInductive { k, with, simple_path } => {
                Proof::KInductive { k, with: invariant(with), simple_path: simple_path.map(latches) }
            }
        }
    }
}

/// What an engine concluded about its problem. Nothing of it has been checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion<K: Kind = Bits> {
    /// Bad is unreachable, and here is why.
    Safe(K::Proof),
    /// Bad is reachable, and here is how.
    Unsafe(K::Trace),
    /// Neither is known.
    Unknown {
        /// Why the engine gave up.
        stop: Stop,
        /// `Some(k)`: no counterexample of any length up to `k` exists.
        safe_up_to: Option<u32>,
    },
}

/// What kind of proof there is, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An invariant that holds initially and is kept by every step.
    Inductive,
    /// So many good steps in a row force another one.
    KInductive {
        /// The depth.
        k: u32,
        /// On paths that repeat no state.
        simple_path: bool,
    },
    /// A rank goes down.
    Ranked {
        /// How many predicates order the states.
        n_ranks: u32,
    },
    /// Every run ends.
    Ends {
        /// After at most so many steps.
        last: u32,
    },
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Shape::Inductive | Shape::KInductive { k: 1, simple_path: false } => f.write_str("inductive"),
            Shape::KInductive { k, simple_path: false } => write!(f, "{k}-inductive"),
            Shape::KInductive { k, simple_path: true } => {
                write!(f, "{k}-inductive on paths that repeat no state")
            }
            Shape::Ranked { n_ranks: 0 } => f.write_str("ranked"),
            Shape::Ranked { n_ranks: 1 } => f.write_str("ranked by one predicate"),
            Shape::Ranked { n_ranks } => write!(f, "ranked by {n_ranks} predicates"),
            Shape::Ends { last } => {
                write!(f, "every run ends after at most {last} step{}", if last == 1 { "" } else { "s" })
            }
        }
    }
}

/// A proof in a few words: its shape, and how many lemmas it has.
pub(crate) fn write_proof(f: &mut fmt::Formatter<'_>, shape: Shape, n_lemmas: usize) -> fmt::Result {
    let lemmas = if n_lemmas == 1 { "lemma" } else { "lemmas" };
    match (shape, n_lemmas) {
        (Shape::Inductive | Shape::KInductive { k: 1, simple_path: false }, 0) => {
            f.write_str("inductive by itself")
        }
        (shape, 0) => write!(f, "{shape}"),
        (Shape::Inductive, n) => write!(f, "inductive invariant of {n} {lemmas}"),
        (shape, n) => write!(f, "{shape}, together with an invariant of {n} {lemmas}"),
    }
}
