//! The search: propagate, learn from conflicts, decide.

use super::Kernel;
use super::arena::ClauseRef;
use super::decide::Next;
use super::policy::{Domain, ProofSink};
use super::theory::{self, Theory};
use indubit_logic::Lit;
use indubit_run::{Ask, Cancel, Stop};

/// After this many restarts in a query the exact heap takes over.
const EXACT_AFTER: u64 = 10;

/// Where models need only be justified, activities decide after this many conflicts in a query. Most queries have fewer,
/// and offering all of the domain costs more than these conflicts do.
const BY_ACTIVITY_AFTER: u64 = 4;
/// With a theory, activities decide after this many conflicts in a query: each variable that is decided may have a price.
const MODULO_BY_ACTIVITY_AFTER: u64 = 16;

/// What a query may cost: polled in ticks, so that looking costs nothing.
struct Effort<'a> {
    cancel: &'a Cancel,
    interval: u64,
    next_poll: u64,
    end: Option<u64>,
}

impl Effort<'_> {
    /// May the search go on after so many ticks?
    fn poll(&mut self, ticks: u64) -> Ask<()> {
        if ticks < self.next_poll {
            return Ok(());
        }
        self.cancel.checkpoint()?;
        self.next_poll = ticks + self.interval;
        if self.end.is_some_and(|end| ticks >= end) {
            return Err(Stop::Incomplete("the query's limit of effort"));
        }
        Ok(())
    }
}

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
        // Facts are gathered at level 0 only.
        if !D::PARTIAL || self.justification.n_facts() < self.trail.n_fixed() {
            self.backtrack(0);
        }
        self.refutation.core.clear();
        self.counts.queries += 1;
        self.mention(assumptions, false);
        self.eliminate(assumptions, false, cancel);
        if self.refutation.inconsistent || self.temporary.refuted {
            return Ok(false);
        }
        self.refutation.conclusion = None;
        self.allow_levels(assumptions);
        self.begin_decisions();
        let interval = self.tuning.poll;
        let ticks = self.counts.ticks;
        let effort =
            Effort { cancel, interval, next_poll: ticks + interval, end: max_ticks.map(|t| ticks + t) };
        self.search(assumptions, effort)
    }

    /// There is room for a level for each assumption and each variable.
    fn allow_levels(&mut self, assumptions: &[Lit]) {
        self.scratch.allow_levels(self.n_vars() + assumptions.len());
    }

    /// A query begins: who decides?
    fn begin_decisions(&mut self) {
        let by_activity = !self.justifies();
        self.decisions.begin(by_activity);
        if by_activity {
            self.offer_domain();
        } else {
            if D::PARTIAL {
                self.gather_facts();
            }
            self.justification.rewind();
        }
    }

    fn search(&mut self, assumptions: &[Lit], mut effort: Effort) -> Ask<bool> {
        let begin = self.counts.conflicts;
        let mut eliminate_at = begin + self.tuning.eliminate_after;
        self.restarts.begin(begin);
        loop {
            // Conflicts come before everything else: they are what a search learns from.
            if let Some(conflict) = self.propagate_all()? {
                if !self.meet(conflict) {
                    return Ok(false);
                }
                self.decide_by_activity_after(begin);
                continue;
            }
            effort.poll(self.counts.ticks)?;
            if self.restarts.is_due(self.counts.conflicts) {
                self.restart(assumptions.len() as u32);
                // The query is hard: from here on elimination is worth its time, even of what the latest clauses mention.
                if self.tuning.eliminate && self.counts.conflicts >= eliminate_at {
                    eliminate_at = begin + 4 * (self.counts.conflicts - begin);
                    self.backtrack(0);
                    self.eliminate(assumptions, true, effort.cancel);
                    if self.refutation.inconsistent {
                        return Ok(false);
                    }
                }
            }
            self.reduce_if_due();
            match self.next_decision(assumptions) {
                Next::Decide(lit) => self.decide(lit),
                Next::Refuted => return Ok(false),
                // A model of the clauses: without a theory that is the answer.
                Next::Model => match self.complete()? {
                    theory::Next::Model => {
                        self.extend_model();
                        return Ok(true);
                    }
                    theory::Next::Conflict(conflict) => {
                        if !self.meet(conflict) {
                            return Ok(false);
                        }
                    }
                    // The theory may have made variables.
                    theory::Next::Decide(lit) => {
                        self.allow_levels(assumptions);
                        self.decide(lit)
                    }
                    theory::Next::Propagate => self.allow_levels(assumptions),
                },
            }
        }
    }

    /// Once a query that began so has met some conflicts, activities decide, and not only what is not justified.
    fn decide_by_activity_after(&mut self, begin: u64) {
        let enough = if T::ACTIVE { MODULO_BY_ACTIVITY_AFTER } else { BY_ACTIVITY_AFTER };
        if !self.decisions.by_activity && self.counts.conflicts - begin >= enough {
            self.decisions.by_activity = true;
            self.offer_domain();
        }
    }

    /// A clause is false. False if that refutes the query.
    fn meet(&mut self, conflict: ClauseRef) -> bool {
        self.counts.conflicts += 1;
        if self.trail.level() == 0 {
            self.refute_for_good(conflict);
            return false;
        }
        self.learn(conflict)
    }

    /// Begin the search anew, above the assumptions.
    fn restart(&mut self, n_assumptions: u32) {
        self.counts.restarts += 1;
        self.backtrack(n_assumptions.min(self.trail.level()));
        if self.restarts.n_in_query() == EXACT_AFTER && !self.decisions.order.is_exact() {
            self.decisions.order.become_exact();
            self.offer_domain();
        }
    }

    /// Learn from a conflict and go on below it. False if the clause says that the guard is false: then the
    /// temporary clause and the others refute each other, whatever is assumed.
    fn learn(&mut self, conflict: ClauseRef) -> bool {
        let lesson = self.analyze(conflict);
        self.restarts.learnt(lesson.glue);
        let learnt = std::mem::take(&mut self.scratch.learnt);
        let mut name = 0;
        if P::RECORDS {
            name = self.proof.sink.derived(&learnt, &self.scratch.chain);
        }
        let guarded = self.temporary.guards(&learnt);
        if guarded && learnt.len() == 1 {
            self.scratch.learnt = learnt;
            self.refutation.conclusion = Some(name);
            return false;
        }
        self.backtrack(lesson.backtrack);
        let mut reason = ClauseRef::NONE;
        if let [unit] = learnt[..] {
            self.proof.set_unit(unit.var(), name);
        } else if guarded {
            // Made with the temporary clause, and gone with it.
            reason = self.clauses.add_unlisted(&learnt, Some(lesson.glue), name);
            self.temporary.clauses.push(reason);
        } else {
            reason = self.clauses.add(&learnt, Some(lesson.glue), name);
        }
        self.assign(learnt[0], reason);
        self.decisions.order.decay();
        self.scratch.learnt = learnt;
        true
    }
}
