//! All properties of a system in one run, by turns: a hard one does not keep the others waiting.
//!
//! Each property has a turn in which the whole team works on it, and then a longer one; what it knows it keeps, as long as not too many are
//! under way. Where an engine can share what it learns between properties ([`share`](crate::share)), it is always at work on them beside that, or
//! has turns of its own if there is only one thread.

use crate::check::check_one;
use crate::path::{Context, Decidable, Path};
use crate::plan::{Plan, Strategy, Team};
use crate::share::{Clock, Goal, Waiting, share, shareable};
use crate::temporal::Temporal;
use crate::verdict::{Error, Verdict};
use crate::workers::{Desk, Heard, Workers, caught};
use indubit_run::{Bounds, Cancel, Event, Record, Run, Source, Stop, Timer};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the first turn of a property is; each later one is twice as long.
const TURN: Duration = Duration::from_millis(200);
/// So many properties may be under way; those after them begin anew at their next turn.
const MOST_UNDER_WAY: usize = 16;
/// So many properties have their turn between two turns of the engine that shares. A turn of that is as long as those before it were together;
/// the first one, as long as those after it may be.
const BETWEEN: usize = 25;
/// When an answer is being checked, a turn goes on for at least so long.
const CHECK: Duration = Duration::from_secs(2);
/// When the engine that shares has been stuck so many times, and nothing was decided between, the rest is for turns.
const MOST_IN_VAIN: usize = 2;

/// What came out for a property.
pub struct Answer<K: Decidable> {
    /// Its position in the model.
    pub property: usize,
    /// The verdict, or why there is none.
    pub result: Result<Verdict<K>, Error<K>>,
    /// What was done for it.
    pub record: Record,
    /// How long was worked on it.
    pub worked: Duration,
}

/// What is to be done after an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Decide the others.
    GoOn,
    /// Nobody wants to know more.
    Enough,
}

/// Hears what came out for a property, and says whether to go on.
pub type Tell<'t, K> = dyn FnMut(Answer<K>) -> Next + 't;

/// What is to be done after an answer to one of several questions.
pub(crate) struct Then {
    pub next: Next,
    /// A question that nobody asks any more.
    pub settled: Option<usize>,
}

/// Hears what came out for a question.
pub(crate) type Hear<'t, K> = dyn FnMut(Answer<K>) -> Then + 't;

/// Decide the properties with these numbers, as [`check`](crate::check) does, and tell each verdict as soon as it has been checked, in any order.
///
/// Each is told once, also if it was asked for twice, or the run ends before it is decided. A panic while there was work on one is its error if
/// nobody else decides it, and the others are decided.
pub fn check_all<K: Decidable>(
    system: &K::System,
    properties: &[usize],
    plan: impl Into<Plan>,
    run: &mut Run<'_>,
    tell: &mut Tell<'_, K>,
) -> Result<(), Error<K>> {
    K::validate(system).map_err(Error::Malformed)?;
    let available = K::properties(system).len();
    let mut seen = HashSet::new();
    let properties: Vec<usize> = properties.iter().copied().filter(|&p| seen.insert(p)).collect();
    if let Some(&index) = properties.iter().find(|&&p| p >= available) {
        return Err(Error::NoSuchProperty { index, available });
    }
    match Temporal::new(system, &properties) {
        Some(temporal) => temporal.check_all(&plan.into(), run, tell),
        None => ask_all(system, &properties, &plan.into(), run, &mut |answer| Then {
            next: tell(answer),
            settled: None,
        }),
    }
}

/// Decide properties of a system that are not about temporal logic. Whoever hears an answer may say that another one is not wanted any more.
pub(crate) fn ask_all<K: Path>(
    system: &K::System,
    properties: &[usize],
    plan: &Plan,
    run: &mut Run<'_>,
    hear: &mut Hear<'_, K>,
) -> Result<(), Error<K>> {
    let context = Context::with_arrays(system, plan.array_bits)?;
    let team = K::team(&context, plan);
    // Queries are recorded of one engine, and in one stream.
    if properties.len() == 1 || run.queries.is_some() {
        one_by_one(&context, properties, &team, run, hear);
        return Ok(());
    }
    let leader = team.members.get(team.sharing).map(|member| &member.strategy);
    let shared = leader.and_then(|leader| Some((shareable(&context, properties, leader)?, leader)));
    let mut schedule = Schedule::new(properties, hear);
    match shared {
        Some((goals, leader)) if team.is_one() => {
            schedule.share_alone(&context, goals, leader, run);
            schedule.run(&context, &team, None, run);
        }
        shared => schedule.run(&context, &team, shared, run),
    }
    Ok(())
}

