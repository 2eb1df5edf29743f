//! What the suites over random systems share.

use indubit::BitSystem;
use indubit_testkit::random;

/// How many random systems: `INDUBIT_RANDOM`, or a number that takes seconds.
pub fn n_systems(default: u64) -> u64 {
    std::env::var("INDUBIT_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// The first of them: `INDUBIT_SEED`, to look at systems that nobody has seen.
pub fn first_seed() -> u64 {
    std::env::var("INDUBIT_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// The random systems of a suite, with their seeds.
pub fn systems(default: u64) -> impl Iterator<Item = (u64, BitSystem)> {
    let first = first_seed();
    let config = random::Config::default();
    (first..first + n_systems(default)).map(move |seed| (seed, random::system(seed, &config)))
}
