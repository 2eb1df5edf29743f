//! Formulas of temporal logic from outside: evidence in files, other formats, and what is said of mistakes.

use crate::common::Scratch;

/// A latch that is 0 and 1 in turn, and an input.
const TOGGLE: &str = "aag 2 1 1 0 0\n2\n4 5\ni0 go\nl0 high\n";

const COUNTER: &str = "MODULE main
VAR x : 0..3; go : boolean; st : {idle, busy};
ASSIGN init(x) := 0; init(st) := idle;
next(x) := case go & x < 3 : x + 1; TRUE : x; esac;
next(st) := case st = idle : {idle, busy}; TRUE : busy; esac;
LTLSPEC G (st = busy -> X st = busy);
LTLSPEC F x = 3;
";

#[test]
fn evidence_about_a_formula_over_bits() {
    let scratch = Scratch::new();
    let model = scratch.write("toggle.aag", TOGGLE);
    // A run that violates it, judged by the formula.
    let run = scratch.path("run.wit");
    indubit!["check", &model, "--ltl", "F G high", "--witness", &run].with_code(10);
    let ran = indubit!["certify", &model, &run, "--ltl", "F G high"].with_code(0);
    assert!(ran.stdout.contains("F G high is violated by a run that repeats from step"), "{}", ran.stdout);
    indubit!["certify", &model, &run, "--ltl", "G F high"].with_code(1);
    // The file of an invariant names the command that checks it.
    let invariant = scratch.path("inv.txt");
    let formula = "G (high -> X !high)";
    indubit!["check", &model, "--ltl", formula, "--engine", "ic3", "--invariant", &invariant].with_code(0);
    let text = std::fs::read_to_string(&invariant).unwrap();
    assert!(text.contains("certify") && text.contains(&format!("--ltl '{formula}'")), "{text}");
    let ran = indubit!["certify", &model, &invariant, "--ltl", formula].with_code(0);
    assert!(ran.stdout.contains(&format!("{formula} holds")), "{}", ran.stdout);
    indubit!["certify", &model, &invariant, "--ltl", "G !high"].with_code(2);
    // Certificates are about the product.
    let certificate = scratch.path("proof.aag");
    for formula in [formula, "G F high"] {
        indubit!["check", &model, "--ltl", formula, "--certificate", &certificate].with_code(0);
        indubit!["certify", &model, &certificate, "--ltl", formula].with_code(0);
    }
}

#[test]
fn evidence_about_a_formula_over_words() {
    let scratch = Scratch::new();
    let model = scratch.write("counter.smv", COUNTER);
    let (run, invariant) = (scratch.path("run.txt"), scratch.path("inv.txt"));
    indubit!["check", &model, "--property", "ltl1", "--witness", &run].with_code(10);
    let ran = indubit!["certify", &model, &run].with_code(0);
    assert!(ran.stdout.contains("F x = 3 is violated by a run that repeats from step"), "{}", ran.stdout);
    indubit!["check", &model, "--property", "ltl0", "--engine", "ic3", "--invariant", &invariant]
        .with_code(0);
    let ran = indubit!["certify", &model, &invariant, "--property", "ltl0"].with_code(0);
    assert!(ran.stdout.contains(" holds"), "{}", ran.stdout);
}

/// Over numbers no run may repeat: a finite one is evidence where all runs go on for ever.
#[test]
fn evidence_that_is_a_finite_run() {
    let scratch = Scratch::new();
    let text = "MODULE main\nVAR x : integer;\nASSIGN init(x) := 0; next(x) := x + 1;\nLTLSPEC G x < 3\n";
    let (model, run) = (scratch.write("grows.smv", text), scratch.path("run.txt"));
    let ran = indubit!["check", &model, "--witness", &run].with_code(10);
    assert!(ran.stdout.contains("is violated in step 3 by every run that begins so\n"), "{}", ran.stdout);
    let ran = indubit!["check", &model, "--format", "json"].with_code(10);
    assert!(ran.stdout.contains("and a step from every state"), "{}", ran.stdout);
    let ran = indubit!["certify", &model, &run].with_code(0);
    let told = "G x < 3 is violated in step 3 by every run that begins so\n";
    assert!(ran.stdout.contains(told), "{}", ran.stdout);
    // It says nothing where a run ends, or has to be fair.
    for rest in ["TRANS x < 9\n", "FAIRNESS x = 1\n"] {
        let other = scratch.write("other.smv", format!("{text}{rest}"));
        indubit!["check", &other, "--engine", "bmc", "--bound", "5"].with_code(30);
        let ran = indubit!["certify", &other, &run];
        assert_ne!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    }
    // It is too short.
    let short = "(violated |G x < 3| 1)\n(state 0 (x 0))\n(state 1 (x 1))\n";
    indubit!["certify", &model, &scratch.write("short.txt", short)].with_code(1);
}

