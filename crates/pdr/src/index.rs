//! Which lemmas subsume a cube, and which are subsumed by one, without looking at all of them.
//!
//! A lemma that subsumes a cube has all its literals in it, so it is enough to file each lemma under one of its literals, the
//! one with the fewest others, and to look under the literals of the cube. A lemma that is subsumed has all the literals of
//! the cube, so it is enough to look at the lemmas that contain the rarest one.

use crate::frames::LemmaId;
use indubit_logic::{Cube, Lit};

/// A lemma under its one literal, with half of its signature.
#[derive(Clone, Copy, Debug)]
struct Filed {
    id: LemmaId,
    signature: u64,
}

/// Half of a signature is enough to tell most apart.
fn folded(cube: &Cube) -> u64 {
    let signature = cube.signature();
    signature as u64 | (signature >> 64) as u64
}

/// The index. It may mention lemmas that are gone: whoever asks knows which.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// By literal: the lemmas filed under it.
    filed: Vec<Vec<Filed>>,
    /// By literal: all lemmas that contain it.
    containing: Vec<Vec<LemmaId>>,
}

impl Index {
    pub(crate) fn insert(&mut self, id: LemmaId, cube: &Cube) {
        let Some(largest) = cube.lits().last() else { return };
        if largest.index() >= self.filed.len() {
            // Both polarities of the largest variable.
            let n = (largest.index() | 1) + 1;
            self.filed.resize(n, Vec::new());
            self.containing.resize(n, Vec::new());
        }
        for lit in cube.lits() {
            self.containing[lit.index()].push(id);
        }
        let least = cube.lits().iter().min_by_key(|l| self.filed[l.index()].len());
        if let Some(lit) = least {
            self.filed[lit.index()].push(Filed { id, signature: folded(cube) });
        }
    }
    /// Those that may subsume `cube`.
    pub(crate) fn subsuming(&self, cube: &Cube) -> impl Iterator<Item = LemmaId> {
        let signature = folded(cube);
        let lists = cube.lits().iter().filter_map(|l| self.filed.get(l.index()));
        lists.flatten().filter(move |filed| filed.signature & !signature == 0).map(|filed| filed.id)
    }
    /// Those that may be subsumed by `cube`, which is not empty.
    pub(crate) fn subsumed(&self, cube: &Cube) -> &[LemmaId] {
        let with = |lit: &Lit| self.containing.get(lit.index()).map_or(&[][..], Vec::as_slice);
        cube.lits().iter().map(with).min_by_key(|list| list.len()).unwrap_or(&[])
    }
}
