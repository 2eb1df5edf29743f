//! The spine: lower, run, raise, check.

use crate::Portfolio;
use crate::attempt::attempt;
use crate::market::Stall;
use crate::tidy::tidy;
use indubit_certify::{Reason, Solving, WordReason};
use indubit_engines::{Info, Options, WordVerdict};
use indubit_logic::Lit;
use indubit_preproc::{Passes, Prepared, Select, Stage};
use indubit_run::{Ask, Event, Run};
use indubit_system::{
    BitSystem, Invariant, Malformed, Proof, Property, Raise, Safety, Verdict, WordMalformed,
};
use std::fmt;
use std::sync::Arc;

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
    /// A system over words violates the invariants of its type: a bug of the program that built it.
    MalformedWords(WordMalformed),
    /// There is no theory for a term.
    Unsupported {
        /// The term.
        term: String,
    },
    /// As `Rejected`, over words.
    RejectedWords {
        /// What the checker found.
        reason: WordReason,
        /// What the engine claimed.
        claimed: Box<WordVerdict>,
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
            Error::MalformedWords(what) => write!(f, "the system is malformed: {what}"),
            Error::Unsupported { term } => {
                write!(
                    f,
                    "{term} is neither linear arithmetic nor Boolean, and there is no theory for it yet"
                )
            }
            Error::RejectedWords { reason, claimed } => {
                let what = if matches!(**claimed, Verdict::Safe(_)) { "proof" } else { "trace" };
                write!(f, "the engine's {what} did not pass the independent check: {reason}")
            }
        }
    }
}

impl std::error::Error for Error {}

/// Who has decided a property that no engine had to look at.
pub(crate) const PREPROCESSING: &str = "preprocessing";

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
        let passes = if engine.as_given { Passes::none() } else { Passes::default() };
        Strategy { engine, options: Options::default(), passes }
    }
}

/// One strategy, or several at once.
#[derive(Clone)]
pub enum Plan {
    /// One, on this thread, the same at each time.
    One(Box<Strategy>),
    /// Several, on as many threads as there are cores.
    Portfolio(Portfolio),
}

impl<S: Into<Strategy>> From<S> for Plan {
    fn from(strategy: S) -> Plan {
        Plan::One(Box::new(strategy.into()))
    }
}

impl From<Portfolio> for Plan {
    fn from(portfolio: Portfolio) -> Plan {
        Plan::Portfolio(portfolio)
    }
}

/// Decide property number `property` (a position in [`BitSystem::properties`]) by a plan: an engine, one with switches, or
/// a [`Portfolio`].
///
/// The verdict speaks of `system` itself, and its evidence has been checked against it. Running out of time,
/// memory or patience, also during that check, is [`Verdict::Unknown`].
pub fn check(
    system: &BitSystem,
    property: usize,
    plan: impl Into<Plan>,
    run: &mut Run<'_>,
) -> Result<Verdict, Error> {
    system.validate().map_err(Error::Malformed)?;
    let Some(chosen) = system.property(property) else {
        return Err(Error::NoSuchProperty { index: property, available: system.n_properties() });
    };
    run.event(Event::Property { index: property, name: &chosen.label() });
    match plan.into() {
        Plan::One(strategy) => check_one(system, &chosen, property, &strategy, None, run),
        Plan::Portfolio(portfolio) => portfolio.check(system, &chosen, property, run),
    }
}

/// Decide and check a property of a system that is well-formed.
pub(crate) fn check_one(
    system: &BitSystem,
    chosen: &Property,
    property: usize,
    strategy: &Strategy,
    stall: Option<&Stall>,
    run: &mut Run<'_>,
) -> Result<Verdict, Error> {
    let verdict = decide(system, chosen, strategy, stall, run)?;
    verify(system, chosen, property, verdict, run)
}

