//! Claims in linear temporal logic.
//!
//! A lasso is judged by what the formula means: its operators are evaluated step by step, along the run that the lasso stands for. A finite trace violates the formula if that is false
//! however the run goes on, and if every run goes on for ever. A proof is about the [`Product`] of the
//! system with the tableau of the negated formula, which is made here once more from the system and the formula.

use crate::evidence::says_nothing;
use crate::{Certify, Solving};
use indubit_run::{Ask, Stop};
use indubit_system::{
    Claim, Evidence, FormulaNode, Kind, Ltl, LtlNode, Product, Property, PropertyId, Shape,
};

/// So many truth values of parts of a formula in steps of a run fit into memory with ease.
const MOST_VALUES: usize = 1 << 28;
const TOO_LARGE: &str = "a counterexample was found, and the formula is too large to be followed along it";

/// A finite run violates a formula however it goes on, and it may be that none goes on for ever.
pub const FINITE_RUN: &str =
    "a finite run violates it, and nobody knows whether one of those that begin so goes on for ever";

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
            let Some(begin) = K::loops_to(trace) else {
                return finite::<K>(system, property, formula, &values, by);
            };
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

/// Does a finite run in which the atoms have these values violate the formula?
fn finite<K: Certify>(
    system: &K::System,
    property: &Property<K::Formula>,
    formula: &Ltl<K::Formula>,
    values: &[Vec<bool>],
    by: &Solving,
) -> Ask<Result<(), K::Reason>> {
    if formula.nodes().len().saturating_mul(values.len()) > MOST_VALUES {
        return Err(Stop::Incomplete(TOO_LARGE));
    }
    if known_so_far(formula, values) != Some(false) {
        let text = format!("what begins like the trace may satisfy the formula of {}", property.title());
        return Ok(Err(K::misfit(text)));
    }
    match K::goes_on(system, by)? {
        true => Ok(Ok(())),
        false => Err(Stop::Incomplete(FINITE_RUN)),
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

/// Is the formula true, or false, of all runs that begin with these values of atoms? What depends on later steps is not known, and of what is not known nothing follows but by the meaning of each
/// operator alone: the beginning has to be an informative one (Kupferman, Vardi, *Model checking of safety properties*, FMSD 2001).
pub(crate) fn known_so_far<A>(formula: &Ltl<A>, values: &[Vec<bool>]) -> Option<bool> {
    let not = |a: Option<bool>| a.map(|a| !a);
    let and = |a: Option<bool>, b: Option<bool>| match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    };
    let or = |a, b| not(and(not(a), not(b)));
    let n_steps = values.len();
    let mut known: Vec<Vec<Option<bool>>> = Vec::with_capacity(formula.nodes().len());
    for &node in formula.nodes() {
        let of = |id: indubit_system::LtlId| &known[id.index()];
        let each =
            |value: &dyn Fn(usize) -> Option<bool>| (0..n_steps).map(value).collect::<Vec<Option<bool>>>();
        known.push(match node {
            LtlNode::True => vec![Some(true); n_steps],
            LtlNode::Atom(number) => each(&|step| Some(values[step][number as usize])),
            LtlNode::Not(a) => each(&|step| not(of(a)[step])),
            LtlNode::And(a, b) => each(&|step| and(of(a)[step], of(b)[step])),
            LtlNode::Next(a) => each(&|step| of(a).get(step + 1).copied().flatten()),
            LtlNode::Yesterday(a) => each(&|step| if step == 0 { Some(false) } else { of(a)[step - 1] }),
            LtlNode::Until(a, b) => {
                let mut all = vec![None; n_steps];
                let mut later = None;
                for step in (0..n_steps).rev() {
                    later = or(of(b)[step], and(of(a)[step], later));
                    all[step] = later;
                }
                all
            }
            LtlNode::Since(a, b) => {
                let mut so_far = Some(false);
                let mut next = |step: usize| {
                    so_far = or(of(b)[step], and(of(a)[step], so_far));
                    so_far
                };
                (0..n_steps).map(&mut next).collect()
            }
        });
    }
    known[formula.root().index()].first().copied().flatten()
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
    use indubit_formats::smv;
    use indubit_logic::Lit;
    use indubit_run::Cancel;
    use indubit_system::{BitSystem, Bits, LtlBuilder, LtlId, Trace, WordTrace, Words};
    use indubit_term::Value;
    use indubit_testkit::temporal::random_formula;

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
    /// What is known of a beginning is so of each lasso that begins so, and of those that are in the end like the beginning: nothing else is known of formulas about single steps.
    #[test]
    fn what_is_known_so_far_is_so_however_it_goes_on() {
        let mut rng = fastrand::Rng::with_seed(7);
        let mut n_of = [0; 3];
        for _ in 0..4000 {
            let size = rng.usize(1..=6);
            let formula = random_formula(&mut rng, &["p", "q"], size);
            let n_steps = rng.usize(1..=5);
            // The formula has the atoms that it needs, in its own order.
            let row = |rng: &mut fastrand::Rng| (0..formula.atoms().len()).map(|_| rng.bool()).collect();
            let begin: Vec<Vec<bool>> = (0..n_steps).map(|_| row(&mut rng)).collect();
            let known = known_so_far(&formula, &begin);
            n_of[known.map_or(2, usize::from)] += 1;
            for _ in 0..8 {
                let mut run = begin.clone();
                run.extend((0..rng.usize(0..4)).map(|_| row(&mut rng)));
                let loops_to = rng.usize(..run.len());
                let holds = is_satisfied(&formula, &run, loops_to).unwrap();
                assert!(known.is_none_or(|known| known == holds), "{formula:?}: {run:?}, loop {loops_to}");
            }
        }
        assert!(n_of.iter().all(|&n| n > 200), "{n_of:?}");
    }

    #[test]
    fn beginnings_that_say_enough() {
        let known = |values: &[bool], make: &dyn Fn(&mut LtlBuilder<()>, LtlId) -> LtlId| {
            let mut builder = LtlBuilder::new();
            let p = builder.atom(());
            let root = make(&mut builder, p);
            let values: Vec<Vec<bool>> = values.iter().map(|&value| vec![value]).collect();
            known_so_far(&builder.finish(root), &values)
        };
        assert_eq!(known(&[true, false], &|b, p| b.globally(p)), Some(false));
        assert_eq!(known(&[true, true], &|b, p| b.globally(p)), None);
        assert_eq!(known(&[false, true], &|b, p| b.finally(p)), Some(true));
        assert_eq!(known(&[false, false], &|b, p| b.finally(p)), None);
        assert_eq!(known(&[true], &|b, p| b.next(p)), None);
        assert_eq!(known(&[true, false], &|b, p| b.next(p)), Some(false));
        assert_eq!(known(&[], &|b, p| b.next(p)), None);
        assert_eq!(known(&[true], &|b, p| b.yesterday(p)), Some(false));
        assert_eq!(
            known(&[true, false], &|b, p| {
                let (always, next) = (b.historically(p), b.next(p));
                let next_always = b.next(always);
                b.or(next_always, next)
            }),
            Some(false)
        );
    }
    /// A finite trace as evidence about the only property of a model in SMV.
    fn finite(text: &str, states: &[i32]) -> Ask<Result<(), String>> {
        let text = format!("MODULE main VAR x : integer; ASSIGN init(x) := 0; {text}");
        let model = smv::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        let states: Vec<_> = states.iter().map(|&x| vec![Value::int(x)]).collect();
        let inputs = vec![Vec::new(); states.len()];
        let evidence = Evidence::Trace(WordTrace::finite(states, inputs));
        let property = &model.system.properties[0];
        let checked = Words::check(&model.system, property, &evidence, &Solving::new(&Cancel::new()));
        checked.map(|result| result.map_err(|reason| reason.to_string()))
    }

    #[test]
    fn finite_runs_are_evidence_only_if_they_are_enough() {
        let good = "next(x) := x + 1; LTLSPEC G x < 2";
        assert_eq!(finite(good, &[0, 1, 2]), Ok(Ok(())));
        assert_eq!(finite(good, &[0, 1, 2, 3]), Ok(Ok(())));
        let refused = |text: &str, states: &[i32]| finite(text, states).unwrap().unwrap_err();
        let may = "what begins like the trace may satisfy the formula of";
        // It stops too early, is no run, or does not begin.
        assert!(refused(good, &[0, 1]).starts_with(may));
        assert!(refused(good, &[0, 2]).contains("step 0 is not a transition"));
        assert!(refused(good, &[1, 2]).contains("not an initial one"));
        assert!(refused(good, &[]).contains("empty"));
        // What is still to come may come.
        assert!(refused("next(x) := x + 1; LTLSPEC F x = 5", &[0, 1, 2]).starts_with(may));
        assert!(refused("next(x) := x + 1; LTLSPEC G F x = 1", &[0, 1, 2]).starts_with(may));
        assert!(refused("next(x) := x + 1; LTLSPEC G X x < 3", &[0, 1, 2]).starts_with(may));
        // The constraint is broken in the last step, in which no transition says so.
        assert!(refused("next(x) := x + 1; INVAR x < 2 LTLSPEC G x < 2", &[0, 1, 2]).contains("step 2"));
        // All is well, but for what comes after it, or its fairness.
        for rest in ["INVAR x < 3", "TRANS x < 2", "FAIRNESS x < 2"] {
            let text = format!("next(x) := x + 1; {rest} LTLSPEC G x < 2");
            assert_eq!(finite(&text, &[0, 1, 2]), Err(Stop::Incomplete(FINITE_RUN)), "{text}");
        }
    }

    #[test]
    fn finite_runs_of_circuits() {
        // Two latches in a row behind an input.
        let mut model = BitSystem::new();
        let i = model.add_input("i");
        let (a, b) = (model.add_latch("a", Some(false)), model.add_latch("b", Some(false)));
        model.set_next(a, i);
        model.set_next(b, a);
        let mut builder = LtlBuilder::new();
        let low = builder.atom(!b);
        let always = builder.globally(low);
        let claim = Claim::Ltl(builder.finish(always));
        model.specs.push(Property::new(PropertyId::Ltl(0), "", claim));
        let check = |model: &BitSystem, inputs: &[bool]| {
            let trace = Trace::finite(vec![false; 2], inputs.iter().map(|&i| vec![i]).collect());
            let property = model.specs[0].clone();
            let evidence = Evidence::Trace(trace);
            Bits::check(model, &property, &evidence, &Solving::new(&Cancel::new()))
        };
        assert_eq!(check(&model, &[true, false, false]), Ok(Ok(())));
        assert!(check(&model, &[true, false]).unwrap().is_err());
        assert!(check(&model, &[false, false, false]).unwrap().is_err());
        model.add_constraint("", !b);
        assert!(check(&model, &[true, false, false]).unwrap().is_err());
        let mut blocked = model.clone();
        blocked.constraints.clear();
        blocked.add_constraint("", Lit::TRUE);
        assert_eq!(check(&blocked, &[true, false, false]), Ok(Ok(())));
        blocked.constraints[0].lit = !a;
        assert!(check(&blocked, &[true, false, false]).unwrap().is_err());
        blocked.constraints[0].lit = Lit::FALSE;
        assert!(check(&blocked, &[true, false, false]).unwrap().is_err());
        let both = blocked.aig_mut().and(a, b);
        blocked.constraints[0].lit = !both;
        assert_eq!(check(&blocked, &[true, false, false]), Err(Stop::Incomplete(FINITE_RUN)));
    }
}
