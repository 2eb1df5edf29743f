//! Random systems over bit-vectors and arrays of a few bits, as BTOR2 has them: functions, initial values, constraints.

use fastrand::Rng;
use indubit_system::WordSystem;
use indubit_term::{ArraySort, Element, Op, Scalar, Sort, Term, Terms, Value};

const SORTS: [Sort; 4] = [
    Sort::BitVec(1),
    Sort::BitVec(2),
    Sort::Array(ArraySort { index: Scalar::BitVec(1), element: Element::Scalar(Scalar::BitVec(1)) }),
    Sort::Array(ArraySort { index: Scalar::BitVec(1), element: Element::Scalar(Scalar::BitVec(2)) }),
];

/// A system of at most six bits of state; its inputs have three at most.
pub fn system(rng: &mut Rng) -> WordSystem {
    let mut system = WordSystem::new();
    let mut n_bits = 0;
    while n_bits == 0 || (n_bits < 5 && rng.u8(..4) > 0) {
        let sort = SORTS[rng.usize(..SORTS.len())];
        let n = sort.n_bits().expect("made of bits");
        if n_bits + n <= 6 {
            n_bits += n;
            let name = format!("s{}", system.states.len());
            system.add_state(&name, sort);
        }
    }
    for i in 0..rng.usize(..3) {
        system.add_input(&format!("i{i}"), SORTS[i % 2]);
    }
    let (mut init, mut trans) = (Vec::new(), Vec::new());
    for var in system.states.clone() {
        let sort = system.terms.sort(var.current);
        if rng.u8(..5) > 0 {
            let value = random_value(rng, sort);
            let value = system.terms.constant(value);
            init.push(system.terms.eq(var.current, value));
        }
        // Without a function it is free in each step.
        if rng.u8(..8) > 0 {
            let next = random_term(&mut system, rng, sort);
            trans.push(system.terms.eq(var.next, next));
        }
    }
    (system.init, system.trans) = (system.terms.and(&init), system.terms.and(&trans));
    if rng.u8(..3) == 0 {
        let holds = random_formula(&mut system, rng);
        system.add_constraint(None, holds);
    }
    for i in 0..rng.usize(1..3) {
        let holds = random_formula(&mut system, rng);
        system.add_invar(&format!("p{i}"), holds);
    }
    system
}

fn random_value(rng: &mut Rng, sort: Sort) -> Value {
    let n = sort.n_bits().expect("made of bits");
    Value::of_bits(sort, (0..n).map(|_| rng.bool())).expect("made of bits")
}

fn random_formula(system: &mut WordSystem, rng: &mut Rng) -> Term {
    let sort = SORTS[rng.usize(..SORTS.len())];
    let sides = [random_term(system, rng, sort), random_term(system, rng, sort)];
    let mut formula = system.terms.eq(sides[0], sides[1]);
    if rng.bool() {
        let sides = [random_term(system, rng, Sort::BitVec(2)), random_term(system, rng, Sort::BitVec(2))];
        let less = system.terms.bv(if rng.bool() { Op::BvUlt } else { Op::BvSlt }, &sides);
        formula =
            if rng.bool() { system.terms.and(&[formula, less]) } else { system.terms.or(&[formula, less]) };
    }
    if rng.bool() { system.terms.not(formula) } else { formula }
}

/// A term of a sort over the current state variables and the inputs.
fn random_term(system: &mut WordSystem, rng: &mut Rng, sort: Sort) -> Term {
    let mut pool: Vec<Term> =
        system.states.iter().map(|v| v.current).chain(system.inputs.iter().copied()).collect();
    pool.extend(SORTS.map(|sort| system.terms.constant(random_value(rng, sort))));
    let more = [
        Op::Extract { high: 1, low: 1 },
        Op::Extract { high: 0, low: 0 },
        Op::SignExtend(1),
        Op::Select,
        Op::Store,
    ];
    let ops = [&Op::PLAIN[..], &more, &more[3..]].concat();
    for _ in 0..rng.usize(1..25) {
        let op = ops[rng.usize(..ops.len())];
        let args: Vec<Term> = (0..rng.usize(1..4)).map(|_| pool[rng.usize(..pool.len())]).collect();
        let is_small =
            |terms: &Terms, term: Term| terms.sort(term) == Sort::Bool || SORTS.contains(&terms.sort(term));
        if let Ok(term) = system.terms.apply(op, &args)
            && is_small(&system.terms, term)
        {
            pool.push(term);
        }
    }
    pool.into_iter().rev().find(|&term| system.terms.sort(term) == sort).expect("a constant is there")
}
