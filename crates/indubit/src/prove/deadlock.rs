//! Reachable states without successor.
//!
//! Whether a state is one is a question about all choices that a step has: inputs, and next values that are no functions. It is asked by counterexamples (as for 2QBF; Janota, Marques-Silva, *Abstraction-based
//! algorithm for 2QBF*, SAT 2011): a state is found that none of the choices known so far leads out of; a choice that does is then one for all states in which it is possible, or there is none.

use super::decider::Decider;
use super::moments::{Inductive, Moments, Which};
use super::word_moments::WordMoments;
use indubit_run::{Ask, Run};
use indubit_smt::External;
use indubit_system::{WordSystem, WordTrace, Words};
use indubit_term::{Term, Terms, Value};
use std::collections::HashMap;

/// So many choices are looked at for runs of one length; over numbers each may be one for few states only.
const MOST_CHOICES: usize = 200;

/// A run of at most so many steps to a state without successor, the shortest one. None if there is none, or nobody has a theory for it; where inputs have something to do with what is a state, neither.
pub fn deadlock(
    system: &WordSystem,
    steps: usize,
    other: Option<&External>,
    run: &Run<'_>,
) -> Ask<Option<WordTrace>> {
    let lemmas = Words::no_lemmas(system);
    let Ok(decider) = Words::decider(system, &lemmas, &[], other) else { return Ok(None) };
    let Some(mut search) = Search::new(system, decider) else { return Ok(None) };
    // Most models have none, whether states are reachable or not.
    match search.stuck(Which::ANY, run)? {
        Stuck::Never => return Ok(None),
        Stuck::After(_) => (),
        // Choices for states that are nowhere near.
        Stuck::Unclear => search.choices.clear(),
    }
    for k in 0..=steps {
        if let Stuck::After(trace) = search.stuck(Which::first(k), run)? {
            return Ok(Some(trace));
        }
    }
    Ok(None)
}

/// Has the last of some moments a successor?
enum Stuck {
    /// It always has.
    Never,
    /// Not after these.
    After(WordTrace),
    /// There are too many choices to tell.
    Unclear,
}

struct Search<'s> {
    system: &'s WordSystem,
    decider: Decider,
    terms: Terms,
    /// That a step is possible: over the state, and what is chosen.
    goes_on: Term,
    chosen: Vec<Term>,
    /// What has been chosen.
    choices: Vec<HashMap<Term, Value>>,
}

impl<'s> Search<'s> {
    fn new(system: &'s WordSystem, decider: Decider) -> Option<Search<'s>> {
        let mut terms = system.terms.clone();
        let (functions, relation) = system.functions(&mut terms);
        let mut parts = vec![relation];
        let nexts = system.to_next();
        for constraint in &system.constraints {
            if terms.variables(&[constraint.holds]).iter().any(|v| system.inputs.contains(v)) {
                return None;
            }
            parts.push(terms.substitute(constraint.holds, &nexts));
        }
        let goes_on = terms.and(&parts);
        let goes_on = terms.substitute(goes_on, &functions);
        decider.has(&terms, &[goes_on]).ok()?;
        let is_state = |v: &Term| system.states.iter().any(|state| state.current == *v);
        let chosen = terms.variables(&[goes_on]).into_iter().filter(|v| !is_state(v)).collect();
        Some(Search { system, decider, terms, goes_on, chosen, choices: Vec::new() })
    }
    /// Moments whose last one has no successor.
    fn stuck(&mut self, which: Which, run: &Run<'_>) -> Ask<Stuck> {
        let mut moments = WordMoments::new(self.system, &self.terms, &self.decider, which, run);
        let mut possible = Vec::new();
        for _ in 0..MOST_CHOICES {
            while possible.len() < self.choices.len() {
                let choice = &self.choices[possible.len()];
                let condition = replaced(moments.terms_mut(), self.goes_on, choice);
                possible.push(!moments.at(which.n_steps, condition));
            }
            if !moments.solve(&possible)? {
                return Ok(Stuck::Never);
            }
            let trace = moments.trace();
            match self.way_out(&trace.states[which.n_steps], run)? {
                Some(choice) => self.choices.push(choice),
                None => return Ok(Stuck::After(trace)),
            }
        }
        Ok(Stuck::Unclear)
    }
    /// A choice by which a step leads out of a state.
    fn way_out(&self, state: &[Value], run: &Run<'_>) -> Ask<Option<HashMap<Term, Value>>> {
        let mut terms = self.terms.clone();
        let here = self.system.states.iter().map(|v| v.current).zip(state.iter().cloned()).collect();
        let open = replaced(&mut terms, self.goes_on, &here);
        let zero = |&v: &Term| (v, Value::zero(terms.sort(v)));
        let mut choice: HashMap<Term, Value> = self.chosen.iter().map(zero).collect();
        if let Some(goes_on) = terms.as_bool(open) {
            return Ok(goes_on.then_some(choice));
        }
        let mut solver = self.decider.solver(run);
        let holds = solver.literal(&terms, 0, open);
        solver.add_clause(0, &[holds]);
        if !solver.solve(&mut terms, &[])? {
            return Ok(None);
        }
        for variable in terms.variables(&[open]) {
            choice.insert(variable, solver.value_of(&terms, variable));
        }
        Ok(Some(choice))
    }
}

/// A formula in which some variables have values.
fn replaced(terms: &mut Terms, formula: Term, values: &HashMap<Term, Value>) -> Term {
    let values: HashMap<Term, Term> =
        values.iter().map(|(&variable, value)| (variable, terms.constant(value.clone()))).collect();
    terms.substitute(formula, &values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_formats::smv;
    use indubit_run::Cancel;

    fn found(text: &str) -> Option<(usize, Vec<Value>)> {
        let model = smv::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let trace = deadlock(&model.system, 20, None, &Run::new(Cancel::new())).expect("nobody stops it")?;
        Some((trace.states.len() - 1, trace.states.last().cloned()?))
    }

    #[test]
    fn states_without_successor_are_found() {
        // It cannot count beyond 2.
        let counter =
            "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; TRANS next(x) = x + 1 & x < 2; INVARSPEC x < 4";
        let (step, state) = found(counter).unwrap();
        assert_eq!((step, state), (2, vec![Value::bits(2, 2u32)]));
        // By constraints on states, behind inputs, and over integers.
        let blocked = "MODULE main VAR x : boolean; y : boolean; IVAR i : boolean; INIT !x & !y; TRANS next(x) <-> (i | x | !y); TRANS next(y) <-> x; INVAR !(x & y);";
        assert_eq!(found(blocked).map(|(step, _)| step), Some(1));
        let integers = "MODULE main VAR x : integer; INIT x = 0; TRANS next(x) > x & next(x) < 3 & next(x) < x + 2; INVARSPEC x < 9";
        assert_eq!(found(integers), Some((2, vec![Value::int(2)])));
    }

    #[test]
    fn total_models_have_none() {
        for text in [
            "MODULE main VAR x : 0..3; ASSIGN next(x) := {0, x}; INVARSPEC x < 4",
            "MODULE main VAR x : 0..3; IVAR i : 0..3; TRANS next(x) = i; INVARSPEC x < 4",
            // There is one, which is not reached.
            "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; TRANS x < 3 & (x < 2 -> next(x) = 1) & (x = 2 -> next(x) = 3); INVARSPEC x < 4",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
