//! The other commands from outside: certify, info, convert, simulate, engines, help.

use crate::common::{MIXED, Scratch, example};
use indubit::Supported;

#[test]
fn certify_says_why_not() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aag", MIXED);
    let certify = |text: &str| indubit!["certify", &model, &scratch.write("evidence", text)];
    let ran = certify("1\nb1\n0\n\n\n.\n").with_code(0);
    assert_eq!(
        ran.stdout,
        "valid: raised (b1) is violated in step 1\nchecked: the trace was replayed by simulation\n"
    );
    let ran = certify("1\nb1\n0\n\n.\n").with_code(1);
    assert_eq!(ran.stdout, "rejected: property b1 (raised) is not violated up to step 0, the last one\n");
    let ran = certify("1\nb1\n1\n\n.\n").with_code(1);
    assert_eq!(ran.stdout, "rejected: latch toggle starts with 1, which is not its reset value\n");
    certify("0\nb0\n.\n").with_code(1);
    certify("2\nb0\n.\n").with_code(1);
    // A circuit that proves nothing: its own property is not inductive.
    certify("aag 1 0 1 0 0 1\n2 3\n2\n").with_code(1);
    // Not even evidence.
    let ran = certify("hello\n").with_code(2);
    assert!(ran.stderr.contains("evidence:1:1: found `hello`"), "{}", ran.stderr);
    certify("").with_code(2);
    certify("aag 1 0 1\n").with_code(2);
    certify("1\nb9\n").with_code(2);
}

#[test]
fn certify_for_programs() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aag", MIXED);
    let good = scratch.write("good", "1\nb1\n0\n\n\n.\n");
    let bad = scratch.write("bad", "1\nb1\n1\n\n.\n");
    let report = indubit!["certify", &model, &good, "--format", "json"].with_code(0).json();
    assert_eq!((&report["result"], &report["claim"]), (&"valid".into(), &"unsafe".into()));
    let report = indubit!["certify", &model, &bad, "--format", "json"].with_code(1).json();
    assert_eq!((&report["result"], &report["exit_code"]), (&"rejected".into(), &1.into()));
    assert_eq!(indubit!["certify", &model, &bad, "--quiet"].with_code(1).stdout, "");
}

#[test]
fn a_certificate_for_one_of_several_is_for_the_converted_model() {
    let scratch = Scratch::new();
    let model = example("fifo.aag");
    let [single, certificate] = ["single.aig", "c.aig"].map(|n| scratch.path(n));
    indubit!["check", &model, "--property", "overflow", "--certificate", &certificate].with_code(0);
    indubit!["convert", &model, &single, "--property", "overflow"].with_code(0);
    indubit!["certify", &single, &certificate].with_code(0);
    indubit!["certify", &model, &certificate].with_code(0);
}

#[test]
fn convert_there_and_back() {
    let scratch = Scratch::new();
    for name in ["fifo.aag", "alternating_bit.aig", "reset_function.aag", "starvation.aag"] {
        let model = example(name);
        let [ascii, binary, again] = ["a.aag", "b.aig", "c.aag"].map(|n| scratch.path(n));
        indubit!["convert", &model, &ascii].with_code(0);
        indubit!["convert", &ascii, &binary].with_code(0);
        indubit!["convert", &binary, &again].with_code(0);
        assert_eq!(std::fs::read(&ascii).unwrap(), std::fs::read(&again).unwrap(), "{name}");
        let info = |path| {
            let mut report = indubit!["info", path, "--format", "json"].with_code(0).json();
            report["path"].take();
            report
        };
        assert_eq!(info(&model), info(&binary), "{name}");
    }
    let model = scratch.write("m.aag", MIXED);
    let single = scratch.path("s.aag");
    indubit!["convert", &model, &single, "--property", "raised"].with_code(0);
    assert_eq!(std::fs::read_to_string(&single).unwrap(), "aag 1 0 1 0 0 1\n2 3\n2\nl0 toggle\nb0 raised\n");
    indubit!["convert", &model, &single, "--property", "often"].with_code(0);
    let text = std::fs::read_to_string(&single).unwrap();
    assert_eq!(text, "aag 1 0 1 0 0 0 0 1\n2 3\n1\n2\nl0 toggle\nj0 often\n");
    let ran = indubit!["convert", &model, &scratch.path("m.xyz")].with_code(2);
    assert!(ran.stderr.contains("the extension does not say which format"));
}

