//! Formulas as terms, over the names of a model of words.

use super::MOST_GATES;
use super::lexer::{Language, What, spell_word};
use super::parser::{Piece, Target};
use super::places::Places;
use super::sum::Sum;
use super::vectors::{self, Vector};
use super::words::MOST_BITS;
use crate::smtlib::elaborate::{Elaborator, most_terms};
use crate::smtlib::expressions::Expressions;
use crate::{Error, Place};
use indubit_term::{BigInt, BigRational, Op, Sort, SortError, Term, Terms, Value as Constant};

/// What a part of a formula stands for.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Formula(Term),
    /// Integers or reals.
    Number(Sum<Term>),
    /// Bit-vectors.
    Vector(Sum<Vector>),
    /// An array, which can be compared with another one.
    Array(Term),
}

/// The terms that grow, and the names of what they are about.
pub(super) struct Words<'m> {
    places: &'m Places<'m>,
    /// The place that the lemma is about.
    spot: usize,
    pub terms: Terms,
    most: usize,
    is_full: bool,
    n_gates: usize,
}

impl<'m> Words<'m> {
    /// What a text of `n_bytes` unfolds to is limited by its length.
    pub fn new(places: &'m Places<'m>, terms: Terms, n_bytes: usize) -> Words<'m> {
        let most = terms.size() + most_terms(n_bytes);
        Words { places, spot: 0, terms, most, is_full: false, n_gates: 0 }
    }
    fn of_term(&self, term: Term) -> Value {
        match self.terms.sort(term) {
            Sort::Bool => Value::Formula(term),
            Sort::Int | Sort::Real => Value::Number(Sum::new(term)),
            Sort::BitVec(_) => Value::Vector(Sum::new(Vector { term, signed: false })),
            Sort::Array(_) => Value::Array(term),
        }
    }
    /// The error that the operand is of another sort.
    fn wrong(&self, operand: &Piece<'_, Value>, expected: &str) -> Error {
        let sort = match &operand.value {
            Value::Formula(_) => "of sort Bool".into(),
            Value::Number(sum) => {
                let is_real = sum.numbers().any(|&t| self.terms.sort(t) == Sort::Real);
                format!("of sort {}", if is_real { Sort::Real } else { Sort::Int })
            }
            Value::Vector(sum) => match sum.single() {
                Some(vector) => format!("of sort {}", self.terms.sort(vector.term)),
                None => "a sum of bit-vectors".into(),
            },
            Value::Array(term) => format!("of sort {}", self.terms.sort(*term)),
        };
        operand.error(format!("{}, {sort}", operand.shown()), expected)
    }

    /// The operand as something that is true or false; a single bit is.
    fn formula(&mut self, operand: &Piece<'_, Value>) -> Result<Term, Error> {
        match &operand.value {
            Value::Formula(term) => Ok(*term),
            Value::Vector(sum) if self.bit(sum).is_some() => Ok(self.bit(sum).expect("there is one")),
            _ => {
                let text = operand.shown();
                let expected = format!("a formula; compare it, as in {} != 0", text.trim_matches('`'));
                Err(self.wrong(operand, &expected))
            }
        }
    }
    /// The formula that a single bit is.
    fn bit(&mut self, sum: &Sum<Vector>) -> Option<Term> {
        let vector = sum.single().filter(|v| !v.signed && self.terms.width(v.term) == 1)?;
        let one = self.terms.bits(1, 1u32);
        Some(self.terms.eq(vector.term, one))
    }
    /// A sum as a term. What occurs in it often is looked at once.
    fn number(&mut self, sum: Sum<Term>) -> Term {
        if let Some(&term) = sum.single() {
            return term;
        }
        let terms = &mut self.terms;
        let is_real = sum.numbers().any(|&t| terms.sort(t) == Sort::Real);
        let mut items = sum.items();
        items.sort_unstable_by_key(|&(_, term)| term);
        let mut parts = Vec::new();
        for same in items.chunk_by(|a, b| a.1 == b.1) {
            let n = same.iter().fold(0i64, |n, &(negative, _)| if negative { n - 1 } else { n + 1 });
            let term = if is_real { terms.as_real(same[0].1) } else { same[0].1 };
            parts.push(terms.scale(&BigRational::from_integer(BigInt::from(n)), term));
        }
        let total = terms.add(&parts);
        self.check_numbers(total);
        total
    }
    /// Has a coefficient too many bits?
    fn check_numbers(&mut self, number: Term) {
        let sum = self.terms.sum(number);
        let is_large = |n: &BigRational| n.numer().bits().max(n.denom().bits()) > MOST_BITS as u64;
        self.is_full |= is_large(&sum.constant) || sum.monomials.iter().any(|(_, factor)| is_large(factor));
    }
    fn vector(&mut self, sum: Sum<Vector>) -> Vector {
        match sum.single() {
            Some(vector) => *vector,
            None => vectors::sum(&sum.items(), &mut self.terms).unwrap_or_else(|| self.give_up()),
        }
    }
    /// A product or a quotient has as many gates as the square of its width, some of them a few times.
    fn count_gates(&mut self, product: Term) {
        let width = self.terms.width(product) as usize;
        self.n_gates += 8 * width * width;
        self.is_full |= self.n_gates > MOST_GATES;
    }
    /// Something is too large: what it is does not matter any more.
    fn give_up(&mut self) -> Vector {
        self.is_full = true;
        Vector { term: self.terms.bits(1, 0u32), signed: false }
    }
    /// Two operands as numbers of one kind: a constant beside a bit-vector is one.
    fn alike(&mut self, left: Piece<'_, Value>, right: Piece<'_, Value>) -> Result<(Value, Value), Error> {
        for operand in [&left, &right] {
            if let Value::Formula(_) | Value::Array(_) = operand.value {
                return Err(self.wrong(operand, "a number"));
            }
        }
        let is_vector = |operand: &Piece<'_, Value>| matches!(operand.value, Value::Vector(_));
        if is_vector(&left) || is_vector(&right) {
            return Ok((self.as_vector(left)?, self.as_vector(right)?));
        }
        Ok((left.value, right.value))
    }
    fn as_vector(&mut self, operand: Piece<'_, Value>) -> Result<Value, Error> {
        let at = operand.with(());
        let Value::Number(sum) = operand.value else { return Ok(operand.value) };
        let number = self.number(sum);
        match self.terms.value(number).and_then(Constant::as_int).cloned() {
            Some(constant) => Ok(Value::Vector(Sum::new(Vector::constant(&constant, &mut self.terms)))),
            None => {
                let expected = "a bit-vector, or an integer that is a constant, beside a bit-vector";
                Err(self.wrong(&at.with(self.of_term(number)), expected))
            }
        }
    }
    fn function(&mut self, at: &Piece<'_, ()>, name: &str, args: &[Term]) -> Result<Option<Term>, Error> {
        self.terms
            .call(name, &[], args)
            .map_err(|SortError { found, expected, .. }| at.error(found, expected))
    }
    /// An expression of SMT-LIB.
    fn expression(&mut self, token: Piece<'_, &What>) -> Result<Term, Error> {
        let in_line = |error: Error| match (error.place(), error.found(), error.expected()) {
            (Place::Line { column, .. }, Some(found), Some(expected)) => {
                Error::new(token.line.place(token.start + column - 1), found, expected)
            }
            _ => error,
        };
        let expressions = Expressions::parse(&token.line.text[token.start..token.end]).map_err(in_line)?;
        let mut elaborator = Elaborator::with_terms(&expressions, std::mem::take(&mut self.terms));
        elaborator.symbols.extend(self.places.symbols(&self.places.spots[self.spot]));
        let term = elaborator.term(expressions.roots()[0]);
        self.terms = elaborator.terms;
        let term = term.map_err(in_line)?;
        match self.places.stranger(term, &self.terms) {
            Some((name, what)) => {
                let found = format!("`{name}`, {what}");
                Err(token.error(found, "current values of state variables only"))
            }
            None => Ok(term),
        }
    }
    fn compare(
        &mut self,
        sign: Piece<'_, &str>,
        left: Piece<'_, Value>,
        right: Piece<'_, Value>,
    ) -> Result<Term, Error> {
        let (name, negated) = match sign.value {
            "!=" => ("=", true),
            sign => (sign, false),
        };
        let is_bit = |words: &mut Words<'_>, value: &Value| match value {
            Value::Formula(_) => true,
            Value::Vector(sum) => words.bit(sum).is_some(),
            Value::Number(_) | Value::Array(_) => false,
        };
        let has_formula = [&left, &right].iter().any(|o| matches!(o.value, Value::Formula(_)));
        let arrays = match (&left.value, &right.value) {
            (&Value::Array(a), &Value::Array(b)) if self.terms.sort(a) == self.terms.sort(b) => Some((a, b)),
            _ => None,
        };
        let result = if let (Some((a, b)), "=") = (arrays, name) {
            self.terms.eq(a, b)
        } else if has_formula && name == "=" && is_bit(self, &left.value) && is_bit(self, &right.value) {
            let (a, b) = (self.formula(&left)?, self.formula(&right)?);
            self.terms.eq(a, b)
        } else if has_formula && name == "=" {
            let wrong = if matches!(left.value, Value::Formula(_)) { &right } else { &left };
            return Err(self.wrong(wrong, "a formula, like what it is compared with"));
        } else {
            match self.alike(left, right)? {
                (Value::Vector(a), Value::Vector(b)) => {
                    let (a, b, terms) = (self.vector(a), self.vector(b), &mut self.terms);
                    let result = match name {
                        "=" => a.equals(b, terms),
                        "<" => a.less(b, terms),
                        ">" => b.less(a, terms),
                        "<=" => b.less(a, terms).map(|more| terms.not(more)),
                        _ => a.less(b, terms).map(|less| terms.not(less)),
                    };
                    result.unwrap_or_else(|| {
                        self.is_full = true;
                        self.terms.bool(true)
                    })
                }
                (Value::Number(a), Value::Number(b)) => {
                    let args = [self.number(a), self.number(b)];
                    self.function(&sign.with(()), name, &args)?.expect("a relation of SMT-LIB")
                }
                _ => unreachable!("the two are alike"),
            }
        };
        Ok(if negated { self.terms.not(result) } else { result })
    }
    fn product(
        &mut self,
        sign: Piece<'_, &str>,
        left: Piece<'_, Value>,
        right: Piece<'_, Value>,
    ) -> Result<Value, Error> {
        let whole = sign.line.piece(left.start, right.end, ());
        let divisor = right.with(());
        match (self.alike(left, right)?, sign.value) {
            ((Value::Number(a), Value::Number(b)), sign) => {
                let args = [self.number(a), self.number(b)];
                let term = self.function(&whole, sign, &args)?.expect("a function of SMT-LIB");
                self.check_numbers(term);
                Ok(self.of_term(term))
            }
            ((Value::Vector(a), Value::Vector(b)), "*") => {
                let (a, b) = (self.vector(a), self.vector(b));
                let product = a.times(b, &mut self.terms).unwrap_or_else(|| self.give_up());
                self.count_gates(product.term);
                Ok(Value::Vector(Sum::new(product)))
            }
            ((Value::Vector(a), Value::Vector(b)), sign @ ("div" | "mod")) => {
                let (a, b) = (self.vector(a), self.vector(b));
                let is_positive =
                    |v: Vector, t: &Terms| t.value(v.term).is_some_and(|v| v.as_bits() != Some(&0u32.into()));
                if a.signed || b.signed || !is_positive(b, &self.terms) {
                    let found = format!("`{sign}` of bit-vectors by {}", divisor.shown());
                    let expected = "a number without sign, divided by a constant that is positive";
                    return Err(whole.error(found, expected));
                }
                let Some((pair, _)) = a.alike(b, &mut self.terms) else {
                    return Ok(Value::Vector(Sum::new(self.give_up())));
                };
                let op = if sign == "div" { Op::BvUdiv } else { Op::BvUrem };
                let term = self.terms.bv(op, &pair);
                self.count_gates(term);
                Ok(self.of_term(term))
            }
            (_, sign) => {
                let found = format!("`{sign}` of bit-vectors");
                Err(whole.error(found, "div and mod by a constant, or numbers that are integers or reals"))
            }
        }
    }
    fn choice(
        &mut self,
        condition: Piece<'_, Value>,
        left: Piece<'_, Value>,
        right: Piece<'_, Value>,
    ) -> Result<Value, Error> {
        let condition = self.formula(&condition)?;
        if [&left, &right].iter().any(|branch| matches!(branch.value, Value::Formula(_))) {
            let (a, b) = (self.formula(&left)?, self.formula(&right)?);
            return Ok(Value::Formula(self.terms.ite(condition, a, b)));
        }
        match self.alike(left, right)? {
            (Value::Vector(a), Value::Vector(b)) => {
                let (a, b) = (self.vector(a), self.vector(b));
                let vector = match a.alike(b, &mut self.terms) {
                    Some(([a, b], signed)) => Vector { term: self.terms.ite(condition, a, b), signed },
                    None => self.give_up(),
                };
                Ok(Value::Vector(Sum::new(vector)))
            }
            (Value::Number(a), Value::Number(b)) => {
                let (mut a, mut b) = (self.number(a), self.number(b));
                if [a, b].iter().any(|&t| self.terms.sort(t) == Sort::Real) {
                    (a, b) = (self.terms.as_real(a), self.terms.as_real(b));
                }
                Ok(Value::Number(Sum::new(self.terms.ite(condition, a, b))))
            }
            _ => unreachable!("the two are alike"),
        }
    }
}