/// A solver that is asked about proofs is asked about the product.
#[test]
fn another_solver_is_asked_about_the_product() {
    let scratch = Scratch::new();
    let model = scratch.write("counter.smv", COUNTER);
    let ran = indubit!["check", &model, "--property", "ltl0"].with_code(0);
    assert!(!ran.stderr.contains("internal error"), "{}", ran.stderr);
}

#[test]
fn other_formats_have_the_formula() {
    let scratch = Scratch::new();
    let model = scratch.write("toggle.aag", TOGGLE);
    for (format, said) in
        [("m.smv", "LTLSPEC NAME \"F G high\" := F (G (high));"), ("m.vmt", ":live-property")]
    {
        let written = scratch.path(format);
        indubit!["convert", &model, &written, "--ltl", "F G high"].with_code(0);
        let text = std::fs::read_to_string(&written).unwrap();
        assert!(text.contains(said), "{text}");
        let ran = indubit!["check", &written].with_code(10);
        assert!(ran.stdout.contains("fails"), "{}", ran.stdout);
    }
    // A sort that SMV does not have is named.
    let wide = scratch.write("wide.btor2", "1 sort bitvec 5000\n2 state 1 big\n3 redor 1 2\n");
    let ran = indubit!["convert", &wide, &scratch.path("wide.smv")].with_code(2);
    assert!(!ran.stderr.is_empty());
    let wide = scratch
        .write("wide.btor2", "1 sort bitvec 5000\n2 state 1 big\n3 sort bitvec 1\n4 redor 3 2\n5 bad 4\n");
    let ran = indubit!["convert", &wide, &scratch.path("wide.smv")].with_code(2);
    assert!(ran.stderr.contains("`big` is a word of 5000 bits"), "{}", ran.stderr);
}

#[test]
fn mistakes_are_told_by_their_column_in_the_formula() {
    let scratch = Scratch::new();
    let model = scratch.write("counter.smv", COUNTER);
    let ran = indubit!["check", &model, "--ltl", "G (x = 1 -> F y = 3)"].with_code(2);
    assert!(ran.stderr.contains("column 15: found `y`"), "{}", ran.stderr);
    let model = scratch.write("toggle.aag", TOGGLE);
    let ran = indubit!["check", &model, "--ltl", "G (high -> F low)"].with_code(2);
    assert!(ran.stderr.contains("column 14"), "{}", ran.stderr);
}

#[test]
fn states_without_successor_are_pointed_out() {
    let scratch = Scratch::new();
    let text = "MODULE main\nVAR x : 0..3; st : {idle, busy};\nASSIGN init(x) := 0; init(st) := idle;\nTRANS x < 3;\nTRANS st = busy -> next(st) = busy & next(x) > x;\nINVARSPEC x <= 3;\n";
    let ran = indubit!["check", &scratch.write("stuck.smv", text)].with_code(0);
    assert!(
        ran.stderr
            .contains("the steps are not total: in step 1 a run is in a state without successor, x = 3"),
        "{}",
        ran.stderr
    );
    let ran = indubit!["check", &scratch.write("counter.smv", COUNTER)].with_code(10);
    assert!(!ran.stderr.contains("not total"), "{}", ran.stderr);
}

#[test]
fn waveforms_have_no_atoms_of_formulas() {
    let scratch = Scratch::new();
    let (model, waves) = (scratch.write("toggle.aag", TOGGLE), scratch.path("run.vcd"));
    indubit!["check", &model, "--ltl", "F G high", "--vcd", &waves].with_code(10);
    let text = std::fs::read_to_string(&waves).unwrap();
    assert!(text.contains("high") && !text.contains("F_G_high") && !text.contains("F G high"), "{text}");
}
