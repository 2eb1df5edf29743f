//! Formulas over terms, for the solver of linear arithmetic.
//!
//! Each term becomes a literal or a linear sum, once (Tseitin, 1968). What arithmetic has no sum for gets a number of its own and
//! clauses that define it: a choice between numbers, and quotients of integers by constants. Equality of numbers is two inequalities, so that its
//! negation is a disjunction like any other.
//!
//! A definition belongs to the part of the formula that mentions the term first. If another part mentions it, too, the interpolant may have the
//! term's literal or number; it stands for the term, whose variables both parts have.

use crate::{ArithConfig, ArithSolver, ArithVar, AtMost, Leaf, Rational, Remainder};
use indubit_aig::Aig;
use indubit_interpolate::System;
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Cancel, Run};
use indubit_term::{Op, Sort, Term, Terms, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};
use std::collections::HashMap;
use std::ops::RangeInclusive;

/// How a solver is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct SmtConfig {
    /// Refutations give interpolants.
    pub interpolation: bool,
    /// Seed of its choices.
    pub seed: u64,
}

/// An incremental solver for formulas of linear integer and real arithmetic.
pub struct Smt {
    solver: ArithSolver,
    encoded: HashMap<Term, Encoded>,
    /// The term of each number.
    numbers: Vec<Term>,
    /// The term of each proposition that has one, and whether it is the term's negation.
    propositions: HashMap<Var, (Term, bool)>,
}

#[derive(Clone, Debug)]
enum Encoded {
    Lit(Lit),
    Sum(Sum),
}

/// A linear sum, without numbers whose factor is 0.
#[derive(Clone, Debug, Default)]
struct Sum {
    terms: Vec<(ArithVar, Rational)>,
    constant: Rational,
}

impl Sum {
    fn constant(constant: Rational) -> Sum {
        Sum { terms: Vec::new(), constant }
    }
    fn number(var: ArithVar) -> Sum {
        Sum { terms: vec![(var, Rational::from(1))], constant: Rational::from(0) }
    }
    fn add_scaled(&mut self, other: &Sum, factor: &Rational) {
        self.constant = &self.constant + &(&other.constant * factor);
        for (var, by) in &other.terms {
            let by = by * factor;
            match self.terms.binary_search_by_key(var, |&(v, _)| v) {
                Ok(at) => {
                    self.terms[at].1 = &self.terms[at].1 + &by;
                    if self.terms[at].1 == Rational::from(0) {
                        self.terms.remove(at);
                    }
                }
                Err(at) => self.terms.insert(at, (*var, by)),
            }
        }
    }
    fn minus(&self, other: &Sum) -> Sum {
        let mut difference = self.clone();
        difference.add_scaled(other, &Rational::from(-1));
        difference
    }
}

/// The first term, as they are met, that this solver has no arithmetic for: a bit-vector, an array, or a product of two numbers that are not
/// constant.
pub fn unsupported(terms: &Terms, roots: &[Term]) -> Option<Term> {
    let mut seen = std::collections::HashSet::new();
    let mut stack = roots.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        let args = terms.args(term);
        let is_known = match terms.op(term) {
            Op::Var | Op::Const => !matches!(terms.sort(term), Sort::BitVec(_) | Sort::Array(_)),
            Op::Mul => args.iter().filter(|&&a| terms.value(a).is_none()).count() <= 1,
            Op::Not | Op::And | Op::Or | Op::Eq | Op::Ite | Op::Le | Op::Lt | Op::Add => true,
            Op::Div | Op::Mod => terms.value(args[1]).is_some(),
            Op::ToReal | Op::ToInt => true,
            _ => false,
        };
        if !is_known {
            return Some(term);
        }
        stack.extend(args);
    }
    None
}

