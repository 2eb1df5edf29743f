//! Models in SMV from outside: what is said of them is in their own words.

use crate::common::{Scratch, example};

#[test]
fn symbols_and_instances_come_back_in_traces() {
    let ran = indubit!["check", &example("smv/ferryman.smv"), "--smt", "none"].with_code(10);
    for text in [
        "\nunsafe      impossible (p0), line 27  (",
        "\n    state    man = here  w = here  g = here  c = here\n    inputs   takes = goat\n",
        "\n  step 7: impossible\n    state    man = there  g = there\n",
    ] {
        assert!(ran.stdout.contains(text), "{text:?} is missing:\n{}", ran.stdout);
    }
    let ran = indubit!["check", &example("smv/mutex.smv"), "--property", "nobody", "--format", "json"]
        .with_code(10);
    let first = ran.json()["properties"][0]["evidence"]["steps"][0].to_string();
    assert!(first.contains("\"idle\"") && first.contains("\"left\"") && !first.contains("#b"), "{first}");
}

#[test]
fn invariants_are_lemmas_that_are_read_again() {
    let scratch = Scratch::new();
    let (model, file) = (example("smv/mutex.smv"), scratch.path("invariant.txt"));
    indubit!["check", &model, "--property", "exclusion", "--invariant", &file, "--smt", "none"].with_code(0);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("a.place") && !text.contains("#b") && !text.contains("--"), "{text}");
    let ran = indubit!["prove", &model, "--property", "exclusion", "--lemmas", &file].with_code(0);
    assert!(ran.stdout.contains("safe        exclusion (p0)"), "{}", ran.stdout);
}

#[test]
fn what_is_not_decided_says_so() {
    let scratch = Scratch::new();
    let model = scratch.write("model.smv", "MODULE main VAR b : boolean; SPEC AG EF b INVARSPEC b = b");
    let ran = indubit!["check", &model].with_code(30);
    assert!(ran.stdout.contains("unsupported AG EF b (ctl0)"), "{}", ran.stdout);
    assert!(ran.stdout.contains("safe        b = b (p1)"), "{}", ran.stdout);
}

#[test]
fn mistakes_have_a_place() {
    let scratch = Scratch::new();
    let model = scratch.write("model.smv", "MODULE main\nVAR state : {idle, busy};\nINIT state = idel\n");
    let ran = indubit!["check", &model].with_code(2);
    assert!(ran.stderr.contains("model.smv:3:14: found `idel`, which is not declared"), "{}", ran.stderr);
    assert!(ran.stderr.contains("did you mean `idle`?"), "{}", ran.stderr);
}

/// Where no step is possible, it is the ranges of variables that say what there is to decide.
#[test]
fn a_model_without_steps() {
    let scratch = Scratch::new();
    let text = "MODULE main\nVAR b : boolean; x : 0..1; s : {idle, busy, done};\nASSIGN next(b) := !b;\nTRANS x < 0;\nINVARSPEC x >= 0;\nLTLSPEC G b;\nLTLSPEC G (b | TRUE);\n";
    let ran = indubit!["check", &scratch.write("stuck.smv", text)].with_code(0);
    assert!(!ran.stderr.contains("internal error"), "{}", ran.stderr);
}
