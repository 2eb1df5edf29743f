//! Whatever is wrong with a file or a request: exit code 2, the place, what was found, what was expected.

use crate::common::{Scratch, example};

/// Every command that reads a model complains in the same way.
#[track_caller]
fn refuses(contents: &[u8], expected: &str) {
    let scratch = Scratch::new();
    let model = scratch.write("m.aig", contents);
    let out = scratch.path("out.aag");
    let runs = [
        indubit!["check", &model],
        indubit!["check", &model, "--format", "json"],
        indubit!["info", &model],
        indubit!["convert", &model, &out],
        indubit!["simulate", &model],
        indubit!["certify", &model, &model],
    ];
    for ran in runs {
        let ran = ran.with_code(2);
        let path = model.display();
        assert!(ran.stderr.starts_with(&format!("error: {path}:{expected}")), "{}", ran.stderr);
        assert!(ran.stderr.contains("hint: ") && ran.stdout.is_empty(), "{}", ran.stderr);
    }
    assert_eq!(scratch.files(), ["m.aig"]);
}

#[test]
fn damaged_models() {
    refuses(b"", "");
    refuses(b"hello world\n", "1:1: found `hello`, expected ");
    refuses(b"aag 1 1 0\n", "1:");
    refuses(b"aag 1 1 0 1 0\n2\n5\n", "3:1: found literal 5, expected at most 3");
    refuses(b"aag 2 2 0 0 0 1\n2\n2\n4\n", "3:1: ");
    refuses(b"aag 2 1 0 1 0\n2\n4\n", "3:1: ");
    refuses(b"aag 3 1 0 1 2\n2\n4\n4 6 2\n6 4 2\n", "5:1: found AND gate 6, which depends on itself");
    refuses(b"aag 3 0 2 0 1 1\n2 0 6\n4 0 2\n6\n6 4 1\n", "2:");
    // Counts that lie, truncated binaries, deltas that overflow.
    refuses(b"aag 4000000000 4000000000 0 0 0\n2\n", "");
    refuses(b"aig 999999999 0 0 1 999999999\n2\n\x02", "");
    refuses(b"aig 3 2 0 1 1\n6\n\x02", " byte ");
    refuses(b"aig 3 2 0 1 1\n6\n\xff\xff\xff\xff\xff\xff\xff\x01", " byte ");
}