impl Smt {
    /// Nothing is asserted. Queries end when `cancel` is raised.
    pub fn new(cancel: &Cancel, config: SmtConfig) -> Smt {
        let SmtConfig { interpolation, seed } = config;
        let config = ArithConfig { interpolation, seed, ..ArithConfig::default() };
        Smt {
            solver: ArithSolver::new(cancel, config),
            encoded: HashMap::new(),
            numbers: Vec::new(),
            propositions: HashMap::new(),
        }
    }
    /// A new proposition.
    pub fn proposition(&mut self) -> Lit {
        self.solver.proposition()
    }
    /// Add the disjunction of literals to a part.
    pub fn add_clause(&mut self, part: u32, lits: &[Lit]) {
        self.solver.add_clause(part, lits);
    }
    /// Is there a model in which all assumptions hold, each in its part?
    pub fn solve(&mut self, assumptions: &[(u32, Lit)]) -> Ask<bool> {
        self.solver.solve(assumptions)
    }
    /// Is there a model in which all assumptions hold, each in its part, and a clause that is there for this query only?
    pub fn solve_with(&mut self, clause: &[Lit], assumptions: &[(u32, Lit)]) -> Ask<bool> {
        self.solver.solve_with(clause, assumptions)
    }
    /// The value of a literal in the last model.
    pub fn value(&self, lit: Lit) -> bool {
        self.solver.value(lit)
    }
    /// Was the assumption used in the last refutation?
    pub fn failed(&self, lit: Lit) -> bool {
        self.solver.failed(lit)
    }
    /// The value of a variable in the last model; anything, if nothing mentions it.
    pub fn value_of(&self, terms: &Terms, var: Term) -> Value {
        match (self.encoded.get(&var), terms.sort(var)) {
            (Some(Encoded::Lit(lit)), _) => Value::Bool(self.solver.value(*lit)),
            (Some(Encoded::Sum(sum)), sort) => {
                let mut value = sum.constant.clone();
                for (number, factor) in &sum.terms {
                    value = &value + &(factor * &self.solver.number_value(*number));
                }
                let value = value.to_big();
                if sort == Sort::Int { Value::Int(value.to_integer()) } else { Value::Real(value) }
            }
            (None, sort) => Value::zero(sort),
        }
    }
    /// Assert a formula in a part.
    pub fn assert(&mut self, terms: &Terms, part: u32, formula: Term) {
        let mut conjuncts = vec![formula];
        while let Some(conjunct) = conjuncts.pop() {
            match terms.op(conjunct) {
                Op::And => conjuncts.extend(terms.args(conjunct)),
                Op::Or => {
                    let clause: Vec<Lit> =
                        terms.args(conjunct).iter().map(|&t| self.literal(terms, part, t)).collect();
                    self.solver.add_clause(part, &clause);
                }
                _ => {
                    let lit = self.literal(terms, part, conjunct);
                    self.solver.add_clause(part, &[lit]);
                }
            }
        }
    }

    /// The literal that is equivalent to a formula; what defines it, as far as it is new, goes to a part.
    ///
    /// # Panics
    /// If the formula has something that is [`unsupported`].
    pub fn literal(&mut self, terms: &Terms, part: u32, formula: Term) -> Lit {
        let mut stack = vec![formula];
        while let Some(&term) = stack.last() {
            if self.encoded.contains_key(&term) {
                stack.pop();
                continue;
            }
            let n_before = stack.len();
            stack.extend(terms.args(term).iter().filter(|&a| !self.encoded.contains_key(a)));
            if stack.len() == n_before {
                stack.pop();
                let encoded = self.encode(terms, part, term);
                self.encoded.insert(term, encoded);
            }
        }
        self.lit(formula)
    }
    fn lit(&self, term: Term) -> Lit {
        match self.encoded[&term] {
            Encoded::Lit(lit) => lit,
            Encoded::Sum(_) => panic!("a number where a formula is expected"),
        }
    }
    fn sum(&self, term: Term) -> &Sum {
        match &self.encoded[&term] {
            Encoded::Sum(sum) => sum,
            Encoded::Lit(_) => panic!("a formula where a number is expected"),
        }
    }
    fn number(&mut self, term: Term, is_integer: bool) -> Sum {
        let var = self.solver.number(is_integer);
        debug_assert_eq!(var.0 as usize, self.numbers.len());
        self.numbers.push(term);
        Sum::number(var)
    }
    /// A proposition that stands for a term, or for its negation.
    fn gate(&mut self, term: Term, negated: bool) -> Lit {
        let lit = self.solver.proposition();
        self.propositions.insert(lit.var(), (term, negated));
        lit
    }

