//! Effort does not creep up: ticks of the solvers, which repeat exactly, on systems that take a moment.
//!
//! A budget is a fifth above what was measured when it was last set. A change that saves effort may lower it; one that
//! needs more must say why. Seconds are measured by benchmarks, never here.

#![allow(clippy::unwrap_used)] // a test may panic

use indubit::run::{Cancel, Event, Observer, Run};
use indubit::{BitSystem, Verdict};
use indubit_engines::{Options, find};
use indubit_preproc::{Prepared, Select, prepare};
use indubit_testkit::{corpus, random};

#[derive(Default)]
struct Ticks(u64);

impl Observer for Ticks {
    fn event(&mut self, event: &Event<'_>) {
        if let Event::Count { name: "ticks of the solvers", value } = event {
            self.0 += value;
        }
    }
}

/// What the engine takes for the first property of the system.
fn effort(system: &BitSystem, engine: &str) -> u64 {
    let mut ticks = Ticks::default();
    let mut run = Run::new(Cancel::new(), &mut ticks);
    // With more passes there is little left to search.
    let passes = "coi,ternary".parse().unwrap();
    let Prepared { safety, .. } = prepare(system, &Select::one(0), &passes, &mut run).unwrap();
    let verdict = (find(engine).unwrap().make)(safety, &Options::default()).run(&mut run);
    assert!(!matches!(verdict, Verdict::Unknown { .. }), "{engine} says {verdict:?}");
    ticks.0
}

fn assert_within(what: &str, ticks: u64, budget: u64) {
    assert!(ticks > budget / 3, "{what}: {ticks} ticks, far below the budget of {budget}: lower it");
    assert!(ticks <= budget, "{what}: {ticks} ticks, and the budget is {budget}");
}

/// Larger than those that explicit search can do.
fn random_systems() -> impl Iterator<Item = BitSystem> {
    let config = random::Config {
        inputs: 4..=12,
        latches: 20..=40,
        gates: 100..=300,
        bads: 1..=1,
        constraints: 0..=1,
        decorations: false,
    };
    (0..60).map(move |seed| random::system(seed, &config))
}

#[test]
fn random_systems_take_their_ticks() {
    for (engine, budget) in [("ic3", 1_080_000), ("quip", 700_000)] {
        let ticks = random_systems().map(|system| effort(&system, engine)).sum();
        assert_within(engine, ticks, budget);
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
        assert_within(name, effort(&system, "ic3"), budget);
    }
}
