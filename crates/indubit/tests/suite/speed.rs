//! Effort does not creep up: ticks of the solvers, which repeat exactly, on systems that take a moment.
//!
//! A budget is a fifth above what was measured when it was last set. A change that saves effort may lower it; one that
//! needs more must say why. Seconds are measured by benchmarks, never here.

use crate::common::large_system;
use indubit::run::{Cancel, Run};
use indubit::system::Conclusion;
use indubit::{BitSystem, EngineId, Options};
use indubit_preproc::{Prepared, Select, prepare};
use indubit_testkit::corpus;

/// What the engine takes for the first property of the system.
fn effort(system: &BitSystem, engine: EngineId) -> u64 {
    let mut run = Run::new(Cancel::new());
    // With more passes there is little left to search.
    let passes = "coi,ternary".parse().unwrap();
    let select = Select::one(system.property(0).unwrap().claim.target().unwrap());
    let Prepared { safety, .. } = prepare(system, &select, &passes, &mut run).unwrap();
    let make = engine.info().bits.as_ref().unwrap().make;
    let conclusion = make(safety, &Options::default()).run(&mut run);
    assert!(!matches!(conclusion, Conclusion::Unknown { .. }), "{engine} says {conclusion:?}");
    run.record().counts.iter().filter(|(name, _)| *name == "ticks of the solvers").map(|(_, n)| n).sum()
}

fn assert_within(what: &str, ticks: u64, budget: u64) {
    assert!(ticks > budget / 3, "{what}: {ticks} ticks, far below the budget of {budget}: lower it");
    assert!(ticks <= budget, "{what}: {ticks} ticks, and the budget is {budget}");
}

#[test]
fn random_systems_take_their_ticks() {
    for (engine, budget) in [(EngineId::Ic3, 1_080_000), (EngineId::Quip, 700_000)] {
        let ticks = (0..60).map(|seed| effort(&large_system(seed, 1), engine)).sum();
        assert_within(engine.info().name, ticks, budget);
    }
}

#[test]
fn benchmarks_take_their_ticks_where_there_are_some() {
    let budgets = [
        ("beemcycschd3b1", 5_500_000),
        ("qspiflash_qflexpress_divfive-p112", 420_000),
        ("qspiflash_dualflexpress_divfive-p097", 205_000),
        ("bobunr2p10d40l", 4_000_000),
    ];
    let listed = corpus::benchmarks("tuning.csv");
    for (name, budget) in budgets {
        let Some(benchmark) = listed.iter().find(|b| b.path.file_stem().is_some_and(|s| s == name)) else {
            continue;
        };
        let system = indubit_formats::aiger::read(&benchmark.path).unwrap();
        assert_within(name, effort(&system, EngineId::Ic3), budget);
    }
}
