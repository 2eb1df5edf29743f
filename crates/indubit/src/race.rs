//! Several ways to decide one question, at once or in turns; the first checked answer wins.
//!
//! So many are at work as there are threads. If there are several threads, the first one in the race always is, and the others share what is
//! left; with one thread all of them do. They take turns that become longer: whoever is not at work waits at its next look at the cancel flag, and keeps what it knows.

use crate::check::Error;
use indubit_run::{Cancel, Event, Observer, Run, Stop};
use indubit_system::Verdict;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How long the first turn of a racer of weight 1 is; each later one is longer by half.
const TURN: Duration = Duration::from_millis(300);
/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(5);

/// One way to decide the question.
pub(crate) struct Racer<'s, V> {
    /// How long its turns are, compared with those of others.
    pub(crate) weight: u32,
    /// It begins only when it is let go.
    pub(crate) waits: bool,
    /// Decides, and checks.
    pub(crate) decide: Decide<'s, V>,
}

type Decide<'s, V> = Box<dyn FnOnce(&mut Run<'_>) -> Result<V, Error> + Send + 's>;

/// What the first one says whose answer was checked. Those that wait are let go when `is_open`, or when the first one has ended.
pub(crate) fn race<T: Send, P: Send>(
    racers: Vec<Racer<'_, Verdict<T, P>>>,
    n_threads: usize,
    is_open: &dyn Fn() -> bool,
    run: &mut Run<'_>,
) -> Result<Verdict<T, P>, Error> {
    let cancels: Vec<Cancel> = racers.iter().map(|_| run.cancel().child()).collect();
    let mut turns = Turns::new(&racers, &cancels, n_threads);
    let (seed, bound, paranoid) = (run.seed, run.bound, run.paranoid);
    let exchange = run.exchange.clone();
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for (index, (racer, cancel)) in racers.into_iter().zip(&cancels).enumerate() {
            let mut relay = Relay { index, sender: sender.clone(), kept: Vec::new() };
            let (cancel, exchange) = (cancel.clone(), exchange.clone());
            scope.spawn(move || {
                let mut own = Run::new(cancel, &mut relay)
                    .with_seed(seed.wrapping_add(index as u64))
                    .with_bound(bound)
                    .with_paranoia(paranoid)
                    .with_exchange(exchange);
                let result = catch_unwind(AssertUnwindSafe(|| (racer.decide)(&mut own)));
                relay.done(result);
            });
        }
        drop(sender);
        let result = collect(&receiver, &mut turns, is_open, run);
        for cancel in &cancels {
            cancel.cancel();
        }
        result.unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Wait for an answer.
fn collect<T, P>(
    receiver: &Receiver<Message<Verdict<T, P>>>,
    turns: &mut Turns<'_>,
    is_open: &dyn Fn() -> bool,
    run: &mut Run<'_>,
) -> Outcome<Verdict<T, P>> {
    let (mut stop, mut first) = (None, Vec::new());
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(Message::Seen { index, event }) => {
                if let Seen::Checking(_) = event {
                    turns.let_finish(index);
                }
                event.relay(index, run);
            }
            Ok(Message::Done { index, result, kept }) => match *result {
                Ok(Ok(Verdict::Unknown { stop: reason, .. })) => {
                    // What an engine cannot do tells less than what none of them could.
                    stop = stop.filter(|s| !matches!(s, Stop::Incomplete(_))).or(Some(reason));
                    turns.end(index);
                    if index == 0 {
                        first = kept;
                    }
                }
                other => {
                    kept.iter().for_each(|event| event.relay(0, run));
                    return other;
                }
            },
            Err(RecvTimeoutError::Timeout) => (),
            Err(RecvTimeoutError::Disconnected) => {
                // What it took is told of the first one.
                first.iter().for_each(|event| event.relay(0, run));
                let stop = run.cancel().reason().or(stop).unwrap_or(Stop::Cancelled);
                return Ok(Ok(Verdict::Unknown { stop, safe_up_to: run.exchange.safe_up_to() }));
            }
        }
        if is_open() {
            turns.release();
        }
        turns.tick();
    }
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
}

