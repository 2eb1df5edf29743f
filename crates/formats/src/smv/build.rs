//! The system that a model is: what holds initially, in every step and in every state, and what is claimed.

use super::elaborate::{Elaborator, Names};
use super::evaluate::Context;
use super::syntax::{ExprId, File, Part, Section, When};
use super::values::{Encoding, Val};
use crate::Error;
use indubit_system::{WordSystem, WordVar};
use indubit_term::Term;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An assignment in an instance.
pub(super) struct Assignment {
    pub scope: usize,
    pub process: usize,
    pub when: When,
    pub variable: usize,
    pub target: ExprId,
    pub value: ExprId,
}

/// What a process says the next value is, and where.
pub(super) type Assigned = (usize, ExprId, Val);

/// What has become of a model.
pub(super) struct Built {
    pub system: WordSystem,
    pub names: Names,
    pub notes: Vec<String>,
    pub labels: FxHashMap<Term, String>,
}

/// The system of a file.
pub(super) fn build(text: &[u8], file: Arc<File>, encoding: Encoding) -> Result<Built, Error> {
    let mut elaborator = Elaborator::new(text, file, encoding);
    elaborator.flatten()?;
    elaborator.build()?;
    let label = |(&term, &id): (&Term, &ExprId)| (term, elaborator.source(id));
    let labels = elaborator.labels.iter().map(label).collect();
    let Elaborator { system, names, notes, .. } = elaborator;
    Ok(Built { system, names, notes, labels })
}

