//! The rules of labelled interpolation, which build a formula over the variables of the solver.
//!
//! D'Silva et al., VMCAI 2010, Definition 7: a clause of A has the disjunction of its literals labelled b only, a clause of B
//! the conjunction of the negations of those labelled a only. A resolution on x combines with ∨ if x is labelled a, with
//! ∧ if b, and with a choice by x if both.

use crate::build;
use crate::label::{Side, Span, System};
use crate::lemma::Contribution;
use crate::partial::Interpolants;
use indubit_aig::Aig;
use indubit_logic::{Lit, Var};

/// Where variables occur, and the formulas so far.
pub(crate) struct Rules {
    system: System,
    /// By variable: the parts in which the refutation uses it.
    occurrences: Vec<Span>,
    /// By variable: its leaf, once a formula has it.
    leaves: Vec<Option<Lit>>,
    /// The variables that have leaves.
    used: Vec<Var>,
    /// By number of a theory's formula: its leaf, once a formula has it.
    formulas: Vec<Option<Lit>>,
    aig: Aig,
    /// Room for `given`.
    negations: Vec<Lit>,
}

impl Rules {
    /// For variables `0..n_vars`, which occur nowhere yet.
    pub(crate) fn new(system: System, n_vars: usize) -> Rules {
        Rules {
            system,
            occurrences: vec![Span::NOWHERE; n_vars],
            leaves: vec![None; n_vars],
            used: Vec::new(),
            formulas: Vec::new(),
            aig: Aig::new(),
            negations: Vec::new(),
        }
    }
    /// The literals are used in a part.
    pub(crate) fn occur(&mut self, lits: &[Lit], part: u32) {
        lits.iter().for_each(|l| self.occurrences[l.var().index()].join(Span::part(part)));
    }
    /// Where a variable occurs.
    pub(crate) fn span(&self, var: Var) -> Span {
        self.occurrences[var.index()]
    }
    /// The variable occurs in these parts, whether it is used there or not.
    pub(crate) fn place(&mut self, var: Var, span: Span) {
        self.occurrences[var.index()] = span;
    }
    /// The label of a literal.
    pub(crate) fn label(&self, lit: Lit, cut: u32) -> Side {
        self.occurrences[lit.var().index()].label(cut, self.system)
    }
    fn leaf(&mut self, lit: Lit) -> Lit {
        let (aig, used) = (&mut self.aig, &mut self.used);
        let leaf = self.leaves[lit.var().index()].get_or_insert_with(|| {
            used.push(lit.var());
            aig.leaf()
        });
        *leaf ^ lit.is_negated()
    }

    /// The partial interpolant of a clause that side A, or side B, implies. Literals that this side does not have do not
    /// count: it implies the clause without them.
    pub(crate) fn given(&mut self, lits: &[Lit], side: Side, cut: u32) -> Lit {
        // Shared variables have the other side's label, or there is nothing to collect.
        let collects = match side {
            Side::A => self.system == System::McMillan,
            _ => self.system == System::InverseMcMillan,
        };
        let mut negations = std::mem::take(&mut self.negations);
        negations.clear();
        for &lit in lits.iter().filter(|_| collects) {
            if self.occurrences[lit.var().index()].side(cut) == Side::Both {
                negations.push(!self.leaf(lit));
            }
        }
        let conjunction = build::and_all(&mut self.aig, &mut negations);
        self.negations = negations;
        conjunction ^ (side == Side::A)
    }

    /// The partial interpolant of a lemma, as the theory says.
    pub(crate) fn contributed(&mut self, contribution: Contribution) -> Lit {
        match contribution {
            Contribution::Constant(value) => Lit::constant(value),
            Contribution::Formula { index, negated } => {
                if self.formulas.len() <= index {
                    self.formulas.resize(index + 1, None);
                }
                let aig = &mut self.aig;
                *self.formulas[index].get_or_insert_with(|| aig.leaf()) ^ negated
            }
        }
    }

    /// The partial interpolant of a resolvent on `lit`, from those of the clause with it and the one with its negation.
    pub(crate) fn resolved(&mut self, lit: Lit, cut: u32, with_lit: Lit, with_negation: Lit) -> Lit {
        match self.label(lit, cut) {
            Side::A => build::or(&mut self.aig, with_lit, with_negation),
            Side::B => build::and(&mut self.aig, with_lit, with_negation),
            Side::Both => {
                let leaf = self.leaf(lit);
                build::ite(&mut self.aig, leaf, with_negation, with_lit)
            }
        }
    }

    /// Formulas of the graph, with each variable and each formula of the theory that it has.
    pub(crate) fn into_interpolants(self, roots: Vec<Lit>) -> Interpolants {
        let leaf = |var: Var| self.leaves[var.index()].expect("variables in use have leaves");
        let variables = self.used.iter().map(|&var| (var, leaf(var))).collect();
        let formulas = (0..).zip(&self.formulas).filter_map(|(i, leaf)| Some((i, (*leaf)?))).collect();
        Interpolants { roots, aig: self.aig, variables, formulas }
    }
}
