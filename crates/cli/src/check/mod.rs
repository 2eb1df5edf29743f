//! `indubit check`: from a model to verdicts with evidence.
//!
//! The main thread reads, runs engines and writes evidence. The watchdog's thread watches limits and signals. What
//! is known so far lives in [`Session`], which both can reach: if the main thread does not come back from a
//! solver in time, the watchdog's thread reports in its place and ends the process.

mod deck;
mod evidence;
mod files;
mod human;
mod json;
mod outcome;
mod session;

use crate::args::Check;
use crate::events::EventLog;
use crate::exit::{Code, Failure, leave};
use crate::guard::{CodeSoFar, Guard};
use crate::output;
use crate::progress::Progress;
use crate::properties::{self, Selected};
use crate::terminal;
use deck::Deck;
use files::Outputs;
use indubit::certify::Solving;
use indubit::run::{Cancel, Sink};
use indubit::{BitSystem, ENGINES, Proof, formats::aiger};
use outcome::Answer;
use session::{Session, Shared};
use std::io::BufWriter;
use std::path::Path;
use std::time::Instant;

pub use json::verdict_fields;
pub use outcome::Outcome;

pub fn run(args: &Check, start: Instant) -> Result<Code, Failure> {
    let outputs = Outputs::new(args);
    args.effort.validate()?;
    if args.record.is_some() && !args.effort.engine.records() {
        let message = format!("the engine {} has no stream of queries to record", args.effort.engine.name());
        let recording: Vec<&str> = ENGINES.iter().filter(|e| e.records).map(|e| e.name).collect();
        let hint = format!("--record works with --engine {}", recording.join(", "));
        return Err(Failure::bad_input(message).with_hint(hint));
    }
    if args.record.is_some() && args.effort.n_copies() > 1 {
        let message = "--record is for the queries of one engine, and not of several at once".to_owned();
        return Err(Failure::bad_input(message).with_hint("leave out --threads"));
    }
    outputs.preflight(&logs(args))?;
    let code = CodeSoFar::new();
    let session = Shared::new(Session::new(args, start, Progress::on_terminal(start), code.clone()));
    let cancel = Cancel::new();
    let limits = args.effort.limits.since(start);
    let overdue = {
        let session = session.clone();
        move |stop| {
            let mut session = session.lock();
            if !session.is_finished() {
                let code = session.give_up(stop);
                // Still locked: the main thread has nothing to add.
                leave(code as u8);
            }
        }
    };
    let guard = Guard::new(limits, &cancel, code, overdue)?;
    let result = check_all(args, start, &outputs, &session, &cancel);
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
    drop(guard);
    code
}

/// The files that grow while the run goes on.
fn logs(args: &Check) -> Vec<&Path> {
    [&args.events, &args.record].into_iter().filter_map(|path| path.as_deref()).collect()
}

fn check_all(
    args: &Check,
    start: Instant,
    outputs: &Outputs,
    session: &Shared,
    cancel: &Cancel,
) -> Result<(), Failure> {
    if let Some(path) = &args.events {
        // A pipe waits for its reader.
        let stage = std::mem::replace(&mut session.lock().stage, "nobody read the events");
        let events = EventLog::create(path, start)?;
        let mut session = session.lock();
        session.stage = stage;
        session.attach(events);
    }
    let queries = match &args.record {
        Some(path) => Some(Sink::new(Box::new(BufWriter::new(output::create(path)?)))),
        None => None,
    };
    let system = aiger::read(&args.model).map_err(Failure::model)?;
    let selected = properties::select(&system, &args.property)?;
    outputs.preflight_for(&selected, &logs(args))?;
    let certificates_wait = outputs.certificates_wait();
    let several = selected.len() > 1;
    {
        let mut session = session.lock();
        session.owes_certificate = certificates_wait;
        session.begin(&system, &selected)?;
    }
    Deck { args, system: &system, outputs, session, cancel, several, selected: &selected, n_told: 0 }
        .play(queries.as_ref())?;
    if let (Some(sink), Some(path)) = (&queries, &args.record) {
        sink.finish().map_err(|error| indubit::formats::Error::io(path, "write", &error))?;
    }
    let by = Solving::new(cancel).with_paranoia(args.effort.paranoid);
    if certificates_wait { certify_all(outputs, &system, session, &by) } else { Ok(()) }
}

/// If every property is safe: one certificate for all of them, checked as every other one, or one for each if it
/// has to be.
fn certify_all(outputs: &Outputs, system: &BitSystem, session: &Shared, by: &Solving) -> Result<(), Failure> {
    let outcomes = session.lock().outcomes.clone();
    let proof = |outcome: &Outcome| match &outcome.answer {
        Answer::Safe { proof, .. } => Some(proof.clone()),
        _ => None,
    };
    let Some(proofs) = outcomes.iter().map(proof).collect::<Option<Vec<_>>>() else {
        return Ok(());
    };
    let several = proofs.len() > 1;
    let references: Vec<&Proof> = proofs.iter().collect();
    let common = if several { outputs.prepare_one_certificate(system, &references) } else { None };
    if let Some((circuit, file)) = common {
        match indubit::certify::check_certificate(system, &circuit, by) {
            Ok(Ok(())) => (),
            Ok(Err(reason)) => {
                let message = format!("the certificate for all properties did not pass the check: {reason}");
                return Err(Failure::internal(message));
            }
            // Without its certificate it is no verdict.
            Err(_) => return Ok(()),
        }
        file.save()?;
    } else {
        let all: Vec<(&Selected, &Proof)> = outcomes.iter().map(|o| &o.property).zip(&proofs).collect();
        warn_of_simple_paths(&all);
        for (property, proof) in all {
            if let Some(file) = outputs.prepare_certificate(system, property, proof, several) {
                file.save()?;
            }
        }
    }
    session.lock().owes_certificate = false;
    Ok(())
}

/// A competition's checker cannot do anything with such certificates.
fn warn_of_simple_paths(proofs: &[(&Selected, &Proof)]) {
    let is_simple =
        |(_, proof): &&(&Selected, &Proof)| matches!(proof, Proof::KInductive { simple_path: Some(_), .. });
    let mut simple = proofs.iter().filter(is_simple);
    let Some((first, _)) = simple.next() else {
        return;
    };
    let others = match simple.count() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let files = if proofs.len() > 1 { ", and there is one for each property" } else { "" };
    terminal::stderr(&format!(
        "warning: {}{others}: the proof is on simple paths, for which there is no witness circuit: only \
         `indubit certify` checks such a certificate{files}; --engine ic3 writes one for every checker\n",
        first.title()
    ));
}
