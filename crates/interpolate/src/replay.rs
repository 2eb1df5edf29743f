//! From a chain of unit propagations to a linear resolution derivation.
//!
//! A chain says: assume the derived clause false; then each clause of the chain but the last gives one more literal, and
//! the last clause is false. Read backwards it is a derivation: start with the last clause, and resolve it with each
//! clause whose literal occurs in it negated; the others were not needed. All literals of the result are false
//! without any propagation, so they are literals of the derived clause. It may have fewer; to add literals to a clause is
//! sound.

use indubit_logic::Lit;

/// A derivation, and what is needed to find the next one.
#[derive(Debug, Default)]
pub(crate) struct Replay {
    /// The clause to start with.
    pub(crate) start: usize,
    /// The clauses to resolve with in turn, each with its literal whose negation goes.
    pub(crate) steps: Vec<(usize, Lit)>,
    /// By literal: 1 true, -1 false, 0 neither.
    values: Vec<i8>,
    /// The literals with a value, as true ones.
    trail: Vec<Lit>,
    propagated: Vec<(usize, Lit)>,
    /// By literal: does the clause that is being resolved have it?
    present: Vec<bool>,
    touched: Vec<Lit>,
}

impl Replay {
    /// For variables `0..n_vars`.
    pub(crate) fn new(n_vars: usize) -> Replay {
        Replay { values: vec![0; 2 * n_vars], present: vec![false; 2 * n_vars], ..Replay::default() }
    }

    /// Find the derivation of `clause` from a chain of clauses, whose literals are `lits`.
    ///
    /// # Panics
    /// If the chain does not derive the clause: that is a bug of the solver.
    pub(crate) fn derive<'c>(
        &mut self,
        clause: &[Lit],
        chain: impl Iterator<Item = usize>,
        lits: impl Fn(usize) -> &'c [Lit],
    ) {
        clause.iter().for_each(|&l| self.make_true(!l));
        self.start = self.propagate(chain, &lits);
        self.resolve(&lits);
        let is_left = |l: &&Lit| self.present[l.index()];
        debug_assert!(self.touched.iter().filter(is_left).all(|l| clause.contains(l)));
        for lit in self.trail.drain(..) {
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
        }
        for lit in self.touched.drain(..) {
            self.present[lit.index()] = false;
        }
    }

    fn make_true(&mut self, lit: Lit) {
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        self.trail.push(lit);
    }

    /// Forwards: what each clause propagates, up to one that is false.
    fn propagate<'c>(
        &mut self,
        chain: impl Iterator<Item = usize>,
        lits: &impl Fn(usize) -> &'c [Lit],
    ) -> usize {
        self.propagated.clear();
        for hint in chain {
            let mut open = lits(hint).iter().copied().filter(|l| self.values[l.index()] >= 0);
            let Some(unit) = open.next() else { return hint };
            assert!(
                open.all(|l| l == unit),
                "each clause of a chain but the last has one literal that is not false"
            );
            // It may be known already: then the clause adds nothing.
            if self.values[unit.index()] == 0 {
                self.make_true(unit);
                self.propagated.push((hint, unit));
            }
        }
        panic!("the last clause of a chain is false");
    }

    /// Backwards: resolve what is false with what made it so.
    fn resolve<'c>(&mut self, lits: &impl Fn(usize) -> &'c [Lit]) {
        self.steps.clear();
        self.add(lits(self.start), None);
        while let Some((hint, unit)) = self.propagated.pop() {
            if std::mem::take(&mut self.present[(!unit).index()]) {
                self.steps.push((hint, unit));
                self.add(lits(hint), Some(unit));
            }
        }
    }

    fn add(&mut self, lits: &[Lit], resolved: Option<Lit>) {
        for &lit in lits.iter().filter(|&&l| Some(l) != resolved) {
            self.present[lit.index()] = true;
            self.touched.push(lit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_logic::Var;

    fn derive(clauses: &[&[i32]], derived: &[i32]) -> (usize, Vec<(usize, Lit)>) {
        let lit = |&n: &i32| Var::new(n.unsigned_abs()).lit(n < 0);
        let clauses: Vec<Vec<Lit>> = clauses.iter().map(|c| c.iter().map(lit).collect()).collect();
        let derived: Vec<Lit> = derived.iter().map(lit).collect();
        let mut replay = Replay::new(10);
        replay.derive(&derived, 0..clauses.len(), |i| &clauses[i]);
        assert!(replay.values.iter().all(|&v| v == 0) && replay.present.iter().all(|&p| !p), "left clean");
        (replay.start, replay.steps)
    }
    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|n| Var::new(n.unsigned_abs()).lit(*n < 0)).collect()
    }

    #[test]
    fn a_chain_read_backwards() {
        // 3 is not needed, and 1 is known when it comes again.
        let (start, steps) = derive(&[&[1], &[-1, 3], &[1, 1], &[-1, 5, 2], &[-2, 5]], &[5]);
        assert_eq!(start, 4);
        assert_eq!(steps, [(3, lits(&[2])[0]), (0, lits(&[1])[0])]);
    }

    #[test]
    fn the_result_may_be_shorter() {
        assert_eq!(derive(&[&[1, 6], &[-1, 6, 6]], &[5, 6, 7]), (1, vec![(0, lits(&[1])[0])]));
        // The second clause is false already: what follows is not looked at.
        assert_eq!(derive(&[&[1], &[-1], &[2, 3]], &[5]), (1, vec![(0, lits(&[1])[0])]));
    }

    #[test]
    #[should_panic = "the last clause of a chain is false"]
    fn a_chain_that_derives_nothing() {
        derive(&[&[1], &[2]], &[3]);
    }
}
