//! What models mean, and what is wrong with them.

use super::*;
use crate::lemmas;
use crate::model::{Model, WordModel};
use indubit_system::{Claim, PropertyId};
use indubit_term::{Sort, Value};
use std::path::PathBuf;

fn model(text: &str) -> Smv {
    parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error} in\n{text}"))
}
fn main(body: &str) -> Smv {
    model(&format!("MODULE main\n{body}"))
}
fn error(body: &str) -> String {
    match parse(format!("MODULE main\n{body}").as_bytes()) {
        Ok(_) => panic!("no error in {body}"),
        Err(error) => error.to_string(),
    }
}
/// Constant specifications that are not true.
fn wrong(model: &Smv) -> Vec<String> {
    let is_true = |p: &&indubit_system::Property<Term>| match &p.claim {
        Claim::Always(holds) => model.system.terms.as_bool(*holds) == Some(true),
        _ => false,
    };
    model.system.properties.iter().filter(|p| !is_true(p)).map(|p| p.label()).collect()
}
fn all_true(specs: &[&str]) {
    let body: String = specs.iter().map(|spec| format!("INVARSPEC {spec};\n")).collect();
    assert_eq!(wrong(&main(&body)), Vec::<String>::new());
}

#[test]
fn implications_of_ctl_associate_to_the_right() {
    let vars = "VAR a : boolean; b : boolean; c : boolean;";
    for (text, same) in [
        ("AX a -> AF b -> EG c", "AX a -> (AF b -> EG c)"),
        ("AX a & AF b | EG c -> a", "(((AX a) & (AF b)) | (EG c)) -> a"),
        ("!EX a & b", "(!(EX a)) & b"),
        ("AG a -> b", "(AG a) -> b"),
        ("E [a -> b U AX c & a]", "E [(a -> b) U ((AX c) & a)]"),
    ] {
        let claims: Vec<_> = [text, same]
            .map(|text| main(&format!("{vars} CTLSPEC {text}")).system.properties.remove(0).claim)
            .into();
        assert_eq!(claims[0], claims[1], "{text}");
    }
}

#[test]
fn ctl_knows_no_compassion() {
    let text = "MODULE main VAR b : boolean; COMPASSION (b, !b) CTLSPEC AG AF !b LTLSPEC G F !b";
    let mut model = parse(text.as_bytes()).unwrap();
    assert_eq!(model.system.properties.len(), 1);
    assert!(model.notes[0].contains("line 1: formulas of CTL are not decided"), "{:?}", model.notes);
    let listed = model.specifications();
    assert_eq!((listed[0].property, listed[1].property), (None, Some(0)));
    let error = model.add_specification(Kind::Ctl, "EF b").unwrap_err().to_string();
    assert!(error.contains("COMPASSION"), "{error}");
}

#[test]
fn operators_bind_as_the_manual_says() {
    all_true(&[
        "!TRUE = FALSE",
        "(!0ub2_01) = 0ub2_10 & !0ub2_01 = 0ub2_10",
        "TRUE -> FALSE -> TRUE",
        "FALSE -> FALSE -> FALSE",
        "!(TRUE xor TRUE) | FALSE & FALSE",
        "1 + 2 * 3 = 7 & 7 - 2 - 3 = 2 & -2 + 3 = 1",
        "2 in 1..3 & !(4 in {1, 2}) & 3 in {1} union {3}",
        "0ub1_1 :: 0ub1_0 = 0ub2_10",
        "TRUE ? FALSE -> FALSE : FALSE",
        "(FALSE <-> FALSE -> TRUE) = TRUE",
    ]);
}

