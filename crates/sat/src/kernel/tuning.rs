//! The numbers of a kernel that can be chosen, and what they are for which queries.

use super::order::OrderKind;
use super::restart::RestartKind;

/// Switches and numbers.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    /// How decisions are ordered.
    pub order: OrderKind,
    /// When to restart.
    pub restarts: RestartKind,
    /// What each conflict leaves of the weight of earlier ones in decisions.
    pub decay: f64,
    /// Are variables eliminated? Not for partial domains.
    pub eliminate: bool,
    /// Conflicts after which a query is hard enough to eliminate all that can be; then again after each fourfold.
    pub eliminate_after: u64,
    /// The first phase of each variable is random, from this seed; with 0 it is false.
    pub seed: u64,
    /// In a partial domain or with a theory, models need only be justified.
    pub justify: bool,
    /// Learnt clauses are forgotten for want of use every so many conflicts, times the square root of all conflicts.
    pub reduce: u64,
    /// Learnt clauses on at most so many levels are never forgotten for want of use.
    pub glue: u32,
    /// The arena is compacted when more words than this are waste,
    pub waste: usize,
    /// and more than one in so many.
    pub part: usize,
    /// Ticks between two looks at the cancel flag and the limit: by default well below a millisecond.
    pub poll: u64,
    /// Queries between two looks for clauses that are true for good, where the solver looks.
    pub simplify: u64,
    /// New clauses between two looks for subsumed ones, where the solver looks.
    pub subsume: usize,
}

impl Tuning {
    /// For few large queries, as the default is for many small ones.
    pub fn large() -> Tuning {
        Tuning {
            order: OrderKind::Heap,
            restarts: RestartKind::Glue,
            decay: 0.9,
            reduce: 12,
            eliminate: true,
            ..Tuning::default()
        }
    }
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            order: OrderKind::Buckets,
            restarts: RestartKind::Luby { interval: 100 },
            decay: 0.95,
            eliminate: false,
            eliminate_after: 1000,
            seed: 0,
            justify: false,
            reduce: 25,
            glue: 2,
            waste: 1024,
            part: 3,
            poll: 20_000,
            simplify: 100,
            subsume: 1000,
        }
    }
}
