//! Systems over words: Booleans, integers, reals and bit-vectors, with relations instead of functions.
//!
//! An initial state satisfies `init`; a step from a state with some inputs to a next state satisfies `trans`. A step need
//! not exist: a state without successor ends its runs, and a property is about all states and inputs that are met.

use crate::evidence::write_proof;
use crate::{Claim, Name, Property, PropertyId, Ranked, Shape};
use indubit_term::{Sort, Term, Terms, Value};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// A state variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordVar {
    /// Its value now.
    pub current: Term,
    /// Its value after the step.
    pub next: Term,
}

/// A transition system over terms.
///
/// Invariant: see [`validate`](WordSystem::validate). Readers guarantee it.
///
/// ```
/// use indubit_system::WordSystem;
/// use indubit_term::Sort;
/// // x starts at 0 and grows.
/// let mut system = WordSystem::new();
/// let x = system.add_state("x", Sort::Int);
/// let (zero, one) = (system.terms.int(0), system.terms.int(1));
/// system.init = system.terms.eq(x.current, zero);
/// let more = system.terms.add(&[x.current, one]);
/// system.trans = system.terms.eq(x.next, more);
/// let holds = system.terms.ge(x.current, zero);
/// system.add_invar("not negative", holds);
/// assert_eq!(system.validate(), Ok(()));
/// ```
#[derive(Clone, Debug)]
pub struct WordSystem {
    /// Where all terms live.
    pub terms: Terms,
    /// The state variables.
    pub states: Vec<WordVar>,
    /// Variables that are free in each step.
    pub inputs: Vec<Term>,
    /// What holds initially, over current state variables.
    pub init: Term,
    /// What holds in a step, over current and next state variables and inputs.
    pub trans: Term,
    /// What is claimed of its runs, by formulas over current state variables and inputs.
    pub properties: Vec<Property<Term>>,
    /// What holds in every step of a run, the last one included, over current state variables and inputs. `trans` says so of all steps but the last one, and
    /// properties are about states in which it holds, so that nothing else needs to look here; whoever does may take it for granted.
    pub constraints: Vec<WordConstraint>,
    /// What an infinite run sees infinitely often if it is one of those that formulas of temporal logic are about, over current state variables and inputs. Claims of
    /// [justice](Claim::Justice) list it among their own signals.
    pub fairness: Vec<Term>,
    /// State variables and inputs whose names nobody has given: a reader has made them up.
    pub unnamed: HashSet<Term>,
    /// What is meant by the name of a state variable where that is not its value: of a register with an asynchronous reset, which a design has under one name, the wire that
    /// is reset at once, while the variable holds what was stored.
    pub wires: FxHashMap<Term, Term>,
}

/// A constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordConstraint {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// What holds.
    pub holds: Term,
}

/// A run: as many rows of inputs as of states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordTrace {
    /// In each step the values of the state variables, in their order in the system.
    pub states: Vec<Vec<Value>>,
    /// In each step the values of the inputs.
    pub inputs: Vec<Vec<Value>>,
    /// The step that comes after the last one, if it is a lasso: from there on the run repeats for ever.
    pub loops_to: Option<usize>,
}

impl WordTrace {
    /// A finite one.
    pub fn finite(states: Vec<Vec<Value>>, inputs: Vec<Vec<Value>>) -> WordTrace {
        WordTrace { states, inputs, loops_to: None }
    }
    /// The values of the state variables and inputs of `system` in a step.
    pub fn row(&self, system: &WordSystem, step: usize) -> FxHashMap<Term, &Value> {
        let states = system.states.iter().map(|v| v.current).zip(&self.states[step]);
        states.chain(system.inputs.iter().copied().zip(&self.inputs[step])).collect()
    }
    /// The same as a function, as evaluation wants it; other variables are zero.
    pub fn values_at<'t>(&'t self, system: &'t WordSystem, step: usize) -> impl Fn(Term) -> Value + 't {
        let values = self.row(system, step);
        move |var| match values.get(&var) {
            Some(&value) => value.clone(),
            None => Value::zero(system.terms.sort(var)),
        }
    }
}

