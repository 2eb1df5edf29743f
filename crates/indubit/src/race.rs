//! Several ways to decide one question, at once or in turns; the first checked answer wins.
//!
//! So many are at work as there are threads. If there are several threads, the first one in the race always is, and the others share what is
//! left; with one thread all of them do. They take turns that become longer: whoever is not at work waits at its next look at the cancel flag, and keeps what it knows.

use crate::path::Path;
use crate::verdict::{Error, Verdict};
use crate::workers::{Desk, Heard, Workers};
use indubit_run::{Cancel, Event, Record, Run, Source, Stop};
use std::time::{Duration, Instant};

/// How long the first turn of a racer of weight 1 is; each later one is longer by half.
const TURN: Duration = Duration::from_millis(300);

/// So long any check may take before others have turns again.
const CHECK: Duration = Duration::from_secs(2);

/// A bug of one does not keep the others from deciding; it must not go unnoticed, all the same.
const PANICS: &str = "members that panicked";

/// One way to decide the question.
pub(crate) struct Racer<'s, K: Path> {
    /// How long its turns are, compared with those of others.
    pub weight: u32,
    /// It begins only when it is let go.
    pub waits: bool,
    /// Decides, and checks.
    pub decide: Decide<'s, K>,
}

type Decide<'s, K> = Box<dyn FnOnce(&mut Run<'_>) -> Result<Verdict<K>, Error<K>> + Send + 's>;

/// What a racer has found, and what it did for that.
type Found<K> = (Result<Verdict<K>, Error<K>>, Record);

/// What the first one says whose answer was checked; a panic is the error only if nobody decides. Those that wait are let go when `is_open`, or when the first one has ended.
pub(crate) fn race<K: Path>(
    racers: Vec<Racer<'_, K>>,
    n_threads: usize,
    is_open: &dyn Fn() -> bool,
    run: &mut Run<'_>,
) -> Result<Verdict<K>, Error<K>> {
    std::thread::scope(|scope| {
        let mut workers: Workers<'_, '_, Found<K>> = Workers::new(scope, run);
        let cancels: Vec<Cancel> = racers.iter().map(|_| workers.flag()).collect();
        let mut turns = Turns::new(&racers, &cancels, n_threads);
        let mut started = Ok(());
        for (index, (racer, cancel)) in racers.into_iter().zip(&cancels).enumerate() {
            let source = Source { member: index, ..run.source() };
            let (cancel, bounds) = (cancel.clone(), run.bounds().clone());
            let desk = Desk { cancel, bounds, source, seed: run.seed.wrapping_add(index as u64) };
            started = started.and(workers.start(desk, move |own, find| {
                let result = (racer.decide)(own);
                find((result, own.take_record()));
            }));
        }
        match started {
            Ok(()) => collect(&mut workers, &mut turns, is_open, run),
            Err(error) => Err(Error::Panicked { message: format!("cannot start a thread: {error}") }),
        }
    })
}

/// Wait for an answer.
fn collect<K: Path>(
    workers: &mut Workers<'_, '_, Found<K>>,
    turns: &mut Turns<'_>,
    is_open: &dyn Fn() -> bool,
    run: &mut Run<'_>,
) -> Result<Verdict<K>, Error<K>> {
    let (mut stop, mut first) = (None, Record::default());
    let mut panics: Vec<String> = Vec::new();
    while workers.is_anybody_there() {
        match workers.listen() {
            // It is one property that all work on: what one of them knows is told once.
            Heard::Event(_, _, Event::Bound { safe_up_to }) => run.publish_bound(safe_up_to),
            Heard::Event(worker, source, event) => {
                if let Event::Checking { .. } = event {
                    turns.let_finish(worker.member);
                }
                run.relay(source, &event);
            }
            Heard::Found(worker, (result, record)) => match result {
                Ok(Verdict::Unknown { stop: reason, .. }) => {
                    // What an engine cannot do tells less than what none of them could.
                    stop = stop.filter(|s| !matches!(s, Stop::Incomplete(_))).or(Some(reason));
                    if worker.member == 0 {
                        first = record;
                    }
                }
                decided => {
                    run.add_record(record);
                    if !panics.is_empty() {
                        run.count(PANICS, panics.len() as u64);
                    }
                    return decided;
                }
            },
            Heard::Ended(worker, panic) => {
                panics.extend(panic);
                turns.end(worker.member);
            }
            Heard::Silence => (),
        }
        if is_open() {
            turns.release();
        }
        turns.tick(run.cancel().is_paused());
    }
    if let Some(message) = panics.into_iter().next() {
        return Err(Error::Panicked { message });
    }
    // What it took is told of the first one.
    run.add_record(first);
    let stop = run.cancel().reason().or(stop).unwrap_or(Stop::Cancelled);
    Ok(Verdict::Unknown { stop, safe_up_to: run.bounds().safe_up_to() })
}

