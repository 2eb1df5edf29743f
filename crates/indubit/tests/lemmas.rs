//! Lemmas over random systems: what engines prove can be written, read and proved again; random lemmas are proved only if they hold; and
//! counterexamples to induction are what they claim to be.
//!
//! `INDUBIT_RANDOM=20000 cargo test --release -p indubit --test lemmas` runs as many random systems.

mod common;
#[path = "words/lemmas.rs"]
mod words;

use indubit::aig::simulate;
use indubit::formats::{aiger, lemmas};
use indubit::logic::{Clause, Lit};
use indubit::run::{Cancel, Ignore, Run};
use indubit::{
    BitSystem, ENGINES, Incremental, Invariant, NOT_INDUCTIVE, Proof, Standing, Strategy, Trace, Verdict,
    check, counterexample_to_induction, engine,
};
use indubit_testkit::{corpus, explicit};

/// The verdict about a property with the lemmas in a text.
fn prove(system: &BitSystem, property: usize, text: &str) -> Verdict {
    let read = lemmas::parse(text.as_bytes(), system).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut observer = Ignore;
    let mut run = Run::new(Cancel::new(), &mut observer);
    let mut proof = Incremental::new(system, &read.candidates, &mut run).expect("certified");
    proof.check(property, &mut run).expect("certified").0
}

/// Write the invariant of each property that an engine proves, and prove it again. How many there were.
fn round_trip(system: &BitSystem, strategy: &Strategy) -> usize {
    let mut n_proved = 0;
    for property in 0..system.bad_signals().len() {
        let mut observer = common::Patience::new();
        let mut run = Run::new(observer.cancel.clone(), &mut observer);
        let Ok(Verdict::Safe(Proof::Inductive(invariant))) =
            check(system, property, strategy.clone(), &mut run)
        else {
            continue;
        };
        let text = lemmas::write(system, &invariant, "");
        let again = prove(system, property, &text);
        assert!(
            matches!(again, Verdict::Safe(_)),
            "{again:?} with\n{text}in\n{}",
            String::from_utf8_lossy(&aiger::write_ascii(system))
        );
        n_proved += 1;
    }
    n_proved
}

#[test]
fn what_engines_prove_is_proved_again() {
    let mut n_proved = 0;
    for (seed, system) in common::systems(300) {
        let provers: Vec<_> = ENGINES.iter().filter(|e| e.proves && e.name != "kind").collect();
        let mut strategy = Strategy::from(provers[seed as usize % provers.len()]);
        if seed % 2 == 0 {
            strategy.passes = "coi,ternary".parse().expect("these passes exist");
        }
        n_proved += round_trip(&system, &strategy);
    }
    assert!(n_proved > 30, "{n_proved}");
}

#[test]
fn what_engines_prove_of_our_examples_is_proved_again() {
    let mut n_proved = 0;
    for example in corpus::examples() {
        let system = aiger::read(&example.path).expect("our own example");
        for name in ["ic3", "quip"] {
            let mut strategy = Strategy::from(engine(name).expect("it exists"));
            n_proved += round_trip(&system, &strategy);
            strategy.passes = "coi".parse().expect("this pass exists");
            n_proved += round_trip(&system, &strategy);
        }
    }
    assert!(n_proved > 100, "{n_proved}");
}

/// The value of an invariant where the nodes have these values.
fn holds(system: &BitSystem, invariant: &Invariant, values: &[bool]) -> bool {
    let mut aig = system.aig().clone();
    let edges = invariant.build(&mut aig, |_, var| Lit::positive(var));
    let mut values = values.to_vec();
    values.resize(aig.n_vars(), false);
    simulate::propagate_bools(&aig, &mut values);
    edges.iter().all(|&edge| simulate::value(&values, edge))
}

