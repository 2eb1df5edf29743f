//! Verdicts come in any order, and are told in the order of the properties.

use super::evidence::{self, Effusiveness};
use super::files::{self, Outputs};
use super::outcome::Answer;
use super::session::Shared;
use crate::args::{Check, Format};
use crate::exit::Failure;
use crate::panics;
use crate::properties::Selected;
use indubit::run::{Cancel, Run, Sink, Stop};
use indubit::{BitSystem, Error, Next, Verdict};

/// The properties of a run.
pub struct Deck<'r> {
    pub args: &'r Check,
    pub system: &'r BitSystem,
    pub outputs: &'r Outputs,
    pub session: &'r Shared,
    pub cancel: &'r Cancel,
    /// Are there several properties, so that files have numbers?
    pub several: bool,
    pub selected: &'r [Selected],
    /// How many have been told.
    pub n_told: usize,
}

impl Deck<'_> {
    /// Decide and tell all of them.
    pub fn play(mut self, queries: Option<&Sink>) -> Result<(), Failure> {
        let mut failure = None;
        loop {
            self.tell()?;
            let open: Vec<usize> = self.open();
            if open.is_empty() || self.cancel.is_raised() {
                break;
            }
            let effort = &self.args.effort;
            let mut observer = self.session.clone();
            let mut run = Run::new(self.cancel.clone(), &mut observer)
                .with_bound(effort.bound)
                .with_seed(effort.seed)
                .with_paranoia(effort.paranoid)
                .with_queries(queries.cloned());
            let result = panics::catch(|| {
                indubit::check_all(self.system, &open, effort.plan(), &mut run, &mut |index, result| {
                    match self.put(index, result) {
                        Ok(next) => next,
                        Err(error) => {
                            failure = Some(error);
                            Next::Enough
                        }
                    }
                });
            });
            if let Some(failure) = failure {
                return Err(failure);
            }
            match result {
                Ok(()) => break,
                // A bug. The others may do without it.
                Err(message) => {
                    let session = &mut self.session.lock();
                    let index = session.in_progress().filter(|i| open.contains(i)).unwrap_or(open[0]);
                    session.put_aside(index, Answer::Internal { message, kept: Vec::new() });
                }
            }
        }
        self.tell_the_rest()
    }

    /// Those without an answer.
    fn open(&self) -> Vec<usize> {
        let session = self.session.lock();
        let untold = &self.selected[self.n_told..];
        let is_open = |p: &&Selected| p.bad().is_some() && !session.has(p.index);
        untold.iter().filter(is_open).map(|p| p.index).collect()
    }

    /// A verdict is there.
    fn put(&mut self, index: usize, result: Result<Verdict, Error>) -> Result<Next, Failure> {
        let Some(property) = self.selected.iter().find(|p| p.index == index) else { return Ok(Next::GoOn) };
        let answer = self.answer(property, result);
        let is_enough = matches!(answer, Answer::Unsafe { .. }) && self.stops_at_unsafe();
        self.session.lock().put_aside(index, answer);
        if is_enough {
            return Ok(Next::Enough);
        }
        self.tell()?;
        Ok(Next::GoOn)
    }

    fn stops_at_unsafe(&self) -> bool {
        matches!(self.args.format, Format::Hwmcc | Format::Sby)
    }

    fn answer(&self, property: &Selected, result: Result<Verdict, Error>) -> Answer {
        let effusiveness = Effusiveness::of(self.args);
        match result {
            Ok(Verdict::Safe(proof)) => evidence::safe(self.system, proof, effusiveness),
            Ok(Verdict::Unsafe(trace)) => evidence::unsafe_(self.system, property, trace, effusiveness),
            Ok(Verdict::Unknown { stop, safe_up_to }) => {
                // The bound also survives a verdict whose evidence could not be checked in time.
                let safe_up_to = safe_up_to.max(self.session.lock().safe_up_to(property.index));
                Answer::Unknown { stop, safe_up_to }
            }
            Err(Error::Rejected { reason, claimed }) => {
                let kept = files::keep_rejected(&self.args.model, self.system, property, &claimed);
                let message = Error::Rejected { reason, claimed }.to_string();
                Answer::Internal { message, kept }
            }
            Err(error) => Answer::Internal { message: error.to_string(), kept: Vec::new() },
        }
    }

    /// Tell what can be told in order.
    fn tell(&mut self) -> Result<(), Failure> {
        while let Some(property) = self.selected.get(self.n_told) {
            let answer = match property.bad() {
                None => Answer::Unsupported,
                Some(_) => match self.session.lock().take(property.index) {
                    Some(answer) => answer,
                    None => break,
                },
            };
            self.record(property, answer)?;
        }
        Ok(())
    }

    /// The run is over: the others are unknown. Who stops at the first unsafe one does not want to hear of those after it.
    fn tell_the_rest(&mut self) -> Result<(), Failure> {
        let last = match self.stops_at_unsafe() {
            true => self.selected.iter().rposition(|p| self.session.lock().has(p.index)),
            false => self.selected.len().checked_sub(1),
        };
        let stop = self.cancel.reason().unwrap_or(Stop::Cancelled);
        while let Some(property) = self.selected.get(self.n_told).filter(|_| Some(self.n_told) <= last) {
            let (known, safe_up_to) = {
                let mut session = self.session.lock();
                (session.take(property.index), session.safe_up_to(property.index))
            };
            let answer = match property.bad() {
                None => Answer::Unsupported,
                Some(_) => known.unwrap_or(Answer::Unknown { stop, safe_up_to }),
            };
            self.record(property, answer)?;
        }
        Ok(())
    }

    fn record(&mut self, property: &Selected, answer: Answer) -> Result<(), Failure> {
        self.n_told += 1;
        let files = match answer {
            Answer::Safe { .. } if self.outputs.certificates_wait() => Vec::new(),
            _ => self.outputs.prepare(self.system, property, &answer, self.several),
        };
        let pending = files.iter().map(|file| (file.kind, file.path.clone())).collect();
        self.session.lock().record(property, answer, pending)?;
        for file in files {
            let result = file.save();
            self.session.lock().wrote(file.kind, &file.path, result)?;
        }
        Ok(())
    }
}
