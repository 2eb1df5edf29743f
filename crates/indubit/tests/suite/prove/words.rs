use super::*;
use indubit::formats::vmt;
use indubit::term::{Sort, Term, Value};
use indubit::{WordLemmas, WordProof, WordSystem, Words};

/// The programs over integers of *Incremental Inductive Verification*, slides after L. Geatti (docs/SOURCES.md): both start with x = y = 1.
fn program(x_next: &str, y_next: &str) -> WordSystem {
    system(
        "Int",
        "(and (= x 1) (= y 1))",
        &format!("(and (= x.next {x_next}) (= y.next {y_next}))"),
        "(>= y 1)",
    )
}

/// A system over x and y, with an input i.
fn system(sort: &str, init: &str, trans: &str, holds: &str) -> WordSystem {
    let mut text = String::new();
    for name in ["x", "y", "x.next", "y.next", "i"] {
        text += &format!("(declare-fun {name} () {sort})\n");
    }
    for name in ["x", "y"] {
        text += &format!("(define-fun .{name} () {sort} (! {name} :next {name}.next))\n");
    }
    text += &format!(
        "(define-fun .init () Bool (! {init} :init))\n(define-fun .trans () Bool (! {trans} :trans))\n"
    );
    text += &format!("(define-fun p () Bool (! {holds} :invar-property 0))\n");
    vmt::parse(text.as_bytes()).unwrap()
}

/// Lemmas, each an operator, a variable and a number.
fn lemmas(system: &WordSystem, lemmas: &[(&str, &str, i64)]) -> WordLemmas {
    let mut terms = system.terms.clone();
    let lemma = |&(op, name, number): &(&str, &str, i64)| {
        let names: Vec<&str> = (0..2).map(|i| system.state_name(i)).collect();
        let var = system.states[names.iter().position(|n| *n == name).unwrap()].current;
        let number = match terms.sort(var) {
            Sort::BitVec(width) => terms.bits(width, u32::try_from(number).unwrap()),
            _ => terms.int(number),
        };
        terms.call(op, &[], &[var, number]).unwrap().unwrap()
    };
    let formulas = lemmas.iter().map(lemma).collect();
    WordLemmas { terms, formulas }
}

fn with(system: &WordSystem, known: &[(&str, &str, i64)]) -> Said<Words> {
    prove(system, lemmas(system, known), 0)
}

#[test]
fn the_story_of_two_programs() {
    // M₁: y := y + x. In order.
    let first = program("(+ x 1)", "(+ y x)");
    let said = with(&first, &[(">=", "x", 0)]);
    assert_eq!(said.relative(0), (&[][..], &[][..]));
    assert!(matches!(said.verdict.proof(), Some(WordProof::Inductive { .. })));
    assert_eq!((said.verdict.truth(), said.supported()), (Some(true), (&[0][..], &[][..])));
    assert!(said.support.unwrap().alone.is_some());
    // Without the lemma there is a step that breaks the property, which is no counterexample.
    assert!(with(&first, &[]).is_open());
    // M₂: x := x + y, too. In no order, but together.
    let second = program("(+ x y)", "(+ y x)");
    let said = with(&second, &[(">=", "x", 0), (">=", "y", 1)]);
    assert_eq!(said.relative(0), (&[][..], &[1][..]));
    assert_eq!(said.relative(1), (&[][..], &[0][..]));
    assert!(said.is_proved());
    // Together with the property.
    let said = with(&second, &[(">=", "x", 0)]);
    assert!(matches!(said.standings[0], Standing::NotInductive(_)));
    assert_eq!(said.support.unwrap().together_with, [0]);
}

#[test]
fn what_fails_is_told() {
    let system = program("(+ x 1)", "(+ y x)");
    let said = with(&system, &[(">", "x", 1), ("<=", "x", 5), ("=", "x", 1)]);
    let Standing::FalseInitially(trace) = &said.standings[0] else { panic!("{:?}", said.standings) };
    assert_eq!(trace.states, [[Value::int(1), Value::int(1)]]);
    let Standing::NotInductive(cti) = &said.standings[1] else { panic!("{:?}", said.standings) };
    assert_eq!((&cti.states[0][0], &cti.states[1][0]), (&Value::int(5), &Value::int(6)));
    assert!(matches!(&said.standings[2], Standing::NotInductive(_)));
}

#[test]
fn counterexamples_of_no_and_of_one_step_are_found() {
    for (init, length) in [("(and (= x 1) (= y 0))", 1), ("(and (= x (- 2)) (= y 1))", 2)] {
        let trans = "(and (= x.next x) (= y.next (+ y x)))";
        let system = system("Int", init, trans, "(>= y 1)");
        let said = with(&system, &[("<=", "x", 5)]);
        let evidence = said.verdict.evidence().unwrap();
        assert_eq!(said.verdict.trace().unwrap().states.len(), length);
        let checked =
            indubit::certify::check::<Words>(&system, &system.properties[0], evidence, &Cancel::new());
        assert_eq!(checked, Ok(Ok(())));
    }
}

