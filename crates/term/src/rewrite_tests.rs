//! Each rule, and each shape that becomes a circuit as a whole, for all values of small widths: what is built of variables means what is built of their values.

use crate::{ArraySort, Blaster, Op, Scalar, Sort, Term, Terms, Value};
use indubit_aig::{Aig, simulate};
use indubit_logic::Lit;

/// All values of a sort of few bits.
fn all_values(sort: Sort) -> Vec<Value> {
    let n = sort.n_bits().expect("made of bits");
    (0..1u64 << n)
        .map(|v| Value::of_bits(sort, (0..n).map(|i| v >> i & 1 == 1)).expect("made of bits"))
        .collect()
}

/// What `build` makes of variables of these sorts is compared with what it makes of all their values, by evaluation and as a circuit. Returns its size in gates.
fn agrees(sorts: &[Sort], build: &dyn Fn(&mut Terms, &[Term]) -> Term) -> usize {
    let (mut t, mut aig, mut blaster) = (Terms::new(), Aig::new(), Blaster::new());
    let variables: Vec<Term> = sorts.iter().map(|&sort| t.var("v", sort)).collect();
    let leaves: Vec<Vec<Lit>> =
        sorts.iter().map(|s| (0..s.n_bits().expect("made of bits")).map(|_| aig.leaf()).collect()).collect();
    for (&variable, bits) in variables.iter().zip(&leaves) {
        blaster.set(variable, bits.clone());
    }
    let term = build(&mut t, &variables);
    let bits = blaster.bits(&t, &mut aig, term).expect("bits only").to_vec();
    let values: Vec<Vec<Value>> = sorts.iter().map(|&sort| all_values(sort)).collect();
    let n_rows = values.iter().map(Vec::len).product::<usize>();
    for mut row in 0..n_rows {
        let mut given = Vec::new();
        let mut nodes = vec![false; aig.n_vars()];
        for (values, leaves) in values.iter().zip(&leaves) {
            let chosen = row % values.len();
            row /= values.len();
            given.push(values[chosen].clone());
            leaves.iter().enumerate().for_each(|(i, l)| nodes[l.var().index()] = chosen >> i & 1 == 1);
        }
        simulate::propagate_bools(&aig, &mut nodes);
        let constants: Vec<Term> = given.iter().map(|value| t.constant(value.clone())).collect();
        let expected = build(&mut t, &constants);
        let expected = t.value(expected).expect("constants make a constant").clone();
        let value = |v: Term| given[variables.iter().position(|&w| w == v).expect("a variable")].clone();
        assert_eq!(t.evaluate(term, &value), Ok(expected.clone()), "{} of {given:?}", t.display(term));
        let circuit = Value::of_bits(t.sort(term), bits.iter().map(|&b| simulate::value(&nodes, b)));
        assert_eq!(circuit, Some(expected), "the circuit of {} of {given:?}", t.display(term));
    }
    aig.n_ands()
}

#[test]
fn differences_are_one_sum() {
    for w in 1..=4 {
        let two = [Sort::BitVec(w); 2];
        let sum = agrees(&two, &|t, v| t.bv(Op::BvAdd, &[v[0], v[1]]));
        for order in [[0, 1], [1, 0]] {
            let difference = agrees(&two, &|t, v| {
                let minus = t.bv(Op::BvNeg, &[v[order[1]]]);
                t.bv(Op::BvAdd, &[v[order[0]], minus])
            });
            // One for each bit that is inverted, at most.
            assert!(difference <= sum + w as usize, "{difference} {sum}");
        }
        agrees(&two, &|t, v| {
            let minus = [v[0], v[1]].map(|a| t.bv(Op::BvNeg, &[a]));
            t.bv(Op::BvAdd, &minus)
        });
    }
}

#[test]
fn comparisons() {
    for w in 1..=4 {
        for op in [Op::BvUlt, Op::BvSlt] {
            let n = agrees(&[Sort::BitVec(w); 2], &|t, v| t.bv(op, &[v[0], v[1]]));
            assert!(n <= 4 * w as usize, "{n}");
            for c in 0..1u32 << w {
                agrees(&[Sort::BitVec(w)], &|t, v| {
                    let c = t.bits(w, c);
                    t.bv(op, &[v[0], c])
                });
            }
        }
    }
}

