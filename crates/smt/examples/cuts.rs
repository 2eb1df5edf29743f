//! What do cuts save? Small hard problems over integers, with and without them.
//!
//! `cargo run --release -p indubit-smt --example cuts [how many of each family] [seed]` prints for each family what was answered and
//! what it took.

use fastrand::Rng;
use indubit_logic::Lit;
use indubit_run::Cancel;
use indubit_smt::{ArithConfig, ArithSolver, ArithVar, Rational};

/// A conjunction: each sum is at most its bound.
type Problem = Vec<(Vec<(usize, i64)>, i64)>;

fn within(problem: &mut Problem, var: usize, low: i64, high: i64) {
    problem.extend([(vec![(var, 1)], high), (vec![(var, -1)], -low)]);
}

fn equal(problem: &mut Problem, sum: Vec<(usize, i64)>, bound: i64) {
    problem.push((sum.iter().map(|&(v, c)| (v, -c)).collect(), -bound));
    problem.push((sum, bound));
}

/// One equation with a box.
fn knapsack(rng: &mut Rng) -> Problem {
    let (mut problem, n) = (Problem::new(), rng.usize(3..7));
    (0..n).for_each(|var| within(&mut problem, var, 0, 20));
    let sum: Vec<(usize, i64)> = (0..n).map(|var| (var, rng.i64(12..120))).collect();
    let bound = rng.i64(50..1500);
    equal(&mut problem, sum, bound);
    problem
}

/// Two or three equations with coefficients that have many divisors, and a box.
fn equations(rng: &mut Rng) -> Problem {
    let (mut problem, n) = (Problem::new(), rng.usize(4..8));
    (0..n).for_each(|var| within(&mut problem, var, -30, 30));
    for _ in 0..rng.usize(2..4) {
        let coefficient = |rng: &mut Rng| [12, -18, 8, 27, -10, 15, 6, -35][rng.usize(..8)];
        let sum: Vec<(usize, i64)> = (0..n).map(|var| (var, coefficient(rng))).collect();
        equal(&mut problem, sum, rng.i64(-200..200));
    }
    problem
}

/// More pigeons than holes, as a sum for each.
fn pigeons(rng: &mut Rng) -> Problem {
    let (mut problem, holes) = (Problem::new(), rng.usize(3..6));
    let pigeons = holes + 1;
    (0..pigeons * holes).for_each(|var| within(&mut problem, var, 0, 1));
    for pigeon in 0..pigeons {
        problem.push(((0..holes).map(|hole| (pigeon * holes + hole, -1)).collect(), -1));
    }
    for hole in 0..holes {
        // Two by two, so that fractions fit.
        for one in 0..pigeons {
            for other in 0..one {
                problem.push((vec![(one * holes + hole, 1), (other * holes + hole, 1)], 1));
            }
        }
    }
    problem
}

/// Inequalities in a box.
fn polytope(rng: &mut Rng) -> Problem {
    let (mut problem, n) = (Problem::new(), rng.usize(4..9));
    (0..n).for_each(|var| within(&mut problem, var, 0, 10));
    for _ in 0..n + 2 {
        let sum: Vec<(usize, i64)> = (0..n).map(|var| (var, rng.i64(-9..10))).collect();
        problem.push((sum, rng.i64(-12..13)));
    }
    problem
}

/// A thin cone without a box.
fn cone(rng: &mut Rng) -> Problem {
    let mut problem = Problem::new();
    let n = rng.usize(2..5);
    for _ in 0..n {
        let sum: Vec<(usize, i64)> = (0..n).map(|var| (var, rng.i64(-30..31))).collect();
        let low = rng.i64(1..200);
        problem.push((sum.iter().map(|&(v, c)| (v, -c)).collect(), -low));
        problem.push((sum, low + rng.i64(1..4)));
    }
    problem
}

#[derive(Default)]
struct Took {
    models: usize,
    refuted: usize,
    given_up: usize,
    splits: u64,
    cuts: u64,
    pivots: u64,
    ticks: u64,
}

fn solve(problem: &Problem, cuts: bool, took: &mut Took) -> Option<bool> {
    let mut solver = ArithSolver::new(&Cancel::new(), ArithConfig { cuts, ..ArithConfig::default() });
    let n = problem.iter().flat_map(|(sum, _)| sum).map(|&(v, _)| v + 1).max().unwrap_or(0);
    let numbers: Vec<ArithVar> = (0..n).map(|_| solver.number(true)).collect();
    let assumptions: Vec<(u32, Lit)> = problem
        .iter()
        .map(|(sum, bound)| {
            let sum: Vec<_> = sum.iter().map(|&(v, c)| (numbers[v], Rational::from(c))).collect();
            (0, solver.at_most(&sum, Rational::from(*bound), false))
        })
        .collect();
    let answer = solver.solve(&assumptions).ok();
    match answer {
        Some(true) => took.models += 1,
        Some(false) => took.refuted += 1,
        None => took.given_up += 1,
    }
    let counts = solver.counts();
    took.splits += counts.splits;
    took.cuts += counts.cuts;
    took.pivots += counts.pivots;
    took.ticks += counts.search.ticks;
    answer
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|a| a.parse::<u64>().ok());
    let (n, seed) = (arguments.next().unwrap_or(200), arguments.next().unwrap_or(1));
    type Family = fn(&mut Rng) -> Problem;
    let families: [(&str, Family); 5] = [
        ("knapsack", knapsack),
        ("equations", equations),
        ("pigeons", pigeons),
        ("polytope", polytope),
        ("cone", cone),
    ];
    println!("family     cuts | models refuted given up |  splits    cuts   pivots     ticks");
    for (name, family) in families {
        let mut took = [Took::default(), Took::default()];
        for problem_seed in seed..seed + n {
            let problem = family(&mut Rng::with_seed(problem_seed));
            let [without, with] =
                [false, true].map(|cuts| solve(&problem, cuts, &mut took[usize::from(cuts)]));
            assert!(without.is_none() || with.is_none() || without == with, "{name}, seed {problem_seed}");
        }
        for (took, with) in took.iter().zip(["no", "yes"]) {
            let Took { models, refuted, given_up, splits, cuts, pivots, ticks } = took;
            println!(
                "{name:<10} {with:<4} | {models:>6} {refuted:>7} {given_up:>8} | {splits:>7} {cuts:>7} {pivots:>8} {ticks:>9}"
            );
        }
    }
}
