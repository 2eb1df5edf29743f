//! What expressions stand for, as terms.
//!
//! Integers whose range is known are bit-vectors in a model without unbounded numbers, in two's complement if some value is negative, and as wide as the range
//! needs: nothing overflows. In a model with `integer` or `real` they are integers, for no solver of ours mixes the two. Symbols are
//! the numbers of their places in an enumeration, encoded in the same way.

use indubit_term::{BigInt, BigRational, BigUint, Op, Sort, Term, Terms, Value};
use std::fmt;
use std::sync::Arc;

use super::syntax::Word;

/// A value that an enumeration can have.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Constant {
    Int(BigInt),
    Name(Word),
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Constant::Int(value) => write!(f, "{value}"),
            Constant::Name(name) => f.write_str(name),
        }
    }
}

/// The values of an enumeration, each once.
pub(super) type Domain = Arc<Vec<Constant>>;

/// From where to where an integer goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub low: BigInt,
    pub high: BigInt,
}

impl Range {
    pub fn new(low: BigInt, high: BigInt) -> Range {
        Range { low, high }
    }
    pub fn only(value: BigInt) -> Range {
        Range { low: value.clone(), high: value }
    }
    /// What words of a width can be as integers.
    pub fn of_words(width: u32, signed: bool) -> Range {
        let one = BigInt::from(1);
        match signed {
            true => Range::new(-(one.clone() << (width - 1)), (one << (width - 1)) - 1),
            false => Range::new(0.into(), (one << width) - 1),
        }
    }
    pub fn hull(&self, other: &Range) -> Range {
        Range {
            low: self.low.clone().min(other.low.clone()),
            high: self.high.clone().max(other.high.clone()),
        }
    }
    pub fn contains(&self, other: &Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }
    /// How many integers it has, if these are not too many to be counted.
    pub fn len(&self) -> Option<u64> {
        u64::try_from(&self.high - &self.low + 1).ok()
    }
    pub fn values(&self) -> impl Iterator<Item = BigInt> + use<> {
        let (mut at, high) = (self.low.clone(), self.high.clone());
        std::iter::from_fn(move || {
            let value = at.clone();
            at += 1;
            (value <= high).then_some(value)
        })
    }
    pub fn is_signed(&self) -> bool {
        self.low < BigInt::from(0)
    }
    /// How many bits its integers take.
    pub fn width(&self) -> u32 {
        let bits = if self.is_signed() {
            let below: BigInt = -&self.low - 1;
            below.bits().max(self.high.bits() * u64::from(self.high > BigInt::from(0))) + 1
        } else {
            self.high.bits()
        };
        u32::try_from(bits.max(1)).unwrap_or(u32::MAX)
    }
}

/// An integer, and its range if that is known.
#[derive(Clone, Debug)]
pub(super) struct Number {
    pub term: Term,
    pub range: Option<Range>,
}

/// One of an enumeration: the place in it.
#[derive(Clone, Debug)]
pub(super) struct Symbol {
    pub term: Term,
    pub domain: Domain,
}

/// One of the values that a set may have.
#[derive(Clone, Debug)]
pub(super) enum Member {
    One(Val),
    /// More integers than one would list.
    From(BigInt, BigInt),
}

/// What an expression stands for.
#[derive(Clone, Debug)]
pub(super) enum Val {
    Bool(Term),
    Number(Number),
    Real(Term),
    Symbol(Symbol),
    Word {
        term: Term,
        signed: bool,
    },
    /// An array that is one term; are its elements signed words?
    Array {
        term: Term,
        signed: bool,
    },
    /// An array of single elements, from an index on.
    Elements(i64, Arc<Vec<Val>>),
    /// One of these, each if its condition holds.
    Set(Arc<Vec<(Term, Member)>>),
}

impl Val {
    /// The term, if it is one value.
    pub fn term(&self) -> Option<Term> {
        match self {
            Val::Bool(term) | Val::Real(term) | Val::Word { term, .. } | Val::Array { term, .. } => {
                Some(*term)
            }
            Val::Number(number) => Some(number.term),
            Val::Symbol(symbol) => Some(symbol.term),
            Val::Elements(..) | Val::Set(_) => None,
        }
    }
    /// What it is, for messages.
    pub fn kind(&self, terms: &Terms) -> String {
        match self {
            Val::Bool(_) => "a Boolean".into(),
            Val::Number(_) => "an integer".into(),
            Val::Real(_) => "a real".into(),
            Val::Symbol(symbol) => {
                let has_number = symbol.domain.iter().any(|c| matches!(c, Constant::Int(_)));
                if has_number { "a symbol or an integer".into() } else { "a symbol".into() }
            }
            Val::Word { term, signed } => {
                let sign = if *signed { "signed" } else { "unsigned" };
                format!("{} {sign} word[{}]", if *signed { "a" } else { "an" }, terms.width(*term))
            }
            Val::Array { .. } | Val::Elements(..) => "an array".into(),
            Val::Set(_) => "a set".into(),
        }
    }
}

