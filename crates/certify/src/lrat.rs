//! A checker of derivations in the style of LRAT (Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, CADE 2017).
//!
//! A derived clause comes with *hints*, names of earlier clauses. Assume all its literals false; then each hint in
//! turn must have at most one literal that is not false, which is therefore true, until a hint has none: so the
//! clauses before it imply it. Nothing is searched, and nothing is shared with a solver.
//!
//! Invariant: every clause that the checker holds was given or follows from those that were given. Steps that only keep
//! satisfiability (RAT, with negative hints) are refused: our own solver takes none, and what is derived without them
//! also holds under assumptions.

use indubit_logic::Lit;
use rustc_hash::FxHashMap;
use std::fmt;

/// Why a derivation does not check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A clause takes a name that another one has.
    Reused {
        /// The name.
        id: u64,
    },
    /// A hint, or what is to be deleted, names a clause that does not exist, or no longer.
    Unknown {
        /// The name.
        id: u64,
    },
    /// A hint has two literals that are not false.
    NotUnit {
        /// The clause that was to be derived.
        id: u64,
        /// The hint.
        hint: u64,
    },
    /// The hints end without one that is false.
    NoConflict {
        /// The clause that was to be derived.
        id: u64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Reused { id } => write!(f, "the name {id} is given to a second clause"),
            Fault::Unknown { id } => write!(f, "there is no clause {id}"),
            Fault::NotUnit { id, hint } => {
                write!(f, "clause {id} does not follow: its hint {hint} has two literals that are not false")
            }
            Fault::NoConflict { id } => write!(f, "clause {id} does not follow: no hint is false in the end"),
        }
    }
}

impl std::error::Error for Fault {}

/// The clauses that were given and those that have been found to follow.
///
/// ```
/// use indubit_certify::lrat::{Checker, Fault};
/// use indubit_logic::{Lit, Var};
/// let [a, b] = [1, 2].map(|v| Lit::positive(Var::new(v)));
/// let mut checker = Checker::new();
/// checker.given(1, &[a, b]).unwrap();
/// checker.given(2, &[a, !b]).unwrap();
/// assert_eq!(checker.derived(3, &[a], &[1, 2]), Ok(()));
/// assert_eq!(checker.derived(4, &[b], &[1, 2]), Err(Fault::NotUnit { id: 4, hint: 2 }));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Checker {
    clauses: FxHashMap<u64, Box<[Lit]>>,
    /// By literal: `now`, if it is false in the present derivation.
    falsified: Vec<u64>,
    /// The number of the present derivation.
    now: u64,
}

