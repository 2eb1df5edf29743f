//! One engine for several properties: what it learns about one helps with the others.
//!
//! It has one `F∞` for all of them. It takes them in turn, each for so much effort and then for more, so that a hard one does not keep the
//! others waiting, and a run can be reproduced.

use crate::all::Said;
use crate::check::{decided, verify};
use crate::circuit::PREPROCESSING;
use crate::path::{Context, Path};
use crate::plan::Strategy;
use crate::verdict::{Error, Verdict};
use crate::workers::caught;
use indubit_engines::Shared;
use indubit_logic::Lit;
use indubit_preproc::{Prepared, Select, WayBack, prepare};
use indubit_run::{Bounds, Cancel, Event, Record, Run, Source, Timer};
use indubit_system::{BitSystem, Conclusion, Evidence, Influence, Raise};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Effort of the first turn of each property; each later turn has four times as much.
const TURN: u64 = 200;
/// So many turns without an answer may go by before what is proved is checked.
const MOST_TURNS: usize = 16;
/// A turn that takes longer than this, and [far longer](LONGER) than all before it, has come upon a query that may take for ever: effort is what an
/// engine does between queries.
const STUCK: Duration = Duration::from_secs(5);
const LONGER: u32 = 4;

/// A property that waits for its turn.
pub(crate) struct Waiting {
    /// Its position in the model.
    pub property: usize,
    /// The edge whose reachability decides it: of the circuit, and then of the problem that was prepared.
    pub goal: Lit,
    /// Which one of the problem's it is.
    pub target: usize,
    /// Up when somebody else has decided it.
    pub cancel: Cancel,
    pub bounds: Arc<Bounds>,
    pub worked: Arc<Clock>,
}

/// How long was worked on something.
#[derive(Default)]
pub(crate) struct Clock(AtomicU64);

impl Clock {
    pub fn add(&self, worked: Duration) {
        self.0.fetch_add(worked.as_micros() as u64, Ordering::Relaxed);
    }
    pub fn worked(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }
}

/// A property that an engine may share, and the edge of the circuit whose reachability decides it.
pub(crate) type Goal = (usize, Lit);

/// The properties that a strategy can decide by sharing, if that is worth it.
pub(crate) fn shareable<K: Path>(
    context: &Context<'_, K>,
    properties: &[usize],
    strategy: &Strategy,
) -> Option<Vec<Goal>> {
    strategy.engine.bits.as_ref()?.share?;
    let circuit = K::shared_circuit(context)?;
    let all = circuit.properties();
    let goal = |&property: &usize| {
        let claim = &all.get(property)?.claim;
        Some((property, claim.target()?)).filter(|_| strategy.engine.claims.contains(&claim.kind()))
    };
    let goals: Vec<Goal> = properties.iter().filter_map(goal).collect();
    (goals.len() > 1 && is_worth_sharing(circuit, &goals)).then_some(goals)
}

/// Are the properties about mostly the same latches? If not, what is learnt about one does not help with the others, and each is
/// better off with its own cone of influence.
fn is_worth_sharing(system: &BitSystem, goals: &[Goal]) -> bool {
    let mut influence = Influence::new(system);
    let mut n_latches = |goals: &[Lit]| {
        let roots = goals.iter().copied().chain(system.constraints.iter().map(|c| c.lit));
        let cone = influence.of(roots);
        system.latches().iter().filter(|l| cone.contains(l.var)).count()
    };
    let all: Vec<Lit> = goals.iter().map(|&(_, goal)| goal).collect();
    let n_in_all = n_latches(&all);
    let n_in_each: usize = all.iter().map(|&goal| n_latches(&[goal])).sum();
    2 * n_in_each > all.len() * n_in_all
}

/// Decide as many of the properties as the engine can, and tell each as soon as it is checked; the run's end is the end of it, or that
/// nobody listens any more. Those that the engine gives up are told as unknown. A timer is told for how long nothing need be heard. If the run's
/// end was the end, the property that the engine was at.
pub(crate) fn share<K: Path>(
    context: &Context<'_, K>,
    mut waiting: Vec<Waiting>,
    strategy: &Strategy,
    timer: Option<&Timer>,
    run: &mut Run<'_>,
    tell: &mut dyn FnMut(Said<K>) -> bool,
) -> Option<usize> {
    let begin = Instant::now();
    let begin_turn = || timer.iter().for_each(|timer| timer.restart(STUCK + LONGER * begin.elapsed()));
    let circuit = K::shared_circuit(context)?;
    let make = strategy.engine.bits.as_ref()?.share?;
    let Prepared { safety, back, .. } = prepare(circuit, &select(&waiting)?, &strategy.passes, run).ok()?;
    let common = run.take_record();
    for (target, (waiting, bad)) in waiting.iter_mut().zip(safety.bads()).enumerate() {
        (waiting.target, waiting.goal) = (target, bad);
    }
    let engine = make(safety, &strategy.options, run);
    let (proved, told) = (Vec::new(), HashMap::new());
    let mut sharing = Sharing { context, back, engine, proved, n_checked: 0, n_turns: 0, told, common };
    let (mut turn, mut last) = (TURN, None);
    while !waiting.is_empty() {
        let mut later = Vec::new();
        for waiting in waiting {
            begin_turn();
            if run.checkpoint().is_err() {
                return last;
            }
            if waiting.cancel.reason().is_some() {
                continue;
            }
            last = Some(waiting.property);
            let start = Instant::now();
            let is_decided = waiting.goal == Lit::FALSE;
            let engine = if is_decided { PREPROCESSING } else { strategy.engine.name };
            let conclusion = match is_decided {
                true => Ok(Some(Conclusion::Safe(sharing.engine.proof()))),
                false => sharing.work(&waiting, engine, turn, run),
            };
            waiting.worked.add(start.elapsed());
            let goes_on = match conclusion {
                Err(message) => {
                    // Nobody knows what has become of the engine.
                    let (result, record) = (Err(Error::Panicked { message }), sharing.common);
                    tell(Said { property: waiting.property, result, record });
                    return None;
                }
                _ if waiting.cancel.reason().is_some() => true,
                Ok(None) => {
                    later.push(waiting);
                    sharing.n_turns += 1;
                    true
                }
                Ok(Some(Conclusion::Safe(_))) => {
                    sharing.proved.push((waiting, engine));
                    true
                }
                Ok(Some(conclusion)) => {
                    let conclusion = sharing.back.conclusion(conclusion);
                    let result = sharing.verified(&waiting, conclusion, run);
                    tell(Said { property: waiting.property, result, record: sharing.report(engine) })
                }
            };
            // What is proved waits for more of that, but not for long turns, or many.
            let is_due =
                sharing.proved.len() > sharing.n_checked || turn > TURN || sharing.n_turns >= MOST_TURNS;
            if !goes_on || is_due && !sharing.tell_proved(run, tell) {
                return None;
            }
        }
        begin_turn();
        if !sharing.tell_proved(run, tell) {
            return None;
        }
        waiting = later;
        turn = turn.saturating_mul(4);
    }
    None
}

