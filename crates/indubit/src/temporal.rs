//! Claims in temporal logic: decided as questions about the [`Product`] of the system with what watches it.
//!
//! A claim is one question about what is seen infinitely often and, if a finite run can violate it, another one about reachability: the first answer that decides it counts. A finite run does,
//! over numbers, if every one of them goes on for ever. Properties
//! that need no product are decided of the system itself. Both have their turns.

use crate::all::{Answer, Next, Tell, Then, ask_all};
use crate::check::{certified, decided};
use crate::path::{Path, is_circuit};
use crate::plan::Plan;
use crate::verdict::{Error, Verdict};
use crate::workers::{Desk, Heard, Workers};
use indubit_certify::{FINITE_RUN, Solving};
use indubit_run::{Cancel, Run, Source, Stop};
use indubit_system::{Claim, Evidence, Product, Property};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the first turn of one of the two systems is; each later one is longer by a quarter.
const TURN: Duration = Duration::from_millis(300);

/// Engines for reachability decide what a finite run can violate.
const NOBODY: &str = "such an engine does not decide what must happen some time";

/// A system with claims in temporal logic.
pub(crate) struct Temporal<'s, K: Path> {
    system: &'s K::System,
    product: Product<K>,
    properties: Vec<Property<K::Formula>>,
    /// Those that are asked about: of the system itself, and of the product.
    plain: Vec<usize>,
    temporal: Vec<usize>,
}

impl<'s, K: Path> Temporal<'s, K> {
    /// If any of these properties is one.
    pub fn new(system: &'s K::System, asked: &[usize]) -> Option<Temporal<'s, K>> {
        let properties = K::properties(system);
        let (temporal, plain): (Vec<usize>, _) =
            asked.iter().partition(|&&p| properties.get(p).is_some_and(|p| matches!(p.claim, Claim::Ltl(_))));
        if temporal.is_empty() {
            return None;
        }
        Some(Temporal { system, product: Product::of(system)?, properties, plain, temporal })
    }

    /// Decide the only one that was asked about.
    pub fn check(self, property: usize, plan: &Plan, run: &mut Run<'_>) -> Result<Verdict<K>, Error<K>> {
        let mut found = None;
        self.check_all(plan, run, &mut |answer| {
            found = Some(answer);
            Next::GoOn
        })?;
        let Some(Answer { result, record, .. }) = found else {
            return Err(Error::NoSuchProperty { index: property, available: 0 });
        };
        run.add_record(record);
        result
    }

    /// Decide all of them.
    pub fn check_all(self, plan: &Plan, run: &mut Run<'_>, tell: &mut Tell<'_, K>) -> Result<(), Error<K>> {
        if self.plain.is_empty() {
            return self.ask(plan, run, tell);
        }
        // Whoever records queries wants one stream of them.
        if run.queries.is_some() {
            ask_all(self.system, &self.plain, plan, run, &mut |answer| Then {
                next: tell(answer),
                settled: None,
            })?;
            return self.ask(plan, run, tell);
        }
        std::thread::scope(|scope| {
            let mut workers: Workers<'_, '_, Result<Answer<K>, Error<K>>> = Workers::new(scope, run);
            let cancels = [workers.flag(), workers.flag()];
            for (member, cancel) in cancels.iter().enumerate() {
                let source = Source { member, ..run.source() };
                let desk = Desk { cancel: cancel.clone(), bounds: Arc::default(), source, seed: run.seed };
                let this = &self;
                let started = workers.start(desk, move |own, find| {
                    let mut told = |answer| {
                        find(Ok(answer));
                        Next::GoOn
                    };
                    let ended = if member == 0 {
                        ask_all(this.system, &this.plain, plan, own, &mut |answer| Then {
                            next: told(answer),
                            settled: None,
                        })
                    } else {
                        this.ask(plan, own, &mut told)
                    };
                    if let Err(error) = ended {
                        find(Err(error));
                    }
                });
                if let Err(error) = started {
                    let message = format!("cannot start a thread: {error}");
                    return Err(Error::Panicked { message });
                }
            }
            Turns::new(&cancels).hear(workers, run, tell)
        })
    }

    /// Decide those in temporal logic.
    fn ask(&self, plan: &Plan, run: &mut Run<'_>, tell: &mut Tell<'_, K>) -> Result<(), Error<K>> {
        let questions: Vec<usize> =
            self.temporal.iter().flat_map(|&p| self.product.safety(p).into_iter().chain([p])).collect();
        let mut open: HashMap<usize, Answer<K>> = HashMap::new();
        let by = Solving::new(run.cancel()).with_paranoia(run.paranoid);
        let is_circuit = is_circuit::<K>(self.system, plan.array_bits);
        let mut hear = |answer: Answer<K>| {
            let property = self.product.original(answer.property);
            let twin =
                if answer.property == property { self.product.safety(property) } else { Some(property) };
            let before = open.remove(&property);
            let is_last = before.is_some() || twin.is_none();
            let mut answer = self.raised(property, answer, before, is_circuit, &by);
            if let (true, Err(Error::Unsupported { .. } | Error::Unfit { .. })) = (is_last, &answer.result) {
                let stop = Stop::Incomplete(NOBODY);
                answer.result = Ok(Verdict::Unknown { stop, safe_up_to: None });
            }
            if is_last || matches!(&answer.result, Ok(verdict) if verdict.truth().is_some()) {
                return Then { next: tell(answer), settled: twin };
            }
            open.insert(property, answer);
            Then { next: Next::GoOn, settled: None }
        };
        run.part_for(&|question| self.product.original(question), |own| {
            ask_all(&self.product.system, &questions, plan, own, &mut hear)
        })
    }

    /// What an answer about the product says about the system, together with one that decided nothing.
    fn raised(
        &self,
        property: usize,
        answer: Answer<K>,
        before: Option<Answer<K>>,
        is_circuit: bool,
        by: &Solving,
    ) -> Answer<K> {
        let is_safety = answer.property != property;
        let Answer { result, mut record, mut worked, .. } = answer;
        let result = match result {
            // How far finite runs were searched says nothing about lassos, which are shorter than what they stand for.
            Ok(Verdict::Unknown { stop, .. }) if is_safety => Ok(Verdict::Unknown { stop, safe_up_to: None }),
            // Where there are finitely many states, some run that begins so repeats, and is searched for.
            Ok(Verdict::Fails { .. }) if is_safety && is_circuit => {
                let stop = Stop::Incomplete(FINITE_RUN);
                Ok(Verdict::Unknown { stop, safe_up_to: None })
            }
            Ok(Verdict::Fails { evidence: Evidence::Trace(trace), .. }) => {
                let trace = K::restrict(self.system, &trace);
                certified(self.system, &self.properties[property], Evidence::Trace(trace), by)
            }
            // The proof was checked against the product, which whoever checks it again makes of the system and the formula.
            Ok(Verdict::Holds { evidence, .. }) => Ok(decided(&self.properties[property], evidence)),
            other => other,
        };
        let decides = |result: &Result<Verdict<K>, Error<K>>| matches!(result, Ok(v) if v.truth().is_some());
        let result = match before {
            Some(before) if !decides(&result) => {
                worked += before.worked;
                // Whoever could not do anything says less than whoever tried; a bug must not go unnoticed.
                let is_less = |e: &Error<K>| {
                    matches!(e, Error::Unsupported { .. } | Error::Unfit { .. } | Error::NoTheory { .. })
                };
                match (before.result, result) {
                    (
                        Ok(Verdict::Unknown { safe_up_to: a, .. }),
                        Ok(Verdict::Unknown { stop, safe_up_to: b }),
                    ) => Ok(Verdict::Unknown { stop, safe_up_to: a.max(b) }),
                    (Err(error), Ok(known)) if is_less(&error) => Ok(known),
                    (Ok(known), Err(error)) if is_less(&error) => {
                        record = before.record;
                        Ok(known)
                    }
                    (Err(error), _) | (_, Err(error)) => Err(error),
                    (_, result) => result,
                }
            }
            before => {
                worked += before.map_or(Duration::ZERO, |before| before.worked);
                result
            }
        };
        Answer { property, result, record, worked }
    }
}

/// The system itself and the product take turns.
struct Turns<'c> {
    cancels: &'c [Cancel; 2],
    at_work: usize,
    end: Instant,
    length: Duration,
}

