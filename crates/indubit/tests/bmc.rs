//! Bounded model checking with every switch, against explicit-state search.

#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use indubit::run::{Run, Stop};
use indubit::system::Raise;
use indubit::{BitSystem, Verdict, certify};
use indubit_engines::{Backend, Bmc, BmcConfig, BoundedConfig, Engine, Query};
use indubit_preproc::{Prepared, Select, prepare};
use indubit_testkit::explicit;

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
    bad: usize,
    config: BmcConfig,
    seed: u64,
    depth: Option<u32>,
) -> Result<(), String> {
    let mut observer = common::Patience::new();
    let mut run = Run::new(observer.cancel.clone(), &mut observer).with_bound(Some(BOUND)).with_seed(seed);
    // With more passes there is little left to search.
    let passes = "coi,ternary".parse().unwrap();
    let Prepared { safety, back } = prepare(system, &Select::one(bad), &passes, &mut run).unwrap();
    let verdict = back.verdict(Bmc::new(safety, config).run(&mut run));
    if run.safe_up_to().is_some_and(|k| depth.is_some_and(|d| d <= k)) {
        return Err(format!("claims {:?} before {verdict:?}", run.safe_up_to()));
    }
    let checked = certify::check(system, bad, &verdict, run.cancel()).unwrap();
    match (&verdict, depth) {
        (Verdict::Unsafe(trace), Some(depth))
            if checked.is_ok() && (trace.len() as u32 == depth || config.step > 1) =>
        {
            Ok(())
        }
        (Verdict::Unknown { stop: Stop::Bound, safe_up_to: Some(BOUND) }, depth)
            if depth.is_none_or(|d| d > BOUND) =>
        {
            Ok(())
        }
        (Verdict::Unknown { stop: Stop::Incomplete(_), .. }, None) => Ok(()),
        _ => Err(format!("says {verdict:?}, {checked:?}")),
    }
}

#[test]
fn every_switch_agrees_with_explicit_search() {
    let mut n_unsafe = 0;
    for (seed, system) in common::systems(150) {
        let Ok(truths) = explicit::check(&system) else { continue };
        for (bad, truth) in truths.iter().enumerate().take(system.bad_signals().len()) {
            n_unsafe += u32::from(truth.depth().is_some());
            for config in configs() {
                if let Err(reason) = agrees(&system, bad, config, seed, truth.depth()) {
                    panic!("seed {seed}, bad signal {bad}, {truth:?}, {config:?}: {reason}");
                }
            }
        }
    }
    assert!(n_unsafe > 0, "all systems were safe");
}
