//! The trail: what is assigned, in which order, on which decision level, and why (as in MiniSat: Eén, Sörensson, SAT
//! 2003).

use super::arena::ClauseRef;
use super::policy::Domain;
use super::table::Table;
use indubit_logic::{Lit, Var};

/// The value of what is unassigned and not in the domain of the query: a bit that can be masked, on the side of true.
pub(super) const OUTSIDE: i8 = 2;

/// How and why a variable was assigned.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assigned {
    pub(super) level: u32,
    pub(super) reason: ClauseRef,
}

/// The present assignment of the domain.
///
/// Invariants: `lits` are the literals that `values` says are true. What is `OUTSIDE` is unassigned and not in the domain,
/// and above level 0 only members of the domain are assigned, so that undoing an assignment never leaves the domain. In a
/// reason, all literals but the one that it implies are false, and became so before. While leaves of a model are
/// unassigned (see `flip`), `lits` has literals that are not true any more; backtracking ends that.
#[derive(Clone, Debug)]
pub(super) struct Trail<D> {
    pub(super) domain: D,
    /// By literal: 1 true, -1 false, 0 unassigned, `OUTSIDE` unassigned and not in the domain.
    pub(super) values: Table<i8>,
    /// By variable; means something only while the variable is assigned.
    pub(super) assigned: Table<Assigned>,
    /// In the order of assignment.
    pub(super) lits: Vec<Lit>,
    /// Where each decision level above 0 begins in `lits`.
    levels: Vec<u32>,
    /// What of `lits` has been propagated.
    head: usize,
}

impl<D: Domain> Trail<D> {
    pub(super) fn new(domain: D) -> Trail<D> {
        Trail {
            domain,
            values: Table::default(),
            assigned: Table::default(),
            lits: Vec::new(),
            levels: Vec::new(),
            head: 0,
        }
    }
    pub(super) fn n_vars(&self) -> usize {
        self.assigned.len()
    }
    /// There are now this many variables; new ones are outside of a domain that is partial.
    pub(super) fn grow(&mut self, n_vars: usize) {
        self.values.resize(2 * n_vars, if D::PARTIAL { OUTSIDE } else { 0 });
        self.assigned.resize(n_vars, Assigned { level: 0, reason: ClauseRef::NONE });
        self.domain.grow(n_vars);
    }

    /// 1 true, negative false, 0 unassigned.
    pub(super) fn value(&self, lit: Lit) -> i8 {
        if D::PARTIAL { self.values[lit.index()] & !OUTSIDE } else { self.values[lit.index()] }
    }
    /// The value as propagation sees it, which takes what is `OUTSIDE` for true if it is `PARTIAL`.
    pub(super) fn seen_value<const PARTIAL: bool>(&self, lit: Lit) -> i8 {
        if PARTIAL { self.values[lit.index()] } else { self.value(lit) }
    }
    /// Is the variable in the domain, and unassigned?
    pub(super) fn is_open(&self, var: Var) -> bool {
        self.values[Lit::positive(var).index()] == 0
    }
    /// Is the variable assigned?
    pub(super) fn has(&self, var: Var) -> bool {
        self.value(Lit::positive(var)) != 0
    }
    /// The level of a variable that is assigned.
    pub(super) fn level_of(&self, var: Var) -> u32 {
        self.assigned[var.index()].level
    }
    /// The reason of a variable that is assigned: none for decisions.
    pub(super) fn reason(&self, var: Var) -> ClauseRef {
        self.assigned[var.index()].reason
    }
    /// Is the literal true because of the clause?
    pub(super) fn is_implied_by(&self, lit: Lit, clause: ClauseRef) -> bool {
        self.value(lit) > 0 && self.reason(lit.var()) == clause
    }

    /// How many decision levels there are.
    pub(super) fn level(&self) -> u32 {
        self.levels.len() as u32
    }
    /// How many of the literals are of level 0.
    pub(super) fn n_fixed(&self) -> usize {
        self.levels.first().map_or(self.lits.len(), |&end| end as usize)
    }
    /// What is assigned next is of a new level.
    pub(super) fn begin_level(&mut self) {
        self.levels.push(self.lits.len() as u32);
    }

    #[inline]
    pub(super) fn assign(&mut self, lit: Lit, reason: ClauseRef) {
        debug_assert_eq!(self.value(lit), 0);
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        let level = self.level();
        self.assigned[lit.var().index()] = Assigned { level, reason };
        self.lits.push(lit);
    }
    /// The values only; the literal stays on the trail.
    pub(super) fn clear_value(&mut self, lit: Lit) {
        self.values[lit.index()] = 0;
        self.values[(!lit).index()] = 0;
    }
    /// The next literal to propagate.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Lit> {
        let lit = *self.lits.get(self.head)?;
        self.head += 1;
        Some(lit)
    }
    /// There is a conflict: what has not been propagated is not going to be.
    pub(super) fn skip(&mut self) {
        self.head = self.lits.len();
    }

    /// Undo everything above `level`, which there is, the newest first; how many literals stay.
    #[inline]
    pub(super) fn backtrack(&mut self, level: u32, mut undone: impl FnMut(Lit)) -> usize {
        let keep = self.levels[level as usize] as usize;
        for i in (keep..self.lits.len()).rev() {
            let lit = self.lits[i];
            self.clear_value(lit);
            undone(lit);
        }
        self.lits.truncate(keep);
        self.levels.truncate(level as usize);
        self.head = keep;
        keep
    }
    /// Undo one assignment of level 0 from which nothing followed; where it stood.
    pub(super) fn retract(&mut self, lit: Lit) -> Option<usize> {
        let at = self.lits.iter().position(|&l| l == lit)?;
        self.lits.remove(at);
        self.head -= usize::from(at < self.head);
        self.clear_value(lit);
        Some(at)
    }
    /// What is true at level 0 needs no reason, since nothing is resolved with it. Only there.
    pub(super) fn forget_reasons(&mut self) {
        debug_assert_eq!(self.level(), 0);
        for &lit in &self.lits {
            self.assigned[lit.var().index()].reason = ClauseRef::NONE;
        }
    }
}
