//! Unassigning parts of a model by inspecting watches (PERFORMANCE B2).
//!
//! A true literal can be unassigned if no clause that has to stay satisfied has it as its only true literal. What has to
//! stay satisfied are the given clauses inside the domain that are no lemmas: the definitions of the domain's
//! gates. Lemmas and the temporary clause said where to look for a model, not what a step is; learnt clauses follow
//! from the others.
//!
//! *Why that is sound.* Let `A` be what is left of the model. Each definition of a gate inside the domain is either true
//! at level 0, or among the clauses and satisfied by `A`: literals of level 0 are never unassigned, and the domain has
//! every fanin of its gates. So each completion of `A` satisfies the definitions with the values that `A` gives to
//! gates. Gates are functions of the leaves, hence each completion of the leaves gives them exactly these values.
//!
//! *Which clauses to look at.* Propagation skips a clause whose blocker is true, so the only true literal of a clause
//! need not be watched. [`Kernel::watch_true_literals`] repairs that for the definitions: after it, a definition inside
//! the domain that is not true at level 0 has a true literal among its watches, and unassigning keeps that so.

use super::arena::ClauseRef;
use super::policy::{Domain, ProofSink};
use super::{Kernel, Watch};
use indubit_logic::Lit;

impl<D: Domain, P: ProofSink> Kernel<D, P> {
    /// After a model was found: take out of `lits`, which are true leaves, those that can be unassigned, one after the
    /// other, and unassign them. Watches are left in order for level 0 only, which is where every query begins.
    pub(crate) fn unassign(&mut self, lits: &mut Vec<Lit>) {
        if self.level() == 0 {
            return;
        }
        self.watch_true_literals();
        lits.retain(|&lit| {
            let fixed = self.value(lit) <= 0 || self.level_of(lit.var()) == 0 || self.is_needed(lit);
            if !fixed {
                self.values[lit.index()] = 0;
                self.values[(!lit).index()] = 0;
            }
            fixed
        });
    }

    /// The clause, which was just given, is no part of a definition.
    pub(crate) fn set_lemma(&mut self, clause: ClauseRef) {
        self.arena.set_lemma(clause);
    }

    fn has_to_hold(&self, clause: ClauseRef) -> bool {
        !self.arena.is_learnt(clause) && !self.arena.is_lemma(clause)
    }

    /// Let each clause that has to hold, and is watched by two false literals, be watched by a true one. A clause
    /// that has none reaches out of the domain.
    fn watch_true_literals(&mut self) {
        for at in self.levels[0] as usize..self.trail.len() {
            let falsified = !self.trail[at];
            let mut list = std::mem::take(&mut self.watches[falsified.index()]);
            self.counts.ticks += 1 + list.len() as u64 / 8;
            list.retain(|watch| {
                if watch.is_binary() || self.value(watch.blocker) == 0 || !self.has_to_hold(watch.clause()) {
                    return true;
                }
                self.counts.ticks += 1;
                !self.watch_another(watch.clause(), falsified)
            });
            self.watches[falsified.index()] = list;
        }
    }

    /// Unless the other watched literal is true: watch a true literal in place of `watched`. Was it done? The caller
    /// takes the clause out of the list of `watched`.
    fn watch_another(&mut self, clause: ClauseRef, watched: Lit) -> bool {
        let values = &self.values;
        let lits = self.arena.lits_mut(clause);
        let place = usize::from(lits[1] == watched);
        let other = lits[1 - place];
        if values[other.index()] > 0 {
            return false;
        }
        let Some(i) = (2..lits.len()).find(|&i| values[lits[i].index()] > 0) else {
            return false;
        };
        lits.swap(place, i);
        let new = lits[place];
        self.watches[new.index()].push(Watch::new(other, clause, false));
        true
    }

    /// Is the true literal the only one in a clause that has to hold?
    fn is_needed(&mut self, lit: Lit) -> bool {
        let mut list = std::mem::take(&mut self.watches[lit.index()]);
        self.counts.ticks += 1 + list.len() as u64 / 8;
        let mut needed = false;
        list.retain(|watch| {
            let clause = watch.clause();
            if needed || self.value(watch.blocker) > 0 && watch.is_binary() || !self.has_to_hold(clause) {
                return true;
            }
            if watch.is_binary() {
                needed = self.domain.contains(watch.blocker.var());
                return true;
            }
            self.counts.ticks += 1;
            if self.watch_another(clause, lit) {
                return false;
            }
            let mut others = self.arena.lits(clause).iter().filter(|&&l| l != lit);
            needed = others.all(|&l| self.value(l) <= 0 && self.domain.contains(l.var()));
            true
        });
        self.watches[lit.index()] = list;
        needed
    }
}
