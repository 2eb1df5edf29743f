//! `E [p U q]`: a path through states in which `p` holds to a fair state in which `q` does.

use super::Search;
use super::known::{Entry, Group};
use super::next::LOST;
use super::stroll::About;
use crate::Engine;
use crate::live::searcher;
use indubit_logic::Lit;
use indubit_run::{Ask, Run, Stop};
use indubit_system::{Conclusion, CtlId, Invariant, Safety, Trace};

/// States of a proof that allow no step cannot be fair.
const NO_STEP: Stop = Stop::Incomplete("a state without a step is said to be fair");

/// Steps of IC3 for a path that need not be found.
pub(super) const ATTEMPT: u64 = 400;
/// Steps of IC3 before paths are tried at random.
const SOON: u64 = 100;

impl Search<'_> {
    pub(super) fn until(
        &mut self,
        (id, place): (CtlId, usize),
        (p, q): (CtlId, CtlId),
        state: &[bool],
        run: &mut Run<'_>,
    ) -> Ask<bool> {
        if self.may_stroll(place) && self.about(q) == About::Paths {
            self.known[place].has_strolled = true;
            if let Some(trace) = self.stroll((p, q), state, run)?
                && self.follow(place, Some(p), Some((id, q)), state, &trace, run)?
            {
                return Ok(true);
            }
        }
        loop {
            run.checkpoint()?;
            let [_, no_p] = self.bounds(p);
            let looks_ahead = self.options.branching.steps_ahead && !self.known[place].is_step_by_step;
            let may_q = if looks_ahead { self.may_hold(q) } else { !self.bounds(q)[1] };
            let ([yes, no], [_, no_fair]) = (self.bounds(id), self.fair_bounds());
            let aig = self.ground.aig();
            let goal = aig.and(may_q, !no_fair);
            let goal = aig.or(goal, yes);
            let stays = aig.and_all([!no_p, !no, !no_fair]);
            match self.way(place, (p, q), state, (goal, stays), run)? {
                Ok(trace) => {
                    if self.follow(place, Some(p), Some((id, q)), state, &trace, run)? {
                        return Ok(true);
                    }
                }
                Err(invariant) => {
                    let invariant = match self.options.branching.widen_proofs {
                        true => self.fewer(&invariant, goal, stays)?,
                        false => invariant,
                    };
                    let states = self.ground.edge(&invariant);
                    if looks_ahead {
                        self.learn_of_steps(q, states)?;
                        let ([_, no_q], [_, no_fair]) = (self.bounds(q), self.fair_bounds());
                        let allowed = self.ground.allowed();
                        if self.ground.solve(&[states, !no_q, !no_fair, allowed])? {
                            // It takes several steps, or something about paths, not to hold.
                            self.known[place].is_step_by_step = true;
                            continue;
                        }
                    }
                    // Whoever allows no step is not fair, which may not be known yet.
                    loop {
                        let ([_, no_q], [_, no_fair]) = (self.bounds(q), self.fair_bounds());
                        if !self.ground.solve(&[states, !no_q, !no_fair])? {
                            break;
                        }
                        let (dead, _) = self.ground.model();
                        if self.is_fair(&dead, run)? {
                            return Err(NO_STEP);
                        }
                    }
                    let states = self.ground.aig().and(states, !no_fair);
                    self.learn(place, false, states);
                    return Ok(false);
                }
            }
        }
    }

    fn may_stroll(&self, place: usize) -> bool {
        self.options.branching.strolls && !self.known[place].has_strolled
    }
    /// As [`path`](Self::path), where a goal that is seen in a state, and is not found soon, may be on a path at random.
    fn way(
        &mut self,
        place: usize,
        (p, q): (CtlId, CtlId),
        state: &[bool],
        (goal, stays): (Lit, Lit),
        run: &mut Run<'_>,
    ) -> Ask<Result<Trace, Invariant>> {
        if self.may_stroll(place) && self.about(q) == About::State {
            self.known[place].has_strolled = true;
            if let Ok(found) = self.path(state, goal, stays, Some(SOON), run) {
                return Ok(found);
            }
            run.checkpoint()?;
            if let Some(trace) = self.stroll((p, q), state, run)? {
                return Ok(Ok(trace));
            }
        }
        self.path(state, goal, stays, None, run)
    }

    /// A path to `goal` through states in which `stays` holds, or an invariant of what is reached in this way; with a limit on effort there may be neither.
    pub(super) fn path(
        &mut self,
        state: &[bool],
        goal: Lit,
        stays: Lit,
        effort: Option<u64>,
        run: &mut Run<'_>,
    ) -> Ask<Result<Trace, Invariant>> {
        self.n_searches += 1;
        let mut problem = self.from(state);
        let n_inputs = problem.inputs.len();
        problem.bad = goal;
        let own = self.steps.iter().flatten().flat_map(|step| &step.inputs);
        problem.inputs.extend(own.map(|input| input.var()));
        let goes_on = problem.aig.or(goal, stays);
        problem.constraints.push(goes_on);
        let options = self.options;
        let found = run.part_beside(|own| {
            own.part(effort.unwrap_or(u64::MAX), |own| searcher(problem, options).run(own)).result
        });
        match found {
            Conclusion::Safe(proof) => Ok(Err(proof.invariant().clone())),
            Conclusion::Unsafe(mut trace) => {
                trace.inputs.iter_mut().for_each(|row| row.truncate(n_inputs));
                Ok(Ok(trace))
            }
            Conclusion::Unknown { stop, .. } => Err(stop),
        }
    }
    /// The circuit, from a state on.
    pub(super) fn from(&self, state: &[bool]) -> Safety {
        let mut problem = self.ground.circuit.clone();
        problem.latches.iter_mut().zip(state).for_each(|(latch, &value)| latch.init = Some(value));
        problem
    }

    /// A path is one if `p` holds on the way and the goal at its end: what is not known of that is decided. From the last state on, what is right of it is known then.
    /// The goal is that `q` holds in a fair state, or, without `q`, to come to where the operator is known to hold. Is all of it right?
    pub(super) fn follow(
        &mut self,
        place: usize,
        p: Option<CtlId>,
        goal: Option<(CtlId, CtlId)>,
        state: &[bool],
        trace: &Trace,
        run: &mut Run<'_>,
    ) -> Ask<bool> {
        let (_, rows) = trace.inputs.split_last().expect("a trace has a step");
        let states = self.ground.states(state, rows);
        if let Some((id, q)) = goal {
            let last = &states[rows.len()];
            let [yes, _] = self.bounds(id);
            let is_there =
                self.ground.holds(yes, last) || self.is_fair(last, run)? && self.decide(q, last, run)?;
            if !is_there {
                return Ok(false);
            }
        }
        for (k, inputs) in rows.iter().enumerate().rev() {
            let current = &states[k];
            let yes = match goal {
                Some((id, _)) => self.bounds(id)[0],
                None => self.known[place].yes,
            };
            if self.ground.holds(yes, current) {
                continue;
            }
            if let Some(p) = p
                && !self.decide(p, current, run)?
            {
                return Ok(false);
            }
            let target = match goal {
                Some((id, _)) => self.bounds(id)[0],
                None => self.known[place].yes,
            };
            let yes_p = p.map_or(Lit::TRUE, |p| self.bounds(p)[0]);
            let target = self.ground.after(target);
            let wanted = self.ground.aig().and(yes_p, target);
            let cube = self.ground.lifted(current, inputs, wanted)?.ok_or(LOST)?;
            let here = self.ground.aig().and_all(cube.iter().copied());
            let entry = Entry { cube, inputs: inputs.clone() };
            match goal {
                Some(_) => self.known[place].entries.push(entry),
                None => self.known[place].groups.push(Group { entries: vec![entry], around: None }),
            }
            self.learn(place, true, here);
        }
        Ok(true)
    }

    /// Those clauses of an invariant that are needed for it to keep away from `goal` where `stays` holds: fewer clauses say something of more states.
    pub(super) fn fewer(&mut self, invariant: &Invariant, goal: Lit, stays: Lit) -> Ask<Invariant> {
        let edges = invariant.build(self.ground.aig(), |_, v| Lit::positive(v));
        let allowed = self.ground.allowed();
        // The goal may be in states that allow no step.
        let core = match self.ground.core(&[goal], &edges)? {
            None => self.ground.core(&[allowed, goal], &edges)?,
            core => core,
        };
        let Some(mut needed) = core else { return Ok(invariant.clone()) };
        // And those that these need to be kept by steps.
        let mut next = 0;
        while next < needed.len() {
            let after = self.ground.after(needed[next]);
            next += 1;
            let Some(core) = self.ground.core(&[allowed, stays, !after], &edges)? else {
                return Ok(invariant.clone());
            };
            for lit in core {
                if !needed.contains(&lit) {
                    needed.push(lit);
                }
            }
        }
        let positions: Vec<usize> = (0..edges.len()).filter(|&i| needed.contains(&edges[i])).collect();
        Ok(invariant.select(&positions))
    }
}
