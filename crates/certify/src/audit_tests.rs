use super::*;
use indubit_logic::Var;

fn lits(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().map(|&n| Var::new(n.unsigned_abs()).lit(n < 0)).collect()
}

/// One more pigeon than holes.
fn pigeons(holes: i32) -> Vec<Vec<Lit>> {
    let at = |p: i32, h: i32| p * holes + h + 1;
    let mut clauses = Vec::new();
    for p in 0..=holes {
        clauses.push(lits(&(0..holes).map(|h| at(p, h)).collect::<Vec<_>>()));
        for (other, h) in (0..p).flat_map(|other| (0..holes).map(move |h| (other, h))) {
            clauses.push(lits(&[-at(p, h), -at(other, h)]));
        }
    }
    clauses
}

#[test]
fn answers_under_assumptions() {
    let mut solver = Audited::new(&Cancel::new(), 0);
    for clause in [&[1, 2][..], &[-1, 3], &[4, -4], &[2, 2, 5]] {
        solver.add_clauses([&lits(clause)[..]]);
    }
    assert_eq!(solver.solve(&lits(&[-2])), Ok(true));
    assert!(solver.value(lits(&[3])[0]) && solver.value(lits(&[5])[0]));
    assert_eq!(solver.solve(&lits(&[7, -2, -3])), Ok(false));
    assert_eq!(solver.solve(&lits(&[7, -7])), Ok(false));
    assert_eq!(solver.conclusion(), None);
    solver.add_clauses([&lits(&[-2])[..], &lits(&[-3])[..], &lits(&[9])[..]]);
    assert_eq!(solver.solve(&[]), Ok(false));
    // Whatever is added to a contradiction, it stays one.
    solver.add_clauses([&lits(&[6])[..]]);
    assert_eq!(solver.solve(&lits(&[6])), Ok(false));
}

#[test]
fn hard_refutations_and_cancellation() {
    for holes in 1..=7 {
        let mut solver = Audited::new(&Cancel::new(), 3);
        solver.add_clauses(pigeons(holes).iter().map(|c| &c[..]));
        assert_eq!(solver.solve(&[]), Ok(false), "{holes}");
    }
    let cancel = Cancel::new();
    let mut solver = Audited::new(&cancel, 3);
    cancel.out_of_time();
    assert_eq!(solver.solve(&[]), Err(Setback::Stop(Stop::TimeLimit)));
}

/// What a wrong solver would tell the auditor.
#[test]
fn lies_are_noticed() {
    let promised = |clauses: &[&[i32]]| {
        let mut auditor = Auditor::default();
        clauses.iter().for_each(|c| auditor.promise(&lits(c)));
        auditor
    };
    let mut auditor = promised(&[&[1, 2], &[-1]]);
    assert_eq!((auditor.given(&lits(&[1, 2])), auditor.given(&lits(&[-1]))), (1, 2));
    let id = auditor.derived(&lits(&[2]), &[2, 1]);
    assert_eq!((id, auditor.error), (3, None));
    assert!(auditor.refutes(Some(id), &lits(&[5, -2])));
    assert!(!auditor.refutes(Some(id), &lits(&[2])) && !auditor.refutes(Some(9), &lits(&[-2])));
    assert!(!auditor.refutes(None, &lits(&[1, 2])) && auditor.refutes(None, &lits(&[1, 2, -1])));
    auditor.derived(&[], &[2, 1]);
    assert_eq!(auditor.error, Some(SolverError::Derivation(Fault::NoConflict { id: 4 })));
    // The first mistake is the one to report.
    auditor.deleted(77);
    assert_eq!(auditor.error, Some(SolverError::Derivation(Fault::NoConflict { id: 4 })));

    let mut auditor = promised(&[&[1, 2]]);
    auditor.given(&lits(&[1]));
    assert_eq!(auditor.error, Some(SolverError::NotGiven));
    let mut auditor = promised(&[]);
    auditor.given(&lits(&[1]));
    assert_eq!(auditor.error, Some(SolverError::NotGiven));
    let mut auditor = promised(&[&[1]]);
    auditor.given(&lits(&[1]));
    auditor.deleted(1);
    auditor.deleted(1);
    assert_eq!(auditor.error, Some(SolverError::Derivation(Fault::Unknown { id: 1 })));
}