#[test]
fn numbers_are_exact_and_words_wrap_around() {
    all_true(&[
        "7 / 5 = 1 & -7 / 5 = -1 & 7 / -5 = -1 & -7 / -5 = 1",
        "7 mod 5 = 2 & -7 mod 5 = -2 & 7 mod -5 = 2 & -7 mod -5 = -2",
        "0sd8_123 + 0sd8_123 = -0sd8_10",
        "swconst(-7, 8) / swconst(5, 8) = swconst(-1, 8) & swconst(-7, 8) mod swconst(5, 8) = swconst(-2, 8)",
        "uwconst(123, 8) >> 8 = uwconst(0, 8) & swconst(-2, 8) >> 1 = swconst(-1, 8) & 0ud8_3 << 7 = 0ud8_128",
        "0ud8_123[6:4] = 0ub3_111",
        "extend(0sb2_10, 2) = 0sb4_1110 & extend(0ub2_10, 2) = 0ub4_0010",
        "resize(0sb4_1001, 3) = 0sb3_101 & resize(0ub4_1001, 3) = 0ub3_001",
        "toint(0sb4_1111) = -1 & toint(0ub4_1111) = 15 & toint(TRUE) = 1",
        "bool(0ub1_1) & word1(TRUE) = 0ub1_1 & sizeof(0ud7_1) = 7",
        "signed(0ub2_11) = 0sb2_11 & signed(0ub2_11) < 0sb2_00 & 0ub2_11 > 0ub2_00",
        "abs(-3) = 3 & max(2, 5) = 5 & min(2, 5) = 2 & count(TRUE, FALSE, TRUE) = 2",
        "(0ub4_0101 -> 0ub4_0011) = 0ub4_1011 & (0ub4_0101 xnor 0ub4_0011) = 0ub4_1001",
        "999999999999999999999 * 999999999999999999999 > 999999999999999999999",
    ]);
}

#[test]
fn reals_and_unbounded_integers() {
    let model = main(
        "VAR n : integer; r : real; s : {a, b}; k : 0..5;\nASSIGN init(n) := 0; next(n) := n / 2 + k;\nINIT r = 1.5 & s = a\nTRANS next(r) = r + f'1/3
        INVARSPEC n >= 0; INVARSPEC floor(r) >= 1; INVARSPEC s = b -> n mod 3 = 0",
    );
    assert!(
        model
            .system
            .states
            .iter()
            .all(|v| matches!(model.system.terms.sort(v.current), Sort::Int | Sort::Real))
    );
    assert!(error("VAR n : integer; m : integer; INIT n / m = 1").contains("division by"));
}

#[test]
fn names_of_instances_and_parameters_are_found() {
    let model = model(
        "MODULE main
         VAR a : cell(b.out, x); b : cell(a.out, self.x); x : boolean;
         INVARSPEC a.inner.deep = b.inner.deep;
         MODULE cell(input, other)
         VAR inner : leaf(self); out : 0..3;
         ASSIGN init(out) := 0; next(out) := input;
         DEFINE both := other & inner.deep;
         MODULE leaf(around)
         DEFINE deep := around.out > 1 | around.input = 2;
         INVARSPEC NAME small := deep -> deep",
    );
    let labels: Vec<String> = model.system.properties.iter().map(|p| p.title()).collect();
    assert_eq!(labels, ["a.inner.deep = b.inner.deep (p0)", "a.inner.small (p1)", "b.inner.small (p2)"]);
    let names: Vec<&str> = (0..3).map(|i| model.system.state_name(i)).collect();
    assert_eq!(names, ["a.out", "b.out", "x"]);
}

