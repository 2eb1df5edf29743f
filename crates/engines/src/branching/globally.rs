//! `EG p`: a fair path on which `p` holds always; without `p`, a fair path.

use super::Search;
use super::known::{Entry, Group};
use super::next::LOST;
use super::until::ATTEMPT;
use crate::live::{Fair, KLiveness, LassoSearch, Rlive};
use crate::{Engine, Options};
use indubit_aig::{Cone, simulate};
use indubit_logic::Lit;
use indubit_run::{Ask, Run, Stop};
use indubit_system::{Conclusion, CtlId, Liveness, Proof, Ranked, SharedFacts, Stuck, Trace};

/// Depths of the first search for a lasso, and half as many more of each later one.
const DEPTHS: u64 = 6;
/// Effort of the first attempt to prove that there is none, and twice as much of each later one.
const EFFORT: u64 = 150;
/// So many searches for a lasso come before such an attempt, where that each state has one is likely.
const FIRST: u32 = 2;
/// So often a loop is repeated for all latches to be what they were.
const MOST_ROUNDS: usize = 8;
/// So many times around, the states of a loop are made of as few literals as it takes; then the whole state is taken.
const MOST_LIFTS: usize = 6;
const NOT_CLOSED: Stop = Stop::Incomplete("a loop does not come back to where it began");

/// An engine, and what it may spend.
type Attempt<'a> = (u64, &'a dyn Fn() -> Box<dyn Engine>);

