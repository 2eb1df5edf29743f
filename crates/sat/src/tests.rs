//! Conformance: what every solver behind the traits must do.

use crate::{Cadical, Cdcl, Config, Facts, RelConfig, RelSolver, Solve, SolveWith};
use indubit_logic::{Lit, Var};
use indubit_run::{Cancel, Stop};

/// Every solver there is.
fn solvers(cancel: &Cancel) -> Vec<Box<dyn SolveWith>> {
    let mut all: Vec<Box<dyn SolveWith>> = Vec::new();
    for config in [Config::Default, Config::Incremental, Config::Unsat] {
        all.push(Box::new(Cadical::new(config, cancel)));
    }
    for seed in [0, 7] {
        all.push(Box::new(Cdcl::new(cancel, seed)));
        all.push(Box::new(RelSolver::new(cancel, RelConfig { seed, ..RelConfig::default() })));
    }
    all
}

fn lits(codes: &[i32]) -> Vec<Lit> {
    codes.iter().map(|&c| Var::new(c.unsigned_abs()).lit(c < 0)).collect()
}

#[test]
fn facts_hold_in_every_model() {
    let cancel = Cancel::new();
    let all: [Box<dyn Facts>; 3] = [
        Box::new(Cadical::new(Config::Default, &cancel)),
        Box::new(Cadical::new(Config::Incremental, &cancel)),
        Box::new(Cdcl::new(&cancel, 0)),
    ];
    for mut solver in all {
        for clause in [&[1][..], &[-1, 2], &[3, 4], &[5, 6, -2]] {
            solver.add_clause(&lits(clause));
        }
        assert_eq!(solver.solve(&lits(&[3, -5])), Ok(true));
        let fixed = |codes: &[i32]| lits(codes).iter().map(|&l| solver.fixed(l)).collect::<Vec<_>>();
        assert_eq!(fixed(&[1, 2, -2]), [Some(true), Some(true), Some(false)]);
        // Assumptions and their consequences are no facts, nor is anything known about the unheard of.
        assert_eq!(fixed(&[3, -5, 6, 99]), [None; 4]);
    }
}

#[test]
fn models_cores_and_temporary_clauses() {
    for mut solver in solvers(&Cancel::new()) {
        solver.add_clause(&lits(&[1, 2]));
        solver.add_clause(&lits(&[-1, 300]));
        assert_eq!(solver.solve(&lits(&[-2])), Ok(true));
        assert!(solver.value(lits(&[1])[0]) && solver.value(lits(&[300])[0]));
        assert!(solver.value(lits(&[-2])[0]) && !solver.value(lits(&[2])[0]));
        assert_ne!(solver.value(lits(&[77])[0]), solver.value(lits(&[-77])[0]));
        assert_eq!(solver.solve(&lits(&[5, -2, -300])), Ok(false));
        let core: Vec<bool> = lits(&[5, -2, -300]).iter().map(|&l| solver.failed(l)).collect();
        assert_eq!(core, [false, true, true]);
        assert_eq!(solver.solve_with(&lits(&[-2, -1]), &lits(&[2])), Ok(true));
        assert!(solver.value(lits(&[-1])[0]));
        assert_eq!(solver.solve_with(&lits(&[-2]), &lits(&[2])), Ok(false));
        assert_eq!(solver.solve(&lits(&[2])), Ok(true), "the temporary clause is gone");
        solver.add_clause(&[]);
        assert_eq!(solver.solve(&[]), Ok(false));
    }
}

#[test]
fn a_raised_flag_unwinds() {
    let cancel = Cancel::new();
    for solver in &mut solvers(&cancel) {
        solver.add_clause(&lits(&[1]));
    }
    let mut all = solvers(&cancel);
    cancel.out_of_time();
    for solver in &mut all {
        assert_eq!(solver.solve(&[]), Err(Stop::TimeLimit));
    }
}

/// Random 3-CNF near the threshold under random assumptions, against enumeration.
#[test]
fn agrees_with_brute_force() {
    let mut seed = 42u64;
    let mut random = move |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % n
    };
    for round in 0..1800 {
        let mut all = solvers(&Cancel::new());
        let n_solvers = all.len();
        let mut solver = all.swap_remove(round % n_solvers);
        let mut clauses: Vec<Vec<i32>> = Vec::new();
        for _ in 0..6 {
            for _ in 0..5 {
                let mut signed = || (random(8) as i32 + 1) * if random(2) == 0 { 1 } else { -1 };
                let clause = vec![signed(), signed(), signed()];
                solver.add_clause(&lits(&clause));
                clauses.push(clause);
            }
            let assumptions: Vec<i32> =
                (1..=8).filter_map(|v| [Some(v), Some(-v), None, None][random(4) as usize]).collect();
            let temporary: Vec<i32> = (1..=8).filter(|_| random(3) == 0).map(|v| -v).collect();
            let holds = |assignment: u32, clause: &[i32]| {
                clause.iter().any(|&l| (assignment >> (l.unsigned_abs() - 1) & 1 == 1) == (l > 0))
            };
            let expected = (0..256u32).any(|assignment| {
                clauses.iter().all(|c| holds(assignment, c))
                    && assumptions.iter().all(|&l| holds(assignment, &[l]))
                    && (temporary.is_empty() || holds(assignment, &temporary))
            });
            let got = match temporary.is_empty() {
                true => solver.solve(&lits(&assumptions)),
                false => solver.solve_with(&lits(&temporary), &lits(&assumptions)),
            };
            assert_eq!(got, Ok(expected));
            let core: Vec<i32> = assumptions
                .iter()
                .copied()
                .filter(|&l| got == Ok(false) && solver.failed(lits(&[l])[0]))
                .collect();
            let refuted = !(0..256u32).any(|assignment| {
                clauses.iter().all(|c| holds(assignment, c))
                    && core.iter().all(|&l| holds(assignment, &[l]))
                    && (temporary.is_empty() || holds(assignment, &temporary))
            });
            assert!(got == Ok(true) || refuted, "the core is a refutation by itself");
            let model = |clause: &[i32]| lits(clause).iter().any(|&l| solver.value(l));
            assert!(got == Ok(false) || clauses.iter().chain([&temporary]).all(|c| c.is_empty() || model(c)));
        }
    }
}

/// Eliminating x gives the fact !v; eliminating v as well, before the fact is in place, would lose v | w.
#[test]
fn what_elimination_finds_to_be_a_fact_is_not_eliminated() {
    let mut solver = Cdcl::new(&Cancel::new(), 0);
    let [x, v, w] = [1, 2, 3];
    for clause in [[x, -v], [-x, -v], [v, w]] {
        solver.add_clause(&lits(&clause));
    }
    for _ in 0..10 {
        assert_eq!(solver.solve(&lits(&[w])), Ok(true));
    }
    assert_eq!(solver.solve(&lits(&[-w])), Ok(false));
}
