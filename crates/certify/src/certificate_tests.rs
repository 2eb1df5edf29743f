use super::*;
use crate::solver::by_either;
use indubit_formats::{aiger, certificate as file};
use indubit_logic::Clause;
use indubit_run::Cancel;
use indubit_system::{Invariant, Proof};
use indubit_testkit::{explicit, random};

const ALL: [Check; 6] =
    [Check::Reset, Check::Transition, Check::Safety, Check::Base, Check::Inductive, Check::Extension];

/// The checks that fail.
fn failing(model: &BitSystem, witness: &BitSystem) -> Vec<Check> {
    let mapping = Mapping::read(model, witness).unwrap();
    let [believed, audited] = [false, true].map(|paranoid| {
        let by = Solving::new(&Cancel::new()).with_paranoia(paranoid);
        let mut checker = Checker { model, witness, mapping: &mapping, aig: Aig::new(), by };
        ALL.into_iter().filter(|&check| checker.run(check).unwrap().is_some()).collect()
    });
    assert_eq!(believed, audited);
    believed
}

/// Two bits that swap for ever, never both set, and a bit `c` that starts with 0 and keeps its value.
fn swap() -> BitSystem {
    let mut model = BitSystem::new();
    let a = model.add_latch("a", Some(true));
    let b = model.add_latch("b", Some(false));
    model.add_latch("c", Some(false));
    model.set_next(a, b);
    model.set_next(b, a);
    let both = model.aig_mut().and(a, b);
    model.add_bad("both", both);
    model
}

/// Its witness circuit, with the invariant that exactly one is set.
fn swap_witness(model: &BitSystem) -> BitSystem {
    let [a, b] = [0, 1].map(|i| Lit::positive(model.latches()[i].var));
    let mut invariant = Invariant::new(model.aig().n_vars());
    invariant.add(Clause::new([a, b]));
    invariant.add(Clause::new([!a, !b]));
    file::build(model, &model.properties()[0], &Proof::Inductive(invariant), "swap.aag")
}

#[test]
fn a_good_witness_passes_and_each_check_can_fail_alone() {
    let model = swap();
    let good = swap_witness(&model);
    assert_eq!(failing(&model, &good), []);
    assert_eq!(by_either(|by| check_certificate(&model, &good, by)), Ok(()));
    let c = Lit::positive(good.latches()[2].var);

    let mut witness = good.clone();
    witness.set_reset(c, Lit::TRUE);
    assert_eq!(failing(&model, &witness), [Check::Reset]);

    let mut witness = good.clone();
    witness.set_next(c, !c);
    assert_eq!(failing(&model, &witness), [Check::Transition]);

    let mut witness = good.clone();
    witness.bads[0].lit = Lit::FALSE;
    assert_eq!(failing(&model, &witness), [Check::Safety]);

    let mut witness = good.clone();
    witness.bads[0].lit = Lit::TRUE;
    assert_eq!(failing(&model, &witness), [Check::Base]);

    // Only "not both": kept by each step, because a swap keeps it. Make b forget instead.
    let mut model = swap();
    let b = Lit::positive(model.latches()[1].var);
    model.set_next(b, c);
    let mut witness = swap_witness(&model);
    let weak = {
        let [a, b] = [0, 1].map(|i| Lit::positive(witness.latches()[i].var));
        witness.aig_mut().and(a, b)
    };
    witness.bads[0].lit = weak;
    assert_eq!(failing(&model, &witness), [Check::Inductive]);
    let refusal = by_either(|by| check_certificate(&model, &witness, by)).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "the inductive check of the witness circuit fails: its property is not kept by every step \
         (for example with a = 0, b = 1, c = 1)"
    );
}

#[test]
fn constraints_of_the_witness_are_obligations() {
    let model = swap();
    let mut witness = swap_witness(&model);
    let c = Lit::positive(witness.latches()[2].var);
    // `c` starts with 0 and keeps it, so this excludes no step of the model.
    witness.add_constraint("", !c);
    assert_eq!(failing(&model, &witness), []);
    witness.constraints[0].lit = c;
    assert_eq!(failing(&model, &witness), [Check::Reset]);
    // With the model's own constraints the witness may exclude as much.
    let mut model = swap();
    let i = model.add_input("i");
    model.add_constraint("", i);
    let mut witness = swap_witness(&model);
    assert_eq!((failing(&model, &witness), witness.constraints.len()), (vec![], 1));
    let i = witness.inputs()[0].lit;
    witness.constraints[0].lit = !i;
    assert!(failing(&model, &witness).contains(&Check::Reset));
}

