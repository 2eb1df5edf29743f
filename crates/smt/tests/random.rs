//! Random incremental sessions over reals and integers: models are evaluated exactly, refutations are asked of z3 where there
//! is one, and cores are refuted again.
//!
//! `INDUBIT_RANDOM=50000 cargo test --release -p indubit-smt --test random` looks at so many queries.

#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{Literal, Session, Shape, Z3, clause_text, first_seed, literal_text, n_wanted};
use fastrand::Rng;
use indubit_logic::Lit;
use indubit_run::Stop;
use indubit_smt::ArithConfig;

#[derive(Default, Debug)]
struct Seen {
    queries: usize,
    models: usize,
    refutations: usize,
    gave_up: usize,
    unknown: usize,
}

struct Run {
    seed: u64,
    rng: Rng,
    shape: Shape,
    session: Session,
    clauses: Vec<Vec<Literal>>,
}

impl Run {
    fn new(seed: u64) -> Run {
        let mut rng = Rng::with_seed(seed);
        let shape = Shape::random(&mut rng);
        let config = ArithConfig {
            seed: rng.u64(..3),
            interpolation: rng.u8(..4) == 0,
            cuts: seed.is_multiple_of(2),
            cuts_after: 0,
            ..ArithConfig::default()
        };
        let session = Session::new(&shape, config);
        Run { seed, rng, shape, session, clauses: Vec::new() }
    }
    fn literals(&mut self, n: std::ops::Range<usize>) -> Vec<Literal> {
        let n = self.rng.usize(n);
        (0..n).map(|_| self.shape.literal(&mut self.rng)).collect()
    }
    fn query(&mut self, z3: &mut Option<Z3>, seen: &mut Seen) {
        for _ in 0..self.rng.usize(..6) {
            let clause = self.literals(1..4);
            let lits = self.session.lits(&clause);
            let part = self.rng.u32(..3);
            self.session.solver.add_clause(part, &lits);
            if let Some(z3) = z3 {
                z3.say(&format!("(assert {})", clause_text(&clause, &self.shape.integers)));
            }
            self.clauses.push(clause);
        }
        let assumed = self.literals(0..6);
        let assumptions: Vec<(u32, Lit)> =
            self.session.lits(&assumed).into_iter().map(|l| (self.rng.u32(..3), l)).collect();
        let temporary = self.rng.bool().then(|| self.literals(0..4));
        let answer = match &temporary {
            None => self.session.solver.solve(&assumptions),
            Some(clause) => {
                let lits = self.session.lits(clause);
                self.session.solver.solve_with(&lits, &assumptions)
            }
        };
        seen.queries += 1;
        let integers = &self.shape.integers;
        let with_temporary: Vec<String> = temporary.iter().map(|c| clause_text(c, integers)).collect();
        match answer {
            Err(Stop::Incomplete(_)) => seen.gave_up += 1,
            Err(stop) => panic!("{stop}"),
            Ok(true) => {
                seen.models += 1;
                self.session.check_numbers(&self.shape);
                for clause in self.clauses.iter().chain(&temporary) {
                    assert!(clause.iter().any(|l| self.session.holds(l)), "{clause:?}");
                }
                assert!(assumed.iter().all(|l| self.session.holds(l)));
                for (literal, &(_, lit)) in assumed.iter().zip(&assumptions) {
                    assert!(self.session.solver.value(lit) && self.session.holds(literal));
                }
                let other = self.shape.literal(&mut self.rng);
                let lit = self.session.lit(&other);
                assert_eq!(
                    self.session.holds(&other),
                    self.session.solver.value(lit),
                    "values are evaluated"
                );
            }
            Ok(false) => {
                seen.refutations += 1;
                let core = self.session.solver.core();
                let mut formulas = with_temporary.clone();
                for (literal, &(_, lit)) in assumed.iter().zip(&assumptions) {
                    assert_eq!(core.contains(&lit), self.session.solver.failed(lit));
                    if core.contains(&lit) {
                        formulas.push(literal_text(literal, integers));
                    }
                }
                assert!(core.iter().all(|l| assumptions.iter().any(|(_, a)| a == l)), "{core:?}");
                match z3 {
                    Some(z3) => z3.refute(&formulas, format!("seed {}, a core", self.seed)),
                    None => {
                        // Ours again, made anew and otherwise.
                        let config = ArithConfig { seed: 7, ..ArithConfig::default() };
                        let mut again = Session::new(&self.shape, config);
                        for clause in self.clauses.iter().chain(&temporary) {
                            let lits = again.lits(clause);
                            again.solver.add_clause(0, &lits);
                        }
                        let units: Vec<Literal> = assumed
                            .iter()
                            .zip(&assumptions)
                            .filter(|(_, (_, lit))| core.contains(lit))
                            .map(|(literal, _)| literal.clone())
                            .collect();
                        let units: Vec<(u32, Lit)> = again.lits(&units).into_iter().map(|l| (0, l)).collect();
                        assert_ne!(again.solver.solve(&units), Ok(true));
                    }
                }
            }
        }
    }
}

#[test]
fn sessions_agree_with_z3() {
    let wanted = n_wanted(1000);
    let mut z3 = Z3::new();
    let mut seen = Seen::default();
    let mut seed = first_seed();
    while seen.queries < wanted {
        let mut run = Run::new(seed);
        if let Some(z3) = &mut z3 {
            z3.reset(&run.shape);
        }
        for _ in 0..12 {
            let before = seen.refutations;
            let outcome =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run.query(&mut z3, &mut seen)));
            if let Err(panic) = outcome {
                panic!("seed {seed}: {:?}", panic.downcast_ref::<String>());
            }
            // Nothing more to find out once the clauses contradict each other.
            if seen.refutations > before && run.session.solver.core().is_empty() {
                break;
            }
        }
        if let Some(z3) = &mut z3 {
            seen.unknown += z3.finish();
        }
        seed += 1;
    }
    assert!(seen.models * 5 > seen.queries && seen.refutations * 5 > seen.queries, "{seen:?}");
    assert!(seen.gave_up * 50 < seen.queries, "{seen:?}");
    assert!(seen.unknown * 50 < seen.queries, "{seen:?}");
}