/// Decide properties one after the other.
fn one_by_one<K: Path>(
    context: &Context<'_, K>,
    properties: &[usize],
    team: &Team,
    run: &mut Run<'_>,
    hear: &mut Hear<'_, K>,
) {
    let mut settled = Vec::new();
    for &property in properties {
        if settled.contains(&property) {
            continue;
        }
        let start = Instant::now();
        let result = check_one(context, property, team, run);
        let record = run.take_record();
        let then = hear(Answer { property, result, record, worked: start.elapsed() });
        if then.next == Next::Enough {
            return;
        }
        settled.extend(then.settled);
    }
}

/// What somebody says about a property.
pub(crate) struct Said<K: Path> {
    pub property: usize,
    pub result: Result<Verdict<K>, Error<K>>,
    pub record: Record,
}

impl<K: Path> Said<K> {
    fn is_unknown(&self) -> bool {
        matches!(self.result, Ok(Verdict::Unknown { .. }))
    }
    fn is_panic(&self) -> bool {
        matches!(self.result, Err(Error::Panicked { .. }))
    }
}

/// A property that is not decided.
struct Open<K: Path> {
    property: usize,
    bounds: Arc<Bounds>,
    /// How long its next turn is.
    turn: Duration,
    worked: Arc<Clock>,
    /// The flag of those who work on it, if they have begun.
    team: Option<Cancel>,
    /// The flag for the engine that shares, as long as that has not given it up.
    sharing: Option<Cancel>,
    /// What the team knows, which has given it up.
    given_up: Option<Said<K>>,
    /// The panic of the engine that shares, while it worked on this one.
    panicked: Option<Said<K>>,
}

/// Who is at work, or waits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    /// The team, on this property.
    Team(usize),
    /// The engine that shares, on all of them.
    Sharing,
}

/// A turn.
#[derive(Clone, Copy)]
struct Turn {
    slot: Slot,
    begin: Instant,
    end: Instant,
}

/// The turns of properties.
struct Schedule<'t, 'f, K: Path> {
    open: Vec<Open<K>>,
    /// Who is next.
    queue: VecDeque<Slot>,
    at_work: Option<Turn>,
    /// The flag of the engine that shares, as long as it works.
    sharing: Option<Cancel>,
    /// How long its next turn is, where it has turns.
    owed: Duration,
    hear: &'t mut Hear<'f, K>,
    next: Next,
}

impl<'t, 'f, K: Path> Schedule<'t, 'f, K> {
    fn new(properties: &[usize], hear: &'t mut Hear<'f, K>) -> Schedule<'t, 'f, K> {
        let open = |&property: &usize| Open {
            property,
            bounds: Arc::default(),
            turn: TURN,
            worked: Arc::default(),
            team: None,
            sharing: None,
            given_up: None,
            panicked: None,
        };
        Schedule {
            open: properties.iter().map(open).collect(),
            queue: properties.iter().map(|&property| Slot::Team(property)).collect(),
            at_work: None,
            sharing: None,
            owed: TURN * properties.len().min(BETWEEN) as u32,
            hear,
            next: Next::GoOn,
        }
    }

