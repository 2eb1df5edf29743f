//! Literals, indices and sorts.

use super::expressions::{Expressions, Id, Kind};
use crate::Error;
use indubit_term::{BigInt, BigRational, BigUint, MAX_WIDTH, Sort, Value};
use rustc_hash::FxHashMap;

/// Longer numbers are refused: reading and writing them takes time that grows with the square.
const MAX_DIGITS: usize = 10_000;

/// The value of an atom that is a literal.
pub(crate) fn literal(e: &Expressions<'_>, id: Id) -> Result<Option<Value>, Error> {
    let text = e.text(id);
    let number = |digits: &str| -> Result<BigInt, Error> {
        let parsed = (digits.len() <= MAX_DIGITS).then(|| digits.parse().ok()).flatten();
        parsed.ok_or_else(|| e.error(id, format!("a number of at most {MAX_DIGITS} digits")))
    };
    let bits = |digits: &str, radix: u32, each: usize| -> Result<Value, Error> {
        let width = digits.len() * each;
        if width > MAX_WIDTH as usize {
            return Err(e.error(id, format!("a bit-vector of at most {MAX_WIDTH} bits")));
        }
        let value = BigUint::parse_bytes(digits.as_bytes(), radix).expect("the digits were checked");
        Ok(Value::bits(width as u32, value))
    };
    Ok(Some(match e.kind(id) {
        Kind::Numeral => Value::Int(number(text)?),
        Kind::Decimal => {
            let (whole, fraction) = text.split_once('.').expect("a decimal has a point");
            let numerator = number(&format!("{whole}{fraction}"))?;
            let exponent = u32::try_from(fraction.len()).expect("the length was checked");
            Value::Real(BigRational::new(numerator, BigInt::from(10).pow(exponent)))
        }
        Kind::Hexadecimal => bits(&text[2..], 16, 4)?,
        Kind::Binary => bits(&text[2..], 2, 1)?,
        _ => return Ok(None),
    }))
}

/// A number that is an index.
pub(crate) fn index(e: &Expressions<'_>, id: Id) -> Result<u32, Error> {
    let number = (e.kind(id) == Kind::Numeral).then(|| e.text(id).parse().ok()).flatten();
    number.ok_or_else(|| e.error(id, "an index: a number below 2^32"))
}

/// The constant `(_ bv5 8)`, if it is one.
pub(crate) fn indexed_constant(e: &Expressions<'_>, id: Id) -> Result<Option<Value>, Error> {
    let &[_, name, width] = e.list(id) else { return Ok(None) };
    let Some(digits) = e.symbol(name).and_then(|name| name.strip_prefix("bv")) else { return Ok(None) };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || digits.len() > 20_000 {
        return Err(e.error(name, "a bit-vector such as (_ bv5 8)"));
    }
    let value: BigUint = digits.parse().map_err(|_| e.error(name, "a number"))?;
    let width = bit_width(e, width)?;
    if value.bits() > u64::from(width) {
        return Err(e.error(name, format!("a number of at most {width} bits")));
    }
    Ok(Some(Value::bits(width, value)))
}

fn bit_width(e: &Expressions<'_>, id: Id) -> Result<u32, Error> {
    match index(e, id) {
        Ok(width) if (1..=MAX_WIDTH).contains(&width) => Ok(width),
        _ => Err(e.error(id, format!("a width from 1 to {MAX_WIDTH}"))),
    }
}

/// A sort; `defined` are those of `define-sort`.
pub(crate) fn sort(e: &Expressions<'_>, id: Id, defined: &FxHashMap<&str, Sort>) -> Result<Sort, Error> {
    sort_inside(e, id, defined, MOST_ARRAYS)
}

/// No sort has more arrays in each other.
const MOST_ARRAYS: u32 = 100;

fn sort_inside(
    e: &Expressions<'_>,
    id: Id,
    defined: &FxHashMap<&str, Sort>,
    n_left: u32,
) -> Result<Sort, Error> {
    const TOO_MANY: &str = "arrays in arrays, too many times";
    const SORTS: &str = "a sort: Bool, Int, Real, (_ BitVec n), or (Array INDEX ELEMENT) of these";
    if let Some(name) = e.symbol(id) {
        return match name {
            "Bool" => Ok(Sort::Bool),
            "Int" => Ok(Sort::Int),
            "Real" => Ok(Sort::Real),
            _ => defined.get(name).copied().ok_or_else(|| e.error(id, SORTS)),
        };
    }
    match *e.list(id) {
        [underscore, name, width] if e.is_word(underscore, "_") && e.symbol(name) == Some("BitVec") => {
            Ok(Sort::BitVec(bit_width(e, width)?))
        }
        [name, index, element] if e.symbol(name) == Some("Array") => {
            let error = |found| Error::new(e.place(id), found, SORTS);
            let n_left = n_left.checked_sub(1).ok_or_else(|| error(TOO_MANY))?;
            let (index, element) =
                (sort_inside(e, index, defined, n_left)?, sort_inside(e, element, defined, n_left)?);
            let found = if index.scalar().is_some() { TOO_MANY } else { "an array as an index" };
            Sort::array(index, element).ok_or_else(|| error(found))
        }
        _ => Err(e.error(id, SORTS)),
    }
}
