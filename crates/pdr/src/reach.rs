//! REACH: concrete states that are known to be reachable, with the way to each (A. Ivrii, A. Gurfinkel,
//! *Pushing to the Top*, FMCAD 2015, §IV).
//!
//! States are deleted as a SAT solver deletes clauses: by their activity, which counts how often they were witnesses, and decays
//! (§IV.D). The way to a state outlives the state as long as another state needs it.

use indubit_logic::{Cube, Lit};
use std::collections::HashMap;

/// A complete assignment to the atoms: bit `i` is atom number `i`.
pub type State = Box<[u64]>;

/// Names a reachable state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ReachId(u32);

#[derive(Clone, Debug)]
struct Reached<S> {
    /// None if it was deleted, and only the way through it matters.
    state: Option<State>,
    activity: f32,
    /// The state before, and the step from there; none for an initial state.
    from: Option<(ReachId, S)>,
    /// How many states come from this one.
    n_successors: u32,
}

const DECAY: f32 = 0.5;
/// A limit below this is not heeded: a state must live until the obligation that it is a witness for comes up again, or the same
/// state is found for ever.
const FEW: usize = 100;

/// The states.
#[derive(Clone, Debug)]
pub(crate) struct Reach<S> {
    /// How many states there may be beside initial ones: beyond it, half of them are deleted.
    capacity: usize,
    reached: Vec<Reached<S>>,
    /// Places in `reached` that are not used.
    free: Vec<ReachId>,
    /// Those with a state, oldest first.
    live: Vec<ReachId>,
    /// Those that are initial.
    initial: HashMap<State, ReachId>,
    /// The words of a cube that was asked about.
    words: Vec<(u32, u64, u64)>,
    pub(crate) n_found: u64,
    pub(crate) n_deleted: u64,
}

impl<S: Clone> Reach<S> {
    /// None; there may be so many, and 0 is no limit.
    pub(crate) fn new(capacity: u32) -> Reach<S> {
        Reach {
            capacity: if capacity == 0 { usize::MAX } else { FEW.max(capacity as usize) },
            reached: Vec::new(),
            free: Vec::new(),
            live: Vec::new(),
            initial: HashMap::new(),
            words: Vec::new(),
            n_found: 0,
            n_deleted: 0,
        }
    }
    /// A state that is initial, or one step after another.
    pub(crate) fn insert(&mut self, state: State, from: Option<(ReachId, S)>) -> ReachId {
        if let Some((before, _)) = &from {
            self.n_found += 1;
            self.reached[before.0 as usize].n_successors += 1;
        }
        let new = Reached { state: Some(state), activity: 1.0, from, n_successors: 0 };
        let id = match self.free.pop() {
            Some(id) => {
                self.reached[id.0 as usize] = new;
                id
            }
            None => {
                self.reached.push(new);
                ReachId(self.reached.len() as u32 - 1)
            }
        };
        self.live.push(id);
        id
    }
    /// An initial state, which may be known already.
    pub(crate) fn insert_initial(&mut self, state: State) -> ReachId {
        if let Some(&id) = self.initial.get(&state) {
            return id;
        }
        let id = self.insert(state.clone(), None);
        self.initial.insert(state, id);
        id
    }
    /// Forget all of them (Ivrii, Gurfinkel, Fig. 2, rule ResetReach).
    pub(crate) fn clear(&mut self) {
        self.n_deleted += (self.live.len() - self.initial.len()) as u64;
        self.reached.clear();
        self.free.clear();
        self.live.clear();
        self.initial.clear();
    }
    /// The states have become others, with more atoms.
    pub(crate) fn update(&mut self, mut update: impl FnMut(&State) -> State) {
        self.initial = self.initial.drain().map(|(state, id)| (update(&state), id)).collect();
        for state in self.reached.iter_mut().filter_map(|r| r.state.as_mut()) {
            *state = update(state);
        }
    }
    pub(crate) fn state(&self, id: ReachId) -> Option<&State> {
        self.reached[id.0 as usize].state.as_ref()
    }
    /// `Intersect(R, cube)`: a state in the cube, the newest first; only the `newest` so many are considered.
    pub(crate) fn intersect(
        &mut self,
        cube: &Cube,
        atom: impl Fn(Lit) -> u32,
        newest: usize,
    ) -> Option<ReachId> {
        if self.live.is_empty() {
            return None;
        }
        self.words.clear();
        for &lit in cube.lits() {
            let atom = atom(lit);
            let (word, bit) = (atom / 64, 1u64 << (atom % 64));
            let value = if lit.is_negated() { 0 } else { bit };
            match self.words.last_mut() {
                Some((last, mask, values)) if *last == word => {
                    *mask |= bit;
                    *values |= value;
                }
                _ => self.words.push((word, bit, value)),
            }
        }
        let is_in =
            |state: &State| self.words.iter().all(|&(w, mask, values)| state[w as usize] & mask == values);
        let found =
            self.live.iter().rev().take(newest).copied().find(|&id| self.state(id).is_some_and(is_in));
        if let Some(id) = found {
            self.reached[id.0 as usize].activity += 1.0;
        }
        found
    }
    /// The newest so many states, the newest first.
    pub(crate) fn newest(&self, n: usize) -> Vec<ReachId> {
        self.live.iter().rev().take(n).copied().collect()
    }
    /// The steps from an initial state to this one, and that state.
    pub(crate) fn path(&self, id: ReachId) -> (ReachId, Vec<S>) {
        let (mut first, mut steps) = (id, Vec::new());
        while let Some((before, step)) = &self.reached[first.0 as usize].from {
            steps.push(step.clone());
            first = *before;
        }
        steps.reverse();
        (first, steps)
    }
    /// If there are too many states, delete half of them: of the less active ones the oldest. Initial states stay, since paths
    /// begin there.
    pub(crate) fn reduce(&mut self) {
        let mut by_activity: Vec<f32> = match self.live.len() - self.initial.len() > self.capacity {
            true => self.later_states().map(|r| r.activity).collect(),
            false => return,
        };
        let mut n_spare = by_activity.len() / 2;
        let (_, &mut median, _) = by_activity.select_nth_unstable_by(n_spare, f32::total_cmp);
        let live = std::mem::take(&mut self.live);
        for id in live {
            let reached = &mut self.reached[id.0 as usize];
            let is_poor = reached.activity <= median;
            reached.activity *= DECAY;
            if is_poor && n_spare > 0 && reached.from.is_some() {
                n_spare -= 1;
                reached.state = None;
                self.n_deleted += 1;
                self.release(id);
            } else {
                self.live.push(id);
            }
        }
    }
    fn later_states(&self) -> impl Iterator<Item = &Reached<S>> {
        self.live.iter().map(|id| &self.reached[id.0 as usize]).filter(|r| r.from.is_some())
    }
    /// Forget the way to a state that is gone and on no other way, and so on.
    fn release(&mut self, mut id: ReachId) {
        loop {
            let reached = &mut self.reached[id.0 as usize];
            if reached.state.is_some() || reached.n_successors > 0 {
                return;
            }
            self.free.push(id);
            let Some((before, _)) = reached.from.take() else { return };
            self.reached[before.0 as usize].n_successors -= 1;
            id = before;
        }
    }
    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.live.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_logic::Var;

