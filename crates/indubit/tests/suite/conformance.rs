//! Every engine × every small model × certified, against search that visits all states.

use crate::common::{
    self, Found, Patience, Searched, engines, found, is_bounded, is_one_step, is_prover, is_right,
};
use indubit::formats::aiger;
use indubit::run::{Cancel, Run, Stop};
use indubit::{
    BitSystem, Bits, ClaimKind, EngineId, EngineInfo, Error, NOT_INDUCTIVE, Plan, Proves, SWITCHES, Strategy,
    Verdict, Words, check,
};
use indubit_testkit::models::Expected;
use indubit_testkit::{corpus, random_words, shrink};

/// Deep enough for most random systems; engines that never end alone stop here.
const BOUND: u32 = 24;
/// Long enough for the deepest random system over words.
const BOUND_OF_WORDS: u32 = 150;

/// The checked verdict of one engine, with P1–P4 watched.
fn verdict(
    system: &BitSystem,
    property: usize,
    engine: &'static EngineInfo,
    bound: Option<u32>,
) -> Result<Verdict<Bits>, Error<Bits>> {
    let mut patience = Patience::new();
    let mut run = patience.run().with_bound(bound).with_paranoia(true);
    check(system, property, with_light_passes(engine.into()), &mut run)
}

/// Engines are to have something to do: what the other passes leave of a random system is next to nothing, and they have
/// a suite of their own.
fn with_light_passes(mut strategy: Strategy) -> Strategy {
    strategy.passes = "coi,ternary".parse().expect("these passes exist");
    strategy
}

/// One engine on one property must say what explicit search says. The evidence has been checked by `check`.
fn agrees(
    system: &BitSystem,
    property: usize,
    engine: &'static EngineInfo,
    truth: Option<u32>,
) -> Result<(), String> {
    // Unrolling far is costly, on simple paths above all; the others need no bound.
    let bound = is_bounded(engine).then_some(BOUND);
    let verdict = verdict(system, property, engine, bound).map_err(|e| e.to_string())?;
    let agrees = common::agrees(engine, bound, found(&verdict), truth);
    if agrees { Ok(()) } else { Err(format!("{} says {verdict:?}, search says {truth:?}", engine.name)) }
}

/// All engines on all properties; the first disagreement.
fn disagreement(system: &BitSystem) -> Option<String> {
    let truths = Bits::shortest(system)?;
    for (property, &truth) in truths.iter().enumerate() {
        for engine in engines::<Bits>() {
            let attempt = || agrees(system, property, engine, truth);
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(attempt));
            let result = result.unwrap_or_else(|_| Err(format!("{} panicked", engine.name)));
            if let Err(reason) = result {
                return Some(format!("property {property}: {reason}"));
            }
        }
    }
    None
}

#[test]
fn engines_agree_with_search_on_random_systems() {
    for (seed, system) in common::systems(400) {
        if let Some(reason) = disagreement(&system) {
            let small = shrink::shrink(&system, |s| disagreement(s).is_some());
            let file = aiger::write_ascii(&small);
            let reason = disagreement(&small).unwrap_or(reason);
            panic!("seed {seed}: {reason}\nshrunk to:\n{}", String::from_utf8_lossy(&file));
        }
    }
}

/// How many properties of random systems over words an engine proves, refutes, and leaves open.
fn told_of_words(engine: &'static EngineInfo) -> [u64; 3] {
    let mut told = [0; 3];
    for seed in common::seeds(60) {
        let system = Words::random(seed);
        for (property, truth) in Words::shortest(&system).into_iter().flatten().enumerate() {
            let place = format!("{}, seed {seed}, property {property}", engine.name);
            let mut patience = Patience::new();
            let mut run = patience.run().with_bound(Some(BOUND_OF_WORDS)).with_seed(seed);
            let verdict = check::<Words>(&system, property, engine, &mut run);
            let verdict = verdict.unwrap_or_else(|error| panic!("{place}: {error}"));
            let found = found(&verdict);
            assert!(is_right(found, truth), "{place}: {verdict:?}, expected {truth:?}");
            let at = match found {
                Found::Proof => 0,
                Found::Trace(_) => 1,
                Found::Unknown(..) => 2,
            };
            told[at] += 1;
        }
    }
    told
}

#[test]
fn engines_agree_with_search_on_random_systems_over_words() {
    for engine in engines::<Words>() {
        let [safe, violated, unknown] = told_of_words(engine);
        println!("{}: {safe} safe, {violated} unsafe, {unknown} unknown", engine.name);
        assert!(violated > 0 && (safe > 0 || !is_prover(engine)));
        // Integers may be too much for an interpolant, rarely.
        assert!(!is_prover(engine) || unknown * 10 <= safe + violated, "{}: {unknown} unknown", engine.name);
    }
}

