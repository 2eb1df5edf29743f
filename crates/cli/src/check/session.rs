//! What is known of a run so far, and how it is told.

use super::lemmas::Report;
use super::outcome::{self, Answer, Files, Kind, Outcome, Pass, Why};
use super::{human, json};
use crate::args::{Check, Format};
use crate::events::EventLog;
use crate::exit::{Code, Failure};
use crate::guard::CodeSoFar;
use crate::progress::Progress;
use crate::properties::Selected;
use crate::size::Size;
use crate::terminal::{self, Paint};
use indubit::run::{Event, Observer, Stop};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What a report says about the request and the model.
#[derive(Clone, Debug)]
pub struct Request {
    pub model: PathBuf,
    pub engine: &'static str,
    pub engine_proves: bool,
    /// An engine that can prove, for a model of this kind.
    pub prover: &'static str,
    /// Is the invariant part of the answer?
    pub prints_model: bool,
    /// Another solver that is asked about proofs over words, as long as it knows.
    pub other: Option<String>,
    /// Ours has no theory.
    pub is_alone: bool,
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

/// The property in progress.
#[derive(Default)]
struct Current {
    index: Option<usize>,
    started: Option<Instant>,
    safe_up_to: Option<u32>,
    /// The engine at work; in the end, the one with the verdict.
    engine: Option<&'static str>,
    passes: Vec<Pass>,
    statistics: Vec<(&'static str, u64)>,
}

/// Everything known. Invariant: outcomes are those of the first selected properties, in order, and what is waited for
/// belongs to the last one.
pub struct Session {
    pub request: Request,
    /// What the main thread is doing before there is a model, for the case that it does not come back.
    pub stage: &'static str,
    /// All proofs together want a certificate, and it is not there yet: until then they amount to nothing.
    pub owes_certificate: bool,
    pub size: Option<Size>,
    pub selected: Vec<Selected>,
    pub outcomes: Vec<Outcome>,
    /// What has become of the user's lemmas.
    pub lemmas: Option<Report>,
    start: Instant,
    paint: Paint,
    current: Current,
    /// Answers that came before those to earlier properties, by the property's index, and how.
    early: HashMap<usize, (Answer, Current)>,
    /// Up to where there is no counterexample, by the property's index: properties may take turns.
    bounds: HashMap<usize, u32>,
    /// Passes on all properties together.
    passes: Vec<Pass>,
    progress: Option<Progress>,
    events: Option<EventLog>,
    finished: bool,
    /// Evidence that is being written.
    pending: Vec<(Kind, PathBuf)>,
    /// Why evidence that was asked for is missing.
    errors: Vec<Failure>,
    code_so_far: CodeSoFar,
    /// Unknown properties that were not printed one by one.
    n_repeated: usize,
}

impl Session {
    pub fn new(args: &Check, start: Instant, progress: Option<Progress>, code_so_far: CodeSoFar) -> Session {
        let effort = &args.effort;
        let request = Request {
            model: args.model.clone(),
            engine: args.engine_name(),
            engine_proves: effort.engine.proves(),
            prover: "ic3",
            prints_model: args.prints_model(),
            other: None,
            is_alone: false,
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
        Session {
            request,
            stage: "the model was still being read",
            owes_certificate: false,
            size: None,
            selected: Vec::new(),
            outcomes: Vec::new(),
            lemmas: None,
            start,
            paint: Paint::for_stdout(),
            current: Current::default(),
            early: HashMap::new(),
            bounds: HashMap::new(),
            passes: Vec::new(),
            progress: progress.filter(|_| !args.quiet),
            events: None,
            finished: false,
            pending: Vec::new(),
            errors: Vec::new(),
            code_so_far,
            n_repeated: 0,
        }
    }

    /// From now on, tell what happens.
    pub fn attach(&mut self, mut events: EventLog) {
        events.start(&self.request.model, self.request.engine, self.request.seed);
        self.events = Some(events);
    }

    /// The model has been read.
    pub fn begin(&mut self, size: Size, selected: &[Selected]) -> Result<(), Failure> {
        if let Some(events) = &mut self.events {
            events.model(&size);
        }
        if size.is_words {
            self.request.prover = "ic3ia";
        }
        self.size = Some(size);
        self.selected = selected.to_vec();
        match self.request.format {
            Format::Human if !self.request.quiet => terminal::stdout(&human::model(self, self.paint)),
            _ => Ok(()),
        }
    }

    /// The user's lemmas have been checked.
    pub fn tell_lemmas(&mut self, report: Report) -> Result<(), Failure> {
        if let Some(progress) = &mut self.progress {
            progress.clear();
        }
        let told = match self.request.format {
            Format::Human if !self.request.quiet => terminal::stdout(&report.text),
            _ => Ok(()),
        };
        self.lemmas = Some(report);
        told
    }

    /// The property in progress is done, but earlier ones may not be.
    pub fn put_aside(&mut self, index: usize, answer: Answer) {
        let current = std::mem::take(&mut self.current);
        self.early.insert(index, (answer, current));
    }

    /// Is there an answer for a property that has not been told?
    pub fn has(&self, index: usize) -> bool {
        self.early.contains_key(&index)
    }

    /// Take up the answer that was put aside.
    pub fn take(&mut self, index: usize) -> Option<Answer> {
        let (answer, current) = self.early.remove(&index)?;
        self.current = current;
        Some(answer)
    }

    /// Another solver will be asked about proofs, or is even the only one.
    pub fn asks(&mut self, other: Option<&str>, is_alone: bool) {
        self.request.other = other.map(str::to_owned);
        self.request.is_alone = is_alone;
    }

    /// It could not confirm one, and nobody need know why.
    pub fn forget_other(&mut self) {
        self.request.other = None;
    }

    /// The same, and the user wants to know why.
    pub fn doubt(&mut self, text: &str) {
        self.forget_other();
        self.warn(text);
    }

    /// Something that the user should know.
    pub fn warn(&mut self, text: &str) {
        if let Some(progress) = &mut self.progress {
            progress.clear();
        }
        terminal::stderr(&terminal::printable_lines(&format!("warning: {text}\n")));
    }

    /// The index of the property in progress.
    pub fn in_progress(&self) -> Option<usize> {
        self.current.index
    }

    /// No counterexample of any length up to this one, for a property.
    pub fn safe_up_to(&self, index: usize) -> Option<u32> {
        self.bounds.get(&index).copied()
    }

    /// The property in progress is done: tell those who read along. The verdict does not wait for the files of its
    /// evidence, which are `pending`: [`wrote`](Self::wrote) says what became of them.
    pub fn record(
        &mut self,
        property: &Selected,
        answer: Answer,
        pending: Vec<(Kind, PathBuf)>,
    ) -> Result<(), Failure> {
        let current = std::mem::take(&mut self.current);
        let outcome = Outcome {
            property: property.clone(),
            answer,
            engine: current.engine.unwrap_or(self.request.engine),
            seconds: current.started.map_or(0.0, |s| s.elapsed().as_secs_f64()),
            safe_up_to: current.safe_up_to,
            passes: if current.passes.is_empty() { self.passes.clone() } else { current.passes },
            statistics: current.statistics,
            files: Files::default(),
        };
        if let Some(progress) = &mut self.progress {
            progress.clear();
        }
        let text = match self.request.format {
            Format::Human if !self.request.quiet && !self.request.verbose && self.is_repeated(&outcome) => {
                self.n_repeated += 1;
                String::new()
            }
            Format::Human => self.repeated() + &human::property(self, &outcome, self.paint),
            _ => String::new(),
        };
        if let Answer::Internal { message, kept } = &outcome.answer {
            let failure = Failure::internal(format!("{}: {message}", outcome.property.title()));
            failure.print();
            for path in kept {
                terminal::stderr(&format!("kept for the report: {}\n", terminal::path(path)));
            }
        }
        self.outcomes.push(outcome);
        self.pending = pending;
        let code = outcome::code(&self.outcomes);
        match (self.request.format, code) {
            // Others may follow.
            (_, Code::Done) | (Format::Sby, Code::Unsafe | Code::Unknown) => (),
            _ => self.code_so_far.set(code),
        }
        let told = terminal::stdout(&text);
        self.settle()?;
        told
    }

    /// Would it say the same as the one before it? A limit leaves many properties unknown.
    fn is_repeated(&self, outcome: &Outcome) -> bool {
        let unknown = |answer: &Answer| match *answer {
            Answer::Unknown { stop, safe_up_to, cti: None } => Some((stop, safe_up_to)),
            _ => None,
        };
        let last = self.outcomes.last().and_then(|last| unknown(&last.answer));
        last.is_some() && last == unknown(&outcome.answer)
    }

    /// What has been left out since something was printed.
    fn repeated(&mut self) -> String {
        human::repeated(std::mem::take(&mut self.n_repeated), self.paint)
    }

    /// A file of the last property has been written, or not.
    pub fn wrote(&mut self, kind: Kind, path: &Path, result: Result<(), Failure>) -> Result<(), Failure> {
        self.pending.retain(|(k, p)| (*k, p.as_path()) != (kind, path));
        if let Some(outcome) = self.outcomes.last_mut() {
            let files = &mut outcome.files;
            let list = if result.is_ok() { &mut files.written } else { &mut files.missing };
            list.push((kind, path.to_owned()));
        }
        self.errors.extend(result.err());
        self.settle()
    }

    /// Once nothing is waited for: tell where the files of the last property are.
    fn settle(&mut self) -> Result<(), Failure> {
        let (Some(outcome), true) = (self.outcomes.last(), self.pending.is_empty()) else {
            return Ok(());
        };
        if let Some(events) = &mut self.events {
            events.verdict(outcome);
        }
        match self.request.format {
            Format::Human if !self.request.quiet => {
                terminal::stdout(&human::files(&outcome.files, self.paint))
            }
            _ => Ok(()),
        }
    }

    /// All properties are done, or the run was cut short on purpose.
    pub fn finish(&mut self) -> Result<Code, Failure> {
        self.finished = true;
        let mut verdict = outcome::code(&self.outcomes);
        if verdict == Code::Done && self.owes_certificate {
            terminal::stderr("every property is safe, but the certificate was not finished\n");
            verdict = Code::Unknown;
        }
        // Whoever asked for a file must not take its absence for success.
        let code = match verdict {
            Code::Internal => verdict,
            _ if !self.errors.is_empty() => Code::BadInput,
            _ => verdict,
        };
        if let Some(progress) = &mut self.progress {
            progress.clear();
        }
        if matches!(self.request.format, Format::Hwmcc | Format::Sby | Format::Chc) {
            // The verdict there has no room for why there is none.
            terminal::stderr(&human::why_unknown(&self.outcomes));
        }
        let told = terminal::stdout(&match self.request.format {
            Format::Human if self.request.quiet => String::new(),
            Format::Human => self.repeated() + &human::summary(self, self.start.elapsed(), self.paint),
            Format::Json => json::document(self, self.start.elapsed(), verdict, code),
            Format::Hwmcc => hwmcc(code),
            Format::Sby => sby(code, &self.outcomes),
            Format::Chc => chc(code, &self.outcomes, self.request.prints_model),
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
        if let Some(progress) = &mut self.progress {
            progress.clear();
        }
        if let Some(events) = &mut self.events {
            // The first error is the one to report.
            let _ = events.end(failure.code());
        }
    }

    /// The main thread does not come back: report what is known, the property in progress and those after it as
    /// unknown. Returns the exit code.
    pub fn give_up(&mut self, stop: Stop) -> Code {
        if self.size.is_none() {
            terminal::stderr(&format!("{} ({stop})\n", self.stage));
        }
        for (kind, path) in std::mem::take(&mut self.pending) {
            let message = format!("{}: cannot write this file: not done in time ({stop})", path.display());
            // What can be said is said; whether it gets through does not matter any more.
            let _ = self.wrote(kind, &path, Err(Failure::bad_input(message)));
        }
        while let Some(property) = self.selected.get(self.outcomes.len()).cloned() {
            let answer = match (property.is_live(), self.take(property.index)) {
                (true, _) => Answer::Unsupported,
                (_, Some(answer)) => answer,
                _ => {
                    let safe_up_to = self.safe_up_to(property.index);
                    Answer::Unknown { stop, safe_up_to, cti: None }
                }
            };
            if let Err(failure) = self.record(&property, answer, Vec::new()) {
                failure.print();
                return failure.code();
            }
        }
        self.finish().unwrap_or_else(|failure| {
            failure.print();
            failure.code()
        })
    }

    fn event(&mut self, event: &Event<'_>) {
        match *event {
            Event::Property { index, .. } => {
                let (started, safe_up_to) = (Some(Instant::now()), self.safe_up_to(index));
                self.current = Current { index: Some(index), started, safe_up_to, ..Current::default() };
            }
            Event::Pass { name, before, after } => {
                // Before there is a property, passes are for all of them.
                let passes = match self.current.index {
                    None => &mut self.passes,
                    Some(_) => &mut self.current.passes,
                };
                passes.push(Pass { name, before, after });
            }
            Event::Bound { safe_up_to } => {
                self.current.safe_up_to = self.current.safe_up_to.max(Some(safe_up_to));
                if let Some(index) = self.current.index {
                    let known = self.bounds.entry(index).or_default();
                    *known = safe_up_to.max(*known);
                }
            }
            Event::Engine { name } => self.current.engine = Some(name),
            Event::Count { name, value } => self.current.statistics.push((name, value)),
            _ => (),
        }
        match (&mut self.events, event) {
            (Some(events), Event::Property { index, .. }) => {
                self.selected.iter().filter(|p| p.index == *index).for_each(|p| events.property(p));
            }
            (Some(events), _) => events.event(event),
            (None, _) => (),
        }
        if let Some(progress) = &mut self.progress {
            progress.event(event);
        }
    }
}

/// `sat` if some property is unsafe, `unsat` if all are safe, nothing otherwise: also if evidence that was asked for
/// is missing, because there such a verdict counts for nothing.
fn hwmcc(code: Code) -> String {
    match code {
        Code::Unsafe => "sat\n".into(),
        Code::Done => "unsat\n".into(),
        _ => String::new(),
    }
}

/// `0` if all properties are safe, the witness (which begins with `1`) of the first unsafe one, else `2`.
fn sby(code: Code, outcomes: &[Outcome]) -> String {
    let mut witnesses = outcomes.iter().filter_map(|o| match &o.answer {
        Answer::Unsafe { witness, .. } => Some(witness),
        _ => None,
    });
    match (code, witnesses.next()) {
        (Code::Done, _) => "0\n".into(),
        (Code::Unsafe, Some(witness)) => witness.clone(),
        (Code::Unsafe | Code::Unknown, _) => "2\n".into(),
        _ => String::new(),
    }
}

/// `sat` if all properties are safe, for then the clauses have a model, which may follow; `unsat` if some property is unsafe; else
/// `unknown`, but nothing if evidence that was asked for is missing.
fn chc(code: Code, outcomes: &[Outcome], prints_model: bool) -> String {
    let definitions = outcomes.iter().find_map(|o| match &o.answer {
        Answer::Safe { why: Why::Words { definitions, .. }, .. } => definitions.as_deref(),
        _ => None,
    });
    match (code, definitions) {
        (Code::Done, Some(model)) if prints_model => format!("sat\n(\n{model})\n"),
        (Code::Done, _) => "sat\n".into(),
        (Code::Unsafe, _) => "unsat\n".into(),
        (Code::Unknown, _) => "unknown\n".into(),
        _ => String::new(),
    }
}

/// The session, shared between the main thread and the watchdog's.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Session>>);

impl Shared {
    pub fn new(session: Session) -> Shared {
        Shared(Arc::new(Mutex::new(session)))
    }
    /// Waits at most for someone who is writing to the terminal.
    pub fn lock(&self) -> MutexGuard<'_, Session> {
        // A panic while it was locked has been reported already, and what is known stays known.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Shared {
    fn event(&mut self, event: &Event<'_>) {
        self.lock().event(event);
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcome::tests::{outcome, safe, unknown, violated};
    use super::*;

    #[test]
    fn competition_lines() {
        assert_eq!((hwmcc(Code::Unsafe), hwmcc(Code::Done)), ("sat\n".into(), "unsat\n".into()));
        assert_eq!((hwmcc(Code::Unknown), hwmcc(Code::Internal)), (String::new(), String::new()));
        let told = [Code::Done, Code::Unsafe, Code::Unknown, Code::BadInput].map(|code| chc(code, &[], true));
        assert_eq!(told, ["sat\n", "unsat\n", "unknown\n", ""]);
    }

    #[test]
    fn sby_lines() {
        let told = |answers: Vec<Answer>| {
            let outcomes: Vec<Outcome> =
                answers.into_iter().enumerate().map(|(i, a)| outcome(i, a)).collect();
            sby(outcome::code(&outcomes), &outcomes)
        };
        assert_eq!(told(vec![safe(), safe()]), "0\n");
        assert_eq!(told(vec![safe(), unknown(Some(3))]), "2\n");
        assert_eq!(told(vec![unknown(None), violated()]), "1\nb0\n\n\n.\n");
    }
}
