//! The sequence of frames, delta-encoded (Eén, Mishchenko, Brayton, FMCAD 2011).

use indubit_logic::Cube;

/// The index of a frame.
pub type Level = u32;

/// The lemmas of all frames, each as the cube it excludes.
///
/// Invariant: each lemma is stored once, at the highest level at which it is known to hold, so `F[i]` is the
/// conjunction of all `delta[j]` with `j ≥ i`. Level 0 holds no lemmas: `F[0]` is the initial states. No lemma is
/// subsumed by another of the same or a higher level.
#[derive(Clone, Debug)]
pub(crate) struct Frames {
    delta: Vec<Vec<Cube>>,
}

impl Default for Frames {
    fn default() -> Frames {
        Frames::new()
    }
}

impl Frames {
    /// `F[0]` alone.
    pub(crate) fn new() -> Frames {
        Frames { delta: vec![Vec::new()] }
    }
    /// The highest level.
    pub(crate) fn frontier(&self) -> Level {
        self.delta.len() as Level - 1
    }
    /// One more frame, without lemmas.
    pub(crate) fn extend(&mut self) {
        self.delta.push(Vec::new());
    }
    /// The lemmas that hold up to exactly `level`.
    pub(crate) fn delta(&self, level: Level) -> &[Cube] {
        &self.delta[level as usize]
    }
    /// The lemmas of `F[level]`.
    pub(crate) fn at_least(&self, level: Level) -> impl Iterator<Item = &Cube> {
        self.delta[level as usize..].iter().flatten()
    }
    /// How many lemmas each delta frame holds.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        self.delta.iter().map(Vec::len).collect()
    }
    /// The highest level, at or above `level`, with a lemma that excludes all of `cube`.
    pub(crate) fn covering(&self, level: Level, cube: &Cube) -> Option<Level> {
        (level..=self.frontier()).rev().find(|&i| self.delta[i as usize].iter().any(|l| l.subsumes(cube)))
    }
    /// Add a lemma for the frames `1..=level`, in place of those that it subsumes there.
    pub(crate) fn insert(&mut self, lemma: Cube, level: Level) {
        debug_assert!(level >= 1 && level <= self.frontier());
        for frame in &mut self.delta[1..=level as usize] {
            frame.retain(|old| !lemma.subsumes(old));
        }
        self.delta[level as usize].push(lemma);
    }
    /// Take the lemmas out of a delta frame, to see which of them can move up.
    pub(crate) fn take(&mut self, level: Level) -> Vec<Cube> {
        std::mem::take(&mut self.delta[level as usize])
    }
    /// Put lemmas back that stay where they were.
    pub(crate) fn put_back(&mut self, level: Level, lemmas: Vec<Cube>) {
        self.delta[level as usize].extend(lemmas);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_logic::Lit;

    fn cube(codes: &[u32]) -> Cube {
        Cube::new(codes.iter().map(|&c| Lit::from_code(c)))
    }

    #[test]
    fn subsumed_lemmas_leave_and_covering_finds_the_highest() {
        let mut frames = Frames::new();
        (0..3).for_each(|_| frames.extend());
        frames.insert(cube(&[2, 4]), 1);
        frames.insert(cube(&[2, 4, 6]), 3);
        assert_eq!(frames.covering(1, &cube(&[2, 4, 6, 9])), Some(3));
        assert_eq!(frames.covering(2, &cube(&[2, 4])), None);
        frames.insert(cube(&[2]), 2);
        assert_eq!(frames.sizes(), [0, 0, 1, 1]);
        assert_eq!(frames.at_least(2).count(), 2);
        let taken = frames.take(2);
        assert_eq!(taken, [cube(&[2])]);
        frames.put_back(2, taken);
        assert_eq!(frames.delta(2).len(), 1);
    }
}
