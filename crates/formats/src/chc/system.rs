//! Clauses as a transition system.
//!
//! The state is a location, coded in Boolean variables, and a slot for each argument; predicates share slots of one
//! sort. Slots that a predicate does not use are 0 (false) there, so that the invariant, with the location and these slots
//! replaced by their values, is the predicate's model. Facts that fit are the initial states. If one does not fit, for
//! it speaks of more than the arguments of its head, there is another location, `start`, where everything begins.
//! A location that is the only one needs no code. A slot has the names of all arguments that share it, `n/y`.

use super::clause::{Clause, Clauses, Query};
use crate::lemmas::spell_word;
use crate::smtlib::elaborate::Predicate;
use crate::smtlib::names::{Names, tell_apart};
use crate::word_text;
use indubit_system::{Claim, Property, PropertyId, WordSystem};
use indubit_term::{Op, Sort, Symbol, Term, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};
use std::ops::Range;

/// A system of clauses as a transition system. The clauses have a model if its properties hold, one for each query.
#[derive(Clone, Debug)]
pub struct Chc {
    /// The system. It has a property even if there is no query: one that is true.
    pub system: WordSystem,
    /// How many assertions say that something is not reached. Without one, the clauses have a model whatever they say.
    pub n_queries: usize,
    /// The predicates, in the order of the file.
    pub predicates: Vec<ChcPredicate>,
}

/// Where in the system a predicate is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChcPredicate {
    /// Its name.
    pub name: String,
    /// For each argument a name and its sort.
    pub parameters: Vec<(String, Sort)>,
    /// For each argument the number of its state variable.
    pub slots: Vec<usize>,
    /// The values of all other state variables at its location.
    pub others: Vec<(usize, Value)>,
}

impl Chc {
    /// A model of the predicates from an inductive invariant of the system that implies its properties: one
    /// `define-fun` for each, in the order of the file. The terms are those of the system, and perhaps more.
    pub fn model(&self, terms: &Terms, invariant: Term) -> String {
        let mut text = String::new();
        let mut terms = terms.clone();
        for predicate in &self.predicates {
            let (parameters, body) = predicate.definition(&self.system, &mut terms, invariant);
            // A parameter must not be called as what is shared in the body.
            let mut names = Names::default();
            let parameters: Vec<String> =
                parameters.iter().map(|&p| format!("({} {})", names.add(&terms, p), terms.sort(p))).collect();
            let name = |var: Term| names.get(var);
            let body = terms.display(body).with_names(&name).sharing();
            let (name, parameters) = (Symbol(&predicate.name), parameters.join(" "));
            writeln!(text, "(define-fun {name} ({parameters}) Bool {body})")
                .expect("memory takes everything");
        }
        text
    }
    /// Which predicate a state of the system is about, and what of: `busy(jobs = 2, urgent = true)`.
    pub fn place(&self, state: &[Value]) -> String {
        let is_here = |p: &&ChcPredicate| p.others.iter().all(|(slot, value)| state[*slot] == *value);
        let Some(predicate) = self.predicates.iter().find(is_here) else { return "the start".into() };
        let argument = |(&slot, (name, _)): (&usize, &(String, Sort))| {
            format!("{name} = {}", word_text::value(&state[slot]))
        };
        let arguments: Vec<String> =
            predicate.slots.iter().zip(&predicate.parameters).map(argument).collect();
        format!("{}({})", Symbol(&predicate.name), arguments.join(", "))
    }
    /// What an invariant says, for people, as [`word_text::write`] does it: about each predicate, in the names that
    /// its arguments have.
    pub fn text(&self, terms: &Terms, invariant: Term, limit: Option<usize>) -> String {
        let mut terms = terms.clone();
        let mut lines = Vec::new();
        for predicate in &self.predicates {
            let (_, body) = predicate.definition(&self.system, &mut terms, invariant);
            let own = word_text::lines(&terms, body, limit);
            match self.predicates.len() {
                1 => lines.extend(own),
                _ => lines.extend(own.iter().map(|line| format!("{}: {line}", spell_word(&predicate.name)))),
            }
        }
        word_text::listed(lines, limit)
    }