    /// A term whose arguments are encoded.
    fn encode(&mut self, terms: &Terms, part: u32, term: Term) -> Encoded {
        let args = terms.args(term);
        let is_int = terms.sort(term) == Sort::Int;
        match (terms.op(term), terms.sort(term)) {
            (Op::Var, Sort::Bool) => Encoded::Lit(self.gate(term, false)),
            (Op::Var, Sort::Int | Sort::Real) => Encoded::Sum(self.number(term, is_int)),
            (Op::Const, _) => match terms.value(term).expect("a constant") {
                Value::Bool(true) => Encoded::Lit(Lit::TRUE),
                Value::Bool(false) => Encoded::Lit(Lit::FALSE),
                Value::Int(i) => Encoded::Sum(Sum::constant(BigRational::from(i.clone()).into())),
                Value::Real(r) => Encoded::Sum(Sum::constant(r.clone().into())),
                Value::Bits { .. } | Value::Array(_) => {
                    panic!("neither bit-vectors nor arrays are supported here")
                }
            },
            (Op::Not, _) => Encoded::Lit(!self.lit(args[0])),
            (Op::And, _) => {
                let lits: Vec<Lit> = args.iter().map(|&a| self.lit(a)).collect();
                Encoded::Lit(self.conjunction(part, (term, false), &lits))
            }
            (Op::Or, _) => {
                let lits: Vec<Lit> = args.iter().map(|&a| !self.lit(a)).collect();
                Encoded::Lit(!self.conjunction(part, (term, true), &lits))
            }
            (Op::Eq, _) if terms.sort(args[0]) == Sort::Bool => {
                let [a, b] = [args[0], args[1]].map(|t| self.lit(t));
                let same = self.gate(term, false);
                for clause in [[!same, !a, b], [!same, a, !b], [same, a, b], [same, !a, !b]] {
                    self.solver.add_clause(part, &clause);
                }
                Encoded::Lit(same)
            }
            (Op::Eq, _) => {
                let difference = self.sum(args[0]).minus(self.sum(args[1]));
                let bounds = self.both_ways(&difference);
                Encoded::Lit(self.conjunction(part, (term, false), &bounds))
            }
            (Op::Le | Op::Lt, _) => {
                let difference = self.sum(args[0]).minus(self.sum(args[1]));
                Encoded::Lit(self.at_most_zero(&difference, terms.op(term) == Op::Lt))
            }
            (Op::Ite, Sort::Bool) => {
                let [c, a, b] = [args[0], args[1], args[2]].map(|t| self.lit(t));
                let chosen = self.gate(term, false);
                for clause in [[!c, !a, chosen], [!c, a, !chosen], [c, !b, chosen], [c, b, !chosen]] {
                    self.solver.add_clause(part, &clause);
                }
                Encoded::Lit(chosen)
            }
            (Op::Ite, _) => {
                let c = self.lit(args[0]);
                let chosen = self.number(term, is_int);
                for (case, value) in [(!c, args[1]), (c, args[2])] {
                    let difference = chosen.minus(self.sum(value));
                    for bound in self.both_ways(&difference) {
                        self.solver.add_clause(part, &[case, bound]);
                    }
                }
                Encoded::Sum(chosen)
            }
            (Op::Add, _) => {
                let mut sum = Sum::default();
                args.iter().for_each(|&a| sum.add_scaled(self.sum(a), &Rational::from(1)));
                Encoded::Sum(sum)
            }
            (Op::Mul, _) => {
                let mut product = Sum::constant(Rational::from(1));
                for &a in args {
                    let factor = self.sum(a);
                    let (of, by) = match factor.terms.is_empty() {
                        true => (&product, &factor.constant),
                        false => (factor, &product.constant),
                    };
                    debug_assert!(product.terms.is_empty() || factor.terms.is_empty());
                    let mut next = Sum::default();
                    next.add_scaled(of, by);
                    product = next;
                }
                Encoded::Sum(product)
            }
            (Op::ToReal, _) => Encoded::Sum(self.sum(args[0]).clone()),
            (Op::ToInt, _) => Encoded::Sum(self.quotient(part, term, args[0], &BigInt::one())),
            (Op::Div, Sort::Int) => {
                let by = divisor(terms, args[1]);
                Encoded::Sum(self.quotient(part, term, args[0], &by))
            }
            (Op::Div, _) => {
                let mut sum = Sum::default();
                let by = self.sum(args[1]).constant.clone();
                sum.add_scaled(self.sum(args[0]), &by.recip());
                Encoded::Sum(sum)
            }
            (Op::Mod, _) => {
                // The remainder gets the number; the quotient follows from it.
                let by = divisor(terms, args[1]);
                let quotient = self.quotient(part, term, args[0], &by);
                let mut rest = self.sum(args[0]).clone();
                rest.add_scaled(&quotient, &Rational::from(BigRational::from(-by)));
                Encoded::Sum(rest)
            }
            (op, _) => panic!("{op:?} is not supported here"),
        }
    }

