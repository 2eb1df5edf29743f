//! Random calls of every solver, each answer checked against enumeration or another solver.
//!
//! A failing trace is made small and printed; put it into a file of `tests/regressions/`, and it is replayed ever
//! after. With `INDUBIT_RANDOM=200000` that many traces are tried, from `INDUBIT_SEED` on.
//!
//! To try another call of a solver: a variant in `trace::Op` with its text, where it is generated in `generate`, what
//! it does in `replay::Replay::step`, with the check of its answer.

#![allow(clippy::unwrap_used)] // a test may panic

mod generate;
mod oracle;
mod replay;
mod shrink;
mod subject;
mod trace;

use replay::{Met, replay};
use trace::Trace;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

#[test]
fn random_traces() {
    let first = number("INDUBIT_SEED", 0);
    let n = number("INDUBIT_RANDOM", 10_000);
    let mut met = Met::default();
    for seed in first..first + n {
        let trace = generate::trace(seed);
        match replay(&trace) {
            Ok(more) => met.add(more),
            Err(what) => {
                let small = shrink::shrink(&trace, |t| replay(t).is_err());
                let now = replay(&small).err();
                panic!("seed {seed}: {what}\nmade smaller, {}:\n{small}", now.unwrap_or_default());
            }
        }
    }
    println!("{n} traces: {met:?}");
    if n >= 4000 {
        let Met { models, refutations, limits, cancellations, clones, unassigned, eliminated } = met;
        let least = [models, refutations, limits, cancellations, clones, unassigned, eliminated];
        assert!(least.iter().all(|&m| m > 100), "{met:?}");
    }
}

#[test]
fn regressions() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "trace") {
            let trace = trace::parse(&std::fs::read_to_string(&path).unwrap());
            let result = replay(&trace.unwrap_or_else(|| panic!("{}: malformed", path.display())));
            assert!(result.is_ok(), "{}: {result:?}", path.display());
        }
    }
}

#[test]
fn traces_are_text() {
    for seed in 0..300 {
        let trace = generate::trace(seed);
        let again = trace::parse(&trace.to_string()).unwrap();
        assert_eq!((&again.ops, again.to_string()), (&trace.ops, trace.to_string()));
    }
    for wrong in ["", "solver rel", "solver magic order heap", "clause 1"] {
        assert!(trace::parse(wrong).is_none());
    }
}

/// A planted mistake, "two is never assumed", is pinned down.
#[test]
fn shrinking_keeps_what_matters() {
    use trace::Op;
    let fails = |t: &Trace| {
        t.ops.iter().any(|op| matches!(op, Op::Solve { assumptions, .. } if assumptions.contains(&2)))
    };
    let trace = (0..).map(generate::trace).find(|t| t.ops.len() > 20 && fails(t)).unwrap();
    let small = shrink::shrink(&trace, fails);
    assert!(matches!(&small.ops[..], [Op::Solve { assumptions, .. }] if *assumptions == [2]), "{small}");
}