impl Checker {
    /// No clauses.
    pub fn new() -> Checker {
        Checker::default()
    }
    /// Take a clause of the formula. Memory is proportional to the largest variable.
    pub fn given(&mut self, id: u64, lits: &[Lit]) -> Result<(), Fault> {
        let max = lits.iter().map(|l| l.var().index()).max().unwrap_or(0);
        if self.falsified.len() < 2 * (max + 1) {
            self.falsified.resize(2 * (max + 1), 0);
        }
        match self.clauses.insert(id, lits.into()) {
            None => Ok(()),
            Some(_) => Err(Fault::Reused { id }),
        }
    }
    /// Check that a clause follows by its hints, and keep it.
    pub fn derived(&mut self, id: u64, lits: &[Lit], hints: &[u64]) -> Result<(), Fault> {
        if self.clauses.contains_key(&id) {
            return Err(Fault::Reused { id });
        }
        self.follows(id, lits, hints)?;
        self.given(id, lits)
    }
    fn follows(&mut self, id: u64, lits: &[Lit], hints: &[u64]) -> Result<(), Fault> {
        let Checker { clauses, falsified, now } = self;
        *now += 1;
        // A literal of a variable that no clause has is not in any hint.
        for lit in lits {
            if let Some(mark) = falsified.get_mut(lit.index()) {
                *mark = *now;
            }
        }
        for &hint in hints {
            let clause = clauses.get(&hint).ok_or(Fault::Unknown { id: hint })?;
            let mut unit = None;
            for &lit in clause.iter().filter(|l| falsified[l.index()] != *now) {
                if *unit.get_or_insert(lit) != lit {
                    return Err(Fault::NotUnit { id, hint });
                }
            }
            match unit {
                Some(lit) => falsified[(!lit).index()] = *now,
                None => return Ok(()),
            }
        }
        Err(Fault::NoConflict { id })
    }
    /// Forget a clause.
    pub fn deleted(&mut self, id: u64) -> Result<(), Fault> {
        self.clauses.remove(&id).map(drop).ok_or(Fault::Unknown { id })
    }
    /// A clause that was given or follows from those that were, unless it has been deleted.
    pub fn clause(&self, id: u64) -> Option<&[Lit]> {
        self.clauses.get(&id).map(|lits| &lits[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_logic::Var;

    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|&n| Var::new(n.unsigned_abs()).lit(n < 0)).collect()
    }

    /// All clauses over two variables, and one over a third.
    fn full() -> Checker {
        let mut checker = Checker::new();
        for (id, clause) in [&[1, 2][..], &[1, -2], &[-1, 2], &[-1, -2], &[3, 1]].iter().enumerate() {
            checker.given(id as u64 + 1, &lits(clause)).unwrap();
        }
        checker
    }

    #[test]
    fn a_refutation() {
        let mut checker = full();
        checker.derived(6, &lits(&[1]), &[1, 2]).unwrap();
        checker.deleted(1).unwrap();
        checker.derived(9, &[], &[6, 3, 4]).unwrap();
        assert_eq!(checker.clause(9), Some(&[][..]));
    }

    #[test]
    fn what_does_not_follow() {
        let mut checker = full();
        assert_eq!(checker.derived(6, &[], &[1]), Err(Fault::NotUnit { id: 6, hint: 1 }));
        assert_eq!(checker.derived(6, &lits(&[1]), &[1]), Err(Fault::NoConflict { id: 6 }));
        assert_eq!(checker.derived(6, &lits(&[1]), &[]), Err(Fault::NoConflict { id: 6 }));
        assert_eq!(checker.derived(6, &lits(&[1]), &[1, 7]), Err(Fault::Unknown { id: 7 }));
        assert_eq!(checker.derived(6, &lits(&[1]), &[1, 6]), Err(Fault::Unknown { id: 6 }));
        assert_eq!(checker.derived(2, &lits(&[1]), &[1, 2]), Err(Fault::Reused { id: 2 }));
        assert_eq!(checker.clause(6), None);
        // An unknown variable is not in the way, and a wrong step leaves nothing behind.
        assert_eq!(checker.derived(6, &lits(&[500, 1]), &[1, 2]), Ok(()));
        assert_eq!(checker.derived(7, &lits(&[500]), &[6, 3, 4]), Ok(()));
        checker.deleted(2).unwrap();
        assert_eq!(checker.deleted(2), Err(Fault::Unknown { id: 2 }));
        assert_eq!(checker.derived(8, &lits(&[1]), &[1, 2]), Err(Fault::Unknown { id: 2 }));
    }

    /// Every clause that passes with random hints really follows, by enumeration.
    #[test]
    fn what_passes_follows() {
        let mut seed = 7u64;
        let mut random = move |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        let holds = |clause: &[Lit], values: u64| {
            clause.iter().any(|l| (values >> l.var().index() & 1 == 1) != l.is_negated())
        };
        let mut n_passed = 0;
        for _ in 0..300 {
            let mut checker = Checker::new();
            let mut clauses: Vec<Vec<Lit>> = Vec::new();
            let mut clause = |n: u64| -> Vec<Lit> {
                (0..random(n)).map(|_| Var::new(random(4) as u32).lit(random(2) == 1)).collect()
            };
            for id in 0..6 {
                clauses.push(clause(4));
                checker.given(id, &clauses[id as usize]).unwrap();
            }
            for _ in 0..60 {
                let derived = clause(3);
                let hints: Vec<u64> = clause(6).iter().map(|l| u64::from(l.code())).collect();
                if checker.derived(clauses.len() as u64, &derived, &hints).is_ok() {
                    let models = (0..16).filter(|&v| clauses.iter().all(|c| holds(c, v)));
                    assert!(
                        { models }.all(|v| holds(&derived, v)),
                        "{derived:?} of {clauses:?} by {hints:?}"
                    );
                    clauses.push(derived);
                    n_passed += 1;
                }
            }
        }
        assert!(n_passed > 1000, "{n_passed}");
    }
}
