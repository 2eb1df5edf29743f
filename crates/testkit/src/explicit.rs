//! The exact answer for a small system, by breadth-first search over its states.
//!
//! The semantics is AIGER's: a counterexample is a sequence of steps, a step being a state with the inputs of
//! that moment. All constraints hold in every step up to and including the bad one. Reset functions are
//! evaluated with the inputs of the first step, so the search starts from pairs (initial state, inputs) and
//! only from the second step on from states with arbitrary inputs.
//!
//! Nothing here is shared with engines, passes or the checker but the circuit and its 64-way simulation: each of
//! the 64 lanes of a simulation is one (state, inputs) pair.

use indubit_aig::simulate;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Invariant, Latch, ResetOrder, Trace};
use std::fmt;

/// More latches than this are not searched.
pub const MAX_LATCHES: usize = 24;
/// More inputs than this are not enumerated.
pub const MAX_INPUTS: usize = 16;

/// The exact answer about one bad signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is never true.
    Safe,
    /// It can be true.
    Unsafe {
        /// The number of transitions of a shortest counterexample.
        depth: u32,
    },
}

impl Answer {
    /// Is it [`Answer::Safe`]?
    pub fn is_safe(self) -> bool {
        self == Answer::Safe
    }
    /// The length of a shortest counterexample, if there is one.
    pub fn depth(self) -> Option<u32> {
        match self {
            Answer::Safe => None,
            Answer::Unsafe { depth } => Some(depth),
        }
    }
}

/// Why a system cannot be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Too many latches or inputs, or too many uninitialised latches and inputs together.
    TooLarge,
    /// A reset function depends on itself.
    CyclicReset,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::TooLarge => "too large for explicit search",
            Refusal::CyclicReset => "a reset function depends on itself",
        })
    }
}

impl std::error::Error for Refusal {}

/// The answer for each of [`BitSystem::bad_signals`].
pub fn check(system: &BitSystem) -> Result<Vec<Answer>, Refusal> {
    reach(system, system.bad_signals().iter().map(|s| s.lit).collect())
}

/// The answer for each of these signals, as if it were a bad one.
pub fn reach(system: &BitSystem, signals: Vec<Lit>) -> Result<Vec<Answer>, Refusal> {
    let mut search = Search::new(system, signals)?;
    search.run(Until::AllSeen);
    let answer = |seen: &Option<Seen>| seen.map_or(Answer::Safe, |s| Answer::Unsafe { depth: s.depth });
    Ok(search.seen.iter().map(answer).collect())
}

/// A shortest counterexample to one of [`BitSystem::bad_signals`].
pub fn counterexample(system: &BitSystem, bad: usize) -> Result<Option<Trace>, Refusal> {
    let mut search = Search::new(system, vec![system.bad_signals()[bad].lit])?;
    search.run(Until::AllSeen);
    Ok(search.seen[0].map(|seen| search.trace(seen)))
}

/// A reachable step in which a clause of the invariant is false, as a trace to it; `None` if the invariant
/// holds wherever the system can be. (It need not be inductive for that.)
pub fn refute(system: &BitSystem, invariant: &Invariant) -> Result<Option<Trace>, Refusal> {
    let mut extended = system.clone();
    let clauses = invariant.build(extended.aig_mut(), |_, node| Lit::positive(node));
    let violated = !extended.aig_mut().and_all(clauses);
    let mut search = Search::new(&extended, vec![violated])?;
    search.run(Until::AllSeen);
    Ok(search.seen[0].map(|seen| search.trace(seen)))
}

/// The states that occur in some step of some execution, all constraints true up to and including that step.
pub fn reachable_states(system: &BitSystem) -> Result<StateSet, Refusal> {
    let mut search = Search::new(system, Vec::new())?;
    search.run(Until::Exhausted);
    Ok(search.occurred)
}

/// A set of states of a system with at most [`MAX_LATCHES`] latches.
#[derive(Clone, PartialEq, Eq)]
pub struct StateSet {
    n_latches: usize,
    bits: Vec<u64>,
}

