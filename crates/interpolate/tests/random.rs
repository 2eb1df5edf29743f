//! Random problems: each system's interpolants and sequences, checked by another solver.
//!
//! `INDUBIT_RANDOM=20000 cargo test --release -p indubit-interpolate` takes so many interpolants of each system, and a
//! quarter as many sequences of each.

#![allow(clippy::unwrap_used)] // a test may panic

use fastrand::Rng;
use indubit_aig::{Aig, simulate};
use indubit_interpolate::{Answer, Interpolator, Refutation, System, check};
use indubit_logic::{Clause, Lit, Var};
use indubit_run::Cancel;
use indubit_sat::proof::Log;
use indubit_sat::{Cadical, Cdcl, Config, RestartKind, Solve, Tuning};

/// How many refutations to look at.
fn n_wanted(default: usize) -> usize {
    std::env::var("INDUBIT_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// The first seed: `INDUBIT_SEED`, to look at problems that nobody has seen.
fn first_seed() -> u64 {
    std::env::var("INDUBIT_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// A formula in parts as it grows, the solver that knows it, and a graph with a leaf for each variable.
struct Problem {
    rng: Rng,
    n_vars: u32,
    n_parts: u32,
    /// How often a variable is one that several parts have.
    mixing: u32,
    lengths: std::ops::Range<usize>,
    parts: Vec<Vec<Clause>>,
    interpolator: Interpolator,
    aig: Aig,
}

fn itself(var: Var) -> Lit {
    var.lit(false)
}

impl Problem {
    fn new(seed: u64, max_parts: u32) -> Problem {
        let mut rng = Rng::with_seed(seed);
        let n_vars = if rng.u32(..10) == 0 { rng.u32(60..90) } else { rng.u32(2..60) };
        let n_parts = rng.u32(2..=max_parts);
        let cancel = Cancel::new();
        let mut tuning = Tuning { seed: rng.u64(0..3), ..Tuning::large() };
        if rng.bool() {
            tuning.restarts = RestartKind::Luby { interval: rng.u64(1..30) };
            tuning.eliminate_after = rng.u64(1..30);
        }
        let solver = Cdcl::tuned(&cancel, tuning, Log::new());
        let mut aig = Aig::new();
        for _ in 1..=n_vars {
            aig.leaf();
        }
        Problem {
            n_vars,
            n_parts,
            mixing: [0, 1, 5, 10][rng.usize(..4)],
            lengths: [1..4, 1..3, 2..5, 3..4][rng.usize(..4)].clone(),
            parts: vec![Vec::new(); n_parts as usize],
            interpolator: Interpolator::with_solver(solver, &cancel),
            aig,
            rng,
        }
    }

    /// Of all variables, or of those that are near this part: neighbours share some, others nothing.
    fn lit(&mut self, part: u32) -> Lit {
        let near = self.n_vars / self.n_parts;
        let var = match self.rng.u32(..10) {
            n if n < self.mixing || near == 0 => self.rng.u32(..self.n_vars),
            _ => (part * near + self.rng.u32(..2 * near)) % self.n_vars,
        };
        Var::new(var + 1).lit(self.rng.bool())
    }

    /// Some clauses for some parts; literals may occur twice or with their negations.
    fn grow(&mut self) {
        let n_clauses = self.n_vars + self.rng.u32(..2 * self.n_vars);
        let idle = self.rng.u32(..2 * self.n_parts);
        for _ in 0..n_clauses {
            let part = self.rng.u32(..self.n_parts);
            if part == idle {
                continue;
            }
            let length = self.rng.usize(self.lengths.clone());
            let mut lits: Vec<Lit> = (0..length).map(|_| self.lit(part)).collect();
            match self.rng.u32(..60) {
                0 => lits.push(lits[0]),
                1 => lits.push(!lits[0]),
                _ => (),
            }
            self.interpolator.add_clause(part, &lits);
            self.parts[part as usize].push(Clause::new(lits));
        }
    }

    fn assumptions(&mut self) -> Vec<(u32, Lit)> {
        let n = [0, 0, 1, 3, 8][self.rng.usize(..5)];
        let mut assumptions: Vec<(u32, Lit)> = Vec::new();
        for _ in 0..n {
            let part = self.rng.u32(..self.n_parts);
            assumptions.push((part, self.lit(part)));
            // Now and then another part assumes the same, or the opposite.
            if self.rng.u32(..8) == 0 {
                let (_, lit) = assumptions[self.rng.usize(..assumptions.len())];
                assumptions.push((self.rng.u32(..self.n_parts), lit ^ (self.rng.u32(..4) == 0)));
            }
        }
        assumptions
    }

    /// The parts with the assumptions as unit clauses.
    fn assumed(&self, assumptions: &[(u32, Lit)]) -> Vec<Vec<Clause>> {
        let mut parts = self.parts.clone();
        for &(part, lit) in assumptions {
            parts[part as usize].push(Clause::new([lit]));
        }
        parts
    }
}

/// What kinds of refutations there were.
#[derive(Default)]
struct Kinds {
    unconditional: usize,
    assumed: usize,
    contradicting: usize,
}

impl Kinds {
    fn count(&mut self, core: &[(u32, Lit)]) {
        let contradicting = core.iter().any(|&(_, lit)| core.iter().any(|&(_, other)| other == !lit));
        match core.len() {
            0 => self.unconditional += 1,
            _ if contradicting => self.contradicting += 1,
            _ => self.assumed += 1,
        }
    }
}

/// Queries on random problems, several on each, until there were `n` refutations; `look` gets each of them with the parts.
fn refutations(n: usize, max_parts: u32, mut look: impl FnMut(&Refutation<'_>, &[Vec<Clause>], &mut Aig)) {
    let mut kinds = Kinds::default();
    let mut n_seen = 0;
    'problems: for seed in first_seed().. {
        let mut problem = Problem::new(seed, max_parts);
        for round in 0..12 {
            // The solver eliminates variables when it has been asked twice without a clause that mentions them.
            if round % 3 == 0 {
                problem.grow();
            }
            let assumptions = problem.assumptions();
            let parts = problem.assumed(&assumptions);
            let mut other = Cadical::new(Config::Default, &Cancel::new());
            parts.iter().flatten().for_each(|clause| other.add_clause(clause.lits()));
            let expected = other.solve(&[]).unwrap();
            match problem.interpolator.solve(&assumptions).unwrap() {
                Answer::Model(model) => {
                    assert!(expected, "seed {seed}");
                    let holds = |clause: &Clause| clause.lits().iter().any(|&l| model.value(l));
                    assert!(parts.iter().flatten().all(holds), "seed {seed}");
                }
                Answer::Refutation(refutation) => {
                    assert!(!expected, "seed {seed}");
                    assert!(refutation.core().all(|used| assumptions.contains(&used)), "seed {seed}");
                    look(&refutation, &parts, &mut problem.aig);
                    let core: Vec<(u32, Lit)> = refutation.core().collect();
                    kinds.count(&core);
                    n_seen += 1;
                    if n_seen == n {
                        break 'problems;
                    }
                    if core.is_empty() {
                        continue 'problems;
                    }
                }
            }
        }
    }
    let Kinds { unconditional, assumed, contradicting } = kinds;
    assert!(unconditional > n / 4 && assumed > n / 8 && contradicting > n / 100, "a mixture");
}

#[test]
fn interpolants() {
    let mut n_proper = 0;
    let n = n_wanted(400);
    refutations(n, 2, |refutation, parts, aig| {
        let mut by_strength = Vec::new();
        for system in System::ALL {
            let interpolant = refutation.interpolant(1, system, aig, itself).unwrap();
            let sequence = [Lit::TRUE, interpolant, Lit::FALSE];
            assert_eq!(check(parts, aig, itself, &sequence, &Cancel::new()).unwrap(), Ok(()), "{system:?}");
            n_proper += usize::from(!interpolant.is_const());
            by_strength.push(interpolant);
        }
        // From one refutation, McMillan's is the strongest and its inverse the weakest.
        let mut solver = Cadical::new(Config::Default, &Cancel::new());
        let mut encoder = indubit_aig::Encoder::new();
        for &root in &by_strength {
            encoder.encode(aig, root, |clause| solver.add_clause(clause));
        }
        for pair in by_strength.windows(2) {
            assert_eq!(solver.solve(&[pair[0], !pair[1]]), Ok(false));
        }
    });
    assert!(n_proper > n, "only {n_proper} interpolants were not constant");
}

#[test]
fn sequences() {
    let mut n_proper = 0;
    let n = n_wanted(400) / 4;
    refutations(n, 6, |refutation, parts, aig| {
        let n_parts = parts.len() as u32;
        for system in System::ALL {
            let sequence = refutation.sequence(n_parts, system, aig, itself).unwrap();
            assert_eq!(check(parts, aig, itself, &sequence, &Cancel::new()).unwrap(), Ok(()), "{system:?}");
            // Each of them is what that cut alone gives.
            let cut = n_parts / 2;
            let alone = refutation.interpolant(cut, system, aig, itself).unwrap();
            assert_eq!(alone, sequence[cut as usize], "{system:?}");
            n_proper += sequence.iter().filter(|l| !l.is_const()).count();
        }
    });
    assert!(n_proper > n, "only {n_proper} formulas were not constant");
}

/// If B is a cube of assumptions, each system's interpolant is the clause that excludes its core (docs/IC3.md).
#[test]
fn the_interpolant_of_a_cube_is_its_core() {
    let (mut n_cubes, mut rng) = (0, Rng::with_seed(first_seed()));
    while n_cubes < 500 {
        let n_vars = rng.u32(8..40);
        let mut interpolator = Interpolator::new(&Cancel::new(), rng.u64(0..3));
        let mut aig = Aig::new();
        let leaves: Vec<Lit> = (0..n_vars).map(|_| aig.leaf()).collect();
        for _ in 0..3 * n_vars {
            let clause: Vec<Lit> = (0..3).map(|_| leaves[rng.usize(..leaves.len())] ^ rng.bool()).collect();
            interpolator.add_clause(0, &clause);
        }
        for _ in 0..20 {
            let cube: Vec<(u32, Lit)> = leaves[..8].iter().map(|&leaf| (1, leaf ^ rng.bool())).collect();
            let Answer::Refutation(refutation) = interpolator.solve(&cube).unwrap() else { continue };
            let core: Vec<Lit> = refutation.core().map(|(_, lit)| lit).collect();
            let excluded = !aig.and_all(core);
            let found =
                System::ALL.map(|system| refutation.interpolant(1, system, &mut aig, itself).unwrap());
            // All assignments of the eight variables, in four times 64 bits.
            for high in 0..4u64 {
                let mut words = vec![0u64; aig.n_vars()];
                for (var, word) in words[1..=8].iter_mut().enumerate() {
                    *word = (0..64).map(|bit| ((high << 6 | bit) >> var & 1) << bit).sum();
                }
                simulate::propagate(&aig, &mut words);
                let expected = simulate::word(&words, excluded);
                assert_eq!(found.map(|edge| simulate::word(&words, edge)), [expected; 3]);
            }
            n_cubes += 1;
        }
    }
}
