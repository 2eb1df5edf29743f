//! FAIR (A. R. Bradley, F. Somenzi, Z. Hassan, Y. Zhang, *An Incremental Approach to Model Checking Progress Properties*, FMCAD 2011).
//!
//! A *skeleton* has a step for each signal in which that is seen. IC3 looks for a run to one of these steps, and for paths from each to the next. If there is no run, its proof
//! says that no skeleton needs such states; if there is no path, its proof is a *wall*: a set of states that is not left any more. All steps of a cycle are on the same side
//! of a wall, so those of the next skeleton have to be, and paths stay there as well. When there is no skeleton any more, there is no cycle.
//!
//! | paper | here |
//! |---|---|
//! | skeleton query | [`Skeletons::find`] |
//! | reachability query, global reachability constraint | [`Ground::reach`], [`Ground::constrain`] |
//! | cycle query within the arena, wall | [`Ground::connect`], [`Ground::build_wall`] |
//!
//! Skeletons are made of steps, and not of states: then signals may depend on inputs, and a step from a state to itself is a cycle like others. Walls in the order in which they
//! were found are a rank; which signal is absent between which walls, interpolants between the parts of the last skeleton query say.
//!
//! With `fair-count`, each new wall is followed by an attempt of k-liveness that counts only steps across no wall (A. Ivrii, Z. Nevo, J. Baumgartner,
//! *k-FAIR = k-LIVENESS + FAIR*, FMCAD 2018).

use super::chain::{Chain, names};
use super::facts::{Settled, unchanged};
use super::stabilize::stabilizing;
use super::watch::{Watched, different};
use super::{over_latches, searcher};
use crate::ic3::SharedIc3;
use crate::{Engine, Options, Shared};
use indubit_aig::{Aig, Encoder, Import, simulate};
use indubit_interpolate::{Answer, Interpolator, System};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Run, Stop};
use indubit_sat::{Cadical, Config, Solve};
use indubit_system::{Conclusion, Invariant, Liveness, Proof, Ranked, Safety, Trace};
use std::collections::HashMap;

pub(crate) struct Fair {
    problem: Liveness,
    options: Options,
}

impl Fair {
    pub(crate) fn new(problem: Liveness, options: &Options) -> Fair {
        Fair { problem, options: over_latches(options) }
    }

    fn search(&mut self, run: &mut Run<'_>) -> Ask<Conclusion> {
        let mut ground = Ground::new(&self.problem, &self.options);
        let mut skeletons = Skeletons::new(&self.problem, run);
        // What stabilizes is a wall by itself.
        let facts = stabilizing(&self.problem, self.options.live.stabilize, run)?;
        for wall in Settled::new(&mut ground.circuit, &facts).order {
            skeletons.build_wall(&ground.circuit, wall);
            ground.walls.push(wall);
        }
        let result = self.rounds(&mut ground, &mut skeletons, run);
        for (name, value) in [
            ("skeletons", skeletons.n_found),
            ("walls", ground.walls.len() as u64),
            ("proofs that a state is unreachable", ground.n_unreachable),
        ] {
            run.count(name, value);
        }
        result
    }

    fn rounds(&self, ground: &mut Ground, skeletons: &mut Skeletons, run: &mut Run<'_>) -> Ask<Conclusion> {
        let mut effort = COUNTING;
        loop {
            run.checkpoint()?;
            let Some(steps) = skeletons.find()? else {
                let absent = skeletons.absent(&ground.walls, &mut ground.circuit.aig, run)?;
                let proof = ground.proof(&absent, self.problem.signals());
                return Ok(Conclusion::Safe(Proof::Ranked(Box::new(proof))));
            };
            let to_first = match ground.reach(&steps[0].from, run)? {
                Ok(trace) => trace,
                Err(invariant) => {
                    let known = ground.constrain(&invariant);
                    skeletons.constrain(&ground.circuit, known);
                    continue;
                }
            };
            let mut paths = Vec::new();
            for (i, step) in steps.iter().enumerate() {
                match ground.connect(step, &steps[(i + 1) % steps.len()].from, run)? {
                    Ok(path) => paths.push(path),
                    Err(closed) => {
                        let wall = ground.build_wall(&closed, step, run)?;
                        skeletons.build_wall(&ground.circuit, wall);
                        break;
                    }
                }
            }
            if paths.len() == steps.len() {
                return Ok(Conclusion::Unsafe(lasso(to_first, &steps, paths)));
            }
            if self.options.live.count > 0 {
                if let Some(proof) =
                    ground.count(&self.problem, self.options.live.count as usize, effort, run)?
                {
                    return Ok(Conclusion::Safe(Proof::Ranked(Box::new(proof))));
                }
                effort += effort / 4;
            }
        }
    }
}

