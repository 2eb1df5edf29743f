//! The ledger: it alone knows the order of the properties, which answers are there, when they came, and up to where nothing was found. It is
//! told each answer as soon as it has been checked, and answers every format.

use super::lemmas::Report;
use super::outcome::{self, Answer, FileKind, Files, Outcome};
use super::{human, json, lines};
use crate::args::{Check, Format};
use crate::events::EventLog;
use crate::exit::{Code, Failure};
use crate::guard::CodeSoFar;
use crate::progress::Progress;
use crate::properties::Listed;
use crate::size::Size;
use crate::terminal::{self, Paint};
use indubit::run::{Event, Observer, Record, Source, Stop};
use indubit::{ClaimKind, Next};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What a report says about the request and the model.
#[derive(Clone, Debug)]
pub struct Request {
    pub model: PathBuf,
    pub engine: &'static str,
    /// Can it prove anything about a model of this kind?
    pub engine_proves: bool,
    /// An engine that can prove, for a model of this kind.
    pub prover: &'static str,
    /// Who answers the checker's queries, and how traces are replayed.
    pub by_queries: String,
    pub by_replay: &'static str,
    /// Lemmas take the place of the engine.
    pub is_prove: bool,
    pub seed: u64,
    pub bound: Option<u32>,
    pub timeout: Option<f64>,
    pub memory: Option<u64>,
    pub format: Format,
    pub quiet: bool,
    pub verbose: bool,
}

/// A property of the run.
struct Entry {
    property: Listed,
    outcome: Option<Outcome>,
    /// Up to where nothing was found.
    bound: Option<u32>,
    /// Evidence that is being written.
    pending: Vec<(FileKind, PathBuf)>,
}

/// Everything that is known.
pub struct Ledger {
    pub request: Request,
    /// What the main thread is doing before there is a model, for the case that it does not come back.
    pub stage: &'static str,
    /// All proofs together want a certificate, and it is not there yet: until then they amount to nothing.
    pub owes_certificate: bool,
    pub size: Option<Size>,
    /// What has become of the user's lemmas.
    pub lemmas: Option<Report>,
    /// The definitions of predicates that are a model of all clauses.
    pub definitions: Option<String>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// In the order of the model.
    entries: Vec<Entry>,
    start: Instant,
    paint: Paint,
    progress: Option<Progress>,
    events: Option<EventLog>,
    finished: bool,
    /// Why evidence that was asked for is missing.
    errors: Vec<Failure>,
    code_so_far: CodeSoFar,
    /// With --quiet, how many lines have been printed.
    n_lines: usize,
    /// Why properties are unknown that were printed, and how many have not been told for the same reason: a limit leaves many.
    unknown: Vec<Stop>,
    n_repeated: usize,
    /// Which proof was printed for which property.
    shown: Vec<(String, String)>,
}

impl Ledger {
    pub fn new(args: &Check, start: Instant, code_so_far: CodeSoFar) -> Ledger {
        let effort = &args.effort;
        let request = Request {
            model: args.model.clone(),
            engine: args.engine_name(),
            engine_proves: true,
            prover: "ic3",
            by_queries: String::new(),
            by_replay: "",
            is_prove: args.lemmas.is_some(),
            seed: effort.seed,
            bound: effort.bound,
            timeout: effort.limits.timeout.map(|t| t.as_secs_f64()),
            memory: effort.limits.memory,
            format: args.format,
            quiet: args.quiet,
            verbose: args.verbose,
        };
        if request.format == Format::Sby {
            code_so_far.set(Code::Done);
        }
        Ledger {
            request,
            stage: "the model was still being read",
            owes_certificate: false,
            size: None,
            lemmas: None,
            definitions: None,
            warnings: Vec::new(),
            entries: Vec::new(),
            start,
            paint: Paint::for_stdout(),
            progress: if args.quiet { None } else { Progress::on_terminal(start) },
            events: None,
            finished: false,
            errors: Vec::new(),
            code_so_far,
            n_lines: 0,
            unknown: Vec::new(),
            n_repeated: 0,
            shown: Vec::new(),
        }
    }

