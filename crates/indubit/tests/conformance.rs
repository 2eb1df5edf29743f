//! Every engine × every small model × certified, against explicit-state search.
//!
//! `INDUBIT_RANDOM=20000 cargo test --release -p indubit --test conformance` runs as many random systems.

mod common;
mod words;

use indubit::formats::aiger;
use indubit::run::{Run, Stop};
use indubit::{
    BitSystem, ENGINES, EngineInfo, Error, NOT_INDUCTIVE, Next, Portfolio, PropertyKind, SWITCHES, Strategy,
    Switch, Verdict, check, check_all,
};
use indubit_testkit::explicit::{self, Answer};
use indubit_testkit::models::Expected;
use indubit_testkit::{corpus, shrink};

/// Deep enough for most random systems; engines that never end alone stop here.
const BOUND: u32 = 24;

/// The checked verdict of one engine, with P1–P4 watched.
fn verdict(
    system: &BitSystem,
    property: usize,
    engine: &'static EngineInfo,
    bound: Option<u32>,
) -> Result<Verdict, Error> {
    let mut observer = common::Patience::new();
    let mut run = Run::new(observer.cancel.clone(), &mut observer).with_bound(bound).with_paranoia(true);
    check(system, property, with_light_passes(engine.into()), &mut run)
}

/// Engines are to have something to do: what the other passes leave of a random system is next to nothing, and they have
/// a suite of their own.
fn with_light_passes(mut strategy: Strategy) -> Strategy {
    strategy.passes = "coi,ternary".parse().expect("these passes exist");
    strategy
}

/// Does it ask only whether the property is inductive? Then it finds counterexamples of at most one step.
fn is_one_step(engine: &EngineInfo) -> bool {
    engine.name == "induction"
}

fn is_ic3(engine: &EngineInfo) -> bool {
    ["ic3", "quip"].contains(&engine.name)
}

/// Does it go through the lengths one by one, and so find a shortest counterexample?
fn is_bounded(engine: &EngineInfo) -> bool {
    ["bmc", "kind", "itp", "isb", "avy", "fsis", "naive"].contains(&engine.name)
}

/// One engine on one property must say what explicit search says. The evidence has been checked by `check`.
fn agrees(
    system: &BitSystem,
    property: usize,
    engine: &'static EngineInfo,
    truth: Answer,
) -> Result<(), String> {
    // Unrolling far is costly, on simple paths above all; the others need no bound.
    let bound = is_bounded(engine).then_some(BOUND);
    let verdict = verdict(system, property, engine, bound).map_err(|e| e.to_string())?;
    match (&verdict, truth.depth()) {
        (Verdict::Safe(_), None) => Ok(()),
        (Verdict::Unsafe(trace), Some(depth)) if is_bounded(engine) && trace.len() as u32 == depth => Ok(()),
        (Verdict::Unsafe(trace), Some(depth)) if !is_bounded(engine) && trace.len() as u32 >= depth => Ok(()),
        (Verdict::Unknown { stop: Stop::Bound, safe_up_to }, depth)
            if bound == *safe_up_to && depth.is_none_or(|d| d > BOUND) =>
        {
            Ok(())
        }
        (Verdict::Unknown { stop: Stop::Incomplete(NOT_INDUCTIVE), safe_up_to: Some(1) }, depth)
            if is_one_step(engine) && depth.is_none_or(|d| d > 1) =>
        {
            Ok(())
        }
        // Bounded engines may see that the constraints end every trace.
        (Verdict::Unknown { stop: Stop::Incomplete(_), .. }, None) if !engine.proves => Ok(()),
        _ => Err(format!("{} says {verdict:?}, explicit search says {truth:?}", engine.name)),
    }
}

