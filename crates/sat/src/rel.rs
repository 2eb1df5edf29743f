//! The solver for IC3's queries: small, many, each about a few cones of a large circuit.

use crate::kernel::policy::{Cones, NoProof};
use crate::kernel::{Kernel, OrderKind, Tuning};
use crate::{Circuit, Counted, Counts, Solve, SolveWith, Unassign};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Cancel};

/// No fanin: a leaf.
const LEAF: [Var; 2] = [Var::MAX; 2];

/// What a [`RelSolver`] is made with: a seed, and switches to measure what each idea is worth.
#[derive(Clone, Copy, Debug)]
pub struct RelConfig {
    /// Chooses first phases.
    pub seed: u64,
    /// Decide and propagate inside the cones of a query only.
    pub cones: bool,
    /// Take decisions from buckets, and not always from an exact heap.
    pub buckets: bool,
}

impl Default for RelConfig {
    fn default() -> RelConfig {
        RelConfig { seed: 0, cones: true, buckets: true }
    }
}

/// CDCL over cones of a circuit in definitional form (PERFORMANCE A; "Deeply Optimizing the SAT Solver for the IC3
/// Algorithm", 2025).
///
/// A query decides and propagates only inside its domain: the cones of its own literals, and for good those of all
/// added clauses. An assignment of the domain that satisfies the clauses inside it extends to the whole circuit,
/// since every gate outside is defined by smaller variables. Models are therefore partial: outside, a positive literal
/// counts as false.
///
/// Assumptions are decided in the order given, each followed by its consequences, and a core has only assumptions that
/// were decided: of two that are both sufficient the earlier one is in it, so what is wanted in cores comes first.
#[derive(Clone)]
pub struct RelSolver {
    kernel: Kernel<Cones, NoProof>,
    cancel: Cancel,
    max_ticks: Option<u64>,
    simplify: u64,
    config: RelConfig,
    /// The kernel's number of each variable; `u32::MAX` for those not mentioned yet.
    number: Vec<u32>,
    /// By the kernel's numbers: the fanins of a defined gate.
    fanins: Vec<[Var; 2]>,
    guard: Lit,
    stack: Vec<Var>,
    buffer: Vec<Lit>,
    assumed: Vec<Lit>,
    /// By the kernel's literals: is it in the core of the last refutation?
    in_core: Vec<bool>,
    /// The kernel's literals with such a mark.
    core: Vec<Lit>,
}

impl RelSolver {
    /// No clauses.
    pub fn new(cancel: &Cancel, config: RelConfig) -> RelSolver {
        let order = if config.buckets { OrderKind::Buckets } else { OrderKind::Heap };
        let tuning = Tuning { order, seed: config.seed, ..Tuning::default() };
        RelSolver::tuned(cancel, config, tuning)
    }
    /// No clauses, and other numbers than the usual ones.
    pub fn tuned(cancel: &Cancel, config: RelConfig, tuning: Tuning) -> RelSolver {
        let mut kernel = Kernel::new(Cones::default(), NoProof, tuning);
        kernel.grow(1);
        RelSolver {
            kernel,
            cancel: cancel.clone(),
            max_ticks: None,
            simplify: tuning.simplify,
            config,
            number: Vec::new(),
            fanins: vec![LEAF],
            guard: Lit::positive(Var::new(0)),
            stack: Vec::new(),
            buffer: Vec::new(),
            assumed: Vec::new(),
            in_core: Vec::new(),
            core: Vec::new(),
        }
    }
    /// The value of a variable in the partial model, after [`solve`](Solve::solve) said yes.
    pub fn assigned(&self, var: Var) -> Option<bool> {
        let lit = self.known(Lit::positive(var))?;
        self.kernel.is_assigned(lit.var()).then(|| self.kernel.is_true(lit))
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
            self.in_core.resize(2 * self.fanins.len(), false);
            if !self.config.cones {
                self.kernel.domain.insert(Var::new(self.number[var]));
                self.kernel.domain.make_permanent();
            }
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
    /// Forget the last query.
    fn begin(&mut self) {
        self.kernel.end_query();
        self.kernel.domain.reset();
        for lit in self.core.drain(..) {
            self.in_core[lit.index()] = false;
        }
    }
    fn query(&mut self, clause: Option<&[Lit]>, assumptions: &[Lit]) -> Ask<bool> {
        self.cancel.checkpoint()?;
        self.begin();
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
        if answer == Ok(false) {
            self.core.extend_from_slice(self.kernel.core());
            for lit in &self.core {
                self.in_core[lit.index()] = true;
            }
        }
        answer
    }
}

impl Solve for RelSolver {
    fn add_clause(&mut self, lits: &[Lit]) {
        self.begin();
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        for &lit in lits {
            let lit = self.map(lit);
            buffer.push(lit);
            self.add_cone(lit.var());
        }
        self.kernel.domain.make_permanent();
        if let Some(clause) = self.kernel.add_clause(&buffer) {
            self.kernel.set_lemma(clause);
        }
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
        self.known(lit).is_some_and(|l| self.in_core[l.index()])
    }
}

impl SolveWith for RelSolver {
    fn solve_with(&mut self, clause: &[Lit], assumptions: &[Lit]) -> Ask<bool> {
        self.query(Some(clause), assumptions)
    }
}

impl Circuit for RelSolver {
    fn define_and(&mut self, gate: Lit, a: Lit, b: Lit) {
        self.begin();
        let [gate, a, b] = [gate, a, b].map(|l| self.map(l));
        self.fanins[gate.var().index()] = [a.var(), b.var()];
        self.kernel.add_clause(&[!gate, a]);
        self.kernel.add_clause(&[!gate, b]);
        self.kernel.add_clause(&[gate, !a, !b]);
    }
}

impl Unassign for RelSolver {
    fn unassign(&mut self, lits: &mut Vec<Lit>) {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        // Outside of the domain nothing is assigned.
        lits.retain(|&lit| self.assigned(lit.var()) == Some(!lit.is_negated()));
        // An assumption stays, also where no gate depends on it. There is no core after a yes: its marks are free.
        self.assumed.iter().for_each(|lit| self.in_core[lit.index()] = true);
        let known = lits.iter().filter_map(|&lit| self.known(lit));
        buffer.extend(known.filter(|lit| !self.in_core[lit.index()]));
        self.assumed.iter().for_each(|lit| self.in_core[lit.index()] = false);
        self.kernel.unassign(&mut buffer);
        lits.retain(|&lit| self.assigned(lit.var()).is_some());
        self.buffer = buffer;
    }
}

impl Counted for RelSolver {
    fn counts(&self) -> Counts {
        self.kernel.counts
    }
}
