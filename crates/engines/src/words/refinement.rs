//! Refinement: where the predicates come from (Cimatti et al., TACAS 2014; Birgmeier, Bradley, Weissenbacher, CAV 2014; listings of S. Wolff,
//! docs/SOURCES.md).
//!
//! | what is refuted | what its interpolant says |
//! |---|---|
//! | a state, a step, and not the target (Wolff, listing 6: lifting fails for the predicates, and not for the state) | why the state leads there: `refine_step` |
//! | a state, a step, and the target | why the state does not lead there: `refine_dead_end` |
//! | a frame, a step, and a state after it (Wolff, §4.3, the first scenario) | why the state is not reached from there: `refine_consecution` |
//! | an abstract path, formula (1)–(4) of Wolff, §4.2 | what is reached in each step: `simulate` |

use super::Refine;
use super::frames::WordFrames;
use super::pred_oracle::{Concrete, PredOracle, before};
use super::problem::{atoms, equalities};
use crate::bounded::{Bounded, Cuts, Interpolate};
use indubit_logic::{Cube, Lit};
use indubit_pdr::{Abstraction, Level, Predecessor, State};
use indubit_run::{Ask, Run};
use indubit_smt::{Smt, SmtConfig};
use indubit_system::{Start, WordTrace};
use indubit_term::Term;
use std::collections::HashMap;
use std::sync::Arc;

