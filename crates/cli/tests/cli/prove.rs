//! `indubit prove`, the engine `induction`, and lemmas in files.

use crate::common::{MIXED, Scratch, counter, example};

/// The first program: the property alone is not inductive, a lemma is, and the property is relative to it.
#[test]
fn an_incremental_proof() {
    let model = example("program1.aag");
    let ran = indubit!["check", &model, "--engine", "induction"].with_code(30);
    assert!(ran.stdout.contains("no counterexample up to 1 step; the property is not inductive\n"));
    assert!(
        ran.stdout
            .contains("counterexample to induction: a step from a good state to a bad one. This is no bug")
    );
    assert!(
        ran.stdout.contains("\n    step 0\n      latches  x[7:0] = ")
            && ran.stdout.contains("step 1: y_below_one\n")
    );
    let ran = indubit!["prove", &model, "--lemmas", &example("program1.lemmas")].with_code(0);
    assert!(ran.stdout.contains("program1.lemmas: 2 lemmas, 2 proved\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("1  x_natural: x >= 0\n   proved: inductive by itself\n"));
    assert!(ran.stdout.contains("2  y_positive: y >= 1\n   proved: inductive relative to lemma 1\n"));
    assert!(ran.stdout.contains("safe        y_below_one (b0)  (prove, "));
    assert!(
        ran.stdout.contains(
            "  not inductive by itself, but inductive relative to lemma 1\n  inductive invariant ("
        )
    );
    assert!(ran.stdout.contains("checked: 1 proof by SAT against "));
}

/// The second program: neither lemma is inductive by itself, and together they are.
#[test]
fn lemmas_that_are_inductive_only_together() {
    let scratch = Scratch::new();
    let model = example("program2.aag");
    let ran = indubit!["prove", &model, "--lemmas", &example("program2.lemmas")].with_code(0);
    assert!(
        ran.stdout.contains("x >= 0\n   proved: not inductive by itself, but together with lemma 2\n"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("y >= 1\n   proved: not inductive by itself, but together with lemma 1\n"));
    assert!(!ran.stdout.contains("step 0"));
    let ran = indubit!["prove", &model, "--lemmas", &example("program2.lemmas"), "--verbose"].with_code(0);
    assert!(ran.stdout.contains("step 1: lemma 2 would be false\n"));
    // One alone, and the property takes the place of the other.
    let one = scratch.write("one.lemmas", "signed(x) >= 0");
    let certificate = scratch.path("c.aag");
    let ran = indubit!["prove", &model, "--lemmas", &one, "--certificate", &certificate].with_code(0);
    assert!(ran.stdout.contains("1 lemma, 0 proved\n1  signed(x) >= 0\n   not inductive: a step breaks it"));
    assert!(
        ran.stdout.contains("\n  not inductive by itself, but together with lemma 1\n"),
        "{}",
        ran.stdout
    );
    indubit!["certify", &model, &certificate].with_code(0);
}

#[test]
fn what_lemmas_do_not_prove() {
    let scratch = Scratch::new();
    let model = example("program1.aag");
    let lemmas =
        scratch.write("l", "signed(x) <= 2\nx >= 0\nsigned(y) = signed(x)\nsigned(x) != 0 -- odd\nx = y");
    let ran = indubit!["prove", &model, "--lemmas", &lemmas].with_code(30);
    let says = |text: &str| assert!(ran.stdout.contains(text), "{text}\n{}", ran.stdout);
    says(
        "1  signed(x) <= 2\n   not inductive: a step breaks it, from a state in which it holds and all that is proved\n",
    );
    says("step 1: lemma 1 is false\n");
    says("2  x >= 0\n   says nothing: it holds in every state (numbers are unsigned");
    says("5 lemmas, 0 proved\n");
    says("unknown     y_below_one (b0)");
    says("the property is not inductive relative to the lemmas\n  counterexample to induction");
    says("next: try a lemma that excludes the state of step 0, or `indubit check`");
    let lemmas = scratch.write("l", "never: x = 7");
    let ran = indubit!["prove", &model, "--lemmas", &lemmas].with_code(30);
    assert!(
        ran.stdout.contains(
            "   not an invariant: it is false in an initial state\n     step 0: lemma 1 is false\n"
        )
    );
    // Nothing at all is the inductive check.
    let nothing = scratch.write("l", "# nothing\n\n");
    let ran = indubit!["prove", &model, "--lemmas", &nothing].with_code(30);
    assert!(ran.stdout.contains(": 0 lemmas, 0 proved\n"));
    indubit!["prove", &example("saturating_counter.aag"), "--property", "0", "--lemmas", &nothing]
        .with_code(0);
}

#[test]
fn violations_of_one_step_are_found_on_the_way() {
    let scratch = Scratch::new();
    let nothing = scratch.write("l", "");
    let ran = indubit!["prove", &example("microwave.aag"), "--lemmas", &nothing].with_code(10);
    assert!(
        ran.stdout.contains("unsafe      heats (o1)  (prove, ")
            && ran.stdout.contains("is violated in step 1")
    );
    let model = scratch.write("m.aag", MIXED);
    let ran = indubit!["prove", &model, "--lemmas", &nothing, "--quiet"].with_code(10);
    assert_eq!(ran.stdout, "safe never\nunsafe raised\nunknown often\n");
    let ran = indubit!["check", &model, "--engine", "induction", "--quiet"].with_code(10);
    assert_eq!(ran.stdout, "safe never\nunsafe raised\nunknown often\n");
}

#[test]
fn json_has_lemmas_and_counterexamples_to_induction() {
    let model = example("program1.aag");
    let report = indubit!["check", &model, "--engine", "induction", "--format", "json"].with_code(30).json();
    let property = &report["properties"][0];
    assert_eq!((&property["stop"], &property["safe_up_to"]), (&"incomplete".into(), &1.into()));
    assert_eq!(property["message"], "the property is not inductive");
    let moments = property["cti"].as_array().unwrap();
    assert_eq!((moments.len(), &moments[0]["states"][0]["name"]), (2, &"x[7:0]".into()));
    assert_eq!(moments[1]["states"][1]["value"].as_str().unwrap().len(), 8);
    let lemmas = example("program2.lemmas");
    let report = indubit!["prove", &example("program2.aag"), "--lemmas", &lemmas, "--format", "json"]
        .with_code(0)
        .json();
    assert_eq!((&report["format"], &report["engine"]), (&"indubit.prove".into(), &"prove".into()));
    let second = &report["lemmas"][1];
    assert_eq!(
        (&second["name"], &second["text"], &second["line"]),
        (&"y_positive".into(), &"y >= 1".into(), &6.into())
    );
    assert_eq!((&second["standing"], &second["together_with"]), (&"proved".into(), &serde_json::json!([1])));
    let property = &report["properties"][0];
    assert_eq!((&property["verdict"], &property["cti"]), (&"safe".into(), &serde_json::Value::Null));
    assert_eq!(property["lemmas"]["relative_to"], serde_json::json!([1]));
}

#[test]
fn mistakes_in_lemmas_have_a_place() {
    let scratch = Scratch::new();
    let model = example("program1.aag");
    let lemmas = scratch.write("l", "x > 0\ny >= z\n");
    let ran = indubit!["prove", &model, "--lemmas", &lemmas].with_code(2);
    assert!(ran.stdout.is_empty());
    assert!(
        ran.stderr.contains("/l:2:6: found `z`, expected the name of a signal or a definition"),
        "{}",
        ran.stderr
    );
    let lemmas = scratch.write("l", b"x > \xff\xfe");
    let ran = indubit!["prove", &model, "--lemmas", &lemmas].with_code(2);
    assert!(ran.stderr.contains("/l:1:5: found "), "{}", ran.stderr);
    indubit!["prove", &model, "--lemmas", &scratch.path("absent")].with_code(2);
    indubit!["prove", &model].with_code(2);
    let ran = indubit!["prove", "-", "--lemmas", "-"].with_code(2);
    assert!(ran.stderr.contains("cannot both come from standard input"), "{}", ran.stderr);
    let same = indubit!["prove", &model, "--lemmas", &lemmas, "--certificate", &lemmas].with_code(2);
    assert!(same.stderr.contains("it is read in the same run"), "{}", same.stderr);
}

/// What an engine proves can be written, read, and proved again.
#[test]
fn invariants_are_lemmas() {
    let scratch = Scratch::new();
    for model in
        ["peterson.aag", "fifo.aag", "arbiter.aag", "reset_function.aag", "lfsr.aag", "alternating_bit.aig"]
    {
        let model = example(model);
        let file = scratch.path("inv.lemmas");
        let report = indubit!["check", &model, "--invariant", &file, "--format", "json"].json();
        for property in report["properties"].as_array().unwrap() {
            let Some(file) = property["files"]["invariant"].as_str() else {
                assert_ne!(property["verdict"], "safe");
                continue;
            };
            let id = property["id"].as_str().unwrap();
            let ran = indubit!["prove", &model, "--lemmas", file, "--property", id, "--quiet"].with_code(0);
            assert!(ran.stdout.starts_with("safe "), "{}", ran.stdout);
            std::fs::remove_file(file).unwrap();
        }
    }
    let model = example("two_bit.aag");
    let ran = indubit!["check", &model, "--engine", "ic3", "--invariant", "-", "--quiet"].with_code(0);
    assert!(
        ran.stdout.contains("# Why both (b0) of ") && ran.stdout.contains(" --property b0 --lemmas THIS\n")
    );
    let ran = indubit!["check", &model, "--engine", "kind", "--invariant", "-"].with_code(2);
    assert!(ran.stderr.contains("hint: --engine ic3 finds one"), "{}", ran.stderr);
}

#[test]
fn a_limit_leaves_lemmas_unknown() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aig", counter(8));
    let lemmas = scratch.write("l", "count < 255");
    let ran = indubit!["prove", &model, "--lemmas", &lemmas, "--timeout", "0"].with_code(30);
    assert!(ran.stdout.contains("unknown"), "{}", ran.stdout);
}

/// The programs over integers, with the lemmas of those over bits.
#[test]
fn the_same_story_over_integers() {
    let scratch = Scratch::new();
    let prove = |model: &str, lemmas: &std::path::Path| {
        indubit!["prove", &example(model), "--lemmas", lemmas, "--smt", "none"]
    };
    let ran = prove("program1.vmt", &example("program1.lemmas")).with_code(0);
    let says =
        |ran: &crate::common::Ran, text: &str| assert!(ran.stdout.contains(text), "{text}\n{}", ran.stdout);
    says(&ran, "1  x_natural: x >= 0\n   proved: inductive by itself\n");
    says(&ran, "2  y_positive: y >= 1\n   proved: inductive relative to lemma 1\n");
    says(&ran, "safe        y_positive (p0), line 21  (prove, ");
    says(&ran, "  not inductive by itself, but inductive relative to lemma 1\n");
    says(&ran, "checked: 1 proof by SMT against ");
    let ran = prove("program2.vmt", &example("program2.lemmas")).with_code(0);
    says(&ran, "x >= 0\n   proved: not inductive by itself, but together with lemma 2\n");
    says(&ran, "y >= 1\n   proved: not inductive by itself, but together with lemma 1\n");
    let lemmas = scratch.write("l", "small: x <= 2\nx = 7\nx + 1 > x\n");
    let ran = prove("program1.vmt", &lemmas).with_code(30);
    says(
        &ran,
        "   not inductive: a step breaks it, from a state in which it holds and all that is proved\n     step 0\n       state    x = 2",
    );
    says(&ran, "step 1: lemma 1 is false\n       state    x = 3");
    says(
        &ran,
        "   not an invariant: it is false in an initial state\n     step 0: lemma 2 is false\n       state    x = 1  y = 1\n",
    );
    says(&ran, "3  x + 1 > x\n   says nothing: it holds in every state\n");
    says(&ran, "the property is not inductive relative to the lemmas\n  counterexample to induction");
    says(&ran, "step 1: y_positive is false\n");
    let report = indubit!["prove", &example("program1.vmt"), "--lemmas", &lemmas, "--format", "json"]
        .with_code(30)
        .json();
    let moments = report["properties"][0]["cti"].as_array().unwrap();
    assert_eq!((moments.len(), &moments[0]["states"][0]["name"]), (2, &"x".into()));
    assert_eq!(report["lemmas"][1]["cti"][0]["states"][0]["value"], "1");
    assert_eq!(report["lemmas"][0]["standing"], "not-inductive");
    let ran = prove("program1.vmt", &scratch.write("l", "y >= z")).with_code(2);
    assert!(ran.stderr.contains("/l:1:6: found `z`"), "{}", ran.stderr);
    let ran = prove("program1.vmt", &scratch.write("l", "x * y >= 0")).with_code(2);
    assert!(ran.stderr.contains("/l:1: `x * y >= 0`: (* x y) is"), "{}", ran.stderr);
    assert!(ran.stderr.contains("--smt z3"), "{}", ran.stderr);
}

/// What engines for words prove can be written, as SMT-LIB or as it is printed, read, and proved again.
#[test]
fn invariants_over_words_are_lemmas() {
    let scratch = Scratch::new();
    for model in [
        "program1.vmt",
        "program2.vmt",
        "sums.vmt",
        "bakery.vmt",
        "train_gate.vmt",
        "buffer.vmt",
        "counter.smt2",
    ] {
        let model = example(model);
        let file = scratch.path("inv.smt2");
        let report = indubit!["check", &model, "--invariant", &file, "--format", "json"].with_code(0).json();
        for property in report["properties"].as_array().unwrap() {
            let text = property["evidence"]["invariant"].as_array().unwrap();
            let lines: Vec<&str> = text.iter().map(|line| line.as_str().unwrap()).collect();
            let printed = scratch.write("inv.lemmas", lines.join("\n"));
            let written = property["files"]["invariant"].as_str().unwrap();
            let id = property["id"].as_str().unwrap();
            for lemmas in [printed.to_str().unwrap(), written] {
                let ran =
                    indubit!["prove", &model, "--lemmas", lemmas, "--property", id, "--quiet"].with_code(0);
                assert!(ran.stdout.starts_with("safe "), "{}", ran.stdout);
            }
        }
    }
}

/// A property of inputs has to follow from lemmas; if it does not, a state shows it.
#[test]
fn a_bad_state_that_lemmas_allow() {
    let scratch = Scratch::new();
    let clauses = "(set-logic HORN)
        (declare-fun inv (Int Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (inv x y))))
        (assert (forall ((x Int) (y Int)) (=> (inv x y) (inv (+ x 1) (+ y x)))))
        (assert (forall ((x Int) (y Int) (k Int)) (=> (and (inv x y) (< k x) (< (* 2 y) (* 2 k)) (< x 2) (< (* 2 k) x)) false)))";
    let model = scratch.write("m.smt2", clauses);
    let ran =
        indubit!["prove", &model, "--lemmas", &scratch.write("l", "x >= 0"), "--smt", "none"].with_code(30);
    assert!(ran.stdout.contains("a bad state in which all lemmas hold that are proved"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("step 0: query is false\n") && !ran.stdout.contains("step 1"),
        "{}",
        ran.stdout
    );
    let lemmas = scratch.write("l", "x >= 0\ny >= 0\ny >= x - 1");
    let ran = indubit!["prove", &model, "--lemmas", &lemmas, "--smt", "none"].with_code(0);
    assert!(ran.stdout.contains("  not inductive by itself, but inductive relative to "), "{}", ran.stdout);
    let ran = indubit!["info", &model].with_code(0);
    assert!(ran.stdout.contains("predicate    inv(x Int, y Int)\n"), "{}", ran.stdout);
    let report = indubit!["info", &model, "--format", "json"].with_code(0).json();
    assert_eq!(report["arguments"][0][1]["name"], "y");
}
