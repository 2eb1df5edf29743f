//! The oracle for bits: relative induction by SAT.
//!
//! A frame's solver knows the constraints, the frame's lemmas, and those cones of the circuit that queries have
//! asked about. There are no variables for the next state: "latch `l` is true after the step" is the literal of
//! its next-state function, so a primed cube is a set of assumptions over the same circuit.

mod atoms;
mod config;
mod interpolant;
mod lift;
mod simulator;
mod solvers;
mod states;

pub use config::OracleConfig;
pub use lift::Lifting;

use atoms::Atoms;
use indubit_logic::{Clause, Cube, Lit};
use indubit_pdr::{
    Activity, Concretization, Exchanges, INFINITE, Level, Predecessor, Query, RelInd, Targets,
};
use indubit_run::{Ask, Run};
use indubit_sat::Solve;
use indubit_system::{Safety, StateVar, Trace};
use lift::Lifter;
use simulator::{Simulator, pack, unpack};
use solvers::Solvers;
use std::borrow::Cow;

/// Answers IC3's questions about a [`Safety`] problem.
pub struct BoolOracle<'s> {
    /// With more gates than the problem, if there are internal signals.
    safety: Cow<'s, Safety>,
    atoms: Atoms,
    /// What is asked about.
    bad: Lit,
    solvers: Solvers,
    lazy_constraints: bool,
    good_steps: bool,
    lifter: Lifter,
    simulator: Simulator,
    /// The level and cube of the last query, and the same cube one step later.
    queried: (Level, Vec<Lit>),
    primed: Vec<Lit>,
    /// What it assumes.
    assumptions: Vec<Lit>,
    /// The negation of a cube.
    clause: Vec<Lit>,
    order: Order,
    counts: Counts,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    bad: u64,
    relative: u64,
    push: u64,
    inductive: u64,
}

/// In which order literals are wanted: those of recent lemmas most, where that is asked for.
struct Order {
    activity: Activity,
    for_cores: bool,
    for_lifts: bool,
}

impl Order {
    fn learnt(&mut self, lemma: &Cube) {
        if self.for_cores || self.for_lifts {
            self.activity.bump(lemma);
        }
    }
    /// What lifting tries to drop, in this order.
    fn to_lift(&self, lits: &mut [Lit]) {
        if self.for_lifts {
            self.activity.sort_ascending(lits);
        }
    }
    /// What is assumed, in this order.
    fn to_assume(&self, lits: &mut [Lit]) {
        if self.for_cores {
            self.activity.sort_ascending(lits);
            lits.reverse();
        }
    }
}

/// The inputs of a step, by position.
pub type Inputs = Box<[bool]>;

