//! Lemmas from interpolants, which J. Strejček's slides on PDR name among the ways to generalize (docs/SOURCES.md, docs/IC3.md).
//!
//! The states of an obligation are blocked because nothing that leads into its successor is reached in so many steps, perhaps. An
//! interpolant between what the frame before reaches and all that leads there says why, and its clauses are lemmas: the one
//! that excludes the states, and others that exclude what else leads there.

use crate::frames::LemmaId;
use crate::obligations::ObligationId;
use crate::{Answer, Interpolants, Level, Pdr, Query, ask};
use indubit_logic::Cube;
use indubit_run::{Ask, Run};

impl<O: Interpolants> Pdr<O> {
    /// Blocked cubes become lemmas by interpolants, whatever the configuration says of their generalization.
    pub fn with_interpolants(mut self) -> Pdr<O> {
        self.extras.interpolate = Some(Pdr::interpolate);
        self
    }

    /// Lemmas that exclude the states of an obligation, of which `core` is the core: the best of them.
    fn interpolate(&mut self, id: ObligationId, core: Cube, run: &mut Run<'_>) -> Ask<LemmaId> {
        let obligation = &self.obligations[id];
        let (level, cube) = (obligation.level, obligation.cube.clone());
        let into = obligation.successor.map(|successor| &self.obligations[successor].cube);
        let mut excluded = Vec::new();
        // A lemma that is pushed leads nowhere.
        if obligation.step.is_some() {
            self.counts.interpolations += 1;
            let mut lemmas = self.frames.at_least(level - 1).map(|lemma| &lemma.cube);
            excluded = self.oracle.interpolant(level, &mut lemmas, &cube, into)?;
            self.counts.interpolants += u64::from(!excluded.is_empty());
        }
        let mut excluded = excluded.into_iter();
        let first = match excluded.next() {
            Some(first) => self.relative(level, &first)?.map(|core| self.admit(core, &cube)),
            None => None,
        };
        let mut lemma = self.add_lemma(first.unwrap_or(core), level, run)?;
        for other in excluded {
            run.checkpoint()?;
            if self.frames.covering(level, &other).is_none()
                && !self.excludes_reached(&other)
                && let Some(core) = self.relative(level, &other)?
            {
                self.counts.interpolated += 1;
                let core = self.admit(core, &other);
                self.add_lemma(core, level, run)?;
                // It may have replaced the one before.
                lemma = self.frames.covering(level, &cube).unwrap_or(lemma);
            }
        }
        Ok(lemma)
    }

    /// The core of a cube, if it is inductive relative to `F[level-1]`. Clauses of an interpolant are; nothing rests on that.
    fn relative(&mut self, level: Level, cube: &Cube) -> Ask<Option<Cube>> {
        Ok(match ask(&mut self.oracle, Query::Relative, level, cube)? {
            Answer::Inductive(core) => Some(core.into_cube()),
            Answer::Cti(_) => None,
        })
    }
}
