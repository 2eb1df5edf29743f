//! Proof obligations: an arena and a priority queue of indices into it. Which kinds there are is from Quip (A. Ivrii, A. Gurfinkel,
//! *Pushing to the Top*, FMCAD 2015).

use crate::{Level, Predecessor};
use indubit_logic::Cube;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Index;

/// Names an obligation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ObligationId(u32);

/// Why states are to be excluded (Ivrii, Gurfinkel, Fig. 2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// They lead to bad.
    Must,
    /// It would help if they were: they are excluded from the frame before already, or lead to such states.
    May,
}

/// "These states must, or may, not be in `F[level]`."
#[derive(Clone, Debug)]
pub(crate) struct Obligation<S> {
    pub(crate) kind: Kind,
    /// The frame from which the states are to be removed.
    pub(crate) level: Level,
    /// Steps from the states to a bad one, along `successor`.
    pub(crate) depth: u32,
    /// The states.
    pub(crate) cube: Cube,
    /// Their step into the successor, or into bad; none for a lemma that is to be pushed.
    pub(crate) step: Option<S>,
    /// The obligation that the step leads into (`Parent` in Quip); none if the states are bad themselves, or a lemma.
    pub(crate) successor: Option<ObligationId>,
    /// How often it has come back lately (docs/SOURCES.md, Practice): each predecessor counts, less with each frame that the obligation
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
    /// Or is it only the length of a cube that counts?
    deepest_first: bool,
    /// Lowest level first; among equals the deepest, if that counts, then the shortest cube, then the newest.
    queue: BinaryHeap<(Reverse<Level>, u32, Reverse<usize>, ObligationId)>,
}

impl<S: Clone> Obligations<S> {
    /// None; the deepest come first, or the shortest.
    pub(crate) fn new(deepest_first: bool) -> Obligations<S> {
        Obligations { arena: Vec::new(), deepest_first, queue: BinaryHeap::new() }
    }
    /// A new obligation at `level`.
    pub(crate) fn push(
        &mut self,
        level: Level,
        states: Predecessor<S>,
        successor: Option<ObligationId>,
    ) -> ObligationId {
        let (depth, kind) = successor.map_or((0, Kind::Must), |s| (self[s].depth + 1, self[s].kind));
        let Predecessor { cube, step } = states;
        self.add(Obligation { kind, level, depth, cube, step: Some(step), successor, activity: 0.0 })
    }
    /// A lemma is to be pushed to `level` (Ivrii, Gurfinkel, rule MayEnqueue).
    pub(crate) fn push_lemma(&mut self, level: Level, cube: Cube) -> ObligationId {
        let kind = Kind::May;
        self.add(Obligation { kind, level, depth: 0, cube, step: None, successor: None, activity: 0.0 })
    }
    fn add(&mut self, obligation: Obligation<S>) -> ObligationId {
        let id = ObligationId(self.arena.len() as u32);
        self.arena.push(obligation);
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
        let depth = if self.deepest_first { o.depth } else { 0 };
        self.queue.push((Reverse(o.level), depth, Reverse(o.cube.len()), id));
    }
    /// The open obligation that minimizes the level (Wolff, listing 3, line 21).
    pub(crate) fn pop(&mut self) -> Option<ObligationId> {
        self.queue.pop().map(|(_, _, _, id)| id)
    }
    /// The open obligation that minimizes the level, if that is not above `level`.
    pub(crate) fn pop_up_to(&mut self, level: Level) -> Option<ObligationId> {
        self.queue.peek().filter(|(Reverse(lowest), ..)| *lowest <= level)?;
        self.pop()
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
    /// Forget those that are not open, and lead nowhere that is.
    pub(crate) fn compact(&mut self) {
        let mut is_needed = vec![false; self.arena.len()];
        for &(.., id) in &self.queue {
            let mut chain = std::iter::successors(Some(id), |&id| self[id].successor);
            while let Some(id) = chain.next().filter(|id| !is_needed[id.0 as usize]) {
                is_needed[id.0 as usize] = true;
            }
        }
        // Successors come before those that lead to them, so their new names are known.
        let mut names = vec![None; self.arena.len()];
        let mut kept = Vec::new();
        for (i, mut obligation) in std::mem::take(&mut self.arena).into_iter().enumerate() {
            if is_needed[i] {
                obligation.successor = obligation.successor.and_then(|s| names[s.0 as usize]);
                names[i] = Some(ObligationId(kept.len() as u32));
                kept.push(obligation);
            }
        }
        self.arena = kept;
        let queue = std::mem::take(&mut self.queue).into_iter();
        self.queue = queue
            .filter_map(|(level, depth, len, id)| Some((level, depth, len, names[id.0 as usize]?)))
            .collect();
    }
    /// The states from `start` to the bad ones.
    pub(crate) fn chain(&self, start: ObligationId) -> Vec<Predecessor<S>> {
        let chain = std::iter::successors(Some(start), |&id| self[id].successor).map(|id| &self[id]);
        chain.filter_map(|o| Some(Predecessor { cube: o.cube.clone(), step: o.step.clone()? })).collect()
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
    use indubit_logic::Lit;

    fn states(n: u32) -> Predecessor<u32> {
        Predecessor { cube: Cube::new((1..=n).map(|v| Lit::from_code(2 * v))), step: n }
    }

    #[test]
    fn for_quip_the_shortest_first() {
        let mut queue = Obligations::new(false);
        let bad = queue.push(2, states(3), None);
        let deep = queue.push(1, states(9), Some(bad));
        let lemma = queue.push_lemma(1, states(2).cube);
        let predecessor = queue.push(0, states(5), Some(lemma));
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(order, [predecessor, lemma, deep, bad]);
        assert_eq!([predecessor, deep].map(|id| queue[id].kind), [Kind::May, Kind::Must]);
    }

    #[test]
    fn lowest_level_then_deepest_then_shortest() {
        let mut queue = Obligations::new(true);
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
        let late = queue.push(1, states(5), Some(deep));
        queue.compact();
        assert_eq!(queue.n_open(), 1);
        let late = queue.pop().filter(|&id| id != late).unwrap();
        let path: Vec<u32> = queue.chain(late).iter().map(|p| p.step).collect();
        assert_eq!(path, [5, 4, 1]);
        queue.clear();
        assert_eq!(queue.n_open(), 0);
    }
}
