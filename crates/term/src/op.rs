//! The table of operators: what each takes, what it gives, what it means and what it is called.
//!
//! The operators are few. Everything else of SMT-LIB is made of them in [`crate::Terms::call`].

use crate::{BigInt, BigRational, BigUint, EvalError, Table, Value, value::mask};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The widest bit-vector.
pub const MAX_WIDTH: u32 = 1 << 16;

/// What a term is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Rational numbers, which are all of the reals that a linear formula can name.
    Real,
    /// Bit-vectors of this width, which is not 0.
    BitVec(u32),
    /// Arrays: a value of one sort for each value of another.
    Array(ArraySort),
}

/// The sort of what an array is indexed by: everything but an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Scalar {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Rational numbers.
    Real,
    /// Bit-vectors of this width.
    BitVec(u32),
}

/// What an array is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArraySort {
    /// What it is indexed by.
    pub index: Scalar,
    /// What is in it.
    pub element: Element,
}

/// The sort of what is in an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Element {
    /// Everything but an array.
    Scalar(Scalar),
    /// Arrays in arrays. The few sorts of this kind that there are stay for good, so that a sort can be copied; [`Sort::array`] makes them.
    Array(&'static ArraySort),
}

/// So deep arrays may be in arrays.
const DEEPEST: u32 = 16;

/// The sorts of arrays that are in arrays.
static INNER: Mutex<BTreeSet<&'static ArraySort>> = Mutex::new(BTreeSet::new());

impl ArraySort {
    /// As a sort of elements, which is the same each time.
    fn as_element(self) -> Element {
        // Whoever panicked meanwhile has left it as it was: all that is done is to add a sort.
        let mut inner = INNER.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = inner.get(&self) {
            return Element::Array(known);
        }
        let sort: &'static ArraySort = Box::leak(Box::new(self));
        inner.insert(sort);
        Element::Array(sort)
    }
    /// How deep arrays are in arrays.
    fn depth(self) -> u32 {
        1 + if let Element::Array(inner) = self.element { inner.depth() } else { 0 }
    }
}

impl From<Scalar> for Element {
    fn from(scalar: Scalar) -> Element {
        Element::Scalar(scalar)
    }
}

impl From<Element> for Sort {
    fn from(element: Element) -> Sort {
        match element {
            Element::Scalar(scalar) => scalar.into(),
            Element::Array(array) => Sort::Array(*array),
        }
    }
}

impl ArraySort {
    /// How many indices there are, if these are not too many to be counted.
    pub fn n_indices(self) -> Option<u64> {
        match self.index {
            Scalar::Bool => Some(2),
            Scalar::BitVec(width) => 1u64.checked_shl(width),
            Scalar::Int | Scalar::Real => None,
        }
    }
    /// How many bits all elements are, if they are made of bits and not too many to be counted.
    pub fn n_bits(self) -> Option<u64> {
        let element = Sort::from(self.element).n_bits()?;
        self.n_indices()?.checked_mul(element)
    }
}

impl From<Scalar> for Sort {
    fn from(scalar: Scalar) -> Sort {
        match scalar {
            Scalar::Bool => Sort::Bool,
            Scalar::Int => Sort::Int,
            Scalar::Real => Sort::Real,
            Scalar::BitVec(width) => Sort::BitVec(width),
        }
    }
}

impl Sort {
    /// The sort, if it is not an array.
    pub fn scalar(self) -> Option<Scalar> {
        match self {
            Sort::Bool => Some(Scalar::Bool),
            Sort::Int => Some(Scalar::Int),
            Sort::Real => Some(Scalar::Real),
            Sort::BitVec(width) => Some(Scalar::BitVec(width)),
            Sort::Array(_) => None,
        }
    }
    /// Arrays, unless they are indexed by arrays, or arrays in arrays without end.
    pub fn array(index: Sort, element: Sort) -> Option<Sort> {
        let element = match element {
            Sort::Array(inner) if inner.depth() >= DEEPEST => return None,
            Sort::Array(inner) => inner.as_element(),
            element => element.scalar()?.into(),
        };
        Some(Sort::Array(ArraySort { index: index.scalar()?, element }))
    }
    /// How many bits a value is, if it is made of bits and not of too many to be counted.
    pub fn n_bits(self) -> Option<u64> {
        match self {
            Sort::Bool => Some(1),
            Sort::BitVec(width) => Some(u64::from(width)),
            Sort::Array(array) => array.n_bits(),
            Sort::Int | Sort::Real => None,
        }
    }
    /// An integer or a real?
    pub fn is_number(self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }
    /// The width, if it is a bit-vector.
    pub fn width(self) -> Option<u32> {
        if let Sort::BitVec(width) = self { Some(width) } else { None }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::Real => f.write_str("Real"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array(ArraySort { index, element }) => {
                write!(f, "(Array {} {})", Sort::from(*index), Sort::from(*element))
            }
        }
    }
}

