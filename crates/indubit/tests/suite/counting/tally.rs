//! What engines count.

use crate::common::{Patience, systems};
use indubit::run::Record;
use indubit::{Bits, EngineId, Strategy, check};
use std::collections::HashMap;

/// An engine that has something to do.
pub fn strategy(engine: EngineId, settings: &[&str]) -> Strategy {
    let mut strategy = Strategy::from(engine);
    strategy.passes = "coi".parse().expect("a pass that there is");
    settings.iter().for_each(|s| strategy.options.set(s).expect("a value that there is"));
    strategy
}

/// Add up what was counted.
pub fn add(counts: &mut HashMap<&'static str, u64>, record: Record) {
    for (name, value) in record.counts {
        *counts.entry(name).or_default() += value;
    }
}

/// What an engine counts on random systems, which it has to decide.
pub fn counted(engine: EngineId, settings: &[&str]) -> impl Fn(&str) -> u64 {
    let strategy = strategy(engine, settings);
    let mut counts = HashMap::new();
    for (seed, system) in systems(400) {
        let mut patience = Patience::new();
        let mut run = patience.run().with_paranoia(true);
        let verdict = check::<Bits>(&system, 0, strategy.clone(), &mut run);
        assert!(verdict.as_ref().is_ok_and(|v| v.truth().is_some()), "seed {seed}: {verdict:?}");
        add(&mut counts, run.take_record());
    }
    move |name| *counts.get(name).unwrap_or_else(|| panic!("nobody counts {name}"))
}
