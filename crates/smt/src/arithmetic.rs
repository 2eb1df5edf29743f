//! Linear arithmetic as a theory of the kernel: atoms are bounds of variables of a tableau.
//!
//! A literal that is assigned becomes a bound. A bound implies weaker ones of the same variable, which atoms may be about;
//! simplex finds out whether all bounds hold together. Integers come last (`integers`).

use crate::atom::{ArithVar, AtMost, Normal, normalize};
use crate::delta::Delta;
use crate::rational::Rational;
use crate::simplex::{Bound, Bounded, Direction, Simplex};
use crate::tableau::Index;
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Cancel};
use indubit_sat::theory::{Certificate, Completion, Theory};
use rustc_hash::FxHashMap;

/// No variable, no atom.
pub(crate) const NONE: u32 = u32::MAX;

/// What the solver can be told to do otherwise.
#[derive(Clone, Copy, Debug)]
pub struct ArithConfig {
    /// Refutations give interpolants.
    pub interpolation: bool,
    /// Chooses first phases.
    pub seed: u64,
    /// How many times one query may split the range of an integer.
    pub max_splits: u64,
    /// Refute by common divisors of rows before splitting; where interpolants are asked for, after some splits.
    pub divisors: bool,
    /// Move numbers within their bounds so that others become integers, before splitting.
    pub patches: bool,
    /// Cut fractional values off before splitting. Cuts give no interpolants: it is off where these are asked for.
    pub cuts: bool,
    /// How many times a query splits before it cuts.
    pub cuts_after: u64,
}

impl Default for ArithConfig {
    fn default() -> ArithConfig {
        ArithConfig {
            interpolation: false,
            seed: 0,
            max_splits: 2000,
            divisors: true,
            patches: true,
            cuts: true,
            cuts_after: 8,
        }
    }
}

/// An atom: `var ≤ bound`.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub(crate) var: Index,
    pub(crate) bound: Delta,
    /// The literal.
    pub(crate) lit: Lit,
}

/// Why a lemma holds: how often each of its literals' negations counts, in their order.
#[derive(Clone, Debug)]
pub(crate) enum Why {
    /// They add up to `0 < 0`.
    Farkas(Vec<Rational>),
    /// They come in pairs, which bound a sum from below and from above. The sums, each multiplied by its factor, add up to what the divisor divides, and
    /// no value within the bounds is such.
    Divisor { factors: Vec<Rational>, divisor: Rational },
}

/// A variable of the tableau.
#[derive(Clone, Debug, Default)]
pub(crate) struct Column {
    /// Does it have integer values only?
    pub(crate) is_integer: bool,
    /// What it is the sum of; for a number itself.
    pub(crate) sum: Vec<(ArithVar, Rational)>,
    /// Its atoms, by bound.
    atoms: Vec<u32>,
}

pub(crate) struct Arithmetic {
    pub(crate) simplex: Simplex,
    pub(crate) columns: Vec<Column>,
    /// By number: its variable in the tableau.
    pub(crate) numbers: Vec<Index>,
    sums: FxHashMap<Vec<(ArithVar, Rational)>, Index>,
    pub(crate) atoms: Vec<Atom>,
    /// By propositional variable: its atom.
    atom_of: Vec<u32>,
    /// By propositional variable: does a clause have it?
    occurs: Vec<bool>,
    /// By propositional variable: the literal that last implied it.
    implied_by: Vec<Lit>,
    /// What has to be looked at: bounds that are new, and the ones they replace.
    fresh: Vec<(Index, Direction, Option<Delta>)>,
    /// A bound has contradicted another one.
    in_conflict: bool,
    pub(crate) config: ArithConfig,
    /// Why each lemma holds, if that is kept.
    pub(crate) certificates: Vec<Why>,
    pub(crate) n_splits: u64,
    pub(crate) n_splits_in_query: u64,
    pub(crate) n_cuts: u64,
    pub(crate) n_cuts_in_query: u64,
    pub(crate) n_conflicts: u64,
    pub(crate) n_implied: u64,
}