impl<'s> BoolOracle<'s> {
    /// An oracle without frames, whose solvers end with the run and have its seed.
    pub fn new(safety: &'s Safety, run: &Run<'_>) -> BoolOracle<'s> {
        let mut config = OracleConfig::default();
        config.solver.seed = run.seed;
        BoolOracle::with_config(safety, run, &config)
    }
    /// An oracle without frames, with these switches, whose solvers end with the run.
    pub fn with_config(safety: &'s Safety, run: &Run<'_>, config: &OracleConfig) -> BoolOracle<'s> {
        BoolOracle::build(Cow::Borrowed(safety), run, config)
    }
    /// An oracle without frames that owns its problem, for whoever cannot lend it.
    pub fn owning(safety: Safety, run: &Run<'_>, config: &OracleConfig) -> BoolOracle<'static> {
        BoolOracle::build(Cow::Owned(safety), run, config)
    }
    fn build(mut safety: Cow<'s, Safety>, run: &Run<'_>, config: &OracleConfig) -> BoolOracle<'s> {
        let atoms = match config.internal_signals {
            true => Atoms::with_internal_signals(safety.to_mut()),
            false => Atoms::latches(&safety),
        };
        let solvers = Solvers::new(&safety, run, config);
        let constraints = config.lifting.constraints && !config.lazy_constraints;
        let lifting = Lifting { constraints, ..config.lifting };
        BoolOracle {
            lifter: Lifter::new(&safety, &atoms, &solvers, lifting),
            bad: safety.bad,
            safety,
            atoms,
            simulator: Simulator::new(run.seed),
            solvers,
            lazy_constraints: config.lazy_constraints,
            good_steps: config.good_steps,
            queried: (0, Vec::new()),
            primed: Vec::new(),
            assumptions: Vec::new(),
            clause: Vec::new(),
            order: Order {
                activity: Activity::new(run.seed),
                for_cores: config.cores_by_activity,
                for_lifts: config.lifts_by_activity,
            },
            counts: Counts::default(),
        }
    }
    /// Tell the observer what was counted.
    pub fn report(&self, run: &mut Run<'_>) {
        let Counts { bad, relative, push, inductive } = self.counts;
        let effort = self.effort();
        for (name, value) in [
            ("queries for bad states", bad),
            ("queries for relative induction", relative),
            ("queries for pushing", push),
            ("queries that were inductive", inductive),
            ("lifts", self.lifter.n_lifts),
            ("latches before lifting", self.lifter.n_latches[0]),
            ("latches after flips", self.lifter.n_latches[1]),
            ("latches after ternary simulation", self.lifter.n_latches[2]),
            ("latches after lifting", self.lifter.n_latches[3]),
            ("constraints heeded", self.lifter.n_heeded()),
            ("state variables heeded", self.lifter.n_kept()),
            ("ticks of the solvers", effort.ticks),
            ("conflicts of the solvers", effort.conflicts),
            ("decisions of the solvers", effort.decisions),
            ("propagations of the solvers", effort.propagations),
        ] {
            run.count(name, value);
        }
    }
    /// Steps that lifted cubes were about have broken these constraints.
    fn heed_all(&mut self, constraints: &[Lit]) {
        for &constraint in constraints {
            if self.lifter.heed(constraint) && self.lazy_constraints {
                self.solvers.constrain(&self.safety, constraint);
            }
        }
    }
    /// What all solvers took.
    fn effort(&self) -> indubit_sat::Counts {
        let mut sum = self.solvers.effort();
        sum += self.lifter.solver().effort();
        sum
    }
    /// The literal one step later.
    fn next(&self, lit: Lit) -> Lit {
        self.atoms.get(lit).next ^ lit.is_negated()
    }
    fn negate(&mut self, cube: &Cube) {
        self.clause.clear();
        self.clause.extend(cube.lits().iter().map(|&l| !l));
    }
    /// Take note of a query about `cube`.
    fn prime(&mut self, level: Level, cube: &Cube) {
        self.negate(cube);
        let mut lits = std::mem::take(&mut self.queried.1);
        lits.clear();
        lits.extend_from_slice(cube.lits());
        self.order.to_assume(&mut lits);
        let mut primed = std::mem::take(&mut self.primed);
        primed.clear();
        primed.extend(lits.iter().map(|&l| self.next(l)));
        self.queried = (level, lits);
        self.primed = primed;
    }
}

/// The level of the frame that a query at `level` is about.
fn before(level: Level) -> Level {
    if level == INFINITE { INFINITE } else { level - 1 }
}

