//! Verdicts come in any order, and are told in the order of the properties.

use super::evidence::{self, Effusiveness};
use super::files::{self, Outputs};
use super::outcome::{Answer, Cti};
use super::session::Shared;
use crate::args::{Check, Format, Second};
use crate::exit::Failure;
use crate::panics;
use crate::properties::{Selected, Subject};
use crate::terminal::count;
use indubit::formats::model::WordModel;
use indubit::run::{Cancel, Ignore, Run, Sink, Stop, within_time};
use indubit::term::{Term, Terms};
use indubit::{
    BitSystem, Circuit, Error, Incremental, Invariant, NOT_INDUCTIVE, NOT_INDUCTIVE_RELATIVE, Next, Support,
    Verdict, WordIncremental, WordPlan, WordProof, WordSystem, WordTrace, WordVerdict,
};

/// The properties of a run.
pub struct Deck<'r> {
    pub args: &'r Check,
    pub question: Question<'r>,
    pub outputs: &'r Outputs,
    pub session: &'r Shared,
    pub cancel: &'r Cancel,
    /// Are there several properties, so that files have numbers?
    pub several: bool,
    pub selected: &'r [Selected],
    /// How many have been told.
    pub n_told: usize,
}

/// What they are about.
pub enum Question<'r> {
    Bits {
        system: &'r BitSystem,
        /// What the user's lemmas say that was proved.
        known: Invariant,
    },
    Words {
        model: &'r WordModel,
        /// Who shall be asked about proofs besides our own solver.
        second: Option<Second>,
        /// What the user's lemmas say that was proved, and where its terms are.
        known: Option<(&'r Terms, Vec<Term>)>,
    },
}

