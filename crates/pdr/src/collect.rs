//! Garbage collection of bad lemmas (A. Ivrii, A. Gurfinkel, *Pushing to the Top*, FMCAD 2015, §V.B).
//!
//! Bad lemmas support others, so they cannot just be removed from their frames. Instead the frames start over: good lemmas stay in
//! `F∞`, unknown ones go to `F[1]` and are pushed as far as they go, without becoming shorter on the way, and without giving way to
//! shorter ones. The depth up to which there are no bad states may be smaller than before.

use crate::{Level, Pdr, RelInd};
use indubit_logic::Cube;
use indubit_run::{Ask, Run};

/// Fewer lemmas are not worth the effort.
const MIN_LEMMAS: usize = 5;

impl<O: RelInd> Pdr<O> {
    /// Start over without bad lemmas, if they are more than so many in a hundred, and not again before the depth is greater than
    /// ever. If two frames are equal then, the level of the second, an inductive invariant.
    pub(crate) fn collect_garbage(&mut self, percent: u32, run: &mut Run<'_>) -> Ask<Option<Level>> {
        let n_lemmas = self.frames.unsettled().count();
        let n_bad = self.frames.unsettled().filter(|l| l.is_bad).count();
        let is_due = n_lemmas >= MIN_LEMMAS && n_bad * 100 >= n_lemmas * percent as usize;
        if percent == 0 || !is_due || self.depth <= self.collected_at {
            return Ok(None);
        }
        self.counts.collections += 1;
        self.collected_at = self.depth;
        let unknown: Vec<Cube> =
            self.frames.unsettled().filter(|l| !l.is_bad).map(|l| l.cube.clone()).collect();
        self.frames.restart();
        self.oracle.restart();
        self.failed_drops = Default::default();
        self.open(1);
        let shrink = std::mem::replace(&mut self.config.shrink, false);
        self.frames.keep_subsumed(true);
        for cube in unknown {
            self.learn(cube, 1);
        }
        let pushed = (1..self.depth).try_for_each(|level| {
            self.open(level + 1);
            self.push_level(level, run)
        });
        self.config.shrink = shrink;
        self.frames.keep_subsumed(false);
        self.open(self.depth);
        pushed?;
        let mut depth = 1;
        while depth < self.depth && self.oracle.bad(depth)?.is_none() {
            depth += 1;
        }
        self.depth = depth;
        self.open(depth);
        Ok(self.frames.repeated(depth).map(|level| level + 1))
    }
}