/// How integers and symbols become terms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Encoding {
    /// Are there unbounded numbers in the model?
    pub unbounded: bool,
}

impl Encoding {
    pub fn sort(self, range: Option<&Range>) -> Sort {
        match range {
            Some(range) if !self.unbounded => Sort::BitVec(range.width()),
            _ => Sort::Int,
        }
    }
    /// The codes of an enumeration.
    pub fn codes(domain: &[Constant]) -> Range {
        Range::new(0.into(), BigInt::from(domain.len().max(1) - 1))
    }
    /// A value of a range, as integers of the range are.
    pub fn value(self, value: &BigInt, range: &Range) -> Value {
        if self.unbounded {
            return Value::Int(value.clone());
        }
        let width = range.width();
        let modulus = BigInt::from(1) << width;
        let value = ((value % &modulus) + &modulus) % &modulus;
        Value::bits(width, BigUint::try_from(value).unwrap_or_default())
    }
    pub fn constant(self, terms: &mut Terms, value: &BigInt, range: &Range) -> Term {
        let value = self.value(value, range);
        terms.constant(value)
    }
    /// The integer that a value of a range is.
    pub fn integer(self, value: &Value, range: &Range) -> BigInt {
        match value {
            Value::Int(value) => value.clone(),
            Value::Bits { width, value } => {
                let value = BigInt::from(value.clone());
                let is_negative = range.is_signed() && value.bits() == u64::from(*width);
                if is_negative { value - (BigInt::from(1) << *width) } else { value }
            }
            _ => BigInt::from(0),
        }
    }
    pub fn literal(self, terms: &mut Terms, value: BigInt) -> Val {
        let range = Range::only(value);
        let term = self.constant(terms, &range.low, &range);
        Val::Number(Number { term, range: Some(range) })
    }
    pub fn symbol(self, terms: &mut Terms, domain: &Domain, place: usize) -> Symbol {
        let term = self.constant(terms, &BigInt::from(place), &Encoding::codes(domain));
        Symbol { term, domain: domain.clone() }
    }
    /// An integer that is in both ranges, from the encoding of one to that of the other.
    pub fn cast(self, terms: &mut Terms, term: Term, from: &Range, to: &Range) -> Term {
        if self.unbounded {
            return term;
        }
        let (had, wanted) = (from.width(), to.width());
        if wanted == had {
            term
        } else if wanted < had {
            terms.extract(wanted - 1, 0, term)
        } else {
            extended(terms, term, wanted - had, from.is_signed())
        }
    }
    /// A number in the encoding of a range that has all its values.
    pub fn fit(self, terms: &mut Terms, number: &Number, range: &Range) -> Term {
        match &number.range {
            Some(own) => self.cast(terms, number.term, own, range),
            None => number.term,
        }
    }
    /// Two numbers in one encoding, and its range.
    pub fn alike(self, terms: &mut Terms, a: &Number, b: &Number) -> (Term, Term, Option<Range>) {
        match (&a.range, &b.range) {
            (Some(x), Some(y)) => {
                let hull = x.hull(y);
                (self.fit(terms, a, &hull), self.fit(terms, b, &hull), Some(hull))
            }
            _ => (a.term, b.term, None),
        }
    }
    /// `a < b`.
    pub fn less(self, terms: &mut Terms, a: &Number, b: &Number) -> Term {
        match self.alike(terms, a, b) {
            (a, b, Some(hull)) if !self.unbounded => {
                terms.bv(if hull.is_signed() { Op::BvSlt } else { Op::BvUlt }, &[a, b])
            }
            (a, b, _) => terms.lt(a, b),
        }
    }
    pub fn equal(self, terms: &mut Terms, a: &Number, b: &Number) -> Term {
        if let (Some(x), Some(y)) = (&a.range, &b.range)
            && (x.high < y.low || y.high < x.low)
        {
            return terms.bool(false);
        }
        let (a, b, _) = self.alike(terms, a, b);
        terms.eq(a, b)
    }
    /// Is it the symbol at a place of its enumeration?
    pub fn is_at(self, terms: &mut Terms, symbol: &Symbol, place: usize) -> Term {
        let other = self.symbol(terms, &symbol.domain, place);
        terms.eq(symbol.term, other.term)
    }
    /// A symbol in an enumeration that has all its values.
    pub fn recode(self, terms: &mut Terms, symbol: &Symbol, domain: &Domain) -> Symbol {
        if Arc::ptr_eq(&symbol.domain, domain) || symbol.domain == *domain {
            return Symbol { term: symbol.term, domain: domain.clone() };
        }
        let place = |c: &Constant| domain.iter().position(|d| d == c).unwrap_or(0);
        let mut places = symbol.domain.iter().map(place).collect::<Vec<_>>().into_iter().enumerate();
        let first = places.next().map_or(0, |(_, place)| place);
        let mut term = self.symbol(terms, domain, first).term;
        for (from, to) in places {
            let (is_here, code) = (self.is_at(terms, symbol, from), self.symbol(terms, domain, to).term);
            term = terms.ite(is_here, code, term);
        }
        Symbol { term, domain: domain.clone() }
    }
    /// An integer of a small range as one of an enumeration.
    pub fn as_symbol(self, terms: &mut Terms, number: &Number) -> Option<Symbol> {
        let range = number.range.clone().filter(|range| range.len().is_some_and(|n| n <= MOST_LISTED))?;
        let domain: Domain = Arc::new(range.values().map(Constant::Int).collect());
        let codes = Encoding::codes(&domain);
        let term = if range.low == BigInt::from(0) && !range.is_signed() {
            self.cast(terms, number.term, &range, &codes)
        } else {
            let mut term = self.constant(terms, &BigInt::from(0), &codes);
            for (place, value) in range.values().enumerate().skip(1) {
                let value = self.constant(terms, &value, &range);
                let is_value = terms.eq(number.term, value);
                let code = self.constant(terms, &BigInt::from(place), &codes);
                term = terms.ite(is_value, code, term);
            }
            term
        };
        Some(Symbol { term, domain })
    }
}