    /// One engine shares what it learns, on this thread and by effort: that is the same at each time. Only if it is stuck with a property, which
    /// a clock has to tell, is that left open, and it begins anew with the others.
    fn share_alone(
        &mut self,
        context: &Context<'_, K>,
        mut goals: Vec<Goal>,
        leader: &Strategy,
        run: &mut Run<'_>,
    ) {
        let mut n_in_vain = 0;
        while n_in_vain < MOST_IN_VAIN && goals.len() > 1 {
            let n_before = self.open.len();
            let Some(hard) = self.share_until_stuck(context, &goals, leader, run) else { break };
            n_in_vain = if self.open.len() == n_before { n_in_vain + 1 } else { 0 };
            goals.retain(|goal| goal.0 != hard && self.open.iter().any(|open| open.property == goal.0));
        }
        self.open.iter_mut().for_each(|open| open.sharing = None);
    }

    /// The property that it is stuck with, if it is.
    fn share_until_stuck(
        &mut self,
        context: &Context<'_, K>,
        goals: &[Goal],
        leader: &Strategy,
        run: &mut Run<'_>,
    ) -> Option<usize> {
        let flag = run.cancel().child();
        let (whole, waiting) = (run.cancel().clone(), self.waiting(goals, &flag));
        let (timer, source) = (Timer::new(&flag), run.source());
        let mut own = run.within(flag.clone(), source, Arc::default());
        let is_stuck = || flag.reason().is_some() && whole.reason().is_none();
        let last = caught(|| {
            share(context, waiting, leader, Some(&timer), &mut own, &mut |said| {
                if !(said.is_unknown() && is_stuck()) {
                    self.close(said);
                }
                self.next == Next::GoOn
            })
        });
        match last {
            Ok(last) => last.filter(|_| is_stuck()),
            Err(message) => {
                // All of them have another attempt; if that does not decide the first one, this must not go unnoticed.
                if let Some(open) = self.open.first_mut() {
                    let (property, result) = (open.property, Err(Error::Panicked { message }));
                    open.panicked = Some(Said { property, result, record: Record::default() });
                }
                None
            }
        }
    }

    /// Until all is decided, nobody wants to know more, or the run ends.
    fn run(
        mut self,
        context: &Context<'_, K>,
        team: &Team,
        shared: Option<(Vec<Goal>, &Strategy)>,
        run: &mut Run<'_>,
    ) {
        std::thread::scope(|scope| {
            let mut workers: Workers<'_, '_, Said<K>> = Workers::new(scope, run);
            if let Some((goals, leader)) = shared {
                self.begin_sharing(context, &goals, leader, team.n_threads, &mut workers, run);
            }
            while !self.open.is_empty() && self.next == Next::GoOn && run.checkpoint().is_ok() {
                if self.at_work.is_none()
                    && !self.begin(context, team, &mut workers, run)
                    && self.sharing.is_none()
                {
                    break;
                }
                self.hear(workers.listen(), run);
                self.end_turn();
            }
            // At the end of all, whoever was ready by then is still heard.
            while run.checkpoint().is_err()
                && self.next == Next::GoOn
                && !self.open.is_empty()
                && workers.is_anybody_there()
            {
                self.hear(workers.listen(), run);
            }
        });
        if let Some(turn) = self.at_work {
            self.leave(turn.slot);
        }
        while let (Next::GoOn, false) = (self.next, self.open.is_empty()) {
            let open = &mut self.open[0];
            let stop = run.cancel().reason().unwrap_or(Stop::Cancelled);
            let said = open.given_up.take().unwrap_or_else(|| Said {
                property: open.property,
                result: Ok(Verdict::Unknown { stop, safe_up_to: open.bounds.safe_up_to() }),
                record: Record::default(),
            });
            self.close(said);
        }
    }

    /// The properties for an engine that shares, which has this flag.
    fn waiting(&mut self, goals: &[Goal], flag: &Cancel) -> Vec<Waiting> {
        let waiting = |&(property, goal): &Goal| {
            let open = self.open.iter_mut().find(|open| open.property == property)?;
            let cancel = open.sharing.insert(flag.child()).clone();
            let (bounds, worked) = (open.bounds.clone(), open.worked.clone());
            Some(Waiting { property, goal, target: 0, cancel, bounds, worked })
        };
        goals.iter().filter_map(waiting).collect()
    }

