//! Operators between two values.
//!
//! Integers are exact. Division rounds towards zero and the remainder has the sign of the dividend, as in C: `-7 / 5 = -1` and `-7 mod 5 = -2`. Words
//! wrap around.

use super::checks::Failure;
use super::elaborate::Elaborator;
use super::lexer::MOST_BITS;
use super::syntax::{ExprId, Infix};
use super::values::{Constant, MOST_LISTED, Member, Number, Range, Symbol, Val, as_real, extended, rational};
use crate::Error;
use indubit_term::{BigInt, BigRational, Op, Term};

impl Elaborator<'_> {
    /// The value of `left INFIX right`.
    pub fn apply(
        &mut self,
        id: ExprId,
        infix: Infix,
        (left, a): (ExprId, Val),
        (right, b): (ExprId, Val),
    ) -> Result<Val, Error> {
        match infix {
            Infix::Eq => return self.equal(id, &a, &b).map(Val::Bool),
            Infix::Ne => {
                let equal = self.equal(id, &a, &b)?;
                return Ok(Val::Bool(self.terms.not(equal)));
            }
            Infix::In => {
                let mut members = Vec::new();
                self.gather(right, b, &mut members)?;
                // A set is in another one if one of its values is.
                let Val::Set(some) = &a else { return self.is_member(id, &a, &members).map(Val::Bool) };
                let mut any = Vec::new();
                for (condition, member) in some.iter() {
                    let Member::One(value) = member else {
                        return Err(self.wrong(left, &a, "one value in front of `in`"));
                    };
                    let is_member = self.is_member(id, value, &members)?;
                    any.push(self.terms.and(&[*condition, is_member]));
                }
                return Ok(Val::Bool(self.terms.or(&any)));
            }
            _ => (),
        }
        for (operand, value) in [(left, &a), (right, &b)] {
            if let Val::Set(_) = value {
                return Err(self.wrong(
                    operand,
                    value,
                    "one value; what may be one of several stands in assignments and behind `in`",
                ));
            }
        }
        let is_word = |value: &Val| matches!(value, Val::Word { .. });
        match infix {
            Infix::And | Infix::Or | Infix::Implies | Infix::Xor | Infix::Xnor | Infix::Iff => {
                match (&a, &b) {
                    (Val::Bool(x), Val::Bool(y)) => Ok(Val::Bool(match infix {
                        Infix::And => self.terms.and(&[*x, *y]),
                        Infix::Or => self.terms.or(&[*x, *y]),
                        Infix::Implies => self.terms.implies(*x, *y),
                        Infix::Xor => self.terms.xor(*x, *y),
                        _ => self.terms.eq(*x, *y),
                    })),
                    _ if is_word(&a) && is_word(&b) => self.word(id, infix, &a, &b),
                    _ => {
                        let (operand, value) =
                            if matches!(a, Val::Bool(_)) { (right, &b) } else { (left, &a) };
                        let expected =
                            if is_word(&a) && is_word(&b) { "words of one type" } else { "a Boolean" };
                        Err(self.wrong(operand, value, expected))
                    }
                }
            }
            Infix::Lt | Infix::Le | Infix::Gt | Infix::Ge => self.compare(id, infix, (left, a), (right, b)),
            Infix::Add | Infix::Sub | Infix::Mul | Infix::Div | Infix::Mod => match (&a, &b) {
                (Val::Number(x), Val::Number(y)) => {
                    self.arithmetic(id, infix, x, (right, y)).map(Val::Number)
                }
                (Val::Word { .. }, Val::Word { .. }) => self.word(id, infix, &a, &b),
                _ => match (as_real(&mut self.terms, &a), as_real(&mut self.terms, &b)) {
                    (Some(x), Some(y)) => self.reals(id, infix, x, y),
                    _ => Err(self.operands(
                        id,
                        (left, &a),
                        (right, &b),
                        "two numbers, or two words of one type",
                    )),
                },
            },
            Infix::Shl | Infix::Shr => self.shift(infix, (left, a), (right, b)),
            Infix::Concat => match (&a, &b) {
                (Val::Word { term: x, .. }, Val::Word { term: y, .. }) => {
                    if self.terms.width(*x) + self.terms.width(*y) > MOST_BITS {
                        let found = "a word that is too wide";
                        return Err(self.error(id, found, format!("at most {MOST_BITS} bits")));
                    }
                    Ok(Val::Word { term: self.terms.concat(*x, *y), signed: false })
                }
                _ => Err(self.operands(id, (left, &a), (right, &b), "two words")),
            },
            Infix::Eq | Infix::Ne | Infix::In | Infix::Union => unreachable!("these were looked at before"),
        }
    }
    fn operands(&self, id: ExprId, (_, a): (ExprId, &Val), (_, b): (ExprId, &Val), expected: &str) -> Error {
        let found = format!("{} and {} in {}", a.kind(&self.terms), b.kind(&self.terms), self.shown(id));
        self.error(id, found, expected)
    }
    /// Are two values equal?
    pub fn equal(&mut self, id: ExprId, a: &Val, b: &Val) -> Result<Term, Error> {
        self.worked(id)?;
        let terms = &mut self.terms;
        Ok(match (a, b) {
            (Val::Bool(x), Val::Bool(y)) => terms.eq(*x, *y),
            (Val::Number(x), Val::Number(y)) => self.encoding.equal(terms, x, y),
            (Val::Symbol(x), Val::Symbol(y)) => self.equal_symbols(x, y),
            (Val::Symbol(x), Val::Number(y)) | (Val::Number(y), Val::Symbol(x)) => {
                let mut any = Vec::new();
                let domain = x.domain.clone();
                if !domain.iter().any(|c| matches!(c, Constant::Int(_))) {
                    let expected = "values of one type: a symbol and an integer are never equal";
                    return Err(self.error(id, self.shown(id), expected));
                }
                for (place, constant) in domain.iter().enumerate() {
                    if let Constant::Int(value) = constant {
                        let here = self.encoding.is_at(&mut self.terms, x, place);
                        let equal = self.is_equal_to(y, value);
                        any.push(self.terms.and(&[here, equal]));
                    }
                }
                self.terms.or(&any)
            }
            (Val::Word { term: x, signed: s }, Val::Word { term: y, signed: t })
                if s == t && terms.sort(*x) == terms.sort(*y) =>
            {
                terms.eq(*x, *y)
            }
            (Val::Array { term: x, signed: s }, Val::Array { term: y, signed: t })
                if s == t && terms.sort(*x) == terms.sort(*y) =>
            {
                terms.eq(*x, *y)
            }
            (Val::Elements(low, x), Val::Elements(other, y)) if low == other && x.len() == y.len() => {
                let mut all = Vec::new();
                for (x, y) in x.iter().zip(y.iter()) {
                    all.push(self.equal(id, x, y)?);
                }
                self.terms.and(&all)
            }
            (Val::Set(_), _) | (_, Val::Set(_)) => {
                return Err(self.error(
                    id,
                    "a set beside `=`",
                    "`in`, which asks whether a value is in a set",
                ));
            }
            _ => match (as_real(terms, a), as_real(terms, b)) {
                (Some(x), Some(y)) => terms.eq(x, y),
                _ => {
                    let found =
                        format!("{} and {} in {}", a.kind(&self.terms), b.kind(&self.terms), self.shown(id));
                    return Err(self.error(id, found, "values of one type"));
                }
            },
        })
    }
    fn equal_symbols(&mut self, x: &Symbol, y: &Symbol) -> Term {
        if x.domain == y.domain {
            return self.terms.eq(x.term, y.term);
        }
        let mut any = Vec::new();
        for (place, constant) in x.domain.iter().enumerate() {
            if let Some(other) = y.domain.iter().position(|c| c == constant) {
                let here = self.encoding.is_at(&mut self.terms, x, place);
                let there = self.encoding.is_at(&mut self.terms, y, other);
                any.push(self.terms.and(&[here, there]));
            }
        }
        self.terms.or(&any)
    }
    fn compare(
        &mut self,
        id: ExprId,
        infix: Infix,
        (left, a): (ExprId, Val),
        (right, b): (ExprId, Val),
    ) -> Result<Val, Error> {
        let swapped = matches!(infix, Infix::Gt | Infix::Le);
        let negated = matches!(infix, Infix::Le | Infix::Ge);
        let (x, y) = if swapped { (&b, &a) } else { (&a, &b) };
        let terms = &mut self.terms;
        let less = match (x, y) {
            (Val::Number(x), Val::Number(y)) => self.encoding.less(terms, x, y),
            (Val::Word { term: x, signed: s }, Val::Word { term: y, signed: t })
                if s == t && terms.sort(*x) == terms.sort(*y) =>
            {
                terms.bv(if *s { Op::BvSlt } else { Op::BvUlt }, &[*x, *y])
            }
            _ => match (as_real(terms, x), as_real(terms, y)) {
                (Some(x), Some(y)) => terms.lt(x, y),
                _ => {
                    let expected = "two numbers, or two words of one type";
                    return Err(self.operands(id, (left, &a), (right, &b), expected));
                }
            },
        };
        Ok(Val::Bool(if negated { self.terms.not(less) } else { less }))
    }
    /// Is a number in a range?
    pub fn is_within(&mut self, number: &Number, range: &Range) -> Term {
        if number.range.as_ref().is_some_and(|own| range.contains(own)) {
            return self.terms.bool(true);
        }
        let bound = |value: &BigInt, elaborator: &mut Self| {
            let range = Range::only(value.clone());
            let term = elaborator.encoding.constant(&mut elaborator.terms, value, &range);
            Number { term, range: Some(range) }
        };
        let (low, high) = (bound(&range.low, self), bound(&range.high, self));
        let below = self.encoding.less(&mut self.terms, number, &low);
        let above = self.encoding.less(&mut self.terms, &high, number);
        let outside = self.terms.or(&[below, above]);
        self.terms.not(outside)
    }
    /// Is a number a certain one?
    pub fn is_equal_to(&mut self, number: &Number, value: &BigInt) -> Term {
        let range = Range::only(value.clone());
        let term = self.encoding.constant(&mut self.terms, value, &range);
        self.encoding.equal(&mut self.terms, number, &Number { term, range: Some(range) })
    }
    /// `- a`.
    pub fn negative(&mut self, id: ExprId, value: Val) -> Result<Val, Error> {
        match value {
            Val::Number(number) => {
                let zero = match self.encoding.literal(&mut self.terms, BigInt::from(0)) {
                    Val::Number(zero) => zero,
                    _ => unreachable!("a literal is a number"),
                };
                self.arithmetic(id, Infix::Sub, &zero, (id, &number)).map(Val::Number)
            }
            Val::Real(term) => Ok(Val::Real(self.terms.neg(term))),
            Val::Word { term, signed } => Ok(Val::Word { term: self.terms.bv(Op::BvNeg, &[term]), signed }),
            other => Err(self.wrong(id, &other, "a number or a word behind `-`")),
        }
    }
    /// Sums, differences, products, quotients and remainders of integers.
    pub fn arithmetic(
        &mut self,
        id: ExprId,
        infix: Infix,
        a: &Number,
        (right, b): (ExprId, &Number),
    ) -> Result<Number, Error> {
        if matches!(infix, Infix::Div | Infix::Mod) {
            let zero = self.is_equal_to(b, &BigInt::from(0));
            if self.terms.as_bool(zero) == Some(true) {
                return Err(self.error(right, "a division by zero", "another divisor"));
            }
            self.fails_if(zero, right, Failure::Division);
        }
        let range = match (&a.range, &b.range) {
            (Some(x), Some(y)) => Some(result_range(infix, x, y)),
            _ => None,
        };
        if range.as_ref().is_some_and(|range| range.width() > MOST_BITS) {
            let expected = format!("numbers of at most {MOST_BITS} bits");
            return Err(self.error(id, "a number that is too large", expected));
        }
        if self.encoding.unbounded {
            let term = self.unbounded(infix, a, (right, b))?;
            return Ok(Number { term, range });
        }
        let (Some(x), Some(y), Some(range)) = (&a.range, &b.range, range) else {
            unreachable!("without unbounded numbers all have ranges");
        };
        // The magnitude of a quotient may be that of the most negative dividend.
        let hull = x.hull(y).hull(&range);
        let hull = if hull.is_signed() { hull.hull(&Range::only(-&hull.low)) } else { hull };
        if hull.width() > MOST_BITS {
            let expected = format!("numbers of at most {MOST_BITS} bits");
            return Err(self.error(id, "a number that is too large", expected));
        }
        let (p, q) = (
            self.encoding.cast(&mut self.terms, a.term, x, &hull),
            self.encoding.cast(&mut self.terms, b.term, y, &hull),
        );
        let name = match (infix, hull.is_signed()) {
            (Infix::Add, _) => "bvadd",
            (Infix::Sub, _) => "bvsub",
            (Infix::Mul, _) => "bvmul",
            (Infix::Div, true) => "bvsdiv",
            (Infix::Div, false) => "bvudiv",
            (_, true) => "bvsrem",
            (_, false) => "bvurem",
        };
        let term = self.function(name, &[p, q]);
        let term = self.encoding.cast(&mut self.terms, term, &hull, &range);
        Ok(Number { term, range: Some(range) })
    }
    /// A function of SMT-LIB whose arguments have the right sorts.
    fn function(&mut self, name: &str, args: &[Term]) -> Term {
        let made = self.terms.call(name, &[], args);
        made.ok().flatten().expect("the function is known and its arguments have the right sorts")
    }
    fn unbounded(&mut self, infix: Infix, a: &Number, (right, b): (ExprId, &Number)) -> Result<Term, Error> {
        match infix {
            Infix::Add => return Ok(self.terms.add(&[a.term, b.term])),
            Infix::Sub => return Ok(self.terms.sub(a.term, b.term)),
            Infix::Mul => return Ok(self.terms.mul(a.term, b.term)),
            _ => (),
        }
        let Some(divisors) = b.range.clone().filter(|range| range.len().is_some_and(|n| n <= MOST_LISTED))
        else {
            let expected = "division by a constant, or by what has a small range";
            return Err(self.error(right, format!("division by {}", self.shown(right)), expected));
        };
        let (negative, zero) = {
            let zero = self.terms.int(0);
            (self.terms.lt(a.term, zero), zero)
        };
        let is_negative = match &a.range {
            Some(range) if !range.is_signed() => self.terms.bool(false),
            _ => negative,
        };
        let mut result = None;
        for divisor in divisors.values().filter(|d| *d != BigInt::from(0)) {
            let by = self.terms.int(divisor.clone());
            let minus = self.terms.neg(a.term);
            let (up, down) = (self.terms.div(a.term, by), self.terms.div(minus, by));
            let down = self.terms.neg(down);
            let quotient = self.terms.ite(is_negative, down, up);
            let value = if infix == Infix::Div {
                quotient
            } else {
                let back = self.terms.scale(&BigRational::from_integer(divisor.clone()), quotient);
                self.terms.sub(a.term, back)
            };
            let here = self.terms.eq(b.term, by);
            result = Some(result.map_or(value, |other| self.terms.ite(here, value, other)));
        }
        Ok(result.unwrap_or(zero))
    }
    fn reals(&mut self, id: ExprId, infix: Infix, a: Term, b: Term) -> Result<Val, Error> {
        let terms = &mut self.terms;
        Ok(Val::Real(match infix {
            Infix::Add => terms.add(&[a, b]),
            Infix::Sub => terms.sub(a, b),
            Infix::Mul => terms.mul(a, b),
            Infix::Div => match rational(terms, b) {
                Some(divisor) if divisor != BigRational::from_integer(0.into()) => {
                    terms.scale(&(BigRational::from_integer(1.into()) / divisor), a)
                }
                _ => {
                    return Err(self.error(id, self.shown(id), "division by a constant that is not zero"));
                }
            },
            _ => return Err(self.error(id, "`mod` of reals", "integers or words")),
        }))
    }
    /// Operators of words of one type.
    fn word(&mut self, id: ExprId, infix: Infix, a: &Val, b: &Val) -> Result<Val, Error> {
        let (Val::Word { term: x, signed }, Val::Word { term: y, signed: other }) = (a, b) else {
            unreachable!("both are words");
        };
        let (x, y, signed) = (*x, *y, *signed);
        if signed != *other || self.terms.sort(x) != self.terms.sort(y) {
            let found = format!("{} and {} in {}", a.kind(&self.terms), b.kind(&self.terms), self.shown(id));
            return Err(self.error(id, found, "words of one type"));
        }
        if matches!(infix, Infix::Div | Infix::Mod) {
            let zero = self.terms.bits(self.terms.width(y), 0u32);
            let is_zero = self.terms.eq(y, zero);
            self.fails_if(is_zero, id, Failure::Division);
        }
        let name = match (infix, signed) {
            (Infix::And, _) => "bvand",
            (Infix::Or, _) => "bvor",
            (Infix::Xor, _) => "bvxor",
            (Infix::Xnor | Infix::Iff, _) => "bvxnor",
            (Infix::Implies, _) => {
                let not = self.terms.bv(Op::BvNot, &[x]);
                return Ok(Val::Word { term: self.terms.bv(Op::BvOr, &[not, y]), signed });
            }
            (Infix::Add, _) => "bvadd",
            (Infix::Sub, _) => "bvsub",
            (Infix::Mul, _) => "bvmul",
            (Infix::Div, true) => "bvsdiv",
            (Infix::Div, false) => "bvudiv",
            (_, true) => "bvsrem",
            (_, false) => "bvurem",
        };
        Ok(Val::Word { term: self.function(name, &[x, y]), signed })
    }
    /// A word is shifted by a number from 0 to its width.
    fn shift(
        &mut self,
        infix: Infix,
        (left, a): (ExprId, Val),
        (right, b): (ExprId, Val),
    ) -> Result<Val, Error> {
        let Val::Word { term, signed } = a else {
            return Err(self.wrong(left, &a, "a word that is shifted"));
        };
        let width = self.terms.width(term);
        let (amount, n_bits) = match &b {
            Val::Word { term: by, signed: false } => (*by, self.terms.width(*by)),
            Val::Number(Number { range: Some(range), .. }) if range.low == range.high => {
                match u32::try_from(&range.low).ok().filter(|&by| by <= width) {
                    Some(by) => (self.terms.bits(32, by), 32),
                    None => {
                        let found = format!("a word of {width} bits shifted by {}", range.low);
                        return Err(self.error(right, found, format!("0 to {width}")));
                    }
                }
            }
            Val::Number(number @ Number { range: Some(range), .. }) if !self.encoding.unbounded => {
                let inside = self.is_within(number, &Range::new(0.into(), width.into()));
                let outside = self.terms.not(inside);
                self.fails_if(outside, right, Failure::Shift(width));
                (number.term, range.width())
            }
            other => {
                return Err(self.wrong(
                    right,
                    other,
                    "an integer of a small range, or an unsigned word, that it is shifted by",
                ));
            }
        };
        let most = width.max(n_bits);
        let wide = extended(&mut self.terms, term, most - width, signed && infix == Infix::Shr);
        let by = extended(&mut self.terms, amount, most - n_bits, false);
        let op = match (infix, signed) {
            (Infix::Shl, _) => Op::BvShl,
            (_, true) => Op::BvAshr,
            (_, false) => Op::BvLshr,
        };
        let shifted = self.terms.bv(op, &[wide, by]);
        Ok(Val::Word { term: self.terms.extract(width - 1, 0, shifted), signed })
    }
}

