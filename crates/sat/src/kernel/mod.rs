//! The CDCL kernel: one search, compiled for each policy.
//!
//! | file | idea |
//! |---|---|
//! | `policy` | which variables count, whether derivations are recorded |
//! | `trail` | what is assigned, when and why |
//! | `arena` | clauses in one array |
//! | `clauses`, `watch` | which clauses there are, and who looks at them when |
//! | `temporary` | the clause that goes with its query |
//! | `propagate` | two watched literals |
//! | `circuit` | and-gates, propagated as gates and not as clauses |
//! | `search` | conflicts, decisions and restarts, in turn |
//! | `decide` | assumptions, candidates, phases |
//! | `order`, `heap` | candidates by activity |
//! | `justify` | models that stop where the circuit needs nothing more |
//! | `restart` | when to restart |
//! | `analyze`, `minimize` | first unique implication point, without what follows from the rest |
//! | `refute` | cores |
//! | `derive` | names and chains of what is derived |
//! | `flip` | unassigning leaves in a model |
//! | `eliminate` | bounded variable elimination |
//! | `reduce` | forgetting learnt clauses, simplification, compaction |
//! | `subsume` | forgetting given clauses that others make redundant |
//! | `theory` | what literals mean beyond clauses |
//! | `table` | arrays without tests of their bounds |
//! | `tuning` | what can be chosen |
//! | `counts` | what effort is measured in |
//!
//! Invariants between calls: the trail holds only level 0, fully propagated; each clause of two or more literals is
//! watched by its first two; a clause with a true literal at level 0 may be dropped at any time.

mod analyze;
mod arena;
mod circuit;
mod clauses;
mod counts;
mod decide;
mod derive;
mod eliminate;
mod flip;
mod heap;
mod justify;
mod minimize;
mod order;
pub(crate) mod policy;
mod propagate;
mod reduce;
mod refute;
mod restart;
mod search;
mod subsume;
mod table;
mod temporary;
#[cfg(test)]
mod tests;
pub(crate) mod theory;
mod trail;
mod tuning;
mod watch;

pub use counts::Counts;
pub use order::OrderKind;
pub use restart::RestartKind;
pub use tuning::Tuning;

use analyze::Scratch;
use arena::{Arena, ClauseRef};
use circuit::Circuit;
use clauses::Clauses;
use decide::Decisions;
use derive::Derivations;
use eliminate::Eliminated;
use indubit_logic::{Lit, Var};
use justify::Justification;
use policy::{ClauseId, Domain, ProofSink};
use reduce::Inprocessing;
use refute::Refutation;
use restart::Restarts;
use temporary::Temporary;
use theory::{Consulted, NoTheory, Theory};
use trail::Trail;

