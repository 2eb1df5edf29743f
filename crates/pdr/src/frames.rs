//! The sequence of frames, delta-encoded (Eén, Mishchenko, Brayton, FMCAD 2011).

use crate::index::Index;
use indubit_logic::Cube;

/// The index of a frame.
pub type Level = u32;

/// The level of `F∞`: what holds in every reachable state.
pub const INFINITE: Level = Level::MAX;

/// Names a lemma.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct LemmaId(u32);

/// "No state of `cube` is reachable in `level` steps or fewer."
#[derive(Clone, Debug)]
pub(crate) struct Lemma {
    pub(crate) cube: Cube,
    pub(crate) level: Level,
    /// Quip: it excludes a reachable state, so it will never be in an invariant.
    pub(crate) is_bad: bool,
    /// Quip: it is an obligation one level higher already.
    pub(crate) is_wanted: bool,
    /// The number of lemmas that had been inserted when it was last found not to hold one level higher; 0 if never.
    pub(crate) tried: u64,
    /// The number of lemmas that had been inserted when it was last found not to be inductive relative to `F∞`; 0 if never.
    pub(crate) tried_for_good: u64,
    /// Where it is in its delta frame.
    position: u32,
}

/// The lemmas of all frames, each as the cube it excludes.
///
/// Invariant: each lemma is stored once, at the highest level at which it is known to hold, so `F[i]` is the
/// conjunction of all `delta[j]` with `j ≥ i`, and of `F∞`. Level 0 holds no lemmas: `F[0]` is the initial states. No lemma
/// is subsumed by another of the same or a higher level, unless it is to be kept.
#[derive(Clone, Debug)]
pub(crate) struct Frames {
    /// By id; those that are gone have level 0.
    lemmas: Vec<Lemma>,
    delta: Vec<Vec<LemmaId>>,
    infinite: Vec<LemmaId>,
    index: Index,
    n_gone: usize,
    keep_subsumed: bool,
    /// How often anything was inserted or raised, and when that last made a difference to each frame and to `F∞`.
    n_changes: u64,
    changed: Vec<u64>,
    changed_infinite: u64,
}

