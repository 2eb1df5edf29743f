//! States one at a time: those that a model can begin in, and those that come after one.

use crate::path::Context;
use crate::prove::moments::{Inductive, Moments, Which};
use crate::prove::word_moments::WordMoments;
use crate::simulate::solve_wishing;
use crate::verdict::Error;
use crate::words::WordLemmas;
use fastrand::Rng;
use indubit_logic::Lit;
use indubit_run::{Ask, Run};
use indubit_system::{WordSystem, Words};
use indubit_term::{Term, Terms, Value};

/// A state that a run can begin or go on with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The inputs that lead there; nothing for a first state.
    pub inputs: Vec<Value>,
    /// The state.
    pub state: Vec<Value>,
}

/// What is wanted of the states to choose from.
pub struct Wanted<'w> {
    /// A condition, in the terms of the system and more.
    pub condition: Option<(Terms, Condition)>,
    /// Which state variables and inputs tell choices apart.
    pub is_visible: &'w dyn Fn(Term) -> bool,
}

/// A condition on a choice.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
    /// Of the state that is chosen, over current state variables.
    State(Term),
    /// Of the step that leads there, over current and next state variables and inputs.
    Step(Term),
}

/// The choices there are, from a solver that remembers what it has learnt.
pub struct Steps<'s> {
    system: &'s WordSystem,
    wanted: Wanted<'s>,
    moments: WordMoments,
    /// What the condition is in the solver.
    holds: Vec<Lit>,
    is_first: bool,
}

impl<'s> Steps<'s> {
    /// First states, or else those after a state.
    pub fn new(
        system: &'s WordSystem,
        is_first: bool,
        wanted: Wanted<'s>,
        run: &Run<'_>,
    ) -> Result<Steps<'s>, Error<Words>> {
        Context::<Words>::new(system)?;
        let (terms, condition) = match &wanted.condition {
            Some((terms, condition)) => (terms.clone(), Some(*condition)),
            None => (system.terms.clone(), None),
        };
        let formulas = condition.iter().map(|c| match *c {
            Condition::State(formula) | Condition::Step(formula) => formula,
        });
        let lemmas = WordLemmas { terms, formulas: formulas.collect() };
        let decider = Words::decider(system, &lemmas, &[], None)?;
        let which = if is_first { Which::INITIAL } else { Which::STEP };
        let mut moments = Words::moments(system, &lemmas, &decider, which, run);
        let holds = match condition {
            Some(Condition::State(formula)) => vec![moments.at(usize::from(!is_first), formula)],
            Some(Condition::Step(formula)) => vec![moments.at(0, formula)],
            None => Vec::new(),
        };
        Ok(Steps { system, wanted, moments, holds, is_first })
    }
    /// At most so many choices after a state (which is not looked at if these are first states), no two of them alike; by chance if there is a source of that.
    pub fn choices(&mut self, from: &[Value], most: usize, mut random: Option<&mut Rng>) -> Ask<Vec<Choice>> {
        let last = usize::from(!self.is_first);
        let mut fixed = self.holds.clone();
        if !self.is_first {
            let [state, _] = self.moments.has_values(0, from, &[]);
            fixed.extend(state);
        }
        let active = self.moments.switch();
        fixed.push(active);
        let mut choices = Vec::new();
        while choices.len() < most {
            let mut wishes = Vec::new();
            if let Some(random) = random.as_deref_mut() {
                let [first, all] = [self.is_first, true].map(|marked| vec![marked; self.system.states.len()]);
                wishes = Words::wishes_at(&mut self.moments, 0, &first, random);
                if !self.is_first {
                    wishes.extend(Words::wishes_at(&mut self.moments, 1, &all, random));
                }
            }
            if !solve_wishing(&mut self.moments, &fixed, wishes)? {
                break;
            }
            let mut trace = self.moments.trace();
            let state = trace.states.swap_remove(last);
            let inputs = if self.is_first { Vec::new() } else { trace.inputs.swap_remove(0) };
            let choice = Choice { inputs, state };
            let differs = self.differs(&choice, last, active);
            self.moments.assert_any(&differs);
            choices.push(choice);
        }
        self.moments.assert_any(&[!active]);
        Ok(choices)
    }
    /// That a choice differs from one in something visible, while `active` holds.
    fn differs(&mut self, choice: &Choice, last: usize, active: Lit) -> Vec<Lit> {
        let [state, _] = self.moments.has_values(last, &choice.state, &[]);
        let [_, inputs] = self.moments.has_values(0, &[], &choice.inputs);
        let states = self.system.states.iter().map(|v| v.current).zip(state);
        let all = states.chain(self.system.inputs.iter().copied().zip(inputs));
        let visible = all.filter(|&(variable, _)| (self.wanted.is_visible)(variable));
        visible.map(|(_, equal)| !equal).chain([!active]).collect()
    }
}
