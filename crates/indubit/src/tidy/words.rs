//! Invariants over words that people can read: guesses if they will do, and nothing that the proof can do without.
//!
//! Engines learn lemmas on the way to others, refinement leaves pairs such as `x = 0 or x >= 1`, and what is learnt of circuits is about bits. First it is tried whether
//! [guesses](super::guesses) are a proof by themselves: `x >= 0` and `y >= 1`, say. Otherwise the conjuncts are those of the engine. Only those that are [needed](super::needed) stay.

use super::guesses::guesses;
use super::needed::needed;
use super::whole_words::whole_words;
use crate::WordLemmas;
use crate::prove::decider::Decider;
use indubit_run::Run;
use indubit_system::{Claim, WordProof, WordSystem, Words};
use indubit_term::{Op, Term, Terms};

/// Longer invariants are not read by people, and larger systems take longer than that is worth.
const MOST_CONJUNCTS: usize = 60;
const MOST_TERMS: usize = 2000;

/// A proof with an invariant that says less, if it is small.
pub(crate) fn shorter(
    system: &WordSystem,
    claim: &Claim<Term>,
    proof: &WordProof,
    run: &Run<'_>,
) -> Option<WordProof> {
    let WordProof::Inductive { terms, invariant } = proof else { return None };
    let mut terms = terms.clone();
    let holds = claim.always(&mut terms)?;
    let mut roots = vec![*invariant, system.init, system.trans, holds];
    // Where `trans` is false, it is these that say what there is to decide.
    roots.extend(system.constraints.iter().map(|constraint| constraint.holds));
    if !terms.extends(&system.terms) || terms.cone(&roots).len() > MOST_TERMS {
        return None;
    }
    let Ok(decider) = Decider::of(&terms, &roots, None) else { return None };
    let claim = Claim::Always(holds);
    let conjuncts: Vec<Term> =
        terms.conjuncts(*invariant).into_iter().map(|c| merged(&mut terms, c)).collect();
    let n_given = conjuncts.len();
    let conjuncts = whole_words(&mut terms, conjuncts);
    let guesses = guesses(system, &mut terms, *invariant, holds);
    // They say the same.
    let the_same = (conjuncts.len() < n_given).then(|| conjuncts.clone());
    let mut shorter = None;
    for (candidates, are_lemmas) in [(guesses, false), (conjuncts, true)] {
        if are_lemmas && candidates.len() > MOST_CONJUNCTS || shorter.is_some() {
            continue;
        }
        // Whatever ends the attempt: there is a proof already.
        let candidates = WordLemmas { terms: terms.clone(), formulas: candidates };
        let size = |i: usize| terms.cone(&[candidates.formulas[i]]).len();
        let kept = needed::<Words>(system, &candidates, are_lemmas, &[&claim], &decider, size, run);
        let formula = |i: usize| candidates.formulas[i];
        shorter = kept.ok().flatten().map(|kept| kept.into_iter().map(formula).collect());
    }
    let invariant = terms.and(&shorter.or(the_same)?);
    Some(WordProof::Inductive { terms, invariant })
}

/// A clause with `s >= c` for `s = c or s > c`, and `s <= c` for `s = c or s < c`.
fn merged(terms: &mut Terms, clause: Term) -> Term {
    if terms.op(clause) != Op::Or {
        return clause;
    }
    let mut lits = terms.args(clause).to_vec();
    for equality in lits.clone() {
        let (Op::Eq, &[sum, bound]) = (terms.op(equality), terms.args(equality)) else { continue };
        if !terms.sort(sum).is_number() {
            continue;
        }
        for (strict, wide) in
            [(terms.gt(sum, bound), terms.ge(sum, bound)), (terms.lt(sum, bound), terms.le(sum, bound))]
        {
            if lits.contains(&strict) {
                lits.retain(|&lit| lit != equality && lit != strict);
                lits.push(wide);
            }
        }
    }
    terms.or(&lits)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests {
    use super::*;
    use indubit_formats::{vmt, word_text};

    /// The lines of what is left of an invariant.
    fn lines(model: &[u8], invariant: impl Fn(&mut Terms, [Term; 2]) -> Term) -> Vec<String> {
        let system = vmt::parse(model).unwrap();
        let mut terms = system.terms.clone();
        let invariant = invariant(&mut terms, [0, 1].map(|i| system.states[i].current));
        let proof = WordProof::Inductive { terms, invariant };
        let run = Run::new(indubit_run::Cancel::new());
        let tidied = shorter(&system, &system.properties[0].claim, &proof, &run);
        let Some(WordProof::Inductive { terms, invariant }) = tidied else { panic!("it is inductive") };
        let mut lines: Vec<String> =
            word_text::write(&terms, invariant, None).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    }

    #[test]
    fn what_is_left_can_be_read() {
        let invariant = |terms: &mut Terms, [x, y]: [Term; 2]| {
            let [zero, one] = [0, 1].map(|n| terms.int(n));
            let (x_zero, y_zero) = (terms.eq(x, zero), terms.eq(y, zero));
            let (x_positive, natural) = (terms.ge(x, one), terms.ge(y, zero));
            let (split, superfluous) = (terms.or(&[x_zero, x_positive]), terms.implies(x_zero, y_zero));
            terms.and(&[natural, split, superfluous])
        };
        let sums = include_bytes!("../../../../examples/sums.vmt");
        assert_eq!(lines(sums, invariant), ["x >= 0", "y >= 0"]);
    }

    #[test]
    fn bounds_are_enough() {
        let invariant = |terms: &mut Terms, [x, y]: [Term; 2]| {
            let [one, two] = [1, 2].map(|n| terms.int(n));
            let (positive, y_one, x_one) = (terms.ge(y, one), terms.eq(y, one), terms.eq(x, one));
            let x_two = terms.ge(x, two);
            let (first, later) = (terms.implies(y_one, x_one), terms.or(&[y_one, x_two]));
            terms.and(&[positive, first, later])
        };
        let program = include_bytes!("../../../../examples/program1.vmt");
        let found = lines(program, invariant);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.iter().all(|line| line.contains(">=")), "{found:?}");
    }

    #[test]
    fn what_the_design_compares_with_is_a_bound() {
        let counter = b"(declare-fun p () (_ BitVec 3))
            (declare-fun p_next () (_ BitVec 3))
            (declare-fun q () (_ BitVec 3))
            (declare-fun q_next () (_ BitVec 3))
            (define-fun .p () (_ BitVec 3) (! p :next p_next))
            (define-fun .q () (_ BitVec 3) (! q :next q_next))
            (define-fun .init () Bool (! (and (= p #b000) (= q #b000)) :init true))
            (define-fun .trans () Bool (! (and (= p_next (ite (= p #b101) #b000 (bvadd p #b001))) (= q_next p)) :trans true))
            (define-fun .safe () Bool (! (not (= q #b111)) :invar-property 0))";
        // Clauses about bits: neither is 6 or 7.
        let invariant = |terms: &mut Terms, words: [Term; 2]| {
            let one = terms.bits(1, 1_u32);
            let clauses = words.map(|word| {
                let bits = [1, 2].map(|i| terms.extract(i, i, word));
                let clear = bits.map(|bit| terms.eq(bit, one)).map(|set| terms.not(set));
                terms.or(&clear)
            });
            terms.and(&clauses)
        };
        assert_eq!(lines(counter, invariant), ["p <= 5", "q < 7"]);
    }
}
