//! Goals that speak of the next step, as in `AG (p -> AX q)`: to go to a state with such a step is to go to a state and inputs, and IC3 looks for both at once.
//! Deciding `EX` in one state after the other would make of each goal as many as there are states to begin the step from.

use super::Search;
use super::ground::Ground;
use indubit_aig::Import;
use indubit_logic::Lit;
use indubit_run::Ask;
use indubit_system::{CtlId, CtlNode};

/// A step with inputs of its own.
pub(super) struct Step {
    /// One for each input of the circuit.
    pub inputs: Vec<Lit>,
    /// What nodes that depend on latches only are after it.
    after: Import,
    /// "All constraints hold in it."
    allowed: Lit,
}

impl Ground {
    /// One more step with inputs of its own.
    fn own_step(&mut self) -> Step {
        let source = self.circuit.aig.clone();
        let aig = &mut self.circuit.aig;
        let inputs: Vec<Lit> = self.circuit.inputs.iter().map(|_| aig.leaf()).collect();
        let mut now = Import::new(&source);
        self.circuit.inputs.iter().zip(&inputs).for_each(|(&input, &own)| now.set(input, own));
        self.circuit.latches.iter().for_each(|latch| now.set(latch.var, Lit::positive(latch.var)));
        let mut after = Import::new(&source);
        for latch in &self.circuit.latches {
            let next = now.lit(&source, aig, latch.next);
            after.set(latch.var, next);
        }
        let constraints: Vec<Lit> =
            self.circuit.constraints.iter().map(|&lit| now.lit(&source, aig, lit)).collect();
        let allowed = aig.and_all(constraints);
        Step { inputs, after, allowed }
    }
    /// "There is this step, and it leads to where an edge holds, which depends on latches only."
    fn leads(&mut self, step: &mut Step, to: Lit) -> Lit {
        let source = self.circuit.aig.clone();
        let to = step.after.lit(&source, &mut self.circuit.aig, to);
        self.circuit.aig.and(step.allowed, to)
    }
}

