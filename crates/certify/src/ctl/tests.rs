use crate::solver::by_either;
use crate::{Condition, Reason, check};
use fastrand::Rng;
use indubit_logic::{Clause, Lit};
use indubit_system::{
    BitSystem, Bits, Branching, Choice, Claim, Ctl, CtlBuilder, CtlId, CtlNode, CtlProof, Evidence,
    Invariant, Proof, Property, PropertyId, Ranked, Signal, Stuck, Trace,
};
use indubit_testkit::branching::{Case, ExplicitProof, ExplicitSets, Flavour, Peeled, Reference, cases};
use std::collections::HashMap;

fn verdict(system: &BitSystem, property: &Property, proof: CtlProof) -> Result<(), Reason> {
    let evidence: Evidence<Bits> = Evidence::Ctl(Box::new(proof));
    by_either(|by| check(system, property, &evidence, by))
}

#[test]
fn exact_proofs_are_accepted() {
    for case in cases(0..250) {
        let graph = Branching::new(&case.system, &case.formula);
        for i in 0..3 {
            let flavour = Flavour::random(3 * case.seed + i);
            let proof = ExplicitProof::exact(&case.reference, flavour).build(&graph);
            assert_eq!(proof.holds(), case.reference.holds());
            let verdict = verdict(&case.system, case.property(), proof);
            assert_eq!(verdict, Ok(()), "seed {}, {flavour:?}", case.seed);
        }
    }
}

/// One thing is changed.
fn damage(proof: &mut ExplicitProof, reference: &Reference, rng: &mut Rng) {
    let n_states = reference.states.len();
    let n = proof.operators.len();
    let state = rng.usize(..n_states);
    let which = rng.usize(..=n);
    let sets: &mut ExplicitSets = proof.operators.get_mut(which).unwrap_or(&mut proof.fair);
    match rng.usize(..10) {
        0 | 1 => sets.yes[state] ^= true,
        2 => sets.no[state] ^= true,
        3 => {
            // With a reason that does not hold, if one is wanted.
            (sets.no[state], sets.blocked[state]) = (true, true);
        }
        4 | 5 => {
            let i = rng.usize(..sets.choices.len());
            sets.choices[i][state] = match rng.bool() {
                true => (rng.u32(..8), sets.choices[i][state].1),
                false => (sets.choices[i][state].0, rng.u32(..3)),
            };
        }
        6 if !sets.peeled.is_empty() => {
            let i = rng.usize(..sets.peeled.len());
            match rng.usize(..4) {
                0 => sets.peeled[i].set[state] ^= true,
                1 => sets.peeled[i].signal = rng.usize(..reference.states.n_signals),
                2 => sets.peeled.swap(0, i),
                _ => drop(sets.peeled.remove(i)),
            }
        }
        6 => {
            let signal = rng.usize(..reference.states.n_signals);
            let mut set = vec![false; n_states];
            (set[state], sets.no[state]) = (true, true);
            sets.peeled.push(Peeled { set, signal });
        }
        7 => match &mut proof.invariant {
            Some(invariant) => invariant[state] ^= true,
            none => *none = Some(reference.states.initial.clone()),
        },
        8 => proof.fails_in = Some(state),
        _ => proof.fails_in = None,
    }
}

/// Is everything true that the proof says of states that can be reached?
fn is_true(proof: &ExplicitProof, reference: &Reference) -> bool {
    let fair = &reference.fair.set;
    let reachable = reference.states.reachable();
    let says = |s: usize, sets: &ExplicitSets, exact: &[bool]| {
        (!sets.yes[s] || exact[s]) && !(sets.no[s] && exact[s] && fair[s])
    };
    let inner = reference.formula.nodes().iter().zip(&reference.nodes);
    let is_temporal = |node: &CtlNode| {
        matches!(node, CtlNode::ExistsNext(_) | CtlNode::ExistsUntil(..) | CtlNode::ExistsGlobally(_))
    };
    let inner: Vec<_> = inner.filter(|(node, _)| is_temporal(node)).collect();
    let all = |s: usize| {
        says(s, &proof.fair, fair)
            && proof.operators.iter().zip(&inner).all(|(sets, (_, judged))| says(s, sets, &judged.set))
            && proof.invariant.as_ref().is_none_or(|invariant| invariant[s])
    };
    let root = &reference.nodes[reference.formula.root().index()].set;
    let is_verdict = match proof.fails_in {
        None => reference.holds(),
        Some(s) => reference.states.initial[s] && fair[s] && !root[s],
    };
    is_verdict && (0..reachable.len()).filter(|&s| reachable[s]).all(all)
}

