//! A theory beside the clauses: CDCL(T) is this kernel with one (Nieuwenhuis, Oliveras, Tinelli, *Solving SAT and SAT
//! Modulo Theories*, JACM 2006).
//!
//! When clauses propagate nothing more, the theory is told what was assigned. It may answer with a clause that is false now,
//! or with literals that follow; their reasons are asked for only when a conflict needs them. When there is nothing left
//! to decide, it says whether there is a model, and if it does not know, which literal to decide. There is one
//! search, in `search`; without a theory (`NoTheory`) nothing of this is compiled.
//!
//! Conflicts and reasons are clauses that only analysis sees: nobody watches them, and they go with the query at the latest. A lemma that is to
//! bring a new literal is learnt like other clauses, so that the literal's negation has its consequences, too.

use super::Kernel;
use super::arena::ClauseRef;
use super::policy::{Domain, ProofSink};
use indubit_logic::{Lit, Var};
use indubit_run::Ask;

/// By this name a theory finds why a lemma holds.
pub type Certificate = u64;

/// What a theory says when all variables are assigned.
#[derive(Clone, Copy, Debug)]
pub enum Completion {
    /// There is a model.
    Model,
    /// The clause is false.
    Conflict(Certificate),
    /// The clause is true in the theory. Its first literal, perhaps of a new variable, is not true yet; all others are false.
    Lemma(Certificate),
    /// This literal, perhaps of a new variable, has to be decided first.
    Split(Lit),
}

/// What literals mean beyond clauses.
pub trait Theory {
    /// Is there any? Tells the compiler to leave the calls out if not.
    const ACTIVE: bool;
    /// May the search decide the variable on its own? Others are decided when the theory asks for it, or assumed, and a
    /// model need not assign them.
    fn decides(&self, var: Var) -> bool;
    /// Does a literal that is not assigned hold in the values that the theory has at hand, so that deciding it is easy?
    fn holds(&self, lit: Lit) -> Option<bool>;
    /// A literal was assigned, at this position of the trail; if `for_good`, it is never taken back.
    fn assign(&mut self, lit: Lit, position: usize, for_good: bool);
    /// Everything from this position on, but for what is assigned for good, is taken back.
    fn backtrack(&mut self, position: usize);
    /// Look at what was assigned. In case of a conflict a lemma all of whose literals are false is in `clause`; otherwise literals
    /// that follow are in `implied`, some of which may be known. `ticks` counts the effort.
    fn propagate(
        &mut self,
        implied: &mut Vec<Lit>,
        clause: &mut Vec<Lit>,
        ticks: &mut u64,
    ) -> Ask<Option<Certificate>>;
    /// The reason of a literal that was implied and has not been taken back, into `clause`, the literal first.
    fn explain(&mut self, lit: Lit, clause: &mut Vec<Lit>) -> Certificate;
    /// Is there a model in which all that is assigned holds? In case of a conflict or a lemma it is in `clause`.
    fn complete(&mut self, clause: &mut Vec<Lit>, ticks: &mut u64) -> Ask<Completion>;
}

/// Literals mean nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTheory;

impl Theory for NoTheory {
    const ACTIVE: bool = false;
    fn decides(&self, _: Var) -> bool {
        true
    }
    fn holds(&self, _: Lit) -> Option<bool> {
        None
    }
    fn assign(&mut self, _: Lit, _: usize, _: bool) {}
    fn backtrack(&mut self, _: usize) {}
    fn propagate(&mut self, _: &mut Vec<Lit>, _: &mut Vec<Lit>, _: &mut u64) -> Ask<Option<Certificate>> {
        Ok(None)
    }
    fn explain(&mut self, _: Lit, _: &mut Vec<Lit>) -> Certificate {
        0
    }
    fn complete(&mut self, _: &mut Vec<Lit>, _: &mut u64) -> Ask<Completion> {
        Ok(Completion::Model)
    }
}

