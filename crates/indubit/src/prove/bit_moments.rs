//! Moments of a circuit: the user's own, with no pass between, so what a counterexample says is about the states that the user knows.

use super::decider::Decider;
use super::moments::{Inductive, Moments, Which};
use crate::verdict::Error;
use fastrand::Rng;
use indubit_aig::{Aig, Encoder, Import};
use indubit_logic::{Clause, Lit};
use indubit_run::{Ask, Run};
use indubit_sat::{Cadical, Config, Solve, SolveWith};
use indubit_smt::{External, Theory};
use indubit_system::{
    BitSystem, Bits, Claim, Invariant, Latch, Malformed, Proof, Property, PropertyId, Trace,
};

/// One moment of a model, or two in a row, in a solver. The constraints hold in each.
pub struct BitMoments<'s> {
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
    fn new(system: &'s BitSystem, which: Which, run: &Run<'_>) -> BitMoments<'s> {
        let solver = Cadical::new(Config::Incremental, run.cancel()).seeded(run.seed);
        let (encoder, moments) = (Encoder::new(), Vec::new());
        let mut this = BitMoments { system, aig: Aig::new(), encoder, solver, moments };
        let is_fixed = |latch: &Latch| which.is_initial && latch.reset.is_const();
        let latches = system.latches().iter();
        let latches = latches.map(|l| if is_fixed(l) { l.reset } else { this.aig.leaf() }).collect();
        this.extend(latches);
        let has_function = |latch: &&Latch| which.is_initial && latch.has_reset_function();
        for latch in system.latches().iter().filter(has_function) {
            let [value, reset] = [Lit::positive(latch.var), latch.reset].map(|lit| this.lit(0, lit));
            let is_reset = this.aig.iff(value, reset);
            this.assert(is_reset);
        }
        (0..which.n_steps).for_each(|_| this.follow());
        this
    }
    /// One moment more.
    fn follow(&mut self) {
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
    fn lit(&mut self, k: usize, lit: Lit) -> Lit {
        self.moments[k].import.lit(self.system.aig(), &mut self.aig, lit)
    }
    /// What the clauses of an invariant are in moment `k`.
    fn clauses(&mut self, k: usize, invariant: &Invariant) -> Vec<Lit> {
        let (import, system) = (&mut self.moments[k].import, self.system);
        invariant.build(&mut self.aig, |aig, node| import.lit(system.aig(), aig, Lit::positive(node)))
    }
    fn encode(&mut self, lit: Lit) {
        self.encoder.encode(&self.aig, lit, |clause| self.solver.add_clause(clause));
    }
    /// From now on, `lit` holds.
    fn assert(&mut self, lit: Lit) {
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
        let inputs = self.moments.iter().map(|moment| values(&moment.inputs)).collect();
        Trace::finite(values(&self.moments[0].latches), inputs)
    }
}

impl Inductive for Bits {
    type Moments<'s> = BitMoments<'s>;

    fn no_lemmas(system: &BitSystem) -> Invariant {
        Invariant::new(system.aig().n_vars())
    }
    fn validate_lemmas(system: &BitSystem, lemmas: &Invariant) -> Result<(), Malformed> {
        let (about, n_vars) = (lemmas.n_vars(), system.aig().n_vars());
        if about == n_vars { Ok(()) } else { Err(Malformed::OtherCircuit { about, n_vars }) }
    }
    fn decider(
        _: &BitSystem,
        _: &Invariant,
        _: &[&Claim],
        _: Option<&External>,
    ) -> Result<Decider, Error<Bits>> {
        Ok(Decider::Ours(Theory::Bits))
    }
    fn moments<'s>(
        system: &'s BitSystem,
        _: &Invariant,
        _: &Decider,
        which: Which,
        run: &Run<'_>,
    ) -> BitMoments<'s> {
        BitMoments::new(system, which, run)
    }
    fn lemmas_at(moments: &mut BitMoments<'_>, k: usize, lemmas: &Invariant) -> Vec<Lit> {
        moments.clauses(k, lemmas)
    }
    fn goal_at(moments: &mut BitMoments<'_>, k: usize, claim: &Claim) -> Option<Lit> {
        claim.target().map(|target| !moments.lit(k, target))
    }
    fn proof(system: &BitSystem, lemmas: &Invariant, positions: &[usize], claim: Option<&Claim>) -> Proof {
        let mut all = Invariant::new(system.aig().n_vars());
        lemmas.select(positions).conjoin_to(&mut all, Lit::positive);
        if let Some(target) = claim.and_then(Claim::target) {
            all.add(Clause::new([!target]));
        }
        Proof::Inductive(all)
    }
    fn row_at(moments: &mut BitMoments<'_>, last: &Trace) -> [Vec<Lit>; 2] {
        let Moment { latches, inputs, .. } = &moments.moments[0];
        let says = |lits: &[Lit], values: &[bool]| lits.iter().zip(values).map(|(&l, &v)| l ^ !v).collect();
        [says(latches, &last.initial), last.inputs.first().map_or(Vec::new(), |row| says(inputs, row))]
    }
    fn is_free(system: &BitSystem) -> Vec<bool> {
        vec![false; system.latches().len()]
    }
    fn wishes_at(moments: &mut BitMoments<'_>, k: usize, states: &[bool], random: &mut Rng) -> Vec<Lit> {
        let Moment { latches, inputs, .. } = &moments.moments[k];
        let latches = latches.iter().zip(states).filter(|(lit, marked)| **marked && !lit.is_const());
        inputs.iter().chain(latches.map(|(lit, _)| lit)).map(|&lit| lit ^ random.bool()).collect()
    }
    fn append(system: &BitSystem, trace: &mut Trace, step: Trace) -> Trace {
        let Trace { initial, inputs, .. } = step;
        let next = system.next_state(&system.evaluate(&initial, &inputs[0]));
        trace.inputs.pop();
        trace.inputs.extend(inputs.iter().cloned());
        Trace::finite(next, inputs[1..].to_vec())
    }
    fn nothing(_: &Proof) -> Property {
        Property::new(PropertyId::Bad(0), "", Claim::Always(Lit::TRUE))
    }
}
