//! Moments of a system over words, in a solver that has a theory for them.

use super::decider::Decider;
use super::moments::{Inductive, Moments, Which};
use crate::verdict::Error;
use crate::words::WordLemmas;
use fastrand::Rng;
use indubit_logic::Lit;
use indubit_run::{Ask, Run};
use indubit_smt::{External, TermSolver};
use indubit_system::{Claim, Property, PropertyId, WordMalformed, WordProof, WordSystem, WordTrace, Words};
use indubit_term::{BigRational, Sort, Table, Term, Terms, Value};
use std::collections::HashMap;

/// A value by chance; numbers are small, for those are the interesting ones.
fn random_value(sort: Sort, random: &mut Rng) -> Value {
    match sort {
        Sort::Bool => Value::Bool(random.bool()),
        Sort::Int => Value::int(random.i32(-2..10)),
        Sort::Real => Value::Real(BigRational::new(random.i32(-4..20).into(), 2.into())),
        Sort::BitVec(width) => Value::bits(width, random.u64(..)),
        Sort::Array(array) => {
            let mut table = Table::constant(array, random_value(array.element.into(), random));
            for _ in 0..random.usize(0..4) {
                let index = random_value(array.index.into(), random);
                table.set(index, random_value(array.element.into(), random));
            }
            Value::Array(table)
        }
    }
}

/// Moments of a system in a solver.
pub struct WordMoments {
    terms: Terms,
    solver: Box<dyn TermSolver>,
    /// The state variables and the inputs of each moment.
    moments: Vec<[Vec<Term>; 2]>,
    /// Replaces state variables and inputs by those of each moment.
    priming: Vec<HashMap<Term, Term>>,
    /// What switches the disjunction of the last query on.
    active: Option<Lit>,
}

impl WordMoments {
    /// `terms` are those of the system, and more.
    pub(crate) fn new(
        system: &WordSystem,
        terms: &Terms,
        decider: &Decider,
        which: Which,
        run: &Run<'_>,
    ) -> WordMoments {
        let states = system.states.iter().map(|v| v.current).collect();
        let moments = vec![[states, system.inputs.clone()]];
        let priming = vec![HashMap::new()];
        let (terms, solver) = (terms.clone(), decider.solver(run));
        let mut this = WordMoments { terms, solver, moments, priming, active: None };
        if which.is_initial {
            let is_initial = this.at(0, system.init);
            this.solver.add_clause(0, &[is_initial]);
        }
        this.constrain(system);
        (0..which.n_steps).for_each(|_| this.follow(system));
        this
    }
    /// One moment more.
    fn follow(&mut self, system: &WordSystem) {
        let k = self.moments.len();
        let copy = |terms: &mut Terms, var: Term| {
            let name = format!("{}.next{}", terms.name(var).unwrap_or_default(), ".next".repeat(k - 1));
            let sort = terms.sort(var);
            terms.var(&name, sort)
        };
        let inputs: Vec<Term> = system.inputs.iter().map(|&var| copy(&mut self.terms, var)).collect();
        let states: Vec<Term> = match k {
            1 => system.states.iter().map(|v| v.next).collect(),
            _ => system.states.iter().map(|v| copy(&mut self.terms, v.current)).collect(),
        };
        let mut priming: HashMap<Term, Term> =
            system.states.iter().map(|v| v.current).zip(states.iter().copied()).collect();
        priming.extend(system.inputs.iter().copied().zip(inputs.iter().copied()));
        let mut step = self.priming[k - 1].clone();
        step.extend(system.states.iter().map(|v| v.next).zip(states.iter().copied()));
        let trans = self.terms.substitute(system.trans, &step);
        let holds = self.solver.literal(&self.terms, 0, trans);
        self.solver.add_clause(0, &[holds]);
        self.priming.push(priming);
        self.moments.push([states, inputs]);
        self.constrain(system);
    }
    /// The constraints hold in the last moment.
    fn constrain(&mut self, system: &WordSystem) {
        for constraint in &system.constraints {
            let holds = self.at(self.moments.len() - 1, constraint.holds);
            self.solver.add_clause(0, &[holds]);
        }
    }
    /// A variable, of whatever moment, has this value.
    fn equals(&mut self, var: Term, value: Value) -> Lit {
        let value = self.terms.constant(value);
        let equal = self.terms.eq(var, value);
        self.solver.literal(&self.terms, 0, equal)
    }
    /// That the state and the inputs of moment `k` have these values; what is beyond them is not spoken of.
    pub(crate) fn has_values(&mut self, k: usize, states: &[Value], inputs: &[Value]) -> [Vec<Lit>; 2] {
        let [state_vars, input_vars] = self.moments[k].clone();
        let mut says = |vars: &[Term], row: &[Value]| -> Vec<Lit> {
            vars.iter().zip(row).map(|(&var, value)| self.equals(var, value.clone())).collect()
        };
        [says(&state_vars, states), says(&input_vars, inputs)]
    }
    /// A new literal that nothing is known about.
    pub(crate) fn switch(&mut self) -> Lit {
        self.solver.proposition(&mut self.terms)
    }
    /// One of these holds, from now on.
    pub(crate) fn assert_any(&mut self, lits: &[Lit]) {
        self.solver.add_clause(0, lits);
    }
    /// Where its terms live, to make more of them.
    pub(super) fn terms_mut(&mut self) -> &mut Terms {
        &mut self.terms
    }
    /// A formula in moment `k`.
    pub(crate) fn at(&mut self, k: usize, formula: Term) -> Lit {
        let formula = self.terms.substitute(formula, &self.priming[k]);
        self.solver.literal(&self.terms, 0, formula)
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
        WordTrace::finite(values(0), values(1))
    }
}

