//! Watch lists (Moskewicz, Madigan, Zhao, Zhang, Malik, *Chaff*, DAC 2001), with blockers and with binary clauses inside
//! the watch (Sörensson, Eén, *MiniSat 2.1 and MiniSat++ 1.0*, 2008).

use super::arena::ClauseRef;
use super::table::Table;
use indubit_logic::Lit;

/// A clause in a watch list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    /// A literal of the clause; in a binary clause the other one.
    pub(super) blocker: Lit,
    /// The clause, shifted by one; the lowest bit says that it is binary.
    tagged: u32,
}

impl Watch {
    pub(super) fn new(blocker: Lit, clause: ClauseRef, binary: bool) -> Watch {
        Watch { blocker, tagged: clause.word() << 1 | u32::from(binary) }
    }
    pub(super) fn is_binary(self) -> bool {
        self.tagged & 1 == 1
    }
    pub(super) fn clause(self) -> ClauseRef {
        ClauseRef::from_word(self.tagged >> 1)
    }
}

/// By literal: the clauses to look at when it becomes false.
///
/// Invariant: a clause that was attached is in the lists of its first two literals and in no other, but while propagation
/// has taken a list out. A literal that is not `watched` has an empty list.
#[derive(Clone, Debug, Default)]
pub(super) struct Watches {
    lists: Table<Vec<Watch>>,
    /// By literal: can there be any? Most have none, and this is the smaller array to look at.
    watched: Table<bool>,
}

impl Watches {
    pub(super) fn grow(&mut self, n_vars: usize) {
        self.lists.resize_with(2 * n_vars, Vec::new);
        self.watched.resize(2 * n_vars, false);
    }
    /// Can there be watches for the literal?
    pub(super) fn is_watched(&self, lit: Lit) -> bool {
        self.watched[lit.index()]
    }
    pub(super) fn push(&mut self, lit: Lit, watch: Watch) {
        self.lists[lit.index()].push(watch);
        self.watched[lit.index()] = true;
    }
    /// Take the list of a literal out, to walk through it while others change.
    pub(super) fn take(&mut self, lit: Lit) -> Vec<Watch> {
        std::mem::take(&mut self.lists[lit.index()])
    }
    /// Put it back.
    pub(super) fn put(&mut self, lit: Lit, list: Vec<Watch>) {
        self.lists[lit.index()] = list;
    }
    /// Watch the first two literals of the clause.
    pub(super) fn attach(&mut self, clause: ClauseRef, lits: &[Lit]) {
        let (a, b, binary) = (lits[0], lits[1], lits.len() == 2);
        for (lit, other) in [(a, b), (b, a)] {
            self.push(lit, Watch::new(other, clause, binary));
        }
    }
    /// Do so no longer.
    pub(super) fn detach(&mut self, clause: ClauseRef, lits: &[Lit]) {
        for lit in [lits[0], lits[1]] {
            let list = &mut self.lists[lit.index()];
            let at = list.iter().position(|w| w.clause() == clause).expect("a clause is in its watch lists");
            list.swap_remove(at);
        }
    }
    /// Take all clauses out but those to keep.
    pub(super) fn retain(&mut self, keep: impl Fn(ClauseRef) -> bool) {
        for (list, watched) in self.lists.iter_mut().zip(self.watched.iter_mut()) {
            list.retain(|w| keep(w.clause()));
            *watched = !list.is_empty();
        }
    }
    /// Clauses change their places.
    pub(super) fn relocate(&mut self, mut place: impl FnMut(ClauseRef) -> ClauseRef) {
        for watch in self.lists.iter_mut().flatten() {
            *watch = Watch::new(watch.blocker, place(watch.clause()), watch.is_binary());
        }
    }
}
