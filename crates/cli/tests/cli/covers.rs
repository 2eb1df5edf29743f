//! Covers: can something be reached? Over bits and words, in every format.

use crate::common::{Scratch, example};

#[test]
fn covers_over_bits_in_every_format() {
    let model = example("fifo.aag");
    let cover =
        |formula: &str, format: &str| indubit!["check", &model, "--cover", formula, "--format", format];
    let ran = cover("count = 4", "human").with_code(0);
    for text in [
        "\nreached     count = 4 (cover0)  (",
        "\n  count = 4 (cover0) is reached in step 4\n",
        "1 of 4 properties\n",
    ] {
        assert!(ran.stdout.contains(text), "{text:?} is missing:\n{}", ran.stdout);
    }
    let ran = cover("count = 5", "human").with_code(10);
    assert!(
        ran.stdout.contains("\nunreachable count = 5 (cover0)  (")
            && ran.stdout.contains("\n  inductive invariant (")
    );
    let report = cover("count = 4", "json").with_code(0).json();
    let property = &report["properties"][0];
    assert_eq!(
        (&property["verdict"], &property["claim"], &property["length"]),
        (&"reached".into(), &"cover".into(), &4.into())
    );
    assert_eq!(property["evidence"]["steps"].as_array().unwrap().len(), 5);
    let property = &cover("count = 5", "json").with_code(10).json()["properties"][0];
    assert_eq!(
        (&property["verdict"], &property["evidence"]["kind"]),
        (&"unreachable".into(), &"inductive".into())
    );
    assert_eq!(cover("count = 4", "hwmcc").with_code(0).stdout, "sat\n");
    assert_eq!(cover("count = 5", "hwmcc").with_code(10).stdout, "unsat\n");
    assert!(cover("count = 4", "sby").with_code(0).stdout.starts_with("1\nb0\n"));
    assert_eq!(cover("count = 5", "sby").with_code(0).stdout, "0\n");
    let quiet = indubit![
        "check",
        &model,
        "--cover",
        "count = 5",
        "--cover",
        "count = 4",
        "--property",
        "overflow",
        "--quiet"
    ];
    assert_eq!(quiet.with_code(10).stdout, "safe overflow\nunreachable count = 5\nreached count = 4\n");
    let ran = indubit!["check", &model, "--cover", "nothing = 5"].with_code(2);
    assert!(ran.stderr.contains("nothing") && ran.stdout.is_empty(), "{}", ran.stderr);
}

/// A bound is no counterexample.
#[test]
fn covers_that_are_not_reached_yet() {
    let model = example("fifo.aag");
    let cover = |format: &str| {
        indubit![
            "check",
            &model,
            "--cover",
            "count = 4",
            "--bound",
            "2",
            "--engine",
            "bmc",
            "--format",
            format
        ]
    };
    let ran = cover("human").with_code(30);
    assert!(
        ran.stdout.contains("\n  not reached in up to 2 steps; the bound was reached\n"),
        "{}",
        ran.stdout
    );
    let ran = cover("hwmcc").with_code(30);
    assert!(ran.stderr.ends_with(": unknown (bound reached), not reached in up to 2\n"), "{}", ran.stderr);
}

#[test]
fn covers_over_words_in_every_format() {
    let model = example("buffer.vmt");
    let cover =
        |formula: &str, format: &str| indubit!["check", &model, "--cover", formula, "--format", format];
    assert!(
        cover("items = 2", "human")
            .with_code(0)
            .stdout
            .contains("\n  items = 2 (cover0) is reached in step 2\n")
    );
    let ran = cover("items < 0", "human").with_code(10);
    assert!(ran.stdout.contains("\nunreachable items < 0 (cover0)  ("), "{}", ran.stdout);
    assert_eq!(cover("items = 2", "json").with_code(0).json()["properties"][0]["length"], 2);
    assert_eq!(cover("items < 0", "json").with_code(10).json()["properties"][0]["verdict"], "unreachable");
    assert_eq!(cover("items = 2", "chc").with_code(0).stdout, "unsat\n");
    assert_eq!(cover("items < 0", "chc").with_code(10).stdout, "sat\n");
}

/// Evidence about a cover is evidence about the model in which it is the only bad state.
#[test]
fn evidence_of_covers_is_checked_from_files() {
    let scratch = Scratch::new();
    let model = example("fifo.aag");
    let [witness, vcd, certificate, invariant] = ["w", "v.vcd", "c.aig", "i.lemmas"].map(|n| scratch.path(n));
    for (formula, code) in [("count = 4", 0), ("count = 5", 10)] {
        let single = scratch.path("single.aig");
        indubit![
            "check",
            &model,
            "--cover",
            formula,
            "--witness",
            &witness,
            "--vcd",
            &vcd,
            "--certificate",
            &certificate,
            "--invariant",
            &invariant
        ]
        .with_code(code);
        indubit!["convert", &model, &single, "--cover", formula].with_code(0);
        let evidence = if code == 0 { &witness } else { &certificate };
        assert!(indubit!["certify", &single, evidence].with_code(0).stdout.starts_with("valid: "));
        let certify = |format| indubit!["certify", &model, evidence, "--cover", formula, "--format", format];
        let (text, claim) =
            if code == 0 { ("is reached in step 4", "reached") } else { ("is unreachable", "unreachable") };
        let ran = certify("human").with_code(0);
        assert!(ran.stdout.starts_with(&format!("valid: {formula} {text}\n")), "{}", ran.stdout);
        assert_eq!(certify("json").with_code(0).json()["claim"], claim);
        if code == 10 {
            let ran = indubit!["prove", &single, "--lemmas", &invariant, "--quiet"].with_code(0);
            assert!(ran.stdout.starts_with("safe "), "{}", ran.stdout);
        }
    }
    assert_eq!(scratch.files(), ["c.aig", "i.lemmas", "single.aig", "v.vcd", "w"]);
    assert!(std::fs::read_to_string(&vcd).unwrap().starts_with("$version Indubit"));
    // Over words there are waveforms as well.
    let vcd = scratch.path("words.vcd");
    indubit!["check", &example("buffer.vmt"), "--cover", "items = 2", "--vcd", &vcd].with_code(0);
    assert!(std::fs::read_to_string(&vcd).unwrap().starts_with("$version Indubit"));
}
