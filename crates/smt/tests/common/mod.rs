//! Random formulas, an exact reading of them, and z3 where there is one.

#![allow(clippy::unwrap_used, dead_code)] // a test may panic; not every test uses everything

use fastrand::Rng;
use indubit_logic::Lit;
use indubit_smt::{ArithConfig, ArithSolver, ArithVar, AtMost, Rational};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// How many to look at: `INDUBIT_RANDOM`, or few enough for every day.
pub fn n_wanted(default: usize) -> usize {
    std::env::var("INDUBIT_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// The first seed: `INDUBIT_SEED`, to look at what nobody has seen.
pub fn first_seed() -> u64 {
    std::env::var("INDUBIT_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// A literal as it was asked for.
#[derive(Clone, Debug)]
pub enum Literal {
    Proposition(usize, bool),
    Atom(AtMost, bool),
}

/// What formulas look like.
#[derive(Clone, Debug)]
pub struct Shape {
    pub n_propositions: usize,
    /// Which numbers are integers.
    pub integers: Vec<bool>,
    pub max_terms: usize,
    pub max_coefficient: i64,
    pub max_bound: i64,
    pub max_denominator: i64,
}

impl Shape {
    pub fn random(rng: &mut Rng) -> Shape {
        let n_numbers = rng.usize(1..7);
        let kind = rng.u8(..4);
        let integers = (0..n_numbers)
            .map(|_| match kind {
                0 => false,
                1 | 2 => true,
                _ => rng.bool(),
            })
            .collect();
        Shape {
            n_propositions: rng.usize(1..6),
            integers,
            max_terms: rng.usize(1..4),
            max_coefficient: [1, 1, 2, 3, 7][rng.usize(..5)],
            max_bound: [3, 10, 30][rng.usize(..3)],
            max_denominator: [1, 1, 3][rng.usize(..3)],
        }
    }
    pub fn atom(&self, rng: &mut Rng) -> AtMost {
        let n = rng.usize(1..=self.max_terms);
        let mut rational = |max: i64| Rational::new(rng.i64(-max..=max), rng.i64(1..=self.max_denominator));
        let coefficients: Vec<Rational> = (0..n).map(|_| rational(self.max_coefficient)).collect();
        let bound = rational(self.max_bound);
        let var = |rng: &mut Rng| ArithVar(rng.u32(..self.integers.len() as u32));
        let sum = coefficients.into_iter().map(|c| (var(rng), c)).collect();
        AtMost { sum, bound, strict: rng.bool() }
    }
    pub fn literal(&self, rng: &mut Rng) -> Literal {
        match rng.u8(..3) {
            0 => Literal::Proposition(rng.usize(..self.n_propositions), rng.bool()),
            _ => Literal::Atom(self.atom(rng), rng.bool()),
        }
    }
}

/// The solver, and what its literals were asked to be.
pub struct Session {
    pub solver: ArithSolver,
    pub propositions: Vec<Lit>,
    pub numbers: Vec<ArithVar>,
}

impl Session {
    pub fn new(shape: &Shape, config: ArithConfig) -> Session {
        let mut solver = ArithSolver::new(&indubit_run::Cancel::new(), config);
        let numbers = shape.integers.iter().map(|&i| solver.number(i)).collect();
        let propositions = (0..shape.n_propositions).map(|_| solver.proposition()).collect();
        Session { solver, propositions, numbers }
    }
    pub fn lit(&mut self, literal: &Literal) -> Lit {
        match literal {
            Literal::Proposition(p, negated) => self.propositions[*p] ^ *negated,
            Literal::Atom(atom, negated) => {
                self.solver.at_most(&atom.sum, atom.bound.clone(), atom.strict) ^ *negated
            }
        }
    }
    pub fn lits(&mut self, literals: &[Literal]) -> Vec<Lit> {
        literals.iter().map(|l| self.lit(l)).collect()
    }
    /// Does the literal hold in the model, as it was asked for?
    pub fn holds(&self, literal: &Literal) -> bool {
        match literal {
            Literal::Proposition(p, negated) => self.solver.value(self.propositions[*p]) != *negated,
            Literal::Atom(atom, negated) => atom.holds(|v| self.solver.number_value(v)) != *negated,
        }
    }
    /// Are integers integers?
    pub fn check_numbers(&self, shape: &Shape) {
        for (&number, &is_integer) in self.numbers.iter().zip(&shape.integers) {
            assert!(!is_integer || self.solver.number_value(number).is_integer(), "{number:?}");
        }
    }
}

pub fn rational_text(n: &Rational, integer: bool) -> String {
    let (numerator, denominator) = (n.numerator(), n.denominator());
    let digits = numerator.abs().to_string();
    let point = if integer { "" } else { ".0" };
    let mut text = format!("{digits}{point}");
    if !denominator.is_one() {
        text = format!("(/ {digits}.0 {denominator}.0)");
    }
    if numerator.is_negative() { format!("(- {text})") } else { text }
}

/// `sum ≤ bound` for z3: multiplied out, so that integer sums have integer coefficients; all in reals if there are any.
pub fn atom_text(atom: &AtMost, integers: &[bool]) -> String {
    let mut common = atom.bound.denominator();
    atom.sum.iter().for_each(|(_, c)| common = common.lcm(&c.denominator()));
    let integer = atom.sum.iter().all(|(v, _)| integers[v.0 as usize]);
    let mut text = String::from("(+ 0");
    for (v, c) in &atom.sum {
        let name = match !integer && integers[v.0 as usize] {
            true => format!("(to_real n{})", v.0),
            false => format!("n{}", v.0),
        };
        text += &format!(" (* {} {name})", rational_text(&(c * &common), integer));
    }
    let compare = if atom.strict { "<" } else { "<=" };
    format!("({compare} {text}) {})", rational_text(&(&atom.bound * &common), integer))
}

pub fn literal_text(literal: &Literal, integers: &[bool]) -> String {
    let (text, negated) = match literal {
        Literal::Proposition(p, negated) => (format!("p{p}"), *negated),
        Literal::Atom(atom, negated) => (atom_text(atom, integers), *negated),
    };
    if negated { format!("(not {text})") } else { text }
}

pub fn clause_text(clause: &[Literal], integers: &[bool]) -> String {
    let literals: Vec<String> = clause.iter().map(|l| literal_text(l, integers)).collect();
    format!("(or false {})", literals.join(" "))
}

/// One process of z3 that is asked again and again: many questions at once, since each wait takes its time.
pub struct Z3 {
    child: Child,
    /// What it was asked and has not answered yet.
    open: Vec<String>,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Z3 {
    pub fn new() -> Option<Z3> {
        let mut child = Command::new("z3")
            .args(["-in", "-smt2"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let (input, output) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        Some(Z3 { child, open: Vec::new(), input: BufWriter::new(input), output })
    }
    pub fn say(&mut self, text: &str) {
        writeln!(self.input, "{text}").unwrap();
    }
    /// Everything is forgotten; these are declared.
    pub fn reset(&mut self, shape: &Shape) {
        self.say("(reset)\n(set-option :timeout 10000)");
        for (i, integer) in shape.integers.iter().enumerate() {
            self.say(&format!("(declare-const n{i} {})", if *integer { "Int" } else { "Real" }));
        }
        for p in 0..shape.n_propositions {
            self.say(&format!("(declare-const p{p} Bool)"));
        }
    }
    /// Ask whether there is a model of what has been said and these formulas; there should be none.
    pub fn refute(&mut self, formulas: &[String], what: String) {
        let asserts: Vec<String> = formulas.iter().map(|f| format!("(assert {f})")).collect();
        self.say(&format!("(push)\n{}\n(check-sat)\n(pop)", asserts.join("\n")));
        self.open.push(what);
    }
    /// Read the answers; how many are unknown?
    pub fn finish(&mut self) -> usize {
        self.input.flush().unwrap();
        let mut n_unknown = 0;
        for what in std::mem::take(&mut self.open) {
            let mut line = String::new();
            self.output.read_line(&mut line).unwrap();
            match line.trim() {
                "unsat" => (),
                "unknown" => n_unknown += 1,
                other => panic!("{what}: z3 says {other}"),
            }
        }
        n_unknown
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