/// An operator that was applied to what it cannot be applied to. The message names the operator and the term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortError {
    /// What was found, with the operator and the term at fault.
    pub found: String,
    /// What the operator takes instead.
    pub expected: String,
}

impl SortError {
    pub(crate) fn new(found: impl Into<String>, expected: impl Into<String>) -> SortError {
        SortError { found: found.into(), expected: expected.into() }
    }
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found {}, expected {}", self.found, self.expected)
    }
}

impl std::error::Error for SortError {}

/// The operator of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Op {
    /// A variable, which has a name.
    Var,
    /// A constant, which has a value.
    Const,
    /// Negation.
    Not,
    /// Conjunction of any number.
    And,
    /// Disjunction of any number.
    Or,
    /// Equality of two terms of one sort; between truth values it is "if and only if".
    Eq,
    /// If, then, else; the branches are not Boolean in a simplified term.
    Ite,
    /// `<=` of two numbers; in a simplified term a sum and a constant.
    Le,
    /// `<` of two numbers; of reals only in a simplified term.
    Lt,
    /// A sum of any number of terms.
    Add,
    /// A product of any number of terms, linear or not.
    Mul,
    /// Integer division by a constant that is not 0, rounded such that the remainder is not negative.
    Div,
    /// The remainder of that, from 0 up to the divisor's magnitude.
    Mod,
    /// An integer as a real.
    ToReal,
    /// The greatest integer that is not above a real.
    ToInt,
    /// Bitwise negation.
    BvNot,
    /// Bitwise conjunction of two.
    BvAnd,
    /// Bitwise disjunction of two.
    BvOr,
    /// Bitwise exclusive disjunction of two.
    BvXor,
    /// Two's complement.
    BvNeg,
    /// Sum of two, modulo 2 to the width.
    BvAdd,
    /// Product of two, modulo 2 to the width.
    BvMul,
    /// Unsigned division; all ones if the divisor is 0.
    BvUdiv,
    /// Unsigned remainder; the dividend if the divisor is 0.
    BvUrem,
    /// Shift towards the most significant bit.
    BvShl,
    /// Shift towards the least significant bit, zeros come in.
    BvLshr,
    /// Shift towards the least significant bit, copies of the sign come in.
    BvAshr,
    /// Unsigned `<`.
    BvUlt,
    /// Signed `<`.
    BvSlt,
    /// Two vectors as one, the first more significant.
    Concat,
    /// Some bits of a vector.
    Extract {
        /// The most significant one.
        high: u32,
        /// The least significant one.
        low: u32,
    },
    /// That many copies of the sign in front.
    SignExtend(u32),
    /// What an array has at an index.
    Select,
    /// An array with another element at an index.
    Store,
    /// The array of this sort with one element everywhere.
    ConstArray(ArraySort),
}

impl Op {
    /// Those that are applied to terms and have no indices, for whoever makes terms by chance.
    #[rustfmt::skip]
    pub const PLAIN: [Op; 30] = [
        Op::Not, Op::And, Op::Or, Op::Eq, Op::Ite, Op::Le, Op::Lt, Op::Add, Op::Mul, Op::Div, Op::Mod, Op::ToReal, Op::ToInt,
        Op::BvNot, Op::BvAnd, Op::BvOr, Op::BvXor, Op::BvNeg, Op::BvAdd, Op::BvMul, Op::BvUdiv, Op::BvUrem, Op::BvShl, Op::BvLshr,
        Op::BvAshr, Op::BvUlt, Op::BvSlt, Op::Concat, Op::Select, Op::Store,
    ];
    /// The name in SMT-LIB, with indices.
    pub fn name(self) -> String {
        let name = match self {
            Op::Var => "variable",
            Op::Const => "constant",
            Op::Not => "not",
            Op::And => "and",
            Op::Or => "or",
            Op::Eq => "=",
            Op::Ite => "ite",
            Op::Le => "<=",
            Op::Lt => "<",
            Op::Add => "+",
            Op::Mul => "*",
            Op::Div => "div",
            Op::Mod => "mod",
            Op::ToReal => "to_real",
            Op::ToInt => "to_int",
            Op::BvNot => "bvnot",
            Op::BvAnd => "bvand",
            Op::BvOr => "bvor",
            Op::BvXor => "bvxor",
            Op::BvNeg => "bvneg",
            Op::BvAdd => "bvadd",
            Op::BvMul => "bvmul",
            Op::BvUdiv => "bvudiv",
            Op::BvUrem => "bvurem",
            Op::BvShl => "bvshl",
            Op::BvLshr => "bvlshr",
            Op::BvAshr => "bvashr",
            Op::BvUlt => "bvult",
            Op::BvSlt => "bvslt",
            Op::Concat => "concat",
            Op::Extract { high, low } => return format!("(_ extract {high} {low})"),
            Op::SignExtend(n) => return format!("(_ sign_extend {n})"),
            Op::Select => "select",
            Op::Store => "store",
            Op::ConstArray(sort) => return format!("(as const {})", Sort::Array(sort)),
        };
        name.to_owned()
    }

