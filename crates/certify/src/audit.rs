//! Our own solver with every step of it checked: the solver behind the checker's queries in paranoid mode.
//!
//! A refutation counts only if the LRAT checker, which got the clauses from the query and not from the solver, holds
//! a clause of negated assumptions. A model counts only if it satisfies every clause. So nothing rests on the solver.

use crate::lrat::{Checker, Fault};
use indubit_logic::Lit;
use indubit_run::{Cancel, Stop};
use indubit_sat::proof::{ClauseId, NoProof, ProofSink};
use indubit_sat::{Cdcl, Counted, Counts, Solve};
use std::collections::VecDeque;
use std::fmt;

/// What a solver did wrong: a bug of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverError {
    /// A derivation does not check.
    Derivation(Fault),
    /// It works with a clause that was not given to it.
    NotGiven,
    /// It says that there is no model, and has not derived a clause that says so.
    NotRefuted,
    /// Its model violates a clause or an assumption.
    NotModel,
}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the solver is wrong: ")?;
        match self {
            SolverError::Derivation(fault) => fault.fmt(f),
            SolverError::NotGiven => f.write_str("it works with a clause that was not given to it"),
            SolverError::NotRefuted => {
                f.write_str("it claims a refutation and has not derived one from the clauses")
            }
            SolverError::NotModel => f.write_str("its model violates a clause or an assumption"),
        }
    }
}

impl std::error::Error for SolverError {}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setback {
    /// The run was ended.
    Stop(Stop),
    /// The answer did not check.
    Solver(SolverError),
}

impl From<Stop> for Setback {
    fn from(stop: Stop) -> Setback {
        Setback::Stop(stop)
    }
}

impl From<SolverError> for Setback {
    fn from(error: SolverError) -> Setback {
        Setback::Solver(error)
    }
}

/// Checks what a solver derives, as it does so.
#[derive(Clone, Debug, Default)]
struct Auditor {
    checker: Checker,
    n_names: ClauseId,
    /// The clauses that the checker has and the solver will be given next, in this order.
    promised: VecDeque<ClauseId>,
    /// The first thing that went wrong; nothing is looked at after it.
    error: Option<SolverError>,
}

impl Auditor {
    fn note(&mut self, result: Result<(), SolverError>) {
        self.error = self.error.or(result.err());
    }
    fn name(&mut self) -> ClauseId {
        self.n_names += 1;
        self.n_names
    }
    fn promise(&mut self, lits: &[Lit]) {
        let name = self.name();
        self.promised.push_back(name);
        let result = self.checker.given(name, lits).map_err(SolverError::Derivation);
        self.note(result);
    }
    /// Is `conclusion` a clause of negated assumptions, or do two assumptions contradict each other?
    fn refutes(&self, conclusion: Option<ClauseId>, assumptions: &[Lit]) -> bool {
        match conclusion {
            Some(id) => self.checker.clause(id).is_some_and(|c| c.iter().all(|&l| assumptions.contains(&!l))),
            None => assumptions.iter().any(|&l| assumptions.contains(&!l)),
        }
    }
}

impl ProofSink for Auditor {
    const RECORDS: bool = true;
    fn given(&mut self, lits: &[Lit]) -> ClauseId {
        let name = self.promised.pop_front().unwrap_or(0);
        if self.checker.clause(name) != Some(lits) {
            self.note(Err(SolverError::NotGiven));
        }
        name
    }
    fn derived(&mut self, lits: &[Lit], chain: &[ClauseId]) -> ClauseId {
        let name = self.name();
        if self.error.is_none() {
            let result = self.checker.derived(name, lits, chain).map_err(SolverError::Derivation);
            self.note(result);
        }
        name
    }
    fn deleted(&mut self, id: ClauseId) {
        if self.error.is_none() {
            let result = self.checker.deleted(id).map_err(SolverError::Derivation);
            self.note(result);
        }
    }
}

/// Our solver under audit: an answer that comes out has been checked. Derivations go on to `P` as well.
pub struct Audited<P = NoProof> {
    solver: Cdcl<(Auditor, P)>,
    /// The clauses, one after the other, and where each ends.
    lits: Vec<Lit>,
    ends: Vec<usize>,
}

impl Audited {
    /// No clauses. The seed chooses first phases.
    pub fn new(cancel: &Cancel, seed: u64) -> Audited {
        Audited::with_proof(cancel, seed, NoProof)
    }
}

impl<P: ProofSink> Audited<P> {
    /// No clauses; derivations go on to `sink`, which has to count names as it sees them, from 1, the given clauses
    /// of one [`add_clauses`](Audited::add_clauses) first.
    pub fn with_proof(cancel: &Cancel, seed: u64, sink: P) -> Audited<P> {
        let solver = Cdcl::with_proof(cancel, seed, (Auditor::default(), sink));
        Audited { solver, lits: Vec::new(), ends: Vec::new() }
    }
    /// Add clauses for good.
    pub fn add_clauses<'c>(&mut self, clauses: impl IntoIterator<Item = &'c [Lit]>) {
        let from = self.ends.len();
        for clause in clauses {
            self.solver.proof_mut().0.promise(clause);
            self.lits.extend_from_slice(clause);
            self.ends.push(self.lits.len());
        }
        for i in from..self.ends.len() {
            let clause = clause(&self.lits, &self.ends, i);
            self.solver.add_clause(clause);
        }
        // A solver that has found a contradiction takes no more clauses.
        self.solver.proof_mut().0.promised.clear();
    }
    /// Is there a model of the clauses in which all `assumptions` hold? Either answer has been checked.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, Setback> {
        let answer = self.solver.solve(assumptions);
        let auditor = &self.solver.proof().0;
        if let Some(error) = auditor.error {
            return Err(error.into());
        }
        let satisfiable = answer?;
        if !satisfiable && !auditor.refutes(self.solver.conclusion(), assumptions) {
            return Err(SolverError::NotRefuted.into());
        }
        if satisfiable && !self.is_model(assumptions) {
            return Err(SolverError::NotModel.into());
        }
        Ok(satisfiable)
    }
    fn is_model(&self, assumptions: &[Lit]) -> bool {
        let holds = |&lit: &Lit| self.solver.value(lit) && !self.solver.value(!lit);
        (0..self.ends.len()).all(|i| clause(&self.lits, &self.ends, i).iter().any(holds))
            && assumptions.iter().all(holds)
    }
    /// The value of `lit` in the model, after [`solve`](Audited::solve) said yes.
    pub fn value(&self, lit: Lit) -> bool {
        self.solver.value(lit)
    }
    /// What it took so far.
    pub fn counts(&self) -> Counts {
        self.solver.counts()
    }
    /// After a refutation: the name of the clause it ends with.
    pub fn conclusion(&self) -> Option<ClauseId> {
        self.solver.conclusion()
    }
    /// What derivations go on to.
    pub fn proof_mut(&mut self) -> &mut P {
        &mut self.solver.proof_mut().1
    }
}

fn clause<'c>(lits: &'c [Lit], ends: &[usize], i: usize) -> &'c [Lit] {
    let start = if i == 0 { 0 } else { ends[i - 1] };
    &lits[start..ends[i]]
}

#[cfg(test)]
#[path = "audit_tests.rs"]
mod tests;
