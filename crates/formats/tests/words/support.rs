//! Random systems over words, and what it means for two to be the same.

use fastrand::Rng;
use indubit_system::{Claim, Property, PropertyId, WordSystem};
use indubit_term::{ArraySort, BigRational, Element, Op, Scalar, Sort, Table, Term, Terms, Value};
use std::collections::HashMap;

const SORTS: [Sort; 5] = [
    Sort::Bool,
    Sort::Int,
    Sort::Real,
    Sort::BitVec(3),
    Sort::Array(ArraySort { index: Scalar::BitVec(3), element: Element::Scalar(Scalar::Int) }),
];

pub fn random_value(rng: &mut Rng, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(rng.bool()),
        Sort::Int => Value::int(rng.i32(-3..4)),
        Sort::Real => Value::Real(BigRational::new(rng.i32(-3..4).into(), rng.i32(1..3).into())),
        Sort::BitVec(width) => Value::bits(width, rng.u32(..)),
        Sort::Array(array) => {
            let mut table = Table::constant(array, random_value(rng, array.element.into()));
            for _ in 0..rng.usize(0..4) {
                let index = random_value(rng, array.index.into());
                table.set(index, random_value(rng, array.element.into()));
            }
            Value::Array(table)
        }
    }
}

/// A random formula over the variables.
pub fn random_formula(rng: &mut Rng, terms: &mut Terms, variables: &[Term]) -> Term {
    let mut pool = variables.to_vec();
    for sort in SORTS {
        pool.push(terms.constant(random_value(rng, sort)));
    }
    let Sort::Array(array) = SORTS[4] else { unreachable!() };
    let more = [Op::Extract { high: 2, low: 1 }, Op::SignExtend(2), Op::ConstArray(array), Op::Select];
    let ops = [&Op::PLAIN[..], &more].concat();
    for _ in 0..rng.usize(1..60) {
        let op = ops[rng.usize(0..ops.len())];
        let args: Vec<Term> = (0..rng.usize(1..4)).map(|_| pool[rng.usize(0..pool.len())]).collect();
        pool.extend(terms.apply(op, &args));
    }
    let formulas: Vec<Term> =
        pool.iter().rev().copied().filter(|&t| terms.sort(t) == Sort::Bool).take(4).collect();
    if rng.bool() { terms.and(&formulas) } else { terms.or(&formulas) }
}

/// A random system. Names are odd, but no two the same.
pub fn random_system(rng: &mut Rng, with_inputs: bool) -> WordSystem {
    let mut system = WordSystem::new();
    let odd = ["x", "x y", "", "let", "3", "_l0", "state", "and", "a;b", ".init", "bvadd", "é"];
    for i in 0..rng.usize(1..6) {
        let name = format!(
            "{}{}",
            odd[rng.usize(0..odd.len())],
            if rng.bool() { String::new() } else { i.to_string() }
        );
        system.add_state(&name, SORTS[rng.usize(0..SORTS.len())]);
    }
    for i in 0..if with_inputs { rng.usize(0..3) } else { 0 } {
        system.add_input(&format!("i{i}"), SORTS[rng.usize(0..SORTS.len())]);
    }
    let current: Vec<Term> = system.states.iter().map(|v| v.current).collect();
    let seen: Vec<Term> = current.iter().copied().chain(system.inputs.iter().copied()).collect();
    let all: Vec<Term> = seen.iter().copied().chain(system.states.iter().map(|v| v.next)).collect();
    system.init = random_formula(rng, &mut system.terms, &current);
    system.trans = random_formula(rng, &mut system.terms, &all);
    for i in 0..rng.usize(0..3) {
        let holds = random_formula(rng, &mut system.terms, &seen);
        let id = PropertyId::Invar(2 * i as u64 + 1);
        system.properties.push(Property::new(id, &format!("p{i}"), Claim::Always(holds)));
    }
    system.validate().expect("a random system is well-formed");
    system
}

/// Fail unless both have variables of the same sorts (inputs that `b` does not have may be missing if nothing depends
/// on them), and formulas with the same values. Properties of `b` may be one for all of `a`.
pub fn assert_same(a: &WordSystem, b: &WordSystem, rng: &mut Rng) {
    b.validate().expect("what was read is well-formed");
    let sorts = |s: &WordSystem| -> Vec<Sort> { s.states.iter().map(|v| s.terms.sort(v.current)).collect() };
    assert_eq!(sorts(a), sorts(b));
    for _ in 0..20 {
        let (mut in_a, mut in_b) = (HashMap::new(), HashMap::new());
        for (x, y) in a.states.iter().zip(&b.states) {
            for (x, y) in [(x.current, y.current), (x.next, y.next)] {
                let value = random_value(rng, a.terms.sort(x));
                in_a.insert(x, value.clone());
                in_b.insert(y, value);
            }
        }
        for &x in &a.inputs {
            let value = random_value(rng, a.terms.sort(x));
            let same = b.inputs.iter().find(|&&y| b.terms.name(y) == a.terms.name(x));
            if let Some(&y) = same {
                in_b.insert(y, value.clone());
            }
            in_a.insert(x, value);
        }
        let values = |s: &WordSystem, values: &HashMap<Term, Value>| {
            let holds: Vec<Term> = s.properties.iter().map(|p| p.claim.formulas()[0]).collect();
            let mut roots = vec![s.init, s.trans];
            roots.extend(&holds);
            let mut found = s.terms.evaluate_all(&roots, &|v| values[&v].clone()).expect("small numbers");
            let all = found.split_off(2).iter().all(|v| *v == Value::Bool(true));
            (found, all)
        };
        assert_eq!(values(a, &in_a), values(b, &in_b));
    }
}
