//! Forgetting: learnt clauses that were of little use, clauses that are true for good, temporary ones.

use super::arena::ClauseRef;
use super::policy::{Domain, ProofSink};
use super::theory::Theory;
use super::{Kernel, Watch};
use indubit_logic::Lit;

/// Learnt clauses on at most so many levels are of use for two reductions instead of one.
pub(super) const MIDDLE_TIER: u32 = 6;

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    /// Is the clause the reason of an assignment?
    fn is_reason(&self, clause: ClauseRef) -> bool {
        let lits = self.arena.lits(clause);
        [lits[0], lits[1]]
            .iter()
            .any(|l| self.value(*l) > 0 && self.assigned[l.var().index()].reason == clause)
    }

    /// Drop three quarters of the learnt clauses that were of no use lately, those on many levels first.
    pub(super) fn reduce_if_due(&mut self) {
        let conflicts = self.counts.conflicts;
        if conflicts < self.reduce_at {
            return;
        }
        self.reduce_at = conflicts + (self.tuning.reduce as f64 * (conflicts as f64).sqrt()) as u64;
        let mut candidates: Vec<(u32, usize, ClauseRef)> = Vec::new();
        for i in 0..self.learnt.len() {
            let clause = self.learnt[i];
            let (glue, used, len) =
                (self.arena.glue(clause), self.arena.used(clause), self.arena.len(clause));
            if used > 0 {
                self.arena.set_use(clause, glue, used - 1);
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
        self.tell_forgotten(clause);
        self.arena.remove(clause);
    }
    fn tell_forgotten(&mut self, clause: ClauseRef) {
        if P::RECORDS {
            let name = self.arena.name(clause);
            self.proof.deleted(name);
        }
    }

    /// Drop clauses that are true at level 0. Only between queries.
    pub(crate) fn simplify(&mut self) {
        debug_assert_eq!(self.levels.len(), 0);
        if std::mem::replace(&mut self.n_simplified, self.trail.len()) == self.trail.len() {
            return;
        }
        // What is true at level 0 needs no reason: nothing is resolved with it.
        for &lit in &self.trail {
            self.assigned[lit.var().index()].reason = ClauseRef::NONE;
        }
        for i in 0..self.given.len() + self.learnt.len() {
            let clause = self.given.get(i).copied().unwrap_or_else(|| self.learnt[i - self.given.len()]);
            if self.arena.lits(clause).iter().any(|&l| self.value(l) > 0) {
                self.forget(clause);
            }
        }
        self.sweep();
    }

    /// Take removed clauses out of the lists, and compact the arena if it is worth it.
    pub(super) fn sweep(&mut self) {
        self.forget_witnesses();
        let arena = &self.arena;
        self.given.retain(|&c| !arena.is_removed(c));
        self.learnt.retain(|&c| !arena.is_removed(c));
        for (list, watched) in self.watches.iter_mut().zip(self.watched.iter_mut()) {
            list.retain(|w| !arena.is_removed(w.clause()));
            *watched = !list.is_empty();
        }
        if self.arena.wants_compaction() {
            self.compact();
        }
    }

    fn compact(&mut self) {
        let mut to = self.arena.successor();
        let arena = &mut self.arena;
        self.circuit.relocate(arena, &mut to);
        let lists = [&mut self.given, &mut self.learnt, &mut self.temporary, &mut self.consulted.lemmas];
        for clause in lists.into_iter().flatten() {
            *clause = arena.relocate(*clause, &mut to);
        }
        for watch in self.watches.iter_mut().flatten() {
            *watch = Watch::new(watch.blocker, arena.relocate(watch.clause(), &mut to), watch.is_binary());
        }
        for &lit in &self.trail {
            let reason = &mut self.assigned[lit.var().index()].reason;
            if *reason != ClauseRef::NONE && (!T::ACTIVE || *reason != ClauseRef::THEORY) {
                *reason = arena.relocate(*reason, &mut to);
            }
        }
        self.arena = to;
    }

    /// Add the clause for the next query only; `guard` switches it on.
    pub(crate) fn add_temporary(&mut self, guard: Lit, lits: &[Lit]) {
        self.require(lits);
        self.require(&[guard]);
        self.mention(lits, true);
        if self.inconsistent {
            return;
        }
        self.guard = Some(guard);
        let mut clause = std::mem::take(&mut self.scratch.clause);
        clause.clear();
        clause.extend_from_slice(lits);
        clause.push(!guard);
        let name = self.proof.given(&clause);
        if !clause.iter().any(|&l| self.value(l) > 0) {
            let name = self.drop_false(&mut clause, name);
            if let [_] = clause[..] {
                self.refuted_temporary = true;
                self.conclusion = Some(name);
            } else {
                let reference = self.arena.alloc(&clause, None, name);
                self.temporary.push(reference);
                self.attach(reference);
            }
        }
        self.scratch.clause = clause;
    }

    /// A temporary clause whose literals all became false at level 0 makes its guard false there: that ends with
    /// the clause. Nothing else can follow from it, since the guard occurs in temporary clauses only, negated.
    fn release(&mut self, guard: Lit) {
        if self.value(guard) < 0
            && let Some(at) = self.trail.iter().position(|&l| l == !guard)
        {
            self.trail.remove(at);
            self.head -= usize::from(at < self.head);
            self.n_facts -= usize::from(at < self.n_facts);
            self.consulted.n_told -= usize::from(at < self.consulted.n_told);
            self.values[guard.index()] = 0;
            self.values[(!guard).index()] = 0;
        }
    }

    /// Add the clause for the next query only, while there are levels, in a kernel that does not record: some of the highest may
    /// have to go. `guard` switches the clause on.
    pub(crate) fn add_temporary_above(&mut self, guard: Lit, lits: &[Lit]) {
        self.require(lits);
        self.require(&[guard]);
        self.guard = Some(guard);
        if self.inconsistent || lits.iter().any(|&l| self.fixed(l) == Some(true)) {
            return;
        }
        let mut clause = std::mem::take(&mut self.scratch.clause);
        clause.clear();
        clause.extend(lits.iter().filter(|&&l| self.fixed(l).is_none()));
        // The literal that can be watched: one that is not false, or else one of the highest level.
        let rank = |l: Lit| if self.value(l) < 0 { self.level_of(l.var()) } else { u32::MAX };
        match (0..clause.len()).max_by_key(|&i| rank(clause[i])) {
            None => self.refuted_temporary = true,
            Some(best) => {
                clause.swap(0, best);
                if self.value(clause[0]) < 0 {
                    self.backtrack(self.level_of(clause[0].var()) - 1);
                }
                clause.push(!guard);
                let last = clause.len() - 1;
                clause.swap(1, last);
                let reference = self.arena.alloc(&clause, None, 0);
                self.temporary.push(reference);
                self.attach(reference);
            }
        }
        self.scratch.clause = clause;
    }

    /// The query is over: the temporary clause and its consequences go.
    pub(crate) fn end_query(&mut self) {
        self.end_query_above(0);
    }
    /// The query is over: the temporary clause and its consequences go. Up to `level`, everything else stays.
    pub(crate) fn end_query_above(&mut self, level: u32) {
        let guarded = self.guard.filter(|g| self.is_assigned(g.var())).map(|g| self.level_of(g.var()));
        self.backtrack(guarded.map_or(level, |guarded| level.min(guarded.saturating_sub(1))));
        self.refuted_temporary = false;
        if let Some(guard) = self.guard.take() {
            self.release(guard);
        }
        while let Some(clause) = self.temporary.pop() {
            self.detach(clause);
            self.tell_forgotten(clause);
            self.arena.release(clause);
        }
        if T::ACTIVE {
            self.forget_lemmas();
        }
        if self.arena.wants_compaction() {
            self.compact();
        }
    }
}
