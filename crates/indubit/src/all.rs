//! All properties of a system in one run, by turns: a hard one does not keep the others waiting.
//!
//! Each property has a turn in which the whole team works on it, and then a longer one; what it knows it keeps, as long as not too many are
//! under way. Where an engine can share what it learns between properties ([`share`](crate::share)), it is always at work on them beside that, or
//! has turns of its own if there is only one thread.

use crate::check::check_one;
use crate::path::{Context, Decidable, Path};
use crate::plan::{Plan, Team};
use crate::share::{Waiting, share, shareable};
use crate::verdict::{Error, Verdict};
use crate::workers::{Desk, Heard, Workers};
use indubit_run::{Bounds, Cancel, Event, Record, Run, Source, Stop};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the first turn of a property is; each later one is twice as long.
const TURN: Duration = Duration::from_millis(200);
/// So many properties may be under way; those after them begin anew at their next turn.
const MOST_UNDER_WAY: usize = 16;

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

/// Decide the properties with these numbers, as [`check`](crate::check) does, and tell each verdict as soon as it has been checked, in any order.
///
/// Each is told once, also if the run ends before it is decided.
pub fn check_all<K: Decidable>(
    system: &K::System,
    properties: &[usize],
    plan: impl Into<Plan>,
    run: &mut Run<'_>,
    tell: &mut Tell<'_, K>,
) -> Result<(), Error<K>> {
    let context = Context::new(system)?;
    let team = K::team(&context, &plan.into());
    for &property in properties {
        context.property(property)?;
    }
    if let &[property] = properties {
        let start = Instant::now();
        let result = check_one(&context, property, &team, run);
        let record = run.take_record();
        tell(Answer { property, result, record, worked: start.elapsed() });
        return Ok(());
    }
    if run.queries.is_some() {
        // Queries are recorded of one engine, and in one stream.
        one_by_one(&context, properties, &team, run, tell);
        return Ok(());
    }
    let leader = &team.members[team.sharing].strategy;
    let shared = shareable(&context, properties, leader);
    let mut rest = properties.to_vec();
    if let (Some(waiting), true) = (&shared, team.is_one()) {
        // On this thread, and by effort: the same at each time.
        rest.retain(|p| !waiting.iter().any(|w| w.property == *p));
        let mut open: Vec<usize> = waiting.iter().map(|w| w.property).collect();
        let mut next = Next::GoOn;
        let waiting =
            waiting.iter().map(|w| w.about(run.cancel().child(), Arc::default())).collect::<Vec<_>>();
        let bounds: Vec<(usize, Arc<Bounds>)> =
            waiting.iter().map(|w| (w.property, w.bounds.clone())).collect();
        share(&context, waiting, leader, run, &mut |answer| {
            open.retain(|&p| p != answer.property);
            next = tell(answer);
            next == Next::GoOn
        });
        for (property, bounds) in bounds.into_iter().filter(|(p, _)| open.contains(p)) {
            if next == Next::GoOn {
                next = tell(unknown(property, &bounds, Duration::ZERO, run));
            }
        }
        if next == Next::Enough {
            return Ok(());
        }
    }
    let shared = shared.filter(|_| !team.is_one());
    Schedule::new(&rest, tell).run(&context, &team, shared, run);
    Ok(())
}

/// Decide properties one after the other.
fn one_by_one<K: Path>(
    context: &Context<'_, K>,
    properties: &[usize],
    team: &Team,
    run: &mut Run<'_>,
    tell: &mut Tell<'_, K>,
) {
    for &property in properties {
        let start = Instant::now();
        let result = check_one(context, property, team, run);
        let record = run.take_record();
        if tell(Answer { property, result, record, worked: start.elapsed() }) == Next::Enough {
            return;
        }
    }
}

/// The run has ended before a property was decided.
fn unknown<K: Path>(property: usize, bounds: &Bounds, worked: Duration, run: &Run<'_>) -> Answer<K> {
    let stop = run.cancel().reason().unwrap_or(Stop::Cancelled);
    let verdict = Verdict::Unknown { stop, safe_up_to: bounds.safe_up_to() };
    Answer { property, result: Ok(verdict), record: Record::default(), worked }
}