#[test]
fn hints_fit_the_error() {
    let scratch = Scratch::new();
    let hint = |contents: &str| {
        let model = scratch.write("m", contents);
        indubit!["info", &model].with_code(2).stderr
    };
    assert!(hint("hello\n").contains("hint: a model is an AIGER file"));
    let text = hint("aag 99999999999999999999999 0 0 0 0\n");
    assert!(
        text.contains("a maximal variable of more than 64 bits") && !text.contains("a model is"),
        "{text}"
    );
    let model = example("peterson.aag");
    let ran = indubit!["--timeout", "5", "check", &model].with_code(2);
    assert!(
        ran.stderr.contains("hint: options follow their command: `indubit check MODEL"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_looks_odd_but_is_fine() {
    let scratch = Scratch::new();
    let windows = scratch.write("windows.aag", crate::common::MIXED.replace('\n', "\r\n"));
    assert_eq!(
        indubit!["check", &windows, "--quiet", "--property", "never"].with_code(0).stdout,
        "safe never\n"
    );
    let names = scratch.write("names.aag", b"aag 1 0 1 0 0 1\n2 3\n2\nl0 \xff\xfe\x1b[2J\nb0 \xff\n");
    let ran = indubit!["check", &names].with_code(10);
    assert!(ran.stdout.contains('\u{fffd}') && !ran.stdout.contains('\x1b'));
    let ran = indubit!["check", &names, "--format", "json"].with_code(10);
    assert_eq!(ran.json()["properties"][0]["name"], "\u{fffd}");
    // Old files: outputs are the properties. With justice only they are not.
    let old = scratch.write("old.aag", "aag 1 0 1 1 0\n2 3\n2\n");
    assert_eq!(indubit!["check", &old, "--quiet"].with_code(10).stdout, "unsafe o0\n");
    let justice = scratch.write("justice.aag", "aag 1 0 1 1 0 0 0 1\n2 3\n2\n1\n2\n");
    assert_eq!(indubit!["check", &justice, "--quiet"].with_code(10).stdout, "fails j0\n");
}

#[test]
fn files_that_are_not_there() {
    let scratch = Scratch::new();
    let none = scratch.path("none.aig");
    let directory = scratch.path("");
    for command in ["check", "info", "simulate"] {
        let ran = indubit![command, &none].with_code(2);
        assert!(
            ran.stderr.ends_with("none.aig: cannot read this file: there is no such file\n"),
            "{}",
            ran.stderr
        );
        let ran = indubit![command, &directory].with_code(2);
        assert!(ran.stderr.contains("it is a directory, not a file"), "{}", ran.stderr);
    }
    let ran = indubit!["certify", &example("peterson.aag"), &none].with_code(2);
    assert!(ran.stderr.contains("none.aig: cannot read this file"));
}

#[test]
fn outputs_that_cannot_be_written_are_refused_before_the_run() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aag", crate::common::MIXED);
    let nowhere = scratch.path("no/such/dir/file");
    let directory = scratch.path("");
    let both = scratch.path("both");
    for option in ["--witness", "--certificate", "--vcd", "--events"] {
        let ran = indubit!["check", &model, option, &nowhere].with_code(2);
        assert!(
            ran.stderr.contains("cannot write this file: the directory does not exist"),
            "{}",
            ran.stderr
        );
        let ran = indubit!["check", &model, option, &directory].with_code(2);
        assert!(ran.stderr.contains("it is a directory") && ran.stdout.is_empty(), "{}", ran.stderr);
    }
    indubit!["check", &model, "--witness", &both, "--certificate", &both].with_code(2);
    for option in ["--witness", "--certificate", "--vcd", "--events"] {
        let ran = indubit!["check", &model, option, &scratch.path("./m.aag")].with_code(2);
        assert!(ran.stderr.contains("it is read in the same run"), "{}", ran.stderr);
    }
    indubit!["simulate", &model, "--vcd", &model].with_code(2);
    assert_eq!(std::fs::read_to_string(&model).unwrap(), crate::common::MIXED);
    indubit!["simulate", &model, "--vcd", &nowhere].with_code(2);
}

#[test]
fn files_of_several_properties_do_not_overwrite_anything() {
    let scratch = Scratch::new();
    // The certificate of b0 would be called like the model.
    let model = scratch.write("m.b0.aag", crate::common::MIXED);
    let [base, events, other] = ["m.aag", "m.b1.aag", "m.b1.aag"].map(|n| scratch.path(n));
    let ran = indubit!["check", &model, "--certificate", &base].with_code(2);
    assert!(
        ran.stderr.contains("m.b0.aag: cannot write this file: it is read in the same run"),
        "{}",
        ran.stderr
    );
    assert!(ran.stdout.is_empty());
    assert_eq!(std::fs::read_to_string(&model).unwrap(), crate::common::MIXED);
    let model = scratch.write("x.aag", crate::common::MIXED);
    indubit!["check", &model, "--certificate", &base, "--events", &events].with_code(2);
    indubit!["check", &model, "--certificate", &base, "--witness", &other].with_code(10);
    indubit!["check", &model, "--certificate", &base, "--witness", &base].with_code(2);
    // Alone they have the names that were asked for.
    indubit!["check", &model, "--property", "0", "--certificate", &base].with_code(0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_takes_no_file_is_noticed_before_the_run() {
    let ran = indubit!["check", &example("peterson.aag"), "--certificate", "/proc/self/x.aig"].with_code(2);
    assert!(ran.stderr.contains("x.aig: cannot write this file") && ran.stdout.is_empty(), "{}", ran.stderr);
}

#[test]
fn names_cannot_move_the_cursor() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aag", "aag 2 1 1 0 0 1\n2\n4 2\n4\ni0 \x1b[2Jx\nl0 \x1b[2J\nb0 \x1b[1m\n");
    let witness = scratch.write("w", "1\nb0\n1\n1\n.\n");
    let ran = indubit!["certify", &model, &witness].with_code(1);
    assert!(ran.stdout.starts_with("rejected: latch \u{fffd}[2J starts with 1"), "{}", ran.stdout);
    // Reset functions that depend on themselves: the message quotes the latch.
    let cyclic = scratch.write("c.aag", "aag 2 0 2 0 0 1\n2 0 4\n4 0 2\n4\nl0 \x1b[2J\nl1 \x1b[2J\n");
    let runs = [
        indubit!["check", &cyclic],
        indubit!["check", &model],
        indubit!["info", &model],
        indubit!["simulate", &model, "--steps", "3"],
    ];
    for ran in runs {
        assert!(!ran.stdout.contains('\x1b') && !ran.stderr.contains('\x1b'), "{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains('\u{fffd}') || ran.stderr.contains('\u{fffd}'));
    }
}

#[test]
fn a_model_without_property() {
    let scratch = Scratch::new();
    let model = scratch.write("m.aag", "aag 1 0 1 0 0\n2 3\n");
    let ran = indubit!["check", &model].with_code(2);
    assert!(ran.stderr.starts_with("error: the model has no property"), "{}", ran.stderr);
    assert!(indubit!["info", &model].with_code(0).stdout.ends_with("no property: nothing to check\n"));
    let ran = indubit!["certify", &model, &model].with_code(2);
    assert!(ran.stderr.starts_with("error: the model has no property"), "{}", ran.stderr);
}

#[test]
fn usage() {
    let model = example("peterson.aag");
    for arguments in [
        &["--engine", "magic"][..],
        &["--timeout", "soon"],
        &["--memory", "-1"],
        &["--bound", "x"],
        &["--format", "xml"],
        &["--quiet", "--verbose"],
        &["--no-such-option"],
        &["--property", "no such"],
    ] {
        let mut all = vec!["check", model.to_str().unwrap()];
        all.extend(arguments);
        let ran = crate::common::indubit(all).with_code(2);
        assert!(ran.stderr.starts_with("error: ") && ran.stdout.is_empty(), "{}", ran.stderr);
    }
    let ran = indubit![&model].with_code(2);
    assert!(ran.stderr.contains("indubit check"), "{}", ran.stderr);
    let ran = indubit!["chekc", &model].with_code(2);
    assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    crate::common::indubit::<&str>([]).with_code(2);
}
