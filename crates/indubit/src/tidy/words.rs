//! Invariants over words that people can read: guesses if they will do, and nothing that the proof can do without.
//!
//! Engines learn lemmas on the way to others, refinement leaves pairs such as `x = 0 or x >= 1`, and what is learnt of circuits is about bits. First it is tried whether
//! [guesses](super::guesses) are a proof by themselves: `x >= 0` and `y >= 1`, say. Otherwise the conjuncts are those of the engine. One of them
//! goes if the largest inductive part of the others (Houdini; C. Flanagan, K. R. M. Leino, FME 2001) still implies the property.

use super::guesses::guesses;
use super::whole_words::whole_words;
use crate::prove::decider::Decider;
use crate::prove::moments::Which;
use crate::prove::queries::{Formula, Queries};
use crate::prove::word_moments::WordMoments;
use indubit_run::{Ask, Run};
use indubit_system::{Claim, WordProof, WordSystem};
use indubit_term::{Op, Term, Terms};
use std::cmp::Reverse;

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
        shorter = needed(system, &terms, &decider, &candidates, are_lemmas, holds, run).ok().flatten();
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

/// Candidates that prove the property together, without those that can go, the long ones first. `None` if they prove nothing, or are not known to
/// be lemmas and do not hold initially.
fn needed(
    system: &WordSystem,
    terms: &Terms,
    decider: &Decider,
    candidates: &[Term],
    are_lemmas: bool,
    holds: Term,
    run: &Run<'_>,
) -> Ask<Option<Vec<Term>>> {
    let moments = |which| WordMoments::new(system, terms, decider, which, run);
    let mut queries = Queries::new(moments(Which::INITIAL), moments(Which::STEP));
    let mut all = Vec::new();
    for &candidate in candidates {
        let initially = queries.initial.at(0, candidate);
        let [now, next] = [0, 1].map(|k| queries.step.at(k, candidate));
        let i = queries.push(Formula { initially, now, next });
        if are_lemmas || queries.initiation(i)?.is_none() {
            all.push(i);
        }
    }
    let any = || moments(Which::ANY);
    let lemmas = |any: &mut WordMoments| candidates.iter().map(|&c| any.at(0, c)).collect();
    let goal = |any: &mut WordMoments| Some(any.at(0, holds));
    let Some((mut safety, goal)) = Queries::of_implication(any(), any(), lemmas, goal) else {
        return Ok(None);
    };
    let mut kept = queries.max_inductive_subset(all, &[])?;
    if safety.consecution(goal, &kept)?.is_some() {
        return Ok(None);
    }
    let mut order = kept.clone();
    order.sort_by_key(|&i| Reverse((terms.cone(&[candidates[i]]).len(), i)));
    for i in order {
        let fewer: Vec<usize> = kept.iter().copied().filter(|&j| j != i).collect();
        if fewer.len() == kept.len() {
            continue;
        }
        let fewer = queries.max_inductive_subset(fewer, &[])?;
        if safety.consecution(goal, &fewer)?.is_none() {
            kept = fewer;
        }
    }
    Ok(Some(kept.into_iter().map(|i| candidates[i]).collect()))
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
