//! The graph of all states of a model, and the answers that it gives.
//!
//! A run satisfies a formula or not; along a run each part of the formula is true or false in each step. So a run that violates a formula is a way through nodes that are a state with inputs,
//! what has been (for operators about the past), and what is said to come (for those about the future), where everything that was said comes true. What is said for ever must come true in the end:
//! `F` some time, and `G` fails some time if it is false. Such a way exists iff there is a cycle that is fair to all of that, to the fairness of the model, and to its compassion; that is found in the
//! components of the graph, as Streett conditions are (Emerson, Lei, *Modalities for model checking*, 1987).

use super::model::{Expr, Model, Value};
use super::temporal::{Bounded, Formula, One, Two};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// A graph has at most so many states with inputs.
const MOST_NODES: usize = 200;
/// So much may be said of what comes.
const MOST_GUESSES: usize = 6;
/// So many nodes are looked at for a formula.
const MOST_MOMENTS: usize = 60_000;

/// What can be asked.
pub struct Answers {
    /// States with the inputs of their step, those that can be reached.
    nodes: Vec<Vec<Value>>,
    /// The state of each: nodes that differ in inputs only have the same.
    states: Vec<usize>,
    steps: Vec<Vec<usize>>,
    initial: Vec<usize>,
    fairness: Vec<Vec<bool>>,
    compassion: Vec<Vec<[bool; 2]>>,
}

impl Answers {
    /// All of a model; `None` if it is too large.
    pub fn new(model: &Model) -> Option<Answers> {
        let (states, inputs) = (model.rows(false), model.rows(true));
        if states.len() * inputs.len() > MOST_NODES {
            return None;
        }
        let states: Vec<Vec<Value>> = states.into_iter().filter(|s| model.is_state(s)).collect();
        let all: Vec<Vec<Value>> =
            states.iter().flat_map(|s| inputs.iter().map(|i| model.joined(s, i))).collect();
        let n_inputs = inputs.len();
        let after: Vec<Vec<usize>> = all
            .iter()
            .map(|now| {
                let next = (0..states.len()).filter(|&s| model.is_step(now, &states[s]));
                next.flat_map(|s| s * n_inputs..(s + 1) * n_inputs).collect()
            })
            .collect();
        let begins = |s: &usize| model.is_initial(&states[*s]);
        let initial: Vec<usize> =
            (0..states.len()).filter(begins).flat_map(|s| s * n_inputs..(s + 1) * n_inputs).collect();
        // Those that can be reached.
        let mut place: HashMap<usize, usize> = HashMap::new();
        let mut order: Vec<usize> = Vec::new();
        let mut open = initial.clone();
        while let Some(node) = open.pop() {
            if let Entry::Vacant(entry) = place.entry(node) {
                entry.insert(order.len());
                order.push(node);
                open.extend(&after[node]);
            }
        }
        let (fairness, compassion) = order.iter().map(|&node| model.fairness(&all[node])).unzip();
        Some(Answers {
            nodes: order.iter().map(|&node| all[node].clone()).collect(),
            states: order.iter().map(|node| node / n_inputs).collect(),
            steps: order.iter().map(|&node| after[node].iter().map(|n| place[n]).collect()).collect(),
            initial: initial.iter().map(|n| place[n]).collect(),
            fairness,
            compassion,
        })
    }
    /// Has a reachable state no successor, whatever the inputs?
    pub fn deadlocks(&self) -> bool {
        let mut goes_on: HashMap<usize, bool> = HashMap::new();
        for (state, steps) in self.states.iter().zip(&self.steps) {
            *goes_on.entry(*state).or_default() |= !steps.is_empty();
        }
        goes_on.values().any(|goes_on| !goes_on)
    }
    /// Is there a reachable state, or a step from one, in which this does not hold?
    pub fn is_broken(&self, holds: &Expr, is_step: bool) -> bool {
        let broken = |i: usize| match is_step {
            false => !holds.holds(&self.nodes[i], &self.nodes[i]),
            true => self.steps[i].iter().any(|&then| !holds.holds(&self.nodes[i], &self.nodes[then])),
        };
        (0..self.nodes.len()).any(broken)
    }
    /// Is there an infinite run that is fair and does not satisfy the formula? `None` if that is too much to find out.
    pub fn is_violated(&self, formula: &Formula) -> Option<bool> {
        let mut parts = Parts::default();
        parts.add(formula);
        if parts.n_guesses > MOST_GUESSES {
            return None;
        }
        let mut moments: Vec<Moment> = Vec::new();
        let mut known: HashMap<(usize, Vec<bool>, usize), usize> = HashMap::new();
        let mut steps: Vec<Vec<usize>> = Vec::new();
        let guesses = |number: usize| (0..parts.n_guesses).map(|i| number >> i & 1 == 1).collect::<Vec<_>>();
        for &node in &self.initial {
            for number in 0..1 << parts.n_guesses {
                let moment = parts.moment(&self.nodes[node], node, &parts.before, &guesses(number));
                if !moment.values[parts.all.len() - 1] {
                    known.insert((node, parts.before.clone(), number), moments.len());
                    moments.push(moment);
                }
            }
        }
        let mut done = 0;
        while done < moments.len() {
            if moments.len() > MOST_MOMENTS {
                return None;
            }
            let (node, memory) = (moments[done].node, moments[done].after.clone());
            let mut own = Vec::new();
            for &then in &self.steps[node] {
                for number in 0..1 << parts.n_guesses {
                    let key = (then, memory.clone(), number);
                    if let Some(&id) = known.get(&key) {
                        if parts.comes_true(&moments[done], &moments[id]) {
                            own.push(id);
                        }
                        continue;
                    }
                    let moment = parts.moment(&self.nodes[then], then, &memory, &guesses(number));
                    if parts.comes_true(&moments[done], &moment) {
                        known.insert(key, moments.len());
                        own.push(moments.len());
                        moments.push(moment);
                    }
                }
            }
            steps.push(own);
            done += 1;
        }
        let is_fair = |component: &[usize]| {
            let sees = |holds: &dyn Fn(usize) -> bool| component.iter().any(|&m| holds(m));
            (0..self.fairness.first().map_or(0, Vec::len))
                .all(|f| sees(&|m| self.fairness[moments[m].node][f]))
                && (0..parts.n_fulfilled).all(|f| sees(&|m| moments[m].fulfilled[f]))
        };
        let pairs = self.compassion.first().map_or(0, Vec::len);
        let says = |m: usize, pair: usize, side: usize| self.compassion[moments[m].node][pair][side];
        let mut open: Vec<Vec<usize>> = vec![(0..moments.len()).collect()];
        while let Some(subset) = open.pop() {
            for component in components(&steps, &subset) {
                if !is_fair(&component) {
                    continue;
                }
                let broken: Vec<usize> = (0..pairs)
                    .filter(|&p| {
                        component.iter().any(|&m| says(m, p, 0)) && !component.iter().any(|&m| says(m, p, 1))
                    })
                    .collect();
                if broken.is_empty() {
                    return Some(true);
                }
                // What asks for something that never comes is avoided.
                open.push(
                    component.into_iter().filter(|&m| !broken.iter().any(|&p| says(m, p, 0))).collect(),
                );
            }
        }
        Some(false)
    }
}

