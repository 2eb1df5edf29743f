//! Interpolants of arithmetic: the sum of the inequalities on side A.
//!
//! The negations of a lemma's literals are inequalities which, each multiplied by its factor, add up to `0 < 0`. The sum of
//! those on side A follows from them and contradicts the sum of the others; numbers that only A has vanish from it, since
//! they vanish from the whole sum (McMillan, *An Interpolating Theorem Prover*, TCS 2005). Over integers the sum may be
//! rounded as any atom.
//!
//! Where a lemma holds by a divisor n, its sums add up to a multiple of n, and none lies between the sums of their bounds. The sum t of those
//! on side A is, up to multiples of n, between the sums of their bounds, l and u: (t − l) mod n ≤ u − l. That contradicts the other side, and what only A has vanishes modulo
//! n. So *x is even* is between x = 2y and x = 2z + 1.
//!
//! **Where atoms are counted.** An atom that a clause in use has is counted where that clause is; one that only other clauses have, where these
//! are; an atom made by a split, where its number occurs. So a number occurs wherever an atom with it is counted, and a
//! number in a sum of side A, if it does not vanish, is in an atom of the other side as well: both sides have it.

use crate::arithmetic::{Arithmetic, Why};
use crate::atom::{ArithVar, AtMost, Normal, normalize};
use crate::rational::Rational;
use indubit_aig::{Aig, Import};
use indubit_interpolate::{Contribution, Lemmas, Range};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Stop};
use indubit_sat::theory::Certificate;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Interpolants, as edges of a graph.
pub struct Interpolants {
    /// The graph.
    pub aig: Aig,
    /// One edge for each cut.
    pub roots: Vec<Lit>,
    /// The positive leaves of the graph, and what they stand for.
    pub leaves: Vec<(Lit, Leaf)>,
}

/// What a leaf of an interpolant stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// A literal of the solver that both sides have.
    Literal(Lit),
    /// A constraint over numbers that both sides have.
    AtMost(AtMost),
    /// Another one.
    Remainder(Remainder),
}

/// The remainder of `sum + constant`, when divided by `divisor`, is at most `bound`. All are integers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Remainder {
    /// The variables with their coefficients, which are positive and less than the divisor.
    pub sum: Vec<(ArithVar, Rational)>,
    /// What is added to the sum.
    pub constant: Rational,
    /// Above 1.
    pub divisor: Rational,
    /// What the remainder is compared to.
    pub bound: Rational,
}

/// The formulas that interpolants need beside literals.
pub(crate) struct Farkas<'s> {
    theory: &'s Arithmetic,
    /// By variable: the parts whose clauses have it.
    homes: &'s [Option<Range>],
    formulas: Vec<Leaf>,
    known: FxHashMap<Leaf, usize>,
}

fn joined(a: Option<Range>, b: Range) -> Range {
    a.map_or(b, |a| Range { first: a.first.min(b.first), last: a.last.max(b.last) })
}

/// One more part.
pub(crate) fn join(home: &mut Option<Range>, part: u32) {
    *home = Some(joined(*home, Range { first: part, last: part }));
}