    /// From now on, tell what happens.
    pub fn attach(&mut self, mut events: EventLog) {
        events.start(&self.request.model, self.request.engine, self.request.seed);
        self.events = Some(events);
    }

    /// The model has been read, and these of its properties are to be checked.
    pub fn begin(&mut self, size: Size, selected: &[Listed]) -> Result<(), Failure> {
        if let Some(events) = &mut self.events {
            events.model(&size);
        }
        let entry = |property: &Listed| Entry {
            property: property.clone(),
            outcome: None,
            bound: None,
            pending: Vec::new(),
        };
        self.entries = selected.iter().map(entry).collect();
        self.size = Some(size);
        if let Some(progress) = &mut self.progress {
            progress.begin(selected);
        }
        if self.is_for_people() { terminal::stdout(&human::model(self, self.paint)) } else { Ok(()) }
    }

    fn is_for_people(&self) -> bool {
        self.request.format == Format::Human && !self.request.quiet
    }

    /// The user's lemmas have been checked.
    pub fn tell_lemmas(&mut self, report: Report) -> Result<(), Failure> {
        self.clear_progress();
        let told = if self.is_for_people() { terminal::stdout(&report.text) } else { Ok(()) };
        self.lemmas = Some(report);
        told
    }

    /// Something that the user should know.
    pub fn warn(&mut self, text: &str) {
        self.clear_progress();
        terminal::stderr(&terminal::printable_lines(&format!("warning: {text}\n")));
        self.warnings.push(text.to_owned());
    }

    fn clear_progress(&mut self) {
        if let Some(progress) = &mut self.progress {
            progress.clear();
        }
    }

