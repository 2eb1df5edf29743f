//! `indubit interpolate` from outside.

use crate::common::Scratch;
use std::path::PathBuf;

/// x1, x1 -> x2; x2 -> x3 or x4; not x3, not x4 unless x9.
fn chain(scratch: &Scratch) -> [PathBuf; 3] {
    [
        scratch.write("a.cnf", "c first\np cnf 9 2\n1 0\n-1 2 0\n"),
        scratch.write("b.cnf", "-2 3 4 0\n"),
        scratch.write("c.cnf", "-3 0 -4 9 0 -9 0\n%\n0\n"),
    ]
}

/// `n` pigeons in `n - 1` holes: each is somewhere; no two are at the same place.
fn pigeons(n: usize) -> [String; 2] {
    let at = |p: usize, h: usize| p * (n - 1) + h + 1;
    let somewhere = (0..n).map(|p| (0..n - 1).map(|h| format!("{} ", at(p, h))).collect::<String>() + "0\n");
    let mut alone = String::new();
    for p in 0..n {
        for (q, h) in (0..p).flat_map(|q| (0..n - 1).map(move |h| (q, h))) {
            alone += &format!("-{} -{} 0\n", at(p, h), at(q, h));
        }
    }
    [somewhere.collect(), alone]
}

#[test]
fn an_interpolant_of_two_formulas() {
    let scratch = Scratch::new();
    let [a, b, c] = chain(&scratch);
    let bc = [&b, &c].map(|p| std::fs::read_to_string(p).unwrap().replace("%\n0\n", "")).concat();
    let bc = scratch.write("bc.cnf", bc);
    for system in ["mcmillan", "pudlak", "inverse-mcmillan"] {
        let ran = indubit!["interpolate", &a, &bc, "--system", system, "--quiet"].with_code(0);
        assert_eq!(ran.stdout, "I = x2\n");
    }
    let ran = indubit!["interpolate", &a, &bc].with_code(0);
    assert_eq!(
        ran.stdout,
        format!(
            "A = {}: 2 clauses\nB = {}: 4 clauses\n\
             interpolant by McMillan's system: 0 gates over 1 of 1 variable that is shared\n  I = x2\n\
             checked with another solver: A -> I, I & B is unsatisfiable, and A and B share the variables of I\n",
            a.display(),
            bc.display(),
        )
    );
    let ran = indubit!["interpolate", &a, &bc, "--output", "-"].with_code(0);
    assert!(ran.stdout.starts_with("aag 1 1 0 1 0\n2\n2\ni0 x2\no0 I\n"), "{}", ran.stdout);
    assert!(ran.stderr.contains("I = x2"), "{}", ran.stderr);
    // Nothing is shared: one of them is unsatisfiable by itself.
    let alone = scratch.write("alone.cnf", "7 0 -7 0");
    assert_eq!(indubit!["interpolate", &a, &alone, "-q"].with_code(0).stdout, "I = true\n");
    assert_eq!(indubit!["interpolate", &alone, &a, "-q"].with_code(0).stdout, "I = false\n");
}

