//! The spine: lower, run, raise, check.

use indubit_certify::{Reason, Solving};
use indubit_engines::{Info, Options};
use indubit_logic::Lit;
use indubit_preproc::Passes;
use indubit_run::{Event, Run};
use indubit_system::{BitSystem, Invariant, Malformed, Proof, Property, Verdict};
use std::fmt;

/// Why there is no verdict, not even "unknown".
#[derive(Clone, Debug)]
pub enum Error {
    /// The system violates the invariants of its type: a bug of the program that built it.
    Malformed(Malformed),
    /// There is no property with this number.
    NoSuchProperty {
        /// The number asked for.
        index: usize,
        /// How many there are.
        available: usize,
    },
    /// A justice property: liveness is not supported yet.
    Liveness {
        /// Its identifier.
        id: String,
    },
    /// The engine's evidence did not pass the independent check: a bug of ours. The verdict is kept for
    /// whoever looks into it and must never be shown as an answer.
    Rejected {
        /// What the checker found.
        reason: Reason,
        /// What the engine claimed.
        claimed: Box<Verdict>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Malformed(what) => write!(f, "the system is malformed: {what}"),
            Error::NoSuchProperty { index, available } => {
                write!(f, "there is no property {index}: the model has {available}")
            }
            Error::Liveness { id } => {
                write!(f, "property {id} is a justice (liveness) property, which cannot be checked yet")
            }
            Error::Rejected { reason: Reason::Solver(error), .. } => {
                write!(f, "the check could not be made: {error}")
            }
            Error::Rejected { reason, claimed } => {
                let what = if matches!(**claimed, Verdict::Safe(_)) { "proof" } else { "trace" };
                write!(f, "the engine's {what} did not pass the independent check: {reason}")
            }
        }
    }
}

impl std::error::Error for Error {}

/// How a property is to be decided.
#[derive(Clone)]
pub struct Strategy {
    /// The engine.
    pub engine: &'static Info,
    /// Its switches.
    pub options: Options,
    /// What is made of the problem before.
    pub passes: Passes,
}

impl From<&'static Info> for Strategy {
    fn from(engine: &'static Info) -> Strategy {
        Strategy { engine, options: Options::default(), passes: Passes::default() }
    }
}

/// Decide property number `property` (a position in [`BitSystem::properties`]) by a strategy: an engine, or one with
/// switches.
///
/// The verdict speaks of `system` itself, and its evidence has been checked against it. Running out of time,
/// memory or patience, also during that check, is [`Verdict::Unknown`].
pub fn check(
    system: &BitSystem,
    property: usize,
    strategy: impl Into<Strategy>,
    run: &mut Run<'_>,
) -> Result<Verdict, Error> {
    let strategy = strategy.into();
    system.validate().map_err(Error::Malformed)?;
    let Some(chosen) = system.property(property) else {
        return Err(Error::NoSuchProperty { index: property, available: system.n_properties() });
    };
    let mut verdict = decide(system, property, &chosen, &strategy, run)?;
    let what = match &mut verdict {
        Verdict::Safe(_) => "proof",
        Verdict::Unsafe(trace) => {
            // An engine need not notice that an earlier step is bad already; people want the bug and no more.
            // A trace without a bad step stays as it is for the checker to refuse.
            if let Ok(step) = indubit_certify::first_violation(system, chosen.kind, trace) {
                trace.inputs.truncate(step + 1);
            }
            "trace"
        }
        Verdict::Unknown { .. } => return Ok(verdict),
    };
    run.event(Event::Checking { what });
    let by = Solving::new(run.cancel()).with_paranoia(run.paranoid);
    match indubit_certify::check(system, property, &verdict, by) {
        Ok(Ok(_)) => Ok(verdict),
        Ok(Err(reason)) => Err(Error::Rejected { reason, claimed: Box::new(verdict) }),
        Err(stop) => Ok(Verdict::Unknown { stop, safe_up_to: run.safe_up_to() }),
    }
}

/// Lower, run, raise: the verdict about `system`, not checked yet.
fn decide(
    system: &BitSystem,
    index: usize,
    chosen: &Property,
    strategy: &Strategy,
    run: &mut Run<'_>,
) -> Result<Verdict, Error> {
    let Some(bad) = chosen.kind.bad() else { return Err(Error::Liveness { id: chosen.id() }) };
    run.event(Event::Property { index, name: &chosen.label() });
    let (safety, stack) = match indubit_preproc::prepare(system, bad, &strategy.passes, run) {
        Ok(prepared) => prepared,
        Err(stop) => return Ok(Verdict::Unknown { stop, safe_up_to: None }),
    };
    run.event(Event::Engine { name: strategy.engine.name });
    let verdict = if safety.bad == Lit::FALSE {
        // Preprocessing has done it: what it knows is the proof, and no engine has anything to add.
        Verdict::Safe(Proof::Inductive(Invariant::new(safety.aig.n_vars())))
    } else {
        (strategy.engine.make)(safety, &strategy.options).run(run)
    };
    Ok(stack.verdict(verdict))
}
