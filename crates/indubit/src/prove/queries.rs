//! Single queries of inductive verification.

use super::Support;
use super::moments::Moments;
use indubit_logic::Lit;
use indubit_run::{Ask, Stop};

/// Among so many lemmas, those that are needed are found one by one.
const FEW: usize = 12;

/// Initiation and consecution of formulas, by their position.
pub(crate) struct Queries<M> {
    pub initial: M,
    pub step: M,
    formulas: Vec<Formula>,
    pub n_asked: u64,
}

/// A formula initially, now and in the next moment.
#[derive(Clone, Copy)]
pub(crate) struct Formula {
    pub initially: Lit,
    pub now: Lit,
    pub next: Lit,
}

impl<M: Moments> Queries<M> {
    pub fn new(initial: M, step: M) -> Queries<M> {
        Queries { initial, step, formulas: Vec::new(), n_asked: 0 }
    }
    /// One formula more; its position.
    pub fn push(&mut self, formula: Formula) -> usize {
        self.formulas.push(formula);
        self.formulas.len() - 1
    }
    pub fn len(&self) -> usize {
        self.formulas.len()
    }
    /// Does it say nothing?
    pub fn is_trivial(&self, i: usize) -> bool {
        self.formulas[i].now == Lit::TRUE
    }
    /// `I ⇒ φ`, or an initial state in which it is false.
    pub fn initiation(&mut self, i: usize) -> Ask<Option<M::Trace>> {
        self.n_asked += 1;
        Ok(self.initial.solve(&[!self.formulas[i].initially])?.then(|| self.initial.trace()))
    }
    /// `⋀ given ∧ φ ∧ T ⇒ φ'`, or a step that breaks it.
    pub fn consecution(&mut self, i: usize, given: &[usize]) -> Ask<Option<M::Trace>> {
        self.n_asked += 1;
        let mut assumed: Vec<Lit> = given.iter().map(|&j| self.formulas[j].now).collect();
        assumed.extend([self.formulas[i].now, !self.formulas[i].next]);
        Ok(self.step.solve(&assumed)?.then(|| self.step.trace()))
    }
    /// What of `given` φ is inductive relative to, or a step that breaks it.
    pub fn relative(&mut self, i: usize, given: Vec<usize>) -> Ask<Result<Support<M::Trace>, M::Trace>> {
        if let Some(cti) = self.consecution(i, &given)? {
            return Ok(Err(cti));
        }
        let relative_to = self.core(i, given)?;
        let alone = self.consecution(i, &[])?;
        Ok(Ok(Support { relative_to, together_with: Vec::new(), alone }))
    }
    /// What of `given` the consecution of φ needs, where it holds: none of few can be left out.
    pub fn core(&mut self, i: usize, mut given: Vec<usize>) -> Ask<Vec<usize>> {
        given.retain(|&j| j != i);
        self.consecution(i, &given)?;
        given.retain(|&j| self.step.failed(self.formulas[j].now));
        let candidates = if given.len() <= FEW { given.clone() } else { Vec::new() };
        for j in candidates {
            let fewer: Vec<usize> = given.iter().copied().filter(|&other| other != j).collect();
            if self.consecution(i, &fewer)?.is_none() {
                given = fewer;
            }
        }
        Ok(given)
    }
    /// The largest subset of the formulas `all`, which are in order, that is inductive relative to `given`.
    pub fn max_inductive_subset(&mut self, mut all: Vec<usize>, given: &[usize]) -> Ask<Vec<usize>> {
        loop {
            self.n_asked += 1;
            let assumed: Vec<Lit> = given.iter().chain(&all).map(|&j| self.formulas[j].now).collect();
            let broken: Vec<Lit> = all.iter().map(|&j| !self.formulas[j].next).collect();
            if all.is_empty() || !self.step.solve_with(&broken, &assumed)? {
                return Ok(all);
            }
            let n = all.len();
            all.retain(|&j| self.step.is_true(self.formulas[j].next));
            if all.len() == n {
                return Err(Stop::Incomplete("the solver has a model that is none"));
            }
        }
    }
    /// Do lemmas imply a goal? Consecution of the goal, at the position that is told, asks that: no step is between "now" and "next" here.
    pub fn of_implication(
        initial: M,
        step: M,
        lemmas: impl FnOnce(&mut M) -> Vec<Lit>,
        goal: impl FnOnce(&mut M) -> Option<Lit>,
    ) -> Option<(Queries<M>, usize)> {
        let mut queries = Queries::new(initial, step);
        for now in lemmas(&mut queries.step) {
            queries.push(Formula { initially: Lit::TRUE, now, next: Lit::TRUE });
        }
        let next = goal(&mut queries.step)?;
        let goal = queries.push(Formula { initially: Lit::TRUE, now: Lit::TRUE, next });
        Some((queries, goal))
    }
}
