//! Frames that somebody else strengthens: lemmas for states that are known to be unreachable in so many steps (Avy: Vizel,
//! Gurfinkel, CAV 2014).

use crate::generalize::Effort;
use crate::{Answer, Level, Pdr, Query, RelInd, ask};
use indubit_logic::Cube;
use indubit_run::{Ask, Run};

impl<O: RelInd> Pdr<O> {
    /// The level that is to be cleared of bad states.
    pub fn depth(&self) -> Level {
        self.depth
    }
    /// Does the frontier have a bad state?
    pub fn is_frontier_bad(&mut self) -> Ask<bool> {
        Ok(self.oracle.bad(self.depth)?.is_some())
    }
    /// The cubes that are excluded from `F[level]`.
    pub fn excluded_at(&self, level: Level) -> impl Iterator<Item = &Cube> {
        self.frames.at_least(level.max(1)).map(|lemma| &lemma.cube)
    }
    /// The cubes that are excluded from `F[level]` and from no higher frame.
    pub fn excluded_last_at(&self, level: Level) -> impl Iterator<Item = &Cube> {
        self.frames.delta(level).iter().map(|&id| &self.frames.get(id).cube)
    }
    /// Exclude states from `F[level]` by a lemma, which is generalized as any other; returns the cube that is excluded. None if there is
    /// a step into them from the frame before. No frame but those up to `level` changes, and these by this lemma only.
    pub fn exclude(&mut self, states: &Cube, level: Level, run: &mut Run<'_>) -> Ask<Option<Cube>> {
        run.checkpoint()?;
        let core = match ask(&mut self.oracle, Query::Relative, level, states)? {
            Answer::Cti(_) => return Ok(None),
            Answer::Inductive(core) => core.into_cube(),
        };
        let core = self.admit(core, states);
        let lemma = self.generalize_with(level, states, core, Effort::NONE, run)?;
        let id = self.add_lemma(lemma, level, run)?;
        Ok(Some(self.frames.get(id).cube.clone()))
    }
}
