//! Random formulas in parts: interpolants and sequences of every system, each condition asked of a solver made anew and of z3
//! where there is one.
//!
//! `INDUBIT_RANDOM=10000 cargo test --release -p indubit-smt --test interpolants` takes so many interpolants, and a fifth as
//! many sequences.

#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use common::{Literal, Session, Shape, Z3, atom_text, clause_text, first_seed, n_wanted};
use fastrand::Rng;
use indubit_interpolate::System;
use indubit_logic::Lit;
use indubit_run::Stop;
use indubit_smt::{ArithConfig, ArithSolver, ArithVar, AtMost, Interpolants, Leaf, Rational, Remainder};
use std::collections::{HashMap, HashSet};

/// What occurs in a part.
#[derive(Default)]
struct Vocabulary {
    propositions: HashSet<Lit>,
    numbers: HashSet<ArithVar>,
}

/// How many numbers each part has alone, if any.
const ALONE: u32 = 4;

struct Problem {
    rng: Rng,
    shape: Shape,
    n_parts: u32,
    session: Session,
    /// The first of the numbers that each part has alone.
    first_alone: u32,
    parts: Vec<Vec<Vec<Literal>>>,
    /// Equations over integers, each with a multiple of this that its part has alone, so that divisors matter?
    divisor: Option<i64>,
}

impl Problem {
    fn new(seed: u64, max_parts: u32, equations: bool) -> Problem {
        let mut rng = Rng::with_seed(seed);
        let n_parts = rng.u32(2..=max_parts);
        let divisor = equations.then(|| [2, 3, 4, 6][rng.usize(..4)]);
        let kind = if equations { 3 } else { rng.u8(..4) };
        let n_numbers = n_parts as usize + rng.usize(1..4);
        let mut integers: Vec<bool> = (0..n_numbers).map(|_| kind > 1 || (kind == 1 && rng.bool())).collect();
        let first_alone = n_numbers as u32;
        if equations {
            integers.resize(n_numbers + (ALONE * n_parts) as usize, true);
        }
        let shape = Shape {
            n_propositions: n_parts as usize + 1,
            integers,
            max_terms: rng.usize(2..4),
            max_coefficient: [1, 1, 2, 3][rng.usize(..4)],
            max_bound: [2, 5][rng.usize(..2)],
            max_denominator: if equations { 1 } else { [1, 1, 2][rng.usize(..3)] },
        };
        let config =
            ArithConfig { seed: rng.u64(..3), interpolation: true, max_splits: 60, ..ArithConfig::default() };
        let session = Session::new(&shape, config);
        Problem {
            rng,
            n_parts,
            session,
            parts: vec![Vec::new(); n_parts as usize],
            shape,
            first_alone,
            divisor,
        }
    }
    /// A literal over what is near the part: neighbours share some, others little.
    fn literal(&mut self, part: u32) -> Literal {
        let (n_numbers, n_propositions) = (self.first_alone, self.shape.n_propositions as u32);
        let rng = &mut self.rng;
        let near =
            |rng: &mut Rng, n: u32| if rng.u8(..12) == 0 { rng.u32(..n) } else { (part + rng.u32(..2)) % n };
        match self.shape.literal(rng) {
            Literal::Proposition(_, negated) => {
                Literal::Proposition(near(rng, n_propositions) as usize, negated)
            }
            Literal::Atom(mut atom, negated) => {
                atom.sum.iter_mut().for_each(|(v, _)| *v = ArithVar(near(rng, n_numbers)));
                Literal::Atom(atom, negated)
            }
        }
    }
    /// Add clauses to some part, and ask under assumptions, perhaps with a temporary clause; the formula as it was asked, in parts.
    fn query(&mut self) -> (Result<bool, Stop>, Vec<Vec<Vec<Literal>>>) {
        for _ in 0..self.rng.usize(1..4) {
            let part = self.rng.u32(..self.n_parts);
            let clause: Vec<Literal> = (0..self.rng.usize(1..4)).map(|_| self.literal(part)).collect();
            let mut clauses = vec![clause];
            if let (Some(divisor), [Literal::Atom(atom, _), ..]) = (self.divisor, &mut clauses[0][..]) {
                let alone = self.first_alone + ALONE * part + self.rng.u32(..ALONE);
                // A chain of what parts share.
                let sign = [1, -1][self.rng.usize(..2)];
                atom.sum = vec![(ArithVar(alone), Rational::from(divisor)), (ArithVar(part), Rational::ONE)];
                atom.sum.push((ArithVar(part + 1), Rational::from(sign)));
                if self.rng.u8(..3) == 0 {
                    atom.sum.swap_remove(self.rng.usize(1..3));
                }
                // Each part has a model, but they need not agree.
                let value = |v: ArithVar| Rational::from(i64::from((5 * part + 3 * v.0) % 7));
                atom.bound = Rational::ZERO;
                atom.sum.iter().for_each(|(v, c)| atom.bound.add_product(c, &value(*v)));
                atom.strict = false;
                let mut from_below = atom.negated();
                from_below.strict = false;
                clauses = [atom.clone(), from_below].map(|atom| vec![Literal::Atom(atom, false)]).into();
            }
            for clause in clauses {
                let lits = self.session.lits(&clause);
                self.session.solver.add_clause(part, &lits);
                self.parts[part as usize].push(clause);
            }
        }
        let mut parts = self.parts.clone();
        let mut assumptions = Vec::new();
        // Equations refute each other if nothing else does.
        let is_calm = self.divisor.is_some() && self.rng.u8(..4) > 0;
        for _ in 0..if is_calm { 0 } else { self.rng.usize(..4) } {
            let part = self.rng.u32(..self.n_parts);
            let literal = self.literal(part);
            assumptions.push((part, self.session.lit(&literal)));
            parts[part as usize].push(vec![literal]);
        }
        let answer = match is_calm || self.rng.bool() {
            true => self.session.solver.solve(&assumptions),
            false => {
                let clause: Vec<Literal> = (0..self.rng.usize(1..4)).map(|_| self.literal(0)).collect();
                let lits = self.session.lits(&clause);
                parts[0].push(clause);
                self.session.solver.solve_with(&lits, &assumptions)
            }
        };
        (answer, parts)
    }
    fn vocabulary(&mut self, part: &[Vec<Literal>]) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        for literal in part.iter().flatten() {
            let lit = self.session.lit(literal);
            match self.session.solver.atom(lit) {
                Some(atom) => vocabulary.numbers.extend(atom.sum.iter().map(|(v, _)| *v)),
                None => _ = vocabulary.propositions.insert(Lit::positive(lit.var())),
            }
        }
        vocabulary
    }
}

