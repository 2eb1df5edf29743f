//! Models of words from outside: VMT and CHC.

use crate::common::{Scratch, example};
use std::path::Path;
use std::process::Command;

/// A bit-vector that counts up to a mask, and another that never exceeds it.
const VECTORS: &str = "\
(declare-fun n () (_ BitVec 4))
(declare-fun n.next () (_ BitVec 4))
(declare-fun go () Bool)
(define-fun .n () (_ BitVec 4) (! n :next n.next))
(define-fun .init () Bool (! (= n #x0) :init true))
(define-fun .trans () Bool (! (= n.next (ite (and go (bvult n #xa)) (bvadd n #x2) n)) :trans true))
(define-fun small () Bool (! (bvule n #xa) :invar-property 0))
(define-fun even () Bool (! (= ((_ extract 0 0) n) #b0) :invar-property 1))
(define-fun below () Bool (! (bvult n #x6) :invar-property 2))
";

/// A loop, and what comes after it.
const CLAUSES: &str = "\
(set-logic HORN)
(declare-fun up (Int Int) Bool)
(declare-fun done (Int) Bool)
(assert (forall ((x Int) (n Int)) (=> (and (= x 0) (>= n 0)) (up x n))))
(assert (forall ((x Int) (n Int)) (=> (and (up x n) (< x n)) (up (+ x 1) n))))
(assert (forall ((x Int) (n Int)) (=> (and (up x n) (>= x n)) (done x))))
(assert (forall ((x Int)) (=> (and (done x) (< x 0)) false)))
(check-sat)
";

fn has_z3() -> bool {
    Command::new("z3").arg("-version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn people_see_invariants_and_values() {
    let ran = indubit!["check", &example("sums.vmt"), "--engine", "ic3ia", "--smt", "none"].with_code(0);
    let first = ran.stdout.lines().next().unwrap();
    assert!(
        first.contains("sums.vmt: 2 state variables, 0 inputs, ") && first.ends_with(" terms, 1 property"),
        "{first}"
    );
    for text in [
        "\nsafe        y_natural (p0), line 15  (ic3ia, ",
        "  inductive invariant (2 lemmas):",
        "\n    x >= 0\n",
        "\n    y >= 0\n",
        "\nchecked: 1 proof by SMT against ",
    ] {
        assert!(ran.stdout.contains(text), "{text:?} is missing:\n{}", ran.stdout);
    }
    let ran = indubit!["check", &example("buffer_overflow.vmt"), "--smt", "none"].with_code(10);
    for text in [
        "\nunsafe      no_overflow (p0)",
        "  no_overflow (p0) is violated in step 2\n",
        "\n    state    capacity = 1  items = 0  produced = 0  consumed = 0\n    inputs   put = true\n",
        "\n  step 2: no_overflow\n    state    items = 2  produced = 2\n",
        "\nsafe        nothing_lost (p1)",
        "\n2 properties: 1 safe, 1 unsafe",
        "\nchecked: 1 proof by SMT and 1 trace by evaluation against ",
    ] {
        assert!(ran.stdout.contains(text), "{text:?} is missing:\n{}", ran.stdout);
    }
    let quiet = indubit!["check", &example("buffer_overflow.vmt"), "--quiet", "--property", "nothing_lost"];
    assert_eq!(quiet.with_code(0).stdout, "safe nothing_lost\n");
}

#[test]
fn programs_see_the_same() {
    let scratch = Scratch::new();
    let [events, witness] = ["e", "w"].map(|name| scratch.path(name));
    let ran = indubit![
        "check",
        &example("buffer_overflow.vmt"),
        "--format",
        "json",
        "--events",
        &events,
        "--witness",
        &witness
    ];
    let report = ran.with_code(10).json();
    assert_eq!((&report["model"]["states"], &report["model"]["inputs"]), (&4.into(), &1.into()));
    let [violated, safe] = [&report["properties"][0], &report["properties"][1]];
    assert_eq!(
        (&violated["id"], &violated["kind"], &violated["length"]),
        (&"p0".into(), &"invar".into(), &2.into())
    );
    assert_eq!((&violated["checked"], &safe["verdict"]), (&"replay by evaluation".into(), &"safe".into()));
    let written = std::fs::read_to_string(scratch.path("w.p0")).unwrap();
    assert_eq!(violated["evidence"]["witness"], written);
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!(lines.len(), 7);
    assert_eq!(lines[0], "(violated no_overflow 2)");
    assert_eq!(lines[1], "(state 0 (capacity 1) (items 0) (produced 0) (consumed 0))");
    assert_eq!(lines[2], "(inputs 0 (put true))");
    let log = std::fs::read_to_string(&events).unwrap();
    assert!(log.contains("\"event\":\"model\"") && log.contains("\"states\":4"), "{log}");
    assert_eq!(log.lines().filter(|l| l.contains("\"event\":\"verdict\"")).count(), 2);
}

#[test]
fn horn_clauses_are_answered_as_their_solvers_do() {
    let scratch = Scratch::new();
    let clauses = scratch.write("clauses.smt2", CLAUSES);
    let ran = indubit!["check", &clauses, "--format", "chc", "--model"].with_code(0);
    assert!(ran.stdout.starts_with("sat\n(\n(define-fun up ((x Int) (n Int)) Bool "), "{}", ran.stdout);
    assert!(ran.stdout.contains("(define-fun done (") && ran.stdout.ends_with(")\n"), "{}", ran.stdout);
    assert_eq!(indubit!["check", &clauses, "--format", "chc"].with_code(0).stdout, "sat\n");
    let to_stdout = indubit!["check", &clauses, "--format", "chc", "--invariant", "-"].with_code(0);
    assert!(to_stdout.stdout.starts_with("sat\n(\n(define-fun up "));
    let buffer = example("buffer_overflow.vmt");
    assert_eq!(indubit!["check", &buffer, "--format", "chc"].with_code(10).stdout, "unsat\n");
    let bounded = indubit!["check", &clauses, "--format", "chc", "--engine", "bmc", "--bound", "3"];
    assert_eq!(bounded.with_code(30).stdout, "unknown\n");
    // Another solver finds that the definitions are a model.
    let model = scratch.path("model.smt2");
    indubit!["check", &clauses, "--invariant", &model, "--quiet"].with_code(0);
    if has_z3() {
        assert_eq!(z3_on_model(&clauses, &model, &scratch), "sat\n");
        // So they are of what becomes of a transition system.
        let (sums, clauses) = (example("sums.vmt"), scratch.path("sums.smt2"));
        indubit!["convert", &sums, &clauses].with_code(0);
        indubit!["check", &sums, "--invariant", &model, "--quiet"].with_code(0);
        assert_eq!(z3_on_model(&clauses, &model, &scratch), "sat\n");
    }
}

/// What z3 says of clauses with definitions in the place of the declarations of predicates.
fn z3_on_model(clauses: &Path, model: &Path, scratch: &Scratch) -> String {
    let text = std::fs::read_to_string(clauses).unwrap();
    let without: Vec<&str> =
        text.lines().filter(|l| !l.starts_with("(declare-fun") && !l.starts_with("(set-logic")).collect();
    let script = std::fs::read_to_string(model).unwrap() + &without.join("\n");
    let output = Command::new("z3").arg(scratch.write("script.smt2", script)).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_engine_for_words_agrees() {
    for engine in ["ic3ia", "ctigar", "quip", "itp", "isb", "kind", "bmc", "portfolio"] {
        let ran = indubit![
            "check",
            &example("buffer_overflow.vmt"),
            "--property",
            "0",
            "--engine",
            engine,
            "--quiet"
        ];
        assert_eq!(ran.with_code(10).stdout, "unsafe no_overflow\n", "{engine}");
        if engine != "bmc" && engine != "kind" {
            let ran =
                indubit!["check", &example("buffer.vmt"), "--engine", engine, "--timeout", "60", "--quiet"];
            assert_eq!(
                ran.with_code(0).stdout.lines().filter(|l| l.starts_with("safe ")).count(),
                2,
                "{engine}"
            );
        }
    }
    let ran = indubit!["check", &example("sums.vmt"), "--engine", "bmc", "--bound", "4"].with_code(30);
    assert!(ran.stdout.contains("no counterexample up to 4 steps; the bound was reached"), "{}", ran.stdout);
    assert!(ran.stdout.contains("--engine ic3ia, which can prove (bmc cannot)"), "{}", ran.stdout);
    let threads =
        indubit!["check", &example("sums.vmt"), "--engine", "ic3ia", "--threads", "2", "--seed", "3"];
    threads.with_code(0);
}

#[test]
fn bit_vectors_become_a_circuit() {
    let scratch = Scratch::new();
    let model = scratch.write("v.vmt", VECTORS);
    for engine in ["portfolio", "ic3", "quip", "kind"] {
        let ran = indubit!["check", &model, "--engine", engine, "--smt", "none"].with_code(10);
        for text in [
            "\nsafe        small (p0), line 7",
            "\nsafe        even (p1), line 8",
            "\nunsafe      below (p2), line 9",
            "  below (p2) is violated in step 3\n",
            "n = 6",
            "2 proofs by SMT and 1 trace by evaluation",
        ] {
            assert!(ran.stdout.contains(text), "{text:?} is missing:\n{}", ran.stdout);
        }
    }
    let invariant =
        indubit!["check", &model, "--property", "even", "--invariant", "-", "--quiet"].with_code(0);
    assert!(invariant.stdout.contains("(define-fun state ((n (_ BitVec 4))) Bool "), "{}", invariant.stdout);
    let circuit = scratch.path("v.aag");
    indubit!["convert", &model, &circuit].with_code(0);
    indubit!["check", &circuit, "--quiet"].with_code(10);
    let refused = indubit!["check", &model, "--engine", "ic3ia"].with_code(2);
    assert!(
        refused.stderr.contains(
            "this engine is for numbers; --engine ic3 and other engines for bits decide bit-vectors"
        ),
        "{}",
        refused.stderr
    );
}

#[test]
fn another_solver_may_be_asked() {
    let sums = example("sums.vmt");
    if has_z3() {
        for ran in [indubit!["check", &sums, "--smt", "z3"], indubit!["check", &sums]] {
            let ran = ran.with_code(0);
            assert!(ran.stdout.contains("checked: 1 proof by SMT and z3 against ") && ran.stderr.is_empty());
        }
    }
    let scratch = Scratch::new();
    let lazy = scratch.write("lazy", "#!/bin/sh\necho unknown\n");
    let ran = indubit!["check", &sums, "--smt", &*format!("sh {}", lazy.display()), "--quiet"].with_code(0);
    let warning = "warning: y_natural (p0): 3 queries not confirmed: sh does not know";
    assert!(ran.stderr.starts_with(warning), "{}", ran.stderr);
    let slow = scratch.write("slow", "#!/bin/sh\nexec sleep 60\n");
    let command = format!("sh {}", slow.display());
    let ran = indubit!["check", &sums, "--smt", &*command, "--timeout", "3", "--quiet"].with_code(0);
    assert!(
        ran.stderr.starts_with("warning: y_natural (p0): not confirmed by sh: time limit"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stdout, "safe y_natural\n");
    let liar = scratch.write("liar", "#!/bin/sh\ncat > /dev/null\necho sat\n");
    let command = format!("sh {}", liar.display());
    let ran = indubit!["check", &sums, "--smt", &*command].with_code(70);
    assert!(ran.stderr.contains("sh does not agree with the check of the proof"), "{}", ran.stderr);
}

/// The first property has no linear invariant, so that no engine decides it: y is a square.
const HARD: &str = "\
(declare-fun x () Int)
(declare-fun x.next () Int)
(declare-fun y () Int)
(declare-fun y.next () Int)
(define-fun .x () Int (! x :next x.next))
(define-fun .y () Int (! y :next y.next))
(define-fun .init () Bool (! (and (= x 0) (= y 0)) :init true))
(define-fun .trans () Bool (! (and (= x.next (+ x 1)) (= y.next (+ y x x 1))) :trans true))
(define-fun hard () Bool (! (not (= y 1000003)) :invar-property 0))
(define-fun easy () Bool (! (>= x 0) :invar-property 1))
(define-fun wrong () Bool (! (< x 3) :invar-property 2))
";

#[test]
fn a_hard_property_does_not_keep_others_waiting() {
    let scratch = Scratch::new();
    let model = scratch.write("hard.vmt", HARD);
    for engine in ["portfolio", "ic3ia"] {
        let ran = indubit!["check", &model, "--engine", engine, "--timeout", "4", "--quiet"].with_code(10);
        assert_eq!(ran.stdout, "unknown hard\nsafe easy\nunsafe wrong\n", "{engine}");
    }
}

/// What our solver has no theory for: y is x², and v counts bits beside numbers.
const BEYOND: &str = "\
(declare-fun x () Int)
(declare-fun x.next () Int)
(declare-fun y () Int)
(declare-fun y.next () Int)
(declare-fun v () (_ BitVec 4))
(declare-fun v.next () (_ BitVec 4))
(define-fun .x () Int (! x :next x.next))
(define-fun .y () Int (! y :next y.next))
(define-fun .v () (_ BitVec 4) (! v :next v.next))
(define-fun .init () Bool (! (and (= x 0) (= y 0) (= v #x0)) :init true))
(define-fun .trans () Bool (! (and (= x.next (+ x 1)) (= y.next (+ y x x 1)) (= v.next (bvadd v #x3))) :trans true))
(define-fun square () Bool (! (= y (* x x)) :invar-property 0))
(define-fun small () Bool (! (or (< (* x y) 20) (bvult v #x8)) :invar-property 1))
";

#[test]
fn another_solver_decides_what_is_beyond_ours() {
    let scratch = Scratch::new();
    let model = scratch.write("beyond.vmt", BEYOND);
    let refused = indubit!["check", &model].with_code(2);
    assert!(refused.stderr.contains("--smt z3 lets another one decide what is beyond"), "{}", refused.stderr);
    if !has_z3() {
        return;
    }
    let ran = indubit!["check", &model, "--smt", "z3", "--timeout", "60"].with_code(10);
    for text in [
        "\nsafe        square (p0)",
        "\nunsafe      small (p1)",
        "small (p1) is violated in step 3\n",
        "\nchecked: 1 proof by z3 and 1 trace by evaluation against ",
    ] {
        assert!(ran.stdout.contains(text), "{text:?} is missing:\n{}", ran.stdout);
    }
    let refused = indubit!["check", &model, "--smt", "z3", "--engine", "ic3ia"].with_code(2);
    assert!(
        refused.stderr.contains("the portfolio, bmc and kind can ask another solver"),
        "{}",
        refused.stderr
    );
}

/// What our solver has no theory for is one property of several.
#[test]
fn the_other_properties_are_checked_all_the_same() {
    let scratch = Scratch::new();
    let model = scratch.write(
        "m.vmt",
        "(declare-fun x () Int)\n(declare-fun x.next () Int)\n(define-fun .x () Int (! x :next x.next))\n\
         (define-fun .init () Bool (! (= x 0) :init true))\n\
         (define-fun .trans () Bool (! (= x.next (+ x 1)) :trans true))\n\
         (define-fun square () Bool (! (>= (* x x) x) :invar-property 0))\n\
         (define-fun natural () Bool (! (>= x 0) :invar-property 1))\n\
         (define-fun small () Bool (! (< x 3) :invar-property 2))\n",
    );
    let ran = indubit!["check", &model, "--smt", "none", "--quiet"].with_code(10);
    assert_eq!(ran.stdout, "unknown square\nsafe natural\nunsafe small\n");
    let report = indubit!["check", &model, "--smt", "none", "--format", "json"].with_code(10).json();
    let property = &report["properties"][0];
    let message = property["message"].as_str().unwrap();
    assert_eq!(property["verdict"], "unsupported");
    assert!(message.contains("there is no theory for it yet; ") && message.contains("--smt z3"), "{message}");
    let lemmas = scratch.write("l", "x >= 0\n");
    let ran = indubit!["prove", &model, "--smt", "none", "--lemmas", &lemmas, "--quiet"].with_code(30);
    assert_eq!(ran.stdout, "unknown square\nsafe natural\nunknown small\n");
    // Alone it is an error.
    let ran = indubit!["check", &model, "--smt", "none", "--property", "square"].with_code(2);
    assert!(ran.stderr.contains("error: square (p0): "), "{}", ran.stderr);
}

#[test]
fn bmc_says_why_there_is_no_invariant() {
    let overflow = example("buffer_overflow.vmt");
    let ran = indubit![
        "check",
        &overflow,
        "--engine",
        "bmc",
        "--property",
        "no_overflow",
        "--invariant",
        "-",
        "--quiet"
    ];
    assert_eq!(ran.with_code(10).stdout, "unsafe no_overflow\n");
}

#[test]
fn requests_that_do_not_fit_are_refused() {
    let (sums, aiger) = (example("sums.vmt"), example("fifo.aag"));
    for (arguments, message) in [
        (&["--engine", "ic3"][..], "--engine ic3ia is IC3 over words"),
        (&["--engine", "pba"], "engines for words are quip, ic3ia, ctigar, bmc, kind, itp, isb"),
        (&["--passes", "coi"], "--passes is not for models of words"),
        (&["--certificate", "c"], "--certificate is for AIGER and BTOR2 only"),
        (&["--engine", "quip", "--record", "/dev/null"], "--record is not for models of words"),
        (&["--paranoid"], "--paranoid is not for models of words"),
        (&["--format", "sby"], "--format sby is not for models of words"),
        (&["--model"], "--model is part of the answer of --format chc"),
        (&["--format", "chc", "--witness", "-"], "write the witness to a file"),
        (
            &["--engine", "ic3ia", "--option", "pba-step=3"],
            "it does nothing for the engine ic3ia here\nhint: it is one of pba; `indubit engines --options ic3ia`",
        ),
        (
            &["--engine", "ic3ia", "--option", "generalize=interpolant"],
            "it does nothing for the engine ic3ia here",
        ),
        (&["--engine", "quip", "--option", "walk=3"], "it does nothing for the engine quip here"),
        (&["--property", "x"], "there is no property `x`"),
        (&["--smt", " "], "expected the command of a solver"),
        (&["--smt", "no-such-solver"], "there is no program `no-such-solver`"),
    ] {
        let words = ["check".into(), sums.clone()].into_iter().chain(arguments.iter().map(Into::into));
        let ran = crate::common::indubit(words).with_code(2);
        assert!(ran.stderr.contains(message), "{arguments:?}: {}", ran.stderr);
    }
    for (arguments, message) in [
        (&["--engine", "ctigar"][..], "the engine ctigar is for words, and this is a model of bits"),
        (&["--format", "chc"], "--format chc is for models of words"),
        (&["--smt", "sh"], "--smt is for models of words"),
        (
            &["--option", "pba-step=3"],
            "it does nothing for the engine portfolio here\nhint: it is one of pba; `indubit engines --options` lists",
        ),
    ] {
        let words = ["check".into(), aiger.clone()].into_iter().chain(arguments.iter().map(Into::into));
        let ran = crate::common::indubit(words).with_code(2);
        assert!(ran.stderr.contains(message), "{arguments:?}: {}", ran.stderr);
    }
    let several = indubit!["check", &example("buffer.vmt"), "--format", "chc", "--model"].with_code(0);
    assert!(several.stdout.starts_with("sat\n(\n(define-fun "), "{}", several.stdout);
    let certificate = ["--certificate", "c"].map(std::path::PathBuf::from);
    let prove = ["prove".into(), sums, "--lemmas".into(), example("program1.lemmas")];
    let ran = crate::common::indubit(prove.into_iter().chain(certificate)).with_code(2);
    assert!(ran.stderr.contains("--certificate is for AIGER and BTOR2 only"), "{}", ran.stderr);
}

#[test]
fn errors_in_models_name_the_term() {
    let scratch = Scratch::new();
    let sums = std::fs::read_to_string(example("sums.vmt")).unwrap();
    let product = scratch.write("p.vmt", sums.replace("(+ y x)", "(* y x)"));
    let ran = indubit!["check", &product].with_code(2);
    assert!(ran.stderr.contains("(* x y)") || ran.stderr.contains("(* y x)"), "{}", ran.stderr);
    let branching = scratch.write("l.vmt", sums.replace(":invar-property", ":ctl-property"));
    let ran = indubit!["check", &branching].with_code(2);
    assert!(ran.stderr.contains("l.vmt:") && ran.stderr.contains(":ctl-property"), "{}", ran.stderr);
    let none = scratch.write("n.vmt", sums.replace(":invar-property 0", ":other"));
    let ran = indubit!["check", &none].with_code(2);
    assert!(ran.stderr.contains("n.vmt:15:43: found `:other`, expected an annotation of VMT (:next, :init, :trans, :invar-property, :live-property, :ltl-property)"), "{}", ran.stderr);
}

#[test]
fn info_and_convert() {
    let scratch = Scratch::new();
    let ran = indubit!["info", &example("counter.smt2")].with_code(0);
    assert!(ran.stdout.contains("CHC: Horn clauses over 2 predicates"), "{}", ran.stdout);
    assert!(ran.stdout.contains("query (p0)"), "{}", ran.stdout);
    let ran = indubit!["info", &example("train_gate.vmt"), "--format", "json"].with_code(0);
    assert_eq!(ran.json()["language"], "vmt");
    let (clauses, back) = (scratch.path("b.smt2"), scratch.path("b.vmt"));
    indubit!["convert", &example("buffer_overflow.vmt"), &clauses, "--property", "nothing_lost"].with_code(0);
    indubit!["convert", &clauses, &back].with_code(0);
    for file in [&clauses, &back] {
        assert!(indubit!["check", file, "--quiet"].with_code(0).stdout.starts_with("safe "));
    }
    let ran = indubit!["convert", &example("sums.vmt"), &scratch.path("s.aig")].with_code(2);
    assert!(ran.stderr.contains("cannot be AIGER"), "{}", ran.stderr);
    let fifo = scratch.path("f.vmt");
    indubit!["convert", &example("fifo_bug.aag"), &fifo].with_code(0);
    let ran = indubit!["check", &fifo, "--quiet"].with_code(10);
    let words: Vec<&str> = ran.stdout.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(words, ["unsafe", "safe", "unsafe"], "{}", ran.stdout);
    let ran = indubit!["engines"].with_code(0);
    assert!(ran.stdout.contains("more of (words: proves and finds bugs)\n"), "{}", ran.stdout);
    let report = indubit!["engines", "--format", "json"].with_code(0).json();
    assert!(report["word_engines"].as_array().unwrap().iter().any(|e| e["name"] == "ic3ia"));
}

#[cfg(unix)]
#[test]
fn limits_hold() {
    let scratch = Scratch::new();
    // The invariant is not linear: nobody finds one.
    let sums = std::fs::read_to_string(example("sums.vmt")).unwrap();
    let hard = scratch.write("h.vmt", sums.replace("(>= y 0)", "(not (= (+ y y) (+ x 10000)))"));
    let start = std::time::Instant::now();
    let ran = indubit!["check", &hard, "--timeout", "1", "--format", "json"].with_code(30);
    assert_eq!(ran.json()["properties"][0]["stop"], "time");
    assert!(start.elapsed().as_secs() < 20);
}

/// It is safe, and that is hardly what was meant.
#[test]
fn a_model_without_initial_states_is_pointed_out() {
    let scratch = Scratch::new();
    let sums = std::fs::read_to_string(example("sums.vmt")).unwrap();
    let nothing = scratch.write("m.vmt", sums.replace("(= y 0)", "(< x 0)"));
    let ran = indubit!["check", &nothing].with_code(0);
    let warning = "there is no initial state, so nothing can be reached: what holds initially, or the constraints, exclude all of them\n";
    assert!(ran.stderr.contains(warning), "{}", ran.stderr);
    assert!(indubit!["check", &example("sums.vmt")].with_code(0).stderr.is_empty());
    let nothing = scratch.write("m.aag", "aag 1 0 1 0 0 1 1\n2 2\n2\n0\n");
    let ran = indubit!["check", &nothing].with_code(0);
    assert!(ran.stderr.contains("or the constraints, exclude all of them\n"), "{}", ran.stderr);
}

/// x and y are products of the same numbers, in another order: without the lemmas of preprocessing, that is a hard question.
const PRODUCTS: &str = "
    (define-sort V () (_ BitVec 20)) (define-sort B () (_ BitVec 2))
    (declare-fun x () V) (declare-fun y () V) (declare-fun f () B) (declare-fun g () B)
    (declare-fun x.n () V) (declare-fun y.n () V) (declare-fun f.n () B) (declare-fun g.n () B)
    (declare-fun a () V) (declare-fun b () V) (declare-fun c () V)
    (define-fun .x () V (! x :next x.n)) (define-fun .y () V (! y :next y.n))
    (define-fun .f () B (! f :next f.n)) (define-fun .g () B (! g :next g.n))
    (define-fun .init () Bool (! (and (= x (_ bv0 20)) (= y (_ bv0 20)) (= f #b00) (= g #b00)) :init))
    (define-fun .trans () Bool (! (and
        (= x.n (ite (= f #b00) x (bvmul a (bvmul b c)))) (= y.n (ite (= f #b00) y (bvmul (bvmul a b) c)))
        (= f.n g) (= g.n (bvand g ((_ extract 1 0) a)))) :trans))
    (define-fun p () Bool (! (= x y) :invar-property 0))";

/// An invariant is made shorter only if that is quick.
#[test]
fn a_proof_that_is_hard_to_shorten_stays_as_it_is() {
    let scratch = Scratch::new();
    let model = scratch.write("m.vmt", PRODUCTS);
    let ran = indubit!["check", &model, "--engine", "ic3", "--smt", "none", "--timeout", "60"].with_code(0);
    assert!(ran.stdout.contains("inductive invariant ("), "{}", ran.stdout);
    // Nobody makes a circuit of this.
    let wide =
        scratch.write("w.vmt", PRODUCTS.replace("BitVec 20", "BitVec 2000").replace("bv0 20", "bv0 2000"));
    let lemmas = scratch.write("l", "f = 0");
    let ran = indubit!["prove", &wide, "--lemmas", &lemmas, "--smt", "none"].with_code(2);
    assert!(ran.stderr.contains("w.vmt: (bvmul "), "{}", ran.stderr);
}

/// Each query is a property of its own, and a model is one of all clauses.
#[test]
fn several_queries() {
    let scratch = Scratch::new();
    let clauses = CLAUSES.replace(
        "(check-sat)",
        "(assert (forall ((x Int) (n Int)) (=> (and (up x n) (> x n)) false)))\n(check-sat)",
    );
    let model = scratch.write("c.smt2", &clauses);
    assert_eq!(indubit!["check", &model, "--quiet"].with_code(0).stdout, "safe query 1\nsafe query 2\n");
    let ran = indubit!["check", &model, "--format", "chc", "--model"].with_code(0);
    assert!(ran.stdout.starts_with("sat\n(\n(define-fun "), "{}", ran.stdout);
    for predicate in ["(define-fun up (", "(define-fun done ("] {
        assert_eq!(ran.stdout.matches(predicate).count(), 1, "{}", ran.stdout);
    }
    let wrong = scratch.write("w.smt2", clauses.replace("(> x n)", "(> x 2)"));
    assert_eq!(indubit!["check", &wrong, "--quiet"].with_code(10).stdout, "safe query 1\nunsafe query 2\n");
    assert_eq!(indubit!["check", &wrong, "--format", "chc", "--model"].with_code(10).stdout, "unsat\n");
}