impl StateSet {
    fn new(n_latches: usize) -> StateSet {
        StateSet { n_latches, bits: vec![0; (1usize << n_latches).div_ceil(64)] }
    }
    /// Is the state in which exactly the latches with a 1 in `state` are true a member?
    fn has(&self, state: u32) -> bool {
        self.bits[state as usize / 64] >> (state % 64) & 1 == 1
    }
    /// Add a state; was it new?
    fn insert(&mut self, state: u32) -> bool {
        let new = !self.has(state);
        self.bits[state as usize / 64] |= 1 << (state % 64);
        new
    }
    /// Is the state, one value a latch, a member?
    pub fn contains(&self, state: &[bool]) -> bool {
        state.len() == self.n_latches && self.has(encode(state))
    }
    /// How many states there are.
    pub fn len(&self) -> usize {
        self.bits.iter().map(|w| w.count_ones() as usize).sum()
    }
    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|&w| w == 0)
    }
    /// The states, one value a latch, in increasing order as binary numbers with latch 0 lowest.
    pub fn iter(&self) -> impl Iterator<Item = Vec<bool>> {
        (0..1u32 << self.n_latches).filter(|&s| self.has(s)).map(|s| decode(s, self.n_latches))
    }
}

impl fmt::Debug for StateSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |s: Vec<bool>| s.iter().map(|&b| if b { '1' } else { '0' }).collect::<String>();
        f.debug_set().entries(self.iter().map(text)).finish()
    }
}

fn encode(bits: &[bool]) -> u32 {
    bits.iter().enumerate().fold(0, |s, (i, &b)| s | (b as u32) << i)
}

fn decode(code: u32, n: usize) -> Vec<bool> {
    (0..n).map(|i| code >> i & 1 == 1).collect()
}

/// When a search may stop.
#[derive(PartialEq)]
enum Until {
    AllSeen,
    Exhausted,
}

/// A state that was reached after at least one step, and how.
#[derive(Clone, Copy)]
struct Node {
    state: u32,
    /// The node before; for a node of depth 1 the initial state itself.
    parent: u32,
    /// The inputs in the step before.
    inputs: u32,
}

/// The first step in which a watched signal was true.
#[derive(Clone, Copy)]
struct Seen {
    step: Step,
    depth: u32,
}

/// One (state, inputs) pair that a lane simulates.
#[derive(Clone, Copy, Default)]
struct Step {
    state: u32,
    inputs: u32,
    /// The node of the state; for the first step the state itself.
    from: u32,
}

const LANES: usize = 64;

struct Search<'s> {
    system: &'s BitSystem,
    watched: Vec<Lit>,
    seen: Vec<Option<Seen>>,
    /// The tree of the search, level by level; it is its own queue.
    nodes: Vec<Node>,
    /// The states that have a node. An initial state has one only if it can be entered again: before that it
    /// may not have been combined with all inputs.
    visited: StateSet,
    /// The states in which all constraints held for some inputs.
    occurred: StateSet,
    /// The simulation: one word a node of the circuit.
    words: Vec<u64>,
}