/// A property that is not decided.
struct Open<K: Path> {
    property: usize,
    bounds: Arc<Bounds>,
    /// How long its next turn is.
    turn: Duration,
    worked: Duration,
    /// Those who work on it, if they have begun: by which they are known, and their flag.
    team: Option<(usize, Cancel)>,
    /// The flag for the engine that shares, as long as that has not given it up.
    sharing: Option<Cancel>,
    /// What the team knows, which has given it up.
    given_up: Option<Answer<K>>,
}

/// Who is at work, or waits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    /// The team, on this property.
    Team(usize),
    /// The engine that shares, on all of them.
    Sharing,
}

/// What comes from a worker, by which it is known.
struct Found<K: Path>(usize, Answer<K>);

/// The engine that shares is known by this.
const SHARING: usize = 0;

/// The turns of properties.
struct Schedule<'t, 'f, K: Path> {
    open: Vec<Open<K>>,
    /// Who is next.
    queue: VecDeque<Slot>,
    /// Who is at work, since when, and until when: an answer that is being checked is not interrupted.
    at_work: Option<(Slot, Instant, Option<Instant>)>,
    /// The flag of the engine that shares, as long as it works, and how long its next turn is where it has turns.
    sharing: Option<(Cancel, Duration)>,
    /// Of those who have begun, which property they work on.
    jobs: HashMap<usize, usize>,
    n_jobs: usize,
    tell: &'t mut Tell<'f, K>,
    next: Next,
}

impl<'t, 'f, K: Path> Schedule<'t, 'f, K> {
    fn new(properties: &[usize], tell: &'t mut Tell<'f, K>) -> Schedule<'t, 'f, K> {
        let open = |&property: &usize| Open {
            property,
            bounds: Arc::default(),
            turn: TURN,
            worked: Duration::ZERO,
            team: None,
            sharing: None,
            given_up: None,
        };
        Schedule {
            open: properties.iter().map(open).collect(),
            queue: properties.iter().map(|&property| Slot::Team(property)).collect(),
            at_work: None,
            sharing: None,
            jobs: HashMap::new(),
            n_jobs: SHARING,
            tell,
            next: Next::GoOn,
        }
    }

    /// Until all is decided, nobody wants to know more, or the run ends.
    fn run(mut self, context: &Context<'_, K>, team: &Team, shared: Option<Vec<Waiting>>, run: &mut Run<'_>) {
        let mut team = team.clone();
        let leader = team.members.get(team.sharing).map(|member| member.strategy.clone());
        std::thread::scope(|scope| {
            let mut workers: Workers<'_, '_, Found<K>> = Workers::new(scope, run);
            if let (Some(waiting), Some(leader)) = (shared, leader) {
                let cancel = run.cancel().child();
                let waiting: Vec<Waiting> =
                    waiting.iter().filter_map(|w| self.begin_sharing(w, &cancel)).collect();
                let has_turns = team.n_threads == 1;
                if has_turns {
                    cancel.pause(true);
                    self.queue.push_front(Slot::Sharing);
                }
                // It is at work beside the team.
                team.n_threads = (team.n_threads - 1).max(1);
                self.sharing = Some((cancel.clone(), TURN));
                let desk = Desk {
                    id: SHARING,
                    cancel,
                    bounds: Arc::default(),
                    source: run.source(),
                    seed: run.seed,
                };
                let started = workers.start(desk, move |own, find| {
                    share(context, waiting, &leader, own, &mut |answer| {
                        find(Found(SHARING, answer));
                        true
                    });
                });
                if started.is_err() {
                    self.sharing_ends();
                }
            }
            while !self.open.is_empty() && self.next == Next::GoOn && run.checkpoint().is_ok() {
                if self.at_work.is_none()
                    && !self.begin(context, &team, &mut workers, run)
                    && self.sharing.is_none()
                {
                    break;
                }
                self.hear(workers.listen(), run);
                self.end_turn();
            }
            let sharing = self.sharing.iter().map(|(cancel, _)| cancel);
            let teams = self.open.iter().filter_map(|open| open.team.as_ref()).map(|(_, cancel)| cancel);
            sharing.chain(teams).for_each(Cancel::cancel);
        });
        while let (Next::GoOn, false) = (self.next, self.open.is_empty()) {
            let open = self.open.remove(0);
            let answer =
                open.given_up.unwrap_or_else(|| unknown(open.property, &open.bounds, open.worked, run));
            self.next = (self.tell)(answer);
        }
    }