    /// `sum ≤ 0`, or `sum < 0`.
    fn at_most_zero(&mut self, sum: &Sum, strict: bool) -> Lit {
        self.solver.at_most(&sum.terms, -&sum.constant, strict)
    }
    /// `sum ≤ 0` and `sum ≥ 0`.
    fn both_ways(&mut self, sum: &Sum) -> [Lit; 2] {
        let mut negated = Sum::default();
        negated.add_scaled(sum, &Rational::from(-1));
        [self.at_most_zero(sum, false), self.at_most_zero(&negated, false)]
    }
    /// The conjunction of literals is this term, or its negation.
    fn conjunction(&mut self, part: u32, (term, negated): (Term, bool), lits: &[Lit]) -> Lit {
        if lits.contains(&Lit::FALSE) {
            return Lit::FALSE;
        }
        let lits: Vec<Lit> = lits.iter().copied().filter(|&l| l != Lit::TRUE).collect();
        match lits[..] {
            [] => return Lit::TRUE,
            [lit] => return lit,
            _ => (),
        }
        let all = self.gate(term, negated);
        for &lit in &lits {
            self.solver.add_clause(part, &[!all, lit]);
        }
        let mut last: Vec<Lit> = lits.iter().map(|&l| !l).collect();
        last.push(all);
        self.solver.add_clause(part, &last);
        all
    }
    /// The integer q with q·by ≤ n < q·by + |by|, as a number for `term`.
    fn quotient(&mut self, part: u32, term: Term, n: Term, by: &BigInt) -> Sum {
        let quotient = self.number(term, true);
        let mut rest = self.sum(n).clone();
        rest.add_scaled(&quotient, &Rational::from(BigRational::from(-by)));
        let mut negated = Sum::default();
        negated.add_scaled(&rest, &Rational::from(-1));
        let not_negative = self.at_most_zero(&negated, false);
        let size = BigRational::from(BigInt::from(by.magnitude().clone()));
        rest.constant = &rest.constant - &Rational::from(size);
        let not_too_large = self.at_most_zero(&rest, true);
        self.solver.add_clause(part, &[not_negative]);
        self.solver.add_clause(part, &[not_too_large]);
        quotient
    }

