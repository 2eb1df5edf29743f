//! The solvers that are tried, behind one face.

use crate::oracle::{lit, lits};
use crate::trace::{Kind, Number, Trace};
use indubit_certify::lrat::{Checker, Fault};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Cancel};
use indubit_sat::proof::{ClauseId, Log, Origin, ProofSink};
use indubit_sat::{Cadical, Cdcl, Circuit, Config, Counted, RelConfig, RelSolver, SolveWith, Unassign};

/// Checks derivations as they come, deletions included, and can raise the flag in the middle of a search.
#[derive(Clone, Default)]
pub struct Proof {
    checker: Checker,
    n_names: ClauseId,
    fault: Option<Fault>,
    /// Clauses that were given since someone looked.
    given: Vec<Vec<Lit>>,
    countdown: Option<(u64, Cancel)>,
}

/// The literal that guards temporary clauses has the largest of all variables: here it is variable 0.
fn renamed(lits: &[Lit]) -> Vec<Lit> {
    let guard = Cdcl::<Log>::TEMPORARY.var();
    lits.iter().map(|l| if l.var() == guard { Var::CONST.lit(l.is_negated()) } else { *l }).collect()
}

impl ProofSink for Proof {
    const RECORDS: bool = true;
    fn given(&mut self, lits: &[Lit]) -> ClauseId {
        self.n_names += 1;
        self.given.push(renamed(lits));
        self.fault = self.fault.or(self.checker.given(self.n_names, &renamed(lits)).err());
        self.n_names
    }
    fn derived(&mut self, lits: &[Lit], chain: &[ClauseId]) -> ClauseId {
        self.n_names += 1;
        self.fault = self.fault.or(self.checker.derived(self.n_names, &renamed(lits), chain).err());
        if let Some((left, cancel)) = &mut self.countdown {
            *left = left.saturating_sub(1);
            if *left == 0 {
                cancel.cancel();
            }
        }
        self.n_names
    }
    fn deleted(&mut self, id: ClauseId) {
        self.fault = self.fault.or(self.checker.deleted(id).err());
    }
}

#[derive(Clone)]
enum Any {
    Rel(Box<RelSolver>),
    Cdcl(Box<Cdcl>),
    Proof(Box<Cdcl<(Log, Proof)>>),
}

/// A solver of any kind.
pub enum Subject {
    Ours(OursWithCancel),
    Cadical(Box<Cadical>, Cancel),
}

#[derive(Clone)]
pub struct OursWithCancel {
    solver: Any,
    cancel: Cancel,
}

/// `each!(any, s => expression)`: the same for every solver of ours.
macro_rules! each {
    ($any:expr, $solver:ident => $value:expr) => {
        match $any {
            Any::Rel($solver) => $value,
            Any::Cdcl($solver) => $value,
            Any::Proof($solver) => $value,
        }
    };
}