#[test]
fn what_is_accepted_is_true() {
    let mut refused: HashMap<Condition, usize> = HashMap::new();
    let (mut n_stuck, mut n_accepted) = (0, 0);
    for seed in 0..1500 {
        let Case { system, formula, reference, .. } = &Case::new(seed % 300);
        let mut rng = Rng::with_seed(seed);
        let graph = Branching::new(system, formula);
        let mut proof = ExplicitProof::exact(reference, Flavour::random(seed));
        for _ in 0..rng.usize(1..=2) {
            damage(&mut proof, reference, &mut rng);
        }
        match verdict(system, &system.specs[0], proof.build(&graph)) {
            Ok(()) => {
                n_accepted += 1;
                assert!(is_true(&proof, reference), "seed {seed}: {proof:?}");
            }
            Err(Reason::Sets { condition, .. }) => *refused.entry(condition).or_default() += 1,
            Err(Reason::NotStuck { .. }) => n_stuck += 1,
            Err(Reason::Misfit(text)) => {
                let is_known = ["said to fail", "stuck says nothing"].iter().any(|part| text.contains(part));
                assert!(is_known, "seed {seed}: {text}");
            }
            Err(reason) => panic!("seed {seed}: {reason}"),
        }
    }
    assert!(n_accepted > 100 && n_stuck > 20, "{n_accepted} accepted, {n_stuck} not stuck");
    assert!(refused.len() >= 11, "{refused:?}");
}

/// A counter goes up to 3 if it is told to, and may fall into a trap on the way. It is fair to be told, or to be at the end, again and again, and not to be trapped. At the end
/// nothing tells it anything. States are numbers, and 4 more in the trap; the inputs `go` and `fall` are 1 and 2.
fn counter() -> (BitSystem, [Lit; 2]) {
    let mut model = BitSystem::new();
    let [go, fall] = ["go", "fall"].map(|name| model.add_input(name));
    let [low, high] = ["low", "high"].map(|name| model.add_latch(name, Some(false)));
    let trap = model.add_latch("trap", None);
    let aig = model.aig_mut();
    let end = aig.and(low, high);
    let (next_low, carry) = (aig.xor(low, go), aig.and(low, go));
    let next_high = aig.xor(high, carry);
    let (next_trap, told) = (aig.or(trap, fall), aig.or(go, end));
    let too_much = aig.and(go, end);
    for (latch, next) in [(low, next_low), (high, next_high), (trap, next_trap)] {
        model.set_next(latch, next);
    }
    model.add_constraint("", !too_much);
    model.fairness = [told, !trap].map(|lit| Signal { lit, name: None }).to_vec();
    (model, [low, high])
}

type Make = fn(&mut CtlBuilder<Lit>, CtlId, CtlId) -> CtlId;

fn claim(make: Make) -> (BitSystem, Ctl<Lit>) {
    let (mut model, [low, high]) = counter();
    let mut builder = CtlBuilder::new();
    let (low, high) = (builder.atom(low), builder.atom(high));
    let root = make(&mut builder, low, high);
    let formula = builder.finish(root);
    model.specs = vec![Property::new(PropertyId::Ctl(0), "claim", Claim::Ctl(formula.clone()))];
    (model, formula)
}

const PLAIN: Flavour = Flavour { has_invariant: false, is_fair_only: false, is_one_by_one: true, seed: 0 };

/// What is said of a proof after something was done to it.
fn after(make: Make, change: impl Fn(&mut ExplicitProof)) -> Result<(), Reason> {
    let (model, formula) = claim(make);
    let reference = Reference::new(&model, &formula).unwrap();
    let mut proof = ExplicitProof::exact(&reference, PLAIN);
    change(&mut proof);
    verdict(&model, &model.specs[0], proof.build(&Branching::new(&model, &formula)))
}

fn at_end(b: &mut CtlBuilder<Lit>, low: CtlId, high: CtlId) -> CtlId {
    b.and(low, high)
}
fn next(b: &mut CtlBuilder<Lit>, low: CtlId, high: CtlId) -> CtlId {
    let end = at_end(b, low, high);
    b.exists_next(end)
}
fn until(b: &mut CtlBuilder<Lit>, low: CtlId, high: CtlId) -> CtlId {
    let (two, not_high) = (b.not(low), b.not(high));
    let two = b.and(two, high);
    b.exists_until(not_high, two)
}
fn finally(b: &mut CtlBuilder<Lit>, low: CtlId, high: CtlId) -> CtlId {
    let end = at_end(b, low, high);
    b.exists_finally(end)
}
fn globally(b: &mut CtlBuilder<Lit>, low: CtlId, high: CtlId) -> CtlId {
    let end = at_end(b, low, high);
    b.exists_globally(end)
}
fn never_high(b: &mut CtlBuilder<Lit>, _: CtlId, high: CtlId) -> CtlId {
    let low = b.not(high);
    b.exists_globally(low)
}