/// Check the evidence for a verdict about the system.
pub(crate) fn verify(
    system: &BitSystem,
    chosen: &Property,
    property: usize,
    verdict: Verdict,
    run: &mut Run<'_>,
) -> Result<Verdict, Error> {
    let (what, verdict) = match verdict {
        Verdict::Safe(proof) => match tidy(system, proof, run.cancel()) {
            Ok(proof) => ("proof", Verdict::Safe(proof)),
            Err(stop) => return Ok(Verdict::Unknown { stop, safe_up_to: run.safe_up_to() }),
        },
        Verdict::Unsafe(mut trace) => {
            // An engine need not notice that an earlier step is bad already; people want the bug and no more.
            // A trace without a bad step stays as it is for the checker to refuse.
            if let Ok(step) = indubit_certify::first_violation(system, chosen.kind, &trace) {
                trace.inputs.truncate(step + 1);
            }
            ("trace", Verdict::Unsafe(trace))
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
    chosen: &Property,
    strategy: &Strategy,
    stall: Option<&Stall>,
    run: &mut Run<'_>,
) -> Result<Verdict, Error> {
    let Some(bad) = chosen.kind.bad() else { return Err(Error::Liveness { id: chosen.id() }) };
    let verdict = prepare_and_run(system, bad, strategy, stall, run);
    Ok(verdict.unwrap_or_else(|stop| Verdict::Unknown { stop, safe_up_to: run.safe_up_to() }))
}

/// The verdict about the user's model.
fn prepare_and_run(
    system: &BitSystem,
    bad: usize,
    strategy: &Strategy,
    stall: Option<&Stall>,
    run: &mut Run<'_>,
) -> Ask<Verdict> {
    if stall.is_some() {
        // Members that wait for their turn wait here: what the first one has prepared may be there by then.
        run.checkpoint()?;
    }
    if let Some((stall, prepared)) = stall.and_then(|stall| Some((stall, stall.prepared(&strategy.passes)?)))
    {
        return Ok(run_among_others(&prepared, strategy, stall, run));
    }
    let prepared = match prepare_or_decide(system, bad, strategy, run)? {
        Ready::Decided(verdict) => return Ok(verdict),
        Ready::Prepared(prepared) => prepared,
    };
    let Some(stall) = stall else {
        let Prepared { safety, back } = prepared;
        return Ok(back.verdict(run_engine(safety, strategy, run)));
    };
    let prepared = Arc::new(prepared);
    stall.publish(&strategy.passes, &prepared);
    Ok(run_among_others(&prepared, strategy, stall, run))
}

/// The verdict about the user's model of an engine that exchanges lemmas with others.
fn run_among_others(
    prepared: &Arc<Prepared>,
    strategy: &Strategy,
    stall: &Stall,
    run: &mut Run<'_>,
) -> Verdict {
    run.trade = Some(Box::new(stall.trader(prepared)));
    let verdict = run_engine(prepared.safety.clone(), strategy, run);
    let verdict = stall.complete(prepared.back.passes.verdict(verdict));
    prepared.back.selection.verdict(verdict)
}

/// The verdict about what the passes have made of the problem.
fn run_engine(safety: Safety, strategy: &Strategy, run: &mut Run<'_>) -> Verdict {
    let is_decided = safety.bad == Lit::FALSE;
    run.event(Event::Engine { name: if is_decided { PREPROCESSING } else { strategy.engine.name } });
    if is_decided {
        // Preprocessing has done it: what it knows is the proof, and no engine has anything to add.
        return Verdict::Safe(Proof::Inductive(Invariant::new(safety.aig.n_vars())));
    }
    (strategy.engine.make)(safety, &strategy.options).run(run)
}

/// What becomes of a problem before the engine begins in earnest.
enum Ready {
    /// An attempt has decided it: the verdict about the user's model.
    Decided(Verdict),
    Prepared(Prepared),
}

fn prepare_or_decide(system: &BitSystem, bad: usize, strategy: &Strategy, run: &mut Run<'_>) -> Ask<Ready> {
    let mut prepared = Prepared::select(system, &Select::one(bad), run)?;
    for stage in strategy.passes.stages() {
        match stage {
            Stage::Lower(pass) => prepared.lower(&*pass, run)?,
            Stage::Try { effort } => {
                if let Some(verdict) = attempt(&prepared.safety, strategy, effort, run) {
                    return Ok(Ready::Decided(prepared.back.verdict(verdict)));
                }
            }
        }
    }
    Ok(Ready::Prepared(prepared))
}
