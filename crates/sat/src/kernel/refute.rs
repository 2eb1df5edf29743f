//! Refutations: the assumptions that were used, and the clause that says so.

use super::Kernel;
use super::analyze::Seen;
use super::arena::ClauseRef;
use super::policy::{ClauseId, Domain, ProofSink};
use super::theory::Theory;
use indubit_logic::Lit;

/// What is known about the answer no.
///
/// Invariants: `inconsistent` stays once it is true. After a refutation the clauses (with the temporary one) have no model
/// in which all of `core` are true; these are assumptions of the query.
#[derive(Clone, Debug, Default)]
pub(super) struct Refutation {
    /// No assignment satisfies the clauses.
    pub(super) inconsistent: bool,
    /// The assumptions that the last refutation used.
    pub(super) core: Vec<Lit>,
    /// In a kernel that records: the clause that the last refutation ends with, made of negated assumptions.
    pub(super) conclusion: Option<ClauseId>,
}

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    /// The assumptions that the last refutation used.
    pub(crate) fn core(&self) -> &[Lit] {
        &self.refutation.core
    }
    /// In a kernel that records, after a refutation: the clause it ends with, made of negated assumptions (the guard
    /// among them). None if two assumptions contradict each other without any clause.
    pub(crate) fn conclusion(&self) -> Option<ClauseId> {
        self.refutation.conclusion
    }

    /// The assumptions that force the assumption `failed` to be false, itself included, into the core
    /// (`analyzeFinal` of MiniSat: Eén, Sörensson, SAT 2003).
    pub(super) fn analyze_final(&mut self, failed: Lit) {
        self.refutation.core.clear();
        self.refutation.core.push(failed);
        // False for good: no other assumption is needed.
        if self.trail.level_of(failed.var()) == 0 {
            self.refutation.conclusion = P::RECORDS.then(|| self.proof.unit(failed.var()));
            return;
        }
        self.scratch.chain.clear();
        self.scratch.mark(failed.var(), Seen::Source);
        for at in (self.trail.n_fixed()..self.trail.lits.len()).rev() {
            let lit = self.trail.lits[at];
            // Nothing that was met so far needs it.
            if self.scratch.seen(lit.var()) != Seen::Source {
                continue;
            }
            let reason = self.reason_of(lit.var());
            // Only assumptions have been decided here.
            if reason == ClauseRef::NONE {
                self.refutation.core.push(lit);
                continue;
            }
            self.trace(reason);
        }
        self.scratch.clear();
        if P::RECORDS {
            self.conclude();
        }
    }

    /// A reason is needed, and so are its literals.
    fn trace(&mut self, reason: ClauseRef) {
        let arena = &self.clauses.arena;
        if P::RECORDS {
            self.scratch.chain.push(arena.name(reason));
        }
        for lit in arena.lits(reason) {
            let var = lit.var();
            if self.scratch.seen(var) != Seen::No {
                continue;
            }
            if self.trail.level_of(var) > 0 {
                self.scratch.mark(var, Seen::Source);
            } else if P::RECORDS {
                self.scratch.add_fact(var, self.proof.unit(var));
            }
        }
    }

    /// Derive the clause of the core's negations from the reasons that were met.
    fn conclude(&mut self) {
        if self.scratch.chain.is_empty() {
            return;
        }
        let mut chain = std::mem::take(&mut self.scratch.facts);
        chain.extend(self.scratch.chain.iter().rev());
        let clause: Vec<Lit> = self.refutation.core.iter().map(|&l| !l).collect();
        self.refutation.conclusion = Some(self.proof.sink.derived(&clause, &chain));
        chain.clear();
        self.scratch.facts = chain;
    }

    /// A clause is false at level 0: there is no model, and in a kernel that records the empty clause follows.
    pub(super) fn refute_for_good(&mut self, conflict: ClauseRef) {
        self.refutation.inconsistent = true;
        if P::RECORDS {
            let empty = self.proof.derive_at_level_0(&[], conflict, &self.clauses.arena);
            self.refutation.conclusion = Some(empty);
        }
    }
}
