//! The solver for IC3's queries: small, many, each about a few cones of a large circuit.

use crate::kernel::policy::{Cones, NoProof};
use crate::kernel::{Kernel, Tuning};
use crate::{Solve, SolveWith};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Cancel};

/// No fanin: a leaf.
const LEAF: [Var; 2] = [Var::MAX; 2];

/// CDCL over cones of a circuit in definitional form (PERFORMANCE A; "Deeply Optimizing the SAT Solver for the IC3
/// Algorithm", 2025).
///
/// A query decides and propagates only inside its domain: the cones of its own literals, and for good those of all
/// added clauses. An assignment of the domain that satisfies the clauses inside it extends to the whole circuit,
/// since every gate outside is defined by smaller variables. Models are therefore partial: outside, a literal counts
/// as false.
#[derive(Clone)]
pub struct RelSolver {
    kernel: Kernel<Cones, NoProof>,
    cancel: Cancel,
    max_ticks: Option<u64>,
    simplify: u64,
    /// The kernel's number of each variable; `u32::MAX` for those not mentioned yet.
    number: Vec<u32>,
    /// By the kernel's numbers: the fanins of a defined gate.
    fanins: Vec<[Var; 2]>,
    guard: Lit,
    stack: Vec<Var>,
    buffer: Vec<Lit>,
    assumed: Vec<Lit>,
}

impl RelSolver {
    /// No clauses. The seed chooses first phases.
    pub fn new(cancel: &Cancel, seed: u64) -> RelSolver {
        RelSolver::tuned(cancel, Tuning { seed, ..Tuning::default() })
    }
    /// No clauses, and other numbers than the usual ones.
    pub fn tuned(cancel: &Cancel, tuning: Tuning) -> RelSolver {
        let mut kernel = Kernel::new(Cones::default(), NoProof, tuning);
        kernel.grow(1);
        RelSolver {
            kernel,
            cancel: cancel.clone(),
            max_ticks: None,
            simplify: tuning.simplify,
            number: Vec::new(),
            fanins: vec![LEAF],
            guard: Lit::positive(Var::new(0)),
            stack: Vec::new(),
            buffer: Vec::new(),
            assumed: Vec::new(),
        }
    }
    fn map(&mut self, lit: Lit) -> Lit {
        let var = lit.var().index();
        if var >= self.number.len() {
            self.number.resize(var + 1, u32::MAX);
        }
        if self.number[var] == u32::MAX {
            self.number[var] = self.fanins.len() as u32;
            self.fanins.push(LEAF);
            self.kernel.grow(self.fanins.len());
        }
        Var::new(self.number[var]).lit(lit.is_negated())
    }
    fn known(&self, lit: Lit) -> Option<Lit> {
        let number = *self.number.get(lit.var().index())?;
        (number != u32::MAX).then(|| Var::new(number).lit(lit.is_negated()))
    }
    /// From now on, give up on a query after about this many ticks.
    pub fn limit(&mut self, max_ticks: Option<u64>) {
        self.max_ticks = max_ticks;
    }
    /// `gate` is the conjunction of `a` and `b`.
    pub fn define_and(&mut self, gate: Lit, a: Lit, b: Lit) {
        self.kernel.end_query();
        let [gate, a, b] = [gate, a, b].map(|l| self.map(l));
        self.fanins[gate.var().index()] = [a.var(), b.var()];
        self.kernel.add_clause(&[!gate, a]);
        self.kernel.add_clause(&[!gate, b]);
        self.kernel.add_clause(&[gate, !a, !b]);
    }
    fn add_cone(&mut self, root: Var) {
        if self.kernel.domain.insert(root) {
            self.stack.push(root);
        }
        while let Some(var) = self.stack.pop() {
            let fanins = self.fanins[var.index()];
            if fanins != LEAF {
                for fanin in fanins {
                    if self.kernel.domain.insert(fanin) {
                        self.stack.push(fanin);
                    }
                }
            }
        }
    }
    fn query(&mut self, clause: Option<&[Lit]>, assumptions: &[Lit]) -> Ask<bool> {
        self.cancel.checkpoint()?;
        self.kernel.end_query();
        self.kernel.domain.reset();
        if self.kernel.counts.queries.is_multiple_of(self.simplify) {
            self.kernel.simplify();
        }
        let mut assumed = std::mem::take(&mut self.assumed);
        assumed.clear();
        if let Some(clause) = clause {
            let mut buffer = std::mem::take(&mut self.buffer);
            buffer.clear();
            for &lit in clause {
                let lit = self.map(lit);
                buffer.push(lit);
                self.add_cone(lit.var());
            }
            self.kernel.add_temporary(self.guard, &buffer);
            self.kernel.domain.insert(self.guard.var());
            assumed.push(self.guard);
            self.buffer = buffer;
        }
        for &lit in assumptions {
            let lit = self.map(lit);
            assumed.push(lit);
            self.add_cone(lit.var());
        }
        let answer = self.kernel.solve(&assumed, &self.cancel, self.max_ticks);
        self.assumed = assumed;
        answer
    }
}

impl Solve for RelSolver {
    fn add_clause(&mut self, lits: &[Lit]) {
        self.kernel.end_query();
        self.kernel.domain.reset();
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        for &lit in lits {
            let lit = self.map(lit);
            buffer.push(lit);
            self.add_cone(lit.var());
        }
        self.kernel.domain.make_permanent();
        self.kernel.add_clause(&buffer);
        self.buffer = buffer;
    }
    fn solve(&mut self, assumptions: &[Lit]) -> Ask<bool> {
        self.query(None, assumptions)
    }
    fn value(&self, lit: Lit) -> bool {
        match self.known(lit) {
            Some(l) if self.kernel.is_assigned(l.var()) => self.kernel.is_true(l),
            _ => lit.is_negated(),
        }
    }
    fn failed(&self, lit: Lit) -> bool {
        self.known(lit).is_some_and(|l| self.kernel.core().contains(&l))
    }
}

impl SolveWith for RelSolver {
    fn solve_with(&mut self, clause: &[Lit], assumptions: &[Lit]) -> Ask<bool> {
        self.query(Some(clause), assumptions)
    }
}
