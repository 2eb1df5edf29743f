//! Answers that can be checked by hand, or by trying all values.

#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{Literal, Session, Shape, first_seed, n_wanted};
use fastrand::Rng;
use indubit_interpolate::System;
use indubit_logic::Lit;
use indubit_run::{Cancel, Stop};
use indubit_smt::{ArithConfig, ArithSolver, ArithVar, AtMost, Leaf, Rational, Remainder, Smt, SmtConfig};
use indubit_term::{Sort, Terms};
use num_rational::BigRational;

fn solver(interpolation: bool) -> ArithSolver {
    ArithSolver::new(&Cancel::new(), ArithConfig { interpolation, ..ArithConfig::default() })
}

fn r(n: i64) -> Rational {
    Rational::from(n)
}

/// `Σ terms ≤ bound`.
fn at_most(solver: &mut ArithSolver, terms: &[(ArithVar, i64)], bound: i64) -> Lit {
    let sum: Vec<_> = terms.iter().map(|&(v, c)| (v, r(c))).collect();
    solver.at_most(&sum, r(bound), false)
}

/// `Σ terms = bound`, for good.
fn equal(solver: &mut ArithSolver, part: u32, terms: &[(ArithVar, i64)], bound: i64) {
    let negated: Vec<_> = terms.iter().map(|&(v, c)| (v, -c)).collect();
    for (terms, bound) in [(terms, bound), (&negated, -bound)] {
        let lit = at_most(solver, terms, bound);
        solver.add_clause(part, &[lit]);
    }
}

#[test]
fn literals_of_atoms() {
    let mut solver = solver(false);
    let [x, y] = [(); 2].map(|()| solver.number(true));
    let z = solver.number(false);
    let at_most_3 = at_most(&mut solver, &[(x, 1)], 3);
    assert_eq!(at_most(&mut solver, &[(x, -1)], -4), !at_most_3, "x ≥ 4");
    assert_eq!(at_most(&mut solver, &[(x, 2)], 7), at_most_3);
    assert_eq!(solver.at_most(&[(x, r(1))], r(4), true), at_most_3);
    assert_eq!(at_most(&mut solver, &[(x, 1), (y, 1), (x, -1), (y, -1)], 0), Lit::TRUE);
    assert_eq!(solver.at_most(&[], r(0), true), Lit::FALSE);
    let expected = AtMost { sum: vec![(x, r(-1))], bound: r(-4), strict: false };
    assert_eq!(solver.atom(!at_most_3), Some(expected));
    let below = solver.at_most(&[(z, r(3))], r(1), true);
    let expected = AtMost { sum: vec![(z, r(-1))], bound: Rational::new(-1, 3), strict: false };
    assert_eq!(solver.atom(!below), Some(expected));
    let proposition = solver.proposition();
    assert_eq!(solver.atom(proposition), None);
}

#[test]
fn strict_bounds_have_models() {
    let mut solver = solver(false);
    let [x, y] = [(); 2].map(|()| solver.number(false));
    let (a, b) =
        (solver.at_most(&[(x, r(-1))], r(0), true), solver.at_most(&[(y, r(1)), (x, r(-1))], r(0), true));
    let c = solver.at_most(&[(y, r(-1000))], r(-1), true);
    assert_eq!(solver.solve(&[(0, a), (0, b), (0, c)]), Ok(true));
    let (x, y) = (solver.number_value(x), solver.number_value(y));
    assert!(r(0) < x && y < x && Rational::new(1, 1000) < y, "{x} and {y}");
    let d = solver.at_most(&[(ArithVar(0), r(1000))], r(1), false);
    assert_eq!(solver.solve(&[(0, a), (0, b), (0, d), (0, c)]), Ok(false));
    assert!(!solver.failed(a) && solver.failed(b) && solver.failed(c) && solver.failed(d));
    assert_eq!(solver.solve(&[(0, a), (0, Lit::FALSE)]), Ok(false));
    assert_eq!(solver.core(), [Lit::FALSE]);
    assert_eq!(solver.solve(&[(0, Lit::TRUE)]), Ok(true));
}

