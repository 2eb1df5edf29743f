//! All properties in one run.
//!
//! An engine that can share what it learns has one `F∞` for all of them. It takes them in turn, each for so long and then for longer, so that a hard one does not keep the others waiting. What it cannot decide in a while is left to the plan, one by one.

use crate::check::{Error, PREPROCESSING, Plan, Strategy, check, verify};
use crate::tidy::tidy;
use indubit_certify::{Solving, check_together};
use indubit_engines::{Shared, within};
use indubit_logic::Lit;
use indubit_preproc::{Prepared, Select, WayBack, prepare};
use indubit_run::{Event, Observer, Run};
use indubit_system::{BitSystem, Influence, Proof, Property, Raise, Verdict};
use std::collections::HashMap;

/// Events of the first turn of each property; each later turn has four times as many.
const TURN: usize = 200;
/// Turns before the rest is left to the plan, if that is more than the engine.
const ROUNDS: u32 = 6;

/// What is to be done after a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Decide the others.
    GoOn,
    /// Nobody wants to know more.
    Enough,
}

/// Hears the verdict about a property, and says whether to go on.
pub type Tell<'t> = dyn FnMut(usize, Result<Verdict, Error>) -> Next + 't;

/// Decide the properties with these numbers (positions in [`BitSystem::properties`]), as [`check`] does, and tell each verdict as
/// soon as it is there, in any order.
///
/// Those for which there is no time are not told.
pub fn check_all(
    system: &BitSystem,
    properties: &[usize],
    plan: impl Into<Plan>,
    run: &mut Run<'_>,
    tell: &mut Tell<'_>,
) {
    let plan = plan.into();
    let mut open: Vec<usize> = properties.to_vec();
    let leader = match &plan {
        Plan::One(strategy) => strategy,
        Plan::Portfolio(portfolio) => portfolio.sharing(),
    };
    if open.len() > 1 && system.validate().is_ok() && run.queries.is_none() {
        let is_alone = matches!(plan, Plan::One(_));
        if let Some(Next::Enough) = share(system, &mut open, leader, is_alone, run, tell) {
            return;
        }
    }
    for property in open {
        let result = check(system, property, plan.clone(), run);
        if tell(property, result) == Next::Enough || run.checkpoint().is_err() {
            return;
        }
    }
}

/// A property that waits for its turn.
struct Waiting {
    /// The engine's number for it.
    target: usize,
    index: usize,
    property: Property,
    bad: usize,
}

/// Decide as many of the `open` properties as the engine can by sharing; those are open no longer. None if it cannot share.
fn share(
    system: &BitSystem,
    open: &mut Vec<usize>,
    strategy: &Strategy,
    is_alone: bool,
    run: &mut Run<'_>,
    tell: &mut Tell<'_>,
) -> Option<Next> {
    let make = strategy.engine.share?;
    let mut waiting: Vec<Waiting> = Vec::new();
    for &index in open.iter() {
        // What is no property, or none for this engine, is told by the plan.
        let Some(property) = system.property(index) else { continue };
        let Some(bad) = property.kind.bad() else { continue };
        waiting.push(Waiting { target: waiting.len(), index, property, bad });
    }
    let [first, others @ ..] = &waiting[..] else { return None };
    if !is_worth_sharing(system, &waiting) {
        return None;
    }
    let select = Select { bad: first.bad, also: others.iter().map(|w| w.bad).collect() };
    let Prepared { safety, back } = prepare(system, &select, &strategy.passes, run).ok()?;
    let bads: Vec<Lit> = safety.bads().collect();
    let engine = make(safety, &strategy.options, run);
    let mut sharing =
        Sharing { system, back, engine, proved: Vec::new(), n_checked: 0, told: HashMap::new() };
    let mut turn = TURN;
    for round in 0.. {
        let mut later = Vec::new();
        for waiting in waiting {
            if run.checkpoint().is_err() {
                return Some(Next::GoOn);
            }
            let Waiting { target, index, ref property, .. } = waiting;
            run.event(Event::Property { index, name: &property.label() });
            let name = if bads[target] == Lit::FALSE { PREPROCESSING } else { strategy.engine.name };
            run.event(Event::Engine { name });
            let verdict = match bads[target] {
                Lit::FALSE => Some(Verdict::Safe(Proof::Inductive(sharing.engine.invariant()))),
                _ => within(turn, run.exchange.clone(), run, |own| sharing.engine.run(target, own))
                    .map(|found| found.tell(run)),
            };
            let next = match verdict {
                None => {
                    later.push(waiting);
                    Next::GoOn
                }
                Some(Verdict::Safe(_)) => {
                    sharing.proved.push((waiting, name));
                    let is_due = sharing.proved.len() > sharing.n_checked;
                    if is_due { sharing.tell_proved(open, run, tell) } else { Next::GoOn }
                }
                // Others of the plan may get further.
                Some(Verdict::Unknown { .. }) if !is_alone => Next::GoOn,
                Some(verdict) => {
                    open.retain(|&o| o != index);
                    sharing.report(run);
                    let verdict = sharing.back.verdict(verdict);
                    let result = verify(system, property, index, verdict, run);
                    tell(index, result)
                }
            };
            if next == Next::Enough {
                return Some(next);
            }
        }
        if sharing.tell_proved(open, run, tell) == Next::Enough {
            return Some(Next::Enough);
        }
        if later.is_empty() || !is_alone && round + 1 == ROUNDS {
            break;
        }
        waiting = later;
        turn = turn.saturating_mul(4);
    }
    Some(Next::GoOn)
}