/// Wolff, §4.3 (docs/SOURCES.md), says that eager refinement prevents the first scenario, and that nobody has shown it. It does not.
#[test]
fn eager_refinement_leaves_steps_into_states_that_no_step_leads_into() {
    let mut strategy = Strategy::from(EngineId::Ctigar);
    strategy.options.set("refine=eagerly").expect("a value that there is");
    let mut n_refinements = 0;
    for seed in 0..100 {
        let system = random_words::system(&mut fastrand::Rng::with_seed(seed));
        let mut run = Run::new(Cancel::new()).with_bound(Some(20));
        check::<Words>(&system, 0, strategy.clone(), &mut run).expect("certified");
        let counts = run.take_record().counts.into_iter();
        n_refinements +=
            counts.filter(|(name, _)| *name == "refinements by consecution").map(|c| c.1).sum::<u64>();
    }
    assert!(n_refinements > 0);
}

fn ends_at_once<K: Searched>() {
    let system = K::random(1);
    let alone = engines::<K>().map(|engine| (engine.name, Plan::from(engine)));
    for (name, plan) in alone.chain([1, 2, 7].map(|n| ("portfolio", Plan::portfolio(n)))) {
        let cancel = Cancel::new();
        cancel.cancel();
        let verdict = check::<K>(&system, 0, plan, &mut Run::new(cancel));
        assert!(
            matches!(verdict, Ok(Verdict::Unknown { stop: Stop::Cancelled, .. })),
            "{name} of {}",
            K::NAME
        );
    }
}

#[test]
fn a_cancelled_run_ends() {
    ends_at_once::<Bits>();
    ends_at_once::<Words>();
}

/// Whatever is switched on or off, engines that prove say what explicit search says.
#[test]
fn switches_do_not_change_verdicts() {
    let provers = |e: &&EngineInfo| is_prover(e) && ![EngineId::Kind, EngineId::Induction].contains(&e.id);
    for (seed, system) in common::systems(400) {
        let Some(truths) = Bits::shortest(&system) else { continue };
        let mut rng = fastrand::Rng::with_seed(seed);
        for engine in engines::<Bits>().filter(provers) {
            let mut strategy = Strategy::from(engine);
            let settings: Vec<String> = SWITCHES.iter().map(|s| common::setting(s, &mut rng)).collect();
            settings.iter().for_each(|s| strategy.options.set(s).expect("a value that there is"));
            let mut patience = Patience::new();
            let bound = is_bounded(engine).then_some(BOUND);
            let mut run = patience.run().with_seed(seed).with_paranoia(true).with_bound(bound);
            let verdict = check::<Bits>(&system, 0, with_light_passes(strategy), &mut run);
            let agrees = match (verdict.as_ref().map(found), truths[0]) {
                (Ok(Found::Proof), None) => true,
                (Ok(Found::Trace(length)), Some(depth)) => length >= depth,
                (Ok(Found::Unknown(Stop::Bound, _)), depth) => {
                    bound.is_some() && depth.is_none_or(|d| d > BOUND)
                }
                _ => false,
            };
            let name = engine.name;
            assert!(agrees, "seed {seed}: {name} with {settings:?} says {verdict:?}, not {:?}", truths[0]);
        }
    }
}

/// With a bound, counterexamples up to it are found and none beyond it.
#[test]
fn bounds_are_exact() {
    let mut n_bounded = 0;
    for (seed, system) in common::systems(300) {
        let Some(depth) = Bits::shortest(&system).and_then(|truths| truths[0]) else { continue };
        for engine in engines::<Bits>().filter(|engine| depth <= 1 || !is_one_step(engine)) {
            let of = |bound| found(&verdict(&system, 0, engine, Some(bound)).expect("certified"));
            assert_eq!(of(depth), Found::Trace(depth), "seed {seed}: {}", engine.name);
            if depth > 0 {
                let missed = Found::Unknown(Stop::Bound, Some(depth - 1));
                assert_eq!(of(depth - 1), missed, "seed {seed}: {}", engine.name);
                n_bounded += 1;
            }
        }
    }
    assert!(n_bounded > 0);
}

/// What is known about a property is not taken for what is known about another one, whoever asks for both.
#[test]
fn one_run_for_several_properties_knows_what_belongs_to_which() {
    // Two latches that swap their values, and never have the same; one that is set after a step.
    let mut system = BitSystem::new();
    let [a, b, c] = [true, false, false].map(|init| system.add_latch("", Some(init)));
    for (latch, next) in [(a, b), (b, a), (c, !c)] {
        system.set_next(latch, next);
    }
    let both = system.aig_mut().and(a, b);
    system.add_bad("never", both);
    system.add_bad("soon", c);
    for engine in [EngineId::Bmc, EngineId::Kind] {
        let mut run = Run::new(Cancel::new()).with_bound(Some(9));
        // Nothing but the engine decides.
        let strategy = Strategy { passes: "coi".parse().expect("this pass exists"), ..engine.into() };
        let never = check::<Bits>(&system, 0, strategy.clone(), &mut run);
        assert!(never.is_ok_and(|verdict| verdict.trace().is_none()));
        let soon = check::<Bits>(&system, 1, strategy, &mut run).expect("certified");
        assert_eq!(found(&soon), Found::Trace(1), "{engine}");
    }
}

