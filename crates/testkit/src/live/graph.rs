//! Every step that a small system can make while its constraints hold.

use crate::explicit::{MAX_INPUTS, MAX_LATCHES, Refusal};
use indubit_aig::simulate;
use indubit_logic::Lit;
use indubit_system::{BitSystem, ResetOrder};
use std::collections::{HashMap, HashSet};

/// More steps than this are not looked at.
const MAX_STEPS: u64 = 1 << 24;

/// A step, from a state that its owner knows. Of several that differ in their inputs only, one is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    /// The vertex after it.
    pub to: u32,
    /// The inputs in it.
    pub inputs: u32,
    /// Which of the signals are true in it.
    pub seen: u64,
}

/// A first step, which is bound to the inputs that reset functions have read.
#[derive(Clone, Copy, Debug)]
pub(super) struct First {
    /// The initial state.
    pub state: u32,
    pub edge: Edge,
}

/// How a vertex was found.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    /// By a first step.
    First(usize),
    /// By a step from an earlier vertex.
    From { vertex: u32, inputs: u32 },
}

/// A state that is entered by some step. An initial state is one only if it can be entered again, and then it goes on with
/// any inputs; before that, reset functions may have a say.
#[derive(Clone, Debug)]
pub(super) struct Vertex {
    pub state: u32,
    /// The number of steps of a shortest way here, at least 1.
    pub depth: u32,
    pub origin: Origin,
    pub edges: Vec<Edge>,
}

/// The reachable steps of a system.
pub(super) struct Graph {
    pub first: Vec<First>,
    /// In the order of their depths.
    pub vertices: Vec<Vertex>,
    number: HashMap<u32, u32>,
}

/// One lane of a simulation: the inputs and the state of a step.
type Pair = (u32, u32);

impl Graph {
    /// All of them, with what they show of at most 64 signals.
    pub fn new(system: &BitSystem, signals: &[Lit]) -> Result<Graph, Refusal> {
        let n_inputs = system.inputs().len();
        let n_uninitialised = system.latches().iter().filter(|l| l.is_uninitialised()).count();
        let too_large = system.latches().len() > MAX_LATCHES
            || n_inputs > MAX_INPUTS
            || n_inputs + n_uninitialised > MAX_LATCHES;
        if too_large {
            return Err(Refusal::TooLarge);
        }
        ResetOrder::new(system).map_err(|_| Refusal::CyclicReset)?;
        let mut simulation = Simulation { system, signals, words: vec![0; system.aig().n_vars()] };
        let mut graph = Graph { first: Vec::new(), vertices: Vec::new(), number: HashMap::new() };
        let codes: Vec<Pair> =
            (0..1u32 << (n_inputs + n_uninitialised)).map(|c| (c & mask(n_inputs), c >> n_inputs)).collect();
        for pairs in codes.chunks(64) {
            for step in simulation.steps(pairs, true) {
                let origin = Origin::First(graph.first.len());
                let edge =
                    Edge { to: graph.vertex(step.to, 1, origin), inputs: step.inputs, seen: step.seen };
                graph.first.push(First { state: step.from, edge });
            }
        }
        let mut n_steps = 0;
        let mut next = 0;
        while next < graph.vertices.len() {
            n_steps += 1u64 << n_inputs;
            if n_steps > MAX_STEPS {
                return Err(Refusal::TooLarge);
            }
            let Vertex { state, depth, .. } = graph.vertices[next];
            let mut edges: Vec<Edge> = Vec::new();
            let mut known: HashSet<(u32, u64)> = HashSet::new();
            for start in (0..1u32 << n_inputs).step_by(64) {
                let end = (start + 64).min(1 << n_inputs);
                let pairs: Vec<Pair> = (start..end).map(|inputs| (inputs, state)).collect();
                for step in simulation.steps(&pairs, false) {
                    let origin = Origin::From { vertex: next as u32, inputs: step.inputs };
                    let to = graph.vertex(step.to, depth + 1, origin);
                    if known.insert((to, step.seen)) {
                        edges.push(Edge { to, inputs: step.inputs, seen: step.seen });
                    }
                }
            }
            graph.vertices[next].edges = edges;
            next += 1;
        }
        Ok(graph)
    }

