//! The conditions on sets of states, operator by operator.

use super::circuit::{Circuit, Moment};
use super::stuck::Runs;
use super::{Condition, Refusal};
use crate::query::{Counterexample, refute};
use crate::{Reason, Solving, State};
use indubit_aig::simulate;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Bounds, Branching, Choice, CtlNode, CtlProof};
use std::fmt;

/// A temporal operator of a formula.
#[derive(Clone, Copy)]
pub(super) struct Operator {
    /// Its number; none is that fair paths exist, which is no part of the formula.
    pub number: Option<usize>,
    pub node: CtlNode,
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(number) = self.number else { return f.write_str("fair paths, EG true") };
        let name = match self.node {
            CtlNode::ExistsNext(_) => "EX",
            CtlNode::ExistsUntil(..) => "EU",
            _ => "EG",
        };
        write!(f, "operator {number}, {name}")
    }
}

/// What a proof knows of fair paths, and then of each operator.
pub(super) fn operators<'p>(
    graph: &'p Branching,
    proof: &'p CtlProof,
) -> impl Iterator<Item = (Operator, &'p Bounds)> {
    // What is inside is not looked at: it is true.
    let fair = Operator { number: None, node: CtlNode::ExistsGlobally(graph.formula.root()) };
    let inner = graph.operators().zip(&proof.operators).enumerate();
    let inner = inner.map(|(number, (id, bounds))| {
        (Operator { number: Some(number), node: graph.formula.node(id) }, bounds)
    });
    std::iter::once((fair, &proof.fair)).chain(inner)
}

/// Something that has to be true, and what is wrong if it is not.
type Goal = (Condition, Lit);

/// All conditions are about one circuit.
pub(super) struct Checker<'c> {
    model: &'c BitSystem,
    graph: &'c Branching,
    proof: &'c CtlProof,
    by: &'c Solving,
    circuit: Circuit<'c>,
    /// For each node of the formula the states in which it is said to hold, and not to.
    sets: Vec<[Lit; 2]>,
    /// The moment that each query begins with; its state is in the invariant.
    now: Moment,
    /// The clauses of the invariant in the circuit of the graph.
    invariant: Vec<Lit>,
}