/// Effort of the first attempt to count.
const COUNTING: u64 = 200;

/// A step of a skeleton.
struct Step {
    from: Vec<bool>,
    inputs: Vec<bool>,
    to: Vec<bool>,
}

/// The run to the first step, and around.
fn lasso(mut run: Trace, steps: &[Step], paths: Vec<Trace>) -> Trace {
    // The last row of each is that of the state it ends in, from which a step of the skeleton goes on.
    run.inputs.pop();
    run.loops_to = Some(run.inputs.len());
    for (step, path) in steps.iter().zip(paths) {
        run.inputs.push(step.inputs.clone());
        let n_steps = path.inputs.len() - 1;
        run.inputs.extend(path.inputs.into_iter().take(n_steps));
    }
    run
}

/// The circuit in which runs and paths are looked for.
struct Ground {
    /// Its last constraint is the conjunction of what is known about reachable states.
    circuit: Safety,
    options: Options,
    /// Inductive, all together.
    known: Invariant,
    /// Sets of states, each not left by steps across none of those before it.
    walls: Vec<Lit>,
    n_unreachable: u64,
}

impl Ground {
    fn new(problem: &Liveness, options: &Options) -> Ground {
        let mut circuit = problem.circuit().clone();
        circuit.also.clear();
        let known = Invariant::new(circuit.aig.n_vars());
        circuit.constraints.push(Lit::TRUE);
        Ground { circuit, options: options.clone(), known, walls: Vec::new(), n_unreachable: 0 }
    }
    /// A run to a state, or an invariant without it.
    fn reach(&mut self, state: &[bool], run: &mut Run<'_>) -> Ask<Result<Trace, Invariant>> {
        let circuit = self.circuit.clone();
        ask(self.towards(circuit, state), &self.options, run)
    }
    /// A path from the end of a step to a state, which crosses no wall; or what is reached in this way without that state: a set of states that is not left by
    /// steps on this side of all walls.
    fn connect(&mut self, step: &Step, state: &[bool], run: &mut Run<'_>) -> Ask<Result<Trace, Invariant>> {
        let mut circuit = self.circuit.clone();
        for (latch, &value) in circuit.latches.iter_mut().zip(&step.to) {
            latch.init = Some(value);
        }
        let stays = unchanged(&mut circuit, &self.walls);
        circuit.constraints.push(stays);
        circuit.constraints.extend(self.arena(step));
        ask(self.towards(circuit, state), &self.options, run)
    }
    /// On which side of each wall a step is.
    fn arena(&self, step: &Step) -> Vec<Lit> {
        let values = self.circuit.evaluate(&step.from, &step.inputs);
        self.walls.iter().map(|&wall| wall ^ !simulate::value(&values, wall)).collect()
    }
    fn towards(&self, mut circuit: Safety, state: &[bool]) -> Safety {
        let lits = circuit.latches.iter().zip(state).map(|(l, &value)| Lit::with_value(l.var, value));
        circuit.bad = circuit.aig.and_all(lits.collect::<Vec<_>>());
        circuit
    }
    /// An invariant, relative to what is known: an edge of the circuit.
    fn constrain(&mut self, invariant: &Invariant) -> Lit {
        self.n_unreachable += 1;
        invariant.conjoin_to(&mut self.known, Lit::positive);
        let new = self.edge(invariant);
        let known = self.circuit.constraints.last_mut().expect("it has one for what is known");
        *known = self.circuit.aig.and(*known, new);
        new
    }
    /// The conjunction of clauses.
    fn edge(&mut self, clauses: &Invariant) -> Lit {
        let clauses = clauses.build(&mut self.circuit.aig, |_, v| Lit::positive(v));
        self.circuit.aig.and_all(clauses)
    }
    /// A new wall: states on this side of those walls that matter, and outside the set that is not left there, are on its other side.
    fn build_wall(&mut self, closed: &Invariant, step: &Step, run: &Run<'_>) -> Ask<Lit> {
        let arena = self.arena(step);
        let closed = self.edge(closed);
        // Which sides matter for that it is not left?
        let mut circuit = self.circuit.clone();
        let source = circuit.aig.clone();
        let mut after = self.circuit.later_with_inputs(&mut circuit.aig);
        let left = !after.lit(&source, &mut circuit.aig, closed);
        let mut facts = vec![closed, left, unchanged(&mut circuit, &self.walls)];
        for &constraint in &self.circuit.constraints {
            facts.extend([constraint, after.lit(&source, &mut circuit.aig, constraint)]);
        }
        let mut solver = Cadical::new(Config::Incremental, run.cancel()).seeded(run.seed);
        let mut encoder = Encoder::new();
        for &lit in facts.iter().chain(&arena) {
            encoder.encode(&circuit.aig, lit, |clause| solver.add_clause(clause));
        }
        facts.iter().for_each(|&fact| solver.add_clause(&[fact]));
        let arena: Vec<Lit> = arena.into_iter().filter(|lit| !lit.is_const()).collect();
        if solver.solve(&arena)? {
            return Err(Stop::Incomplete("two solvers disagree about a wall"));
        }
        let elsewhere: Vec<Lit> = arena.iter().filter(|&&lit| solver.failed(lit)).map(|&lit| !lit).collect();
        let elsewhere = self.circuit.aig.or_all(elsewhere);
        let wall = self.circuit.aig.or(elsewhere, closed);
        self.walls.push(wall);
        Ok(wall)
    }
    /// The proof that there is no skeleton, where `absent` are the signals and what they are absent between, as edges of the circuit.
    fn proof(&self, absent: &[(usize, Lit)], signals: &[Lit]) -> Ranked {
        let n_vars = self.known.n_vars();
        let mut proof = Ranked::new(n_vars, Vec::new(), Vec::new(), signals.len());
        let map = proof.import(&self.circuit, |_| None);
        self.known.conjoin_to(&mut proof.with, Lit::positive);
        proof.order = self.walls.iter().map(|&wall| map.lit(wall)).collect();
        for &(signal, lit) in absent {
            proof.absent[signal] = map.lit(lit);
        }
        proof.tidied()
    }
    /// A proof that all signals are seen at most `most` times in steps across no wall, if one is found with so much effort.
    fn count(&self, problem: &Liveness, most: usize, effort: u64, run: &mut Run<'_>) -> Ask<Option<Ranked>> {
        let watched = Watched::new(problem, &[]);
        let mut counting = watched.circuit.clone();
        let mut import = Import::new(&self.circuit.aig);
        let latches = self.circuit.latches.iter().map(|l| l.var);
        latches
            .chain(self.circuit.inputs.iter().copied())
            .for_each(|leaf| import.set(leaf, Lit::positive(leaf)));
        let mut own = |lit: Lit| import.lit(&self.circuit.aig, &mut counting.aig, lit);
        let walls: Vec<Lit> = self.walls.iter().map(|&wall| own(wall)).collect();
        let known = self.circuit.constraints.last().map(|&known| own(known));
        counting.constraints.extend(known);
        let stays = unchanged(&mut counting, &walls);
        let counted = counting.aig.and(watched.signal, stays);
        let chain = Chain::add(&mut counting, counted, stays, most);
        let found = run.part_beside(|own| {
            let mut ic3 = SharedIc3::new(searcher(counting.clone(), &self.options), own);
            own.part(effort, |own| ic3.run(most, own)).result
        });
        run.checkpoint()?;
        let Conclusion::Safe(proof) = found else { return Ok(None) };
        let order = walls.into_iter().chain(chain.at_least.iter().copied());
        let mut ranked = watched.ordered(&counting, &names(&chain), proof.invariant(), order);
        self.known.conjoin_to(&mut ranked.with, Lit::positive);
        Ok(Some(ranked))
    }
}