/// x = 2y and x = 2z + 1: no bounds, so splits would go on for ever.
#[test]
fn parity() {
    for interpolation in [false, true] {
        let mut solver = solver(interpolation);
        let [x, y, z] = [(); 3].map(|()| solver.number(true));
        equal(&mut solver, 0, &[(x, 1), (y, -2)], 0);
        equal(&mut solver, 1, &[(x, 1), (z, -2)], 1);
        assert_eq!(solver.solve(&[]), Ok(false));
        assert!(solver.counts().splits < 10);
        if interpolation {
            for system in System::ALL {
                let found = solver.interpolants(1..=1, system).unwrap();
                let [(leaf, Leaf::Remainder(even))] = &found.leaves[..] else { panic!("{:?}", found.leaves) };
                let expected = Remainder { sum: vec![(x, r(1))], constant: r(0), divisor: r(2), bound: r(0) };
                assert_eq!(*even, expected, "x is even");
                assert_eq!(found.roots, [*leaf]);
            }
        }
    }
}

/// x = 2y against x = 2z + 1, over terms: the interpolant is that x is even.
#[test]
fn parity_of_terms() {
    let mut terms = Terms::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.var(name, Sort::Int));
    let [zero, one, two] = [0, 1, 2].map(|n| terms.int(n));
    let [twice_y, twice_z] = [y, z].map(|t| terms.mul(two, t));
    let odd = terms.add(&[twice_z, one]);
    let [a, b] = [twice_y, odd].map(|t| terms.eq(x, t));
    let mut smt = Smt::new(&Cancel::new(), SmtConfig { interpolation: true, seed: 0 });
    smt.assert(&terms, 0, a);
    smt.assert(&terms, 1, b);
    assert_eq!(smt.solve(&[]), Ok(false));
    let rest = terms.modulo(x, two);
    let even = terms.le(rest, zero);
    assert_eq!(smt.interpolants(&mut terms, 1..=1, System::McMillan), Ok(vec![even]));
}

/// The step of a counter: x = 0 and x' = x + 1 against x' < 0.
#[test]
fn an_interpolant_for_a_step() {
    for system in System::ALL {
        let mut solver = solver(true);
        let [x, next] = [(); 2].map(|()| solver.number(true));
        equal(&mut solver, 0, &[(x, 1)], 0);
        equal(&mut solver, 0, &[(next, 1), (x, -1)], 1);
        let bad = at_most(&mut solver, &[(next, 1)], -1);
        assert_eq!(solver.solve(&[(1, bad)]), Ok(false));
        let found = solver.interpolants(1..=1, system).unwrap();
        let [(leaf, Leaf::AtMost(atom))] = &found.leaves[..] else { panic!("{:?}", found.leaves) };
        // x' ≥ 1, as the negation of x' ≤ 0.
        assert_eq!(*atom, AtMost { sum: vec![(next, r(1))], bound: r(0), strict: false });
        assert_eq!(found.roots, [!*leaf]);
    }
}

#[test]
fn interpolants_are_for_refutations_with_proofs() {
    let mut plain = solver(false);
    assert_eq!(plain.solve(&[(0, Lit::FALSE)]), Ok(false));
    plain.add_clause(0, &[]);
    assert_eq!(plain.solve(&[]), Ok(false));
    assert!(plain.interpolants(1..=1, System::McMillan).is_err());
    let mut logged = solver(true);
    assert_eq!(logged.solve(&[]), Ok(true));
    assert!(logged.interpolants(1..=1, System::McMillan).is_err());
    assert_eq!(logged.solve(&[(3, Lit::FALSE)]), Ok(false));
    let found = logged.interpolants(3..=4, System::McMillan).unwrap();
    assert_eq!(found.roots, [Lit::TRUE, Lit::FALSE]);
}

