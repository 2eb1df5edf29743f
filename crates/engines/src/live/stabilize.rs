//! Signals that stabilize (K. Claessen, N. Sörensson, *A Liveness Checking Algorithm that Counts*, FMCAD 2012, section V).
//!
//! A literal that no step makes false again once it is true changes at most once. If that is so in steps in which others like it do not change, it
//! changes finitely often, once those have stopped. So there is an order of literals, in which they were found, such that in each run all of them
//! have stopped changing at some time; and the first of them that changes in a step becomes true.

use super::watch::different;
use indubit_aig::{Definition, Encoder, simulate};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Run};
use indubit_sat::{Circuit, Counted, RelConfig, RelSolver, Solve, SolveWith};
use indubit_system::{Fact, Liveness, Safety};
use std::collections::VecDeque;

/// Which signals are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stabilize {
    /// None.
    Off,
    /// Latches.
    Latches,
    /// Latches, and then gates that depend on latches only.
    Gates,
}

/// More gates than that are not looked at.
const MOST_GATES: usize = 5_000;
/// More effort than that is not taken: a few seconds,
const MOST_TICKS: u64 = 100_000_000;
/// and so much more for each fact that was found.
pub(super) const TICKS_PER_FACT: u64 = 200_000;
/// Ticks that are a step of IC3, as effort goes,
const TICKS: u64 = 20_000;
/// and nodes of a model that are a tick.
const NODES: u64 = 16;
/// How many steps are remembered that show what does not stabilize.
const MOST_STEPS: usize = 512;

/// What is so from some step on in each run that sees all signals infinitely often.
pub(super) fn stabilizing(problem: &Liveness, which: Stabilize, run: &mut Run<'_>) -> Ask<Vec<Fact>> {
    if which == Stabilize::Off {
        return Ok(Vec::new());
    }
    let found = loop {
        if let Some(found) = problem.facts().get() {
            break found.to_vec();
        }
        match problem.facts().find() {
            Some(finder) => finder.tell(search(problem, which, run)?),
            None => run.cancel().give_way()?,
        }
    };
    let n_rest = found.iter().filter(|fact| fact.is_for.is_none()).count();
    run.count("signals that stabilize", n_rest as u64);
    run.count("signals that stabilize at a known value", (found.len() - n_rest) as u64);
    Ok(found)
}

fn search(problem: &Liveness, which: Stabilize, run: &mut Run<'_>) -> Ask<Vec<Fact>> {
    // With gates for what signals become.
    let circuit = &mut problem.circuit().clone();
    let latches: Vec<Candidate> =
        circuit.latches.iter().map(|l| Candidate { now: Lit::positive(l.var), next: l.next }).collect();
    let mut search = Search::new(circuit, run);
    let mut others = search.run(circuit, latches, run)?;
    if which == Stabilize::Gates && search.unseen.is_none() {
        let (moving, at_rest) = gates(circuit, problem.circuit().aig.n_vars(), &others);
        others.extend(moving);
        search.open.extend(at_rest);
        // They do not know what these gates are.
        search.steps.clear();
        others = search.run(circuit, others, run)?;
    }
    search.look_at_sides(circuit, others, run)?;
    Ok(search.found)
}

/// A signal, and what it is one step later.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    now: Lit,
    next: Lit,
}

/// Gates that depend on latches only, among the first nodes of a circuit: those that may change, and those of latches at rest only.
fn gates(circuit: &mut Safety, n_vars: usize, restless: &[Candidate]) -> (Vec<Candidate>, Vec<Lit>) {
    let mut of_state = vec![false; n_vars];
    circuit.latches.iter().for_each(|l| of_state[l.var.index()] = true);
    let mut moves = vec![false; n_vars];
    restless.iter().for_each(|latch| moves[latch.now.var().index()] = true);
    let (mut gates, mut at_rest) = (Vec::new(), Vec::new());
    for (gate, [a, b]) in circuit.aig.ands().take_while(|(gate, _)| gate.index() < n_vars) {
        let known = |l: Lit| l.is_const() || of_state[l.var().index()];
        if known(a) && known(b) {
            of_state[gate.index()] = true;
            moves[gate.index()] = [a, b].iter().any(|l| moves[l.var().index()]);
            let side = if moves[gate.index()] { &mut gates } else { &mut at_rest };
            side.push(Lit::positive(gate));
        }
    }
    gates.truncate(MOST_GATES);
    at_rest.truncate(MOST_GATES);
    let source = circuit.aig.clone();
    let mut later = circuit.later();
    let next = |now: Lit| Candidate { now, next: later.lit(&source, &mut circuit.aig, now) };
    (gates.into_iter().map(next).collect(), at_rest)
}

