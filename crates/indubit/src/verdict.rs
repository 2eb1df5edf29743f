//! What is known about a property, with evidence that has been checked.

use indubit_certify::Certify;
use indubit_run::Stop;
use indubit_system::{ClaimKind, Evidence, Kind, Property};
use std::fmt;

/// The answer to a claim.
///
/// Only this crate makes one that decides the claim, and it does so after the independent check of the evidence.
#[derive(Clone, Debug)]
pub enum Verdict<K: Kind> {
    /// The claim is true.
    #[non_exhaustive]
    Holds {
        /// What was claimed.
        claim: ClaimKind,
        /// Why.
        evidence: Evidence<K>,
    },
    /// The claim is false.
    #[non_exhaustive]
    Fails {
        /// What was claimed.
        claim: ClaimKind,
        /// Why.
        evidence: Evidence<K>,
    },
    /// Neither is known.
    Unknown {
        /// Why not.
        stop: Stop,
        /// `Some(k)`: no trace of any length up to `k` decides it.
        safe_up_to: Option<u32>,
    },
}

impl<K: Kind> Verdict<K> {
    /// Is the claim true, as far as is known?
    pub fn truth(&self) -> Option<bool> {
        match self {
            Verdict::Holds { .. } => Some(true),
            Verdict::Fails { .. } => Some(false),
            Verdict::Unknown { .. } => None,
        }
    }
    /// What stands behind it.
    pub fn evidence(&self) -> Option<&Evidence<K>> {
        match self {
            Verdict::Holds { evidence, .. } | Verdict::Fails { evidence, .. } => Some(evidence),
            Verdict::Unknown { .. } => None,
        }
    }
    /// The trace that stands behind it, if it is one.
    pub fn trace(&self) -> Option<&K::Trace> {
        if let Some(Evidence::Trace(trace)) = self.evidence() { Some(trace) } else { None }
    }
    /// The proof that stands behind it, if it is one.
    pub fn proof(&self) -> Option<&K::Proof> {
        if let Some(Evidence::Proof(proof)) = self.evidence() { Some(proof) } else { None }
    }
    /// The word for it in all formats.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Holds { claim, .. } => claim.words()[0],
            Verdict::Fails { claim, .. } => claim.words()[1],
            Verdict::Unknown { .. } => "unknown",
        }
    }
}

/// One line: the word, and what stands behind it.
impl<K: Kind> fmt::Display for Verdict<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.word();
        match (self, self.evidence()) {
            (_, Some(Evidence::Trace(trace))) => match K::loops_to(trace) {
                Some(step) => write!(f, "{word} in a loop from step {step} on"),
                None if matches!(self, Verdict::Fails { claim: ClaimKind::Ltl, .. }) => {
                    write!(f, "{word} in step {}, by every run that begins so", K::length(trace))
                }
                None => write!(f, "{word} in step {}", K::length(trace)),
            },
            (_, Some(Evidence::Proof(proof))) => write!(f, "{word}: {proof}"),
            (_, Some(Evidence::Ctl(proof))) => write!(f, "{word}: {proof}"),
            (Verdict::Unknown { stop, safe_up_to: Some(k) }, None) => {
                write!(f, "{word} ({stop}), nothing found up to step {k}")
            }
            (Verdict::Unknown { stop, .. }, None) => write!(f, "{word} ({stop})"),
            (_, None) => f.write_str(word),
        }
    }
}

/// Why there is no verdict, not even "unknown".
#[derive(Clone, Debug)]
pub enum Error<K: Certify> {
    /// The system violates the invariants of its type: a bug of the program that built it.
    Malformed(K::Malformed),
    /// There is no property with this number.
    NoSuchProperty {
        /// The number asked for.
        index: usize,
        /// How many there are.
        available: usize,
    },
    /// No engine of the plan decides such a claim.
    Unsupported {
        /// What the property is called.
        property: String,
        /// What kind of claim it is.
        claim: ClaimKind,
    },
    /// The engine of the plan does not work on systems of this kind.
    Unfit {
        /// The engine.
        engine: &'static str,
    },
    /// Our solver has no theory for a term, and nobody else is asked.
    NoTheory {
        /// The term.
        term: String,
    },
    /// It is made of bits, and too many to be a circuit.
    TooLarge {
        /// What is too large.
        why: String,
        /// If that is an array: how many bits it has.
        array: Option<u64>,
    },
    /// The engine's evidence did not pass the independent check: a bug of ours. It is kept for
    /// whoever looks into it and must never be shown as an answer.
    Rejected {
        /// What the checker found.
        reason: K::Reason,
        /// What the engine claimed.
        claimed: Box<Evidence<K>>,
    },
    /// Something panicked: a bug of ours.
    Panicked {
        /// What it said.
        message: String,
    },
}

impl<K: Certify> Error<K> {
    pub(crate) fn unsupported(property: &Property<K::Formula>) -> Error<K> {
        Error::Unsupported { property: property.title(), claim: property.claim.kind() }
    }
}

impl<K: Certify> fmt::Display for Error<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Malformed(what) => write!(f, "the system is malformed: {what}"),
            Error::NoSuchProperty { index, available } => {
                write!(f, "there is no property {index}: the model has {available}")
            }
            Error::Unsupported { property, claim } => {
                write!(f, "property {property} is a {claim} property, which cannot be checked yet")
            }
            Error::Unfit { engine } => {
                write!(f, "the engine {engine} does not work on models of {}", K::NAME)
            }
            Error::NoTheory { term } => {
                write!(
                    f,
                    "{term} is neither linear arithmetic nor Boolean, and there is no theory for it yet"
                )
            }
            Error::TooLarge { why, .. } => f.write_str(why),
            Error::Rejected { reason, .. } if K::is_mistake(reason) => {
                write!(f, "the check could not be made: {reason}")
            }
            Error::Rejected { reason, claimed } => {
                let what = claimed.kind();
                write!(f, "the engine's {what} did not pass the independent check: {reason}")
            }
            Error::Panicked { message } => write!(f, "a panic: {message}"),
        }
    }
}

impl<K: Certify> std::error::Error for Error<K> {}
