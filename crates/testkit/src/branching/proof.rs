//! Proofs by sets of states that are written down one by one: exact ones, and whatever a test makes of them.

use super::tables::Tables;
use super::{Judged, Peeled, Reference, Set};
use fastrand::Rng;
use indubit_logic::{Clause, Var};
use indubit_system::{Bounds, Branching, Choice, CtlNode, CtlProof, Ranked, Stuck};

/// What is left open by what is true: how a proof says it.
#[derive(Clone, Copy, Debug)]
pub struct Flavour {
    /// It has the states that can be reached as an invariant, and sets are anything outside of that.
    pub has_invariant: bool,
    /// It says nothing about states without a fair path but that they have none.
    pub is_fair_only: bool,
    /// It takes stuck states one set after the other, and not all at once by an order.
    pub is_one_by_one: bool,
    /// What it says where it may say anything.
    pub seed: u64,
}

impl Flavour {
    /// One of them.
    pub fn random(seed: u64) -> Flavour {
        let mut rng = Rng::with_seed(seed);
        let [has_invariant, is_fair_only, is_one_by_one] = [(); 3].map(|()| rng.bool());
        Flavour { has_invariant, is_fair_only, is_one_by_one, seed }
    }
}

/// What a proof says of a temporal operator.
#[derive(Clone, Debug)]
pub struct ExplicitSets {
    /// Where it holds.
    pub yes: Set,
    /// Where it does not.
    pub no: Set,
    /// For each choice and each state the inputs, and the rank.
    pub choices: Vec<Vec<(u32, u32)>>,
    /// Of *globally*: where it does not hold as what is inside does not, or no fair path begins.
    pub blocked: Set,
    /// Of *globally*: what was taken away of the other states.
    pub peeled: Vec<Peeled>,
}

/// A proof by sets of states.
#[derive(Clone, Debug)]
pub struct ExplicitProof {
    /// The invariant.
    pub invariant: Option<Set>,
    /// What it says of fair paths.
    pub fair: ExplicitSets,
    /// What it says of the operators.
    pub operators: Vec<ExplicitSets>,
    /// Where the formula fails.
    pub fails_in: Option<usize>,
    /// How it is said.
    pub flavour: Flavour,
}

impl ExplicitProof {
    /// What is true.
    pub fn exact(reference: &Reference, flavour: Flavour) -> ExplicitProof {
        let invariant = flavour.has_invariant.then(|| reference.states.reachable());
        let mut exact =
            Exact { reference, flavour, invariant: invariant.as_deref(), rng: Rng::with_seed(flavour.seed) };
        let everything = vec![true; reference.states.len()];
        let fair = exact.globally(&reference.fair, &everything, true);
        let mut operators = Vec::new();
        for (node, judged) in reference.formula.nodes().iter().zip(&reference.nodes) {
            match *node {
                CtlNode::ExistsNext(p) => operators.push(exact.next(judged, &reference.nodes[p.index()].set)),
                CtlNode::ExistsUntil(..) => operators.push(exact.until(judged)),
                CtlNode::ExistsGlobally(p) => {
                    operators.push(exact.globally(judged, &reference.nodes[p.index()].set, false));
                }
                CtlNode::True | CtlNode::Atom(_) | CtlNode::Not(_) | CtlNode::And(..) => (),
            }
        }
        let fails_in = reference.fails_in();
        ExplicitProof { invariant, fair, operators, fails_in, flavour }
    }

    /// The proof about the graph of the system and the formula.
    pub fn build(&self, graph: &Branching) -> CtlProof {
        let mut proof = CtlProof::new(graph);
        let bits: Vec<Var> = graph.circuit.latches.iter().map(|latch| latch.var).collect();
        let mut tables = Tables::new(&bits, &mut proof.with);
        if let Some(invariant) = &self.invariant {
            let lit = tables.set(invariant);
            tables.with.add(Clause::new([lit]));
        }
        let bounds = |sets: &ExplicitSets, tables: &mut Tables<'_>| {
            let choice = |choice: &Vec<(u32, u32)>| {
                let (inputs, ranks): (Vec<u32>, Vec<u32>) = choice.iter().copied().unzip();
                let n_digits = u32::BITS - ranks.iter().max().map_or(0, |highest| highest.leading_zeros());
                let n_digits = if ranks.iter().all(|&rank| rank == 0) { 0 } else { n_digits };
                let n_inputs = graph.circuit.inputs.len() as u32;
                Choice { inputs: tables.number(n_inputs, &inputs), rank: tables.number(n_digits, &ranks) }
            };
            let choices = sets.choices.iter().map(choice).collect();
            let [yes, no] = [&sets.yes, &sets.no].map(|set| tables.set(set));
            Bounds { yes, no, choices, stuck: self.stuck(sets, graph, &bits, tables) }
        };
        proof.fair = bounds(&self.fair, &mut tables);
        proof.operators = self.operators.iter().map(|sets| bounds(sets, &mut tables)).collect();
        proof.fails_in = self.fails_in.map(|state| (0..bits.len()).map(|i| state >> i & 1 == 1).collect());
        proof
    }

    fn stuck(
        &self,
        sets: &ExplicitSets,
        graph: &Branching,
        bits: &[Var],
        tables: &mut Tables<'_>,
    ) -> Vec<Stuck> {
        let n_vars = graph.circuit.aig.n_vars();
        let n_signals = graph.signals().len();
        let union = |a: &Set, b: &Set| -> Set { a.iter().zip(b).map(|(&a, &b)| a || b).collect() };
        let nothing = vec![false; sets.no.len()];
        if self.flavour.is_one_by_one {
            let mut stuck: Vec<Stuck> = Vec::new();
            if sets.blocked.contains(&true) {
                // No run begins there.
                let mut why = Ranked::never(n_vars, 0, n_signals);
                why.with.add(Clause::new([]));
                stuck.push(Stuck { states: tables.set(&sets.blocked), why });
            }
            for peeled in &sets.peeled {
                let mut why = Ranked::never(n_vars, peeled.signal, n_signals);
                let stays = Tables::new(bits, &mut why.with).set(&peeled.set);
                why.with.add(Clause::new([stays]));
                stuck.push(Stuck { states: tables.set(&peeled.set), why });
            }
            return stuck;
        }
        let all = sets.peeled.iter().fold(nothing.clone(), |all, peeled| union(&all, &peeled.set));
        let states = union(&all, &sets.blocked);
        if !states.contains(&true) {
            return Vec::new();
        }
        let mut why = Ranked::new(n_vars, Vec::new(), Vec::new(), n_signals);
        let mut own = Tables::new(bits, &mut why.with);
        // From the last set that was taken away to the first: paths only go down.
        let last = sets.peeled.len().saturating_sub(1) as u32;
        let numbers = (0..nothing.len()).map(|state| {
            let number = sets.peeled.iter().position(|peeled| peeled.set[state]);
            number.map_or(0, |number| last - number as u32)
        });
        let numbers: Vec<u32> = numbers.collect();
        let mut order = own.number(u32::BITS - last.leading_zeros(), &numbers);
        order.reverse();
        let absent = (0..n_signals).map(|signal| {
            let own = sets.peeled.iter().filter(|peeled| peeled.signal == signal);
            own.fold(nothing.clone(), |all, peeled| union(&all, &peeled.set))
        });
        let absent = absent.map(|set| own.set(&set)).collect();
        let stays = own.set(&all);
        (why.order, why.absent) = (order, absent);
        why.with.add(Clause::new([stays]));
        vec![Stuck { states: tables.set(&states), why }]
    }
}

