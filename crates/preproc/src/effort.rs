//! How much a pass may do.

/// What a pass may still spend, counted in nodes visited: deterministic, and about a nanosecond or two each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    left: u64,
}

/// Nodes that one tick of a solver is worth.
const TICK: u64 = 16;

impl Effort {
    /// So many nodes, so many times.
    pub(crate) fn new(nodes: u64, times: u32) -> Effort {
        Effort { left: nodes.saturating_mul(times.into()) }
    }
    /// So many nodes were visited.
    pub(crate) fn nodes(&mut self, n: usize) {
        self.left = self.left.saturating_sub(n as u64);
    }
    /// So many ticks were spent in a solver.
    pub(crate) fn ticks(&mut self, n: u64) {
        self.left = self.left.saturating_sub(n.saturating_mul(TICK));
    }
    /// Nothing is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.left == 0
    }
    /// How often `n` nodes may be visited for one part in `parts` of what is left, and no more than `times`.
    pub(crate) fn rounds(&self, n: usize, times: usize, parts: u64) -> usize {
        let most = self.left / parts / (n as u64).max(1);
        usize::try_from(most).map_or(times, |most| most.min(times))
    }
}