/// Why a property of a system over words holds.
#[derive(Clone, Debug)]
pub enum WordProof {
    /// The invariant holds initially, is kept by every step, and implies the property.
    Inductive {
        /// The terms of the system, and more.
        terms: Terms,
        /// The invariant, over current state variables, where the constraints hold; what it says of inputs holds of those of every step.
        invariant: Term,
    },
    /// The property holds for the first `k` steps, and `k` good states in a row force another one.
    KInductive {
        /// The depth, at least 1.
        k: u32,
        /// The `k + 1` states may be taken to differ pairwise.
        simple_path: bool,
    },
    /// There is no run with more than `last` steps, and the property holds in all of them.
    Ends {
        /// The last step.
        last: u32,
    },
    /// Why no run sees each of some signals infinitely often: a proof about the circuit that [`blast`](crate::blast) makes of the system.
    Ranked(Box<Ranked>),
}

impl WordProof {
    /// What kind of proof it is.
    pub fn shape(&self) -> Shape {
        match self {
            WordProof::Inductive { .. } => Shape::Inductive,
            WordProof::KInductive { k, simple_path } => {
                Shape::KInductive { k: *k, simple_path: *simple_path }
            }
            WordProof::Ends { last } => Shape::Ends { last: *last },
            WordProof::Ranked(ranked) => Shape::Ranked { n_ranks: ranked.order.len() as u32 },
        }
    }
    /// How many conjuncts its invariant has.
    pub fn n_lemmas(&self) -> usize {
        match self {
            WordProof::Inductive { terms, invariant } => terms.conjuncts(*invariant).len(),
            WordProof::KInductive { .. } | WordProof::Ends { .. } => 0,
            WordProof::Ranked(ranked) => ranked.with.clauses().len(),
        }
    }
}

impl fmt::Display for WordProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_proof(f, self.shape(), self.n_lemmas())
    }
}

/// What is wrong with a system over words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordMalformed {
    /// A state variable or an input is no variable, or one variable is used twice.
    NotAVariable(String),
    /// The current and the next value of a variable are of different sorts.
    SortsDiffer(String),
    /// A formula is not Boolean.
    NotBoolean(&'static str),
    /// A formula mentions a variable that it must not.
    Mentions {
        /// Which formula: `init`, `trans` or `property`.
        formula: &'static str,
        /// The variable's name.
        variable: String,
    },
}

impl fmt::Display for WordMalformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WordMalformed::NotAVariable(name) => {
                write!(f, "`{name}` is not a variable, or it stands for two things")
            }
            WordMalformed::SortsDiffer(name) => {
                write!(f, "the current and the next value of `{name}` are of different sorts")
            }
            WordMalformed::NotBoolean(formula) => write!(f, "{formula} is not Boolean"),
            WordMalformed::Mentions { formula, variable } => {
                write!(f, "{formula} mentions `{variable}`, which it must not")
            }
        }
    }
}

impl std::error::Error for WordMalformed {}

impl Default for WordSystem {
    fn default() -> WordSystem {
        WordSystem::new()
    }
}

