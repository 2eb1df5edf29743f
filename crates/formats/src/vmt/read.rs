//! Reading VMT.

use super::temporal;
use crate::lemmas::similar;
use crate::smtlib::elaborate::{Annotation, Elaborator, Meaning, WHOLE};
use crate::smtlib::expressions::{Expressions, Id, Kind, shortened};
use crate::smtlib::names::tell_apart;
use crate::smtlib::script::Command;
use crate::{Error, load};
use indubit_system::{Claim, Ltl, Property, PropertyId, WordSystem, WordVar};
use indubit_term::{Sort, Term};
use rustc_hash::FxHashSet;
use std::path::Path;

/// Read a system from a file.
pub fn read(path: &Path) -> Result<WordSystem, Error> {
    parse(&load(path)?).map_err(|error| error.with_path(path))
}

/// Read a system from the contents of a file.
///
/// ```
/// use indubit_formats::vmt;
/// let system = vmt::parse(
///     b"(declare-fun x () Int)
///       (declare-fun x.next () Int)
///       (define-fun .x () Int (! x :next x.next))
///       (define-fun .init () Bool (! (= x 0) :init))
///       (define-fun .trans () Bool (! (= x.next (+ x 1)) :trans))
///       (define-fun positive () Bool (! (>= x 0) :invar-property 0))",
/// )?;
/// assert_eq!((system.state_name(0), system.properties[0].title()), ("x", "positive (p0)".into()));
/// # Ok::<(), indubit_formats::Error>(())
/// ```
pub fn parse(bytes: &[u8]) -> Result<WordSystem, Error> {
    let expressions = Expressions::parse(bytes)?;
    let mut reader = Reader {
        elaborator: Elaborator::new(&expressions),
        states: Vec::new(),
        init: Vec::new(),
        trans: Vec::new(),
        properties: Vec::new(),
    };
    temporal::declare(&mut reader.elaborator);
    let mut n_annotations = 0;
    for &root in expressions.roots() {
        if temporal::is_declaration(&reader.elaborator, root) {
            continue;
        }
        let command = reader.elaborator.command(root)?;
        let name = if let Command::Defined(name) = command { Some(name) } else { None };
        match command {
            Command::Done | Command::Defined(_) => (),
            Command::Function { name, at, .. } => {
                let found = format!("the uninterpreted function `{}`", shortened(name));
                return Err(reader.elaborator.error(at, found, "functions that are defined (define-fun)"));
            }
            Command::Assert(id) => {
                let term = reader.elaborator.term(id)?;
                if reader.elaborator.terms.as_bool(term) != Some(true) {
                    let expected = "`(assert true)`; what holds is said by :init and :trans";
                    return Err(expressions.error(id, expected));
                }
            }
            Command::Exit => break,
        }
        for i in n_annotations..reader.elaborator.annotations.len() {
            reader.annotation(reader.elaborator.annotations[i], name)?;
        }
        n_annotations = reader.elaborator.annotations.len();
    }
    reader.finish()
}

/// Annotations that say what a system is; the last one only to be refused.
const KNOWN: &[&str] =
    &[":next", ":init", ":trans", ":invar-property", ":live-property", ":ltl-property", ":ctl-property"];

/// Annotations that say nothing about the system: SMT-LIB's own, what solvers take as hints about quantifiers, and predicates for an abstraction.
/// `:named` is dealt with where terms are read.
const HARMLESS: &[&str] =
    &[":named", ":pattern", ":no-pattern", ":weight", ":qid", ":skolemid", ":predicate"];

/// What was expected instead of an annotation that nobody knows.
fn unknown(keyword: &str) -> String {
    let known = KNOWN.iter().chain(HARMLESS).map(|known| known.as_bytes());
    match similar(keyword.as_bytes(), known).first() {
        Some(name) => format!("an annotation of VMT; did you mean `{}`?", String::from_utf8_lossy(name)),
        None => "an annotation of VMT (:next, :init, :trans, :invar-property, :live-property, :ltl-property), or one such as :named".into(),
    }
}

struct Reader<'e, 't> {
    elaborator: Elaborator<'e, 't>,
    states: Vec<(WordVar, Id)>,
    init: Vec<(Term, Id)>,
    trans: Vec<(Term, Id)>,
    properties: Vec<Found>,
}

/// A property on its way.
struct Found {
    /// The number that the file gives, if it does; in the end, its number.
    number: Option<u64>,
    name: String,
    says: Says,
    holds: Term,
    at: Id,
}

/// What is said of the formula of a property.
#[derive(Clone, Copy, PartialEq)]
enum Says {
    /// It holds in all reachable states.
    Always,
    /// Every infinite run comes to a step from which on it holds.
    Settles,
    /// It is temporal, and every infinite run satisfies it.
    Ltl,
}

