//! Conflict analysis: the clause of the first unique implication point (Marques-Silva, Sakallah, *GRASP*, 1999; Zhang,
//! Madigan, Moskewicz, Malik, ICCAD 2001), and its glue.

use super::Kernel;
use super::arena::ClauseRef;
use super::policy::{ClauseId, Domain, ProofSink};
use super::reduce::MIDDLE_TIER;
use super::table::Table;
use super::theory::Theory;
use super::trail::Assigned;
use indubit_logic::{Lit, Var};

/// What analysis works on, kept from conflict to conflict.
///
/// Invariant: between two analyses no variable has a mark, and `facts`, `stack` and `derived` are empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The learnt clause; the asserting literal first.
    pub(super) learnt: Vec<Lit>,
    seen: Table<Seen>,
    /// Variables with a mark other than `No`.
    marked: Vec<Var>,
    /// In a kernel that records: the clauses that the learnt one follows from.
    pub(super) chain: Vec<ClauseId>,
    /// Unit clauses that the chain needs before anything else.
    pub(super) facts: Vec<ClauseId>,
    levels: LevelCounter,
    /// What minimisation has yet to look at: variables, and how many literals of their reasons it has seen.
    pub(super) stack: Vec<(Var, usize)>,
    /// In a kernel that records: what minimisation has dropped, and what that took.
    pub(super) derived: Vec<Var>,
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
pub(super) enum Seen {
    #[default]
    No,
    /// In the clause, or to be resolved away.
    Source,
    /// Follows from the clause: removable.
    Removable,
    /// Does not; or a fact that the chain has.
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
    pub(super) fn seen(&self, var: Var) -> Seen {
        self.seen[var.index()]
    }
    pub(super) fn mark(&mut self, var: Var, seen: Seen) {
        if self.seen[var.index()] == Seen::No {
            self.marked.push(var);
        }
        self.seen[var.index()] = seen;
    }
    /// The chain needs the unit clause of a variable without a mark.
    pub(super) fn add_fact(&mut self, var: Var, unit: ClauseId) {
        self.mark(var, Seen::Failed);
        self.facts.push(unit);
    }
    pub(super) fn clear(&mut self) {
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
        // In place of the asserting literal, which is found last.
        self.scratch.learnt.push(Lit::FALSE);
        self.scratch.chain.clear();
        // How many literals of this level are marked and have not been met on the way down the trail.
        let mut n_open = 0;
        let mut at = self.trail.lits.len();
        let mut clause = conflict;
        let mut resolved = None;
        let asserting = loop {
            n_open += self.resolve(clause, resolved);
            // The next one was assigned last, so that no later reason can bring it back.
            let pivot = loop {
                at -= 1;
                let lit = self.trail.lits[at];
                if self.scratch.seen(lit.var()) == Seen::Source {
                    break lit;
                }
            };
            n_open -= 1;
            // The only one left: the first unique implication point.
            if n_open == 0 {
                break !pivot;
            }
            clause = self.reason_of(pivot.var());
            resolved = Some(pivot);
        };
        self.scratch.learnt[0] = asserting;
        // A chain begins with what propagates first.
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
        if self.clauses.arena.is_learnt(clause) {
            self.note_use(clause);
        }
        let Kernel { clauses, scratch, trail, decisions, proof, counts, .. } = self;
        if P::RECORDS {
            scratch.chain.push(clauses.arena.name(clause));
        }
        let level = trail.level();
        let mut n_open = 0;
        counts.ticks += 1;
        for &lit in clauses.arena.lits(clause) {
            let var = lit.var();
            // Resolved away, or in the clause already.
            if Some(var) == resolved.map(Lit::var) || scratch.seen(var) != Seen::No {
                continue;
            }
            match trail.level_of(var) {
                // False for good: resolved with its unit clause, which only a derivation has to say.
                0 => {
                    if P::RECORDS {
                        scratch.add_fact(var, proof.unit(var));
                    }
                    continue;
                }
                // Of this level: to be resolved, or to be asserted.
                l if l >= level => n_open += 1,
                // Of an earlier level: in the clause, unless minimisation takes it out.
                _ => scratch.learnt.push(lit),
            }
            scratch.mark(var, Seen::Source);
            decisions.order.bump(var);
        }
        n_open
    }

    /// Second watch and glue of the clause.
    fn lesson(&mut self) -> Lesson {
        let Kernel { scratch, trail, .. } = self;
        let glue = scratch.levels.count(&scratch.learnt, &trail.assigned, u32::MAX);
        let second = (1..scratch.learnt.len()).max_by_key(|&i| trail.level_of(scratch.learnt[i].var()));
        let backtrack = second.map_or(0, |i| {
            scratch.learnt.swap(1, i);
            trail.level_of(scratch.learnt[1].var())
        });
        Lesson { backtrack, glue }
    }

    /// On how many levels do the literals of a clause lie?
    pub(super) fn glue_of(&mut self, lits: &[Lit]) -> u32 {
        self.scratch.levels.count(lits, &self.trail.assigned, u32::MAX)
    }

    /// A learnt clause is of use in a conflict: it is safe from the next reductions, and its glue may have improved
    /// (Audemard, Simon, IJCAI 2009).
    fn note_use(&mut self, clause: ClauseRef) {
        let arena = &mut self.clauses.arena;
        let old = arena.glue(clause);
        let mut glue = old;
        if old > self.tuning.glue {
            glue = old.min(self.scratch.levels.count(arena.lits(clause), &self.trail.assigned, old));
        }
        arena.set_use(clause, glue, if glue <= MIDDLE_TIER { 2 } else { 1 });
    }
}
