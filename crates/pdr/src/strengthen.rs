//! What `naive.rs` and `fsis.rs` have in common: counterexamples to induction (CTIs), and how each leads to bad.
//!
//! `IS`, the strengthening so far, is `F∞`. What is in it need not hold of all reachable states before the end, so none of it may
//! leave: it is neither offered to other engines nor taken from them.
//!
//! Deviations from the slides after L. Geatti (docs/SOURCES.md), and why:
//! - A bad signal may depend on inputs and constraints, so *P* is not a formula over states. It begins as *true*, and bad states are
//!   the first to be removed, like any other: in the slides' words, *P* is that the step before was not bad.
//! - CTIs are looked for in the order of their distance from bad, so that a counterexample is a shortest one. Let `x₀ … x_D` be a
//!   shortest way to bad, and `x_m` the first of its states that was removed. No lemma has removed it: from `x₀` to `x_{m-1}` all
//!   are in `IS`, none is bad, and lemmas are inductive relative to that. So it is in a cube at distance `d` by the CTIs, and if
//!   `d ≤ D - m`, then, as long as CTIs lead into this cube, no other distance is looked at. Afterwards the first state that was
//!   removed is an earlier one, at distance `d + 1 ≤ D - m + 1`.

use crate::obligations::ObligationId;
use crate::{Answer, Concretization, INFINITE, Outcome, Pdr, Predecessor, Query, RelInd, ask};
use indubit_run::{Ask, Event, Run};

/// States of `IS` that are bad, or from which a step leads into states that were removed before: all of them reach bad.
pub(crate) struct ErrorStates<S> {
    pub(crate) states: Predecessor<S>,
    /// What the step leads into.
    successor: Option<ObligationId>,
}

impl<O: RelInd> Pdr<O> {
    /// Is `IS` inductive, and without bad states? If not, a CTI.
    ///
    /// States that were removed are obligations, at the level of their distance from bad, for as long as steps may lead into them;
    /// `depth` is the distance at which CTIs are looked for. Each query adds to what is known of `IS`, which only becomes stronger: what
    /// no step leads into once, no step leads into later.
    pub(crate) fn find_cti(&mut self, run: &mut Run<'_>) -> Ask<Option<ErrorStates<O::Step>>> {
        loop {
            run.checkpoint()?;
            let found = match self.depth.checked_sub(1) {
                None => self.oracle.bad(INFINITE)?.map(|states| ErrorStates { states, successor: None }),
                Some(before) => self.find_step_into(before)?,
            };
            if found.is_some() {
                let (level, queued) = (self.depth, self.obligations.n_open() + 1);
                run.event(Event::Obligation { level, depth: level, queued });
                run.spend(1);
                self.counts.obligations += 1;
                return Ok(found);
            }
            if self.obligations.n_open() == 0 {
                return Ok(None);
            }
            run.publish_bound(self.depth);
            run.spend(1);
            self.depth += 1;
            run.within_bound(self.depth)?;
        }
    }

    /// States of `IS` with a step into what was removed at this distance from bad.
    fn find_step_into(&mut self, distance: u32) -> Ask<Option<ErrorStates<O::Step>>> {
        while let Some(id) = self.obligations.pop_up_to(distance) {
            if let Answer::Cti(cti) =
                ask(&mut self.oracle, Query::Push, INFINITE, &self.obligations[id].cube)?
            {
                let states = cti.lift()?;
                self.obligations.requeue(id);
                return Ok(Some(ErrorStates { states, successor: Some(id) }));
            }
        }
        Ok(None)
    }

    /// `IS := IS ∧ ¬err`.
    pub(crate) fn remove(&mut self, err: ErrorStates<O::Step>) {
        self.learn(err.states.cube.clone(), INFINITE);
        self.obligations.push(self.depth, err.states, err.successor);
    }

    /// The CTI has an initial state: from there, one CTI leads into the other, and the last one is bad.
    pub(crate) fn refute(&mut self, err: ErrorStates<O::Step>) -> Ask<Outcome<O::Trace>> {
        let mut path = vec![err.states];
        path.extend(err.successor.into_iter().flat_map(|id| self.obligations.chain(id)));
        match self.oracle.concretize(&path)? {
            Concretization::Real(trace) => Ok(Outcome::Counterexample(trace)),
            Concretization::Refined => panic!("states were removed that may not reach bad"),
        }
    }

    /// `IS` is inductive.
    pub(crate) fn strengthening(&self) -> Outcome<O::Trace> {
        Outcome::Invariant(self.for_good().cloned().collect())
    }
}
