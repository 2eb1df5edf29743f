//! The part of a graph that a formula is about: the sequential cone of influence of its atoms, of what fair paths see, and of the constraints.
//!
//! What `initially` says of other latches only is left out. Latches that it mentions along with those of the part, and that matter to nothing else, are inputs of the part: a state is initial if some
//! values of theirs make it so.

use indubit_aig::{Cone, Encoder};
use indubit_logic::{Lit, Var, VarMap};
use indubit_run::{Ask, Run};
use indubit_sat::{Cdcl, Solve};
use indubit_system::{Branching, Safety, StateVar};

/// The part of a graph that matters.
pub(super) struct Part {
    /// Its circuit, whose other roots are the atoms, the fairness signals, and what is true initially.
    pub circuit: Safety,
    /// What each of its nodes is in the graph.
    origins: VarMap<Lit>,
}

impl Part {
    pub fn new(graph: &Branching) -> Part {
        let whole = &graph.circuit;
        let cone = whole.cone_of_influence();
        let is_latch: Vec<bool> = whole.latch_positions().iter().map(Option::is_some).collect();
        let mut is_there: Vec<bool> =
            (0..whole.aig.n_vars()).map(|i| cone.contains(Var::from_index(i))).collect();
        let mut left: Vec<(Lit, Vec<Var>)> = Vec::new();
        let mut support = Cone::new();
        for lit in conjuncts(graph) {
            let nodes = support.collect(&whole.aig, [lit]);
            left.push((lit, nodes.iter().copied().filter(|v| is_latch[v.index()]).collect()));
        }
        let mut known = Vec::new();
        let mut outside = Vec::new();
        loop {
            let (near, far): (Vec<_>, Vec<_>) =
                left.into_iter().partition(|(_, latches)| latches.iter().any(|v| is_there[v.index()]));
            left = far;
            if near.is_empty() {
                break;
            }
            for (lit, latches) in near {
                known.push(lit);
                let new = latches.into_iter().filter(|v| !std::mem::replace(&mut is_there[v.index()], true));
                outside.extend(new);
            }
        }
        let mut aig = whole.aig.clone();
        let initially = aig.and_all(known);
        let latches: Vec<StateVar> = whole.latches.iter().filter(|l| cone.contains(l.var)).copied().collect();
        let inputs = whole.inputs.iter().copied().chain(outside).collect();
        let also = whole.also.iter().copied().chain([initially]).collect();
        let constraints = whole.constraints.clone();
        let before = Safety { aig, inputs, latches, bad: Lit::FALSE, also, constraints };
        let (circuit, import) = before.reduced();
        let origins = circuit.origins(&before, |var| import.get(Lit::positive(var)));
        Part { circuit, origins }
    }
    /// What a node of the part is in the graph.
    pub fn origin(&self, lit: Lit) -> Lit {
        self.origins.lit(lit)
    }
    /// For each input of the graph its position in the part.
    pub fn inputs(&self, graph: &Branching) -> Vec<Option<usize>> {
        let mut position = vec![None; graph.circuit.aig.n_vars()];
        for (i, &input) in self.circuit.inputs.iter().enumerate() {
            position[self.origins[input].var().index()] = Some(i);
        }
        graph.circuit.inputs.iter().map(|v| position[v.index()]).collect()
    }
    /// An initial state of the graph whose latches have the values of a state of the part; none if the graph has no initial states.
    pub fn whole(&self, graph: &Branching, state: &[bool], run: &Run<'_>) -> Ask<Option<Vec<bool>>> {
        let mut solver = Cdcl::new(run.cancel(), run.seed);
        Encoder::new().encode(&graph.circuit.aig, graph.initially, |clause| solver.add_clause(clause));
        solver.add_clause(&[graph.initially]);
        let mut assumed = Vec::new();
        let mut known = vec![None; graph.circuit.aig.n_vars()];
        for (latch, &value) in self.circuit.latches.iter().zip(state) {
            let lit = self.origins[latch.var];
            known[lit.var().index()] = Some(value ^ lit.is_negated());
            assumed.push(lit ^ !value);
        }
        if !solver.solve(&assumed)? {
            return Ok(None);
        }
        let value = |v: Var| known[v.index()].unwrap_or_else(|| solver.value(Lit::positive(v)));
        Ok(Some(graph.circuit.latches.iter().map(|latch| value(latch.var)).collect()))
    }
}

/// What is true initially, one by one.
fn conjuncts(graph: &Branching) -> Vec<Lit> {
    let mut parts = Vec::new();
    let mut stack = vec![graph.initially];
    let mut is_seen = vec![false; graph.circuit.aig.n_vars()];
    while let Some(lit) = stack.pop() {
        match graph.circuit.aig.fanins(lit.var()) {
            Some(fanins) if !lit.is_negated() => {
                if !std::mem::replace(&mut is_seen[lit.var().index()], true) {
                    stack.extend(fanins);
                }
            }
            _ => parts.push(lit),
        }
    }
    parts
}
