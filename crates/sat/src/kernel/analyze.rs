//! Conflict analysis: the first unique implication point, minimisation, and cores.

use super::arena::ClauseRef;
use super::policy::{ClauseId, Domain, ProofSink};
use super::reduce::MIDDLE_TIER;
use super::table::Table;
use super::theory::Theory;
use super::{Assigned, Kernel};
use indubit_logic::{Lit, Var};

/// What analysis works on, kept from conflict to conflict.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The learnt clause; the asserting literal first.
    pub(super) clause: Vec<Lit>,
    pub(super) learnt: Vec<Lit>,
    seen: Table<Seen>,
    /// Variables with a mark other than `No`.
    marked: Vec<Var>,
    pub(super) chain: Vec<ClauseId>,
    /// Unit clauses that the chain needs before anything else.
    facts: Vec<ClauseId>,
    levels: LevelCounter,
    /// What minimisation has yet to look at, and what it has dropped.
    stack: Vec<(Var, usize)>,
    derived: Vec<Var>,
}

/// Counts the decision levels of a clause by stamps.
#[derive(Clone, Debug, Default)]
struct LevelCounter {
    stamps: Vec<u64>,
    stamp: u64,
}

impl LevelCounter {
    /// On how many levels do the literals lie? Not counted beyond `enough`.
    fn count(&mut self, lits: &[Lit], assigned: &Table<Assigned>, enough: u32) -> u32 {
        self.stamp += 1;
        let mut n_levels = 0;
        for lit in lits {
            let stamp = &mut self.stamps[assigned[lit.var().index()].level as usize];
            n_levels += u32::from(*stamp != self.stamp);
            *stamp = self.stamp;
            if n_levels >= enough {
                break;
            }
        }
        n_levels
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Seen {
    #[default]
    No,
    /// In the clause, or to be resolved away.
    Source,
    /// Follows from the clause: removable.
    Removable,
    /// Does not.
    Failed,
}

impl Scratch {
    pub(super) fn grow(&mut self, n_vars: usize) {
        self.seen.resize(n_vars, Seen::No);
    }
    /// There may be this many decision levels: one for each assumption, also where it is true already, and one for each
    /// variable.
    pub(super) fn allow_levels(&mut self, n_levels: usize) {
        if self.levels.stamps.len() <= n_levels {
            self.levels.stamps.resize(n_levels + 1, 0);
        }
    }
    fn mark(&mut self, var: Var, seen: Seen) {
        if self.seen[var.index()] == Seen::No {
            self.marked.push(var);
        }
        self.seen[var.index()] = seen;
    }
    fn clear(&mut self) {
        for var in self.marked.drain(..) {
            self.seen[var.index()] = Seen::No;
        }
    }
}

/// A learnt clause: where to backtrack to, and on how many levels its literals lie.
pub(super) struct Lesson {
    pub(super) backtrack: u32,
    pub(super) glue: u32,
}

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    /// Resolve the conflict with reasons until one literal of the present level is left. The clause is in
    /// `scratch.learnt`, the literal to assert first and one of the level to return to second.
    pub(super) fn analyze(&mut self, conflict: ClauseRef) -> Lesson {
        self.scratch.learnt.clear();
        self.scratch.learnt.push(Lit::FALSE);
        self.scratch.chain.clear();
        let mut n_open = 0;
        let mut at = self.trail.len();
        let mut clause = conflict;
        let mut resolved = None;
        let asserting = loop {
            n_open += self.resolve(clause, resolved);
            let pivot = loop {
                at -= 1;
                if self.scratch.seen[self.trail[at].var().index()] == Seen::Source {
                    break self.trail[at];
                }
            };
            n_open -= 1;
            if n_open == 0 {
                break !pivot;
            }
            clause = self.reason_of(pivot.var());
            resolved = Some(pivot);
        };
        self.scratch.learnt[0] = asserting;
        if P::RECORDS {
            self.scratch.chain.reverse();
        }
        self.minimize();
        let lesson = self.lesson();
        self.scratch.clear();
        lesson
    }

    /// Take the literals of `clause` but the resolved one into the clause to learn; how many are of this level?
    fn resolve(&mut self, clause: ClauseRef, resolved: Option<Lit>) -> u32 {
        if self.arena.is_learnt(clause) {
            self.note_use(clause);
        }
        if P::RECORDS {
            let name = self.arena.name(clause);
            self.scratch.chain.push(name);
        }
        let level = self.level();
        let mut n_open = 0;
        self.counts.ticks += 1;
        for i in 0..self.arena.len(clause) {
            let lit = self.arena.lits(clause)[i];
            let var = lit.var();
            if Some(var) == resolved.map(Lit::var) || self.scratch.seen[var.index()] != Seen::No {
                continue;
            }
            match self.level_of(var) {
                0 => {
                    if P::RECORDS {
                        self.scratch.mark(var, Seen::Failed);
                        self.scratch.facts.push(self.units[var.index()]);
                    }
                    continue;
                }
                l if l >= level => n_open += 1,
                _ => self.scratch.learnt.push(lit),
            }
            self.scratch.mark(var, Seen::Source);
            self.order.bump(var);
        }
        n_open
    }

    /// Drop literals that follow from the others (Sörensson, Biere, SAT 2009).
    fn minimize(&mut self) {
        let mut kept = 1;
        let mut derived = std::mem::take(&mut self.scratch.derived);
        for i in 1..self.scratch.learnt.len() {
            let lit = self.scratch.learnt[i];
            if !self.is_redundant(lit.var(), &mut derived) {
                self.scratch.learnt[kept] = lit;
                kept += 1;
            }
        }
        self.scratch.learnt.truncate(kept);
        if P::RECORDS {
            self.derive_first(&mut derived);
        }
        self.scratch.derived = derived;
    }

    /// Facts come first in the chain, then what was dropped and what that took, in the order in which it was
    /// assigned, then the literals of the conflict's level.
    fn derive_first(&mut self, derived: &mut Vec<Var>) {
        derived.sort_unstable_by_key(|v| self.positions[v.index()]);
        let mut chain = std::mem::take(&mut self.scratch.facts);
        for var in derived.drain(..) {
            let reason = self.assigned[var.index()].reason;
            for i in 0..self.arena.len(reason) {
                let fact = self.arena.lits(reason)[i].var();
                // Facts that are in the chain already have a mark.
                if self.level_of(fact) == 0 && self.scratch.seen[fact.index()] == Seen::No {
                    self.scratch.mark(fact, Seen::Failed);
                    chain.push(self.units[fact.index()]);
                }
            }
            chain.push(self.arena.name(reason));
        }
        chain.append(&mut self.scratch.chain);
        self.scratch.chain = chain;
    }

    /// Does the assignment of `root` follow from other literals of the clause? Depth first, without recursion:
    /// each entry of the stack is a variable and how many literals of its reason have been looked at.
    fn is_redundant(&mut self, root: Var, derived: &mut Vec<Var>) -> bool {
        if self.assigned[root.index()].reason == ClauseRef::NONE {
            return false;
        }
        let mut stack = std::mem::take(&mut self.scratch.stack);
        stack.push((root, 0));
        while let Some(&(var, looked_at)) = stack.last() {
            let reason = self.reason_of(var);
            self.counts.ticks += 1;
            let lits = self.arena.lits(reason);
            let next = (looked_at..lits.len()).find(|&i| {
                let v = lits[i].var();
                let known = matches!(self.scratch.seen[v.index()], Seen::Source | Seen::Removable);
                v != var && !known && self.assigned[v.index()].level > 0
            });
            let Some(i) = next else {
                if P::RECORDS {
                    derived.push(var);
                }
                stack.pop();
                if var != root {
                    self.scratch.mark(var, Seen::Removable);
                }
                continue;
            };
            let v = lits[i].var();
            if self.scratch.seen[v.index()] == Seen::Failed
                || self.assigned[v.index()].reason == ClauseRef::NONE
            {
                for (failed, _) in stack.drain(..).filter(|&(f, _)| f != root) {
                    self.scratch.mark(failed, Seen::Failed);
                }
                self.scratch.stack = stack;
                return false;
            }
            stack.last_mut().expect("looked at above").1 = i + 1;
            stack.push((v, 0));
        }
        self.scratch.stack = stack;
        true
    }

    /// Second watch and glue of the clause.
    fn lesson(&mut self) -> Lesson {
        let scratch = &mut self.scratch;
        let glue = scratch.levels.count(&scratch.learnt, &self.assigned, u32::MAX);
        let assigned = &self.assigned;
        let level = |l: Lit| assigned[l.var().index()].level;
        let second = (1..scratch.learnt.len()).max_by_key(|&i| level(scratch.learnt[i]));
        let backtrack = second.map_or(0, |i| {
            scratch.learnt.swap(1, i);
            level(scratch.learnt[1])
        });
        Lesson { backtrack, glue }
    }

    /// On how many levels do the literals of a clause lie?
    pub(super) fn glue_of(&mut self, lits: &[Lit]) -> u32 {
        self.scratch.levels.count(lits, &self.assigned, u32::MAX)
    }

    /// A learnt clause is of use in a conflict: it is safe from the next reductions, and its glue may have improved
    /// (Audemard, Simon, IJCAI 2009).
    fn note_use(&mut self, clause: ClauseRef) {
        let old = self.arena.glue(clause);
        let mut glue = old;
        if old > self.tuning.glue {
            glue = old.min(self.scratch.levels.count(self.arena.lits(clause), &self.assigned, old));
        }
        self.arena.set_use(clause, glue, if glue <= MIDDLE_TIER { 2 } else { 1 });
    }

    /// The assumptions that force the assumption `failed` to be false, itself included, into `core`.
    pub(super) fn analyze_final(&mut self, failed: Lit) {
        self.core.clear();
        self.core.push(failed);
        if self.level_of(failed.var()) == 0 {
            self.conclusion = P::RECORDS.then(|| self.units[failed.var().index()]);
            return;
        }
        self.scratch.chain.clear();
        self.scratch.mark(failed.var(), Seen::Source);
        for at in (self.levels[0] as usize..self.trail.len()).rev() {
            let lit = self.trail[at];
            if self.scratch.seen[lit.var().index()] != Seen::Source {
                continue;
            }
            let reason = self.reason_of(lit.var());
            if reason == ClauseRef::NONE {
                self.core.push(lit);
                continue;
            }
            if P::RECORDS {
                let name = self.arena.name(reason);
                self.scratch.chain.push(name);
            }
            for i in 0..self.arena.len(reason) {
                let var = self.arena.lits(reason)[i].var();
                if self.scratch.seen[var.index()] != Seen::No {
                    continue;
                }
                if self.level_of(var) > 0 {
                    self.scratch.mark(var, Seen::Source);
                } else if P::RECORDS {
                    self.scratch.mark(var, Seen::Failed);
                    self.scratch.facts.push(self.units[var.index()]);
                }
            }
        }
        self.scratch.clear();
        if P::RECORDS {
            self.conclude();
        }
    }

    /// Derive the clause of the core's negations from the reasons that were met.
    fn conclude(&mut self) {
        if self.scratch.chain.is_empty() {
            return;
        }
        let mut chain = std::mem::take(&mut self.scratch.facts);
        chain.extend(self.scratch.chain.iter().rev());
        let clause: Vec<Lit> = self.core.iter().map(|&l| !l).collect();
        self.conclusion = Some(self.proof.derived(&clause, &chain));
        chain.clear();
        self.scratch.facts = chain;
    }

    /// A clause is false at level 0: there is no model, and in a kernel that records the empty clause follows.
    pub(super) fn refute_for_good(&mut self, conflict: ClauseRef) {
        self.inconsistent = true;
        if P::RECORDS {
            let mut chain: Vec<ClauseId> = Vec::new();
            chain.extend(self.arena.lits(conflict).iter().map(|l| self.units[l.var().index()]));
            chain.push(self.arena.name(conflict));
            self.conclusion = Some(self.proof.derived(&[], &chain));
        }
    }

    /// The unit clause that `clause` has become at level 0, under a name.
    pub(super) fn name_unit(&mut self, lit: Lit, clause: ClauseRef) {
        let mut chain: Vec<ClauseId> = Vec::new();
        for &other in self.arena.lits(clause) {
            if other != lit {
                chain.push(self.units[other.var().index()]);
            }
        }
        chain.push(self.arena.name(clause));
        self.units[lit.var().index()] = self.proof.derived(&[lit], &chain);
    }
}
