//! Specifications: invariants, and formulas of linear and of branching temporal logic.
//!
//! What is below temporal operators is an atom. A formula about a step, with `next(…)`, or an invariant with inputs, is remembered by a variable with a dot in front of its name: that has the
//! value one step later.

use super::elaborate::{Elaborator, Names, Target, Tree};
use super::evaluate::Context;
use super::parser::children;
use super::syntax::{Dyad, Expr, ExprId, File, Infix, Modal, Part, Section, SpecKind};
use crate::{Error, Place};
use indubit_system::{Claim, Ctl, CtlBuilder, CtlId, Ltl, LtlBuilder, LtlId, Property, PropertyId};
use indubit_term::Term;
use rustc_hash::FxHashSet;

/// A connective of formulas.
type Join<B, I> = fn(&mut B, I, I) -> I;

/// A bound of a temporal operator is at most this.
const MOST_STEPS: u32 = 10_000;

/// All specifications and computations with their instances, in the order of the file; where a module is used several times, all of one instance before those of the
/// next one.
pub(super) fn specified<'f>(names: &Names, file: &'f File) -> Vec<(usize, &'f Part)> {
    let mut scopes: Vec<usize> = (0..names.instances.len()).collect();
    scopes.sort_by_key(|&scope| names.instances[scope].module);
    let parts = |scope: usize| {
        let parts = file.modules[names.instances[scope].module].parts.iter();
        parts
            .filter(|part| matches!(part, Part::Spec { .. } | Part::Compute { .. }))
            .map(move |part| (scope, part))
    };
    scopes.into_iter().flat_map(parts).collect()
}

/// What there is instead of formulas of CTL.
const WITH_COMPASSION: &str = "`FAIRNESS`, or a formula of LTL";

