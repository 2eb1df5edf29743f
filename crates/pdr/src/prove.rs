//! The loop: seed 000, listings 1 to 4, with the queue of seed 003.
//!
//! Deviations from the listings, and why:
//! - A bad signal may depend on inputs and constraints, so a frame is tested for bad states itself
//!   (`F[k] ∧ bad`, as in seed 003) instead of for steps into them (`F[k] ∧ T ∧ ¬P′`, listing 2, line 11). `F[k]` then
//!   starts as *true* instead of *P*, and bad states are removed from it like any other.
//! - Lemmas go to `F[1]…F[j]` and `F[0]` stays the initial states (ERRATA, listings 2 and 3).
//! - A fulfilled obligation does not end the loop over the queue (ERRATA, listing 3); it is enqueued again at
//!   the next frame, where its states are just as bad (seed 003, "blocks states in future frames").

use crate::activity::Activity;
use crate::frames::Frames;
use crate::generalize::generalize;
use crate::obligations::{ObligationId, Obligations};
use crate::{Answer, Concretization, Level, Predecessor, Query, RelInd, ask, paranoid};
use indubit_logic::Cube;
use indubit_run::{Ask, Event, Run};

/// What the loop found.
#[derive(Clone, Debug)]
pub enum Outcome<T> {
    /// The negations of these cubes together are an inductive invariant without bad states.
    Invariant(Vec<Cube>),
    /// A bad state is reachable.
    Counterexample(T),
}

/// IC3 over an oracle.
pub struct Pdr<O: RelInd> {
    oracle: O,
    frames: Frames,
    obligations: Obligations<O::Step>,
    activity: Activity,
    counts: Counts,
}

/// What statistics are drawn from.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    obligations: u64,
    lemmas: u64,
    pushed: u64,
}

/// How an attempt to clear the frontier of bad states ended.
enum Frontier {
    /// It has none.
    Cleared,
    /// These states contain an initial one, and their chain leads to bad.
    Reached(ObligationId),
}

impl<O: RelInd> Pdr<O> {
    /// IC3 with nothing known yet; the seed orders literals that nothing else distinguishes.
    pub fn new(mut oracle: O, seed: u64) -> Pdr<O> {
        oracle.extend();
        let obligations = Obligations::new();
        Pdr {
            oracle,
            frames: Frames::new(),
            obligations,
            activity: Activity::new(seed),
            counts: Counts::default(),
        }
    }
    /// `Some(k)`: no counterexample of any length up to `k` exists. All frames below the frontier are clear.
    pub fn safe_up_to(&self) -> Option<u32> {
        self.frames.frontier().checked_sub(1)
    }
    /// The oracle, for its statistics.
    pub fn oracle(&self) -> &O {
        &self.oracle
    }

    /// Listing 1: extend the frontier, propagate, until a frame repeats.
    pub fn prove(&mut self, run: &mut Run<'_>) -> Ask<Outcome<O::Trace>> {
        loop {
            let frontier = self.frames.frontier();
            run.within_bound(frontier)?;
            if let Some(trace) = self.extend_frontier(run)? {
                return Ok(Outcome::Counterexample(trace));
            }
            run.event(Event::Bound { safe_up_to: frontier });
            self.frames.extend();
            self.oracle.extend();
            let fixpoint = self.propagate_clauses(run)?;
            run.event(Event::Frames { sizes: &self.frames.sizes() });
            if run.paranoid {
                paranoid::check(&mut self.oracle, &self.frames)?;
            }
            if let Some(level) = fixpoint {
                return Ok(Outcome::Invariant(self.frames.at_least(level).cloned().collect()));
            }
        }
    }

    /// Listing 2: find the counterexamples to `F[k] ⇒ P` and remove them. A trace is a real counterexample.
    fn extend_frontier(&mut self, run: &mut Run<'_>) -> Ask<Option<O::Trace>> {
        let frontier = self.frames.frontier();
        while let Some(bad) = self.oracle.bad(frontier)? {
            if let Frontier::Reached(start) = self.remove_cti(bad, run)? {
                let path = self.obligations.chain(start);
                self.obligations.clear();
                if let Concretization::Real(trace) = self.oracle.concretize(&path)? {
                    return Ok(Some(trace));
                }
            }
            self.obligations.clear();
        }
        Ok(None)
    }