impl Target for Words<'_> {
    type Value = Value;
    type Formula = Term;
    const LANGUAGE: Language = Language::Words;
    const OPERATORS: &'static str = "& | ^ -> <-> = != < <= > >= + - * / div mod";
    const OPERANDS: &'static str = "a variable, a number or a formula";

    fn begin(&mut self, name: Option<Piece<'_, &[u8]>>, formula: Piece<'_, ()>) -> Result<(), Error> {
        // What is printed if there is nothing to say about any of them.
        let is_nothing = name.is_none() && &formula.line.text[formula.start..formula.end] == b"true";
        if self.places.spots.len() == 1 || is_nothing {
            return Ok(());
        }
        let known =
            name.and_then(|name| self.places.spots.iter().position(|s| s.name.as_bytes() == name.value));
        let shown = name.map_or_else(|| formula.shown(), |name| name.shown());
        let at = name.map_or(formula, |name| name.with(()));
        self.spot = known.ok_or_else(|| {
            let expected = "a predicate in front of its lemma, as in PREDICATE: FORMULA; it is one of";
            at.error(shown, format!("{expected} {}", self.places.predicates()))
        })?;
        Ok(())
    }
    fn check_definition(&self, word: Piece<'_, ()>) -> Result<(), Error> {
        if self.places.spots.len() == 1 {
            return Ok(());
        }
        let expected =
            "lemmas only; clauses with several predicates have no names in common that it could be about";
        Err(word.error("a definition", expected))
    }
    fn shared(&mut self, value: Piece<'_, Value>) -> Result<Value, Error> {
        Ok(match value.value {
            Value::Number(sum) => Value::Number(Sum::new(self.number(sum))),
            Value::Vector(sum) => Value::Vector(Sum::new(self.vector(sum))),
            formula => formula,
        })
    }
    fn finish(&mut self, formula: Piece<'_, Value>) -> Result<Term, Error> {
        let term = self.formula(&formula)?;
        Ok(self.places.spots[self.spot].lemma(&mut self.terms, term))
    }

    fn operand(&mut self, token: Piece<'_, &What>) -> Result<Option<Value>, Error> {
        let term = match token.value {
            What::Exact(value) => self.terms.constant(value.clone()),
            What::Keyword(word @ ("true" | "false")) => self.terms.bool(*word == "true"),
            What::Name { name, range } => {
                let found = self.places.find(self.spot, name, *range, &mut self.terms);
                found.map_err(|u| token.error(format!("{}{}", token.shown(), u.found), u.expected))?
            }
            What::Expression => self.expression(token)?,
            _ => return Ok(None),
        };
        Ok(Some(self.of_term(term)))
    }
    fn prefix(&mut self, sign: &str, operand: Piece<'_, Value>) -> Result<Value, Error> {
        match (sign, operand.value) {
            ("-", Value::Number(sum)) => Ok(Value::Number(sum.negated())),
            ("-", Value::Vector(sum)) => Ok(Value::Vector(sum.negated())),
            (sign, value) => {
                let operand = operand.line.piece(operand.start, operand.end, value);
                if sign == "-" {
                    return Err(self.wrong(&operand, "a number"));
                }
                let formula = self.formula(&operand)?;
                Ok(Value::Formula(self.terms.not(formula)))
            }
        }
    }
    fn binary(
        &mut self,
        sign: Piece<'_, &str>,
        left: Piece<'_, Value>,
        right: Piece<'_, Value>,
    ) -> Result<Value, Error> {
        match sign.value {
            "+" | "-" => {
                let minus = sign.value == "-";
                Ok(match self.alike(left, right)? {
                    (Value::Number(a), Value::Number(b)) => {
                        Value::Number(a.plus(if minus { b.negated() } else { b }))
                    }
                    (Value::Vector(a), Value::Vector(b)) => {
                        Value::Vector(a.plus(if minus { b.negated() } else { b }))
                    }
                    _ => unreachable!("the two are alike"),
                })
            }
            "*" | "/" | "div" | "mod" => self.product(sign, left, right),
            "=" | "!=" | "<" | "<=" | ">" | ">=" => self.compare(sign, left, right).map(Value::Formula),
            connective => {
                let (a, b) = (self.formula(&left)?, self.formula(&right)?);
                Ok(Value::Formula(match connective {
                    "&" => self.terms.and(&[a, b]),
                    "|" => self.terms.or(&[a, b]),
                    "^" => self.terms.xor(a, b),
                    "->" => self.terms.implies(a, b),
                    _ => self.terms.eq(a, b),
                }))
            }
        }
    }
    fn call(&mut self, name: Piece<'_, &[u8]>, mut args: Vec<Piece<'_, Value>>) -> Result<Value, Error> {
        match (name.value, args.len()) {
            (b"if", 3) => {
                let (Some(right), Some(left), Some(condition)) = (args.pop(), args.pop(), args.pop()) else {
                    unreachable!("there are three");
                };
                self.choice(condition, left, right)
            }
            (b"signed", 1) => match &args[0].value {
                Value::Vector(sum)
                    if args[0].is_in_parentheses()
                        && let Some(vector) = sum.single().and_then(|v| v.as_signed(&self.terms)) =>
                {
                    Ok(Value::Vector(Sum::new(vector)))
                }
                // It has its sign already.
                Value::Number(sum) => Ok(Value::Number(sum.clone())),
                _ => {
                    let expected = "a bit-vector in parentheses, as in signed(x) or signed(x[7:0])";
                    Err(name.error(name.shown(), expected))
                }
            },
            (b"floor", 1) => match args.remove(0) {
                Piece { value: Value::Number(sum), .. } => {
                    let number = self.number(sum);
                    let number = self.terms.as_real(number);
                    let floor = self.terms.to_int(number);
                    Ok(self.of_term(floor))
                }
                other => Err(self.wrong(&other, "a number")),
            },
            (other, _) => {
                let found = format!("the function {}", spell_word(&String::from_utf8_lossy(other)));
                Err(name.error(found, "floor(x) or signed(x), or an operator in front of a parenthesis"))
            }
        }
    }
    fn is_full(&self) -> bool {
        self.is_full || self.terms.size() > self.most
    }
}