/// A state with inputs, and the truth of all parts of a formula.
struct Moment {
    node: usize,
    values: Vec<bool>,
    guesses: Vec<bool>,
    /// What the next moment knows of the past.
    after: Vec<bool>,
    fulfilled: Vec<bool>,
}

/// The parts of a formula, each after those it is made of.
#[derive(Default)]
struct Parts<'f> {
    all: Vec<(&'f Formula, Vec<usize>)>,
    /// Where the guesses of a part are, and its memory.
    guesses: Vec<usize>,
    memories: Vec<usize>,
    n_guesses: usize,
    n_fulfilled: usize,
    /// What is known of the past before the first step.
    before: Vec<bool>,
}

impl<'f> Parts<'f> {
    fn add(&mut self, formula: &'f Formula) -> usize {
        let operands = match formula {
            Formula::Atom(_) => Vec::new(),
            Formula::One(_, a) | Formula::Within(_, _, _, a) => vec![self.add(a)],
            Formula::Two(_, a, b) => vec![self.add(a), self.add(b)],
        };
        self.guesses.push(self.n_guesses);
        self.memories.push(self.before.len());
        match formula {
            Formula::One(One::X, _) => self.n_guesses += 1,
            Formula::One(One::F | One::G, _) | Formula::Two(Two::U | Two::V, ..) => {
                self.n_guesses += 1;
                self.n_fulfilled += 1;
            }
            Formula::Within(Bounded::F | Bounded::G, _, to, _) => self.n_guesses += to,
            Formula::One(One::Y | One::O, _) | Formula::Two(Two::S, ..) => self.before.push(false),
            Formula::One(One::Z | One::H, _) | Formula::Two(Two::T, ..) => self.before.push(true),
            Formula::Within(Bounded::O | Bounded::H, _, to, _) => self.before.extend(vec![false; *to]),
            Formula::Atom(_) | Formula::One(One::Not, _) | Formula::Two(..) => (),
        }
        self.all.push((formula, operands));
        self.all.len() - 1
    }
    fn moment(&self, row: &[Value], node: usize, memory: &[bool], guesses: &[bool]) -> Moment {
        let mut values: Vec<bool> = Vec::new();
        let (mut after, mut fulfilled) = (memory.to_vec(), Vec::new());
        for (part, (formula, operands)) in self.all.iter().enumerate() {
            let (g, m) = (self.guesses[part], self.memories[part]);
            let a = operands.first().map(|&o| values[o]).unwrap_or_default();
            let b = operands.get(1).map(|&o| values[o]).unwrap_or_default();
            let value = match formula {
                Formula::Atom(atom) => atom.holds(row, row),
                Formula::One(op, _) => match op {
                    One::Not => !a,
                    One::X => guesses[g],
                    One::F => a || guesses[g],
                    One::G => a && guesses[g],
                    One::Y | One::Z => memory[m],
                    One::O => a || memory[m],
                    One::H => a && memory[m],
                },
                Formula::Two(op, ..) => match op {
                    Two::And => a && b,
                    Two::Or => a || b,
                    Two::Implies => !a || b,
                    Two::Iff => a == b,
                    Two::Xor => a != b,
                    Two::U => b || a && guesses[g],
                    Two::V => b && (a || guesses[g]),
                    Two::S => b || a && memory[m],
                    Two::T => b && (a || memory[m]),
                },
                Formula::Within(op, from, to, _) => {
                    // What was or will be so many steps away; before the first step nothing was.
                    let at = |k: usize| match op {
                        _ if k == 0 => a,
                        Bounded::F | Bounded::G => guesses[g + k - 1],
                        Bounded::O | Bounded::H => memory[m + k - 1],
                    };
                    let mut steps = *from..=*to;
                    if matches!(op, Bounded::F | Bounded::O) { steps.any(at) } else { steps.all(at) }
                }
            };
            match formula {
                Formula::One(One::Y | One::Z, _) => after[m] = a,
                Formula::One(One::O | One::H, _) | Formula::Two(Two::S | Two::T, ..) => after[m] = value,
                Formula::Within(Bounded::O | Bounded::H, _, to, _) if *to > 0 => {
                    after[m + 1..m + to].copy_from_slice(&memory[m..m + to - 1]);
                    after[m] = a;
                }
                Formula::One(One::F, _) => fulfilled.push(!value || a),
                Formula::One(One::G, _) => fulfilled.push(value || !a),
                Formula::Two(Two::U, ..) => fulfilled.push(!value || b),
                Formula::Two(Two::V, ..) => fulfilled.push(value || !b),
                _ => (),
            }
            values.push(value);
        }
        Moment { node, values, guesses: guesses.to_vec(), after, fulfilled }
    }
    /// Is what a moment says of the next one so there?
    fn comes_true(&self, now: &Moment, then: &Moment) -> bool {
        self.all.iter().enumerate().all(|(part, (formula, operands))| {
            let g = self.guesses[part];
            match formula {
                Formula::One(One::X, _) => now.guesses[g] == then.values[operands[0]],
                Formula::One(One::F | One::G, _) | Formula::Two(Two::U | Two::V, ..) => {
                    now.guesses[g] == then.values[part]
                }
                Formula::Within(Bounded::F | Bounded::G, _, to, _) => (0..*to).all(|k| {
                    now.guesses[g + k]
                        == if k == 0 { then.values[operands[0]] } else { then.guesses[g + k - 1] }
                }),
                _ => true,
            }
        })
    }
}

