//! The search: decisions, conflicts, restarts, assumptions.

use super::Kernel;
use super::arena::ClauseRef;
use super::policy::{Domain, ProofSink};
use super::theory::{self, Theory};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Cancel, Stop};

/// After this many restarts in a query the exact heap takes over.
const EXACT_AFTER: u64 = 10;

/// Where models need only be justified, activities decide after this many conflicts in a query. Most queries have fewer,
/// and offering all of the domain costs more than these conflicts do.
const BY_ACTIVITY_AFTER: u64 = 4;
/// With a theory, activities decide after this many conflicts in a query: each variable that is decided may have a price.
const MODULO_BY_ACTIVITY_AFTER: u64 = 16;

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    /// Is there a model of the clauses (within the domain) with all `assumptions` true? After yes, the model is on the
    /// trail until something else is asked; after no, `core` holds the assumptions that were used.
    ///
    /// In a partial domain, levels that there are must be those of the first assumptions.
    pub(crate) fn solve(
        &mut self,
        assumptions: &[Lit],
        cancel: &Cancel,
        max_ticks: Option<u64>,
    ) -> Ask<bool> {
        self.require(assumptions);
        if !D::PARTIAL || self.n_facts < self.n_fixed() {
            self.backtrack(0);
        }
        self.core.clear();
        self.counts.queries += 1;
        self.mention(assumptions, false);
        self.eliminate(assumptions, false, cancel);
        if self.inconsistent || self.refuted_temporary {
            return Ok(false);
        }
        self.conclusion = None;
        self.scratch.allow_levels(self.n_vars() + assumptions.len());
        self.order.restart_query();
        self.by_activity = !self.justifies();
        self.cursor = 0;
        if self.by_activity {
            self.offer_domain();
        } else {
            if D::PARTIAL {
                self.gather_facts();
            }
            self.unjustify();
        }
        let end = max_ticks.map(|t| self.counts.ticks + t);
        let mut next_poll = self.counts.ticks + self.tuning.poll;
        let begin = self.counts.conflicts;
        let by_activity_after = if T::ACTIVE { MODULO_BY_ACTIVITY_AFTER } else { BY_ACTIVITY_AFTER };
        let mut eliminate_at = begin + self.tuning.eliminate_after;
        self.restarts.begin(begin);
        loop {
            if let Some(conflict) = self.propagate_all()? {
                if !self.meet(conflict) {
                    return Ok(false);
                }
                if !self.by_activity && self.counts.conflicts - begin >= by_activity_after {
                    self.by_activity = true;
                    self.offer_domain();
                }
                continue;
            }
            if self.counts.ticks >= next_poll {
                cancel.checkpoint()?;
                next_poll = self.counts.ticks + self.tuning.poll;
                if end.is_some_and(|end| self.counts.ticks >= end) {
                    return Err(Stop::Incomplete("the query's limit of effort"));
                }
            }
            if self.restarts.is_due(self.counts.conflicts) {
                self.restart(assumptions.len() as u32);
                if self.tuning.eliminate && self.counts.conflicts >= eliminate_at {
                    eliminate_at = begin + 4 * (self.counts.conflicts - begin);
                    self.backtrack(0);
                    self.eliminate(assumptions, true, cancel);
                    if self.inconsistent {
                        return Ok(false);
                    }
                }
            }
            self.reduce_if_due();
            match self.next_decision(assumptions) {
                Next::Decide(lit) => self.decide(lit),
                Next::Refuted => return Ok(false),
                Next::Model => match if T::ACTIVE { self.complete()? } else { theory::Next::Model } {
                    theory::Next::Model => {
                        self.extend_model();
                        return Ok(true);
                    }
                    theory::Next::Conflict(conflict) => {
                        if !self.meet(conflict) {
                            return Ok(false);
                        }
                    }
                    theory::Next::Decide(lit) => {
                        self.scratch.allow_levels(self.n_vars() + assumptions.len());
                        self.decide(lit)
                    }
                    theory::Next::Propagate => {
                        self.scratch.allow_levels(self.n_vars() + assumptions.len());
                    }
                },
            }
        }
    }
}

