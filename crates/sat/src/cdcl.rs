//! Our kernel over everything: for formulas that are no circuit, or whose whole matters.

use crate::kernel::policy::{Everything, NoProof};
use crate::kernel::{Kernel, OrderKind, Tuning};
use crate::{Solve, SolveWith};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Cancel};

/// A general incremental solver.
#[derive(Clone)]
pub struct Cdcl {
    kernel: Kernel<Everything, NoProof>,
    cancel: Cancel,
    assumed: Vec<Lit>,
}

/// Variable 0 of the kernel switches temporary clauses on; ours come after it.
const GUARD: Lit = Lit::positive(Var::new(0));

fn shift(lit: Lit) -> Lit {
    Var::from_index(lit.var().index() + 1).lit(lit.is_negated())
}

impl Cdcl {
    /// No clauses. The seed chooses first phases.
    pub fn new(cancel: &Cancel, seed: u64) -> Cdcl {
        let tuning = Tuning { order: OrderKind::Heap, seed, ..Tuning::default() };
        let mut kernel = Kernel::new(Everything, NoProof, tuning);
        kernel.grow(1);
        Cdcl { kernel, cancel: cancel.clone(), assumed: Vec::new() }
    }
    fn query(&mut self, guard: Option<Lit>, assumptions: &[Lit]) -> Ask<bool> {
        self.cancel.checkpoint()?;
        self.assumed.clear();
        self.assumed.extend(guard.into_iter().chain(assumptions.iter().map(|&l| shift(l))));
        let max = self.assumed.iter().map(|l| l.var().index()).max().unwrap_or(0);
        self.kernel.grow(max + 1);
        self.kernel.solve(&self.assumed, &self.cancel, None)
    }
}

impl Solve for Cdcl {
    fn add_clause(&mut self, lits: &[Lit]) {
        self.kernel.end_query();
        let lits: Vec<Lit> = lits.iter().map(|&l| shift(l)).collect();
        self.kernel.add_clause(&lits);
    }
    fn solve(&mut self, assumptions: &[Lit]) -> Ask<bool> {
        self.kernel.end_query();
        self.query(None, assumptions)
    }
    fn value(&self, lit: Lit) -> bool {
        let lit = shift(lit);
        if self.kernel.is_assigned(lit.var()) { self.kernel.is_true(lit) } else { lit.is_negated() }
    }
    fn failed(&self, lit: Lit) -> bool {
        self.kernel.core().contains(&shift(lit))
    }
}

impl SolveWith for Cdcl {
    fn solve_with(&mut self, clause: &[Lit], assumptions: &[Lit]) -> Ask<bool> {
        self.kernel.end_query();
        let clause: Vec<Lit> = clause.iter().map(|&l| shift(l)).collect();
        let max = clause.iter().map(|l| l.var().index()).max().unwrap_or(0);
        self.kernel.grow(max + 1);
        self.kernel.add_temporary(GUARD, &clause);
        self.query(Some(GUARD), assumptions)
    }
}
