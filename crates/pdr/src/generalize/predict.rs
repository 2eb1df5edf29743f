//! A lemma of the frame before that excludes the cube could not be pushed, but with one more literal it may hold (Su, Yang,
//! Ci, "Predicting Lemmas in Generalization of IC3", DAC 2024).

use crate::{Answer, Level, Pdr, Query, RelInd, ask};
use indubit_logic::{Cube, Lit};
use indubit_run::Ask;

/// Queries for one prediction.
const MAX_QUERIES: u32 = 4;

impl<O: RelInd> Pdr<O> {
    /// `parent`, or `parent` with one literal of `cube`, if that is inductive relative to `F[level-1]`.
    ///
    /// A state in the parent that is reached in one step tells which literals do not help: those that are true in it.
    pub(super) fn predict(&mut self, level: Level, cube: &Cube, parent: &Cube) -> Ask<Option<Cube>> {
        let mut useful: Vec<Lit> = cube.lits().iter().copied().filter(|&l| !parent.contains(l)).collect();
        self.activity.sort_ascending(&mut useful);
        let mut candidate = parent.clone();
        if self.excludes_reached(parent) {
            return Ok(None);
        }
        for _ in 0..MAX_QUERIES {
            self.counts.predictions += 1;
            let query = if candidate.len() == parent.len() { Query::Push } else { Query::Relative };
            match ask(&mut self.oracle, query, level, &candidate)? {
                Answer::Inductive(core) => {
                    self.counts.predicted += 1;
                    let core = core.into_cube();
                    return Ok(Some(self.admit(core, &candidate)));
                }
                Answer::Cti(cti) => useful.retain(|&l| cti.after(l) == Some(false)),
            }
            // The most active one: it is the likeliest to be in a lemma.
            let Some(lit) = useful.pop() else { break };
            candidate = Cube::new(parent.lits().iter().copied().chain([lit]));
        }
        Ok(None)
    }
}
