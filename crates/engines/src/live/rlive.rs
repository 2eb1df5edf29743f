//! rlive (Y. Xia, A. Cimatti, A. Griggio, J. Li, *Avoiding the Shoals: A New Approach to Liveness Checking*, CAV 2024).
//!
//! Depth-first search for a run that sees the signal again and again: from a state in which it is seen, IC3 looks for another one. If there is none, the
//! states that can be reached from there are a *shoal*, which no search needs to enter any more; if it is a state that the search has come through before, there is
//! a lasso. When no state with the signal can be reached from the initial states without entering a shoal, there is no such run.
//!
//! | paper | here |
//! |---|---|
//! | `C`, the shoals | [`Shoals`], each a closed set together with those before it |
//! | the search from the initial states | [`Rlive::search`] |
//! | the search from the successors of a state | [`Arena::from`]: a latch says that there was no step yet |
//! | states whose successors are all in `C` | [`Shoals::dead`], generalized by cores |
//!
//! The shoals in the order in which they were found are a rank (Froleyks et al., CAV 2026): a run enters them from the last to the first, and where
//! it stays in one it does not see the signal.

use super::stabilize::stabilizing;
use super::watch::Watched;
use super::{over_latches, searcher};
use crate::{Engine, Options};
use indubit_aig::{Aig, Encoder, Import};
use indubit_logic::{Clause, Lit, Var};
use indubit_run::{Ask, Run};
use indubit_sat::{Cadical, Config, Solve};
use indubit_system::{Conclusion, Invariant, Liveness, Proof, Ranked, Safety, StateVar, Trace};
use std::collections::HashMap;

pub(crate) struct Rlive {
    problem: Liveness,
    options: Options,
}

impl Rlive {
    pub(crate) fn new(problem: Liveness, options: &Options) -> Rlive {
        Rlive { problem, options: over_latches(options) }
    }

    fn search(&mut self, run: &mut Run<'_>) -> Ask<Conclusion> {
        let facts = stabilizing(&self.problem, self.options.live.stabilize, run)?;
        let watched = Watched::new(&self.problem, &facts);
        let mut arena = Arena::new(&watched);
        let mut shoals = Shoals::new(&arena, run);
        let mut n_queries = [0, 0];
        let conclusion = loop {
            n_queries[0] += 1;
            let first = match self.reach(&arena, None, run)? {
                Reached::Never(invariant) => {
                    let proof = shoals.proof(&arena, &watched, &invariant);
                    break Conclusion::Safe(Proof::Ranked(Box::new(proof)));
                }
                Reached::At(path) => path,
            };
            // The paths from one state with the signal to the next; the first begins initially.
            let mut stack = vec![first];
            let mut lasso = None;
            while let (Some(top), None) = (stack.last(), &lasso) {
                run.checkpoint()?;
                let state = top.last.clone();
                if shoals.dead(&mut arena, &state)? {
                    stack.pop();
                    continue;
                }
                n_queries[1] += 1;
                match self.reach(&arena, Some(&state), run)? {
                    Reached::Never(invariant) => shoals.push(&mut arena, &invariant),
                    Reached::At(path) => {
                        lasso = stack.iter().position(|p| arena.same(&p.last, &path.last));
                        stack.push(path);
                    }
                }
            }
            if let Some(from) = lasso {
                break Conclusion::Unsafe(arena.lasso(&watched, &stack, from));
            }
        };
        run.count("searches from initial states", n_queries[0]);
        run.count("searches from other states", n_queries[1]);
        run.count("shoals", shoals.unions.len() as u64);
        Ok(conclusion)
    }

    /// Can a state with the signal, outside all shoals, be reached?
    fn reach(&self, arena: &Arena, start: Option<&[bool]>, run: &mut Run<'_>) -> Ask<Reached> {
        let circuit = arena.from(start);
        let conclusion = run.part_beside(|own| searcher(circuit, &self.options).run(own));
        match conclusion {
            Conclusion::Safe(proof) => Ok(Reached::Never(proof.invariant().clone())),
            Conclusion::Unsafe(trace) => Ok(Reached::At(arena.path(trace))),
            Conclusion::Unknown { stop, .. } => Err(stop),
        }
    }
}

