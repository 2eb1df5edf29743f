//! `indubit sat` from outside, and LRAT proofs.

use crate::common::{Ran, Scratch, example};
use std::fmt::Write;

/// One more pigeon than holes: no model.
fn pigeons(holes: usize) -> String {
    let at = |p: usize, h: usize| p * holes + h + 1;
    let mut clauses: Vec<Vec<i64>> = Vec::new();
    for p in 0..=holes {
        clauses.push((0..holes).map(|h| at(p, h) as i64).collect());
        for other in 0..p {
            clauses.extend((0..holes).map(|h| vec![-(at(p, h) as i64), -(at(other, h) as i64)]));
        }
    }
    cnf(&clauses)
}

fn cnf(clauses: &[Vec<i64>]) -> String {
    let n_vars = clauses.iter().flatten().map(|n| n.abs()).max().unwrap_or(0);
    let mut text = format!("p cnf {n_vars} {}\n", clauses.len());
    for clause in clauses {
        clause.iter().for_each(|n| write!(text, "{n} ").unwrap());
        text.push_str("0\n");
    }
    text
}

fn random(rng: &mut fastrand::Rng) -> Vec<Vec<i64>> {
    let n_vars = rng.i64(3..40);
    let n_clauses = n_vars * rng.i64(30..60) / 10;
    (0..n_clauses)
        .map(|_| {
            let mut vars: Vec<i64> = (1..=n_vars).collect();
            rng.shuffle(&mut vars);
            vars[..3].iter().map(|v| if rng.bool() { *v } else { -v }).collect()
        })
        .collect()
}

/// The numbers of the lines `v`, without the 0 at the end.
fn model(ran: &Ran) -> Vec<i64> {
    let lines = ran.stdout.lines().filter_map(|l| l.strip_prefix("v "));
    let mut numbers: Vec<i64> = lines.flat_map(str::split_whitespace).map(|w| w.parse().unwrap()).collect();
    assert_eq!(numbers.pop(), Some(0));
    numbers
}

#[test]
fn answers_as_in_competitions() {
    let scratch = Scratch::new();
    let formula = scratch.write("f.cnf", "c x\np cnf 2000000 3\n1 -2 0\n2 0\n-3 1000000 0\n");
    for solver in ["cdcl", "cadical"] {
        let ran = indubit!["sat", &formula, "--solver", solver].with_code(10);
        assert!(ran.stdout.contains("c checked: the model satisfies the formula\ns SATISFIABLE\nv 1 2 "));
        let model = model(&ran);
        assert!(model.len() == 4 && (model.contains(&-3) || model.contains(&1_000_000)), "{model:?}");
        let ran = indubit!["sat", &formula, "--solver", solver, "--quiet"].with_code(10);
        assert_eq!(ran.stdout, "s SATISFIABLE\n");
    }
    let formula = scratch.write("php.cnf", pigeons(4));
    let ran = indubit!["sat", &formula].with_code(20);
    assert!(ran.stdout.starts_with("c conflicts "), "{}", ran.stdout);
    let end = "c checked: every step of the refutation has been checked\ns UNSATISFIABLE\n";
    assert!(ran.stdout.ends_with(end), "{}", ran.stdout);
    let ran = indubit!["sat", &formula, "--solver", "cadical"].with_code(20);
    assert!(ran.stdout.contains("has not been checked\ns UNSATISFIABLE\n"), "{}", ran.stdout);
    assert_eq!(
        indubit!["sat", &scratch.write("e.cnf", "p cnf 0 0")].with_code(10).stdout.lines().last(),
        Some("v 0")
    );
}

#[test]
fn limits_leave_it_unknown() {
    let scratch = Scratch::new();
    let formula = scratch.write("php.cnf", pigeons(12));
    for solver in ["cdcl", "cadical"] {
        let ran = indubit!["sat", &formula, "--solver", solver, "--timeout", "300ms"].with_code(0);
        assert_eq!(ran.stdout, "c time limit\ns UNKNOWN\n");
    }
}