/// The range of what an operator makes of two ranges.
fn result_range(infix: Infix, a: &Range, b: &Range) -> Range {
    let magnitude =
        |range: &Range| range.high.clone().max(-&range.high).max(range.low.clone()).max(-&range.low);
    let zero = BigInt::from(0);
    match infix {
        Infix::Add => Range::new(&a.low + &b.low, &a.high + &b.high),
        Infix::Sub => Range::new(&a.low - &b.high, &a.high - &b.low),
        Infix::Mul => {
            let corners = [&a.low * &b.low, &a.low * &b.high, &a.high * &b.low, &a.high * &b.high];
            let low = corners.iter().min().cloned().unwrap_or_default();
            Range::new(low, corners.into_iter().max().unwrap_or_default())
        }
        Infix::Div if b.low == b.high && b.low != zero => {
            let (x, y) = (&a.low / &b.low, &a.high / &b.low);
            Range::new(x.clone().min(y.clone()), x.max(y))
        }
        Infix::Div if !a.is_signed() && !b.is_signed() => Range::new(zero, a.high.clone()),
        Infix::Div => Range::new(-magnitude(a), magnitude(a)),
        _ => {
            let most: BigInt = magnitude(b) - 1;
            let most = most.max(zero.clone()).min(magnitude(a));
            let low = if a.is_signed() { -&most } else { zero.clone() };
            Range::new(low, if a.high > zero { most } else { zero })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_results() {
        let range = |low: i32, high: i32| Range::new(low.into(), high.into());
        let of =
            |infix, a: (i32, i32), b: (i32, i32)| result_range(infix, &range(a.0, a.1), &range(b.0, b.1));
        assert_eq!(of(Infix::Sub, (0, 7), (1, 2)), range(-2, 6));
        assert_eq!(of(Infix::Mul, (-2, 3), (-5, 4)), range(-15, 12));
        assert_eq!(of(Infix::Mod, (1, 8), (8, 8)), range(0, 7));
        assert_eq!(of(Infix::Mod, (-9, 2), (5, 5)), range(-4, 4));
        assert_eq!(of(Infix::Div, (-9, 3), (2, 2)), range(-4, 1));
        assert_eq!(of(Infix::Div, (-8, 3), (-1, 2)), range(-8, 8));
    }
}
