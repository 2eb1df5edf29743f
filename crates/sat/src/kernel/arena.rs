//! Clauses in one array of words.
//!
//! A clause is a header, its literals, and, if it was learnt, its glue and how recently it was of use; in a kernel that
//! records proofs the name of the clause in two more words. Words are stored as literals so that the literals of a clause are a
//! plain slice. Removed clauses stay in place until the arena is compacted.

use super::policy::ClauseId;
use super::table::Table;
use indubit_logic::Lit;

/// Where a clause begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(crate) struct ClauseRef(u32);

impl ClauseRef {
    /// No clause.
    pub(crate) const NONE: ClauseRef = ClauseRef(u32::MAX);
    /// A clause that the theory knows and has not been asked for yet.
    pub(crate) const THEORY: ClauseRef = ClauseRef(u32::MAX - 1);
    pub(crate) fn word(self) -> u32 {
        self.0
    }
    pub(crate) fn from_word(word: u32) -> ClauseRef {
        ClauseRef(word)
    }
    /// So many words after this one.
    pub(crate) fn after(self, words: u32) -> ClauseRef {
        ClauseRef(self.0 + words)
    }
}

const LEARNT: u32 = 1;
const REMOVED: u32 = 2;
const MOVED: u32 = 4;
const SHIFT: u32 = 3;
/// Bits for how recently a learnt clause was of use.
const USED_BITS: u32 = 2;

#[derive(Clone, Debug)]
pub(crate) struct Arena {
    words: Table<Lit>,
    wasted: usize,
    names: bool,
    /// Less waste than this is not worth a compaction.
    tolerated: usize,
    /// Nor less than one word in so many.
    part: usize,
}

impl Arena {
    /// No clauses; with `names`, clauses have room for their name in a proof.
    pub(crate) fn new(names: bool, tolerated: usize, part: usize) -> Arena {
        Arena { words: Table::default(), wasted: 0, names, tolerated, part }
    }
    /// A new clause.
    pub(crate) fn alloc(&mut self, lits: &[Lit], glue: Option<u32>, name: ClauseId) -> ClauseRef {
        // A watch has 31 bits for it.
        assert!(self.words.len() < 1 << 31, "a solver cannot hold more than 8 GiB of clauses");
        let at = ClauseRef(self.words.len() as u32);
        let flags = if glue.is_some() { LEARNT } else { 0 };
        self.words.push(Lit::from_code((lits.len() as u32) << SHIFT | flags));
        self.words.extend_from_slice(lits);
        self.words.extend(glue.map(|glue| Lit::from_code(glue << USED_BITS | 1)));
        if self.names {
            self.words.extend([name as u32, (name >> 32) as u32].map(Lit::from_code));
        }
        at
    }
    fn header(&self, c: ClauseRef) -> u32 {
        self.words[c.0 as usize].code()
    }
    fn set_header(&mut self, c: ClauseRef, header: u32) {
        self.words[c.0 as usize] = Lit::from_code(header);
    }
    pub(crate) fn len(&self, c: ClauseRef) -> usize {
        (self.header(c) >> SHIFT) as usize
    }
    pub(crate) fn is_learnt(&self, c: ClauseRef) -> bool {
        self.header(c) & LEARNT != 0
    }
    pub(crate) fn is_removed(&self, c: ClauseRef) -> bool {
        self.header(c) & REMOVED != 0
    }
    pub(crate) fn lits(&self, c: ClauseRef) -> &[Lit] {
        self.words.part(c.0 as usize + 1, self.len(c))
    }
    pub(crate) fn lits_mut(&mut self, c: ClauseRef) -> &mut [Lit] {
        let len = self.len(c);
        self.words.part_mut(c.0 as usize + 1, len)
    }
    fn extra(&self, c: ClauseRef) -> usize {
        c.0 as usize + 1 + self.len(c)
    }
    /// On how many decision levels the literals of a learnt clause lay, at best.
    pub(crate) fn glue(&self, c: ClauseRef) -> u32 {
        self.words[self.extra(c)].code() >> USED_BITS
    }
    /// For how many more reductions a learnt clause is safe, because it was of use.
    pub(crate) fn used(&self, c: ClauseRef) -> u32 {
        self.words[self.extra(c)].code() & ((1 << USED_BITS) - 1)
    }
    pub(crate) fn set_use(&mut self, c: ClauseRef, glue: u32, used: u32) {
        let at = self.extra(c);
        self.words[at] = Lit::from_code(glue << USED_BITS | used);
    }
    pub(crate) fn name(&self, c: ClauseRef) -> ClauseId {
        debug_assert!(self.names);
        let at = self.extra(c) + usize::from(self.is_learnt(c));
        u64::from(self.words[at].code()) | u64::from(self.words[at + 1].code()) << 32
    }
    fn size(&self, c: ClauseRef) -> usize {
        1 + self.len(c) + usize::from(self.is_learnt(c)) + if self.names { 2 } else { 0 }
    }
    /// Mark a clause as removed; whoever refers to it must forget it before the next compaction.
    pub(crate) fn remove(&mut self, c: ClauseRef) {
        debug_assert!(!self.is_removed(c));
        self.wasted += self.size(c);
        self.set_header(c, self.header(c) | REMOVED);
    }
    /// Remove a clause that nothing refers to any more: if it is the last one, its place is free at once.
    pub(crate) fn release(&mut self, c: ClauseRef) {
        if c.0 as usize + self.size(c) == self.words.len() {
            self.words.truncate(c.0 as usize);
        } else {
            self.remove(c);
        }
    }
    /// Is enough of it waste?
    pub(crate) fn wants_compaction(&self) -> bool {
        self.wasted * self.part > self.words.len() && self.wasted > self.tolerated
    }
    /// Move a clause into `to`, once; later calls answer where it went.
    pub(crate) fn relocate(&mut self, c: ClauseRef, to: &mut Arena) -> ClauseRef {
        let header = self.header(c);
        if header & MOVED != 0 {
            return ClauseRef(self.words[c.0 as usize + 1].code());
        }
        debug_assert!(header & REMOVED == 0);
        let at = ClauseRef(to.words.len() as u32);
        let from = c.0 as usize;
        to.words.extend_from_slice(self.words.part(from, self.size(c)));
        self.set_header(c, header | MOVED);
        self.words[from + 1] = Lit::from_code(at.0);
        at
    }
    /// An empty arena of the same kind, to relocate into.
    pub(crate) fn successor(&self) -> Arena {
        let mut words = Table::default();
        words.reserve(self.words.len() - self.wasted);
        Arena { words, wasted: 0, ..*self }
    }
}