/// The components of a part of a graph in which each node can be reached from each, by one step at least.
fn components(steps: &[Vec<usize>], subset: &[usize]) -> Vec<Vec<usize>> {
    let mut inside = vec![false; steps.len()];
    subset.iter().for_each(|&node| inside[node] = true);
    // Nodes in the order in which a search leaves them (Kosaraju).
    let (mut order, mut seen) = (Vec::new(), vec![false; steps.len()]);
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
    for &root in subset {
        let mut path = if seen[root] { Vec::new() } else { vec![(root, 0)] };
        seen[root] = true;
        while let Some((node, at)) = path.last_mut() {
            match steps[*node].get(*at) {
                Some(&then) => {
                    *at += 1;
                    if inside[then] && !seen[then] {
                        seen[then] = true;
                        path.push((then, 0));
                    }
                }
                None => {
                    order.push(*node);
                    path.pop();
                }
            }
        }
    }
    for &node in subset {
        steps[node].iter().filter(|&&then| inside[then]).for_each(|&then| back[then].push(node));
    }
    let (mut taken, mut found) = (vec![false; steps.len()], Vec::new());
    for &root in order.iter().rev() {
        if taken[root] {
            continue;
        }
        taken[root] = true;
        let (mut component, mut open) = (Vec::new(), vec![root]);
        while let Some(node) = open.pop() {
            component.push(node);
            for &before in &back[node] {
                if !taken[before] {
                    taken[before] = true;
                    open.push(before);
                }
            }
        }
        let is_cycle = component.len() > 1 || steps[root].contains(&root);
        if is_cycle {
            found.push(component);
        }
    }
    found
}