impl Inductive for Words {
    type Moments<'s> = WordMoments;

    fn no_lemmas(system: &WordSystem) -> WordLemmas {
        WordLemmas { terms: system.terms.clone(), formulas: Vec::new() }
    }
    fn validate_lemmas(system: &WordSystem, lemmas: &WordLemmas) -> Result<(), WordMalformed> {
        let WordLemmas { terms, formulas } = lemmas;
        if !terms.extends(&system.terms) {
            let variable = "a variable of another system".into();
            return Err(WordMalformed::Mentions { formula: "a lemma", variable });
        }
        for &lemma in formulas {
            if terms.sort(lemma) != Sort::Bool {
                return Err(WordMalformed::NotBoolean("a lemma"));
            }
            if let Some(var) = system.stranger(terms, lemma) {
                let variable = terms.name(var).unwrap_or_default().to_owned();
                return Err(WordMalformed::Mentions { formula: "a lemma", variable });
            }
        }
        Ok(())
    }
    fn decider(
        system: &WordSystem,
        lemmas: &WordLemmas,
        claims: &[&Claim<Term>],
        other: Option<&External>,
    ) -> Result<Decider, Error<Words>> {
        let mut formulas = vec![system.init, system.trans];
        // Where `trans` is false, it is these that say what there is to decide.
        formulas.extend(system.constraints.iter().map(|constraint| constraint.holds));
        formulas.extend(&lemmas.formulas);
        formulas.extend(claims.iter().flat_map(|claim| claim.formulas()));
        Decider::of(&lemmas.terms, &formulas, other)
    }
    fn has_theory(decider: &Decider, lemmas: &WordLemmas, claim: &Claim<Term>) -> Result<(), Error<Words>> {
        decider.has(&lemmas.terms, claim.formulas())
    }
    fn moments(
        system: &WordSystem,
        lemmas: &WordLemmas,
        decider: &Decider,
        which: Which,
        run: &Run<'_>,
    ) -> WordMoments {
        WordMoments::new(system, &lemmas.terms, decider, which, run)
    }
    fn lemmas_at(moments: &mut WordMoments, k: usize, lemmas: &WordLemmas) -> Vec<Lit> {
        lemmas.formulas.iter().map(|&lemma| moments.at(k, lemma)).collect()
    }
    fn goal_at(moments: &mut WordMoments, k: usize, claim: &Claim<Term>) -> Option<Lit> {
        Some(match *claim {
            Claim::Always(good) => moments.at(k, good),
            Claim::Reachable(goal) => !moments.at(k, goal),
            Claim::Justice(_) | Claim::Ltl(_) | Claim::Ctl(_) => return None,
        })
    }
    fn must_follow(system: &WordSystem, claim: &Claim<Term>) -> bool {
        claim.formulas().iter().any(|&formula| system.stranger(&system.terms, formula).is_some())
    }
    fn proof(
        _: &WordSystem,
        lemmas: &WordLemmas,
        positions: &[usize],
        claim: Option<&Claim<Term>>,
    ) -> WordProof {
        let mut terms = lemmas.terms.clone();
        let goal = claim.and_then(|claim| claim.always(&mut terms));
        let parts: Vec<Term> = positions.iter().map(|&i| lemmas.formulas[i]).chain(goal).collect();
        let invariant = terms.and(&parts);
        // What is said where nothing must hold.
        terms.bool(true);
        WordProof::Inductive { terms, invariant }
    }
    fn row_at(moments: &mut WordMoments, last: &WordTrace) -> [Vec<Lit>; 2] {
        let row = |rows: &[Vec<Value>]| rows.first().cloned().unwrap_or_default();
        moments.has_values(0, &row(&last.states), &row(&last.inputs))
    }
    fn is_free(system: &WordSystem) -> Vec<bool> {
        let (functions, _) = system.functions(&mut system.terms.clone());
        system.states.iter().map(|state| !functions.contains_key(&state.next)).collect()
    }
    fn wishes_at(moments: &mut WordMoments, k: usize, marked: &[bool], random: &mut Rng) -> Vec<Lit> {
        let [states, inputs] = moments.moments[k].clone();
        let states = states.into_iter().zip(marked).filter(|(_, marked)| **marked).map(|(var, _)| var);
        let vars: Vec<Term> = inputs.into_iter().chain(states).collect();
        let wish = |var: Term| {
            let value = random_value(moments.terms.sort(var), random);
            moments.equals(var, value)
        };
        vars.into_iter().map(wish).collect()
    }
    fn append(_: &WordSystem, trace: &mut WordTrace, step: WordTrace) -> WordTrace {
        trace.states.pop();
        trace.inputs.pop();
        trace.states.extend(step.states.iter().cloned());
        trace.inputs.extend(step.inputs.iter().cloned());
        WordTrace::finite(step.states[1..].to_vec(), step.inputs[1..].to_vec())
    }
    fn nothing(proof: &WordProof) -> Property<Term> {
        let truth = match proof {
            WordProof::Inductive { terms, .. } => terms.clone().bool(true),
            _ => Terms::new().bool(true),
        };
        Property::new(PropertyId::Invar(0), "", Claim::Always(truth))
    }
}