impl Search<'_> {
    /// Where a node may hold, and with which steps: it depends on latches, and on the inputs of [steps](Step) of their own, which are made where there are none.
    pub(super) fn may_hold(&mut self, id: CtlId) -> Lit {
        let sets = self.all_bounds(id);
        let [_, no_fair] = self.fair_bounds();
        // For each node where it may hold, and where it may not.
        let mut may: Vec<[Lit; 2]> = Vec::with_capacity(sets.len());
        // Which of these depend on steps, and not on latches only.
        let mut is_about_steps: Vec<[bool; 2]> = Vec::with_capacity(sets.len());
        for (i, &[yes, no]) in sets.iter().enumerate() {
            let here = match self.ground.graph.formula.nodes()[i] {
                CtlNode::Not(a) => {
                    let [holds, fails] = is_about_steps[a.index()];
                    is_about_steps.push([fails, holds]);
                    let [holds, fails] = may[a.index()];
                    [fails, holds]
                }
                CtlNode::And(a, b) => {
                    is_about_steps.push([0, 1].map(|i| [a, b].iter().any(|x| is_about_steps[x.index()][i])));
                    let ([a, no_a], [b, no_b]) = (may[a.index()], may[b.index()]);
                    [self.ground.aig().and(a, b), self.ground.aig().or(no_a, no_b)]
                }
                CtlNode::ExistsNext(p) => {
                    let inner = may[p.index()][0];
                    let mut holds = !no;
                    // Of steps after steps only the first one is seen.
                    let is_about_states = !is_about_steps[p.index()][0];
                    is_about_steps.push([is_about_states, false]);
                    if is_about_states {
                        let inner = self.ground.aig().and(inner, !no_fair);
                        let mut step = self.steps[i].take().unwrap_or_else(|| self.ground.own_step());
                        let leads = self.ground.leads(&mut step, inner);
                        self.steps[i] = Some(step);
                        let known = self.ground.aig().or(yes, leads);
                        holds = self.ground.aig().and(holds, known);
                    }
                    [holds, !yes]
                }
                CtlNode::True | CtlNode::Atom(_) | CtlNode::ExistsUntil(..) | CtlNode::ExistsGlobally(_) => {
                    is_about_steps.push([false; 2]);
                    [!no, !yes]
                }
            };
            may.push(here);
        }
        may[id.index()][0]
    }

    /// In none of these states a node holds, as far as steps ahead tell: where its parts `EX` have to fail for that, this is known of them now.
    pub(super) fn learn_of_steps(&mut self, id: CtlId, states: Lit) -> Ask<()> {
        let sets = self.all_bounds(id);
        // For each node the states in which it matters that it holds, and that it does not.
        let mut matters = vec![[Lit::FALSE; 2]; sets.len()];
        matters[id.index()][0] = states;
        for i in (0..sets.len()).rev() {
            let [holds, fails] = matters[i];
            match self.ground.graph.formula.nodes()[i] {
                CtlNode::Not(a) => self.matter(&mut matters, a, [fails, holds]),
                CtlNode::And(a, b) => {
                    for (a, b) in [(a, b), (b, a)] {
                        let with = self.ground.aig().and(holds, !sets[b.index()][1]);
                        self.matter(&mut matters, a, [with, fails]);
                    }
                }
                CtlNode::ExistsNext(p) if holds != Lit::FALSE && self.steps[i].is_some() => {
                    let Some(place) = self.place[i] else { continue };
                    let ([_, no_p], [_, no_fair]) = (sets[p.index()], self.fair_bounds());
                    let allowed = self.ground.allowed();
                    let possible = self.ground.aig().and(!no_p, !no_fair);
                    let possible = self.ground.after(possible);
                    if !self.ground.solve(&[holds, allowed, possible])? {
                        self.learn(place, false, holds);
                    }
                }
                _ => (),
            }
        }
        Ok(())
    }
    fn matter(&mut self, matters: &mut [[Lit; 2]], id: CtlId, more: [Lit; 2]) {
        for (place, more) in matters[id.index()].iter_mut().zip(more) {
            *place = self.ground.aig().or(*place, more);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::branching::testing::with_counter;
    use indubit_system::CtlBuilder;

    /// Of the counter's 13 states and 8 inputs, those steps with which the formula may hold at the beginning, where nothing is known; a step is the state as a number, and the inputs.
    fn steps(formula: impl FnOnce(&mut CtlBuilder<Lit>, CtlId) -> CtlId) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        with_counter(formula, |mut search, _| {
            let root = search.ground.graph.formula.root();
            let may = search.may_hold(root);
            let own: Vec<Lit> = search.steps.iter().flatten().flat_map(|step| step.inputs.clone()).collect();
            for (state, inputs) in (0..13).flat_map(|state| (0..8).map(move |inputs| (state, inputs))) {
                let bits = |n: usize, lits: &[Lit]| -> Vec<Lit> {
                    lits.iter().enumerate().map(|(i, &lit)| lit ^ (n >> i & 1 == 0)).collect()
                };
                let latches = search.ground.circuit.latches.iter().map(|l| Lit::positive(l.var));
                let mut known = bits(state, &latches.collect::<Vec<_>>());
                known.extend(bits(inputs, &own));
                known.push(may);
                if search.ground.solve(&known).unwrap() {
                    found.push((state, inputs));
                }
            }
        });
        found
    }

    #[test]
    fn a_step_to_the_goal_is_a_state_and_its_inputs() {
        // From 11 to 12 with the input 5, and then with any.
        let mut expected = vec![(11, 5)];
        expected.extend((0..8).map(|inputs| (12, inputs)));
        assert_eq!(steps(|b, a| b.exists_next(a)), expected);
        // With a condition on the state before it.
        let steps = steps(|b, a| {
            let next = b.exists_next(a);
            let not_yet = b.not(a);
            b.and(not_yet, next)
        });
        assert_eq!(steps, [(11, 5)]);
    }

    #[test]
    fn what_fails_after_each_step_is_not_known_before() {
        // That all steps lead to the goal is nothing that one of them shows: it may be so anywhere.
        let all = (0..13).flat_map(|state| (0..8).map(move |inputs| (state, inputs)));
        let steps = steps(|b, a| b.all_next(a));
        // The inputs of that step are not even there: only the states are told.
        assert_eq!(steps, all.collect::<Vec<_>>());
    }

    #[test]
    fn states_without_such_a_step_are_learnt() {
        with_counter(
            |b, a| b.exists_next(a),
            |mut search, _| {
                let root = search.ground.graph.formula.root();
                search.may_hold(root);
                let bit = |search: &Search<'_>, i: usize| Lit::positive(search.ground.circuit.latches[i].var);
                // 0 to 7 are at least five steps away from 12; among 8 to 15 is 11, which is not.
                let high = bit(&search, 3);
                search.learn_of_steps(root, high).unwrap();
                assert_eq!(search.bounds(root)[1], Lit::FALSE);
                search.learn_of_steps(root, !high).unwrap();
                assert_eq!(search.bounds(root)[1], !high);
            },
        );
    }
}