/// Equations whose solutions need far more than machine words.
#[test]
fn huge_coefficients() {
    let mut solver = solver(false);
    let numbers: Vec<ArithVar> = (0..8).map(|_| solver.number(true)).collect();
    equal(&mut solver, 0, &[(numbers[0], 1)], 3);
    for pair in numbers.windows(2) {
        equal(&mut solver, 0, &[(pair[1], 1), (pair[0], -(i64::MAX - 1))], i64::MAX);
    }
    assert_eq!(solver.solve(&[]), Ok(true));
    let factor = BigRational::from_integer((i64::MAX - 1).into());
    let mut expected = BigRational::from_integer(3.into());
    for &number in &numbers[1..] {
        expected = expected * &factor + BigRational::from_integer(i64::MAX.into());
        assert_eq!(solver.number_value(number).to_big(), expected);
    }
    let last = *numbers.last().unwrap();
    let (value, one) = (solver.number_value(last), Rational::ONE);
    let below = solver.at_most(&[(last, one.clone())], &value - &one, false);
    let above = solver.at_most(&[(last, r(-1))], -&value - one, false);
    assert_eq!(solver.solve_with(&[below, above], &[]), Ok(false));
    let shrunk = solver.at_most(&[(last, value.recip())], Rational::ONE, false);
    assert_eq!(solver.solve(&[(0, !shrunk)]), Ok(false));
    assert_eq!(solver.solve(&[(0, shrunk)]), Ok(true));
}

/// All values of a small box, tried one by one.
#[test]
fn boxes_agree_with_trying_all_values() {
    let mut n_refuted = 0;
    let n_wanted = n_wanted(1500);
    for seed in 0..n_wanted as u64 {
        let mut rng = Rng::with_seed(first_seed() + seed);
        let mut shape = Shape::random(&mut rng);
        shape.integers = vec![true; rng.usize(1..4)];
        shape.n_propositions = 2;
        shape.max_bound = 6;
        let (low, high) = (rng.i64(-3..1), rng.i64(0..4));
        let interpolation = rng.bool();
        let config = ArithConfig { interpolation, cuts_after: 0, ..ArithConfig::default() };
        let mut session = Session::new(&shape, config);
        for number in session.numbers.clone() {
            for (c, bound) in [(1, high), (-1, -low)] {
                let lit = at_most(&mut session.solver, &[(number, c)], bound);
                session.solver.add_clause(0, &[lit]);
            }
        }
        let mut clauses: Vec<Vec<Literal>> = Vec::new();
        for _ in 0..rng.usize(1..9) {
            let clause: Vec<Literal> = (0..rng.usize(1..4)).map(|_| shape.literal(&mut rng)).collect();
            let lits = session.lits(&clause);
            session.solver.add_clause(rng.u32(..2), &lits);
            clauses.push(clause);
            let expected = any_value(&shape, low, high, &clauses);
            assert_eq!(session.solver.solve(&[]), Ok(expected), "seed {seed}");
            n_refuted += usize::from(!expected);
            if expected {
                assert!(clauses.iter().all(|c| c.iter().any(|l| session.holds(l))));
            }
        }
    }
    assert!(n_refuted > n_wanted / 2, "{n_refuted}");
}

fn any_value(shape: &Shape, low: i64, high: i64, clauses: &[Vec<Literal>]) -> bool {
    let width = (high - low + 1) as usize;
    let n_values = width.pow(shape.integers.len() as u32);
    (0..n_values << shape.n_propositions).any(|code| {
        let (bits, mut rest) = (code % (1 << shape.n_propositions), code >> shape.n_propositions);
        let values: Vec<Rational> = shape
            .integers
            .iter()
            .map(|_| {
                let value = low + (rest % width) as i64;
                rest /= width;
                r(value)
            })
            .collect();
        let holds = |l: &Literal| match l {
            Literal::Proposition(p, negated) => (bits >> p & 1 == 1) != *negated,
            Literal::Atom(atom, negated) => atom.holds(|v| values[v.0 as usize].clone()) != *negated,
        };
        clauses.iter().all(|c| c.iter().any(holds))
    })
}

#[test]
fn cancelled_queries_unwind() {
    let cancel = Cancel::new();
    let mut solver = ArithSolver::new(&cancel, ArithConfig::default());
    cancel.cancel();
    assert_eq!(solver.solve(&[]), Err(Stop::Cancelled));
}
