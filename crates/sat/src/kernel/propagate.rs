//! Unit propagation with two watched literals.
//!
//! A watch carries a blocker: if that literal is true, the clause is not looked at. In a binary clause the blocker is
//! the other literal, and the clause itself is never read.
//!
//! With a partial domain, a watch whose blocker lies outside is skipped above level 0: by the definitional form, a clause
//! with a variable outside can always be satisfied there. Clauses inside are never skipped, because all their
//! literals are inside. At level 0 propagation is complete, so watches are in order for every domain. Gates of a
//! circuit are propagated before clauses (see `circuit`).

use super::arena::ClauseRef;
use super::policy::{Domain, ProofSink};
use super::theory::Theory;
use super::{Kernel, Watch};

impl<D: Domain, P: ProofSink, T: Theory> Kernel<D, P, T> {
    /// Propagate what is on the trail; the clause that became false, if one did.
    pub(super) fn propagate(&mut self) -> Option<ClauseRef> {
        if D::PARTIAL && self.level() > 0 {
            self.propagate_in::<true>()
        } else {
            self.propagate_in::<false>()
        }
    }

    /// Propagate what is on the trail, if `PARTIAL` inside the domain only; the clause that became false, if one did.
    fn propagate_in<const PARTIAL: bool>(&mut self) -> Option<ClauseRef> {
        let mut conflict = None;
        while self.head < self.trail.len() && conflict.is_none() {
            let falsified = !self.trail[self.head];
            self.head += 1;
            self.counts.propagations += 1;
            if D::PARTIAL {
                conflict = self.propagate_gates::<PARTIAL>(!falsified);
                if conflict.is_some() {
                    break;
                }
            }
            if D::PARTIAL && !self.watched[falsified.index()] {
                continue;
            }
            let mut list = std::mem::take(&mut self.watches[falsified.index()]);
            self.counts.ticks += 1 + list.len() as u64 / 8;
            let (mut read, mut write) = (0, 0);
            while read < list.len() {
                let watch = list[read];
                read += 1;
                let value = self.seen_value::<PARTIAL>(watch.blocker);
                if value > 0 {
                    list[write] = watch;
                    write += 1;
                    continue;
                }
                let clause = watch.clause();
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
                self.counts.ticks += 1;
                let values = &self.values;
                let lits = self.arena.lits_mut(clause);
                if lits[0] == falsified {
                    lits.swap(0, 1);
                }
                let other = lits[0];
                if other != watch.blocker {
                    let value = values[other.index()];
                    if if PARTIAL || !D::PARTIAL { value > 0 } else { value == 1 } {
                        list[write] = Watch::new(other, clause, false);
                        write += 1;
                        continue;
                    }
                }
                if let Some(i) = (2..lits.len()).find(|&i| values[lits[i].index()] >= 0) {
                    lits.swap(1, i);
                    let new = lits[1];
                    self.watches[new.index()].push(Watch::new(other, clause, false));
                    self.watched[new.index()] = true;
                    continue;
                }
                list[write] = Watch::new(other, clause, false);
                write += 1;
                if self.values[other.index()] < 0 {
                    conflict = Some(clause);
                    break;
                }
                self.imply(other, clause);
            }
            let n_left = list.len() - read;
            list.copy_within(read.., write);
            list.truncate(write + n_left);
            self.watches[falsified.index()] = list;
        }
        if conflict.is_some() {
            self.head = self.trail.len();
        }
        conflict
    }

    /// Assign by a clause; at level 0 of a kernel that records, the unit clause is derived and named.
    fn imply(&mut self, lit: indubit_logic::Lit, clause: ClauseRef) {
        if P::RECORDS && self.level() == 0 {
            self.name_unit(lit, clause);
        }
        self.assign(lit, clause);
    }
}
