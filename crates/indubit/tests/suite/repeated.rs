//! One engine does the same at each time, whoever looks on.

use crate::common::{self, Searched};
use indubit::run::{Cancel, Event, Observer, Record, Run, Source};
use indubit::{Bits, EngineId, Next, Plan, Strategy, check, check_all};

/// Sees everything, or only what is no small step.
struct Onlooker {
    wants_steps: bool,
    n_seen: usize,
}

impl Observer for Onlooker {
    fn event(&mut self, _: Source, _: &Event) {
        self.n_seen += 1;
    }
    fn wants_steps(&self) -> bool {
        self.wants_steps
    }
}

/// What comes out with nobody, somebody, and somebody curious looking on.
fn seen_by_all<T>(work: impl Fn(&mut Run<'_>) -> T) -> [T; 3] {
    let unseen = work(&mut Run::new(Cancel::new()));
    let seen = [false, true].map(|wants_steps| {
        let mut onlooker = Onlooker { wants_steps, n_seen: 0 };
        let result = work(&mut Run::new(Cancel::new()).observed_by(&mut onlooker));
        assert!(onlooker.n_seen > 0);
        result
    });
    let [seen, seen_closely] = seen;
    [unseen, seen, seen_closely]
}

fn strategies() -> Vec<Strategy> {
    let engines = [EngineId::Ic3, EngineId::Quip].map(Strategy::from);
    let light = |strategy: &Strategy| {
        let passes = "coi,try,ternary".parse().unwrap();
        Strategy { passes, ..strategy.clone() }
    };
    engines.iter().map(light).chain(engines.clone()).collect()
}

/// Some that explicit search can do, and some that take effort.
fn systems(default: u64) -> impl Iterator<Item = (u64, indubit::BitSystem)> {
    common::seeds(default).map(|seed| match seed % 2 {
        0 => (seed, Bits::random(seed)),
        _ => (seed, common::large_system(seed, 4)),
    })
}

#[test]
fn a_check_that_is_observed_is_the_check_that_is_not() {
    let mut n_counted = 0;
    for (seed, system) in systems(60) {
        for strategy in strategies() {
            let name = strategy.engine.name;
            let [unseen, others @ ..] = seen_by_all(|run| -> (String, Record) {
                let verdict = check::<Bits>(&system, 0, strategy.clone(), run).unwrap();
                (format!("{verdict:?}"), run.take_record())
            });
            others.iter().for_each(|seen| assert_eq!(*seen, unseen, "seed {seed}, {name}"));
            n_counted += usize::from(!unseen.1.counts.is_empty());
        }
    }
    assert!(n_counted > 20);
}

#[test]
fn all_properties_are_told_alike_whoever_looks_on() {
    for (seed, mut system) in systems(60) {
        Bits::add_covers(&mut system, seed);
        for strategy in strategies() {
            let name = strategy.engine.name;
            let [unseen, others @ ..] = seen_by_all(|run| {
                let mut told: Vec<(usize, String, Record)> = Vec::new();
                let all: Vec<usize> = (0..system.n_properties()).collect();
                let plan = Plan::from(strategy.clone());
                check_all::<Bits>(&system, &all, plan, run, &mut |answer| {
                    told.push((answer.property, format!("{:?}", answer.result.unwrap()), answer.record));
                    Next::GoOn
                })
                .unwrap();
                // Properties have turns by the clock: a busy machine may tell them in another order.
                told.sort_by_key(|answer| answer.0);
                told
            });
            others.iter().for_each(|seen| assert_eq!(*seen, unseen, "seed {seed}, {name}"));
        }
    }
}
