//! The commands of NuSMV and nuXmv, and temporal logic, from outside.

use crate::common::{Scratch, example};
use std::path::PathBuf;

fn smv(name: &str) -> PathBuf {
    example("smv").join(name)
}

#[test]
fn the_lines_of_lectures_run_as_printed() {
    let scratch = Scratch::new();
    let script = scratch.write("script", "go_msat\ncheck_invar_ic3\ncheck_ltlspec_ic3; show_property\n");
    for program in ["program1.smv", "program2.smv"] {
        let ran = indubit!["nuxmv", "-source", &script, &smv(program)].with_code(0);
        assert!(ran.stdout.starts_with("-- invariant y_positive  is true\n"), "{}", ran.stdout);
        assert!(ran.stdout.contains("[Invar          True "), "{}", ran.stdout);
    }
}

#[test]
fn traces_tell_what_changes() {
    let ran = indubit!["nuxmv", &smv("counter.smv")].with_code(0);
    assert!(ran.stdout.contains("-- invariant never_nine  is false\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  -> State: 1.10 <-\n    count = 9\n"), "{}", ran.stdout);
    let ran = indubit!["nuxmv", "-dcx", &smv("counter.smv")].with_code(0);
    assert!(ran.stdout.contains("is false\n") && !ran.stdout.contains("State"), "{}", ran.stdout);
    let scratch = Scratch::new();
    let text = "check_ltlspec -p \"G F count = 9\" ; show_traces\nsimulate -k 2 -v\n";
    let ran = indubit!["nuxmv", "-source", &scratch.write("s", text), &smv("counter.smv")].with_code(0);
    assert!(ran.stdout.contains("-- specification G F count = 9  is false\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  -- Loop starts here\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Trace Type: Simulation"), "{}", ran.stdout);
}

#[test]
fn what_is_wrong_is_said() {
    let scratch = Scratch::new();
    let ran = indubit!["nuxmv", "-source", &scratch.write("s", "chek_invar; go -z\necho on\n")].with_code(2);
    assert!(ran.stderr.contains("did you mean check_invar?"), "{}", ran.stderr);
    assert!(ran.stderr.contains("go: there is no option -z"), "{}", ran.stderr);
    assert_eq!(ran.stdout, "on\n");
    let quits = scratch.write("q", "set on_failure_script_quits\ngo\necho on\n");
    let ran = indubit!["nuxmv", "-source", &quits].with_code(2);
    assert!(ran.stderr.contains("there is no model yet") && ran.stdout.is_empty(), "{}", ran.stderr);
}

#[test]
fn formulas_of_temporal_logic() {
    let fair = example("arbiter_fair.aag");
    let served = "G (waits[0] -> F owner[0])";
    let ran = indubit!["check", &fair, "--ltl", served, "--ltl", "G !(owner[0] & owner[1])", "--quiet"]
        .with_code(0);
    assert_eq!(ran.stdout, format!("holds {served}\nholds G !(owner[0] & owner[1])\n"));
    let starving = example("arbiter_starving.aag");
    let ran = indubit!["check", &starving, "--ltl", "G F owner[2]", "--format", "json"].with_code(10);
    let value: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(value["properties"][0]["claim"], "ltl", "{}", ran.stdout);
    let ran = indubit!["check", &fair, "--ltl", "G ("].with_code(2);
    assert!(ran.stderr.contains("expected a formula"), "{}", ran.stderr);
    // The certificate is about what convert writes.
    let scratch = Scratch::new();
    let (product, certificate) = (scratch.path("product.aag"), scratch.path("certificate.aag"));
    let formula = ["--ltl", "G !(owner[0] & owner[1])"];
    indubit!["check", &fair, formula[0], formula[1], "--engine", "ic3", "--certificate", &certificate]
        .with_code(0);
    indubit!["convert", &fair, &product, formula[0], formula[1]].with_code(0);
    indubit!["certify", &product, &certificate].with_code(0);
}

/// Formulas that are added have numbers of their own: none is taken for another.
#[test]
fn formulas_of_the_file_and_others() {
    let scratch = Scratch::new();
    let text = "MODULE main\nVAR b : boolean;\nASSIGN init(b) := FALSE; next(b) := !b;\nINVARSPEC TRUE;\nLTLSPEC F G b;\n";
    let model = scratch.write("toggle.smv", text);
    let ran = indubit!["check", &model, "--ltl", "G F b", "--quiet"].with_code(0);
    assert_eq!(ran.stdout, "holds G F b\n");
    let script = scratch.write("s", "check_ltlspec -p \"G F b\"\ncheck_ltlspec\n");
    let ran = indubit!["nuxmv", "-dcx", "-source", &script, &model].with_code(0);
    let verdicts: Vec<bool> = ran.stdout.lines().map(|line| line.ends_with("is true")).collect();
    assert_eq!(verdicts, [true, false, true], "{}", ran.stdout);
    let ran = indubit!["convert", &model, &scratch.path("m.smt2"), "--ltl", "G F b"].with_code(2);
    assert!(ran.stderr.contains("which CHC does not have"), "{}", ran.stderr);
    let fair = scratch.write("fair.smv", format!("{text}COMPASSION (TRUE, b);\n"));
    let ran = indubit!["check", &fair, "--ltl", "F b"].with_code(2);
    assert!(ran.stderr.contains("COMPASSION"), "{}", ran.stderr);
}
