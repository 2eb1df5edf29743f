//! For every preprocessing pass: a proof and a trace found after it, raised, check on the system before it.

#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use indubit::certify;
use indubit::run::Run;
use indubit::system::{Lower, Raise, Safety, Stack};
use indubit::{BitSystem, ENGINES, Options, Verdict};
use indubit_preproc::{Select, passes};

/// Decide bad signal `bad` with `engine` after the given passes, raise, and check on `system`.
fn round_trip(system: &BitSystem, bad: usize, engine: usize, passes: &[Box<dyn Lower<From = Safety>>]) {
    let mut observer = common::Patience::new();
    let mut run = Run::new(observer.cancel.clone(), &mut observer).with_bound(Some(20));
    let (mut safety, raise) = Select { bad }.lower(system, &mut run).unwrap();
    let mut stack = Stack::new();
    stack.push(raise);
    for pass in passes {
        let (smaller, raise) = pass.lower(&safety, &mut run).unwrap();
        assert!(smaller.latches.len() <= safety.latches.len() && smaller.inputs.len() <= safety.inputs.len());
        stack.push(raise);
        safety = smaller;
    }
    let found = (ENGINES[engine].make)(safety, &Options::default()).run(&mut run);
    let verdict = stack.verdict(found);
    let checked = certify::check(system, bad, &verdict, run.cancel()).unwrap();
    if let Err(reason) = checked {
        let names: Vec<_> = passes.iter().map(|p| p.name()).collect();
        panic!("{} after {names:?}: {reason}\n{verdict:?}", ENGINES[engine].name);
    }
}

#[test]
fn evidence_found_after_a_pass_checks_before_it() {
    for (_, system) in common::systems(150) {
        for bad in 0..system.bad_signals().len() {
            for engine in 0..ENGINES.len() {
                round_trip(&system, bad, engine, &[]);
                for pass in passes() {
                    round_trip(&system, bad, engine, &[pass]);
                }
                round_trip(&system, bad, engine, &passes());
            }
        }
    }
}

/// Lemmas travel too: a raised clause of an invariant holds in every reachable state of the system before.
#[test]
fn raised_lemmas_hold_before_the_pass() {
    let mut n_lemmas = 0;
    for (seed, system) in common::systems(150) {
        let mut observer = common::Patience::new();
        let mut run = Run::new(observer.cancel.clone(), &mut observer);
        let (safety, stack) = indubit_preproc::prepare(&system, 0, &mut run).unwrap();
        let found = (indubit::engine("ic3").unwrap().make)(safety, &Options::default()).run(&mut run);
        let Verdict::Safe(indubit::Proof::Inductive(invariant)) = found else { continue };
        for clause in invariant.clauses() {
            let Some(raised) = stack.clause(clause) else { continue };
            let mut lemma = indubit::Invariant::new(system.aig().n_vars());
            lemma.add(raised);
            n_lemmas += 1;
            let refutation = indubit_testkit::explicit::refute(&system, &lemma).unwrap();
            assert_eq!(refutation, None, "seed {seed}: {clause:?} is not an invariant after raising");
        }
    }
    assert!(n_lemmas > 0);
}