    /// An engine shares what it learns: always beside the team, or by turns if there is only one thread.
    fn begin_sharing<'scope, 'env>(
        &mut self,
        context: &'env Context<'_, K>,
        goals: &[Goal],
        leader: &Strategy,
        n_threads: usize,
        workers: &mut Workers<'scope, 'env, Said<K>>,
        run: &Run<'_>,
    ) where
        K: 'scope,
    {
        let cancel = workers.flag();
        if n_threads == 1 {
            cancel.pause(true);
            self.queue.push_front(Slot::Sharing);
        }
        let (waiting, leader) = (self.waiting(goals, &cancel), leader.clone());
        self.sharing = Some(cancel.clone());
        let source = Source { property: None, ..run.source() };
        let desk = Desk { cancel, bounds: Arc::default(), source, seed: run.seed };
        let started = workers.start(desk, move |own, find| {
            share(context, waiting, &leader, None, own, &mut |said| {
                find(said);
                true
            });
        });
        if started.is_err() {
            self.sharing_ends();
        }
    }

    fn open_mut(&mut self, property: usize) -> Option<&mut Open<K>> {
        self.open.iter_mut().find(|open| open.property == property)
    }

    /// Let the next one work, if anybody waits.
    fn begin<'scope, 'env>(
        &mut self,
        context: &'env Context<'_, K>,
        team: &Team,
        workers: &mut Workers<'scope, 'env, Said<K>>,
        run: &mut Run<'_>,
    ) -> bool
    where
        K: 'scope,
    {
        let Some(slot) = self.queue.pop_front() else { return false };
        let length = match slot {
            Slot::Sharing => {
                let Some(cancel) = &self.sharing else { return true };
                cancel.pause(false);
                std::mem::take(&mut self.owed).max(TURN)
            }
            Slot::Team(property) => {
                let Some(open) = self.open.iter_mut().find(|open| open.property == property) else {
                    return true;
                };
                let source = Source { property: Some(property), ..run.source() };
                let length = open.turn;
                open.turn *= 2;
                if let Some(cancel) = &open.team {
                    cancel.pause(false);
                    run.relay(source, &Event::Begin);
                } else {
                    let (cancel, bounds) = (workers.flag(), open.bounds.clone());
                    let whole = run.cancel().clone();
                    open.team = Some(cancel.clone());
                    let mut team = team.clone();
                    // One thread is the engine's that shares.
                    team.n_threads = (team.n_threads - usize::from(self.sharing.is_some())).max(1);
                    let desk = Desk { cancel, bounds, source, seed: run.seed };
                    let started = workers.start(desk, move |own, find| {
                        let result = check_one(context, property, &team, own);
                        let said = Said { property, result, record: own.take_record() };
                        // Who was made to stop has nothing to say, unless it was ready by then, or that is the end of all.
                        let is_stopped = own.cancel().reason().is_some() && whole.reason().is_none();
                        if !(said.is_unknown() && is_stopped) {
                            find(said);
                        }
                    });
                    if let Err(error) = started {
                        self.failed(property, format!("cannot start a thread: {error}"));
                        return true;
                    }
                }
                length
            }
        };
        let begin = Instant::now();
        self.at_work = Some(Turn { slot, begin, end: begin + length });
        true
    }

    /// The team works on a property, and the engine that shares on all of them.
    fn hear(&mut self, heard: Heard<Said<K>>, run: &mut Run<'_>) {
        match heard {
            Heard::Silence => (),
            Heard::Event(worker, source, event) => {
                if let (Event::Checking { .. }, Some(property)) = (&event, worker.property) {
                    self.let_finish(property);
                }
                run.relay(source, &event);
            }
            Heard::Found(worker, said) if worker.property.is_some() => self.decided(said),
            Heard::Found(_, said) => self.shared(said),
            Heard::Ended(worker, panic) => {
                if worker.property.is_none() {
                    self.sharing_ends();
                }
                // If nobody knows where the bug is, it must not go unnoticed all the same.
                let first = self.open.first().map(|open| open.property);
                if let (Some(message), Some(property)) = (panic, worker.property.or(first)) {
                    self.failed(property, message);
                }
            }
        }
    }

