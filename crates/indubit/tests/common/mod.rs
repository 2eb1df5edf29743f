//! What the suites over random systems share.

use indubit::BitSystem;
use indubit::run::{Cancel, Event, Observer};
use indubit_testkit::random;

/// How many random systems: `INDUBIT_RANDOM`, or a number that takes seconds.
fn n_systems(default: u64) -> u64 {
    std::env::var("INDUBIT_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// The first of them: `INDUBIT_SEED`, to look at systems that nobody has seen.
fn first_seed() -> u64 {
    std::env::var("INDUBIT_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// The seeds of a suite.
pub fn seeds(default: u64) -> std::ops::Range<u64> {
    let first = first_seed();
    first..first + n_systems(default)
}

/// The random systems of a suite, with their seeds.
pub fn systems(default: u64) -> impl Iterator<Item = (u64, BitSystem)> {
    let config = random::Config::default();
    seeds(default).map(move |seed| (seed, random::system(seed, &config)))
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
