//! Forgetting given clauses that others make redundant.
//!
//! IC3 adds lemmas that are stronger than older ones, so that a frame fills with clauses that say nothing. A clause is
//! compared with those that contain its rarest literal (one-watched backward subsumption, as in SatELite: Eén, Biere,
//! SAT 2005). Of duplicates the newest stays.

use super::Kernel;
use super::arena::ClauseRef;
use super::policy::{Domain, ProofSink};
use super::theory::Theory;

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    /// Look for subsumed clauses if there are enough new ones. Only between queries.
    pub(crate) fn subsume_if_due(&mut self) {
        if self.given.len() < self.n_subsumed + self.tuning.subsume {
            return;
        }
        self.subsume();
        self.n_subsumed = self.given.len();
    }

    fn subsume(&mut self) {
        debug_assert_eq!(self.levels.len(), 0);
        // What is true at level 0 needs no reason: nothing is resolved with it.
        for &lit in &self.trail {
            self.assigned[lit.var().index()].reason = ClauseRef::NONE;
        }
        let mut occurrences: Vec<Vec<ClauseRef>> = vec![Vec::new(); self.values.len()];
        for &clause in &self.given {
            for lit in self.arena.lits(clause) {
                occurrences[lit.index()].push(clause);
            }
        }
        let mut member = vec![false; self.values.len()];
        let mut victims: Vec<ClauseRef> = Vec::new();
        let mut n_removed = 0;
        for i in (0..self.given.len()).rev() {
            let clause = self.given[i];
            let lits = self.arena.lits(clause);
            let rarest = lits.iter().min_by_key(|l| occurrences[l.index()].len());
            let rarest = rarest.expect("a clause in the arena has two literals");
            if self.arena.is_removed(clause) {
                continue;
            }
            lits.iter().for_each(|l| member[l.index()] = true);
            let is_superset =
                |c: ClauseRef| self.arena.lits(c).iter().filter(|l| member[l.index()]).count() == lits.len();
            victims.extend(occurrences[rarest.index()].iter().filter(|&&c| {
                c != clause && !self.arena.is_removed(c) && self.arena.len(c) >= lits.len() && is_superset(c)
            }));
            lits.iter().for_each(|l| member[l.index()] = false);
            n_removed += victims.len();
            for victim in victims.drain(..) {
                self.forget(victim);
            }
        }
        if n_removed > 0 {
            self.sweep();
        }
    }
}
