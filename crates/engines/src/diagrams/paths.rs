//! Runs through sets of states.

use super::space::Space;
use indubit_bdd::Bdd;
use indubit_run::{Ask, Run};
use indubit_system::Trace;

/// A broken invariant of sets that were made by images and preimages.
pub(super) const HAS_STEP: &str = "each state of a set has a step into the next one";

impl Space<'_> {
    /// A run that passes through a state of each ring, from an initial one on, and goes from the last one to `end`. The rings are held.
    pub fn path(&mut self, rings: &[Bdd], end: Vec<bool>) -> Ask<Trace> {
        let mut rows = Vec::new();
        let mut state = end;
        for &ring in rings.iter().rev() {
            let after = self.singleton(&state, true)?;
            let steps = self.steps_at(after, ring)?;
            let (before, inputs) = self.pick(steps).expect(HAS_STEP);
            rows.push(inputs);
            state = before;
        }
        rows.reverse();
        Ok(Trace { initial: state, inputs: rows, loops_to: None })
    }
    /// Inputs that lead from a state into a set, in a step that sees something; none if there are none. The operands are held.
    pub fn step(&mut self, state: &[bool], seen: Bdd, set: Bdd) -> Ask<Option<Vec<bool>>> {
        let slot = self.slot();
        let now = self.singleton(state, false)?;
        self.hold(now);
        let target = self.as_next(set)?;
        self.hold(target);
        let seen = self.ask(&[now, seen], |all| all.cofactor(seen, now))?;
        let within = self.and(seen, target)?;
        let steps = self.steps_at(now, within)?;
        self.release_from(slot);
        Ok(self.pick(steps).map(|(_, inputs)| inputs))
    }
    /// Go from `state`, inside a set, to a step that sees something and stays in the set; what is passed is added to the rows. Can that be done? The operands are held.
    pub fn go(
        &mut self,
        state: &mut Vec<bool>,
        rows: &mut Vec<Vec<bool>>,
        to: Goal,
        inside: Bdd,
        run: &Run<'_>,
    ) -> Ask<bool> {
        let base = self.slot();
        // From the last one on: the states from which so many steps are enough.
        let mut layers = vec![match to {
            Goal::Seen(seen) => {
                let before = self.preimage(inside, seen)?;
                self.and(before, inside)?
            }
            Goal::State(goal) => goal,
        }];
        loop {
            run.checkpoint()?;
            let last = self.hold(layers[layers.len() - 1]);
            if self.contains(last, state) {
                break;
            }
            let before = self.preimage(last, Bdd::TRUE)?;
            let before = self.and(before, inside)?;
            let more = self.or(before, last)?;
            if more == last {
                self.release_from(base);
                return Ok(false);
            }
            layers.push(more);
        }
        layers.pop();
        while let Some(layer) = layers.pop() {
            let inputs = self.step(state, Bdd::TRUE, layer)?.expect(HAS_STEP);
            self.advance(state, rows, inputs);
        }
        if let Goal::Seen(seen) = to {
            let inputs = self.step(state, seen, inside)?.expect(HAS_STEP);
            self.advance(state, rows, inputs);
        }
        self.release_from(base);
        Ok(true)
    }
    fn advance(&self, state: &mut Vec<bool>, rows: &mut Vec<Vec<bool>>, inputs: Vec<bool>) {
        *state = self.circuit.next_state(&self.circuit.evaluate(state, &inputs));
        rows.push(inputs);
    }
}

/// Where a run is to go.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// Through a step that sees this.
    Seen(Bdd),
    /// To this state.
    State(Bdd),
}