/// Who is at work.
struct Turns<'c> {
    cancels: &'c [Cancel],
    /// Those at work, with the end of their turn; none for the first one, if there are several threads.
    at_work: Vec<(usize, Option<Instant>)>,
    /// Those that wait, the next one first.
    waiting: Vec<usize>,
    /// Those that want what the first one is preparing: they wait until it is ready.
    held: Vec<usize>,
    n_threads: usize,
    /// How long the next turn of each member is.
    lengths: Vec<Duration>,
    /// When the clock was last looked at.
    now: Instant,
    /// How long the race has gone on, pauses aside.
    gone_by: Duration,
}

impl Turns<'_> {
    /// The first one begins, and whoever does not want what it prepares.
    fn new<'c, K: Path>(racers: &[Racer<'_, K>], cancels: &'c [Cancel], n_threads: usize) -> Turns<'c> {
        for cancel in cancels {
            cancel.pause(true);
        }
        let (held, waiting) = (0..racers.len()).partition(|&r| racers[r].waits);
        let lengths = racers.iter().map(|r| TURN * r.weight).collect();
        let now = Instant::now();
        let (at_work, gone_by) = (Vec::new(), Duration::ZERO);
        let mut turns = Turns { cancels, at_work, waiting, held, n_threads, lengths, now, gone_by };
        turns.fill();
        turns
    }
    /// What the first one prepares is ready, or will never be.
    fn release(&mut self) {
        self.waiting.append(&mut self.held);
        self.fill();
    }
    /// Let those begin for whom there is room.
    fn fill(&mut self) {
        while self.at_work.len() < self.n_threads && !self.waiting.is_empty() {
            let index = self.waiting.remove(0);
            let length = &mut self.lengths[index];
            let end = Instant::now() + *length;
            *length += *length / 2;
            self.work(index, end);
        }
    }
    /// A turn may be over. While all of them wait for others, no time goes by.
    fn tick(&mut self, is_paused: bool) {
        let now = Instant::now();
        let passed = now - std::mem::replace(&mut self.now, now);
        match is_paused {
            true => self.at_work.iter_mut().filter_map(|w| w.1.as_mut()).for_each(|end| *end += passed),
            false => self.gone_by += passed,
        }
        if is_paused || self.waiting.is_empty() {
            return;
        }
        // Over, or left to others: who will do nothing with it has it again soon.
        for position in (0..self.at_work.len()).rev() {
            let (index, Some(end)) = self.at_work[position] else { continue };
            let gave_way = self.cancels[index].has_given_way();
            if gave_way || end <= now {
                self.at_work.remove(position);
                self.cancels[index].pause(true);
                self.waiting.push(index);
            }
            if gave_way {
                self.lengths[index] = self.lengths[index] * 2 / 3;
            }
        }
        self.fill();
    }
    /// A member has an answer, which is being checked: nothing is more urgent, as long as that takes no longer than the race so far.
    fn let_finish(&mut self, index: usize) {
        self.waiting.retain(|&w| w != index);
        self.at_work.retain(|w| w.0 != index);
        let end = self.now + self.gone_by.max(CHECK);
        self.work(index, end);
    }
    /// A member works until then; with several threads the first one does so always.
    fn work(&mut self, index: usize, end: Instant) {
        self.at_work.push((index, (index != 0 || self.n_threads == 1).then_some(end)));
        self.cancels[index].pause(false);
    }
    /// A member has nothing more to do.
    fn end(&mut self, index: usize) {
        self.at_work.retain(|w| w.0 != index);
        self.waiting.retain(|&w| w != index);
        if index == 0 {
            self.release();
        }
        self.fill();
    }
}