impl Arithmetic {
    pub(crate) fn new(cancel: &Cancel, config: ArithConfig) -> Arithmetic {
        Arithmetic {
            simplex: Simplex::new(cancel),
            columns: Vec::new(),
            numbers: Vec::new(),
            sums: FxHashMap::default(),
            atoms: Vec::new(),
            // Variable 0 is the constant.
            atom_of: vec![NONE],
            occurs: vec![false],
            implied_by: vec![Lit::FALSE],
            fresh: Vec::new(),
            in_conflict: false,
            config,
            certificates: Vec::new(),
            n_splits: 0,
            n_splits_in_query: 0,
            n_cuts: 0,
            n_cuts_in_query: 0,
            n_conflicts: 0,
            n_implied: 0,
        }
    }
    pub(crate) fn proposition(&mut self) -> Lit {
        self.atom_of.push(NONE);
        self.occurs.push(false);
        self.implied_by.push(Lit::FALSE);
        Lit::positive(Var::from_index(self.atom_of.len() - 1))
    }
    pub(crate) fn number(&mut self, is_integer: bool) -> ArithVar {
        let number = ArithVar(self.numbers.len() as u32);
        self.numbers.push(self.simplex.new_var());
        self.columns.push(Column { is_integer, sum: vec![(number, Rational::ONE)], atoms: Vec::new() });
        number
    }
    pub(crate) fn is_integer(&self, number: ArithVar) -> bool {
        self.columns[self.numbers[number.0 as usize] as usize].is_integer
    }
    pub(crate) fn at_most(&mut self, sum: &[(ArithVar, Rational)], bound: &Rational, strict: bool) -> Lit {
        self.literal(normalize(sum, bound, strict, |v| self.is_integer(v)))
    }
    /// The literal of an atom in normal form.
    pub(crate) fn literal(&mut self, normal: Normal) -> Lit {
        match normal {
            Normal::Constant(value) => Lit::constant(value),
            Normal::Atom { atom: AtMost { sum, bound, strict }, negated } => {
                let var = self.sum(sum);
                self.atom(var, Delta::new(bound, -i64::from(strict))) ^ negated
            }
        }
    }
    /// The variable for a sum in normal form.
    fn sum(&mut self, sum: Vec<(ArithVar, Rational)>) -> Index {
        if let [(number, _)] = sum[..] {
            return self.numbers[number.0 as usize];
        }
        if let Some(&var) = self.sums.get(&sum) {
            return var;
        }
        let terms: Vec<(Index, Rational)> =
            sum.iter().map(|(v, c)| (self.numbers[v.0 as usize], c.clone())).collect();
        let var = self.simplex.define(terms);
        let is_integer = sum.iter().all(|(v, _)| self.is_integer(*v));
        self.columns.push(Column { is_integer, sum: sum.clone(), atoms: Vec::new() });
        self.sums.insert(sum, var);
        var
    }
    /// The literal of `var ≤ bound`.
    pub(crate) fn atom(&mut self, var: Index, bound: Delta) -> Lit {
        let atoms = &self.columns[var as usize].atoms;
        match atoms.binary_search_by(|&a| self.atoms[a as usize].bound.cmp(&bound)) {
            Ok(at) => self.atoms[atoms[at] as usize].lit,
            Err(at) => {
                let index = self.atoms.len() as u32;
                let lit = self.proposition();
                self.atom_of[lit.var().index()] = index;
                self.columns[var as usize].atoms.insert(at, index);
                self.atoms.push(Atom { var, bound, lit });
                lit
            }
        }
    }
    pub(crate) fn atom_of(&self, var: Var) -> Option<&Atom> {
        self.atoms.get(*self.atom_of.get(var.index())? as usize)
    }
    /// What a literal says, if it is about numbers.
    pub(crate) fn meaning(&self, lit: Lit) -> Option<AtMost> {
        let Atom { var, bound, .. } = self.atom_of(lit.var())?;
        let Column { sum, is_integer, .. } = &self.columns[*var as usize];
        let atom = AtMost { sum: sum.clone(), bound: bound.real.clone(), strict: bound.delta.is_negative() };
        Some(match (lit.is_negated(), is_integer) {
            (false, _) => atom,
            (true, false) => atom.negated(),
            (true, true) => {
                let mut negated = atom.negated();
                negated.bound -= &Rational::ONE;
                negated.strict = false;
                negated
            }
        })
    }
    /// A clause has these literals: they are decided and implied from now on.
    pub(crate) fn occur(&mut self, lits: &[Lit]) {
        lits.iter().for_each(|l| self.occurs[l.var().index()] = true);
    }
    /// Keep why a lemma holds.
    pub(crate) fn certify(&mut self, why: Why) -> Certificate {
        if !self.config.interpolation {
            return 0;
        }
        self.certificates.push(why);
        self.certificates.len() as Certificate - 1
    }
    /// The conflict that simplex has found, as a clause.
    pub(crate) fn conflict(&mut self, clause: &mut Vec<Lit>) -> Certificate {
        self.n_conflicts += 1;
        let factors = std::mem::take(&mut self.simplex.conflict.factors);
        clause.extend(self.simplex.conflict.literals.iter().map(|&l| !l));
        self.certify(Why::Farkas(factors))
    }
    /// Atoms that follow from a new bound of their variable and not already from the one before.
    fn imply(&mut self, var: Index, direction: Direction, old: &Option<Delta>, implied: &mut Vec<Lit>) {
        let atoms = &self.columns[var as usize].atoms;
        let Some(bound) = self.simplex.limits(var).of(direction) else { return };
        let bound_of = |at: usize| &self.atoms[atoms[at] as usize].bound;
        // Upper bounds imply atoms that are weaker, lower ones refute those that are below.
        let range = match direction {
            Direction::Upper => {
                let from = atoms.partition_point(|&a| self.atoms[a as usize].bound < bound.value);
                let to = old.as_ref().map_or(atoms.len(), |old| {
                    from + (from..atoms.len()).take_while(|&at| bound_of(at) < old).count()
                });
                from..to
            }
            Direction::Lower => {
                let to = atoms.partition_point(|&a| self.atoms[a as usize].bound < bound.value);
                let from = old
                    .as_ref()
                    .map_or(0, |old| to - (0..to).rev().take_while(|&at| bound_of(at) >= old).count());
                from..to
            }
        };
        for &atom in &atoms[range] {
            let lit = self.atoms[atom as usize].lit ^ (direction == Direction::Lower);
            if lit != bound.reason && self.occurs[lit.var().index()] {
                implied.push(lit);
                self.implied_by[lit.var().index()] = bound.reason;
            }
        }
    }
}

