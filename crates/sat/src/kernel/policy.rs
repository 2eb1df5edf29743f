//! What a kernel is compiled for: which variables count, and whether derivations are recorded.

use super::Kernel;
use super::circuit::Circuit;
use super::table::Table;
use super::theory::{Certificate, Theory};
use super::trail::{OUTSIDE, Trail};
use indubit_logic::{Lit, Var};

/// The variables that a query decides and propagates.
pub trait Domain {
    /// Can there be variables outside of it? Tells the compiler to leave the tests out if not.
    const PARTIAL: bool;
    /// Is the variable inside?
    fn contains(&self, var: Var) -> bool;
    /// There are now this many variables; new ones are outside until something puts them in.
    fn grow(&mut self, n_vars: usize);
    /// Each variable inside, of `n_vars`.
    fn each(&self, n_vars: usize, visit: impl FnMut(Var));
    /// The member at a position, counted from the newest.
    fn at(&self, position: usize) -> Option<Var>;
}

/// Every variable counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Everything;

impl Domain for Everything {
    const PARTIAL: bool = false;
    fn contains(&self, _: Var) -> bool {
        true
    }
    fn grow(&mut self, _: usize) {}
    fn each(&self, n_vars: usize, visit: impl FnMut(Var)) {
        (0..n_vars).map(Var::from_index).for_each(visit);
    }
    fn at(&self, _: usize) -> Option<Var> {
        None
    }
}

/// A permanent part and a part for the present query (Su et al., "Deeply Optimizing the SAT Solver for the IC3
/// Algorithm", 2025).
#[derive(Clone, Debug, Default)]
pub struct Cones {
    member: Table<bool>,
    permanent: usize,
    vars: Vec<Var>,
}

impl Cones {
    /// Add to the present query's part.
    fn insert(&mut self, var: Var, values: &mut Table<i8>) {
        if !std::mem::replace(&mut self.member[var.index()], true) {
            self.vars.push(var);
            mark_unassigned(values, var, OUTSIDE, 0);
        }
    }
    /// What has been inserted so far stays for good. Only between queries.
    fn make_permanent(&mut self) {
        self.permanent = self.vars.len();
    }
}

/// Both values of a variable, from one kind of unassigned to the other.
fn mark_unassigned(values: &mut Table<i8>, var: Var, from: i8, to: i8) {
    let lit = Lit::positive(var);
    if values[lit.index()] == from {
        values[lit.index()] = to;
        values[(!lit).index()] = to;
    }
}

impl Trail<Cones> {
    /// Add a variable to the query's domain.
    fn insert(&mut self, var: Var) {
        self.domain.insert(var, &mut self.values);
    }
    /// Add a variable and all that it depends on to the query's domain.
    fn insert_cone(&mut self, root: Var, circuit: &Circuit) {
        let mut at = self.domain.vars.len();
        self.insert(root);
        while let Some(&var) = self.domain.vars.get(at) {
            at += 1;
            if let Some([a, b]) = circuit.fanins(var) {
                self.insert(a.var());
                self.insert(b.var());
            }
        }
    }
    /// Back to the permanent part of the domain. Only at level 0.
    fn reset_domain(&mut self) {
        let Cones { member, permanent, vars } = &mut self.domain;
        for var in vars.drain(*permanent..) {
            member[var.index()] = false;
            mark_unassigned(&mut self.values, var, 0, OUTSIDE);
        }
    }
}

impl<P: ProofSink, T: Theory> Kernel<Cones, P, T> {
    /// Is the variable in the query's domain?
    pub(crate) fn is_inside(&self, var: Var) -> bool {
        self.trail.domain.contains(var)
    }
    /// Add a variable to the query's domain.
    pub(crate) fn insert(&mut self, var: Var) {
        self.trail.insert(var);
    }
    /// Add a variable and all that it depends on to the query's domain.
    pub(crate) fn insert_cone(&mut self, root: Var) {
        self.trail.insert_cone(root, &self.circuit);
    }
    /// What has been inserted so far stays for good. Only between queries.
    pub(crate) fn make_permanent(&mut self) {
        self.trail.domain.make_permanent();
    }
    /// Back to the permanent part of the domain.
    pub(crate) fn reset_domain(&mut self) {
        self.trail.reset_domain();
    }
}

impl Domain for Cones {
    const PARTIAL: bool = true;
    fn contains(&self, var: Var) -> bool {
        self.member[var.index()]
    }
    fn grow(&mut self, n_vars: usize) {
        self.member.resize(n_vars, false);
    }
    fn each(&self, _: usize, visit: impl FnMut(Var)) {
        self.vars.iter().copied().for_each(visit);
    }
    fn at(&self, position: usize) -> Option<Var> {
        let at = self.vars.len().checked_sub(position + 1)?;
        Some(self.vars[at])
    }
}

/// Names a clause in a derivation; 0 is none.
pub type ClauseId = u64;

/// Sees how clauses come about.
pub trait ProofSink {
    /// Is anything recorded? Tells the compiler to leave the bookkeeping out if not.
    const RECORDS: bool;
    /// A clause was given.
    fn given(&mut self, lits: &[Lit]) -> ClauseId;
    /// A clause holds by the theory, which knows more under the certificate.
    fn lemma(&mut self, lits: &[Lit], certificate: Certificate) -> ClauseId {
        let _ = certificate;
        self.given(lits)
    }
    /// A clause was derived by resolving the chain, last to first, in the order of reverse unit propagation.
    fn derived(&mut self, lits: &[Lit], chain: &[ClauseId]) -> ClauseId;
    /// A clause is needed no more.
    fn deleted(&mut self, id: ClauseId);
}

/// Nothing is recorded.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProof;

impl ProofSink for NoProof {
    const RECORDS: bool = false;
    fn given(&mut self, _: &[Lit]) -> ClauseId {
        0
    }
    fn derived(&mut self, _: &[Lit], _: &[ClauseId]) -> ClauseId {
        0
    }
    fn deleted(&mut self, _: ClauseId) {}
}
