//! Random systems over integers, reals and Booleans with few reachable states, and their exhaustive search.

use fastrand::Rng;
use indubit_system::{Claim, Property, WordSystem};
use indubit_term::{BigRational, Sort, Term, Value};
use std::collections::{HashMap, HashSet, VecDeque};

/// Numbers are between 0 and this, in all reachable states.
const LARGEST: i64 = 4;

/// A system whose numbers stay small: every step says so. Numbers are whole, reals included.
pub fn system(rng: &mut Rng) -> WordSystem {
    let mut system = WordSystem::new();
    let sort = if rng.u8(..4) == 0 { Sort::Real } else { Sort::Int };
    for i in 0..rng.usize(1..4) {
        system.add_state(&format!("x{i}"), sort);
    }
    for i in 0..rng.usize(..3) {
        system.add_state(&format!("b{i}"), Sort::Bool);
    }
    if rng.bool() {
        system.add_input("i", Sort::Bool);
    }
    let states = system.states.clone();
    let mut init = Vec::new();
    let mut trans = Vec::new();
    for var in &states {
        if rng.u8(..6) > 0 {
            let value = random_value(&mut system, rng, var.current);
            init.push(system.terms.eq(var.current, value));
        } else {
            init.push(within(&mut system, var.current));
        }
        let next = random_next(&mut system, rng, var.current);
        trans.push(match rng.u8(..6) {
            // A relation, and no function.
            0 if system.terms.sort(var.current) != Sort::Bool => system.terms.le(next, var.next),
            _ => system.terms.eq(var.next, next),
        });
        trans.push(within(&mut system, var.next));
    }
    if rng.u8(..3) == 0 {
        let guard = random_formula(&mut system, rng, 2);
        trans.push(guard);
    }
    system.init = system.terms.and(&init);
    system.trans = system.terms.and(&trans);
    for i in 0..rng.usize(1..3) {
        let holds = formula(&mut system, rng);
        system.add_invar(&format!("p{i}"), holds);
    }
    system
}

/// A formula over the state variables of a system.
pub fn formula(system: &mut WordSystem, rng: &mut Rng) -> Term {
    let formula = random_formula(system, rng, 2);
    without_inputs(system, formula)
}

fn number(system: &mut WordSystem, rng: &mut Rng, of: Sort, below: i64) -> Term {
    let value = rng.i64(0..below);
    match of {
        Sort::Real => system.terms.constant(Value::Real(BigRational::from_integer(value.into()))),
        _ => system.terms.int(value),
    }
}

fn random_value(system: &mut WordSystem, rng: &mut Rng, var: Term) -> Term {
    match system.terms.sort(var) {
        Sort::Bool => system.terms.bool(rng.bool()),
        sort => number(system, rng, sort, LARGEST + 1),
    }
}

/// A number is whole and small: for reals, one of the values that it may have.
fn within(system: &mut WordSystem, var: Term) -> Term {
    match system.terms.sort(var) {
        Sort::Int => {
            let (zero, most) = (system.terms.int(0), system.terms.int(LARGEST));
            let bounds = [system.terms.le(zero, var), system.terms.le(var, most)];
            system.terms.and(&bounds)
        }
        Sort::Real => {
            let values: Vec<Term> = (0..=LARGEST)
                .map(|i| {
                    let value = Value::Real(BigRational::from_integer(i.into()));
                    let value = system.terms.constant(value);
                    system.terms.eq(var, value)
                })
                .collect();
            system.terms.or(&values)
        }
        _ => system.terms.bool(true),
    }
}

fn random_sum(system: &mut WordSystem, rng: &mut Rng) -> Option<Term> {
    let numbers: Vec<Term> =
        system.states.iter().map(|v| v.current).filter(|&v| system.terms.sort(v) != Sort::Bool).collect();
    let sort = system.terms.sort(*numbers.first()?);
    let mut parts = Vec::new();
    for _ in 0..rng.usize(1..3) {
        let factor = [1, 1, -1, 2, -2][rng.usize(..5)];
        let factor = match sort {
            Sort::Real => system.terms.constant(Value::Real(BigRational::from_integer(factor.into()))),
            _ => system.terms.int(factor),
        };
        let var = numbers[rng.usize(..numbers.len())];
        parts.push(system.terms.mul(factor, var));
    }
    if rng.bool() {
        parts.push(number(system, rng, sort, 3));
    }
    let sum = system.terms.add(&parts);
    if sort == Sort::Int && rng.u8(..8) == 0 {
        let by = system.terms.int(2);
        return Some(if rng.bool() { system.terms.div(sum, by) } else { system.terms.modulo(sum, by) });
    }
    Some(sum)
}

fn random_next(system: &mut WordSystem, rng: &mut Rng, var: Term) -> Term {
    if system.terms.sort(var) == Sort::Bool {
        return random_formula(system, rng, 1);
    }
    let mut next = random_sum(system, rng).unwrap_or(var);
    if rng.bool() {
        let (condition, other) = (random_formula(system, rng, 1), random_value(system, rng, var));
        next = system.terms.ite(condition, next, other);
    }
    next
}