/// A solver for the queries of its domain; derivations go to `P`, and literals have a meaning for `T`.
///
/// Each part says what it keeps true. Methods of parts need no other part; those of the kernel bring parts together.
#[derive(Clone)]
pub(crate) struct Kernel<D, P, T = NoTheory> {
    tuning: Tuning,
    pub(crate) counts: Counts,
    trail: Trail<D>,
    clauses: Clauses,
    /// In a partial domain, where gates come from.
    circuit: Circuit,
    temporary: Temporary,
    decisions: Decisions,
    justification: Justification,
    restarts: Restarts,
    scratch: Scratch,
    refutation: Refutation,
    pub(crate) proof: Derivations<P>,
    pub(crate) theory: T,
    consulted: Consulted,
    eliminated: Eliminated,
    inprocessing: Inprocessing,
}

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    pub(crate) fn new(domain: D, proof: P, theory: T, mut tuning: Tuning) -> Kernel<D, P, T> {
        // A partial model cannot be extended to what was eliminated.
        tuning.eliminate &= !D::PARTIAL;
        // An atom is more than its clauses.
        tuning.eliminate &= !T::ACTIVE;
        Kernel {
            tuning,
            counts: Counts::default(),
            trail: Trail::new(domain),
            clauses: Clauses::new(Arena::new(P::RECORDS, tuning.waste, tuning.part)),
            circuit: Circuit::default(),
            temporary: Temporary::default(),
            decisions: Decisions::new(&tuning),
            justification: Justification::default(),
            restarts: Restarts::new(tuning.restarts),
            scratch: Scratch::default(),
            refutation: Refutation::default(),
            proof: Derivations::new(proof),
            theory,
            consulted: Consulted::default(),
            eliminated: Eliminated::default(),
            inprocessing: Inprocessing::new(&tuning),
        }
    }
    pub(crate) fn n_vars(&self) -> usize {
        self.trail.n_vars()
    }
    /// Make sure that variables `0..n_vars` exist.
    pub(crate) fn grow(&mut self, n_vars: usize) {
        if n_vars <= self.n_vars() {
            return;
        }
        self.trail.grow(n_vars);
        self.clauses.watches.grow(n_vars);
        self.decisions.grow(n_vars, self.tuning.seed);
        self.scratch.grow(n_vars);
        self.proof.grow(n_vars);
        if self.tuning.eliminate {
            self.eliminated.grow(n_vars);
        }
        if D::PARTIAL {
            self.circuit.grow(n_vars);
        }
    }
    /// An entry for literals from outside: see the contract of `table`.
    fn require(&self, lits: &[Lit]) {
        let n_vars = self.n_vars();
        assert!(lits.iter().all(|l| l.var().index() < n_vars), "variables are made before they are used");
    }
    pub(crate) fn is_true(&self, lit: Lit) -> bool {
        lit.var().index() < self.n_vars() && self.trail.value(lit) > 0
    }
    pub(crate) fn is_assigned(&self, var: Var) -> bool {
        var.index() < self.n_vars() && self.trail.has(var)
    }
    /// The value of `lit` at level 0, if it has one there.
    pub(crate) fn fixed(&self, lit: Lit) -> Option<bool> {
        (self.is_assigned(lit.var()) && self.trail.level_of(lit.var()) == 0).then(|| self.is_true(lit))
    }

    /// Add the disjunction of `lits`. Only between queries.
    ///
    /// Literals that are false at level 0 are dropped, a clause that is true there is not added.
    pub(crate) fn add_clause(&mut self, lits: &[Lit]) -> Option<ClauseRef> {
        debug_assert_eq!(self.trail.level(), 0);
        if self.refutation.inconsistent {
            return None;
        }
        if let Some(max) = lits.iter().map(|l| l.var().index()).max() {
            self.grow(max + 1);
        }
        self.mention(lits, true);
        let name = self.proof.sink.given(lits);
        self.add_named(lits, name)
    }

    /// Add a clause that has a name already.
    fn add_named(&mut self, lits: &[Lit], mut name: ClauseId) -> Option<ClauseRef> {
        if self.refutation.inconsistent {
            return None;
        }
        let mut buffer = std::mem::take(&mut self.clauses.buffer);
        buffer.clear();
        buffer.extend_from_slice(lits);
        buffer.sort_unstable();
        buffer.dedup();
        let tautology = buffer.windows(2).any(|w| w[0] == !w[1]);
        let satisfied = tautology || buffer.iter().any(|&l| self.trail.value(l) > 0);
        let added = if satisfied {
            None
        } else {
            name = self.drop_false(&mut buffer, name);
            self.install(&buffer, name)
        };
        self.clauses.buffer = buffer;
        added
    }

    /// Take the literals that are false at level 0 out of a clause; the name of what is left.
    fn drop_false(&mut self, clause: &mut Vec<Lit>, name: ClauseId) -> ClauseId {
        if clause.iter().all(|&l| self.trail.value(l) >= 0) {
            return name;
        }
        let mut dropped = Vec::new();
        if P::RECORDS {
            dropped.extend(clause.iter().copied().filter(|&l| self.trail.value(l) < 0));
        }
        clause.retain(|&l| self.trail.value(l) >= 0);
        self.proof.shorten(clause, dropped.into_iter(), name)
    }

    /// Put a clause of literals that are unassigned at level 0 into place; units are propagated at once.
    fn install(&mut self, lits: &[Lit], name: ClauseId) -> Option<ClauseRef> {
        match *lits {
            [] => {
                self.refutation.inconsistent = true;
                self.refutation.conclusion = Some(name);
                None
            }
            [unit] => {
                self.proof.set_unit(unit.var(), name);
                self.assign(unit, ClauseRef::NONE);
                if let Some(conflict) = self.propagate() {
                    self.refute_for_good(conflict);
                }
                None
            }
            _ => Some(self.clauses.add(lits, None, name)),
        }
    }

    #[inline]
    fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        self.proof.set_position(lit.var(), self.trail.lits.len());
        self.trail.assign(lit, reason);
    }

    /// Undo everything above `level`.
    pub(crate) fn backtrack(&mut self, level: u32) {
        if self.trail.level() <= level {
            return;
        }
        let all = self.offers_all();
        let Kernel { trail, decisions, theory, .. } = self;
        let keep = trail.backtrack(level, |lit| {
            decisions.save_phase(lit);
            // What was never in a conflict is left to justification, or to the order of the domain.
            let is_candidate = all || (decisions.by_activity && decisions.order.is_active(lit.var()));
            if is_candidate && (!T::ACTIVE || theory.decides(lit.var())) {
                decisions.order.offer(lit.var());
            }
        });
        self.decisions.rewind();
        self.justification.rewind();
        if T::ACTIVE {
            self.consulted.backtracked(keep);
            self.theory.backtrack(keep);
        }
    }
}