/// Are the properties about mostly the same latches? If not, what is learnt about one does not help with the others, and each is
/// better off with its own cone of influence.
fn is_worth_sharing(system: &BitSystem, waiting: &[Waiting]) -> bool {
    let mut influence = Influence::new(system);
    let mut n_latches = |bads: &[usize]| {
        let bads = bads.iter().map(|&bad| system.bad_signals()[bad].lit);
        let cone = influence.of(bads.chain(system.constraints.iter().map(|c| c.lit)));
        system.latches().iter().filter(|l| cone.contains(l.var)).count()
    };
    let all: Vec<usize> = waiting.iter().map(|w| w.bad).collect();
    let n_in_all = n_latches(&all);
    let n_in_each: usize = all.iter().map(|&bad| n_latches(&[bad])).sum();
    2 * n_in_each >= all.len() * n_in_all
}

/// The engine, and what it has proved.
struct Sharing<'s> {
    system: &'s BitSystem,
    back: WayBack,
    engine: Box<dyn Shared>,
    /// Proved, and by whom, but not checked: one check for many costs hardly more than one for one.
    proved: Vec<(Waiting, &'static str)>,
    n_checked: usize,
    /// What the engine had counted when a verdict was last told.
    told: HashMap<&'static str, u64>,
}

/// Hears what an engine has counted.
struct Tally(Vec<(&'static str, u64)>);

impl Observer for Tally {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Count { name, value } = *event {
            self.0.push((name, value));
        }
    }
}

impl Sharing<'_> {
    /// Tell what the engine has counted since the last verdict: over all properties, that is what it has counted.
    fn report(&mut self, run: &mut Run<'_>) {
        let mut tally = Tally(Vec::new());
        self.engine.report(&mut Run::new(run.cancel().clone(), &mut tally));
        for (name, value) in tally.0 {
            let before = self.told.insert(name, value).unwrap_or(0);
            run.event(Event::Count { name, value: value.saturating_sub(before) });
        }
    }
    /// Check what is proved, and tell it. The invariant of the engine proves all of it.
    fn tell_proved(&mut self, open: &mut Vec<usize>, run: &mut Run<'_>, tell: &mut Tell<'_>) -> Next {
        let proved = std::mem::take(&mut self.proved);
        if proved.is_empty() {
            return Next::GoOn;
        }
        let proof = self.back.proof(Proof::Inductive(self.engine.invariant()));
        let Ok(Proof::Inductive(invariant)) = tidy(self.system, proof, run.cancel()) else {
            return Next::GoOn;
        };
        let bads: Vec<usize> = proved.iter().map(|(w, _)| w.bad).collect();
        let by = Solving::new(run.cancel()).with_paranoia(run.paranoid);
        let all_hold = check_together(self.system, &bads, &invariant, by);
        self.n_checked += bads.len();
        for (Waiting { index, property, .. }, name) in proved {
            let verdict = Verdict::Safe(Proof::Inductive(invariant.clone()));
            let result = match &all_hold {
                Ok(Ok(())) => Ok(verdict),
                // Which one is it?
                Ok(Err(_)) => verify(self.system, &property, index, verdict, run),
                Err(stop) => Ok(Verdict::Unknown { stop: *stop, safe_up_to: None }),
            };
            open.retain(|&o| o != index);
            run.event(Event::Property { index, name: &property.label() });
            run.event(Event::Engine { name });
            self.report(run);
            if tell(index, result) == Next::Enough {
                return Next::Enough;
            }
        }
        Next::GoOn
    }
}
