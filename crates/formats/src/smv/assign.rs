//! Assignments: what the initial, the next or each value of a variable is.
//!
//! `x := e` holds in every state: initially, and of next values in every step. Where the value may be one of several, inputs choose, so that a step says what the
//! next value is; they have names with a dot in front and are not shown.
//!
//! In a model with processes the next value of a variable is what the running process assigns, and the same as before if that assigns nothing.

use super::build::{Assigned, Assignment};
use super::checks::Failure;
use super::elaborate::{Elaborator, Target, Tree, VarType};
use super::evaluate::Context;
use super::syntax::{Expr, ExprId, Section, When};
use super::values::{Constant, Member, Number, Range, Val, as_real};
use crate::Error;
use indubit_term::{BigInt, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Among so many values inputs choose; of more, the next value is said to be one.
const MOST_CHOICES: usize = 256;

impl Elaborator<'_> {
    /// The variable that is assigned.
    pub fn assigned(&mut self, when: When, target: ExprId, scope: usize) -> Result<usize, Error> {
        let what = match self.target(target, scope)? {
            Some(Target::Variable(Tree::One(index))) => {
                let variable = &self.names.variables[index];
                match (variable.section, when) {
                    (Section::Var, _) | (Section::Frozen, When::Init) => return Ok(index),
                    (Section::Frozen, _) => "a frozen variable, which keeps its initial value",
                    (Section::Ivar, _) => "an input",
                }
            }
            Some(Target::Variable(Tree::Many(..) | Tree::Open)) => "an array: assign its elements",
            Some(Target::Definition(index)) if self.names.definitions[index].is_parameter => {
                "a parameter that stands for no variable"
            }
            Some(Target::Definition(_)) => "a definition",
            Some(Target::Instance(_)) => "an instance",
            Some(Target::Running(_)) => "what nobody assigns",
            Some(Target::Constant(_)) => "a constant",
            None if self.is_element(target, scope)? => {
                "an element whose index is no constant: assign each by its own, with a `case` over the index"
            }
            None => return Err(self.undeclared(target, scope)),
        };
        Err(self.error(
            target,
            format!("{}, {what}", self.shown(target)),
            "a state variable that is assigned",
        ))
    }
    /// Is it an element of an array of variables?
    fn is_element(&self, target: ExprId, scope: usize) -> Result<bool, Error> {
        let Expr::Index(base, _) = self.file.expr(target) else { return Ok(false) };
        Ok(matches!(self.target(*base, scope)?, Some(Target::Variable(Tree::Many(..)))))
    }
    /// No variable is assigned twice, or what depends on itself.
    pub fn check_assignments(&mut self, all: &[Assignment]) -> Result<(), Error> {
        let mut seen: FxHashMap<(usize, When, usize), ExprId> = FxHashMap::default();
        let mut owners: FxHashMap<usize, FxHashSet<When>> = FxHashMap::default();
        for a in all {
            let process = if a.when == When::Next { a.process } else { 0 };
            let name = &self.names.variables[a.variable].name;
            let say = |when| match when {
                When::Now => format!("`{name}`"),
                When::Init => format!("`init({name})`"),
                When::Next => format!("`next({name})`"),
            };
            if let Some(&first) = seen.get(&(a.variable, a.when, process)) {
                let found = format!("a second assignment to {}", say(a.when));
                let expected = format!("one only; the first one is in {}", self.line_of(first));
                return Err(self.error(a.target, found, expected));
            }
            seen.insert((a.variable, a.when, process), a.target);
            let whens = owners.entry(a.variable).or_default();
            whens.insert(a.when);
            if whens.contains(&When::Now) && whens.len() > 1 {
                let found = format!("assignments to `{name}` and to its initial or next value");
                return Err(self.error(a.target, found, "one or the other"));
            }
        }
        Ok(())
    }
    fn line_of(&self, id: ExprId) -> String {
        match self.place(self.file.node(id).at) {
            crate::Place::Line { line, .. } => format!("line {line}"),
            _ => "the file".into(),
        }
    }
    /// A variable whose value depends on itself, by the variables that each assigned value mentions.
    pub fn check_circles(&self, edges: &FxHashMap<usize, (Vec<usize>, ExprId)>) -> Result<(), Error> {
        // 1 is on the way, 2 is done.
        let mut state: FxHashMap<usize, u8> = FxHashMap::default();
        let mut starts: Vec<usize> = edges.keys().copied().collect();
        starts.sort_unstable();
        for start in starts {
            let mut way = vec![(start, 0)];
            while let Some((node, at)) = way.pop() {
                let Some((targets, id)) = edges.get(&node) else { continue };
                if at == 0 {
                    match state.get(&node) {
                        Some(2) => continue,
                        Some(_) => {
                            let name = &self.names.variables[node].name;
                            let found = format!(
                                "an assignment to `{name}`, which depends on itself in the same step"
                            );
                            return Err(self.error(*id, found, "assignments that are not circular"));
                        }
                        None => drop(state.insert(node, 1)),
                    }
                }
                match targets.get(at) {
                    Some(&target) => {
                        way.push((node, at + 1));
                        if state.get(&target) != Some(&2) {
                            way.push((target, 0));
                        }
                    }
                    None => drop(state.insert(node, 2)),
                }
            }
        }
        Ok(())
    }
    /// The formula that a variable has an assigned value. Inputs may choose among several unless it is about the first state.
    pub fn assignment(
        &mut self,
        variable: usize,
        term: Term,
        value: Val,
        id: ExprId,
        may_choose: bool,
    ) -> Result<Term, Error> {
        let r#type = self.names.variables[variable].r#type.clone();
        let name = self.names.variables[variable].name.clone();
        let Val::Set(members) = value else {
            let (value, inside) = self.coerce(id, &r#type, &value, &name)?;
            let equal = self.terms.eq(term, value);
            let outside = self.terms.not(inside);
            let is_inside = self.never_happens(outside, id, Failure::Range(name))?;
            return Ok(if is_inside { equal } else { self.terms.and(&[equal, inside]) });
        };
        let mut all: Vec<(Term, Term)> = Vec::new();
        let mut outside = Vec::new();
        let mut is_long = false;
        let mut insides = Vec::new();
        for (condition, member) in members.iter() {
            let values: Vec<Val> = match member {
                Member::One(value) => vec![value.clone()],
                Member::From(low, high) => {
                    let range = Range::new(low.clone(), high.clone());
                    let n = range.len().filter(|&n| n <= MOST_CHOICES as u64);
                    is_long |= n.is_none();
                    match n {
                        Some(_) => {
                            range.values().map(|v| self.encoding.literal(&mut self.terms, v)).collect()
                        }
                        None => {
                            [low, high].map(|v| self.encoding.literal(&mut self.terms, v.clone())).to_vec()
                        }
                    }
                }
            };
            for value in values {
                let (value, inside) = self.coerce(id, &r#type, &value, &name)?;
                let not_inside = self.terms.not(inside);
                outside.push(self.terms.and(&[*condition, not_inside]));
                insides.push(inside);
                all.push((*condition, value));
            }
        }
        let outside = self.terms.or(&outside);
        let is_inside = self.never_happens(outside, id, Failure::Range(name))?;
        if is_long || !may_choose || all.len() > MOST_CHOICES || !is_inside {
            let target = r#type.value(term);
            return self.is_member(id, &target, &members);
        }
        if self.is_everything(&r#type, &all) {
            return Ok(self.terms.bool(true));
        }
        let chosen = self.chosen(&all);
        Ok(self.terms.eq(term, chosen))
    }
    /// Are these all values of a type, without conditions?
    fn is_everything(&mut self, r#type: &VarType, all: &[(Term, Term)]) -> bool {
        let truth = self.terms.bool(true);
        let free: FxHashSet<Term> = all
            .iter()
            .filter(|(c, v)| *c == truth && self.terms.value(*v).is_some())
            .map(|(_, v)| *v)
            .collect();
        let n = match r#type {
            VarType::Boolean => 2,
            VarType::Range(_, Some(values)) => values.len(),
            VarType::Range(range, None) => {
                range.len().and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX)
            }
            VarType::Symbols(domain) => domain.len(),
            _ => return false,
        };
        free.len() == n
    }
    /// One of these, whose condition holds, as new inputs say.
    fn chosen(&mut self, all: &[(Term, Term)]) -> Term {
        let mut rest = all.iter().rev();
        let &(_, mut value) = rest.next().expect("a set is not empty");
        // Some condition holds: that is the first one, if what is chosen is not possible.
        for &(condition, other) in rest {
            value = self.terms.ite(condition, other, value);
        }
        if all.len() == 1 {
            return value;
        }
        let n_bits = usize::BITS - (all.len() - 1).leading_zeros();
        let bits: Vec<Term> = (0..n_bits).map(|_| self.choice_input()).collect();
        for (i, &(condition, other)) in all.iter().enumerate().rev() {
            let mut is_here: Vec<Term> = Vec::new();
            for (k, &bit) in bits.iter().enumerate() {
                is_here.push(if i >> k & 1 == 1 { bit } else { self.terms.not(bit) });
            }
            is_here.push(condition);
            let is_here = self.terms.and(&is_here);
            value = self.terms.ite(is_here, other, value);
        }
        value
    }
    fn choice_input(&mut self) -> Term {
        let name = format!(".choice{}", self.n_choices);
        self.n_choices += 1;
        let input = self.terms.var(&name, Sort::Bool);
        self.system.inputs.push(input);
        input
    }
    /// A value as a term of a type, and when that is right.
    fn coerce(
        &mut self,
        id: ExprId,
        r#type: &VarType,
        value: &Val,
        name: &str,
    ) -> Result<(Term, Term), Error> {
        let always = self.terms.bool(true);
        let expected = |elaborator: &Self| {
            let kind = match r#type {
                VarType::Boolean => "a Boolean".to_owned(),
                VarType::Integer => "an integer".into(),
                VarType::Real => "a real".into(),
                VarType::Range(range, _) => format!("an integer from {} to {}", range.low, range.high),
                VarType::Symbols(_) => "one of its enumeration".into(),
                VarType::Word { signed, width } => {
                    format!("{} word[{width}]", if *signed { "a signed" } else { "an unsigned" })
                }
                VarType::Array(..) | VarType::Elements(..) => "an array".into(),
            };
            Err(elaborator.wrong(id, value, &format!("{kind} for `{name}`")))
        };
        match (r#type, value) {
            (VarType::Boolean, Val::Bool(term)) => Ok((*term, always)),
            (VarType::Integer, Val::Number(number)) => Ok((number.term, always)),
            (VarType::Real, _) => match as_real(&mut self.terms, value) {
                Some(term) => Ok((term, always)),
                None => expected(self),
            },
            (VarType::Range(range, values), Val::Number(number)) => {
                let mut inside = self.is_within(number, range);
                if let Some(values) = values {
                    let any: Vec<Term> = values.iter().map(|v| self.is_equal_to(number, v)).collect();
                    inside = self.terms.or(&any);
                }
                let term = self.encoding.fit(&mut self.terms, number, range);
                Ok((term, inside))
            }
            (VarType::Range(range, _), Val::Symbol(symbol)) => {
                let places: Vec<(usize, BigInt)> = (0..symbol.domain.len())
                    .filter_map(|i| match &symbol.domain[i] {
                        Constant::Int(value) => Some((i, value.clone())),
                        Constant::Name(_) => None,
                    })
                    .collect();
                let (mut any, mut term) =
                    (Vec::new(), self.encoding.constant(&mut self.terms, &range.low, range));
                for (place, value) in places {
                    if !range.contains(&Range::only(value.clone())) {
                        continue;
                    }
                    let here = self.encoding.is_at(&mut self.terms, symbol, place);
                    let value = self.encoding.constant(&mut self.terms, &value, range);
                    term = self.terms.ite(here, value, term);
                    any.push(here);
                }
                match any.is_empty() {
                    true => expected(self),
                    false => Ok((term, self.terms.or(&any))),
                }
            }
            (VarType::Symbols(_), Val::Number(number)) => {
                let number: &Number = number;
                match self.encoding.as_symbol(&mut self.terms, number) {
                    Some(symbol) => self.coerce(id, r#type, &Val::Symbol(symbol), name),
                    None => expected(self),
                }
            }
            (VarType::Symbols(domain), Val::Symbol(symbol)) => {
                let places: Vec<usize> =
                    (0..symbol.domain.len()).filter(|&i| domain.contains(&symbol.domain[i])).collect();
                if places.is_empty() {
                    return expected(self);
                }
                let is_all = places.len() == symbol.domain.len();
                let any: Vec<Term> =
                    places.iter().map(|&i| self.encoding.is_at(&mut self.terms, symbol, i)).collect();
                let inside = if is_all { always } else { self.terms.or(&any) };
                let recoded = self.encoding.recode(&mut self.terms, symbol, domain);
                Ok((recoded.term, inside))
            }
            (VarType::Word { signed, width }, Val::Word { term, signed: other })
                if signed == other && self.terms.width(*term) == *width =>
            {
                Ok((*term, always))
            }
            (VarType::Array(sort, signed), Val::Array { term, signed: other })
                if signed == other && self.terms.sort(*term) == Sort::Array(*sort) =>
            {
                Ok((*term, always))
            }
            _ => expected(self),
        }
    }
    /// The value of an assignment.
    pub fn assigned_value(&mut self, a: &Assignment, next: bool) -> Result<Val, Error> {
        let cx = Context { scope: a.scope, next };
        self.prepare(a.value, cx)?;
        let value = self.value(a.value, cx)?;
        self.check_failures()?;
        Ok(value)
    }
    /// What the processes together say the next value of a variable is.
    pub fn interleaved(&mut self, variable: usize, assigned: &[Assigned]) -> Result<Val, Error> {
        let Some(&(_, id, _)) = assigned.first() else { unreachable!("somebody assigns it") };
        let current = self.names.variables[variable].current;
        let mut rest = self.names.variables[variable].r#type.value(current);
        let has_set = assigned.iter().any(|(_, _, value)| matches!(value, Val::Set(_)));
        if !has_set {
            for (process, id, value) in assigned {
                let runs = self.running(*process);
                rest = self.choose(*id, runs, value.clone(), rest)?;
            }
            return Ok(rest);
        }
        let (mut members, mut nobody) = (Vec::new(), Vec::new());
        for (process, id, value) in assigned {
            let runs = self.running(*process);
            let mut own = Vec::new();
            self.gather(*id, value.clone(), &mut own)?;
            for (condition, member) in own {
                members.push((self.terms.and(&[runs, condition]), member));
            }
            nobody.push(self.terms.not(runs));
        }
        let nobody = self.terms.and(&nobody);
        let mut own = Vec::new();
        self.gather(id, rest, &mut own)?;
        members.extend(own.into_iter().map(|(_, member)| (nobody, member)));
        Ok(Val::Set(Arc::new(members)))
    }
}