impl Theory for Arithmetic {
    const ACTIVE: bool = true;
    fn decides(&self, var: Var) -> bool {
        self.occurs.get(var.index()).is_some_and(|&occurs| occurs)
    }
    fn holds(&self, lit: Lit) -> Option<bool> {
        let atom = self.atom_of(lit.var())?;
        Some((*self.simplex.value(atom.var) <= atom.bound) != lit.is_negated())
    }
    fn assign(&mut self, lit: Lit, position: usize, for_good: bool) {
        let Some(&Atom { var, ref bound, .. }) = self.atom_of(lit.var()) else { return };
        if self.in_conflict {
            return;
        }
        let (direction, value) = match lit.is_negated() {
            false => (Direction::Upper, bound.clone()),
            true if self.columns[var as usize].is_integer => {
                (Direction::Lower, Delta::new(&bound.real + &Rational::ONE, 0))
            }
            // Above c − δ is at least c, above c is at least c + δ.
            true => {
                (Direction::Lower, Delta { real: bound.real.clone(), delta: &bound.delta + &Rational::ONE })
            }
        };
        let bound = Bound { value, reason: lit };
        match self.simplex.bound(var, direction, bound, (!for_good).then_some(position)) {
            Bounded::Closer { before } => self.fresh.push((var, direction, before)),
            Bounded::Already => (),
            Bounded::Conflict => self.in_conflict = true,
        }
    }
    fn backtrack(&mut self, position: usize) {
        self.in_conflict = false;
        self.fresh.clear();
        self.simplex.backtrack(position);
    }
    fn propagate(
        &mut self,
        implied: &mut Vec<Lit>,
        clause: &mut Vec<Lit>,
        ticks: &mut u64,
    ) -> Ask<Option<Certificate>> {
        if self.in_conflict || !self.simplex.check(ticks)? {
            self.fresh.clear();
            return Ok(Some(self.conflict(clause)));
        }
        let mut fresh = std::mem::take(&mut self.fresh);
        for (var, direction, old) in fresh.drain(..) {
            *ticks += 1;
            self.imply(var, direction, &old, implied);
        }
        self.fresh = fresh;
        self.n_implied += implied.len() as u64;
        Ok(None)
    }
    fn explain(&mut self, lit: Lit, clause: &mut Vec<Lit>) -> Certificate {
        clause.extend([lit, !self.implied_by[lit.var().index()]]);
        self.certify(Why::Farkas(vec![Rational::ONE, Rational::ONE]))
    }
    fn complete(&mut self, clause: &mut Vec<Lit>, ticks: &mut u64) -> Ask<Completion> {
        self.complete_integers(clause, ticks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The negations of the clause's literals, each as often as the certificate says, add up to a contradiction.
    fn assert_farkas(theory: &Arithmetic, clause: &[Lit], certificate: Certificate) {
        let Why::Farkas(factors) = &theory.certificates[certificate as usize] else { panic!("no sum") };
        assert_eq!(factors.len(), clause.len());
        let (mut sum, mut bound, mut strict) = (Vec::new(), Rational::ZERO, false);
        for (&lit, factor) in clause.iter().zip(factors) {
            assert!(factor.is_positive());
            let inequality = theory.meaning(!lit).unwrap();
            sum.extend(inequality.sum.iter().map(|(v, c)| (*v, c * factor)));
            bound += &(&inequality.bound * factor);
            strict |= inequality.strict;
        }
        assert_eq!(normalize(&sum, &bound, strict, |_| false), Normal::Constant(false), "{clause:?}");
    }

    #[test]
    fn bounds_come_and_go() {
        let mut rng = fastrand::Rng::with_seed(3);
        let (mut n_conflicts, mut n_consistent) = (0, 0);
        for _ in 0..300 {
            let config = ArithConfig { interpolation: true, ..ArithConfig::default() };
            let mut theory = Arithmetic::new(&Cancel::new(), config);
            let numbers: Vec<ArithVar> = (0..rng.u32(2..6)).map(|_| theory.number(rng.bool())).collect();
            let mut trail: Vec<Lit> = Vec::new();
            for _ in 0..60 {
                let sum: Vec<(ArithVar, Rational)> = (0..rng.usize(1..4))
                    .map(|_| (numbers[rng.usize(..numbers.len())], Rational::from(rng.i64(-3..4))))
                    .collect();
                let lit = theory.at_most(&sum, &Rational::new(rng.i64(-9..10), rng.i64(1..3)), rng.bool());
                if lit.is_const() || trail.iter().any(|l| l.var() == lit.var()) {
                    continue;
                }
                theory.occur(&[lit]);
                let lit = lit ^ rng.bool();
                theory.assign(lit, trail.len(), false);
                trail.push(lit);
                let (mut implied, mut clause) = (Vec::new(), Vec::new());
                let is_negated = |l: &Lit| trail.contains(&!*l);
                match theory.propagate(&mut implied, &mut clause, &mut 0).unwrap() {
                    None => {
                        n_consistent += 1;
                        theory.simplex.check_invariants();
                        let epsilon = theory.simplex.epsilon();
                        let value = |v: ArithVar| {
                            let value = theory.simplex.value(theory.numbers[v.0 as usize]);
                            &value.real + &(&value.delta * &epsilon)
                        };
                        assert!(trail.iter().all(|&l| theory.meaning(l).unwrap().holds(value)));
                        for lit in implied.into_iter().filter(|l| !trail.contains(l)) {
                            clause.clear();
                            let certificate = theory.explain(lit, &mut clause);
                            assert!(clause[0] == lit && clause[1..].iter().all(is_negated));
                            assert_farkas(&theory, &clause, certificate);
                        }
                    }
                    Some(certificate) => {
                        n_conflicts += 1;
                        assert!(clause.iter().all(is_negated));
                        assert_farkas(&theory, &clause, certificate);
                        let keep = rng.usize(..trail.len());
                        trail.truncate(keep);
                        theory.backtrack(keep);
                    }
                }
            }
        }
        assert!(n_conflicts > 500 && n_consistent > 500, "{n_conflicts} and {n_consistent}");
    }
}