/// Makes what is true.
struct Exact<'r> {
    reference: &'r Reference,
    flavour: Flavour,
    invariant: Option<&'r [bool]>,
    rng: Rng,
}

impl Exact<'_> {
    /// In the invariant what is known, and anything elsewhere.
    fn anything_outside(&mut self, mut set: Set) -> Set {
        if let Some(invariant) = self.invariant {
            let outside = set.iter_mut().zip(invariant).filter(|(_, is_inside)| !**is_inside);
            outside.for_each(|(member, _)| *member = self.rng.bool());
        }
        set
    }
    /// The sets in which an operator holds, and does not.
    fn sets(&mut self, judged: &Judged, is_fair: bool) -> [Set; 2] {
        let fair = &self.reference.fair.set;
        let only = self.flavour.is_fair_only && !is_fair;
        let no = judged.set.iter().zip(fair).map(|(&yes, &fair)| !yes && (fair || !only)).collect();
        let yes = self.anything_outside(judged.set.clone());
        [yes, self.anything_outside(no)]
    }
    /// For each state of a set the inputs of a step that is wanted.
    fn choice(
        &self,
        set: &Set,
        rank: impl Fn(usize) -> u32,
        is_wanted: impl Fn(usize, &super::Step) -> bool,
    ) -> Vec<(u32, u32)> {
        let steps = self.reference.states.steps.iter().enumerate();
        let choice = steps.map(|(state, steps)| {
            let step = steps.iter().filter(|_| set[state]).find(|step| is_wanted(state, step));
            (step.map_or(0, |step| step.inputs), rank(state))
        });
        choice.collect()
    }
    fn without_stuck([yes, no]: [Set; 2], choices: Vec<Vec<(u32, u32)>>) -> ExplicitSets {
        let blocked = vec![false; yes.len()];
        ExplicitSets { yes, no, choices, blocked, peeled: Vec::new() }
    }
    fn next(&mut self, judged: &Judged, goal: &Set) -> ExplicitSets {
        let fair = &self.reference.fair.set;
        let choice = self.choice(&judged.set, |_| 0, |_, step| goal[step.to] && fair[step.to]);
        Exact::without_stuck(self.sets(judged, false), vec![choice])
    }
    fn until(&mut self, judged: &Judged) -> ExplicitSets {
        let distance = |state: usize| judged.distances[0][state];
        let closer =
            |state: usize, step: &super::Step| judged.set[step.to] && distance(step.to) < distance(state);
        let choice = self.choice(&judged.set, distance, closer);
        Exact::without_stuck(self.sets(judged, false), vec![choice])
    }
    fn globally(&mut self, judged: &Judged, inside: &Set, is_fair: bool) -> ExplicitSets {
        let choice = |(signal, distances): (usize, &Vec<u32>)| {
            let closer = |state: usize, step: &super::Step| {
                let is_seen = step.seen >> signal & 1 == 1;
                judged.set[step.to] && (is_seen || distances[step.to] < distances[state])
            };
            self.choice(&judged.set, |state| distances[state], closer)
        };
        let choices = judged.distances.iter().enumerate().map(choice).collect();
        let [yes, no] = self.sets(judged, is_fair);
        let fair = &self.reference.fair.set;
        let blocked = (0..no.len()).map(|s| !(is_fair || inside[s] && fair[s])).collect();
        // The rest of the set is outside of the invariant.
        ExplicitSets { yes, no, choices, blocked, peeled: judged.peeled.clone() }
    }
}
