//! `EX p`: a step to a fair state in which `p` holds.

use super::Search;
use super::known::Entry;
use indubit_run::{Ask, Run, Stop};
use indubit_system::CtlId;

/// A step that was found cannot be found again: a bug, which must not become a proof.
pub(super) const LOST: Stop = Stop::Incomplete("a step that was found is none when it is generalized");

impl Search<'_> {
    pub(super) fn next(&mut self, place: usize, p: CtlId, state: &[bool], run: &mut Run<'_>) -> Ask<bool> {
        loop {
            run.checkpoint()?;
            let [yes_p, no_p] = self.bounds(p);
            let [yes_fair, no_fair] = self.fair_bounds();
            let ground = &mut self.ground;
            let allowed = ground.allowed();
            let good = ground.aig().and(yes_p, yes_fair);
            let good = ground.after(good);
            let mut known = vec![allowed, good];
            known.extend(ground.literals(state));
            if ground.solve(&known)? {
                let (_, inputs) = ground.model();
                let cube = ground.lifted(state, &inputs, good)?.ok_or(LOST)?;
                let states = ground.aig().and_all(cube.iter().copied());
                self.known[place].entries.push(Entry { cube, inputs });
                self.learn(place, true, states);
                return Ok(true);
            }
            let possible = ground.aig().and(!no_p, !no_fair);
            let possible = ground.after(possible);
            if let Some(cube) = ground.core(&[allowed, possible], &ground.literals(state))? {
                let states = ground.aig().and_all(cube);
                self.learn(place, false, states);
                return Ok(false);
            }
            // What is not known of the state after the step is decided now.
            let (_, inputs) = ground.model();
            let after = ground.step(state, &inputs);
            if self.is_fair(&after, run)? {
                self.decide(p, &after, run)?;
            }
        }
    }
}
