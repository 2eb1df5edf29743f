//! Values of terms.

use crate::{BigInt, BigRational, BigUint, Sort, Table};
use num_traits::{One, Signed, Zero};
use std::fmt;

/// The value of a term: exact, of any size.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A rational number.
    Real(BigRational),
    /// A bit-vector; `value` is less than 2 to the power of `width`.
    Bits {
        /// The number of bits.
        width: u32,
        /// The bits as an unsigned number.
        value: BigUint,
    },
    /// An array.
    Array(Table),
}

impl Value {
    /// The sort of the value.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::Bits { width, .. } => Sort::BitVec(*width),
            Value::Array(table) => Sort::Array(table.sort()),
        }
    }
    /// False or zero, or an array of these.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(BigInt::zero()),
            Sort::Real => Value::Real(BigRational::zero()),
            Sort::BitVec(width) => Value::Bits { width, value: BigUint::zero() },
            Sort::Array(array) => Value::Array(Table::constant(array, Value::zero(array.element.into()))),
        }
    }
    /// A bit-vector, cut to its width.
    pub fn bits(width: u32, value: impl Into<BigUint>) -> Value {
        Value::Bits { width, value: value.into() & mask(width) }
    }
    /// The value that is made of these bits, least significant first; of an array element by element, in the order of indices. `None` if such values are
    /// not made of bits.
    pub fn of_bits(sort: Sort, bits: impl IntoIterator<Item = bool>) -> Option<Value> {
        Value::take_bits(sort, &mut bits.into_iter())
    }
    fn take_bits(sort: Sort, bits: &mut dyn Iterator<Item = bool>) -> Option<Value> {
        match sort {
            Sort::Bool => bits.next().map(Value::Bool),
            Sort::BitVec(width) => {
                let mut value = BigUint::zero();
                (0..u64::from(width)).zip(bits).for_each(|(i, bit)| value.set_bit(i, bit));
                Some(Value::bits(width, value))
            }
            Sort::Array(array) => {
                let n_indices = array.n_indices()?;
                let elements = (0..n_indices).map(|_| Value::take_bits(array.element.into(), bits));
                Some(Value::Array(Table::of_all(array, elements.collect::<Option<Vec<Value>>>()?)))
            }
            Sort::Int | Sort::Real => None,
        }
    }
    /// The integer with this value.
    pub fn int(value: impl Into<BigInt>) -> Value {
        Value::Int(value.into())
    }
    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(b) = self { Some(*b) } else { None }
    }
    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<&BigInt> {
        if let Value::Int(i) = self { Some(i) } else { None }
    }
    /// The number, if it is an integer or a rational.
    pub fn as_rational(&self) -> Option<BigRational> {
        match self {
            Value::Int(i) => Some(BigRational::from_integer(i.clone())),
            Value::Real(r) => Some(r.clone()),
            _ => None,
        }
    }
    /// The bits as an unsigned number, if it is a bit-vector.
    pub fn as_bits(&self) -> Option<&BigUint> {
        if let Value::Bits { value, .. } = self { Some(value) } else { None }
    }
    /// The array, if it is one.
    pub fn as_array(&self) -> Option<&Table> {
        if let Value::Array(table) = self { Some(table) } else { None }
    }
    /// The number as a value of an arithmetic sort.
    pub fn number(sort: Sort, number: BigRational) -> Value {
        match sort {
            Sort::Int => {
                debug_assert!(number.is_integer(), "an integer sum has integer coefficients");
                Value::Int(number.to_integer())
            }
            _ => Value::Real(number),
        }
    }
}

/// All bits of this width.
pub(crate) fn mask(width: u32) -> BigUint {
    (BigUint::one() << width) - 1u32
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}

/// As SMT-LIB writes it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(i) if i.is_negative() => write!(f, "(- {})", i.magnitude()),
            Value::Int(i) => write!(f, "{i}"),
            Value::Real(r) => {
                let (numerator, negative) = (r.numer().magnitude(), r.is_negative());
                f.write_str(if negative { "(- " } else { "" })?;
                if r.is_integer() {
                    write!(f, "{numerator}.0")?;
                } else {
                    write!(f, "(/ {numerator}.0 {}.0)", r.denom())?;
                }
                f.write_str(if negative { ")" } else { "" })
            }
            Value::Bits { width, value } if width % 4 == 0 => {
                write!(f, "#x{:0>1$}", value.to_str_radix(16), *width as usize / 4)
            }
            Value::Bits { width, value } => {
                write!(f, "#b{:0>1$}", value.to_str_radix(2), *width as usize)
            }
            Value::Array(table) => write!(f, "{table}"),
        }
    }
}
