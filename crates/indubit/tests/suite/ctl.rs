//! Claims in computation tree logic × engines × certified, against an explicit search that shares nothing with the graph they work on.

use crate::common::{self, Patience};
use indubit::formats::as_words::as_words;
use indubit::logic::Lit;
use indubit::system::{CtlBuilder, CtlId};
use indubit::{
    BitSystem, Bits, Claim, Decidable, ENGINES, EngineId, Evidence, Next, Plan, Property, PropertyId,
    SWITCHES, Strategy, Verdict, Words, check, check_all,
};
use indubit_testkit::branching::{Case, Reference, cases, random_formula};

/// Each engine for such claims, and all of them together.
fn plans() -> Vec<(&'static str, Plan)> {
    let engines = ENGINES.iter().filter(|engine| engine.branching.is_some());
    let mut plans: Vec<(&str, Plan)> = engines.map(|engine| (engine.name, engine.id.into())).collect();
    assert!(plans.len() >= 2);
    plans.push(("portfolio", Plan::portfolio(1)));
    plans
}

/// The engine that has switches of its own for such claims, with values that are chosen by chance.
fn by_chance(seed: u64) -> (Vec<String>, Strategy) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let engine = ENGINES.iter().find(|e| e.id == EngineId::Iictl).expect("it is in the table");
    let mut strategy = Strategy::from(engine);
    let switches = SWITCHES.iter().filter(|switch| switch.bits == [EngineId::Iictl]);
    let settings: Vec<String> = switches.map(|switch| common::setting(switch, &mut rng)).collect();
    assert!(settings.len() >= 5, "{settings:?}");
    settings.iter().for_each(|s| strategy.options.set(s).expect("a value that there is"));
    (settings, strategy)
}

/// The verdict of a plan, which is to be known.
fn decided<K: Decidable>(system: &K::System, property: usize, plan: Plan, place: &str) -> Verdict<K> {
    let mut patience = Patience::new();
    let verdict = check::<K>(system, property, plan, &mut patience.run());
    let verdict = verdict.unwrap_or_else(|error| panic!("{place}: {error}"));
    assert!(verdict.truth().is_some(), "{place}: {verdict}");
    assert!(common::fits(&verdict, &K::properties(system)[property]), "{place}: {verdict}");
    assert!(matches!(verdict.evidence(), Some(Evidence::Ctl(_))), "{place}: {verdict}");
    verdict
}

#[test]
fn engines_agree_with_the_reference() {
    let mut n_of = [0, 0];
    for case in cases(common::seeds(150)) {
        let holds = case.reference.holds();
        n_of[usize::from(holds)] += 1;
        for (name, plan) in plans() {
            let place = format!("seed {}, {name}", case.seed);
            let verdict = decided::<Bits>(&case.system, 0, plan, &place);
            assert_eq!(verdict.truth(), Some(holds), "{place}: {verdict}");
        }
        let (settings, strategy) = by_chance(case.seed);
        let place = format!("seed {}, {settings:?}", case.seed);
        let verdict = decided::<Bits>(&case.system, 0, strategy.into(), &place);
        assert_eq!(verdict.truth(), Some(holds), "{place}: {verdict}");
    }
    assert!(n_of.iter().all(|&n| n > 20) || common::seeds(150).count() < 150, "{n_of:?}");
}

/// Several claims about one system, in one run of several threads: each is told once, and is right. The same over words, where states are the same.
#[test]
fn all_claims_in_one_run() {
    for Case { mut system, seed, formula, .. } in cases(common::seeds(40)) {
        let mut rng = fastrand::Rng::with_seed(seed);
        system.specs.clear();
        let mut truths = Vec::new();
        let mut is_of_latches = system.latches().iter().all(|latch| !latch.has_reset_function());
        for number in 0..3 {
            let formula = random_formula(&mut rng, formula.atoms(), number + 1);
            let Ok(reference) = Reference::new(&system, &formula) else { continue };
            is_of_latches &= reference.states.shown.is_empty();
            truths.push(Some(reference.holds()));
            system.specs.push(Property::new(PropertyId::Ctl(number), "", Claim::Ctl(formula)));
        }
        assert_eq!(told::<Bits>(&system, &format!("seed {seed}")), truths, "seed {seed}");
        if let Ok(words) = as_words(&system)
            && is_of_latches
        {
            assert_eq!(told::<Words>(&words, &format!("seed {seed}, over words")), truths, "seed {seed}");
        }
    }
}