impl Frames {
    /// `F[0]` alone.
    pub(crate) fn new() -> Frames {
        Frames {
            lemmas: Vec::new(),
            delta: vec![Vec::new()],
            infinite: Vec::new(),
            index: Index::default(),
            n_gone: 0,
            keep_subsumed: false,
            n_changes: 0,
            changed: vec![0],
            changed_infinite: 0,
        }
    }
    /// The highest level below infinity.
    pub(crate) fn top(&self) -> Level {
        self.delta.len() as Level - 1
    }
    /// One more frame, with the lemmas of `F∞` only.
    pub(crate) fn extend(&mut self) {
        self.delta.push(Vec::new());
        self.changed.push(0);
    }
    pub(crate) fn get(&self, id: LemmaId) -> &Lemma {
        &self.lemmas[id.0 as usize]
    }
    pub(crate) fn get_mut(&mut self, id: LemmaId) -> &mut Lemma {
        &mut self.lemmas[id.0 as usize]
    }
    /// The lemmas that hold up to exactly `level`.
    pub(crate) fn delta(&self, level: Level) -> &[LemmaId] {
        if level == INFINITE { &self.infinite } else { &self.delta[level as usize] }
    }
    /// The lemmas of `F[level]`.
    pub(crate) fn at_least(&self, level: Level) -> impl Iterator<Item = &Lemma> {
        let finite = self.delta.get(level as usize..).unwrap_or(&[]);
        finite.iter().flatten().chain(&self.infinite).map(|&id| self.get(id))
    }
    /// All lemmas that are not for good.
    pub(crate) fn unsettled(&self) -> impl Iterator<Item = &Lemma> {
        self.lemmas.iter().filter(|l| l.level > 0 && l.level != INFINITE)
    }
    /// `F[0]` and `F∞` alone.
    pub(crate) fn restart(&mut self) {
        let for_good = self.infinite.iter().map(|&id| self.get(id).cube.clone()).collect::<Vec<_>>();
        *self = Frames::new();
        for cube in for_good {
            self.insert(cube, INFINITE);
        }
    }
    /// All lemmas that are not for good, to be changed.
    pub(crate) fn unsettled_mut(&mut self) -> impl Iterator<Item = &mut Lemma> {
        self.lemmas.iter_mut().filter(|l| l.level > 0 && l.level != INFINITE)
    }
    /// How many lemmas each delta frame below `depth` holds, then all those from there on, and then `F∞`.
    pub(crate) fn sizes(&self, depth: Level) -> Vec<usize> {
        let (below, above) = self.delta.split_at((depth as usize).min(self.delta.len()));
        let above = above.iter().map(Vec::len).sum();
        below.iter().map(Vec::len).chain([above, self.infinite.len()]).collect()
    }
    /// The lemma of the highest level, at or above `level`, that excludes all of `cube`.
    pub(crate) fn covering(&self, level: Level, cube: &Cube) -> Option<LemmaId> {
        let covers = |id: &LemmaId| {
            let lemma = self.get(*id);
            lemma.level >= level.max(1) && lemma.cube.subsumes(cube)
        };
        self.index.subsuming(cube).filter(covers).max_by_key(|&id| (self.get(id).level, id))
    }
    /// Add a lemma for the frames `1..=level`, in place of those that it subsumes there.
    pub(crate) fn insert(&mut self, cube: Cube, level: Level) -> LemmaId {
        debug_assert!(level >= 1 && (level <= self.top() || level == INFINITE));
        let id = LemmaId(self.lemmas.len() as u32);
        self.remove_subsumed(&cube, level, id);
        self.index.insert(id, &cube);
        self.lemmas.push(Lemma {
            cube,
            level,
            is_bad: false,
            is_wanted: false,
            tried: 0,
            tried_for_good: 0,
            position: 0,
        });
        self.file(id, level);
        self.note_change(0, level);
        id
    }
    /// A lemma holds up to a higher level, too.
    pub(crate) fn raise(&mut self, id: LemmaId, level: Level) {
        debug_assert!(self.get(id).level < level);
        self.unfile(id);
        let cube = self.get(id).cube.clone();
        self.remove_subsumed(&cube, level, id);
        let lemma = self.get_mut(id);
        let before = std::mem::replace(&mut lemma.level, level);
        lemma.tried = 0;
        self.file(id, level);
        self.note_change(before, level);
    }
    /// When `F[level]` last got a lemma, as a number of changes.
    pub(crate) fn changed(&self, level: Level) -> u64 {
        if level == INFINITE { self.changed_infinite } else { self.changed[level as usize] }
    }
    /// The lowest level whose frame is the same as the next one, of those below `depth`.
    pub(crate) fn repeated(&self, depth: Level) -> Option<Level> {
        (1..depth).find(|&level| self.delta[level as usize].is_empty())
    }
    /// How many changes there were.
    pub(crate) fn n_changes(&self) -> u64 {
        self.n_changes
    }
    /// Forget lemmas.
    pub(crate) fn remove(&mut self, id: LemmaId) {
        self.unfile(id);
        let lemma = self.get_mut(id);
        lemma.level = 0;
        lemma.cube = Cube::new([]);
        self.n_gone += 1;
    }
    /// Free what belongs to lemmas that are gone. Ids from before mean nothing afterwards.
    pub(crate) fn compact(&mut self) {
        if self.n_gone >= 1000 && self.n_gone >= self.lemmas.len() / 2 {
            self.renumber();
        }
    }
    fn renumber(&mut self) {
        let lemmas = std::mem::take(&mut self.lemmas);
        self.index = Index::default();
        self.n_gone = 0;
        for lemma in lemmas.into_iter().filter(|l| l.level > 0) {
            let id = LemmaId(self.lemmas.len() as u32);
            self.index.insert(id, &lemma.cube);
            let (level, position) = (lemma.level, lemma.position as usize);
            self.lemmas.push(lemma);
            self.list(level)[position] = id;
        }
    }