enum Reached {
    Never(Invariant),
    At(Path),
}

/// A run to a state with the signal.
struct Path {
    /// Its initial state is that of the search.
    trace: Trace,
    /// The last state, in which the signal is seen.
    last: Vec<bool>,
}

/// The circuit that is searched.
struct Arena {
    /// Bad: the signal is seen, after the first step if that is wanted.
    circuit: Safety,
    /// "This step keeps to all that is so at the end": from a state with the signal on, only such steps are looked at.
    inside: Lit,
    /// "The state is in a shoal."
    shoals: Lit,
    /// "There was no step yet, and one is wanted": a latch.
    fresh: Lit,
    /// Latches of the problem with one signal, and all that are a state.
    n_latches: [usize; 2],
}

impl Arena {
    fn new(watched: &Watched) -> Arena {
        let mut circuit = watched.circuit.clone();
        let n_watched = circuit.latches.len();
        // What is seen is a matter of the state: if it depends on inputs, a latch says that it was seen in the step before.
        let mut seen = watched.signal;
        let mut cone = indubit_aig::Cone::new();
        cone.collect(&circuit.aig, [seen]);
        if circuit.inputs.iter().any(|&v| cone.contains(v)) {
            let latch = circuit.aig.leaf();
            circuit.latches.push(StateVar { var: latch.var(), next: seen, init: Some(false) });
            seen = latch;
        }
        let n_latches = [n_watched, circuit.latches.len()];
        let fresh = circuit.aig.leaf();
        circuit.latches.push(StateVar { var: fresh.var(), next: Lit::FALSE, init: Some(false) });
        circuit.bad = circuit.aig.and(seen, !fresh);
        Arena { circuit, inside: watched.inside, shoals: Lit::FALSE, fresh, n_latches }
    }
    /// Are shoals closed under all steps? Those from initial states are to avoid them then.
    fn are_all_inside(&self) -> bool {
        self.inside == Lit::TRUE
    }
    /// The question whether the signal can be seen outside all shoals, from the initial states on, or after at least one step from a state.
    fn from(&self, start: Option<&[bool]>) -> Safety {
        let mut circuit = self.circuit.clone();
        if start.is_some() || self.are_all_inside() {
            circuit.constraints.push(!self.shoals);
        } else {
            circuit.bad = circuit.aig.and(circuit.bad, !self.shoals);
        }
        if let Some(state) = start {
            // Where the signal is seen, it does not matter how it would go on.
            circuit.constraints.push(circuit.aig.or(self.inside, circuit.bad));
            let values = state.iter().copied().chain([true]);
            circuit.latches.iter_mut().zip(values).for_each(|(latch, value)| latch.init = Some(value));
        }
        circuit
    }
    /// Are two states the same to the problem with one signal?
    fn same(&self, a: &[bool], b: &[bool]) -> bool {
        a[..self.n_latches[0]] == b[..self.n_latches[0]]
    }
    /// The state that a trace ends in.
    fn path(&self, trace: Trace) -> Path {
        let circuit = &self.circuit;
        let mut state = trace.initial.clone();
        for row in &trace.inputs[..trace.inputs.len() - 1] {
            state = circuit.next_state(&circuit.evaluate(&state, row));
        }
        state.truncate(self.n_latches[1]);
        Path { trace, last: state }
    }
    /// All paths, the last of which ends where that number `from` does.
    fn lasso(&self, watched: &Watched, stack: &[Path], from: usize) -> Trace {
        let steps = |path: &Path| path.trace.inputs.len() - 1;
        let loops_to = stack[..=from].iter().map(steps).sum();
        let rows = stack.iter().flat_map(|path| path.trace.inputs[..steps(path)].iter().cloned());
        watched.restricted(Trace {
            initial: stack[0].trace.initial.clone(),
            inputs: rows.collect(),
            loops_to: Some(loops_to),
        })
    }
}

/// Sets of states in which a run does not see the signal infinitely often.
struct Shoals {
    /// The first, the union of the first two, and so on: edges of the arena's circuit. Each is closed under steps that are looked at.
    unions: Vec<Lit>,
    /// A step, and the state after it with inputs of its own.
    solver: Cadical,
    encoder: Encoder,
    aig: Aig,
    /// The arena's circuit without shoals, and what its nodes are after the step.
    source: Aig,
    after: Import,
    /// "The state after the step is in no shoal."
    outside: Lit,
}

