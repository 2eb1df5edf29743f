//! The checks that make a model in BTOR2 a proof about another one: those of [`certificate`](crate::certificate), over words, as Cerbtora has them.
//!
//! `K` are the states of the certificate that stand for states or inputs of the model. A next value is put in the place of its state rather than equated with it, so that equal terms, which are
//! one, do the work of a solver.

use crate::word_proof::{Judge, unproved};
use crate::{Check, Solving, WordReason};
use indubit_formats::btor2::certificate::{self, Images};
use indubit_formats::btor2::{self, Btor2};
use indubit_run::{Ask, Stop};
use indubit_system::Property;
use indubit_term::{Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Is `evidence` a certificate that all of these properties of `model`, which are no justice, hold?
pub(crate) fn check_word_certificate(
    model: &Btor2,
    properties: &[Property<Term>],
    evidence: &[u8],
    by: &Solving,
) -> Ask<Result<(), WordReason>> {
    let mut checker = match Checker::new(model, properties, evidence) {
        Ok(checker) => checker,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut judge = Judge::new(by);
    for check in [Check::Reset, Check::Safety, Check::Transition, Check::Base, Check::Inductive] {
        let (premises, goals) = checker.question(check);
        match unproved(&mut checker.terms, &premises, &goals, &mut judge)? {
            Ok(None) => (),
            Ok(Some(_)) => return Ok(Err(WordReason::Check(check))),
            Err(reason) => return Ok(Err(reason)),
        }
    }
    if judge.has_doubts() { Err(Stop::Incomplete(crate::word_proof::DOUBTS)) } else { Ok(Ok(())) }
}

/// A state or an input.
struct Variable {
    now: Term,
    init: Option<Term>,
    next: Option<Term>,
    /// Is it one of the model and of the certificate?
    is_shared: bool,
}

/// What a model or a certificate says.
struct Side {
    variables: Vec<Variable>,
    constraints: Vec<Term>,
    property: Vec<Term>,
}

impl Side {
    /// What a file says, with properties that need not be its own, as `terms`; `image` says what some of its variables are there.
    fn new(
        file: &Btor2,
        properties: &[Property<Term>],
        terms: &mut Terms,
        image: impl Fn(Term) -> Option<Term>,
        is_shared: impl Fn(Term) -> bool,
    ) -> Side {
        let system = &file.system;
        let mut own = system.terms.clone();
        let good: Vec<Term> = properties.iter().filter_map(|p| p.claim.always(&mut own)).collect();
        let states = system.states.iter().take(file.states.len()).zip(file.inits.iter().zip(&file.nexts));
        let states = states.map(|(state, (init, next))| [Some(state.current), *init, *next]);
        let variables: Vec<[Option<Term>; 3]> =
            system.inputs.iter().map(|&input| [Some(input), None, None]).chain(states).collect();
        let constraints: Vec<Term> = system.constraints.iter().map(|c| c.holds).collect();
        let mut roots: Vec<Term> = variables.iter().flatten().flatten().copied().collect();
        roots.extend(constraints.iter().chain(&good));
        // Initial values are what they are here, whatever they depend on: nothing is left for the state that says that this is the first step.
        let first = system.states.get(file.states.len()).map(|v| v.current);
        let falsum = terms.bool(false);
        let copies = terms.copy(&own, &roots, |t| if Some(t) == first { Some(falsum) } else { image(t) });
        let mut copies = copies.into_iter();
        let mut take = |given: Option<Term>| given.and_then(|_| copies.next());
        let mut variable = |[now, init, next]: [Option<Term>; 3]| {
            let (now, init, next) = (take(now)?, take(init), take(next));
            Some(Variable { now, init, next, is_shared: is_shared(now) })
        };
        let variables = variables.into_iter().filter_map(&mut variable).collect();
        let constraints = constraints.into_iter().filter_map(|c| take(Some(c))).collect();
        Side { variables, constraints, property: copies.collect() }
    }
    /// That its states, or those that are shared, have their initial values.
    fn initial(&self, terms: &mut Terms, all: bool) -> Vec<Term> {
        let states = self.variables.iter().filter(|v| v.is_shared || all);
        states.filter_map(|v| Some(terms.eq(v.now, v.init?))).collect()
    }
    /// What its variables are in the next step: those that have a next value, and all of them or those that are shared; others are free.
    fn step(&self, terms: &mut Terms, all: bool) -> FxHashMap<Term, Term> {
        let states = self.variables.iter().filter(|v| v.is_shared || all);
        let mut next = states.filter_map(|v| Some((v.now, v.next?))).collect();
        self.free(terms, &mut next);
        next
    }
    /// Its variables that are not in `next` may be anything there.
    fn free(&self, terms: &mut Terms, next: &mut FxHashMap<Term, Term>) {
        for variable in &self.variables {
            let sort = terms.sort(variable.now);
            next.entry(variable.now).or_insert_with(|| terms.var("", sort));
        }
    }
}

/// Model and certificate over the same terms; what they share are the same variables.
struct Checker {
    terms: Terms,
    model: Side,
    certificate: Side,
}

impl Checker {
    fn new(model: &Btor2, properties: &[Property<Term>], evidence: &[u8]) -> Result<Checker, WordReason> {
        if model.file.is_none() {
            let text =
                "a certificate in BTOR2 is about a file in BTOR2, and the model comes from something else";
            return Err(WordReason::Misfit(text.into()));
        }
        let theirs = btor2::parse(evidence)?;
        let images = images(model, &theirs, evidence)?;
        stratified(&theirs, &images)?;
        let mut terms = model.system.terms.clone();
        let shared: FxHashSet<Term> = images.values().copied().collect();
        let is_shared = |var: Term| shared.contains(&var);
        let own = |term: Term| model.system.terms.is_var(term).then_some(term);
        let ours = Side::new(model, properties, &mut terms, own, is_shared);
        let image = |term: Term| images.get(&term).copied();
        let certificate = Side::new(&theirs, &theirs.system.properties, &mut terms, image, is_shared);
        Ok(Checker { terms, model: ours, certificate })
    }
    /// What is to follow from what.
    fn question(&mut self, check: Check) -> (Vec<Term>, Vec<Term>) {
        let Checker { terms, model, certificate } = self;
        match check {
            Check::Reset => {
                let premises = [model.initial(terms, false), model.constraints.clone()].concat();
                (premises, [certificate.initial(terms, false), certificate.constraints.clone()].concat())
            }
            Check::Transition => {
                let mut next = model.step(terms, false);
                let shown = certificate.variables.iter().filter(|v| v.is_shared);
                let mut goals: Vec<Term> = shown
                    .filter_map(|v| Some((next.get(&v.now)?, v.next?)))
                    .map(|(&then, value)| terms.eq(then, value))
                    .collect();
                // Its own states may become anything: more than they can is not wanted.
                certificate.free(terms, &mut next);
                let premises = [
                    model.constraints.clone(),
                    terms.substitute_all(&model.constraints, &next),
                    certificate.constraints.clone(),
                ];
                goals.extend(terms.substitute_all(&certificate.constraints, &next));
                (premises.concat(), goals)
            }
            Check::Safety => {
                let premises =
                    [&model.constraints[..], &certificate.constraints, &certificate.property].concat();
                (premises, model.property.clone())
            }
            Check::Base => {
                let premises = [certificate.initial(terms, true), certificate.constraints.clone()].concat();
                (premises, certificate.property.clone())
            }
            Check::Inductive => {
                let next = certificate.step(terms, true);
                let after = terms.substitute_all(&certificate.constraints, &next);
                let premises = [&certificate.constraints[..], &certificate.property, &after].concat();
                (premises, terms.substitute_all(&certificate.property, &next))
            }
            _ => unreachable!("the other checks are not for models in BTOR2"),
        }
    }
}

/// What the inputs and states of a certificate are that stand for something in the model.
fn images(model: &Btor2, theirs: &Btor2, evidence: &[u8]) -> Result<FxHashMap<Term, Term>, WordReason> {
    let Images { inputs, states } = certificate::images(evidence, model)?;
    let variables = |file: &Btor2| -> Vec<(u64, Term)> {
        let current = file.system.states.iter().map(|v| v.current);
        let states = file.states.iter().copied().zip(current);
        file.inputs.iter().copied().zip(file.system.inputs.iter().copied()).chain(states).collect()
    };
    let lines: FxHashMap<u64, Term> = variables(model).into_iter().collect();
    let mut images = FxHashMap::default();
    for ((own_line, var), line) in variables(theirs).into_iter().zip(inputs.into_iter().chain(states)) {
        let Some((line, image)) = line.and_then(|line| Some((line, *lines.get(&line)?))) else { continue };
        let sorts = [theirs.system.terms.sort(var), model.system.terms.sort(image)];
        if sorts[0] != sorts[1] {
            return Err(WordReason::Misfit(format!(
                "line {own_line} of the certificate is of sort {}, and line {line} of the model, for which it stands, of sort {}",
                sorts[0], sorts[1]
            )));
        }
        images.insert(var, image);
    }
    Ok(images)
}

/// Each state of the certificate that stands for nothing in the model has an initial value, whatever the others are: it depends on states before it only. Otherwise
/// there may be no initial state at all.
fn stratified(theirs: &Btor2, images: &FxHashMap<Term, Term>) -> Result<(), WordReason> {
    let system = &theirs.system;
    let current = system.states.iter().map(|v| v.current);
    let own: FxHashSet<Term> = current.filter(|v| !images.contains_key(v)).collect();
    for (i, state) in system.states.iter().enumerate().take(theirs.states.len()) {
        let (Some(init), false) = (theirs.inits[i], images.contains_key(&state.current)) else { continue };
        let is_late = |var: &Term| *var >= state.current && own.contains(var);
        if system.terms.variables(&[init]).iter().any(is_late) {
            return Err(WordReason::Misfit(format!(
                "the initial value of line {} of the certificate depends on itself, or on a state behind it",
                theirs.states[i]
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "word_certificate_tests.rs"]
mod tests;
