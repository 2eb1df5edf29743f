use super::*;
use indubit_certify::check_word_trace;
use indubit_formats::vmt;
use indubit_run::{Cancel, Ignore};

/// The programs of seed 001 over integers: both start with x = y = 1.
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

struct Said {
    standings: Vec<Standing<WordTrace>>,
    verdict: WordVerdict,
    support: Option<Support<WordTrace>>,
}

/// What is said of lemmas (each an operator, a variable and a number) and of the property.
fn prove(system: &WordSystem, lemmas: &[(&str, &str, i64)]) -> Said {
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
    let candidates: Vec<Term> = lemmas.iter().map(lemma).collect();
    let mut observer = Ignore;
    let mut run = Run::new(Cancel::new(), &mut observer);
    let mut proof = WordIncremental::new(system, &terms, &candidates, None, &mut run).unwrap();
    let (verdict, support) = proof.check(0, &mut run).unwrap();
    Said { standings: proof.standings().to_vec(), verdict, support }
}

fn relative(standing: &Standing<WordTrace>) -> (&[usize], &[usize]) {
    match standing {
        Standing::Proved(support) => (&support.relative_to, &support.together_with),
        other => panic!("not proved: {other:?}"),
    }
}

#[test]
fn the_story_of_two_programs() {
    // M₁: y := y + x. In order.
    let first = program("(+ x 1)", "(+ y x)");
    let said = prove(&first, &[(">=", "x", 0)]);
    assert_eq!(relative(&said.standings[0]), (&[][..], &[][..]));
    assert!(matches!(said.verdict, Verdict::Safe(WordProof::Inductive { .. })));
    let support = said.support.unwrap();
    assert_eq!((&support.relative_to[..], &support.together_with[..]), (&[0][..], &[][..]));
    assert!(support.alone.is_some());
    // Without the lemma there is a step that breaks the property, which is no counterexample.
    let said = prove(&first, &[]);
    let stop = Stop::Incomplete(NOT_INDUCTIVE_RELATIVE);
    assert!(matches!(said.verdict, Verdict::Unknown { stop: s, safe_up_to: Some(1) } if s == stop));
    // M₂: x := x + y, too. In no order, but together.
    let second = program("(+ x y)", "(+ y x)");
    let said = prove(&second, &[(">=", "x", 0), (">=", "y", 1)]);
    assert_eq!(relative(&said.standings[0]), (&[][..], &[1][..]));
    assert_eq!(relative(&said.standings[1]), (&[][..], &[0][..]));
    assert!(matches!(said.verdict, Verdict::Safe(_)));
    // Together with the property.
    let said = prove(&second, &[(">=", "x", 0)]);
    assert!(matches!(said.standings[0], Standing::NotInductive(_)));
    assert_eq!(said.support.unwrap().together_with, [0]);
}

#[test]
fn what_fails_is_told() {
    let system = program("(+ x 1)", "(+ y x)");
    let said = prove(&system, &[(">", "x", 1), ("<=", "x", 5), ("=", "x", 1)]);
    let Standing::FalseInitially(trace) = &said.standings[0] else { panic!("{:?}", said.standings) };
    assert_eq!(trace.states, [[indubit_term::Value::int(1), indubit_term::Value::int(1)]]);
    let Standing::NotInductive(cti) = &said.standings[1] else { panic!("{:?}", said.standings) };
    assert_eq!(
        (&cti.states[0][0], &cti.states[1][0]),
        (&indubit_term::Value::int(5), &indubit_term::Value::int(6))
    );
    assert!(matches!(&said.standings[2], Standing::NotInductive(_)));
}

#[test]
fn counterexamples_of_no_and_of_one_step_are_found() {
    for (init, length) in [("(and (= x 1) (= y 0))", 1), ("(and (= x (- 2)) (= y 1))", 2)] {
        let trans = "(and (= x.next x) (= y.next (+ y x)))";
        let system = system("Int", init, trans, "(>= y 1)");
        let Verdict::Unsafe(trace) = prove(&system, &[("<=", "x", 5)]).verdict else {
            panic!("it is unsafe")
        };
        assert_eq!(trace.states.len(), length);
        assert_eq!(check_word_trace(&system, 0, &trace), Ok(()));
    }
}