/// So many integers are looked at one by one.
pub(super) const MOST_LISTED: u64 = 4096;

/// All values of two enumerations.
pub(super) fn joined(a: &Domain, b: &Domain) -> Domain {
    if a == b {
        return a.clone();
    }
    let mut all: Vec<Constant> = a.to_vec();
    all.extend(b.iter().filter(|c| !a.contains(c)).cloned());
    Arc::new(all)
}

/// A vector with more bits in front.
pub(super) fn extended(terms: &mut Terms, term: Term, by: u32, signed: bool) -> Term {
    match (by, signed) {
        (0, _) => term,
        (_, true) => terms.bv(Op::SignExtend(by), &[term]),
        (_, false) => terms.zero_extend(by, term),
    }
}

/// A real that is an integer or a real.
pub(super) fn as_real(terms: &mut Terms, val: &Val) -> Option<Term> {
    match val {
        Val::Real(term) => Some(*term),
        Val::Number(number) => match terms.sort(number.term) {
            Sort::Int => Some(terms.as_real(number.term)),
            _ => None,
        },
        _ => None,
    }
}

/// The rational that a term is.
pub(super) fn rational(terms: &Terms, term: Term) -> Option<BigRational> {
    terms.value(term).and_then(Value::as_rational)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_have_as_many_bits_as_they_need() {
        let width = |low: i32, high: i32| Range::new(low.into(), high.into()).width();
        assert_eq!([width(0, 0), width(0, 1), width(0, 7), width(3, 8)], [1, 1, 3, 4]);
        assert_eq!([width(-1, 0), width(-8, 7), width(-9, 0), width(-1, 8), width(-4, -3)], [1, 4, 5, 5, 3]);
    }

    #[test]
    fn integers_go_into_bits_and_back() {
        let encoding = Encoding { unbounded: false };
        let range = Range::new((-5).into(), 9.into());
        for value in range.values() {
            assert_eq!(encoding.integer(&encoding.value(&value, &range), &range), value);
        }
    }

    #[test]
    fn symbols_are_found_in_larger_enumerations() {
        let (encoding, mut terms) = (Encoding { unbounded: false }, Terms::new());
        let names = |names: &[&str]| -> Domain {
            Arc::new(names.iter().map(|&n| Constant::Name(n.into())).collect())
        };
        let (small, large) = (names(&["c", "a"]), names(&["a", "b", "c"]));
        let c = encoding.symbol(&mut terms, &small, 0);
        let recoded = encoding.recode(&mut terms, &c, &large);
        assert_eq!(recoded.term, encoding.symbol(&mut terms, &large, 2).term);
        assert_eq!(joined(&small, &large).len(), 3);
    }
}
