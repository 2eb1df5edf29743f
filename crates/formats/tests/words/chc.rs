//! CHC files.

use crate::support::{assert_same, random_system};
use fastrand::Rng;
use indubit_formats::chc;
use indubit_formats::model::WordModel;
use indubit_system::{Property, WordProof};
use indubit_term::{Term, Value};

#[test]
fn what_is_written_is_read() {
    for seed in 0..500 {
        let rng = &mut Rng::with_seed(seed);
        let system = random_system(rng, false);
        let text = chc::write(&system);
        let read = chc::parse(text.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        // A constraint that is false leaves nothing to say.
        assert_same(&system, &read.system, rng);
        assert_eq!(read.predicates[0].slots, (0..system.states.len()).collect::<Vec<_>>());
    }
}

#[test]
fn several_predicates_become_locations() {
    let mut chc = chc::parse(
        b"(set-logic HORN)
(declare-fun P (Int Bool) Bool)
(declare-fun Q (Bool Int Int) Bool)
(declare-fun R () Bool)
(assert (forall ((x Int) (b Bool)) (=> (and (= x 1) b) (P x b))))
(assert (forall ((x Int)) (forall ((b Bool) (y Int)) (=> (and (P x b) (> y x)) (Q (not b) (+ x 1) y)))))
(assert (forall ((x Int) (y Int)) (=> (Q true x y) R)))
(assert (not (exists ((x Int) (b Bool)) (and (Q b x x) (> x 5)))))
(assert (=> R false))
(check-sat)",
    )
    .unwrap();
    let system = &chc.system;
    system.validate().unwrap();
    // Slots Int, Bool, Int and two bits of the location.
    assert_eq!((system.states.len(), system.inputs.len(), system.properties.len()), (5, 0, 2));
    let (truth, int) = (Value::Bool(true), |i: i32| Value::int(i));
    let falsum = || Value::Bool(false);
    assert_eq!(chc.predicates[1].slots, [1, 0, 2]);
    assert_eq!(chc.predicates[0].others, [(2, int(0)), (3, falsum()), (4, falsum())]);
    assert_eq!(chc.predicates[2].others.len(), 5);
    let holds = |formula, current: &[Value], next: &[Value], input: i32| {
        let values = |t| {
            let at = |f: fn(&indubit_system::WordVar) -> indubit_term::Term| {
                system.states.iter().position(|v| f(v) == t)
            };
            match (at(|v| v.current), at(|v| v.next)) {
                (Some(i), _) => current[i].clone(),
                (_, Some(i)) => next[i].clone(),
                _ => Value::int(input),
            }
        };
        system.terms.holds(formula, &values).unwrap()
    };
    let at_p = [int(1), truth.clone(), int(0), falsum(), falsum()];
    let at_q = [int(2), falsum(), int(7), truth.clone(), falsum()];
    assert!(holds(system.init, &at_p, &at_p, 0));
    assert!(!holds(system.init, &at_q, &at_q, 0));
    assert!(holds(system.trans, &at_p, &at_q, 0));
    assert!(!holds(system.trans, &at_q, &at_p, 0));
    assert!(holds(system.properties[0].claim.formulas()[0], &at_q, &at_q, 0));
    let bad = [int(6), falsum(), int(6), truth.clone(), falsum()];
    assert!(!holds(system.properties[0].claim.formulas()[0], &bad, &bad, 0));
    let at_r = [int(0), falsum(), int(0), falsum(), truth];
    assert!(holds(system.properties[0].claim.formulas()[0], &at_r, &at_r, 0));
    assert!(!holds(system.properties[1].claim.formulas()[0], &at_r, &at_r, 0));
    let invariant = {
        let (bit, x) = (chc.system.states[3].current, chc.system.states[0].current);
        let two = chc.system.terms.int(2);
        let equal = chc.system.terms.eq(x, two);
        chc.system.terms.implies(bit, equal)
    };
    assert_eq!(
        chc.model(&chc.system.terms, invariant),
        "(define-fun P ((x Int) (b Bool)) Bool true)\n\
         (define-fun Q ((x0 Bool) (x1 Int) (x2 Int)) Bool (= x1 2))\n\
         (define-fun R () Bool true)\n"
    );
}

#[test]
fn predicates_that_share_slots_keep_their_names() {
    let mut chc = chc::parse(
        b"(declare-fun up (Int Int) Bool) (declare-fun down (Int Int Int) Bool)
(assert (forall ((x Int) (n Int)) (=> (and (= x 0) (>= n 0)) (up x n))))
(assert (forall ((x Int) (n Int)) (=> (and (up x n) (>= x n)) (down x 0 n))))
(assert (forall ((x Int) (y Int) (n Int)) (=> (and (down x y n) (<= x 0) (not (= y n))) false)))",
    )
    .unwrap();
    let names: Vec<&str> = (0..chc.system.states.len()).map(|i| chc.system.state_name(i)).collect();
    assert_eq!(names, ["x", "n/y", "n", ".location0"]);
    let system = &mut chc.system;
    let [x, second, n, at] = [0, 1, 2, 3].map(|i| system.states[i].current);
    let t = &mut system.terms;
    let (sum, below) = (t.add(&[x, second]), t.le(x, second));
    let exact = t.eq(sum, n);
    let (up, down) = (t.or(&[at, below]), t.implies(at, exact));
    let invariant = t.and(&[up, down]);
    assert_eq!(chc.text(&chc.system.terms, invariant, None), "up: x <= n\ndown: x + y = n\n");
    assert_eq!(chc.text(&chc.system.terms, invariant, Some(1)), "up: x <= n\n\u{2026} 1 more lemmas\n");
}

#[test]
fn definitions_do_not_confuse_parameters_and_shared_terms() {
    let mut chc = chc::parse(
        b"(declare-fun p (Int Int) Bool)
(assert (forall ((_l0 Int) (y Int)) (=> (and (= _l0 0) (= y 0)) (p _l0 y))))",
    )
    .unwrap();
    let [x, y] = [0, 1].map(|i| chc.system.states[i].current);
    let t = &mut chc.system.terms;
    let (three, five) = (t.int(3), t.int(5));
    let third = t.div(x, three);
    let (above, below) = (t.ge(third, y), t.le(third, five));
    let invariant = t.and(&[above, below]);
    assert_eq!(
        chc.model(&chc.system.terms, invariant),
        "(define-fun p ((x_l0.1 Int) (y Int)) Bool (let ((_l0 (div x_l0.1 3)))\n(and (<= y _l0) (<= _l0 5))))\n"
    );
}

#[test]
fn many_clauses_take_time_for_each_only() {
    let n = 20_000;
    let mut text = String::from("(set-logic HORN)\n");
    for i in 0..n {
        text += &format!("(declare-fun p{i} (Int) Bool)\n");
    }
    text += "(assert (forall ((x Int)) (=> (= x 0) (p0 x))))\n";
    for i in 1..n {
        text += &format!("(assert (forall ((x Int)) (=> (p{} x) (p{i} (+ x 1)))))\n", i - 1);
    }
    let chc = chc::parse(text.as_bytes()).unwrap();
    let model = chc.model(&chc.system.terms, chc.system.init);
    assert_eq!((chc.predicates.len(), model.lines().count()), (n, n));
}

#[test]
fn queries_are_properties_of_their_own() {
    let titles = |text: &str| {
        let chc = chc::parse(text.as_bytes()).unwrap();
        let title = |p: &Property<Term>| (p.title(), p.line);
        let formulas = |p: &Property<Term>| chc.system.terms.display(p.claim.formulas()[0]).to_string();
        let all = &chc.system.properties;
        (
            chc.n_queries,
            all.iter().map(title).collect::<Vec<_>>(),
            all.iter().map(formulas).collect::<Vec<_>>(),
        )
    };
    let head = "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(declare-fun q (Int) Bool)\n";
    let (n, none, formulas) = titles(head);
    assert_eq!((n, &none[..], &formulas[..]), (0, &[("query (p0)".into(), None)][..], &["true".into()][..]));
    let below = |p: &str, n: i32| format!("(forall ((x Int)) (=> (and ({p} x) (> x {n})) false))");
    let (n, one, _) = titles(&format!("{head}(assert {})", below("p", 5)));
    assert_eq!((n, &one[..]), (1, &[("query (p0)".into(), Some(4))][..]));
    // A name, none, one that a number would be, a query in two clauses, and one whose body is never true.
    let both = "(forall ((x Int)) (not (or (p x) (q x))))";
    let never = "(forall ((x Int)) (=> (and (p x) (> x x)) false))";
    let text = format!(
        "{head}(assert (! {} :named |query 2|))\n(assert\n {}) (assert {both})\n(assert {never})\n(assert true)",
        below("p", 5),
        below("p", 7)
    );
    let (n, several, formulas) = titles(&text);
    let expected = [("query 2 (p0)", 4), ("query 2 (2) (p1)", 5), ("query 3 (p2)", 6), ("query 4 (p3)", 7)];
    let expected: Vec<_> = expected.map(|(title, line)| (title.to_owned(), Some(line))).to_vec();
    assert_eq!((n, several), (4, expected));
    // Both locations are ruled out.
    assert_eq!(formulas[2], "false");
    assert_eq!(formulas[3], "true");
}

#[test]
fn a_model_of_all_clauses_from_several_proofs() {
    let text = b"(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (p x))))
(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
(assert (! (forall ((x Int)) (=> (and (p x) (< x 0)) false)) :named low))
(assert (! (forall ((x Int)) (=> (and (p x) (= x 7)) false)) :named odd))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (< x y) (< y x)) false)))";
    let model = WordModel::Chc(chc::parse(text).unwrap());
    let x = model.system().states[0].current;
    let mut terms = model.system().terms.clone();
    let (two, zero) = (terms.int(2), terms.int(0));
    let rest = terms.modulo(x, two);
    let invariant = terms.eq(rest, zero);
    let even = WordProof::Inductive { terms, invariant };
    let itself = WordProof::KInductive { k: 1, simple_path: false };
    let both = model.definitions(&[(0, &itself), (1, &even)]);
    assert_eq!(both.as_deref(), Some("(define-fun p ((x Int)) Bool (and (>= x 0) (= (mod x 2) 0)))\n"));
    assert_eq!(model.definitions(&[(1, &even), (0, &WordProof::Ends { last: 3 })]), None);
    // A query about more than the state is no invariant.
    assert_eq!(model.definitions(&[(1, &even), (2, &itself)]), None);
    let other = model.definitions(&[(1, &even)]);
    assert_eq!(other.as_deref(), Some("(define-fun p ((x Int)) Bool (= (mod x 2) 0))\n"));
}