    /// A property is for the engine that shares as well.
    fn begin_sharing(&mut self, waiting: &Waiting, cancel: &Cancel) -> Option<Waiting> {
        let open = self.open.iter_mut().find(|open| open.property == waiting.property)?;
        let own = cancel.child();
        open.sharing = Some(own.clone());
        Some(waiting.about(own, open.bounds.clone()))
    }

    fn open_mut(&mut self, property: usize) -> Option<&mut Open<K>> {
        self.open.iter_mut().find(|open| open.property == property)
    }

    /// Let the next one work, if anybody waits.
    fn begin<'scope, 'env>(
        &mut self,
        context: &'env Context<'_, K>,
        team: &Team,
        workers: &mut Workers<'scope, 'env, Found<K>>,
        run: &Run<'_>,
    ) -> bool
    where
        K: 'scope,
    {
        let Some(slot) = self.queue.pop_front() else { return false };
        let n_open = self.open.len() as u32;
        let length = match slot {
            Slot::Sharing => {
                let Some((cancel, turn)) = &mut self.sharing else { return true };
                cancel.pause(false);
                // As long as all properties together.
                std::mem::replace(turn, *turn * 2) * n_open
            }
            Slot::Team(property) => {
                let id = self.n_jobs + 1;
                let Some(open) = self.open.iter_mut().find(|open| open.property == property) else {
                    return true;
                };
                match &open.team {
                    Some((_, cancel)) => cancel.pause(false),
                    None => {
                        let cancel = run.cancel().child();
                        open.team = Some((id, cancel.clone()));
                        self.jobs.insert(id, property);
                        self.n_jobs = id;
                        let source = Source { property: Some(property), ..run.source() };
                        let bounds = open.bounds.clone();
                        let desk = Desk { id, cancel, bounds, source, seed: run.seed };
                        let team = team.clone();
                        let started = workers.start(desk, move |own, find| {
                            let result = check_one(context, property, &team, own);
                            let (record, worked) = (own.take_record(), Duration::ZERO);
                            find(Found(id, Answer { property, result, record, worked }));
                        });
                        if let Err(error) = started {
                            let message = format!("cannot start a thread: {error}");
                            self.close(property, Err(Error::Panicked { message }), Record::default());
                            return true;
                        }
                    }
                }
                let turn = &mut self
                    .open
                    .iter_mut()
                    .find(|open| open.property == property)
                    .expect("it is open")
                    .turn;
                std::mem::replace(turn, *turn * 2)
            }
        };
        self.at_work = Some((slot, Instant::now(), Some(Instant::now() + length)));
        true
    }

    fn hear(&mut self, heard: Heard<Found<K>>, run: &mut Run<'_>) {
        match heard {
            Heard::Silence => (),
            Heard::Event(id, source, event) => {
                let is_at_work = |(slot, ..): &(Slot, Instant, Option<Instant>)| match *slot {
                    Slot::Sharing => id == SHARING,
                    Slot::Team(property) => self.jobs.get(&id) == Some(&property),
                };
                if let (Event::Checking { .. }, Some(at_work)) =
                    (&event, self.at_work.as_mut().filter(|w| is_at_work(w)))
                {
                    at_work.2 = None;
                }
                run.relay(source, &event);
            }
            Heard::Found(Found(SHARING, answer)) => self.shared(answer),
            Heard::Found(Found(id, answer)) => {
                if self.jobs.get(&id) == Some(&answer.property) {
                    self.decided(answer);
                }
            }
            Heard::Ended(SHARING, panic) => {
                self.sharing_ends();
                if let (Some(message), Some(first)) = (panic, self.open.first()) {
                    // A bug, and nobody knows where: it must not go unnoticed.
                    self.close(first.property, Err(Error::Panicked { message }), Record::default());
                }
            }
            Heard::Ended(id, panic) => {
                if let (Some(property), Some(message)) = (self.jobs.remove(&id), panic) {
                    self.close(property, Err(Error::Panicked { message }), Record::default());
                }
            }
        }
    }

