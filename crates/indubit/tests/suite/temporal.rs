//! Claims in temporal logic × small systems × certified, against a reference that shares nothing with the product.

use crate::common::{self, Patience};
use indubit::formats::as_words::as_words;
use indubit::formats::{smv, vmt};
use indubit::system::{Ltl, LtlBuilder, LtlId};
use indubit::term::{Sort, Term};
use indubit::{
    BitSystem, Bits, Claim, Decidable, EngineId, Next, Plan, Property, PropertyId, Verdict, WordSystem,
    Words, check, check_all,
};
use indubit_testkit::random::{LiveConfig, live_system};
use indubit_testkit::temporal::{is_violated, random_formula};

/// A random system, with the formulas that are claimed of it and whether they are violated.
struct Case {
    system: BitSystem,
    violated: Vec<bool>,
}

fn case(seed: u64) -> Option<Case> {
    let config = LiveConfig { inputs: 0..=2, latches: 1..=4, justice: 0..=1, ..LiveConfig::default() };
    let mut system = live_system(seed, &config);
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut atoms: Vec<_> = system.latches().iter().map(|l| indubit::logic::Lit::positive(l.var)).collect();
    atoms.extend(system.inputs().iter().map(|i| i.lit));
    rng.shuffle(&mut atoms);
    atoms.truncate(3);
    let mut violated = Vec::new();
    for number in 0..3 {
        let size = rng.usize(1..=5);
        let formula: Ltl<_> = random_formula(&mut rng, &atoms, size);
        let Ok(is_violated) = is_violated(&system, &formula) else { continue };
        violated.push(is_violated);
        system.specs.push(Property::new(PropertyId::Ltl(number), "", Claim::Ltl(formula)));
    }
    (!violated.is_empty()).then_some(Case { system, violated })
}

fn is_right<K: Decidable>(verdict: &Verdict<K>, is_violated: bool, engine: Option<EngineId>) -> bool {
    match verdict.truth() {
        Some(truth) => truth != is_violated,
        // Bounded search proves nothing.
        None => engine == Some(EngineId::Lasso),
    }
}

#[test]
fn engines_agree_with_the_reference() {
    let mut n_of = [0, 0];
    for seed in common::seeds(150) {
        let Some(Case { system, violated }) = case(seed) else { continue };
        let first = system.n_properties() - system.specs.len();
        let plans =
            [EngineId::Klive, EngineId::Rlive, EngineId::L2s, EngineId::Fair, EngineId::Bdd, EngineId::Lasso];
        let mut plans: Vec<(Option<EngineId>, Plan)> = plans.map(|id| (Some(id), id.into())).into();
        plans.push((None, Plan::portfolio(1)));
        for (number, &is_violated) in violated.iter().enumerate() {
            n_of[usize::from(is_violated)] += 1;
            for (engine, plan) in &plans {
                let mut patience = Patience::new();
                let bound = (*engine == Some(EngineId::Lasso)).then_some(20);
                let mut run = patience.run().with_bound(bound);
                let place = format!("seed {seed}, formula {number} {:?}, {engine:?}", system.specs[number]);
                let verdict = check::<Bits>(&system, first + number, plan.clone(), &mut run);
                let verdict = verdict.unwrap_or_else(|error| panic!("{place}: {error}"));
                assert!(
                    is_right(&verdict, is_violated, *engine),
                    "{place}: {verdict}, violated: {is_violated}"
                );
            }
        }
    }
    assert!(n_of.iter().all(|&n| n > 20) || common::seeds(150).count() < 150, "{n_of:?}");
}

/// The verdicts of all properties in one run: each is told once, and the last ones, about formulas, are right.
fn told<K: Decidable>(system: &K::System, seed: u64, violated: &[bool]) -> Vec<Option<bool>> {
    let properties: Vec<usize> = (0..K::properties(system).len()).collect();
    let mut patience = Patience::new();
    let mut told = Vec::new();
    let done = check_all::<K>(system, &properties, Plan::portfolio(2), &mut patience.run(), &mut |answer| {
        told.push(answer);
        Next::GoOn
    });
    assert!(done.is_ok(), "seed {seed}: {done:?}");
    told.sort_by_key(|answer| answer.property);
    assert_eq!(told.iter().map(|answer| answer.property).collect::<Vec<_>>(), properties, "seed {seed}");
    let mut truths = Vec::new();
    for answer in &told {
        let verdict = answer.result.as_ref().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        truths.push(verdict.truth());
    }
    for (truth, &is_violated) in truths[properties.len() - violated.len()..].iter().zip(violated) {
        assert_eq!(*truth, Some(!is_violated), "seed {seed}: {truth:?}, violated: {is_violated}");
    }
    truths
}

