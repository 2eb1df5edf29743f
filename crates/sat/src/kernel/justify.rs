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

use super::Kernel;
use super::arena::ClauseRef;
use super::policy::{Domain, ProofSink};
use super::table::Table;
use super::theory::Theory;
use indubit_logic::{Lit, Var};

/// How far the model is justified.
///
/// Invariants: false gates of the trail before `n_facts` are justified at level 0 or in `open_facts`. Everything before
/// the cursors is justified by assignments that are still there; undoing any of them sends the cursors back. Each
/// witness is a literal of its clause.
#[derive(Clone, Debug, Default)]
pub(super) struct Justification {
    /// False gates of level 0 that are justified by other levels only.
    open_facts: Vec<Var>,
    /// What of level 0 has been looked at for such gates.
    n_facts: usize,
    /// For the first of the given clauses, a literal of each that was true in a model: most often it is so again.
    witnesses: Table<Lit>,
    cursors: Cursors,
}

/// How far the search for what is not justified has come.
#[derive(Clone, Copy, Debug, Default)]
struct Cursors {
    fact: usize,
    trail: usize,
    clause: usize,
}

impl Justification {
    /// How many of the facts of level 0 are known here.
    pub(super) fn n_facts(&self) -> usize {
        self.n_facts
    }
    /// Assignments were undone.
    pub(super) fn rewind(&mut self) {
        self.cursors = Cursors { fact: 0, trail: self.n_facts, clause: 0 };
    }
    /// The fact at this position of the trail was taken back.
    pub(super) fn retracted(&mut self, at: usize) {
        self.n_facts -= usize::from(at < self.n_facts);
    }
    /// Given clauses change their places.
    pub(super) fn forget_witnesses(&mut self) {
        self.witnesses.clear();
        self.cursors.clause = 0;
    }
}

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    /// Look at the facts that are new at level 0. If there are any, only there.
    pub(super) fn gather_facts(&mut self) {
        if self.justification.n_facts == self.trail.n_fixed() {
            return;
        }
        debug_assert_eq!(self.trail.level(), 0);
        let mut open = std::mem::take(&mut self.justification.open_facts);
        let new = &self.trail.lits[self.justification.n_facts..];
        open.extend(new.iter().filter(|l| l.is_negated()).map(|l| l.var()));
        open.retain(|&var| self.unjustified(var).is_some());
        self.justification.open_facts = open;
        self.justification.n_facts = self.trail.lits.len();
    }

    /// The gate, which may have become false before it was a gate, has just been defined.
    pub(super) fn defined(&mut self, gate: Var) {
        if self.trail.value(Lit::positive(gate)) < 0 && self.unjustified(gate).is_some() {
            self.justification.open_facts.push(gate);
        }
    }

    /// The fanins of a false gate neither of which is false.
    fn unjustified(&self, gate: Var) -> Option<[Lit; 2]> {
        self.circuit.fanins(gate).filter(|fanins| fanins.iter().all(|&f| self.trail.value(f) >= 0))
    }

    /// A literal to decide so that something becomes justified, if anything is not.
    pub(super) fn next_reason(&mut self) -> Option<Lit> {
        // False gates above level 0. True literals need nothing, and what is outside of the domain is in no cone of the
        // query; each literal of the trail is passed once, unless something is undone.
        while let Some(&lit) = self.trail.lits.get(self.justification.cursors.trail) {
            if lit.is_negated()
                && self.trail.domain.contains(lit.var())
                && let Some(fanins) = self.unjustified(lit.var())
            {
                return Some(self.preferred(fanins.map(|f| !f)));
            }
            self.justification.cursors.trail += 1;
        }
        // False gates of level 0 that wait for their reason.
        while let Some(&gate) = self.justification.open_facts.get(self.justification.cursors.fact) {
            if self.trail.domain.contains(gate)
                && let Some(fanins) = self.unjustified(gate)
            {
                return Some(self.preferred(fanins.map(|f| !f)));
            }
            self.justification.cursors.fact += 1;
        }
        // Clauses last: nearly all of them have a true literal by now.
        self.next_witness()
    }

    /// A literal to decide so that a clause without a true literal has one, if there is such a clause.
    pub(super) fn next_witness(&mut self) -> Option<Lit> {
        // The temporary clause, if it is there, comes before what was learnt from it.
        if let Some(&clause) = self.temporary.clauses.first()
            && !self.clauses.arena.is_learnt(clause)
            && self.witness(clause).is_none()
        {
            return Some(self.choice(clause));
        }
        while let Some(&clause) = self.clauses.given.get(self.justification.cursors.clause) {
            let at = self.justification.cursors.clause;
            // The clause is new: any of its literals will do to begin with.
            if at == self.justification.witnesses.len() {
                self.justification.witnesses.push(self.clauses.arena.lits(clause)[0]);
            }
            // The witness of an earlier model is true again for four clauses in five, and these are not read.
            if self.trail.value(self.justification.witnesses[at]) <= 0 {
                match self.witness(clause) {
                    Some(lit) => self.justification.witnesses[at] = lit,
                    None => return Some(self.choice(clause)),
                }
            }
            self.justification.cursors.clause += 1;
        }
        None
    }

    /// A true literal of the clause.
    fn witness(&self, clause: ClauseRef) -> Option<Lit> {
        self.clauses.arena.lits(clause).iter().copied().find(|&l| self.trail.value(l) > 0)
    }

    /// The literal of a clause without a true one that is to be true.
    fn choice(&self, clause: ClauseRef) -> Lit {
        let lits = self.clauses.arena.lits(clause);
        let mut open = lits.iter().copied().filter(|&l| self.trail.value(l) == 0);
        if T::ACTIVE {
            // The value that the atom had in earlier models, where the theory has none at hand; else what costs nothing.
            let best = open.rev().max_by_key(|&l| match self.theory.holds(l) {
                None if self.decisions.has_phase(l) => 3,
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
        let Kernel { trail, decisions, .. } = self;
        let wins = |b: Lit| trail.value(b) == 0 && !decisions.has_phase(a) && decisions.has_phase(b);
        if trail.value(a) != 0 || wins(b) { b } else { a }
    }
}
