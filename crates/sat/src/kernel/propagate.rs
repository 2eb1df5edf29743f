//! Unit propagation with two watched literals.
//!
//! A watch carries a blocker: if that literal is true, the clause is not looked at. In a binary clause the blocker is
//! the other literal, and the clause itself is never read.
//!
//! With a partial domain, a watch whose blocker lies outside is skipped above level 0: by the definitional form, a clause
//! with a variable outside can always be satisfied there. Clauses inside are never skipped, because all their
//! literals are inside. At level 0 propagation is complete, so watches are in order for every domain. Gates of a
//! circuit are propagated before clauses (see `circuit`).

use super::Kernel;
use super::arena::ClauseRef;
use super::policy::{Domain, ProofSink};
use super::theory::Theory;
use super::watch::Watch;
use indubit_logic::Lit;

/// What a clause of three or more literals, one of which has become false, has come to.
enum Visit {
    /// Another literal that is not false is watched instead.
    Moved,
    /// This literal, which is watched, too, is true.
    True(Lit),
    /// All are false but perhaps this one, which is watched, too.
    Unit(Lit),
}

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    /// Propagate what is on the trail; the clause that became false, if one did.
    pub(super) fn propagate(&mut self) -> Option<ClauseRef> {
        if D::PARTIAL && self.trail.level() > 0 {
            self.propagate_in::<true>()
        } else {
            self.propagate_in::<false>()
        }
    }

    /// Propagate what is on the trail, if `PARTIAL` inside the domain only; the clause that became false, if one did.
    fn propagate_in<const PARTIAL: bool>(&mut self) -> Option<ClauseRef> {
        while let Some(lit) = self.trail.next() {
            self.counts.propagations += 1;
            let conflict = self.propagate_one::<PARTIAL>(lit);
            if conflict.is_some() {
                self.trail.skip();
                return conflict;
            }
        }
        None
    }

    /// What follows from `lit`, which has become true.
    #[inline(always)]
    fn propagate_one<const PARTIAL: bool>(&mut self, lit: Lit) -> Option<ClauseRef> {
        // Gates first: nothing has to be written to see what follows from them.
        if D::PARTIAL {
            let conflict = self.propagate_gates::<PARTIAL>(lit);
            // A third to nearly all of the literals that IC3 propagates are watched by no clause.
            if conflict.is_some() || !self.clauses.watches.is_watched(!lit) {
                return conflict;
            }
        }
        self.visit_watches::<PARTIAL>(!lit)
    }

    /// Look at the clauses that are watched by a literal that has become false. Those that go on being so are moved
    /// together, to the front of the list.
    #[inline(always)]
    fn visit_watches<const PARTIAL: bool>(&mut self, falsified: Lit) -> Option<ClauseRef> {
        let mut list = self.clauses.watches.take(falsified);
        // A watch is eight bytes, so that eight of them are one line of the cache.
        self.counts.ticks += 1 + list.len() as u64 / 8;
        let mut conflict = None;
        let (mut read, mut write) = (0, 0);
        while read < list.len() {
            let watch = list[read];
            read += 1;
            let value = self.trail.seen_value::<PARTIAL>(watch.blocker);
            // Satisfied, as far as this query cares. About half of the watches end here, and their clauses are not read.
            if value > 0 {
                list[write] = watch;
                write += 1;
                continue;
            }
            let clause = watch.clause();
            // Binary: there is nothing else to watch, and the watch says it all.
            if watch.is_binary() {
                list[write] = watch;
                write += 1;
                if value < 0 {
                    conflict = Some(clause);
                    break;
                }
                self.imply(watch.blocker, clause);
                continue;
            }
            // Three literals or more: the clause is read, and is often not in the cache.
            self.counts.ticks += 1;
            match self.visit::<PARTIAL>(clause, falsified, watch.blocker) {
                // Mostly: this list has a watch less, and another one has it.
                Visit::Moved => (),
                // The true literal is the better blocker.
                Visit::True(other) => {
                    list[write] = Watch::new(other, clause, false);
                    write += 1;
                }
                Visit::Unit(other) => {
                    list[write] = Watch::new(other, clause, false);
                    write += 1;
                    if self.trail.values[other.index()] < 0 {
                        conflict = Some(clause);
                        break;
                    }
                    self.imply(other, clause);
                }
            }
        }
        // After a conflict, those that were not looked at stay as well.
        let n_left = list.len() - read;
        list.copy_within(read.., write);
        list.truncate(write + n_left);
        self.clauses.watches.put(falsified, list);
        conflict
    }

    /// Find another literal of the clause to watch in place of `falsified`.
    #[inline(always)]
    fn visit<const PARTIAL: bool>(&mut self, clause: ClauseRef, falsified: Lit, blocker: Lit) -> Visit {
        let Kernel { trail, clauses, .. } = self;
        let lits = clauses.arena.lits_mut(clause);
        // The first two are watched. The other one comes first, as it is implied if there is nothing else to watch.
        if lits[0] == falsified {
            lits.swap(0, 1);
        }
        let other = lits[0];
        // Already known not to be true if it is the blocker.
        if other != blocker && trail.seen_value::<PARTIAL>(other) > 0 {
            return Visit::True(other);
        }
        // Any literal that is not false can be watched, inside the domain or not.
        match (2..lits.len()).find(|&i| trail.values[lits[i].index()] >= 0) {
            Some(i) => {
                lits.swap(1, i);
                clauses.watches.push(lits[1], Watch::new(other, clause, false));
                Visit::Moved
            }
            None => Visit::Unit(other),
        }
    }

    /// Assign by a clause; at level 0 of a kernel that records, the unit clause is derived and named.
    fn imply(&mut self, lit: Lit, clause: ClauseRef) {
        if P::RECORDS && self.trail.level() == 0 {
            let unit = self.proof.derive_at_level_0(&[lit], clause, &self.clauses.arena);
            self.proof.set_unit(lit.var(), unit);
        }
        self.assign(lit, clause);
    }
}