/// Does each formula speak only of what both sides of its cut have?
fn check_vocabulary(problem: &mut Problem, parts: &[Vec<Vec<Literal>>], cuts: &[u32], found: &Interpolants) {
    let words: Vec<Vocabulary> = parts.iter().map(|part| problem.vocabulary(part)).collect();
    let mut cone = indubit_aig::Cone::new();
    for (&cut, &root) in cuts.iter().zip(&found.roots) {
        let (before, after) = words.split_at(cut as usize);
        let shares_number = |v: &ArithVar| {
            before.iter().any(|w| w.numbers.contains(v)) && after.iter().any(|w| w.numbers.contains(v))
        };
        let shares = |p: &Lit| {
            before.iter().any(|w| w.propositions.contains(p))
                && after.iter().any(|w| w.propositions.contains(p))
        };
        cone.collect(&found.aig, [root]);
        for (lit, leaf) in found.leaves.iter().filter(|(lit, _)| cone.contains(lit.var())) {
            assert!(!lit.is_negated());
            let sum = match leaf {
                Leaf::AtMost(atom) => Some(atom.sum.clone()),
                Leaf::Remainder(remainder) => Some(remainder.sum.clone()),
                Leaf::Literal(lit) => problem.session.solver.atom(*lit).map(|atom| atom.sum),
            };
            match (sum, leaf) {
                (Some(sum), _) => {
                    assert!(!sum.is_empty() && sum.iter().all(|(v, _)| shares_number(v)), "{leaf:?}")
                }
                (None, Leaf::Literal(lit)) => assert!(shares(lit), "{leaf:?}"),
                (None, _) => unreachable!(),
            }
        }
    }
}