/// A system that breaks the rules of its type is refused before anything is made of it.
#[test]
fn malformed_systems_are_refused() {
    let mut system = BitSystem::new();
    let a = system.add_latch("a", None);
    system.add_bad("a", a);
    system.set_reset(a, !a);
    for engine in engines::<Bits>() {
        let refused = verdict(&system, 0, engine, Some(3));
        assert!(matches!(refused, Err(Error::Malformed(_))), "{refused:?}");
    }
    system.set_reset(a, a);
    let missing = verdict(&system, 1, EngineId::Ic3.info(), None);
    assert!(matches!(missing, Err(Error::NoSuchProperty { index: 1, available: 1 })));
}

/// Models on which something was wrong once, each named by what broke.
#[test]
fn regressions_stay_fixed() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    let mut n_models = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of regressions") {
        let path = entry.expect("a readable folder").path();
        let system = aiger::read(&path).expect("a well-formed model");
        assert_eq!(disagreement(&system), None, "{}", path.display());
        n_models += 1;
    }
    assert!(n_models >= 3);
}

/// Every engine on every property of our examples. The deepest counterexample has 25 steps, so engines that unroll
/// need look no further. Where there is none, they may not have found a proof by 6; the others must decide.
#[test]
fn engines_agree_on_our_examples() {
    let mut n_decided = 0;
    for model in corpus::examples() {
        let system = aiger::read(&model.path).expect("our own example");
        for property in &model.properties {
            let place = format!("{} {}", model.path.display(), property.label);
            if system.properties()[property.index].claim.kind() == ClaimKind::Justice {
                let refused = verdict(&system, property.index, EngineId::Ic3.info(), None);
                assert!(matches!(refused, Err(Error::Unsupported { .. })), "{place}: {refused:?}");
                continue;
            }
            for engine in engines::<Bits>() {
                let enough = if property.expected == Expected::Safe { 6 } else { 25 };
                let bound = is_bounded(engine).then_some(enough);
                let verdict = verdict(&system, property.index, engine, bound).expect("certified");
                let agrees = match (found(&verdict), property.expected) {
                    (Found::Proof, Expected::Safe) => true,
                    (Found::Trace(length), Expected::Unsafe { depth }) => depth.is_none_or(|d| length >= d),
                    (Found::Unknown(stop, _), _) if is_one_step(engine) => {
                        stop == Stop::Incomplete(NOT_INDUCTIVE)
                    }
                    (Found::Unknown(stop, _), Expected::Safe) => bound.is_some() && stop == Stop::Bound,
                    _ => false,
                };
                assert!(agrees, "{place}: {} says {verdict:?}", engine.name);
                n_decided += u32::from(verdict.truth().is_some());
            }
        }
    }
    assert!(n_decided > 50);
}

/// The small third-party instances, where they are at hand.
#[test]
fn ic3_decides_the_smoke_set() {
    for instance in corpus::benchmarks("smoke.csv") {
        if instance.track != "aiger-safety" {
            continue;
        }
        let system = aiger::read(&instance.path).expect("a well-formed file");
        let verdict = verdict(&system, 0, EngineId::Ic3.info(), None).expect("certified");
        let agrees = match instance.expected {
            Expected::Safe => verdict.truth() == Some(true),
            Expected::Unsafe { .. } => verdict.truth() == Some(false),
            _ => true,
        };
        assert!(agrees, "{}: {verdict:?}", instance.path.display());
    }
}

/// Several engines at once, on one thread in turns or on several.
#[test]
fn portfolios_agree_with_search() {
    portfolios_agree::<Bits>(60);
    portfolios_agree::<Words>(20);
}

fn portfolios_agree<K: Searched>(n_systems: u64) {
    for seed in common::seeds(n_systems) {
        let system = K::random(seed);
        let Some(truths) = K::shortest(&system) else { continue };
        for n_threads in [1, 2, 9] {
            let mut patience = Patience::new();
            let verdict = check::<K>(&system, 0, Plan::portfolio(n_threads), &mut patience.run());
            let agrees = match (verdict.as_ref().map(found), truths[0]) {
                (Ok(Found::Proof), None) => true,
                (Ok(Found::Trace(length)), Some(depth)) => length >= depth,
                _ => false,
            };
            assert!(agrees, "seed {seed} of {}: {verdict:?}, not {:?}", K::NAME, truths[0]);
        }
    }
}

/// A portfolio that is to have invariants is left with those who have some, and whoever looks for bugs.
#[test]
fn who_finds_bugs_is_welcome_where_invariants_are_wanted() {
    for (seed, system) in common::systems(20) {
        let Some(truths) = Bits::shortest(&system) else { continue };
        let plan = Plan { wants_invariants: true, ..Plan::portfolio(2) };
        let mut patience = Patience::new();
        let verdict = check::<Bits>(&system, 0, plan, &mut patience.run()).expect("certified");
        assert_eq!(verdict.truth(), Some(truths[0].is_none()), "seed {seed}");
        assert!(verdict.proof().is_none_or(|proof| matches!(proof, indubit::Proof::Inductive(_))));
    }
    assert_eq!(EngineId::Bmc.info().bits.as_ref().map(|e| e.proves), Some(Proves::Nothing));
}
