//! One engine for several properties: what it learns about one helps with the others.
//!
//! It has one `F∞` for all of them. It takes them in turn, each for so much effort and then for more, so that a hard one does not keep the
//! others waiting, and a run can be reproduced.

use crate::all::Answer;
use crate::check::{decided, verify};
use crate::circuit::PREPROCESSING;
use crate::path::{Context, Path};
use crate::plan::Strategy;
use indubit_engines::Shared;
use indubit_logic::Lit;
use indubit_preproc::{Prepared, Select, WayBack, prepare};
use indubit_run::{Bounds, Cancel, Event, Record, Run, Source};
use indubit_system::{BitSystem, Conclusion, Evidence, Influence, Raise};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Effort of the first turn of each property; each later turn has four times as much.
const TURN: u64 = 200;

/// A property that waits for its turn.
pub(crate) struct Waiting {
    /// Its position in the model.
    pub property: usize,
    /// The edge of the circuit whose reachability decides it.
    pub goal: Lit,
    /// Up when somebody else has decided it.
    pub cancel: Cancel,
    pub bounds: Arc<Bounds>,
    pub worked: Duration,
}

impl Waiting {
    /// For a part of a run, with what is known about it.
    pub fn about(&self, cancel: Cancel, bounds: Arc<Bounds>) -> Waiting {
        Waiting { property: self.property, goal: self.goal, cancel, bounds, worked: Duration::ZERO }
    }
}

/// The properties that a strategy can decide by sharing, if that is worth it.
pub(crate) fn shareable<K: Path>(
    context: &Context<'_, K>,
    properties: &[usize],
    strategy: &Strategy,
) -> Option<Vec<Waiting>> {
    strategy.engine.bits.as_ref()?.share?;
    let circuit = K::shared_circuit(context)?;
    let all = circuit.properties();
    let waiting = |&property: &usize| {
        let goal = all.get(property)?.claim.target()?;
        let (cancel, bounds) = (Cancel::new(), Arc::default());
        Some(Waiting { property, goal, cancel, bounds, worked: Duration::ZERO })
    };
    let waiting: Vec<Waiting> = properties.iter().filter_map(waiting).collect();
    (waiting.len() > 1 && is_worth_sharing(circuit, &waiting)).then_some(waiting)
}

/// Are the properties about mostly the same latches? If not, what is learnt about one does not help with the others, and each is
/// better off with its own cone of influence.
fn is_worth_sharing(system: &BitSystem, waiting: &[Waiting]) -> bool {
    let mut influence = Influence::new(system);
    let mut n_latches = |goals: &[Lit]| {
        let roots = goals.iter().copied().chain(system.constraints.iter().map(|c| c.lit));
        let cone = influence.of(roots);
        system.latches().iter().filter(|l| cone.contains(l.var)).count()
    };
    let all: Vec<Lit> = waiting.iter().map(|w| w.goal).collect();
    let n_in_all = n_latches(&all);
    let n_in_each: usize = all.iter().map(|&goal| n_latches(&[goal])).sum();
    2 * n_in_each >= all.len() * n_in_all
}

