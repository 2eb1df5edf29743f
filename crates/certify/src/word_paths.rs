//! States one after the other, as the questions about k steps want them.
//!
//! Where a step says what a next value is (`x' = f`, with `f` over current values and inputs), and formulas are bits, the state after it has the term `f` there and no variable of its own. The
//! formulas about paths say of each step that it is one, so nothing is lost by that: the conjunct is true then. Equal terms of different
//! steps are one, and what the property does not depend on is in no formula that is left.

use indubit_smt::Theory;
use indubit_system::WordSystem;
use indubit_term::{Op, Term, Terms};
use std::collections::{HashMap, HashSet};

/// Where paths begin.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum From {
    /// In a state that `init` allows, which the formulas say.
    Initial,
    /// In any state.
    Anywhere,
}

/// States one after the other, with inputs.
pub(crate) struct Paths<'s> {
    pub system: &'s WordSystem,
    frames: Vec<(Vec<Term>, Vec<Term>)>,
}

impl<'s> Paths<'s> {
    /// So many steps, and one state more.
    pub fn of_length(system: &'s WordSystem, n_steps: usize, from: From, terms: &mut Terms) -> Paths<'s> {
        let is_bits = Theory::of(terms, &[system.init, system.trans]) == Ok(Theory::Bits);
        let defined = |formula: Term, variables: Vec<Term>| match is_bits {
            true => definitions(terms, formula, &variables.into_iter().collect()),
            false => HashMap::new(),
        };
        let functions = defined(system.trans, system.states.iter().map(|v| v.next).collect());
        let first = match from {
            From::Initial => defined(system.init, system.states.iter().map(|v| v.current).collect()),
            From::Anywhere => HashMap::new(),
        };
        let mut paths = Paths { system, frames: Vec::new() };
        let values: Vec<Option<Term>> =
            system.states.iter().map(|v| first.get(&v.current).copied()).collect();
        // `init` is about state variables only, so a value without any of them is a constant.
        paths.extend(terms, &values);
        for step in 0..n_steps {
            let known: Vec<(usize, Term)> = (system.states.iter().enumerate())
                .filter_map(|(i, v)| Some((i, *functions.get(&v.next)?)))
                .collect();
            let images: Vec<Term> = known.iter().map(|&(_, function)| function).collect();
            let images = terms.substitute_all(&images, &paths.map(step));
            let mut values = vec![None; system.states.len()];
            for ((i, _), image) in known.into_iter().zip(images) {
                values[i] = Some(image);
            }
            paths.extend(terms, &values);
        }
        paths
    }
    /// The first so many steps are steps.
    pub fn steps(&self, terms: &mut Terms, n_steps: usize) -> Vec<Term> {
        (0..n_steps).map(|i| self.at(terms, i, self.system.trans)).collect()
    }
    /// One more state, of which some values are known.
    fn extend(&mut self, terms: &mut Terms, values: &[Option<Term>]) {
        let step = self.frames.len();
        let mut copy = |var: Term| {
            let name = format!("{}@{step}", terms.name(var).unwrap_or_default());
            let sort = terms.sort(var);
            terms.var(&name, sort)
        };
        let states = self.system.states.iter().zip(values);
        let states = states.map(|(state, value)| value.unwrap_or_else(|| copy(state.current))).collect();
        let inputs = self.system.inputs.iter().map(|&input| copy(input)).collect();
        self.frames.push((states, inputs));
    }
    /// A formula about step `i`, and the state after it.
    pub fn at(&self, terms: &mut Terms, i: usize, formula: Term) -> Term {
        terms.substitute(formula, &self.map(i))
    }
    /// What the variables of a formula are in step `i`.
    fn map(&self, i: usize) -> HashMap<Term, Term> {
        let (states, inputs) = &self.frames[i];
        let mut map: HashMap<Term, Term> = HashMap::new();
        for (j, var) in self.system.states.iter().enumerate() {
            map.insert(var.current, states[j]);
            if let Some((after, _)) = self.frames.get(i + 1) {
                map.insert(var.next, after[j]);
            }
        }
        map.extend(self.system.inputs.iter().copied().zip(inputs.iter().copied()));
        map
    }
    /// Two states are the same one.
    pub fn same(&self, terms: &mut Terms, i: usize, j: usize) -> Term {
        let pairs = self.frames[i].0.iter().zip(&self.frames[j].0);
        let equal: Vec<Term> = pairs.map(|(&a, &b)| terms.eq(a, b)).collect();
        terms.and(&equal)
    }
}

/// Which of these variables do conjuncts of a formula say the value of, by terms that mention none of them?
fn definitions(terms: &Terms, formula: Term, variables: &HashSet<Term>) -> HashMap<Term, Term> {
    let mut mentioning: HashSet<Term> = HashSet::new();
    for term in terms.cone(&[formula]) {
        if variables.contains(&term) || terms.args(term).iter().any(|arg| mentioning.contains(arg)) {
            mentioning.insert(term);
        }
    }
    let mut found = HashMap::new();
    for conjunct in terms.conjuncts(formula) {
        if terms.op(conjunct) == Op::Eq
            && let &[a, b] = terms.args(conjunct)
        {
            for (variable, value) in [(a, b), (b, a)] {
                if variables.contains(&variable) && !mentioning.contains(&value) {
                    found.entry(variable).or_insert(value);
                }
            }
        }
    }
    found
}
