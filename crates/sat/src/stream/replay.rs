//! A stream on any solver, with the answers compared.

use super::Stream;
use super::read::Event;
use crate::{Circuit, Counted, Counts, Solve, SolveWith, Unassign};
use indubit_logic::Lit;
use indubit_run::Ask;

/// A solver that can be asked everything a stream has.
pub trait Subject: SolveWith + Circuit + Unassign + Counted + Clone {}

impl<S: SolveWith + Circuit + Unassign + Counted + Clone> Subject for S {}

/// What became of a stream.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Queries with a model.
    pub satisfiable: u64,
    /// Queries without.
    pub unsatisfiable: u64,
    /// Queries with another answer than the recorded one.
    pub disagreements: u64,
    /// Literals in cores.
    pub core_lits: u64,
    /// Literals that were taken out of models.
    pub unassigned: u64,
    /// The effort of all solvers.
    pub effort: Counts,
}

/// Replay `stream` on solvers that `make` makes. After a refutation each assumption is asked for, as IC3 does; models
/// may be unassigned if `flips` says so.
pub fn replay<S: Subject>(stream: &Stream, flips: bool, make: impl Fn() -> S) -> Ask<Report> {
    let mut report = Report::default();
    let mut solvers: Vec<S> = Vec::new();
    let mut buffer: Vec<Lit> = Vec::new();
    // What clones say they did, and their originals did.
    let mut inherited = Counts::default();
    let retire = |solvers: &mut Vec<S>, report: &mut Report| {
        solvers.drain(..).for_each(|solver| report.effort += solver.counts());
    };
    for event in &stream.events {
        match event {
            Event::Begin => retire(&mut solvers, &mut report),
            Event::New => solvers.push(make()),
            Event::Clone { of } => {
                let clone = solvers[*of as usize].clone();
                inherited += clone.counts();
                solvers.push(clone);
            }
            Event::And { solver, gate, fanins: [a, b] } => {
                solvers[*solver as usize].define_and(*gate, *a, *b)
            }
            Event::Clause { solver, lits } => {
                solvers[*solver as usize].add_clause(&stream.lits[lits.clone()])
            }
            Event::Query { solver, clause, assumptions, satisfiable } => {
                let solver = &mut solvers[*solver as usize];
                let assumptions = &stream.lits[assumptions.clone()];
                let answer = match clause {
                    Some(clause) => solver.solve_with(&stream.lits[clause.clone()], assumptions)?,
                    None => solver.solve(assumptions)?,
                };
                report.disagreements += u64::from(answer != *satisfiable);
                if answer {
                    report.satisfiable += 1;
                } else {
                    report.unsatisfiable += 1;
                    report.core_lits += assumptions.iter().filter(|&&l| solver.failed(l)).count() as u64;
                }
            }
            // The model need not be the recorded one.
            Event::Unassign { solver, lits } if flips => {
                let solver = &mut solvers[*solver as usize];
                buffer.clear();
                let of_model = |&l: &Lit| if solver.value(l) { l } else { !l };
                buffer.extend(stream.lits[lits.clone()].iter().map(of_model));
                solver.unassign(&mut buffer);
                report.unassigned += (lits.len() - buffer.len()) as u64;
            }
            Event::Unassign { .. } => (),
        }
    }
    retire(&mut solvers, &mut report);
    report.effort -= inherited;
    Ok(report)
}

/// A solver that cannot be cloned and knows clauses only: a clone is built from the clauses anew, and no model can be
/// unassigned.
pub struct Rebuilt<S, F> {
    solver: S,
    make: F,
    lits: Vec<Lit>,
    /// Where each clause ends.
    ends: Vec<usize>,
}

impl<S: Solve, F: Fn() -> S> Rebuilt<S, F> {
    /// Without clauses.
    pub fn new(make: F) -> Rebuilt<S, F> {
        Rebuilt { solver: make(), make, lits: Vec::new(), ends: Vec::new() }
    }
}

impl<S: Solve, F: Fn() -> S + Clone> Clone for Rebuilt<S, F> {
    fn clone(&self) -> Rebuilt<S, F> {
        let mut clone = Rebuilt::new(self.make.clone());
        let mut start = 0;
        for &end in &self.ends {
            clone.add_clause(&self.lits[start..end]);
            start = end;
        }
        clone
    }
}

impl<S: Solve, F> Solve for Rebuilt<S, F> {
    fn add_clause(&mut self, lits: &[Lit]) {
        self.lits.extend_from_slice(lits);
        self.ends.push(self.lits.len());
        self.solver.add_clause(lits);
    }
    fn solve(&mut self, assumptions: &[Lit]) -> Ask<bool> {
        self.solver.solve(assumptions)
    }
    fn value(&self, lit: Lit) -> bool {
        self.solver.value(lit)
    }
    fn failed(&self, lit: Lit) -> bool {
        self.solver.failed(lit)
    }
}

impl<S: SolveWith, F> SolveWith for Rebuilt<S, F> {
    fn solve_with(&mut self, clause: &[Lit], assumptions: &[Lit]) -> Ask<bool> {
        self.solver.solve_with(clause, assumptions)
    }
}

impl<S: Solve, F> Circuit for Rebuilt<S, F> {}

impl<S: Solve, F> Unassign for Rebuilt<S, F> {
    fn unassign(&mut self, _: &mut Vec<Lit>) {}
}

impl<S: Counted, F> Counted for Rebuilt<S, F> {
    fn counts(&self) -> Counts {
        self.solver.counts()
    }
}
