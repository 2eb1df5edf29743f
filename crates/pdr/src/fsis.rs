//! FSIS, finite-state inductive strengthening (A. R. Bradley, Z. Manna, *Checking Safety by Inductive Generalization of Counterexamples
//! to Induction*, FMCAD 2007), in the words of *Incremental Inductive Verification*, slides after L. Geatti (docs/SOURCES.md).
//!
//! | Geatti | here |
//! |---|---|
//! | is P inductive relative to φ₁ ∧ … ∧ φₙ? | `find_cti` |
//! | generalization of error state s | `generalize_cti` |
//! | worst case, P := P ∧ ¬s | `remove` |
//! | I ∧ ¬P is SAT | `refute` |
//!
//! P and the lemmas are in `F∞` together. A lemma is inductive relative to P and the lemmas before it as they were then. Both only
//! become stronger, so it stays so, and when P is inductive relative to all lemmas, all of them are an invariant.

use crate::generalize::Effort;
use crate::{INFINITE, Outcome, Pdr, RelInd};
use indubit_logic::Cube;
use indubit_run::{Ask, Run};

impl<O: RelInd> Pdr<O> {
    /// Exclude each CTI by a lemma, or if there is none by itself, until P is inductive.
    ///
    /// Requires: the oracle keeps all constraints and all of the target when it lifts.
    pub fn fsis(&mut self, run: &mut Run<'_>) -> Ask<Outcome<O::Trace>> {
        while let Some(err) = self.find_cti(run)? {
            if self.oracle.meets_init(&err.states.cube)? {
                return self.refute(err);
            }
            match self.generalize_cti(&err.states.cube, run)? {
                Some(lemma) => {
                    self.counts.lemmas += 1;
                    self.activity.bump(&lemma);
                    self.learn(lemma, INFINITE);
                }
                None => self.remove(err),
            }
        }
        Ok(self.strengthening())
    }

    /// A minimal φ ⊆ ¬s that is inductive relative to P and the lemmas, if there is any: `s`, and what this returns, are negated.
    ///
    /// ¬s itself need not be inductive. If a step from outside of s leads into it, the state before the step is outside of each φ that
    /// is inductive, so φ has only literals that are false in both (the joins of `down`). What is left in the end is the largest φ.
    fn generalize_cti(&mut self, s: &Cube, run: &mut Run<'_>) -> Ask<Option<Cube>> {
        let joins = Effort { joins: true, depth: 1, ..Effort::NONE };
        let Some(largest) = self.down(INFINITE, s.clone(), s, &[], joins, run)? else { return Ok(None) };
        let effort = if self.config.joins { joins } else { Effort::NONE };
        self.mic(INFINITE, largest, None, effort, run).map(Some)
    }
}
