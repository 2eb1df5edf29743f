//! The SAT kernel with arithmetic as its theory, with or without a log of derivations.

use crate::arithmetic::{ArithConfig, Arithmetic};
use crate::farkas::{self, Farkas, Interpolants};
use indubit_interpolate::{Interpolator, Range, System};
use indubit_logic::Lit;
use indubit_run::{Ask, Cancel, Stop};
use indubit_sat::proof::{Log, NoProof};
use indubit_sat::{Cdcl, Counted, Counts, Solve, SolveWith, Tuning};
use std::ops::RangeInclusive;

/// Which of the two; queries are alike.
pub(crate) enum Engine {
    Plain(Box<Plain>),
    Logged(Box<Logged>),
}

/// Without a log.
pub(crate) struct Plain {
    solver: Cdcl<NoProof, Arithmetic>,
    lits: Vec<Lit>,
}

/// With a log.
pub(crate) struct Logged {
    solver: Interpolator<Arithmetic>,
    /// By variable: the parts whose clauses have it.
    homes: Vec<Option<Range>>,
    /// What switches the temporary clause of the last query on.
    guard: Option<Lit>,
    assumptions: Vec<(u32, Lit)>,
    core: Vec<Lit>,
}

impl Engine {
    pub(crate) fn new(cancel: &Cancel, config: ArithConfig) -> Engine {
        let tuning = Tuning { seed: config.seed, justify: true, ..Tuning::default() };
        let theory = Arithmetic::new(cancel, config);
        if !config.interpolation {
            let solver = Cdcl::with_theory(cancel, tuning, NoProof, theory);
            return Engine::Plain(Box::new(Plain { solver, lits: Vec::new() }));
        }
        let solver = Cdcl::with_theory(cancel, tuning, Log::new(), theory);
        Engine::Logged(Box::new(Logged {
            solver: Interpolator::with_solver(solver, cancel),
            homes: Vec::new(),
            guard: None,
            assumptions: Vec::new(),
            core: Vec::new(),
        }))
    }
    pub(crate) fn theory(&self) -> &Arithmetic {
        match self {
            Engine::Plain(plain) => plain.solver.theory(),
            Engine::Logged(logged) => logged.solver.solver().theory(),
        }
    }
    pub(crate) fn theory_mut(&mut self) -> &mut Arithmetic {
        match self {
            Engine::Plain(plain) => plain.solver.theory_mut(),
            Engine::Logged(logged) => logged.solver.theory_mut(),
        }
    }
    pub(crate) fn add_clause(&mut self, part: u32, lits: &[Lit]) {
        self.theory_mut().occur(lits);
        match self {
            Engine::Plain(plain) => plain.solver.add_clause(lits),
            Engine::Logged(logged) => {
                let max = lits.iter().map(|l| l.var().index()).max().unwrap_or(0);
                logged.homes.resize(logged.homes.len().max(max + 1), None);
                lits.iter().for_each(|l| farkas::join(&mut logged.homes[l.var().index()], part));
                logged.solver.add_clause(part, lits);
            }
        }
    }
    pub(crate) fn solve(&mut self, clause: Option<&[Lit]>, assumptions: &[(u32, Lit)]) -> Ask<bool> {
        clause.into_iter().for_each(|clause| self.theory_mut().occur(clause));
        match self {
            Engine::Plain(plain) => {
                let Plain { solver, lits } = &mut **plain;
                lits.clear();
                lits.extend(assumptions.iter().map(|&(_, lit)| lit));
                match clause {
                    None => solver.solve(lits),
                    Some(clause) => solver.solve_with(clause, lits),
                }
            }
            Engine::Logged(logged) => logged.solve(clause, assumptions),
        }
    }
    pub(crate) fn assigned(&self, lit: Lit) -> Option<bool> {
        match self {
            Engine::Plain(plain) => plain.solver.assigned(lit),
            Engine::Logged(logged) => logged.solver.solver().assigned(lit),
        }
    }
    pub(crate) fn core(&self) -> Vec<Lit> {
        match self {
            Engine::Plain(plain) => plain.solver.core().collect(),
            Engine::Logged(logged) => logged.core.clone(),
        }
    }
    pub(crate) fn counts(&self) -> Counts {
        match self {
            Engine::Plain(plain) => plain.solver.counts(),
            Engine::Logged(logged) => logged.solver.counts(),
        }
    }
    pub(crate) fn interpolants(&self, cuts: RangeInclusive<u32>, system: System) -> Ask<Interpolants> {
        let Engine::Logged(logged) = self else {
            return Err(Stop::Incomplete("interpolants of a solver that keeps no proofs"));
        };
        let Logged { solver, homes, .. } = &**logged;
        let Some(refutation) = solver.refutation() else {
            return Err(Stop::Incomplete("interpolants of a query that was not refuted"));
        };
        let mut lemmas = Farkas::new(self.theory(), homes);
        let found = refutation.modulo(cuts, system, &mut lemmas)?;
        Ok(lemmas.finish(found))
    }
}

impl Logged {
    /// The temporary clause is one of part 0 with a literal of its own, so that it has a place in proofs.
    fn solve(&mut self, clause: Option<&[Lit]>, assumptions: &[(u32, Lit)]) -> Ask<bool> {
        if let Some(guard) = self.guard.take() {
            self.solver.add_clause(0, &[!guard]);
        }
        self.assumptions.clear();
        self.core.clear();
        if let Some(clause) = clause {
            let guard = self.solver.theory_mut().proposition();
            self.guard = Some(guard);
            let mut guarded = clause.to_vec();
            guarded.push(!guard);
            self.solver.add_clause(0, &guarded);
            self.assumptions.push((0, guard));
        }
        self.assumptions.extend_from_slice(assumptions);
        let answer = self.solver.ask(&self.assumptions)?;
        if let Some(refutation) = self.solver.refutation() {
            self.core.extend(refutation.core().map(|(_, lit)| lit).filter(|&lit| Some(lit) != self.guard));
        }
        Ok(answer)
    }
}