/// What to do when nothing is left to propagate.
enum Next {
    Decide(Lit),
    Refuted,
    Model,
}

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    fn decide(&mut self, lit: Lit) {
        self.counts.decisions += 1;
        self.levels.push(self.trail.len() as u32);
        self.assign(lit, ClauseRef::NONE);
    }

    /// A clause is false. False if that refutes the query.
    fn meet(&mut self, conflict: ClauseRef) -> bool {
        self.counts.conflicts += 1;
        if self.level() == 0 {
            self.refute_for_good(conflict);
            return false;
        }
        self.learn(conflict)
    }

    fn offer_domain(&mut self) {
        let all = !D::PARTIAL && !self.justifies();
        let Kernel { domain, order, values, eliminated, theory, .. } = self;
        domain.each(values.len() / 2, |var| {
            if (all || order.is_active(var))
                && values[Lit::positive(var).index()] == 0
                && !eliminated.contains(var)
                && (!T::ACTIVE || theory.decides(var))
            {
                order.offer(var);
            }
        });
        self.cursor = 0;
    }

    /// Begin the search anew, above the assumptions.
    fn restart(&mut self, n_assumptions: u32) {
        self.counts.restarts += 1;
        self.backtrack(n_assumptions.min(self.level()));
        if self.restarts.n_in_query() == EXACT_AFTER && !self.order.is_exact() {
            self.order.become_exact();
            self.offer_domain();
        }
    }

    fn decision(&self, var: Var) -> Next {
        Next::Decide(Lit::with_value(var, self.phase[var.index()]))
    }

    /// Assumptions first, each on a level of its own, then the order's choice in its saved phase.
    fn next_decision(&mut self, assumptions: &[Lit]) -> Next {
        while let Some(&assumption) = assumptions.get(self.levels.len()) {
            match self.value(assumption) {
                0 => return Next::Decide(assumption),
                1 => self.levels.push(self.trail.len() as u32),
                _ => {
                    self.analyze_final(assumption);
                    return Next::Refuted;
                }
            }
        }
        while let Some(var) = self.order.take() {
            if self.values[Lit::positive(var).index()] == 0 && !self.eliminated.contains(var) {
                return self.decision(var);
            }
        }
        if !D::PARTIAL && self.justifies() {
            if let Some(witness) = self.next_witness() {
                return Next::Decide(witness);
            }
        } else if D::PARTIAL && self.tuning.justify {
            if let Some(reason) = self.next_reason() {
                return Next::Decide(reason);
            }
        } else if D::PARTIAL {
            while let Some(var) = self.domain.at(self.cursor) {
                if self.value(Lit::positive(var)) == 0 {
                    return self.decision(var);
                }
                self.cursor += 1;
            }
        }
        Next::Model
    }

    /// Learn from a conflict and go on below it. False if the clause says that the guard is false: then the
    /// temporary clause and the others refute each other, whatever is assumed.
    fn learn(&mut self, conflict: ClauseRef) -> bool {
        let lesson = self.analyze(conflict);
        self.restarts.learnt(lesson.glue);
        let learnt = std::mem::take(&mut self.scratch.learnt);
        let mut name = 0;
        if P::RECORDS {
            name = self.proof.derived(&learnt, &self.scratch.chain);
        }
        let guarded = self.guard.is_some_and(|g| learnt.contains(&!g));
        if guarded && learnt.len() == 1 {
            self.scratch.learnt = learnt;
            self.conclusion = Some(name);
            return false;
        }
        self.backtrack(lesson.backtrack);
        if let [unit] = learnt[..] {
            if P::RECORDS {
                self.units[unit.var().index()] = name;
            }
            self.assign(unit, ClauseRef::NONE);
        } else {
            let clause = self.arena.alloc(&learnt, Some(lesson.glue), name);
            if guarded {
                self.temporary.push(clause)
            } else {
                self.learnt.push(clause)
            }
            self.attach(clause);
            self.assign(learnt[0], clause);
        }
        self.order.decay();
        self.scratch.learnt = learnt;
        true
    }
}