fn told<K: Decidable>(system: &K::System, place: &str) -> Vec<Option<bool>> {
    let properties: Vec<usize> = (0..K::properties(system).len()).collect();
    let mut patience = Patience::new();
    let mut told = Vec::new();
    let done = check_all::<K>(system, &properties, Plan::portfolio(2), &mut patience.run(), &mut |answer| {
        told.push(answer);
        Next::GoOn
    });
    assert!(done.is_ok(), "{place}: {done:?}");
    told.sort_by_key(|answer| answer.property);
    assert_eq!(told.iter().map(|answer| answer.property).collect::<Vec<_>>(), properties, "{place}");
    let truth = |answer: &indubit::Answer<K>| {
        answer.result.as_ref().unwrap_or_else(|error| panic!("{place}: {error}")).truth()
    };
    told.iter().map(truth).collect()
}

/// What each plan says of a claim about two atoms.
fn verdicts(
    system: &BitSystem,
    atoms: [Lit; 2],
    make: impl Fn(&mut CtlBuilder<Lit>, CtlId, CtlId) -> CtlId,
) -> bool {
    let mut builder = CtlBuilder::new();
    let [a, b] = atoms.map(|atom| builder.atom(atom));
    let root = make(&mut builder, a, b);
    let formula = builder.finish(root);
    let expected = Reference::new(system, &formula).unwrap().holds();
    let mut system = system.clone();
    system.specs = vec![Property::new(PropertyId::Ctl(0), "claim", Claim::Ctl(formula))];
    for (name, plan) in plans() {
        let verdict = decided::<Bits>(&system, 0, plan, name);
        assert_eq!(verdict.truth(), Some(expected), "{name}: {verdict}");
        assert_eq!(verdict.word(), if expected { "holds" } else { "fails" });
    }
    expected
}

#[test]
fn without_a_fair_path_everything_holds() {
    let mut system = BitSystem::new();
    let a = system.add_latch("a", None);
    // After a step nothing goes on.
    system.set_next(a, Lit::TRUE);
    system.add_constraint("", !a);
    assert!(verdicts(&system, [a, a], |_, a, _| a));
    assert!(verdicts(&system, [a, a], |b, a, _| b.not(a)));
    assert!(verdicts(&system, [a, a], |b, a, _| b.exists_next(a)));
    assert!(verdicts(&system, [a, a], |b, a, _| b.all_globally(a)));
}

#[test]
fn a_claim_and_its_negation_may_both_fail() {
    let mut system = BitSystem::new();
    let a = system.add_latch("a", None);
    assert!(!verdicts(&system, [a, a], |_, a, _| a));
    assert!(!verdicts(&system, [a, a], |b, a, _| b.not(a)));
    assert!(!verdicts(&system, [a, a], |b, a, _| b.exists_finally(a)));
    assert!(!verdicts(&system, [a, a], |b, a, _| {
        let can = b.exists_finally(a);
        b.not(can)
    }));
}

/// An input that a claim is about is a part of the state: what it is now has been chosen, and decides what the latch is next.
#[test]
fn inputs_are_what_they_are() {
    let mut system = BitSystem::new();
    let (i, a) = (system.add_input("i"), system.add_latch("a", Some(false)));
    system.set_next(a, i);
    assert!(verdicts(&system, [i, a], |b, i, a| {
        let next = b.all_next(a);
        let same = b.iff(i, next);
        b.all_globally(same)
    }));
    assert!(!verdicts(&system, [i, a], |b, i, a| {
        let next = b.exists_next(a);
        b.and(i, next)
    }));
    // A claim about the latch alone leaves the input to the step.
    assert!(verdicts(&system, [a, a], |b, a, _| {
        let (not, next) = (b.not(a), b.exists_next(a));
        let not = b.exists_next(not);
        b.and(next, not)
    }));
    assert!(!verdicts(&system, [i, a], |b, i, a| {
        let (not, next) = (b.not(a), b.exists_next(a));
        let not = b.exists_next(not);
        let both = b.and(next, not);
        b.iff(both, i)
    }));
}
