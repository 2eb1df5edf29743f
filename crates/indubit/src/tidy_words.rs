//! Invariants over words that people can read: without what the proof can do without.
//!
//! Engines learn lemmas on the way to others, and refinement leaves pairs such as `x = 0 or x >= 1`. A conjunct goes if the largest inductive
//! part of the others (Houdini; C. Flanagan, K. R. M. Leino, FME 2001) still implies the property.

use indubit_run::{Ask, Cancel};
use indubit_smt::{Smt, SmtConfig, unsupported};
use indubit_system::{WordProof, WordSystem};
use indubit_term::{Op, Term, Terms};
use std::cmp::Reverse;

/// Longer invariants are not read by people, and larger systems take longer than that is worth.
const MOST_CONJUNCTS: usize = 60;
const MOST_TERMS: usize = 2000;

/// The same proof with an invariant that says less, if it is small.
pub(crate) fn tidy_words(system: &WordSystem, property: usize, proof: WordProof, cancel: &Cancel) -> WordProof {
    let WordProof::Inductive { terms, invariant } = &proof else { return proof };
    let mut terms = terms.clone();
    let holds = system.properties[property].holds;
    let roots = [*invariant, system.trans, holds];
    if !terms.extends(&system.terms)
        || terms.cone(&roots).len() > MOST_TERMS
        || unsupported(&terms, &roots).is_some()
    {
        return proof;
    }
    let conjuncts: Vec<Term> = terms.conjuncts(*invariant).into_iter().map(|c| merged(&mut terms, c)).collect();
    if conjuncts.len() > MOST_CONJUNCTS {
        return proof;
    }
    let Ok(mut kept) = needed(system, &mut terms, &conjuncts, holds, cancel) else { return proof };
    kept.sort_unstable();
    let invariant = terms.and(&kept);
    WordProof::Inductive { terms, invariant }
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
        for (strict, wide) in [
            (terms.gt(sum, bound), terms.ge(sum, bound)),
            (terms.lt(sum, bound), terms.le(sum, bound)),
        ] {
            if lits.contains(&strict) {
                lits.retain(|&lit| lit != equality && lit != strict);
                lits.push(wide);
            }
        }
    }
    terms.or(&lits)
}

/// The conjuncts without those that can go, the long ones first.
fn needed(
    system: &WordSystem,
    terms: &mut Terms,
    conjuncts: &[Term],
    holds: Term,
    cancel: &Cancel,
) -> Ask<Vec<Term>> {
    let primed: Vec<Term> = conjuncts.iter().map(|&c| terms.substitute(c, &system.to_next())).collect();
    let config = || SmtConfig { interpolation: false, seed: 0 };
    let (mut steps, mut states) = (Smt::new(cancel, config()), Smt::new(cancel, config()));
    steps.assert(terms, 0, system.trans);
    let bad = terms.not(holds);
    states.assert(terms, 0, bad);
    let before: Vec<_> = conjuncts.iter().map(|&c| steps.literal(terms, 0, c)).collect();
    let after: Vec<_> = primed.iter().map(|&c| steps.literal(terms, 0, c)).collect();
    let now: Vec<_> = conjuncts.iter().map(|&c| states.literal(terms, 0, c)).collect();
    // The largest inductive part.
    let mut inductive = |mut kept: Vec<usize>| -> Ask<Vec<usize>> {
        loop {
            let some_fails: Vec<_> = kept.iter().map(|&i| !after[i]).collect();
            let assumed: Vec<_> = kept.iter().map(|&i| (0, before[i])).collect();
            if kept.is_empty() || !steps.solve_with(&some_fails, &assumed)? {
                return Ok(kept);
            }
            kept.retain(|&i| steps.value(after[i]));
        }
    };
    let mut kept: Vec<usize> = (0..conjuncts.len()).collect();
    let mut order = kept.clone();
    order.sort_by_key(|&i| Reverse((terms.cone(&[conjuncts[i]]).len(), i)));
    for i in order {
        if !kept.contains(&i) {
            continue;
        }
        let fewer = inductive(kept.iter().copied().filter(|&j| j != i).collect())?;
        let assumed: Vec<_> = fewer.iter().map(|&j| (0, now[j])).collect();
        if !states.solve(&assumed)? {
            kept = fewer;
        }
    }
    Ok(kept.into_iter().map(|i| conjuncts[i]).collect())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may panic
mod tests {
    use super::*;
    use indubit_formats::{vmt, word_text};

    #[test]
    fn what_is_left_can_be_read() {
        let system = vmt::parse(include_bytes!("../../../examples/sums.vmt")).unwrap();
        let mut terms = system.terms.clone();
        let [x, y] = [0, 1].map(|i| system.states[i].current);
        let [zero, one] = [0, 1].map(|n| terms.int(n));
        let (x_zero, y_zero) = (terms.eq(x, zero), terms.eq(y, zero));
        let x_positive = terms.ge(x, one);
        let natural = terms.ge(y, zero);
        let split = terms.or(&[x_zero, x_positive]);
        let superfluous = terms.implies(x_zero, y_zero);
        let invariant = terms.and(&[natural, split, superfluous]);
        let proof = WordProof::Inductive { terms, invariant };
        let WordProof::Inductive { terms, invariant } = tidy_words(&system, 0, proof, &Cancel::new()) else {
            panic!("it is inductive")
        };
        let mut lines: Vec<String> =
            word_text::write(&terms, invariant, None).lines().map(str::to_owned).collect();
        lines.sort();
        assert_eq!(lines, ["x >= 0", "y >= 0"]);
    }
}
