//! Decisions: which literal next.
//!
//! Assumptions come first, each on a level of its own. Then activities decide (see `order`), each variable in the value that
//! it had last (phase saving: Pipatsrisawat, Darwiche, SAT 2007). Where models need only be justified, what is not
//! justified decides instead (see `justify`), and activities join in only when a query turns out to be hard.

use super::Kernel;
use super::arena::ClauseRef;
use super::order::Order;
use super::policy::{Domain, ProofSink};
use super::table::Table;
use super::theory::Theory;
use super::tuning::Tuning;
use indubit_logic::{Lit, Var};

/// What decisions are made from.
///
/// Invariants: if activities decide, every unassigned variable that they may decide is a candidate of `order`. Members of the
/// domain before `cursor` are assigned.
#[derive(Clone, Debug)]
pub(super) struct Decisions {
    pub(super) order: Order,
    /// By variable: the value that it had last.
    phase: Table<bool>,
    /// A position in the domain, where all of a partial domain is to be assigned.
    cursor: usize,
    /// Do activities decide in this query?
    pub(super) by_activity: bool,
}

impl Decisions {
    pub(super) fn new(tuning: &Tuning) -> Decisions {
        Decisions {
            order: Order::new(tuning.order, tuning.decay),
            phase: Table::default(),
            cursor: 0,
            by_activity: true,
        }
    }
    pub(super) fn grow(&mut self, n_vars: usize, seed: u64) {
        let n_old = self.phase.len();
        self.phase.extend((n_old..n_vars).map(|v| first_phase(seed, v as u64)));
        self.order.grow(n_vars);
    }
    /// A query begins, without candidates.
    pub(super) fn begin(&mut self, by_activity: bool) {
        self.order.restart_query();
        self.by_activity = by_activity;
        self.cursor = 0;
    }
    /// Assignments were undone.
    pub(super) fn rewind(&mut self) {
        self.cursor = 0;
    }
    /// The literal was true, and is no more.
    pub(super) fn save_phase(&mut self, lit: Lit) {
        self.phase[lit.var().index()] = !lit.is_negated();
    }
    /// Would the literal's variable be decided so that it is true?
    pub(super) fn has_phase(&self, lit: Lit) -> bool {
        self.phase[lit.var().index()] != lit.is_negated()
    }
    fn in_phase(&self, var: Var) -> Lit {
        Lit::with_value(var, self.phase[var.index()])
    }
}

fn first_phase(seed: u64, var: u64) -> bool {
    let mixed = (var + 1).wrapping_mul(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 63 == 1
}

/// What to do when nothing is left to propagate.
pub(super) enum Next {
    Decide(Lit),
    Refuted,
    Model,
}

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    pub(super) fn decide(&mut self, lit: Lit) {
        self.counts.decisions += 1;
        self.trail.begin_level();
        self.assign(lit, ClauseRef::NONE);
    }

    /// Need models only be justified, and not assign everything?
    pub(super) fn justifies(&self) -> bool {
        (D::PARTIAL || T::ACTIVE) && self.tuning.justify
    }
    /// Can every variable be a candidate of the order, and not only those that were in a conflict?
    pub(super) fn offers_all(&self) -> bool {
        !D::PARTIAL && !self.justifies()
    }

    /// Activities decide from here on: every unassigned variable that they may decide becomes a candidate.
    pub(super) fn offer_domain(&mut self) {
        let all = self.offers_all();
        let Kernel { trail, decisions: Decisions { order, cursor, .. }, eliminated, theory, .. } = self;
        trail.domain.each(trail.n_vars(), |var| {
            if (all || order.is_active(var))
                && trail.is_open(var)
                && !eliminated.contains(var)
                && (!T::ACTIVE || theory.decides(var))
            {
                order.offer(var);
            }
        });
        *cursor = 0;
    }

    /// Assumptions first, each on a level of its own, then the order's choice in its saved phase.
    pub(super) fn next_decision(&mut self, assumptions: &[Lit]) -> Next {
        while let Some(&assumption) = assumptions.get(self.trail.level() as usize) {
            match self.trail.value(assumption) {
                0 => return Next::Decide(assumption),
                // It follows from those before it. Its level stays empty, so that levels and assumptions go together.
                1 => self.trail.begin_level(),
                _ => {
                    self.analyze_final(assumption);
                    return Next::Refuted;
                }
            }
        }
        // Candidates may have been assigned since they were offered.
        while let Some(var) = self.decisions.order.take() {
            if self.trail.is_open(var) && !self.eliminated.contains(var) {
                return Next::Decide(self.decisions.in_phase(var));
            }
        }
        // The order has no more candidates; not all variables were candidates.
        self.next_beyond_order().map_or(Next::Model, Next::Decide)
    }

    /// What a model still needs that activities do not decide.
    #[inline]
    fn next_beyond_order(&mut self) -> Option<Lit> {
        match (D::PARTIAL, self.justifies()) {
            (true, true) => self.next_reason(),
            (false, true) => self.next_witness(),
            (true, false) => self.next_member(),
            (false, false) => None,
        }
    }

    /// The next member of a partial domain that is unassigned.
    fn next_member(&mut self) -> Option<Lit> {
        while let Some(var) = self.trail.domain.at(self.decisions.cursor) {
            if self.trail.is_open(var) {
                return Some(self.decisions.in_phase(var));
            }
            self.decisions.cursor += 1;
        }
        None
    }
}
