//! Random runs that obey the constraints and the steps that there are.

use crate::path::Context;
use crate::prove::moments::{Inductive, Moments, Which};
use crate::verdict::Error;
use fastrand::Rng;
use indubit_logic::Lit;
use indubit_run::{Ask, Run};
use indubit_smt::External;
use indubit_system::Kind;

/// A random run.
#[derive(Clone, Debug)]
pub struct Simulation<T> {
    /// The run.
    pub trace: T,
    /// Does it end because there is no step after the last one?
    pub is_stuck: bool,
}

/// What is found: a run, or none if there is no initial state; unless the search was ended.
pub type Simulated<K> = Ask<Option<Simulation<<K as Kind>::Trace>>>;

/// A random run of so many steps, or as far as there are any; none if there is no initial state. Where our solver has no theory, `other` is
/// asked.
///
/// Inputs, and state variables that no step determines, are chosen at random as far as the constraints leave a choice, by a solver.
pub fn simulate<K: Inductive>(
    system: &K::System,
    n_steps: usize,
    other: Option<&External>,
    run: &Run<'_>,
) -> Result<Simulated<K>, Error<K>> {
    Context::<K>::new(system)?;
    let nothing = K::no_lemmas(system);
    let decider = K::decider(system, &nothing, &[], other)?;
    let moments = |which| K::moments(system, &nothing, &decider, which, run);
    Ok(walk::<K>(system, n_steps, moments(Which::INITIAL), moments(Which::STEP), run.seed))
}

fn walk<K: Inductive>(
    system: &K::System,
    n_steps: usize,
    mut initial: K::Moments<'_>,
    mut step: K::Moments<'_>,
    seed: u64,
) -> Simulated<K> {
    let mut random = Rng::with_seed(seed);
    let is_free = K::is_free(system);
    let (all, none) = (vec![true; is_free.len()], vec![false; is_free.len()]);
    let wishes = K::wishes_at(&mut initial, 0, &all, &mut random);
    if !solve_wishing(&mut initial, &[], wishes)? {
        return Ok(None);
    }
    let mut trace = initial.trace();
    let mut last = trace.clone();
    for _ in 1..n_steps {
        let [state, inputs] = K::row_at(&mut step, &last);
        let wishes = K::wishes_at(&mut step, 1, &is_free, &mut random);
        // With the inputs that have been chosen, if that can be; else with others.
        let as_chosen: Vec<Lit> = state.iter().chain(&inputs).copied().collect();
        let goes_on = solve_wishing(&mut step, &as_chosen, wishes.clone())? || {
            let others = K::wishes_at(&mut step, 0, &none, &mut random);
            solve_wishing(&mut step, &state, others.into_iter().chain(wishes).collect())?
        };
        if !goes_on {
            return Ok(Some(Simulation { trace, is_stuck: true }));
        }
        last = K::append(system, &mut trace, step.trace());
    }
    Ok(Some(Simulation { trace, is_stuck: false }))
}

/// Can all of `lits` hold? If so, with as many of the wishes as come to mind: those that contradict the rest go.
pub(crate) fn solve_wishing<M: Moments>(moments: &mut M, lits: &[Lit], mut wishes: Vec<Lit>) -> Ask<bool> {
    loop {
        let all: Vec<Lit> = lits.iter().chain(&wishes).copied().collect();
        if moments.solve(&all)? {
            return Ok(true);
        }
        let n = wishes.len();
        wishes.retain(|&wish| !moments.failed(wish));
        if n == 0 {
            return Ok(false);
        }
        if wishes.len() == n {
            wishes.clear();
        }
    }
}