    /// The team has an answer.
    fn decided(&mut self, mut answer: Answer<K>) {
        let property = answer.property;
        self.leave(Slot::Team(property));
        let is_unknown = matches!(answer.result, Ok(Verdict::Unknown { .. }));
        let Some(open) = self.open_mut(property) else { return };
        answer.worked += open.worked;
        match is_unknown && open.sharing.is_some() {
            // The engine that shares may get further.
            true => open.given_up = Some(answer),
            false => self.close(property, answer.result, answer.record),
        }
    }

    /// The engine that shares has an answer.
    fn shared(&mut self, answer: Answer<K>) {
        let Answer { property, result, record, worked } = answer;
        let Some(open) = self.open_mut(property) else { return };
        open.worked += worked;
        match (matches!(result, Ok(Verdict::Unknown { .. })), open.given_up.take()) {
            (false, _) => self.close(property, result, record),
            (true, Some(given_up)) => self.close(property, given_up.result, given_up.record),
            // The team may get further.
            (true, None) => open.sharing = None,
        }
    }

    /// The engine that shares has nothing more to say.
    fn sharing_ends(&mut self) {
        self.leave(Slot::Sharing);
        self.sharing = None;
        self.open.iter_mut().for_each(|open| open.sharing = None);
        let ready: Vec<usize> =
            self.open.iter().filter(|o| o.given_up.is_some()).map(|o| o.property).collect();
        for property in ready {
            if let Some(Answer { result, record, .. }) =
                self.open_mut(property).and_then(|o| o.given_up.take())
            {
                self.close(property, result, record);
            }
        }
    }

    /// Tell what is known about a property. Whoever still works on it may stop.
    fn close(&mut self, property: usize, result: Result<Verdict<K>, Error<K>>, record: Record) {
        self.leave(Slot::Team(property));
        let Some(position) = self.open.iter().position(|open| open.property == property) else { return };
        let Open { team, sharing, worked, .. } = self.open.remove(position);
        if let Some((id, cancel)) = team {
            cancel.cancel();
            self.jobs.remove(&id);
        }
        sharing.iter().for_each(Cancel::cancel);
        self.queue.retain(|slot| *slot != Slot::Team(property));
        if self.next == Next::GoOn {
            self.next = (self.tell)(Answer { property, result, record, worked });
        }
    }

    /// It is somebody else's turn.
    fn leave(&mut self, slot: Slot) {
        if let Some((_, since, _)) = self.at_work.take_if(|(at_work, ..)| *at_work == slot)
            && let Slot::Team(property) = slot
            && let Some(open) = self.open_mut(property)
        {
            open.worked += since.elapsed();
        }
    }

    /// A turn may be over.
    fn end_turn(&mut self) {
        let Some((slot, _, Some(end))) = self.at_work else { return };
        if Instant::now() < end || self.queue.is_empty() {
            return;
        }
        self.leave(slot);
        let n_under_way = self.open.iter().filter(|open| open.team.is_some()).count();
        match slot {
            Slot::Sharing => self.sharing.iter().for_each(|(cancel, _)| cancel.pause(true)),
            Slot::Team(property) => {
                let Some(open) = self.open_mut(property) else { return };
                match open.team.take() {
                    Some((id, cancel)) if n_under_way > MOST_UNDER_WAY => {
                        cancel.cancel();
                        self.jobs.remove(&id);
                    }
                    Some((id, cancel)) => {
                        cancel.pause(true);
                        open.team = Some((id, cancel));
                    }
                    None => (),
                }
            }
        }
        self.queue.push_back(slot);
    }
}
