//! Functions: conversions between types, arrays as terms, counting.

use super::elaborate::{Elaborator, VarType};
use super::evaluate::Context;
use super::lexer::MOST_BITS;
use super::syntax::{Expr, ExprId, Infix};
use super::values::{Number, Range, Val, as_real, extended};
use crate::Error;
use crate::lemmas::similar;
use indubit_term::{BigInt, BigUint, Sort, Term};

/// The functions, and how many arguments they have.
#[rustfmt::skip]
const FUNCTIONS: &[(&str, usize)] = &[
    ("toint", 1), ("bool", 1), ("word1", 1), ("signed", 1), ("unsigned", 1), ("sizeof", 1), ("abs", 1), ("floor", 1), ("extend", 2), ("resize", 2),
    ("swconst", 2), ("uwconst", 2), ("max", 2), ("min", 2), ("READ", 2), ("WRITE", 3), ("CONSTARRAY", 2),
];

impl Elaborator<'_> {
    pub fn call(&mut self, id: ExprId, name: &str, args: &[ExprId], cx: Context) -> Result<Val, Error> {
        if name == "count" && !args.is_empty() {
            return self.count(args, cx);
        }
        match FUNCTIONS.iter().find(|(known, _)| *known == name) {
            Some((_, n)) if *n == args.len() => (),
            Some((_, n)) => {
                let found = format!("{} arguments of `{name}`", args.len());
                return Err(self.error(id, found, format!("{n}")));
            }
            None => {
                let known = FUNCTIONS.iter().map(|(known, _)| known.as_bytes()).chain([&b"count"[..]]);
                let close = similar(name.as_bytes(), known);
                let expected = match close.first() {
                    Some(close) => format!("a function; did you mean `{}`?", String::from_utf8_lossy(close)),
                    None => "a function of SMV, or an operator before the parenthesis".into(),
                };
                return Err(self.error(id, format!("the function `{name}`"), expected));
            }
        }
        if name == "CONSTARRAY" {
            return self.constant_array(args, cx);
        }
        let first = self.value(args[0], cx)?;
        match name {
            "READ" => {
                let index = self.value(args[1], cx)?;
                match first {
                    Val::Array { term, signed } => self.read(args[1], term, signed, index),
                    other => Err(self.wrong(args[0], &other, "an array over words or integers")),
                }
            }
            "WRITE" => {
                let Val::Array { term: array, signed } = first else {
                    return Err(self.wrong(args[0], &first, "an array over words or integers"));
                };
                let Sort::Array(sort) = self.terms.sort(array) else {
                    unreachable!("the sort of an array is one");
                };
                let index = self.value(args[1], cx)?;
                let index = self.of_sort(args[1], &index, (sort.index.into(), false))?;
                let element = self.value(args[2], cx)?;
                let element = self.of_sort(args[2], &element, (sort.element.into(), signed))?;
                Ok(Val::Array { term: self.terms.store(array, index, element), signed })
            }
            "swconst" | "uwconst" => {
                let (value, width) = (self.constant(args[0], cx)?, self.width(args[1], cx)?);
                let signed = name == "swconst";
                let (Range { low, high }, modulus) =
                    (Range::of_words(width, signed), BigInt::from(1) << width);
                if value < low || value > high {
                    let found = format!("{value} as a word of {width} bits");
                    return Err(self.error(args[0], found, format!("a number from {low} to {high}")));
                }
                let bits = BigUint::try_from((value + &modulus) % &modulus).unwrap_or_default();
                Ok(Val::Word { term: self.terms.bits(width, bits), signed })
            }
            "extend" | "resize" => {
                let Val::Word { term, signed } = first else {
                    return Err(self.wrong(args[0], &first, "a word"));
                };
                let had = self.terms.width(term);
                let given = self.constant(args[1], cx)?;
                let wanted = if name == "extend" { given + had } else { given };
                let Some(wanted) = u32::try_from(wanted).ok().filter(|w| (1..=MOST_BITS).contains(w)) else {
                    return Err(self.error(
                        args[1],
                        self.shown(args[1]),
                        format!("a word of 1 to {MOST_BITS} bits"),
                    ));
                };
                let term = match wanted {
                    _ if wanted >= had => extended(&mut self.terms, term, wanted - had, signed),
                    // A signed word keeps its sign, and else the lower bits.
                    _ if signed && wanted > 1 => {
                        let sign = self.terms.extract(had - 1, had - 1, term);
                        let rest = self.terms.extract(wanted - 2, 0, term);
                        self.terms.concat(sign, rest)
                    }
                    _ if signed => self.terms.extract(had - 1, had - 1, term),
                    _ => self.terms.extract(wanted - 1, 0, term),
                };
                Ok(Val::Word { term, signed })
            }
            "max" | "min" => {
                let second = self.value(args[1], cx)?;
                let infix = if name == "max" { Infix::Ge } else { Infix::Le };
                let before = self.apply(id, infix, (args[0], first.clone()), (args[1], second.clone()))?;
                let Val::Bool(before) = before else { unreachable!("a comparison is a Boolean") };
                let chosen = self.choose(id, before, first.clone(), second.clone())?;
                Ok(self.narrowed(chosen, &first, &second, name == "max"))
            }
            _ => self.convert(id, name, args[0], first),
        }
    }
    /// The greater or the smaller of two numbers has a smaller range than any of the two.
    fn narrowed(&mut self, chosen: Val, a: &Val, b: &Val, is_max: bool) -> Val {
        let (
            Val::Number(number),
            Val::Number(Number { range: Some(a), .. }),
            Val::Number(Number { range: Some(b), .. }),
        ) = (&chosen, a, b)
        else {
            return chosen;
        };
        let range = if is_max {
            Range::new(a.low.clone().max(b.low.clone()), a.high.clone().max(b.high.clone()))
        } else {
            Range::new(a.low.clone().min(b.low.clone()), a.high.clone().min(b.high.clone()))
        };
        let term = match &number.range {
            Some(own) => self.encoding.cast(&mut self.terms, number.term, own, &range),
            None => number.term,
        };
        Val::Number(Number { term, range: Some(range) })
    }
    /// Functions of one argument.
    fn convert(&mut self, id: ExprId, name: &str, arg: ExprId, value: Val) -> Result<Val, Error> {
        match (name, &value) {
            ("toint", Val::Number(_)) => Ok(value),
            ("toint", Val::Bool(term)) => {
                let (one, zero) = (
                    self.encoding.literal(&mut self.terms, 1.into()),
                    self.encoding.literal(&mut self.terms, 0.into()),
                );
                self.choose(id, *term, one, zero)
            }
            ("toint", Val::Word { term, signed }) => self.integer_of_word(arg, *term, *signed),
            ("bool", Val::Bool(_)) => Ok(value),
            ("bool", Val::Number(number)) => {
                let zero = self.is_equal_to(number, &BigInt::from(0));
                Ok(Val::Bool(self.terms.not(zero)))
            }
            ("bool", Val::Word { term, .. }) if self.terms.width(*term) == 1 => {
                let one = self.terms.bits(1, 1u32);
                Ok(Val::Bool(self.terms.eq(*term, one)))
            }
            ("word1", Val::Bool(term)) => {
                let (one, zero) = (self.terms.bits(1, 1u32), self.terms.bits(1, 0u32));
                Ok(Val::Word { term: self.terms.ite(*term, one, zero), signed: false })
            }
            ("signed" | "unsigned", Val::Word { term, .. }) => {
                Ok(Val::Word { term: *term, signed: name == "signed" })
            }
            ("sizeof", Val::Word { term, .. }) => {
                let width = self.terms.width(*term);
                Ok(self.encoding.literal(&mut self.terms, width.into()))
            }
            ("abs", Val::Number(number)) => {
                let negative = self.negative(arg, value.clone())?;
                let zero = BigInt::from(0);
                let below = match &number.range {
                    Some(range) if !range.is_signed() => self.terms.bool(false),
                    _ => {
                        let zero = Range::only(zero);
                        let term = self.encoding.constant(&mut self.terms, &zero.low, &zero);
                        self.encoding.less(&mut self.terms, number, &Number { term, range: Some(zero) })
                    }
                };
                let chosen = self.choose(id, below, negative.clone(), value.clone())?;
                Ok(self.narrowed(chosen, &negative, &value, true))
            }
            ("abs", Val::Real(term)) => Ok(Val::Real(self.terms.abs(*term))),
            ("floor", Val::Number(_)) => Ok(value),
            ("floor", Val::Real(term)) => {
                Ok(Val::Number(Number { term: self.terms.to_int(*term), range: None }))
            }
            _ => {
                let expected = match name {
                    "toint" => "a Boolean, an integer or a word",
                    "bool" => "an integer or a word[1]",
                    "word1" => "a Boolean",
                    "abs" | "floor" => "a number",
                    _ => "a word",
                };
                Err(self.wrong(arg, &value, &format!("{expected} in `{name}`")))
            }
        }
    }
    fn integer_of_word(&mut self, arg: ExprId, term: Term, signed: bool) -> Result<Val, Error> {
        let range = Range::of_words(self.terms.width(term), signed);
        if let Some(value) = self.terms.value(term).cloned() {
            let value = self.encoding.integer(&value, &range);
            return Ok(self.encoding.literal(&mut self.terms, value));
        }
        if self.encoding.unbounded {
            let expected = "no conversion from words in a model with `integer` or `real`";
            return Err(self.error(arg, "`toint` of a word", expected));
        }
        Ok(Val::Number(Number { term, range: Some(range) }))
    }
    /// How many of these hold?
    fn count(&mut self, args: &[ExprId], cx: Context) -> Result<Val, Error> {
        let mut total = self.encoding.literal(&mut self.terms, 0.into());
        for &arg in args {
            let holds = self.formula(arg, cx)?;
            let (one, zero) = (
                self.encoding.literal(&mut self.terms, 1.into()),
                self.encoding.literal(&mut self.terms, 0.into()),
            );
            let one = self.choose(arg, holds, one, zero)?;
            total = self.apply(arg, Infix::Add, (arg, total), (arg, one))?;
        }
        Ok(total)
    }
    /// An element of an array that is a term.
    pub fn read(&mut self, index_id: ExprId, array: Term, signed: bool, index: Val) -> Result<Val, Error> {
        let Sort::Array(sort) = self.terms.sort(array) else { unreachable!("the sort of an array is one") };
        let index = self.of_sort(index_id, &index, (sort.index.into(), false))?;
        let term = self.terms.select(array, index);
        Ok(match Sort::from(sort.element) {
            Sort::Bool => Val::Bool(term),
            Sort::Int => Val::Number(Number { term, range: None }),
            Sort::Real => Val::Real(term),
            Sort::Array(_) => Val::Array { term, signed },
            Sort::BitVec(_) => Val::Word { term, signed },
        })
    }
    /// A value as a term of a sort, for arrays.
    fn of_sort(&mut self, id: ExprId, value: &Val, (sort, is_signed): (Sort, bool)) -> Result<Term, Error> {
        let term = match (value, sort) {
            (Val::Number(_) | Val::Real(_), Sort::Real) => as_real(&mut self.terms, value),
            (value, _) => value.term(),
        };
        let expected = match sort {
            Sort::Bool => "a Boolean".into(),
            Sort::Int => "an integer".into(),
            Sort::Real => "a real".into(),
            Sort::BitVec(width) => {
                format!("{} word[{width}]", if is_signed { "a signed" } else { "an unsigned" })
            }
            Sort::Array(_) => "an array".into(),
        };
        let is_right = match (value, sort) {
            (Val::Word { signed, .. }, Sort::BitVec(_)) => *signed == is_signed,
            (Val::Symbol(_), _) | (_, Sort::BitVec(_)) => false,
            _ => true,
        };
        match term.filter(|&term| self.terms.sort(term) == sort && is_right) {
            Some(term) => Ok(term),
            None => Err(self.wrong(id, value, &format!("{expected} in this array"))),
        }
    }
    /// `CONSTARRAY(typeof(a), 0)`, `CONSTARRAY(array integer of integer, 0)`.
    fn constant_array(&mut self, args: &[ExprId], cx: Context) -> Result<Val, Error> {
        let file = self.file.clone();
        let (sort, signed) = match file.expr(args[0]) {
            Expr::Call(name, inner) if &**name == "typeof" && inner.len() == 1 => {
                match self.value(inner[0], cx)? {
                    Val::Array { term, signed } => (self.terms.sort(term), signed),
                    other => return Err(self.wrong(inner[0], &other, "an array over words or integers")),
                }
            }
            Expr::Type(r#type) => match self.var_type(file.node(args[0]).at, r#type, cx.scope)? {
                VarType::Array(sort, signed) => (Sort::Array(sort), signed),
                _ => {
                    return Err(self.error(
                        args[0],
                        self.shown(args[0]),
                        "the type of an array over words or integers",
                    ));
                }
            },
            _ => return Err(self.error(args[0], self.shown(args[0]), "a type, or `typeof(` an array `)`")),
        };
        let Sort::Array(sort) = sort else { unreachable!("the sort of an array is one") };
        let element = self.value(args[1], cx)?;
        let element = self.of_sort(args[1], &element, (sort.element.into(), signed))?;
        Ok(Val::Array { term: self.terms.const_array(sort, element), signed })
    }
    /// A constant that is the width of a word.
    pub fn width(&mut self, id: ExprId, cx: Context) -> Result<u32, Error> {
        let width = self.constant(id, cx)?;
        match u32::try_from(&width).ok().filter(|w| (1..=MOST_BITS).contains(w)) {
            Some(width) => Ok(width),
            None => Err(self.error(id, format!("a word of {width} bits"), format!("1 to {MOST_BITS} bits"))),
        }
    }
}
