//! Derivations of our kernel, for whoever wants them: a checker, a file, or interpolation.

mod lrat;

pub use crate::kernel::policy::{ClauseId, NoProof, ProofSink};
pub use crate::kernel::theory::Certificate;
use indubit_logic::Lit;
pub use lrat::Lrat;

/// Where a clause comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin<'l> {
    /// It was given, as a member of a part of the formula.
    Given {
        /// [`Log::part`] at the time.
        part: u32,
    },
    /// It holds by the theory, which knows why.
    Lemma {
        /// How the theory finds the reason.
        certificate: Certificate,
    },
    /// It follows from earlier clauses: assume its literals false; then each clause of the chain but the last has one
    /// literal that is not false, which is therefore true, and the last clause has none.
    Derived {
        /// The clauses, in the order of propagation.
        chain: &'l [ClauseId],
    },
}

/// Keeps every clause and how it was derived. Deleted clauses stay: later ones rest on them.
///
/// Names count from 1 in the order of arrival, so a clause's chain has only smaller names.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// The part of the formula that clauses given from now on belong to.
    pub part: u32,
    lits: Vec<Lit>,
    chains: Vec<ClauseId>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    lits_end: usize,
    chains_end: usize,
    /// `DERIVED`, `LEMMA`, or the part of a given clause.
    part: u32,
}

const DERIVED: u32 = u32::MAX;
const LEMMA: u32 = u32::MAX - 1;

impl Log {
    /// An empty log; what comes first is in part 0.
    pub fn new() -> Log {
        Log::default()
    }
    /// How many clauses there are, deleted ones included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }
    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
    fn entry(&self, id: ClauseId) -> (Entry, Entry) {
        let at = id as usize - 1;
        let before = match at {
            0 => Entry { lits_end: 0, chains_end: 0, part: 0 },
            _ => self.entries[at - 1],
        };
        (before, self.entries[at])
    }
    /// The literals of a clause.
    pub fn clause(&self, id: ClauseId) -> &[Lit] {
        let (before, entry) = self.entry(id);
        &self.lits[before.lits_end..entry.lits_end]
    }
    /// Where a clause comes from.
    pub fn origin(&self, id: ClauseId) -> Origin<'_> {
        let (before, entry) = self.entry(id);
        match entry.part {
            DERIVED => Origin::Derived { chain: &self.chains[before.chains_end..entry.chains_end] },
            LEMMA => Origin::Lemma { certificate: self.chains[before.chains_end] },
            part => Origin::Given { part },
        }
    }
    /// The clauses that `conclusion` rests on, itself last, in the order of their names.
    pub fn support(&self, conclusion: ClauseId) -> Vec<ClauseId> {
        let mut needed = vec![false; conclusion as usize + 1];
        needed[conclusion as usize] = true;
        for id in (1..=conclusion).rev() {
            if let (true, Origin::Derived { chain }) = (needed[id as usize], self.origin(id)) {
                chain.iter().for_each(|&used| needed[used as usize] = true);
            }
        }
        (1..=conclusion).filter(|&id| needed[id as usize]).collect()
    }
    fn push(&mut self, lits: &[Lit], chain: &[ClauseId], part: u32) -> ClauseId {
        self.lits.extend_from_slice(lits);
        self.chains.extend_from_slice(chain);
        self.entries.push(Entry { lits_end: self.lits.len(), chains_end: self.chains.len(), part });
        self.entries.len() as ClauseId
    }
}

impl ProofSink for Log {
    const RECORDS: bool = true;
    fn given(&mut self, lits: &[Lit]) -> ClauseId {
        debug_assert!(self.part < LEMMA);
        self.push(lits, &[], self.part)
    }
    fn lemma(&mut self, lits: &[Lit], certificate: Certificate) -> ClauseId {
        self.push(lits, &[certificate], LEMMA)
    }
    fn derived(&mut self, lits: &[Lit], chain: &[ClauseId]) -> ClauseId {
        self.push(lits, chain, DERIVED)
    }
    fn deleted(&mut self, _: ClauseId) {}
}

/// Two sinks see the same derivations. They have to name clauses alike, if both record.
impl<A: ProofSink, B: ProofSink> ProofSink for (A, B) {
    const RECORDS: bool = A::RECORDS || B::RECORDS;
    fn given(&mut self, lits: &[Lit]) -> ClauseId {
        alike::<A, B>(self.0.given(lits), self.1.given(lits))
    }
    fn lemma(&mut self, lits: &[Lit], certificate: Certificate) -> ClauseId {
        alike::<A, B>(self.0.lemma(lits, certificate), self.1.lemma(lits, certificate))
    }
    fn derived(&mut self, lits: &[Lit], chain: &[ClauseId]) -> ClauseId {
        alike::<A, B>(self.0.derived(lits, chain), self.1.derived(lits, chain))
    }
    fn deleted(&mut self, id: ClauseId) {
        self.0.deleted(id);
        self.1.deleted(id);
    }
}

fn alike<A: ProofSink, B: ProofSink>(a: ClauseId, b: ClauseId) -> ClauseId {
    assert!(a == b || !(A::RECORDS && B::RECORDS), "two sinks name a clause {a} and {b}");
    if A::RECORDS { a } else { b }
}
