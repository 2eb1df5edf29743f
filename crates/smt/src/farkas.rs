//! Interpolants of arithmetic: the sum of the inequalities on side A.
//!
//! The negations of a lemma's literals are inequalities which, each multiplied by its factor, add up to `0 < 0`. The sum of
//! those on side A follows from them and contradicts the sum of the others; numbers that only A has vanish from it, since
//! they vanish from the whole sum (McMillan, *An Interpolating Theorem Prover*, TCS 2005). Over integers the sum may be
//! rounded as any atom.
//!
//! **Where atoms are counted.** An atom that a clause in use has is counted where that clause is; one that only other clauses have, where these
//! are; an atom made by a split, where its number occurs. So a number occurs wherever an atom with it is counted, and a
//! number in a sum of side A, if it does not vanish, is in an atom of the other side as well: both sides have it.

use crate::arithmetic::Arithmetic;
use crate::atom::{ArithVar, AtMost, Normal, normalize};
use crate::rational::Rational;
use indubit_aig::{Aig, Import};
use indubit_interpolate::{Contribution, Lemmas, Range};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Stop};
use indubit_sat::theory::Certificate;
use rustc_hash::FxHashMap;

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// A literal of the solver that both sides have.
    Literal(Lit),
    /// A constraint over numbers that both sides have.
    AtMost(AtMost),
}

/// The formulas that interpolants need beside literals.
pub(crate) struct Farkas<'s> {
    theory: &'s Arithmetic,
    /// By variable: the parts whose clauses have it.
    homes: &'s [Option<Range>],
    formulas: Vec<AtMost>,
    known: FxHashMap<AtMost, usize>,
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

    /// Interpolants for the caller: what means the same has one leaf.
    pub(crate) fn finish(self, found: indubit_interpolate::Interpolants) -> Interpolants {
        let mut aig = Aig::new();
        let mut leaves: Vec<(Lit, Leaf)> = Vec::new();
        let mut import = Import::new(&found.aig);
        let mut by_meaning: FxHashMap<AtMost, Lit> = FxHashMap::default();
        let mut cone = indubit_aig::Cone::new();
        cone.collect(&found.aig, found.roots.iter().copied());
        for &(var, leaf) in found.variables.iter().filter(|(_, leaf)| cone.contains(leaf.var())) {
            let target = aig.leaf();
            import.set(leaf.var(), target);
            leaves.push((target, Leaf::Literal(Lit::positive(var))));
            if let Some(meaning) = self.theory.meaning(Lit::positive(var)) {
                by_meaning.insert(meaning, target);
            }
        }
        for &(index, leaf) in found.formulas.iter().filter(|(_, leaf)| cone.contains(leaf.var())) {
            let formula = &self.formulas[index];
            let target = *by_meaning.entry(formula.clone()).or_insert_with(|| {
                let target = aig.leaf();
                leaves.push((target, Leaf::AtMost(formula.clone())));
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
    ) -> Contribution {
        let factors = &self.theory.certificates[certificate as usize];
        let mut sum: Vec<(ArithVar, Rational)> = Vec::new();
        let (mut bound, mut strict) = (Rational::ZERO, false);
        for (&lit, factor) in lits.iter().zip(factors).filter(|(lit, _)| is_a(**lit)) {
            let inequality = self.theory.meaning(!lit).expect("a lemma is about atoms");
            sum.extend(inequality.sum.iter().map(|(v, c)| (*v, c * factor)));
            bound += &(&inequality.bound * factor);
            strict |= inequality.strict;
        }
        match normalize(&sum, &bound, strict, |v| self.theory.is_integer(v)) {
            Normal::Constant(value) => Contribution::Constant(value),
            Normal::Atom { atom, negated } => {
                let index = *self.known.entry(atom).or_insert_with_key(|atom| {
                    self.formulas.push(atom.clone());
                    self.formulas.len() - 1
                });
                Contribution::Formula { index, negated }
            }
        }
    }
}
