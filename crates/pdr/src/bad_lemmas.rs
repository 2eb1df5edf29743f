//! Bad lemmas: those that exclude a reachable state, so that they will not be in an invariant (§IV.C and §IV.D of Quip's paper). IC3 knows of no
//! reachable state, and so of no bad lemma.

use crate::{Pdr, RelInd, State};
use indubit_logic::{Cube, Lit};

impl<O: RelInd> Pdr<O> {
    /// Does a lemma exclude a reachable state, of those that are kept? It will not be in an invariant (§IV.C).
    pub(crate) fn is_bad(&mut self, lemma: &Cube) -> bool {
        let is_bad = self.reach.intersect(lemma, |lit| self.oracle.atom(lit), usize::MAX).is_some();
        self.counts.bad_lemmas += u64::from(is_bad);
        is_bad
    }

    /// A new reachable state: lemmas that exclude it are bad. How many are so from now on?
    pub(crate) fn mark_bad(&mut self, state: &State) -> u64 {
        let Self { oracle, frames, counts, .. } = self;
        let holds = |lit: &Lit| is_true_in(state, oracle.atom(*lit)) != lit.is_negated();
        let mut n_marked = 0;
        for lemma in frames.unsettled_mut().filter(|l| !l.is_bad) {
            lemma.is_bad = lemma.cube.lits().iter().all(holds);
            n_marked += u64::from(lemma.is_bad);
        }
        counts.bad_lemmas += n_marked;
        n_marked
    }

    /// Does a candidate for a lemma exclude a reachable state, of those that count?
    pub(crate) fn excludes_reached(&mut self, cube: &Cube) -> bool {
        let Some(quip) = self.as_quip() else { return false };
        let newest = quip.respect as usize;
        self.reach.intersect(cube, |lit| self.oracle.atom(lit), newest).is_some()
    }

    /// `core` with so many literals of `whole`, of which it is a subset, that it excludes no reachable state that counts: bad
    /// lemmas are not learnt.
    pub(crate) fn admit(&mut self, mut core: Cube, whole: &Cube) -> Cube {
        let Some(quip) = self.as_quip() else { return core };
        while let Some(id) = self.reach.intersect(&core, |lit| self.oracle.atom(lit), quip.respect as usize) {
            let Some(state) = self.reach.state(id) else { return core };
            let differs = |lit: &&Lit| is_true_in(state, self.oracle.atom(**lit)) == lit.is_negated();
            match whole.lits().iter().find(differs) {
                Some(&lit) => core = Cube::new(core.lits().iter().copied().chain([lit])),
                // The whole excludes it already.
                None => return core,
            }
        }
        core
    }
}

fn is_true_in(state: &State, atom: u32) -> bool {
    state[atom as usize / 64] >> (atom % 64) & 1 == 1
}
