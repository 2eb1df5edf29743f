//! A question about a circuit: lower, run, raise.

use crate::exchange::Seat;
use crate::plan::Strategy;
use indubit_engines::Implementation;
use indubit_logic::Lit;
use indubit_preproc::{Prepared, Select, Stage};
use indubit_run::{Ask, Run};
use indubit_system::{BitSystem, Bits, Conclusion, Invariant, Proof, Raise, Safety};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Who has decided a property that no engine had to look at.
pub(crate) const PREPROCESSING: &str = "preprocessing";

/// Effort times nodes of the problem that a short attempt may take: that is about how the work grows.
const EFFORT: u64 = 10_000_000;
/// On small problems, no more effort than that.
const MOST_EFFORT: u64 = 2_000;

/// Can `target` be reached? The conclusion is about `system`.
pub(crate) fn decide(
    system: &BitSystem,
    target: Lit,
    strategy: &Strategy,
    engine: &Implementation<Bits>,
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
    let prepared = match prepare_or_decide(system, target, strategy, engine, run)? {
        ControlFlow::Break(conclusion) => return Ok(conclusion),
        ControlFlow::Continue(prepared) => prepared,
    };
    let Some(seat) = seat else {
        let Prepared { safety, back } = prepared;
        return Ok(back.conclusion(run_engine(safety, strategy, engine, run)));
    };
    let prepared = Arc::new(prepared);
    seat.publish(&strategy.passes, &prepared);
    Ok(run_among_others(&prepared, strategy, engine, seat, run))
}

/// The conclusion about the user's model of an engine that exchanges lemmas with others.
fn run_among_others(
    prepared: &Arc<Prepared>,
    strategy: &Strategy,
    engine: &Implementation<Bits>,
    seat: &Seat,
    run: &mut Run<'_>,
) -> Conclusion {
    run.lemmas = Some(Box::new(seat.exchange(prepared)));
    let conclusion = run_engine(prepared.safety.clone(), strategy, engine, run);
    let conclusion = seat.complete(prepared.back.passes.conclusion(conclusion));
    prepared.back.selection.conclusion(conclusion)
}

/// The conclusion about what the passes have made of the problem.
fn run_engine(
    safety: Safety,
    strategy: &Strategy,
    engine: &Implementation<Bits>,
    run: &mut Run<'_>,
) -> Conclusion {
    if safety.bad == Lit::FALSE {
        // What preprocessing knows is the proof, and no engine has anything to add.
        run.begin_engine(PREPROCESSING);
        return Conclusion::Safe(Proof::Inductive(Invariant::new(safety.aig.n_vars())));
    }
    run.begin_engine(strategy.engine.name);
    (engine.make)(safety, &strategy.options).run(run)
}

/// What becomes of a problem before the engine begins in earnest; an attempt may decide it, and that is the conclusion about the user's model.
fn prepare_or_decide(
    system: &BitSystem,
    target: Lit,
    strategy: &Strategy,
    engine: &Implementation<Bits>,
    run: &mut Run<'_>,
) -> Ask<ControlFlow<Conclusion, Prepared>> {
    let mut prepared = Prepared::select(system, &Select::one(target), run)?;
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
    engine: &Implementation<Bits>,
    effort: u32,
    run: &mut Run<'_>,
) -> Option<Conclusion> {
    // Whoever records queries wants those of one engine.
    if safety.bad == Lit::FALSE || !engine.has_small_steps || run.queries.is_some() {
        return None;
    }
    run.begin_engine(strategy.engine.name);
    let most = (EFFORT / safety.aig.n_vars() as u64).min(MOST_EFFORT).saturating_mul(effort.into());
    let part = run.part(most, |own| (engine.make)(safety.clone(), &strategy.options).run(own));
    if part.is_exhausted && matches!(part.result, Conclusion::Unknown { .. }) {
        return None;
    }
    run.add_record(part.record);
    Some(part.result)
}