/// What the kernel keeps for its theory.
///
/// Invariants: the theory knows the first `n_told` literals of the trail and no others. Each lemma is a reason or a conflict
/// that analysis needs, or waits to be forgotten.
#[derive(Clone, Debug, Default)]
pub(super) struct Consulted {
    /// What of the trail the theory has been told.
    n_told: usize,
    /// Lemmas in the arena, the implied literal first.
    pub(super) lemmas: Vec<ClauseRef>,
    implied: Vec<Lit>,
    clause: Vec<Lit>,
}

impl Consulted {
    /// Only this much of the trail is left.
    pub(super) fn backtracked(&mut self, keep: usize) {
        self.n_told = self.n_told.min(keep);
    }
    /// The fact at this position of the trail was taken back.
    pub(super) fn retracted(&mut self, at: usize) {
        self.n_told -= usize::from(at < self.n_told);
    }
}

/// What to do when the theory has seen a complete assignment.
pub(super) enum Next {
    Model,
    Conflict(ClauseRef),
    Decide(Lit),
    /// Something new was assigned.
    Propagate,
}

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    /// Propagate by clauses and by the theory, in turn; the clause that became false, if one did.
    #[inline]
    pub(super) fn propagate_all(&mut self) -> Ask<Option<ClauseRef>> {
        loop {
            let conflict = self.propagate();
            if !T::ACTIVE || conflict.is_some() {
                return Ok(conflict);
            }
            let n_assigned = self.trail.lits.len();
            if let Some(conflict) = self.consult()? {
                return Ok(Some(conflict));
            }
            if self.trail.lits.len() == n_assigned {
                return Ok(None);
            }
        }
    }

    /// Tell the theory what is new, and assign what follows from it.
    fn consult(&mut self) -> Ask<Option<ClauseRef>> {
        let for_good = self.trail.level() == 0;
        for (at, &lit) in self.trail.lits.iter().enumerate().skip(self.consulted.n_told) {
            self.theory.assign(lit, at, for_good);
        }
        self.consulted.n_told = self.trail.lits.len();
        let Consulted { implied, clause, .. } = &mut self.consulted;
        implied.clear();
        clause.clear();
        if let Some(certificate) = self.theory.propagate(implied, clause, &mut self.counts.ticks)? {
            return Ok(Some(self.theory_conflict(certificate)));
        }
        for i in 0..self.consulted.implied.len() {
            let lit = self.consulted.implied[i];
            let value = self.trail.value(lit);
            // Known ones may be among them.
            debug_assert!(value >= 0, "the theory implies what is not false");
            if value == 0 {
                self.counts.propagations += 1;
                // Nobody asks for the reason of what is true for good.
                let mut reason = ClauseRef::THEORY;
                if for_good {
                    reason = ClauseRef::NONE;
                    self.name_implied(lit);
                }
                self.assign(lit, reason);
            }
        }
        Ok(None)
    }

    /// All variables that count are assigned: what does the theory say, if there is one?
    #[inline]
    pub(super) fn complete(&mut self) -> Ask<Next> {
        if T::ACTIVE { self.ask_theory() } else { Ok(Next::Model) }
    }
    fn ask_theory(&mut self) -> Ask<Next> {
        self.consulted.clause.clear();
        Ok(match self.theory.complete(&mut self.consulted.clause, &mut self.counts.ticks)? {
            Completion::Model => Next::Model,
            Completion::Conflict(certificate) => Next::Conflict(self.theory_conflict(certificate)),
            Completion::Lemma(certificate) => {
                let first = self.consulted.clause[0];
                self.grow(first.var().index() + 1);
                if self.trail.value(first) < 0 {
                    return Ok(Next::Conflict(self.theory_conflict(certificate)));
                }
                self.learn_lemma(certificate);
                Next::Propagate
            }
            Completion::Split(lit) => {
                self.grow(lit.var().index() + 1);
                Next::Decide(lit)
            }
        })
    }

    /// A lemma is false; undo what has nothing to do with it, so that it is a conflict of the present level.
    fn theory_conflict(&mut self, certificate: Certificate) -> ClauseRef {
        let clause = std::mem::take(&mut self.consulted.clause);
        debug_assert!(clause.iter().all(|&l| self.trail.value(l) < 0), "a conflict is false");
        let reference = self.add_lemma(&clause, certificate);
        let level = clause.iter().map(|l| self.trail.level_of(l.var())).max().unwrap_or(0);
        self.backtrack(level);
        self.consulted.clause = clause;
        reference
    }

    /// Learn a lemma all of whose literals but the first are false, and assign that one where it follows.
    fn learn_lemma(&mut self, certificate: Certificate) {
        let mut clause = std::mem::take(&mut self.consulted.clause);
        let first = clause[0];
        debug_assert!(self.trail.value(first) == 0 && clause[1..].iter().all(|&l| self.trail.value(l) < 0));
        let mut name = if P::RECORDS { self.proof.sink.lemma(&clause, certificate) } else { 0 };
        let is_open = |l: Lit| l == first || self.trail.level_of(l.var()) > 0;
        let mut chain: Vec<_> = Vec::new();
        if P::RECORDS {
            chain.extend(clause.iter().filter(|&&l| !is_open(l)).map(|l| self.proof.unit(l.var())));
        }
        clause.retain(|&l| is_open(l));
        if !chain.is_empty() {
            chain.push(name);
            let lemma = std::mem::replace(&mut name, self.proof.sink.derived(&clause, &chain));
            self.proof.sink.deleted(lemma);
        }
        // Watched are the first literal and one of those that are taken back first.
        if let Some(last) = (1..clause.len()).max_by_key(|&i| self.trail.level_of(clause[i].var())) {
            clause.swap(1, last);
        }
        self.backtrack(clause.get(1).map_or(0, |l| self.trail.level_of(l.var())));
        let mut reason = ClauseRef::NONE;
        if clause.len() > 1 {
            let glue = self.glue_of(&clause[1..]);
            reason = self.clauses.add(&clause, Some(glue), name);
        } else {
            self.proof.set_unit(first.var(), name);
        }
        self.assign(first, reason);
        self.consulted.clause = clause;
    }

    fn add_lemma(&mut self, lits: &[Lit], certificate: Certificate) -> ClauseRef {
        let name = if P::RECORDS { self.proof.sink.lemma(lits, certificate) } else { 0 };
        let reference = self.clauses.arena.alloc(lits, None, name);
        self.consulted.lemmas.push(reference);
        reference
    }

    /// The reason of an assignment, which the theory may have to tell first.
    #[inline]
    pub(super) fn reason_of(&mut self, var: Var) -> ClauseRef {
        let reason = self.trail.reason(var);
        if T::ACTIVE && reason == ClauseRef::THEORY { self.explain(var) } else { reason }
    }

    fn explain(&mut self, var: Var) -> ClauseRef {
        let lit = Lit::with_value(var, self.trail.value(Lit::positive(var)) > 0);
        let mut clause = std::mem::take(&mut self.consulted.clause);
        clause.clear();
        let certificate = self.theory.explain(lit, &mut clause);
        debug_assert!(clause[0] == lit && clause[1..].iter().all(|&l| self.trail.value(l) < 0));
        let reference = self.add_lemma(&clause, certificate);
        self.consulted.clause = clause;
        self.trail.assigned[var.index()].reason = reference;
        reference
    }

    /// At level 0 of a kernel that records, what the theory implies is derived and named.
    fn name_implied(&mut self, lit: Lit) {
        if P::RECORDS {
            let mut clause = std::mem::take(&mut self.consulted.clause);
            clause.clear();
            let certificate = self.theory.explain(lit, &mut clause);
            let lemma = self.proof.sink.lemma(&clause, certificate);
            let unit = self.proof.shorten(&[lit], clause[1..].iter().copied(), lemma);
            self.proof.set_unit(lit.var(), unit);
            self.proof.sink.deleted(lemma);
            self.consulted.clause = clause;
        }
    }

    /// Forget lemmas that are no reasons.
    pub(super) fn forget_lemmas(&mut self) {
        let lemmas = std::mem::take(&mut self.consulted.lemmas);
        for &clause in &lemmas {
            let implied = self.clauses.arena.lits(clause)[0];
            if self.trail.is_implied_by(implied, clause) {
                self.consulted.lemmas.push(clause);
            } else {
                self.forget(clause);
            }
        }
    }
}