impl Turns<'_> {
    /// The first one begins, and whoever does not want what it prepares.
    fn new<'c, V>(racers: &[Racer<'_, V>], cancels: &'c [Cancel], n_threads: usize) -> Turns<'c> {
        for cancel in cancels {
            cancel.pause(true);
        }
        let (held, waiting) = (0..racers.len()).partition(|&r| racers[r].waits);
        let lengths = racers.iter().map(|r| TURN * r.weight).collect();
        let mut turns = Turns { cancels, at_work: Vec::new(), waiting, held, n_threads, lengths };
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
            let is_always = index == 0 && self.n_threads > 1;
            self.at_work.push((index, (!is_always).then(|| Instant::now() + *length)));
            *length += *length / 2;
            self.cancels[index].pause(false);
        }
    }
    /// A turn may be over.
    fn tick(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let now = Instant::now();
        let is_over = |end: Option<Instant>| end.is_some_and(|end| end <= now);
        for &(index, _) in self.at_work.iter().filter(|w| is_over(w.1)) {
            self.cancels[index].pause(true);
            self.waiting.push(index);
        }
        self.at_work.retain(|w| !is_over(w.1));
        self.fill();
    }
    /// A member has an answer, which is being checked: nothing is more urgent.
    fn let_finish(&mut self, index: usize) {
        self.waiting.retain(|&w| w != index);
        self.at_work.retain(|w| w.0 != index);
        self.at_work.push((index, None));
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

/// What became of a member: a verdict, an error, or a bug.
type Outcome<V> = std::thread::Result<Result<V, Error>>;

/// What members tell.
enum Message<V> {
    Seen { index: usize, event: Seen },
    Done { index: usize, result: Box<Outcome<V>>, kept: Vec<Seen> },
}

/// An event that can be sent.
enum Seen {
    Engine(&'static str),
    Pass { name: &'static str, before: [usize; 3], after: [usize; 3] },
    Bound(u32),
    Frames(Vec<usize>),
    Obligation { level: u32, depth: u32, queued: usize },
    Lemma { level: u32, size: usize },
    Count { name: &'static str, value: u64 },
    Checking(&'static str),
}

impl Seen {
    fn of(event: &Event<'_>) -> Option<Seen> {
        Some(match *event {
            Event::Engine { name } => Seen::Engine(name),
            Event::Pass { name, before, after } => Seen::Pass { name, before, after },
            Event::Bound { safe_up_to } => Seen::Bound(safe_up_to),
            Event::Frames { sizes } => Seen::Frames(sizes.to_vec()),
            Event::Obligation { level, depth, queued } => Seen::Obligation { level, depth, queued },
            Event::Lemma { level, size } => Seen::Lemma { level, size },
            Event::Count { name, value } => Seen::Count { name, value },
            Event::Checking { what } => Seen::Checking(what),
            _ => return None,
        })
    }
    /// Frames, obligations and lemmas are shown of the first member only, and who it is: those of several would not fit together.
    fn relay(&self, index: usize, run: &mut Run<'_>) {
        match *self {
            Seen::Bound(safe_up_to) if run.safe_up_to().is_none_or(|known| known < safe_up_to) => {
                run.event(Event::Bound { safe_up_to });
            }
            Seen::Bound(_) => (),
            Seen::Engine(name) => run.event(Event::Engine { name }),
            Seen::Pass { name, before, after } => run.event(Event::Pass { name, before, after }),
            Seen::Count { name, value } => run.event(Event::Count { name, value }),
            Seen::Checking(what) => run.event(Event::Checking { what }),
            _ if index > 0 => (),
            Seen::Frames(ref sizes) => run.event(Event::Frames { sizes }),
            Seen::Obligation { level, depth, queued } => {
                run.event(Event::Obligation { level, depth, queued });
            }
            Seen::Lemma { level, size } => run.event(Event::Lemma { level, size }),
        }
    }
}

/// Sends what a member tells: what it has counted only if it wins.
struct Relay<V> {
    index: usize,
    sender: Sender<Message<V>>,
    kept: Vec<Seen>,
}

impl<V> Relay<V> {
    // That nobody listens any more is no error: another member has won.
    fn done(self, result: Outcome<V>) {
        let _ =
            self.sender.send(Message::Done { index: self.index, result: Box::new(result), kept: self.kept });
    }
}

impl<V> Observer for Relay<V> {
    fn event(&mut self, event: &Event<'_>) {
        match Seen::of(event) {
            Some(Seen::Engine(name)) => {
                self.kept.push(Seen::Engine(name));
                if self.index == 0 {
                    let _ = self.sender.send(Message::Seen { index: 0, event: Seen::Engine(name) });
                }
            }
            Some(seen @ (Seen::Pass { .. } | Seen::Count { .. })) => self.kept.push(seen),
            Some(Seen::Frames(_) | Seen::Obligation { .. } | Seen::Lemma { .. }) if self.index > 0 => (),
            Some(event) => {
                let _ = self.sender.send(Message::Seen { index: self.index, event });
            }
            None => (),
        }
    }
}
