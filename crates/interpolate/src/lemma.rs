//! Lemmas of a theory as leaves of a proof.
//!
//! A lemma C is true in the theory, whatever the parts are. At a cut, its literals with label a and those with label b are
//! disjoint sets (one with both labels counts as b), and the theory gives a formula I over what the two sides share such that
//!
//! - the negations of the literals labelled a imply I, and those of the literals labelled b imply ¬I:
//!
//! a partial interpolant of C. In linear arithmetic it is the sum of the inequalities on side A, each as often as Farkas'
//! lemma says (McMillan, *An Interpolating Theorem Prover*, TCS 2005). For a sequence, let some literals move from b to
//! a at the next cut; then I and their negations must imply the next formula. Sums do that.
//!
//! Where one side has all atoms of a lemma, it counts as a clause of that side.

use crate::label::Span;
use indubit_logic::{Lit, Var};
use indubit_run::Ask;
use indubit_sat::theory::Certificate;

/// The first and the last part in which something occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The first part.
    pub first: u32,
    /// The last part.
    pub last: u32,
}

/// The formula for some literals of a lemma.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contribution {
    /// *true* or *false*.
    Constant(bool),
    /// A formula that the theory knows by this number.
    Formula {
        /// The number: 0, 1, 2, …
        index: usize,
        /// Is it the negation?
        negated: bool,
    },
}

/// What a theory knows about its lemmas.
pub trait Lemmas {
    /// Of the atoms in lemmas, those of `known` occur in these parts of what the refutation uses, those of `unknown`
    /// nowhere; where are these to be counted? An atom can be counted in a part if what it is about occurs there.
    fn place(&mut self, known: &[(Var, Range)], unknown: &[Var]) -> Ask<Vec<Range>>;
    /// What the negations of the literals that `is_a` chooses imply, and those of the others exclude; gives up if it has no formula for that.
    fn contribution(
        &mut self,
        lits: &[Lit],
        certificate: Certificate,
        is_a: &dyn Fn(Lit) -> bool,
    ) -> Ask<Contribution>;
}

/// Without a theory there are no lemmas.
pub(crate) struct NoLemmas;

impl Lemmas for NoLemmas {
    fn place(&mut self, _: &[(Var, Range)], _: &[Var]) -> Ask<Vec<Range>> {
        Ok(Vec::new())
    }
    fn contribution(&mut self, _: &[Lit], _: Certificate, _: &dyn Fn(Lit) -> bool) -> Ask<Contribution> {
        unreachable!("a lemma of no theory")
    }
}

/// The parts between which a lemma is on both sides: a cut has it on side A if A has all its atoms, and so on for B. If both
/// sides have them, either will do.
pub(crate) fn span(atoms: impl Iterator<Item = Span>) -> Span {
    let (mut last_begin, mut first_end) = (0, u32::MAX);
    for range in atoms.filter_map(Span::range) {
        last_begin = last_begin.max(range.first);
        first_end = first_end.min(range.last);
    }
    if last_begin <= first_end {
        return Span::part(last_begin);
    }
    let mut span = Span::part(first_end);
    span.join(Span::part(last_begin));
    span
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Side;

    #[test]
    fn a_side_that_has_all_atoms_has_the_lemma() {
        let range = |first, last| {
            let mut span = Span::part(first);
            span.join(Span::part(last));
            span
        };
        let sides = |atoms: &[Span]| [1, 2, 3, 4].map(|cut| span(atoms.iter().copied()).side(cut));
        assert_eq!(sides(&[range(0, 1), range(3, 3)]), [Side::B, Side::Both, Side::Both, Side::A]);
        assert_eq!(sides(&[range(0, 2), range(1, 3)]), [Side::B, Side::A, Side::A, Side::A]);
    }
}
