//! The clauses that are there for good or until they are forgotten, and who looks at them when.

use super::arena::{Arena, ClauseRef};
use super::policy::ClauseId;
use super::watch::Watches;
use indubit_logic::Lit;

/// The clause database.
///
/// Invariants: `given` and `learnt` have each of their clauses once, and all of these are watched. The arena also has
/// clauses that are in neither list: those of gates and lemmas of the theory, which nobody watches, and those of the
/// query, which are watched (see `circuit`, `theory`, `temporary`). A removed clause is in lists only until the next
/// `sweep`.
#[derive(Clone, Debug)]
pub(super) struct Clauses {
    pub(super) arena: Arena,
    /// Clauses that were given, and those that elimination put in the place of such, but for those that define gates.
    pub(super) given: Vec<ClauseRef>,
    /// Clauses that follow.
    pub(super) learnt: Vec<ClauseRef>,
    pub(super) watches: Watches,
    /// Memory for a clause that is about to be added.
    pub(super) buffer: Vec<Lit>,
}

impl Clauses {
    pub(super) fn new(arena: Arena) -> Clauses {
        Clauses {
            arena,
            given: Vec::new(),
            learnt: Vec::new(),
            watches: Watches::default(),
            buffer: Vec::new(),
        }
    }
    /// A new clause of two literals or more, watched by the first two: learnt, if it has glue.
    pub(super) fn add(&mut self, lits: &[Lit], glue: Option<u32>, name: ClauseId) -> ClauseRef {
        let clause = self.add_unlisted(lits, glue, name);
        let list = if glue.is_some() { &mut self.learnt } else { &mut self.given };
        list.push(clause);
        clause
    }
    /// Add a clause that is in no list: the caller keeps it, and forgets it.
    pub(super) fn add_unlisted(&mut self, lits: &[Lit], glue: Option<u32>, name: ClauseId) -> ClauseRef {
        let clause = self.arena.alloc(lits, glue, name);
        self.watches.attach(clause, lits);
        clause
    }
    /// Forget a clause that nothing but watches refers to, at once.
    pub(super) fn release(&mut self, clause: ClauseRef) {
        self.watches.detach(clause, self.arena.lits(clause));
        self.arena.release(clause);
    }
    /// Take removed clauses out of the lists.
    pub(super) fn sweep(&mut self) {
        let Clauses { arena, given, learnt, watches, .. } = self;
        given.retain(|&c| !arena.is_removed(c));
        learnt.retain(|&c| !arena.is_removed(c));
        watches.retain(|c| !arena.is_removed(c));
    }
}
