//! Inductive generalization: from a blocked cube to one with fewer literals that is blocked as well
//! (Bradley, VMCAI 2011; `inductiveGeneralization` in Wolff, listing 3, line 26).
//!
//! | file | idea |
//! |---|---|
//! | `mic` | drop literals one by one |
//! | `ctg` | block what stands in the way |
//! | `interpolant` | clauses of an interpolant |
//! | `predict` | start from a lemma of the frame before |
//! | `failed_drops` | steps that refute candidates without a query |

mod ctg;
mod failed_drops;
mod interpolant;
mod mic;
mod predict;

pub(crate) use failed_drops::FailedDrops;

use crate::config::Generalize;
use crate::{Level, Pdr, RelInd};
use indubit_logic::{Cube, Lit};
use indubit_run::{Ask, Run};

/// How much is done for one dropped literal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// States to block, each with at most this many predecessors.
    pub(crate) ctgs: u32,
    pub(crate) predecessors: u32,
    /// Generalizations within generalizations.
    pub(crate) depth: u32,
    /// Intersect the cube with a state that stands in its way.
    pub(crate) joins: bool,
}

impl Effort {
    /// Literals are dropped or stay.
    pub(crate) const NONE: Effort = Effort { ctgs: 0, predecessors: 0, depth: 0, joins: false };
}

/// Obligations with less activity are generalized without blocking anything else (Su, Yang, Ci, Huang, 2025),
const LITTLE: f32 = 10.0;
/// and those with more by blocking predecessors as well.
const MUCH: f32 = 40.0;

impl<O: RelInd> Pdr<O> {
    /// How much to do for an obligation of this activity.
    fn effort(&self, activity: f32) -> Effort {
        let (ctgs, depth) = (self.config.max_ctgs, self.config.max_depth);
        let none = Effort::NONE;
        let ctg = Effort { ctgs, predecessors: 0, depth, joins: self.config.joins };
        match self.config.generalize {
            Generalize::Core | Generalize::Interpolant | Generalize::Mic => none,
            Generalize::Ctg => ctg,
            Generalize::ExtendedCtg => Effort { predecessors: 5, ..ctg },
            Generalize::Dynamic if activity < LITTLE => none,
            Generalize::Dynamic if activity < MUCH => ctg,
            Generalize::Dynamic => {
                let predecessors = (activity - MUCH).powf(0.45) * 2.0 + 5.0;
                Effort { ctgs: ctgs * 5 / 3, predecessors: predecessors as u32, ..ctg }
            }
        }
    }

    /// A subcube of `core` that is inductive relative to `F[level-1]` and without initial states.
    ///
    /// Requires: `core` itself is that, and `whole` as well, of which it is the core; `activity` is that of its obligation.
    pub(crate) fn generalize(
        &mut self,
        level: Level,
        whole: &Cube,
        core: Cube,
        activity: f32,
        run: &mut Run<'_>,
    ) -> Ask<Cube> {
        self.generalize_with(level, whole, core, self.effort(activity), run)
    }

    /// A subcube of `core`, as [`generalize`](Pdr::generalize) finds it, with a given effort.
    pub(crate) fn generalize_with(
        &mut self,
        level: Level,
        whole: &Cube,
        core: Cube,
        effort: Effort,
        run: &mut Run<'_>,
    ) -> Ask<Cube> {
        if self.config.generalize == Generalize::Core {
            return Ok(core);
        }
        let parent = self.parent(level, whole);
        if self.config.predict
            && let Some(parent) = &parent
            && let Some(lemma) = self.predict(level, whole, parent)?
        {
            return Ok(lemma);
        }
        self.mic(level, core, parent.as_ref(), effort, run)
    }

    /// A lemma of the frame before, and of no higher one, that excludes the cube.
    fn parent(&self, level: Level, cube: &Cube) -> Option<Cube> {
        if level == 1 || !(self.config.parents || self.config.predict) {
            return None;
        }
        self.frames.covering(level - 1, cube).map(|id| self.frames.get(id).cube.clone())
    }

    /// The literals in the order in which to drop them.
    fn drop_order(&self, cube: &Cube, parent: Option<&Cube>) -> Vec<Lit> {
        let mut order = cube.lits().to_vec();
        if self.config.by_activity {
            self.activity.sort_ascending(&mut order);
        }
        if self.config.parents
            && let Some(parent) = parent
        {
            order.sort_by_key(|&l| parent.contains(l));
        }
        order
    }
}