#[test]
fn mistakes_are_named_in_the_words_of_the_language() {
    let cases = [
        (
            "VAR state : {idle, busy};\nINIT state = idel",
            "line 3, column 14: found `idel`, which is not declared, expected the name of a variable, a definition or a constant; did you mean `idle`?",
        ),
        ("VAR x : 0..7;\nINIT x-1 = 2", "found `x-1`, which is not declared"),
        ("VAR x : 0..7;\nINIT x", "line 3, column 6: found `x`, an integer, expected a Boolean"),
        (
            "VAR b : boolean;\nASSIGN init(b) := 0;",
            "line 3, column 19: found `0`, an integer, expected a Boolean for `b`",
        ),
        (
            "VAR b : boolean;\nASSIGN init(b) := TRUE;\ninit(b) := FALSE;",
            "line 4, column 6: found a second assignment to `init(b)`, expected one only; the first one is in line 3",
        ),
        (
            "VAR b : boolean;\nASSIGN b := TRUE; next(b) := b;",
            "found assignments to `b` and to its initial or next value",
        ),
        ("VAR a : boolean; b : boolean;\nASSIGN a := !b; b := a;", "depends on itself in the same step"),
        (
            "VAR a : boolean; b : boolean;\nASSIGN next(a) := next(b); next(b) := next(a);",
            "depends on itself in the same step",
        ),
        ("DEFINE a := b; b := !a;", "which is defined by itself"),
        (
            "VAR x : 0..3;\nASSIGN next(x) := case x = 0 : 1; x = 1 : 2; x = 3 : 0; esac;",
            "line 3, column 19: found a `case` in which no condition holds for some values of the variables, such as x = 2, expected",
        ),
        (
            "VAR x : 0..3;\nASSIGN next(x) := x + 1;",
            "line 3, column 21: found a value that `x` cannot have for some values of the variables, such as x = 3, expected values of its type only, as `mod` or a `case` with a condition makes them",
        ),
        ("VAR x : 0..3; y : 0..3;\nINVARSPEC x / y = 1", "found a division by zero for some values"),
        (
            "VAR a : array 0..3 of boolean; i : 0..4;\nINIT a[i]",
            "found an index that is not in 0..3 for some values of the variables, such as i = 4",
        ),
        ("VAR a : array 0..3 of boolean;\nINIT a[7]", "expected an index from 0 to 3"),
        ("VAR p : cell;", "found `cell`, which is no module"),
        ("VAR p : main;", "module `main` inside itself"),
        ("VAR x : boolean; x : boolean;", "found `x`, which is declared already"),
        ("IVAR i : boolean;\nINIT i", "found the input `i` in `INIT`"),
        ("IVAR i : boolean;\nTRANS next(i)", "the next value of `i`, an input"),
        ("VAR x : boolean;\nINVAR next(x)", "found the next value of `x` in `INVAR`"),
        ("VAR x : boolean;\nTRANS next(next(x))", "`next` inside `next`"),
        (
            "VAR x : word[4]; y : word[5];\nINIT x = y",
            "found an unsigned word[4] and an unsigned word[5] in `x = y`, expected values of one type",
        ),
        ("VAR x : word[0];", "found a word of 0 bits"),
        (
            "VAR a : array integer of array 0..1 of boolean;",
            "line 2, column 5: found an array of a finite type",
        ),
        ("VAR a : array word[2] of 0..3;", "found an array of a finite type"),
        ("VAR c : clock;", "clocks are not supported"),
        ("COMPUTE MIN [a, TRUE]", "found `a`, which is not declared"),
        ("COMPUTE [a, b]", "expected `MIN` or `MAX` behind `COMPUTE`"),
        ("PSLSPEC always x", "PSL are not supported"),
        ("VAR x : boolean;\nLTLSPEC AG x", "this one stands in `CTLSPEC`"),
        ("VAR x : boolean;\nSPEC G x", "this one stands in `LTLSPEC`"),
        ("VAR x : boolean;\nINIT G x", "no temporal operator here"),
        ("VAR x : {TRUE, FALSE};", "the type of TRUE and FALSE is `boolean`"),
        (
            "VAR x : 0..3;\nINIT tiont(x)",
            "found the function `tiont`, expected a function; did you mean `toint`?",
        ),
        ("VAR F : boolean;", "found `F`"),
        (
            "VAR x : boolean;\nDEFINES\n y := x;",
            "line 3, column 1: found `DEFINES`, which begins no section, expected `DEFINE`",
        ),
        ("VAR input boolean;", "expected `INIT`, if that is meant, or `:` after a name"),
        (
            "VAR x : boolean;\nassign init(x) := TRUE;",
            "line 3, column 1: found `assign`, which begins no section, expected `ASSIGN`",
        ),
        (
            "VAR x : boolean;\nINIT x INVSPEC x",
            "found `INVSPEC`, expected a section such as `VAR`, `ASSIGN` or `INVARSPEC`; did you mean `INVARSPEC`?",
        ),
        (
            "VAR x : boolean;\nTRANS x := x",
            "expected `=`, which compares; `:=` stands in `ASSIGN` and `DEFINE`",
        ),
        (
            "VAR x : boolean;\nLTLSPEC live := x",
            "expected a specification, which has its name as in `NAME live := G F x`",
        ),
        ("VAR x : boolean;\nDEFINE next(x) := x;", "assignments stand in `ASSIGN`"),
        (
            "VAR x : boolean;\nDEFINE y := case x : x;\n TRUE : !x;\nINIT x",
            "line 5, column 1: found `INIT`, expected `esac`, which ends the `case` of line 3",
        ),
        ("VAR x : boolean;\nINIT x && x", "line 3, column 8: found `&&`, expected `&`"),
        ("VAR x : boolean;\nINIT x and x", "SMV writes `&` for `and`"),
        (
            "VAR x : boolean;\nINIT true",
            "`true`, which is not declared, expected the name of a variable, a definition or a constant; SMV writes `TRUE`",
        ),
        ("VAR x : boolean;\nTRANS x' = x", "found `'`, expected `next(x)`"),
        (
            "VAR x : boolean;\nINVARSPEC NAME a := x;\nLTLSPEC NAME a := x;",
            "line 4, column 1: found a second specification `a`, expected another name; the first one is in line 3",
        ),
        (
            "VAR x : 0..3;\nASSIGN init(x) := 5;",
            "line 3, column 19: found a value that `x` cannot have, expected values of its type only",
        ),
        (
            "VAR a : array 0..3 of boolean; i : 0..3;\nASSIGN next(a[i]) := TRUE;",
            "found `a[i]`, an element whose index is no constant",
        ),
        ("VAR x : bool;", "SMV writes `boolean` for `bool`"),
        ("VAR x : boolean;\nINIT p.y = x", "line 3, column 6: found `p`, which is not declared"),
        (
            "DEFINE y := 0ud4_16;",
            "line 2, column 13: found `0ud4_16`, expected a number that fits into 4 bits",
        ),
        ("FROZENVAR f : 0..3;\nASSIGN next(f) := 1;", "a frozen variable, which keeps its initial value"),
        ("VAR x : 0..3;\nINIT x = {1, 2}", "expected `in`, which asks"),
    ];
    for (body, expected) in cases {
        let found = error(body);
        assert!(found.contains(expected), "{body}\n{found}\n{expected}");
    }
    assert!(parse(b"MODULE other").unwrap_err().to_string().contains("no module `main`"));
}

