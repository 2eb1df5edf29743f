//! Moving lemmas to higher frames (Wolff, listing 4; A. Ivrii, A. Gurfinkel, *Pushing to the Top*, FMCAD 2015, Fig. 5).
//!
//! Wolff remarks, after listing 4, that two clauses of a frame may be inductive relative to it together although neither is
//! on its own. That cannot be: both are in the frame, so each query assumes both anyway. It can be of clauses relative to `F∞`,
//! and there [`Promote::MaxIndSubset`] finds them.

use crate::config::Promote;
use crate::frames::LemmaId;
use crate::{Answer, INFINITE, Level, Pdr, Query, RelInd, ask};
use indubit_run::{Ask, Run};

impl<O: RelInd> Pdr<O> {
    /// Listing 4: move each lemma to the next frame if it holds there too. If all lemmas of a delta frame below the frontier
    /// moved, two frames are equal: returns the level of the second, an inductive invariant.
    pub(crate) fn propagate(&mut self, run: &mut Run<'_>) -> Ask<Option<Level>> {
        for level in 1..self.depth {
            self.push_level(level, run)?;
            if self.frames.delta(level).is_empty() {
                return Ok(Some(level + 1));
            }
        }
        let before = self.counts.promoted;
        let promote = match self.config.promote {
            Promote::Usual if self.as_quip().is_some() => Promote::MaxIndSubset,
            Promote::Usual => Promote::Single,
            chosen => chosen,
        };
        match promote {
            Promote::Off => (),
            Promote::MaxIndSubset => self.push_beyond(run)?,
            Promote::Usual | Promote::Single => self.promote(run)?,
        }
        // Ivrii, Gurfinkel, rule Unreachable.
        let is_proof = self.counts.promoted > before && self.oracle.bad(INFINITE)?.is_none();
        Ok(is_proof.then_some(INFINITE))
    }

    /// Move each lemma that holds up to exactly `level` one level up, if it holds there; short ones first, since they help most.
    pub(crate) fn push_level(&mut self, level: Level, run: &mut Run<'_>) -> Ask<()> {
        for id in self.shortest_first(level) {
            run.checkpoint()?;
            let lemma = self.frames.get(id);
            let is_hopeless =
                self.config.skip_unchanged && lemma.tried > 0 && self.frames.changed(level) <= lemma.tried;
            // Another one that moved up may have replaced it.
            if lemma.level != level || lemma.is_bad || is_hopeless {
                continue;
            }
            match ask(&mut self.oracle, Query::Push, level + 1, &lemma.cube)? {
                Answer::Cti(_) => {
                    let now = self.frames.n_changes();
                    self.frames.get_mut(id).tried = now;
                }
                Answer::Inductive(core) => {
                    let core = core.into_cube();
                    let whole = self.frames.get(id).cube.clone();
                    let core = self.admit(core, &whole);
                    self.counts.pushed += 1;
                    if self.config.shrink && core.len() < whole.len() {
                        self.counts.shrunk += 1;
                        self.learn(core, level + 1);
                    } else {
                        self.raise(id, level + 1);
                    }
                }
            }
        }
        Ok(())
    }

    /// Lemmas that have arrived at the frontier may hold for good.
    fn promote(&mut self, run: &mut Run<'_>) -> Ask<()> {
        for id in self.shortest_first(self.depth) {
            run.checkpoint()?;
            let lemma = self.frames.get(id);
            let tried = lemma.tried_for_good;
            let is_hopeless =
                self.config.skip_unchanged && tried > 0 && self.frames.changed(INFINITE) <= tried;
            if lemma.level != self.depth || is_hopeless {
                continue;
            }
            match ask(&mut self.oracle, Query::Relative, INFINITE, &lemma.cube)? {
                Answer::Inductive(_) => {
                    self.counts.promoted += 1;
                    self.raise(id, INFINITE);
                }
                Answer::Cti(_) => {
                    let now = self.frames.n_changes();
                    self.frames.get_mut(id).tried_for_good = now;
                }
            }
        }
        Ok(())
    }

    /// Ivrii, Gurfinkel, rules Push and MaxIndSubset: move lemmas beyond the frontier, until two frames are equal. What is left there is
    /// the largest inductive subset of all lemmas.
    fn push_beyond(&mut self, run: &mut Run<'_>) -> Ask<()> {
        let mut level = self.depth;
        loop {
            self.open(level + 1);
            self.push_level(level, run)?;
            if self.frames.delta(level).is_empty() {
                break;
            }
            level += 1;
        }
        self.settle_above(level);
        Ok(())
    }

    /// Ivrii, Gurfinkel, rule MaxIndSubset: the frame of `level` is the same as the next one, so all lemmas above hold for good.
    pub(crate) fn settle_above(&mut self, level: Level) {
        for level in level + 1..=self.frames.top() {
            for id in self.frames.delta(level).to_vec() {
                if self.frames.get(id).level == level {
                    self.counts.promoted += 1;
                    self.raise(id, INFINITE);
                }
            }
        }
    }

    fn shortest_first(&self, level: Level) -> Vec<LemmaId> {
        let mut ids = self.frames.delta(level).to_vec();
        ids.sort_by_key(|&id| (self.frames.get(id).cube.len(), id));
        ids
    }

    /// A lemma holds up to this level, too.
    fn raise(&mut self, id: LemmaId, level: Level) {
        let lemma = self.frames.get(id);
        self.oracle.learn(&lemma.cube, lemma.level + 1, level);
        // Steps out of its states are impossible now at the levels between.
        self.failed_drops.learnt(&lemma.cube, level);
        self.frames.raise(id, level);
    }
}
