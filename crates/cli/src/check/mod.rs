//! `indubit check`: from a model to verdicts with evidence; `indubit prove` is the same with lemmas in the place of an engine.
//!
//! The main thread reads, runs engines and writes evidence. The watchdog's thread watches limits and signals. What
//! is known so far is in the [`Ledger`], which both can reach: if the main thread does not come back from a
//! solver in time, the watchdog's thread reports in its place and ends the process.

mod evidence;
mod files;
mod human;
mod json;
mod ledger;
mod lemmas;
mod lines;
mod outcome;
mod second;
mod vacuity;

use crate::args::{self, Check};
use crate::events::EventLog;
use crate::exit::{Code, Failure, leave};
use crate::guard::{CodeSoFar, Guard};
use crate::kinds::{Model, Presented, Proved, Subject};
use crate::properties::{self, Listed};
use crate::{output, panics, terminal};
use evidence::Detail;
use indubit::certify::Solving;
use indubit::formats::lemmas::Lemma;
use indubit::run::{Cancel, Run, Sink, Stop};
use indubit::system::Shape;
use indubit::term::MAX_ARRAY_BITS;
use indubit::{
    Answer as Found, Bits, ClaimKind, EngineId, Error, Incremental, NOT_INDUCTIVE, NOT_INDUCTIVE_RELATIVE,
    Next, Plan, Property, Proves, Support, Words,
};
use ledger::{Ledger, Shared};
use outcome::{Answer, Cti};
use second::Second;
use std::io::BufWriter;
use std::sync::Arc;
use std::time::Instant;

pub use json::verdict_fields;
pub use outcome::Outcome;
pub use second::SecondOpinion;

pub fn run(args: Check, start: Instant) -> Result<Code, Failure> {
    if args.design.show(&args.model, &args.more)? {
        return Ok(Code::Done);
    }
    let args = Arc::new(args);
    args.validate()?;
    files::preflight(&args)?;
    let code = CodeSoFar::new();
    let ledger = Shared::new(Ledger::new(args.clone(), start, code.clone()));
    let cancel = Cancel::new();
    let overdue = {
        let ledger = ledger.clone();
        move |stop| {
            let mut ledger = ledger.lock();
            if !ledger.is_finished {
                let code = ledger.give_up(stop);
                // Still locked: the main thread has nothing to add.
                leave(code as u8);
            }
        }
    };
    let guard = Guard::new(args.effort.limits.since(start), &cancel, code, overdue)?;
    let result = examine(&args, start, &ledger, &cancel);
    let mut known = ledger.lock();
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

/// Read the model, and look at it as what it is.
fn examine(args: &Check, start: Instant, ledger: &Shared, cancel: &Cancel) -> Result<(), Failure> {
    if let Some(path) = &args.events {
        // A pipe waits for its reader.
        let stage = std::mem::replace(&mut ledger.lock().stage, "nobody read the events");
        let events = EventLog::create(path, args, start)?;
        let mut ledger = ledger.lock();
        ledger.stage = stage;
        ledger.events = Some(events);
    }
    match args.design.read(&args.model, &args.more)? {
        Model::Bits(model) => Session::<Bits>::begin(args, model, None, ledger, cancel)?.finish(),
        Model::Words(model) => {
            let second = SecondOpinion::who(args.smt.as_ref());
            Session::<Words>::begin(args, model, second, ledger, cancel)?.finish()
        }
    }
}

/// A run over the properties of a model.
struct Session<'r, K: Presented> {
    args: &'r Check,
    model: K::Model,
    properties: Vec<Property<K::Formula>>,
    selected: Vec<Listed>,
    /// Is it one for the engines for bits? Not if there are lemmas in their place.
    is_circuit: bool,
    /// What `indubit prove` is given.
    lemmas: Option<(Vec<Lemma>, K::Lemmas)>,
    /// Who shall be asked about proofs besides our own solver.
    second: Option<Second>,
    ledger: &'r Shared,
    cancel: &'r Cancel,
    detail: Detail,
}

