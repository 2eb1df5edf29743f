//! A circuit with a solver that is asked whether two of its edges are equal.

use crate::effort::Effort;
use indubit_aig::{Aig, Cone, Definition, Encoder};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Run, Stop};
use indubit_sat::{Circuit, Counted, RelConfig, RelSolver, Solve, Tuning};

/// Ticks for one question: a hundred conflicts or so.
const MAX_TICKS: u64 = 20_000;
/// Nodes that a question may be about.
const MAX_CONE: usize = 20_000;

/// What is known about two edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// They are equal wherever the assertions hold.
    Equal,
    /// The solver's model is where they differ.
    Differ,
    /// Finding out takes too long.
    Unknown,
}

/// A circuit that grows, and what is asserted about it.
pub(crate) struct Prover {
    /// The circuit.
    pub(crate) aig: Aig,
    encoder: Encoder,
    cone: Cone,
    solver: RelSolver,
}

impl Prover {
    /// An empty circuit; questions end with the run.
    pub(crate) fn new(run: &Run<'_>) -> Prover {
        let config = RelConfig { seed: run.seed, ..RelConfig::default() };
        let tuning = Tuning { seed: run.seed, poll: MAX_TICKS / 8, ..Tuning::default() };
        let mut solver = RelSolver::tuned(run.cancel(), config, tuning);
        solver.limit(Some(MAX_TICKS));
        Prover { aig: Aig::new(), encoder: Encoder::new(), cone: Cone::new(), solver }
    }
    fn encode(&mut self, lit: Lit) {
        self.encoder.visit(&self.aig, lit, |definition| match definition {
            Definition::Constant => self.solver.add_clause(&[Lit::TRUE]),
            Definition::And(gate, a, b) => self.solver.define_and(gate.var(), a, b),
        });
    }
    /// From now on, `lit` holds.
    pub(crate) fn assert(&mut self, lit: Lit) {
        self.encode(lit);
        self.solver.add_clause(&[lit]);
    }
    /// From now on, `a` and `b` are equal.
    pub(crate) fn assert_equal(&mut self, a: Lit, b: Lit) {
        self.encode(a);
        self.encode(b);
        self.solver.add_clause(&[a, !b]);
        self.solver.add_clause(&[!a, b]);
    }
    /// Are the two edges equal?
    pub(crate) fn compare(&mut self, a: Lit, b: Lit, effort: &mut Effort) -> Ask<Answer> {
        self.cone.clear(&self.aig);
        self.cone.add(&self.aig, a);
        self.cone.add(&self.aig, b);
        effort.nodes(4 * self.cone.vars().len());
        if self.cone.vars().len() > MAX_CONE {
            return Ok(Answer::Unknown);
        }
        for (yes, no) in [(a, b), (b, a)] {
            let mut assumptions = vec![yes, !no];
            assumptions.retain(|&l| l != Lit::TRUE);
            if assumptions.contains(&Lit::FALSE) {
                continue;
            }
            assumptions.iter().for_each(|&l| self.encode(l));
            let before = self.solver.counts().ticks;
            let answer = self.solver.solve(&assumptions);
            effort.ticks(self.solver.counts().ticks - before);
            match answer {
                Ok(false) => (),
                Ok(true) => return Ok(Answer::Differ),
                Err(Stop::Incomplete(_)) => return Ok(Answer::Unknown),
                Err(stop) => return Err(stop),
            }
        }
        Ok(Answer::Equal)
    }
    /// After [`Answer::Differ`]: the value of a leaf, or none if both will do.
    pub(crate) fn leaf(&self, leaf: Var) -> Option<bool> {
        self.solver.assigned(leaf)
    }
}
