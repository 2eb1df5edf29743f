//! Several strategies at once on one property; the first checked answer wins.
//!
//! There are as many threads at work as there are cores. The first strategy always is; the others share what is left, and take
//! turns that become longer: whoever is not at work waits at its next look at the cancel flag, and keeps what it knows.
//! Those that want the same preprocessing as the first one begin with what it has prepared, when it has. Lemmas that hold for
//! good are exchanged on a [market](crate::market).

use crate::check::{Error, Strategy, check_one};
use crate::market::{Market, Stall};
use indubit_run::{Cancel, Event, Observer, Run, Stop};
use indubit_system::{BitSystem, Property, Verdict};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Strategies for one property.
#[derive(Clone)]
pub struct Portfolio {
    /// The most promising one first.
    pub members: Vec<Member>,
    /// How many are at work at the same time.
    pub n_threads: usize,
}

/// A strategy in a portfolio.
#[derive(Clone)]
pub struct Member {
    /// What it does.
    pub strategy: Strategy,
    /// How long its turns are, compared with those of others.
    pub weight: u32,
    /// Does it use lemmas of others? They may lead it astray just where the others are.
    pub takes_lemmas: bool,
}

/// How long the first turn of a member of weight 1 is; each later one is longer by half.
const TURN: Duration = Duration::from_millis(300);
/// However many threads are wanted, no more members than that: each has the problem in its own solvers, and more of the same
/// with other seeds hardly helps.
const MOST: usize = 64;
/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(5);

impl Portfolio {
    /// Quip first, which solves most, and then what differs most from it. For each thread more than there are of these, one of
    /// them in another way, or with another seed.
    pub fn for_cores(n_threads: usize) -> Portfolio {
        let with = |weight: u32, name: &str, settings: &[&str]| {
            let engine = indubit_engines::find(name)?;
            let mut strategy = Strategy::from(engine);
            if !engine.proves {
                // Whoever looks for bugs only is to begin at once, with what takes next to no time.
                strategy.passes = strategy.passes.without("lcorr").without("scorr");
            }
            settings.iter().try_for_each(|s| strategy.options.set(s)).ok()?;
            Some(Member { strategy, weight, takes_lemmas: true })
        };
        // On its own: with little preprocessing, and without lemmas of others.
        let apart = |member: Option<Member>| {
            let mut member = member?;
            let passes = member.strategy.passes;
            member.strategy.passes = passes.without("try").without("fraig").without("lcorr").without("scorr");
            Some(Member { takes_lemmas: false, ..member })
        };
        let members = [
            with(1, "quip", &[]),
            with(3, "bmc", &[]),
            with(4, "ic3", &[]),
            apart(with(1, "ic3", &[])),
            with(1, "kind", &[]),
        ];
        let more = [
            with(1, "ic3", &["internal-signals=on"]),
            with(1, "ic3", &["cores-by-activity=on"]),
            with(1, "bmc", &["bmc-step=10"]),
            with(1, "quip", &["order=deepest"]),
            apart(with(1, "ic3", &["generalize=ctg"])),
            with(1, "quip", &["cores-by-activity=on"]),
            with(1, "ic3", &["restart=1000"]),
        ];
        let n_threads = n_threads.clamp(1, MOST);
        let n_more = n_threads.saturating_sub(members.len());
        let members = members.into_iter().chain(more.into_iter().cycle().take(n_more)).flatten().collect();
        Portfolio { members, n_threads }
    }

    /// The same strategy so many times, with a seed for each (Bradley, Manna, FMCAD 2007: with other random choices, each is likely to
    /// analyse another part of the state space).
    pub fn of_one(strategy: Strategy, n_threads: usize) -> Portfolio {
        let n_threads = n_threads.clamp(1, MOST);
        let member = Member { strategy, weight: 1, takes_lemmas: true };
        Portfolio { members: vec![member; n_threads], n_threads }
    }

    /// The strategy that decides several properties as far as it can share what it learns: IC3, which gets through more easy ones
    /// than Quip (docs/RESULTS.md); the first one if it is not there.
    pub(crate) fn sharing(&self) -> &Strategy {
        let ic3 = self.members.iter().find(|member| member.strategy.engine.name == "ic3");
        &ic3.unwrap_or(&self.members[0]).strategy
    }