impl<'s> Search<'s> {
    fn new(system: &'s BitSystem, watched: Vec<Lit>) -> Result<Search<'s>, Refusal> {
        let (n_latches, n_inputs) = (system.latches().len(), system.inputs().len());
        if n_latches > MAX_LATCHES
            || n_inputs > MAX_INPUTS
            || n_inputs + n_uninitialised(system) > MAX_LATCHES
        {
            return Err(Refusal::TooLarge);
        }
        ResetOrder::new(system).map_err(|_| Refusal::CyclicReset)?;
        Ok(Search {
            system,
            seen: vec![None; watched.len()],
            watched,
            nodes: Vec::new(),
            visited: StateSet::new(n_latches),
            occurred: StateSet::new(n_latches),
            words: vec![0; system.aig().n_vars()],
        })
    }

    fn run(&mut self, until: Until) {
        let n_inputs = 1u32 << self.system.inputs().len();
        let n_free = n_inputs << n_uninitialised(self.system);
        self.in_lanes(0, (0..n_free).map(|code| (code, code % n_inputs, code / n_inputs)));
        let (mut level, mut depth) = (0..self.nodes.len(), 1);
        while !level.is_empty() && (until == Until::Exhausted || self.seen.iter().any(Option::is_none)) {
            let nodes = self.nodes[level.clone()].to_vec();
            let base = level.start as u32;
            let states = nodes.iter().zip(base..).map(|(node, i)| (i, node.state));
            self.in_lanes(depth, states.flat_map(|(i, s)| (0..n_inputs).map(move |inputs| (i, inputs, s))));
            level = level.end..self.nodes.len();
            depth += 1;
        }
    }

    /// Simulate steps (from, inputs, state) of the given depth, 64 at a time. At depth 0 the state has one bit
    /// for each uninitialised latch, and the reset functions say the rest.
    fn in_lanes(&mut self, depth: u32, steps: impl Iterator<Item = (u32, u32, u32)>) {
        let mut lanes = [Step::default(); LANES];
        let mut n = 0;
        let mut steps = steps.peekable();
        while let Some((from, inputs, state)) = steps.next() {
            lanes[n] = Step { state, inputs, from };
            n += 1;
            if n == LANES || steps.peek().is_none() {
                self.load(&lanes[..n], depth == 0);
                if depth == 0 {
                    self.settle_resets();
                    for (lane, step) in lanes[..n].iter_mut().enumerate() {
                        step.state = self.gather(lane, |l| Lit::positive(l.var));
                        step.from = step.state;
                    }
                } else {
                    simulate::propagate(self.system.aig(), &mut self.words);
                }
                self.record(depth, &lanes[..n]);
                n = 0;
            }
        }
    }

    /// Put the steps into the lanes. With `initial`, the bits of the state are for the uninitialised latches.
    fn load(&mut self, steps: &[Step], initial: bool) {
        let word = |bit: &dyn Fn(&Step) -> u32| {
            steps.iter().enumerate().fold(0, |w, (lane, step)| w | u64::from(bit(step) & 1) << lane)
        };
        for (i, input) in self.system.inputs().iter().enumerate() {
            self.words[input.lit.var().index()] = word(&|s| s.inputs >> i);
        }
        let mut position = 0;
        for latch in self.system.latches() {
            self.words[latch.var.index()] = if initial && !latch.is_uninitialised() {
                0
            } else {
                position += 1;
                word(&|s| s.state >> (position - 1))
            };
        }
    }

    /// Evaluate reset functions by going round until nothing changes: slower than an order of evaluation, but
    /// with nothing to get wrong. Acyclic resets settle in one round a latch at most.
    fn settle_resets(&mut self) {
        loop {
            simulate::propagate(self.system.aig(), &mut self.words);
            let mut changed = false;
            for latch in self.system.latches() {
                let value = simulate::word(&self.words, latch.reset);
                changed |= std::mem::replace(&mut self.words[latch.var.index()], value) != value;
            }
            if !changed {
                return;
            }
        }
    }

    /// The values of one edge of every latch in one lane, as a state.
    fn gather(&self, lane: usize, edge: impl Fn(&Latch) -> Lit) -> u32 {
        let bit = |l| (simulate::word(&self.words, edge(l)) >> lane & 1) as u32;
        self.system.latches().iter().enumerate().fold(0, |s, (i, l)| s | bit(l) << i)
    }

    /// Take note of what the simulated steps show: watched signals, and states that are new.
    fn record(&mut self, depth: u32, steps: &[Step]) {
        let used = u64::MAX >> (LANES - steps.len());
        let constraints = self.system.constraints.iter();
        let legal = constraints.fold(used, |w, c| w & simulate::word(&self.words, c.lit));
        for (seen, &lit) in self.seen.iter_mut().zip(&self.watched) {
            let lanes = legal & simulate::word(&self.words, lit);
            if seen.is_none() && lanes != 0 {
                *seen = Some(Seen { step: steps[lanes.trailing_zeros() as usize], depth });
            }
        }
        for (lane, step) in steps.iter().enumerate().filter(|(lane, _)| legal >> lane & 1 == 1) {
            self.occurred.insert(step.state);
            let state = self.gather(lane, |l| l.next);
            if self.visited.insert(state) {
                self.nodes.push(Node { state, parent: step.from, inputs: step.inputs });
            }
        }
    }

    /// The way from an initial state to what was seen.
    fn trace(&self, seen: Seen) -> Trace {
        let n_inputs = self.system.inputs().len();
        let mut inputs = vec![decode(seen.step.inputs, n_inputs)];
        let mut from = seen.step.from;
        for _ in 0..seen.depth {
            let node = self.nodes[from as usize];
            inputs.push(decode(node.inputs, n_inputs));
            from = node.parent;
        }
        inputs.reverse();
        Trace::finite(decode(from, self.system.latches().len()), inputs)
    }
}

fn n_uninitialised(system: &BitSystem) -> usize {
    system.latches().iter().filter(|l| l.is_uninitialised()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;
    use indubit_logic::Clause;

    /// Replay by the definition, one step at a time.
    fn replays(system: &BitSystem, bad: Lit, trace: &Trace) -> bool {
        let order = ResetOrder::new(system).unwrap();
        let mut state = order.initial_state(system, &trace.inputs[0], |i| trace.initial[i]);
        let mut values = Vec::new();
        let legal = trace.inputs.iter().all(|inputs| {
            values = system.evaluate(&state, inputs);
            state = system.next_state(&values);
            system.constraints.iter().all(|c| simulate::value(&values, c.lit))
        });
        order.initial_state(system, &trace.inputs[0], |i| trace.initial[i]) == trace.initial
            && legal
            && simulate::value(&values, bad)
    }

    #[test]
    fn a_counter_has_its_depth_and_a_constraint_can_forbid_it() {
        let mut system = BitSystem::new();
        let bits = [0, 1, 2].map(|i| system.add_latch(&format!("c[{i}]"), Some(false)));
        let tick = system.add_input("tick");
        let mut carry = tick;
        for bit in bits {
            let sum = system.aig_mut().xor(bit, carry);
            system.set_next(bit, sum);
            carry = system.aig_mut().and(bit, carry);
        }
        let six = system.aig_mut().and_all([!bits[0], bits[1], bits[2]]);
        system.add_bad("six", six);
        system.add_bad("never", Lit::FALSE);
        system.add_bad("tick", tick);
        let unsafe_at = |depth| Answer::Unsafe { depth };
        assert_eq!(check(&system).unwrap(), [unsafe_at(6), Answer::Safe, unsafe_at(0)]);
        let trace = counterexample(&system, 0).unwrap().unwrap();
        assert_eq!(trace.len(), 6);
        assert!(replays(&system, six, &trace));
        assert_eq!(reachable_states(&system).unwrap().len(), 8);
        // The constraint must also hold in the bad step itself.
        system.add_constraint("not six", !six);
        assert_eq!(check(&system).unwrap()[0], Answer::Safe);
        let states = reachable_states(&system).unwrap();
        assert_eq!(states.len(), 6);
        assert!(!states.contains(&[false, true, true]) && states.contains(&[true, false, true]));
    }

    #[test]
    fn resets_are_bound_to_the_inputs_of_the_first_step() {
        let mut system = BitSystem::new();
        let i = system.add_input("i");
        let a = system.add_latch("a", None);
        let b = system.add_latch("b", None);
        system.set_reset(a, i);
        system.set_reset(b, !a);
        let differs = system.aig_mut().xor(a, i);
        let both = system.aig_mut().and(a, b);
        system.add_bad("differs", differs);
        system.add_bad("both", both);
        assert_eq!(check(&system).unwrap(), [Answer::Unsafe { depth: 1 }, Answer::Safe]);
        let trace = counterexample(&system, 0).unwrap().unwrap();
        assert!(replays(&system, differs, &trace));
        let states: Vec<_> = reachable_states(&system).unwrap().iter().collect();
        assert_eq!(states, [[true, false], [false, true]]);
    }

    #[test]
    fn counterexamples_of_random_systems_replay_and_invariants_are_judged() {
        let mut n_traces = 0;
        for seed in 0..500 {
            let system = random::system(seed, &random::Config::default());
            let answers = check(&system).unwrap();
            let reachable = reachable_states(&system).unwrap();
            for (i, (signal, answer)) in system.bad_signals().iter().zip(answers).enumerate() {
                let trace = counterexample(&system, i).unwrap();
                assert_eq!(trace.as_ref().map(|t| t.len() as u32), answer.depth());
                assert!(trace.as_ref().is_none_or(|t| replays(&system, signal.lit, t)), "seed {seed}");
                n_traces += trace.is_some() as usize;
                let mut invariant = Invariant::new(system.aig().n_vars());
                invariant.add(Clause::new([!signal.lit]));
                assert_eq!(refute(&system, &invariant).unwrap(), trace);
            }
            // The strongest invariant holds, and without any one of its states it does not.
            let mut all = Invariant::new(system.aig().n_vars());
            let cube = |state: &[bool]| {
                let latches = system.latches().iter().zip(state);
                latches.map(|(l, &v)| Lit::with_value(l.var, v)).collect::<Vec<_>>()
            };
            for state in (0..1 << system.latches().len()).map(|s| decode(s, system.latches().len())) {
                if !reachable.contains(&state) {
                    all.add(Clause::new(cube(&state).into_iter().map(|l| !l)));
                }
            }
            assert_eq!(refute(&system, &all).unwrap(), None);
            if let Some(state) = reachable.iter().last() {
                all.add(Clause::new(cube(&state).into_iter().map(|l| !l)));
                assert!(refute(&system, &all).unwrap().is_some());
            }
        }
        assert!(n_traces > 100);
    }

    #[test]
    fn refusals() {
        let mut system = BitSystem::new();
        let a = system.add_latch("a", None);
        system.set_reset(a, !a);
        assert_eq!(check(&system), Err(Refusal::CyclicReset));
        let mut system = BitSystem::new();
        for _ in 0..=MAX_INPUTS {
            system.add_input("");
        }
        assert_eq!(check(&system), Err(Refusal::TooLarge));
        assert_eq!(check(&BitSystem::new()), Ok(vec![]));
    }
}
