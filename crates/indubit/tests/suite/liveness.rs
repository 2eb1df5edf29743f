//! Every engine for liveness × small models × certified, against explicit search for fair cycles.

use crate::common::{self, Patience};
use indubit::formats::aiger;
use indubit::{BitSystem, Bits, ENGINES, EngineId, EngineInfo, Plan, Strategy, Verdict, check};
use indubit_testkit::live::{check_lasso_against_reference, expected_verdict, live_cases};
use indubit_testkit::models::Expected;
use indubit_testkit::{corpus, shrink};

/// The longest lasso that is searched for where nothing else ends the search.
const BOUND: u32 = 30;

fn engines() -> impl Iterator<Item = &'static EngineInfo> {
    ENGINES.iter().filter(|engine| engine.live.is_some())
}

/// How properties are decided: by each engine after little preprocessing and after all of it, and by all engines.
fn plans() -> Vec<(&'static str, Option<EngineId>, Plan)> {
    let mut plans = vec![("portfolio", None, Plan::portfolio(1))];
    for engine in engines() {
        for passes in ["coi", "coi,ternary,rewrite,fraig,lcorr,scorr,fold,rewrite"] {
            let strategy = Strategy { passes: passes.parse().unwrap(), ..engine.into() };
            plans.push((engine.name, Some(engine.id), strategy.into()));
        }
    }
    plans
}

/// Number `justice` of the justice properties must have the verdict that explicit search has for it. The evidence has been checked by `check`.
fn agrees(
    system: &BitSystem,
    justice: usize,
    plan: &(&str, Option<EngineId>, Plan),
    expected: Expected,
) -> Result<(), String> {
    let (name, engine, plan) = plan;
    let bound = (*engine == Some(EngineId::Lasso)).then_some(BOUND);
    let mut patience = Patience::new();
    let mut run = patience.run().with_bound(bound);
    let property = system.bad_signals().len() + justice;
    let verdict: Verdict<Bits> =
        check(system, property, plan.clone(), &mut run).map_err(|error| format!("{name}: {error}"))?;
    match (verdict.truth(), expected) {
        (Some(true), Expected::Holds) => Ok(()),
        (Some(false), Expected::Fails { .. }) => {
            let lasso = verdict.trace().ok_or("no lasso")?;
            check_lasso_against_reference(system, justice, lasso)
                .map(drop)
                .map_err(|e| format!("{name}: {e}"))
        }
        (None, Expected::Holds) if *engine == Some(EngineId::Lasso) => Ok(()),
        (None, Expected::Fails { length: Some(length) }) if bound.is_some_and(|bound| length > bound) => {
            Ok(())
        }
        _ => Err(format!("{name} says {verdict}, search says {expected:?}")),
    }
}

/// The first disagreement.
fn disagreement(system: &BitSystem, plans: &[(&str, Option<EngineId>, Plan)]) -> Option<String> {
    (0..system.justice.len()).find_map(|justice| {
        let expected = expected_verdict(system, justice).ok()?;
        plans.iter().find_map(|plan| agrees(system, justice, plan, expected).err())
    })
}

#[test]
fn engines_agree_with_search_for_fair_cycles() {
    let plans = plans();
    for case in live_cases(common::seeds(150)) {
        if let Some(reason) = disagreement(&case.system, &plans) {
            let small = shrink::shrink(&case.system, |system| disagreement(system, &plans).is_some());
            let reason = disagreement(&small, &plans).unwrap_or(reason);
            let file = aiger::write_ascii(&small);
            panic!("seed {}: {reason}\nshrunk to:\n{}", case.seed, String::from_utf8_lossy(&file));
        }
    }
}

/// What bounded search finds first is a shortest lasso, if preprocessing leaves all latches in place.
#[test]
fn lassos_are_shortest() {
    let mut n_compared = 0;
    for case in live_cases(common::seeds(150)) {
        let has_resets = case.system.latches().iter().any(|latch| latch.has_reset_function());
        for (property, expected) in case.properties() {
            let (Expected::Fails { length: Some(length) }, false) = (expected, has_resets) else { continue };
            let strategy = Strategy { passes: "coi".parse().unwrap(), ..EngineId::Lasso.into() };
            let mut patience = Patience::new();
            let verdict = check::<Bits>(&case.system, property, strategy, &mut patience.run()).unwrap();
            let found = verdict.trace().expect("a lasso").inputs.len();
            // What does not matter may take longer to repeat.
            assert!(found as u32 >= length, "seed {}: {found}, expected {length}", case.seed);
            n_compared += u32::from(found as u32 == length);
        }
    }
    assert!(n_compared > 20, "{n_compared}");
}

/// Diagrams that have hardly any room collect and sift all the time: there may be no verdict, but no other one.
#[test]
fn little_room_changes_no_verdict() {
    let (mut n_decided, mut n_unknown) = (0, 0);
    for case in live_cases(common::seeds(150)) {
        let mut strategy = Strategy::from(EngineId::Bdd);
        strategy.options.set("bdd-nodes=600").unwrap();
        for (property, expected) in case.properties() {
            let mut patience = Patience::new();
            let verdict =
                check::<Bits>(&case.system, property, strategy.clone(), &mut patience.run()).unwrap();
            match verdict.truth() {
                None => n_unknown += 1,
                Some(truth) => {
                    assert_eq!(truth, expected == Expected::Holds, "seed {}: {verdict}", case.seed);
                    n_decided += 1;
                }
            }
        }
    }
    assert!(n_decided > 50, "{n_decided} decided, {n_unknown} not");
}

#[test]
fn engines_agree_on_our_examples() {
    let mut n_decided = 0;
    for model in corpus::examples() {
        let system = aiger::read(&model.path).expect("our own example");
        let n_bads = system.bad_signals().len();
        for property in
            model.properties.iter().filter(|p| matches!(p.expected, Expected::Holds | Expected::Fails { .. }))
        {
            for (name, engine, plan) in plans() {
                // Counting from 0 to 65,535 is what others do not end with.
                let is_counter = model.path.ends_with("saturation.aag");
                if is_counter && !matches!(engine, None | Some(EngineId::Klive | EngineId::Lasso)) {
                    continue;
                }
                let plan = (name, engine, plan);
                let result = agrees(&system, property.index - n_bads, &plan, property.expected);
                assert_eq!(result, Ok(()), "{} {}", model.path.display(), property.label);
                n_decided += 1;
            }
        }
    }
    assert!(n_decided > 50, "{n_decided}");
}
