//! IICTL (Z. Hassan, A. R. Bradley, F. Somenzi, *Incremental, Inductive CTL Model Checking*, CAV 2012).
//!
//! Of each temporal operator two sets of states are known: in those of one it holds, in those of the other it does not. As long as there is an initial state in which the formula is in neither,
//! it is decided there. `EX` asks for a step, `EU` IC3 for a path, `EG` engines for liveness for a lasso, each among the states in which what is inside the operator may
//! hold; where what was found relies on a state that is not decided, that is decided first. What is found adds to the sets: not the one state, but all to which the same inputs apply, and of
//! a proof all states that it says something about.
//!
//! | paper | here |
//! |---|---|
//! | upper and lower bounds of a node | [`Known::no`], [`Known::yes`], for all nodes [`Search::bounds`] |
//! | the loop over undecided initial states | [`Search::decide_all`] |
//! | deciding a state at a node | [`Search::decide`] |
//! | `EX`, `EU`, `EG` nodes | `next.rs`, `until.rs`, `globally.rs` |
//! | generalization of traces | [`Ground::lifted`] |
//! | generalization of proofs | [`Ground::core`] of steps, [`Search::fewer`] clauses of invariants, [`Ground::widened`] ranked proofs |
//!
//! That a state has a fair path at all is one more operator, `EG true`.

mod ahead;
mod globally;
mod ground;
mod known;
mod next;
mod proof;
mod stroll;
#[cfg(test)]
mod testing;
mod until;
mod widen;

use crate::live::over_latches;
use crate::{BranchingEngine, Options};
use ground::Ground;
use indubit_logic::Lit;
use indubit_preproc::Sweep;
use indubit_run::{Ask, Run};
use indubit_system::{Branching, CtlId, CtlNode, CtlProof, known_sets};
use known::Known;

/// How IICTL goes about it.
#[derive(Clone, Copy, Debug)]
pub struct BranchingConfig {
    /// Sets grow by all states that the inputs of a trace lead on, not only by those of the trace.
    pub widen_traces: bool,
    /// Sets grow by all states that the clauses of an invariant allow which are needed, not only by those that all of them do.
    pub widen_proofs: bool,
    /// A goal that is a step away is looked for with the inputs of that step.
    pub steps_ahead: bool,
    /// Paths at random come before others, where what they are to come to is about paths itself.
    pub strolls: bool,
    /// A path to states in which `EG` is known to hold is looked for before a lasso.
    pub known_lassos: bool,
    /// Gates that are equal are merged first.
    pub sweep_gates: bool,
}

impl Default for BranchingConfig {
    fn default() -> BranchingConfig {
        BranchingConfig {
            widen_traces: true,
            widen_proofs: true,
            steps_ahead: true,
            strolls: true,
            known_lassos: true,
            sweep_gates: true,
        }
    }
}

pub(crate) struct Iictl {
    graph: Branching,
    options: Options,
}

impl Iictl {
    pub fn new(graph: Branching, options: &Options) -> Iictl {
        Iictl { graph, options: over_latches(options) }
    }
}

impl BranchingEngine for Iictl {
    fn run(&mut self, run: &mut Run<'_>) -> Ask<CtlProof> {
        let merges = self.options.branching.sweep_gates;
        let (graph, back) = self.graph.reduced_by(|circuit| match merges {
            true => Sweep { effort: 1 }.merged(circuit, run),
            false => Ok(None),
        })?;
        let mut search = Search::new(graph, &self.options, run);
        let fails_in = search.decide_all(run);
        search.report(run);
        Ok(back.proof(&search.proof(fails_in?)))
    }
}

/// A search under way.
struct Search<'o> {
    ground: Ground,
    options: &'o Options,
    /// What is known of the temporal operators, in their order, and then of `EG true`.
    known: Vec<Known>,
    /// For each node of the formula its place there.
    place: Vec<Option<usize>>,
    /// For each node `EX` of the formula a step with inputs of its own, where one was asked for.
    steps: Vec<Option<ahead::Step>>,
    is_total: bool,
    n_decided: u64,
    n_searches: u64,
}