    /// After a refutation: the interpolants at some cuts, over terms that both sides have.
    pub fn interpolants(
        &mut self,
        terms: &mut Terms,
        cuts: RangeInclusive<u32>,
        system: System,
    ) -> Ask<Vec<Term>> {
        let found = self.solver.interpolants(cuts, system)?;
        let leaves: HashMap<Var, Term> = found
            .leaves
            .iter()
            .map(|(leaf, what)| {
                let term = match what {
                    Leaf::Literal(lit) => self.term_of(terms, *lit),
                    Leaf::AtMost(atom) => self.term_of_atom(terms, atom),
                    Leaf::Remainder(remainder) => self.term_of_remainder(terms, remainder),
                };
                (leaf.var(), term)
            })
            .collect();
        Ok(formulas(terms, &found.aig, &found.roots, &leaves))
    }
    /// What a literal stands for.
    fn term_of(&self, terms: &mut Terms, lit: Lit) -> Term {
        let positive = Lit::positive(lit.var());
        let (term, negated) = match (self.propositions.get(&lit.var()), self.solver.atom(positive)) {
            (Some(&known), _) => known,
            (None, Some(atom)) => (self.term_of_atom(terms, &atom), false),
            (None, None) => panic!("an interpolant has a proposition that stands for no term"),
        };
        if lit.is_negated() != negated { terms.not(term) } else { term }
    }
    fn term_of_atom(&self, terms: &mut Terms, atom: &AtMost) -> Term {
        let is_int = atom.sum.iter().all(|(v, _)| terms.sort(self.numbers[v.0 as usize]) == Sort::Int);
        // Whole factors.
        let mut scale = BigInt::one();
        for factor in atom.sum.iter().map(|(_, f)| f).chain([&atom.bound]) {
            scale = num_integer::lcm(scale, factor.to_big().denom().clone());
        }
        let whole = |r: &Rational| (r.to_big() * BigRational::from(scale.clone())).to_integer();
        let constant = |terms: &mut Terms, i: BigInt| match is_int {
            true => terms.constant(Value::Int(i)),
            false => terms.constant(Value::Real(BigRational::from(i))),
        };
        let mut sum = Vec::new();
        for (var, factor) in &atom.sum {
            let mut number = self.number_term(terms, *var);
            if !is_int && terms.sort(number) == Sort::Int {
                number = terms.to_real(number);
            }
            let factor = constant(terms, whole(factor));
            sum.push(terms.mul(factor, number));
        }
        let bound = constant(terms, whole(&atom.bound));
        if sum.is_empty() {
            sum.push(constant(terms, BigInt::zero()));
        }
        let sum = terms.add(&sum);
        if atom.strict { terms.lt(sum, bound) } else { terms.le(sum, bound) }
    }
    fn term_of_remainder(&self, terms: &mut Terms, remainder: &Remainder) -> Term {
        let whole = |terms: &mut Terms, r: &Rational| terms.constant(Value::Int(r.to_big().to_integer()));
        let mut sum = vec![whole(terms, &remainder.constant)];
        for (var, factor) in &remainder.sum {
            let (number, factor) = (self.number_term(terms, *var), whole(terms, factor));
            sum.push(terms.mul(factor, number));
        }
        let sum = terms.add(&sum);
        let [divisor, bound] = [&remainder.divisor, &remainder.bound].map(|r| whole(terms, r));
        let rest = terms.modulo(sum, divisor);
        terms.le(rest, bound)
    }
    /// What a number stands for: for a remainder, its quotient.
    fn number_term(&self, terms: &mut Terms, var: ArithVar) -> Term {
        let term = self.numbers[var.0 as usize];
        if terms.op(term) == Op::Mod {
            let [n, by] = [terms.args(term)[0], terms.args(term)[1]];
            return terms.div(n, by);
        }
        term
    }

    /// Tell the observer what this took.
    pub fn report(&self, run: &mut Run<'_>) {
        let counts = self.solver.counts();
        for (name, value) in [
            ("numbers", self.numbers.len() as u64),
            ("queries", counts.search.queries),
            ("conflicts", counts.search.conflicts),
            ("conflicts of the theory", counts.theory_conflicts),
            ("pivots", counts.pivots),
            ("splits", counts.splits),
            ("cuts", counts.cuts),
        ] {
            run.count(name, value);
        }
    }
}

fn divisor(terms: &Terms, term: Term) -> BigInt {
    match terms.value(term) {
        Some(Value::Int(by)) => by.clone(),
        _ => panic!("a divisor that is no constant is not supported"),
    }
}

/// Edges of a graph as formulas.
fn formulas(terms: &mut Terms, aig: &Aig, roots: &[Lit], leaves: &HashMap<Var, Term>) -> Vec<Term> {
    let mut cone = indubit_aig::Cone::new();
    cone.collect(aig, roots.iter().copied());
    let mut made = leaves.clone();
    let edge = |terms: &mut Terms, made: &HashMap<Var, Term>, lit: Lit| {
        if lit.is_const() {
            return terms.bool(lit == Lit::TRUE);
        }
        let term = made[&lit.var()];
        if lit.is_negated() { terms.not(term) } else { term }
    };
    for (gate, [a, b]) in aig.ands().filter(|(gate, _)| cone.contains(*gate)) {
        let [a, b] = [a, b].map(|l| edge(terms, &made, l));
        let both = terms.and(&[a, b]);
        made.insert(gate, both);
    }
    roots.iter().map(|&root| edge(terms, &made, root)).collect()
}
