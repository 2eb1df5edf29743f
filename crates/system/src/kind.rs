//! The two kinds of systems as one family of types: what is written over a [`Kind`] is written once for bits and for words.

use crate::{
    BitSystem, Claim, CtlProof, Malformed, Proof, Property, Safety, Trace, WordMalformed, WordProblem,
    WordProof, WordSystem, WordTrace,
};
use indubit_logic::Lit;
use indubit_term::Term;
use std::fmt::{self, Debug, Display, Formatter};

/// A kind of systems, with all that is made of them.
pub trait Kind: Copy + Debug + PartialEq + Send + Sync + Sized + 'static {
    /// What systems of this kind are made of, in messages.
    const NAME: &'static str;
    /// The user's model.
    type System: Clone + Debug + Send + Sync;
    /// A formula about one step of a system.
    type Formula: Clone + Debug + PartialEq + Send + Sync;
    /// What an engine works on: can something bad be reached?
    type Problem: Clone + Send + Sync;
    /// A run to a step.
    type Trace: Clone + Debug + PartialEq + Send;
    /// Why there is no run to a step.
    type Proof: Clone + Debug + Display + Send;
    /// What can be wrong with a system.
    type Malformed: Clone + Debug + Display + Send;

    /// Is the system what its type claims it to be?
    fn validate(system: &Self::System) -> Result<(), Self::Malformed>;
    /// All properties of a system. Their positions are what they are known by everywhere.
    fn properties(system: &Self::System) -> Vec<Property<Self::Formula>>;
    /// How many steps a trace has up to its last state, or until its loop closes.
    fn length(trace: &Self::Trace) -> usize;
    /// The step to which a trace goes back after its last one, if it is a lasso.
    fn loops_to(trace: &Self::Trace) -> Option<usize>;
}

/// Circuits: inputs, latches and gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits;

/// Systems over terms: Booleans, numbers and bit-vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words;

impl Kind for Bits {
    const NAME: &'static str = "bits";
    type System = BitSystem;
    type Formula = Lit;
    type Problem = Safety;
    type Trace = Trace;
    type Proof = Proof;
    type Malformed = Malformed;

    fn validate(system: &BitSystem) -> Result<(), Malformed> {
        system.validate()
    }
    fn properties(system: &BitSystem) -> Vec<Property> {
        system.properties()
    }
    fn length(trace: &Trace) -> usize {
        trace.len()
    }
    fn loops_to(trace: &Trace) -> Option<usize> {
        trace.loops_to
    }
}

impl Kind for Words {
    const NAME: &'static str = "words";
    type System = WordSystem;
    type Formula = Term;
    type Problem = WordProblem;
    type Trace = WordTrace;
    type Proof = WordProof;
    type Malformed = WordMalformed;

    fn validate(system: &WordSystem) -> Result<(), WordMalformed> {
        system.validate()
    }
    fn properties(system: &WordSystem) -> Vec<Property<Term>> {
        system.properties.clone()
    }
    fn length(trace: &WordTrace) -> usize {
        trace.states.len().saturating_sub(usize::from(trace.loops_to.is_none()))
    }
    fn loops_to(trace: &WordTrace) -> Option<usize> {
        trace.loops_to
    }
}

/// What stands behind a verdict: a closed set of shapes.
#[derive(Clone, Debug)]
pub enum Evidence<K: Kind> {
    /// A run to a step, or a lasso.
    Trace(K::Trace),
    /// Why there is none.
    Proof(K::Proof),
    /// Sets of states for the operators of a formula of computation tree logic: why it holds or fails. They are about the [`Branching`](crate::Branching) of the circuit, also over words.
    Ctl(Box<CtlProof>),
}

/// In a few words: how long a trace is, or what a proof is like.
impl<K: Kind> Display for Evidence<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::Trace(trace) => match K::loops_to(trace) {
                Some(step) => {
                    write!(f, "a lasso of {} steps that loops from step {step} on", K::length(trace))
                }
                None => write!(f, "a trace to step {}", K::length(trace)),
            },
            Evidence::Proof(proof) => write!(f, "{proof}"),
            Evidence::Ctl(proof) => write!(f, "{proof}"),
        }
    }
}

impl<K: Kind> Evidence<K> {
    /// The word for its shape.
    pub fn kind(&self) -> &'static str {
        match self {
            Evidence::Trace(_) => "trace",
            Evidence::Proof(_) => "proof",
            Evidence::Ctl(_) => "sets of states",
        }
    }
    /// Does this shape say that the claim is true? `None` if it says nothing about such a claim.
    pub fn truth<F>(&self, claim: &Claim<F>) -> Option<bool> {
        match (claim, self) {
            (Claim::Always(_) | Claim::Justice(_) | Claim::Ltl(_), Evidence::Proof(_)) => Some(true),
            (Claim::Always(_) | Claim::Justice(_) | Claim::Ltl(_), Evidence::Trace(_)) => Some(false),
            (Claim::Ctl(_), Evidence::Ctl(proof)) => Some(proof.holds()),
            (Claim::Ctl(_), _) | (_, Evidence::Ctl(_)) => None,
            (Claim::Reachable(_), Evidence::Trace(_)) => Some(true),
            (Claim::Reachable(_), Evidence::Proof(_)) => Some(false),
        }
    }
}