impl Search<'_> {
    pub(super) fn globally(
        &mut self,
        place: usize,
        p: Option<CtlId>,
        state: &[bool],
        run: &mut Run<'_>,
    ) -> Ask<bool> {
        let (mut depths, mut effort) = (DEPTHS, EFFORT);
        let mut n_rounds = 0;
        loop {
            run.checkpoint()?;
            // States in which `p` fails are among those that are known.
            if let Some(p) = p
                && !self.decide(p, state, run)?
            {
                return Ok(false);
            }
            let no_p = p.map_or(Lit::FALSE, |p| self.bounds(p)[1]);
            let (known, no_fair) = ([self.known[place].yes, self.known[place].no], self.fair_bounds()[1]);
            let stays = self.ground.aig().and_all([!no_p, !known[1], !no_fair]);
            // A way to where it is known to hold is enough.
            if self.options.branching.known_lassos
                && known[0] != Lit::FALSE
                && let Ok(Ok(path)) = self.path(state, known[0], stays, Some(ATTEMPT), run)
            {
                if self.follow(place, p, None, state, &path, run)? {
                    return Ok(true);
                }
                continue;
            }
            run.checkpoint()?;
            // Nearly all states have a fair path, as a rule.
            let tries_proof = p.is_some() || n_rounds >= FIRST;
            match self.lasso(
                (place, state),
                stays,
                depths,
                effort.min(if tries_proof { u64::MAX } else { 0 }),
                run,
            )? {
                None => {
                    n_rounds += 1;
                    depths += depths / 2;
                    if tries_proof {
                        effort *= 2;
                    }
                    if n_rounds > 1 {
                        // More may be known to stabilize, now that fewer states are left.
                        self.known[place].facts = SharedFacts::default();
                    }
                }
                Some(Ok(lasso)) => {
                    if self.around(place, p, state, lasso, run)? {
                        return Ok(true);
                    }
                }
                Some(Err(why)) => {
                    let why = match self.options.branching.widen_proofs {
                        true => self.ground.widened(why, stays, run)?,
                        false => why,
                    };
                    self.stuck(place, state, why);
                    return Ok(false);
                }
            }
        }
    }

    /// A lasso among the states in which `stays` holds, or why there is none; neither if nobody finds one with so much effort.
    fn lasso(
        &mut self,
        (place, state): (usize, &[bool]),
        stays: Lit,
        depths: u64,
        effort: u64,
        run: &mut Run<'_>,
    ) -> Ask<Option<Result<Trace, Ranked>>> {
        self.n_searches += 1;
        let mut circuit = self.from(state);
        circuit.constraints.push(stays);
        circuit.also = self.ground.graph.signals();
        let problem = Liveness::new(circuit).sharing(self.known[place].facts.clone());
        let options: &Options = self.options;
        let engines: [Attempt<'_>; 4] = [
            (depths, &|| Box::new(LassoSearch::new(problem.clone(), options.bmc.frames))),
            (effort, &|| Box::new(KLiveness::new(problem.clone(), options))),
            (effort, &|| Box::new(Rlive::new(problem.clone(), options))),
            (effort / 2, &|| Box::new(Fair::new(problem.clone(), options))),
        ];
        for (effort, engine) in engines.into_iter().filter(|(effort, _)| *effort > 0) {
            let found = run.part_beside(|own| own.part(effort, |own| engine().run(own)).result);
            run.checkpoint()?;
            match found {
                Conclusion::Unsafe(lasso) => return Ok(Some(Ok(lasso))),
                Conclusion::Safe(Proof::Ranked(why)) => return Ok(Some(Err(*why))),
                Conclusion::Safe(_) | Conclusion::Unknown { .. } => (),
            }
        }
        Ok(None)
    }

    /// No fair path from a state stays: neither does one from other states that the proof is about.
    fn stuck(&mut self, place: usize, state: &[bool], why: Ranked) {
        let n_vars = why.n_vars();
        let memory: Vec<bool> = why.memory().iter().map(|m| m.initial).collect();
        let clauses = why.with.build(self.ground.aig(), |_, v| match v.index().checked_sub(n_vars) {
            Some(i) => Lit::constant(memory.get(i).copied().unwrap_or(false)),
            None => Lit::positive(v),
        });
        let mut states = self.ground.aig().and_all(clauses);
        let mut cone = Cone::new();
        cone.collect(&self.ground.circuit.aig, [states]);
        let has_inputs = self.ground.circuit.inputs.iter().any(|&v| cone.contains(v));
        if has_inputs || !self.ground.holds(states, state) {
            let here = self.ground.literals(state);
            states = self.ground.aig().and_all(here);
        }
        self.known[place].stuck.push(Stuck { states, why });
        self.learn(place, false, states);
    }

    /// A lasso is one if `p` holds in all its states: what is not known of them is decided. Is it?
    fn around(
        &mut self,
        place: usize,
        p: Option<CtlId>,
        state: &[bool],
        lasso: Trace,
        run: &mut Run<'_>,
    ) -> Ask<bool> {
        let begin = lasso.loops_to.unwrap_or_default();
        let mut rows = lasso.inputs;
        let round: Vec<Vec<bool>> = rows[begin..].to_vec();
        let mut states = self.ground.states(state, &rows);
        let mut n_rounds = 1;
        while states[rows.len()] != states[begin] {
            if n_rounds == MOST_ROUNDS {
                return Err(NOT_CLOSED);
            }
            n_rounds += 1;
            rows.extend(round.iter().cloned());
            states = self.ground.states(state, &rows);
        }
        if let Some(p) = p {
            for state in &states[..rows.len()] {
                if !self.decide(p, state, run)? {
                    return Ok(false);
                }
            }
        }
        let signals = self.ground.graph.signals();
        let sees: Option<Vec<usize>> = signals
            .iter()
            .map(|&signal| {
                (begin..rows.len())
                    .find(|&k| simulate::value(&self.ground.circuit.evaluate(&states[k], &rows[k]), signal))
            })
            .collect();
        let sees = sees.ok_or(NOT_CLOSED)?;
        let cubes = self.cubes(p, &states, &rows, begin, &sees)?;
        let mut all = Lit::FALSE;
        for cube in &cubes {
            let here = self.ground.aig().and_all(cube.iter().copied());
            all = self.ground.aig().or(all, here);
        }
        let entries = cubes.into_iter().zip(rows).map(|(cube, inputs)| Entry { cube, inputs }).collect();
        self.known[place].groups.push(Group { entries, around: Some((begin, sees)) });
        self.learn(place, true, all);
        Ok(true)
    }

    /// For each step of a lasso the literals of its state that suffice for the run to go on like this: those of the state in which the loop begins have to
    /// be enough for the step that comes back to it, too.
    fn cubes(
        &mut self,
        p: Option<CtlId>,
        states: &[Vec<bool>],
        rows: &[Vec<bool>],
        begin: usize,
        sees: &[usize],
    ) -> Ask<Vec<Vec<Lit>>> {
        let holds = p.map_or(Lit::TRUE, |p| self.bounds(p)[0]);
        let signals = self.ground.graph.signals();
        let mut head: Vec<Lit> = Vec::new();
        let mut cubes = vec![Vec::new(); rows.len()];
        for round in 0.. {
            let mut target = head.clone();
            for k in (begin..rows.len()).rev() {
                let seen: Vec<Lit> =
                    signals.iter().zip(sees).filter(|(_, step)| **step == k).map(|(&s, _)| s).collect();
                cubes[k] = self.step_into(holds, &seen, &target, &states[k], &rows[k])?;
                target = cubes[k].clone();
            }
            let more: Vec<Lit> = target.into_iter().filter(|lit| !head.contains(lit)).collect();
            if more.is_empty() {
                break;
            }
            match round < MOST_LIFTS {
                true => head.extend(more),
                false => head = self.ground.literals(&states[begin]),
            }
        }
        cubes[begin] = head;
        for k in (0..begin).rev() {
            let target = cubes[k + 1].clone();
            cubes[k] = self.step_into(holds, &[], &target, &states[k], &rows[k])?;
        }
        Ok(cubes)
    }
    /// The literals of a state in which `holds` that suffice for a step to see something and to lead into a cube.
    fn step_into(
        &mut self,
        holds: Lit,
        seen: &[Lit],
        cube: &[Lit],
        state: &[bool],
        inputs: &[bool],
    ) -> Ask<Vec<Lit>> {
        let target = self.ground.aig().and_all(cube.iter().copied());
        let target = self.ground.after(target);
        let wanted = seen.iter().copied().chain([holds, target]).collect::<Vec<_>>();
        let wanted = self.ground.aig().and_all(wanted);
        self.ground.lifted(state, inputs, wanted)?.ok_or(LOST)
    }
}
