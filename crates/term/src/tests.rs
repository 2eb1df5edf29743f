//! What the constructors promise.

use super::*;
use std::collections::HashMap;

fn pool() -> (Terms, Term, Term, Term) {
    let mut t = Terms::new();
    let (x, y, p) = (t.var("x", Sort::Int), t.var("y", Sort::Int), t.var("p", Sort::Bool));
    (t, x, y, p)
}

#[test]
fn booleans_simplify() {
    let (mut t, _, _, p) = pool();
    let q = t.var("q", Sort::Bool);
    let (truth, not_p) = (t.bool(true), t.not(p));
    assert_eq!(t.not(not_p), p);
    let inner = t.and(&[q, p]);
    assert_eq!(t.and(&[p, inner, truth, p]), inner);
    assert_eq!(t.and(&[inner, not_p]), t.bool(false));
    assert_eq!(t.or(&[p, not_p]), truth);
    assert_eq!(t.eq(p, not_p), t.bool(false));
    let not_q = t.not(q);
    assert_eq!(t.eq(not_p, not_q), t.eq(q, p));
    assert_eq!(t.ite(p, q, not_q), t.eq(p, q));
    assert_eq!(t.implies(p, p), truth);
}

#[test]
fn comparisons_share_one_atom() {
    let (mut t, x, y, _) = pool();
    let (zero, three) = (t.int(0), t.int(3));
    let below = t.lt(x, three);
    let not_below = t.ge(x, three);
    assert_eq!(t.not(below), not_below);
    assert_eq!(t.display(not_below).to_string(), "(>= x 3)");
    let (a, b) = (t.le(x, y), t.gt(x, y));
    assert_eq!(t.not(a), b);
    assert_eq!(t.display(a).to_string(), "(<= x y)");
    assert_eq!(t.display(b).to_string(), "(>= x (+ y 1))");
    // 2x + 4y <= 7 is x + 2y <= 3; 2x = 3 has no solution.
    let sum = t.add(&[x, x, y, y, y, y]);
    let seven = t.int(7);
    let atom = t.le(sum, seven);
    assert_eq!(t.display(atom).to_string(), "(<= (+ x (* 2 y)) 3)");
    let twice = t.add(&[x, x]);
    assert_eq!(t.eq(twice, three), t.bool(false));
    assert_eq!(t.sub(sum, sum), zero);
}

#[test]
fn products_with_constants_are_sums() {
    let (mut t, x, y, _) = pool();
    let (two, sum) = (t.int(2), t.add(&[x, y]));
    let linear = t.mul(two, sum);
    assert_eq!(t.display(linear).to_string(), "(+ (* 2 x) (* 2 y))");
    let product = t.product(&[two, x, sum]);
    assert_eq!(t.display(product).to_string(), "(* 2 (* x (+ x y)))");
}

#[test]
fn shared_terms_are_written_once() {
    let mut t = Terms::new();
    let mut term = t.var("x", Sort::BitVec(4));
    for _ in 0..100 {
        term = t.bv(Op::BvMul, &[term, term]);
    }
    let text = t.display(term).sharing().to_string();
    assert!(text.len() < 10_000, "{}", text.len());
    assert!(text.starts_with("(let ((_l0 (bvmul x x)))"));
    assert_eq!(t.display(term).short().to_string().len(), 63);
}

#[test]
fn odd_names_are_quoted() {
    for (name, symbol) in [("x", "x"), ("x y", "|x y|"), ("1", "|1|"), ("let", "|let|"), ("a|b", "|a!b|")] {
        assert_eq!(Symbol(name).to_string(), symbol);
    }
}

#[test]
fn deep_terms_are_no_problem() {
    let (mut t, x, y, p) = pool();
    let mut term = x;
    for i in 0..100_000 {
        let one = t.int(i % 7);
        let sum = t.add(&[term, one]);
        term = t.ite(p, sum, y);
        let twice = t.int(2);
        term = t.modulo(term, twice);
    }
    let z = t.var("z", Sort::Int);
    let image = t.substitute(term, &HashMap::from([(x, z)]));
    assert_eq!(t.variables(&[image]).len(), 3);
    assert_eq!(t.evaluate(image, &|v| Value::zero(t.sort(v))), Ok(Value::int(0)));
    assert!(t.display(image).to_string().len() > 100_000);
    let mut chain = t.bool(true);
    for _ in 0..20_000 {
        let q = t.var("q", Sort::Bool);
        chain = t.and(&[chain, q]);
    }
    assert_eq!(t.conjuncts(chain).len(), 20_000);
}