/// What is written in another language, with constraints, fairness, justice and formulas, has the same verdicts when it is read.
#[test]
fn what_is_written_has_the_same_verdicts() {
    for seed in common::seeds(40) {
        let Some(Case { system, violated }) = case(seed) else { continue };
        let Ok(words) = as_words(&system) else { continue };
        let expected = told::<Bits>(&system, seed, &violated);
        let text = smv::write(&words).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        let read = smv::parse(text.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_eq!(told::<Words>(&read.system, seed, &violated), expected, "seed {seed}\n{text}");
        let text = vmt::write(&words);
        let read = vmt::parse(text.as_bytes()).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        assert_eq!(told::<Words>(&read, seed, &violated), expected, "seed {seed}\n{text}");
    }
}

/// All claims in one run, over bits and over words: each is told once, and is right.
#[test]
fn all_claims_in_one_run() {
    for seed in common::seeds(60) {
        let Some(Case { system, violated }) = case(seed) else { continue };
        told::<Bits>(&system, seed, &violated);
        if let Ok(words) = as_words(&system) {
            told::<Words>(&words, seed, &violated);
        }
    }
}

/// Over numbers: what a finite run can violate is decided, lassos are found, and the rest is not known.
#[test]
fn formulas_over_numbers() {
    // x counts up or stays, as an input says; it starts over at 5.
    let mut system = WordSystem::new();
    let (x, go) = (system.add_state("x", Sort::Int), system.add_input("go", Sort::Bool));
    let [zero, one, five] = [0, 1, 5].map(|n| system.terms.int(n));
    system.init = system.terms.eq(x.current, zero);
    let more = system.terms.add(&[x.current, one]);
    let is_five = system.terms.eq(x.current, five);
    let up = system.terms.ite(is_five, zero, more);
    let next = system.terms.ite(go, up, x.current);
    system.trans = system.terms.eq(x.next, next);
    let small = system.terms.le(x.current, five);
    type Make<'m> = &'m dyn Fn(&mut LtlBuilder<Term>) -> LtlId;
    let claims: [Make<'_>; 5] = [
        // G x <= 5
        &|b| {
            let small = b.atom(small);
            b.globally(small)
        },
        // G F x = 5
        &|b| {
            let five = b.atom(is_five);
            let often = b.finally(five);
            b.globally(often)
        },
        // G F go -> G F x = 5
        &|b| {
            let (five, go) = (b.atom(is_five), b.atom(go));
            let (fives, goes) = (b.finally(five), b.finally(go));
            let (fives, goes) = (b.globally(fives), b.globally(goes));
            b.implies(goes, fives)
        },
        // X X (x = 5 -> Y x = 5)
        &|b| {
            let five = b.atom(is_five);
            let before = b.yesterday(five);
            let kept = b.implies(five, before);
            let next = b.next(kept);
            b.next(next)
        },
        // G F (x = 5 | true)
        &|b| {
            let (five, truth) = (b.atom(is_five), b.constant(true));
            let either = b.or(five, truth);
            let often = b.finally(either);
            b.globally(often)
        },
    ];
    for (number, make) in claims.iter().enumerate() {
        let mut builder = LtlBuilder::new();
        let root = make(&mut builder);
        let claim = Claim::Ltl(builder.finish(root));
        system.properties.push(Property::new(PropertyId::Ltl(number), "", claim));
    }
    let words: Vec<String> = (0..claims.len())
        .map(|property| {
            let mut patience = Patience::new();
            let mut run = patience.run().with_bound(Some(8));
            check::<Words>(&system, property, Plan::default(), &mut run).unwrap().to_string()
        })
        .collect();
    assert!(words[0].starts_with("holds: "), "{words:?}");
    assert!(words[1].starts_with("fails in a loop from step "), "{words:?}");
    assert!(words[2].starts_with("unknown"), "{words:?}");
    assert!(words[3].starts_with("holds: ") && words[4].starts_with("holds: "), "{words:?}");
}

/// What is said of all formulas of a model in SMV, with runs of up to so many steps.
fn verdicts(text: &str, bound: u32) -> Vec<String> {
    let model = smv::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    let say = |property: usize| {
        let mut patience = Patience::new();
        let mut run = patience.run().with_bound(Some(bound));
        check::<Words>(&model.system, property, Plan::default(), &mut run).unwrap().to_string()
    };
    (0..model.system.properties.len()).map(say).collect()
}

/// No run repeats. What a finite run violates fails, if every run goes on for ever.
#[test]
fn formulas_that_finite_runs_violate() {
    let claims = "LTLSPEC G x < 5 LTLSPEC G (x < 3 -> X x < 3) LTLSPEC F x > 7 LTLSPEC x = 3 V x = 0";
    let counter = "MODULE main VAR x : integer; ASSIGN init(x) := 0; next(x) := x + 1;";
    let told = verdicts(&format!("{counter} {claims}"), 9);
    let every = |step: u32| format!("fails in step {step}, by every run that begins so");
    assert_eq!([&told[0], &told[1], &told[3]], [&every(5), &every(3), &every(1)]);
    assert!(told[2].starts_with("unknown"), "{told:?}");
    // Fairness that is none, a constraint that is kept, and a range beside it.
    let more = "FAIRNESS TRUE INVAR x >= 0 VAR r : 0..4; ASSIGN next(r) := (r + 1) mod 5;";
    let told = verdicts(&format!("{counter} {more} {claims}"), 9);
    assert_eq!([&told[0], &told[1], &told[3]], [&every(5), &every(3), &every(1)]);
    // The past is what it was.
    let told = verdicts(&format!("{counter} LTLSPEC G (x = 4 -> X H x < 5) LTLSPEC G (x = 4 -> O x = 7)"), 9);
    assert_eq!(told, [every(5), every(4)]);
}

/// No infinite run violates the formula, or nobody knows one.
#[test]
fn finite_runs_that_may_be_all_there_is() {
    let counter = "MODULE main VAR x : integer; ASSIGN init(x) := 0; next(x) := x + 1;";
    for rest in ["INVAR x < 7", "TRANS x < 7", "FAIRNESS x < 3", "INVAR x < 5 | x > 6"] {
        let told = verdicts(&format!("{counter} {rest} LTLSPEC G x < 4"), 9);
        assert!(!told[0].starts_with("fails"), "{rest}: {told:?}");
    }
}

/// Random circuits beside a number that never comes again: only what an infinite run violates fails.
#[test]
fn beside_a_number_verdicts_are_the_same() {
    let (mut n_finite, mut n_loops) = (0, 0);
    for seed in common::seeds(60) {
        let Some(Case { system, violated }) = case(seed) else { continue };
        let Ok(mut words) = as_words(&system) else { continue };
        let number = words.add_state("number", Sort::Int);
        let one = words.terms.int(1);
        let more = words.terms.add(&[number.current, one]);
        let step = words.terms.eq(number.next, more);
        words.trans = words.terms.and(&[words.trans, step]);
        let first = words.properties.len() - violated.len();
        for (number, &is_violated) in violated.iter().enumerate() {
            let mut patience = Patience::new();
            let mut run = patience.run().with_bound(Some(6));
            let place = format!("seed {seed}, formula {number} {:?}", words.properties[first + number]);
            let verdict = check::<Words>(&words, first + number, EngineId::Bmc, &mut run);
            let verdict = verdict.unwrap_or_else(|error| panic!("{place}: {error}"));
            assert!(verdict.truth().is_none_or(|truth| truth != is_violated), "{place}: {verdict}");
            match verdict.trace().map(|trace| trace.loops_to) {
                Some(None) => n_finite += 1,
                Some(_) => n_loops += 1,
                None => (),
            }
        }
    }
    println!("{n_finite} finite runs, {n_loops} lassos");
    assert!(n_finite > 10 || common::seeds(60).count() < 60, "{n_finite} finite runs, {n_loops} lassos");
}

/// What no step says anything of need not repeat, and may be of a sort that nobody has a theory for.
#[test]
fn loops_beside_what_is_free() {
    let text = "MODULE main VAR x : integer; y : integer; w : unsigned word[3]; ASSIGN init(x) := 0; next(x) := 1 - x; LTLSPEC G F x = 5 LTLSPEC F (y < 0 & X y > 7) LTLSPEC !(G X y > x | G F x = 1)";
    for told in verdicts(text, 6) {
        assert!(told.starts_with("fails in a loop from step "), "{told}");
    }
    // What is chosen may have to be another value each time.
    let text = "MODULE main VAR x : integer; y : integer; ASSIGN init(x) := 0; next(x) := y; INVAR y > x LTLSPEC F x < 0";
    assert!(verdicts(text, 6)[0].starts_with("unknown"));
}
