//! Decision diagrams for formulas of computation tree logic: graphs made by hand, for each operator with few initial states and with many.

use crate::common::Patience;
use indubit::logic::Lit;
use indubit::system::{CtlBuilder, CtlId, CtlProof, Signal};
use indubit::{BitSystem, Bits, Claim, EngineId, Evidence, Property, PropertyId, Strategy, check};

type Formula = fn(&mut CtlBuilder<Lit>, &[CtlId]) -> CtlId;

/// Five bits that count up while an input says so, from zero or from anywhere.
fn counter(from_zero: bool) -> (BitSystem, Vec<Lit>, Lit) {
    let mut model = BitSystem::new();
    let go = model.add_input("go");
    let bits: Vec<Lit> =
        (0..5).map(|i| model.add_latch(&format!("b{i}"), from_zero.then_some(false))).collect();
    let mut carry = go;
    for &bit in &bits {
        let next = model.aig_mut().xor(bit, carry);
        carry = model.aig_mut().and(bit, carry);
        model.set_next(bit, next);
    }
    (model, bits, go)
}

/// The proof, which has been checked, of whether a formula about some signals holds.
fn proof(model: &BitSystem, atoms: &[Lit], formula: Formula) -> CtlProof {
    let mut model = model.clone();
    let mut builder = CtlBuilder::new();
    let ids: Vec<CtlId> = atoms.iter().map(|&atom| builder.atom(atom)).collect();
    let root = formula(&mut builder, &ids);
    let claim = Claim::Ctl(builder.finish(root));
    model.specs.push(Property::new(PropertyId::Ctl(0), "", claim));
    let mut patience = Patience::new();
    let index = model.n_properties() - 1;
    let verdict = check::<Bits>(&model, index, EngineId::Bdd, &mut patience.run()).unwrap();
    match verdict.evidence() {
        Some(Evidence::Ctl(proof)) => (**proof).clone(),
        _ => panic!("{verdict}"),
    }
}

fn holds(model: &BitSystem, atoms: &[Lit], formula: Formula) {
    assert!(proof(model, atoms, formula).holds());
}

fn fails(model: &BitSystem, atoms: &[Lit], formula: Formula) {
    assert!(!proof(model, atoms, formula).holds());
}

#[test]
fn steps_and_ways() {
    for from_zero in [true, false] {
        let (model, bits, _) = counter(from_zero);
        // Each value but the last has a step to a larger one; the highest bit can always be reached, and lost again.
        holds(&model, &bits, |f, b| {
            let top = f.exists_finally(b[4]);
            let low = f.not(b[4]);
            let lost = f.exists_finally(low);
            let both = f.and(top, lost);
            f.all_globally(both)
        });
        holds(&model, &bits, |f, b| {
            let odd = f.exists_next(b[0]);
            let even = f.not(b[0]);
            let even = f.exists_next(even);
            f.and(odd, even)
        });
        fails(&model, &bits, |f, b| f.all_finally(b[4]));
        fails(&model, &bits, |f, b| f.exists_until(b[0], b[4]));
        fails(&model, &bits, |f, b| {
            let step = f.exists_next(b[1]);
            f.all_next(step)
        });
    }
}

#[test]
fn fair_paths() {
    for from_zero in [true, false] {
        let (mut model, bits, go) = counter(from_zero);
        // Nothing stays for ever when it has to count again and again.
        fails(&model, &bits, |f, b| f.all_finally(b[4]));
        model.fairness.push(Signal { lit: go, name: None });
        holds(&model, &bits, |f, b| {
            let some_time = f.all_finally(b[4]);
            f.all_globally(some_time)
        });
        fails(&model, &bits, |f, b| f.exists_globally(b[4]));
        // It may stop now and then, and both is seen on the way around.
        model.fairness.push(Signal { lit: !go, name: None });
        model.fairness.push(Signal { lit: bits[3], name: None });
        holds(&model, &bits, |f, b| {
            let truth = f.constant(true);
            let around = f.exists_globally(truth);
            let top = f.all_finally(b[4]);
            let both = f.and(around, top);
            f.all_globally(both)
        });
        fails(&model, &bits, |f, b| {
            let low = f.not(b[2]);
            f.exists_globally(low)
        });
    }
}

#[test]
fn constraints_and_dead_ends() {
    for from_zero in [true, false] {
        let (mut model, bits, go) = counter(from_zero);
        // Beyond 15 it has to go on, and with all bits it must not.
        let aig = model.aig_mut();
        let (free, all) = (aig.or(go, !bits[4]), aig.and_all(bits.iter().copied()));
        let stops = aig.implies(all, !go);
        for lit in [free, stops] {
            model.constraints.push(Signal { lit, name: None });
        }
        // So no path from beyond 15 goes on, and none leads there.
        holds(&model, &bits, |f, b| {
            let low = f.not(b[4]);
            f.all_globally(low)
        });
        fails(&model, &bits, |f, b| f.exists_finally(b[4]));
        holds(&model, &bits, |f, b| {
            let middle = f.and(b[3], b[2]);
            let can = f.exists_finally(middle);
            let now = f.not(b[4]);
            f.implies(now, can)
        });
    }
}

#[test]
fn inputs_are_part_of_the_state() {
    for from_zero in [true, false] {
        let (model, bits, go) = counter(from_zero);
        let atoms = [bits[0], go];
        holds(&model, &atoms, |f, a| {
            let odd = f.all_next(a[0]);
            let even = f.not(a[0]);
            let goes = f.and(even, a[1]);
            let good = f.implies(goes, odd);
            f.all_globally(good)
        });
        fails(&model, &atoms, |f, a| f.all_globally(a[1]));
        holds(&model, &atoms, |f, a| {
            let always = f.exists_globally(a[1]);
            f.exists_next(always)
        });
    }
}

#[test]
fn few_nodes_are_no_verdict() {
    let (mut model, bits, _) = counter(true);
    let mut builder = CtlBuilder::new();
    let atom = builder.atom(bits[4]);
    let root = builder.exists_finally(atom);
    let claim = Claim::Ctl(builder.finish(root));
    model.specs.push(Property::new(PropertyId::Ctl(0), "", claim));
    let mut strategy = Strategy::from(EngineId::Bdd);
    strategy.options.most_nodes = 20;
    let mut patience = Patience::new();
    let index = model.n_properties() - 1;
    let verdict = check::<Bits>(&model, index, strategy, &mut patience.run()).unwrap();
    assert_eq!(verdict.truth(), None);
}