    pub(super) fn new(clauses: Clauses) -> Chc {
        let facts = |c: &&Clause| c.body.is_none();
        let Clauses { mut terms, predicates, clauses, queries } = clauses;
        let layout = Layout::new(&mut terms, &predicates, &clauses);
        let mut builder = Builder { terms, layout, inputs: Vec::new() };
        let starts: Vec<Option<Term>> =
            clauses.iter().filter(facts).map(|clause| builder.initial(clause)).collect();
        let needs_start = starts.iter().any(Option::is_none) || predicates.is_empty();
        let n_locations = predicates.len() + usize::from(needs_start);
        builder.add_location_bits(n_locations);
        let start = needs_start.then_some(predicates.len());
        let init = match start {
            Some(start) => builder.at(start, false),
            None => {
                let facts = clauses.iter().filter(facts).zip(starts);
                let located: Vec<Term> = facts
                    .filter_map(|(clause, init)| {
                        let (predicate, _) = clause.head.as_ref().expect("a fact that fits has a head");
                        let location = builder.at(*predicate, false);
                        Some(builder.terms.and(&[location, init?]))
                    })
                    .collect();
                builder.terms.or(&located)
            }
        };
        let (mut steps, mut holds) = (Vec::new(), Vec::new());
        for (number, clause) in clauses.iter().enumerate() {
            let from = clause.body.as_ref().map(|(p, _)| *p).or(start);
            // Without `start`, facts are the initial states.
            let Some(from) = from else { continue };
            let step = builder.step(clause, from);
            if clause.head.is_some() {
                steps.push(step);
            } else {
                holds.push((number, builder.terms.not(step)));
            }
        }
        let trans = builder.terms.or(&steps);
        let properties = properties(&mut builder.terms, &queries, &holds);
        let Builder { terms, layout, inputs } = builder;
        let predicates =
            predicates.iter().enumerate().map(|(i, p)| layout.predicate(&terms, i, &p.name)).collect();
        let states =
            layout.states.iter().map(|&(current, next)| indubit_system::WordVar { current, next }).collect();
        let claimed = properties.iter().flat_map(|p| p.claim.formulas()).copied();
        let roots: Vec<Term> = claimed.chain([trans]).collect();
        let roots = terms.variables(&roots);
        let inputs = inputs.into_iter().filter(|input| roots.binary_search(input).is_ok()).collect();
        let system = WordSystem { terms, states, inputs, init, trans, properties, ..WordSystem::new() };
        Chc { system, n_queries: queries.len(), predicates }
    }
}

/// A property for each query: what its clauses, which come with their numbers and in their order, say together. Without a query, nothing.
fn properties(terms: &mut Terms, queries: &[Query], holds: &[(usize, Term)]) -> Vec<Property<Term>> {
    let mut property = |i: usize, name: String, line: Option<usize>, of: &Range<usize>| {
        let [from, to] = [of.start, of.end].map(|end| holds.partition_point(|(clause, _)| *clause < end));
        let own: Vec<Term> = holds[from..to].iter().map(|(_, holds)| *holds).collect();
        let claim = Claim::Always(terms.and(&own));
        Property { line, ..Property::new(PropertyId::Invar(i as u64), &name, claim) }
    };
    if queries.is_empty() {
        return vec![property(0, "query".into(), None, &(0..0))];
    }
    let number = |i: usize| if queries.len() == 1 { "query".into() } else { format!("query {}", i + 1) };
    let of_query = |(i, query): (usize, &Query)| {
        let name = query.name.clone().unwrap_or_else(|| number(i));
        property(i, name, Some(query.line), &query.clauses)
    };
    let mut found: Vec<Property<Term>> = queries.iter().enumerate().map(of_query).collect();
    tell_apart(&mut found);
    found
}

/// `busy(jobs Int, urgent Bool)`: its name and those of its arguments, as traces, invariants and lemmas have them.
impl fmt::Display for ChcPredicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let argument = |(name, sort): &(String, Sort)| format!("{} {sort}", spell_word(name));
        let arguments: Vec<String> = self.parameters.iter().map(argument).collect();
        write!(f, "{}({})", spell_word(&self.name), arguments.join(", "))
    }
}