    /// Somebody has an answer, which is being checked. If its turn ends, it may have to begin anew, so that has some time; not for ever, since
    /// others of its team go on if nothing comes of it.
    fn let_finish(&mut self, property: usize) {
        if let Some(turn) = self.at_work.as_mut().filter(|turn| turn.slot == Slot::Team(property)) {
            turn.end = turn.end.max(Instant::now() + CHECK);
        }
    }

    /// The team has an answer.
    fn decided(&mut self, said: Said<K>) {
        let slot = Slot::Team(said.property);
        self.leave(slot);
        match self.open_mut(said.property) {
            // The engine that shares may get further.
            Some(open) if (said.is_unknown() || said.is_panic()) && open.sharing.is_some() => {
                (open.team, open.given_up) = (None, Some(said));
                self.queue.retain(|waiting| *waiting != slot);
            }
            _ => self.close(said),
        }
    }

    /// The engine that shares has an answer.
    fn shared(&mut self, said: Said<K>) {
        let Some(open) = self.open_mut(said.property) else { return };
        if !said.is_unknown() && !said.is_panic() {
            return self.close(said);
        }
        // The team may get further.
        open.sharing = None;
        open.panicked = Some(said).filter(Said::is_panic);
        if let Some(given_up) = open.given_up.take() {
            self.close(given_up);
        }
    }

    /// The engine that shares has nothing more to say.
    fn sharing_ends(&mut self) {
        self.leave(Slot::Sharing);
        self.sharing = None;
        self.open.iter_mut().for_each(|open| open.sharing = None);
        let ready: Vec<Said<K>> = self.open.iter_mut().filter_map(|open| open.given_up.take()).collect();
        ready.into_iter().for_each(|said| self.close(said));
    }

    /// Something went wrong with a property.
    fn failed(&mut self, property: usize, message: String) {
        let (result, record) = (Err(Error::Panicked { message }), Record::default());
        self.close(Said { property, result, record });
    }

    /// Tell what is known about a property. Whoever still works on it may stop.
    fn close(&mut self, said: Said<K>) {
        let property = said.property;
        let Some(Open { worked, panicked, .. }) = self.drop_question(property) else { return };
        let Said { result, record, .. } = panicked.filter(|_| said.is_unknown()).unwrap_or(said);
        if self.next == Next::GoOn {
            let then = (self.hear)(Answer { property, result, record, worked: worked.worked() });
            self.next = then.next;
            then.settled.map(|settled| self.drop_question(settled));
        }
    }

    /// Nobody works on a property any more.
    fn drop_question(&mut self, property: usize) -> Option<Open<K>> {
        self.leave(Slot::Team(property));
        let position = self.open.iter().position(|open| open.property == property)?;
        let open = self.open.remove(position);
        open.team.iter().chain(&open.sharing).for_each(Cancel::cancel);
        self.queue.retain(|slot| *slot != Slot::Team(property));
        Some(open)
    }

    /// It is somebody else's turn.
    fn leave(&mut self, slot: Slot) {
        let Some(turn) = self.at_work.take_if(|turn| turn.slot == slot) else { return };
        if let Slot::Team(property) = slot {
            let worked = turn.begin.elapsed();
            self.owed += worked;
            self.open_mut(property).iter().for_each(|open| open.worked.add(worked));
        }
    }

    /// A turn may be over.
    fn end_turn(&mut self) {
        let Some(Turn { slot, end, .. }) = self.at_work else { return };
        if Instant::now() < end || self.queue.is_empty() {
            return;
        }
        self.leave(slot);
        let n_under_way = self.open.iter().filter(|open| open.team.is_some()).count();
        match slot {
            Slot::Sharing => {
                self.sharing.iter().for_each(|cancel| cancel.pause(true));
                self.queue.insert(BETWEEN.min(self.queue.len()), slot);
            }
            Slot::Team(property) => {
                self.queue.push_back(slot);
                let Some(open) = self.open_mut(property) else { return };
                if n_under_way > MOST_UNDER_WAY {
                    open.team.take().iter().for_each(Cancel::cancel);
                } else {
                    open.team.iter().for_each(|cancel| cancel.pause(true));
                }
            }
        }
    }
}
