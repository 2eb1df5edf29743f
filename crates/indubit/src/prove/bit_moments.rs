//! The queries of inductive verification, asked about the user's own model: no pass is between, so what a counterexample says is
//! about the states that the user knows.

use super::queries::Moments;
use indubit_aig::{Aig, Encoder, Import};
use indubit_logic::{Clause, Lit};
use indubit_run::{Ask, Run};
use indubit_sat::{Cadical, Config, Solve, SolveWith};
use indubit_system::{BitSystem, Invariant, Trace};

/// One moment of a model, or two in a row, in a solver. The constraints hold in each.
pub(super) struct BitMoments<'s> {
    system: &'s BitSystem,
    aig: Aig,
    encoder: Encoder,
    solver: Cadical,
    moments: Vec<Moment>,
}

struct Moment {
    import: Import,
    inputs: Vec<Lit>,
    latches: Vec<Lit>,
}

impl<'s> BitMoments<'s> {
    fn new(system: &'s BitSystem, run: &Run<'_>) -> BitMoments<'s> {
        let solver = Cadical::new(Config::Incremental, run.cancel()).seeded(run.seed);
        BitMoments { system, aig: Aig::new(), encoder: Encoder::new(), solver, moments: Vec::new() }
    }
    /// An initial state.
    pub fn initial(system: &'s BitSystem, run: &Run<'_>) -> BitMoments<'s> {
        let mut moments = BitMoments::new(system, run);
        let latches: Vec<Lit> = system
            .latches()
            .iter()
            .map(|latch| if latch.reset.is_const() { latch.reset } else { moments.aig.leaf() })
            .collect();
        moments.extend(latches);
        for latch in system.latches().iter().filter(|latch| latch.has_reset_function()) {
            let [value, reset] = [Lit::positive(latch.var), latch.reset].map(|lit| moments.lit(0, lit));
            let is_reset = moments.aig.iff(value, reset);
            moments.assert(is_reset);
        }
        moments
    }
    /// Any state, and one after it.
    pub fn step(system: &'s BitSystem, run: &Run<'_>) -> BitMoments<'s> {
        let mut moments = BitMoments::new(system, run);
        let latches = system.latches().iter().map(|_| moments.aig.leaf()).collect();
        moments.extend(latches);
        moments.follow();
        moments
    }
    /// One moment more.
    pub fn follow(&mut self) {
        let last = self.moments.len() - 1;
        let system = self.system;
        let next = system.latches().iter().map(|latch| self.lit(last, latch.next)).collect();
        self.extend(next);
    }
    fn extend(&mut self, latches: Vec<Lit>) {
        let system = self.system;
        let inputs: Vec<Lit> = system.inputs().iter().map(|_| self.aig.leaf()).collect();
        let mut import = Import::new(system.aig());
        system.latches().iter().zip(&latches).for_each(|(latch, &lit)| import.set(latch.var, lit));
        system.inputs().iter().zip(&inputs).for_each(|(input, &lit)| import.set(input.lit.var(), lit));
        self.moments.push(Moment { import, inputs, latches });
        let k = self.moments.len() - 1;
        for constraint in &system.constraints {
            let lit = self.lit(k, constraint.lit);
            self.assert(lit);
        }
    }
    /// What an edge of the model is in moment `k`.
    pub fn lit(&mut self, k: usize, lit: Lit) -> Lit {
        self.moments[k].import.lit(self.system.aig(), &mut self.aig, lit)
    }
    /// What the clauses of an invariant are in moment `k`.
    pub fn clauses(&mut self, k: usize, invariant: &Invariant) -> Vec<Lit> {
        let (import, system) = (&mut self.moments[k].import, self.system);
        invariant.build(&mut self.aig, |aig, node| import.lit(system.aig(), aig, Lit::positive(node)))
    }
    fn encode(&mut self, lit: Lit) {
        self.encoder.encode(&self.aig, lit, |clause| self.solver.add_clause(clause));
    }
    /// From now on, `lit` holds.
    pub fn assert(&mut self, lit: Lit) {
        self.encode(lit);
        self.solver.add_clause(&[lit]);
    }
}

impl Moments for BitMoments<'_> {
    type Trace = Trace;
    fn solve(&mut self, lits: &[Lit]) -> Ask<bool> {
        lits.iter().for_each(|&lit| self.encode(lit));
        self.solver.solve(lits)
    }
    fn solve_with(&mut self, any: &[Lit], lits: &[Lit]) -> Ask<bool> {
        any.iter().chain(lits).for_each(|&lit| self.encode(lit));
        self.solver.solve_with(any, lits)
    }
    fn failed(&self, lit: Lit) -> bool {
        self.solver.failed(lit)
    }
    fn is_true(&self, lit: Lit) -> bool {
        if lit.is_const() { lit == Lit::TRUE } else { self.solver.value(lit) }
    }
    fn trace(&self) -> Trace {
        let values = |lits: &[Lit]| lits.iter().map(|&lit| self.is_true(lit)).collect::<Vec<_>>();
        Trace {
            initial: values(&self.moments[0].latches),
            inputs: self.moments.iter().map(|moment| values(&moment.inputs)).collect(),
        }
    }
}

/// `¬bad`, as an invariant.
pub(super) fn property(system: &BitSystem, bad: usize) -> Invariant {
    let mut property = Invariant::new(system.aig().n_vars());
    property.add(Clause::new([!system.bad_signals()[bad].lit]));
    property
}
