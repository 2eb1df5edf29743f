//! Counterexamples over words, replayed by exact evaluation.

use crate::Check;
use indubit_formats::{Error, word_text};
use indubit_system::{Claim, Property, WordMalformed, WordSystem, WordTrace};
use indubit_term::{EvalError, Term, Terms, Value};
use rustc_hash::FxHashMap;
use std::fmt;

/// Why a trace is no counterexample, or why a proof is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordReason {
    /// Nothing is wrong with the evidence, but its kind cannot be checked yet.
    Liveness,
    /// There are no states at all, or not as many rows of inputs as of states.
    Shape,
    /// In this step there are more or fewer values than variables, or one of another sort.
    Values {
        /// The step, from 0.
        step: usize,
    },
    /// The first state is not initial.
    NotInitial {
        /// What does not hold in it.
        broken: String,
    },
    /// There is no such step from this state to the following one.
    NoStep {
        /// The step, from 0.
        step: usize,
        /// What does not hold in it.
        broken: String,
    },
    /// A loop does not close: there is no step from its last state to its first.
    NotClosed {
        /// The step in which it begins.
        step: usize,
        /// What does not hold in the step back to it.
        broken: String,
    },
    /// A loop does not see a signal of a justice property.
    NotSeen {
        /// The position of the signal.
        signal: usize,
        /// The property's name.
        property: String,
        /// The step in which the loop begins.
        step: usize,
    },
    /// The property holds in the last state.
    NotViolated {
        /// The property's name.
        property: String,
    },
    /// A term could not be evaluated.
    Evaluation(EvalError),
    /// The system is not what it claims to be.
    Malformed(WordMalformed),
    /// The terms of a proof are not those of the system and more.
    OtherTerms,
    /// An invariant mentions a variable that is neither a state variable nor an input.
    Stray(String),
    /// The checker has no theory for this term.
    Unsupported(String),
    /// What an invariant does not do.
    NotInvariant(&'static str),
    /// What a part of an invariant in a file does not do.
    NotLemma {
        /// Its line in the file.
        line: usize,
        /// Its formula.
        formula: String,
        /// What it does not do.
        what: &'static str,
    },
    /// An invariant in a file does not imply a property of the model.
    NotImplied {
        /// The property's name.
        property: String,
    },
    /// A certificate fails a check.
    Check(Check),
    /// The evidence is not even well-formed.
    Format(Error),
    /// The evidence does not fit the model, as the text says.
    Misfit(String),
    /// The property can be false within the first steps.
    InductionBase {
        /// The step in which it can.
        step: usize,
    },
    /// Good states in a row do not force another one.
    InductionStep {
        /// The number of good states.
        k: u32,
    },
    /// There are runs with more steps than were said to be possible.
    GoesOn {
        /// The step that was said to be the last one.
        last: usize,
    },
}

impl fmt::Display for WordReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WordReason::Liveness => write!(f, "evidence about justice properties cannot be checked yet"),
            WordReason::Shape => write!(f, "the trace is empty, or states and inputs differ in number"),
            WordReason::Values { step } => {
                write!(f, "in step {step} a value is missing, superfluous or of another sort")
            }
            WordReason::NotInitial { broken } => {
                write!(f, "the first state is not an initial one: `{broken}` is false")
            }
            WordReason::NoStep { step, broken } => {
                write!(f, "step {step} is not a transition of the system: `{broken}` is false")
            }
            WordReason::NotClosed { step, broken } => {
                write!(f, "the last state does not lead back to that of step {step}: `{broken}` is false")
            }
            WordReason::NotSeen { signal, property, step } => {
                write!(f, "signal {signal} of property `{property}` is not seen from step {step} on")
            }
            WordReason::NotViolated { property } => {
                write!(f, "property `{property}` holds in the last state")
            }
            WordReason::Evaluation(error) => write!(f, "cannot evaluate: {error}"),
            WordReason::Malformed(what) => write!(f, "the system is malformed: {what}"),
            WordReason::OtherTerms => write!(f, "the proof is about other terms than those of the system"),
            WordReason::Stray(name) => {
                write!(f, "the invariant mentions `{name}`, which is neither a state variable nor an input")
            }
            WordReason::Unsupported(term) => write!(f, "there is no check yet for a proof about {term}"),
            WordReason::NotInvariant(what) => write!(f, "it is not so that the invariant {what}"),
            WordReason::NotLemma { line, formula, what } => {
                write!(f, "line {line}: it is not so that `{formula}` {what}")
            }
            WordReason::NotImplied { property } => {
                write!(f, "the invariant does not imply property `{property}`")
            }
            WordReason::Check(check) => {
                write!(f, "the {} check of the certificate fails: {}", check.name(), check.meaning())
            }
            WordReason::Format(error) => error.fmt(f),
            WordReason::Misfit(text) => f.write_str(text),
            WordReason::InductionBase { step } => write!(f, "the property can be false in step {step}"),
            WordReason::GoesOn { last } => write!(f, "there are runs with more than {last} steps"),
            WordReason::InductionStep { k } => write!(f, "{k} good states in a row do not force another one"),
        }
    }
}

