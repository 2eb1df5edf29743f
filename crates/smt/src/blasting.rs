//! Booleans and bit-vectors behind the face of our solver: formulas become circuits, which CaDiCaL decides.

use crate::TermSolver;
use indubit_aig::{Aig, Encoder};
use indubit_interpolate::System;
use indubit_logic::Lit;
use indubit_run::{Ask, Cancel, Run, Stop};
use indubit_sat::{Cadical, Config, Solve};
use indubit_term::{Blaster, Term, Terms, Value};
use std::ops::RangeInclusive;

/// Decides formulas that can be circuits (for which [`Blaster::obstacle`] finds none).
pub struct Blasting {
    aig: Aig,
    blaster: Blaster,
    encoder: Encoder,
    solver: Cadical,
    n_queries: u64,
}

impl Blasting {
    /// Nothing is asserted. Queries end when `cancel` is raised.
    pub fn new(config: Config, seed: u64, cancel: &Cancel) -> Blasting {
        let (aig, blaster, encoder) = (Aig::new(), Blaster::new(), Encoder::new());
        let solver = Cadical::new(config, cancel).seeded(seed);
        let mut blasting = Blasting { aig, blaster, encoder, solver, n_queries: 0 };
        // Clauses and assumptions may be constants.
        blasting.encode(Lit::TRUE);
        blasting
    }
    fn encode(&mut self, lit: Lit) {
        self.encoder.encode(&self.aig, lit, |clause| self.solver.add_clause(clause));
    }
}

impl TermSolver for Blasting {
    fn proposition(&mut self, _terms: &mut Terms) -> Lit {
        self.aig.leaf()
    }
    fn literal(&mut self, terms: &Terms, _part: u32, formula: Term) -> Lit {
        for var in terms.variables(&[formula]) {
            if self.blaster.get(var).is_none() {
                let width = terms.sort(var).n_bits().expect("there is no obstacle");
                let bits = (0..width).map(|_| self.aig.leaf()).collect();
                self.blaster.set(var, bits);
            }
        }
        let blasted = self.blaster.literal(terms, &mut self.aig, formula);
        let lit = blasted.expect("there is no obstacle, and its variables have bits");
        self.encode(lit);
        lit
    }
    fn add_clause(&mut self, _part: u32, lits: &[Lit]) {
        self.solver.add_clause(lits);
    }
    fn solve(&mut self, _terms: &mut Terms, assumptions: &[(u32, Lit)]) -> Ask<bool> {
        self.n_queries += 1;
        let assumed: Vec<Lit> = assumptions.iter().map(|&(_, lit)| lit).collect();
        self.solver.solve(&assumed)
    }
    fn failed(&self, lit: Lit) -> bool {
        self.solver.failed(lit)
    }
    fn value(&self, _terms: &Terms, lit: Lit) -> bool {
        if lit.is_const() { lit == Lit::TRUE } else { self.solver.value(lit) }
    }
    fn value_of(&self, terms: &Terms, var: Term) -> Value {
        let bit = |lit: Lit| self.value(terms, lit);
        let sort = terms.sort(var);
        let known =
            self.blaster.get(var).and_then(|bits| Value::of_bits(sort, bits.iter().map(|&lit| bit(lit))));
        known.unwrap_or_else(|| Value::zero(sort))
    }
    fn interpolants(&mut self, _: &mut Terms, _: RangeInclusive<u32>, _: System) -> Ask<Vec<Term>> {
        Err(Stop::Incomplete("there are no interpolants of bit-vectors"))
    }
    fn report(&self, run: &mut Run<'_>) {
        run.count("queries", self.n_queries);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_term::{Op, Sort};

    #[test]
    fn vectors_have_models_and_refutations() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.var(name, Sort::BitVec(8)));
        let a = terms.var("a", Sort::Bool);
        let product = terms.bv(Op::BvMul, &[x, y]);
        let (number, one) = (terms.bits(8, 143u32), terms.bits(8, 1u32));
        let is_product = terms.eq(product, number);
        let (is_x, is_y) = (terms.eq(x, one), terms.eq(y, one));
        let choice = terms.ite(a, is_x, is_y);
        let formulas = [is_product, choice];
        let mut solver = Blasting::new(Config::Default, 0, &Cancel::new());
        let [p, c] = formulas.map(|f| solver.literal(&terms, 0, f));
        assert_eq!(solver.solve(&mut terms, &[(0, p), (0, c), (0, Lit::TRUE)]), Ok(true));
        let value = |var| solver.value_of(&terms, var);
        assert!(formulas.iter().all(|&f| terms.holds(f, &value).unwrap()));
        solver.add_clause(0, &[!p, Lit::FALSE]);
        assert_eq!(solver.solve(&mut terms, &[(0, c), (0, p)]), Ok(false));
        assert!(solver.failed(p) && !solver.failed(c));
        assert_eq!(solver.solve(&mut terms, &[(0, c), (0, Lit::FALSE)]), Ok(false));
    }
}
