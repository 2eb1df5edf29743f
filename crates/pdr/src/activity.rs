//! How often a state variable occurred in recent lemmas: what generalization drops last.

use indubit_logic::{Cube, Lit, Var};

const DECAY: f64 = 0.99;
const LIMIT: f64 = 1e100;

/// Exponentially decaying counts, as in a SAT solver.
#[derive(Clone, Debug)]
pub(crate) struct Activity {
    of: Vec<f64>,
    increment: f64,
}

impl Activity {
    pub(crate) fn new() -> Activity {
        Activity { of: Vec::new(), increment: 1.0 }
    }
    fn get(&self, var: Var) -> f64 {
        self.of.get(var.index()).copied().unwrap_or(0.0)
    }
    /// Count the variables of a new lemma.
    pub(crate) fn bump(&mut self, lemma: &Cube) {
        self.increment /= DECAY;
        for var in lemma.lits().iter().map(|l| l.var().index()) {
            if var >= self.of.len() {
                self.of.resize(var + 1, 0.0);
            }
            self.of[var] += self.increment;
        }
        if self.increment > LIMIT {
            self.of.iter_mut().for_each(|a| *a /= LIMIT);
            self.increment /= LIMIT;
        }
    }
    /// Rarest first; ties by variable, so that runs repeat.
    pub(crate) fn sort_ascending(&self, lits: &mut [Lit]) {
        lits.sort_by(|a, b| self.get(a.var()).total_cmp(&self.get(b.var())).then(a.cmp(b)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_lemmas_weigh_more_and_nothing_overflows() {
        let [a, b, c] = [2, 4, 6].map(Lit::from_code);
        let mut activity = Activity::new();
        for _ in 0..60_000 {
            activity.bump(&Cube::new([a]));
        }
        activity.bump(&Cube::new([b]));
        let mut lits = [a, b, c];
        activity.sort_ascending(&mut lits);
        assert_eq!(lits, [c, b, a]);
        assert!(activity.of.iter().all(|x| x.is_finite()));
    }
}
