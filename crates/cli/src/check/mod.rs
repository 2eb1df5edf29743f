//! `indubit check`: from a model to verdicts with evidence.
//!
//! The main thread reads, runs engines and writes evidence. The watchdog's thread watches limits and signals. What
//! is known so far lives in [`Session`], which both can reach: if the main thread does not come back from a
//! solver in time, the watchdog's thread reports in its place and ends the process.

mod evidence;
mod files;
mod human;
mod json;
mod outcome;
mod session;

use crate::args::{Check, Format};
use crate::events::EventLog;
use crate::exit::{Code, Failure};
use crate::progress::Progress;
use crate::properties::{self, Selected};
use crate::{panics, signals};
use evidence::Effusiveness;
use files::Outputs;
use indubit::run::{Cancel, Limits, Run, Watchdog};
use indubit::{BitSystem, Error, Verdict, formats::aiger};
use outcome::Answer;
use session::{Session, Shared};
use std::time::Instant;

pub use json::verdict_fields;
pub use outcome::Outcome;

pub fn run(args: &Check, start: Instant) -> Result<Code, Failure> {
    let outputs = Outputs::new(args);
    outputs.preflight(args.events.as_deref())?;
    let events = args.events.as_deref().map(|path| EventLog::create(path, start)).transpose()?;
    let session = Shared::new(Session::new(args, start, Progress::on_terminal(start), events));
    let cancel = Cancel::new();
    let time = args.effort.timeout.map(|t| t.saturating_sub(start.elapsed()));
    let limits = Limits { time, memory: args.effort.memory };
    let overdue = {
        let (session, outputs) = (session.clone(), outputs.clone());
        move |stop| {
            let mut session = session.lock();
            if !session.is_finished() {
                outputs.remove_temporaries();
                let code = session.give_up(stop);
                std::process::exit(code as i32);
            }
        }
    };
    let watchdog = Watchdog::spawn(limits, cancel.clone(), vec![signals::install()], overdue);
    let result = check_all(args, &outputs, &session, &cancel);
    let mut known = session.lock();
    let code = match result {
        Ok(()) => known.finish(),
        Err(failure) => {
            known.fail(&failure);
            Err(failure)
        }
    };
    // The watchdog may be waiting for the lock, and dropping it waits for the watchdog.
    drop(known);
    drop(watchdog);
    code
}

fn check_all(args: &Check, outputs: &Outputs, session: &Shared, cancel: &Cancel) -> Result<(), Failure> {
    let system = aiger::read(&args.model).map_err(Failure::model)?;
    let selected = properties::select(&system, &args.property)?;
    session.lock().begin(&system, &selected)?;
    let several = selected.len() > 1;
    for property in &selected {
        session.lock().begin_property();
        let answer = check_one(args, &system, property, session, cancel);
        let is_unsafe = matches!(answer, Answer::Unsafe { .. });
        let files = outputs.write(&system, property, &answer, several)?;
        session.lock().record(property, answer, files)?;
        if is_unsafe && matches!(args.format, Format::Hwmcc | Format::Sby) {
            break;
        }
    }
    Ok(())
}

fn check_one(
    args: &Check,
    system: &BitSystem,
    property: &Selected,
    session: &Shared,
    cancel: &Cancel,
) -> Answer {
    if property.bad().is_none() {
        return Answer::Unsupported;
    }
    if let Some(stop) = cancel.reason() {
        return Answer::Unknown { stop, safe_up_to: None };
    }
    let effort = &args.effort;
    let mut observer = session.clone();
    let mut run = Run::new(cancel.clone(), &mut observer)
        .with_bound(effort.bound)
        .with_seed(effort.seed)
        .with_paranoia(effort.paranoid);
    let effusiveness = Effusiveness::of(args);
    let result = panics::catch(|| {
        indubit::check(system, property.index, effort.engine, &mut run).map(|verdict| match verdict {
            Verdict::Safe(proof) => evidence::safe(system, proof, effusiveness),
            Verdict::Unsafe(trace) => evidence::unsafe_(system, property, trace, effusiveness),
            Verdict::Unknown { stop, safe_up_to } => {
                // The bound also survives a verdict whose evidence could not be checked in time.
                let safe_up_to = safe_up_to.max(session.lock().safe_up_to());
                Answer::Unknown { stop, safe_up_to }
            }
        })
    });
    match result {
        Ok(Ok(answer)) => answer,
        Ok(Err(Error::Rejected { reason, claimed })) => {
            let kept = files::keep_rejected(&args.model, system, property, &claimed);
            let what = if matches!(*claimed, Verdict::Safe(_)) { "proof" } else { "trace" };
            let message = format!("the engine's {what} did not pass the independent check: {reason}");
            Answer::Internal { message, kept }
        }
        Ok(Err(error)) => Answer::Internal { message: error.to_string(), kept: Vec::new() },
        Err(message) => Answer::Internal { message, kept: Vec::new() },
    }
}