impl Elaborator<'_> {
    fn build(&mut self) -> Result<(), Error> {
        let file = self.file.clone();
        let (mut init, mut trans, mut invar) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..self.names.variables.len() {
            let variable = self.names.variables[i].clone();
            match variable.section {
                Section::Var => {
                    self.system.states.push(WordVar { current: variable.current, next: variable.next });
                }
                Section::Frozen => {
                    let name = format!("{}.next", variable.name);
                    let next = self.terms.var(&name, self.terms.sort(variable.current));
                    self.system.states.push(WordVar { current: variable.current, next });
                    trans.push(self.terms.eq(next, variable.current));
                }
                Section::Ivar => self.system.inputs.push(variable.current),
            }
            let inside = self.in_type(&variable.r#type, variable.current);
            if self.terms.as_bool(inside) != Some(true) {
                invar.push(inside);
            }
        }
        let mut assignments = Vec::new();
        for scope in 0..self.names.instances.len() {
            let (module, process) = (self.names.instances[scope].module, self.names.instances[scope].process);
            for part in &file.modules[module].parts {
                let cx = Context { scope, next: false };
                match part {
                    Part::Assign { when, target, value } => {
                        self.prepare(*target, cx)?;
                        let variable = self.assigned(*when, *target, scope)?;
                        let (when, target, value) = (*when, *target, *value);
                        assignments.push(Assignment { scope, process, when, variable, target, value });
                    }
                    Part::Init(body) => {
                        let formula = self.constraint(*body, cx, "INIT", false, false)?;
                        init.push(formula);
                    }
                    Part::Trans(body) => {
                        let formula = self.constraint(*body, cx, "TRANS", true, true)?;
                        trans.push(formula);
                    }
                    Part::Invar(body) => {
                        let formula = self.constraint(*body, cx, "INVAR", false, false)?;
                        invar.extend(self.terms.conjuncts(formula));
                    }
                    Part::Fairness(body) => {
                        let formula = self.constraint(*body, cx, "FAIRNESS", false, true)?;
                        self.system.fairness.push(formula);
                    }
                    _ => (),
                }
            }
        }
        self.assign(&assignments, &mut init, &mut trans)?;
        for index in 0..self.names.definitions.len() {
            // What nobody uses must be right all the same.
            let (body, scope) = (self.names.definitions[index].body, self.names.definitions[index].scope);
            if !self.names.definitions[index].is_parameter {
                self.prepare(body, Context { scope, next: false })?;
                self.definition(index, false)?;
                self.fails = self.never;
            }
        }
        self.system.init = self.terms.and(&init);
        self.system.trans = self.terms.and(&trans);
        self.system.terms = std::mem::take(&mut self.terms);
        for holds in invar {
            self.system.add_constraint(None, holds);
        }
        self.terms = std::mem::take(&mut self.system.terms);
        self.specifications()?;
        self.system.terms = std::mem::take(&mut self.terms);
        debug_assert_eq!(self.system.validate(), Ok(()));
        Ok(())
    }
    /// A formula of a section, which may mention next values or inputs or not.
    pub fn constraint(
        &mut self,
        body: ExprId,
        cx: Context,
        section: &str,
        next: bool,
        inputs: bool,
    ) -> Result<Term, Error> {
        self.prepare(body, cx)?;
        let formula = self.formula(body, cx)?;
        self.check_failures()?;
        self.check_use(formula, body, section, next, inputs)?;
        Ok(formula)
    }
    pub fn check_use(
        &self,
        formula: Term,
        body: ExprId,
        section: &str,
        next: bool,
        inputs: bool,
    ) -> Result<(), Error> {
        if next && inputs {
            return Ok(());
        }
        for term in self.terms.variables(&[formula]) {
            let Some(&index) = self.names.by_term.get(&term) else { continue };
            let variable = &self.names.variables[index];
            let (what, is_there) = match variable.section {
                Section::Var if !next => ("the next value of ", term == variable.next),
                Section::Ivar if !inputs => ("the input ", true),
                _ => ("", false),
            };
            if is_there {
                let found = format!("{what}`{}` in `{section}`", variable.name);
                let expected = match (next, inputs) {
                    (false, false) => "current values of state variables only",
                    _ => "current values only",
                };
                return Err(self.error(body, found, expected));
            }
        }
        Ok(())
    }
    fn assign(
        &mut self,
        all: &[Assignment],
        init: &mut Vec<Term>,
        trans: &mut Vec<Term>,
    ) -> Result<(), Error> {
        self.check_assignments(all)?;
        let mut by_current: FxHashMap<Term, usize> = FxHashMap::default();
        let mut by_next: FxHashMap<Term, usize> = FxHashMap::default();
        for (i, variable) in
            self.names.variables.iter().enumerate().filter(|(_, v)| v.section == Section::Var)
        {
            by_current.insert(variable.current, i);
            by_next.insert(variable.next, i);
        }
        let mut first_edges = FxHashMap::default();
        let mut next_edges: FxHashMap<usize, FxHashMap<usize, (Vec<usize>, ExprId)>> = FxHashMap::default();
        let mut always_edges = FxHashMap::default();
        let mut nexts: Vec<(usize, Vec<Assigned>)> = Vec::new();
        let mut place: FxHashMap<usize, usize> = FxHashMap::default();
        for a in all {
            let current = self.names.variables[a.variable].current;
            match a.when {
                When::Init | When::Now => {
                    let value = self.assigned_value(a, false)?;
                    let edges = self.mentioned_by(&value, &by_current);
                    first_edges.insert(a.variable, (edges, a.target));
                    let formula = self.assignment(a.variable, current, value, a.value, false)?;
                    let section = if a.when == When::Init { "init(…)" } else { "an assignment" };
                    self.check_use(formula, a.value, section, false, false)?;
                    init.push(formula);
                }
                When::Next => {
                    let value = self.assigned_value(a, false)?;
                    let edges = self.mentioned_by(&value, &by_next);
                    next_edges.entry(a.process).or_default().insert(a.variable, (edges, a.target));
                    let at = *place.entry(a.variable).or_insert_with(|| {
                        nexts.push((a.variable, Vec::new()));
                        nexts.len() - 1
                    });
                    nexts[at].1.push((a.process, a.value, value));
                }
            }
            if a.when == When::Now {
                let next = self.names.variables[a.variable].next;
                let value = self.assigned_value(a, true)?;
                let edges = self.mentioned_by(&value, &by_next);
                always_edges.insert(a.variable, (edges, a.target));
                let formula = self.assignment(a.variable, next, value, a.value, true)?;
                trans.push(formula);
            }
        }
        self.check_circles(&first_edges)?;
        self.check_circles(&always_edges)?;
        for edges in next_edges.values() {
            let mut together = always_edges.clone();
            together.extend(edges.clone());
            self.check_circles(&together)?;
        }
        for (variable, values) in nexts {
            let (id, next) = (values[0].1, self.names.variables[variable].next);
            let value = match self.names.selector {
                None => values.into_iter().next().map(|(_, _, value)| value).expect("there is one"),
                Some(_) => self.interleaved(variable, &values)?,
            };
            trans.push(self.assignment(variable, next, value, id, true)?);
        }
        Ok(())
    }
    /// The variables that a value mentions.
    fn mentioned_by(&self, value: &Val, variables: &FxHashMap<Term, usize>) -> Vec<usize> {
        let mut roots = Vec::new();
        match value {
            Val::Set(members) => {
                for (condition, member) in members.iter() {
                    roots.push(*condition);
                    if let super::values::Member::One(value) = member {
                        roots.extend(value.term());
                    }
                }
            }
            value => roots.extend(value.term()),
        }
        self.terms.variables(&roots).into_iter().filter_map(|v| variables.get(&v).copied()).collect()
    }
}
