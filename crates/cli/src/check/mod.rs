//! `indubit check`: from a model to verdicts with evidence; `indubit prove` is the same with lemmas in the place of an engine.
//!
//! The main thread reads, runs engines and writes evidence. The watchdog's thread watches limits and signals. What
//! is known so far lives in [`Session`], which both can reach: if the main thread does not come back from a
//! solver in time, the watchdog's thread reports in its place and ends the process.

mod deck;
mod evidence;
mod files;
mod human;
mod json;
mod lemmas;
mod outcome;
mod session;

use crate::args::{Check, SecondOpinion};
use crate::events::EventLog;
use crate::exit::{Code, Failure, leave};
use crate::guard::{CodeSoFar, Guard};
use crate::model;
use crate::output;
use crate::progress::Progress;
use crate::properties::{self, Selected};
use crate::size::Size;
use crate::terminal;
use deck::{Deck, How, Question};
use evidence::Effusiveness;
use files::Outputs;
use indubit::certify::Solving;
use indubit::formats::lemmas::{self as lemma_files, Lemma, Lemmas, WordLemmas};
use indubit::formats::model::{Model, WordModel};
use indubit::run::{Cancel, Ignore, Run, Sink, within_time};
use indubit::smt::unsupported;
use indubit::term::Term;
use indubit::{BitSystem, Circuit, Error, Incremental, Invariant, Proof, Trace, WordIncremental, WordTrace};
use outcome::{Answer, Why};
use session::{Session, Shared};
use std::io::BufWriter;
use std::path::Path;
use std::time::{Duration, Instant};

pub use json::verdict_fields;
pub use outcome::Outcome;

pub fn run(args: &Check, start: Instant) -> Result<Code, Failure> {
    let outputs = Outputs::new(args);
    args.validate()?;
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
    let model = model::read(&args.model)?;
    let selected = properties::select(properties::of(&model)?, &args.property)?;
    let size = Size::of(&model);
    let circuit = match &model {
        Model::Bits(_) => None,
        // With lemmas, the queries are about words.
        Model::Words(_) if args.lemmas.is_some() => None,
        Model::Words(words) => Circuit::new(words.system()).filter(|_| args.effort.engine.is_for_bits()),
    };
    args.validate_for(&model, circuit.is_some(), selected.len())?;
    let lemmas = match (&args.lemmas, &model) {
        (Some(path), Model::Bits(system)) => Some(lemma_files::read(path, system)?),
        _ => None,
    };
    let word_lemmas = match (&args.lemmas, &model) {
        (Some(path), Model::Words(words)) => Some(lemma_files::read_words(path, words)?),
        _ => None,
    };
    outputs.preflight_for(&selected, &logs(args))?;
    let certificates_wait = outputs.certificates_wait();
    {
        let mut session = session.lock();
        session.owes_certificate = certificates_wait;
        session.begin(size, &selected)?;
    }
    let deck = |question| Deck {
        args,
        question,
        outputs,
        session,
        cancel,
        several: selected.len() > 1,
        selected: &selected,
        n_told: 0,
    };
    match (&model, &lemmas, &circuit) {
        (Model::Bits(system), None, _) => {
            let known = Invariant::new(system.aig().n_vars());
            deck(Question::Bits { system, known }).play(How::Plan(system, queries.as_ref()))?;
        }
        (Model::Bits(system), Some(lemmas), _) => {
            let mut proof = prove_lemmas(args, system, lemmas, session, cancel)?;
            deck(Question::Bits { system, known: proof.proved() }).play(How::Lemmas(&mut proof))?;
        }
        (Model::Words(words), _, circuit) => {
            let mut proof = match &word_lemmas {
                Some(lemmas) => Some(prove_word_lemmas(args, words, lemmas, session, cancel)?),
                None => None,
            };
            let mut second = SecondOpinion::who(args.smt.as_ref());
            let is_beyond = |p: &Selected| indubit::unsupported(words.system(), p.index).is_some();
            let is_beyond = match &proof {
                Some(proof) => proof.is_by_another(),
                None => circuit.is_none() && selected.iter().all(is_beyond),
            };
            session.lock().asks(second.as_ref().map(|s| s.solver.name()), is_beyond);
            // It has checked the proofs already.
            second = second.filter(|_| !is_beyond);
            let known = proof.as_ref().zip(word_lemmas.as_ref()).map(|(p, l)| (&l.terms, p.proved()));
            let deck = deck(Question::Words { model: words, second, known });
            deck.play(match (&mut proof, circuit) {
                (Some(proof), _) => How::WordLemmas(proof),
                (None, Some(circuit)) => How::Circuit(circuit),
                (None, None) => How::Words(words.system(), args.word_plan()),
            })?;
        }
    }
    warn_of_no_initial_states(args, &model, session, cancel);
    if let (Some(sink), Some(path)) = (&queries, &args.record) {
        sink.finish().map_err(|error| indubit::formats::Error::io(path, "write", &error))?;
    }
    let by = Solving::new(cancel).with_paranoia(args.effort.paranoid);
    match &model {
        Model::Bits(system) if certificates_wait => certify_all(outputs, system, session, &by),
        _ => Ok(()),
    }
}