#[test]
fn info_counts_and_names() {
    let scratch = Scratch::new();
    let text = "aag 6 1 4 0 1 1 1 1 1\n2\n4 12\n6 6 1\n8 8 8\n10 10 2\n12\n3\n1\n4\n5\n12 4 2\ni0 go\nb0 bad\nj0 live\nc\nhello\n";
    let model = scratch.write("m.aag", text);
    let ran = indubit!["info", &model].with_code(0);
    for text in [
        "1 input, 4 latches, 1 gate\n",
        "resets       1 to 0, 1 to 1, 1 uninitialised, 1 by a function\n",
        "sections     1 bad, 1 constraint, 1 justice, 1 fairness\n",
        "comment      hello\n",
        "   0  bad (b0)  depends on 1 input, 1 latch, 1 gate\n",
        "   1  live (j0), justice  depends on 1 input, 1 latch, 1 gate\n",
    ] {
        assert!(ran.stdout.contains(text), "{text:?} is missing:\n{}", ran.stdout);
    }
    let report = indubit!["info", &model, "--format", "json"].with_code(0).json();
    assert_eq!((&report["resets"]["function"], &report["fairness"]), (&1.into(), &1.into()));
    assert_eq!(report["properties"][1]["kind"], "justice");
}

#[test]
fn evidence_about_liveness() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aag", "aag 1 0 1 0 0 0 0 1\n2 3\n1\n2\n");
    let evidence = scratch.write("w", "1\nj0\n0\n\n\n\n.\n");
    let ran = indubit!["certify", &model, &evidence].with_code(0);
    assert!(ran.stdout.contains("j0 is violated by a run that repeats from step 1 on\n"), "{}", ran.stdout);
    let cut = scratch.write("w", "1\nj0\n0\n\n.\n");
    let ran = indubit!["certify", &model, &cut].with_code(1);
    assert!(ran.stdout.contains("nothing repeats"), "{}", ran.stdout);
    let ran = indubit!["certify", &model, &model].with_code(1);
    assert!(ran.stdout.contains("check of the witness circuit fails"), "{}", ran.stdout);
    // The same with a latch that stays 0, and is its own certificate.
    let model = scratch.write("m.aag", "aag 1 0 1 0 0 0 0 1\n2 2\n1\n2\n");
    let proof = scratch.write("c.aag", "aag 1 0 1 0 0 1 0 1\n2 2\n2\n1\n0\n");
    let ran = indubit!["certify", &model, &proof].with_code(0);
    assert!(ran.stdout.contains("j0 holds\n") && ran.stdout.contains("closure"), "{}", ran.stdout);
}

#[test]
fn certificates_of_many_properties_take_no_time() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aig", crate::common::many(20_000));
    let mut circuit = indubit::formats::aiger::read(&model).unwrap();
    circuit.bads.truncate(1);
    let circuit = scratch.write("c.aig", indubit::formats::aiger::write_binary(&circuit));
    // It was quadratic in the number of properties once, and took a minute.
    let ran = indubit!["certify", &model, &circuit].with_code(0);
    assert!(ran.stdout.contains(" and 19990 more are safe\n"), "{}", ran.stdout);
}