    /// Listing 3: meet the obligation to exclude `states` from the frontier, and all that follow from it.
    fn remove_cti(&mut self, states: Predecessor<O::Step>, run: &mut Run<'_>) -> Ask<Frontier> {
        let frontier = self.frames.frontier();
        self.obligations.push(frontier, states, None);
        while let Some(id) = self.obligations.pop() {
            run.checkpoint()?;
            let Self { oracle, frames, obligations, .. } = self;
            let obligation = &obligations[id];
            let (level, depth, cube) = (obligation.level, obligation.depth, &obligation.states.cube);
            run.event(Event::Obligation { level, depth, queued: obligations.n_open() + 1 });
            self.counts.obligations += 1;
            if level == 0 || oracle.meets_init(cube)? {
                return Ok(Frontier::Reached(id));
            }
            let blocked_up_to = match frames.covering(level, cube) {
                Some(covered) => covered,
                None => match ask(oracle, Query::Relative, level, cube)? {
                    Answer::Cti(cti) => {
                        let predecessor = cti.lift()?;
                        self.obligations.requeue(id, level);
                        self.obligations.push(level - 1, predecessor, Some(id));
                        continue;
                    }
                    Answer::Inductive(core) => {
                        let core = core.into_cube();
                        let lemma = generalize(oracle, &self.activity, level, core)?;
                        self.add_lemma(lemma, level, run)?
                    }
                },
            };
            // A chain from there would have this many steps: no longer than the bound allows.
            let length = blocked_up_to + 1 + depth;
            if blocked_up_to < frontier && run.within_bound(length).is_ok() {
                self.obligations.requeue(id, blocked_up_to + 1);
            }
        }
        Ok(Frontier::Cleared)
    }

    /// Listing 3, lines 25 to 28: exclude `lemma` from the frames up to the highest at which it is still
    /// inductive relative to the one before. Returns that level.
    fn add_lemma(&mut self, lemma: Cube, mut level: Level, run: &mut Run<'_>) -> Ask<Level> {
        while level < self.frames.frontier() {
            match ask(&mut self.oracle, Query::Relative, level + 1, &lemma)? {
                Answer::Inductive(_) => level += 1,
                Answer::Cti(_) => break,
            }
        }
        run.event(Event::Lemma { level, size: lemma.len() });
        self.counts.lemmas += 1;
        self.activity.bump(&lemma);
        self.oracle.learn(&lemma, 1, level);
        self.frames.insert(lemma, level);
        Ok(level)
    }

    /// Listing 4: move each lemma to the next frame if it holds there too. If all lemmas of a delta frame
    /// moved, two frames are equal: returns the level of the second, an inductive invariant.
    fn propagate_clauses(&mut self, run: &mut Run<'_>) -> Ask<Option<Level>> {
        for level in 1..self.frames.frontier() {
            let mut staying = Vec::new();
            for lemma in self.frames.take(level) {
                run.checkpoint()?;
                match ask(&mut self.oracle, Query::Push, level + 1, &lemma)? {
                    Answer::Cti(_) => staying.push(lemma),
                    Answer::Inductive(_) => {
                        self.counts.pushed += 1;
                        self.oracle.learn(&lemma, level + 1, level + 1);
                        self.frames.insert(lemma, level + 1);
                    }
                }
            }
            self.frames.put_back(level, staying);
            if self.frames.delta(level).is_empty() {
                return Ok(Some(level + 1));
            }
        }
        Ok(None)
    }

    /// Tell the observer what was counted.
    pub fn report(&self, run: &mut Run<'_>) {
        let Counts { obligations, lemmas, pushed } = self.counts;
        let frames = u64::from(self.frames.frontier());
        let in_frames = self.frames.at_least(0).count() as u64;
        for (name, value) in [
            ("frames", frames),
            ("obligations", obligations),
            ("lemmas", lemmas),
            ("lemmas kept", in_frames),
            ("lemmas pushed", pushed),
        ] {
            run.event(Event::Count { name, value });
        }
    }
}
