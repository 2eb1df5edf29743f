//! Proofs, from anyone, that a formula has no model.

use crate::Reason;
use crate::lrat::Checker;
use crate::numbering::Numbering;
use indubit_formats::dimacs::Cnf;
use indubit_formats::lrat::{Step, steps};
use indubit_logic::Lit;
use indubit_run::{Ask, Cancel};

/// Steps between two looks at the cancel flag.
const POLL: u64 = 1000;

/// Does the LRAT proof in the contents of a file refute the formula? Then the number of clauses that it derives, up to the
/// empty one.
///
/// A clause that is deleted need not exist: that makes nothing true.
pub fn check_refutation(cnf: &Cnf, proof: &[u8], cancel: &Cancel) -> Ask<Result<u64, Reason>> {
    let mut numbering = Numbering::new();
    let mut renumbered = |lits: &[Lit]| -> Vec<Lit> { lits.iter().map(|&l| numbering.lit(l)).collect() };
    let mut checker = Checker::new();
    for (i, clause) in cnf.clauses.iter().enumerate() {
        let given = checker.given(i as u64 + 1, &renumbered(clause.lits()));
        debug_assert!(given.is_ok(), "names are new");
        if clause.lits().is_empty() {
            return Ok(Ok(0));
        }
    }
    let mut n_derived = 0;
    for (n_steps, step) in steps(proof).enumerate() {
        if (n_steps as u64).is_multiple_of(POLL) {
            cancel.checkpoint()?;
        }
        match step {
            Err(error) => return Ok(Err(error.into())),
            Ok((line, Step::Derived { id, lits, hints })) => {
                if let Err(fault) = checker.derived(id, &renumbered(&lits), &hints) {
                    return Ok(Err(Reason::Derivation { line, fault }));
                }
                n_derived += 1;
                if lits.is_empty() {
                    return Ok(Ok(n_derived));
                }
            }
            Ok((_, Step::Deleted { ids })) => {
                for id in ids {
                    // Whether it was there makes no difference.
                    let _ = checker.deleted(id);
                }
            }
        }
    }
    Ok(Err(Reason::NoEvidence("the proof does not derive the empty clause".into())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lrat::Fault;
    use indubit_formats::dimacs;

    fn check(cnf: &str, proof: &str) -> Result<u64, Reason> {
        check_refutation(&dimacs::parse(cnf.as_bytes()).unwrap(), proof.as_bytes(), &Cancel::new()).unwrap()
    }

    const FULL: &str = "p cnf 2 4\n1 2 0 1 -2 0 -1 2 0 -1 -2 0\n";

    #[test]
    fn proofs_pass_or_are_refused_with_their_line() {
        assert_eq!(check(FULL, "5 1 0 1 2 0\n5 d 1 2 77 0\n6 0 5 3 4 0\n"), Ok(2));
        // What follows the empty clause does not matter.
        assert_eq!(check(FULL, "5 1 0 1 2 0\n6 0 5 3 4 0\nnonsense"), Ok(2));
        let fault = Fault::NotUnit { id: 5, hint: 1 };
        assert_eq!(check(FULL, "c\n5 0 1 0\n"), Err(Reason::Derivation { line: 2, fault }));
        let fault = Fault::Unknown { id: 1 };
        assert_eq!(check(FULL, "4 d 1 0\n5 1 0 1 2 0\n"), Err(Reason::Derivation { line: 2, fault }));
        assert!(check(FULL, "5 1 0 1 2 0\n").unwrap_err().to_string().contains("the empty clause"));
        assert!(check(FULL, "5 1 0 -1 2 0\n").unwrap_err().to_string().contains("RAT"));
        assert_eq!(check("p cnf 1 2\n1 0 0\n", ""), Ok(0));
        assert!(check("p cnf 1 1\n1 0\n", "").is_err());
    }

    #[test]
    fn large_variables_cost_nothing() {
        let cnf = "1000000000 0 -1000000000 0";
        assert_eq!(check(cnf, "3 999999999 0 1 2 0\n4 0 1 2 0"), Ok(2));
    }

    #[test]
    fn cancelled() {
        let cancel = Cancel::new();
        cancel.cancel();
        let cnf = dimacs::parse(FULL.as_bytes()).unwrap();
        assert!(check_refutation(&cnf, b"5 1 0 1 2 0\n", &cancel).is_err());
    }
}
