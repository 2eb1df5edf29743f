//! Cubes (conjunctions) and clauses (disjunctions), with signatures for subsumption.

use crate::{Lit, Var};
use std::ops::Not;

/// A conjunction of literals.
///
/// Invariant: strictly increasing, hence free of duplicates, and without a complementary pair.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Cube {
    lits: Box<[Lit]>,
    signature: u128,
}

impl Cube {
    /// The conjunction of `lits`, in any order, duplicates allowed.
    ///
    /// A complementary pair is a bug of the caller: there is no cube for *false*.
    pub fn new(lits: impl IntoIterator<Item = Lit>) -> Cube {
        let mut lits: Vec<Lit> = lits.into_iter().collect();
        lits.sort_unstable();
        lits.dedup();
        debug_assert!(lits.windows(2).all(|w| w[0].var() != w[1].var()), "complementary pair in a cube");
        let signature = signature(&lits);
        Cube { lits: lits.into(), signature }
    }
    /// The literals, in increasing order.
    pub fn lits(&self) -> &[Lit] {
        &self.lits
    }
    /// How many literals there are.
    pub fn len(&self) -> usize {
        self.lits.len()
    }
    /// Is it the empty conjunction, *true*?
    pub fn is_empty(&self) -> bool {
        self.lits.is_empty()
    }
    /// Is `lit` one of the literals?
    pub fn contains(&self, lit: Lit) -> bool {
        self.lits.binary_search(&lit).is_ok()
    }
    /// One bit a literal: a subset has a subset of the bits.
    pub fn signature(&self) -> u128 {
        self.signature
    }
    /// The cube without one literal.
    pub fn without(&self, dropped: Lit) -> Cube {
        Cube::new(self.lits.iter().copied().filter(|&l| l != dropped))
    }
    /// Does `self` cover every state of `other`, i.e. is it a subset of its literals?
    pub fn subsumes(&self, other: &Cube) -> bool {
        self.lits.len() <= other.lits.len()
            && self.signature & !other.signature == 0
            && is_sorted_subset(&self.lits, &other.lits)
    }
    /// Does a state exist that is in both?
    pub fn meets(&self, other: &Cube) -> bool {
        let (small, large) = if self.len() < other.len() { (self, other) } else { (other, self) };
        small.lits.iter().all(|&l| !large.contains(!l))
    }
}

/// One bit a literal; a subset has a subset of the bits.
fn signature(lits: &[Lit]) -> u128 {
    lits.iter().fold(0, |s, l| s | 1 << (l.code().wrapping_mul(0x9e37_79b1) >> 25))
}

fn is_sorted_subset(small: &[Lit], large: &[Lit]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|l| rest.by_ref().find(|&r| r >= l) == Some(l))
}

/// The negation of a cube is a clause.
impl Not for &Cube {
    type Output = Clause;
    fn not(self) -> Clause {
        Clause(self.lits.iter().map(|&l| !l).collect())
    }
}

/// A disjunction of literals, in the order given.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Clause(Box<[Lit]>);

impl Clause {
    /// The disjunction of `lits`.
    pub fn new(lits: impl IntoIterator<Item = Lit>) -> Clause {
        Clause(lits.into_iter().collect())
    }
    /// The literals.
    pub fn lits(&self) -> &[Lit] {
        &self.0
    }
    /// The clause with each variable replaced by a literal; none if there is none for one of them.
    pub fn map(&self, mut to: impl FnMut(Var) -> Option<Lit>) -> Option<Clause> {
        let lits = self.0.iter().map(|&lit| to(lit.var()).map(|l| l ^ lit.is_negated()));
        lits.collect::<Option<_>>().map(Clause)
    }
    /// The clause without what is of no use: repetitions and the constant *false*. None if it is always true.
    pub fn simplified(&self) -> Option<Clause> {
        let mut lits: Vec<Lit> = self.0.iter().copied().filter(|&l| l != Lit::FALSE).collect();
        lits.sort_unstable();
        lits.dedup();
        let is_true = lits.contains(&Lit::TRUE) || lits.windows(2).any(|w| w[0] == !w[1]);
        (!is_true).then(|| Clause(lits.into()))
    }
}

/// The negation of a clause is a cube. The clause must be [simplified](Clause::simplified).
impl Not for &Clause {
    type Output = Cube;
    fn not(self) -> Cube {
        Cube::new(self.0.iter().map(|&l| !l))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(codes: &[u32]) -> Cube {
        Cube::new(codes.iter().map(|&c| Lit::from_code(c)))
    }

    #[test]
    fn subsumption_is_the_subset_relation() {
        let mut rng = 7u64;
        let mut next = move || {
            rng = rng.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (rng >> 33) as u32
        };
        for _ in 0..5000 {
            let mut random = || {
                Cube::new((1..12).filter_map(|v| match next() % 3 {
                    0 => Some(Var::new(v * 37).lit(next() % 2 == 0)),
                    _ => None,
                }))
            };
            let (a, b) = (random(), random());
            let subset = a.lits().iter().all(|l| b.lits().contains(l));
            assert_eq!(a.subsumes(&b), subset, "{a:?} {b:?}");
        }
    }

    #[test]
    fn negation_and_removal() {
        let c = cube(&[9, 2, 2, 4]);
        assert_eq!(c.lits().len(), 3);
        assert_eq!((!&c).lits(), [3, 5, 8].map(Lit::from_code));
        assert_eq!(c.without(Lit::from_code(4)), cube(&[2, 9]));
        assert!(cube(&[]).subsumes(&c) && cube(&[]).is_empty());
    }
}
