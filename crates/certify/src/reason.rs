//! Why evidence was refused.

use crate::lrat::Fault;
use crate::{Check, Condition, SolverError};
use indubit_formats::Error;
use std::fmt;

/// Why evidence was refused. Its text is a sentence without a capital and a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The evidence is not even well-formed.
    Format(Error),
    /// The evidence does not fit the model, as the text says.
    Misfit(String),
    /// The evidence proves nothing, as the text says: a bare claim.
    NoEvidence(String),
    /// A latch does not start with its reset value.
    NotInitial {
        /// The latch's name.
        latch: String,
        /// The value in the trace.
        value: bool,
    },
    /// A constraint is false before or when the property is violated.
    Constraint {
        /// The constraint, with its name.
        constraint: String,
        /// The step.
        step: usize,
    },
    /// The bad signal is false where it should be true.
    NotViolated {
        /// The property, with its name.
        property: String,
        /// The step: the last one of the trace.
        step: usize,
    },
    /// A finite trace says nothing about what happens infinitely often.
    Finite {
        /// The property, with its name.
        property: String,
    },
    /// A trace that should end in a loop repeats no state.
    NoLoop {
        /// The property, with its name.
        property: String,
    },
    /// A latch that matters has another value after the last step than where the loop begins.
    NotClosed {
        /// The latch's name.
        latch: String,
        /// Where the loop begins.
        step: usize,
        /// The values there and after the last step.
        values: [bool; 2],
    },
    /// Something that must be seen infinitely often is not seen in the loop.
    NotSeen {
        /// The signal, with its name.
        signal: String,
        /// Where the loop begins.
        step: usize,
    },
    /// One of Certifaiger's checks fails.
    Check {
        /// Which one.
        check: Check,
        /// Where it fails.
        state: State,
    },
    /// The property, as strengthened, is false within the first steps.
    InductionBase {
        /// The step in which it can be false.
        step: usize,
        /// The state in that step.
        state: State,
    },
    /// A proof on simple paths does not meet their conditions, as the text says.
    SimplePath(&'static str),
    /// Good steps in a row do not force another one.
    InductionStep {
        /// The number of good steps.
        k: u32,
        /// The state of the first of them.
        state: State,
    },
    /// Sets of states, about a formula of computation tree logic, do not meet a condition.
    Sets {
        /// The operator that they are about, or the formula as a whole.
        about: String,
        /// Which condition.
        condition: Condition,
        /// A state in which it is not met.
        state: State,
    },
    /// A proof that no path goes on from a set of states does not hold up.
    NotStuck {
        /// The operator that it is about.
        operator: String,
        /// The number of the set.
        number: usize,
        /// What is wrong.
        why: Box<Reason>,
    },
    /// A step of an LRAT proof is wrong.
    Derivation {
        /// Its line in the file.
        line: usize,
        /// What is wrong.
        fault: Fault,
    },
    /// Nothing is known about the evidence: the solver that was to check it made a mistake, which is a bug of ours.
    Solver(SolverError),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Format(error) => error.fmt(f),
            Reason::Misfit(text) | Reason::NoEvidence(text) => f.write_str(text),
            Reason::Derivation { line, fault } => write!(f, "line {line} of the proof: {fault}"),
            Reason::Solver(error) => error.fmt(f),
            Reason::NotInitial { latch, value } => {
                write!(f, "latch {latch} starts with {}, which is not its reset value", u8::from(*value))
            }
            Reason::Constraint { constraint, step } => {
                write!(f, "constraint {constraint} is violated in step {step}")
            }
            Reason::NotViolated { property, step } => {
                write!(f, "property {property} is not violated up to step {step}, the last one")
            }
            Reason::Finite { property } => {
                write!(
                    f,
                    "the trace is finite, and property {property} is violated by one that goes on for ever"
                )
            }
            Reason::NoLoop { property } => {
                write!(
                    f,
                    "the trace does not violate property {property}: the state after its last step is none of those before, so \
                     nothing repeats"
                )
            }
            Reason::NotClosed { latch, step, values: [first, last] } => {
                let (first, last) = (u8::from(*first), u8::from(*last));
                write!(
                    f,
                    "the loop does not close: latch {latch} is {first} where it begins, in step {step}, and {last} after the last step"
                )
            }
            Reason::NotSeen { signal, step } => {
                write!(f, "{signal} is never true in the loop, which begins in step {step}")
            }
            Reason::Check { check, state } => {
                write!(
                    f,
                    "the {} check of the witness circuit fails: {}{state}",
                    check.name(),
                    check.meaning()
                )
            }
            Reason::Sets { about, condition, state } => {
                write!(f, "{about}: {}{state}", condition.meaning())
            }
            Reason::NotStuck { operator, number, why } => {
                write!(f, "{operator}: nothing shows that paths from set {number} are stuck: {why}")
            }
            Reason::InductionBase { step, state } => {
                write!(f, "the property, as strengthened, can be false in step {step}{state}")
            }
            Reason::SimplePath(text) => write!(f, "the proof on simple paths does not hold up: {text}"),
            Reason::InductionStep { k, state } => {
                let steps = if *k == 1 { "1 good step does" } else { &format!("{k} good steps do") };
                write!(f, "{steps} not force another one{state}")
            }
        }
    }
}

impl std::error::Error for Reason {}

impl From<Error> for Reason {
    fn from(error: Error) -> Reason {
        Reason::Format(error)
    }
}

/// Signals and their values in one moment of a counterexample to a check, in the user's names. Only those that the
/// solver had to look at; the others have any value.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct State(pub Vec<(String, bool)>);

/// ` (e.g. in the state a = 1, b = 0)`, shortened; nothing if the state is empty.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LISTED: usize = 24;
        for (i, (name, value)) in self.0.iter().take(LISTED).enumerate() {
            let before = if i == 0 { " (for example with " } else { ", " };
            write!(f, "{before}{name} = {}", u8::from(*value))?;
        }
        if self.0.len() > LISTED {
            write!(f, ", … {} more", self.0.len() - LISTED)?;
        }
        f.write_str(if self.0.is_empty() { "" } else { ")" })
    }
}