#[test]
fn resets_must_be_stratified() {
    let model = aiger::parse(b"aag 1 0 1 1 0\n2 2\n3\n").unwrap();
    let mut witness = BitSystem::new();
    let l = witness.add_latch("", None);
    witness.set_reset(l, !l);
    let refusal = by_either(|by| check_certificate(&model, &witness, by)).unwrap_err();
    assert!(refusal.to_string().contains("not stratified"), "{refusal}");
}

#[test]
fn a_latch_may_be_simulated_by_an_input() {
    // One latch toggles, the other one follows it: never both.
    let model = aiger::parse(b"aag 3 0 2 1 1\n2 3\n4 2\n6\n6 4 2\n").unwrap();
    // In the witness the first is an input, and both is possible.
    let witness = aiger::parse(b"aag 3 1 1 1 1\n2\n4 2\n6\n6 4 2\ni0 = 2\nl0 = 4\n").unwrap();
    assert_eq!(failing(&model, &witness), [Check::Inductive]);
    // A property that does not need the latch.
    let model = aiger::parse(b"aag 3 0 2 1 0\n2 3\n4 4\n4\n").unwrap();
    let witness = aiger::parse(b"aag 2 1 1 1 0\n2\n4 4\n4\ni0 = 2\nl0 = 4\n").unwrap();
    assert_eq!(failing(&model, &witness), []);
    // A model's input simulated by a latch would restrict it.
    let model = aiger::parse(b"aag 1 1 0 1 0\n2\n2\n").unwrap();
    let witness = aiger::parse(b"aag 1 0 1 1 0\n2 2\n2\nl0 = 2\n").unwrap();
    assert_eq!(failing(&model, &witness), [Check::Reset, Check::Transition]);
}

#[test]
fn unmapped_latches_of_the_model_are_free() {
    // Latch 2 stays 0, latch 4 copies it. Without latch 2 in the mapping nothing is known about it.
    let model = aiger::parse(b"aag 2 0 2 1 0\n2 2\n4 2\n4\n").unwrap();
    let all = aiger::parse(b"aag 3 0 2 1 1\n2 2\n4 2\n7\n6 3 5\n").unwrap();
    assert_eq!(failing(&model, &all), []);
    let some = aiger::parse(b"aag 1 0 1 1 0\n2 2\n2\nl0 = 4\n").unwrap();
    assert_eq!(failing(&model, &some), [Check::Transition]);
}

/// A free bit that keeps its value, bad if it is set in the second step: unsafe.
const HOLDS_STILL: &[u8] = b"aag 3 0 2 1 1\n2 2 2\n4 1\n6\n6 2 4\n";

#[test]
fn images_that_are_gates() {
    // The model's latch 2 is uninitialised and then 0 for ever; it must be 0 in the second step.
    let model = aiger::parse(b"aag 3 0 2 1 1\n2 0 2\n4 1\n6\n6 2 4\n").unwrap();
    // The witness has an input instead that counts in the first step only: gate 6 = input & !second.
    let witness = b"aag 4 1 1 1 2\n2\n4 1\n8\n6 2 5\n8 6 4\nc\nMAPPING 2\n6 2\n4 4\n";
    assert_eq!(failing(&model, &aiger::parse(witness).unwrap()), []);
    // It does not follow a model whose latch keeps its value: once 1, the gate cannot stay 1.
    let unsafe_model = aiger::parse(HOLDS_STILL).unwrap();
    let failed = failing(&unsafe_model, &aiger::parse(witness).unwrap());
    assert_eq!(failed, [Check::Extension]);
    assert!(explicit::check(&unsafe_model).unwrap()[0].depth().is_some());
}

