//! For every preprocessing pass: a proof and a trace found after it, raised, check on the system before it.

use crate::common::{Patience, engines, systems};
use indubit::aig::simulate;
use indubit::certify;
use indubit::logic::{Clause, Lit, Var};
use indubit::run::Run;
use indubit::system::{Conclusion, Raise, Safety, Trace};
use indubit::{BitSystem, Bits, EngineId, EngineInfo, Evidence, Options, Proof};
use indubit_preproc::{PASSES, Passes, Prepared, Select, Stage, prepare};

/// The edge whose reachability decides a property.
fn select(system: &BitSystem, property: usize) -> Select {
    Select::one(system.property(property).unwrap().claim.target().unwrap())
}

/// What an engine concludes about a problem.
fn conclusion(engine: &EngineInfo, safety: Safety, run: &mut Run<'_>) -> Conclusion {
    (engine.bits.as_ref().unwrap().make)(safety, &Options::default()).run(run)
}

/// Decide a property with `engine` after the given passes, raise, and check on `system`.
fn round_trip(system: &BitSystem, property: usize, engine: &EngineInfo, passes: &Passes) {
    let mut patience = Patience::new();
    let mut run = patience.run().with_bound(Some(20));
    let mut prepared = Prepared::select(system, &select(system, property), &mut run).unwrap();
    for stage in passes.stages() {
        let Stage::Lower(pass) = stage else { continue };
        let before = prepared.safety.size();
        prepared.lower(&*pass, &mut run).unwrap();
        let after = prepared.safety.size();
        // Folding adds a latch and takes constraints away.
        assert!(
            pass.name() == "fold" || before.iter().zip(after).all(|(&before, after)| after <= before),
            "{} makes it larger",
            pass.name()
        );
    }
    let Prepared { safety, back, .. } = prepared;
    let evidence: Evidence<Bits> = match back.conclusion(conclusion(engine, safety, &mut run)) {
        Conclusion::Safe(proof) => Evidence::Proof(proof),
        Conclusion::Unsafe(trace) => Evidence::Trace(trace),
        Conclusion::Unknown { .. } => return,
    };
    let property = system.property(property).unwrap();
    if let Err(reason) = certify::check(system, &property, &evidence, run.cancel()).unwrap() {
        panic!("{} after {passes}: {reason}\n{evidence:?}", engine.name);
    }
}

#[test]
fn evidence_found_after_a_pass_checks_before_it() {
    for (_, system) in systems(150) {
        for property in 0..system.n_properties() {
            for engine in engines::<Bits>() {
                round_trip(&system, property, engine, &Passes::none());
                for pass in PASSES {
                    round_trip(&system, property, engine, &pass.name.parse().unwrap());
                }
                round_trip(&system, property, engine, &Passes::default());
            }
        }
    }
}

/// Lemmas travel too: a raised clause of an invariant holds in every reachable state of the system before.
#[test]
fn raised_lemmas_hold_before_the_pass() {
    let mut n_lemmas = 0;
    // After all of them hardly any random system has something left to learn.
    let sequences: Vec<Passes> = PASSES.iter().map(|p| p.name.parse().unwrap()).collect();
    for (seed, system) in systems(150) {
        for passes in &sequences {
            let mut patience = Patience::new();
            let mut run = patience.run();
            let Prepared { safety, back, .. } =
                prepare(&system, &select(&system, 0), passes, &mut run).unwrap();
            let found = conclusion(EngineId::Ic3.info(), safety, &mut run);
            let Conclusion::Safe(Proof::Inductive(invariant)) = found else { continue };
            for clause in invariant.clauses() {
                let Some(raised) = back.clause_up(clause) else { continue };
                let mut lemma = indubit::Invariant::new(system.aig().n_vars());
                lemma.add(raised);
                n_lemmas += 1;
                let refutation = indubit_testkit::explicit::refute(&system, &lemma).unwrap();
                let what = format!("seed {seed}: {clause:?} is not an invariant before {passes}");
                assert_eq!(refutation, None, "{what}");
            }
        }
    }
    assert!(n_lemmas > 0);
}

/// Whatever an engine says about nodes after all passes is said about the same values before them: along a run of the
/// small problem, and the same run of the system, a node that is true there is true here.
#[test]
fn raised_nodes_have_the_values_they_had() {
    let mut n_compared = 0;
    for (seed, system) in systems(150) {
        let mut patience = Patience::new();
        let mut run = patience.run();
        let Prepared { safety, back, .. } =
            prepare(&system, &select(&system, 0), &Passes::default(), &mut run).unwrap();
        let (trace, values) = random_run(&safety, seed);
        let raised = back.trace(trace);
        for var in (1..safety.aig.n_vars()).map(Var::from_index) {
            for sign in [false, true] {
                let mut claim = indubit::Invariant::new(safety.aig.n_vars());
                claim.add(Clause::new([var.lit(sign)]));
                let Proof::Inductive(claim) = back.proof(Proof::Inductive(claim)) else {
                    panic!("the shape of a proof stays");
                };
                let holds = holds_along(&system, &raised, &claim);
                for (step, values) in values.iter().enumerate() {
                    n_compared += 1;
                    let here = simulate::value(values, var.lit(sign));
                    assert!(!here || holds[step], "seed {seed}, step {step}, {var:?}, {sign}");
                }
            }
        }
    }
    assert!(n_compared > 1000);
}

/// A run of at most ten steps with random inputs that violates no constraint before its last step, and the values of all
/// nodes in each.
fn random_run(safety: &Safety, seed: u64) -> (Trace, Vec<Vec<bool>>) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let initial: Vec<bool> = safety.latches.iter().map(|l| l.init.unwrap_or_else(|| rng.bool())).collect();
    let mut trace = Trace::finite(initial.clone(), Vec::new());
    let mut all = Vec::new();
    let mut state = initial;
    for _ in 0..10 {
        let inputs: Vec<bool> = safety.inputs.iter().map(|_| rng.bool()).collect();
        let mut values = vec![false; safety.aig.n_vars()];
        let latches = safety.latches.iter().map(|l| l.var).zip(&state);
        for (var, &value) in latches.chain(safety.inputs.iter().copied().zip(&inputs)) {
            values[var.index()] = value;
        }
        simulate::propagate_bools(&safety.aig, &mut values);
        if !safety.constraints.iter().all(|&c| simulate::value(&values, c)) {
            break;
        }
        state = safety.latches.iter().map(|l| simulate::value(&values, l.next)).collect();
        trace.inputs.push(inputs);
        all.push(values);
    }
    if all.is_empty() {
        trace.inputs.push(safety.inputs.iter().map(|_| false).collect());
    }
    (trace, all)
}

/// In which steps of a run of the system the claim holds.
fn holds_along(system: &BitSystem, trace: &Trace, claim: &indubit::Invariant) -> Vec<bool> {
    let mut aig = system.aig().clone();
    let clauses = claim.build(&mut aig, |_, var| Lit::positive(var));
    let mut state = trace.initial.clone();
    let mut holds = Vec::new();
    for inputs in &trace.inputs {
        let mut values = vec![false; aig.n_vars()];
        for (latch, &value) in system.latches().iter().zip(&state) {
            values[latch.var.index()] = value;
        }
        for (input, &value) in system.inputs().iter().zip(inputs) {
            values[input.lit.var().index()] = value;
        }
        simulate::propagate_bools(&aig, &mut values);
        holds.push(clauses.iter().all(|&c| simulate::value(&values, c)));
        state = system.latches().iter().map(|l| simulate::value(&values, l.next)).collect();
    }
    holds
}