impl ChcPredicate {
    /// Parameters (new variables of `terms`, which is that of the system or a copy of it) and the formula over them
    /// that an invariant of the system says about this predicate.
    pub fn definition(&self, system: &WordSystem, terms: &mut Terms, invariant: Term) -> (Vec<Term>, Term) {
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        let mut parameters = Vec::new();
        for (&slot, (name, sort)) in self.slots.iter().zip(&self.parameters) {
            let parameter = terms.var(name, *sort);
            map.insert(system.states[slot].current, parameter);
            parameters.push(parameter);
        }
        for (slot, value) in &self.others {
            map.insert(system.states[*slot].current, terms.constant(value.clone()));
        }
        (parameters, terms.substitute(invariant, &map))
    }
}

/// Which state variable is what.
struct Layout {
    /// Current and next: slots, then bits of the location.
    states: Vec<(Term, Term)>,
    n_slots: usize,
    /// For each predicate the slots of its arguments, and the names these have.
    slots: Vec<Vec<usize>>,
    names: Vec<Vec<String>>,
}

impl Layout {
    fn new(terms: &mut Terms, predicates: &[Predicate], clauses: &[Clause]) -> Layout {
        let mut layout = Layout { states: Vec::new(), n_slots: 0, slots: Vec::new(), names: Vec::new() };
        let mut of_sort: FxHashMap<Sort, Vec<usize>> = FxHashMap::default();
        let mut slots_called: Vec<(Sort, Vec<String>)> = Vec::new();
        for (predicate, names) in predicates.iter().zip(argument_names(terms, predicates, clauses)) {
            let mut used: FxHashMap<Sort, usize> = FxHashMap::default();
            let mut slots = Vec::new();
            for (&sort, name) in predicate.sorts.iter().zip(&names) {
                let nth = used.entry(sort).or_default();
                let list = of_sort.entry(sort).or_default();
                if list.len() == *nth {
                    list.push(slots_called.len());
                    slots_called.push((sort, Vec::new()));
                }
                let slot = list[*nth];
                let called = &mut slots_called[slot].1;
                if called.len() <= MAX_NAMES && !called.contains(name) {
                    called.push(name.clone());
                }
                slots.push(slot);
                *nth += 1;
            }
            layout.slots.push(slots);
            layout.names.push(names);
        }
        let mut taken: FxHashSet<String> = FxHashSet::default();
        for (sort, called) in slots_called {
            let name = slot_name(called, &mut taken);
            layout.states.push((terms.var(&name, sort), terms.var(&format!("{name}.next"), sort)));
        }
        layout.n_slots = layout.states.len();
        layout
    }
    fn predicate(&self, terms: &Terms, index: usize, name: &str) -> ChcPredicate {
        let sort = |slot: usize| terms.sort(self.states[slot].0);
        let slots = self.slots[index].clone();
        let unused = (0..self.n_slots).filter(|s| !slots.contains(s)).map(|s| (s, Value::zero(sort(s))));
        let bits =
            (self.n_slots..self.states.len()).map(|b| (b, Value::Bool(index >> (b - self.n_slots) & 1 == 1)));
        let others = unused.chain(bits).collect();
        let parameters = self.names[index].iter().cloned().zip(slots.iter().map(|&s| sort(s))).collect();
        ChcPredicate { name: name.to_owned(), parameters, slots, others }
    }
}

/// What the arguments of predicates are called: as where each is first applied to different variables.
fn argument_names(terms: &Terms, predicates: &[Predicate], clauses: &[Clause]) -> Vec<Vec<String>> {
    let mut found: Vec<Option<Vec<String>>> = vec![None; predicates.len()];
    for (predicate, args) in clauses.iter().flat_map(|c| [&c.body, &c.head]).flatten() {
        if found[*predicate].is_none() {
            let names: FxHashSet<&str> = args.iter().filter_map(|&a| terms.name(a)).collect();
            if names.len() == args.len() {
                let names = args.iter().filter_map(|&a| terms.name(a)).map(str::to_owned);
                found[*predicate] = Some(names.collect());
            }
        }
    }
    let numbered = |predicate: &Predicate| (0..predicate.sorts.len()).map(|i| format!("x{i}")).collect();
    found.into_iter().zip(predicates).map(|(names, p)| names.unwrap_or_else(|| numbered(p))).collect()
}

