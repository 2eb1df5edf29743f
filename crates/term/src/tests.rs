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