/// Proofs by the position of their properties.
type Proofs<K> = Vec<(usize, <K as indubit::Kind>::Proof)>;

/// What has come out so far.
struct SoFar<K: Presented> {
    proofs: Proofs<K>,
    /// Those that our solver has no theory for, and that have not been told: it is an error if there is nothing else to tell.
    refused: Vec<(usize, Error<K>)>,
}

impl<K: Presented> SoFar<K> {
    fn new() -> SoFar<K> {
        SoFar { proofs: Vec::new(), refused: Vec::new() }
    }
}

impl<'r, K: Presented> Session<'r, K> {
    /// Everything that can be refused is refused here.
    fn begin(
        args: &'r Check,
        mut model: K::Model,
        second: Option<Second>,
        ledger: &'r Shared,
        cancel: &'r Cancel,
    ) -> Result<Session<'r, K>, Failure> {
        for text in &args.cover {
            properties::add_cover::<K>(&mut model, text)?;
        }
        let mut added = Vec::new();
        for text in &args.ltl {
            added.push(properties::add_ltl::<K>(&mut model, text)?);
        }
        for text in &args.ctl {
            added.push(properties::add_ctl::<K>(&mut model, text)?);
        }
        let system = K::system(&model);
        let properties = K::properties(system);
        let counting = args.counting(Listed::all(&properties))?;
        let selected = properties::select(counting, &args.property, !args.cover.is_empty(), &added)?;
        let is_circuit =
            args.lemmas.is_none() && indubit::is_circuit::<K>(system, args.effort.arrays.limit());
        let limit = args.effort.arrays.limit();
        args.validate_for::<K>(is_circuit).map_err(|failure| match K::too_large(&model, limit) {
            // Engines for bits are not wrong here, but the array is in their way.
            Some((why, n_bits)) if args.is_for_circuits() && !is_circuit => {
                too_large(&format!("{}: {why}", args.model.display()), Some(n_bits))
            }
            _ => failure,
        })?;
        let selected = without_branching(args, selected)?;
        // Sets of states are written as what they are, whatever the model is made of.
        let is_branching = selected.iter().all(|property| property.claim == ClaimKind::Ctl);
        if let (Some(_), Err([why, hint]), false) = (&args.certificate, K::certifiable(&model), is_branching)
        {
            let message = format!("{}: {why}", args.model.display());
            return Err(Failure::bad_input(message).with_hint(hint));
        }
        if args.yw.is_some() && !K::is_for_yosys(&model) {
            let message = format!("{}: --yw is for Verilog, BTOR2 and AIGER", args.model.display());
            return Err(Failure::bad_input(message).with_hint("--witness and --vcd are for all models"));
        }
        files::preflight_for(args, &selected)?;
        let lemmas = args.lemmas.as_ref().map(|path| K::read_lemmas(path, &model)).transpose()?;
        {
            let mut ledger = ledger.lock();
            ledger.owes_certificate = args.certificates_wait();
            ledger.other_engine = other_engine::<K>(args, is_circuit);
            ledger.by_queries = second::by_queries::<K>(&model, second.as_ref());
            ledger.by_replay = K::BY_REPLAY;
            ledger.begin(K::size(&model), &selected)?;
            K::suspicions(&model).iter().for_each(|suspicion| ledger.warn(suspicion));
        }
        let detail = Detail::of(args);
        Ok(Session { args, model, properties, selected, is_circuit, lemmas, second, ledger, cancel, detail })
    }

    fn system(&self) -> &K::System {
        K::system(&self.model)
    }

    /// Decide all properties, and certify them together if that is wanted.
    fn finish(&self) -> Result<(), Failure> {
        let proofs = self.decide()?;
        if self.args.certificates_wait() { certify_all(self, &proofs) } else { Ok(()) }
    }

    /// Who checks what is written.
    fn by(&self) -> Solving {
        Solving::new(self.cancel)
            .with_paranoia(self.args.effort.paranoid)
            .with_other(self.args.other().cloned().filter(|_| !K::is_decidable(&self.model)))
    }

    /// Decide all properties, and tell each as soon as it is decided.
    fn decide(&self) -> Result<Proofs<K>, Failure> {
        let mut open = Vec::new();
        for property in &self.selected {
            match self.args.unsupported(property.claim).or_else(|| self.no_graph(property.claim)) {
                Some(why) => self.ledger.lock().tell_at_once(property.index, Answer::Unsupported { why })?,
                None => open.push(property.index),
            }
        }
        let effort = &self.args.effort;
        let mut observer = self.ledger.clone();
        let mut run = Run::new(self.cancel.clone())
            .observed_by(&mut observer)
            .with_bound(effort.bound)
            .with_seed(effort.seed)
            .with_paranoia(effort.paranoid);
        let proofs = match &self.lemmas {
            Some((read, lemmas)) => self.prove((read, lemmas), &open, &mut run)?,
            None if open.is_empty() => Vec::new(),
            None => self.check(&open, &mut run)?,
        };
        // Who wants one answer and nothing else waits for no advice.
        if !self.args.format.is_one_answer() {
            let is_vacuous =
                !proofs.is_empty() && vacuity::warn::<K>(self.args, self.system(), self.ledger, self.cancel);
            if !is_vacuous {
                vacuity::warn_of_deadlock::<K>(self.args, &self.model, self.ledger, self.cancel);
            }
        }
        if self.args.prints_model() && proofs.len() == self.selected.len() {
            let references: Vec<(usize, &K::Proof)> = proofs.iter().map(|(i, p)| (*i, p)).collect();
            self.ledger.lock().definitions = K::invariant(&self.model, &references, "");
        }
        Ok(proofs)
    }

    /// Why there is no graph of states for such a claim, unless there is one or none is needed.
    fn no_graph(&self, claim: ClaimKind) -> Option<String> {
        (claim == ClaimKind::Ctl && K::IS_WORDS && !self.is_circuit).then(|| {
            "formulas of computation tree logic are decided over finitely many states: Booleans, bit-vectors, and arrays of these that become circuits (--array-bits)".into()
        })
    }

    /// Who is to find proofs: over words, certificates are for what has no simple paths in it, as invariants are.
    fn plan(&self) -> Plan {
        let mut plan = self.args.plan();
        plan.wants_invariants |= K::IS_WORDS && self.args.certificate.is_some();
        plan
    }

    /// By a plan.
    fn check(&self, open: &[usize], run: &mut Run<'_>) -> Result<Proofs<K>, Failure> {
        let (mut so_far, mut failure) = (SoFar::new(), None);
        let mut tell = |found| {
            self.tell(found, None, None, &mut so_far).unwrap_or_else(|error| {
                failure = Some(error);
                Next::Enough
            })
        };
        let record = self.args.record.as_deref();
        let file = record.map(output::create).transpose()?;
        let queries = file.map(|file| Sink::new(Box::new(BufWriter::new(file))));
        run.queries = queries.clone();
        panics::catch(|| indubit::check_all::<K>(self.system(), open, self.plan(), run, &mut tell))
            .map_err(Failure::internal)?
            .map_err(Failure::internal)?;
        if let (Some(sink), Some(path)) = (queries, record) {
            sink.finish().map_err(|error| indubit::formats::Error::io(path, "write", &error))?;
        }
        failure.map_or_else(|| self.proofs(so_far), Err)
    }

    /// What is proved at the end; an error if everything was refused.
    fn proofs(&self, so_far: SoFar<K>) -> Result<Proofs<K>, Failure> {
        let is_nothing_told = self.ledger.lock().outcomes().is_empty();
        match so_far.refused.into_iter().next() {
            Some((index, error)) if is_nothing_told => {
                Err(self.refused(error, &terminal::printable(&self.properties[index].title())))
            }
            _ => Ok(so_far.proofs),
        }
    }

    /// By the user's lemmas, which are told before the properties are.
    fn prove(
        &self,
        (read, lemmas): (&[Lemma], &K::Lemmas),
        open: &[usize],
        run: &mut Run<'_>,
    ) -> Result<Proofs<K>, Failure> {
        let other = self.args.other();
        let mut proof = Incremental::<K>::new(self.system(), lemmas.clone(), other, run)
            .map_err(|error| self.refused(error, &self.whose((read, lemmas), run)))?;
        let step = |i, trace: &K::Trace, broken: &str| {
            evidence::cti::<K>(&self.model, Subject::Lemma(lemmas, i), trace, broken, self.detail)
        };
        let report = lemmas::report(self.args, read, proof.standings(), K::ADVICE, step);
        self.ledger.lock().tell_lemmas(report)?;
        let known = proof.proved();
        let mut so_far = SoFar::new();
        for &property in open {
            let start = Instant::now();
            let (result, support) = match proof.check(property, run) {
                Ok((verdict, support)) => (Ok(verdict), support),
                Err(error) => (Err(error), None),
            };
            let found = Found { property, result, record: run.take_record(), worked: start.elapsed() };
            let next = self.tell(found, support, Some((lemmas, &known)), &mut so_far)?;
            if next == Next::Enough || run.checkpoint().is_err() {
                break;
            }
        }
        if let Some(stop) = self.cancel.reason() {
            self.ledger.lock().tell_rest(stop)?;
        }
        self.proofs(so_far)
    }

    /// Our solver has no theory for something: where is it? In a lemma, if it has one for the model without them.
    fn whose(&self, (read, lemmas): (&[Lemma], &K::Lemmas), run: &mut Run<'_>) -> String {
        let mut is_refused = |which: &[usize]| {
            let some = K::only(lemmas, which);
            Incremental::<K>::new(self.system(), some, self.args.other(), run).is_err()
        };
        let guilty = if is_refused(&[]) { None } else { (0..read.len()).find(|&i| is_refused(&[i])) };
        match (guilty, &self.args.lemmas) {
            (Some(i), Some(path)) => {
                let Lemma { line, text, .. } = &read[i];
                format!("{}:{line}: `{}`", terminal::path(path), terminal::printable(text))
            }
            _ => terminal::path(&self.args.model),
        }
    }

    /// Our solver has no theory for it.
    fn refused(&self, error: Error<K>, what: &str) -> Failure {
        match error {
            Error::NoTheory { .. } => {
                Failure::bad_input(format!("{what}: {error}")).with_hint(self.who_has_a_theory())
            }
            Error::TooLarge { why, array } => too_large(&format!("{what}: {why}"), array),
            error => Failure::internal(error),
        }
    }

    /// Our solver has no theory for it: who has?
    fn who_has_a_theory(&self) -> &'static str {
        if self.args.other().is_some() {
            "the portfolio, bmc and kind can ask another solver"
        } else if self.is_circuit {
            "this engine is for numbers; --engine ic3 and other engines for bits decide bit-vectors"
        } else {
            "Indubit's own solver is for linear arithmetic, and bit-vectors alone become a circuit for engines such as ic3; \
             --smt z3 lets another one decide what is beyond"
        }
    }

    /// If a property is not inductive: why. That is asked of the user's own model, for after preprocessing a state need not be one of it.
    fn cti(&self, property: usize, stop: Stop, known: Option<(&K::Lemmas, &[usize])>) -> Option<Cti> {
        let Stop::Incomplete(NOT_INDUCTIVE | NOT_INDUCTIVE_RELATIVE) = stop else { return None };
        if self.detail == Detail::None {
            return None;
        }
        let run = Run::new(self.cancel.clone()).with_seed(self.args.effort.seed);
        let other = self.args.other();
        let found = indubit::counterexample_to_induction::<K>(self.system(), property, known, other, &run);
        let subject = &self.properties[property];
        let broken = K::broken(subject);
        let shown = Subject::Property(subject);
        found.ok()?.map(|trace| evidence::cti::<K>(&self.model, shown, &trace, &broken, self.detail))
    }

    /// Something came out for a property: tell it, write its files, and keep its proof.
    fn tell(
        &self,
        found: Found<K>,
        support: Option<Support<K::Trace>>,
        known: Option<(&K::Lemmas, &[usize])>,
        so_far: &mut SoFar<K>,
    ) -> Result<Next, Failure> {
        let Found { property: index, result, record, worked } = found;
        let property = &self.properties[index];
        let keep = |claimed| files::keep_rejected::<K>(&self.model, property, claimed);
        let verdict = match result {
            Ok(verdict) => verdict,
            Err(error @ (Error::NoTheory { .. } | Error::TooLarge { .. })) => {
                so_far.refused.push((index, error));
                self.tell_refused(so_far)?;
                return Ok(Next::GoOn);
            }
            Err(error) => {
                let kept =
                    if let Error::Rejected { claimed, .. } = &error { keep(claimed) } else { Vec::new() };
                let place = match &error {
                    Error::Panicked { message } => panics::with_place(message),
                    _ => None,
                };
                let message = place.unwrap_or_else(|| error.to_string());
                let answer = Answer::Internal { message, kept };
                self.ledger.lock().tell(index, answer, (record, worked), Vec::new())?;
                self.tell_refused(so_far)?;
                return Ok(Next::GoOn);
            }
        };
        let mut answer = evidence::answer::<K>(
            &self.model,
            property,
            &verdict,
            support,
            self.detail,
            &Solving::new(self.cancel),
        );
        if let Answer::Unknown { stop, cti, .. } = &mut answer {
            *cti = self.cti(index, *stop, known);
        }
        if let (Some(second), Some(proof)) = (&self.second, verdict.proof()) {
            match second.ask::<K>(&self.model, property, proof, self.cancel) {
                second::Said::Agrees => (),
                second::Said::Nothing(doubt) => {
                    let mut ledger = self.ledger.lock();
                    ledger.by_queries = K::BY_QUERIES.into();
                    doubt.iter().for_each(|doubt| ledger.warn(&format!("{}: {doubt}", property.title())));
                }
                second::Said::Disagrees(message) => {
                    let kept = keep(&indubit::Evidence::Proof(proof.clone()));
                    answer = Answer::Internal { message, kept };
                }
            }
        }
        let several = self.selected.len() > 1;
        let files = match answer {
            Answer::Decided { .. } => {
                files::prepare::<K>(self.args, &self.model, (index, property), &verdict, several, self.by())
            }
            _ => Vec::new(),
        };
        let pending = files.iter().map(|output| output.file.clone()).collect();
        let is_enough = self.args.format.is_one_answer() && answer.trace().is_some();
        self.ledger.lock().tell(index, answer, (record, worked), pending)?;
        for output in files {
            let (file, result) = output.save();
            self.ledger.lock().wrote(index, file, result)?;
        }
        self.tell_refused(so_far)?;
        so_far.proofs.extend(verdict.proof().map(|proof| (index, proof.clone())));
        Ok(if is_enough { Next::Enough } else { Next::GoOn })
    }

    /// Once there is something else to tell, what our solver has no theory for is one answer among others.
    fn tell_refused(&self, so_far: &mut SoFar<K>) -> Result<(), Failure> {
        let mut ledger = self.ledger.lock();
        if ledger.outcomes().is_empty() {
            return Ok(());
        }
        let hint = self.who_has_a_theory();
        so_far.refused.drain(..).try_for_each(|(index, error)| {
            ledger.tell_at_once(index, Answer::Unsupported { why: format!("{error}; {hint}") })
        })
    }
}