fn random_formula(system: &mut WordSystem, rng: &mut Rng, depth: u32) -> Term {
    if depth > 0 && rng.bool() {
        let parts = [random_formula(system, rng, depth - 1), random_formula(system, rng, depth - 1)];
        let both = if rng.bool() { system.terms.and(&parts) } else { system.terms.or(&parts) };
        return if rng.u8(..4) == 0 { system.terms.not(both) } else { both };
    }
    let booleans: Vec<Term> = (system.states.iter().map(|v| v.current))
        .chain(system.inputs.iter().copied())
        .filter(|&v| system.terms.sort(v) == Sort::Bool)
        .collect();
    let atom = match (booleans.is_empty(), rng.u8(..3)) {
        (false, 0) => booleans[rng.usize(..booleans.len())],
        _ => match random_sum(system, rng) {
            None => system.terms.bool(rng.bool()),
            Some(sum) => {
                let bound = number(system, rng, system.terms.sort(sum), 2 * LARGEST);
                match rng.u8(..3) {
                    0 => system.terms.eq(sum, bound),
                    1 => system.terms.lt(sum, bound),
                    _ => system.terms.le(sum, bound),
                }
            }
        },
    };
    if rng.bool() { system.terms.not(atom) } else { atom }
}

fn without_inputs(system: &mut WordSystem, formula: Term) -> Term {
    let truth = system.terms.bool(true);
    let map: HashMap<Term, Term> = system.inputs.iter().map(|&i| (i, truth)).collect();
    system.terms.substitute(formula, &map)
}

/// For each property the length of a shortest run that decides it, if there is one: a counterexample, or one to what a cover is about. For
/// what [`system`] makes, or [`random_arrays::system`](crate::random_arrays::system).
pub fn shortest(system: &WordSystem) -> Vec<Option<usize>> {
    let sorts: Vec<Sort> = system.states.iter().map(|v| system.terms.sort(v.current)).collect();
    let all = product(&sorts);
    let inputs = product(&system.inputs.iter().map(|&i| system.terms.sort(i)).collect::<Vec<Sort>>());
    let holds = |formula: Term, state: &[Value], input: &[Value], next: &[Value]| {
        let mut values: HashMap<Term, &Value> = HashMap::new();
        for (i, var) in system.states.iter().enumerate() {
            values.insert(var.current, &state[i]);
            if let Some(value) = next.get(i) {
                values.insert(var.next, value);
            }
        }
        values.extend(system.inputs.iter().copied().zip(input));
        system.terms.holds(formula, &|var| values[&var].clone()).expect("all variables have values")
    };
    let mut distance: HashMap<&Vec<Value>, usize> = HashMap::new();
    let mut queue: VecDeque<&Vec<Value>> = all.iter().filter(|s| holds(system.init, s, &[], &[])).collect();
    queue.iter().for_each(|&s| {
        distance.insert(s, 0);
    });
    let mut order = Vec::new();
    while let Some(state) = queue.pop_front() {
        order.push(state);
        let seen: HashSet<_> = distance.keys().copied().collect();
        for next in all.iter().filter(|n| !seen.contains(n)) {
            if inputs.iter().any(|input| holds(system.trans, state, input, next)) {
                distance.insert(next, distance[state] + 1);
                queue.push_back(next);
            }
        }
    }
    let shortest = |p: &Property<Term>| {
        let (formula, wanted) = match p.claim {
            Claim::Always(good) => (good, false),
            Claim::Reachable(goal) => (goal, true),
            Claim::Justice(_) | Claim::Ltl(_) | Claim::Ctl(_) => return None,
        };
        let decides = |s: &&&Vec<Value>| inputs.iter().any(|i| holds(formula, s, i, &[]) == wanted);
        order.iter().find(decides).map(|s| distance[*s])
    };
    system.properties.iter().map(shortest).collect()
}

fn product(sorts: &[Sort]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for sort in sorts {
        let values: Vec<Value> = match sort {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::Real => (0..=LARGEST).map(|i| Value::Real(BigRational::from_integer(i.into()))).collect(),
            Sort::BitVec(_) | Sort::Array(_) => {
                let n = sort.n_bits().expect("made of bits");
                let value =
                    |number: u64| Value::of_bits(*sort, (0..n).map(move |bit| number >> bit & 1 == 1));
                (0..1 << n).map(|number| value(number).expect("made of bits")).collect()
            }
            _ => (0..=LARGEST).map(|i| Value::Int(i.into())).collect(),
        };
        all = all
            .into_iter()
            .flat_map(|row: Vec<Value>| {
                values.iter().map(move |v| row.iter().cloned().chain([v.clone()]).collect::<Vec<_>>())
            })
            .collect();
    }
    all
}