#[test]
fn bad_requests() {
    let scratch = Scratch::new();
    let formula = scratch.write("f.cnf", "p cnf 1 1\n1 2 0\n");
    let ran = indubit!["sat", &formula].with_code(2);
    assert!(ran.stderr.contains("f.cnf:2:3: found variable 2, expected at most 1"), "{}", ran.stderr);
    assert!(indubit!["sat", &example("fifo.aag")].with_code(2).stderr.contains("DIMACS"));
    let ran = indubit!["sat", &formula, "--solver", "cadical", "--proof", &scratch.path("p")].with_code(2);
    assert!(ran.stderr.contains("--solver cdcl"), "{}", ran.stderr);
    indubit!["sat", &formula, "--proof", &formula].with_code(2);
    indubit!["sat", &formula, "--proof", &scratch.path("no/dir")].with_code(2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_proof_that_cannot_be_written_is_an_error() {
    let scratch = Scratch::new();
    let formula = scratch.write("php.cnf", pigeons(4));
    let ran = indubit!["sat", &formula, "--proof", "/dev/full", "--quiet"].with_code(2);
    assert_eq!(ran.stdout, "s UNSATISFIABLE\n");
    assert!(ran.stderr.contains("/dev/full: cannot write this file"), "{}", ran.stderr);
}

#[test]
fn proofs_are_certified_and_wrong_ones_rejected() {
    let scratch = Scratch::new();
    let formula = scratch.write("php.cnf", pigeons(5));
    let proof = scratch.path("php.lrat");
    indubit!["sat", &formula, "--proof", &proof].with_code(20);
    let ran = indubit!["certify", &formula, &proof].with_code(0);
    assert!(
        ran.stdout.starts_with("valid: the formula is unsatisfiable\nchecked: LRAT proof: "),
        "{}",
        ran.stdout
    );
    // The contents say that it is a formula, the name does not matter.
    let nameless = scratch.write("formula", pigeons(5));
    indubit!["certify", &nameless, &proof].with_code(0);
    indubit!["sat", &scratch.write("empty", "")].with_code(2);
    let report = indubit!["certify", &formula, &proof, "--format", "json"].with_code(0).json();
    assert_eq!((&report["result"], &report["claim"]), (&"valid".into(), &"unsatisfiable".into()));

    // Each step needs its hints: without the first one of some line it is refused, or still right.
    let text = std::fs::read_to_string(&proof).unwrap();
    let mut n_rejected = 0;
    for line in text.lines().filter(|l| !l.contains('d')).step_by(text.lines().count() / 20 + 1) {
        let (clause, hints) = line.split_once(" 0 ").unwrap_or((line, ""));
        let fewer = hints.split_once(' ').map_or("0", |h| h.1);
        let wrong = scratch.write("wrong", text.replace(line, &format!("{clause} 0 {fewer}")));
        n_rejected += usize::from(indubit!["certify", &formula, &wrong, "--quiet"].code == 1);
    }
    assert!(n_rejected >= 5, "{n_rejected}");
    // Cut off before its end.
    let wrong = scratch.write("wrong", text.lines().take(3).map(|l| format!("{l}\n")).collect::<String>());
    let ran = indubit!["certify", &formula, &wrong].with_code(1);
    assert!(ran.stdout.contains("does not derive the empty clause"), "{}", ran.stdout);
    // Of another formula.
    let other = scratch.write("other.cnf", pigeons(6));
    indubit!["certify", &other, &proof].with_code(1);
    let ran = indubit!["certify", &formula, &scratch.write("rat", "500 1 0 -1 2 0\n")].with_code(2);
    assert!(ran.stderr.contains("rat:1:9: found `-1`") && ran.stderr.contains("RAT"), "{}", ran.stderr);
}

/// With `lrat-check` (of drat-trim) on the path, it confirms our proofs.
#[test]
fn an_external_checker_agrees() {
    let checker =
        |arguments: &[&std::ffi::OsStr]| std::process::Command::new("lrat-check").args(arguments).output();
    if checker(&[]).is_err() {
        return;
    }
    let scratch = Scratch::new();
    let proof = scratch.path("p.lrat");
    let mut rng = fastrand::Rng::with_seed(11);
    let mut formulas: Vec<String> = (1..7).map(pigeons).collect();
    formulas.extend((0..60).map(|_| cnf(&random(&mut rng))));
    for text in formulas {
        let formula = scratch.write("f.cnf", &text);
        if indubit!["sat", &formula, "--proof", &proof].code == 20 {
            let output = checker(&[formula.as_os_str(), proof.as_os_str()]).unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(said.contains("c VERIFIED") && !said.contains("WARNING"), "{text}\n{said}");
        }
    }
}

#[test]
fn random_formulas_by_both_solvers() {
    let scratch = Scratch::new();
    let mut rng = fastrand::Rng::with_seed(7);
    let proof = scratch.path("p.lrat");
    for _ in 0..20 {
        let clauses = random(&mut rng);
        let formula = scratch.write("f.cnf", cnf(&clauses));
        let ours = indubit!["sat", &formula, "--proof", &proof, "--seed", "3"];
        assert_eq!(indubit!["sat", &formula, "--solver", "cadical", "--quiet"].code, ours.code);
        if ours.code == 10 {
            let model = model(&ours);
            assert!(clauses.iter().all(|c| c.iter().any(|n| model.contains(n))));
        } else {
            indubit!["certify", &formula, &proof, "--quiet"].with_code(0);
        }
    }
}

#[test]
fn certificates_are_checked_without_trusting_the_solver() {
    let scratch = Scratch::new();
    let certificate = scratch.path("c.aig");
    let mut n_certified = 0;
    for model in ["fifo.aag", "alternating_bit.aig"] {
        let model = example(model);
        for engine in ["ic3", "kind"] {
            let ran = indubit![
                "check",
                &model,
                "--property",
                "0",
                "--engine",
                engine,
                "--paranoid",
                "--certificate",
                &certificate,
                "--timeout",
                "60",
                "--quiet"
            ];
            if ran.code == 0 {
                indubit!["certify", &model, &certificate, "--paranoid"].with_code(0);
                n_certified += 1;
            }
        }
    }
    assert!(n_certified >= 2, "{n_certified}");
    // A circuit that proves nothing is still rejected.
    let model = scratch.write("m.aag", crate::common::MIXED);
    let wrong = scratch.write("wrong.aag", "aag 1 0 1 0 0 1\n2 3\n2\n");
    indubit!["certify", &model, &wrong, "--paranoid"].with_code(1);
}
