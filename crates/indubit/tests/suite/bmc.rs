//! Bounded model checking with every switch, against explicit-state search.

use crate::common::{self, Searched};
use indubit::run::Stop;
use indubit::system::{Conclusion, Raise};
use indubit::{BitSystem, Bits, Evidence, certify};
use indubit_engines::{Backend, Bmc, BmcConfig, BoundedConfig, Engine, Query};
use indubit_preproc::{Prepared, Select, prepare};

const BOUND: u32 = 12;

/// The usual switches, and each one changed.
fn configs() -> Vec<BmcConfig> {
    let usual = BoundedConfig::default();
    let frames = [
        usual,
        BoundedConfig { two_level: false, ..usual },
        BoundedConfig { gates: false, ..usual },
        BoundedConfig { facts: false, ..usual },
        BoundedConfig { backend: Backend::CadicalDefault, ..usual },
        BoundedConfig { backend: Backend::Cdcl, ..usual },
    ];
    let usual = BmcConfig::default();
    let one_by_one = frames.into_iter().map(|frames| BmcConfig { frames, ..usual });
    let in_steps = [3, 8, 100].map(|step| BmcConfig { step, ..usual });
    let formulas = [(Query::Exact, 1), (Query::Exact, 3), (Query::UpTo, 1), (Query::UpTo, 3)];
    let formulas = formulas.map(|(query, step)| BmcConfig { query, step, ..usual });
    one_by_one.chain(in_steps).chain(formulas).collect()
}

fn agrees(
    system: &BitSystem,
    property: usize,
    config: BmcConfig,
    seed: u64,
    depth: Option<u32>,
) -> Result<(), String> {
    let mut patience = common::Patience::new();
    let mut run = patience.run().with_bound(Some(BOUND)).with_seed(seed);
    // With more passes there is little left to search.
    let passes = "coi,ternary".parse().unwrap();
    let property = system.property(property).unwrap();
    let select = Select::one(property.claim.target().unwrap());
    let Prepared { safety, back, .. } = prepare(system, &select, &passes, &mut run).unwrap();
    let conclusion = back.conclusion(Bmc::new(safety, config).run(&mut run));
    if run.safe_up_to().is_some_and(|k| depth.is_some_and(|d| d <= k)) {
        return Err(format!("claims {:?} before {conclusion:?}", run.safe_up_to()));
    }
    let agrees = match (&conclusion, depth) {
        (Conclusion::Unsafe(trace), Some(depth)) => {
            let evidence = Evidence::<Bits>::Trace(trace.clone());
            let checked = certify::check(system, &property, &evidence, run.cancel()).unwrap();
            checked.is_ok() && (trace.len() as u32 == depth || config.step > 1)
        }
        (Conclusion::Unknown { stop: Stop::Bound, safe_up_to: Some(BOUND) }, depth) => {
            depth.is_none_or(|d| d > BOUND)
        }
        (Conclusion::Unknown { stop: Stop::Incomplete(_), .. }, None) => true,
        _ => false,
    };
    if agrees { Ok(()) } else { Err(format!("says {conclusion:?}")) }
}

#[test]
fn every_switch_agrees_with_explicit_search() {
    let mut n_unsafe = 0;
    for (seed, system) in common::systems(150) {
        for (property, truth) in Bits::shortest(&system).into_iter().flatten().enumerate() {
            n_unsafe += u32::from(truth.is_some());
            for config in configs() {
                if let Err(reason) = agrees(&system, property, config, seed, truth) {
                    panic!("seed {seed}, property {property}, {truth:?}, {config:?}: {reason}");
                }
            }
        }
    }
    assert!(n_unsafe > 0, "all systems were safe");
}