/// Those of the properties that the format can answer: some formats say whether there is a trace, which is not what formulas of computation tree logic are about.
fn without_branching(args: &Check, mut selected: Vec<Listed>) -> Result<Vec<Listed>, Failure> {
    let is_branching = |p: &Listed| p.claim == ClaimKind::Ctl;
    if !args.format.is_one_answer() || !selected.iter().any(is_branching) {
        return Ok(selected);
    }
    let is_asked_for = !args.ctl.is_empty() || !args.property.is_empty();
    if is_asked_for || selected.iter().all(is_branching) {
        let message = "--format hwmcc, sby and chc say whether there is a trace, and no trace decides a formula of computation tree logic";
        return Err(Failure::bad_input(message).with_hint("--quiet or --format json"));
    }
    selected.retain(|p| !is_branching(p));
    Ok(selected)
}

/// It would be a circuit, but a large one; or it is an array of so many bits that is too large.
fn too_large(message: &str, array: Option<u64>) -> Failure {
    let smt = "--smt z3 lets another solver look for counterexamples, and for proofs by k-induction";
    let hint = match array.filter(|&n_bits| n_bits <= MAX_ARRAY_BITS) {
        Some(n_bits) => format!("--array-bits {n_bits} makes bits of it all the same; {smt}"),
        None => smt.into(),
    };
    Failure::bad_input(message).with_hint(hint)
}

