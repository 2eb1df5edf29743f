//! The conditions that make a sequence of formulas an interpolation sequence, asked of another solver.
//!
//! The head of the crate says what they are. Nothing of this crate is used but the formulas themselves: the
//! questions go to CaDiCaL, and variables are counted in the clauses as they were given.

use indubit_aig::{Aig, Cone, Encoder};
use indubit_logic::{Clause, Lit, Var};
use indubit_run::{Ask, Cancel};
use indubit_sat::{Cadical, Config, Solve};
use std::collections::HashMap;
use std::fmt;

/// A condition that does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Violation {
    /// There must be one formula more than there are parts.
    Length,
    /// The first formula must be *true*.
    First,
    /// The last formula must be *false*.
    Last,
    /// Formula `cut` and the part after it must imply the next formula.
    Step {
        /// The index of the formula, and of the part.
        cut: usize,
    },
    /// Formula `cut` has a leaf that stands for no variable which occurs both before and after the cut.
    Variable {
        /// The index of the formula.
        cut: usize,
        /// The node of the leaf.
        leaf: Var,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::Length => write!(f, "there are too few or too many formulas for the parts"),
            Violation::First => write!(f, "the first formula of the sequence is not true"),
            Violation::Last => write!(f, "the last formula of the sequence is not false"),
            Violation::Step { cut } => {
                write!(f, "formula {cut} and part {} do not imply formula {}", cut + 1, cut + 1)
            }
            Violation::Variable { cut, leaf } => {
                write!(f, "formula {cut} has the leaf {leaf:?}, which the two sides do not share")
            }
        }
    }
}

/// Is `sequence` an interpolation sequence of `parts`? With two parts, `[true, I, false]` is one if I is an interpolant.
///
/// The formulas are edges of `aig`, and `leaf` says which edge stands for a variable of the parts.
pub fn check(
    parts: &[Vec<Clause>],
    aig: &Aig,
    leaf: impl Fn(Var) -> Lit,
    sequence: &[Lit],
    cancel: &Cancel,
) -> Ask<Result<(), Violation>> {
    if sequence.len() != parts.len() + 1 {
        return Ok(Err(Violation::Length));
    }
    if sequence[0] != Lit::TRUE {
        return Ok(Err(Violation::First));
    }
    if sequence[parts.len()] != Lit::FALSE {
        return Ok(Err(Violation::Last));
    }
    if let Err(violation) = variables(parts, aig, &leaf, sequence) {
        return Ok(Err(violation));
    }
    for (cut, part) in parts.iter().enumerate() {
        if !implies(part, aig, &leaf, sequence[cut], sequence[cut + 1], cancel)? {
            return Ok(Err(Violation::Step { cut }));
        }
    }
    Ok(Ok(()))
}

/// Do the clauses and the formula `from` together imply the formula `to`?
fn implies(
    part: &[Clause],
    aig: &Aig,
    leaf: &impl Fn(Var) -> Lit,
    from: Lit,
    to: Lit,
    cancel: &Cancel,
) -> Ask<bool> {
    let mut solver = Cadical::new(Config::Unsat, cancel);
    // Variables of the solver are nodes of the graph; constants have a value, should a leaf be one.
    solver.add_clause(&[Lit::TRUE]);
    for clause in part {
        let lits: Vec<Lit> = clause.lits().iter().map(|l| leaf(l.var()) ^ l.is_negated()).collect();
        solver.add_clause(&lits);
    }
    let mut encoder = Encoder::new();
    for root in [from, to] {
        encoder.encode(aig, root, |clause| solver.add_clause(clause));
    }
    solver.add_clause(&[from]);
    solver.add_clause(&[!to]);
    Ok(!solver.solve(&[])?)
}

/// Does each formula have only variables that occur on both sides of its cut?
fn variables(
    parts: &[Vec<Clause>],
    aig: &Aig,
    leaf: &impl Fn(Var) -> Lit,
    sequence: &[Lit],
) -> Result<(), Violation> {
    // By leaf: the first and the last part in which its variable occurs.
    let mut occurrences: HashMap<Var, (usize, usize)> = HashMap::new();
    for (part, clauses) in parts.iter().enumerate() {
        for lit in clauses.iter().flat_map(Clause::lits) {
            occurrences.entry(leaf(lit.var()).var()).or_insert((part, part)).1 = part;
        }
    }
    let mut cone = Cone::new();
    for (cut, &formula) in sequence.iter().enumerate() {
        let is_shared = |var| occurrences.get(&var).is_some_and(|&(first, last)| first < cut && cut <= last);
        let nodes = cone.collect(aig, [formula]).iter().copied();
        if let Some(leaf) = nodes.filter(|&v| aig.fanins(v).is_none()).find(|&v| !is_shared(v)) {
            return Err(Violation::Variable { cut, leaf });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_condition_can_fail() {
        let mut aig = Aig::new();
        let [x, y, z] = [(); 3].map(|()| aig.leaf());
        let clause = |lits: &[Lit]| Clause::new(lits.iter().copied());
        let parts = [vec![clause(&[x]), clause(&[!x, y])], vec![clause(&[!y, z])], vec![clause(&[!z])]];
        let ask = |sequence: &[Lit]| {
            check(&parts, &aig, |v: Var| v.lit(false), sequence, &Cancel::new()).expect("not cancelled")
        };
        assert_eq!(ask(&[Lit::TRUE, y, z, Lit::FALSE]), Ok(()));
        assert_eq!(ask(&[Lit::TRUE, y, Lit::FALSE]), Err(Violation::Length));
        assert_eq!(ask(&[y, y, z, Lit::FALSE]), Err(Violation::First));
        assert_eq!(ask(&[Lit::TRUE, y, z, z]), Err(Violation::Last));
        assert_eq!(ask(&[Lit::TRUE, !y, z, Lit::FALSE]), Err(Violation::Step { cut: 0 }));
        assert_eq!(ask(&[Lit::TRUE, Lit::TRUE, z, Lit::FALSE]), Err(Violation::Step { cut: 1 }));
        assert_eq!(ask(&[Lit::TRUE, y, Lit::TRUE, Lit::FALSE]), Err(Violation::Step { cut: 2 }));
        assert_eq!(ask(&[Lit::TRUE, x, z, Lit::FALSE]), Err(Violation::Variable { cut: 1, leaf: x.var() }));
        assert_eq!(ask(&[Lit::TRUE, y, y, Lit::FALSE]), Err(Violation::Variable { cut: 2, leaf: y.var() }));
    }
}
