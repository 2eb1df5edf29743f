//! Random runs obey what there is to obey.

use indubit::logic::Lit;
use indubit::run::{Cancel, Run};
use indubit::term::{Sort, Value};
use indubit::{BitSystem, Bits, WordSystem, Words, simulate};

fn run(seed: u64) -> Run<'static> {
    Run::new(Cancel::new()).with_seed(seed)
}

#[test]
fn constraints_are_obeyed_to_the_end() {
    // Of eight inputs exactly those are allowed that say what the state is; it stops when the state is full.
    let mut system = BitSystem::new();
    let (a, b) = (system.add_latch("a", Some(false)), system.add_latch("b", Some(false)));
    let inputs: Vec<Lit> = (0..8).map(|i| system.add_input(&format!("i{i}"))).collect();
    system.set_next(a, !a);
    let next = system.aig_mut().xor(a, b);
    system.set_next(b, next);
    for &input in &inputs {
        let same = system.aig_mut().iff(input, a);
        system.add_constraint("", same);
    }
    let full = system.aig_mut().and(a, b);
    system.add_constraint("not full", !full);
    for seed in 0..20 {
        let found = simulate::<Bits>(&system, 20, None, &run(seed)).unwrap().unwrap().unwrap();
        assert!(found.is_stuck);
        assert_eq!(found.trace.inputs.len(), 3);
        assert!(found.trace.inputs[1].iter().all(|&bit| bit));
    }
    system.add_constraint("nothing", Lit::FALSE);
    assert!(simulate::<Bits>(&system, 20, None, &run(0)).unwrap().unwrap().is_none());
}

#[test]
fn steps_over_words_are_steps() {
    // x grows by an input between 1 and 3, up to 10.
    let mut system = WordSystem::new();
    let (x, i) = (system.add_state("x", Sort::Int), system.add_input("i", Sort::Int));
    let [zero, one, three, ten] = [0, 1, 3, 10].map(|n| system.terms.int(n));
    let terms = &mut system.terms;
    system.init = terms.eq(x.current, zero);
    let sum = terms.add(&[x.current, i]);
    let parts = [terms.eq(x.next, sum), terms.ge(i, one), terms.le(i, three), terms.le(x.next, ten)];
    system.trans = terms.and(&parts);
    let mut lengths = std::collections::HashSet::new();
    for seed in 0..30 {
        let found = simulate::<Words>(&system, 50, None, &run(seed)).unwrap().unwrap().unwrap();
        let states = &found.trace.states;
        assert!(found.is_stuck && states.last().unwrap()[0] == Value::int(10));
        assert_eq!(states.len(), found.trace.inputs.len());
        lengths.insert(states.len());
    }
    assert!(lengths.len() > 1, "the same at each time: {lengths:?}");
}
