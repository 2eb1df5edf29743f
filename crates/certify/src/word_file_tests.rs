use super::*;
use indubit_formats::model::{Model, parse};
use indubit_run::Cancel;
use indubit_system::{WordProof, WordTrace};
use indubit_term::Value;

/// A buffer that takes one item too many, and of which nothing is lost.
const OVERFLOW: &str = include_str!("../../../examples/buffer_overflow.vmt");
/// The sums of the natural numbers.
const SUMS: &str = include_str!("../../../examples/sums.vmt");
/// Two loops as clauses.
const LOOPS: &str = include_str!("../../../examples/counter.smt2");

fn words(text: &str) -> WordModel {
    match parse(text.as_bytes()) {
        Ok(Model::Words(model)) => model,
        other => panic!("{other:?}"),
    }
}

fn certify(model: &str, evidence: &str) -> Result<Checked<Words>, WordReason> {
    certify_word_file(&words(model), evidence.as_bytes(), &Cancel::new()).expect("nobody cancels")
}

#[track_caller]
fn refused(model: &str, evidence: &str, why: &str) {
    assert_eq!(certify(model, evidence).unwrap_err().to_string(), why, "{evidence}");
}

fn witness(property: &str) -> String {
    let row = |values: [i32; 4]| values.map(Value::int).to_vec();
    let trace = WordTrace {
        states: vec![row([1, 0, 0, 0]), row([1, 1, 1, 0]), row([1, 2, 2, 0])],
        inputs: [true, true, false].map(|put| vec![Value::Bool(put)]).to_vec(),
        loops_to: None,
    };
    word_trace::write(words(OVERFLOW).system(), property, &trace)
}

#[test]
fn counterexamples() {
    let property = words(OVERFLOW).system().properties[0].clone();
    for name in ["no_overflow", "p0"] {
        let violation = Violation { property: property.clone(), step: 2, repeats: false };
        assert_eq!(certify(OVERFLOW, &witness(name)), Ok(Checked::Violated(vec![violation])));
    }
    let good = witness("no_overflow");
    let tampered = |from: &str, to: &str, why: &str| {
        assert!(good.contains(from), "{good}");
        refused(OVERFLOW, &good.replacen(from, to, 1), why);
    };
    tampered(
        "(produced 0)",
        "(produced 1)",
        "the first state is not an initial one: `produced = 0` is false",
    );
    tampered(
        "state 1 (capacity 1)",
        "state 1 (capacity 5)",
        "step 0 is not a transition of the system: `capacity = capacity.next` is false",
    );
    assert!(
        certify(OVERFLOW, &good.replace("(items 1)", "(items 0)"))
            .unwrap_err()
            .to_string()
            .starts_with("step 0 is")
    );
    assert!(
        certify(OVERFLOW, &good.replace("inputs 1 (put true)", "inputs 1 (put false)"))
            .unwrap_err()
            .to_string()
            .starts_with("step 1 is")
    );
    // The inputs of the last state do not matter here.
    assert!(certify(OVERFLOW, &good.replace("inputs 2 (put false)", "inputs 2 (put true)")).is_ok());
    let shorter: String = good.lines().take(5).map(|line| format!("{line}\n")).collect();
    refused(
        OVERFLOW,
        &shorter.replace("no_overflow 2", "no_overflow 1"),
        "property `no_overflow` holds in the last state",
    );
    assert!(
        certify(OVERFLOW, &shorter)
            .unwrap_err()
            .to_string()
            .contains("line 6, column 1: found the end of the file")
    );
    tampered("no_overflow", "nothing_lost", "property `nothing_lost` holds in the last state");
    tampered("no_overflow", "p7", "the model has no property `p7`");
    tampered("(items 1)", "(items 1.5)", "line 4, column 30: found `1.5`, expected a value of sort Int");
    // What is a counterexample here is none there.
    assert!(certify(SUMS, &good).unwrap_err().to_string().contains("expected the name of a state variable"));
}