impl<'o> Search<'o> {
    fn new(graph: Branching, options: &'o Options, run: &Run<'_>) -> Search<'o> {
        let mut place = vec![None; graph.formula.nodes().len()];
        let mut n = 0;
        for id in graph.operators() {
            place[id.index()] = Some(n);
            n += 1;
        }
        let known = (0..=n).map(|_| Known::nothing()).collect();
        let is_total = graph.is_total();
        let steps = place.iter().map(|_| None).collect();
        Search {
            steps,
            ground: Ground::new(graph, options.branching.widen_traces, run),
            options,
            known,
            place,
            is_total,
            n_decided: 0,
            n_searches: 0,
        }
    }
    /// The place of `EG true`.
    fn fair(&self) -> usize {
        self.known.len() - 1
    }
    fn report(&self, run: &mut Run<'_>) {
        run.count("states that were decided", self.n_decided);
        run.count("searches for paths and lassos", self.n_searches);
        run.count("queries about a step", self.ground.n_queries);
    }

    /// Decide initial states until the formula is known to hold in all of them, or fails in one.
    fn decide_all(&mut self, run: &mut Run<'_>) -> Ask<Option<Vec<bool>>> {
        let (root, initially) = (self.ground.graph.formula.root(), self.ground.graph.initially);
        loop {
            run.checkpoint()?;
            let [yes, _] = self.bounds(root);
            let no_fair = self.fair_bounds()[1];
            if !self.ground.solve(&[initially, !yes, !no_fair])? {
                return Ok(None);
            }
            let (state, _) = self.ground.model();
            // Where the formula holds, as claims of safety mostly do, nobody has to know whether there is a fair path.
            if self.decide(root, &state, run)? {
                let [yes, _] = self.bounds(root);
                if self.ground.holds(yes, &state) || !self.is_fair(&state, run)? {
                    continue;
                }
            }
            if self.is_fair(&state, run)? && !self.decide(root, &state, run)? {
                return Ok(Some(state));
            }
        }
    }

    /// The states in which a node is known to hold, and in which it is known not to.
    fn bounds(&mut self, id: CtlId) -> [Lit; 2] {
        self.all_bounds(id)[id.index()]
    }
    /// The same of a node and of all that come before it.
    fn all_bounds(&mut self, id: CtlId) -> Vec<[Lit; 2]> {
        let (n, fair) = (id.index() + 1, self.fair_bounds());
        let Search { ground, known, place, .. } = self;
        let (formula, aig) = (&ground.graph.formula, &mut ground.circuit.aig);
        let operator = |i: usize, sets: &[[Lit; 2]], and: &mut dyn FnMut(Lit, Lit) -> Lit| {
            let [yes, no] = place[i].map_or([Lit::FALSE; 2], |p| [known[p].yes, known[p].no]);
            match formula.nodes()[i] {
                // It does not hold where what is inside fails.
                CtlNode::ExistsGlobally(p) => [yes, !and(!no, !sets[p.index()][1])],
                // It holds where the goal is reached.
                CtlNode::ExistsUntil(_, q) => {
                    let goal = and(sets[q.index()][0], fair[0]);
                    [!and(!yes, !goal), no]
                }
                _ => [yes, no],
            }
        };
        known_sets(formula, n, |a, b| aig.and(a, b), operator)
    }
    /// The same of `EG true`.
    fn fair_bounds(&self) -> [Lit; 2] {
        if self.is_total {
            return [Lit::TRUE, Lit::FALSE];
        }
        let known = &self.known[self.fair()];
        [known.yes, known.no]
    }

    /// Does a node hold in a state? After that it is known, if the state is fair; of others the answer says nothing.
    fn decide(&mut self, id: CtlId, state: &[bool], run: &mut Run<'_>) -> Ask<bool> {
        run.checkpoint()?;
        let [yes, no] = self.bounds(id);
        if self.ground.holds(yes, state) {
            return Ok(true);
        }
        if self.ground.holds(no, state) {
            return Ok(false);
        }
        let node = self.ground.graph.formula.node(id);
        let place = self.place[id.index()].unwrap_or_default();
        self.n_decided += 1;
        match node {
            CtlNode::True => Ok(true),
            CtlNode::Atom(_) => Ok(false),
            CtlNode::Not(a) => Ok(!self.decide(a, state, run)?),
            // What is made of less comes first in a formula, and is less to decide.
            CtlNode::And(a, b) => {
                Ok(self.decide(a.min(b), state, run)? && self.decide(a.max(b), state, run)?)
            }
            CtlNode::ExistsNext(p) => self.next(place, p, state, run),
            CtlNode::ExistsUntil(p, q) => self.until((id, place), (p, q), state, run),
            CtlNode::ExistsGlobally(p) => self.globally(place, Some(p), state, run),
        }
    }
    /// Is there a fair path from a state?
    fn is_fair(&mut self, state: &[bool], run: &mut Run<'_>) -> Ask<bool> {
        let [yes, no] = self.fair_bounds();
        if self.ground.holds(yes, state) {
            return Ok(true);
        }
        if self.ground.holds(no, state) {
            return Ok(false);
        }
        let fair = self.fair();
        self.globally(fair, None, state, run)
    }
    /// A node holds in these states, too, or it does not.
    fn learn(&mut self, place: usize, holds: bool, states: Lit) {
        let known = &mut self.known[place];
        let set = if holds { &mut known.yes } else { &mut known.no };
        *set = self.ground.circuit.aig.or(*set, states);
    }
}
