//! The solver for IC3's queries: small, many, each about a few cones of a large circuit.

use crate::kernel::policy::{Cones, NoProof};
use crate::kernel::theory::NoTheory;
use crate::kernel::{Kernel, OrderKind, Tuning};
use crate::{Circuit, Counted, Counts, Solve, SolveWith, Unassign};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Cancel};

/// Conflicts between two reductions of the learnt clauses, as in [`Tuning`]. Each frame has few, and long watch lists cost
/// more than they are worth in small queries.
const REDUCE: u64 = 5;

/// What a [`RelSolver`] is made with: a seed, and switches to measure what each idea is worth.
#[derive(Clone, Copy, Debug)]
pub struct RelConfig {
    /// Chooses first phases.
    pub seed: u64,
    /// Decide and propagate inside the cones of a query only.
    pub cones: bool,
    /// Take decisions from buckets, and not always from an exact heap.
    pub buckets: bool,
    /// Assign only what a model needs, and not the whole domain.
    pub justify: bool,
    /// Forget clauses that newer ones subsume.
    pub subsume: bool,
}

impl Default for RelConfig {
    fn default() -> RelConfig {
        RelConfig { seed: 0, cones: true, buckets: true, justify: true, subsume: true }
    }
}

/// CDCL over cones of a circuit in definitional form (Su et al., "Deeply Optimizing the SAT Solver for the IC3
/// Algorithm", 2025; docs/SOLVER.md).
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
    n_numbers: u32,
    /// How many literals the query had that the domain was made for.
    n_focused: usize,
    guard: Lit,
    buffer: Vec<Lit>,
    assumed: Vec<Lit>,
    /// By the kernel's literals: is it in the core of the last refutation? All false otherwise.
    marks: Vec<bool>,
    /// The kernel's literals with a mark.
    core: Vec<Lit>,
    /// Was something unassigned in the last model? Then the kernel's levels are of no use any more.
    is_torn: bool,
}

impl RelSolver {
    /// No clauses.
    pub fn new(cancel: &Cancel, config: RelConfig) -> RelSolver {
        let order = if config.buckets { OrderKind::Buckets } else { OrderKind::Heap };
        let tuning = Tuning { order, seed: config.seed, reduce: REDUCE, ..Tuning::default() };
        RelSolver::tuned(cancel, config, tuning)
    }
    /// No clauses, and other numbers than the usual ones.
    pub fn tuned(cancel: &Cancel, config: RelConfig, tuning: Tuning) -> RelSolver {
        let tuning = Tuning { justify: config.justify, ..tuning };
        let mut kernel = Kernel::new(Cones::default(), NoProof, NoTheory, tuning);
        kernel.grow(1);
        RelSolver {
            kernel,
            cancel: cancel.clone(),
            max_ticks: None,
            simplify: tuning.simplify,
            config,
            number: Vec::new(),
            n_numbers: 1,
            n_focused: 0,
            guard: Lit::positive(Var::new(0)),
            buffer: Vec::new(),
            assumed: Vec::new(),
            marks: vec![false; 2],
            core: Vec::new(),
            is_torn: false,
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
            self.number[var] = self.n_numbers;
            self.n_numbers += 1;
            self.kernel.grow(self.n_numbers as usize);
            self.marks.resize(2 * self.n_numbers as usize, false);
            if !self.config.cones {
                self.kernel.insert(Var::new(self.number[var]));
                self.kernel.make_permanent();
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
    /// Forget the last query and its domain.
    fn begin(&mut self) {
        self.end_query(0);
        self.kernel.reset_domain();
        self.n_focused = 0;
    }
    /// Forget the last query, but for what follows from its first assumptions.
    fn end_query(&mut self, n_assumptions: usize) {
        let level = if std::mem::take(&mut self.is_torn) { 0 } else { n_assumptions };
        self.kernel.end_query_above(level as u32);
        for lit in self.core.drain(..) {
            self.marks[lit.index()] = false;
        }
    }
    /// Let the domain have the cones of a query. The last domain is kept if it has them and was made for not much
    /// more: while a cube is generalized, one domain serves all its subsets (Su et al. 2025).
    fn focus(&mut self, clause: &[Lit], assumed: &[Lit]) {
        let n_roots = clause.len() + assumed.len();
        let mut roots = clause.iter().chain(assumed).map(|lit| lit.var());
        if n_roots * 2 >= self.n_focused && roots.clone().all(|var| self.kernel.is_inside(var)) {
            return;
        }
        self.kernel.backtrack(0);
        self.kernel.reset_domain();
        roots.by_ref().for_each(|var| self.kernel.insert_cone(var));
        self.n_focused = n_roots;
    }
    fn query(&mut self, clause: Option<&[Lit]>, assumptions: &[Lit]) -> Ask<bool> {
        self.cancel.checkpoint()?;
        if self.kernel.counts.queries.is_multiple_of(self.simplify) {
            self.end_query(0);
            self.kernel.simplify();
            if self.config.subsume {
                self.kernel.subsume_if_due();
            }
        }
        let mut assumed = std::mem::take(&mut self.assumed);
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.extend(assumptions.iter().map(|&lit| self.map(lit)));
        let n_same = assumed.iter().zip(&buffer).take_while(|(before, now)| before == now).count();
        self.end_query(n_same);
        std::mem::swap(&mut assumed, &mut buffer);
        buffer.clear();
        buffer.extend(clause.into_iter().flatten().map(|&lit| self.map(lit)));
        if clause.is_some() {
            // The last one, because the others tend to stay for a while.
            assumed.push(self.guard);
        }
        self.focus(&buffer, &assumed);
        if clause.is_some() {
            self.kernel.add_temporary_above(self.guard, &buffer);
        }
        self.buffer = buffer;
        let answer = self.kernel.solve(&assumed, &self.cancel, self.max_ticks);
        self.assumed = assumed;
        if answer == Ok(false) {
            self.core.extend_from_slice(self.kernel.core());
            for lit in &self.core {
                self.marks[lit.index()] = true;
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
            self.kernel.insert_cone(lit.var());
        }
        self.kernel.make_permanent();
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
        self.known(lit).is_some_and(|l| self.marks[l.index()])
    }
}

impl SolveWith for RelSolver {
    fn solve_with(&mut self, clause: &[Lit], assumptions: &[Lit]) -> Ask<bool> {
        self.query(Some(clause), assumptions)
    }
}

impl Circuit for RelSolver {
    fn define_and(&mut self, gate: Var, a: Lit, b: Lit) {
        self.begin();
        let [gate, a, b] = [Lit::positive(gate), a, b].map(|l| self.map(l));
        self.kernel.define_and(gate.var(), [a, b]);
    }
}

impl Unassign for RelSolver {
    fn unassign(&mut self, lits: &mut Vec<Lit>) {
        self.is_torn = true;
        // Outside of the domain nothing is assigned.
        lits.retain(|&lit| self.assigned(lit.var()) == Some(!lit.is_negated()));
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.extend(lits.iter().filter_map(|&lit| self.known(lit)));
        // What is assumed has to hold, whether it feeds a gate or not.
        self.assumed.iter().for_each(|l| self.marks[l.index()] = true);
        buffer.retain(|l| !self.marks[l.index()]);
        self.assumed.iter().for_each(|l| self.marks[l.index()] = false);
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
