//! Single states, for Quip: PDR knows each by the values of all predicates, and here it has values of all variables.

use super::PredOracle;
use super::pred_oracle::Concrete;
use super::predicates::Predicates;
use super::problem::equalities;
use indubit_logic::Cube;
use indubit_pdr::{State, States};
use indubit_run::{Ask, Stop};
use indubit_smt::{Smt, SmtConfig};
use indubit_term::{Term, Value};
use std::collections::HashMap;
use std::sync::Arc;

impl PredOracle<'_> {
    /// Remember a concrete state, as PDR knows it.
    pub(super) fn remember(&mut self, concrete: Arc<Concrete>) -> State {
        let bits = self.bits(&concrete.state);
        self.concrete.entry(bits.clone()).or_insert(concrete);
        bits
    }
    /// The values of all predicates in a state, and how many they are: with other predicates it is another state.
    fn bits(&self, state: &[Value]) -> State {
        let position: HashMap<Term, usize> = self.problem.currents().zip(0..).collect();
        let value = |var: Term| state[position[&var]].clone();
        let roots: Vec<Term> = self.predicates.all().iter().map(|p| p.term).collect();
        let mut bits = vec![0u64; roots.len().div_ceil(64)];
        for (i, root) in roots.iter().enumerate() {
            let holds = self.terms.evaluate(*root, &value);
            if matches!(holds, Ok(Value::Bool(true))) {
                bits[i / 64] |= 1 << (i % 64);
            }
        }
        bits.push(roots.len() as u64);
        bits.into()
    }
    /// A step from a concrete state into a cube: the state with the inputs of the step, and the state after it.
    fn step_from(&mut self, from: &Concrete, into: &Cube) -> Ask<Option<(Arc<Concrete>, State)>> {
        let mut smt = Smt::new(&self.cancel, SmtConfig { interpolation: false, seed: self.seed });
        let states: Vec<Term> = self.problem.currents().collect();
        let mut facts = equalities(&mut self.terms, &states, &from.state);
        facts.push(self.problem.system.trans);
        let cube = self.cube_term(into);
        facts.push(self.terms.substitute(cube, &self.problem.priming()));
        facts.into_iter().for_each(|fact| smt.assert(&self.terms, 0, fact));
        if !smt.solve(&[])? {
            return Ok(None);
        }
        let of = |vars: &mut dyn Iterator<Item = Term>| -> Vec<Value> {
            vars.map(|var| smt.value_of(&self.terms, var)).collect()
        };
        let inputs = of(&mut self.problem.system.inputs.iter().copied());
        let next = of(&mut self.problem.nexts());
        let step = Arc::new(Concrete { state: from.state.clone(), inputs });
        let state = self.remember(Arc::new(Concrete { state: next, inputs: Vec::new() }));
        Ok(Some((step, state)))
    }
    /// The concrete state that PDR knows as this one.
    pub(super) fn known(&self, state: &State) -> Arc<Concrete> {
        self.concrete.get(state).cloned().expect("PDR has its states from here")
    }
}

impl States for PredOracle<'_> {
    fn initial_state(&mut self, cube: &Cube) -> Ask<State> {
        let mut assumptions = vec![(0, self.init)];
        assumptions.extend(cube.lits().iter().map(|&l| (0, self.predicates.now(l))));
        let is_there = self.smt.solve(&assumptions)?;
        assert!(is_there, "the cube has an initial state");
        let model = self.model();
        Ok(self.remember(model))
    }
    fn successor(&mut self, state: &State, step: &Arc<Concrete>, into: &Cube) -> Ask<Option<State>> {
        let from = self.known(state);
        if let Some((_, next)) = self.step_from(&from, into)? {
            return Ok(Some(next));
        }
        // The cube has states with a step, and reachable ones without: tell them apart.
        if !self.refine_dead_end(&from, into)? && !self.refine_step(step, into)? {
            return Err(Stop::Incomplete("no predicates tell a reachable state from one that leads on"));
        }
        Ok(None)
    }
    fn step_into(&mut self, state: &State, cube: &Cube) -> Ask<Option<Arc<Concrete>>> {
        let from = self.known(state);
        Ok(self.step_from(&from, cube)?.map(|(step, _)| step))
    }
    fn cube_of(&self, state: &State) -> Cube {
        let value = |i: usize| state.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1);
        Cube::new((0..self.predicates.len()).map(|i| Predicates::lit(i, value(i))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::WordConfig;
    use crate::{EngineId, InterpolationConfig, Options};
    use indubit_run::{Cancel, Run};
    use indubit_system::{Conclusion, WordProblem, WordSystem};
    use indubit_term::Sort;

    /// x begins with 5 and stays so: is it below 9?
    fn problem() -> WordProblem {
        let mut system = WordSystem::new();
        let x = system.add_state("x", Sort::Int);
        let terms = &mut system.terms;
        let (five, nine) = (terms.int(5), terms.int(9));
        system.init = terms.eq(x.current, five);
        system.trans = terms.eq(x.next, x.current);
        let holds = terms.lt(x.current, nine);
        system.add_invar("p", holds);
        WordProblem::new(&system, &system.properties[0].claim).unwrap()
    }

    #[test]
    fn an_initial_state_or_the_reason_why_there_is_none() {
        let (problem, cancel) = (problem(), Cancel::new());
        let run = Run::new(cancel.clone());
        let (config, how) = (WordConfig::default(), InterpolationConfig::default());
        let mut oracle = PredOracle::new(&problem, config, how, &run);
        let all = Cube::new([]);
        let state = oracle.initial_state(&all).unwrap();
        assert_eq!(oracle.known(&state).state, [Value::int(5)]);
        cancel.cancel();
        assert!(matches!(oracle.initial_state(&all), Err(Stop::Cancelled)));
    }

    #[test]
    fn what_is_for_bits_is_refused() {
        let conclusion = |engine: EngineId, setting: &str| {
            let mut options = Options::default();
            options.set(setting).unwrap();
            let words = engine.info().words.as_ref().unwrap();
            (words.make)(problem(), &options).run(&mut Run::new(Cancel::new()))
        };
        for (engine, setting) in [(EngineId::Ic3ia, "generalize=interpolant"), (EngineId::Quip, "walk=3")] {
            let refused = conclusion(engine, setting);
            assert!(matches!(refused, Conclusion::Unknown { stop: Stop::Incomplete(_), .. }), "{engine}");
        }
        assert!(matches!(conclusion(EngineId::Quip, "walk=0"), Conclusion::Safe(_)));
    }
}