#[test]
fn a_sequence_of_several() {
    let scratch = Scratch::new();
    let [a, b, c] = chain(&scratch);
    let circuit = scratch.path("i.aag");
    let ran = indubit!["interpolate", &a, &b, &c, "--output", &circuit].with_code(0);
    assert!(
        ran.stdout.contains("\n  I1 = x2\n  I2 = x3 | x4\nchecked with another solver"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.ends_with(&format!("circuit written to {}\n", circuit.display())), "{}", ran.stdout);
    let model = indubit::formats::aiger::read(&circuit).unwrap();
    let names: Vec<String> = (0..3).map(|i| model.input_label(i)).collect();
    assert_eq!((names, model.outputs.len()), (["x2", "x3", "x4"].map(String::from).to_vec(), 2));
    let value = |inputs: [bool; 3], output: usize| {
        let lit = model.outputs[output].lit;
        model.evaluate(&[], &inputs)[lit.var().index()] ^ lit.is_negated()
    };
    assert!(value([true, false, false], 0) && !value([true, false, false], 1));
    assert!(value([false, false, true], 1) && !value([false, false, true], 0));
    let report = indubit!["interpolate", &a, &b, &c, "--format", "json"].with_code(0).json();
    assert_eq!(report["interpolants"], serde_json::json!(["x2", "x3 | x4"]));
    assert_eq!((&report["result"], &report["exit_code"]), (&"interpolants".into(), &0.into()));
}

#[test]
fn a_common_model() {
    let scratch = Scratch::new();
    let [a, b, _] = chain(&scratch);
    // Variables without a use need no memory.
    let far = scratch.write("far.cnf", "-3 0 1000000000 0");
    let ran = indubit!["interpolate", &a, &b, &far, "--memory", "500"].with_code(10);
    let expected = "satisfiable: the formulas have a common model, so there is no interpolant\n\
                    v 1 2 -3 4 1000000000 0\n";
    assert_eq!(ran.stdout, expected);
    let report = indubit!["interpolate", &a, &b, &far, "--format", "json"].with_code(10).json();
    assert_eq!((&report["result"], &report["model"][2]), (&"satisfiable".into(), &(-3).into()));
    let empty = scratch.write("empty.cnf", "p cnf 0 0");
    assert_eq!(indubit!["interpolate", &empty, &empty, "-q"].with_code(10).stdout, "v 0\n");
}

#[test]
fn long_formulas_are_cut_unless_all_is_wanted() {
    let scratch = Scratch::new();
    let [a, b] = pigeons(6);
    let half = b.lines().count() / 2;
    let (more, rest) = b.lines().partition::<Vec<&str>, _>(|l| b.lines().take(half).any(|m| m == *l));
    let a = scratch.write("a.cnf", a + &more.join("\n"));
    let b = scratch.write("b.cnf", rest.join("\n"));
    let ran = indubit!["interpolate", &a, &b].with_code(0);
    assert!(ran.stdout.contains("… more definitions\n  (--verbose shows all)\n"), "{}", ran.stdout);
    assert!(ran.stdout.lines().count() < 40, "{}", ran.stdout);
    let full = indubit!["interpolate", &a, &b, "--verbose"].with_code(0);
    assert!(!full.stdout.contains('…') && full.stdout.len() > ran.stdout.len());
}

#[test]
fn bad_input_and_limits() {
    let scratch = Scratch::new();
    let [a, b, _] = chain(&scratch);
    let ran = indubit!["interpolate", &a, &scratch.path("none.cnf")].with_code(2);
    assert!(ran.stderr.contains("there is no such file") && !ran.stderr.contains("hint"), "{}", ran.stderr);
    let bad = scratch.write("bad.cnf", "p cnf 2 1\n1 3 0\n");
    let ran = indubit!["interpolate", &a, &bad].with_code(2);
    assert!(ran.stderr.contains("bad.cnf:2:3: found variable 3"), "{}", ran.stderr);
    assert!(ran.stderr.contains("hint: formulas are in DIMACS CNF"), "{}", ran.stderr);
    let ran = indubit!["interpolate", &a, &b, "--output", &scratch.path("i.txt")].with_code(2);
    assert!(ran.stderr.contains("the extension does not say which format"), "{}", ran.stderr);
    let missing = scratch.path("nowhere/i.aag");
    let ran = indubit!["interpolate", &a, &b, "--output", &missing].with_code(2);
    assert!(ran.stderr.contains("the directory does not exist"), "{}", ran.stderr);
    indubit!["interpolate", &a].with_code(2);
    let [a, b] = pigeons(14).map(|text| scratch.write(&format!("{}.cnf", text.len()), text));
    let ran = indubit!["interpolate", &a, &b, "--timeout", "0.3"].with_code(30);
    assert_eq!(ran.stdout, "unknown: no interpolant yet (time limit)\n");
    let ran = indubit!["interpolate", &a, &b, "--memory", "1", "--format", "json"].with_code(30);
    assert_eq!(ran.json()["stop"], "memory limit");
}