/// So many names of a slot are part of its own.
const MAX_NAMES: usize = 3;

/// A slot is called as the arguments that share it, `n/y`, and as no other slot.
fn slot_name(mut called: Vec<String>, taken: &mut FxHashSet<String>) -> String {
    if called.len() > MAX_NAMES {
        called[MAX_NAMES] = "..".into();
    }
    let joined = called.join("/");
    let numbered = (2..).map(|n| format!("{joined}.{n}"));
    let is_new = |name: &String| taken.insert(name.clone());
    std::iter::once(joined.clone()).chain(numbered).find(is_new).expect("numbers do not end")
}

struct Builder {
    terms: Terms,
    layout: Layout,
    inputs: Vec<Term>,
}

impl Builder {
    fn add_location_bits(&mut self, n_locations: usize) {
        let n_bits = usize::BITS - n_locations.saturating_sub(1).leading_zeros();
        for bit in 0..n_bits {
            let name = format!(".location{bit}");
            let variables =
                (self.terms.var(&name, Sort::Bool), self.terms.var(&format!("{name}.next"), Sort::Bool));
            self.layout.states.push(variables);
        }
    }
    /// We are at a location, now or after the step; what is not used there is 0.
    fn at(&mut self, location: usize, next: bool) -> Term {
        let used: &[usize] = self.layout.slots.get(location).map_or(&[], |slots| slots);
        let is_unused = |s: &usize| !used.contains(s);
        let unused: Vec<usize> = (0..self.layout.n_slots).filter(is_unused).collect();
        let variable = |(current, after): (Term, Term)| if next { after } else { current };
        let mut parts = Vec::new();
        for slot in unused {
            let variable = variable(self.layout.states[slot]);
            let zero = self.terms.constant(Value::zero(self.terms.sort(variable)));
            parts.push(self.terms.eq(variable, zero));
        }
        for bit in self.layout.n_slots..self.layout.states.len() {
            let variable = variable(self.layout.states[bit]);
            let is_set = location >> (bit - self.layout.n_slots) & 1 == 1;
            parts.push(if is_set { variable } else { self.terms.not(variable) });
        }
        self.terms.and(&parts)
    }
    /// A fact as a formula over the current values of its head's slots, if it can be one.
    fn initial(&mut self, clause: &Clause) -> Option<Term> {
        let (predicate, args) = clause.head.as_ref()?;
        let mut formula = Formula { parts: clause.constraint.clone(), map: FxHashMap::default() };
        let slots = self.layout.slots[*predicate].clone();
        for (&arg, slot) in args.iter().zip(slots) {
            formula.equate(&mut self.terms, arg, self.layout.states[slot].0);
        }
        let state: FxHashSet<Term> = self.layout.states.iter().map(|s| s.0).collect();
        let init = formula.finish(&mut self.terms, |v| state.contains(&v));
        self.terms.variables(&[init]).iter().all(|v| state.contains(v)).then_some(init)
    }
    /// A rule, a query or (from `start`) a fact as a formula over current and next values and inputs.
    fn step(&mut self, clause: &Clause, from: usize) -> Term {
        let mut formula = Formula { parts: clause.constraint.clone(), map: FxHashMap::default() };
        for (side, next) in [(&clause.body, false), (&clause.head, true)] {
            let Some((predicate, args)) = side else { continue };
            let slots = self.layout.slots[*predicate].clone();
            for (&arg, slot) in args.iter().zip(slots) {
                let (current, after) = self.layout.states[slot];
                formula.equate(&mut self.terms, arg, if next { after } else { current });
            }
        }
        let state: FxHashSet<Term> = self.layout.states.iter().flat_map(|s| [s.0, s.1]).collect();
        let step = formula.finish(&mut self.terms, |v| state.contains(&v));
        let others: Vec<Term> =
            self.terms.variables(&[step]).into_iter().filter(|v| !state.contains(v)).collect();
        let step = self.with_inputs(step, &others);
        let mut parts = vec![self.at(from, false), step];
        if let Some((to, _)) = &clause.head {
            parts.push(self.at(*to, true));
        }
        self.terms.and(&parts)
    }
    /// Variables that are neither current nor next become inputs, which clauses share.
    fn with_inputs(&mut self, step: Term, variables: &[Term]) -> Term {
        let mut map: FxHashMap<Term, Term> = FxHashMap::default();
        let mut taken: FxHashSet<Term> = FxHashSet::default();
        for &variable in variables {
            let sort = self.terms.sort(variable);
            let free = |i: &&Term| self.terms.sort(**i) == sort && !taken.contains(*i);
            let input = self.inputs.iter().find(free).copied().unwrap_or_else(|| {
                let name = format!(".input{}", self.inputs.len());
                let input = self.terms.var(&name, sort);
                self.inputs.push(input);
                input
            });
            taken.insert(input);
            map.insert(variable, input);
        }
        self.terms.substitute(step, &map)
    }
}