/// All engines on all properties; the first disagreement.
fn disagreement(system: &BitSystem) -> Option<String> {
    let truths = explicit::check(system).ok()?;
    for (property, &truth) in truths.iter().enumerate() {
        for engine in ENGINES {
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
fn engines_agree_with_explicit_search_on_random_systems() {
    for (seed, system) in common::systems(400) {
        if let Some(reason) = disagreement(&system) {
            let small = shrink::shrink(&system, |s| disagreement(s).is_some());
            let file = aiger::write_ascii(&small);
            let reason = disagreement(&small).unwrap_or(reason);
            panic!("seed {seed}: {reason}\nshrunk to:\n{}", String::from_utf8_lossy(&file));
        }
    }
}

/// Values for a switch, chosen by chance.
fn setting(switch: &Switch, rng: &mut fastrand::Rng) -> String {
    let mut choices: Vec<&str> = switch.choices.split(", ").filter(|c| !c.contains(' ')).collect();
    if choices.len() < 2 {
        choices.extend(["0", "1", "2", "5", "30", "200"]);
    }
    format!("{}={}", switch.name, choices[rng.usize(..choices.len())])
}

/// Whatever is switched on or off, engines that prove say what explicit search says.
#[test]
fn switches_do_not_change_verdicts() {
    for (seed, system) in common::systems(400) {
        let Ok(truths) = explicit::check(&system) else { continue };
        let mut rng = fastrand::Rng::with_seed(seed);
        for engine in ENGINES.iter().filter(|e| e.proves && !["kind", "induction"].contains(&e.name)) {
            let mut strategy = Strategy::from(engine);
            let settings: Vec<String> = SWITCHES.iter().map(|s| setting(s, &mut rng)).collect();
            settings.iter().for_each(|s| strategy.options.set(s).expect("a value that there is"));
            let mut observer = common::Patience::new();
            let bound = is_bounded(engine).then_some(BOUND);
            let mut run = Run::new(observer.cancel.clone(), &mut observer)
                .with_seed(seed)
                .with_paranoia(true)
                .with_bound(bound);
            let verdict = check(&system, 0, with_light_passes(strategy), &mut run);
            let agrees = match (&verdict, truths[0].depth()) {
                (Ok(Verdict::Safe(_)), None) => true,
                (Ok(Verdict::Unsafe(trace)), Some(depth)) => trace.len() as u32 >= depth,
                (Ok(Verdict::Unknown { stop: Stop::Bound, .. }), depth) => {
                    bound.is_some() && depth.is_none_or(|d| d > BOUND)
                }
                _ => false,
            };
            assert!(
                agrees,
                "seed {seed}: {} with {settings:?} says {verdict:?}, not {:?}",
                engine.name, truths[0]
            );
        }
    }
}

/// Several engines at once, on one thread in turns or on several.
#[test]
fn portfolios_agree_with_explicit_search() {
    for (seed, system) in common::systems(60) {
        let Ok(truths) = explicit::check(&system) else { continue };
        for n_threads in [1, 2, 9] {
            let mut observer = common::Patience::new();
            let mut run = Run::new(observer.cancel.clone(), &mut observer);
            let verdict = check(&system, 0, Portfolio::for_cores(n_threads), &mut run);
            let agrees = match (&verdict, truths[0].depth()) {
                (Ok(Verdict::Safe(_)), None) => true,
                (Ok(Verdict::Unsafe(trace)), Some(depth)) => trace.len() as u32 >= depth,
                _ => false,
            };
            assert!(agrees, "seed {seed}: {verdict:?}, not {:?}", truths[0]);
        }
    }
}

/// With a bound, counterexamples up to it are found and none beyond it.
#[test]
fn bounds_are_exact() {
    let mut n_bounded = 0;
    for (seed, system) in common::systems(300) {
        let Some(depth) = explicit::check(&system).ok().and_then(|answers| answers[0].depth()) else {
            continue;
        };
        for engine in ENGINES.iter().filter(|engine| depth <= 1 || !is_one_step(engine)) {
            let found = verdict(&system, 0, engine, Some(depth)).expect("certified");
            let exact = matches!(&found, Verdict::Unsafe(trace) if trace.len() as u32 == depth);
            assert!(exact, "seed {seed}: {} says {found:?} within {depth}", engine.name);
            if depth > 0 {
                let missed = verdict(&system, 0, engine, Some(depth - 1)).expect("nothing to certify");
                let expected = Verdict::Unknown { stop: Stop::Bound, safe_up_to: Some(depth - 1) };
                assert_eq!(missed, expected, "seed {seed}: {}", engine.name);
                n_bounded += 1;
            }
        }
    }
    assert!(n_bounded > 0);
}

/// A system that breaks the rules of its type is refused before anything is made of it.
#[test]
fn malformed_systems_are_refused() {
    let mut system = BitSystem::new();
    let a = system.add_latch("a", None);
    system.add_bad("a", a);
    system.set_reset(a, !a);
    for engine in ENGINES {
        let refused = verdict(&system, 0, engine, Some(3));
        assert!(matches!(refused, Err(Error::Malformed(_))), "{refused:?}");
    }
    system.set_reset(a, a);
    let missing = verdict(&system, 1, &ENGINES[0], None);
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
            if let PropertyKind::Justice(_) = system.properties()[property.index].kind {
                let refused = verdict(&system, property.index, &ENGINES[0], None);
                assert!(matches!(refused, Err(Error::Liveness { .. })), "{place}: {refused:?}");
                continue;
            }
            for engine in ENGINES {
                let enough = if property.expected == Expected::Safe { 6 } else { 25 };
                let bound = is_bounded(engine).then_some(enough);
                let verdict = verdict(&system, property.index, engine, bound).expect("certified");
                let agrees = match (&verdict, property.expected) {
                    (Verdict::Safe(_), Expected::Safe) => true,
                    (Verdict::Unsafe(trace), Expected::Unsafe { depth }) => {
                        depth.is_none_or(|d| trace.len() as u32 >= d)
                    }
                    (Verdict::Unknown { stop, .. }, _) if is_one_step(engine) => {
                        *stop == Stop::Incomplete(NOT_INDUCTIVE)
                    }
                    (Verdict::Unknown { stop, .. }, Expected::Safe) => {
                        bound.is_some() && *stop == Stop::Bound
                    }
                    _ => false,
                };
                assert!(agrees, "{place}: {} says {verdict:?}", engine.name);
                n_decided += u32::from(!matches!(verdict, Verdict::Unknown { .. }));
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
        let verdict = verdict(&system, 0, &ENGINES[0], None).expect("certified");
        let agrees = match instance.expected {
            Expected::Safe => matches!(verdict, Verdict::Safe(_)),
            Expected::Unsafe { .. } => matches!(verdict, Verdict::Unsafe(_)),
            _ => true,
        };
        assert!(agrees, "{}: {verdict:?}", instance.path.display());
    }
}

/// All properties in one run are what they are one by one.
#[test]
fn all_at_once_is_the_same_as_one_by_one() {
    let mut n_told = 0;
    for (seed, system) in common::systems(300) {
        let Ok(truths) = explicit::check(&system) else { continue };
        let properties: Vec<usize> = (0..truths.len()).collect();
        for engine in ENGINES.iter().filter(|e| is_ic3(e)) {
            let mut observer = common::Patience::new();
            let mut run = Run::new(observer.cancel.clone(), &mut observer).with_paranoia(true);
            let mut told = vec![None; truths.len()];
            let mut strategy = Strategy::from(engine);
            strategy.options.pdr.share_frames = seed % 2 == 1;
            check_all(
                &system,
                &properties,
                with_light_passes(strategy),
                &mut run,
                &mut |property, verdict| {
                    told[property] = Some(verdict);
                    Next::GoOn
                },
            );
            for (property, (verdict, truth)) in told.iter().zip(&truths).enumerate() {
                let agrees = match (verdict, truth.depth()) {
                    (Some(Ok(Verdict::Safe(_))), None) => true,
                    (Some(Ok(Verdict::Unsafe(trace))), Some(depth)) => trace.len() as u32 >= depth,
                    _ => false,
                };
                assert!(agrees, "seed {seed}: {} {property}: {verdict:?}, not {truth:?}", engine.name);
                n_told += 1;
            }
        }
    }
    assert!(n_told > 0);
}