impl std::error::Error for WordReason {}

impl From<Error> for WordReason {
    fn from(error: Error) -> WordReason {
        WordReason::Format(error)
    }
}

/// Does `trace` start in an initial state, go on by transitions, and end in a state (with inputs) that decides the property: where it does
/// not hold, or a cover does?
pub(crate) fn check_word_trace(
    system: &WordSystem,
    property: &Property<Term>,
    trace: &WordTrace,
) -> Result<(), WordReason> {
    let mut terms = system.terms.clone();
    let goal = property.claim.always(&mut terms);
    let last = replay(system, trace)?;
    match goal {
        Some(goal) if holds(&terms, goal, &last)? => {
            Err(WordReason::NotViolated { property: property.label() })
        }
        Some(_) => Ok(()),
        None => check_loop(system, property, trace, last),
    }
}

/// The values in the last step of a trace, if it starts in an initial state and goes on by transitions.
fn replay(system: &WordSystem, trace: &WordTrace) -> Result<FxHashMap<Term, Value>, WordReason> {
    if trace.states.is_empty() || trace.states.len() != trace.inputs.len() {
        return Err(WordReason::Shape);
    }
    let mut now = row(system, trace, 0)?;
    if let Some(broken) = broken(&system.terms, system.init, &now)? {
        return Err(WordReason::NotInitial { broken });
    }
    for step in 1..trace.states.len() {
        let then = row(system, trace, step)?;
        let next = system.states.iter().map(|v| (v.next, then[&v.current].clone()));
        now.extend(next);
        if let Some(broken) = broken(&system.terms, system.trans, &now)? {
            return Err(WordReason::NoStep { step: step - 1, broken });
        }
        now = then;
    }
    Ok(now)
}

/// Does the trace go back to one of its steps, and does it see all signals of the property from there on?
fn check_loop(
    system: &WordSystem,
    property: &Property<Term>,
    trace: &WordTrace,
    mut last: FxHashMap<Term, Value>,
) -> Result<(), WordReason> {
    let Some(begin) = trace.loops_to.filter(|&begin| begin < trace.states.len()) else {
        return Err(WordReason::Misfit("the trace does not go on for ever: it is no lasso".into()));
    };
    let first = row(system, trace, begin)?;
    last.extend(system.states.iter().map(|v| (v.next, first[&v.current].clone())));
    if let Some(broken) = broken(&system.terms, system.trans, &last)? {
        return Err(WordReason::NotClosed { step: begin, broken });
    }
    let signals = property.claim.formulas();
    let mut is_seen = vec![false; signals.len()];
    for step in begin..trace.states.len() {
        let now = row(system, trace, step)?;
        for (seen, &signal) in is_seen.iter_mut().zip(signals) {
            *seen = *seen || holds(&system.terms, signal, &now)?;
        }
    }
    match is_seen.iter().position(|seen| !seen) {
        None => Ok(()),
        Some(i) => Err(WordReason::NotSeen { signal: i, property: property.label(), step: begin }),
    }
}

/// The values of some formulas in each step of a lasso, if it is one, and sees the fairness of the system while it repeats.
pub(crate) fn follow_words(
    system: &WordSystem,
    property: &Property<Term>,
    formulas: &[Term],
    trace: &WordTrace,
) -> Result<Vec<Vec<bool>>, WordReason> {
    let fair = Property { claim: Claim::Justice(system.fairness.clone()), ..property.clone() };
    check_word_trace(system, &fair, trace)?;
    values(system, formulas, trace)
}

/// The values of some formulas in each step of a finite run in which the constraints hold.
pub(crate) fn follow_finite_words(
    system: &WordSystem,
    formulas: &[Term],
    trace: &WordTrace,
) -> Result<Vec<Vec<bool>>, WordReason> {
    let last = replay(system, trace)?;
    // The last step is one of a longer run.
    for constraint in &system.constraints {
        if let Some(broken) = broken(&system.terms, constraint.holds, &last)? {
            return Err(WordReason::NoStep { step: trace.states.len() - 1, broken });
        }
    }
    values(system, formulas, trace)
}

fn values(system: &WordSystem, formulas: &[Term], trace: &WordTrace) -> Result<Vec<Vec<bool>>, WordReason> {
    let value = |step: usize| {
        let now = row(system, trace, step)?;
        formulas.iter().map(|&formula| holds(&system.terms, formula, &now)).collect()
    };
    (0..trace.states.len()).map(value).collect()
}