impl<'s> Farkas<'s> {
    pub(crate) fn new(theory: &'s Arithmetic, homes: &'s [Option<Range>]) -> Farkas<'s> {
        Farkas { theory, homes, formulas: Vec::new(), known: FxHashMap::default() }
    }
    fn numbers(&self, atom: Var) -> impl Iterator<Item = usize> + use<'s> {
        let theory = self.theory;
        let sum = theory.atom_of(atom).map(|atom| &theory.columns[atom.var as usize].sum);
        sum.into_iter().flatten().map(|(number, _)| number.0 as usize)
    }

    fn formula(&mut self, leaf: Leaf, negated: bool) -> Contribution {
        let index = *self.known.entry(leaf).or_insert_with_key(|leaf| {
            self.formulas.push(leaf.clone());
            self.formulas.len() - 1
        });
        Contribution::Formula { index, negated }
    }
    /// The contribution to a lemma that holds by a divisor.
    fn remainder(
        &mut self,
        lits: &[Lit],
        factors: &[Rational],
        divisor: &Rational,
        is_a: &dyn Fn(Lit) -> bool,
    ) -> Ask<Contribution> {
        let modulo = |n: &Rational| n - &(&(n / divisor).floor() * divisor);
        let mut sum: BTreeMap<ArithVar, Rational> = BTreeMap::new();
        let (mut low, mut high) = (Rational::ZERO, Rational::ZERO);
        for (pair, factor) in lits.chunks_exact(2).zip(factors) {
            match (is_a(pair[0]), is_a(pair[1])) {
                (true, true) => (),
                (false, false) => continue,
                _ => return Err(Stop::Incomplete("the sides share the bounds of what a divisor refutes")),
            }
            let [lower, upper] =
                [pair[0], pair[1]].map(|l| self.theory.meaning(!l).expect("a lemma is about atoms"));
            upper.sum.iter().for_each(|(v, c)| sum.entry(*v).or_default().add_product(c, factor));
            let (mut from, mut to) = (-(&lower.bound * factor), &upper.bound * factor);
            if factor.is_negative() {
                std::mem::swap(&mut from, &mut to);
            }
            low += &from;
            high += &to;
        }
        let sum: Vec<_> = sum.iter().map(|(v, c)| (*v, modulo(c))).filter(|(_, c)| !c.is_zero()).collect();
        let (constant, bound) = (modulo(&-&low), &high - &low);
        if sum.is_empty() || &bound + &Rational::ONE >= *divisor {
            return Ok(Contribution::Constant(constant <= bound));
        }
        Ok(self.formula(Leaf::Remainder(Remainder { sum, constant, divisor: divisor.clone(), bound }), false))
    }

    /// Interpolants for the caller: what means the same has one leaf.
    pub(crate) fn finish(self, found: indubit_interpolate::Interpolants) -> Interpolants {
        let mut aig = Aig::new();
        let mut leaves: Vec<(Lit, Leaf)> = Vec::new();
        let mut import = Import::new(&found.aig);
        let mut by_meaning: FxHashMap<Leaf, Lit> = FxHashMap::default();
        let mut cone = indubit_aig::Cone::new();
        cone.collect(&found.aig, found.roots.iter().copied());
        for &(var, leaf) in found.variables.iter().filter(|(_, leaf)| cone.contains(leaf.var())) {
            let target = aig.leaf();
            import.set(leaf.var(), target);
            leaves.push((target, Leaf::Literal(Lit::positive(var))));
            if let Some(meaning) = self.theory.meaning(Lit::positive(var)) {
                by_meaning.insert(Leaf::AtMost(meaning), target);
            }
        }
        for &(index, leaf) in found.formulas.iter().filter(|(_, leaf)| cone.contains(leaf.var())) {
            let formula = &self.formulas[index];
            let target = *by_meaning.entry(formula.clone()).or_insert_with(|| {
                let target = aig.leaf();
                leaves.push((target, formula.clone()));
                target
            });
            import.set(leaf.var(), target);
        }
        let roots = found.roots.iter().map(|&root| import.lit(&found.aig, &mut aig, root)).collect();
        Interpolants { aig, roots, leaves }
    }
}

impl Lemmas for Farkas<'_> {
    fn place(&mut self, known: &[(Var, Range)], unknown: &[Var]) -> Ask<Vec<Range>> {
        let mut places: Vec<Option<Range>> = vec![None; self.theory.numbers.len()];
        let count = |places: &mut Vec<Option<Range>>, atom: Var, range: Range| {
            for number in self.numbers(atom) {
                places[number] = Some(joined(places[number], range));
            }
        };
        let home = |atom: Var| self.homes.get(atom.index()).copied().flatten();
        known.iter().for_each(|&(atom, range)| count(&mut places, atom, range));
        unknown
            .iter()
            .filter_map(|&atom| Some((atom, home(atom)?)))
            .for_each(|(a, r)| count(&mut places, a, r));
        let mut ranges = Vec::with_capacity(unknown.len());
        for &atom in unknown {
            let range = match home(atom) {
                Some(range) => range,
                None => {
                    let (mut first, mut last) = (0, u32::MAX);
                    for place in self.numbers(atom).filter_map(|number| places[number]) {
                        (first, last) = (first.max(place.first), last.min(place.last));
                    }
                    if first > last {
                        return Err(Stop::Incomplete("an atom of a lemma mixes the sides of an interpolant"));
                    }
                    // If nothing else has its numbers, any part will do.
                    let range = Range { first, last: if last == u32::MAX { first } else { last } };
                    count(&mut places, atom, range);
                    range
                }
            };
            ranges.push(range);
        }
        Ok(ranges)
    }

    fn contribution(
        &mut self,
        lits: &[Lit],
        certificate: Certificate,
        is_a: &dyn Fn(Lit) -> bool,
    ) -> Ask<Contribution> {
        let factors = match &self.theory.certificates[certificate as usize] {
            Why::Farkas(factors) => factors,
            Why::Divisor { factors, divisor } => return self.remainder(lits, factors, divisor, is_a),
        };
        let mut sum: Vec<(ArithVar, Rational)> = Vec::new();
        let (mut bound, mut strict) = (Rational::ZERO, false);
        for (&lit, factor) in lits.iter().zip(factors).filter(|(lit, _)| is_a(**lit)) {
            let inequality = self.theory.meaning(!lit).expect("a lemma is about atoms");
            sum.extend(inequality.sum.iter().map(|(v, c)| (*v, c * factor)));
            bound += &(&inequality.bound * factor);
            strict |= inequality.strict;
        }
        Ok(match normalize(&sum, &bound, strict, |v| self.theory.is_integer(v)) {
            Normal::Constant(value) => Contribution::Constant(value),
            Normal::Atom { atom, negated } => self.formula(Leaf::AtMost(atom), negated),
        })
    }
}