    fn state(bits: u64) -> State {
        vec![bits, !bits].into()
    }

    fn cube(lits: &[(u32, bool)]) -> Cube {
        Cube::new(lits.iter().map(|&(var, value)| Lit::with_value(Var::new(var), value)))
    }

    #[test]
    fn intersections_and_ways() {
        let mut reach: Reach<u32> = Reach::new(2000);
        let atom = |lit: Lit| lit.var().index() as u32;
        let a = reach.insert(state(0b0), None);
        let b = reach.insert(state(0b1), Some((a, 7)));
        let c = reach.insert(state(0b11), Some((b, 8)));
        assert_eq!(reach.intersect(&cube(&[(0, true)]), atom, 9), Some(c));
        assert_eq!(
            reach.intersect(&cube(&[(0, true), (1, false), (64, false), (65, true)]), atom, 9),
            Some(b)
        );
        assert_eq!(reach.intersect(&cube(&[(0, true), (1, false)]), atom, 1), None);
        assert_eq!(reach.intersect(&cube(&[(0, false), (64, false)]), atom, 9), None);
        assert_eq!(reach.path(c), (a, vec![7, 8]));
    }

    #[test]
    fn the_ways_of_those_that_stay_survive() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut reach: Reach<u64> = Reach::new(2000);
        // A state is the sum of the steps to it.
        let mut last = vec![reach.insert(state(0), None)];
        for i in 0..20_000u64 {
            let from = last[rng.usize(..last.len())];
            let Some(before) = reach.state(from).map(|s| s[0]) else { continue };
            let id = reach.insert(state(before + i), Some((from, i)));
            reach.reduce();
            last = reach.live[reach.live.len().saturating_sub(9)..].to_vec();
            assert!(reach.len() <= 2001 && reach.state(id).is_some());
        }
        assert!(reach.n_deleted > 10_000 && reach.reached.len() < 19_000);
        for &id in &reach.live {
            let (first, steps) = reach.path(id);
            let sum = reach.state(first).unwrap()[0] + steps.iter().sum::<u64>();
            assert_eq!(sum, reach.state(id).unwrap()[0]);
        }
    }
}