    /// Decide a property: what the first member says whose answer was checked.
    pub(crate) fn check(
        &self,
        system: &BitSystem,
        chosen: &Property,
        property: usize,
        run: &mut Run<'_>,
    ) -> Result<Verdict, Error> {
        let cancels: Vec<Cancel> = self.members.iter().map(|_| run.cancel().child()).collect();
        let market = Arc::new(Market::new(self.members.len()));
        let mut turns = Turns::new(&self.members, &cancels, self.n_threads);
        let (seed, bound, paranoid) = (run.seed, run.bound, run.paranoid);
        let exchange = run.exchange.clone();
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            for (index, (member, cancel)) in self.members.iter().zip(&cancels).enumerate() {
                let mut relay = Relay { index, sender: sender.clone(), kept: Vec::new() };
                let (cancel, exchange) = (cancel.clone(), exchange.clone());
                let stall = Stall { market: market.clone(), member: index, takes: member.takes_lemmas };
                scope.spawn(move || {
                    let mut own = Run::new(cancel, &mut relay)
                        .with_seed(seed.wrapping_add(index as u64))
                        .with_bound(bound)
                        .with_paranoia(paranoid)
                        .with_exchange(exchange);
                    let strategy = &member.strategy;
                    let decide = || check_one(system, chosen, property, strategy, Some(&stall), &mut own);
                    let result = catch_unwind(AssertUnwindSafe(decide));
                    relay.done(result);
                });
            }
            drop(sender);
            let result = self.collect(&receiver, &mut turns, &market, run);
            for cancel in &cancels {
                cancel.cancel();
            }
            result.unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    /// Wait for an answer.
    fn collect(
        &self,
        receiver: &Receiver<Message>,
        turns: &mut Turns<'_>,
        market: &Market,
        run: &mut Run<'_>,
    ) -> Outcome {
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
            if market.is_open() {
                turns.release();
            }
            turns.tick();
        }
    }
}

/// Who is at work.
struct Turns<'c> {
    cancels: &'c [Cancel],
    /// Those at work, with the end of their turn; none for the first one.
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
    fn new<'c>(members: &[Member], cancels: &'c [Cancel], n_threads: usize) -> Turns<'c> {
        for cancel in cancels {
            cancel.pause(true);
        }
        let passes: Vec<String> = members.iter().map(|m| m.strategy.passes.to_string()).collect();
        let (held, waiting) = (0..members.len()).partition(|&m| m > 0 && passes[m] == passes[0]);
        let lengths = members.iter().map(|m| TURN * m.weight).collect();
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
type Outcome = std::thread::Result<Result<Verdict, Error>>;

/// What members tell.
enum Message {
    Seen { index: usize, event: Seen },
    Done { index: usize, result: Box<Outcome>, kept: Vec<Seen> },
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
struct Relay {
    index: usize,
    sender: Sender<Message>,
    kept: Vec<Seen>,
}

impl Relay {
    // That nobody listens any more is no error: another member has won.
    fn done(self, result: Outcome) {
        let _ =
            self.sender.send(Message::Done { index: self.index, result: Box::new(result), kept: self.kept });
    }
}

impl Observer for Relay {
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

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests {
    use super::*;
    use indubit_testkit::models;

    /// Hears who wins, and how many passes it has made.
    #[derive(Default)]
    struct Winner {
        name: &'static str,
        n_passes: usize,
    }

    impl Observer for Winner {
        fn event(&mut self, event: &Event<'_>) {
            match *event {
                Event::Engine { name } => self.name = name,
                Event::Pass { .. } => self.n_passes += 1,
                _ => (),
            }
        }
    }

    #[test]
    fn what_the_first_one_prepares_is_for_the_others_too() {
        let system = models::all().into_iter().find(|m| m.file == "peterson.aag").unwrap().system;
        for n_threads in [1, 2] {
            // BMC proves nothing, so the other one wins.
            let member = |name| Member {
                strategy: crate::engine(name).unwrap().into(),
                weight: 1,
                takes_lemmas: true,
            };
            let portfolio = Portfolio { members: vec![member("bmc"), member("ic3")], n_threads };
            let mut winner = Winner::default();
            let mut run = Run::new(Cancel::new(), &mut winner);
            let property = system.property(0).unwrap();
            let verdict = portfolio.check(&system, &property, 0, &mut run).unwrap();
            assert!(matches!(verdict, Verdict::Safe(_)));
            assert_eq!((winner.name, winner.n_passes), ("ic3", 0));
        }
    }

    #[test]
    fn one_strategy_with_several_seeds() {
        let system = models::all().into_iter().find(|m| m.file == "fifo.aag").unwrap().system;
        for engine in ["fsis", "kind"] {
            let portfolio = Portfolio::of_one(crate::engine(engine).unwrap().into(), 3);
            assert_eq!((portfolio.members.len(), portfolio.n_threads), (3, 3));
            let mut winner = Winner::default();
            let mut run = Run::new(Cancel::new(), &mut winner).with_bound(Some(20));
            let property = system.property(0).unwrap();
            let verdict = portfolio.check(&system, &property, 0, &mut run).unwrap();
            assert!(matches!(verdict, Verdict::Safe(_)), "{engine}: {verdict:?}");
        }
    }

    #[test]
    fn as_many_members_as_threads() {
        for n_threads in [1, 2, 5, 7, 20, 100_000] {
            let members = Portfolio::for_cores(n_threads).members;
            assert_eq!(members.len(), n_threads.clamp(5, MOST));
            assert_eq!(members[0].strategy.engine.name, "quip");
        }
    }
}
