use super::*;
use crate::{live, temporal};
use indubit_system::{CtlBuilder, Justice, LtlBuilder};

/// What both logics can say is judged in the same way, and a fair path is what liveness knows as one.
#[test]
fn the_references_agree() {
    for case in cases(0..300) {
        let system = &case.system;
        let mut empty = system.clone();
        empty.justice = vec![Justice { lits: vec![], name: None }];
        let has_fair_path = !live::check(&empty).unwrap()[0];
        assert_eq!(case.reference.is_vacuous(), !has_fair_path, "seed {}", case.seed);
        let atom = case.formula.atoms().first().copied().unwrap_or(Lit::TRUE);
        let (mut ctl, mut ltl) = (CtlBuilder::new(), LtlBuilder::new());
        let (a, b) = (ctl.atom(atom), ltl.atom(atom));
        let (always, always_b) = (ctl.all_globally(a), ltl.globally(b));
        let (some_time, some_time_b) = (ctl.all_finally(a), ltl.finally(b));
        let (often, often_b) = (ctl.all_globally(some_time), ltl.globally(some_time_b));
        let (soon, soon_b) = (ctl.all_finally_within(1, 2, a), ltl.finally_within(1, 2, b));
        let (until, until_b) = (ctl.all_until(a, often), ltl.until(b, often_b));
        let pairs = [(always, always_b), (some_time, some_time_b), (often, often_b), (until, until_b)];
        for (f, g) in pairs {
            let reference = Reference::new(system, &ctl.finish(f)).unwrap();
            let is_violated = temporal::is_violated(system, &ltl.finish(g)).unwrap();
            assert_eq!(reference.holds(), !is_violated, "seed {}: {:?}", case.seed, ltl.finish(g));
        }
        let _ = (soon, soon_b);
    }
}

#[test]
fn the_mixture_is_healthy() {
    let all: Vec<Case> = cases(0..1000).collect();
    let count = |is: &dyn Fn(&Case) -> bool| all.iter().filter(|case| is(case)).count();
    let n_holds = count(&|case| case.reference.holds());
    assert!((300..750).contains(&n_holds), "{n_holds} hold");
    let n_vacuous = count(&|case| case.reference.is_vacuous());
    assert!((20..300).contains(&n_vacuous), "{n_vacuous} have no fair path");
    assert!(count(&|case| !case.reference.states.shown.is_empty()) > 150);
    assert!(count(&|case| !case.system.fairness.is_empty()) > 300);
    assert!(count(&|case| !case.system.constraints.is_empty()) > 100);
    let is_some = |set: &Set| set.contains(&true) && set.contains(&false);
    let is_nested = |case: &Case| case.reference.nodes.iter().filter(|node| is_some(&node.set)).count() > 4;
    assert!(count(&is_nested) > 200, "{}", count(&is_nested));
    let has_unfair = |case: &Case| is_some(&case.reference.fair.set);
    assert!(count(&has_unfair) > 150, "{}", count(&has_unfair));
    assert!(count(&|case| case.reference.nodes.iter().any(|node| node.peeled.len() > 1)) > 50);
}