/// A value of a literal at rest.
pub(super) struct Side {
    pub lit: Lit,
    /// What is known on this side is asserted if this leaf is true.
    pub active: Lit,
}

/// One step of a circuit in a solver, which keeps to all facts that are known.
pub(super) struct Search {
    pub solver: RelSolver,
    encoder: Encoder,
    pub found: Vec<Fact>,
    /// The literals that rest, and are not known to be true or false at the end.
    pub open: Vec<Lit>,
    /// Facts are looked for on this side of a literal at rest, or everywhere.
    pub side: Option<Side>,
    /// A signal that is not seen there.
    pub unseen: Option<usize>,
    /// Effort that may be taken, and more for each fact.
    pub most: u64,
    /// The last steps that are known where facts are looked for.
    pub steps: VecDeque<Step>,
    /// How many nodes were looked at in models and steps, beside what the solver does.
    pub n_nodes: u64,
    /// Effort so far.
    spent: u64,
    /// Inputs of the step after, if there are constraints that look at them.
    leaves: Vec<Var>,
}

impl Search {
    fn new(circuit: &mut Safety, run: &Run<'_>) -> Search {
        // The constraints hold before the step and after it.
        let mut constraints = circuit.constraints.clone();
        if !constraints.is_empty() {
            let source = circuit.aig.clone();
            let mut aig = source.clone();
            let mut later = circuit.later_with_inputs(&mut aig);
            constraints.extend(circuit.constraints.iter().map(|&c| later.lit(&source, &mut aig, c)));
            circuit.aig = aig;
        }
        let aig = &circuit.aig;
        let leaves = (1..aig.n_vars()).map(Var::from_index).filter(|&v| aig.fanins(v).is_none()).collect();
        let solver = RelSolver::new(run.cancel(), RelConfig { seed: run.seed, ..RelConfig::default() });
        let (encoder, found, open) = (Encoder::new(), Vec::new(), Vec::new());
        let (side, unseen, most, steps) = (None, None, MOST_TICKS, VecDeque::new());
        let mut search =
            Search { solver, encoder, found, open, side, unseen, most, steps, n_nodes: 0, spent: 0, leaves };
        constraints.into_iter().for_each(|constraint| search.assert(circuit, constraint));
        search
    }

    /// Look at all candidates until none is left that stabilizes: in one direction and the other, since what comes to rest first may be at either end.
    pub(super) fn run(
        &mut self,
        circuit: &mut Safety,
        mut candidates: Vec<Candidate>,
        run: &mut Run<'_>,
    ) -> Ask<Vec<Candidate>> {
        loop {
            let n_before = self.found.len();
            candidates.reverse();
            let mut i = 0;
            while i < candidates.len() && !self.is_tired() {
                let ticks = self.effort() / TICKS;
                run.spend(ticks - std::mem::replace(&mut self.spent, ticks));
                run.checkpoint()?;
                let candidate = candidates[i];
                match self.stable(circuit, candidate)? {
                    Some(lit) => {
                        // If it does not become true, either, it is at rest where the others are.
                        if self.solve(&[!lit, candidate.next ^ (lit != candidate.now)])? {
                            let unchanged = circuit.aig.iff(candidate.now, candidate.next);
                            self.assert(circuit, unchanged);
                            self.tell(Fact::rests(lit));
                        }
                        self.open.push(lit);
                        // It does not change in steps that count from now on.
                        self.steps.retain(|step| step.value(candidate.now) == step.value(candidate.next));
                        candidates.remove(i);
                    }
                    None => i += 1,
                }
            }
            for signal in different(&circuit.also) {
                self.settle(circuit, signal, run)?;
            }
            if self.found.len() == n_before || self.unseen.is_some() {
                return Ok(candidates);
            }
        }
    }