#[test]
fn conditions_are_exhaustive_where_values_say_so() {
    let model = main(
        "VAR x : {a, b, c}; y : 0..9; w : word[3]; z : {1, 3, 5};
         ASSIGN next(x) := case x = a : b; x in {b, c} : a; esac;
         next(y) := case y < 5 : y + 1; y >= 5 & y < 9 : y + 1; y = 9 : 0; esac;
         next(w) := case w < 0ud3_3 : w; w = 0ud3_3 : w; w > 0ud3_3 : 0ud3_0; esac;
         next(z) := case z = 1 : 3; z = 3 : 5; z = 5 : {1, 3}; esac;",
    );
    assert_eq!(model.notes, Vec::<String>::new());
    // Each next value is a function: nothing but domains is left.
    let (functions, rest) = model.system.functions(&mut model.system.terms.clone());
    assert_eq!((functions.len(), model.system.terms.as_bool(rest)), (4, Some(true)));
    let open = main(
        "VAR n : integer; b : boolean; ASSIGN next(b) := case n < 0 : TRUE; n = 0 : b; n > 0 : FALSE; esac;",
    );
    assert_eq!(open.notes.len(), 1, "{:?}", open.notes);
    assert!(
        error("VAR n : integer; b : boolean; ASSIGN next(b) := case n < 0 : TRUE; n > 0 : FALSE; esac;")
            .contains("no condition holds")
    );
}