impl<'t> Reader<'_, 't> {
    fn annotation(&mut self, annotation: Annotation<'t>, name: Option<&'t str>) -> Result<(), Error> {
        let Annotation { term, keyword, value, at } = annotation;
        match keyword {
            ":next" => {
                let var = self.state(annotation)?;
                self.states.push((var, at));
            }
            ":init" | ":trans" => {
                let list = if keyword == ":init" { &mut self.init } else { &mut self.trans };
                list.push((term, at));
                self.check_formula(annotation, value.is_none_or(|v| self.elaborator.e.is_word(v, "true")))?;
            }
            ":invar-property" | ":live-property" | ":ltl-property" => {
                let e = self.elaborator.e;
                let legacy = value.is_none_or(|v| e.is_word(v, "true"));
                let number = value.filter(|&v| e.kind(v) == Kind::Numeral);
                let given = number.and_then(|v| e.text(v).parse::<u32>().ok()).map(u64::from);
                self.check_formula(annotation, legacy || given.is_some())?;
                let n = self.properties.len();
                let name = name.map_or_else(|| format!("property {n}"), str::to_owned);
                let says = match keyword {
                    ":invar-property" => Says::Always,
                    ":live-property" => Says::Settles,
                    _ => Says::Ltl,
                };
                self.properties.push(Found { number: given, name, says, holds: term, at });
            }
            ":ctl-property" => {
                let name = name.unwrap_or("it");
                let found = format!("{keyword} of `{}`", shortened(name));
                let expected = "properties of kind :invar-property, :live-property or :ltl-property; this one is not supported";
                return Err(self.elaborator.error(at, found, expected));
            }
            _ if HARMLESS.contains(&keyword) => (),
            _ => return Err(self.elaborator.e.error(at, unknown(keyword))),
        }
        Ok(())
    }
    fn check_formula(&self, annotation: Annotation<'_>, value_fits: bool) -> Result<(), Error> {
        let terms = &self.elaborator.terms;
        if terms.sort(annotation.term) != Sort::Bool {
            let term = terms.display(annotation.term);
            let found = format!(
                "{} of `{}` (sort {})",
                annotation.keyword,
                term.short(),
                terms.sort(annotation.term)
            );
            return Err(self.elaborator.error(annotation.at, found, "a Boolean term"));
        }
        match annotation.value {
            Some(value) if !value_fits => {
                let expected = match annotation.keyword {
                    ":init" | ":trans" => "no value, or `true`",
                    _ => "the number of the property",
                };
                Err(self.elaborator.e.error(value, expected))
            }
            _ => Ok(()),
        }
    }
    fn state(&mut self, annotation: Annotation<'t>) -> Result<WordVar, Error> {
        let Annotation { term: current, value, at, .. } = annotation;
        let e = self.elaborator.e;
        if !self.elaborator.terms.is_var(current) || self.elaborator.markers.contains_key(&current) {
            let found = format!(":next of `{}`", self.elaborator.terms.display(current).short());
            return Err(self.elaborator.error(at, found, "a variable that is declared"));
        }
        let value = value.ok_or_else(|| e.error(at, "the next value's name behind :next"))?;
        // Some tools do not declare a next value that no formula mentions.
        if let Some(name) = e.symbol(value).filter(|&name| !self.elaborator.symbols.contains_key(name)) {
            let next = self.elaborator.terms.var(name, self.elaborator.terms.sort(current));
            self.elaborator.symbols.insert(name, Meaning::Term(next));
        }
        let terms = &self.elaborator.terms;
        let Some(next) = self.elaborator.variable(value) else {
            return Err(e.error(value, "a variable that is declared before, which holds the next value"));
        };
        if terms.sort(current) != terms.sort(next) {
            let found = format!("{} of sort {}", e.show(value), terms.sort(next));
            return Err(self.elaborator.error(
                value,
                found,
                format!("a variable of sort {}", terms.sort(current)),
            ));
        }
        let uses = |var: Term| self.states.iter().any(|(v, _)| v.current == var || v.next == var);
        if current == next || uses(current) || uses(next) {
            let found =
                format!("a second meaning of `{}` or {}", terms.display(current).short(), e.show(value));
            return Err(self.elaborator.error(at, found, "each variable to be current or next once"));
        }
        Ok(WordVar { current, next })
    }

    /// Properties have the numbers of the file, and come in their order; those without one get what is free.
    fn number_properties(&mut self) -> Result<(), Error> {
        let mut taken: FxHashSet<u64> = FxHashSet::default();
        for &Found { number, at, .. } in &self.properties {
            if let Some(given) = number
                && !taken.insert(given)
            {
                let found = format!("a second property with number {given}");
                return Err(self.elaborator.error(at, found, "different numbers"));
            }
        }
        let mut free = (0..).filter(|number| !taken.contains(number));
        for property in self.properties.iter_mut().filter(|p| p.number.is_none()) {
            property.number = free.next();
        }
        self.properties.sort_by_key(|property| property.number);
        Ok(())
    }
    /// An error if one of these formulas has a temporal operator.
    fn refuse_operators(&self) -> Result<(), Error> {
        let init = self.init.iter().map(|&(term, at)| (term, at, ":init"));
        let trans = self.trans.iter().map(|&(term, at)| (term, at, ":trans"));
        let states = self.properties.iter().filter(|p| p.says != Says::Ltl);
        let states = states.map(|p| (p.holds, p.at, "a formula about one state"));
        for (term, at, place) in init.chain(trans).chain(states) {
            if let Some(operator) = temporal::operator_in(&self.elaborator, term) {
                let found = format!("`{operator}` in {place}");
                return Err(self.elaborator.error(at, found, "temporal operators in :ltl-property only"));
            }
        }
        Ok(())
    }
    fn finish(mut self) -> Result<WordSystem, Error> {
        for (list, keyword, what) in
            [(&self.init, ":init", "initial states"), (&self.trans, ":trans", "steps")]
        {
            if list.is_empty() {
                let expected = format!("a formula for {what}, annotated with {keyword}");
                return Err(Error::new(WHOLE, "the end of the file", expected));
            }
        }
        self.number_properties()?;
        self.refuse_operators()?;
        let mut formulas: Vec<Option<Ltl<Term>>> = Vec::new();
        for property in &self.properties {
            formulas.push(match property.says {
                Says::Always => None,
                Says::Settles => Some(temporal::settling(property.holds)),
                Says::Ltl => Some(temporal::formula(&mut self.elaborator, property.holds, property.at)?),
            });
        }
        let nexts: FxHashSet<Term> = self.states.iter().map(|(v, _)| v.next).collect();
        let currents: FxHashSet<Term> = self.states.iter().map(|(v, _)| v.current).collect();
        let terms = &self.elaborator.terms;
        let name = |t: Term| shortened(terms.name(t).unwrap_or_default());
        for &(init, at) in &self.init {
            if let Some(&stray) = terms.variables(&[init]).iter().find(|v| !currents.contains(v)) {
                let found = format!(":init over `{}`", name(stray));
                let expected = match nexts.contains(&stray) {
                    true => "current values only; this is a next value",
                    false => "state variables only; this variable has no :next",
                };
                return Err(self.elaborator.error(at, found, expected));
            }
        }
        for &Found { holds, at, says, .. } in &self.properties {
            let stray = terms.variables(&[holds]).into_iter().find(|v| nexts.contains(v));
            if let (Some(stray), Says::Always | Says::Settles) = (stray, says) {
                let found = format!("a property over the next value `{}`", name(stray));
                return Err(self.elaborator.error(at, found, "current values and inputs only"));
            }
        }
        let seen = self.properties.iter().zip(&formulas).flat_map(|(property, formula)| match formula {
            Some(formula) => formula.atoms(),
            None => std::slice::from_ref(&property.holds),
        });
        let roots: Vec<Term> = self.trans.iter().map(|(t, _)| *t).chain(seen.copied()).collect();
        let is_state = |v: &Term| currents.contains(v) || nexts.contains(v);
        // Variables that nobody reads are no inputs worth having.
        let inputs: Vec<Term> = terms.variables(&roots).into_iter().filter(|v| !is_state(v)).collect();
        let [init, trans]: [Vec<Term>; 2] =
            [&self.init, &self.trans].map(|list| list.iter().map(|(term, _)| *term).collect());
        let mut terms = self.elaborator.terms;
        let (init, trans) = (terms.and(&init), terms.and(&trans));
        let states = self.states.into_iter().map(|(v, _)| v).collect();
        let mut system = WordSystem { terms, states, inputs, init, trans, ..WordSystem::new() };
        let line = self.elaborator.e.lines();
        for (found, formula) in self.properties.into_iter().zip(formulas) {
            let number = found.number.unwrap_or_default();
            let (id, claim) = match formula {
                None => (PropertyId::Invar(number), Claim::Always(found.holds)),
                Some(formula) => {
                    let formula = system.about_states(&formula);
                    (PropertyId::Ltl(number as usize), Claim::Ltl(formula))
                }
            };
            let line = Some(line(found.at));
            system.properties.push(Property { line, ..Property::new(id, &found.name, claim) });
        }
        // One definition may be annotated twice.
        tell_apart(&mut system.properties);
        Ok(system)
    }
}