/// The first step that decides the property, wherever the trace begins and however it goes on.
pub(crate) fn first_word_violation(
    system: &WordSystem,
    property: &Property<Term>,
    trace: &WordTrace,
) -> Option<usize> {
    let mut terms = system.terms.clone();
    let goal = property.claim.always(&mut terms)?;
    let is_over =
        |&step: &usize| row(system, trace, step).and_then(|values| holds(&terms, goal, &values)) == Ok(false);
    (0..trace.states.len().min(trace.inputs.len())).find(is_over)
}

/// The values of current variables and inputs in a step.
fn row(system: &WordSystem, trace: &WordTrace, step: usize) -> Result<FxHashMap<Term, Value>, WordReason> {
    let (states, inputs) = (&trace.states[step], &trace.inputs[step]);
    let variables = system.states.iter().map(|v| v.current).chain(system.inputs.iter().copied());
    let values = states.iter().chain(inputs);
    let mut sorts_agree = variables.zip(values).map(|(t, v)| system.terms.sort(t) == v.sort());
    let as_many = states.len() == system.states.len() && inputs.len() == system.inputs.len();
    if !as_many || !sorts_agree.all(|agrees| agrees) {
        return Err(WordReason::Values { step });
    }
    Ok(trace.row(system, step).into_iter().map(|(variable, value)| (variable, value.clone())).collect())
}

/// The first conjunct of a formula that does not hold, for people.
fn broken(
    terms: &Terms,
    formula: Term,
    values: &FxHashMap<Term, Value>,
) -> Result<Option<String>, WordReason> {
    let conjuncts = terms.conjuncts(formula);
    let value = |t: Term| value(terms, t, values);
    let found = terms.evaluate_all(&conjuncts, &value).map_err(WordReason::Evaluation)?;
    let broken = found.iter().position(|value| *value != Value::Bool(true)).map(|i| conjuncts[i]);
    Ok(broken.map(|conjunct| word_text::write(terms, conjunct, Some(1)).trim_end().to_owned()))
}

fn holds(terms: &Terms, formula: Term, values: &FxHashMap<Term, Value>) -> Result<bool, WordReason> {
    terms.holds(formula, &|t| value(terms, t, values)).map_err(WordReason::Evaluation)
}

fn value(terms: &Terms, variable: Term, values: &FxHashMap<Term, Value>) -> Value {
    values.get(&variable).cloned().unwrap_or_else(|| Value::zero(terms.sort(variable)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_term::Sort;

    #[test]
    fn only_counterexamples_pass() {
        // x grows by an input that is at least 1; it shall stay below 3.
        let mut s = WordSystem::new();
        let (x, i) = (s.add_state("x", Sort::Int), s.add_input("i", Sort::Int));
        let (zero, one, three) = (s.terms.int(0), s.terms.int(1), s.terms.int(3));
        s.init = s.terms.eq(x.current, zero);
        let sum = s.terms.add(&[x.current, i]);
        let (grows, positive) = (s.terms.eq(x.next, sum), s.terms.ge(i, one));
        s.trans = s.terms.and(&[grows, positive]);
        let holds = s.terms.lt(x.current, three);
        s.add_invar("small", holds);
        let trace = |states: &[i32], inputs: &[i32]| {
            let rows = |values: &[i32]| values.iter().map(|&v| vec![Value::int(v)]).collect();
            WordTrace::finite(rows(states), rows(inputs))
        };
        let check = |trace: &WordTrace| check_word_trace(&s, &s.properties[0], trace);
        let no_step = |step, broken: &str| WordReason::NoStep { step, broken: broken.into() };
        assert_eq!(check(&trace(&[0, 2, 3], &[2, 1, -9])), Ok(()));
        assert_eq!(check(&trace(&[1, 3], &[2, 0])), Err(WordReason::NotInitial { broken: "x = 0".into() }));
        assert_eq!(check(&trace(&[0, 0, 3], &[0, 3, 0])), Err(no_step(0, "i >= 1")));
        assert_eq!(check(&trace(&[0, 2, 4], &[2, 1, 0])), Err(no_step(1, "x + i = x.next")));
        assert!(matches!(check(&trace(&[0, 2], &[2, 0])), Err(WordReason::NotViolated { .. })));
        assert_eq!(check(&trace(&[], &[])), Err(WordReason::Shape));
        assert_eq!(check(&trace(&[0, 3], &[3])), Err(WordReason::Shape));
        let mut odd = trace(&[0, 3], &[3, 0]);
        odd.states[1].push(Value::int(1));
        assert_eq!(check(&odd), Err(WordReason::Values { step: 1 }));
        odd = trace(&[0, 3], &[3, 0]);
        odd.inputs[0][0] = Value::Bool(true);
        assert_eq!(check(&odd), Err(WordReason::Values { step: 0 }));
    }
}
