//! What came out for one property, ready to be printed whatever the model is made of.

use crate::exit::Code;
use crate::properties::Listed;
use indubit::Support;
use indubit::run::{Record, Stop};
use indubit::system::Shape;
use serde_json::Value;
use std::path::PathBuf;

/// The answer for one property.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The claim is true or false, and the evidence has been checked.
    Decided { word: &'static str, is_true: bool, evidence: Evidence },
    /// Nothing of any length up to `safe_up_to` was found; `cti` says why it is not inductive, if that is the reason.
    Unknown { stop: Stop, safe_up_to: Option<u32>, cti: Option<Cti> },
    /// It was not checked: who was asked does not decide such a claim, or has no theory for it.
    Unsupported { why: String },
    /// A bug of ours: there is no verdict. Files are kept for whoever looks into it.
    Internal { message: String, kept: Vec<PathBuf> },
}

impl Answer {
    /// The word for it in JSON and for people.
    pub fn word(&self) -> &'static str {
        match self {
            Answer::Decided { word, .. } => word,
            Answer::Unknown { .. } => "unknown",
            Answer::Unsupported { .. } => "unsupported",
            Answer::Internal { .. } => "error",
        }
    }
    /// The word for it with --quiet: whoever has no verdict does not know.
    pub fn quiet_word(&self) -> &'static str {
        if let Answer::Decided { word, .. } = self { word } else { "unknown" }
    }
    pub fn proof(&self) -> Option<&Proof> {
        match self {
            Answer::Decided { evidence: Evidence::Proof(proof), .. } => Some(proof),
            _ => None,
        }
    }
    pub fn branches(&self) -> Option<&Branches> {
        match self {
            Answer::Decided { evidence: Evidence::Branches(branches), .. } => Some(branches),
            _ => None,
        }
    }
    pub fn trace(&self) -> Option<&Trace> {
        match self {
            Answer::Decided { evidence: Evidence::Trace(trace), .. } => Some(trace),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub enum Evidence {
    Proof(Proof),
    Trace(Trace),
    /// Sets of states, of a claim in computation tree logic.
    Branches(Branches),
}

/// A proof, as it is printed.
#[derive(Clone, Debug)]
pub struct Proof {
    pub shape: Shape,
    pub n_clauses: usize,
    /// The invariant for people, one lemma a line.
    pub text: String,
    /// A hash of all of it, for the text may be cut.
    pub whole: u64,
    /// The invariant as formulas, if they are wanted and not too many.
    pub formulas: Option<Vec<String>>,
    /// The predicates of a ranked proof, likewise.
    pub ranks: Option<Vec<String>>,
    pub checked: &'static str,
    /// The user's lemmas it rests on, if it was proved with some.
    pub support: Option<Support<()>>,
}

/// A trace, as it is printed.
#[derive(Clone, Debug)]
pub struct Trace {
    /// How many steps there are up to the last state, or until the loop of a lasso closes.
    pub length: usize,
    /// Where the loop of a lasso begins.
    pub loops_to: Option<usize>,
    pub witness: String,
    pub table: String,
    /// For programs, if that is wanted.
    pub steps: Value,
    pub checked: String,
}

/// Why a claim in computation tree logic is decided, as it is printed.
#[derive(Clone, Debug)]
pub struct Branches {
    /// No initial state has a fair path.
    pub is_vacuous: bool,
    /// Of how many operators there are sets, in words.
    pub summary: String,
    /// Paths and sets, for people.
    pub text: String,
    /// The same for programs, if that is wanted.
    pub tree: Value,
    /// The initial state that they begin with.
    pub start: Value,
    pub checked: &'static str,
}

/// A counterexample to induction.
#[derive(Clone, Debug, PartialEq)]
pub struct Cti {
    /// Is it a step, or a state alone?
    pub is_step: bool,
    pub table: String,
    pub json: Value,
}

/// A file of evidence: what it is, in the word of all formats, and where.
pub type File = (&'static str, PathBuf);

#[derive(Clone, Debug, Default)]
pub struct Files {
    pub written: Vec<File>,
    /// Those that were asked for and could not be written.
    pub missing: Vec<File>,
}

/// The answer, and how it was found.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub property: Listed,
    pub answer: Answer,
    pub engine: &'static str,
    /// How long was worked on it.
    pub seconds: f64,
    /// When it was told, since the start.
    pub at: f64,
    /// Up to where nothing was found.
    pub safe_up_to: Option<u32>,
    pub record: Record,
    pub files: Files,
}

/// The code that the outcomes amount to.
pub fn code(outcomes: &[&Outcome]) -> Code {
    let any = |f: fn(&Answer) -> bool| outcomes.iter().any(|o| f(&o.answer));
    if any(|a| matches!(a, Answer::Internal { .. })) {
        Code::Internal
    } else if any(|a| matches!(a, Answer::Decided { is_true: false, .. })) {
        Code::Unsafe
    } else if outcomes.is_empty() || any(|a| !matches!(a, Answer::Decided { .. })) {
        Code::Unknown
    } else {
        Code::Done
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use indubit::{ClaimKind, PropertyId};
    use serde_json::json;

    pub fn outcome(index: usize, answer: Answer) -> Outcome {
        let id = PropertyId::Bad(index);
        Outcome {
            property: Listed { index, id, name: None, line: None, source: None, claim: ClaimKind::Always },
            answer,
            engine: "ic3",
            seconds: 0.25,
            at: 0.5,
            safe_up_to: None,
            record: Record::default(),
            files: Files::default(),
        }
    }

    pub fn safe() -> Answer {
        let proof = Proof {
            shape: Shape::Inductive,
            n_clauses: 0,
            text: "true\n".into(),
            whole: 0,
            formulas: Some(Vec::new()),
            ranks: None,
            checked: "witness circuit by SAT",
            support: None,
        };
        Answer::Decided { word: "safe", is_true: true, evidence: Evidence::Proof(proof) }
    }

    pub fn violated() -> Answer {
        let trace = Trace {
            length: 2,
            loops_to: None,
            witness: "1\nb0\n\n\n.\n".into(),
            table: "the table\n".into(),
            steps: json!([]),
            checked: "replay by simulation".into(),
        };
        Answer::Decided { word: "unsafe", is_true: false, evidence: Evidence::Trace(trace) }
    }

    pub fn unknown(safe_up_to: Option<u32>) -> Answer {
        Answer::Unknown { stop: Stop::TimeLimit, safe_up_to, cti: None }
    }

    #[test]
    fn the_worst_answer_decides() {
        let codes = |answers: Vec<Answer>| {
            let outcomes: Vec<Outcome> = answers.into_iter().map(|a| outcome(0, a)).collect();
            code(&outcomes.iter().collect::<Vec<_>>())
        };
        let internal = || Answer::Internal { message: String::new(), kept: Vec::new() };
        assert_eq!(codes(vec![safe(), safe()]), Code::Done);
        assert_eq!(codes(vec![safe(), Answer::Unsupported { why: String::new() }]), Code::Unknown);
        assert_eq!(codes(vec![unknown(None), violated(), safe()]), Code::Unsafe);
        assert_eq!(codes(vec![violated(), internal()]), Code::Internal);
        assert_eq!(codes(vec![]), Code::Unknown);
    }
}