    /// The vertex of a state that was entered, a new one if need be.
    fn vertex(&mut self, state: u32, depth: u32, origin: Origin) -> u32 {
        let new = self.vertices.len() as u32;
        let number = *self.number.entry(state).or_insert(new);
        if number == new {
            self.vertices.push(Vertex { state, depth, origin, edges: Vec::new() });
        }
        number
    }
    /// The vertex of a state, if it is ever entered.
    pub fn vertex_of(&self, state: u32) -> Option<u32> {
        self.number.get(&state).copied()
    }
    /// All edges, first steps included.
    pub fn edges(&self) -> impl Iterator<Item = &Edge> {
        self.first.iter().map(|f| &f.edge).chain(self.vertices.iter().flat_map(|v| &v.edges))
    }
    /// A shortest way to a vertex: the initial state and the inputs of each step.
    pub fn stem(&self, vertex: u32) -> (u32, Vec<u32>) {
        let mut inputs = Vec::new();
        let mut at = vertex;
        loop {
            match self.vertices[at as usize].origin {
                Origin::From { vertex, inputs: row } => {
                    inputs.push(row);
                    at = vertex;
                }
                Origin::First(i) => {
                    inputs.push(self.first[i].edge.inputs);
                    inputs.reverse();
                    return (self.first[i].state, inputs);
                }
            }
        }
    }
}

fn mask(bits: usize) -> u32 {
    (1 << bits) - 1
}

/// A step of a simulation, by states.
struct Step {
    from: u32,
    to: u32,
    inputs: u32,
    seen: u64,
}

struct Simulation<'s> {
    system: &'s BitSystem,
    signals: &'s [Lit],
    /// One word a node of the circuit, one lane a step.
    words: Vec<u64>,
}

impl Simulation<'_> {
    /// Those of at most 64 steps in which the constraints hold. If they are first steps, a state has one bit for each
    /// uninitialised latch only.
    fn steps(&mut self, pairs: &[Pair], first: bool) -> Vec<Step> {
        let column = |bit: &dyn Fn(&Pair) -> u32| {
            pairs.iter().enumerate().fold(0, |word, (lane, pair)| word | u64::from(bit(pair) & 1) << lane)
        };
        for (i, input) in self.system.inputs().iter().enumerate() {
            self.words[input.lit.var().index()] = column(&|pair| pair.0 >> i);
        }
        let mut position = 0;
        for latch in self.system.latches() {
            let known = !first || latch.is_uninitialised();
            self.words[latch.var.index()] = if known { column(&|pair| pair.1 >> position) } else { 0 };
            position += u32::from(known);
        }
        simulate::propagate(self.system.aig(), &mut self.words);
        // Without a cycle, each round settles one more latch of a chain of reset functions.
        for _ in 0..if first { self.system.latches().len() } else { 0 } {
            for latch in self.system.latches() {
                self.words[latch.var.index()] = simulate::word(&self.words, latch.reset);
            }
            simulate::propagate(self.system.aig(), &mut self.words);
        }
        let legal = |lane: &usize| self.system.constraints.iter().all(|c| self.bit(*lane, c.lit) == 1);
        let latches = self.system.latches();
        let step = |lane: usize| Step {
            from: self.number(lane, latches.iter().map(|l| Lit::positive(l.var))) as u32,
            to: self.number(lane, latches.iter().map(|l| l.next)) as u32,
            inputs: pairs[lane].0,
            seen: self.number(lane, self.signals.iter().copied()),
        };
        (0..pairs.len()).filter(legal).map(step).collect()
    }
    fn bit(&self, lane: usize, lit: Lit) -> u64 {
        simulate::word(&self.words, lit) >> lane & 1
    }
    /// The values of some edges as a number, the first one lowest.
    fn number(&self, lane: usize, lits: impl Iterator<Item = Lit>) -> u64 {
        lits.enumerate().fold(0, |number, (i, lit)| number | self.bit(lane, lit) << i)
    }
}