#[test]
fn simulate_random_and_given() {
    let scratch = Scratch::new();
    let model = example("saturating_counter.aag");
    let run =
        |seed: &str| indubit!["simulate", &model, "--random", "--steps", "30", "--seed", seed].with_code(0);
    assert_eq!(run("1").stdout, run("1").stdout);
    assert!(run("1").stdout.starts_with("step 0\n") && run("1").stdout.contains("\n30 steps\n"));
    assert_ne!(run("1").stdout, run("2").stdout);

    let model = scratch.write("m.aag", "aag 2 1 1 0 0 1 1\n2\n4 2\n4\n3\ni0 go\nl0 gone\nb0 risen\n");
    let stimulus = scratch.write("s", "0\n1\n0\n.\n");
    let vcd = scratch.path("out.vcd");
    let ran = indubit!["simulate", &model, "--stimulus", &stimulus, "--vcd", &vcd].with_code(0);
    assert_eq!(
        ran.stdout,
        format!(
            "step 0\n  latches  gone = 0\n  inputs   go = 0\nstep 1: c0 violated\n  inputs   go = 1\n\
             step 2: risen (b0)\n  latches  gone = 1\n  inputs   go = 0\n\n3 steps\nconstraint violated: c0 in step 1\n\
             bad state: risen (b0) in step 2, which does not count after a violated constraint\n\
             vcd written to {}\n",
            vcd.display()
        )
    );
    assert!(std::fs::read_to_string(&vcd).unwrap().starts_with("$version"));
    let ran = indubit!["simulate", &model, "--stimulus", &stimulus, "--steps", "1", "--quiet"].with_code(0);
    assert_eq!(ran.stdout, "1 step\nno bad state was reached\n");
    for wrong in ["01\n", "x2\n", ".\n1\n", ""] {
        let stimulus = scratch.write("wrong", wrong);
        let ran = indubit!["simulate", &model, "--stimulus", &stimulus].with_code(2);
        assert!(ran.stderr.contains("wrong:"), "{}", ran.stderr);
    }
}

/// A run that cannot end soon is refused, rather than begun.
#[test]
fn simulate_refuses_too_many_steps() {
    indubit!["simulate", &example("saturating_counter.aag"), "--steps", "4000000000"].with_code(2);
}

#[test]
fn engines_are_listed_with_their_papers() {
    let ran = indubit!["engines"].with_code(0);
    let report = indubit!["engines", "--format", "json"].with_code(0).json();
    for engine in indubit::ENGINES {
        assert!(ran.stdout.contains(engine.name) && ran.stdout.contains(engine.summary));
        let listed = |list: &str| report[list].as_array().unwrap().iter().any(|e| e["name"] == engine.name);
        assert_eq!(listed("engines"), indubit::Bits::implementation(engine).is_some(), "{}", engine.name);
        assert_eq!(
            listed("word_engines"),
            indubit::Words::implementation(engine).is_some(),
            "{}",
            engine.name
        );
        assert_eq!(listed("live_engines"), engine.live.is_some(), "{}", engine.name);
        assert_eq!(listed("ctl_engines"), engine.branching.is_some(), "{}", engine.name);
    }
    assert!(ran.stdout.contains("Bradley") && !ran.stdout.contains("()"));
    assert!(
        ran.stdout.contains("(liveness over words: finds bugs only; liveness over bits: finds bugs only)"),
        "{}",
        ran.stdout
    );
    // Of one engine alone.
    let report = indubit!["engines", "--options", "lasso", "--format", "json"].with_code(0).json();
    let names = |list: &str| -> Vec<&str> {
        report[list].as_array().unwrap().iter().filter_map(|e| e["name"].as_str()).collect()
    };
    assert_eq!((names("engines"), names("live_engines")), (vec![], vec!["lasso"]));
    let options = report["options"].as_array().unwrap();
    assert!(options.iter().all(|o| o["engines"].as_array().unwrap().contains(&"lasso".into())));
    indubit!["engines", "--options", "magic", "--format", "json"].with_code(2);
}

#[test]
fn help_teaches() {
    for command in [
        &["--help"][..],
        &["check", "--help"],
        &["certify", "--help"],
        &["convert", "-h"],
        &["interpolate", "-h"],
    ] {
        let ran = crate::common::indubit(command).with_code(0);
        assert!(ran.stdout.contains("Examples:"), "{}", ran.stdout);
    }
    let ran = indubit!["check", "--help"];
    for text in ["out.b0.aig", "Exit codes:", "hwmcc", "sby"] {
        assert!(ran.stdout.contains(text), "{text}");
    }
    assert!(indubit!["--version"].with_code(0).stdout.starts_with("indubit "));
}