/// Who decides.
pub enum How<'h, 's> {
    /// The plan of the arguments, which may record its queries.
    Plan(&'h BitSystem, Option<&'h Sink>),
    /// Induction relative to lemmas.
    Lemmas(&'h mut Incremental<'s>),
    /// The same over words.
    WordLemmas(&'h mut WordIncremental<'s>),
    /// The plan for words.
    Words(&'h WordSystem, WordPlan),
    /// The plan for bits, on the circuit of the words.
    Circuit(&'h Circuit<'s>),
}

/// What was found about a property.
enum Found {
    Bits(Verdict, Option<Support>),
    Words(WordVerdict, Option<Support<WordTrace>>),
}

impl Found {
    fn words(verdict: WordVerdict) -> Found {
        Found::Words(verdict, None)
    }
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
            let args = self.args;
            let effort = &args.effort;
            let mut observer = self.session.clone();
            let mut run = Run::new(self.cancel.clone(), &mut observer)
                .with_bound(effort.bound)
                .with_seed(effort.seed)
                .with_paranoia(effort.paranoid);
            let mut put = |index, result| match self.put(index, result) {
                Ok(next) => next,
                Err(error) => {
                    failure = Some(error);
                    Next::Enough
                }
            };
            let result = panics::catch(|| match &mut how {
                How::Plan(system, queries) => {
                    run.queries = queries.cloned();
                    let mut tell =
                        |index, result: Result<_, _>| put(index, result.map(|v| Found::Bits(v, None)));
                    indubit::check_all(system, &open, args.plan(), &mut run, &mut tell);
                }
                How::Circuit(circuit) => {
                    let mut tell = |index, result: Result<_, _>| put(index, result.map(Found::words));
                    circuit.check_all(&open, args.plan(), &mut run, &mut tell);
                }
                How::Lemmas(proof) => one_by_one(&open, &mut run, &mut put, |index, run| {
                    proof.check(index, run).map(|(verdict, support)| Found::Bits(verdict, support))
                }),
                How::WordLemmas(proof) => one_by_one(&open, &mut run, &mut put, |index, run| {
                    proof.check(index, run).map(|(verdict, support)| Found::Words(verdict, support))
                }),
                How::Words(system, plan) => {
                    let mut tell = |index, result: Result<_, _>| put(index, result.map(Found::words));
                    indubit::check_all_words(system, &open, plan, &mut run, &mut tell);
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
        let is_open = |p: &&Selected| !p.is_live() && !session.has(p.index);
        untold.iter().filter(is_open).map(|p| p.index).collect()
    }

    /// A verdict is there.
    fn put(&mut self, index: usize, result: Result<Found, Error>) -> Result<Next, Failure> {
        let Some(property) = self.selected.iter().find(|p| p.index == index) else { return Ok(Next::GoOn) };
        if let Err(error @ Error::Unsupported { .. }) = &result {
            let is_circuit = matches!(&self.question, Question::Words { model, .. } if Circuit::new(model.system()).is_some());
            return Err(beyond(self.args, is_circuit, &property.title(), error));
        }
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
        matches!(self.args.format, Format::Hwmcc | Format::Sby | Format::Chc)
    }

    fn answer(&self, property: &Selected, result: Result<Found, Error>) -> Answer {
        let effusiveness = Effusiveness::of(self.args);
        match (&self.question, result) {
            (Question::Bits { system, .. }, Ok(Found::Bits(Verdict::Safe(proof), support))) => {
                evidence::safe(system, proof, support, effusiveness)
            }
            (Question::Bits { system, .. }, Ok(Found::Bits(Verdict::Unsafe(trace), _))) => {
                match &property.subject {
                    Subject::Bits(property) => evidence::unsafe_(system, property, trace, effusiveness),
                    Subject::Words { .. } => unreachable!("a property of bits"),
                }
            }
            (Question::Words { model, second, .. }, Ok(Found::Words(Verdict::Safe(proof), support))) => {
                let wanted = self.args.invariant.is_some() || self.args.prints_model();
                match second.as_ref().map(|second| self.ask(second, model, property, &proof)) {
                    Some(Some(answer)) => answer,
                    _ => evidence::safe_words(model, property, proof, support, wanted, effusiveness),
                }
            }
            (Question::Words { model, .. }, Ok(Found::Words(Verdict::Unsafe(trace), _))) => {
                evidence::unsafe_words(model, property, &trace, effusiveness)
            }
            (
                _,
                Ok(
                    Found::Bits(Verdict::Unknown { stop, safe_up_to }, _)
                    | Found::Words(Verdict::Unknown { stop, safe_up_to }, _),
                ),
            ) => {
                // The bound also survives a verdict whose evidence could not be checked in time.
                let safe_up_to = safe_up_to.max(self.session.lock().safe_up_to(property.index));
                Answer::Unknown { stop, safe_up_to, cti: self.cti(property, stop) }
            }
            (question, Err(error)) => {
                let kept = match (question, &error) {
                    (Question::Bits { system, .. }, Error::Rejected { claimed, .. }) => {
                        files::keep_rejected(&self.args.model, system, property, claimed)
                    }
                    (Question::Words { model, .. }, Error::RejectedWords { claimed, .. }) => {
                        files::keep_rejected_words(model, property, claimed)
                    }
                    _ => Vec::new(),
                };
                Answer::Internal { message: error.to_string(), kept }
            }
            _ => unreachable!("a verdict is about its model"),
        }
    }

    /// What another solver says of a proof that ours has checked: nothing, unless it does not agree.
    fn ask(
        &self,
        second: &Second,
        model: &WordModel,
        property: &Selected,
        proof: &WordProof,
    ) -> Option<Answer> {
        let other = &second.solver;
        let ask = |cancel: &Cancel| {
            indubit::certify::ask_another(model.system(), property.index, proof, other, cancel)
        };
        let asked = match second.limit {
            Some(limit) => within_time(limit, self.cancel, ask).unwrap_or(Err(Stop::TimeLimit)),
            None => ask(self.cancel),
        };
        let doubt = match asked {
            Ok(Ok(doubts)) => {
                let n = count(doubts.len(), "query", "queries");
                doubts.first().map(|doubt| format!("{n} not confirmed: {doubt}"))
            }
            Ok(Err(reason)) => {
                let message =
                    format!("{} does not agree with the check of the proof: {reason}", other.name());
                let claimed = Verdict::Safe(proof.clone());
                let kept = files::keep_rejected_words(model, property, &claimed);
                return Some(Answer::Internal { message, kept });
            }
            Err(stop) => Some(format!("not confirmed by {}: {stop}", other.name())),
        };
        match (doubt, second.limit) {
            (None, _) => (),
            (Some(_), Some(_)) => self.session.lock().forget_other(),
            (Some(doubt), None) => self.session.lock().doubt(&format!("{}: {doubt}", property.title())),
        }
        None
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
        match &self.question {
            Question::Bits { system, known } => {
                let found = indubit::counterexample_to_induction(system, property.index, known, &run);
                let bad = system.bad_signals()[property.bad()?].lit;
                let step = |trace| evidence::step(system, &[bad], &trace, &property.label(), effusiveness);
                found.ok()?.map(step)
            }
            Question::Words { model, known, .. } => {
                let system = model.system();
                let nothing = (&system.terms, Vec::new());
                let (terms, lemmas) = known.as_ref().unwrap_or(&nothing);
                let other = self.args.other();
                let found = indubit::word_counterexample_to_induction(
                    system,
                    property.index,
                    terms,
                    lemmas,
                    other,
                    &run,
                );
                let broken = format!("{} is false", property.label());
                found.ok()?.map(|trace| evidence::word_step(model, &trace, &broken, effusiveness))
            }
        }
    }

    /// Tell what can be told in order.
    fn tell(&mut self) -> Result<(), Failure> {
        while let Some(property) = self.selected.get(self.n_told) {
            let answer = match property.is_live() {
                true => Answer::Unsupported,
                false => match self.session.lock().take(property.index) {
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
            let answer = match property.is_live() {
                true => Answer::Unsupported,
                false => known.unwrap_or(Answer::Unknown { stop, safe_up_to, cti: None }),
            };
            self.record(property, answer)?;
        }
        Ok(())
    }

    fn record(&mut self, property: &Selected, answer: Answer) -> Result<(), Failure> {
        self.n_told += 1;
        let files = self.outputs.prepare(&self.question, property, &answer, self.several);
        let pending = files.iter().map(|file| (file.kind, file.path.clone())).collect();
        self.session.lock().record(property, answer, pending)?;
        for file in files {
            let result = file.save();
            self.session.lock().wrote(file.kind, &file.path, result)?;
        }
        Ok(())
    }
}

/// Our solver has no theory for it: who has?
pub fn beyond(args: &Check, is_circuit: bool, what: &str, error: &Error) -> Failure {
    let hint = match is_circuit {
        true => "this engine is for numbers; --engine ic3 and other engines for bits decide bit-vectors",
        false if args.other().is_some() => "the portfolio, bmc and kind can ask another solver",
        false => {
            "Indubit's own solver is for linear arithmetic, and bit-vectors alone become a circuit; --smt z3 lets another one decide what is beyond"
        }
    };
    Failure::bad_input(format!("{what}: {error}")).with_hint(hint)
}

/// Decide properties one after the other, until nobody wants to know more.
fn one_by_one(
    open: &[usize],
    run: &mut Run<'_>,
    put: &mut dyn FnMut(usize, Result<Found, Error>) -> Next,
    mut decide: impl FnMut(usize, &mut Run<'_>) -> Result<Found, Error>,
) {
    for &index in open {
        let result = decide(index, run);
        if put(index, result) == Next::Enough || run.checkpoint().is_err() {
            return;
        }
    }
}
