//! How often a state variable occurred in recent lemmas: what generalization drops last.

use indubit_logic::{Cube, Lit, Var};

const DECAY: f64 = 0.99;
const LIMIT: f64 = 1e100;

/// Exponentially decaying counts, as in a SAT solver.
#[derive(Clone, Debug)]
pub struct Activity {
    of: Vec<f64>,
    increment: f64,
    seed: u64,
}

impl Activity {
    /// Nothing counted yet. The seed decides between equals; 0 leaves them in their natural order.
    pub fn new(seed: u64) -> Activity {
        Activity { of: Vec::new(), increment: 1.0, seed }
    }
    /// Decide between equals in another way from now on.
    pub fn reseed(&mut self) {
        self.seed = self.seed.wrapping_add(1);
    }
    fn tie(&self, lit: Lit) -> u64 {
        let mixed = (u64::from(lit.code()) + 1).wrapping_mul(self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    }
    fn get(&self, var: Var) -> f64 {
        self.of.get(var.index()).copied().unwrap_or(0.0)
    }
    /// Count the variables of a new lemma.
    pub fn bump(&mut self, lemma: &Cube) {
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
    /// Rarest first; equal seeds give equal orders, so that runs repeat.
    pub fn sort_ascending(&self, lits: &mut [Lit]) {
        let by_activity = |a: &Lit, b: &Lit| self.get(a.var()).total_cmp(&self.get(b.var()));
        lits.sort_by(|a, b| by_activity(a, b).then_with(|| self.tie(*a).cmp(&self.tie(*b))).then(a.cmp(b)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_lemmas_weigh_more_and_nothing_overflows() {
        let [a, b, c] = [2, 4, 6].map(Lit::from_code);
        let mut activity = Activity::new(0);
        for _ in 0..60_000 {
            activity.bump(&Cube::new([a]));
        }
        activity.bump(&Cube::new([b]));
        let mut lits = [a, b, c];
        activity.sort_ascending(&mut lits);
        assert_eq!(lits, [c, b, a]);
        assert!(activity.of.iter().all(|x| x.is_finite()));
    }

    #[test]
    fn the_seed_orders_equals() {
        let order = |seed| {
            let mut lits: Vec<Lit> = (1..20).map(|v| Lit::from_code(2 * v)).collect();
            Activity::new(seed).sort_ascending(&mut lits);
            lits
        };
        assert_eq!(order(7), order(7));
        assert_ne!(order(7), order(8));
        assert!(order(0).is_sorted());
    }
}