fn ask(circuit: Safety, options: &Options, run: &mut Run<'_>) -> Ask<Result<Trace, Invariant>> {
    match run.part_beside(|own| searcher(circuit, options).run(own)) {
        Conclusion::Safe(proof) => Ok(Err(proof.invariant().clone())),
        Conclusion::Unsafe(trace) => Ok(Ok(trace)),
        Conclusion::Unknown { stop, .. } => Err(stop),
    }
}

/// Looks for skeletons: for each signal a step in which it is seen, all on the same side of every wall.
struct Skeletons {
    /// The circuit whose nodes invariants and walls are about.
    circuit: Safety,
    /// The signals that differ from each other, and from *true* if there is another one.
    signals: Vec<(usize, Lit)>,
    /// A step for each of them.
    steps: Vec<Copied>,
    /// On which side of each wall all of them are.
    sides: Vec<Lit>,
    aig: Aig,
    /// What is asserted about each step, as edges.
    facts: Vec<Vec<Lit>>,
    solver: Cadical,
    encoder: Encoder,
    n_found: u64,
}

/// A step in the circuit of all steps: what the nodes are before it and after it.
struct Copied {
    before: Import,
    after: Import,
}

impl Skeletons {
    fn new(problem: &Liveness, run: &Run<'_>) -> Skeletons {
        let circuit = problem.circuit().clone();
        let all = problem.signals();
        let signals: Vec<(usize, Lit)> = different(all).into_iter().map(|i| (i, all[i])).collect();
        let mut skeletons = Skeletons {
            steps: Vec::new(),
            sides: Vec::new(),
            aig: Aig::new(),
            facts: vec![Vec::new(); signals.len()],
            solver: Cadical::new(Config::Incremental, run.cancel()).seeded(run.seed),
            encoder: Encoder::new(),
            n_found: 0,
            circuit,
            signals,
        };
        for i in 0..skeletons.signals.len() {
            skeletons.add_step(i);
        }
        skeletons
    }
    fn add_step(&mut self, i: usize) {
        let (source, aig) = (&self.circuit.aig, &mut self.aig);
        let [mut before, mut after] = [(); 2].map(|()| Import::new(source));
        for latch in &self.circuit.latches {
            before.set(latch.var, aig.leaf());
        }
        for &input in &self.circuit.inputs {
            before.set(input, aig.leaf());
            after.set(input, aig.leaf());
        }
        for latch in &self.circuit.latches {
            let next = before.lit(source, aig, latch.next);
            after.set(latch.var, next);
        }
        let mut facts = vec![before.lit(source, aig, self.signals[i].1)];
        for &constraint in &self.circuit.constraints {
            facts.push(before.lit(source, aig, constraint));
            facts.push(after.lit(source, aig, constraint));
        }
        self.steps.push(Copied { before, after });
        facts.into_iter().for_each(|fact| self.assert(i, fact));
    }
    fn assert(&mut self, part: usize, fact: Lit) {
        self.facts[part].push(fact);
        self.encoder.encode(&self.aig, fact, |clause| self.solver.add_clause(clause));
        self.solver.add_clause(&[fact]);
    }
    /// An edge of a circuit, whose first part is that of the problem, about the states before step `i`, and after it.
    fn edges(&mut self, i: usize, circuit: &Safety, edge: Lit) -> [Lit; 2] {
        let Copied { before, after } = &mut self.steps[i];
        [before, after].map(|import| import.lit(&circuit.aig, &mut self.aig, edge))
    }
    /// All states of a skeleton satisfy this.
    fn constrain(&mut self, circuit: &Safety, known: Lit) {
        for i in 0..self.steps.len() {
            let edges = self.edges(i, circuit, known);
            edges.into_iter().for_each(|edge| self.assert(i, edge));
        }
    }
    /// All of them are on the same side of this wall.
    fn build_wall(&mut self, circuit: &Safety, wall: Lit) {
        let side = self.aig.leaf();
        self.sides.push(side);
        for i in 0..self.steps.len() {
            for edge in self.edges(i, circuit, wall) {
                let same = self.aig.iff(edge, side);
                self.assert(i, same);
            }
        }
    }
    /// A skeleton, if there is one.
    fn find(&mut self) -> Ask<Option<Vec<Step>>> {
        if !self.solver.solve(&[])? {
            return Ok(None);
        }
        self.n_found += 1;
        let mut values = vec![false; self.aig.n_vars()];
        for leaf in (1..self.aig.n_vars()).map(Var::from_index).filter(|&v| self.aig.fanins(v).is_none()) {
            values[leaf.index()] = self.encoder.contains(leaf) && self.solver.value(Lit::positive(leaf));
        }
        simulate::propagate_bools(&self.aig, &mut values);
        let (source, aig) = (&self.circuit.aig, &mut self.aig);
        let mut row = |import: &mut Import, vars: &mut dyn Iterator<Item = Var>| -> Vec<bool> {
            vars.map(|v| simulate::value(&values, import.lit(source, aig, Lit::positive(v)))).collect()
        };
        let steps = self.steps.iter_mut().map(|Copied { before, after }| Step {
            from: row(before, &mut self.circuit.latches.iter().map(|l| l.var)),
            inputs: row(before, &mut self.circuit.inputs.iter().copied()),
            to: row(after, &mut self.circuit.latches.iter().map(|l| l.var)),
        });
        Ok(Some(steps.collect()))
    }
    /// Between which walls each signal is absent, as edges of a circuit in which the walls are. There is no skeleton, so interpolants between its steps
    /// (which have nothing in common but the sides) say from which on there is none.
    fn absent(&self, walls: &[Lit], aig: &mut Aig, run: &Run<'_>) -> Ask<Vec<(usize, Lit)>> {
        if let [(signal, _)] = self.signals[..] {
            return Ok(vec![(signal, Lit::TRUE)]);
        }
        let mut interpolator = Interpolator::new(run.cancel(), run.seed);
        for (part, facts) in (0..).zip(&self.facts) {
            // Each part has its own definitions of what it mentions.
            let mut encoder = Encoder::new();
            for &fact in facts {
                encoder.encode(&self.aig, fact, |clause| interpolator.add_clause(part, clause));
                interpolator.add_clause(part, &[fact]);
            }
        }
        let Answer::Refutation(refutation) = interpolator.solve(&[])? else {
            return Err(Stop::Incomplete("two solvers disagree about a skeleton"));
        };
        let mut wall_of: HashMap<Var, Lit> =
            self.sides.iter().zip(walls).map(|(side, &w)| (side.var(), w)).collect();
        // What else the parts may have in common is the constant.
        wall_of.insert(Var::CONST, Lit::FALSE);
        let n_parts = self.facts.len() as u32;
        let sequence = refutation.sequence(n_parts, System::McMillan, aig, |side| wall_of[&side])?;
        let between = self.signals.iter().zip(sequence.windows(2));
        Ok(between.map(|(&(signal, _), cut)| (signal, aig.and(cut[0], !cut[1]))).collect())
    }
}

impl Engine for Fair {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        self.search(run).unwrap_or_else(|stop| Conclusion::Unknown { stop, safe_up_to: None })
    }
}