#[test]
fn wrong_sorts_are_named() {
    let (mut t, x, y, p) = pool();
    let error = t.apply(Op::And, &[p, x]).unwrap_err().to_string();
    assert_eq!(error, "found `and` of `p` (sort Bool) and `x` (sort Int), expected Boolean terms");
    let error = t.call("div", &[], &[x, y]).unwrap_err().to_string();
    assert_eq!(error, "found `div` by `y`, expected division by a constant that is not zero");
    let zero = t.int(0);
    assert!(t.call("/", &[], &[x, zero]).unwrap_err().to_string().contains("by zero"));
    assert!(t.call("mod", &[], &[x, zero]).is_err());
    assert_eq!(t.call("no-such-function", &[], &[x]), Ok(None));
    assert!(t.call("bvadd", &[], &[]).is_err());
    assert!(t.call("+", &[], &[]).is_err());
    assert!(t.call("repeat", &[1 << 30], &[x]).is_err());
}

/// Random terms have the value that the operators say, whatever the constructors make of them.
#[test]
fn constructors_keep_the_meaning() {
    for seed in 0..3000 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let mut t = Terms::new();
        let mut values: Vec<(Term, Value)> = Vec::new();
        let arrays = [(Sort::BitVec(3), Sort::BitVec(4)), (Sort::Int, Sort::Bool)];
        let arrays = arrays.map(|(index, element)| Sort::array(index, element).unwrap());
        let nested = arrays.map(|array| Sort::array(Sort::BitVec(3), array).unwrap());
        let sorts =
            [&[Sort::Bool, Sort::Int, Sort::Real, Sort::BitVec(3), Sort::BitVec(4)][..], &arrays, &nested]
                .concat();
        for (i, &sort) in sorts.iter().cycle().take(18).enumerate() {
            let value = random_value(rng, sort);
            values.push((t.var(&format!("v{i}"), sort), value));
            let constant = random_value(rng, sort);
            values.push((t.constant(constant.clone()), constant));
        }
        let variables: HashMap<Term, Value> = values.iter().cloned().collect();
        for _ in 0..60 {
            let op = random_op(rng);
            let n_args = match op {
                Op::And | Op::Or | Op::Add | Op::Mul => rng.usize(1..4),
                Op::Ite | Op::Store => 3,
                Op::Not | Op::ToReal | Op::ToInt | Op::BvNot | Op::BvNeg => 1,
                Op::Extract { .. } | Op::SignExtend(_) | Op::ConstArray(_) => 1,
                _ => 2,
            };
            // Some of the arguments of the sort of the first one.
            for _ in 0..10 {
                let args: Vec<&(Term, Value)> =
                    (0..n_args).map(|_| &values[rng.usize(0..values.len())]).collect();
                let terms: Vec<Term> = args.iter().map(|a| a.0).collect();
                let args: Vec<&Value> = args.iter().map(|a| &a.1).collect();
                let Ok(term) = t.apply(op, &terms) else { continue };
                let Ok(expected) = op.evaluate(&args) else { continue };
                let found = t.evaluate(term, &|v| variables[&v].clone());
                assert_eq!(found.as_ref(), Ok(&expected), "seed {seed}: {op:?} {}", t.display(term));
                assert_eq!(t.sort(term), expected.sort());
                values.push((term, expected));
                break;
            }
        }
        // Substituting values for the variables gives the constant.
        let map: HashMap<Term, Term> = variables.into_iter().map(|(v, x)| (v, t.constant(x))).collect();
        let (last, expected) = values.pop().unwrap();
        let image = t.substitute(last, &map);
        assert_eq!(t.value(image), Some(&expected), "seed {seed}: {}", t.display(image));
    }
}

#[test]
fn arrays_of_arrays_have_one_sort_each_and_no_arrays_as_indices() {
    let inner = Sort::array(Sort::Int, Sort::Bool).unwrap();
    let sort = Sort::array(Sort::BitVec(2), inner).unwrap();
    assert_eq!(sort, Sort::array(Sort::BitVec(2), inner).unwrap());
    assert_eq!(sort.to_string(), "(Array (_ BitVec 2) (Array Int Bool))");
    assert_eq!(Sort::array(inner, Sort::Int), None);
    // They do not go on without end.
    let deep = (0..1000).try_fold(Sort::Int, |element, _| Sort::array(Sort::Int, element));
    assert_eq!(deep, None);
}