#[test]
fn values_are_told_by_name() {
    let model = main("VAR s : {idle, busy, 7}; x : -3..4; w : signed word[4]; b : boolean;");
    let var = |i: usize| model.system.states[i].current;
    let told = |i: usize, value: Value| model.tell(var(i), &value).unwrap().text();
    assert_eq!(told(0, Value::bits(2, 1u32)), "busy");
    assert_eq!(told(0, Value::bits(2, 2u32)), "7");
    assert_eq!(told(1, Value::bits(4, 13u32)), "-3");
    assert_eq!(told(2, Value::bits(4, 15u32)), "-0sd4_1");
    assert_eq!(told(3, Value::Bool(true)), "TRUE");
    let types: Vec<String> = (0..4).map(|i| model.type_name(var(i))).collect();
    assert_eq!(types, ["{idle, busy, 7}", "-3..4", "signed word[4]", "boolean"]);
}

#[test]
fn invariants_speak_of_values_and_are_read_again() {
    let model = WordModel::Smv(main(
        "VAR s : {idle, busy, done}; x : 0..9; y : 0..9; w : word[4]; big : 0..100000; b : boolean; p : cell;
         INVARSPEC x in {y, (y + 1) mod 10};
         MODULE cell VAR c : {idle, busy};",
    ));
    let cases = [
        ("s = idle", "s = idle\n"),
        ("name: s in {idle, done}", "s != busy\n"),
        ("x <= 3 -- small", "x <= 3\n"),
        ("x > 2 & x < 8", "x <= 7\nx >= 3\n"),
        ("b | x > 2 & x < 8", "b | x in 3..7\n"),
        ("x in {y, (y + 1) mod 10}", "x in {y, (y + 1) mod 10}\n"),
        ("x in {1, 4, 7}", "x in {1, 4, 7}\n"),
        ("x = 1 | x = 2 | s = busy", "x in 1..2 | s = busy\n"),
        ("p.c = busy -> x != 0", "x != 0 | p.c = idle\n"),
        ("x < y", "x < y\n"),
        ("b & !(x = y)", "b\nx != y\n"),
        ("w[2:2] = 0ub1_1", "bool(w[2:2])\n"),
        ("w >= 0ud4_3", "w >= 0ud4_3\n"),
        ("big <= 70000", "big <= 70000\n"),
    ];
    for (text, expected) in cases {
        let read = lemmas::parse_words(text.as_bytes(), &model).unwrap_or_else(|e| panic!("{text}: {e}"));
        let mut terms = read.terms.clone();
        let all = terms.and(&read.candidates);
        let written = model.text(&terms, all, None);
        let mut lines: Vec<&str> = written.lines().collect();
        lines.sort_unstable();
        let mut wanted: Vec<&str> = expected.lines().collect();
        wanted.sort_unstable();
        assert_eq!(lines, wanted, "{text}");
        let again =
            lemmas::parse_words(written.as_bytes(), &model).unwrap_or_else(|e| panic!("{written}: {e}"));
        assert_eq!(again.candidates.len(), lines.len());
    }
    let wrong = |text: &str| lemmas::parse_words(text.as_bytes(), &model).unwrap_err().to_string();
    assert!(
        wrong("x <= 3\nok: s = idel").contains("line 2, column 9: found `idel`"),
        "{}",
        wrong("x <= 3\nok: s = idel")
    );
}

#[test]
fn names_are_defined_in_other_instances() {
    let model = model(
        "MODULE main VAR a : cell(b, x); b : cell(a, !x); x : boolean; INVARSPEC a.ack = b.own;
         MODULE cell(left, v) VAR u : leaf; DEFINE left.ack := u.both; u.both := v; own := v;
         MODULE leaf DEFINE both_too := both;",
    );
    assert_eq!(wrong(&model), Vec::<String>::new());
    assert!(error("VAR x : boolean; DEFINE x.y := TRUE;").contains("found `x`, expected an instance"));
}