/// Is it a step in which the constraints hold, from where all of `given` holds to where `broken` does not?
fn breaks(system: &BitSystem, cti: &Trace, given: &Invariant, broken: &Invariant) -> bool {
    let now = system.evaluate(&cti.initial, &cti.inputs[0]);
    let next = system.evaluate(&system.next_state(&now), &cti.inputs[1]);
    let constrained = |values: &[bool]| system.constraints.iter().all(|c| simulate::value(values, c.lit));
    cti.inputs.len() == 2
        && constrained(&now)
        && constrained(&next)
        && holds(system, given, &now)
        && holds(system, broken, &now)
        && !holds(system, broken, &next)
}

fn property(system: &BitSystem, bad: usize) -> Invariant {
    let mut property = Invariant::new(system.aig().n_vars());
    property.add(Clause::new([!system.bad_signals()[bad].lit]));
    property
}

#[test]
fn counterexamples_to_induction_are_steps_of_the_model() {
    let induction = engine("induction").expect("it exists");
    let mut n_steps = 0;
    for (seed, system) in common::systems(300) {
        let mut observer = Ignore;
        let mut run = Run::new(Cancel::new(), &mut observer);
        let nothing = Invariant::new(system.aig().n_vars());
        for index in 0..system.bad_signals().len() {
            let verdict = check(&system, index, induction, &mut run).expect("certified");
            let cti = counterexample_to_induction(&system, index, &nothing, &run).expect("not cancelled");
            let is_breaking = cti.map(|cti| breaks(&system, &cti, &nothing, &property(&system, index)));
            let expected = match verdict {
                Verdict::Safe(_) => is_breaking.is_none(),
                Verdict::Unsafe(_) => is_breaking != Some(false),
                Verdict::Unknown { stop, .. } => {
                    stop == indubit::run::Stop::Incomplete(NOT_INDUCTIVE) && is_breaking == Some(true)
                }
            };
            assert!(expected, "seed {seed}: {is_breaking:?}");
            n_steps += usize::from(is_breaking.is_some());
        }
    }
    assert!(n_steps > 50, "{n_steps}");
}

/// Random clauses over any nodes, inputs among them.
#[test]
fn random_lemmas_stand_as_they_should() {
    let mut n = [0; 4];
    for (seed, system) in common::systems(300) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let n_vars = system.aig().n_vars();
        let mut candidates = Invariant::new(n_vars);
        for _ in 0..rng.usize(1..12) {
            let n_lits = rng.usize(1..4);
            let lit = |_| Lit::from_code(rng.u32(2..2 * n_vars.max(2) as u32));
            candidates.add(Clause::new((0..n_lits).map(lit)));
        }
        let mut observer = Ignore;
        let mut run = Run::new(Cancel::new(), &mut observer);
        let mut proof = Incremental::new(&system, &candidates, &mut run).expect("certified");
        let proved = proof.proved();
        for (i, standing) in proof.standings().iter().enumerate() {
            let own = candidates.select(&[i]);
            match standing {
                Standing::Trivial => n[0] += 1,
                Standing::Proved(_) => n[1] += 1,
                Standing::FalseInitially(trace) => {
                    let values = system.evaluate(&trace.initial, &trace.inputs[0]);
                    assert!(!holds(&system, &own, &values), "seed {seed}");
                    n[2] += 1;
                }
                Standing::NotInductive(cti) => {
                    assert!(breaks(&system, cti, &proved, &own), "seed {seed}");
                    n[3] += 1;
                }
                Standing::Unknown(stop) => panic!("seed {seed}: {stop}"),
            }
        }
        let Ok(truths) = explicit::check(&system) else { continue };
        for (index, truth) in truths.iter().enumerate() {
            let (verdict, _) = proof.check(index, &mut run).expect("certified");
            let agrees = match verdict {
                Verdict::Safe(_) => truth.is_safe(),
                Verdict::Unsafe(trace) => truth.depth() == Some(trace.len() as u32),
                Verdict::Unknown { safe_up_to, .. } => {
                    safe_up_to == Some(1) && truth.depth().is_none_or(|depth| depth > 1)
                }
            };
            assert!(agrees, "seed {seed}: property {index} is {truth:?}");
        }
    }
    assert!(n.iter().all(|&n| n > 10), "{n:?}");
}