impl RelInd for BoolOracle<'_> {
    type Step = Inputs;
    type Trace = Trace;

    fn extend(&mut self) {
        self.solvers.extend(&self.safety, &self.atoms, self.bad);
    }
    fn restart(&mut self) {
        self.solvers.restart();
    }
    fn learn(&mut self, cube: &Cube, from: Level, to: Level) {
        self.order.learnt(cube);
        self.negate(cube);
        self.solvers.learn(&self.safety, &self.clause, from, to);
    }
    fn meets_init(&mut self, cube: &Cube) -> Ask<bool> {
        Ok(self.atoms.intersects_init(cube.lits()))
    }
    fn bad(&mut self, level: Level) -> Ask<Option<Predecessor<Inputs>>> {
        self.counts.bad += 1;
        self.solvers.at_mut(level).encode(&self.safety, self.bad);
        if !self.solvers.solve(level, None, &[self.bad])? {
            return Ok(None);
        }
        let frame = self.solvers.at_mut(level);
        self.lifter.lift(&self.safety, &self.atoms, frame, &[self.bad], &self.order).map(Some)
    }
    fn inductive(&mut self, query: Query, level: Level, cube: &Cube) -> Ask<bool> {
        self.prime(level, cube);
        let level = before(level);
        let frame = self.solvers.at_mut(level);
        frame.encode_all(&self.safety, &self.primed);
        self.assumptions.clone_from(&self.primed);
        if self.good_steps && level == INFINITE {
            frame.encode(&self.safety, self.bad);
            self.assumptions.push(!self.bad);
        }
        let reachable = match query {
            Query::Relative => {
                frame.encode_all(&self.safety, &self.clause);
                self.counts.relative += 1;
                self.solvers.solve(level, Some(&self.clause), &self.assumptions)?
            }
            Query::Push => {
                self.counts.push += 1;
                self.solvers.solve(level, None, &self.assumptions)?
            }
        };
        self.counts.inductive += u64::from(!reachable);
        Ok(!reachable)
    }
    fn core(&mut self) -> Cube {
        let (level, cube) = &self.queried;
        let frame = self.solvers.at(before(*level));
        let used = cube.iter().zip(&self.primed).filter(|&(_, &next)| frame.sat.failed(next));
        let core = self.atoms.without_initial_states(used.map(|(&lit, _)| lit).collect(), cube);
        Cube::new(core.expect("the whole cube has no initial state"))
    }
    fn predecessor(&mut self) -> Ask<Predecessor<Inputs>> {
        let frame = self.solvers.at_mut(before(self.queried.0));
        if self.lifter.keeps_all() {
            return self.lifter.lift(&self.safety, &self.atoms, frame, &self.primed, &self.order);
        }
        let atoms = self.queried.1.iter().map(|&lit| self.atoms.number(lit));
        let target = self.primed.iter().zip(atoms).filter(|&(_, atom)| self.lifter.keeps(atom));
        let target: Vec<Lit> = target.map(|(&lit, _)| lit).collect();
        self.lifter.lift(&self.safety, &self.atoms, frame, &target, &self.order)
    }
    fn state(&self) -> Vec<Lit> {
        let model = self.solvers.at(before(self.queried.0)).sat.solver();
        let assigned = |atom: &StateVar| Some(Lit::with_value(atom.var, model.assigned(atom.var)?));
        self.atoms.all().iter().filter_map(assigned).collect()
    }
    fn after(&self, lit: Lit) -> Option<bool> {
        let next = self.next(lit);
        if next.is_const() {
            return Some(next == Lit::TRUE);
        }
        let model = self.solvers.at(before(self.queried.0)).sat.solver();
        model.assigned(next.var()).map(|value| value ^ next.is_negated())
    }
    fn atom(&self, lit: Lit) -> u32 {
        self.atoms.number(lit)
    }
    /// The cubes are lifted: every state of one, with its inputs, steps into the next. So the inputs alone, from
    /// any initial state in the first cube, are the counterexample, if they break no constraint and meet all cubes.
    fn concretize(&mut self, path: &[Predecessor<Inputs>]) -> Ask<Concretization<Trace>> {
        let first = &path[0].cube;
        let initial =
            |latch: &StateVar| latch.init.unwrap_or_else(|| first.contains(Lit::positive(latch.var)));
        let initial: Vec<bool> = self.safety.latches.iter().map(initial).collect();
        // Latches come first, and the others follow from them.
        let mut state = pack(initial.iter().copied());
        let mut is_refined = false;
        for (at, step) in path.iter().enumerate() {
            let (broken, next) = self.simulator.step(&self.safety, &self.atoms, &state, &step.step);
            // It may be heeded by now, but was not when these cubes were lifted.
            is_refined |= !broken.is_empty();
            self.heed_all(&broken);
            state = next;
            let values: Vec<bool> = unpack(&state).collect();
            let mut has_left = false;
            for lit in path.get(at + 1).map_or(&[][..], |next| next.cube.lits()) {
                let atom = self.atoms.number(*lit);
                has_left |= values[atom as usize] == lit.is_negated() && self.lifter.keep(atom);
            }
            is_refined |= has_left;
            if has_left {
                break;
            }
        }
        if is_refined {
            return Ok(Concretization::Refined);
        }
        Ok(Concretization::Real(Trace::finite(initial, path.iter().map(|p| p.step.to_vec()).collect())))
    }
}

impl Targets for BoolOracle<'_> {
    fn aim(&mut self, target: usize) {
        self.bad = self.safety.bads().nth(target).expect("a bad signal of the problem");
    }
}

impl Exchanges for BoolOracle<'_> {
    fn excluded(&self, clause: &Clause) -> Option<Cube> {
        let clause = clause.simplified()?;
        let is_cube = clause.lits().iter().all(|l| self.atoms.contains(l.var()));
        let cube = is_cube.then(|| !&clause)?;
        (!self.atoms.intersects_init(cube.lits())).then_some(cube)
    }
}