/// A conjunction in which variables of a clause are replaced.
struct Formula {
    parts: Vec<Term>,
    map: FxHashMap<Term, Term>,
}

impl Formula {
    /// An argument is this variable of the system: the first time a variable is met it is replaced.
    fn equate(&mut self, terms: &mut Terms, arg: Term, variable: Term) {
        if terms.is_var(arg) && !self.map.contains_key(&arg) {
            self.map.insert(arg, variable);
        } else {
            let equal = terms.eq(arg, variable);
            self.parts.push(equal);
        }
    }
    /// The conjunction, without variables that an equation defines, unless they are to stay.
    fn finish(self, terms: &mut Terms, stays: impl Fn(Term) -> bool) -> Term {
        let parts = terms.substitute_all(&self.parts, &self.map);
        let mut formula = terms.and(&parts);
        // Each round removes a variable; a clause has not many, and long ones stop here.
        for _ in 0..MAX_ROUNDS {
            let definition = terms.conjuncts(formula).into_iter().find_map(|c| solved(terms, c, &stays));
            let Some((variable, value)) = definition else { break };
            formula = terms.substitute(formula, &FxHashMap::from_iter([(variable, value)]));
        }
        formula
    }
}

/// So many defined variables are removed from a clause; what is left becomes an input.
const MAX_ROUNDS: usize = 200;

/// A conjunct that says what a variable is, which does not have to stay.
fn solved(terms: &mut Terms, conjunct: Term, stays: &impl Fn(Term) -> bool) -> Option<(Term, Term)> {
    let is_free = |terms: &Terms, t: Term| terms.is_var(t) && !stays(t);
    if is_free(terms, conjunct) {
        return Some((conjunct, terms.bool(true)));
    }
    let args: Vec<Term> = terms.args(conjunct).to_vec();
    match terms.op(conjunct) {
        Op::Not if is_free(terms, args[0]) => Some((args[0], terms.bool(false))),
        Op::Eq if terms.sort(args[0]).is_number() => {
            let sum = terms.sum(args[0]);
            let sort = terms.sort(args[0]);
            // Over integers the coefficient must be 1 or -1.
            let is_unit = |c: &indubit_term::BigRational| {
                sort == Sort::Real || c.is_integer() && c.numer().magnitude() == &1u32.into()
            };
            let candidates = sum.monomials.iter().filter(|(t, c)| is_free(terms, *t) && is_unit(c));
            let candidates: Vec<_> = candidates.cloned().collect();
            for (variable, coefficient) in candidates {
                let rest: Vec<_> = sum.monomials.iter().filter(|(t, _)| *t != variable).cloned().collect();
                let bases: Vec<Term> = rest.iter().map(|(t, _)| *t).collect();
                if terms.variables(&bases).contains(&variable) {
                    continue;
                }
                let right = terms.sum(args[1]);
                let rest = indubit_term::Sum { monomials: rest, constant: sum.constant.clone() };
                let value = right.plus(&-num_one(), &rest).scaled(&coefficient.recip());
                return Some((variable, terms.of_sum(&value, sort)));
            }
            None
        }
        Op::Eq => [(args[0], args[1]), (args[1], args[0])].into_iter().find(|&(variable, value)| {
            is_free(terms, variable) && !terms.variables(&[value]).contains(&variable)
        }),
        _ => None,
    }
}

fn num_one() -> indubit_term::BigRational {
    indubit_term::BigRational::from_integer(1.into())
}
