//! What the suites over random systems share.

use indubit::run::{Cancel, Event, Observer, Run};
use indubit::{BitSystem, Strategy, Verdict, check, engine};
use indubit_testkit::random;
use std::collections::HashMap;

/// How many random systems: `INDUBIT_RANDOM`, or a number that takes seconds.
fn n_systems(default: u64) -> u64 {
    std::env::var("INDUBIT_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// The first of them: `INDUBIT_SEED`, to look at systems that nobody has seen.
fn first_seed() -> u64 {
    std::env::var("INDUBIT_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// The random systems of a suite, with their seeds.
pub fn systems(default: u64) -> impl Iterator<Item = (u64, BitSystem)> {
    let first = first_seed();
    let config = random::Config::default();
    (first..first + n_systems(default)).map(move |seed| (seed, random::system(seed, &config)))
}

/// Ends a run that takes far more steps than any small system needs: a bug that keeps an engine from ending is
/// to fail a test, not to hang it.
pub struct Patience {
    pub cancel: Cancel,
    left: u32,
}

impl Patience {
    pub fn new() -> Patience {
        Patience { cancel: Cancel::new(), left: 3_000_000 }
    }
}

impl Observer for Patience {
    fn event(&mut self, _: &Event<'_>) {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => self.cancel.cancel(),
        }
    }
}

/// Adds up what is counted.
#[allow(dead_code)] // not all suites count
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
#[allow(dead_code)] // not all suites count
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