#[test]
fn a_property_of_inputs_follows_or_does_not() {
    let trans = "(and (= x.next (ite (> i x) i x)) (= y.next i))";
    let holds = "(or (>= (+ x i) 0) (< i 0))";
    let system = system("Int", "(and (= x 0) (= y 0))", trans, holds);
    let said = prove(&system, &[(">=", "x", 0)]);
    assert!(matches!(said.verdict, Verdict::Safe(_)));
    let support = said.support.unwrap();
    assert_eq!((support.relative_to, support.alone.is_some()), (vec![0], true));
    // x does not become smaller, but the lemma that says so is not there.
    let said = prove(&system, &[]);
    assert!(matches!(said.verdict, Verdict::Unknown { safe_up_to: Some(1), .. }));
    let mut observer = Ignore;
    let run = Run::new(Cancel::new(), &mut observer);
    let cti = word_counterexample_to_induction(&system, 0, &system.terms, &[], None, &run).unwrap().unwrap();
    assert_eq!((cti.states.len(), cti.inputs.len()), (1, 1));
}

/// A state without a next one may be bad.
#[test]
fn a_bad_state_at_the_end_of_a_run_counts() {
    let system =
        system("Int", "(= x y)", "(and (< x 3) (= x.next (+ x 1)) (= y.next i))", "(or (< x 9) (> i 0))");
    let said = prove(&system, &[("<=", "x", 100)]);
    assert!(matches!(said.verdict, Verdict::Unsafe(_)), "{:?}", said.verdict);
}

#[test]
fn vectors_become_circuits() {
    let sort = "(_ BitVec 8)";
    let trans = "(and (= x.next (ite (bvult x #x0a) (bvadd x #x01) x)) (= y.next (bvmul x x)))";
    let system = system(sort, "(and (= x #x00) (= y #x00))", trans, "(bvule y #x64)");
    let said = prove(&system, &[("bvule", "x", 10), ("bvule", "x", 5)]);
    assert_eq!(relative(&said.standings[0]), (&[][..], &[][..]));
    assert!(matches!(said.standings[1], Standing::NotInductive(_)));
    assert!(matches!(said.verdict, Verdict::Safe(_)));
    assert_eq!(said.support.unwrap().relative_to, [0]);
}

#[test]
fn what_is_no_lemma_is_refused() {
    let system = program("(+ x 1)", "i");
    let mut observer = Ignore;
    let mut run = Run::new(Cancel::new(), &mut observer);
    let mut terms = system.terms.clone();
    let zero = terms.int(0);
    let about_input = terms.ge(system.inputs[0], zero);
    let product = terms.mul(system.states[0].current, system.states[1].current);
    let beyond = terms.ge(product, zero);
    let mut error = |lemma: Term| {
        let result = WordIncremental::new(&system, &terms, &[lemma], None, &mut run);
        result.err().unwrap().to_string()
    };
    assert!(error(about_input).contains("a lemma mentions `i`"));
    assert!(error(zero).contains("a lemma is not Boolean"));
    assert!(error(beyond).contains("(* x y)"), "{}", error(beyond));
    let (x, cancel) = (system.states[0].current, Cancel::new());
    let lemma = terms.ge(x, zero);
    cancel.out_of_time();
    let mut run = Run::new(cancel, &mut observer);
    let mut proof = WordIncremental::new(&system, &terms, &[lemma], None, &mut run).unwrap();
    assert_eq!(proof.standings(), [Standing::Unknown(Stop::TimeLimit)]);
    let (verdict, _) = proof.check(0, &mut run).unwrap();
    assert!(matches!(verdict, Verdict::Unknown { stop: Stop::TimeLimit, safe_up_to: None }));
    assert!(matches!(proof.check(7, &mut run), Err(Error::NoSuchProperty { .. })));
}
