//! A question about a circuit: lower, run, raise.

use crate::exchange::Seat;
use crate::plan::Strategy;
use indubit_engines::{Engine, EngineInfo, Implementation, Options};
use indubit_logic::Lit;
use indubit_preproc::{Prepared, Select, Stage};
use indubit_run::{Ask, Run};
use indubit_system::{
    BitSystem, Bits, ClaimKind, Conclusion, Invariant, Liveness, Proof, Raise, Ranked, Safety, SharedFacts,
};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Who has decided a property that no engine had to look at.
pub(crate) const PREPROCESSING: &str = "preprocessing";

/// Effort times nodes of the problem that a short attempt may take: that is about how the work grows.
const EFFORT: u64 = 10_000_000;
/// On small problems, no more effort than that.
const MOST_EFFORT: u64 = 2_000;

/// How an engine works on a circuit, as the claim wants.
#[derive(Clone, Copy)]
pub enum OnCircuit {
    /// Can something be reached?
    Reach(&'static Implementation<Bits>),
    /// Can some things be seen infinitely often?
    Live(&'static Implementation<Bits, Liveness>),
}

impl OnCircuit {
    /// What an engine does about such a claim, if it does anything.
    pub(crate) fn new(engine: &'static EngineInfo, claim: ClaimKind) -> Option<OnCircuit> {
        match claim {
            ClaimKind::Always | ClaimKind::Reachable => engine.bits.as_ref().map(OnCircuit::Reach),
            ClaimKind::Justice => engine.live.as_ref().map(OnCircuit::Live),
            ClaimKind::Ltl | ClaimKind::Ctl => None,
        }
    }
    fn make(self, problem: Safety, facts: SharedFacts, options: &Options) -> Box<dyn Engine> {
        match self {
            OnCircuit::Reach(engine) => (engine.make)(problem, options),
            OnCircuit::Live(engine) => (engine.make)(Liveness::new(problem).sharing(facts), options),
        }
    }
    fn has_small_steps(self) -> bool {
        match self {
            OnCircuit::Reach(engine) => engine.has_small_steps,
            OnCircuit::Live(engine) => engine.has_small_steps,
        }
    }
    /// The conclusion if preprocessing has left nothing to do: what it knows is the proof.
    fn settled(self, problem: &Safety) -> Option<Conclusion> {
        let n_vars = problem.aig.n_vars();
        let proof = match self {
            OnCircuit::Reach(_) if problem.bad == Lit::FALSE => Proof::Inductive(Invariant::new(n_vars)),
            OnCircuit::Live(_) => {
                let never = problem.also.iter().position(|&signal| signal == Lit::FALSE)?;
                Proof::Ranked(Box::new(Ranked::never(n_vars, never, problem.also.len())))
            }
            OnCircuit::Reach(_) => return None,
        };
        Some(Conclusion::Safe(proof))
    }
}

/// What is asked about a circuit, if that decides its property with this number.
pub(crate) fn question(circuit: &BitSystem, property: usize) -> Option<Select> {
    let claim = circuit.property(property)?.claim;
    let signals = circuit.infinitely_often(&claim).map(Select::infinitely_often);
    signals.or_else(|| claim.target().map(Select::one))
}

/// The answer to a question: a conclusion about `system`.
pub(crate) fn decide(
    system: &BitSystem,
    question: &Select,
    strategy: &Strategy,
    engine: OnCircuit,
    seat: Option<&Seat>,
    run: &mut Run<'_>,
) -> Ask<Conclusion> {
    if seat.is_some() {
        // Members that wait for their turn wait here: what the first one has prepared may be there by then.
        run.checkpoint()?;
    }
    if let Some((seat, prepared)) = seat.and_then(|seat| Some((seat, seat.prepared(&strategy.passes)?))) {
        return Ok(run_among_others(&prepared, strategy, engine, seat, run));
    }
    let prepared = match prepare_or_decide(system, question, strategy, engine, run)? {
        ControlFlow::Break(conclusion) => return Ok(conclusion),
        ControlFlow::Continue(prepared) => prepared,
    };
    let Some(seat) = seat else {
        let conclusion = run_engine(&prepared, strategy, engine, run);
        return Ok(prepared.back.conclusion(conclusion));
    };
    let prepared = Arc::new(prepared);
    seat.publish(&strategy.passes, &prepared);
    Ok(run_among_others(&prepared, strategy, engine, seat, run))
}

/// The conclusion about the user's model of an engine that exchanges lemmas with others.
fn run_among_others(
    prepared: &Arc<Prepared>,
    strategy: &Strategy,
    engine: OnCircuit,
    seat: &Seat,
    run: &mut Run<'_>,
) -> Conclusion {
    run.lemmas = Some(Box::new(seat.exchange(prepared)));
    let conclusion = run_engine(prepared, strategy, engine, run);
    let conclusion = seat.complete(prepared.back.passes.conclusion(conclusion));
    prepared.back.selection.conclusion(conclusion)
}

/// The conclusion about what the passes have made of the problem.
fn run_engine(prepared: &Prepared, strategy: &Strategy, engine: OnCircuit, run: &mut Run<'_>) -> Conclusion {
    let Prepared { safety, facts, .. } = prepared;
    if let Some(conclusion) = engine.settled(safety) {
        run.begin_engine(PREPROCESSING);
        return conclusion;
    }
    run.begin_engine(strategy.engine.name);
    engine.make(safety.clone(), facts.clone(), &strategy.options).run(run)
}

/// What becomes of a problem before the engine begins in earnest; an attempt may decide it, and that is the conclusion about the user's model.
fn prepare_or_decide(
    system: &BitSystem,
    question: &Select,
    strategy: &Strategy,
    engine: OnCircuit,
    run: &mut Run<'_>,
) -> Ask<ControlFlow<Conclusion, Prepared>> {
    let mut prepared = Prepared::select(system, question, run)?;
    for stage in strategy.passes.stages() {
        match stage {
            Stage::Lower(pass) => prepared.lower(&*pass, run)?,
            Stage::Try { effort } => {
                if let Some(conclusion) = attempt(&prepared.safety, strategy, engine, effort, run) {
                    return Ok(ControlFlow::Break(prepared.back.conclusion(conclusion)));
                }
            }
        }
    }
    Ok(ControlFlow::Continue(prepared))
}

/// A short attempt of the engine between two passes: most problems are easy, and preprocessing would take longer than the
/// engine does. Its length is a measure of effort that is the same at each time; engines that do not spend any in small steps are not tried.
fn attempt(
    safety: &Safety,
    strategy: &Strategy,
    engine: OnCircuit,
    effort: u32,
    run: &mut Run<'_>,
) -> Option<Conclusion> {
    // Whoever records queries wants those of one engine.
    if engine.settled(safety).is_some() || !engine.has_small_steps() || run.queries.is_some() {
        return None;
    }
    run.begin_engine(strategy.engine.name);
    let most = (EFFORT / safety.aig.n_vars() as u64).min(MOST_EFFORT).saturating_mul(effort.into());
    let part =
        run.part(most, |own| engine.make(safety.clone(), SharedFacts::default(), &strategy.options).run(own));
    if part.is_exhausted && matches!(part.result, Conclusion::Unknown { .. }) {
        return None;
    }
    run.add_record(part.record);
    Some(part.result)
}