    /// Find all literals at rest that are the same in every step in which a signal is seen: those that are in one model, until no other has one of them
    /// otherwise.
    fn settle(&mut self, circuit: &Safety, signal: usize, run: &Run<'_>) -> Ask<()> {
        let seen = circuit.also[signal];
        let open = std::mem::take(&mut self.open);
        open.iter().chain([&seen]).for_each(|&lit| self.encode(circuit, lit));
        let mut same = Vec::new();
        if !self.solve(&[seen])? {
            self.unseen = Some(signal);
        } else if !open.is_empty() {
            let values = self.model(circuit);
            same.extend(open.iter().map(|&lit| lit ^ !simulate::value(&values, lit)));
            // Some are otherwise in steps that are known.
            for step in self.steps.iter().filter(|step| step.value(seen)) {
                same.retain(|&lit| step.value(lit));
            }
            self.remember(Step::new(&values));
        }
        while !same.is_empty() {
            run.checkpoint()?;
            if self.is_tired() {
                same.clear();
                break;
            }
            let otherwise: Vec<Lit> = same.iter().map(|&lit| !lit).collect();
            let assumed = self.here(&[seen]);
            if !self.solver.solve_with(&otherwise, &assumed)? {
                break;
            }
            let values = self.model(circuit);
            same.retain(|&lit| simulate::value(&values, lit));
            self.remember(Step::new(&values));
        }
        for &lit in &same {
            self.assert(circuit, lit);
            self.steps.retain(|step| step.value(lit));
            self.tell(Fact::is(lit, signal));
        }
        self.open = open;
        self.open.retain(|lit| same.iter().all(|known| known.var() != lit.var()));
        Ok(())
    }

    fn remember(&mut self, step: Step) {
        self.steps.drain(..(self.steps.len() + 1).saturating_sub(MOST_STEPS));
        self.steps.push_back(step);
    }

    /// Ticks of the solver, and of what goes through all nodes besides.
    pub(super) fn effort(&self) -> u64 {
        self.solver.counts().ticks + self.n_nodes / NODES
    }
    /// Was it effort enough for what was found?
    pub(super) fn is_tired(&self) -> bool {
        self.effort() >= self.most + TICKS_PER_FACT * self.found.len() as u64
    }
    /// A fact, where facts are looked for.
    pub(super) fn tell(&mut self, fact: Fact) {
        let under = self.side.iter().map(|side| side.lit).collect();
        self.found.push(Fact { under, ..fact });
    }
    /// The assumptions of a question about the steps in which facts are looked for.
    fn here(&self, assumptions: &[Lit]) -> Vec<Lit> {
        let side = self.side.iter().flat_map(|side| [side.lit, side.active]);
        assumptions.iter().copied().chain(side).filter(|&lit| lit != Lit::TRUE).collect()
    }
    pub(super) fn encode(&mut self, circuit: &Safety, lit: Lit) {
        self.encoder.visit(&circuit.aig, lit, |definition| match definition {
            Definition::Constant => self.solver.add_clause(&[Lit::TRUE]),
            Definition::And(gate, a, b) => self.solver.define_and(gate.var(), a, b),
        });
    }
    /// It holds where facts are looked for.
    pub(super) fn assert(&mut self, circuit: &Safety, lit: Lit) {
        self.encode(circuit, lit);
        let elsewhere = self.side.as_ref().map(|side| !side.active);
        let clause: Vec<Lit> = [lit].into_iter().chain(elsewhere).collect();
        self.solver.add_clause(&clause);
    }

    /// The literal of a candidate that no step makes false, if there is one.
    fn stable(&mut self, circuit: &Safety, candidate: Candidate) -> Ask<Option<Lit>> {
        let Candidate { now, next } = candidate;
        for sign in [false, true] {
            // A step that has made it false is enough to know that it does not stay true.
            if self.steps.iter().any(|step| step.value(now ^ sign) && step.value(!next ^ sign)) {
                continue;
            }
            [now, next].into_iter().for_each(|lit| self.encode(circuit, lit));
            if !self.solve(&[now ^ sign, !next ^ sign])? {
                return Ok(Some(now ^ sign));
            }
            let step = Step::new(&self.model(circuit));
            self.remember(step);
        }
        Ok(None)
    }

    pub(super) fn solve(&mut self, assumptions: &[Lit]) -> Ask<bool> {
        if assumptions.contains(&Lit::FALSE) {
            return Ok(false);
        }
        self.solver.solve(&self.here(assumptions))
    }

    /// What all nodes are in the model. Leaves that do not matter are false there.
    fn model(&mut self, circuit: &Safety) -> Vec<bool> {
        let mut values = vec![false; circuit.aig.n_vars()];
        self.n_nodes += values.len() as u64;
        for &leaf in &self.leaves {
            values[leaf.index()] = self.encoder.contains(leaf) && self.solver.value(Lit::positive(leaf));
        }
        simulate::propagate_bools(&circuit.aig, &mut values);
        values
    }
}

/// A step that has shown that something does not stabilize: what all nodes are in it.
#[derive(Clone)]
pub(super) struct Step(Vec<u64>);

impl Step {
    fn new(values: &[bool]) -> Step {
        let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
        Step(values.chunks(64).map(word).collect())
    }
    pub(super) fn value(&self, lit: Lit) -> bool {
        let at = lit.var().index();
        (self.0[at / 64] >> (at % 64) & 1 == 1) != lit.is_negated()
    }
}