#[test]
fn images_that_cannot_take_every_value_are_refused() {
    let refuses = |model: &[u8], witness: &[u8]| {
        let (model, witness) = (aiger::parse(model).unwrap(), aiger::parse(witness).unwrap());
        failing(&model, &witness) == [Check::Extension]
    };
    // Both inputs of the model, which is bad when they differ, are the one input of the witness.
    let model = b"aag 3 2 0 1 1\n2\n4\n6\n6 2 5\n";
    assert!(refuses(model, b"aag 1 1 0 1 0\n2\n0\nc\nMAPPING 2\n2 2\n2 4\n"));
    // A constant stands for the input of a model that is bad when it is set.
    assert!(refuses(b"aag 1 1 0 1 0\n2\n2\n", b"aag 0 0 0 1 0\n0\nc\nMAPPING 1\n0 2\n"));
    // A latch with the wrong reset is hidden behind a constant.
    assert!(refuses(b"aag 1 0 1 1 0\n2 2 1\n2\n", b"aag 0 0 0 1 0\n0\nc\nMAPPING 1\n0 2\n"));
    // Nothing to prove: nothing to refuse.
    assert!(!refuses(b"aag 1 1 0 0 0\n2\n", b"aag 0 0 0 1 0\n0\nc\nMAPPING 1\n0 2\n"));
}

#[test]
fn proofs_of_random_systems() {
    let config = random::Config { bads: 1..=1, ..random::Config::default() };
    let mut n_safe = 0;
    for seed in 0..400 {
        let model = random::system(seed, &config);
        let safe = explicit::check(&model).unwrap()[0].is_safe();
        // The set of all reachable states as an invariant, one clause for each state that is not in it.
        let reachable = explicit::reachable_states(&model).unwrap();
        let mut invariant = Invariant::new(model.aig().n_vars());
        for state in 0..1u32 << model.latches().len() {
            let bits: Vec<bool> = (0..model.latches().len()).map(|i| state >> i & 1 == 1).collect();
            if !reachable.contains(&bits) {
                let lits = model.latches().iter().zip(&bits).map(|(l, &b)| l.var.lit(b));
                invariant.add(Clause::new(lits));
            }
        }
        let witness = file::build(&model, &model.properties()[0], &Proof::Inductive(invariant.clone()), "");
        let result = by_either(|by| check_certificate(&model, &witness, by));
        assert_eq!(result.is_ok(), safe, "seed {seed}: {result:?}");
        n_safe += usize::from(safe);
        // Written and read back, in both formats, it is the same.
        for bytes in [aiger::write_ascii(&witness), aiger::write_binary(&witness)] {
            let again = aiger::parse(&bytes).unwrap();
            assert_eq!(failing(&model, &again), failing(&model, &witness), "seed {seed}");
        }
    }
    assert!((100..350).contains(&n_safe), "{n_safe}");
}

#[test]
fn mutated_witnesses_of_unsafe_systems_never_pass() {
    let config = random::Config { bads: 1..=1, ..random::Config::default() };
    let mut n = 0;
    for seed in 0..300u64 {
        let model = random::system(seed, &config);
        if explicit::check(&model).unwrap()[0].is_safe() {
            continue;
        }
        // Another random system, with whatever mapping, is no proof.
        for other in 0..20 {
            let mut witness = random::system(1_000_000 + 20 * seed + other, &config);
            let n_leaves = (model.inputs().len() + model.latches().len()) as u64;
            let n_nodes = 2 * witness.aig().n_vars() as u64;
            let pair = |i: u64| (seed * 7 + other * 13 + i * 31) % n_nodes;
            let lines: Vec<String> = (0..n_leaves).map(|i| format!("{} {}", pair(i), 2 * i + 2)).collect();
            if other % 2 == 0 {
                witness.comment = format!("MAPPING {n_leaves}\n{}\n", lines.join("\n")).into_bytes();
            }
            if other % 3 == 0 {
                witness.constraints.clear();
            }
            if other % 5 == 0 {
                witness.bads = vec![indubit_system::Signal { lit: Lit::FALSE, name: None }];
            }
            let result = by_either(|by| check_certificate(&model, &witness, by));
            assert!(result.is_err(), "seed {seed} {other}");
            n += 1;
        }
    }
    assert!(n > 1000, "{n}");
}