#[test]
fn processes_take_turns() {
    let model = model(
        "MODULE main VAR x : 0..3; a : process adder(x); b : process adder(x); ASSIGN init(x) := 0;
         FAIRNESS a.running
         MODULE adder(x) ASSIGN next(x) := (x + 1) mod 4; FAIRNESS running",
    );
    assert_eq!(model.system.input_name(0), "_process_selector_");
    assert_eq!(model.system.fairness.len(), 3);
    let (functions, _) = model.system.functions(&mut model.system.terms.clone());
    assert_eq!(functions.len(), 1);
}

#[test]
fn specifications_are_numbered_as_they_stand() {
    let model = main(
        "VAR b : boolean;
         INVARSPEC NAME first := b; LTLSPEC G F b U !b; SPEC AG EF b & A [b BU 1..2 !b]; LTLSPEC F [0,3] b & O [1,2] !b; INVARSPEC next(b) = b",
    );
    let ids: Vec<PropertyId> = model.system.properties.iter().map(|p| p.id).collect();
    assert_eq!(
        ids,
        [
            PropertyId::Invar(0),
            PropertyId::Ltl(1),
            PropertyId::Ctl(2),
            PropertyId::Ltl(3),
            PropertyId::Invar(4)
        ]
    );
    assert_eq!(model.system.validate(), Ok(()));
    assert_eq!(model.system.state_name(1), ".step1");
}

#[test]
fn modules_before_main_have_the_first_numbers() {
    let model = model(
        "MODULE cell VAR c : boolean; LTLSPEC F c; INVARSPEC c; MODULE main VAR a : cell; b : cell; SPEC AG a.c;",
    );
    let titles: Vec<String> = model.system.properties.iter().map(|p| p.title()).collect();
    assert_eq!(titles, ["F c IN a (ltl0)", "c IN a (p1)", "F c IN b (ltl2)", "c IN b (p3)", "AG a.c (ctl4)"]);
}

#[test]
fn long_chains_and_deep_nests() {
    let chain: String = (1..3000).map(|i| format!("d{i} := !d{};\n", i - 1)).collect();
    main(&format!("VAR b : boolean; DEFINE d0 := b;\n{chain}INVARSPEC d2999"));
    let doubled: String = (1..200).map(|i| format!("d{i} := d{} + d{};\n", i - 1, i - 1)).collect();
    main(&format!("VAR x : 0..1; DEFINE d0 := x;\n{doubled}INVARSPEC d199 >= 0"));
    let squared: String = (1..100).map(|i| format!("d{i} := d{} * d{};\n", i - 1, i - 1)).collect();
    assert!(
        error(&format!("VAR x : 0..7; DEFINE d0 := x;\n{squared}INVARSPEC d99 >= 0")).contains("too large")
    );
    let unions: String = (1..60).map(|i| format!("d{i} := d{} union d{};\n", i - 1, i - 1)).collect();
    let many = error(&format!("VAR x : 0..7; DEFINE d0 := {{1, 2}};\n{unions}INVARSPEC x in d59"));
    assert!(many.contains("very many values"), "{many}");
    let lists: String = (1..60).map(|i| format!("d{i} := [d{}, d{}];\n", i - 1, i - 1)).collect();
    let many = error(&format!("VAR x : 0..7; DEFINE d0 := [x, x];\n{lists}INVARSPEC d59 = d59"));
    assert!(many.contains("unfolds to too much"), "{many}");
    let deep = "(".repeat(400) + "b" + &")".repeat(400);
    main(&format!("VAR b : boolean; INVARSPEC {deep}"));
    let not = "!".repeat(400) + "b";
    main(&format!("VAR b : boolean; INVARSPEC {not}; LTLSPEC {not}"));
    for deep in [
        "(".repeat(100_000),
        "!".repeat(100_000),
        "a -> ".repeat(100_000),
        "case ".repeat(5000),
        "{".repeat(9000),
        "X ".repeat(9000),
    ] {
        assert!(error(&format!("VAR a : boolean; LTLSPEC {deep} a")).contains("nested more than"));
    }
    let long = "b & ".repeat(20_000) + "b";
    main(&format!("VAR b : boolean; INVARSPEC {long}"));
    let modules: String = (0..40).map(|i| format!("MODULE m{i} VAR a : m{0}; b : m{0};\n", i + 1)).collect();
    assert!(
        error(&format!("VAR m : m0;\n{modules}MODULE m40 VAR x : boolean;")).contains("too many instances")
    );
    assert!(error("VAR a : array 0..1000000000 of boolean;").contains("at most"));
    assert!(error("VAR a : array 0..1000 of array 0..1000 of boolean;").contains("too many variables"));
}