    /// The sort of the result for arguments of these sorts, or what the operator takes instead.
    pub(crate) fn sort(self, args: &[Sort]) -> Result<Sort, &'static str> {
        use Sort::{BitVec, Bool, Int, Real};
        let all = |sort: Sort| args.iter().all(|&a| a == sort);
        let wide = |width: u64| match u32::try_from(width) {
            Ok(width) if width <= MAX_WIDTH => Ok(BitVec(width)),
            _ => Err("a bit-vector of at most 65536 bits"),
        };
        match self {
            Op::Var | Op::Const => Err("no arguments"),
            Op::Not if args == [Bool] => Ok(Bool),
            Op::Not => Err("one Boolean term"),
            Op::And | Op::Or if all(Bool) => Ok(Bool),
            Op::And | Op::Or => Err("Boolean terms"),
            Op::Eq if args.len() == 2 && args[0] == args[1] => Ok(Bool),
            Op::Eq => Err("two terms of one sort"),
            Op::Ite => match args {
                [Bool, a, b] if a == b => Ok(*a),
                _ => Err("a Boolean condition and two terms of one sort"),
            },
            Op::Le | Op::Lt if args == [Int, Int] || args == [Real, Real] => Ok(Bool),
            Op::Le | Op::Lt => Err("two numbers of one sort"),
            Op::Add | Op::Mul if !args.is_empty() && (all(Int) || all(Real)) => Ok(args[0]),
            Op::Add | Op::Mul => Err("numbers of one sort"),
            Op::Div | Op::Mod if args == [Int, Int] => Ok(Int),
            Op::Div | Op::Mod => Err("two integers"),
            Op::ToReal if args == [Int] => Ok(Real),
            Op::ToReal => Err("one integer"),
            Op::ToInt if args == [Real] => Ok(Int),
            Op::ToInt => Err("one real"),
            Op::BvNot | Op::BvNeg => match args {
                [BitVec(width)] => Ok(BitVec(*width)),
                _ => Err("one bit-vector"),
            },
            Op::BvUlt | Op::BvSlt => match args {
                [BitVec(a), BitVec(b)] if a == b => Ok(Bool),
                _ => Err("two bit-vectors of one width"),
            },
            Op::Concat => match args {
                [BitVec(a), BitVec(b)] => wide(u64::from(*a) + u64::from(*b)),
                _ => Err("two bit-vectors"),
            },
            Op::Extract { high, low } => match args {
                [BitVec(width)] if low <= high && high < *width => Ok(BitVec(high - low + 1)),
                [BitVec(_)] => Err("indices inside the bit-vector, the greater one first"),
                _ => Err("one bit-vector"),
            },
            Op::SignExtend(n) => match args {
                [BitVec(width)] => wide(u64::from(*width) + u64::from(n)),
                _ => Err("one bit-vector"),
            },
            Op::Select => match args {
                [Sort::Array(array), index] if *index == array.index.into() => Ok(array.element.into()),
                _ => Err("an array and an index of its sort"),
            },
            Op::Store => match args {
                [Sort::Array(array), index, element]
                    if *index == array.index.into() && *element == array.element.into() =>
                {
                    Ok(args[0])
                }
                _ => Err("an array, an index and an element of its sorts"),
            },
            Op::ConstArray(array) => match args {
                [element] if *element == array.element.into() => Ok(Sort::Array(array)),
                _ => Err("one element of its sort"),
            },
            Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr => match args {
                [BitVec(a), BitVec(b)] if a == b => Ok(BitVec(*a)),
                _ => Err("two bit-vectors of one width"),
            },
        }
    }

    /// The value for arguments with these values, which are of the right sorts.
    pub(crate) fn evaluate(self, args: &[&Value]) -> Result<Value, EvalError> {
        use Value::{Array, Bits, Bool, Int, Real};
        let truth = |i: usize| matches!(args[i], Bool(true));
        Ok(match (self, args) {
            (Op::Not, _) => Bool(!truth(0)),
            (Op::And, _) => Bool((0..args.len()).all(truth)),
            (Op::Or, _) => Bool((0..args.len()).any(truth)),
            (Op::Eq, [a, b]) => Bool(a == b),
            (Op::Ite, [_, a, b]) => Value::clone(if truth(0) { a } else { b }),
            (Op::Le, [a, b]) => Bool(a <= b),
            (Op::Lt, [a, b]) => Bool(a < b),
            (Op::Add, [Int(_), ..]) => Int(args.iter().filter_map(|v| v.as_int()).sum()),
            (Op::Add, _) => {
                Real(args.iter().filter_map(|v| v.as_rational()).fold(BigRational::zero(), |a, b| a + b))
            }
            (Op::Mul, [Int(_), ..]) => {
                let mut product = BigInt::one();
                for factor in args.iter().filter_map(|v| v.as_int()) {
                    EvalError::check(product.bits() + factor.bits())?;
                    product *= factor;
                }
                Int(product)
            }
            (Op::Mul, _) => {
                let mut product = BigRational::one();
                for factor in args.iter().filter_map(|v| v.as_rational()) {
                    let bits = |r: &BigRational| r.numer().bits() + r.denom().bits();
                    EvalError::check(bits(&product) + bits(&factor))?;
                    product *= factor;
                }
                Real(product)
            }
            (Op::Div, [Int(a), Int(b)]) => Int((a - modulo(a, b)) / b),
            (Op::Mod, [Int(a), Int(b)]) => Int(modulo(a, b)),
            (Op::ToReal, [Int(a)]) => Real(BigRational::from_integer(a.clone())),
            (Op::ToInt, [Real(a)]) => Int(a.floor().to_integer()),
            (Op::ConstArray(sort), [element]) => Array(Table::constant(sort, Value::clone(element))),
            (Op::Select, [Array(table), index]) => table.get(index).clone(),
            (Op::Store, [Array(table), index, element]) => {
                let mut table = table.clone();
                table.set(Value::clone(index), Value::clone(element));
                Array(table)
            }
            (_, [Bits { width, value }]) => evaluate_one(self, *width, value),
            (_, [Bits { width, value: a }, Bits { width: low_width, value: b }]) => {
                evaluate_two(self, *width, *low_width, a, b)
            }
            _ => return Err(EvalError::WrongSort(self.name())),
        })
    }
}