impl<'c> Checker<'c> {
    pub fn new(
        model: &'c BitSystem,
        graph: &'c Branching,
        proof: &'c CtlProof,
        by: &'c Solving,
    ) -> Result<Checker<'c>, Refusal> {
        by.checkpoint()?;
        let (circuit, invariant, sets) = Circuit::new(graph, proof);
        let now = circuit.now();
        Ok(Checker { model, graph, proof, by, circuit, sets, now, invariant })
    }

    pub fn check(mut self) -> Result<(), Refusal> {
        self.invariant()?;
        for (operator, bounds) in operators(self.graph, self.proof) {
            self.by.checkpoint()?;
            match (operator.number, operator.node) {
                (None, _) => self.globally(operator, bounds, [Lit::TRUE, Lit::FALSE], Lit::FALSE)?,
                (_, CtlNode::ExistsNext(p)) => self.next(operator, bounds, self.sets[p.index()])?,
                (_, CtlNode::ExistsUntil(p, q)) => {
                    self.until(operator, bounds, [p, q].map(|id| self.sets[id.index()]))?;
                }
                (_, CtlNode::ExistsGlobally(p)) => {
                    self.globally(operator, bounds, self.sets[p.index()], self.proof.fair.no)?;
                }
                (_, CtlNode::True | CtlNode::Atom(_) | CtlNode::Not(_) | CtlNode::And(..)) => (),
            }
        }
        self.decides()
    }

    fn invariant(&mut self) -> Result<(), Refusal> {
        let about = &"the invariant";
        let initially = self.at(self.graph.initially);
        let clauses = self.invariant.clone();
        let goals = self.circuit.lits(&mut self.now, &clauses);
        let goals: Vec<Goal> = goals.into_iter().map(|lit| (Condition::InvariantInitially, lit)).collect();
        self.require(about, &[initially], &goals)?;
        let assume = self.step();
        let goals = self.circuit.after(&mut self.now, &clauses);
        let goals: Vec<Goal> = goals.into_iter().map(|lit| (Condition::InvariantKept, lit)).collect();
        self.require(about, &assume, &goals)
    }

    fn next(&mut self, of: Operator, bounds: &Bounds, [yes_p, no_p]: [Lit; 2]) -> Result<(), Refusal> {
        let [yes_fair, no_fair] = self.fair();
        if let Some(choice) = Self::choices(bounds).first() {
            let yes = self.at(bounds.yes);
            let mut chosen = self.circuit.chosen(&mut self.now, choice);
            let mut goals = self.constraints(&mut chosen);
            let then = self.circuit.after(&mut chosen, &[yes_p, yes_fair]);
            goals.extend([(Condition::ChosenInside, then[0]), (Condition::ChosenFair, then[1])]);
            self.require_of_states(&of, &[yes], &goals)?;
        }
        if bounds.no == Lit::FALSE {
            return Ok(());
        }
        let mut assume = self.step();
        assume.push(self.at(bounds.no));
        let then = self.circuit.after(&mut self.now, &[no_p, no_fair]);
        let goal = self.circuit.aig.or_all(then);
        self.require_of_states(&of, &assume, &[(Condition::NoStep, goal)])
    }

    fn until(
        &mut self,
        of: Operator,
        bounds: &Bounds,
        [[yes_p, no_p], [yes_q, no_q]]: [[Lit; 2]; 2],
    ) -> Result<(), Refusal> {
        let [yes_fair, no_fair] = self.fair();
        if let Some(choice) = Self::choices(bounds).first() {
            let (yes, goal, fair) = (self.at(bounds.yes), self.at(yes_q), self.at(yes_fair));
            let is_there = self.circuit.aig.and(goal, fair);
            let mut goals = vec![(Condition::Inside, self.at(yes_p))];
            goals.extend(self.chosen(bounds.yes, choice, None));
            self.require_of_states(&of, &[yes, !is_there], &goals)?;
        }
        if bounds.no == Lit::FALSE {
            return Ok(());
        }
        let (no, no_q, unfair) = (self.at(bounds.no), self.at(no_q), self.at(no_fair));
        let goal = self.circuit.aig.or(no_q, unfair);
        self.require_of_states(&of, &[no], &[(Condition::NoGoal, goal)])?;
        let mut assume = self.step();
        assume.extend([no, !self.at(no_p)]);
        let then = self.circuit.after(&mut self.now, &[bounds.no, no_fair]);
        let goal = self.circuit.aig.or_all(then);
        self.require_of_states(&of, &assume, &[(Condition::NoWay, goal)])
    }

    /// What is inside, and which states have no fair path, as far as that may be used.
    fn globally(
        &mut self,
        of: Operator,
        bounds: &Bounds,
        [yes_p, no_p]: [Lit; 2],
        no_fair: Lit,
    ) -> Result<(), Refusal> {
        let choices = Self::choices(bounds);
        if !choices.is_empty() {
            let yes = self.at(bounds.yes);
            let goal = self.at(yes_p);
            self.require_of_states(&of, &[yes], &[(Condition::Inside, goal)])?;
            for (signal, choice) in self.graph.signals().into_iter().zip(choices) {
                let goals = self.chosen(bounds.yes, choice, Some(signal));
                self.require_of_states(&of, &[yes], &goals)?;
            }
        }
        if bounds.no == Lit::FALSE {
            return Ok(());
        }
        let no = self.at(bounds.no);
        let stuck: Vec<Lit> = bounds.stuck.iter().map(|stuck| self.at(stuck.states)).collect();
        let goal = self.circuit.aig.or_all(stuck);
        self.require_of_states(&of, &[no], &[(Condition::Stuck, goal)])?;
        let kept = self.invariant.iter().copied().chain([!no_p, !no_fair]);
        let mut runs = Runs::new(self.model, self.graph, self.circuit.source(), kept);
        for (number, stuck) in bounds.stuck.iter().enumerate() {
            self.by.checkpoint()?;
            match runs.check(stuck, self.by)? {
                Ok(()) => (),
                Err(Reason::Solver(error)) => return Err(Reason::Solver(error).into()),
                Err(reason) => {
                    let why = Box::new(reason);
                    return Err(Reason::NotStuck { operator: of.to_string(), number, why }.into());
                }
            }
        }
        Ok(())
    }

    fn decides(&mut self) -> Result<(), Refusal> {
        let [yes, no] = self.sets[self.graph.formula.root().index()];
        let [yes_fair, no_fair] = self.fair();
        let Some(state) = &self.proof.fails_in else {
            let initially = self.at(self.graph.initially);
            let goals = [yes, no_fair].map(|lit| self.at(lit));
            let goal = self.circuit.aig.or_all(goals);
            return self.require_of_states(&"the formula", &[initially], &[(Condition::Decides, goal)]);
        };
        let source = self.circuit.source();
        let mut values = vec![false; source.n_vars()];
        for (latch, &value) in self.graph.circuit.latches.iter().zip(state) {
            values[latch.var.index()] = value;
        }
        simulate::propagate_bools(source, &mut values);
        let is_in_invariant = self.invariant.iter().all(|&clause| simulate::value(&values, clause));
        let wrong = match () {
            () if !simulate::value(&values, self.graph.initially) => "is not initial",
            () if !is_in_invariant => "is outside of the invariant",
            () if !simulate::value(&values, yes_fair) => "is not known to have a fair path",
            () if !simulate::value(&values, no) => "may satisfy it",
            () => return Ok(()),
        };
        let text = format!("the state in which the formula is said to fail {wrong}");
        Err(Reason::Misfit(text).into())
    }

    /// The states that are known to have a fair path, and those that are known not to.
    fn fair(&self) -> [Lit; 2] {
        [self.proof.fair.yes, self.proof.fair.no]
    }
    /// None if nothing is said to hold.
    fn choices(bounds: &Bounds) -> &[Choice] {
        if bounds.yes == Lit::FALSE { &[] } else { &bounds.choices }
    }
    /// An edge in the moment that queries begin with.
    fn at(&mut self, lit: Lit) -> Lit {
        self.circuit.lit(&mut self.now, lit)
    }
    /// The constraints there, and the invariant.
    fn step(&mut self) -> Vec<Lit> {
        let mut lits = self.circuit.lits(&mut self.now, &self.graph.circuit.constraints);
        lits.extend(self.circuit.lits(&mut self.now, &self.invariant));
        lits
    }
    /// The chosen inputs keep the constraints.
    fn constraints(&mut self, chosen: &mut Moment) -> Vec<Goal> {
        let lits = self.circuit.lits(chosen, &self.graph.circuit.constraints);
        lits.into_iter().map(|lit| (Condition::ChosenInputs, lit)).collect()
    }
    /// The chosen step is one, stays in a set, and sees a signal or comes closer to where that happens.
    fn chosen(&mut self, yes: Lit, choice: &Choice, signal: Option<Lit>) -> Vec<Goal> {
        let mut chosen = self.circuit.chosen(&mut self.now, choice);
        let mut goals = self.constraints(&mut chosen);
        let asked: Vec<Lit> = std::iter::once(yes).chain(choice.rank.iter().copied()).collect();
        let then = self.circuit.after(&mut chosen, &asked);
        goals.push((Condition::ChosenStays, then[0]));
        let before = self.circuit.lits(&mut self.now, &choice.rank);
        let mut closer = self.circuit.is_less(&then[1..], &before);
        if let Some(signal) = signal {
            let seen = self.circuit.lit(&mut chosen, signal);
            closer = self.circuit.aig.or(seen, closer);
        }
        goals.push((Condition::ChosenCloser, closer));
        goals
    }
    /// As [`require`](Self::require), in states of the invariant.
    fn require_of_states(
        &mut self,
        about: &dyn fmt::Display,
        assume: &[Lit],
        goals: &[Goal],
    ) -> Result<(), Refusal> {
        let mut all = self.circuit.lits(&mut self.now, &self.invariant);
        all.extend(assume);
        self.require(about, &all, goals)
    }
    /// All goals follow.
    fn require(&self, about: &dyn fmt::Display, assume: &[Lit], goals: &[Goal]) -> Result<(), Refusal> {
        let ask = |goals: &[Goal]| {
            let lits: Vec<Lit> = goals.iter().map(|&(_, lit)| lit).collect();
            refute(&self.circuit.aig, assume, &lits, self.by)
        };
        if ask(goals)?.is_none() {
            return Ok(());
        }
        // Which of them does not, is asked only now.
        for &goal in goals {
            if let Some(found) = ask(&[goal])? {
                let (state, condition) = (self.state(&found), goal.0);
                return Err(Reason::Sets { about: about.to_string(), condition, state }.into());
            }
        }
        Err(Reason::Misfit(format!("{about}: a condition on its states is not met")).into())
    }
    /// The state that a query has found, in the user's names.
    fn state(&self, found: &Counterexample) -> State {
        let n_own = self.model.latches().len();
        let label = |position: usize| match position.checked_sub(n_own) {
            None => self.model.latch_label(position),
            Some(shown) => self.model.input_label(self.graph.shown[shown]),
        };
        let latches = self.circuit.leaves().take(self.graph.circuit.latches.len()).enumerate();
        State(latches.filter_map(|(i, lit)| Some((label(i), found.value(lit)?))).collect())
    }
}