impl Subject {
    pub fn new(trace: &Trace) -> Subject {
        let cancel = Cancel::new();
        let solver = match trace.kind {
            Kind::Rel | Kind::Whole => {
                let (cones, justify) = (trace.kind == Kind::Rel, trace.tuning.justify);
                let config = RelConfig { cones, justify, ..RelConfig::default() };
                Any::Rel(Box::new(RelSolver::tuned(&cancel, config, trace.tuning)))
            }
            Kind::Cdcl => {
                Any::Cdcl(Box::new(Cdcl::tuned(&cancel, trace.tuning, indubit_sat::proof::NoProof)))
            }
            Kind::Proof => {
                let sinks = (Log::new(), Proof::default());
                Any::Proof(Box::new(Cdcl::tuned(&cancel, trace.tuning, sinks)))
            }
            Kind::Cadical => {
                let config = if trace.tuning.seed == 0 { Config::Default } else { Config::Unsat };
                let solver = Cadical::new(config, &cancel).seeded(trace.tuning.seed);
                return Subject::Cadical(Box::new(solver), cancel);
            }
        };
        Subject::Ours(OursWithCancel { solver, cancel })
    }
    /// A clone, unless this kind cannot be cloned.
    pub fn try_clone(&self) -> Option<Subject> {
        match self {
            Subject::Ours(ours) => Some(Subject::Ours(ours.clone())),
            Subject::Cadical(..) => None,
        }
    }
    pub fn cancel(&self) -> &Cancel {
        match self {
            Subject::Ours(ours) => &ours.cancel,
            Subject::Cadical(_, cancel) => cancel,
        }
    }
    /// Raise the flag: now, or after so many derivations if this kind tells of them.
    pub fn cancel_after(&mut self, n: u64) {
        let cancel = self.cancel().clone();
        match self {
            Subject::Ours(OursWithCancel { solver: Any::Proof(solver), .. }) if n > 0 => {
                solver.proof_mut().1.countdown = Some((n, cancel));
            }
            _ => cancel.cancel(),
        }
    }
    /// Limit queries to so many ticks, where that is possible.
    pub fn limit(&mut self, ticks: Option<u64>) {
        match self {
            Subject::Ours(OursWithCancel { solver: Any::Rel(solver), .. }) => solver.limit(ticks),
            Subject::Ours(OursWithCancel { solver: Any::Cdcl(solver), .. }) => solver.limit(ticks),
            Subject::Ours(OursWithCancel { solver: Any::Proof(solver), .. }) => solver.limit(ticks),
            Subject::Cadical(..) => (),
        }
    }
    /// How many variables it has eliminated.
    pub fn eliminated(&self) -> u64 {
        match self {
            Subject::Ours(ours) => each!(&ours.solver, s => s.counts().eliminated),
            Subject::Cadical(..) => 0,
        }
    }
    fn solver(&mut self) -> &mut dyn SolveWith {
        match self {
            Subject::Ours(ours) => each!(&mut ours.solver, s => &mut **s),
            Subject::Cadical(solver, _) => &mut **solver,
        }
    }
    fn solver_ref(&self) -> &dyn SolveWith {
        match self {
            Subject::Ours(ours) => each!(&ours.solver, s => &**s),
            Subject::Cadical(solver, _) => &**solver,
        }
    }
    pub fn add_clause(&mut self, clause: &[Number]) {
        self.solver().add_clause(&lits(clause));
    }
    pub fn define_and(&mut self, [gate, a, b]: [Number; 3]) {
        match self {
            Subject::Ours(ours) => {
                each!(&mut ours.solver, s => s.define_and(lit(gate).var(), lit(a), lit(b)))
            }
            Subject::Cadical(solver, _) => solver.define_and(lit(gate).var(), lit(a), lit(b)),
        }
    }
    pub fn solve(&mut self, temporary: Option<&[Number]>, assumptions: &[Number]) -> Ask<bool> {
        match temporary {
            Some(clause) => self.solver().solve_with(&lits(clause), &lits(assumptions)),
            None => self.solver().solve(&lits(assumptions)),
        }
    }
    pub fn value(&self, number: Number) -> bool {
        self.solver_ref().value(lit(number))
    }
    pub fn failed(&self, number: Number) -> bool {
        self.solver_ref().failed(lit(number))
    }
    /// The literals that are left after unassigning, if this kind can.
    pub fn unassign(&mut self, numbers: &[Number]) -> Option<Vec<Number>> {
        let Subject::Ours(OursWithCancel { solver: Any::Rel(solver), .. }) = self else {
            return None;
        };
        let mut left = lits(numbers);
        solver.unassign(&mut left);
        Some(numbers.iter().copied().filter(|&n| left.contains(&lit(n))).collect())
    }
    /// The value of a variable, if the model has one and this kind tells; the others give every variable a value.
    pub fn assigned(&self, number: Number) -> Option<bool> {
        match self {
            Subject::Ours(OursWithCancel { solver: Any::Rel(solver), .. }) => {
                solver.assigned(lit(number).var())
            }
            _ => Some(self.value(number)),
        }
    }

    /// What is wrong with the derivations so far. `known` says whether a clause was really given; with a refutation,
    /// the conclusion must be made of negated assumptions.
    pub fn audit(
        &mut self,
        known: impl Fn(&[Lit]) -> bool,
        refuted: Option<(bool, &[Number])>,
    ) -> Result<(), String> {
        let Subject::Ours(OursWithCancel { solver: Any::Proof(solver), .. }) = self else {
            return Ok(());
        };
        if let Some(fault) = solver.proof().1.fault {
            return Err(format!("a derivation does not check: {fault}"));
        }
        if let Some(clause) = solver.proof_mut().1.given.drain(..).find(|c| !known(c)) {
            return Err(format!("{clause:?} was not given"));
        }
        let Some((guarded, assumptions)) = refuted else {
            return Ok(());
        };
        let mut assumed = lits(assumptions);
        assumed.extend(guarded.then_some(Lit::positive(Var::CONST)));
        let Some(conclusion) = solver.conclusion() else {
            let contradictory = assumed.iter().any(|&l| assumed.contains(&!l));
            return contradictory.then_some(()).ok_or("a refutation without a conclusion".into());
        };
        let (log, proof) = solver.proof();
        let clause = proof.checker.clause(conclusion).ok_or("the conclusion has been deleted")?;
        if log.len() as ClauseId != proof.n_names || renamed(log.clause(conclusion)) != clause {
            return Err("the log and the checker saw different things".into());
        }
        let support = log.support(conclusion);
        if support.iter().all(|&id| matches!(log.origin(id), Origin::Derived { .. })) {
            return Err("a conclusion from nothing".into());
        }
        match clause.iter().all(|&l| assumed.contains(&!l)) {
            true => Ok(()),
            false => Err(format!("the conclusion {clause:?} is not about the assumptions")),
        }
    }
}
