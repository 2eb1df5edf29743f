//! The search: decisions, conflicts, restarts, assumptions.

use super::Kernel;
use super::arena::ClauseRef;
use super::policy::{Domain, ProofSink};
use indubit_logic::Lit;
use indubit_run::{Ask, Cancel, Stop};

/// After this many restarts in a query the exact heap takes over.
const EXACT_AFTER: u64 = 10;

impl<D: Domain, P: ProofSink> Kernel<D, P> {
    /// Is there a model of the clauses (within the domain) with all `assumptions` true? After yes, the model is on the
    /// trail until something else is asked; after no, `core` holds the assumptions that were used.
    pub(crate) fn solve(
        &mut self,
        assumptions: &[Lit],
        cancel: &Cancel,
        max_ticks: Option<u64>,
    ) -> Ask<bool> {
        self.backtrack(0);
        self.core.clear();
        self.counts.queries += 1;
        if self.inconsistent || self.refuted_temporary {
            return Ok(false);
        }
        self.conclusion = None;
        self.scratch.allow_levels(self.n_vars() + assumptions.len());
        self.order.restart_query();
        self.offer_domain();
        let end = max_ticks.map(|t| self.counts.ticks + t);
        let mut next_poll = self.counts.ticks + self.tuning.poll;
        let mut n_restarts = 0;
        let mut restart_at = self.counts.conflicts + self.tuning.restart;
        loop {
            if let Some(conflict) = self.propagate() {
                self.counts.conflicts += 1;
                if self.level() == 0 {
                    self.refute_for_good(conflict);
                    return Ok(false);
                }
                if !self.learn(conflict) {
                    return Ok(false);
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
            if self.counts.conflicts >= restart_at {
                n_restarts += 1;
                self.counts.restarts += 1;
                restart_at = self.counts.conflicts + self.tuning.restart * luby(n_restarts);
                self.backtrack((assumptions.len() as u32).min(self.level()));
                if n_restarts == EXACT_AFTER && !self.order.is_exact() {
                    self.order.become_exact();
                    self.offer_domain();
                }
                self.reduce_if_full();
            }
            match self.next_decision(assumptions) {
                Next::Decide(lit) => {
                    self.counts.decisions += 1;
                    self.levels.push(self.trail.len() as u32);
                    self.assign(lit, ClauseRef::NONE);
                }
                Next::Refuted => return Ok(false),
                Next::Model => return Ok(true),
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

impl<D: Domain, P: ProofSink> Kernel<D, P> {
    fn offer_domain(&mut self) {
        let Kernel { domain, order, values, .. } = self;
        domain.each(values.len() / 2, |var| {
            if (!D::PARTIAL || order.is_active(var)) && values[Lit::positive(var).index()] == 0 {
                order.offer(var);
            }
        });
        self.cursor = 0;
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
            if self.value(Lit::positive(var)) == 0 && self.domain.contains(var) {
                return Next::Decide(Lit::with_value(var, self.phase[var.index()]));
            }
        }
        if D::PARTIAL {
            while let Some(var) = self.domain.at(self.cursor) {
                if self.value(Lit::positive(var)) == 0 {
                    return Next::Decide(Lit::with_value(var, self.phase[var.index()]));
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
            let clause = self.arena.alloc(&learnt, Some((self.clause_increment, lesson.glue)), name);
            if guarded {
                self.temporary.push(clause)
            } else {
                self.learnt.push(clause)
            }
            self.attach(clause);
            self.assign(learnt[0], clause);
        }
        self.order.decay();
        self.clause_increment *= 1.0 / 0.999;
        self.scratch.learnt = learnt;
        true
    }
}

/// Luby's sequence 1, 1, 2, 1, 1, 2, 4, …, from index 1.
fn luby(mut i: u64) -> u64 {
    loop {
        let bits = u64::BITS - i.leading_zeros();
        if i + 1 == 1 << bits {
            return 1 << (bits - 1);
        }
        i -= (1 << (bits - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn luby() {
        let sequence: Vec<u64> = (1..=15).map(super::luby).collect();
        assert_eq!(sequence, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