#[test]
fn division_by_powers_of_two() {
    for w in 1..=4 {
        for (op, c) in
            [Op::BvUdiv, Op::BvUrem].into_iter().flat_map(|op| (0..1u32 << w).map(move |c| (op, c)))
        {
            let n = agrees(&[Sort::BitVec(w)], &|t, v| {
                let c = t.bits(w, c);
                t.bv(op, &[v[0], c])
            });
            assert!(n == 0 || !c.is_power_of_two(), "{op:?} by {c}: {n}");
        }
    }
}

#[test]
fn choices_compared_with_constants() {
    for w in 1..=3 {
        let sorts = [Sort::Bool, Sort::Bool, Sort::BitVec(w)];
        for (a, b, c) in (0..8u32).flat_map(|n| (0..8).map(move |c| (n % 4, n / 2, c))) {
            for is_first in [true, false] {
                agrees(&sorts, &|t, v| {
                    let [a, b, c] = [a, b, c].map(|n| t.bits(w, n));
                    let inner = t.ite(v[1], v[2], b);
                    let outer = if is_first { t.ite(v[0], a, inner) } else { t.ite(v[0], inner, a) };
                    t.eq(outer, c)
                });
            }
        }
    }
    // Where all that is chosen is a constant, conditions are left.
    let n = agrees(&[Sort::Bool, Sort::Bool], &|t, v| {
        let [a, b, c] = [1u32, 2, 3].map(|n| t.bits(4, n));
        let inner = t.ite(v[0], a, b);
        let outer = t.ite(v[1], c, inner);
        t.eq(outer, b)
    });
    assert_eq!(n, 1);
}

#[test]
fn long_chains_of_choices() {
    let mut t = Terms::new();
    let mut chain = t.var("x", Sort::BitVec(8));
    for i in 0..10_000u32 {
        let (c, value) = (t.var("c", Sort::Bool), t.bits(8, i % 7));
        chain = t.ite(c, value, chain);
    }
    let before = t.n_terms();
    let three = t.bits(8, 3u32);
    t.eq(chain, three);
    assert!(t.n_terms() < before + 100, "only so many are looked into");
}

#[test]
fn writes_with_masks_and_guards() {
    for (i, w) in [(1, 1), (1, 2), (2, 1), (1, 3)] {
        let array = ArraySort { index: Scalar::BitVec(i), element: Scalar::BitVec(w).into() };
        let sorts = [Sort::Array(array), Sort::BitVec(i), Sort::BitVec(w), Sort::BitVec(w), Sort::Bool];
        for (order, is_then) in [(0, true), (1, true), (2, false), (3, false), (4, true)] {
            let n = agrees(&sorts, &|t, v| {
                let [memory, at, data, mask, guard] = [v[0], v[1], v[2], v[3], v[4]];
                let old = t.select(memory, at);
                let rest = t.bv(Op::BvNot, &[mask]);
                // As Yosys has it, the other way round, with the mask inverted, and what is none: the data is kept where the mask says so.
                let (new, kept) = match order {
                    0 => (t.bv(Op::BvAnd, &[data, mask]), t.bv(Op::BvAnd, &[old, rest])),
                    1 => (t.bv(Op::BvAnd, &[mask, data]), t.bv(Op::BvAnd, &[rest, old])),
                    2 => (t.bv(Op::BvAnd, &[data, rest]), t.bv(Op::BvAnd, &[old, mask])),
                    3 => (t.bv(Op::BvAnd, &[data, mask]), t.bv(Op::BvAnd, &[old, mask])),
                    _ => (t.bv(Op::BvAnd, &[old, mask]), t.bv(Op::BvAnd, &[old, rest])),
                };
                let element =
                    if order % 2 == 0 { t.bv(Op::BvOr, &[new, kept]) } else { t.bv(Op::BvOr, &[kept, new]) };
                let stored = t.store(memory, at, element);
                if is_then { t.ite(guard, stored, memory) } else { t.ite(guard, memory, stored) }
            });
            let n_bits = array.n_bits().expect("it is small") as usize;
            assert!(order > 2 || n <= 5 * n_bits + 4 * (1 << i), "{order} {n_bits}: {n}");
        }
        // The array that is written is another one than that which is read.
        let others = [Sort::Array(array), Sort::Array(array), Sort::BitVec(i), Sort::Bool];
        agrees(&others, &|t, v| {
            let element = t.select(v[1], v[2]);
            let stored = t.store(v[0], v[2], element);
            t.ite(v[3], stored, v[1])
        });
    }
}
