//! Solvers that learn the circuit as they are asked about it: one for each frame, or one for all.

use super::OracleConfig;
use super::atoms::Atoms;
use indubit_aig::{Definition, Encoder};
use indubit_logic::{Lit, Var};
use indubit_pdr::{INFINITE, Level};
use indubit_run::{Ask, Cancel, Run};
use indubit_sat::stream::Recorded;
use indubit_sat::{Circuit, Counted, Counts, RelConfig, RelSolver, Solve, SolveWith};
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
    /// Make the cones of all these known.
    pub(super) fn encode_all(&mut self, safety: &Safety, lits: &[Lit]) {
        lits.iter().for_each(|&lit| self.encode(safety, lit));
    }
    /// From now on the constraint holds.
    fn constrain(&mut self, safety: &Safety, constraint: Lit) {
        self.learn(safety, &[constraint]);
    }
    /// From now on the clause holds.
    fn learn(&mut self, safety: &Safety, clause: &[Lit]) {
        self.encode_all(safety, clause);
        self.sat.add_clause(clause);
    }
    fn solve(&mut self, clause: Option<&[Lit]>, assumptions: &[Lit]) -> Ask<bool> {
        match clause {
            Some(clause) => self.sat.solve_with(clause, assumptions),
            None => self.sat.solve(assumptions),
        }
    }
}

/// The solvers of all frames.
///
/// The one for the infinite level knows constraints and those cones that any frame was asked about by the time the
/// last one was opened: what holds there holds in every frame, and each new frame begins as its clone.
///
/// If the circuit is large, copies of it would take most of the memory, and lemmas are few. Then the one for the infinite level
/// answers for all frames: each has a switch, which the lemmas that hold up to that frame and no further depend on. A query about
/// a frame turns it and all above on, and those below off.
pub(super) struct Solvers {
    cancel: Cancel,
    config: RelConfig,
    clones: bool,
    infinite: FrameSolver,
    /// The constraints that solvers know.
    constraints: Vec<Lit>,
    /// What `infinite` has learnt, if it is not cloned.
    lemmas: Vec<Box<[Lit]>>,
    /// `frames[i]` is `F[i]` with the transition relation. None if one solver answers for all.
    frames: Vec<FrameSolver>,
    /// The switches of the frames, if one solver answers for all.
    switches: Option<Vec<Lit>>,
    /// The first variable that is neither in the circuit nor a switch.
    n_vars: usize,
    /// What was taken by frames that a restart has dropped.
    dropped: Counts,
    buffer: Vec<Lit>,
}

