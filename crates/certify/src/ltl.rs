//! Claims in linear temporal logic.
//!
//! A lasso is judged by what the formula means: its operators are evaluated step by step, along the run that the lasso stands for. A proof is about the [`Product`] of the
//! system with the tableau of the negated formula, which is made here once more from the system and the formula.

use crate::evidence::says_nothing;
use crate::{Certify, Solving};
use indubit_run::{Ask, Stop};
use indubit_system::{
    Claim, Evidence, FormulaNode, Kind, Ltl, LtlNode, Product, Property, PropertyId, Shape,
};

/// So many truth values of parts of a formula in steps of a run fit into memory with ease.
const MOST_VALUES: usize = 1 << 28;
const TOO_LARGE: &str = "a loop was found, and the formula is too large to be followed along it";

/// Does the evidence decide a claim in temporal logic?
pub(crate) fn check<K: Certify>(
    system: &K::System,
    property: &Property<K::Formula>,
    formula: &Ltl<K::Formula>,
    evidence: &Evidence<K>,
    by: &Solving,
) -> Ask<Result<(), K::Reason>> {
    match evidence {
        Evidence::Trace(trace) => {
            let values = match K::follow(system, property, formula.atoms(), trace) {
                Ok(values) => values,
                Err(reason) => return Ok(Err(reason)),
            };
            let begin = K::loops_to(trace).expect("only lassos can be followed");
            match is_satisfied(formula, &values, begin) {
                Some(true) => {
                    Ok(Err(K::misfit(format!("the run satisfies the formula of {}", property.title()))))
                }
                Some(false) => Ok(Ok(())),
                None => Err(Stop::Incomplete(TOO_LARGE)),
            }
        }
        Evidence::Proof(proof) => match question::<K>(system, property, proof) {
            Ok((product, question)) => K::check(&product, &question, evidence, by),
            Err(reason) => Ok(Err(reason)),
        },
        Evidence::Ctl(_) => Ok(Err(says_nothing::<K>(property))),
    }
}

/// A system, and a property of it.
type Question<K> = (<K as Kind>::System, Property<<K as Kind>::Formula>);

/// What a proof of a claim in temporal logic is about: the product, and the property of it that is proved.
pub(crate) fn question<K: Certify>(
    system: &K::System,
    property: &Property<K::Formula>,
    proof: &K::Proof,
) -> Result<Question<K>, K::Reason> {
    if let Err(what) = K::validate(system) {
        return Err(K::misfit(format!("the model is malformed: {what}")));
    }
    let own: Vec<_> = K::properties(system).into_iter().filter(|p| p.id == property.id).collect();
    let is_own = matches!(&own[..], [own] if own.claim == property.claim);
    let Some(product) = Product::<K>::of(system).filter(|_| is_own) else {
        let title = property.title();
        return Err(K::misfit(format!("the system does not claim what {title} says, or twice")));
    };
    let wanted = match (K::shape(proof), property.id) {
        (Shape::Ranked { .. }, id) => id,
        (_, PropertyId::Ltl(number)) => PropertyId::LtlSafety(number),
        (_, id) => id,
    };
    let mut properties = K::properties(&product.system).into_iter();
    match properties.find(|p| p.id == wanted && !matches!(p.claim, Claim::Ltl(_))) {
        Some(question) => Ok((product.system, question)),
        None => {
            let title = property.title();
            Err(K::misfit(format!("what is about single steps does not decide {title}")))
        }
    }
}