impl<'c> Turns<'c> {
    fn new(cancels: &'c [Cancel; 2]) -> Turns<'c> {
        cancels[1].pause(true);
        Turns { cancels, at_work: 0, end: Instant::now() + TURN, length: TURN }
    }
    fn change(&mut self) {
        self.cancels[self.at_work].pause(true);
        self.at_work = 1 - self.at_work;
        self.cancels[self.at_work].pause(false);
        self.length += self.length / 4;
        self.end = Instant::now() + self.length;
    }
    /// Pass on what they say until both have ended, or nobody wants to know more.
    fn hear<K: Path>(
        mut self,
        mut workers: Workers<'_, '_, Result<Answer<K>, Error<K>>>,
        run: &mut Run<'_>,
        tell: &mut Tell<'_, K>,
    ) -> Result<(), Error<K>> {
        let mut has_ended = [false; 2];
        let mut panic = None;
        while workers.is_anybody_there() {
            match workers.listen() {
                Heard::Silence => (),
                Heard::Event(_, source, event) => run.relay(source, &event),
                Heard::Found(_, Ok(answer)) => {
                    if tell(answer) == Next::Enough {
                        return Ok(());
                    }
                }
                Heard::Found(_, Err(error)) => return Err(error),
                Heard::Ended(worker, message) => {
                    has_ended[worker.member] = true;
                    panic = panic.or(message);
                    if self.at_work == worker.member {
                        self.change();
                    }
                }
            }
            if Instant::now() >= self.end && !has_ended[1 - self.at_work] {
                self.change();
            }
        }
        match panic {
            Some(message) => Err(Error::Panicked { message }),
            None => Ok(()),
        }
    }
}