/// The literal of a constraint on a remainder, with a number for the quotient.
fn remainder_at_most(solver: &mut ArithSolver, remainder: &Remainder) -> Lit {
    let Remainder { sum, constant, divisor, bound } = remainder;
    let mut rest = sum.clone();
    rest.push((solver.number(true), -divisor));
    let negated: Vec<_> = rest.iter().map(|(v, c)| (*v, -c)).collect();
    let not_negative = solver.at_most(&negated, constant.clone(), false);
    let not_too_large = solver.at_most(&rest, divisor - constant, true);
    solver.add_clause(0, &[not_negative]);
    solver.add_clause(0, &[not_too_large]);
    solver.at_most(&rest, bound - constant, false)
}

/// Do the formula `from` and the part imply the formula `to`? Asked of ours, made anew.
fn implies(
    problem: &Problem,
    part: &[&Vec<Literal>],
    found: &Interpolants,
    from: Lit,
    to: Lit,
) -> Result<bool, Stop> {
    let mut fresh = Session::new(&problem.shape, ArithConfig { seed: 5, ..ArithConfig::default() });
    let mut nodes: HashMap<usize, Lit> = HashMap::from([(0, Lit::FALSE)]);
    for (lit, leaf) in &found.leaves {
        let mut at_most = |atom: &AtMost| fresh.solver.at_most(&atom.sum, atom.bound.clone(), atom.strict);
        let own = match leaf {
            Leaf::AtMost(atom) => at_most(atom),
            Leaf::Remainder(remainder) => remainder_at_most(&mut fresh.solver, remainder),
            Leaf::Literal(lit) => match problem.session.solver.atom(*lit) {
                Some(atom) => at_most(&atom),
                None => {
                    let p = problem.session.propositions.iter().position(|p| p.var() == lit.var()).unwrap();
                    fresh.propositions[p] ^ lit.is_negated()
                }
            },
        };
        nodes.insert(lit.var().index(), own);
    }
    for (gate, fanins) in found.aig.ands() {
        let [a, b] = fanins.map(|f| nodes[&f.var().index()] ^ f.is_negated());
        let own = fresh.solver.proposition();
        fresh.solver.add_clause(0, &[!own, a]);
        fresh.solver.add_clause(0, &[!own, b]);
        fresh.solver.add_clause(0, &[own, !a, !b]);
        nodes.insert(gate.index(), own);
    }
    for clause in part {
        let lits = fresh.lits(clause);
        fresh.solver.add_clause(0, &lits);
    }
    let edge = |l: Lit| nodes[&l.var().index()] ^ l.is_negated();
    Ok(!fresh.solver.solve(&[(0, edge(from)), (0, !edge(to))])?)
}

/// The steps of the sequence, asked of z3.
fn ask_z3(z3: &mut Z3, problem: &Problem, parts: &[Vec<Vec<Literal>>], found: &Interpolants, what: &str) {
    let integers = &problem.shape.integers;
    z3.say("(push)\n(define-fun v0 () Bool false)");
    for (lit, leaf) in &found.leaves {
        let text = match leaf {
            Leaf::AtMost(atom) => atom_text(atom, integers),
            Leaf::Remainder(Remainder { sum, constant, divisor, bound }) => {
                let sum: Vec<String> = sum.iter().map(|(v, c)| format!("(* {c} n{})", v.0)).collect();
                format!("(<= (mod (+ {constant} {}) {divisor}) {bound})", sum.join(" "))
            }
            Leaf::Literal(lit) => match problem.session.solver.atom(*lit) {
                Some(atom) => atom_text(&atom, integers),
                None => {
                    let p = problem.session.propositions.iter().position(|p| p.var() == lit.var()).unwrap();
                    if lit.is_negated() { format!("(not p{p})") } else { format!("p{p}") }
                }
            },
        };
        z3.say(&format!("(define-fun {:?} () Bool {text})", lit.var()));
    }
    let edge = |l: Lit| match l.is_negated() {
        true => format!("(not {:?})", l.var()),
        false => format!("{:?}", l.var()),
    };
    for (gate, [a, b]) in found.aig.ands() {
        z3.say(&format!("(define-fun {gate:?} () Bool (and {} {}))", edge(a), edge(b)));
    }
    for (cut, part) in parts.iter().enumerate() {
        let mut formulas: Vec<String> = part.iter().map(|c| clause_text(c, integers)).collect();
        formulas.extend([edge(found.roots[cut]), edge(!found.roots[cut + 1])]);
        z3.refute(&formulas, format!("{what}, step {cut}"));
    }
    z3.say("(pop)");
}

