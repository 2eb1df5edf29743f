//! Proof obligations: an arena and a priority queue of indices into it.

use crate::{Level, Predecessor};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Index;

/// Names an obligation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ObligationId(u32);

/// "These states must not be in `F[level]`, because they lead to bad."
#[derive(Clone, Debug)]
pub(crate) struct Obligation<S> {
    /// The frame from which the states are to be removed.
    pub(crate) level: Level,
    /// Steps from the states to a bad one, along `successor`.
    pub(crate) depth: u32,
    /// The states, and their step towards bad.
    pub(crate) states: Predecessor<S>,
    /// The obligation that the step leads into; none if the states are bad themselves.
    pub(crate) successor: Option<ObligationId>,
    /// How often it has come back lately (PERFORMANCE B1): each predecessor counts, less with each frame that the obligation
    /// moves up.
    pub(crate) activity: f32,
}

/// What remains of an obligation's activity when it moves up one frame.
const DECAY: f32 = 0.6;

/// All obligations of a level: which are open, and how they lead to bad.
///
/// The arena only grows while a level is strengthened, so chains stay valid; it is emptied with the queue.
#[derive(Clone, Debug)]
pub(crate) struct Obligations<S> {
    arena: Vec<Obligation<S>>,
    /// Lowest level first; among equals the deepest, then the shortest cube, then the newest.
    queue: BinaryHeap<(Reverse<Level>, u32, Reverse<usize>, ObligationId)>,
}

impl<S> Default for Obligations<S> {
    fn default() -> Self {
        Obligations { arena: Vec::new(), queue: BinaryHeap::new() }
    }
}

impl<S: Clone> Obligations<S> {
    /// None.
    pub(crate) fn new() -> Obligations<S> {
        Obligations::default()
    }
    /// A new obligation at `level`.
    pub(crate) fn push(
        &mut self,
        level: Level,
        states: Predecessor<S>,
        successor: Option<ObligationId>,
    ) -> ObligationId {
        let id = ObligationId(self.arena.len() as u32);
        let depth = successor.map_or(0, |s| self[s].depth + 1);
        self.arena.push(Obligation { level, depth, states, successor, activity: 0.0 });
        self.enqueue(id);
        id
    }
    /// Open an obligation again at its level, because it has another predecessor.
    pub(crate) fn requeue(&mut self, id: ObligationId) {
        self.arena[id.0 as usize].activity += 1.0;
        self.enqueue(id);
    }
    /// Open an obligation again at a higher level, because it is met up to the one before.
    pub(crate) fn move_up(&mut self, id: ObligationId, level: Level) {
        let obligation = &mut self.arena[id.0 as usize];
        obligation.activity *= DECAY.powi((level - obligation.level) as i32);
        obligation.level = level;
        self.enqueue(id);
    }
    fn enqueue(&mut self, id: ObligationId) {
        let o = &self[id];
        self.queue.push((Reverse(o.level), o.depth, Reverse(o.states.cube.len()), id));
    }
    /// The open obligation that minimizes the level (seed 000, listing 3, line 21).
    pub(crate) fn pop(&mut self) -> Option<ObligationId> {
        self.queue.pop().map(|(_, _, _, id)| id)
    }
    /// How many are open.
    pub(crate) fn n_open(&self) -> usize {
        self.queue.len()
    }
    /// Forget all, open or not.
    pub(crate) fn clear(&mut self) {
        self.arena.clear();
        self.queue.clear();
    }
    /// The states from `start` to the bad ones.
    pub(crate) fn chain(&self, start: ObligationId) -> Vec<Predecessor<S>> {
        std::iter::successors(Some(start), |&id| self[id].successor)
            .map(|id| self[id].states.clone())
            .collect()
    }
}

impl<S> Index<ObligationId> for Obligations<S> {
    type Output = Obligation<S>;
    fn index(&self, id: ObligationId) -> &Obligation<S> {
        &self.arena[id.0 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_logic::{Cube, Lit};

    #[test]
    fn lowest_level_then_deepest_then_shortest() {
        let states =
            |n: u32| Predecessor { cube: Cube::new((1..=n).map(|v| Lit::from_code(2 * v))), step: n };
        let mut queue = Obligations::new();
        let bad = queue.push(3, states(1), None);
        let deep = queue.push(2, states(4), Some(bad));
        let deeper = queue.push(2, states(3), Some(deep));
        let short = queue.push(2, states(2), Some(deep));
        assert_eq!(queue.n_open(), 4);
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [short, deeper, deep, bad]);
        let path: Vec<u32> = queue.chain(short).iter().map(|p| p.step).collect();
        assert_eq!(path, [2, 4, 1]);
        queue.requeue(deep);
        queue.move_up(bad, 4);
        assert_eq!((queue.pop(), queue.pop()), (Some(deep), Some(bad)));
        assert_eq!((queue[deep].activity, queue[bad].level), (1.0, 4));
        queue.clear();
        assert_eq!(queue.n_open(), 0);
    }
}
