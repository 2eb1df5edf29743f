//! Verdicts come in any order, and are told in the order of the properties.

use super::evidence::{self, Effusiveness};
use super::files::{self, Outputs};
use super::outcome::{Answer, Cti};
use super::session::Shared;
use crate::args::{Check, Format};
use crate::exit::Failure;
use crate::panics;
use crate::properties::Selected;
use indubit::run::{Cancel, Ignore, Run, Sink, Stop};
use indubit::{
    BitSystem, Error, Incremental, Invariant, NOT_INDUCTIVE, NOT_INDUCTIVE_RELATIVE, Next, Support, Verdict,
};

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
    /// What the user's lemmas say that was proved.
    pub known: Invariant,
    /// How many have been told.
    pub n_told: usize,
}

/// Who decides.
pub enum How<'h, 's> {
    /// The plan of the arguments, which may record its queries.
    Plan(Option<&'h Sink>),
    /// Induction relative to lemmas.
    Lemmas(&'h mut Incremental<'s>),
}

impl Deck<'_> {
    /// Decide and tell all of them.
    pub fn play(mut self, mut how: How<'_, '_>) -> Result<(), Failure> {
        let mut failure = None;
        loop {
            self.tell()?;
            let open: Vec<usize> = self.open();
            if open.is_empty() || self.cancel.is_raised() {
                break;
            }
            let (args, system) = (self.args, self.system);
            let effort = &args.effort;
            let mut observer = self.session.clone();
            let mut run = Run::new(self.cancel.clone(), &mut observer)
                .with_bound(effort.bound)
                .with_seed(effort.seed)
                .with_paranoia(effort.paranoid);
            let mut put = |index, result, support| match self.put(index, result, support) {
                Ok(next) => next,
                Err(error) => {
                    failure = Some(error);
                    Next::Enough
                }
            };
            let result = panics::catch(|| match &mut how {
                How::Plan(queries) => {
                    run.queries = queries.cloned();
                    let mut tell = |index, result| put(index, result, None);
                    indubit::check_all(system, &open, args.plan(), &mut run, &mut tell);
                }
                How::Lemmas(proof) => {
                    for &index in &open {
                        let (result, support) = match proof.check(index, &mut run) {
                            Ok((verdict, support)) => (Ok(verdict), support),
                            Err(error) => (Err(error), None),
                        };
                        if put(index, result, support) == Next::Enough || run.checkpoint().is_err() {
                            break;
                        }
                    }
                }
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
    fn put(
        &mut self,
        index: usize,
        result: Result<Verdict, Error>,
        support: Option<Support>,
    ) -> Result<Next, Failure> {
        let Some(property) = self.selected.iter().find(|p| p.index == index) else { return Ok(Next::GoOn) };
        let answer = self.answer(property, result, support);
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

    fn answer(
        &self,
        property: &Selected,
        result: Result<Verdict, Error>,
        support: Option<Support>,
    ) -> Answer {
        let effusiveness = Effusiveness::of(self.args);
        match result {
            Ok(Verdict::Safe(proof)) => evidence::safe(self.system, proof, support, effusiveness),
            Ok(Verdict::Unsafe(trace)) => evidence::unsafe_(self.system, property, trace, effusiveness),
            Ok(Verdict::Unknown { stop, safe_up_to }) => {
                // The bound also survives a verdict whose evidence could not be checked in time.
                let safe_up_to = safe_up_to.max(self.session.lock().safe_up_to(property.index));
                Answer::Unknown { stop, safe_up_to, cti: self.cti(property, stop) }
            }
            Err(Error::Rejected { reason, claimed }) => {
                let kept = files::keep_rejected(&self.args.model, self.system, property, &claimed);
                let message = Error::Rejected { reason, claimed }.to_string();
                Answer::Internal { message, kept }
            }
            Err(error) => Answer::Internal { message: error.to_string(), kept: Vec::new() },
        }
    }

    /// If the property is not inductive: why. That is asked of the user's own model, for after preprocessing a state need not be one of it.
    fn cti(&self, property: &Selected, stop: Stop) -> Option<Cti> {
        let effusiveness = Effusiveness::of(self.args);
        let Stop::Incomplete(NOT_INDUCTIVE | NOT_INDUCTIVE_RELATIVE) = stop else { return None };
        if effusiveness == Effusiveness::None {
            return None;
        }
        let mut observer = Ignore;
        let run = Run::new(self.cancel.clone(), &mut observer).with_seed(self.args.effort.seed);
        let found = indubit::counterexample_to_induction(self.system, property.index, &self.known, &run);
        let bad = self.system.bad_signals()[property.bad()?].lit;
        found.ok()?.map(|trace| {
            evidence::step(self.system, &[bad], &trace, &property.property.label(), effusiveness)
        })
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
                Some(_) => known.unwrap_or(Answer::Unknown { stop, safe_up_to, cti: None }),
            };
            self.record(property, answer)?;
        }
        Ok(())
    }

    fn record(&mut self, property: &Selected, answer: Answer) -> Result<(), Failure> {
        self.n_told += 1;
        let files = self.outputs.prepare(self.system, property, &answer, self.several);
        let pending = files.iter().map(|file| (file.kind, file.path.clone())).collect();
        self.session.lock().record(property, answer, pending)?;
        for file in files {
            let result = file.save();
            self.session.lock().wrote(file.kind, &file.path, result)?;
        }
        Ok(())
    }
}