impl Elaborator<'_> {
    /// All specifications.
    pub fn specifications(&mut self) -> Result<(), Error> {
        let file = self.file.clone();
        let assumptions = self.compassion()?;
        for (position, (scope, part)) in specified(&self.names, &file).into_iter().enumerate() {
            let cx = Context { scope, next: false };
            if let Part::Compute { parts, at, .. } = part {
                self.computation(*parts, cx, *at)?;
            }
            let Part::Spec { kind, name, body, at } = part else { continue };
            if *kind == SpecKind::Ctl && !assumptions.is_empty() {
                self.undecided(*body, cx, *at)?;
                continue;
            }
            let (id, claim) = self.claim(*kind, *body, cx, &assumptions, position)?;
            let label = match (name, &*self.names.instances[scope].path) {
                (Some(name), "") => name.to_string(),
                (Some(name), path) => format!("{path}.{name}"),
                (None, "") => self.source(*body),
                (None, path) => format!("{} IN {path}", self.source(*body)),
            };
            let mut property = Property::new(id, &label, claim);
            if let Place::Line { line, .. } = self.place(*at) {
                property.line = Some(line);
            }
            self.system.properties.push(property);
        }
        Ok(())
    }
    /// What a specification claims, and what it is called by its number.
    pub fn claim(
        &mut self,
        kind: SpecKind,
        body: ExprId,
        cx: Context,
        assumptions: &[[Term; 2]],
        number: usize,
    ) -> Result<(PropertyId, Claim<Term>), Error> {
        self.prepare(body, cx)?;
        Ok(match kind {
            SpecKind::Invariant => {
                let formula = self.formula(body, cx)?;
                self.check_failures()?;
                let is_step = self.is_about_steps(body, cx.scope)?;
                let formula = if is_step { self.remembered(formula) } else { formula };
                let excuses: Vec<Term> =
                    self.system.constraints.iter().map(|c| self.terms.not(c.holds)).collect();
                let holds = self.terms.or(&[&[formula], &excuses[..]].concat());
                if cx.scope == 0 && !is_step {
                    self.labels.insert(holds, body);
                }
                (PropertyId::Invar(number as u64), Claim::Always(holds))
            }
            SpecKind::Ltl => (PropertyId::Ltl(number), Claim::Ltl(self.ltl(body, cx, assumptions)?)),
            SpecKind::Ctl if !assumptions.is_empty() => {
                return Err(self.error(
                    body,
                    "a formula of CTL in a model with `COMPASSION`",
                    WITH_COMPASSION,
                ));
            }
            SpecKind::Ctl => (PropertyId::Ctl(number), Claim::Ctl(self.ctl(body, cx)?)),
        })
    }
    /// A formula of CTL is looked at for mistakes where `COMPASSION`, which would be part of what a fair path is, keeps it from being decided.
    fn undecided(&mut self, body: ExprId, cx: Context, at: usize) -> Result<(), Error> {
        self.prepare(body, cx)?;
        self.ctl(body, cx)?;
        if let Place::Line { line, .. } = self.place(at) {
            let text = format!(
                "line {line}: formulas of CTL are not decided in a model with `COMPASSION` (there are {WITH_COMPASSION})"
            );
            self.notes.push(text);
        }
        Ok(())
    }
    /// `COMPUTE` is looked at for mistakes, and has a number as specifications have.
    fn computation(&mut self, parts: [ExprId; 2], cx: Context, at: usize) -> Result<(), Error> {
        for part in parts {
            self.prepare(part, cx)?;
            self.ctl(part, cx)?;
        }
        if let Place::Line { line, .. } = self.place(at) {
            self.notes
                .push(format!("line {line}: `COMPUTE` asks for a number of steps, which is not computed"));
        }
        Ok(())
    }
    /// What runs satisfy by `COMPASSION`: pairs of formulas, of which the second one holds infinitely often if the first one does.
    pub fn compassion(&mut self) -> Result<Vec<[Term; 2]>, Error> {
        let file = self.file.clone();
        let mut pairs = Vec::new();
        for scope in 0..self.names.instances.len() {
            let cx = Context { scope, next: false };
            for part in &file.modules[self.names.instances[scope].module].parts {
                if let Part::Compassion(first, second) = part {
                    let first = self.constraint(*first, cx, "COMPASSION", false, true)?;
                    pairs.push([first, self.constraint(*second, cx, "COMPASSION", false, true)?]);
                }
            }
        }
        Ok(pairs)
    }
    fn mentions_next(&self, formula: Term) -> bool {
        self.terms.variables(&[formula]).iter().any(|term| {
            let variable = self.names.by_term.get(term).map(|&index| &self.names.variables[index]);
            variable.is_some_and(|v| v.section == Section::Var && v.next == *term)
        })
    }
    /// Does an expression mention next values or inputs, by itself or by definitions? Then an invariant is about steps, and says nothing of a state without successor, as in NuSMV; whether it could
    /// be said without them does not matter.
    fn is_about_steps(&self, root: ExprId, scope: usize) -> Result<bool, Error> {
        let mut open = vec![(root, scope)];
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        while let Some((id, scope)) = open.pop() {
            let expr = self.file.expr(id);
            match expr {
                Expr::Next(_) => return Ok(true),
                Expr::Name(_) | Expr::Dot(..) => match self.target(id, scope)? {
                    Some(Target::Variable(tree)) if self.has_input(&tree) => return Ok(true),
                    // Which process runs is an input.
                    Some(Target::Running(_)) => return Ok(true),
                    Some(Target::Definition(index)) if seen.insert(index) => {
                        let definition = &self.names.definitions[index];
                        open.push((definition.body, definition.scope));
                    }
                    _ => (),
                },
                _ => children(expr, |child| open.push((child, scope))),
            }
        }
        Ok(false)
    }
    fn has_input(&self, tree: &Tree) -> bool {
        match tree {
            Tree::One(index) => self.names.variables[*index].section == Section::Ivar,
            Tree::Many(_, items) => items.iter().any(|item| self.has_input(item)),
            Tree::Open => false,
        }
    }
    /// A new variable that says in the next state whether a formula about the step held.
    fn remembered(&mut self, formula: Term) -> Term {
        self.system.terms = std::mem::take(&mut self.terms);
        let memory = self.system.remember_step(formula);
        self.terms = std::mem::take(&mut self.system.terms);
        memory
    }
    fn is_temporal(&self, root: ExprId) -> bool {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            let expr = self.file.expr(id);
            if let Expr::Modal(..) | Expr::Dyad(..) = expr {
                return true;
            }
            children(expr, |child| open.push(child));
        }
        false
    }
    fn steps(&mut self, bounds: (ExprId, ExprId), cx: Context) -> Result<(u32, u32), Error> {
        let mut bound = |id: ExprId| -> Result<u32, Error> {
            let value = self.constant(id, cx)?;
            match u32::try_from(&value).ok().filter(|&n| n <= MOST_STEPS) {
                Some(value) => Ok(value),
                None => {
                    Err(self.error(id, format!("the bound {value}"), format!("one from 0 to {MOST_STEPS}")))
                }
            }
        };
        let (from, to) = (bound(bounds.0)?, bound(bounds.1)?);
        if from > to {
            let found = format!("bounds from {from} to {to}");
            return Err(self.error(bounds.0, found, "the smaller one first"));
        }
        Ok((from, to))
    }
    /// A formula of linear temporal logic, under the assumptions of `COMPASSION`.
    fn ltl(&mut self, body: ExprId, cx: Context, assumptions: &[[Term; 2]]) -> Result<Ltl<Term>, Error> {
        let mut builder = LtlBuilder::new();
        let mut formula = self.ltl_part(body, cx, &mut builder)?;
        for &pair in assumptions.iter().rev() {
            let [first, second] = pair.map(|term| {
                let atom = builder.atom(term);
                let later = builder.finally(atom);
                builder.globally(later)
            });
            let assumed = builder.implies(first, second);
            formula = builder.implies(assumed, formula);
        }
        Ok(builder.finish(formula))
    }
    fn ltl_part(&mut self, id: ExprId, cx: Context, b: &mut LtlBuilder<Term>) -> Result<LtlId, Error> {
        if !self.is_temporal(id) {
            return self.ltl_atom(id, cx, b);
        }
        let file = self.file.clone();
        match file.expr(id) {
            Expr::Modal(modal, bounds, operand) => {
                let a = self.ltl_part(*operand, cx, b)?;
                let bounds = bounds.map(|bounds| self.steps(bounds, cx)).transpose()?;
                Ok(match (modal, bounds) {
                    (Modal::X, _) => b.next(a),
                    (Modal::F, None) => b.finally(a),
                    (Modal::G, None) => b.globally(a),
                    (Modal::O, None) => b.once(a),
                    (Modal::H, None) => b.historically(a),
                    (Modal::F, Some((from, to))) => b.finally_within(from, to, a),
                    (Modal::G, Some((from, to))) => b.globally_within(from, to, a),
                    (Modal::O, Some((from, to))) => b.once_within(from, to, a),
                    (Modal::H, Some((from, to))) => b.historically_within(from, to, a),
                    (Modal::Y, _) => b.yesterday(a),
                    (Modal::Z, _) => b.weak_yesterday(a),
                    _ => {
                        let expected = "operators of linear temporal logic; this one stands in `CTLSPEC`";
                        return Err(self.error(id, self.shown(id), expected));
                    }
                })
            }
            Expr::Dyad(dyad, _, left, right) => {
                let operator = match dyad {
                    Dyad::U => LtlBuilder::until,
                    Dyad::V => LtlBuilder::release,
                    Dyad::S => LtlBuilder::since,
                    Dyad::T => LtlBuilder::triggered,
                    Dyad::EU | Dyad::AU => {
                        let expected = "operators of linear temporal logic; this one stands in `CTLSPEC`";
                        return Err(self.error(id, self.shown(id), expected));
                    }
                };
                let (x, y) = (self.ltl_part(*left, cx, b)?, self.ltl_part(*right, cx, b)?);
                Ok(operator(b, x, y))
            }
            Expr::Not(operand) => {
                let a = self.ltl_part(*operand, cx, b)?;
                Ok(b.not(a))
            }
            Expr::Infix(infix, operands) => {
                let (join, negate) = self.joined_by::<LtlId, LtlBuilder<Term>>(
                    id,
                    *infix,
                    [LtlBuilder::and, LtlBuilder::or, LtlBuilder::implies, LtlBuilder::iff],
                )?;
                let mut all = self.ltl_part(operands[0], cx, b)?;
                for &operand in &operands[1..] {
                    let other = self.ltl_part(operand, cx, b)?;
                    all = join(b, all, other);
                    all = if negate { b.not(all) } else { all };
                }
                Ok(all)
            }
            Expr::Choice(condition, yes, no) => {
                let c = self.ltl_part(*condition, cx, b)?;
                let (yes, no) = (self.ltl_part(*yes, cx, b)?, self.ltl_part(*no, cx, b)?);
                let not_c = b.not(c);
                let (yes, no) = (b.implies(c, yes), b.implies(not_c, no));
                Ok(b.and(yes, no))
            }
            _ => self.ltl_atom(id, cx, b),
        }
    }
    /// The connective that an operator is between formulas, and whether the result is negated.
    fn joined_by<I, B>(
        &self,
        id: ExprId,
        infix: Infix,
        [and, or, implies, iff]: [Join<B, I>; 4],
    ) -> Result<(Join<B, I>, bool), Error> {
        match infix {
            Infix::And => Ok((and, false)),
            Infix::Or => Ok((or, false)),
            Infix::Implies => Ok((implies, false)),
            Infix::Iff | Infix::Xnor | Infix::Eq => Ok((iff, false)),
            Infix::Xor | Infix::Ne => Ok((iff, true)),
            _ => {
                let expected = "Boolean operators between temporal formulas";
                Err(self.error(id, self.shown(id), expected))
            }
        }
    }
    fn ltl_atom(&mut self, id: ExprId, cx: Context, b: &mut LtlBuilder<Term>) -> Result<LtlId, Error> {
        let formula = self.formula(id, cx)?;
        self.check_failures()?;
        if let Some(value) = self.terms.as_bool(formula) {
            return Ok(b.constant(value));
        }
        if self.mentions_next(formula) {
            let remembered = self.remembered(formula);
            let atom = b.atom(remembered);
            return Ok(b.next(atom));
        }
        Ok(b.atom(formula))
    }
    fn ctl(&mut self, body: ExprId, cx: Context) -> Result<Ctl<Term>, Error> {
        let mut builder = CtlBuilder::new();
        let root = self.ctl_part(body, cx, &mut builder)?;
        Ok(builder.finish(root))
    }
    fn ctl_part(&mut self, id: ExprId, cx: Context, b: &mut CtlBuilder<Term>) -> Result<CtlId, Error> {
        let file = self.file.clone();
        if !self.is_temporal(id) {
            return self.ctl_atom(id, cx, b);
        }
        match file.expr(id) {
            Expr::Modal(modal, bounds, operand) => {
                let a = self.ctl_part(*operand, cx, b)?;
                let bounds = bounds.map(|bounds| self.steps(bounds, cx)).transpose()?;
                Ok(match (modal, bounds) {
                    (Modal::EX, _) => b.exists_next(a),
                    (Modal::AX, _) => b.all_next(a),
                    (Modal::EF, None) => b.exists_finally(a),
                    (Modal::AF, None) => b.all_finally(a),
                    (Modal::EG, None) => b.exists_globally(a),
                    (Modal::AG, None) => b.all_globally(a),
                    (Modal::EF, Some((from, to))) => b.exists_finally_within(from, to, a),
                    (Modal::AF, Some((from, to))) => b.all_finally_within(from, to, a),
                    (Modal::EG, Some((from, to))) => b.exists_globally_within(from, to, a),
                    (Modal::AG, Some((from, to))) => b.all_globally_within(from, to, a),
                    _ => {
                        let expected = "operators of branching temporal logic; this one stands in `LTLSPEC`";
                        return Err(self.error(id, self.shown(id), expected));
                    }
                })
            }
            Expr::Dyad(dyad @ (Dyad::EU | Dyad::AU), bounds, left, right) => {
                let (x, y) = (self.ctl_part(*left, cx, b)?, self.ctl_part(*right, cx, b)?);
                let bounds = bounds.map(|bounds| self.steps(bounds, cx)).transpose()?;
                Ok(match (dyad, bounds) {
                    (Dyad::EU, None) => b.exists_until(x, y),
                    (Dyad::EU, Some((from, to))) => b.exists_until_within(from, to, x, y),
                    (_, None) => b.all_until(x, y),
                    (_, Some((from, to))) => b.all_until_within(from, to, x, y),
                })
            }
            Expr::Dyad(..) => {
                let expected = "a quantifier over paths, as in A [p U q], or `LTLSPEC`";
                Err(self.error(id, self.shown(id), expected))
            }
            Expr::Not(operand) => {
                let a = self.ctl_part(*operand, cx, b)?;
                Ok(b.not(a))
            }
            Expr::Infix(infix, operands) => {
                let (join, negate) = self.joined_by::<CtlId, CtlBuilder<Term>>(
                    id,
                    *infix,
                    [CtlBuilder::and, CtlBuilder::or, CtlBuilder::implies, CtlBuilder::iff],
                )?;
                let mut all = self.ctl_part(operands[0], cx, b)?;
                for &operand in &operands[1..] {
                    let other = self.ctl_part(operand, cx, b)?;
                    all = join(b, all, other);
                    all = if negate { b.not(all) } else { all };
                }
                Ok(all)
            }
            Expr::Choice(condition, yes, no) => {
                let c = self.ctl_part(*condition, cx, b)?;
                let (yes, no) = (self.ctl_part(*yes, cx, b)?, self.ctl_part(*no, cx, b)?);
                let not_c = b.not(c);
                let (yes, no) = (b.implies(c, yes), b.implies(not_c, no));
                Ok(b.and(yes, no))
            }
            _ => self.ctl_atom(id, cx, b),
        }
    }
    fn ctl_atom(&mut self, id: ExprId, cx: Context, b: &mut CtlBuilder<Term>) -> Result<CtlId, Error> {
        let formula = self.formula(id, cx)?;
        self.check_failures()?;
        self.check_use(formula, id, "CTLSPEC", false, false)?;
        Ok(match self.terms.as_bool(formula) {
            Some(value) => b.constant(value),
            None => b.atom(formula),
        })
    }
}