fn random_value(rng: &mut fastrand::Rng, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(rng.bool()),
        Sort::Int => Value::int(rng.i32(-4..5)),
        Sort::Real => Value::Real(BigRational::new(rng.i32(-4..5).into(), rng.i32(1..4).into())),
        Sort::BitVec(width) => Value::bits(width, rng.u32(..)),
        Sort::Array(array) => {
            let mut table = Table::constant(array, random_value(rng, array.element.into()));
            for _ in 0..rng.usize(0..9) {
                let index = random_value(rng, array.index.into());
                table.set(index, random_value(rng, array.element.into()));
            }
            Value::Array(table)
        }
    }
}

fn random_op(rng: &mut fastrand::Rng) -> Op {
    let low = rng.u32(0..3);
    let array = ArraySort { index: Scalar::BitVec(3), element: Scalar::BitVec(4).into() };
    let indexed = [
        Op::Extract { high: low + rng.u32(0..2), low },
        Op::SignExtend(rng.u32(0..3)),
        Op::ConstArray(array),
        Op::Select,
        Op::Store,
    ];
    let ops = [&Op::PLAIN[..], &indexed].concat();
    ops[rng.usize(0..ops.len())]
}

/// The functions that are made of others, against machine arithmetic.
#[test]
fn bit_vector_functions_mean_what_smt_lib_says() {
    let mut t = Terms::new();
    let (x, y) = (t.var("x", Sort::BitVec(4)), t.var("y", Sort::BitVec(4)));
    type Reference = fn(i64, i64) -> i64;
    let table: &[(&str, Reference)] = &[
        ("bvsub", |a, b| a - b),
        ("bvnand", |a, b| !(a & b)),
        ("bvnor", |a, b| !(a | b)),
        ("bvxnor", |a, b| !(a ^ b)),
        ("bvsdiv", |a, b| match (signed(a), signed(b)) {
            (a, 0) => {
                if a < 0 {
                    1
                } else {
                    -1
                }
            }
            (a, b) => a / b,
        }),
        ("bvsrem", |a, b| if b == 0 { a } else { signed(a) % signed(b) }),
        ("bvsmod", |a, b| match (signed(a), signed(b)) {
            (a, 0) => a,
            (a, b) if a % b != 0 && (a < 0) != (b < 0) => a % b + b,
            (a, b) => a % b,
        }),
        ("bvudiv", |a, b| if b == 0 { 15 } else { a / b }),
        ("bvugt", |a, b| i64::from(a > b)),
        ("bvule", |a, b| i64::from(a <= b)),
        ("bvuge", |a, b| i64::from(a >= b)),
        ("bvsgt", |a, b| i64::from(signed(a) > signed(b))),
        ("bvsle", |a, b| i64::from(signed(a) <= signed(b))),
        ("bvsge", |a, b| i64::from(signed(a) >= signed(b))),
        ("bvcomp", |a, b| i64::from(a == b)),
        ("bvashr", |a, b| signed(a) >> b),
    ];
    for (name, reference) in table {
        let term = t.call(name, &[], &[x, y]).unwrap().unwrap();
        for (a, b) in (0..256).map(|n| (n % 16, n / 16)) {
            let found =
                t.evaluate(term, &|v| Value::bits(4, if v == x { a as u32 } else { b as u32 })).unwrap();
            let expected = match found.sort() {
                Sort::Bool => Value::Bool(reference(a, b) != 0),
                _ => Value::bits(t.width(term), (reference(a, b) & 15) as u32),
            };
            assert_eq!(found, expected, "{name} {a} {b}");
        }
    }
    let unary: &[(&str, &[u32], Reference)] = &[
        ("rotate_left", &[5], |a, _| (a << 1) | (a >> 3)),
        ("rotate_right", &[3], |a, _| (a << 1) | (a >> 3)),
        ("zero_extend", &[2], |a, _| a),
        ("sign_extend", &[2], |a, _| signed(a)),
        ("repeat", &[2], |a, _| a * 17),
        ("bvneg", &[], |a, _| -a),
    ];
    for (name, indices, reference) in unary {
        let term = t.call(name, indices, &[x]).unwrap().unwrap();
        for a in 0..16 {
            let found = t.evaluate(term, &|_| Value::bits(4, a as u32)).unwrap();
            let mask = (1 << t.width(term)) - 1;
            assert_eq!(found, Value::bits(t.width(term), (reference(a, 0) & mask) as u32), "{name} {a}");
        }
    }
}

/// Four bits as two's complement.
fn signed(a: i64) -> i64 {
    if a > 7 { a - 16 } else { a }
}
