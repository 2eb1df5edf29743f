//! How a proof says that a formula holds or fails in a state.

use super::{Reason, Tree, Why};
use crate::ctl_text::{self, Part, Style, Written, spelled, temporal, view};
use indubit_aig::{Aig, Cone, simulate};
use indubit_logic::Lit;
use indubit_system::{Bounds, Branching, Choice, CtlId, CtlNode, CtlProof, Trace};
use rustc_hash::FxHashMap;

/// So many steps of a path are followed.
const LONGEST_PATH: usize = 100_000;
/// A formula is told if it has no more characters.
const LONGEST_FORMULA: usize = 2000;

/// Why the formula of a graph holds or fails in a state, by a proof that has been checked; a tree of so many nodes at most. `atom` says what its atoms are called; traces are about the model that the
/// graph is of, which has so many inputs. `None` if the proof says nothing about the state.
pub fn explain(
    graph: &Branching,
    proof: &CtlProof,
    state: &[bool],
    n_inputs: usize,
    most: usize,
    atom: &dyn Fn(u32) -> String,
) -> Option<Tree<Trace>> {
    let mut aig = graph.circuit.aig.clone();
    for &[a, b] in proof.with.gates() {
        aig.raw_and(a, b);
    }
    let sets = proof.sets(&graph.formula, |a, b| aig.and(a, b));
    let formula = &graph.formula;
    let is_temporal = temporal(formula);
    let mut bounds = vec![None; formula.nodes().len()];
    for (id, of) in graph.operators().zip(&proof.operators) {
        bounds[id.index()] = Some(of);
    }
    let mut explainer =
        Explainer { graph, proof, aig, sets, is_temporal, bounds, n_inputs, atom, left: most };
    let root = Part::new(formula.root()).plain(formula);
    let holds = explainer.truth(root, &explainer.values(state, &[]))?;
    let start = Steps { states: vec![state.to_vec()], inputs: Vec::new(), loops_to: None };
    Some(Tree { start: explainer.trace(start), why: explainer.why(root, holds, state, 0) })
}

struct Explainer<'e> {
    graph: &'e Branching,
    proof: &'e CtlProof,
    /// The circuit of the graph, with the gates of the proof and of its sets.
    aig: Aig,
    sets: Vec<[Lit; 2]>,
    /// Is there a temporal operator in a node?
    is_temporal: Vec<bool>,
    bounds: Vec<Option<&'e Bounds>>,
    n_inputs: usize,
    atom: &'e dyn Fn(u32) -> String,
    /// So many nodes of the tree may still be made.
    left: usize,
}

/// Steps that have been chosen: a state more than there are inputs, unless the path loops.
struct Steps {
    states: Vec<Vec<bool>>,
    inputs: Vec<Vec<bool>>,
    loops_to: Option<usize>,
}

