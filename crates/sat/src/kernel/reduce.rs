//! Forgetting: learnt clauses that were of little use, and clauses that are true for good.

use super::Kernel;
use super::arena::ClauseRef;
use super::clauses::Clauses;
use super::policy::{Domain, ProofSink};
use super::theory::Theory;
use super::tuning::Tuning;

/// Learnt clauses on at most so many levels are of use for two reductions instead of one.
pub(super) const MIDDLE_TIER: u32 = 6;

/// When the clauses are looked at again (*inprocessing*: Järvisalo, Heule, Biere, IJCAR 2012).
///
/// Invariant: none that an answer depends on. Looking too often or too late costs time only.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inprocessing {
    /// Conflicts at which learnt clauses are reduced next.
    reduce_at: u64,
    /// How many facts the clauses were last simplified by.
    n_simplified: usize,
    /// How many given clauses there were when subsumed ones were last looked for.
    pub(super) n_subsumed: usize,
}

impl Inprocessing {
    pub(super) fn new(tuning: &Tuning) -> Inprocessing {
        Inprocessing { reduce_at: 12 * tuning.reduce, n_simplified: 0, n_subsumed: 0 }
    }
}

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    /// Is the clause the reason of an assignment?
    fn is_reason(&self, clause: ClauseRef) -> bool {
        let lits = self.clauses.arena.lits(clause);
        [lits[0], lits[1]].into_iter().any(|l| self.trail.is_implied_by(l, clause))
    }

    /// Drop three quarters of the learnt clauses that were of no use lately, those on many levels first.
    pub(super) fn reduce_if_due(&mut self) {
        let conflicts = self.counts.conflicts;
        if conflicts < self.inprocessing.reduce_at {
            return;
        }
        let interval = (self.tuning.reduce as f64 * (conflicts as f64).sqrt()) as u64;
        self.inprocessing.reduce_at = conflicts + interval;
        let mut candidates: Vec<(u32, usize, ClauseRef)> = Vec::new();
        for i in 0..self.clauses.learnt.len() {
            let clause = self.clauses.learnt[i];
            let arena = &mut self.clauses.arena;
            let (glue, used, len) = (arena.glue(clause), arena.used(clause), arena.len(clause));
            if used > 0 {
                arena.set_use(clause, glue, used - 1);
            } else if glue > self.tuning.glue && len > 2 && !self.is_reason(clause) {
                candidates.push((glue, len, clause));
            }
        }
        candidates.sort_unstable_by(|a, b| b.cmp(a));
        candidates.truncate(candidates.len() * 3 / 4);
        for (_, _, clause) in candidates {
            self.forget(clause);
        }
        if T::ACTIVE {
            self.forget_lemmas();
        }
        self.sweep();
    }

    pub(super) fn forget(&mut self, clause: ClauseRef) {
        self.proof.forget(clause, &self.clauses.arena);
        self.clauses.arena.remove(clause);
    }

    /// Drop clauses that are true at level 0. Only between queries.
    pub(crate) fn simplify(&mut self) {
        debug_assert_eq!(self.trail.level(), 0);
        let n_facts = self.trail.lits.len();
        if std::mem::replace(&mut self.inprocessing.n_simplified, n_facts) == n_facts {
            return;
        }
        self.trail.forget_reasons();
        let n_given = self.clauses.given.len();
        for i in 0..n_given + self.clauses.learnt.len() {
            let Clauses { arena, given, learnt, .. } = &self.clauses;
            let clause = given.get(i).copied().unwrap_or_else(|| learnt[i - n_given]);
            if arena.lits(clause).iter().any(|&l| self.trail.value(l) > 0) {
                self.forget(clause);
            }
        }
        self.sweep();
    }

    /// Take removed clauses out of the lists, and compact the arena if it is worth it.
    pub(super) fn sweep(&mut self) {
        self.justification.forget_witnesses();
        self.clauses.sweep();
        self.compact_if_due();
    }

    /// Leave the waste of the arena behind, if it is much.
    pub(super) fn compact_if_due(&mut self) {
        if self.clauses.arena.wants_compaction() {
            self.compact();
        }
    }

    fn compact(&mut self) {
        let Clauses { arena, given, learnt, watches, .. } = &mut self.clauses;
        let mut to = arena.successor();
        self.circuit.relocate(arena, &mut to);
        let lists = [given, learnt, &mut self.temporary.clauses, &mut self.consulted.lemmas];
        for clause in lists.into_iter().flatten() {
            *clause = arena.relocate(*clause, &mut to);
        }
        // Whatever these refer to has moved: all watched clauses and all reasons are in the lists, or of gates.
        watches.relocate(|clause| arena.relocate(clause, &mut to));
        for &lit in &self.trail.lits {
            let reason = &mut self.trail.assigned[lit.var().index()].reason;
            if *reason != ClauseRef::NONE && (!T::ACTIVE || *reason != ClauseRef::THEORY) {
                *reason = arena.relocate(*reason, &mut to);
            }
        }
        *arena = to;
    }
}