#[test]
fn invariants() {
    let property = words(SUMS).system().properties[0].clone();
    let holds = Ok(Checked::Holds { properties: vec![property], method: Method::Smt });
    let definition = |body: &str| format!("(define-fun state ((x Int) (y Int)) Bool {body})\n");
    for good in [
        &definition("(and (>= x 0) (>= y 0))"),
        // The names of parameters are nobody's business.
        "; found elsewhere\n(define-fun state ((y Int) (x Int)) Bool (and (>= y 0) (>= x 0)))",
        "sat\n((define-fun state ((a Int) (b Int)) Bool (not (or (< a 0) (< b 0)))))",
        "# for people\nx >= 0\nnatural: y >= 0\n",
    ] {
        assert_eq!(certify(SUMS, good), holds, "{good}");
    }
    refused(SUMS, &definition("(>= y 0)"), "line 1: it is not so that `y >= 0` is kept by every step");
    refused(SUMS, &definition("(>= x 0)"), "the invariant does not imply property `y_natural`");
    refused(SUMS, &definition("true"), "the invariant does not imply property `y_natural`");
    refused(
        SUMS,
        &definition("(and (>= x 0) (>= y 1))"),
        "line 1: it is not so that `y >= 1` holds initially",
    );
    refused(SUMS, "x >= 0\nodd: y >= 1\n", "line 2: it is not so that `odd: y >= 1` holds initially");
    refused(
        SUMS,
        " \n",
        "found an empty file, expected a counterexample (`(violated ...)`) or an invariant (`(define-fun ...)`)",
    );
    for (wrong, place) in [
        (definition("(>= z 0)"), "line 1, column"),
        (definition("(>= x.next 0)"), "line 1, column"),
        ("\n(check-sat)".into(), "line 2"),
    ] {
        let error = certify(SUMS, &wrong).unwrap_err();
        assert!(matches!(error, WordReason::Format(_)) && error.to_string().starts_with(place), "{error}");
    }
    // A bad product has no theory here.
    let error = certify(SUMS, &definition("(>= (* x y) 0)")).unwrap_err();
    assert!(matches!(error, WordReason::Unsupported(_)), "{error}");
}

#[test]
fn all_properties_are_to_be_implied() {
    let two = format!(
        "{SUMS}(define-fun x_natural () Bool (! (>= x 0) :invar-property 3))(define-fun odd () Bool (! (distinct y 2) :invar-property 7))"
    );
    let invariant = "x >= 0\ny >= 0\n";
    refused(&two, invariant, "the invariant does not imply property `odd`");
    let one = two.replace("(distinct y 2)", "(distinct y (- 2))");
    let Ok(Checked::Holds { properties, .. }) = certify(&one, invariant) else { panic!("it proves them") };
    assert_eq!(properties.iter().map(|p| p.label()).collect::<Vec<_>>(), ["y_natural", "x_natural", "odd"]);
    let none = SUMS.replace(":invar-property 0", "");
    assert_eq!(
        certify(&none, invariant).unwrap_err().to_string(),
        "the model has no property that an invariant could prove"
    );
}

#[test]
fn models_of_clauses() {
    let up = "(define-fun up ((x Int) (n Int)) Bool (and (<= 0 x) (<= x n)))\n";
    let down = "(define-fun down ((a Int) (b Int) (c Int)) Bool (and (= (+ a b) c) (>= a 0)))\n";
    assert!(matches!(certify(LOOPS, &format!("{up}{down}")), Ok(Checked::Holds { .. })));
    refused(
        LOOPS,
        &format!("{up}{}", down.replace("(>= a 0)", "true")),
        "the invariant does not imply property `query`",
    );
    refused(
        LOOPS,
        &down.replace("(>= a 0)", "(>= a 0) (>= b 0)"),
        "line 1: it is not so that `down: x + y = n` is kept by every step",
    );
    refused(LOOPS, up, "the invariant does not imply property `query`");
    let wrong = certify(LOOPS, "(define-fun up ((x Int)) Bool true)").unwrap_err();
    assert!(wrong.to_string().contains("other parameters of `up`"), "{wrong}");
}

/// What proofs are written as is believed when it comes back.
#[test]
fn written_definitions_are_proofs() {
    let model = words(
        LOOPS
            .replace(
                "(check-sat)",
                "(assert (! (forall ((x Int) (n Int)) (=> (and (up x n) (< n 0)) false)) :named sign))",
            )
            .as_str(),
    );
    let read = lemmas::parse_words(b"up: 0 <= x\nup: x <= n\ndown: x + y = n\ndown: x >= 0", &model).unwrap();
    let mut terms = read.terms;
    let proof = |parts: &[Term], terms: &mut indubit_term::Terms| {
        let invariant = terms.and(parts);
        WordProof::Inductive { terms: terms.clone(), invariant }
    };
    let (first, second) = (proof(&read.candidates, &mut terms), proof(&read.candidates[..2], &mut terms));
    let check = |text: &str| certify_word_file(&model, text.as_bytes(), &Cancel::new()).unwrap();
    let both = model.definitions(&[(0, &first), (1, &second)]).unwrap();
    let Ok(Checked::Holds { properties, .. }) = check(&both) else { panic!("{both}") };
    assert_eq!(properties.iter().map(|p| p.label()).collect::<Vec<_>>(), ["query 1", "sign"]);
    let one = model.definitions(&[(1, &second)]).unwrap();
    assert_eq!(check(&one), Err(WordReason::NotImplied { property: "query 1".into() }));
}
