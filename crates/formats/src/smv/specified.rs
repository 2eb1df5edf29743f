//! The specifications of a model by the numbers, names and texts that NuSMV gives them, and further ones.

use super::Smv;
use super::elaborate::{Elaborator, Names};
use super::evaluate::Context;
use super::parser;
use super::specs::specified;
use super::syntax::{ExprId, Part, SpecKind};
use super::written::written;
use crate::{Error, Place};
use indubit_system::{Property, PropertyId};
use indubit_term::{Term, Terms};
use std::sync::Arc;

/// What kind of specification it is, in the order in which NuSMV lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `CTLSPEC`.
    Ctl,
    /// `COMPUTE`, which is not among the properties of the system.
    Compute,
    /// `LTLSPEC`.
    Ltl,
    /// `INVARSPEC`.
    Invariant,
}

/// A specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specification {
    /// What kind it is.
    pub kind: Kind,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The formula, as NuSMV writes it.
    pub text: String,
    /// The instance that it stands in: nothing for `main`.
    pub inside: String,
    /// Its position among the properties of the system, if it is one of them.
    pub property: Option<usize>,
}

impl Smv {
    /// The specifications of the file in NuSMV's order: by kind, and those of the instances inside an instance before its own.
    pub fn specifications(&self) -> Vec<Specification> {
        let (names, file) = (&self.names, &self.file);
        let mut last_inside: Vec<usize> = (0..names.instances.len()).collect();
        for scope in (1..names.instances.len()).rev() {
            if let Some(parent) = names.instances[scope].parent {
                last_inside[parent] = last_inside[parent].max(last_inside[scope]);
            }
        }
        let mut all: Vec<(Kind, usize, std::cmp::Reverse<usize>, Specification)> = Vec::new();
        for (position, (scope, part)) in specified(names, file).into_iter().enumerate() {
            let (kind, name, text) = match part {
                Part::Spec { kind, name, body, .. } => {
                    (Kind::from(*kind), name.as_ref(), written(file, *body))
                }
                Part::Compute { is_least, name, parts, .. } => {
                    let which = if *is_least { "MIN" } else { "MAX" };
                    let [first, second] = parts.map(|part| written(file, part));
                    (Kind::Compute, name.as_ref(), format!("{which} [ {first} , {second} ] "))
                }
                _ => continue,
            };
            let inside = names.instances[scope].path.clone();
            let name = name
                .map(|name| if inside.is_empty() { name.to_string() } else { format!("{inside}.{name}") });
            let property = self.system.properties.iter().position(|p| number(p.id) == Some(position));
            let specification = Specification { kind, name, text, inside, property };
            all.push((kind, last_inside[scope], std::cmp::Reverse(scope), specification));
        }
        // Instances are numbered from the outside to the inside: one comes when the last one inside it has come.
        all.sort_by_key(|&(kind, last, scope, _)| (kind, last, scope));
        all.into_iter().map(|(.., specification)| specification).collect()
    }
    /// Add a specification that is not in the file: a formula, with ` IN ` and the path of an instance behind it if it is about that one. What comes back is
    /// how NuSMV writes it, and its position is that of the last property.
    pub fn add_specification(&mut self, kind: Kind, text: &str) -> Result<Specification, Error> {
        let (formula, scope) = self.context(text)?;
        let (mut elaborator, root) = self.read(formula)?;
        elaborator.system = self.system.clone();
        let number = self.system.properties.iter().filter_map(|p| number(p.id)).max().map_or(0, |n| n + 1);
        let cx = Context { scope, next: false };
        let kind = match kind {
            Kind::Ctl => SpecKind::Ctl,
            Kind::Ltl => SpecKind::Ltl,
            Kind::Invariant => SpecKind::Invariant,
            Kind::Compute => {
                return Err(Error::new(
                    Place::None,
                    "a computation of a number of steps",
                    "a formula that is true or false",
                ));
            }
        };
        let assumptions = elaborator.compassion()?;
        let (id, claim) = elaborator.claim(kind, root, cx, &assumptions, number)?;
        let inside = self.names.instances[scope].path.clone();
        let label = if inside.is_empty() {
            formula.trim().to_owned()
        } else {
            format!("{} IN {inside}", formula.trim())
        };
        elaborator.system.properties.push(Property::new(id, &label, claim));
        elaborator.system.terms = std::mem::take(&mut elaborator.terms);
        let text = written(&elaborator.file, root);
        self.system = std::mem::take(&mut elaborator.system);
        let property = Some(self.system.properties.len() - 1);
        Ok(Specification { kind: kind.into(), name: None, text, inside, property })
    }
    /// A condition on states, or with `next` on steps, in the terms of the model and more.
    pub fn condition(&self, text: &str, next: bool) -> Result<(Terms, Term), Error> {
        let (formula, scope) = self.context(text)?;
        let (mut elaborator, root) = self.read(formula)?;
        let condition = elaborator.constraint(
            root,
            Context { scope, next: false },
            "a condition on states",
            next,
            next,
        )?;
        Ok((elaborator.terms, condition))
    }
    /// A formula, and the instance that it is about.
    fn context<'t>(&self, text: &'t str) -> Result<(&'t str, usize), Error> {
        let Some((formula, path)) = text.rsplit_once(" IN ") else { return Ok((text, 0)) };
        let path = path.trim().trim_end_matches(';').trim_end();
        match self
            .names
            .instances
            .iter()
            .position(|instance| instance.path == path || path == "main" && instance.path.is_empty())
        {
            Some(scope) => Ok((formula, scope)),
            None => {
                let column =
                    text.len() - text.rsplit(" IN ").next().unwrap_or_default().trim_start().len() + 1;
                let place = Place::Line { line: 1, column };
                Err(Error::new(
                    place,
                    format!("`{path}`, which is no instance"),
                    "the path of an instance behind `IN`",
                ))
            }
        }
    }
    /// An expression that is not in the file.
    fn read<'t>(&self, text: &'t str) -> Result<(Elaborator<'t>, ExprId), Error> {
        let mut elaborator = self.elaborator(text.as_bytes());
        let file = Arc::unwrap_or_clone(std::mem::take(&mut elaborator.file));
        let (file, root) = parser::alone(text.as_bytes(), file)?;
        elaborator.file = file.into();
        Ok((elaborator, root))
    }
    /// An elaborator that knows the names and terms of the model, for a text that is not in the file.
    pub(super) fn elaborator<'t>(&self, text: &'t [u8]) -> Elaborator<'t> {
        let mut elaborator = Elaborator::new(text, self.file.clone(), self.encoding);
        elaborator.terms = self.system.terms.clone();
        elaborator.never = elaborator.terms.bool(false);
        elaborator.fails = elaborator.never;
        elaborator.names = Names::clone(&self.names);
        elaborator
    }
}

impl From<SpecKind> for Kind {
    fn from(kind: SpecKind) -> Kind {
        match kind {
            SpecKind::Ctl => Kind::Ctl,
            SpecKind::Ltl => Kind::Ltl,
            SpecKind::Invariant => Kind::Invariant,
        }
    }
}

/// The number of a specification among all of the file.
fn number(id: PropertyId) -> Option<usize> {
    match id {
        PropertyId::Invar(number) => usize::try_from(number).ok(),
        PropertyId::Ltl(number) | PropertyId::Ctl(number) => Some(number),
        _ => None,
    }
}