/// Which of the user's lemmas are an inductive invariant? Told before the properties are.
fn prove_lemmas<'s>(
    args: &Check,
    system: &'s BitSystem,
    lemmas: &Lemmas,
    session: &Shared,
    cancel: &Cancel,
) -> Result<Incremental<'s>, Failure> {
    let mut observer = session.clone();
    let mut run = Run::new(cancel.clone(), &mut observer).with_paranoia(args.effort.paranoid);
    let proof = Incremental::new(system, &lemmas.candidates, &mut run).map_err(Failure::internal)?;
    let effusiveness = Effusiveness::of(args);
    let step = |i, trace: &Trace, broken: &str| {
        let roots = evidence::roots(system, &lemmas.candidates.select(&[i]));
        evidence::step(system, &roots, trace, broken, effusiveness)
    };
    let advice = " (numbers are unsigned: signed(x) reads x in two's complement)";
    let report = lemmas::report(args, &lemmas.lemmas, proof.standings(), advice, step);
    session.lock().tell_lemmas(report)?;
    Ok(proof)
}

/// The same over words.
fn prove_word_lemmas<'s>(
    args: &Check,
    model: &'s WordModel,
    lemmas: &WordLemmas,
    session: &Shared,
    cancel: &Cancel,
) -> Result<WordIncremental<'s>, Failure> {
    let mut observer = session.clone();
    let mut run = Run::new(cancel.clone(), &mut observer);
    let WordLemmas { lemmas, terms, candidates } = lemmas;
    let system = model.system();
    let proof = WordIncremental::new(system, terms, candidates, args.other(), &mut run);
    let proof = proof.map_err(|error| match error {
        Error::Unsupported { .. } => {
            let is_beyond = |&(_, &lemma): &(&Lemma, &Term)| unsupported(terms, &[lemma]).is_some();
            let is_model_beyond = unsupported(terms, &[system.init, system.trans]).is_some();
            let lemma = lemmas.iter().zip(candidates).find(is_beyond).filter(|_| !is_model_beyond);
            let what = match (lemma, &args.lemmas) {
                (Some((lemma, _)), Some(file)) => {
                    format!("{}:{}: `{}`", terminal::path(file), lemma.line, terminal::printable(&lemma.text))
                }
                _ => terminal::path(&args.model),
            };
            deck::beyond(args, false, &what, &error)
        }
        error => Failure::internal(error),
    })?;
    let effusiveness = Effusiveness::of(args);
    let step = |_, trace: &WordTrace, broken: &str| evidence::word_step(model, trace, broken, effusiveness);
    let report = lemmas::report(args, lemmas, proof.standings(), "", step);
    session.lock().tell_lemmas(report)?;
    Ok(proof)
}

/// What holds for want of any state is hardly what the user meant.
fn warn_of_no_initial_states(args: &Check, model: &Model, session: &Shared, cancel: &Cancel) {
    let is_safe = |outcome: &Outcome| matches!(outcome.answer, Answer::Safe { .. });
    if !session.lock().outcomes.iter().any(is_safe) {
        return;
    }
    let there_is_one = |cancel: &Cancel| {
        let mut observer = Ignore;
        let run = Run::new(cancel.clone(), &mut observer);
        match model {
            Model::Bits(system) => indubit::has_initial_state(system, &run),
            Model::Words(words) => indubit::word_has_initial_state(words.system(), args.other(), &run),
        }
    };
    let what = match model {
        Model::Bits(system) if system.constraints.is_empty() => return,
        Model::Bits(_) => "the constraints exclude all of them",
        Model::Words(_) => "what holds initially has no model",
    };
    // It is advice, and not worth waiting for.
    if within_time(Duration::from_secs(1), cancel, there_is_one) == Some(Ok(false)) {
        let model = terminal::path(&args.model);
        let text = format!("{model}: there is no initial state, so every property holds: {what}");
        session.lock().warn(&text);
    }
}

/// If every property is safe: one certificate for all of them, checked as every other one, or one for each if it
/// has to be.
fn certify_all(outputs: &Outputs, system: &BitSystem, session: &Shared, by: &Solving) -> Result<(), Failure> {
    let outcomes = session.lock().outcomes.clone();
    let proof = |outcome: &Outcome| match &outcome.answer {
        Answer::Safe { why: Why::Bits(proof), .. } => Some(proof.clone()),
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
