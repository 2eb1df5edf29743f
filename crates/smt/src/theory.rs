//! Which of our solvers is for what.

use crate::{Blasting, Smt, SmtConfig, TermSolver, unsupported};
use indubit_run::Cancel;
use indubit_sat::Config;
use indubit_term::{Blaster, Term, Terms};

/// What formulas are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theory {
    /// Linear arithmetic and Booleans.
    Arithmetic,
    /// Booleans and bit-vectors.
    Bits,
}

impl Theory {
    /// The one for formulas, or a term that we have none for.
    pub fn of(terms: &Terms, formulas: &[Term]) -> Result<Theory, Term> {
        let Some(term) = unsupported(terms, formulas) else { return Ok(Theory::Arithmetic) };
        match Blaster::obstacle(terms, formulas) {
            None => Ok(Theory::Bits),
            Some(number) if terms.sort(number).is_number() => Err(term),
            Some(product) => Err(product),
        }
    }
    /// Is it one for this formula, too?
    pub fn has(self, terms: &Terms, formula: Term) -> bool {
        match self {
            Theory::Arithmetic => unsupported(terms, &[formula]).is_none(),
            Theory::Bits => Blaster::obstacle(terms, &[formula]).is_none(),
        }
    }
    /// A solver, without interpolants, that ends when `cancel` is raised; bits are for CaDiCaL with this configuration.
    pub fn solver(self, bits: Config, seed: u64, cancel: &Cancel) -> Box<dyn TermSolver> {
        match self {
            Theory::Arithmetic => Box::new(Smt::new(cancel, SmtConfig { interpolation: false, seed })),
            Theory::Bits => Box::new(Blasting::new(bits, seed, cancel)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_term::{Op, Sort};

    #[test]
    fn formulas_have_one_theory_or_none() {
        let mut terms = Terms::new();
        let (x, n) = (terms.var("x", Sort::BitVec(8)), terms.var("n", Sort::Int));
        let (bits, zero) = (terms.bits(8, 3u32), terms.int(0));
        let (about_x, about_n) = (terms.eq(x, bits), terms.le(n, zero));
        assert_eq!(Theory::of(&terms, &[about_n]), Ok(Theory::Arithmetic));
        assert_eq!(Theory::of(&terms, &[about_x]), Ok(Theory::Bits));
        assert!(Theory::of(&terms, &[about_x, about_n]).is_err());
        assert!(!Theory::Bits.has(&terms, about_n) && !Theory::Arithmetic.has(&terms, about_x));
        // A product with millions of gates.
        let wide = terms.var("w", Sort::BitVec(2000));
        let square = terms.bv(Op::BvMul, &[wide, wide]);
        let is_square = terms.eq(square, wide);
        assert_eq!(Theory::of(&terms, &[is_square]), Err(square));
        assert!(!Theory::Bits.has(&terms, is_square));
    }
}
