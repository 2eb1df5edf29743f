//! What came out for one property.

use crate::exit::Code;
use crate::properties::Selected;
use indubit::run::Stop;
use indubit::{Invariant, Proof, Support, Trace, WordProof};
use serde_json::Value;
use std::path::PathBuf;

/// The answer for one property, its evidence ready to be printed.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It holds.
    Safe {
        /// Why.
        why: Why,
        /// The invariant for people, one lemma a line.
        text: String,
        /// The user's lemmas it rests on, if it was proved with some.
        support: Option<Support<()>>,
    },
    /// It is violated.
    Unsafe {
        /// How many steps there are up to the bad state.
        length: usize,
        /// How, as a waveform shows it.
        trace: Option<Trace>,
        /// The witness as a file has it.
        witness: String,
        /// The trace for people.
        table: String,
    },
    /// Nobody knows.
    Unknown {
        /// Why not.
        stop: Stop,
        /// `Some(k)`: no counterexample of any length up to `k` exists.
        safe_up_to: Option<u32>,
        /// If it is not inductive: why.
        cti: Option<Cti>,
    },
    /// Liveness: cannot be checked yet.
    Unsupported,
    /// A bug of ours: there is no verdict.
    Internal {
        /// What went wrong.
        message: String,
        /// Files for whoever looks into it.
        kept: Vec<PathBuf>,
    },
}

impl Answer {
    /// The word for it in all formats.
    pub fn word(&self) -> &'static str {
        match self {
            Answer::Safe { .. } => "safe",
            Answer::Unsafe { .. } => "unsafe",
            Answer::Unknown { .. } => "unknown",
            Answer::Unsupported => "unsupported",
            Answer::Internal { .. } => "error",
        }
    }
}

/// Why a property holds.
#[derive(Clone, Debug)]
pub enum Why {
    Bits(Proof),
    Words {
        proof: WordProof,
        /// The invariant as definitions in SMT-LIB, if they are wanted and there is one.
        definitions: Option<String>,
    },
}

impl Why {
    /// The kind of the proof.
    pub fn shape(&self) -> Shape {
        match *self {
            Why::Bits(Proof::Inductive(_)) | Why::Words { proof: WordProof::Inductive { .. }, .. } => {
                Shape::Inductive
            }
            Why::Bits(Proof::KInductive { k, ref simple_path, .. }) => {
                Shape::KInductive { k, simple_path: simple_path.is_some() }
            }
            Why::Words { proof: WordProof::KInductive { k, simple_path }, .. } => {
                Shape::KInductive { k, simple_path }
            }
            Why::Words { proof: WordProof::Ends { last }, .. } => Shape::Ends { last },
        }
    }
    /// How many clauses or conjuncts the invariant has.
    pub fn n_clauses(&self) -> usize {
        match self {
            Why::Bits(proof) => invariant(proof).clauses().len(),
            Why::Words { proof: WordProof::Inductive { terms, invariant }, .. } => {
                terms.conjuncts(*invariant).len()
            }
            Why::Words { .. } => 0,
        }
    }
    /// How it was checked.
    pub fn checked(&self) -> &'static str {
        match self {
            Why::Bits(Proof::KInductive { simple_path: Some(_), .. }) => "k-step queries by SAT",
            Why::Bits(_) => "witness circuit by SAT",
            Why::Words { proof: WordProof::Inductive { .. }, .. } => "queries by SMT",
            Why::Words { .. } => "k-step queries by SMT",
        }
    }
}

/// What kind of proof there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Inductive,
    KInductive {
        k: u32,
        simple_path: bool,
    },
    /// Every run ends after so many steps.
    Ends {
        last: u32,
    },
}

/// The invariant of a proof.
pub fn invariant(proof: &Proof) -> &Invariant {
    match proof {
        Proof::Inductive(invariant) | Proof::KInductive { with: invariant, .. } => invariant,
    }
}

/// A counterexample to induction, ready to be printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Cti {
    /// Is it a step, or a state alone?
    pub is_step: bool,
    /// It for people.
    pub table: String,
    /// It for programs.
    pub json: Value,
}

/// What a file of evidence is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Witness,
    Certificate,
    Vcd,
    Invariant,
}

impl Kind {
    /// The word for it in all formats.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Witness => "witness",
            Kind::Certificate => "certificate",
            Kind::Vcd => "vcd",
            Kind::Invariant => "invariant",
        }
    }
}

/// Files of evidence.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Those that were written.
    pub written: Vec<(Kind, PathBuf)>,
    /// Those that were asked for and could not be written.
    pub missing: Vec<(Kind, PathBuf)>,
}

/// What a preprocessing pass did: inputs, latches and gates before and after.
#[derive(Clone, Debug)]
pub struct Pass {
    pub name: &'static str,
    pub before: [usize; 3],
    pub after: [usize; 3],
}

/// The answer, and how it was found.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub property: Selected,
    pub answer: Answer,
    pub engine: &'static str,
    pub seconds: f64,
    /// The largest bound that the engine reported.
    pub safe_up_to: Option<u32>,
    pub passes: Vec<Pass>,
    pub statistics: Vec<(&'static str, u64)>,
    pub files: Files,
}

/// The code that the verdicts amount to.
pub fn code(outcomes: &[Outcome]) -> Code {
    let any = |f: fn(&Answer) -> bool| outcomes.iter().any(|o| f(&o.answer));
    if any(|a| matches!(a, Answer::Internal { .. })) {
        Code::Internal
    } else if any(|a| matches!(a, Answer::Unsafe { .. })) {
        Code::Unsafe
    } else if outcomes.is_empty() || any(|a| !matches!(a, Answer::Safe { .. })) {
        Code::Unknown
    } else {
        Code::Done
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::properties::Subject;
    use indubit::{Property, PropertyKind};

    pub fn outcome(index: usize, answer: Answer) -> Outcome {
        let property = Property { kind: PropertyKind::Bad(index), name: None };
        Outcome {
            property: Selected { index, subject: Subject::Bits(property) },
            answer,
            engine: "ic3",
            seconds: 0.25,
            safe_up_to: None,
            passes: Vec::new(),
            statistics: Vec::new(),
            files: Files::default(),
        }
    }

    pub fn safe() -> Answer {
        let why = Why::Bits(Proof::Inductive(Invariant::new(1)));
        Answer::Safe { why, text: "true\n".into(), support: None }
    }

    pub fn violated() -> Answer {
        Answer::Unsafe {
            length: 2,
            trace: None,
            witness: "1\nb0\n\n\n.\n".into(),
            table: "the table\n".into(),
        }
    }

    pub fn unknown(safe_up_to: Option<u32>) -> Answer {
        Answer::Unknown { stop: Stop::TimeLimit, safe_up_to, cti: None }
    }

    #[test]
    fn the_worst_outcome_decides() {
        let codes = |answers: Vec<Answer>| {
            let outcomes: Vec<Outcome> =
                answers.into_iter().enumerate().map(|(i, a)| outcome(i, a)).collect();
            code(&outcomes)
        };
        let internal = || Answer::Internal { message: String::new(), kept: Vec::new() };
        assert_eq!(codes(vec![safe(), safe()]), Code::Done);
        assert_eq!(codes(vec![safe(), Answer::Unsupported]), Code::Unknown);
        assert_eq!(codes(vec![unknown(None), violated(), safe()]), Code::Unsafe);
        assert_eq!(codes(vec![violated(), internal()]), Code::Internal);
        assert_eq!(codes(vec![]), Code::Unknown);
    }
}
