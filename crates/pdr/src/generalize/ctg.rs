//! Counterexamples to generalization: states that stand in the way of dropping a literal, although they need not be reachable
//! (Hassan, Bradley, Somenzi, "Better Generalization in IC3", FMCAD 2013).

use super::Effort;
use crate::{Answer, Level, Pdr, Query, RelInd, ask};
use indubit_logic::Cube;
use indubit_run::{Ask, Run};

impl<O: RelInd> Pdr<O> {
    /// Exclude the states from `F[level]` by a lemma, if that is possible at once, or after so many of their predecessors have
    /// been excluded.
    pub(super) fn block_ctg(
        &mut self,
        level: Level,
        states: Cube,
        effort: Effort,
        predecessors: &mut u32,
        run: &mut Run<'_>,
    ) -> Ask<bool> {
        loop {
            run.checkpoint()?;
            if level == 0 || self.oracle.meets_init(&states)? || self.excludes_reached(&states) {
                return Ok(false);
            }
            match ask(&mut self.oracle, Query::Relative, level, &states)? {
                Answer::Inductive(core) => {
                    let core = core.into_cube();
                    let core = self.admit(core, &states);
                    self.counts.ctgs += 1;
                    let effort = Effort { depth: effort.depth - 1, ..effort };
                    let lemma = self.mic(level, core, None, effort, run)?;
                    let lemma = self.add_lemma(lemma, level, run)?;
                    if self.as_quip().is_some_and(|quip| quip.reset_free) {
                        // Nobody else would push it.
                        self.may_enqueue(lemma);
                    }
                    return Ok(true);
                }
                Answer::Cti(cti) => {
                    if *predecessors == 0 || level == 1 {
                        return Ok(false);
                    }
                    *predecessors -= 1;
                    let before = cti.lift()?.cube;
                    if !self.block_ctg(level - 1, before, effort, predecessors, run)? {
                        return Ok(false);
                    }
                }
            }
        }
    }
}
