//! Traces, proofs and verdicts.

use crate::Invariant;
use indubit_run::Stop;

/// A finite execution: an initial state and the inputs of each step.
///
/// Positions follow the latches and inputs of the system it belongs to. The last step is the one in which
/// the bad signal is true.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Trace {
    /// One value a latch.
    pub initial: Vec<bool>,
    /// One row of input values a step; at least one row.
    pub inputs: Vec<Vec<bool>>,
}

impl Trace {
    /// The number of transitions: a trace that is bad in its initial state has length 0.
    pub fn len(&self) -> usize {
        self.inputs.len().saturating_sub(1)
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
}

impl Proof {
    /// The proof with its invariant, and the latches of simple paths, replaced: a proof about another system.
    pub fn map(
        self,
        invariant: impl FnOnce(Invariant) -> Invariant,
        latches: impl FnOnce(Vec<usize>) -> Vec<usize>,
    ) -> Proof {
        match self {
            Proof::Inductive(inductive) => Proof::Inductive(invariant(inductive)),
            Proof::KInductive { k, with, simple_path } => {
                Proof::KInductive { k, with: invariant(with), simple_path: simple_path.map(latches) }
            }
        }
    }
}

/// What an engine found out: about bits, unless it says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<T = Trace, P = Proof> {
    /// Bad is unreachable, and here is why.
    Safe(P),
    /// Bad is reachable, and here is how.
    Unsafe(T),
    /// Neither is known.
    Unknown {
        /// Why the engine gave up.
        stop: Stop,
        /// `Some(k)`: no counterexample of any length up to `k` exists.
        safe_up_to: Option<u32>,
    },
}