    /// What is known so far, in the order of the model.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> + Clone {
        self.entries.iter().filter_map(|entry| entry.outcome.as_ref())
    }

    /// How many properties there are in the run.
    pub fn n_properties(&self) -> usize {
        self.entries.len()
    }

    /// How many of them have an answer.
    pub fn n_answered(&self) -> usize {
        self.outcomes().count()
    }

    /// Where a property of the model stands in the run, if it does.
    fn position(&self, index: usize) -> Option<usize> {
        self.entries.binary_search_by_key(&index, |entry| entry.property.index).ok()
    }

    /// Do we want to hear of others after this answer?
    pub fn after(&self, answer: &Answer) -> Next {
        let stops = matches!(self.request.format, Format::Hwmcc | Format::Sby | Format::Chc);
        if stops && answer.trace().is_some() { Next::Enough } else { Next::GoOn }
    }

    /// An answer is there: tell those who read along. It does not wait for the files of its evidence, which are `pending`:
    /// [`wrote`](Self::wrote) says what became of them.
    pub fn tell(
        &mut self,
        index: usize,
        answer: Answer,
        record: Record,
        worked: Duration,
        pending: Vec<(FileKind, PathBuf)>,
    ) -> Result<(), Failure> {
        let Some(position) = self.position(index) else { return Ok(()) };
        let at = self.start.elapsed().as_secs_f64();
        let entry = &mut self.entries[position];
        let answer = match answer {
            // The bound also survives a verdict whose evidence could not be checked in time.
            Answer::Unknown { stop, safe_up_to, cti } => {
                Answer::Unknown { stop, safe_up_to: safe_up_to.max(entry.bound), cti }
            }
            answer => answer,
        };
        let outcome = Outcome {
            property: entry.property.clone(),
            answer,
            engine: record.engine.unwrap_or(self.request.engine),
            seconds: worked.as_secs_f64(),
            at,
            safe_up_to: entry.bound,
            passes: record.passes,
            counts: record.counts,
            files: Files::default(),
        };
        self.clear_progress();
        if let Answer::Internal { message, kept } = &outcome.answer {
            Failure::internal(format!("{}: {message}", outcome.property.title())).print();
            for path in kept {
                terminal::stderr(&format!("kept for the report: {}\n", terminal::path(path)));
            }
        }
        let text = if self.is_for_people() { self.block(&outcome) } else { String::new() };
        if let (Some(proof), true) = (outcome.answer.proof(), self.is_for_people()) {
            self.shown.push((proof.text.clone(), outcome.property.id.to_string()));
        }
        let entry = &mut self.entries[position];
        entry.outcome = Some(outcome);
        entry.pending = pending;
        let code = outcome::code(self.outcomes().map(|o| &o.answer));
        match (self.request.format, code) {
            // Others may follow.
            (_, Code::Done) | (Format::Sby, Code::Unsafe | Code::Unknown) => (),
            _ => self.code_so_far.set(code),
        }
        let told = terminal::stdout(&text).and_then(|()| self.tell_quietly());
        self.settle(position)?;
        told
    }

    /// What people read of an answer, after those that were left out; nothing if it is unknown for the same reason as another one: the table at the end has its bound.
    fn block(&mut self, outcome: &Outcome) -> String {
        if let (Answer::Unknown { cti: None, stop, .. }, false) = (&outcome.answer, self.request.verbose) {
            if self.unknown.contains(stop) {
                self.n_repeated += 1;
                return String::new();
            }
            self.unknown.push(*stop);
        }
        self.repeated() + &human::property(self, outcome, self.paint)
    }

    /// How many have been left out since something was printed.
    fn repeated(&mut self) -> String {
        human::repeated(std::mem::take(&mut self.n_repeated), self.paint)
    }

    /// With --quiet: one line a property, in the order of the model, as soon as all before it are there.
    fn tell_quietly(&mut self) -> Result<(), Failure> {
        if !(self.request.format == Format::Human && self.request.quiet) {
            return Ok(());
        }
        let ready = self.entries.iter().map_while(|entry| entry.outcome.as_ref()).skip(self.n_lines);
        let lines: Vec<String> = ready.map(|outcome| human::quiet(outcome, self.paint)).collect();
        self.n_lines += lines.len();
        terminal::stdout(&lines.concat())
    }

    /// The property whose proof was printed before, if it is this one.
    pub fn shown_before(&self, text: &str) -> Option<&str> {
        let is_worth_it = text.lines().count() > 2;
        self.shown.iter().find(|(shown, _)| is_worth_it && shown == text).map(|(_, id)| &**id)
    }

    /// A file of a property has been written, or not.
    pub fn wrote(
        &mut self,
        index: usize,
        kind: FileKind,
        path: &Path,
        result: Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(position) = self.position(index) else { return Ok(()) };
        let entry = &mut self.entries[position];
        entry.pending.retain(|(k, p)| (*k, p.as_path()) != (kind, path));
        if let Some(outcome) = &mut entry.outcome {
            let files = &mut outcome.files;
            let list = if result.is_ok() { &mut files.written } else { &mut files.missing };
            list.push((kind, path.to_owned()));
        }
        self.errors.extend(result.err());
        self.settle(position)
    }

    /// Once nothing is waited for: tell where the files of a property are.
    fn settle(&mut self, position: usize) -> Result<(), Failure> {
        let Entry { outcome: Some(outcome), pending, .. } = &self.entries[position] else { return Ok(()) };
        if !pending.is_empty() {
            return Ok(());
        }
        if let Some(events) = &mut self.events {
            events.verdict(outcome);
        }
        let text = human::files(&outcome.files, self.paint);
        if self.is_for_people() { terminal::stdout(&text) } else { Ok(()) }
    }

    /// All properties are done, or the run was cut short on purpose.
    pub fn finish(&mut self) -> Result<Code, Failure> {
        self.finished = true;
        let mut verdict = outcome::code(self.outcomes().map(|o| &o.answer));
        if verdict == Code::Done && self.owes_certificate {
            terminal::stderr("every property is decided, but the certificate was not finished\n");
            verdict = Code::Unknown;
        }
        // Whoever asked for a file must not take its absence for success.
        let code = match verdict {
            Code::Internal => verdict,
            _ if !self.errors.is_empty() => Code::BadInput,
            _ => verdict,
        };
        self.clear_progress();
        if matches!(self.request.format, Format::Hwmcc | Format::Sby | Format::Chc) {
            // The verdict there has no room for why there is none.
            terminal::stderr(&human::why_unknown(self.outcomes()));
        }
        let told = terminal::stdout(&match self.request.format {
            Format::Human if self.request.quiet => String::new(),
            Format::Human => self.repeated() + &human::summary(self, self.start.elapsed(), self.paint),
            Format::Json => json::document(self, self.start.elapsed(), verdict, code),
            Format::Hwmcc => lines::hwmcc(code, self.outcomes()),
            Format::Sby => lines::sby(code, self.outcomes()),
            Format::Chc => lines::chc(code, self.outcomes(), self.definitions.as_deref()),
        });
        self.errors.iter().for_each(Failure::print);
        let events = self.events.as_mut().map_or(Ok(()), |events| events.end(code));
        told?;
        events?;
        match (self.request.format, code) {
            (Format::Sby, Code::Unsafe | Code::Unknown) => Ok(Code::Done),
            _ => Ok(code),
        }
    }

    /// Has the report been given?
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// The run ended with an error.
    pub fn fail(&mut self, failure: &Failure) {
        self.finished = true;
        self.clear_progress();
        if let Some(events) = &mut self.events {
            // The first error is the one to report.
            let _ = events.end(failure.code());
        }
    }

    /// The main thread does not come back: report what is known, and everything else as unknown. Returns the exit code.
    pub fn give_up(&mut self, stop: Stop) -> Code {
        if self.size.is_none() {
            terminal::stderr(&format!("{} ({stop})\n", self.stage));
        }
        let pending: Vec<(usize, FileKind, PathBuf)> = self
            .entries
            .iter_mut()
            .flat_map(|e| {
                e.pending.drain(..).map(|(kind, path)| (e.property.index, kind, path)).collect::<Vec<_>>()
            })
            .collect();
        for (index, kind, path) in pending {
            let message = format!("{}: cannot write this file: not done in time ({stop})", path.display());
            // What can be said is said; whether it gets through does not matter any more.
            let _ = self.wrote(index, kind, &path, Err(Failure::bad_input(message)));
        }
        let open: Vec<(usize, ClaimKind)> = self
            .entries
            .iter()
            .filter(|e| e.outcome.is_none())
            .map(|e| (e.property.index, e.property.claim))
            .collect();
        for (index, claim) in open {
            let answer = match claim {
                ClaimKind::Justice => Answer::Unsupported,
                _ => Answer::Unknown { stop, safe_up_to: None, cti: None },
            };
            if let Err(failure) = self.tell(index, answer, Record::default(), Duration::ZERO, Vec::new()) {
                failure.print();
                return failure.code();
            }
        }
        self.finish().unwrap_or_else(|failure| {
            failure.print();
            failure.code()
        })
    }
}

/// The ledger, shared between the main thread and the watchdog's.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Ledger>>);

impl Shared {
    pub fn new(ledger: Ledger) -> Shared {
        Shared(Arc::new(Mutex::new(ledger)))
    }
    /// Waits at most for someone who is writing to the terminal.
    pub fn lock(&self) -> MutexGuard<'_, Ledger> {
        // A panic while it was locked has been reported already, and what is known stays known.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Shared {
    fn event(&mut self, source: Source, event: &Event) {
        let ledger = &mut *self.lock();
        let n_answered = ledger.n_answered();
        let position = source.property.and_then(|index| ledger.position(index));
        let entry = position.map(|position| &mut ledger.entries[position]);
        if let (Some(events), property) = (&mut ledger.events, entry.as_ref().map(|entry| &entry.property)) {
            events.event(property, source, event);
        }
        if let (Some(entry), &Event::Bound { safe_up_to }) = (entry, event) {
            entry.bound = entry.bound.max(Some(safe_up_to));
        }
        if let Some(progress) = &mut ledger.progress {
            progress.event(source, event, n_answered);
        }
    }
    fn wants_steps(&self) -> bool {
        self.lock().events.as_ref().is_some_and(EventLog::wants_steps)
    }
}
