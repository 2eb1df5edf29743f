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
fn formulas_of_both_logics_and_invariants_are_decided() {
    let scratch = Scratch::new();
    let model = scratch.write("model.smv", "MODULE main VAR b : boolean; SPEC AG EF b INVARSPEC b = b");
    let ran = indubit!["check", &model].with_code(0);
    assert!(ran.stdout.contains("holds       AG EF b (ctl0)"), "{}", ran.stdout);
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

/// What students get wrong: the message has a place, the line, a mark below the place, and says what to do.
#[test]
fn typical_mistakes() {
    let scratch = Scratch::new();
    let text = std::fs::read_to_string(example("smv/mutex.smv")).unwrap();
    let counter = std::fs::read_to_string(example("smv/counter.smv")).unwrap();
    for (model, right, wrong, message) in [
        (
            &counter,
            "pause     : count;",
            "pause     : conut;",
            "model.smv:17:17: found `conut`, which is not declared, expected the name of a variable, a definition or a constant; did you mean `count`?\n 17 |     pause     : conut;\n    |                 ^\n",
        ),
        (
            &counter,
            "init(count) := 0;",
            "init(count) := 0",
            "model.smv:14:3: found `init`, expected `;` behind an assignment\n 14 |   init(last) := 0;\n    |   ^\n",
        ),
        (
            &counter,
            "init(count) := 0;",
            "init(count) = 0;",
            "model.smv:13:15: found `=`, expected `:=` in an assignment\n 13 |   init(count) = 0;\n    |               ^\n",
        ),
        (
            &counter,
            "    TRUE      : count + 1;\n",
            "",
            "model.smv:15:18: found a `case` in which no condition holds for some values of the variables, such as pause = FALSE, reset = FALSE, count = 0, expected conditions for all values, such as `TRUE : …;` at the end\n 15 |   next(count) := case\n    |                  ^\n",
        ),
        (
            &text,
            "!(a.place = critical & b.place = critical)",
            "!(a.place & b.place)",
            "model.smv:19:32: found `a.place`, a symbol, expected a Boolean\n 19 | INVARSPEC NAME exclusion := !(a.place & b.place);\n    |                                ^\n",
        ),
        (
            &counter,
            "next(last) := count;",
            "next(last) := count;\n  next(last) := 0;",
            "model.smv:22:8: found a second assignment to `next(last)`, expected one only; the first one is in line 21\n 22 |   next(last) := 0;\n    |        ^\n",
        ),
        (
            &counter,
            "next(last) := count;",
            "next(last) := count;\nDEFINE a := b + 1;\n  b := a - 1;",
            "model.smv:23:3: found `b`, which is defined by itself, expected definitions that are not circular\n 23 |   b := a - 1;\n    |   ^\n",
        ),
        (
            &counter,
            "count = 9 : 0;",
            "count = 8 : 0;",
            "model.smv:15:18: found a value that `count` cannot have for some values of the variables, such as pause = FALSE, reset = FALSE, count = 9, expected values of its type only, as `mod` or a `case` with a condition makes them\n 15 |   next(count) := case\n    |                  ^\n",
        ),
        (
            &text,
            ": client(moves = left,",
            ": cilent(moves = left,",
            "model.smv:10:10: found `cilent`, which is no module, expected a type, or the name of a module; did you mean `client`?\n 10 |   a    : cilent(moves = left, b.flag, turn = left);\n    |          ^\n",
        ),
        (
            &text,
            "client(moves = right, a.flag, turn = right)",
            "client(moves = right, a.flag)",
            "model.smv:11:10: found 2 parameters of `client`, expected 3: client(moves, other_flag, has_turn)\n 11 |   b    : client(moves = right, a.flag);\n    |          ^\n",
        ),
    ] {
        assert_eq!(model.matches(right).count(), 1, "{right}");
        let model = scratch.write("model.smv", model.replace(right, wrong));
        for command in ["check", "nuxmv"] {
            let ran = indubit![command, &model].with_code(2);
            assert!(ran.stderr.contains(message), "{message}\nis not in\n{}", ran.stderr);
        }
    }
}

/// The models of our own in SMV, and what is true of them.
#[test]
fn examples_are_what_they_say() {
    for (model, verdicts) in [
        ("mutex", "safe exclusion\nunsafe nobody\nholds no_starvation\n"),
        (
            "counter",
            "safe in_range\nunsafe never_nine\nsafe steps\nsafe remembered\nfails comes_back\nholds comes_back_if_it_runs\n",
        ),
        ("ferryman", "unsafe impossible\nsafe goat_is_safe\nfails gets_across\n"),
        ("protocol", "safe in_step\nunsafe at_once\nholds progress\nfails within_three_steps\n"),
        ("thermostat", "safe never_cold\nsafe never_hot\nunsafe always_warm\n"),
    ] {
        let path = example("smv").join(format!("{model}.smv"));
        let ran = indubit!["check", &path, "--quiet", "--smt", "none"].with_code(10);
        assert_eq!(ran.stdout, verdicts, "{model}");
    }
}