/// Look at refutations of up to so many parts until there are enough; how many interpolants have remainders?
fn look(max_parts: u32, wanted: usize, salt: u64, equations: bool) -> usize {
    let mut z3 = Z3::new();
    let (mut n_found, mut n_gave_up, mut n_formulas, mut n_queries, mut n_unknown) = (0, 0, 0, 0, 0);
    let mut n_remainders = 0;
    let mut seed = first_seed();
    while n_found < wanted {
        seed += 1;
        let mut problem = Problem::new(seed ^ salt, max_parts, equations);
        if let Some(z3) = &mut z3 {
            z3.reset(&problem.shape);
        }
        for _ in 0..10 {
            let (answer, parts) = problem.query();
            n_queries += 1;
            match answer {
                Ok(false) => (),
                Ok(true) => continue,
                Err(Stop::Incomplete(_)) => {
                    n_gave_up += 1;
                    continue;
                }
                Err(stop) => panic!("{stop}"),
            }
            let n_parts = problem.n_parts;
            for system in System::ALL {
                let found = match problem.session.solver.interpolants(0..=n_parts, system) {
                    Ok(found) => found,
                    Err(_) => {
                        n_gave_up += 1;
                        continue;
                    }
                };
                assert_eq!(found.roots.len(), n_parts as usize + 1);
                assert_eq!(
                    (found.roots[0], found.roots[n_parts as usize]),
                    (Lit::TRUE, Lit::FALSE),
                    "seed {seed}"
                );
                let cuts: Vec<u32> = (0..=n_parts).collect();
                check_vocabulary(&mut problem, &parts, &cuts, &found);
                for (cut, part) in parts.iter().enumerate() {
                    let (from, to) = (found.roots[cut], found.roots[cut + 1]);
                    let part: Vec<&Vec<Literal>> = part.iter().collect();
                    let ours = implies(&problem, &part, &found, from, to);
                    assert_ne!(ours, Ok(false), "seed {seed}, {system:?}, step {cut}");
                }
                if let Some(z3) = &mut z3 {
                    ask_z3(z3, &problem, &parts, &found, &format!("seed {seed}, {system:?}"));
                }
                n_formulas += usize::from(found.leaves.iter().any(|(_, l)| matches!(l, Leaf::AtMost(_))));
                let has_remainder = found.leaves.iter().any(|(_, l)| matches!(l, Leaf::Remainder(_)));
                n_remainders += usize::from(has_remainder);
                n_found += 1;
                // One cut alone gives an interpolant, too.
                let cut = problem.rng.u32(..=n_parts);
                let one = problem.session.solver.interpolants(cut..=cut, system).unwrap();
                check_vocabulary(&mut problem, &parts, &[cut], &one);
                let (before, after) = parts.split_at(cut as usize);
                let (before, after): (Vec<_>, Vec<_>) =
                    (before.iter().flatten().collect(), after.iter().flatten().collect());
                assert_ne!(implies(&problem, &before, &one, Lit::TRUE, one.roots[0]), Ok(false));
                assert_ne!(implies(&problem, &after, &one, one.roots[0], Lit::FALSE), Ok(false));
            }
            if problem.session.solver.core().is_empty() && problem.rng.bool() {
                break;
            }
        }
        if let Some(z3) = &mut z3 {
            n_unknown += z3.finish();
        }
    }
    assert!(n_unknown * 50 < n_found, "{n_unknown} of {n_found}");
    assert!(n_gave_up * 20 < n_queries, "{n_gave_up} of {n_queries}");
    assert!(n_formulas * 20 > n_found, "{n_formulas} of {n_found}");
    n_remainders
}

#[test]
fn interpolants_of_two_parts() {
    look(2, n_wanted(300), 0, false);
}

#[test]
fn sequences() {
    look(6, n_wanted(500) / 5, 1 << 40, false);
}

#[test]
fn divisors() {
    let n_wanted = n_wanted(300);
    let n_remainders = look(4, n_wanted, 1 << 41, true);
    assert!(n_remainders * 20 > n_wanted, "{n_remainders} of {n_wanted}");
}
