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
        let (until, until_b) = (ctl.all_until(a, often), ltl.until(b, often_b));
        let pairs = [(always, always_b), (some_time, some_time_b), (often, often_b), (until, until_b)];
        for (f, g) in pairs {
            let reference = Reference::new(system, &ctl.finish(f)).unwrap();
            let is_violated = temporal::is_violated(system, &ltl.finish(g)).unwrap();
            assert_eq!(reference.holds(), !is_violated, "seed {}: {:?}", case.seed, ltl.finish(g));
        }
    }
}

#[test]
fn the_mixture_is_healthy() {
    let all: Vec<Case> = cases(0..1000).collect();
    let count = |is: &dyn Fn(&Case) -> bool| all.iter().filter(|case| is(case)).count();
    let n_holds = count(&|case| case.reference.holds());
    assert!((300..750).contains(&n_holds), "{n_holds} hold");
    let n_vacuous = count(&|case| case.reference.is_vacuous());
    assert!((20..400).contains(&n_vacuous), "{n_vacuous} have no fair path");
    let is_some = |set: &Set| set.contains(&true) && set.contains(&false);
    let n_some = |case: &Case| case.reference.nodes.iter().filter(|node| is_some(&node.set)).count();
    type Is<'i> = &'i dyn Fn(&Case) -> bool;
    let kinds: [(&str, Is<'_>, usize); 6] = [
        ("with inputs in states", &|case| !case.reference.states.shown.is_empty(), 100),
        ("with fairness", &|case| !case.system.fairness.is_empty(), 250),
        ("with constraints", &|case| !case.system.constraints.is_empty(), 100),
        ("with parts that some states satisfy", &|case| n_some(case) > 4, 100),
        ("with some states that are fair", &|case| is_some(&case.reference.fair.set), 100),
        ("with sets beyond sets", &|case| case.reference.nodes.iter().any(|n| n.peeled.len() > 1), 20),
    ];
    let counts = kinds.map(|(name, is, least)| (name, count(is), least));
    assert!(counts.iter().all(|(_, n, least)| n >= least), "{counts:?}");
}
