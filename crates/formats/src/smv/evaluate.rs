//! Expressions as values.
//!
//! What can go wrong for some values of the variables (no condition of a `case` holds, a divisor is 0, an index is outside of its array) is a condition under
//! which the expression *fails*. It is collected beside the value, under the conditions of the branches around it, and looked at when the
//! whole constraint or specification is known (`checks.rs`).

use super::checks::Failure;
use super::elaborate::{Elaborator, Target};
use super::syntax::{Expr, ExprId, Infix};
use super::values::{Member, Number, Range, Symbol, Val, as_real, joined};
use crate::Error;
use indubit_term::{BigInt, BigRational, Op, Term};
use std::sync::Arc;

/// Where an expression is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    /// The instance whose names it uses.
    pub scope: usize,
    /// Inside `next(…)`?
    pub next: bool,
}

/// A set is written with at most so many values.
const MOST_MEMBERS: usize = 1 << 16;

/// So deep may values rest on each other.
const MOST_OPEN: u32 = 1500;

impl Elaborator<'_> {
    /// What an expression stands for.
    pub fn value(&mut self, id: ExprId, cx: Context) -> Result<Val, Error> {
        self.open += 1;
        if self.open > MOST_OPEN || self.is_full() {
            let found = "an expression that unfolds to too much";
            return Err(self.error(id, found, "a smaller one"));
        }
        let value = self.value_inside(id, cx);
        self.open -= 1;
        value
    }
    fn value_inside(&mut self, id: ExprId, cx: Context) -> Result<Val, Error> {
        let file = self.file.clone();
        match file.expr(id) {
            Expr::Bool(value) => Ok(Val::Bool(self.terms.bool(*value))),
            Expr::Int(value) => Ok(self.encoding.literal(&mut self.terms, value.clone())),
            Expr::Real(value) => Ok(Val::Real(self.terms.real(value.clone()))),
            Expr::Bits { signed, width, value } => {
                Ok(Val::Word { term: self.terms.bits(*width, value.clone()), signed: *signed })
            }
            Expr::Name(_) | Expr::Itself | Expr::Dot(..) => self.named(id, cx),
            Expr::Index(base, index) => self.element(id, *base, *index, cx),
            Expr::Slice(base, high, low) => self.slice(*base, *high, *low, cx),
            Expr::Not(operand) => match self.value(*operand, cx)? {
                Val::Bool(term) => Ok(Val::Bool(self.terms.not(term))),
                Val::Word { term, signed } => {
                    Ok(Val::Word { term: self.terms.bv(Op::BvNot, &[term]), signed })
                }
                other => Err(self.wrong(*operand, &other, "a Boolean or a word behind `!`")),
            },
            Expr::Minus(operand) => {
                let value = self.value(*operand, cx)?;
                self.negative(*operand, value)
            }
            Expr::Infix(infix, operands) => self.infix(id, *infix, operands, cx),
            Expr::Choice(condition, yes, no) => self.cases(id, &[(*condition, *yes)], Some(*no), cx),
            Expr::Case(branches) => self.cases(id, branches, None, cx),
            Expr::Set(elements) => {
                let mut members = Vec::new();
                for &element in elements {
                    let value = self.value(element, cx)?;
                    self.gather(element, value, &mut members)?;
                }
                Ok(Val::Set(Arc::new(members)))
            }
            Expr::Range(low, high) => {
                let [low, high] = [*low, *high].map(|bound| self.constant(bound, cx));
                let (low, high) = (low?, high?);
                if low > high {
                    return Err(self.error(id, "a range from more to less", "one that is not empty"));
                }
                let always = self.terms.bool(true);
                Ok(Val::Set(Arc::new(vec![(always, Member::From(low, high))])))
            }
            Expr::Call(name, arguments) => self.call(id, name, arguments, cx),
            Expr::Next(_) if cx.next => Err(self.error(id, "`next` inside `next`", "one `next` only")),
            Expr::Next(inner) => self.value(*inner, Context { next: true, ..cx }),
            Expr::List(elements) => {
                let values: Result<Vec<Val>, Error> = elements.iter().map(|&e| self.value(e, cx)).collect();
                Ok(Val::Elements(0, Arc::new(values?)))
            }
            Expr::Type(_) => Err(self.error(id, "a type", "a value")),
            Expr::Modal(..) | Expr::Dyad(..) => {
                let expected = "no temporal operator here: they stand in `LTLSPEC` and `CTLSPEC`, and not inside other operators than Boolean ones";
                Err(self.error(id, self.shown(id), expected))
            }
        }
    }
    /// Some more work has been done; too much of it is an error.
    pub fn worked(&mut self, id: ExprId) -> Result<(), Error> {
        self.work += 1;
        match self.is_full() {
            true => Err(self.error(id, "an expression that unfolds to too much", "a smaller one")),
            false => Ok(()),
        }
    }
    /// An expression that is a Boolean.
    pub fn formula(&mut self, id: ExprId, cx: Context) -> Result<Term, Error> {
        match self.value(id, cx)? {
            Val::Bool(term) => Ok(term),
            other => Err(self.wrong(id, &other, "a Boolean")),
        }
    }
    /// An expression that is a constant integer.
    pub fn constant(&mut self, id: ExprId, cx: Context) -> Result<BigInt, Error> {
        match self.value(id, cx)? {
            Val::Number(Number { range: Some(range), .. }) if range.low == range.high => Ok(range.low),
            other => {
                let found = format!("{}, {}", self.shown(id), other.kind(&self.terms));
                Err(self.error(id, found, "an integer that is a constant"))
            }
        }
    }
    fn named(&mut self, id: ExprId, cx: Context) -> Result<Val, Error> {
        match self.target(id, cx.scope)? {
            Some(Target::Variable(tree)) => self.tree_value(id, &tree, cx.next),
            Some(Target::Definition(definition)) => self.definition(definition, cx.next),
            Some(Target::Running(instance)) => {
                if cx.next {
                    return Err(self.error(id, "`next(running)`", "`running` of now only"));
                }
                Ok(Val::Bool(self.running(instance)))
            }
            Some(Target::Instance(instance)) => {
                let path = self.path_of(instance);
                Err(self.error(id, format!("the instance {path}"), "a value, such as something in it"))
            }
            Some(Target::Constant(name)) => {
                let domain = self.single(name);
                Ok(Val::Symbol(self.encoding.symbol(&mut self.terms, &domain, 0)))
            }
            None => Err(self.undeclared(id, cx.scope)),
        }
    }
    /// An element of an array.
    fn element(&mut self, id: ExprId, base: ExprId, index: ExprId, cx: Context) -> Result<Val, Error> {
        if let Some(Target::Variable(tree)) = self.target(id, cx.scope)? {
            return self.tree_value(id, &tree, cx.next);
        }
        let at = self.value(index, cx)?;
        match (self.value(base, cx)?, at) {
            (Val::Elements(low, items), Val::Number(number)) => {
                let last = low + items.len() as i64 - 1;
                let bounds = Range::new(low.into(), last.into());
                let inside = match &number.range {
                    Some(range) if bounds.contains(range) => self.terms.bool(true),
                    _ => self.is_within(&number, &bounds),
                };
                let outside = self.terms.not(inside);
                self.fails_if(outside, index, Failure::Index(low, last));
                let mut found: Option<Val> = None;
                for (i, item) in items.iter().enumerate().rev() {
                    let here = self.is_equal_to(&number, &BigInt::from(low + i as i64));
                    if self.terms.as_bool(here) == Some(false) {
                        continue;
                    }
                    found = Some(match found {
                        None => item.clone(),
                        Some(other) => self.choose(id, here, item.clone(), other)?,
                    });
                }
                found.map_or_else(
                    || {
                        let expected = format!("an index from {low} to {last}");
                        Err(self.error(index, self.shown(index), expected))
                    },
                    Ok,
                )
            }
            (Val::Array { term, signed }, at) => self.read(index, term, signed, at),
            (Val::Word { .. }, _) => {
                let expected = format!("bits of a word, as in {}[3:0]", self.source(base));
                Err(self.error(id, self.shown(id), expected))
            }
            (Val::Elements(..), other) => Err(self.wrong(index, &other, "an integer as an index")),
            (other, _) => Err(self.wrong(base, &other, "an array before an index")),
        }
    }
    fn slice(&mut self, base: ExprId, high: ExprId, low: ExprId, cx: Context) -> Result<Val, Error> {
        let value = self.value(base, cx)?;
        let Val::Word { term, .. } = value else {
            return Err(self.wrong(base, &value, "a word before the numbers of bits"));
        };
        let width = self.terms.width(term);
        let (from, to) = (self.constant(high, cx)?, self.constant(low, cx)?);
        match (u32::try_from(&from), u32::try_from(&to)) {
            (Ok(from), Ok(to)) if from < width && to <= from => {
                Ok(Val::Word { term: self.terms.extract(from, to, term), signed: false })
            }
            _ => {
                let found = format!("bits {from} down to {to} of a word of {width} bits");
                Err(self.error(high, found, format!("bits from {} down to 0", width - 1)))
            }
        }
    }
    /// The first value whose condition holds, and else the last one, if there is one; else one of the conditions has to hold.
    fn cases(
        &mut self,
        id: ExprId,
        branches: &[(ExprId, ExprId)],
        otherwise: Option<ExprId>,
        cx: Context,
    ) -> Result<Val, Error> {
        let mut fails = std::mem::replace(&mut self.fails, self.never);
        // None of the conditions so far.
        let mut guard = self.terms.bool(true);
        let mut values: Vec<(Term, Term, Val)> = Vec::new();
        for &(condition, value) in branches {
            let holds = self.formula(condition, cx)?;
            fails = self.with_failures(fails, guard);
            let here = self.terms.and(&[guard, holds]);
            let value = self.value(value, cx)?;
            fails = self.with_failures(fails, here);
            values.push((here, holds, value));
            let not = self.terms.not(holds);
            guard = self.terms.and(&[guard, not]);
        }
        if let Some(otherwise) = otherwise {
            let value = self.value(otherwise, cx)?;
            fails = self.with_failures(fails, guard);
            values.push((guard, self.terms.bool(true), value));
        } else {
            self.fails_if(guard, id, Failure::Case);
            let always = self.terms.bool(true);
            fails = self.with_failures(fails, always);
        }
        self.fails = fails;
        let branch = |i: usize| branches.get(i).map_or(id, |b| b.1);
        if values.iter().any(|(_, _, value)| matches!(value, Val::Set(_))) {
            let mut members = Vec::new();
            for (i, (here, _, value)) in values.into_iter().enumerate() {
                let mut own = Vec::new();
                self.gather(branch(i), value, &mut own)?;
                for (condition, member) in own {
                    members.push((self.terms.and(&[here, condition]), member));
                }
            }
            return Ok(Val::Set(Arc::new(members)));
        }
        let mut rest = values.into_iter().enumerate().rev();
        let (_, (_, _, mut result)) = rest.next().expect("the parser wants a branch");
        for (i, (_, holds, value)) in rest {
            result = self.choose(branch(i), holds, value, result)?;
        }
        Ok(result)
    }
    /// One value or the other.
    pub fn choose(&mut self, id: ExprId, condition: Term, a: Val, b: Val) -> Result<Val, Error> {
        self.worked(id)?;
        match self.terms.as_bool(condition) {
            // What is not chosen must have the right type all the same, but need not be encoded.
            Some(true) if a.kind(&self.terms) == b.kind(&self.terms) => return Ok(a),
            Some(false) if a.kind(&self.terms) == b.kind(&self.terms) => return Ok(b),
            _ => (),
        }
        let terms = &mut self.terms;
        Ok(match (&a, &b) {
            (Val::Bool(x), Val::Bool(y)) => Val::Bool(terms.ite(condition, *x, *y)),
            (Val::Number(x), Val::Number(y)) => {
                let (x, y, range) = self.encoding.alike(terms, x, y);
                Val::Number(Number { term: terms.ite(condition, x, y), range })
            }
            (Val::Symbol(_), Val::Symbol(_) | Val::Number(_)) | (Val::Number(_), Val::Symbol(_)) => {
                let (x, y) = self.as_symbols(id, &a, &b)?;
                let term = self.terms.ite(condition, x.term, y.term);
                Val::Symbol(Symbol { term, domain: x.domain })
            }
            (Val::Word { term: x, signed: s }, Val::Word { term: y, signed: t })
                if s == t && terms.sort(*x) == terms.sort(*y) =>
            {
                Val::Word { term: terms.ite(condition, *x, *y), signed: *s }
            }
            (Val::Array { term: x, signed: s }, Val::Array { term: y, signed: t })
                if s == t && terms.sort(*x) == terms.sort(*y) =>
            {
                Val::Array { term: terms.ite(condition, *x, *y), signed: *s }
            }
            (Val::Real(_), Val::Real(_) | Val::Number(_)) | (Val::Number(_), Val::Real(_)) => {
                match (as_real(terms, &a), as_real(terms, &b)) {
                    (Some(x), Some(y)) => Val::Real(terms.ite(condition, x, y)),
                    _ => return Err(self.differ(id, &a, &b)),
                }
            }
            (Val::Elements(low, x), Val::Elements(other, y)) if low == other && x.len() == y.len() => {
                let pairs = x.iter().zip(y.iter());
                let items: Result<Vec<Val>, Error> =
                    pairs.map(|(x, y)| self.choose(id, condition, x.clone(), y.clone())).collect();
                Val::Elements(*low, Arc::new(items?))
            }
            _ => return Err(self.differ(id, &a, &b)),
        })
    }
    fn differ(&self, id: ExprId, a: &Val, b: &Val) -> Error {
        let found = format!("{} and {}", a.kind(&self.terms), b.kind(&self.terms));
        self.error(id, found, "values of one type")
    }
    /// Two values as ones of one enumeration.
    fn as_symbols(&mut self, id: ExprId, a: &Val, b: &Val) -> Result<(Symbol, Symbol), Error> {
        let mut symbol = |value: &Val| match value {
            Val::Symbol(symbol) => Ok(symbol.clone()),
            Val::Number(number) => self.encoding.as_symbol(&mut self.terms, number).ok_or(()),
            _ => Err(()),
        };
        let (Ok(x), Ok(y)) = (symbol(a), symbol(b)) else { return Err(self.differ(id, a, b)) };
        let domain = joined(&x.domain, &y.domain);
        Ok((
            self.encoding.recode(&mut self.terms, &x, &domain),
            self.encoding.recode(&mut self.terms, &y, &domain),
        ))
    }
    /// The members of a set, or of the set with one value.
    pub fn gather(&mut self, id: ExprId, value: Val, members: &mut Vec<(Term, Member)>) -> Result<(), Error> {
        match value {
            Val::Set(own) if members.len() + own.len() > MOST_MEMBERS => {
                return Err(self.error(id, "a set of very many values", "a smaller one, or a range"));
            }
            Val::Set(own) => members.extend(own.iter().cloned()),
            Val::Elements(..) => return Err(self.wrong(id, &value, "a value of a set")),
            one => members.push((self.terms.bool(true), Member::One(one))),
        }
        Ok(())
    }
    /// Is a value one of these?
    pub fn is_member(&mut self, id: ExprId, value: &Val, members: &[(Term, Member)]) -> Result<Term, Error> {
        let mut any = Vec::new();
        for (condition, member) in members {
            let equal = match (member, value) {
                (Member::One(other), _) => self.equal(id, value, other)?,
                (Member::From(low, high), Val::Number(number)) => {
                    self.is_within(number, &Range::new(low.clone(), high.clone()))
                }
                (Member::From(low, high), Val::Symbol(symbol)) => {
                    let places: Vec<usize> = (0..symbol.domain.len())
                        .filter(|&i| matches!(&symbol.domain[i], super::values::Constant::Int(v) if low <= v && v <= high))
                        .collect();
                    let here: Vec<Term> =
                        places.iter().map(|&i| self.encoding.is_at(&mut self.terms, symbol, i)).collect();
                    self.terms.or(&here)
                }
                (Member::From(low, high), Val::Real(real)) => {
                    let [low, high] =
                        [low, high].map(|b| self.terms.real(BigRational::from_integer(b.clone())));
                    let parts = [self.terms.ge(*real, low), self.terms.le(*real, high)];
                    self.terms.and(&parts)
                }
                (Member::From(..), other) => return Err(self.wrong(id, other, "an integer")),
            };
            any.push(self.terms.and(&[*condition, equal]));
        }
        Ok(self.terms.or(&any))
    }
    fn infix(&mut self, id: ExprId, infix: Infix, operands: &[ExprId], cx: Context) -> Result<Val, Error> {
        match infix {
            Infix::And | Infix::Or | Infix::Implies => return self.connective(id, infix, operands, cx),
            Infix::Union => {
                let mut members = Vec::new();
                for &operand in operands {
                    let value = self.value(operand, cx)?;
                    self.gather(operand, value, &mut members)?;
                }
                return Ok(Val::Set(Arc::new(members)));
            }
            _ => (),
        }
        let mut result = self.value(operands[0], cx)?;
        for &operand in &operands[1..] {
            let right = self.value(operand, cx)?;
            result = self.apply(id, infix, (operands[0], result), (operand, right))?;
        }
        if let (Val::Bool(term), 0, false) = (&result, cx.scope, cx.next)
            && !matches!(infix, Infix::Xor | Infix::Xnor | Infix::Iff)
        {
            self.labels.entry(*term).or_insert(id);
        }
        Ok(result)
    }
    /// What stands behind an operand that decides already need not succeed.
    fn connective(
        &mut self,
        id: ExprId,
        infix: Infix,
        operands: &[ExprId],
        cx: Context,
    ) -> Result<Val, Error> {
        let mut fails = std::mem::replace(&mut self.fails, self.never);
        let mut guard = self.terms.bool(true);
        let mut values = Vec::new();
        for &operand in operands {
            let value = self.value(operand, cx)?;
            fails = self.with_failures(fails, guard);
            if let Val::Bool(term) = value
                && operands.len() <= 64
            {
                let goes_on = if infix == Infix::Or { self.terms.not(term) } else { term };
                guard = self.terms.and(&[guard, goes_on]);
            }
            values.push(value);
        }
        self.fails = fails;
        let booleans: Option<Vec<Term>> =
            values.iter().map(|v| if let Val::Bool(term) = v { Some(*term) } else { None }).collect();
        if let Some(terms) = booleans {
            return Ok(Val::Bool(match infix {
                Infix::And => self.terms.and(&terms),
                Infix::Or => self.terms.or(&terms),
                _ => self.terms.implies(terms[0], terms[1]),
            }));
        }
        let mut values = operands.iter().copied().zip(values);
        let (first, mut result) = values.next().expect("an operator has operands");
        for (operand, value) in values {
            result = self.apply(id, infix, (first, result), (operand, value))?;
        }
        Ok(result)
    }
}
