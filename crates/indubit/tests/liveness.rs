//! Engines for liveness against explicit search for fair cycles.
use indubit::run::{Cancel, Run};
use indubit::{Bits, Claim, ENGINES, EngineId, Plan, check};
use indubit_testkit::live::{check_lasso_against_reference, live_cases};
use indubit_testkit::models::Expected;

#[test]
fn engines_agree_with_explicit_search_for_fair_cycles() {
    let n: u64 = std::env::var("INDUBIT_RANDOM").ok().and_then(|t| t.parse().ok()).unwrap_or(100);
    let from: u64 = std::env::var("INDUBIT_SEED").ok().and_then(|t| t.parse().ok()).unwrap_or(0);
    let only = std::env::var("ENGINE").ok();
    for case in live_cases(from..from + n) {
        for (property, expected) in case.properties() {
            for engine in
                ENGINES.iter().filter(|e| e.live.is_some() && only.as_ref().is_none_or(|o| o == e.name))
            {
                let mut run = Run::new(Cancel::new()).with_bound(Some(40));
                let verdict = check::<Bits>(&case.system, property, Plan::from(engine), &mut run);
                let place = format!("seed {} property {property} {}", case.seed, engine.name);
                let verdict = verdict.unwrap_or_else(|e| panic!("{place}: {e}"));
                match (verdict.truth(), &expected) {
                    (Some(true), Expected::Holds) => (),
                    (Some(false), Expected::Fails { .. }) => {
                        let claim = &case.system.properties()[property];
                        let Claim::Justice(_) = claim.claim else { panic!() };
                        let j = property - case.system.bad_signals().len();
                        check_lasso_against_reference(&case.system, j, verdict.trace().unwrap())
                            .unwrap_or_else(|e| panic!("{place}: {e}"));
                    }
                    (None, Expected::Holds) if engine.id == EngineId::Lasso => (),
                    (found, expected) => panic!("{place}: {found:?} {verdict} but {expected:?}"),
                }
            }
        }
    }
}
