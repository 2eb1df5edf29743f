//! Solvers that learn the circuit as they are asked about it, and the one that new frames begin with.

use super::OracleConfig;
use super::atoms::Atoms;
use indubit_aig::{Definition, Encoder};
use indubit_logic::Lit;
use indubit_run::Run;
use indubit_sat::stream::Recorded;
use indubit_sat::{Circuit, Counted, Counts, RelConfig, RelSolver, Solve};
use indubit_system::Safety;

/// A solver for one step of the system: constraints, lemmas, and the cones it was asked for.
#[derive(Clone)]
pub(super) struct FrameSolver {
    pub(super) sat: Recorded<RelSolver>,
    encoder: Encoder,
    /// What the solver that this is a clone of had counted.
    inherited: Counts,
}

impl FrameSolver {
    fn new(sat: Recorded<RelSolver>) -> FrameSolver {
        FrameSolver { sat, encoder: Encoder::new(), inherited: Counts::default() }
    }
    /// What it has taken so far.
    pub(super) fn effort(&self) -> Counts {
        let mut effort = self.sat.solver().counts();
        effort -= self.inherited;
        effort
    }
    /// Make the cone of `lit` known.
    pub(super) fn encode(&mut self, safety: &Safety, lit: Lit) {
        if self.encoder.contains(lit.var()) {
            return;
        }
        self.encoder.visit(&safety.aig, lit, |definition| match definition {
            Definition::Constant => self.sat.add_clause(&[Lit::TRUE]),
            Definition::And(gate, a, b) => self.sat.define_and(gate.var(), a, b),
        });
    }
    /// The same for several.
    pub(super) fn encode_all(&mut self, safety: &Safety, lits: &[Lit]) {
        lits.iter().for_each(|&lit| self.encode(safety, lit));
    }
    /// From now on the constraint holds.
    pub(super) fn constrain(&mut self, safety: &Safety, constraint: Lit) {
        self.encode(safety, constraint);
        self.sat.add_clause(&[constraint]);
    }
}

/// Where solvers come from.
///
/// The solver for the infinite level knows constraints and those cones that any frame was asked about by the time the
/// last one was opened: what holds there holds in every frame, and each new frame begins as its clone.
pub(super) struct Nursery {
    cancel: indubit_run::Cancel,
    config: RelConfig,
    clones: bool,
    pub(super) infinite: FrameSolver,
    /// The constraints that solvers know.
    constraints: Vec<Lit>,
    /// What `infinite` has learnt, if it is not cloned.
    lemmas: Vec<Box<[Lit]>>,
}

impl Nursery {
    pub(super) fn new(safety: &Safety, run: &Run<'_>, config: &OracleConfig) -> Nursery {
        let solver = RelSolver::new(run.cancel(), config.solver);
        let infinite = FrameSolver::new(Recorded::new(solver, run.queries.as_ref()));
        let mut nursery = Nursery {
            cancel: run.cancel().clone(),
            config: config.solver,
            clones: config.clones,
            infinite,
            constraints: Vec::new(),
            lemmas: Vec::new(),
        };
        if !config.lazy_constraints {
            safety.constraints.iter().for_each(|&constraint| nursery.constrain(safety, constraint));
        }
        nursery
    }
    /// From now on the constraint holds in new solvers.
    pub(super) fn constrain(&mut self, safety: &Safety, constraint: Lit) {
        self.constraints.push(constraint);
        self.infinite.constrain(safety, constraint);
    }
    /// A solver that knows nothing.
    pub(super) fn empty(&self) -> FrameSolver {
        FrameSolver::new(self.infinite.sat.beside(RelSolver::new(&self.cancel, self.config)))
    }
    /// A clause that holds for good.
    pub(super) fn learn(&mut self, safety: &Safety, clause: &[Lit]) {
        self.infinite.encode_all(safety, clause);
        self.infinite.sat.add_clause(clause);
        if !self.clones {
            self.lemmas.push(clause.into());
        }
    }
    /// A solver for a new frame, which will be asked about what the `latest` was asked about.
    pub(super) fn frame(
        &mut self,
        safety: &Safety,
        atoms: &Atoms,
        bad: Lit,
        latest: Option<&FrameSolver>,
    ) -> FrameSolver {
        if !self.clones {
            let mut frame = self.empty();
            self.constraints.iter().for_each(|&constraint| frame.constrain(safety, constraint));
            for lemma in &self.lemmas {
                frame.encode_all(safety, lemma);
                frame.sat.add_clause(lemma);
            }
            return frame;
        }
        if let Some(latest) = latest {
            for atom in atoms.all().iter().filter(|a| latest.encoder.contains(a.next.var())) {
                self.infinite.encode(safety, atom.next);
            }
            self.infinite.encode(safety, bad);
        }
        FrameSolver { inherited: self.infinite.sat.solver().counts(), ..self.infinite.clone() }
    }
}
