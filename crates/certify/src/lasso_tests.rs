use super::*;
use crate::check_trace;
use crate::replay::first_violation;
use indubit_system::{Justice, Signal};

/// The input toggles `p`, and not twice in a row. `free` toggles all the time, `hidden` follows it, and is looked at only where that changes nothing. The justice
/// property sees `p` and not `p`; runs are fair that see the input.
fn model() -> BitSystem {
    let mut model = BitSystem::new();
    let i = model.add_input("i");
    let [p, q, free, hidden] = ["p", "q", "free", "hidden"].map(|n| model.add_latch(n, Some(false)));
    let next = model.aig_mut().xor(p, i);
    model.set_next(p, next);
    model.set_next(q, i);
    model.set_next(free, !free);
    model.set_next(hidden, free);
    let idle = model.aig_mut().and_all([hidden, q, p]);
    let seen = model.aig_mut().or(p, idle);
    model.justice.push(Justice { lits: vec![seen, !p], name: Some("both".into()) });
    model.fairness.push(Signal { lit: i, name: Some("asked".into()) });
    let twice = model.aig_mut().and(i, q);
    model.add_constraint("no_two", !twice);
    model.add_bad("set", p);
    model
}

fn lasso(rows: &str, loops_to: Option<usize>) -> Trace {
    let inputs = rows.bytes().map(|b| vec![b == b'1']).collect();
    Trace { initial: vec![false; 4], inputs, loops_to }
}

fn refusal(rows: &str, loops_to: Option<usize>) -> String {
    let model = model();
    check_trace(&model, &model.properties()[1], &lasso(rows, loops_to)).unwrap_err().to_string()
}

#[test]
fn lassos_that_close() {
    let model = model();
    let property = &model.properties()[1];
    assert_eq!(check_trace(&model, property, &lasso("10101010", Some(4))), Ok(()));
    // `hidden` differs, and it is in the cone of influence, but never matters.
    assert_eq!(check_trace(&model, property, &lasso("1010", Some(0))), Ok(()));
    // A witness has no place to say so.
    assert_eq!(first_violation(&model, property, &lasso("10101010", None)), Ok(4));
    assert!(first_violation(&model, property, &lasso("1010", None)).is_err());
    assert_eq!(first_violation(&model, property, &lasso("1010", Some(0))), Ok(0));
}

fn open(latch: &str, step: usize, values: [bool; 2]) -> Reason {
    Reason::NotClosed { latch: latch.into(), step, values }
}

#[test]
fn planted_mistakes() {
    assert_eq!(
        refusal("1010", None),
        "the trace is finite, and property j0 (both) is violated by one that goes on for ever"
    );
    assert_eq!(refusal("1010", Some(4)), "the loop begins in step 4, and the trace has 4 steps");
    assert_eq!(
        refusal("01", Some(1)),
        "signal 0 of property j0 (both) is never true in the loop, which begins in step 1"
    );
    assert_eq!(
        refusal("1000", Some(1)),
        "fairness f0 (asked) is never true in the loop, which begins in step 1"
    );
    assert_eq!(
        refusal("10", Some(0)),
        "the loop does not close: latch p is 0 where it begins, in step 0, and 1 after the last step"
    );
    assert_eq!(refusal("0110", Some(0)), "constraint c0 (no_two) is violated in step 2");
    // It would be violated the second time round.
    assert_eq!(
        refusal("101", Some(0)),
        "the loop does not close: latch q is 0 where it begins, in step 0, and 1 after the last step"
    );
    let model = model();
    let none = first_violation(&model, &model.properties()[1], &lasso("01", None)).unwrap_err();
    assert_eq!(
        none.to_string(),
        "the trace does not violate property j0 (both): the state after its last step is none of those before, so nothing repeats"
    );
}

#[test]
fn a_lasso_does_not_decide_safety() {
    let model = model();
    let property = &model.properties()[0];
    assert_eq!(check_trace(&model, property, &lasso("10", None)), Ok(()));
    let refusal = check_trace(&model, property, &lasso("10", Some(0))).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the trace goes on for ever, and property b0 (set) is violated by one that ends"
    );
}

#[test]
fn no_signal_at_all_asks_for_any_run_that_goes_on() {
    let mut model = BitSystem::new();
    let i = model.add_input("i");
    let a = model.add_latch("a", Some(false));
    let next = model.aig_mut().or(a, i);
    model.set_next(a, next);
    model.add_constraint("not yet", !a);
    model.justice.push(Justice { lits: vec![], name: None });
    let lasso = |value: bool| Trace { initial: vec![false], inputs: vec![vec![value]], loops_to: Some(0) };
    let property = &model.properties()[0];
    assert_eq!(check_trace(&model, property, &lasso(false)), Ok(()));
    assert_eq!(check_trace(&model, property, &lasso(true)), Err(open("a", 0, [false, true])));
}
