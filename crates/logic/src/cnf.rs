//! Clauses in one flat buffer.

use crate::{Lit, Var};

/// A list of clauses over variables `0..n_vars`.
///
/// *Definitional*: when it comes from a circuit, every gate's variable owns the clauses that define it
/// from smaller variables, so each assignment to the inputs extends to all gates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    lits: Vec<Lit>,
    ends: Vec<usize>,
    n_vars: usize,
}

impl Cnf {
    /// No clauses, no variables.
    pub fn new() -> Cnf {
        Cnf::default()
    }
    /// One more than the largest variable mentioned or reserved.
    pub fn n_vars(&self) -> usize {
        self.n_vars
    }
    /// Make sure that variables `0..n_vars` exist.
    pub fn reserve_vars(&mut self, n_vars: usize) {
        self.n_vars = self.n_vars.max(n_vars);
    }
    /// A variable that no clause mentions yet.
    pub fn fresh(&mut self) -> Var {
        self.n_vars += 1;
        Var::from_index(self.n_vars - 1)
    }
    /// Add the disjunction of `lits`.
    pub fn add(&mut self, lits: &[Lit]) {
        for lit in lits {
            self.n_vars = self.n_vars.max(lit.var().index() + 1);
        }
        self.lits.extend_from_slice(lits);
        self.ends.push(self.lits.len());
    }
    /// Define `gate` as the conjunction of `a` and `b`: three clauses.
    pub fn define_and(&mut self, gate: Lit, a: Lit, b: Lit) {
        self.add(&[!gate, a]);
        self.add(&[!gate, b]);
        self.add(&[gate, !a, !b]);
    }
    /// How many clauses there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }
    /// Is there no clause?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
    /// The clauses, in order.
    pub fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let clause = &self.lits[start..end];
            start = end;
            clause
        })
    }
    /// Forget the clauses, keep the variables and the memory.
    pub fn clear_clauses(&mut self) {
        self.lits.clear();
        self.ends.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_come_back_in_order() {
        let mut cnf = Cnf::new();
        let [a, b] = [1, 2].map(|v| Lit::positive(Var::new(v)));
        let g = Lit::positive(cnf.fresh());
        assert_eq!(g.var(), Var::new(0));
        cnf.define_and(Lit::positive(Var::new(3)), a, !b);
        cnf.add(&[]);
        let lens: Vec<usize> = cnf.clauses().map(<[Lit]>::len).collect();
        assert_eq!((lens, cnf.n_vars(), cnf.len()), (vec![2, 2, 3, 0], 4, 4));
        cnf.clear_clauses();
        assert!(cnf.is_empty() && cnf.n_vars() == 4);
    }
}
