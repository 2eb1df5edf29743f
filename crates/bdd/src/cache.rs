//! Results of operations, as far as they are remembered: a later one may take the place of an earlier one.

use crate::Bdd;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Operation {
    Nothing,
    And,
    Xor,
    /// Of a conjunction, with the variables of the third operand quantified.
    AndExists,
    /// Simplified where the second operand is false.
    Restrict,
    /// With each variable replaced, by the map that has the number in the second operand.
    Rename,
    /// With values for the variables of a cube.
    Cofactor,
}

type Question = (Operation, Bdd, Bdd, Bdd);

#[derive(Clone, Debug)]
pub(crate) struct Cache {
    entries: Vec<(Question, Bdd)>,
}

const EMPTY: (Question, Bdd) = ((Operation::Nothing, Bdd::TRUE, Bdd::TRUE, Bdd::TRUE), Bdd::TRUE);
const SMALLEST: usize = 1 << 12;
const LARGEST: usize = 1 << 21;

impl Cache {
    pub fn new() -> Cache {
        Cache { entries: vec![EMPTY; SMALLEST] }
    }
    fn slot(&self, (operation, f, g, h): Question) -> usize {
        let mut hash = u64::from(f.0).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash = (hash ^ u64::from(g.0)).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        hash = (hash ^ u64::from(h.0) ^ (operation as u64) << 33).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash >> 36) as usize & (self.entries.len() - 1)
    }
    pub fn get(&self, question: Question) -> Option<Bdd> {
        let (asked, result) = self.entries[self.slot(question)];
        (asked == question).then_some(result)
    }
    pub fn put(&mut self, question: Question, result: Bdd) {
        let slot = self.slot(question);
        self.entries[slot] = (question, result);
    }
    /// Forget everything.
    pub fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }
    /// Forget what is about nodes that are not there any more.
    pub fn keep(&mut self, is_there: impl Fn(Bdd) -> bool) {
        for entry in &mut self.entries {
            let &mut ((operation, f, g, h), result) = entry;
            // The second operand of a renaming is the number of a map.
            let is_good = |g: Bdd| operation == Operation::Rename || is_there(g);
            if operation != Operation::Nothing
                && !(is_there(f) && is_good(g) && is_there(h) && is_there(result))
            {
                *entry = EMPTY;
            }
        }
    }
    /// More room if there are more nodes than it was made for.
    pub fn suit(&mut self, n_nodes: usize) {
        if n_nodes * 2 > self.entries.len() && self.entries.len() < LARGEST {
            let old = std::mem::take(&mut self.entries);
            self.entries = vec![EMPTY; old.len() * 2];
            for (question, result) in old.into_iter().filter(|entry| entry.0.0 != Operation::Nothing) {
                self.put(question, result);
            }
        }
    }
}