#[test]
fn each_condition_has_a_name() {
    let refused = |make: Make, expected: (&str, Condition), change: &dyn Fn(&mut ExplicitProof)| {
        assert_eq!(after(make, |_| ()), Ok(()));
        match after(make, change) {
            Err(Reason::Sets { about, condition, .. }) => assert_eq!((&about[..], condition), expected),
            other => panic!("{other:?}, and not {expected:?}"),
        }
    };
    let ex = |condition| ("operator 0, EX", condition);
    refused(next, ex(Condition::ChosenInside), &|p| p.operators[0].yes[0] = true);
    refused(next, ex(Condition::ChosenInputs), &|p| p.operators[0].choices[0][3].0 = 1);
    refused(next, ex(Condition::ChosenFair), &|p| p.operators[0].choices[0][2].0 = 3);
    refused(next, ex(Condition::NoStep), &|p| p.operators[0].no[2] = true);
    let eu = |condition| ("operator 0, EU", condition);
    refused(until, eu(Condition::Inside), &|p| p.operators[0].yes[3] = true);
    refused(finally, eu(Condition::ChosenCloser), &|p| p.operators[0].yes[4] = true);
    refused(finally, eu(Condition::ChosenCloser), &|p| p.operators[0].choices[0][0].0 = 0);
    refused(finally, eu(Condition::ChosenCloser), &|p| p.operators[0].choices[0][0].1 = 0);
    refused(finally, eu(Condition::ChosenStays), &|p| p.operators[0].choices[0][0].0 = 3);
    refused(finally, eu(Condition::NoWay), &|p| p.operators[0].no[0] = true);
    refused(finally, eu(Condition::NoGoal), &|p| p.operators[0].no[3] = true);
    let eg = |condition| ("operator 0, EG", condition);
    refused(globally, eg(Condition::Inside), &|p| p.operators[0].yes[0] = true);
    // It stays where it is for ever, and is not told anything.
    refused(never_high, eg(Condition::ChosenCloser), &|p| p.operators[0].yes[0] = true);
    refused(globally, eg(Condition::ChosenInputs), &|p| p.operators[0].choices[1][3].0 = 1);
    refused(globally, eg(Condition::ChosenStays), &|p| p.operators[0].choices[1][3].0 = 2);
    refused(globally, eg(Condition::Stuck), &|p| p.operators[0].no[3] = true);
    let fair = |condition| ("fair paths, EG true", condition);
    refused(finally, fair(Condition::ChosenCloser), &|p| p.fair.yes[4] = true);
    refused(finally, fair(Condition::Stuck), &|p| p.fair.no[0] = true);
    let invariant = |condition| ("the invariant", condition);
    let only = |states: &[usize]| Some((0..8).map(|s| states.contains(&s)).collect());
    refused(finally, invariant(Condition::InvariantInitially), &|p| p.invariant = only(&[1, 2, 3]));
    refused(finally, invariant(Condition::InvariantKept), &|p| p.invariant = only(&[0, 4, 5, 6, 7]));
    refused(next, ("the formula", Condition::Decides), &|p| p.fails_in = None);
}

#[test]
fn paths_that_are_not_stuck_are_found() {
    let not_stuck = |make: Make, change: &dyn Fn(&mut ExplicitProof)| match after(make, change) {
        Err(Reason::NotStuck { operator, number, .. }) => (operator, number),
        other => panic!("{other:?}"),
    };
    // A fair path goes on at the end.
    let at_the_end = |p: &mut ExplicitProof| {
        let sets = &mut p.operators[0];
        let mut set = vec![false; 8];
        (set[3], sets.no[3]) = (true, true);
        sets.peeled.push(Peeled { set, signal: 0 });
    };
    assert_eq!(not_stuck(globally, &at_the_end).0, "operator 0, EG");
    assert_eq!(not_stuck(finally, &|p| p.fair.peeled[0].set[0] = true), ("fair paths, EG true".into(), 0));
    // It is another signal that is missing.
    assert_eq!(not_stuck(finally, &|p| p.fair.peeled[0].signal = 0).1, 0);
}

#[test]
fn where_it_fails_is_looked_at() {
    let text = |make: Make, state: usize| match after(make, |p| p.fails_in = Some(state)) {
        Err(Reason::Misfit(text)) => text,
        other => panic!("{other:?}"),
    };
    assert_eq!(after(next, |p| p.fails_in = Some(0)), Ok(()));
    assert!(text(next, 1).ends_with("is not initial"));
    assert!(text(next, 4).ends_with("is not known to have a fair path"));
    assert!(text(finally, 0).ends_with("may satisfy it"));
}