/// Decide as many of the properties as the engine can, and tell each as soon as it is checked; the run's end is the end of it, or that
/// nobody listens any more. Those that the engine gives up are told as unknown.
pub(crate) fn share<K: Path>(
    context: &Context<'_, K>,
    mut waiting: Vec<Waiting>,
    strategy: &Strategy,
    run: &mut Run<'_>,
    tell: &mut dyn FnMut(Answer<K>) -> bool,
) {
    let (Some(circuit), Some(make)) =
        (K::shared_circuit(context), strategy.engine.bits.as_ref().and_then(|bits| bits.share))
    else {
        return;
    };
    let Some(select) = select(&waiting) else { return };
    let Ok(Prepared { safety, back }) = prepare(circuit, &select, &strategy.passes, run) else { return };
    let common = run.take_record();
    let goals: HashMap<usize, Lit> = waiting.iter().map(|w| w.property).zip(safety.bads()).collect();
    let targets: HashMap<usize, usize> =
        waiting.iter().enumerate().map(|(target, w)| (w.property, target)).collect();
    let engine = make(safety, &strategy.options, run);
    let mut sharing =
        Sharing { context, back, engine, proved: Vec::new(), n_checked: 0, told: HashMap::new(), common };
    let mut turn = TURN;
    while !waiting.is_empty() {
        let mut later = Vec::new();
        for mut waiting in waiting {
            if run.checkpoint().is_err() {
                return;
            }
            if waiting.cancel.reason().is_some() {
                continue;
            }
            let start = Instant::now();
            let source = Source { property: Some(waiting.property), ..run.source() };
            let is_decided = goals[&waiting.property] == Lit::FALSE;
            let engine = if is_decided { PREPROCESSING } else { strategy.engine.name };
            let conclusion = match is_decided {
                true => Some(Conclusion::Safe(sharing.engine.proof())),
                false => {
                    // It ends with the whole run, and when somebody else has decided the property.
                    let (seed, bound, paranoid) = (run.seed, run.bound, run.paranoid);
                    let mut relay = Relaying(run);
                    let mut own = Run::new(waiting.cancel.clone())
                        .observed_by(&mut relay)
                        .with_source(source)
                        .with_seed(seed)
                        .with_bound(bound)
                        .with_paranoia(paranoid)
                        .with_bounds(waiting.bounds.clone());
                    own.event(Event::Begin);
                    own.begin_engine(engine);
                    let part = own.part(turn, |part| sharing.engine.run(targets[&waiting.property], part));
                    let is_over = part.is_exhausted && matches!(part.result, Conclusion::Unknown { .. });
                    (!is_over).then_some(part.result)
                }
            };
            waiting.worked += start.elapsed();
            let goes_on = match conclusion {
                _ if waiting.cancel.reason().is_some() => true,
                None => {
                    later.push(waiting);
                    true
                }
                Some(Conclusion::Safe(_)) => {
                    sharing.proved.push((waiting, engine));
                    let is_due = sharing.proved.len() > sharing.n_checked;
                    !is_due || sharing.tell_proved(run, tell)
                }
                Some(conclusion) => {
                    let conclusion = sharing.back.conclusion(conclusion);
                    let raised = K::raise(context, waiting.property, conclusion, run);
                    let before = run.turn_to(Some(waiting.property), waiting.bounds.clone());
                    let result = verify(context, waiting.property, raised, None, run);
                    run.turn_to(before.0, before.1);
                    let record = sharing.report(engine);
                    let Waiting { property, worked, .. } = waiting;
                    tell(Answer { property, result, record, worked })
                }
            };
            if !goes_on {
                return;
            }
        }
        if !sharing.tell_proved(run, tell) {
            return;
        }
        waiting = later;
        turn = turn.saturating_mul(4);
    }
}

fn select(waiting: &[Waiting]) -> Option<Select> {
    let (first, others) = waiting.split_first()?;
    Some(Select { bad: first.goal, also: others.iter().map(|w| w.goal).collect() })
}

/// Passes events on to another run.
struct Relaying<'o, 'r>(&'o mut Run<'r>);

impl indubit_run::Observer for Relaying<'_, '_> {
    fn event(&mut self, source: Source, event: &Event) {
        self.0.relay(source, event);
    }
    fn wants_steps(&self) -> bool {
        self.0.wants_steps()
    }
}

/// The engine, and what it has proved.
struct Sharing<'c, 's, K: Path> {
    context: &'c Context<'s, K>,
    back: WayBack,
    engine: Box<dyn Shared>,
    /// Proved, and by whom, but not checked: one check for many costs hardly more than one for one.
    proved: Vec<(Waiting, &'static str)>,
    n_checked: usize,
    /// What the engine had counted when a verdict was last told.
    told: HashMap<&'static str, u64>,
    /// What was done for all properties.
    common: Record,
}

impl<K: Path> Sharing<'_, '_, K> {
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
    fn tell_proved(&mut self, run: &mut Run<'_>, tell: &mut dyn FnMut(Answer<K>) -> bool) -> bool {
        let proved = std::mem::take(&mut self.proved);
        if proved.is_empty() {
            return true;
        }
        let proof = self.back.proof(self.engine.proof());
        let properties: Vec<usize> = proved.iter().map(|(w, _)| w.property).collect();
        run.event(Event::Checking { what: "proof" });
        let together = K::check_together(self.context, &properties, &proof, run);
        self.n_checked += properties.len();
        for (Waiting { property, worked, bounds, .. }, engine) in proved {
            let result = match &together {
                Some(proof) => {
                    let property = &self.context.properties[property];
                    Ok(decided(property, Evidence::Proof(proof.clone())))
                }
                // Which one is it?
                None => {
                    let safe = Conclusion::Safe(proof.clone());
                    let raised = K::raise(self.context, property, safe, run);
                    let before = run.turn_to(Some(property), bounds);
                    let result = verify(self.context, property, raised, None, run);
                    run.turn_to(before.0, before.1);
                    result
                }
            };
            let record = self.report(engine);
            if !tell(Answer { property, result, record, worked }) {
                return false;
            }
        }
        true
    }
}
