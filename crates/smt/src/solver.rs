//! The solver as its users see it.

use crate::arithmetic::{ArithConfig, Arithmetic};
use crate::atom::{ArithVar, AtMost};
use crate::rational::Rational;
use indubit_aig::Aig;
use indubit_interpolate::System;
use indubit_logic::Lit;
use indubit_run::{Ask, Cancel, Stop};
use indubit_sat::proof::NoProof;
use indubit_sat::{Cdcl, Counted, Solve, SolveWith, Tuning};
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
    /// Conflicts that arithmetic found.
    pub theory_conflicts: u64,
    /// Literals that arithmetic implied.
    pub theory_propagations: u64,
}

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

/// An incremental solver for clauses over propositions and linear constraints over reals and integers.
pub struct ArithSolver {
    solver: Cdcl<NoProof, Arithmetic>,
    lits: Vec<Lit>,
    clause: Vec<Lit>,
    /// An assumption of the last query that is the constant *false*.
    refuted_by_constant: bool,
    epsilon: Rational,
}

impl ArithSolver {
    /// No clauses. Queries end when `cancel` is raised.
    pub fn new(cancel: &Cancel, config: ArithConfig) -> ArithSolver {
        let tuning = Tuning { seed: config.seed, ..Tuning::default() };
        let theory = Arithmetic::new(cancel, config);
        ArithSolver {
            solver: Cdcl::with_theory(cancel, tuning, NoProof, theory),
            lits: Vec::new(),
            clause: Vec::new(),
            refuted_by_constant: false,
            epsilon: Rational::ONE,
        }
    }
    /// A new propositional variable.
    pub fn proposition(&mut self) -> Lit {
        self.solver.theory_mut().proposition()
    }
    /// A new number.
    pub fn number(&mut self, integer: bool) -> ArithVar {
        self.solver.theory_mut().number(integer)
    }
    /// The literal of `sum ≤ bound`, or `sum < bound` if strict. Equal atoms have equal literals, and the negation of
    /// an atom has the complement.
    pub fn at_most(&mut self, sum: &[(ArithVar, Rational)], bound: Rational, strict: bool) -> Lit {
        self.solver.theory_mut().at_most(sum, &bound, strict)
    }
    /// What a literal says, if it is about numbers.
    pub fn atom(&self, lit: Lit) -> Option<AtMost> {
        self.solver.theory().meaning(lit)
    }
    /// Add the disjunction of `lits` to a part of the formula.
    pub fn add_clause(&mut self, _part: u32, lits: &[Lit]) {
        if lits.contains(&Lit::TRUE) {
            return;
        }
        self.clause.clear();
        self.clause.extend(lits.iter().filter(|&&l| l != Lit::FALSE));
        self.solver.theory_mut().occur(&self.clause);
        self.solver.add_clause(&self.clause);
    }
    /// Is there a model in which all `assumptions` hold? Each belongs to a part, as a unit clause would.
    pub fn solve(&mut self, assumptions: &[(u32, Lit)]) -> Ask<bool> {
        self.query(None, assumptions)
    }
    /// The same with the disjunction of `clause` for this call only, in part 0.
    pub fn solve_with(&mut self, clause: &[Lit], assumptions: &[(u32, Lit)]) -> Ask<bool> {
        self.query((!clause.contains(&Lit::TRUE)).then_some(clause), assumptions)
    }
    fn query(&mut self, clause: Option<&[Lit]>, assumptions: &[(u32, Lit)]) -> Ask<bool> {
        self.lits.clear();
        self.lits.extend(assumptions.iter().map(|&(_, lit)| lit).filter(|&l| l != Lit::TRUE));
        self.refuted_by_constant = self.lits.contains(&Lit::FALSE);
        if self.refuted_by_constant {
            return Ok(false);
        }
        self.solver.theory_mut().n_splits_in_query = 0;
        let answer = match clause {
            None => self.solver.solve(&self.lits)?,
            Some(clause) => {
                self.clause.clear();
                self.clause.extend(clause.iter().filter(|&&l| l != Lit::FALSE));
                self.solver.theory_mut().occur(&self.clause);
                self.solver.solve_with(&self.clause, &self.lits)?
            }
        };
        if answer {
            self.epsilon = self.solver.theory().simplex.epsilon();
        }
        Ok(answer)
    }
    /// The value of a literal in the model. A proposition that nothing mentions has either value.
    pub fn value(&self, lit: Lit) -> bool {
        if lit.is_const() {
            return lit == Lit::TRUE;
        }
        self.solver.assigned(lit).unwrap_or_else(|| {
            self.atom(lit).map_or(lit.is_negated(), |atom| atom.holds(|v| self.number_value(v)))
        })
    }
    /// The value of a number in the model.
    pub fn number_value(&self, number: ArithVar) -> Rational {
        let theory = self.solver.theory();
        let value = theory.simplex.value(theory.numbers[number.0 as usize]);
        &value.real + &(&value.delta * &self.epsilon)
    }
    /// Was `lit` one of the assumptions that the refutation used?
    pub fn failed(&self, lit: Lit) -> bool {
        match self.refuted_by_constant {
            true => lit == Lit::FALSE,
            false => !lit.is_const() && self.solver.failed(lit),
        }
    }
    /// The assumptions that the refutation used.
    pub fn core(&self) -> Vec<Lit> {
        match self.refuted_by_constant {
            true => vec![Lit::FALSE],
            false => self.solver.core().collect(),
        }
    }
    /// Interpolants of the last refutation at these cuts: cut `j` separates the parts below `j` from the others.
    pub fn interpolants(&mut self, _cuts: RangeInclusive<u32>, _system: System) -> Ask<Interpolants> {
        Err(Stop::Incomplete("no interpolants yet"))
    }
    /// What it took so far.
    pub fn counts(&self) -> ArithCounts {
        let theory = self.solver.theory();
        ArithCounts {
            search: self.solver.counts(),
            pivots: theory.simplex.n_pivots,
            splits: theory.n_splits,
            theory_conflicts: theory.n_conflicts,
            theory_propagations: theory.n_implied,
        }
    }
}
