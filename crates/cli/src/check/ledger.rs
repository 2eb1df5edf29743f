//! The ledger: it alone knows the order of the properties, which answers are there, when they came, and up to where nothing was found. It is
//! told each answer as soon as it has been checked, and answers every format.

use super::lemmas::Report;
use super::outcome::{self, Answer, File, Files, Outcome, Proof};
use super::{human, json, lines};
use crate::args::{Check, Format};
use crate::events::EventLog;
use crate::exit::{Code, Failure};
use crate::guard::CodeSoFar;
use crate::progress::Progress;
use crate::properties::Listed;
use crate::size::Size;
use crate::terminal::{self, Paint};
use indubit::ClaimKind;
use indubit::run::{Event, Observer, Record, Source, Stop};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

struct Entry {
    property: Listed,
    outcome: Option<Outcome>,
    /// Up to where nothing was found.
    bound: Option<u32>,
    /// Evidence that is being written.
    pending: Vec<File>,
}

/// Everything that is known.
pub struct Ledger {
    pub args: Arc<Check>,
    /// The engine to try for such a claim about a model of this kind, if this one does not come to an end.
    pub other_engine: Box<dyn Fn(ClaimKind) -> String + Send>,
    /// Who answers the checker's queries, and how traces are replayed.
    pub by_queries: String,
    pub by_replay: &'static str,
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
    pub events: Option<EventLog>,
    /// In the order of the model.
    entries: Vec<Entry>,
    start: Instant,
    paint: Paint,
    progress: Option<Progress>,
    /// The report has been given.
    pub is_finished: bool,
    /// Why evidence that was asked for is missing.
    errors: Vec<Failure>,
    code_so_far: CodeSoFar,
    /// How many have not been told since something was printed, for they are unknown for the same reason as others: a limit leaves many.
    n_repeated: usize,
}

impl Ledger {
    pub fn new(args: Arc<Check>, start: Instant, code_so_far: CodeSoFar) -> Ledger {
        code_so_far.set(args.format.code(Code::Unknown));
        Ledger {
            progress: if args.quiet { None } else { Progress::on_terminal(start) },
            args,
            other_engine: Box::new(|_| String::new()),
            by_queries: String::new(),
            by_replay: "",
            stage: "the model was still being read",
            owes_certificate: false,
            size: None,
            lemmas: None,
            definitions: None,
            warnings: Vec::new(),
            events: None,
            entries: Vec::new(),
            start,
            paint: Paint::for_stdout(),
            is_finished: false,
            errors: Vec::new(),
            code_so_far,
            n_repeated: 0,
        }
    }

    /// The model has been read, and these of its properties are to be checked.
    pub fn begin(&mut self, size: Size, selected: &[Listed]) -> Result<(), Failure> {
        if let Some(events) = &mut self.events {
            events.model(&size);
        }
        let entry =
            |p: &Listed| Entry { property: p.clone(), outcome: None, bound: None, pending: Vec::new() };
        self.entries = selected.iter().map(entry).collect();
        if let Some(progress) = &mut self.progress {
            progress.begin(selected);
        }
        let text = human::model(&self.args.model, &self.args.more, &size, selected.len(), self.paint);
        self.size = Some(size);
        self.tell_people(&text)
    }

    fn is_for_people(&self) -> bool {
        self.args.format == Format::Human && !self.args.quiet
    }

    fn tell_people(&self, text: &str) -> Result<(), Failure> {
        if self.is_for_people() { terminal::stdout(text) } else { Ok(()) }
    }

