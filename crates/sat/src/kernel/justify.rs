//! Models that stop where the circuit needs nothing more (the justification frontier of circuit solvers: Lu, Wang,
//! Cheng, Huang, "A Circuit SAT Solver with Signal Correlation Guided Learning", DATE 2003).
//!
//! With a circuit in the domain, a model need not assign all of it. It is enough that
//! - every assigned gate inside the domain is *justified*: if it is true, both fanins are; if it is false, one fanin
//!   is false;
//! - every lemma and the temporary clause has a true literal.
//!
//! *Why that is enough.* Give the unassigned leaves any values and evaluate the gates. By induction in topological order,
//! each assigned gate evaluates to its assigned value, as its justification does. So the assumptions and the facts
//! that were given hold, each lemma has a true literal still, and the definitions hold by construction. Learnt
//! clauses follow from all these.
//!
//! A true gate is justified by propagation, which is complete inside the domain. For false gates, and for clauses without
//! a true literal, the kernel decides the fanin or the literal that is to be the reason. Facts of level 0 are no
//! exception: a false gate may wait there for its reason in every query, so that these are kept in a list.
//!
//! With a theory, the same goes for clauses: what no clause needs is not decided, and so is no constraint on its numbers. Where there
//! is a choice, the theory may know a literal that costs it nothing.
//!
//! Invariants: false gates of the trail before `n_facts` are justified at level 0 or in `open_facts`. Everything before
//! the cursors is justified by assignments that are still there; undoing any of them sends the cursors back. Each
//! witness is a literal of its clause.

use super::Kernel;
use super::arena::ClauseRef;
use super::policy::{Domain, ProofSink};
use super::theory::Theory;
use indubit_logic::{Lit, Var};

/// How far the search for what is not justified has come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursors {
    fact: usize,
    trail: usize,
    clause: usize,
}

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    /// How much of the trail is of level 0.
    pub(super) fn n_fixed(&self) -> usize {
        self.levels.first().map_or(self.trail.len(), |&end| end as usize)
    }

    /// Look at the facts that are new at level 0. If there are any, only there.
    pub(super) fn gather_facts(&mut self) {
        if self.n_facts == self.n_fixed() {
            return;
        }
        debug_assert_eq!(self.level(), 0);
        let mut open = std::mem::take(&mut self.open_facts);
        open.extend(self.trail[self.n_facts..].iter().filter(|l| l.is_negated()).map(|l| l.var()));
        open.retain(|&var| self.unjustified(var).is_some());
        self.open_facts = open;
        self.n_facts = self.trail.len();
    }

    /// The gate, which may have become false before it was a gate, has just been defined.
    pub(super) fn defined(&mut self, gate: Var) {
        if self.value(Lit::positive(gate)) < 0 && self.unjustified(gate).is_some() {
            self.open_facts.push(gate);
        }
    }

    /// What undoing assignments means for the cursors.
    pub(super) fn unjustify(&mut self) {
        self.cursors = Cursors { fact: 0, trail: self.n_facts, clause: 0 };
    }

    /// The fanins of a false gate neither of which is false.
    fn unjustified(&self, gate: Var) -> Option<[Lit; 2]> {
        self.circuit.fanins(gate).filter(|fanins| fanins.iter().all(|&f| self.value(f) >= 0))
    }

    /// A literal to decide so that something becomes justified, if anything is not.
    pub(super) fn next_reason(&mut self) -> Option<Lit> {
        while let Some(&lit) = self.trail.get(self.cursors.trail) {
            if lit.is_negated()
                && self.domain.contains(lit.var())
                && let Some(fanins) = self.unjustified(lit.var())
            {
                return Some(self.preferred(fanins.map(|f| !f)));
            }
            self.cursors.trail += 1;
        }
        while let Some(&gate) = self.open_facts.get(self.cursors.fact) {
            if self.domain.contains(gate)
                && let Some(fanins) = self.unjustified(gate)
            {
                return Some(self.preferred(fanins.map(|f| !f)));
            }
            self.cursors.fact += 1;
        }
        self.next_witness()
    }

    /// A literal to decide so that a clause without a true literal has one, if there is such a clause.
    pub(super) fn next_witness(&mut self) -> Option<Lit> {
        if let Some(&clause) = self.temporary.first()
            && !self.arena.is_learnt(clause)
            && self.witness(clause).is_none()
        {
            return Some(self.choice(clause));
        }
        while self.cursors.clause < self.given.len() {
            let at = self.cursors.clause;
            if at == self.witnesses.len() {
                self.witnesses.push(self.arena.lits(self.given[at])[0]);
            }
            if self.value(self.witnesses[at]) <= 0 {
                match self.witness(self.given[at]) {
                    Some(lit) => self.witnesses[at] = lit,
                    None => return Some(self.choice(self.given[at])),
                }
            }
            self.cursors.clause += 1;
        }
        None
    }

    /// Given clauses change their places.
    pub(super) fn forget_witnesses(&mut self) {
        self.witnesses.clear();
        self.cursors.clause = 0;
    }

    /// A true literal of the clause.
    fn witness(&self, clause: ClauseRef) -> Option<Lit> {
        self.arena.lits(clause).iter().copied().find(|&l| self.value(l) > 0)
    }

    /// The literal of a clause without a true one that is to be true.
    fn choice(&self, clause: ClauseRef) -> Lit {
        let mut open = self.arena.lits(clause).iter().copied().filter(|&l| self.value(l) == 0);
        if T::ACTIVE {
            let best = open.rev().max_by_key(|&l| match self.theory.holds(l) {
                None if self.has_phase(l) => 3,
                Some(true) => 2,
                None => 1,
                Some(false) => 0,
            });
            return best.expect("propagation leaves no clause without a literal to choose");
        }
        let first = open.next().expect("propagation leaves no clause without a literal to choose");
        open.fold(first, |best, l| self.preferred([best, l]))
    }

    /// Of two literals, one that is unassigned and, if possible, has its saved phase.
    fn preferred(&self, [a, b]: [Lit; 2]) -> Lit {
        let wins = |b: Lit| self.value(b) == 0 && !self.has_phase(a) && self.has_phase(b);
        if self.value(a) != 0 || wins(b) { b } else { a }
    }
    fn has_phase(&self, lit: Lit) -> bool {
        self.phase[lit.var().index()] != lit.is_negated()
    }

    /// Need models only be justified, and not assign everything?
    pub(super) fn justifies(&self) -> bool {
        (D::PARTIAL || T::ACTIVE) && self.tuning.justify
    }
}