impl Explainer<'_> {
    /// The values of all nodes.
    fn values(&self, state: &[bool], inputs: &[bool]) -> Vec<bool> {
        let circuit = &self.graph.circuit;
        let mut values = vec![false; self.aig.n_vars()];
        for (latch, &value) in circuit.latches.iter().zip(state) {
            values[latch.var.index()] = value;
        }
        for (input, &value) in circuit.inputs.iter().zip(inputs) {
            values[input.index()] = value;
        }
        simulate::propagate_bools(&self.aig, &mut values);
        values
    }
    /// Does a part of the formula hold, as far as that is known?
    fn truth(&self, part: Part, values: &[bool]) -> Option<bool> {
        let [yes, no] = self.sets[part.id.index()].map(|set| simulate::value(values, set));
        if yes || no { Some(yes != part.is_negated) } else { None }
    }
    /// The step that a choice makes: its inputs, and the state it leads to.
    fn step(&self, state: &[bool], choice: &Choice) -> (Vec<bool>, Vec<bool>) {
        let values = self.values(state, &[]);
        let inputs: Vec<bool> = choice.inputs.iter().map(|&lit| simulate::value(&values, lit)).collect();
        let values = self.values(state, &inputs);
        let next =
            self.graph.circuit.latches.iter().map(|latch| simulate::value(&values, latch.next)).collect();
        (inputs, next)
    }

    fn text(&self, part: Part) -> String {
        let write = |written: Written, parts: &[&str]| spelled(Style::Plain, written, parts, self.atom);
        let text = ctl_text::text(&self.graph.formula, part, LONGEST_FORMULA, write);
        text.unwrap_or_else(|| "a long formula".into())
    }

    fn why(&mut self, part: Part, holds: bool, state: &[bool], step: usize) -> Why<Trace> {
        let part = part.plain(&self.graph.formula);
        let reason = if !self.is_temporal[part.id.index()] {
            Reason::State
        } else if self.left == 0 {
            Reason::LeftOut
        } else {
            self.left -= 1;
            self.reason(part, holds, state, step)
        };
        Why { formula: self.text(part), holds, step, reason }
    }

    fn reason(&mut self, part: Part, holds: bool, state: &[bool], step: usize) -> Reason<Trace> {
        let (written, operands) = view(&self.graph.formula, part, &self.is_temporal);
        let values = self.values(state, &[]);
        let known: Vec<Option<bool>> = operands.iter().map(|&operand| self.truth(operand, &values)).collect();
        // Which operands, one of them or all, make it so; what is before an arrow does so by its opposite.
        let n_before = if let Written::Implies(n) = written { n } else { 0 };
        let wants = |index: usize| if index < n_before { !holds } else { holds };
        let is_decisive = |index: usize| known[index] == Some(wants(index));
        let needs_all = match written {
            Written::And => holds,
            Written::Or | Written::Implies(_) => !holds,
            Written::Not | Written::Iff | Written::Constant(_) | Written::Atom(_) => true,
            Written::Exists(_) | Written::All(_) | Written::ExistsPair(_) | Written::AllPair(_) => {
                return self.of_paths(part, &operands, holds, state, step);
            }
        };
        let mut chosen: Vec<usize> = (0..operands.len()).collect();
        if !needs_all {
            // What the state says by itself is the shortest reason.
            let is_plain = |&index: &usize| !self.is_temporal[operands[index].id.index()];
            let decisive: Vec<usize> = chosen.into_iter().filter(|&index| is_decisive(index)).collect();
            chosen =
                decisive.iter().copied().find(is_plain).or(decisive.first().copied()).into_iter().collect();
        }
        let parts = chosen.into_iter().filter_map(|index| Some((operands[index], known[index]?)));
        let parts: Vec<(Part, bool)> = parts.collect();
        Reason::Parts(parts.into_iter().map(|(part, holds)| self.why(part, holds, state, step)).collect())
    }

    /// A temporal operator, as it is written: its nodes are one or two of ours.
    fn of_paths(
        &mut self,
        part: Part,
        operands: &[Part],
        holds: bool,
        state: &[bool],
        step: usize,
    ) -> Reason<Trace> {
        let cores = self.cores(part.id);
        let values = self.values(state, &[]);
        let exists = cores
            .iter()
            .find(|id| self.bounds[id.index()].is_some_and(|of| simulate::value(&values, of.yes)));
        let Some(&core) = exists else {
            return self.no_path(&cores, operands, holds, state, step);
        };
        let Some(steps) = self.follow(core, state) else { return Reason::LeftOut };
        let length = steps.inputs.len();
        let (at, last) = match steps.loops_to {
            Some(begin) => (begin, &steps.states[begin]),
            None => (length, &steps.states[length]),
        };
        let values = self.values(last, &[]);
        let agrees = |part: &&Part| self.truth(**part, &values) == Some(holds);
        let mut parts: Vec<Part> = operands.iter().filter(agrees).copied().collect();
        if let (Some(_), [_]) = (steps.loops_to, &parts[..]) {
            // What holds all along is said by the operator, unless there is more to say.
            parts.retain(|part| self.is_temporal[part.id.index()]);
        }
        let last = last.clone();
        let parts = parts.into_iter().map(|part| self.why(part, holds, &last, step + at)).collect();
        if length == 0 {
            return Reason::Parts(parts);
        }
        let loops_to = steps.loops_to;
        Reason::Path { trace: self.trace(steps), length, loops_to, parts }
    }
    /// The nodes that say what a written operator does: one, or two that are joined.
    fn cores(&self, id: CtlId) -> Vec<CtlId> {
        let formula = &self.graph.formula;
        match formula.node(id) {
            CtlNode::And(a, b) => [a, b].map(|id| Part::new(id).plain(formula).id).to_vec(),
            _ => vec![id],
        }
    }
    fn no_path(
        &mut self,
        cores: &[CtlId],
        operands: &[Part],
        holds: bool,
        state: &[bool],
        step: usize,
    ) -> Reason<Trace> {
        let values = self.values(state, &[]);
        // Here and now there may be reason enough.
        let is_next = cores.iter().any(|id| matches!(self.graph.formula.node(*id), CtlNode::ExistsNext(_)));
        let known: Vec<Option<bool>> = operands.iter().map(|&operand| self.truth(operand, &values)).collect();
        let is_settled = match (operands, self.graph.formula.node(cores[0])) {
            ([_], CtlNode::ExistsGlobally(_)) => known[0] == Some(holds),
            ([_, _], _) => known.iter().all(|&known| known == Some(holds)),
            _ => false,
        };
        if is_settled && !is_next {
            let operands = operands.to_vec();
            return Reason::Parts(
                operands.into_iter().map(|part| self.why(part, holds, state, step)).collect(),
            );
        }
        let mut cone = Cone::new();
        let sets: Vec<&Bounds> = cores.iter().filter_map(|id| self.bounds[id.index()]).collect();
        let mut roots: Vec<Lit> = sets.iter().map(|of| of.no).collect();
        for stuck in sets.iter().flat_map(|of| &of.stuck) {
            roots.push(stuck.states);
        }
        let gates = self.n_gates(&mut cone, &roots);
        let what = match self.graph.formula.node(cores[cores.len() - 1]) {
            CtlNode::ExistsNext(_) => "a set of states without such a step",
            CtlNode::ExistsUntil(..) => "a set of states that no such path leaves",
            _ => "sets of states in which every such path is stuck",
        };
        let inner = operands.iter().flat_map(|part| self.inside(part.id)).collect::<Vec<CtlId>>();
        let mut told = Vec::new();
        for id in inner {
            let Some(of) = self.bounds[id.index()] else { continue };
            for (holds, set) in [(true, of.yes), (false, of.no)] {
                if set != Lit::FALSE {
                    told.push((self.text(Part::new(id)), holds, self.n_gates(&mut cone, &[set])));
                }
            }
        }
        Reason::Sets { what, gates, inner: told }
    }
    fn n_gates(&self, cone: &mut Cone, roots: &[Lit]) -> usize {
        let vars = cone.collect(&self.aig, roots.iter().copied());
        vars.iter().filter(|&&var| self.aig.fanins(var).is_some()).count()
    }
    /// The outermost temporal operators of a part.
    fn inside(&self, id: CtlId) -> Vec<CtlId> {
        let (mut open, mut found) = (vec![id], Vec::new());
        while let Some(id) = open.pop() {
            match self.graph.formula.node(id) {
                _ if !self.is_temporal[id.index()] || found.contains(&id) => (),
                CtlNode::Not(a) => open.push(a),
                CtlNode::And(a, b) => open.extend([b, a]),
                _ => found.push(id),
            }
        }
        found
    }

    /// The path that the proof chooses from a state in which an operator holds.
    fn follow(&self, id: CtlId, state: &[bool]) -> Option<Steps> {
        let of = self.bounds[id.index()]?;
        let mut steps = Steps { states: vec![state.to_vec()], inputs: Vec::new(), loops_to: None };
        match self.graph.formula.node(id) {
            CtlNode::ExistsNext(_) => self.go(of.choices.first()?, &mut steps),
            CtlNode::ExistsUntil(_, goal) => loop {
                let values = self.values(steps.states.last()?, &[]);
                let is = |set: Lit| simulate::value(&values, set);
                if is(self.sets[goal.index()][0]) && is(self.proof.fair.yes) {
                    break;
                }
                if steps.inputs.len() == LONGEST_PATH {
                    return None;
                }
                self.go(of.choices.first()?, &mut steps);
            },
            CtlNode::ExistsGlobally(_) => {
                let signals = self.graph.signals();
                let mut mode = 0;
                let mut seen: FxHashMap<(Vec<bool>, usize), usize> = FxHashMap::default();
                loop {
                    let here = steps.states.last()?.clone();
                    if let Some(&begin) = seen.get(&(here.clone(), mode)) {
                        steps.states.pop();
                        steps.loops_to = Some(begin);
                        break;
                    }
                    if steps.inputs.len() == LONGEST_PATH {
                        return None;
                    }
                    seen.insert((here.clone(), mode), steps.inputs.len());
                    self.go(of.choices.get(mode)?, &mut steps);
                    let values = self.values(&here, steps.inputs.last()?);
                    if simulate::value(&values, signals[mode]) {
                        mode = (mode + 1) % signals.len();
                    }
                }
            }
            CtlNode::True | CtlNode::Atom(_) | CtlNode::Not(_) | CtlNode::And(..) => return None,
        }
        Some(steps)
    }
    fn go(&self, choice: &Choice, steps: &mut Steps) {
        if let Some(state) = steps.states.last() {
            let (inputs, next) = self.step(state, choice);
            steps.inputs.push(inputs);
            steps.states.push(next);
        }
    }
    /// The same steps in the model.
    fn trace(&self, steps: Steps) -> Trace {
        let n_latches = self.graph.circuit.latches.len() - self.graph.shown.len();
        let mut rows: Vec<Vec<bool>> = Vec::with_capacity(steps.states.len());
        for (step, state) in steps.states.iter().enumerate() {
            let (_, shown) = self.graph.model_state(state, self.n_inputs);
            // What the inputs are after the last step does not matter: they stay.
            let mut hidden = steps.inputs.get(step).map(|inputs| inputs.iter());
            let row = shown.into_iter().enumerate().map(|(i, shown)| match (shown, &mut hidden) {
                (Some(value), _) => value,
                (None, Some(hidden)) => hidden.next().copied().unwrap_or(false),
                (None, None) => rows.last().is_some_and(|row| row[i]),
            });
            let row = row.collect();
            rows.push(row);
        }
        let initial = steps.states.first().map_or_else(Vec::new, |state| state[..n_latches].to_vec());
        Trace { initial, inputs: rows, loops_to: steps.loops_to }
    }
}
