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
        if self.clauses.given.len() < self.inprocessing.n_subsumed + self.tuning.subsume {
            return;
        }
        self.subsume();
        self.inprocessing.n_subsumed = self.clauses.given.len();
    }

    fn subsume(&mut self) {
        self.trail.forget_reasons();
        let n_lits = 2 * self.n_vars();
        let mut occurrences: Vec<Vec<ClauseRef>> = vec![Vec::new(); n_lits];
        for &clause in &self.clauses.given {
            for lit in self.clauses.arena.lits(clause) {
                occurrences[lit.index()].push(clause);
            }
        }
        let mut member = vec![false; n_lits];
        let mut victims: Vec<ClauseRef> = Vec::new();
        let mut n_removed = 0;
        for i in (0..self.clauses.given.len()).rev() {
            let clause = self.clauses.given[i];
            let arena = &self.clauses.arena;
            if arena.is_removed(clause) {
                continue;
            }
            let lits = arena.lits(clause);
            let rarest = lits.iter().min_by_key(|l| occurrences[l.index()].len());
            let rarest = rarest.expect("a clause in the arena has two literals");
            lits.iter().for_each(|l| member[l.index()] = true);
            let is_superset =
                |c: ClauseRef| arena.lits(c).iter().filter(|l| member[l.index()]).count() == lits.len();
            victims.extend(occurrences[rarest.index()].iter().filter(|&&c| {
                c != clause && !arena.is_removed(c) && arena.len(c) >= lits.len() && is_superset(c)
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