impl PredOracle<'_> {
    /// A solver whose refutations give interpolants.
    fn interpolating(&self) -> Smt {
        Smt::new(&self.cancel, SmtConfig { interpolation: true, seed: self.seed })
    }
    /// If the two parts contradict each other: add the atoms of their interpolant, over the state before the step or, `after` it, over the next one. False if
    /// they do not, or if there is nothing new in it.
    fn refine_between(&mut self, parts: [Vec<Term>; 2], after: bool) -> Ask<bool> {
        let mut smt = self.interpolating();
        for (part, facts) in (0..).zip(parts) {
            facts.into_iter().for_each(|fact| smt.assert(&self.terms, part, fact));
        }
        if smt.solve(&[])? {
            return Ok(false);
        }
        let mut found = smt.interpolants(&mut self.terms, 1..=1, self.interpolation.system)?;
        if after {
            let back: HashMap<Term, Term> = self.problem.nexts().zip(self.problem.currents()).collect();
            found = found.into_iter().map(|states| self.terms.substitute(states, &back)).collect();
        }
        Ok(self.add_predicates(atoms(&self.terms, &found)) > 0)
    }
    /// "The state is this one", "the inputs are these", and "the next state is in the cube".
    fn is_state(&mut self, state: &Concrete) -> Vec<Term> {
        let vars: Vec<Term> = self.problem.currents().collect();
        equalities(&mut self.terms, &vars, &state.state)
    }
    fn leads_into(&mut self, target: &Cube) -> Term {
        let cube = self.cube_term(target);
        self.terms.substitute(cube, &self.problem.priming())
    }

    /// Tell the states that lead into the target as `from` does, with its inputs, from those that lead elsewhere.
    pub(super) fn refine_step(&mut self, from: &Concrete, target: &Cube) -> Ask<bool> {
        let here = self.is_state(from);
        let inputs = self.problem.system.inputs.clone();
        let mut rest = equalities(&mut self.terms, &inputs, &from.inputs);
        rest.push(self.problem.system.trans);
        let into = self.leads_into(target);
        rest.push(self.terms.not(into));
        // If they do not contradict each other, the step is not determined by state and inputs.
        self.refine_between([here, rest], false)
    }

    /// Tell `from`, from where no step leads into the target, from all states from where one does.
    pub(super) fn refine_dead_end(&mut self, from: &Concrete, target: &Cube) -> Ask<bool> {
        let here = self.is_state(from);
        let into = self.leads_into(target);
        self.refine_between([here, vec![self.problem.system.trans, into]], false)
    }

    /// A consecution abstraction failure (Birgmeier et al., CAV 2014; Wolff, §4.3, the first scenario): no step from `F[level-1]` leads into the one
    /// `state` that an abstract one was made of, although one leads into that. Tell the two apart.
    pub(super) fn refine_consecution(&mut self, level: Level, state: &Concrete) -> Ask<bool> {
        let here = self.is_state(state);
        let here = self.terms.and(&here);
        let mut facts = vec![self.problem.system.trans, self.terms.not(here)];
        if before(level) == 0 {
            facts.push(self.problem.system.init);
        }
        let mut terms = std::mem::take(&mut self.terms);
        let lemmas = self.lemmas.iter().filter(|&&(_, to)| to >= before(level));
        facts.extend(lemmas.map(|(cube, _)| self.clause(&mut terms, cube)));
        self.terms = terms;
        let nexts: Vec<Term> = self.problem.nexts().collect();
        let there = equalities(&mut self.terms, &nexts, &state.state);
        self.refine_between([facts, there], true)
    }

    /// Listing 6: is one of these steps one that lifting fails for?
    pub(super) fn refine_steps(&mut self, path: &[Predecessor<Arc<Concrete>>]) -> Ask<bool> {
        for pair in path.windows(2).rev() {
            let lits: Vec<Lit> = pair[0].cube.lits().to_vec();
            let target: Vec<Lit> = pair[1].cube.lits().to_vec();
            if self.lift(&lits, &pair[0].step.inputs, Some(&target))?.is_none()
                && self.refine_step(&pair[0].step, &pair[1].cube)?
            {
                self.counts.lifting_failures += 1;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Simulate an abstract path by formula (1)–(4) of Wolff, §4.2: a trace, or the interpolants at all cuts.
    pub(super) fn simulate(
        &mut self,
        path: &[Predecessor<Arc<Concrete>>],
        with_cubes: bool,
    ) -> Ask<Result<WordTrace, Vec<Term>>> {
        self.counts.simulations += 1;
        let mut run = Run::new(self.cancel.clone()).with_seed(self.seed);
        let problem = self.problem;
        let mut frames = WordFrames::with_terms(
            problem,
            std::mem::take(&mut self.terms),
            Start::Initial,
            Cuts::All,
            self.interpolation,
            &run,
        );
        let found = (|| {
            let mut last = 0;
            for states in path {
                last = frames.extend_constrained();
                if with_cubes {
                    let mut terms = std::mem::take(frames.terms_mut());
                    let clause = self.clause(&mut terms, &states.cube);
                    let cube = terms.not(clause);
                    *frames.terms_mut() = terms;
                    let within = frames.within(last, cube);
                    frames.assert(&[(within, true)]);
                }
            }
            let bad = frames.bad(last);
            match frames.solve(&[bad])? {
                true => Ok(Ok(frames.trace(last)?)),
                false => Ok(Err(frames.interpolants(&mut run)?)),
            }
        })();
        self.terms = frames.into_terms();
        found
    }
}

impl Abstraction for PredOracle<'_> {
    fn refine(
        &mut self,
        level: Level,
        (states, state): (&Cube, Option<&Arc<Concrete>>),
        found: &Predecessor<Arc<Concrete>>,
    ) -> Ask<bool> {
        if self.config.refine != Refine::Eagerly || self.eager == 0 {
            return Ok(false);
        }
        self.eager -= 1;
        let cube = found.cube.lits().to_vec();
        let target = states.lits().to_vec();
        let fails = self.lift(&cube, &found.step.inputs, Some(&target))?.is_none();
        if fails && self.refine_step(&found.step, states)? {
            self.counts.lifting_failures += 1;
            return Ok(true);
        }
        let Some(state) = state.filter(|_| self.config.consecution) else { return Ok(false) };
        let refined = self.refine_consecution(level, state)?;
        self.counts.consecution_failures += u64::from(refined);
        Ok(refined)
    }
    fn refined(&mut self, state: &State) -> State {
        let concrete = self.known(state);
        self.remember(concrete)
    }
}
