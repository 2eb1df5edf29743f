//! A set of literals that is emptied in time proportional to what it holds.

use crate::Lit;

/// Dense set of literals with cheap clearing; grows on demand.
#[derive(Clone, Debug, Default)]
pub struct LitSet {
    member: Vec<bool>,
    lits: Vec<Lit>,
}

impl LitSet {
    /// The empty set.
    pub fn new() -> LitSet {
        LitSet::default()
    }
    /// Is `lit` a member?
    pub fn contains(&self, lit: Lit) -> bool {
        self.member.get(lit.index()).copied().unwrap_or(false)
    }
    /// Add `lit`; was it new?
    pub fn insert(&mut self, lit: Lit) -> bool {
        if self.member.len() <= lit.index() {
            self.member.resize(lit.index() + 1, false);
        }
        let new = !std::mem::replace(&mut self.member[lit.index()], true);
        if new {
            self.lits.push(lit);
        }
        new
    }
    /// Remove every member.
    pub fn clear(&mut self) {
        for lit in self.lits.drain(..) {
            self.member[lit.index()] = false;
        }
    }
    /// The members in insertion order.
    pub fn lits(&self) -> &[Lit] {
        &self.lits
    }
}

impl Extend<Lit> for LitSet {
    fn extend<I: IntoIterator<Item = Lit>>(&mut self, lits: I) {
        for lit in lits {
            self.insert(lit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clearing_empties_it() {
        let mut set = LitSet::new();
        assert!(set.insert(Lit::from_code(5)));
        assert!(!set.insert(Lit::from_code(5)));
        assert!(set.contains(Lit::from_code(5)) && !set.contains(Lit::from_code(4)));
        assert_eq!(set.lits(), [Lit::from_code(5)]);
        set.clear();
        assert!(!set.contains(Lit::from_code(5)) && set.lits().is_empty());
        assert!(!set.contains(Lit::from_code(999)));
    }
}
