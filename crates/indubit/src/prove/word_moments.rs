//! The same moments over words, in a solver that has a theory for them.

use super::queries::{Formula, Moments, Queries};
use crate::check::Error;
use indubit_logic::Lit;
use indubit_run::{Ask, Run};
use indubit_sat::Config;
use indubit_smt::{External, Piped, TermSolver, Theory};
use indubit_system::{WordSystem, WordTrace};
use indubit_term::{Term, Terms};
use std::collections::HashMap;

/// Who decides formulas.
#[derive(Clone)]
pub(crate) enum Decider {
    Ours(Theory),
    /// Somebody else, who may have other theories.
    Other(External),
}

impl Decider {
    /// The one for these formulas; what is beyond ours is for `other`.
    pub fn of(terms: &Terms, formulas: &[Term], other: Option<&External>) -> Result<Decider, Error> {
        match (Theory::of(terms, formulas), other) {
            (Ok(theory), _) => Ok(Decider::Ours(theory)),
            (Err(_), Some(other)) => Ok(Decider::Other(other.clone())),
            (Err(term), None) => Err(Error::Unsupported { term: terms.display(term).short().to_string() }),
        }
    }
    /// Is it one for this formula, too?
    pub fn has(&self, terms: &Terms, formula: Term) -> bool {
        match self {
            Decider::Ours(theory) => theory.has(terms, formula),
            Decider::Other(_) => true,
        }
    }
    /// Who has checked what is proved, if it is not ours to check.
    pub fn other(&self) -> Option<&External> {
        if let Decider::Other(other) = self { Some(other) } else { None }
    }
}

/// One moment of a system, and the next if there is a step, in a solver.
pub(crate) struct WordMoments {
    terms: Terms,
    solver: Box<dyn TermSolver>,
    /// The state variables and the inputs of each moment.
    moments: Vec<[Vec<Term>; 2]>,
    /// Replaces state variables and inputs by those of the second moment.
    priming: HashMap<Term, Term>,
    /// What switches the disjunction of the last query on.
    active: Option<Lit>,
}

impl WordMoments {
    /// Any state; `terms` are those of the system, and more.
    pub fn any(system: &WordSystem, terms: &Terms, decider: &Decider, run: &Run<'_>) -> WordMoments {
        let solver: Box<dyn TermSolver> = match decider {
            Decider::Ours(theory) => theory.solver(Config::Incremental, run.seed, run.cancel()),
            Decider::Other(other) => Box::new(Piped::new(other.clone(), run.cancel())),
        };
        let states = system.states.iter().map(|v| v.current).collect();
        let moments = vec![[states, system.inputs.clone()]];
        WordMoments { terms: terms.clone(), solver, moments, priming: HashMap::new(), active: None }
    }
    /// An initial state.
    pub fn initial(system: &WordSystem, terms: &Terms, decider: &Decider, run: &Run<'_>) -> WordMoments {
        let mut moments = WordMoments::any(system, terms, decider, run);
        moments.assert(system.init);
        moments
    }
    /// Any state, and one after it.
    pub fn step(system: &WordSystem, terms: &Terms, decider: &Decider, run: &Run<'_>) -> WordMoments {
        let mut moments = WordMoments::any(system, terms, decider, run);
        moments.follow(system);
        moments
    }
    /// The second moment.
    pub fn follow(&mut self, system: &WordSystem) {
        self.assert(system.trans);
        let inputs: Vec<Term> = system
            .inputs
            .iter()
            .map(|&input| {
                let name = format!("{}.next", self.terms.name(input).unwrap_or_default());
                let sort = self.terms.sort(input);
                self.terms.var(&name, sort)
            })
            .collect();
        self.priming = system.to_next();
        self.priming.extend(system.inputs.iter().copied().zip(inputs.iter().copied()));
        self.moments.push([system.states.iter().map(|v| v.next).collect(), inputs]);
    }
    fn assert(&mut self, formula: Term) {
        let holds = self.solver.literal(&self.terms, 0, formula);
        self.solver.add_clause(0, &[holds]);
    }
    /// A formula now.
    pub fn now(&mut self, formula: Term) -> Lit {
        self.solver.literal(&self.terms, 0, formula)
    }
    /// A formula in the second moment.
    pub fn next(&mut self, formula: Term) -> Lit {
        let next = self.terms.substitute(formula, &self.priming);
        self.solver.literal(&self.terms, 0, next)
    }
}

impl Moments for WordMoments {
    type Trace = WordTrace;
    fn solve(&mut self, lits: &[Lit]) -> Ask<bool> {
        // Not earlier: the last model would be gone.
        if let Some(active) = self.active.take() {
            self.solver.add_clause(0, &[!active]);
        }
        let assumptions: Vec<(u32, Lit)> = lits.iter().map(|&lit| (0, lit)).collect();
        self.solver.solve(&mut self.terms, &assumptions)
    }
    fn solve_with(&mut self, any: &[Lit], lits: &[Lit]) -> Ask<bool> {
        let active = self.solver.proposition(&mut self.terms);
        let clause: Vec<Lit> = any.iter().copied().chain([!active]).collect();
        self.solver.add_clause(0, &clause);
        let lits: Vec<Lit> = lits.iter().copied().chain([active]).collect();
        let answer = self.solve(&lits);
        self.active = Some(active);
        answer
    }
    fn failed(&self, lit: Lit) -> bool {
        self.solver.failed(lit)
    }
    fn is_true(&self, lit: Lit) -> bool {
        self.solver.value(&self.terms, lit)
    }
    fn trace(&self) -> WordTrace {
        let values = |group: usize| {
            let row = |moment: &[Vec<Term>; 2]| {
                moment[group].iter().map(|&var| self.solver.value_of(&self.terms, var)).collect()
            };
            self.moments.iter().map(row).collect()
        };
        WordTrace { states: values(0), inputs: values(1) }
    }
}

impl Queries<WordMoments> {
    /// One formula more; its position.
    pub fn push_term(&mut self, formula: Term) -> usize {
        let initially = self.initial.now(formula);
        let (now, next) = (self.step.now(formula), self.step.next(formula));
        self.push(Formula { initially, now, next })
    }
    /// Do lemmas imply a goal? Consecution of the goal, at the position that is told, asks that: no step is between "now" and "next" here.
    pub fn of_implication(
        system: &WordSystem,
        terms: &Terms,
        decider: &Decider,
        lemmas: &[Term],
        goal: Term,
        run: &Run<'_>,
    ) -> (Queries<WordMoments>, usize) {
        let any = || WordMoments::any(system, terms, decider, run);
        let mut queries = Queries::new(any(), any());
        for &lemma in lemmas {
            let now = queries.step.now(lemma);
            queries.push(Formula { initially: Lit::TRUE, now, next: Lit::TRUE });
        }
        let next = queries.step.now(goal);
        let goal = queries.push(Formula { initially: Lit::TRUE, now: Lit::TRUE, next });
        (queries, goal)
    }
}
