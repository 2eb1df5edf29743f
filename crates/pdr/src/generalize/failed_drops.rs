//! Steps that refuted candidates for lemmas, kept to refute others without a query.
//!
//! A step from a state of `F[level-1]` that is outside of a cube into the cube refutes its relative induction at that level, and
//! at all higher ones: frames only grow. When a lemma is learnt that may exclude the state, the step is forgotten.

use crate::{Cti, Level, RelInd};
use indubit_logic::Cube;
use std::collections::VecDeque;

/// Steps that are kept.
const CAPACITY: usize = 64;

#[derive(Clone, Debug)]
struct Step {
    level: Level,
    before: Cube,
    /// Literals that are true afterwards.
    after: Cube,
}

/// The most recent ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct FailedDrops {
    steps: VecDeque<Step>,
}

impl FailedDrops {
    /// A step, in the model of the last query at `level`, into a subcube of `whole`.
    pub(crate) fn remember<O: RelInd>(&mut self, level: Level, whole: &Cube, cti: &Cti<'_, O>) {
        let after = whole.lits().iter().copied().filter(|&l| cti.after(l) == Some(true));
        let step = Step { level, before: Cube::new(cti.state()), after: Cube::new(after) };
        if self.steps.len() == CAPACITY {
            self.steps.pop_front();
        }
        self.steps.push_back(step);
    }
    /// Is there a step into the cube from outside of it?
    pub(crate) fn refutes(&self, level: Level, cube: &Cube) -> bool {
        self.steps.iter().rev().any(|s| s.level <= level && cube.subsumes(&s.after) && !cube.meets(&s.before))
    }
    /// A lemma was learnt for the frames up to `level`.
    pub(crate) fn learnt(&mut self, lemma: &Cube, level: Level) {
        self.steps.retain(|s| s.level > level.saturating_add(1) || !lemma.meets(&s.before));
    }
}