/// Does the run satisfy the formula that has these values of atoms in each step, and goes back from the last one to step `begin`?
///
/// What a formula says of the past may change from one round of the loop to the next, but not for ever (Markey, Schnoebelen, *Model checking a path*, CONCUR 2003): so many rounds are made explicit.
/// `None` if that would take too much memory.
pub(crate) fn is_satisfied<A>(formula: &Ltl<A>, values: &[Vec<bool>], begin: usize) -> Option<bool> {
    let round = values.len() - begin;
    let n_rounds = settles(formula, round)?.div_ceil(round);
    let n_steps = round.checked_mul(n_rounds)?.checked_add(values.len())?;
    let last_begin = n_steps - round;
    if formula.nodes().len().checked_mul(n_steps)? > MOST_VALUES {
        return None;
    }
    let at = |step: usize| if step < begin { step } else { begin + (step - begin) % round };
    let mut known: Vec<Vec<bool>> = Vec::with_capacity(formula.nodes().len());
    for &node in formula.nodes() {
        let of = |id: indubit_system::LtlId| &known[id.index()];
        let each = |holds: &dyn Fn(usize) -> bool| (0..n_steps).map(holds).collect::<Vec<bool>>();
        let later = |step: usize| if step + 1 < n_steps { step + 1 } else { last_begin };
        known.push(match node {
            LtlNode::True => vec![true; n_steps],
            LtlNode::Atom(number) => each(&|step| values[at(step)][number as usize]),
            LtlNode::Not(a) => each(&|step| !of(a)[step]),
            LtlNode::And(a, b) => each(&|step| of(a)[step] && of(b)[step]),
            LtlNode::Next(a) => each(&|step| of(a)[later(step)]),
            LtlNode::Yesterday(a) => each(&|step| step > 0 && of(a)[step - 1]),
            LtlNode::Until(a, b) => {
                // The least solution: the first pass knows what happens up to the end of the loop, the second one what happens beyond it.
                let mut holds = vec![false; n_steps];
                for _ in 0..2 {
                    for step in (0..n_steps).rev() {
                        holds[step] = of(b)[step] || of(a)[step] && holds[later(step)];
                    }
                }
                holds
            }
            LtlNode::Since(a, b) => {
                let mut holds = vec![false; n_steps];
                for step in 0..n_steps {
                    holds[step] = of(b)[step] || step > 0 && of(a)[step] && holds[step - 1];
                }
                holds
            }
        });
    }
    Some(known[formula.root().index()][0])
}

/// After so many steps of the loop each part of a formula is true in a step iff it is so one round later. *Yesterday* is what was there a step ago; what *since* has come to know in one round it knows from then on;
/// the future of a step in the loop is the same in each round.
fn settles<A>(formula: &Ltl<A>, round: usize) -> Option<usize> {
    let mut after: Vec<usize> = Vec::with_capacity(formula.nodes().len());
    for node in formula.nodes() {
        let inner = node.children().map(|child| after[child.index()]).max().unwrap_or(0);
        let more = match node {
            LtlNode::Yesterday(_) => 1,
            LtlNode::Since(..) => round,
            _ => 0,
        };
        after.push(inner.checked_add(more)?);
    }
    after.last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_system::{LtlBuilder, LtlId};

    fn holds(values: &[bool], begin: usize, make: impl Fn(&mut LtlBuilder<()>, LtlId) -> LtlId) -> bool {
        let mut builder = LtlBuilder::new();
        let p = builder.atom(());
        let root = make(&mut builder, p);
        let values: Vec<Vec<bool>> = values.iter().map(|&value| vec![value]).collect();
        is_satisfied(&builder.finish(root), &values, begin).unwrap()
    }

    #[test]
    fn the_future_is_that_of_the_loop() {
        let run = [false, true, false];
        assert!(holds(&run, 1, |b, p| b.finally(p)));
        assert!(!holds(&run, 2, |b, p| {
            let often = b.finally(p);
            b.globally(often)
        }));
        assert!(holds(&run, 1, |b, p| {
            let often = b.finally(p);
            b.globally(often)
        }));
        assert!(!holds(&run, 0, |b, p| b.globally(p)));
        assert!(holds(&run, 0, |b, p| b.next(p)));
        assert!(!holds(&[false, true], 1, |b, p| b.until(p, p)));
        // The step after the last one is the one in which the loop begins.
        assert!(holds(&[true, false], 0, |b, p| {
            let next = b.next(p);
            b.next(next)
        }));
    }

    #[test]
    fn the_past_may_need_some_rounds() {
        // p holds in the first step only, and was there before from then on: in the first round of the loop this is not yet so.
        assert!(holds(&[false, true], 0, |b, p| {
            let (once, yesterday) = (b.once(p), b.yesterday(p));
            let before = b.yesterday(yesterday);
            let all = b.and(once, before);
            b.finally(all)
        }));
        assert!(holds(&[true], 0, |b, p| {
            let y = b.yesterday(p);
            let yy = b.yesterday(y);
            let yyy = b.yesterday(yy);
            b.finally(yyy)
        }));
        assert!(!holds(&[true], 0, |b, p| b.yesterday(p)));
        assert!(holds(&[true], 0, |b, p| b.weak_yesterday(p)));
        assert!(holds(&[true, false], 1, |b, p| {
            let once = b.once(p);
            b.globally(once)
        }));
        assert!(!holds(&[true, false], 1, |b, p| {
            let always = b.historically(p);
            b.globally(always)
        }));
    }
}