    /// The user's lemmas have been checked.
    pub fn tell_lemmas(&mut self, report: Report) -> Result<(), Failure> {
        self.clear_progress();
        let told = self.tell_people(&report.text);
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
    pub fn outcomes(&self) -> Vec<&Outcome> {
        self.entries.iter().filter_map(|entry| entry.outcome.as_ref()).collect()
    }

    /// Where a property of the model stands in the run, if it does.
    fn position(&self, index: usize) -> Option<usize> {
        self.entries.binary_search_by_key(&index, |entry| entry.property.index).ok()
    }

    /// An answer is there: tell those who read along. It does not wait for the files of its evidence, which are `pending`:
    /// [`wrote`](Self::wrote) says what became of them.
    pub fn tell(
        &mut self,
        index: usize,
        mut answer: Answer,
        (record, worked): (Record, Duration),
        pending: Vec<File>,
    ) -> Result<(), Failure> {
        let Some(position) = self.position(index) else { return Ok(()) };
        let entry = &self.entries[position];
        if let Answer::Unknown { safe_up_to, .. } = &mut answer {
            // The bound also survives a verdict whose evidence could not be checked in time.
            *safe_up_to = entry.bound.max(*safe_up_to);
        }
        let outcome = Outcome {
            property: entry.property.clone(),
            answer,
            engine: record.engine.unwrap_or(self.args.engine_name()),
            seconds: worked.as_secs_f64(),
            at: self.start.elapsed().as_secs_f64(),
            safe_up_to: entry.bound,
            record,
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
        let entry = &mut self.entries[position];
        entry.outcome = Some(outcome);
        entry.pending = pending;
        let code = self.args.format.code(outcome::code(&self.outcomes()));
        // Others may follow.
        if code != Code::Done {
            self.code_so_far.set(code);
        }
        let told = terminal::stdout(&text).and_then(|()| self.tell_quietly(position));
        self.settle(position)?;
        told
    }

    /// An answer for which nobody has worked.
    pub fn tell_at_once(&mut self, index: usize, answer: Answer) -> Result<(), Failure> {
        self.tell(index, answer, Default::default(), Vec::new())
    }

    /// The run has ended before some properties had their turn.
    pub fn tell_rest(&mut self, stop: Stop) -> Result<(), Failure> {
        let is_open = |entry: &&Entry| entry.outcome.is_none();
        let open: Vec<Listed> = self.entries.iter().filter(is_open).map(|e| e.property.clone()).collect();
        open.iter().try_for_each(|property| {
            let unknown = Answer::Unknown { stop, safe_up_to: None, cti: None };
            let why = self.args.unsupported(property.claim);
            let answer = why.map_or(unknown, |why| Answer::Unsupported { why });
            self.tell_at_once(property.index, answer)
        })
    }

    /// What people read of an answer, after those that were left out; nothing if it is unknown for the same reason as another one: the table at the end has its bound.
    fn block(&mut self, outcome: &Outcome) -> String {
        let is_told = |reason: Stop| {
            let is_it =
                |o: &&Outcome| matches!(o.answer, Answer::Unknown { cti: None, stop, .. } if stop == reason);
            self.outcomes().iter().any(is_it)
        };
        match outcome.answer {
            Answer::Unknown { cti: None, stop, .. } if !self.args.verbose && is_told(stop) => {
                self.n_repeated += 1;
                String::new()
            }
            _ => self.repeated() + &human::property(self, outcome, self.paint),
        }
    }

    /// How many have been left out since something was printed.
    fn repeated(&mut self) -> String {
        human::repeated(std::mem::take(&mut self.n_repeated), self.paint)
    }

    /// With --quiet: one line a property, in the order of the model, as soon as all before it are there.
    fn tell_quietly(&self, position: usize) -> Result<(), Failure> {
        let (before, rest) = self.entries.split_at(position);
        let is_wanted = self.args.format == Format::Human && self.args.quiet;
        if !is_wanted || before.iter().any(|entry| entry.outcome.is_none()) {
            return Ok(());
        }
        let ready = rest.iter().map_while(|entry| entry.outcome.as_ref());
        terminal::stdout(&ready.map(|outcome| human::quiet(outcome, self.paint)).collect::<String>())
    }

    /// The property whose proof was printed before, if it is this one.
    pub fn shown_before(&self, proof: &Proof) -> Option<String> {
        let is_worth_it = proof.text.lines().count() > 2;
        let is_it = |other: &Proof| (other.whole, &other.text) == (proof.whole, &proof.text);
        let has_it = |o: &&Outcome| is_worth_it && o.answer.proof().is_some_and(is_it);
        let first = self.outcomes().into_iter().filter(has_it).min_by(|a, b| a.at.total_cmp(&b.at));
        first.map(|outcome| outcome.property.id.to_string())
    }

    /// A file of a property has been written, or not.
    pub fn wrote(&mut self, index: usize, file: File, result: Result<(), Failure>) -> Result<(), Failure> {
        let Some(position) = self.position(index) else { return Ok(()) };
        let entry = &mut self.entries[position];
        entry.pending.retain(|other| *other != file);
        if let Some(outcome) = &mut entry.outcome {
            let files = &mut outcome.files;
            let list = if result.is_ok() { &mut files.written } else { &mut files.missing };
            list.push(file);
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
        self.tell_people(&human::files(&outcome.files, self.paint))
    }

    /// All properties are done, or the run was cut short on purpose.
    pub fn finish(&mut self) -> Result<Code, Failure> {
        self.is_finished = true;
        let mut verdict = outcome::code(&self.outcomes());
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
        if self.args.format.is_one_answer() {
            // The verdict there has no room for why there is none.
            terminal::stderr(&human::why_unknown(&self.outcomes()));
        }
        let told = terminal::stdout(&match self.args.format {
            Format::Human if self.args.quiet => String::new(),
            Format::Human => self.repeated() + &human::summary(self, self.start.elapsed(), self.paint),
            Format::Json => json::document(self, self.start.elapsed(), verdict, code),
            Format::Hwmcc => lines::hwmcc(code, &self.outcomes()),
            Format::Sby => lines::sby(code, &self.outcomes()),
            Format::Chc => lines::chc(code, &self.outcomes(), self.definitions.as_deref()),
        });
        self.errors.iter().for_each(Failure::print);
        let events = self.events.as_mut().map_or(Ok(()), |events| events.end(code));
        told?;
        events?;
        Ok(self.args.format.code(code))
    }

    /// The run ended with an error.
    pub fn fail(&mut self, failure: &Failure) {
        self.is_finished = true;
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
        let files = |e: &Entry| Vec::from_iter(e.pending.iter().map(|file| (e.property.index, file.clone())));
        let pending: Vec<(usize, File)> = self.entries.iter().flat_map(files).collect();
        for (index, file) in pending {
            let message = format!("{}: cannot write this file: not done in time ({stop})", file.1.display());
            // What can be said is said; whether it gets through does not matter any more.
            let _ = self.wrote(index, file, Err(Failure::bad_input(message)));
        }
        self.tell_rest(stop).and_then(|()| self.finish()).unwrap_or_else(|failure| {
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
        let n_answered = ledger.entries.iter().filter(|entry| entry.outcome.is_some()).count();
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
