//! The temporary clause: one a query, behind a guard; it and what was learnt from it go with the query.
//!
//! A clause that is there for one query only has a literal more, a negated *guard* that is assumed to be true (Eén, Sörensson,
//! ENTCS 2003). Clauses that were learnt from it have the same literal, and so are known. Other solvers leave them behind,
//! true for good; here they are taken out, and the guard can be used again.

use super::Kernel;
use super::arena::ClauseRef;
use super::policy::{Domain, ProofSink};
use super::theory::Theory;
use indubit_logic::Lit;

/// What goes with the query.
///
/// Invariants: the guard is an assumption of the query. It occurs negated only, and in `clauses` only, and each of these
/// has it. They are watched, and in no other list.
#[derive(Clone, Debug, Default)]
pub(super) struct Temporary {
    /// The literal that switches the clauses on.
    pub(super) guard: Option<Lit>,
    /// The temporary clause, unless it is true at level 0, and what was learnt from it.
    pub(super) clauses: Vec<ClauseRef>,
    /// The temporary clause is false at level 0.
    pub(super) refuted: bool,
}

impl Temporary {
    /// Was the clause learnt from the temporary one?
    pub(super) fn guards(&self, clause: &[Lit]) -> bool {
        self.guard.is_some_and(|guard| clause.contains(&!guard))
    }
}

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    /// Add the clause for the next query only; `guard` switches it on.
    pub(crate) fn add_temporary(&mut self, guard: Lit, lits: &[Lit]) {
        self.require(lits);
        self.require(&[guard]);
        self.mention(lits, true);
        if self.refutation.inconsistent {
            return;
        }
        self.temporary.guard = Some(guard);
        let mut clause = std::mem::take(&mut self.clauses.buffer);
        clause.clear();
        clause.extend_from_slice(lits);
        clause.push(!guard);
        let name = self.proof.sink.given(&clause);
        if !clause.iter().any(|&l| self.trail.value(l) > 0) {
            let name = self.drop_false(&mut clause, name);
            if let [_] = clause[..] {
                self.temporary.refuted = true;
                self.refutation.conclusion = Some(name);
            } else {
                self.temporary.clauses.push(self.clauses.add_unlisted(&clause, None, name));
            }
        }
        self.clauses.buffer = clause;
    }

    /// Add the clause for the next query only while there are levels, in a kernel that does not record: some of the highest may have to go.
    pub(crate) fn add_temporary_above(&mut self, guard: Lit, lits: &[Lit]) {
        self.require(lits);
        self.require(&[guard]);
        self.temporary.guard = Some(guard);
        if self.refutation.inconsistent || lits.iter().any(|&l| self.fixed(l) == Some(true)) {
            return;
        }
        let mut clause = std::mem::take(&mut self.clauses.buffer);
        clause.clear();
        clause.extend(lits.iter().filter(|&&l| self.fixed(l).is_none()));
        // The literal that can be watched: one that is not false, or else one of the highest level.
        let rank = |l: Lit| if self.trail.value(l) < 0 { self.trail.level_of(l.var()) } else { u32::MAX };
        match (0..clause.len()).max_by_key(|&i| rank(clause[i])) {
            None => self.temporary.refuted = true,
            Some(best) => {
                clause.swap(0, best);
                if self.trail.value(clause[0]) < 0 {
                    self.backtrack(self.trail.level_of(clause[0].var()) - 1);
                }
                clause.push(!guard);
                let last = clause.len() - 1;
                clause.swap(1, last);
                self.temporary.clauses.push(self.clauses.add_unlisted(&clause, None, 0));
            }
        }
        self.clauses.buffer = clause;
    }

    /// The query is over: the temporary clause and its consequences go.
    pub(crate) fn end_query(&mut self) {
        self.end_query_above(0);
    }
    /// Forget the temporary clause; up to `level`, everything that has nothing to do with it stays.
    pub(crate) fn end_query_above(&mut self, level: u32) {
        let guard = self.temporary.guard.take();
        let guarded = guard.filter(|g| self.trail.has(g.var())).map(|g| self.trail.level_of(g.var()));
        self.backtrack(guarded.map_or(level, |guarded| level.min(guarded.saturating_sub(1))));
        self.temporary.refuted = false;
        if let Some(guard) = guard {
            self.release(guard);
        }
        while let Some(clause) = self.temporary.clauses.pop() {
            self.proof.forget(clause, &self.clauses.arena);
            self.clauses.release(clause);
        }
        if T::ACTIVE {
            self.forget_lemmas();
        }
        self.compact_if_due();
    }

    /// A temporary clause whose literals all became false at level 0 makes its guard false there: that ends with
    /// the clause. Nothing else can follow from it, since the guard occurs in temporary clauses only, negated.
    fn release(&mut self, guard: Lit) {
        if self.trail.value(guard) < 0
            && let Some(at) = self.trail.retract(!guard)
        {
            self.justification.retracted(at);
            self.consulted.retracted(at);
        }
    }
}
