//! How many small incremental queries over linear integer arithmetic a second?
//!
//! `cargo run --release -p indubit-smt --example queries [number of queries] [seed]` makes a random transition system over integer
//! variables in clauses, and asks what IC3 asks: is a cube of predicates inductive relative to some lemmas? Half of the queries
//! have a temporary clause, the negated cube; lemmas are added as it goes. It prints queries a second and what they took.

use fastrand::Rng;
use indubit_logic::Lit;
use indubit_run::Cancel;
use indubit_smt::{ArithConfig, ArithSolver, ArithVar, Rational};
use std::time::Instant;

/// Seconds of processor time of this process, where the system tells; of the clock otherwise.
fn seconds(begin: Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    // In hundredths of a second, field 14 of the line.
    let user = after_name.split_whitespace().nth(11).and_then(|field| field.parse::<f64>().ok());
    user.map_or(begin.elapsed().as_secs_f64(), |ticks| ticks / 100.0)
}

/// A load: so many state variables, each with a next value; predicates over the former and over the latter.
struct Load {
    rng: Rng,
    solver: ArithSolver,
    predicates: Vec<[Lit; 2]>,
    n_lemmas: usize,
    n_unknown: usize,
}

impl Load {
    fn new(seed: u64, n_state: usize, n_commands: usize, interpolation: bool) -> Load {
        let mut rng = Rng::with_seed(seed);
        let config = ArithConfig { interpolation, ..ArithConfig::default() };
        let mut solver = ArithSolver::new(&Cancel::new(), config);
        let now: Vec<ArithVar> = (0..n_state).map(|_| solver.number(true)).collect();
        let next: Vec<ArithVar> = (0..n_state).map(|_| solver.number(true)).collect();
        let one = |n: i64| Rational::from(n);
        // Commands: each variable keeps its value, or becomes another plus a constant; some have guards.
        let commands: Vec<Lit> = (0..n_commands).map(|_| solver.proposition()).collect();
        solver.add_clause(0, &commands);
        for &command in &commands {
            for &target in &next {
                let at = (target.0 as usize - n_state) % n_state;
                let (source, step) =
                    if rng.u8(..3) == 0 { (now[rng.usize(..n_state)], rng.i64(-2..3)) } else { (now[at], 0) };
                let sum = [(target, one(1)), (source, one(-1))];
                let minus = [(target, one(-1)), (source, one(1))];
                let upper = solver.at_most(&sum, one(step), false);
                let lower = solver.at_most(&minus, one(-step), false);
                solver.add_clause(0, &[!command, upper]);
                solver.add_clause(0, &[!command, lower]);
            }
            let guard = [(now[rng.usize(..n_state)], one(1)), (now[rng.usize(..n_state)], one(-1))];
            let guard = solver.at_most(&guard, one(rng.i64(-3..4)), false);
            solver.add_clause(0, &[!command, guard]);
        }
        // Predicates over one, two or three variables.
        let mut predicates = Vec::new();
        for _ in 0..3 * n_state {
            let n = [1, 1, 2, 2, 3][rng.usize(..5)];
            let terms: Vec<(usize, i64)> =
                (0..n).map(|_| (rng.usize(..n_state), [1, -1, 1, -1, 2][rng.usize(..5)])).collect();
            let bound = rng.i64(-6..7);
            let lits = [&now, &next].map(|vars| {
                let sum: Vec<_> = terms.iter().map(|&(i, c)| (vars[i], one(c))).collect();
                solver.at_most(&sum, one(bound), false)
            });
            if !lits[0].is_const() {
                predicates.push(lits);
            }
        }
        Load { rng, solver, predicates, n_lemmas: 0, n_unknown: 0 }
    }
    fn cube(&mut self, len: usize) -> Vec<[Lit; 2]> {
        let n = self.predicates.len();
        let mut cube: Vec<[Lit; 2]> = Vec::new();
        for _ in 0..len {
            let lits = self.predicates[self.rng.usize(..n)];
            if cube.iter().all(|l| l[0].var() != lits[0].var()) {
                let negated = self.rng.bool();
                cube.push(lits.map(|l| l ^ negated));
            }
        }
        cube
    }
    /// Queries until there are so many; how many had a model.
    fn run(&mut self, n_queries: usize) -> usize {
        let (mut n, mut n_models) = (0, 0);
        while n < n_queries {
            let len = self.rng.usize(2..10);
            let mut cube = self.cube(len);
            // As generalization does: drop literals while it stays inductive.
            let mut at = 0;
            let mut first = true;
            while n < n_queries && at <= cube.len() {
                let mut trial = cube.clone();
                if !first && at < trial.len() {
                    trial.remove(at);
                }
                let clause: Vec<Lit> = trial.iter().map(|l| !l[0]).collect();
                let assumptions: Vec<(u32, Lit)> = trial.iter().map(|l| (0, l[1])).collect();
                n += 1;
                let answer = match n % 2 {
                    0 => self.solver.solve_with(&clause, &assumptions),
                    _ => self.solver.solve(&assumptions),
                };
                let Ok(answer) = answer else {
                    self.n_unknown += 1;
                    break;
                };
                match answer {
                    true if first => {
                        n_models += 1;
                        break;
                    }
                    true => {
                        n_models += 1;
                        at += 1
                    }
                    false => {
                        let core = self.solver.core();
                        trial.retain(|l| core.contains(&l[1]));
                        cube = trial;
                    }
                }
                if !first && at >= cube.len() {
                    break;
                }
                first = false;
            }
            // A lemma now and then, so that frames fill; none that makes the system empty.
            if self.n_lemmas < 100 && self.rng.u8(..20) == 0 {
                let clause: Vec<Lit> = self.cube(4).iter().map(|l| l[0]).collect();
                self.solver.add_clause(0, &clause);
                self.n_lemmas += 1;
            }
        }
        n_models
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|a| a.parse::<u64>().ok());
    let (n_queries, seed) = (arguments.next().unwrap_or(20_000) as usize, arguments.next().unwrap_or(1));
    let begin = Instant::now();
    for (n_state, n_commands) in [(10, 6), (20, 6), (30, 5)] {
        let mut load = Load::new(seed, n_state, n_commands, false);
        let before = seconds(begin);
        let n_models = load.run(n_queries);
        let seconds = seconds(begin) - before;
        println!(
            "{} integers, {n_commands} commands: {:.0} queries a second of processor time, {n_models} of {n_queries} with a model, {} unknown; {:?}",
            2 * n_state,
            n_queries as f64 / seconds,
            load.n_unknown,
            load.solver.counts()
        );
    }
}