/// Files beside the checkout, if there are any.
fn corpus() -> Option<(PathBuf, Vec<String>)> {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = here.ancestors().map(|a| a.join("shared/bench")).find(|c| c.is_dir())?;
    let list = std::fs::read_to_string(folder.join("tuning-smv.csv")).ok()?;
    let files = list.lines().skip(1).filter_map(|line| Some(line.split(',').next()?.to_owned())).collect();
    Some((folder, files))
}

#[test]
fn arrays_of_arrays_are_read_and_written() {
    let body = "VAR m : array integer of array word[2] of integer; i : integer;\n\
        INIT m = CONSTARRAY(typeof(m), CONSTARRAY(array word[2] of integer, 7))\n\
        TRANS next(m) = WRITE(m, i, WRITE(READ(m, i), 0ud2_1, READ(READ(m, 0), 0ud2_1) + 1))\n\
        INVARSPEC READ(READ(m, 3), 0ud2_2) = 7\n";
    let Smv { system, .. } = main(body);
    let sort = system.terms.sort(system.states[0].current);
    assert_eq!(sort.to_string(), "(Array Int (Array (_ BitVec 2) Int))");
}

#[test]
fn files_of_the_corpus_are_read() {
    let Some((folder, files)) = corpus() else { return };
    let props = std::fs::read_to_string(folder.join("smv_props.csv")).unwrap_or_default();
    for file in files {
        let read = crate::model::read(&folder.join(&file));
        let Ok(Model::Words(WordModel::Smv(model))) = read else { panic!("{file}: {:?}", read.err()) };
        assert_eq!(model.system.validate(), Ok(()), "{file}");
        let n = props.lines().filter(|line| line.starts_with(&format!("{file},"))).count();
        assert!(model.system.properties.len() >= n, "{file}: {n}");
        assert!(model.notes.is_empty(), "{file}: {:?}", model.notes);
        // Those in an instance say so, and the list has them in the same order.
        let end = |text: &str| text.rsplit_once(" IN ").map(|(_, path)| path.to_owned());
        for line in props.lines().filter(|line| line.starts_with(&format!("{file},"))) {
            let fields: Vec<&str> = line.split(',').collect();
            let &[_, index, kind, text, _, _] = &fields[..] else { continue };
            let property = &model.system.properties[index.parse::<usize>().unwrap()];
            let found = match property.id {
                PropertyId::Invar(_) => "INVAR",
                PropertyId::Ltl(_) => "LTL",
                _ => "CTL",
            };
            assert_eq!((found, end(&property.label())), (kind, end(text)), "{line}");
        }
    }
}

/// A name that is a word of another language is not what is wrong where something is missing in the line after it.
#[test]
fn what_a_model_calls_its_own_is_no_slip() {
    let text =
        "MODULE main\nVAR default : boolean; x : boolean;\nASSIGN\n next(x) := default\n next(default) := x;";
    let error = parse(text.as_bytes()).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("line 5") && error.contains("expected `;`") && !error.contains("TRUE"), "{error}");
}
