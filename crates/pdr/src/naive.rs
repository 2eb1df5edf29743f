//! The naïve algorithm for an inductive strengthening (*Incremental Inductive Verification*, slides after L. Geatti, where it is the monolithic
//! approach; docs/SOURCES.md).

use crate::{Outcome, Pdr, RelInd};
use indubit_run::{Ask, Run};

impl<O: RelInd> Pdr<O> {
    /// Remove what leads out of `IS`, until nothing does. That is a search backwards from bad, cube by cube.
    ///
    /// A CTI may be a cube: all its states reach bad, so each of them has to go anyway.
    ///
    /// Requires: the oracle keeps all constraints and all of the target when it lifts.
    pub fn naive(&mut self, run: &mut Run<'_>) -> Ask<Outcome<O::Trace>> {
        // 1. IS := P: nothing has been removed. 2. If IS is inductive, stop; 3. else find a CTI err.
        while let Some(err) = self.find_cti(run)? {
            // 3.1 If err ∧ I is SAT, then stop: P is not invariant;
            if self.oracle.meets_init(&err.states.cube)? {
                return self.refute(err);
            }
            // 3.2 else set IS := IS ∧ ¬err and go to Item 2.
            self.remove(err);
        }
        Ok(self.strengthening())
    }
}