fn select(waiting: &[Waiting]) -> Option<Select> {
    let (first, others) = waiting.split_first()?;
    Some(Select { bad: first.goal, also: others.iter().map(|w| w.goal).collect() })
}

/// The engine, and what it has proved.
struct Sharing<'c, 's, K: Path> {
    context: &'c Context<'s, K>,
    back: WayBack,
    engine: Box<dyn Shared>,
    /// Proved, and by whom, but not checked: one check for many costs hardly more than one for one.
    proved: Vec<(Waiting, &'static str)>,
    n_checked: usize,
    /// Turns without an answer since something was last checked.
    n_turns: usize,
    /// What the engine had counted when a verdict was last told.
    told: HashMap<&'static str, u64>,
    /// What was done for all properties.
    common: Record,
}

impl<K: Path> Sharing<'_, '_, K> {
    /// Work on a target until so much is spent: the conclusion, if there is one by then. It ends with the whole run, and when somebody else
    /// has decided the property. A panic is an error.
    fn work(
        &mut self,
        waiting: &Waiting,
        engine: &'static str,
        effort: u64,
        run: &mut Run<'_>,
    ) -> Result<Option<Conclusion>, String> {
        let source = Source { property: Some(waiting.property), ..run.source() };
        let mut own = run.within(waiting.cancel.clone(), source, waiting.bounds.clone());
        own.event(Event::Begin);
        own.begin_engine(engine);
        let part = caught(|| own.part(effort, |part| self.engine.run(waiting.target, part)))?;
        let is_over = part.is_exhausted && matches!(part.result, Conclusion::Unknown { .. });
        Ok((!is_over).then_some(part.result))
    }
    /// The verdict about a property, by a conclusion about the circuit.
    fn verified(
        &self,
        waiting: &Waiting,
        conclusion: Conclusion,
        run: &mut Run<'_>,
    ) -> Result<Verdict<K>, Error<K>> {
        let raised = K::raise(self.context, waiting.property, conclusion, run);
        let before = run.turn_to(Some(waiting.property), waiting.bounds.clone());
        let result = verify(self.context, waiting.property, raised, None, run);
        run.turn_to(before.0, before.1);
        result
    }
    /// What was done for a verdict: what the engine has counted since the last one. Over all properties, that is what it has counted.
    fn report(&mut self, engine: &'static str) -> Record {
        let mut tally = Run::new(Cancel::new());
        self.engine.report(&mut tally);
        let mut record = Record { engine: Some(engine), ..self.common.clone() };
        for (name, value) in tally.take_record().counts {
            let before = self.told.insert(name, value).unwrap_or(0);
            record.counts.push((name, value.saturating_sub(before)));
        }
        record
    }
    /// Check what is proved, and tell it. The invariant of the engine proves all of it. False if nobody wants to know more.
    fn tell_proved(&mut self, run: &mut Run<'_>, tell: &mut dyn FnMut(Said<K>) -> bool) -> bool {
        self.n_turns = 0;
        let proved = std::mem::take(&mut self.proved);
        if proved.is_empty() {
            return true;
        }
        let proof = self.back.proof(self.engine.proof());
        let properties: Vec<usize> = proved.iter().map(|(w, _)| w.property).collect();
        run.event(Event::Checking { what: "proof" });
        let together = K::check_together(self.context, &properties, &proof, run);
        self.n_checked += properties.len();
        for (waiting, engine) in proved {
            let property = waiting.property;
            let result = match &together {
                Some(proof) => {
                    Ok(decided(&self.context.properties[property], Evidence::Proof(proof.clone())))
                }
                // Which one is it?
                None => self.verified(&waiting, Conclusion::Safe(proof.clone()), run),
            };
            if !tell(Said { property, result, record: self.report(engine) }) {
                return false;
            }
        }
        true
    }
}
