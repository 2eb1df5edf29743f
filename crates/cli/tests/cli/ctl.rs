//! Formulas of computation tree logic from outside: files beside a circuit, evidence, and other formats.

use crate::common::{Scratch, example};

/// What is asked for comes a step later, and something remembers it.
const MODEL: &str = "aag 4 1 2 1 1\n2\n4 2\n6 9\n4\n8 7 3\ni0 req\nl0 ack\nl1 done\no0 busy\n";
const FORMULAS: &str = "# what is promised\nAG(req -> AX busy)\nAG EF done # is it always possible?\nAF done\nEG ~done & EF\n  done\n";

#[test]
fn the_file_beside_a_circuit_says_what_is_claimed() {
    let scratch = Scratch::new();
    let model = scratch.write("model.aag", MODEL);
    // Without it the output is a bad state.
    let ran = indubit!["check", &model, "--quiet"].with_code(10);
    assert_eq!(ran.stdout, "unsafe busy\n");
    let formulas = scratch.write("model.ctl", FORMULAS);
    let ran = indubit!["check", &model, "--quiet"].with_code(10);
    assert_eq!(
        ran.stdout,
        "holds AG(req -> AX busy)\nholds AG EF done\nfails AF done\nholds EG ~done & EF done\n"
    );
    let ran = indubit!["check", &model].with_code(10);
    for text in [
        ", 4 properties; formulas of model.ctl\n",
        "holds       AG(req -> AX busy) (ctl0), line 2",
        "fails       AF done (ctl2), line 4",
        "  AF done fails in step 0: there is a path that goes on for ever\n    -- loop begins --\n    step 0\n",
        "  AG (EF done) holds in every initial state: a set of states that no such path leaves",
        "in an initial state, for example:",
        "checked: 4 proofs in sets of states by SAT against",
    ] {
        assert!(ran.stdout.contains(text), "{text:?} is missing:\n{}", ran.stdout);
    }
    indubit!["check", &model, "--property", "ctl1", "--property", "0"].with_code(0);
    let elsewhere = scratch.write("other.txt", "EF busi");
    let ran = indubit!["check", &model, "--ctl-file", &elsewhere].with_code(2);
    assert!(
        ran.stderr.contains("other.txt:1:4: found `busi`") && ran.stderr.contains("is it busy?"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        indubit!["check", &model, "--quiet", "--ctl-file", "none"].with_code(10).stdout,
        "unsafe busy\n"
    );
    let ran = indubit!["info", &model].with_code(0);
    assert!(
        ran.stdout.contains("formulas     of model.ctl") && ran.stdout.contains("AF done (ctl2), CTL"),
        "{}",
        ran.stdout
    );
    // It is read, so nothing is written there.
    indubit!["check", &model, "--vcd", &formulas].with_code(2);
    indubit!["check", &example("smv/mutex.smv"), "--ctl-file", &formulas].with_code(2);
}

#[test]
fn programs_get_the_tree_too() {
    let scratch = Scratch::new();
    let model = scratch.write("model.aag", MODEL);
    let formula = "AG (req -> EX EG !busy)";
    let ran = indubit!["check", &model, "--ctl", formula, "--format", "json"].with_code(10);
    let document = ran.json();
    let property = &document["properties"][0];
    let evidence = &property["evidence"];
    assert_eq!(
        (&property["kind"], &property["verdict"], &evidence["kind"]),
        (&"ctl".into(), &"fails".into(), &"branches".into())
    );
    let tree = &evidence["tree"];
    assert_eq!((&tree["holds"], &tree["step"]), (&false.into(), &0.into()));
    assert!(evidence["initial"]["states"].is_array() && evidence["vacuous"] == false, "{evidence}");
    for format in ["hwmcc", "sby"] {
        let ran = indubit!["check", &model, "--ctl", formula, "--format", format].with_code(2);
        assert!(ran.stderr.contains("no trace decides a formula"), "{}", ran.stderr);
    }
}

#[test]
fn evidence_is_written_and_checked_again() {
    let scratch = Scratch::new();
    let model = scratch.write("model.aag", MODEL);
    scratch.write("model.ctl", FORMULAS);
    let out = scratch.path("sets.aag");
    for engine in ["bdd", "iictl"] {
        indubit!["check", &model, "--engine", engine, "--certificate", &out].with_code(10);
        for (id, word) in [("ctl0", "holds"), ("ctl1", "holds"), ("ctl2", "fails"), ("ctl3", "holds")] {
            let file = scratch.path(&format!("sets.{id}.aag"));
            let ran = indubit!["certify", &model, &file].with_code(0);
            assert!(
                ran.stdout.contains(&format!("({id}) {word}\nchecked: sets of states")),
                "{}",
                ran.stdout
            );
            // It is no evidence for another one.
            let text = std::fs::read_to_string(&file).unwrap();
            let other = if id == "ctl1" { "ctl2" } else { "ctl1" };
            let wrong = scratch
                .write("wrong.aag", text.replace(&format!("WITNESS {id}"), &format!("WITNESS {other}")));
            let ran = indubit!["certify", &model, &wrong];
            assert!(matches!(ran.code, 1 | 2), "{engine} {id}: {}{}", ran.stdout, ran.stderr);
        }
    }
    let formula = "AG (req -> AX ack)";
    indubit!["check", &model, "--ctl", formula, "--certificate", &out].with_code(0);
    indubit!["certify", &model, &out, "--ctl", formula].with_code(0);
    indubit!["certify", &model, &out, "--ctl", "AG (req -> AX !ack)"].with_code(1);
}

#[test]
fn words_are_decided_as_circuits() {
    let scratch = Scratch::new();
    let text = "MODULE main\nVAR x : 0..3; go : boolean; st : {idle, busy};\nASSIGN init(x) := 0; next(x) := go & x < 3 ? x + 1 : x;\n\
                CTLSPEC AG (x = 2 -> AF x = 3)\nSPEC EF x = 3\nCTLSPEC AG EF (st = idle)\nLTLSPEC F x = 3\n";
    let model = scratch.write("model.smv", text);
    let ran = indubit!["check", &model].with_code(10);
    for text in ["x = 2 holds in step", "x = 3 holds\n      state    x = 3", "holds       AG EF (st = idle)"]
    {
        assert!(ran.stdout.contains(text), "{text:?} is missing:\n{}", ran.stdout);
    }
    let out = scratch.path("sets.aag");
    indubit!["check", &model, "--property", "ctl0", "--certificate", &out].with_code(10);
    let ran = indubit!["certify", &model, &out].with_code(0);
    assert!(ran.stdout.contains("(ctl0) fails"), "{}", ran.stdout);
    let ran = indubit!["check", &model, "--ctl", "A [x < 3 W x = 3]", "--quiet"].with_code(0);
    assert_eq!(ran.stdout, "holds A [x < 3 W x = 3]\n");
    // Formulas stand beside the circuit that it is.
    let circuit = scratch.path("circuit.aig");
    indubit!["convert", &model, &circuit, "--property", "ctl0"].with_code(0);
    assert_eq!(indubit!["check", &circuit, "--quiet"].with_code(10).stdout.split(' ').next(), Some("fails"));
    assert!(scratch.path("circuit.ctl").is_file());
    let back = scratch.path("back.smv");
    indubit!["convert", &circuit, &back].with_code(0);
    assert!(std::fs::read_to_string(&back).unwrap().contains("CTLSPEC"));
    assert!(indubit!["check", &back, "--quiet"].with_code(10).stdout.starts_with("fails "));
}

#[test]
fn numbers_without_bounds_are_not_decided() {
    let scratch = Scratch::new();
    let text = "MODULE main\nVAR x : integer;\nASSIGN init(x) := 0; next(x) := x + 1;\nCTLSPEC AG x >= 0\nINVARSPEC x >= 0\n";
    let model = scratch.write("model.smv", text);
    let ran = indubit!["check", &model, "--smt", "none"].with_code(30);
    assert!(
        ran.stdout.contains(
            "not checked: formulas of computation tree logic are decided over finitely many states"
        ),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("safe        x >= 0"), "{}", ran.stdout);
}

#[test]
fn where_no_path_is_fair_nothing_is_claimed() {
    let scratch = Scratch::new();
    let model = scratch.write("unfair.aag", "aag 1 1 0 0 0 0 0 0 1\n2\n0\ni0 a\n");
    for formula in ["AG a", "!AG a", "false"] {
        let ran = indubit!["check", &model, "--ctl", formula].with_code(0);
        assert!(ran.stdout.contains("vacuous: no initial state has a fair path"), "{}", ran.stdout);
    }
}
