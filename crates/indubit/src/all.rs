//! All properties in one run.
//!
//! An engine that can share what it learns has one set of frames for all of them. It takes them in turn, each for so long and then for
//! longer, so that a hard one does not keep the others waiting. What it cannot decide in a while is left to the plan, one by one.

use crate::attempt::within;
use crate::check::{Error, Plan, Strategy, check, verify};
use indubit_logic::Lit;
use indubit_preproc::{Select, prepare};
use indubit_run::{Event, Run};
use indubit_system::{BitSystem, Invariant, Proof, Property, Verdict};

/// Events of the first turn of each property; each later turn has four times as many.
const TURN: usize = 500;
/// Turns before the rest is left to the plan, if that is more than the engine.
const ROUNDS: u32 = 4;

/// What is to be done after a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Decide the others.
    GoOn,
    /// Nobody wants to know more.
    Enough,
}

/// Decide the properties with these numbers (positions in [`BitSystem::properties`]), as [`check`] does, and tell each verdict as
/// soon as it is there, in any order.
///
/// Those for which there is no time are not told.
pub fn check_all(
    system: &BitSystem,
    properties: &[usize],
    plan: impl Into<Plan>,
    run: &mut Run<'_>,
    tell: &mut dyn FnMut(usize, Result<Verdict, Error>, &mut Run<'_>) -> Next,
) {
    let plan = plan.into();
    let mut open: Vec<usize> = properties.to_vec();
    let leader = match &plan {
        Plan::One(strategy) => strategy,
        Plan::Portfolio(portfolio) => &portfolio.members[0],
    };
    if open.len() > 1 && system.validate().is_ok() && run.queries.is_none() {
        let is_alone = matches!(plan, Plan::One(_));
        if let Some(Next::Enough) = share(system, &mut open, leader, is_alone, run, tell) {
            return;
        }
    }
    for property in open {
        let result = check(system, property, plan.clone(), run);
        if tell(property, result, run) == Next::Enough || run.checkpoint().is_err() {
            return;
        }
    }
}

/// Decide as many of the `open` properties as the engine can by sharing; those are open no longer. None if it cannot share.
fn share(
    system: &BitSystem,
    open: &mut Vec<usize>,
    strategy: &Strategy,
    is_alone: bool,
    run: &mut Run<'_>,
    tell: &mut dyn FnMut(usize, Result<Verdict, Error>, &mut Run<'_>) -> Next,
) -> Option<Next> {
    let make = strategy.engine.share?;
    let mut waiting: Vec<(usize, Property, usize)> = Vec::new();
    for &index in open.iter() {
        // What is no property, or none for this engine, is told by the plan.
        let Some(property) = system.property(index) else { continue };
        let Some(bad) = property.kind.bad() else { continue };
        waiting.push((index, property, bad));
    }
    let [(_, _, first), others @ ..] = &waiting[..] else { return None };
    let select = Select { bad: *first, also: others.iter().map(|w| w.2).collect() };
    let prepared = prepare(system, &select, &strategy.passes, run).ok()?;
    let bads: Vec<Lit> = prepared.safety.bads().collect();
    let n_vars = prepared.safety.aig.n_vars();
    let mut engine = make(prepared.safety, &strategy.options, run);
    let mut waiting: Vec<(usize, usize, Property)> = waiting
        .into_iter()
        .enumerate()
        .map(|(target, (index, property, _))| (target, index, property))
        .collect();
    let mut turn = TURN;
    for round in 0.. {
        let mut later = Vec::new();
        for (target, index, property) in waiting {
            if run.checkpoint().is_err() {
                return Some(Next::GoOn);
            }
            run.event(Event::Property { index, name: &property.label() });
            run.event(Event::Engine { name: strategy.engine.name });
            let verdict = if bads[target] == Lit::FALSE {
                Some(Verdict::Safe(Proof::Inductive(Invariant::new(n_vars))))
            } else {
                within(turn, run, |own| engine.run(target, own))
            };
            let Some(verdict) = verdict else {
                later.push((target, index, property));
                continue;
            };
            open.retain(|&o| o != index);
            engine.report(run);
            let result = verify(system, &property, index, prepared.stack.verdict(verdict), run);
            if tell(index, result, run) == Next::Enough {
                return Some(Next::Enough);
            }
        }
        if later.is_empty() || !is_alone && round + 1 == ROUNDS {
            break;
        }
        waiting = later;
        turn = turn.saturating_mul(4);
    }
    Some(Next::GoOn)
}