/// The advice to try another engine, for each claim.
fn other_engine<K: Presented>(args: &Check, is_circuit: bool) -> Box<dyn Fn(ClaimKind) -> String + Send> {
    let engine = args.effort.engine;
    // Over words bmc proves something only if all runs end, which is rare.
    let is_bmc = engine.0.is_some_and(|engine| engine.id == EngineId::Bmc);
    if !is_bmc && engine.proves::<K>(is_circuit) != Some(Proves::Nothing) {
        return Box::new(|_| "another --engine (`indubit engines` lists them)".into());
    }
    let name = args.engine_name();
    Box::new(move |claim| format!("--engine {}, which can prove ({name} cannot)", args::prover::<K>(claim)))
}

/// If every property is proved: one certificate for all of them, checked as every other one, or one for each if it
/// has to be.
fn certify_all<K: Presented>(session: &Session<'_, K>, proofs: &Proofs<K>) -> Result<(), Failure> {
    let Some(path) = session.args.certificate.as_deref().filter(|_| proofs.len() == session.selected.len())
    else {
        return Ok(());
    };
    let mut all: Vec<&(usize, K::Proof)> = proofs.iter().collect();
    all.sort_by_key(|(index, _)| *index);
    let all: Vec<Proved<'_, K>> = all.into_iter().map(|(i, p)| (&session.properties[*i], p)).collect();
    let several = all.len() > 1;
    let is_whole = all.len() == session.properties.len();
    if several && is_whole && all.iter().all(|(_, proof)| !is_on_simple_paths::<K>(proof)) {
        match files::certified::<K>(session.args, &session.model, &all, path, session.by()) {
            Ok(contents) => output::save(path, &contents)?,
            // Without its certificate it is no verdict.
            Err(_) if session.cancel.reason().is_some() => return Ok(()),
            Err(failure) => return Err(failure),
        }
    } else {
        if !K::IS_WORDS {
            warn_of_simple_paths::<K>(&all, session.ledger);
        }
        for proved in all {
            if let Some(file) =
                files::certificate::<K>(session.args, &session.model, proved, several, session.by())
            {
                file.save().1?;
            }
        }
    }
    session.ledger.lock().owes_certificate = false;
    Ok(())
}

fn is_on_simple_paths<K: Presented>(proof: &K::Proof) -> bool {
    matches!(K::shape(proof), Shape::KInductive { simple_path: true, .. })
}

/// A competition's checker cannot do anything with such certificates.
fn warn_of_simple_paths<K: Presented>(proofs: &[Proved<'_, K>], ledger: &Shared) {
    let mut simple = proofs.iter().filter(|(_, proof)| is_on_simple_paths::<K>(proof));
    let Some((first, _)) = simple.next() else { return };
    let files = if proofs.len() > 1 { ", and there is one for each property" } else { "" };
    ledger.lock().warn(&format!(
        "{}{}: the proof is on simple paths, for which there is no witness circuit: only \
         `indubit certify` checks such a certificate{files}; --engine ic3 writes one for every checker",
        terminal::printable(&first.title()),
        terminal::and_more(simple.count())
    ));
}