#[test]
fn unused_slots_are_constrained() {
    let free = |rules: &str| {
        let head = "(declare-fun p (Int) Bool) (declare-fun q (Int Real Bool) Bool) (declare-fun r ((_ BitVec 4)) Bool)";
        let chc = chc::parse(format!("{head}(assert (p 0)) {rules}").as_bytes()).unwrap();
        let name = |i: usize| chc.system.state_name(i).to_owned();
        chc.system.unconstrained().into_iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(free(""), [""; 0]);
    // What a predicate does not use is 0 there.
    assert_eq!(free("(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))"), [""; 0]);
    assert_eq!(free("(assert (forall ((v (_ BitVec 4))) (=> (p 1) (r v))))"), ["v"]);
    // The clause itself leaves it open.
    let rule = "(assert (forall ((x Int) (s Real) (b Bool)) (=> (p x) (q x s b))))";
    assert_eq!(free(rule), ["s", "b"]);
    let other = "(assert (forall ((x Int) (s Real) (b Bool)) (=> (q x s b) (p x))))";
    assert_eq!(free(&format!("{rule}{other}")), [""; 0]);
}

#[test]
fn there_is_one_question() {
    let text =
        "(set-logic HORN) (declare-fun p (Int) Bool) (assert (p 1)) (check-sat) (check-sat) (get-model)";
    assert!(chc::parse(text.as_bytes()).is_ok());
    let more = format!("{text}\n(assert (not (p 1)))");
    let error = chc::parse(more.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("line 2, column 1: found an assertion after (check-sat)"), "{error}");
}

#[test]
fn facts_about_more_than_their_head_get_a_start() {
    // y is neither an argument nor defined: 2y is.
    let chc = chc::parse(
        b"(declare-fun P (Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (= x (* 2 y)) (P x))))
(assert (forall ((x Int)) (=> (and (P x) (= (mod x 2) 1)) false)))",
    )
    .unwrap();
    assert_eq!((chc.system.states.len(), chc.system.inputs.len()), (2, 1));
    // Only a query, about nothing.
    let chc = chc::parse(b"(assert (forall ((x Int)) (=> (> x 0) false)))").unwrap();
    assert_eq!((chc.system.states.len(), chc.system.inputs.len()), (0, 1));
    chc.system.validate().unwrap();
    // A variable that an equation defines is no reason.
    let chc = chc::parse(b"(declare-fun P (Int) Bool) (assert (forall ((x Int) (y Int)) (=> (and (= x 3) (= y (+ x 1))) (P y))))");
    let system = chc.unwrap().system;
    assert_eq!(system.terms.display(system.init).to_string(), "(= y 4)");
    // Heads and bodies with several predicates, as clauses of their own.
    let chc = chc::parse(
        b"(declare-fun P (Int) Bool) (declare-fun Q (Int) Bool)
(assert (forall ((x Int)) (and (=> (= x 0) (and (P x) (Q x))) (=> (or (P x) (Q (- x 1))) (P (+ x 1))))))",
    )
    .unwrap();
    assert_eq!(chc.system.states.len(), 2);
}

#[test]
fn a_state_is_about_a_predicate() {
    let text = "(set-logic HORN) (declare-fun idle (Int) Bool) (declare-fun |in use| (Int Bool) Bool)
        (assert (forall ((n Int) (m Int)) (=> (and (= n 3) (> m n)) (idle n))))
        (assert (forall ((n Int) (u Bool)) (=> (idle n) (|in use| (- n 1) u))))
        (assert (forall ((k Int) (busy Bool)) (=> (|in use| k busy) (idle k))))";
    let chc = chc::parse(text.as_bytes()).unwrap();
    let state = |wanted: &str| {
        let zeros: Vec<Value> =
            chc.system.states.iter().map(|v| Value::zero(chc.system.terms.sort(v.current))).collect();
        let predicate = chc.predicates.iter().find(|p| p.name == wanted).unwrap();
        let mut state = zeros;
        predicate.others.iter().for_each(|(slot, value)| state[*slot] = value.clone());
        state
    };
    assert_eq!(chc.place(&state("idle")), "idle(n = 0)");
    assert_eq!(chc.place(&state("in use")), "|in use|(k = 0, busy = false)");
}
