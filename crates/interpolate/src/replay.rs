//! From a chain of unit propagations to a linear resolution derivation.
//!
//! A chain says: assume the derived clause false; then each clause of the chain but the last gives one more literal, and
//! the last clause is false. Read backwards it is a derivation: start with the last clause, and resolve it with each
//! clause whose literal occurs in it negated; the others were not needed. All literals of the result are false
//! without any propagation, so they are literals of the derived clause. It may have fewer, and is used as it is: a clause
//! with literals that nothing it rests on has would not belong to the parts it was derived from.

use indubit_logic::Lit;

/// A derivation, and what is needed to find the next one.
#[derive(Debug, Default)]
pub(crate) struct Replay {
    /// The clause to start with.
    pub(crate) start: usize,
    /// The clauses to resolve with in turn, each with its literal whose negation goes.
    pub(crate) steps: Vec<(usize, Lit)>,
    /// The result.
    pub(crate) resolvent: Vec<Lit>,
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
    /// Make room for variables `0..n_vars`.
    pub(crate) fn grow(&mut self, n_vars: usize) {
        self.values.resize(2 * n_vars, 0);
        self.present.resize(2 * n_vars, false);
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
        self.resolve(clause, &lits);
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
    fn resolve<'c>(&mut self, clause: &[Lit], lits: &impl Fn(usize) -> &'c [Lit]) {
        self.steps.clear();
        self.add(lits(self.start), None);
        while let Some((hint, unit)) = self.propagated.pop() {
            if std::mem::take(&mut self.present[(!unit).index()]) {
                self.steps.push((hint, unit));
                self.add(lits(hint), Some(unit));
            }
        }
        self.resolvent.clear();
        self.resolvent.extend(clause.iter().copied().filter(|l| self.present[l.index()]));
        debug_assert!(self.touched.iter().all(|l| !self.present[l.index()] || self.resolvent.contains(l)));
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

    fn derive(clauses: &[&[i32]], derived: &[i32]) -> (usize, Vec<(usize, Lit)>, Vec<Lit>) {
        let lit = |&n: &i32| Var::new(n.unsigned_abs()).lit(n < 0);
        let clauses: Vec<Vec<Lit>> = clauses.iter().map(|c| c.iter().map(lit).collect()).collect();
        let derived: Vec<Lit> = derived.iter().map(lit).collect();
        let mut replay = Replay::default();
        replay.grow(10);
        replay.derive(&derived, 0..clauses.len(), |i| &clauses[i]);
        assert!(replay.values.iter().all(|&v| v == 0) && replay.present.iter().all(|&p| !p), "left clean");
        (replay.start, replay.steps, replay.resolvent)
    }
    fn lits(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|n| Var::new(n.unsigned_abs()).lit(*n < 0)).collect()
    }

    #[test]
    fn a_chain_read_backwards() {
        // 3 is not needed, and 1 is known when it comes again.
        let (start, steps, resolvent) = derive(&[&[1], &[-1, 3], &[1, 1], &[-1, 5, 2], &[-2, 5]], &[5]);
        assert_eq!((start, resolvent), (4, lits(&[5])));
        assert_eq!(steps, [(3, lits(&[2])[0]), (0, lits(&[1])[0])]);
    }

    #[test]
    fn the_result_may_be_shorter() {
        let (_, _, resolvent) = derive(&[&[1, 6], &[-1, 6, 6]], &[5, 6, 7]);
        assert_eq!(resolvent, lits(&[6]));
        // The second clause is false already: what follows is not looked at.
        let (start, steps, resolvent) = derive(&[&[1], &[-1], &[2, 3]], &[5]);
        assert_eq!((start, steps.len(), resolvent.len()), (1, 1, 0));
    }

    #[test]
    #[should_panic = "the last clause of a chain is false"]
    fn a_chain_that_derives_nothing() {
        derive(&[&[1], &[2]], &[3]);
    }
}