/// The remainder that is not negative. The divisor is not 0.
pub(crate) fn modulo(a: &BigInt, b: &BigInt) -> BigInt {
    a.mod_floor(&b.abs())
}

/// The vector as a two's complement number.
pub(crate) fn signed(width: u32, value: &BigUint) -> BigInt {
    let number = BigInt::from(value.clone());
    if value.bit(u64::from(width) - 1) { number - (BigInt::one() << width) } else { number }
}

fn evaluate_one(op: Op, width: u32, value: &BigUint) -> Value {
    match op {
        Op::BvNot => Value::bits(width, value ^ mask(width)),
        Op::BvNeg => Value::bits(width, (BigUint::one() << width) - value),
        Op::Extract { high, low } => Value::bits(high - low + 1, value >> low),
        Op::SignExtend(n) => {
            let sign = value.bit(u64::from(width) - 1);
            let ones = if sign { mask(n) << width } else { BigUint::zero() };
            Value::bits(width + n, value | ones)
        }
        _ => unreachable!("{op:?} does not take one bit-vector"),
    }
}

fn evaluate_two(op: Op, width: u32, low_width: u32, a: &BigUint, b: &BigUint) -> Value {
    // Shifts by more than the width are all the same.
    let distance = b.to_u32().map_or(width, |b| b.min(width));
    let result = match op {
        Op::BvAnd => a & b,
        Op::BvOr => a | b,
        Op::BvXor => a ^ b,
        Op::BvAdd => a + b,
        Op::BvMul => a * b,
        Op::BvUdiv if b.is_zero() => mask(width),
        Op::BvUdiv => a / b,
        Op::BvUrem if b.is_zero() => a.clone(),
        Op::BvUrem => a % b,
        Op::BvShl => a << distance,
        Op::BvLshr => a >> distance,
        Op::BvAshr => {
            let ones = if a.bit(u64::from(width) - 1) { mask(distance) } else { BigUint::zero() };
            (a >> distance) | (ones << (width - distance))
        }
        Op::BvUlt => return Value::Bool(a < b),
        Op::BvSlt => return Value::Bool(signed(width, a) < signed(width, b)),
        Op::Concat => return Value::bits(width + low_width, (a << low_width) | b),
        _ => unreachable!("{op:?} does not take two bit-vectors"),
    };
    Value::bits(width, result)
}