    /// From now on lemmas stay although others subsume them, or go again.
    pub(crate) fn keep_subsumed(&mut self, keep: bool) {
        self.keep_subsumed = keep;
    }
    fn remove_subsumed(&mut self, cube: &Cube, level: Level, except: LemmaId) {
        if self.keep_subsumed {
            return;
        }
        let is_redundant = |id: &LemmaId| {
            let old = self.get(*id);
            *id != except && old.level > 0 && old.level <= level && cube.subsumes(&old.cube)
        };
        let redundant: Vec<LemmaId> =
            self.index.subsumed(cube).iter().copied().filter(is_redundant).collect();
        redundant.into_iter().for_each(|id| self.remove(id));
    }
    fn list(&mut self, level: Level) -> &mut Vec<LemmaId> {
        if level == INFINITE { &mut self.infinite } else { &mut self.delta[level as usize] }
    }
    /// Put a lemma into its delta frame.
    fn file(&mut self, id: LemmaId, level: Level) {
        let list = self.list(level);
        let position = list.len() as u32;
        list.push(id);
        self.get_mut(id).position = position;
    }
    /// A lemma that held up to level `before` holds up to level `now`.
    fn note_change(&mut self, before: Level, now: Level) {
        self.n_changes += 1;
        if now == INFINITE {
            self.changed_infinite = self.n_changes;
        }
        let last = now.min(self.top()) as usize;
        self.changed[before as usize + 1..=last].fill(self.n_changes);
    }
    /// Take a lemma out of its delta frame.
    fn unfile(&mut self, id: LemmaId) {
        let (level, position) = (self.get(id).level, self.get(id).position as usize);
        let list = self.list(level);
        list.swap_remove(position);
        if let Some(&moved) = list.get(position) {
            self.get_mut(moved).position = position as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_logic::{Lit, Var};

    fn cube(codes: &[u32]) -> Cube {
        Cube::new(codes.iter().map(|&c| Lit::from_code(c)))
    }

    #[test]
    fn subsumed_lemmas_leave_and_covering_finds_the_highest() {
        let mut frames = Frames::new();
        (0..3).for_each(|_| frames.extend());
        frames.insert(cube(&[2, 4]), 1);
        let long = frames.insert(cube(&[2, 4, 6]), 3);
        assert_eq!(frames.covering(1, &cube(&[2, 4, 6, 9])), Some(long));
        assert_eq!(frames.covering(2, &cube(&[2, 4])), None);
        let short = frames.insert(cube(&[2]), 2);
        assert_eq!(frames.sizes(3), [0, 0, 1, 1, 0]);
        assert_eq!(frames.sizes(2), [0, 0, 2, 0]);
        assert_eq!(frames.at_least(2).count(), 2);
        frames.raise(short, INFINITE);
        assert_eq!(frames.sizes(3), [0, 0, 0, 0, 1]);
        assert_eq!(frames.covering(3, &cube(&[2, 5])), Some(short));
    }

    /// The index against looking at everything.
    #[test]
    fn the_index_overlooks_nothing() {
        let mut rng = fastrand::Rng::with_seed(5);
        for _ in 0..20 {
            let mut frames = Frames::new();
            (0..5).for_each(|_| frames.extend());
            let mut known: Vec<(Cube, Level)> = Vec::new();
            for _ in 0..400 {
                let n = rng.u32(1..6);
                let mut lits: Vec<Lit> = (1..12).map(|v| Var::new(v).lit(rng.bool())).collect();
                lits.retain(|_| rng.u32(..11) < n);
                let random = Cube::new(lits);
                if random.is_empty() {
                    continue;
                }
                let level = if rng.u8(..10) == 0 { INFINITE } else { rng.u32(1..=5) };
                let expected =
                    known.iter().filter(|(c, l)| *l >= level && c.subsumes(&random)).map(|k| k.1).max();
                let found = frames.covering(level, &random).map(|id| frames.get(id).level);
                assert_eq!(found, expected);
                if expected.is_none() {
                    known.retain(|(c, l)| *l > level || !random.subsumes(c));
                    known.push((random.clone(), level));
                    frames.insert(random, level);
                }
                if rng.u8(..20) == 0 {
                    frames.renumber();
                }
                let mut kept: Vec<_> = frames.at_least(1).map(|l| (l.cube.clone(), l.level)).collect();
                kept.sort();
                known.sort();
                assert_eq!(kept, known);
            }
        }
    }
}
