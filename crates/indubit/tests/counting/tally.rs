//! What engines count.

use crate::common::{Patience, systems};
use indubit::run::{Event, Observer, Run};
use indubit::{Strategy, Verdict, check, engine};
use std::collections::HashMap;

/// Adds up what is counted.
pub struct Tally<'c> {
    pub patience: Patience,
    pub counts: &'c mut HashMap<&'static str, u64>,
}

impl Observer for Tally<'_> {
    fn event(&mut self, event: &Event<'_>) {
        self.patience.event(event);
        if let Event::Count { name, value } = *event {
            *self.counts.entry(name).or_default() += value;
        }
    }
}

/// What an engine counts on random systems, which it has to decide.
pub fn counted(name: &str, settings: &[&str]) -> impl Fn(&str) -> u64 {
    let mut strategy = Strategy::from(engine(name).expect("it is there"));
    strategy.passes = "coi".parse().expect("a pass that there is");
    settings.iter().for_each(|s| strategy.options.set(s).expect("a value that there is"));
    let mut counts = HashMap::new();
    for (seed, system) in systems(400) {
        let mut tally = Tally { patience: Patience::new(), counts: &mut counts };
        let mut run = Run::new(tally.patience.cancel.clone(), &mut tally).with_paranoia(true);
        let verdict = check(&system, 0, strategy.clone(), &mut run);
        assert!(matches!(verdict, Ok(Verdict::Safe(_) | Verdict::Unsafe(_))), "seed {seed}: {verdict:?}");
    }
    move |name| *counts.get(name).unwrap_or_else(|| panic!("nobody counts {name}"))
}