impl WordSystem {
    /// A system without variables and properties, in which every step is possible.
    pub fn new() -> WordSystem {
        let mut terms = Terms::new();
        let truth = terms.bool(true);
        let (states, inputs, properties, constraints) = Default::default();
        let (fairness, unnamed, wires) = Default::default();
        let (init, trans) = (truth, truth);
        WordSystem { terms, states, inputs, init, trans, properties, constraints, fairness, unnamed, wires }
    }
    /// What is meant by the name of a state variable, over state variables and inputs.
    pub fn meant(&self, state: Term) -> Term {
        self.wires.get(&state).copied().unwrap_or(state)
    }
    /// The values that are meant by the names of the state variables, in each step of a trace.
    pub fn meant_values<'t>(&self, trace: &'t WordTrace) -> Cow<'t, [Vec<Value>]> {
        if self.wires.is_empty() {
            return Cow::Borrowed(&trace.states);
        }
        let terms: Vec<Term> = self.states.iter().map(|v| self.meant(v.current)).collect();
        let steps = 0..trace.states.len().min(trace.inputs.len());
        let row = |step: usize| self.terms.evaluate_all(&terms, &trace.values_at(self, step));
        let rows: Result<Vec<Vec<Value>>, _> = steps.map(row).collect();
        // Bit-vectors can be evaluated; if a number is too long for that, the variables are shown as they are.
        rows.map_or(Cow::Borrowed(&trace.states[..]), Cow::Owned)
    }
    /// The system for formats that have one name for a variable: one that stores something else than what its name means is called `name.stored`.
    pub fn with_stored_names(&self) -> Cow<'_, WordSystem> {
        if self.wires.is_empty() {
            return Cow::Borrowed(self);
        }
        let mut system = self.clone();
        for state in &self.states {
            if let (true, Some(name)) =
                (self.wires.contains_key(&state.current), self.terms.name(state.current))
            {
                system.terms.rename(state.current, &format!("{name}.stored"));
                system.terms.rename(state.next, &format!("{name}.stored.next"));
            }
        }
        Cow::Owned(system)
    }
    /// A new state variable; the next value is called `name.next`.
    pub fn add_state(&mut self, name: &str, sort: Sort) -> WordVar {
        let current = self.terms.var(name, sort);
        let next = self.terms.var(&format!("{name}.next"), sort);
        self.states.push(WordVar { current, next });
        WordVar { current, next }
    }
    /// A new input.
    pub fn add_input(&mut self, name: &str, sort: Sort) -> Term {
        let input = self.terms.var(name, sort);
        self.inputs.push(input);
        input
    }
    /// This holds in every step. Properties that are there already must not depend on it.
    pub fn add_constraint(&mut self, name: Option<Name>, holds: Term) {
        self.trans = self.terms.and(&[self.trans, holds]);
        self.constraints.push(WordConstraint { name, holds });
    }
    /// All constraints and this.
    pub fn constrained(&mut self, formula: Term) -> Term {
        if self.constraints.is_empty() {
            return formula;
        }
        let all: Vec<Term> = self.constraints.iter().map(|c| c.holds).chain([formula]).collect();
        self.terms.and(&all)
    }
    /// A new property: this holds in all reachable states, whatever the inputs.
    pub fn add_invar(&mut self, name: &str, holds: Term) {
        let excuses: Vec<Term> = self.constraints.iter().map(|c| self.terms.not(c.holds)).collect();
        let holds =
            if excuses.is_empty() { holds } else { self.terms.or(&[&[holds], &excuses[..]].concat()) };
        // Numbers need not be all from 0.
        let number = |p: &Property<Term>| if let PropertyId::Invar(i) = p.id { Some(i + 1) } else { None };
        let id = PropertyId::Invar(self.properties.iter().filter_map(number).max().unwrap_or(0));
        self.properties.push(Property::new(id, name, Claim::Always(holds)));
    }
    /// A new cover: can this become true?
    pub fn add_cover(&mut self, name: &str, goal: Term) {
        let goal = self.constrained(goal);
        let is_cover = |p: &&Property<Term>| matches!(p.id, PropertyId::Cover(_));
        let id = PropertyId::Cover(self.properties.iter().filter(is_cover).count());
        self.properties.push(Property::new(id, name, Claim::Reachable(goal)));
    }
    /// The name of state variable `index`.
    pub fn state_name(&self, index: usize) -> &str {
        self.terms.name(self.states[index].current).expect("a state variable is a variable")
    }
    /// The name of input `index`.
    pub fn input_name(&self, index: usize) -> &str {
        self.terms.name(self.inputs[index]).expect("an input is a variable")
    }
    /// A variable in a formula, over `terms` that are those of the system and more, that is neither a current state variable nor an input.
    pub fn unknown(&self, terms: &Terms, formula: Term) -> Option<Term> {
        let known: HashSet<Term> =
            self.states.iter().map(|v| v.current).chain(self.inputs.iter().copied()).collect();
        terms.variables(&[formula]).into_iter().find(|var| !known.contains(var))
    }
    /// A variable in a formula, over `terms` that are those of the system and more, that is no current state variable.
    pub fn stranger(&self, terms: &Terms, formula: Term) -> Option<Term> {
        let states: HashSet<Term> = self.states.iter().map(|v| v.current).collect();
        terms.variables(&[formula]).into_iter().find(|var| !states.contains(var))
    }
    /// The positions of state variables whose next value nothing constrains: any step may go anywhere with them. That is more often an
    /// oversight than meant. A system without steps has none.
    pub fn unconstrained(&self) -> Vec<usize> {
        if self.terms.as_bool(self.trans) == Some(false) {
            return Vec::new();
        }
        let mentioned = self.terms.variables(&[self.trans]);
        let is_free = |&i: &usize| mentioned.binary_search(&self.states[i].next).is_err();
        (0..self.states.len()).filter(is_free).collect()
    }
    /// The conjunction of formulas, each of them over terms of its own that are those of the system and more. `None` if some are not.
    pub fn conjunction(&self, formulas: &[(&Terms, Term)]) -> Option<(Terms, Term)> {
        let (&(first, formula), others) = match formulas.split_first() {
            Some(split) => split,
            None => {
                let mut terms = self.terms.clone();
                let truth = terms.bool(true);
                return Some((terms, truth));
            }
        };
        if !formulas.iter().all(|(terms, _)| terms.extends(&self.terms)) {
            return None;
        }
        let mut terms = first.clone();
        let mut parts = vec![formula];
        for &(theirs, formula) in others {
            let own = |term: Term| (term.index() < self.terms.n_terms()).then_some(term);
            parts.extend(terms.copy(theirs, &[formula], own));
        }
        let all = terms.and(&parts);
        Some((terms, all))
    }
    /// What functions a step has for next values, and what else it says beside the constraints, over `terms` that are those of the system.
    pub fn functions(&self, terms: &mut Terms) -> (FxHashMap<Term, Term>, Term) {
        let nexts = self.states.iter().map(|v| v.next).collect();
        let (functions, relation) = terms.definitions(self.trans, &nexts, |_| true);
        let constrained: HashSet<Term> =
            self.constraints.iter().flat_map(|c| terms.conjuncts(c.holds)).collect();
        let mut relation = terms.conjuncts(relation);
        relation.retain(|conjunct| !constrained.contains(conjunct));
        (functions, terms.and(&relation))
    }
    /// The next value of each current one.
    pub fn to_next(&self) -> HashMap<Term, Term> {
        self.states.iter().map(|v| (v.current, v.next)).collect()
    }

    /// Is the system what it claims to be? All state variables and inputs are different variables; formulas are
    /// Boolean; `init` mentions current state variables only, `trans` no others than current ones, next ones and
    /// inputs, properties current ones and inputs.
    pub fn validate(&self) -> Result<(), WordMalformed> {
        #[derive(PartialEq)]
        enum Role {
            Current,
            Next,
            Input,
        }
        let mut roles: HashMap<Term, Role> = HashMap::new();
        let states = self.states.iter().flat_map(|v| [(v.current, Role::Current), (v.next, Role::Next)]);
        for (term, role) in states.chain(self.inputs.iter().map(|&i| (i, Role::Input))) {
            if !self.terms.is_var(term) || roles.insert(term, role).is_some() {
                return Err(WordMalformed::NotAVariable(self.terms.display(term).short().to_string()));
            }
        }
        let differ = |v: &&WordVar| self.terms.sort(v.current) != self.terms.sort(v.next);
        if let Some(var) = self.states.iter().find(differ) {
            return Err(WordMalformed::SortsDiffer(self.terms.display(var.current).to_string()));
        }
        let formulas = [("init", self.init), ("trans", self.trans)];
        let claimed = self.properties.iter().flat_map(|p| p.claim.formulas()).map(|&f| ("property", f));
        let constraints = self.constraints.iter().map(|c| ("constraint", c.holds));
        let fairness = self.fairness.iter().map(|&often| ("fairness", often));
        for (formula, term) in formulas.into_iter().chain(claimed).chain(constraints).chain(fairness) {
            if self.terms.sort(term) != Sort::Bool {
                return Err(WordMalformed::NotBoolean(formula));
            }
            let may_be_here = |role: &Role| match formula {
                "init" => *role == Role::Current,
                "trans" => true,
                _ => *role != Role::Next,
            };
            let stray = |v: &&Term| !roles.get(v).is_some_and(may_be_here);
            if let Some(&stray) = self.terms.variables(&[term]).iter().find(stray) {
                let variable = self.terms.name(stray).unwrap_or_default().to_owned();
                return Err(WordMalformed::Mentions { formula, variable });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_over_terms_of_their_own_are_conjoined() {
        let mut system = WordSystem::new();
        let x = system.add_state("x", Sort::Int).current;
        let at_least = |bound: i32| {
            let mut terms = system.terms.clone();
            // What one pool has at a place, another one has elsewhere.
            let bound = (0..=bound).fold(x, |_, i| terms.int(i));
            let formula = terms.ge(x, bound);
            (terms, formula)
        };
        let parts = [at_least(3), at_least(1), at_least(2)];
        let of = |parts: &[(Terms, Term)]| {
            let parts: Vec<(&Terms, Term)> = parts.iter().map(|(terms, formula)| (terms, *formula)).collect();
            system.conjunction(&parts).map(|(terms, all)| terms.display(all).to_string())
        };
        assert_eq!(of(&parts).as_deref(), Some("(and (>= x 3) (>= x 1) (>= x 2))"));
        assert_eq!(of(&parts[..1]).as_deref(), Some("(>= x 3)"));
        assert_eq!(of(&[]).as_deref(), Some("true"));
        let mut foreign = Terms::new();
        let truth = foreign.bool(true);
        assert_eq!(of(&[(foreign, truth)]), None);
    }

    #[test]
    fn next_values_without_a_constraint() {
        let mut system = WordSystem::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| system.add_state(name, Sort::Int));
        assert_eq!(system.unconstrained(), [0, 1, 2]);
        let (kept, read) = (system.terms.eq(y.next, y.current), system.terms.le(x.current, z.current));
        system.trans = system.terms.and(&[kept, read]);
        assert_eq!(system.unconstrained(), [0, 2]);
        system.trans = system.terms.bool(false);
        assert_eq!(system.unconstrained(), []);
    }

    #[test]
    fn malformed_systems_are_noticed() {
        let mut system = WordSystem::new();
        let x = system.add_state("x", Sort::Int);
        let i = system.add_input("i", Sort::Int);
        let zero = system.terms.int(0);
        let good = system.terms.eq(x.current, zero);
        let primed = system.terms.eq(x.next, i);
        (system.init, system.trans) = (good, primed);
        assert_eq!(system.validate(), Ok(()));
        let mut bad = system.clone();
        bad.init = primed;
        let error = bad.validate().unwrap_err().to_string();
        assert_eq!(error, "init mentions `x.next`, which it must not");
        bad = system.clone();
        bad.add_invar("p", primed);
        assert!(bad.validate().is_err());
        bad = system.clone();
        bad.trans = i;
        assert_eq!(bad.validate(), Err(WordMalformed::NotBoolean("trans")));
        bad = system.clone();
        bad.inputs.push(x.next);
        assert!(bad.validate().is_err());
    }
}