impl Solvers {
    pub(super) fn new(safety: &Safety, run: &Run<'_>, config: &OracleConfig) -> Solvers {
        let solver = RelSolver::new(run.cancel(), config.solver);
        let infinite = FrameSolver::new(Recorded::new(solver, run.queries.as_ref()));
        let is_large = config.one_solver.is_some_and(|n| safety.aig.n_ands() as u64 >= n);
        let mut solvers = Solvers {
            cancel: run.cancel().clone(),
            config: config.solver,
            clones: config.clones,
            infinite,
            constraints: Vec::new(),
            lemmas: Vec::new(),
            frames: Vec::new(),
            switches: is_large.then(Vec::new),
            n_vars: safety.aig.n_vars(),
            dropped: Counts::default(),
            buffer: Vec::new(),
        };
        if !config.lazy_constraints {
            safety.constraints.iter().for_each(|&constraint| solvers.constrain(safety, constraint));
        }
        solvers
    }
    /// The constraints that they know.
    pub(super) fn constraints(&self) -> &[Lit] {
        &self.constraints
    }
    /// The flag that ends their queries.
    pub(super) fn cancel(&self) -> &Cancel {
        &self.cancel
    }
    pub(super) fn seed(&self) -> u64 {
        self.config.seed
    }
    /// A solver that knows nothing.
    pub(super) fn empty(&self) -> FrameSolver {
        FrameSolver::new(self.infinite.sat.beside(RelSolver::new(&self.cancel, self.config)))
    }
    /// The one that knows `F[level]`.
    pub(super) fn at(&self, level: Level) -> &FrameSolver {
        self.frames.get(level as usize).unwrap_or(&self.infinite)
    }
    pub(super) fn at_mut(&mut self, level: Level) -> &mut FrameSolver {
        self.frames.get_mut(level as usize).unwrap_or(&mut self.infinite)
    }
    /// From now on the constraint holds.
    pub(super) fn constrain(&mut self, safety: &Safety, constraint: Lit) {
        self.constraints.push(constraint);
        for solver in self.frames.iter_mut().chain([&mut self.infinite]) {
            solver.constrain(safety, constraint);
        }
    }
    /// Open one more frame, which will be asked about `bad` and what the one before was asked about.
    pub(super) fn extend(&mut self, safety: &Safety, atoms: &Atoms, bad: Lit) {
        let new = match &mut self.switches {
            Some(switches) => {
                switches.push(Lit::positive(Var::from_index(self.n_vars)));
                self.n_vars += 1;
                None
            }
            None => Some(self.frame(safety, atoms, bad)),
        };
        self.frames.extend(new);
        let n_open = self.switches.as_ref().map_or(self.frames.len(), Vec::len);
        if n_open == 1 {
            let init =
                safety.latches.iter().filter_map(|l| l.init.map(|value| Lit::with_value(l.var, value)));
            init.for_each(|lit| self.learn(safety, &[lit], 0, 0));
        }
    }
    fn frame(&mut self, safety: &Safety, atoms: &Atoms, bad: Lit) -> FrameSolver {
        if !self.clones {
            let mut frame = self.empty();
            self.constraints.iter().for_each(|&constraint| frame.constrain(safety, constraint));
            self.lemmas.iter().for_each(|lemma| frame.learn(safety, lemma));
            return frame;
        }
        if let Some(latest) = self.frames.last() {
            for atom in atoms.all().iter().filter(|a| latest.encoder.contains(a.next.var())) {
                self.infinite.encode(safety, atom.next);
            }
            self.infinite.encode(safety, bad);
        }
        FrameSolver { inherited: self.infinite.sat.solver().counts(), ..self.infinite.clone() }
    }
    /// Close all frames but the first.
    pub(super) fn restart(&mut self) {
        for frame in self.frames.drain(1.min(self.frames.len())..) {
            self.dropped += frame.effort();
        }
        if let Some(switches) = &mut self.switches {
            switches
                .drain(1.min(switches.len())..)
                .for_each(|switch| self.infinite.sat.add_clause(&[!switch]));
        }
    }
    /// A clause holds in the frames `from..=to`, and in those below `from` already.
    pub(super) fn learn(&mut self, safety: &Safety, clause: &[Lit], from: Level, to: Level) {
        if to == INFINITE {
            self.infinite.learn(safety, clause);
            if !self.clones {
                self.lemmas.push(clause.into());
            }
        } else if let Some(switches) = &self.switches {
            self.buffer.clear();
            self.buffer.push(!switches[to as usize]);
            self.buffer.extend_from_slice(clause);
            self.infinite.encode_all(safety, clause);
            self.infinite.sat.add_clause(&self.buffer);
        }
        let frames = self.frames.iter_mut().enumerate();
        for (_, frame) in frames.filter(|(level, _)| (from..=to).contains(&(*level as Level))) {
            frame.learn(safety, clause);
        }
    }
    /// Is there a model of `F[level]` with the clause, if one is given, and all assumptions? Their cones must be known.
    pub(super) fn solve(&mut self, level: Level, clause: Option<&[Lit]>, assumptions: &[Lit]) -> Ask<bool> {
        let Some(switches) = &self.switches else {
            return self.at_mut(level).solve(clause, assumptions);
        };
        let is_on = |at: usize| level != INFINITE && at >= level as usize;
        self.buffer.clear();
        self.buffer.extend(switches.iter().enumerate().map(|(at, &switch)| switch ^ !is_on(at)));
        self.buffer.extend_from_slice(assumptions);
        self.infinite.solve(clause, &self.buffer)
    }
    /// What all of them took.
    pub(super) fn effort(&self) -> Counts {
        let mut sum = self.dropped;
        self.frames.iter().chain([&self.infinite]).for_each(|solver| sum += solver.effort());
        sum
    }
}
