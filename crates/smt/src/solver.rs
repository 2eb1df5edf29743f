//! The solver as its users see it.

use crate::arithmetic::ArithConfig;
use crate::atom::{ArithVar, AtMost};
use crate::engine::Engine;
use crate::farkas::Interpolants;
use crate::rational::Rational;
use indubit_aig::Aig;
use indubit_interpolate::System;
use indubit_logic::Lit;
use indubit_run::{Ask, Cancel};
use std::ops::RangeInclusive;

/// What effort is measured in.
#[derive(Clone, Copy, Debug, Default)]
pub struct ArithCounts {
    /// The search: ticks, conflicts, decisions, propagations, queries.
    pub search: indubit_sat::Counts,
    /// Pivots of simplex.
    pub pivots: u64,
    /// Splits of integers.
    pub splits: u64,
    /// Cuts.
    pub cuts: u64,
    /// Conflicts that arithmetic found.
    pub theory_conflicts: u64,
    /// Literals that arithmetic implied.
    pub theory_propagations: u64,
}

/// An incremental solver for clauses over propositions and linear constraints over reals and integers.
pub struct ArithSolver {
    engine: Engine,
    /// Literals and assumptions without constants.
    clause: Vec<Lit>,
    assumptions: Vec<(u32, Lit)>,
    /// The part of an assumption of the last query that is the constant *false*.
    refuted_by_constant: Option<u32>,
    /// What δ is in the model.
    epsilon: Rational,
}

impl ArithSolver {
    /// No clauses. Queries end when `cancel` is raised.
    pub fn new(cancel: &Cancel, config: ArithConfig) -> ArithSolver {
        ArithSolver {
            engine: Engine::new(cancel, config),
            clause: Vec::new(),
            assumptions: Vec::new(),
            refuted_by_constant: None,
            epsilon: Rational::ONE,
        }
    }
    /// A new propositional variable.
    pub fn proposition(&mut self) -> Lit {
        self.engine.theory_mut().proposition()
    }
    /// A new number.
    pub fn number(&mut self, integer: bool) -> ArithVar {
        self.engine.theory_mut().number(integer)
    }
    /// The literal of `sum ≤ bound`, or `sum < bound` if strict. Equal atoms have equal literals, and the negation of
    /// an atom has the complement.
    pub fn at_most(&mut self, sum: &[(ArithVar, Rational)], bound: Rational, strict: bool) -> Lit {
        self.engine.theory_mut().at_most(sum, &bound, strict)
    }
    /// What a literal says, if it is about numbers.
    pub fn atom(&self, lit: Lit) -> Option<AtMost> {
        self.engine.theory().meaning(lit)
    }
    /// Add the disjunction of `lits` to a part of the formula: 0, 1, 2, …
    pub fn add_clause(&mut self, part: u32, lits: &[Lit]) {
        if lits.contains(&Lit::TRUE) {
            return;
        }
        self.clause.clear();
        self.clause.extend(lits.iter().filter(|&&l| l != Lit::FALSE));
        self.engine.add_clause(part, &self.clause);
    }
    /// Is there a model in which all `assumptions` hold? Each belongs to a part, as a unit clause would.
    ///
    /// Gives up ([`Stop::Incomplete`](indubit_run::Stop)) rather than split the ranges of integers for ever.
    pub fn solve(&mut self, assumptions: &[(u32, Lit)]) -> Ask<bool> {
        self.query(None, assumptions)
    }
    /// Is there a model in which all `assumptions` hold, and the disjunction of `clause`, which is there for this call only, in part 0?
    pub fn solve_with(&mut self, clause: &[Lit], assumptions: &[(u32, Lit)]) -> Ask<bool> {
        self.query((!clause.contains(&Lit::TRUE)).then_some(clause), assumptions)
    }
    fn query(&mut self, clause: Option<&[Lit]>, assumptions: &[(u32, Lit)]) -> Ask<bool> {
        self.refuted_by_constant =
            assumptions.iter().find(|(_, lit)| *lit == Lit::FALSE).map(|&(part, _)| part);
        if self.refuted_by_constant.is_some() {
            return Ok(false);
        }
        self.assumptions.clear();
        self.assumptions.extend(assumptions.iter().filter(|(_, lit)| *lit != Lit::TRUE));
        self.clause.clear();
        self.clause.extend(clause.into_iter().flatten().filter(|&&l| l != Lit::FALSE));
        self.engine.theory_mut().begin_query();
        let answer = self.engine.solve(clause.is_some().then_some(&self.clause[..]), &self.assumptions)?;
        if answer {
            self.epsilon = self.engine.theory().simplex.epsilon();
        }
        Ok(answer)
    }
    /// The value of a literal in the model. A proposition that nothing mentions has either value.
    pub fn value(&self, lit: Lit) -> bool {
        if lit.is_const() {
            return lit == Lit::TRUE;
        }
        self.engine.assigned(lit).unwrap_or_else(|| {
            self.atom(lit).map_or(lit.is_negated(), |atom| atom.holds(|v| self.number_value(v)))
        })
    }
    /// The value of a number in the model.
    pub fn number_value(&self, number: ArithVar) -> Rational {
        let theory = self.engine.theory();
        let value = theory.simplex.value(theory.numbers[number.0 as usize]);
        &value.real + &(&value.delta * &self.epsilon)
    }
    /// Was `lit` one of the assumptions that the refutation used?
    pub fn failed(&self, lit: Lit) -> bool {
        self.core().contains(&lit)
    }
    /// The assumptions that the refutation used.
    pub fn core(&self) -> Vec<Lit> {
        match self.refuted_by_constant {
            Some(_) => vec![Lit::FALSE],
            None => self.engine.core(),
        }
    }
    /// Interpolants of the last refutation, if proofs are kept: cut `j` separates the parts below `j` from the others, and
    /// those of successive cuts are a sequence.
    pub fn interpolants(&mut self, cuts: RangeInclusive<u32>, system: System) -> Ask<Interpolants> {
        match self.refuted_by_constant {
            None => self.engine.interpolants(cuts, system),
            Some(part) => {
                let roots = cuts.map(|cut| Lit::constant(part >= cut)).collect();
                Ok(Interpolants { aig: Aig::new(), roots, leaves: Vec::new() })
            }
        }
    }
    /// What it took so far.
    pub fn counts(&self) -> ArithCounts {
        let theory = self.engine.theory();
        ArithCounts {
            search: self.engine.counts(),
            pivots: theory.simplex.n_pivots,
            splits: theory.n_splits,
            cuts: theory.n_cuts,
            theory_conflicts: theory.n_conflicts,
            theory_propagations: theory.n_implied,
        }
    }
}
