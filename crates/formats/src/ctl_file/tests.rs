//! Tests of files of formulas.

use super::*;

fn model() -> BitSystem {
    let mut model = BitSystem::new();
    for name in ["a", "b", "c", "d", "pc<*1*><0>", "v<1>", "v<0>", "odd name"] {
        model.add_latch(name, Some(false));
    }
    model.add_input("go");
    model
}

fn read(text: &str) -> Vec<Written> {
    parse(text.as_bytes(), &model()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn same(a: &str, b: &str) {
    let one = |text: &str| match &read(text)[..] {
        [written] => written.formula.clone(),
        several => panic!("{text}: {} formulas", several.len()),
    };
    assert_eq!(one(a), one(b), "{a} and {b}");
}

fn error(text: &str) -> String {
    parse(text.as_bytes(), &model()).unwrap_err().to_string()
}

#[test]
fn precedence_and_associativity() {
    same("a -> b -> c", "(a -> b) -> c");
    same("a ^ b == c -> d", "((a ^ b) == c) -> d");
    same("a -> b | c & d", "a -> (b | (c & d))");
    same("~a & b", "(~a) & b");
    same("AG a -> AF b", "(AG a) -> (AF b)");
    same("~EX a & b", "(~(EX a)) & b");
    same("AG~a", "AG(!a)");
    same("EX EX a | b", "(EX (EX a)) | b");
}

#[test]
fn until_takes_all_on_its_left_and_an_operand_on_its_right() {
    same("E a & b U c", "E (a & b) U c");
    same("E a -> b U c", "E [(a -> b) U c]");
    same("E a U b & c", "(E [a U b]) & c");
    same("E a U ~b & c", "(E a U (~b)) & c");
    same("~E a U b", "~(E [a U b])");
    same("E a U E b U c", "E [a U (E [b U c])]");
    same("A A a U b U c", "A [(A [a U b]) U c]");
    same("E (a U b | c) & d", "(E [a U (b | c)]) & d");
    same("E (a) & (b) U c", "E [(a & b) U c]");
    same("A (a) W (b)", "A [a W b]");
    same("A a R b", "A [a R b]");
    same("E a R b | c", "(E (a R b)) | c");
}

#[test]
fn formulas_follow_each_other() {
    let formulas = read("# a comment; AG a\nAG a # more\n  ~b;\n\nE a\n U b c\n(d)\n& a");
    let told: Vec<(&str, usize)> = formulas.iter().map(|f| (&*f.text, f.line)).collect();
    assert_eq!(told, [("AG a", 2), ("~b", 3), ("E a U b", 5), ("c", 6), ("(d) & a", 7)]);
    assert!(read("").is_empty() && read("# nothing").is_empty());
}

#[test]
fn names() {
    same("pc<*1*><0>->v<1>", "\"pc<*1*><0>\" -> \"v<1>\"");
    same("\"odd name\" & go", "l7 & i0");
    same("true", "~false");
    let error_of = |text: &str, part: &str| {
        let error = error(text);
        assert!(error.contains(part), "{text}: {error}");
    };
    error_of("AG pc<*1*><9>", "line 1, column 4: found `pc<*1*><9>`");
    error_of("AG\n pd<*1*><0>", "is it");
    error_of("AG v", "a vector of 2 bits");
}

#[test]
fn mistakes_are_told_where_they_are() {
    for (text, expected) in [
        ("AG", "line 1, column 3: found the end of the file, expected a formula"),
        ("a &\n& b", "line 2, column 1: found `&`, expected a formula"),
        ("E a", "`U`, `R` or `W` for the `E` in line 1, column 1"),
        ("E [a]", "`U`, `R` or `W` for the `[` in line 1, column 3"),
        ("E [a U b)", "`]` for the `[` in line 1, column 3"),
        ("AG (a b)", "an operator or `)` for the `(` in line 1, column 4"),
        ("a U b", "an operator that needs no `E` or `A`"),
        ("(a U b)", "an operator that needs no `E` or `A`"),
        ("a)", "found `)`, expected an operator, or another formula"),
        ("E a U", "expected a formula"),
        ("[a]", "expected a formula"),
        ("a = b", "expected a formula of CTL"),
        ("\"a", "a closing quote"),
        ("A U b", "expected a formula"),
    ] {
        let error = error(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn nesting_is_no_recursion_and_mutations_no_panic() {
    let deep = format!("{}a{}", "EX (".repeat(20_000), ")".repeat(20_000));
    assert_eq!(read(&deep).len(), 1);
    let text: &[u8] =
        b"AG(a -> ~E b & c U (d | EX true)) # x\nA [a W pc<*1*><0>] ^ \"odd name\" == v<1>; AF !go";
    let model = model();
    let pieces: [&[u8]; 12] =
        [b"(", b")", b"[", b"]", b"U", b" E ", b"A ", b"->", b"\"", b"#", b"\xff", b"\n"];
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..3000 {
        let mut mutated = text.to_vec();
        for _ in 0..=random(4) {
            let (from, to) = (random(mutated.len()), random(mutated.len()));
            let piece = pieces[random(pieces.len())];
            mutated.splice(
                from..to.clamp(from, (from + random(6)).min(mutated.len()).max(from)),
                piece.iter().copied(),
            );
        }
        let _ = parse(&mutated, &model);
    }
}

#[test]
fn outputs_are_signals_then() {
    let mut model = model();
    let a = Lit::positive(model.latches()[0].var);
    model.outputs.push(indubit_system::Signal { lit: !a, name: Some("idle".into()) });
    assert_eq!(model.properties().len(), 1);
    assert_eq!(add(b"AG EF idle  EF ~idle", "model.ctl", &mut model), Ok(2));
    assert_eq!(
        model.properties().iter().map(|p| p.id).collect::<Vec<_>>(),
        [PropertyId::Ctl(0), PropertyId::Ctl(1)]
    );
}