/// What is said of a proof whose gates were changed.
fn misfit(change: impl Fn(&BitSystem, &Branching, &mut CtlProof)) -> String {
    let (model, formula) = claim(next);
    let reference = Reference::new(&model, &formula).unwrap();
    let graph = Branching::new(&model, &formula);
    let mut proof = ExplicitProof::exact(&reference, PLAIN).build(&graph);
    change(&model, &graph, &mut proof);
    match verdict(&model, &model.specs[0], proof) {
        Err(Reason::Misfit(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn nonsense_is_refused() {
    let go = |model: &BitSystem| model.inputs()[0].lit;
    let missing = |proof: &CtlProof| {
        let n_vars = proof.with.n_vars() + proof.with.gates().len();
        Lit::positive(indubit_logic::Var::from_index(n_vars))
    };
    let texts = [
        misfit(|model, _, proof| proof.operators[0].yes = go(model)),
        misfit(|model, _, proof| proof.operators[0].no = proof.with.and(go(model), proof.fair.yes)),
        misfit(|model, _, proof| proof.operators[0].choices[0].inputs[0] = go(model)),
        misfit(|model, _, proof| proof.fair.choices[0].rank.push(go(model))),
        misfit(|model, _, proof| proof.fair.stuck[0].states = go(model)),
        misfit(|model, _, proof| proof.with.add(Clause::new([go(model), proof.fair.yes]))),
    ];
    for text in texts {
        assert!(text.contains("depends on inputs"), "{text}");
    }
    assert!(misfit(|_, _, proof| proof.fair.no = missing(proof)).contains("not there"));
    assert!(misfit(|_, _, proof| proof.with = Invariant::new(3)).contains("3 nodes"));
    assert!(misfit(|_, _, proof| drop(proof.operators.pop())).contains("0 temporal operators"));
    assert!(misfit(|_, _, proof| proof.fails_in = Some(vec![])).contains("0 values"));
    assert!(misfit(|_, _, proof| proof.fair.choices.truncate(1)).contains("1 choices"));
    assert!(misfit(|_, _, proof| proof.operators[0].choices.clear()).contains("0 choices"));
    assert!(misfit(|_, _, proof| proof.operators[0].choices.push(Choice::default())).contains("2 choices"));
    assert!(misfit(|_, _, proof| proof.fair.choices[1].inputs.clear()).contains("0 inputs"));
    let text = misfit(|_, graph, proof| {
        let why = Ranked::never(graph.circuit.aig.n_vars(), 0, 2);
        proof.operators[0].stuck.push(Stuck { states: Lit::FALSE, why });
    });
    assert!(text.contains("says nothing about it"), "{text}");
    assert!(misfit(|_, _, proof| proof.fair.stuck[0].why = Ranked::never(3, 0, 2)).contains("3 nodes"));
    let text = misfit(|_, graph, proof| {
        proof.fair.stuck[0].why = Ranked::never(graph.circuit.aig.n_vars(), 0, 1);
    });
    assert!(text.contains("1 signals"), "{text}");
}

#[test]
fn evidence_is_for_its_own_claim() {
    let (model, formula) = claim(next);
    let (other, other_formula) = claim(until);
    let exact = |model: &BitSystem, formula: &Ctl<Lit>| {
        let reference = Reference::new(model, formula).unwrap();
        ExplicitProof::exact(&reference, PLAIN).build(&Branching::new(model, formula))
    };
    let property = &model.specs[0];
    let proof = exact(&model, &formula);
    assert_eq!(verdict(&model, property, proof.clone()), Ok(()));
    // Another formula, and a property that the model does not have, or twice.
    assert!(verdict(&other, &other.specs[0], proof.clone()).is_err());
    assert!(verdict(&model, property, exact(&other, &other_formula)).is_err());
    assert!(verdict(&other, property, proof.clone()).unwrap_err().to_string().contains("does not claim"));
    let mut twice = model.clone();
    twice.specs.push(property.clone());
    assert!(verdict(&twice, property, proof.clone()).unwrap_err().to_string().contains("twice"));
    // Evidence of another kind, and other claims.
    let of_runs = [
        Evidence::Trace(Trace::finite(vec![false; 3], vec![vec![false; 2]])),
        Evidence::Proof(Proof::Inductive(Invariant::new(model.aig().n_vars()))),
        Evidence::Proof(Proof::Ranked(Box::new(Ranked::never(model.aig().n_vars(), 0, 2)))),
    ];
    for evidence in of_runs {
        let evidence: Evidence<Bits> = evidence;
        let reason = by_either(|by| check(&model, property, &evidence, by)).unwrap_err();
        assert!(reason.to_string().contains("says nothing about"), "{reason}");
    }
    let mut safety = model.clone();
    safety.specs.clear();
    safety.add_bad("bad", Lit::FALSE);
    let reason = verdict(&safety, &safety.properties()[0], proof).unwrap_err();
    assert!(reason.to_string().contains("says nothing about"), "{reason}");
}