impl Shoals {
    fn new(arena: &Arena, run: &Run<'_>) -> Shoals {
        let mut solver = Cadical::new(Config::Incremental, run.cancel()).seeded(run.seed);
        let mut encoder = Encoder::new();
        let source = arena.circuit.aig.clone();
        let mut aig = source.clone();
        let mut after = arena.circuit.later_with_inputs(&mut aig);
        let not_fresh = !arena.fresh;
        let later = arena.circuit.constraints.iter().map(|&c| after.lit(&source, &mut aig, c));
        let now = arena.circuit.constraints.iter().copied();
        let facts: Vec<Lit> = later.chain(now).chain([arena.inside, not_fresh]).collect();
        for lit in facts {
            encoder.encode(&aig, lit, |clause| solver.add_clause(clause));
            solver.add_clause(&[lit]);
        }
        Shoals { unions: Vec::new(), solver, encoder, aig, source, after, outside: Lit::TRUE }
    }
    /// One more set of states, in which all of these clauses hold; it is closed together with those before it.
    fn push(&mut self, arena: &mut Arena, states: &Invariant) {
        let fresh = arena.fresh.var();
        let node = |v: Var| if v == fresh { Lit::FALSE } else { Lit::positive(v) };
        let here = states.build(&mut arena.circuit.aig, |_, v| node(v));
        let here = arena.circuit.aig.and_all(here);
        arena.shoals = arena.circuit.aig.or(arena.shoals, here);
        self.unions.push(arena.shoals);
        let (after, source) = (&mut self.after, &self.source);
        let later = states.build(&mut self.aig, |aig, v| after.lit(source, aig, node(v)));
        let later = self.aig.and_all(later);
        self.outside = self.aig.and(self.outside, !later);
    }
    /// Do all steps from this state lead into shoals? Then states like it are a shoal from now on.
    fn dead(&mut self, arena: &mut Arena, state: &[bool]) -> Ask<bool> {
        let latches = arena.circuit.latches.iter().zip(state);
        let mut assumptions: Vec<Lit> = latches.map(|(l, &value)| Lit::with_value(l.var, value)).collect();
        assumptions.push(self.outside);
        for &lit in &assumptions {
            self.encoder.encode(&self.aig, lit, |clause| self.solver.add_clause(clause));
        }
        if self.solver.solve(&assumptions)? {
            return Ok(false);
        }
        assumptions.pop();
        let mut states = Invariant::new(arena.circuit.aig.n_vars());
        for lit in assumptions.into_iter().filter(|&l| self.solver.failed(l)) {
            states.add(Clause::new([lit]));
        }
        self.push(arena, &states);
        Ok(true)
    }
    /// The proof, where `invariant` holds, as long as no shoal is entered if those are closed under all steps.
    fn proof(&self, arena: &Arena, watched: &Watched, invariant: &Invariant) -> Ranked {
        let mut circuit = arena.circuit.clone();
        circuit.latches.pop();
        let fresh = arena.fresh.var();
        let names: HashMap<_, _> = arena.circuit.latches[arena.n_latches[0]..arena.n_latches[1]]
            .iter()
            .map(|latch| (latch.var, "all signals were seen in the step before".to_owned()))
            .collect();
        let (mut proof, map) = watched.proof(&circuit, &names, 0, |_, v| (v == fresh).then_some(Lit::FALSE));
        if arena.are_all_inside() {
            let edge = invariant.edge_in(&mut proof.with, |v| map[v]);
            proof.with.add(Clause::new([edge, map.lit(arena.shoals)]));
        } else {
            invariant.conjoin_to(&mut proof.with, |v| map[v]);
        }
        let has_missed = map.lit(watched.settled.has_missed);
        for &union in &self.unions {
            proof.order.push(!proof.with.and(!has_missed, !map.lit(union)));
        }
        proof.order.extend(watched.seen().map(|lit| map.lit(lit)));
        proof.tidied()
    }
}

impl Engine for Rlive {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        self.search(run).unwrap_or_else(|stop| Conclusion::Unknown { stop, safe_up_to: None })
    }
}
