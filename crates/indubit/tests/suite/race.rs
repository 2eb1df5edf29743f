//! Members of a team on one property.

use indubit::run::{Cancel, Run};
use indubit::{BitSystem, Bits, EngineId, Member, Plan, Strategy, Who, check};
use indubit_testkit::models;

fn model(file: &str) -> BitSystem {
    models::all().into_iter().find(|m| m.file == file).unwrap().system
}

#[test]
fn what_the_first_one_prepares_is_for_the_others_too() {
    let system = model("peterson.aag");
    for n_threads in [1, 2] {
        // BMC proves nothing, so the other one wins.
        let member = |engine: EngineId| Member {
            strategy: Strategy::from(engine),
            weight: 1,
            takes_lemmas: true,
            claims: engine.info().claims,
        };
        let members = vec![member(EngineId::Bmc), member(EngineId::Ic3)];
        let plan = Plan::new(Who::These(members), n_threads);
        let mut run = Run::new(Cancel::new());
        let verdict = check::<Bits>(&system, 0, plan, &mut run).unwrap();
        assert!(verdict.proof().is_some());
        let record = run.take_record();
        assert_eq!((record.engine, record.passes.len()), (Some("ic3"), 0));
    }
}

#[test]
fn one_strategy_with_several_seeds() {
    let system = model("fifo.aag");
    for engine in [EngineId::Fsis, EngineId::Kind] {
        let plan = Plan::new(Who::One(Box::new(engine.into())), 3);
        let mut run = Run::new(Cancel::new()).with_bound(Some(20));
        let verdict = check::<Bits>(&system, 0, plan, &mut run).unwrap();
        assert!(verdict.proof().is_some(), "{engine}: {verdict:?}");
    }
}