#[test]
fn a_property_of_inputs_follows_or_does_not() {
    let trans = "(and (= x.next (ite (> i x) i x)) (= y.next i))";
    let holds = "(or (>= (+ x i) 0) (< i 0))";
    let system = system("Int", "(and (= x 0) (= y 0))", trans, holds);
    let said = with(&system, &[(">=", "x", 0)]);
    assert!(said.is_proved());
    let support = said.support.unwrap();
    assert_eq!((support.relative_to, support.alone.is_some()), (vec![0], true));
    // x does not become smaller, but the lemma that says so is not there.
    let said = with(&system, &[]);
    assert!(matches!(said.verdict, Verdict::Unknown { safe_up_to: Some(1), .. }));
    let run = Run::new(Cancel::new());
    let cti = counterexample_to_induction::<Words>(&system, 0, None, None, &run).unwrap().unwrap();
    assert_eq!((cti.states.len(), cti.inputs.len()), (1, 1));
}

/// A state without a next one may be bad.
#[test]
fn a_bad_state_at_the_end_of_a_run_counts() {
    let system =
        system("Int", "(= x y)", "(and (< x 3) (= x.next (+ x 1)) (= y.next i))", "(or (< x 9) (> i 0))");
    let said = with(&system, &[("<=", "x", 100)]);
    assert!(said.verdict.trace().is_some(), "{:?}", said.verdict);
}

#[test]
fn vectors_become_circuits() {
    let sort = "(_ BitVec 8)";
    let trans = "(and (= x.next (ite (bvult x #x0a) (bvadd x #x01) x)) (= y.next (bvmul x x)))";
    let system = system(sort, "(and (= x #x00) (= y #x00))", trans, "(bvule y #x64)");
    let said = with(&system, &[("bvule", "x", 10), ("bvule", "x", 5)]);
    assert_eq!(said.relative(0), (&[][..], &[][..]));
    assert!(matches!(said.standings[1], Standing::NotInductive(_)));
    assert!(said.is_proved());
    assert_eq!(said.support.unwrap().relative_to, [0]);
}

#[test]
fn what_is_no_lemma_is_refused() {
    let system = program("(+ x 1)", "i");
    let mut run = Run::new(Cancel::new());
    let mut terms = system.terms.clone();
    let zero = terms.int(0);
    let about_input = terms.ge(system.inputs[0], zero);
    let product = terms.mul(system.states[0].current, system.states[1].current);
    let beyond = terms.ge(product, zero);
    let mut error = |lemma: Term| {
        let lemmas = WordLemmas { terms: terms.clone(), formulas: vec![lemma] };
        let result = Incremental::<Words>::new(&system, lemmas, None, &mut run);
        result.err().unwrap().to_string()
    };
    assert!(error(about_input).contains("a lemma mentions `i`"));
    assert!(error(zero).contains("a lemma is not Boolean"));
    assert!(error(beyond).contains("(* x y)"), "{}", error(beyond));
}

#[test]
fn an_ended_run_is_no_verdict() {
    let system = program("(+ x 1)", "i");
    nothing_is_known::<Words>(&system, lemmas(&system, &[(">=", "x", 0)]));
}

/// A cover is decided by the same steps as an invariant, the other way round; if it is about inputs, too.
#[test]
fn covers() {
    let mut system = program("(+ x 1)", "(+ y x)");
    let (x, y) = (system.states[0].current, system.states[1].current);
    let i = system.add_input("i", Sort::Int);
    let [zero, two] = [0, 2].map(|n| system.terms.int(n));
    let is_zero = system.terms.eq(y, zero);
    let is_two = system.terms.eq(x, two);
    let below = system.terms.lt(x, i);
    let is_negative = system.terms.lt(i, zero);
    let between = system.terms.and(&[below, is_negative]);
    let goals = [("zero", is_zero), ("two", is_two), ("below", below), ("between", between)];
    goals.iter().for_each(|(name, goal)| system.add_cover(name, *goal));
    let known = lemmas(&system, &[(">=", "x", 0), (">=", "y", 1)]);
    for (property, word) in [(1, "unreachable"), (2, "reached"), (3, "reached"), (4, "unreachable")] {
        let said = prove::<Words>(&system, known.clone(), property);
        assert_eq!(said.verdict.word(), word, "{property}");
        assert_eq!(said.verdict.truth(), Some(word == "reached"));
        assert_eq!(said.support.is_some(), word == "unreachable");
    }
    let run = Run::new(Cancel::new());
    let cti = |property, lemmas| {
        let cti = counterexample_to_induction::<Words>(&system, property, lemmas, None, &run).unwrap();
        cti.map(|cti| cti.states.len())
    };
    // Between two moments, or in one of them if it is about inputs.
    assert_eq!((cti(1, None), cti(1, Some((&known, &[0, 1][..])))), (Some(2), None));
    assert_eq!((cti(4, None), cti(4, Some((&known, &[0][..])))), (Some(1), None));
}
