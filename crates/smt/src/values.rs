//! Values as solvers write them: `((x (- 3)) (y (/ 1.0 2.0)) (b true) (v #x0f))`.

use indubit_term::{BigInt, BigRational, BigUint, Sort, Table, Value};
use num_traits::One;

/// The values of these names, in their order, if the text has nothing else.
pub(crate) fn read_values(text: &str, names: &[String], sort: impl Fn(usize) -> Sort) -> Option<Vec<Value>> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut tokens = spaced.split_whitespace();
    let mut next = || tokens.next();
    let mut values = Vec::with_capacity(names.len());
    (next()? == "(").then_some(())?;
    for (i, name) in names.iter().enumerate() {
        (next()? == "(" && next()? == name).then_some(())?;
        values.push(value(&mut next, sort(i))?);
        (next()? == ")").then_some(())?;
    }
    (next()? == ")" && next().is_none()).then_some(values)
}

fn value<'t>(next: &mut dyn FnMut() -> Option<&'t str>, sort: Sort) -> Option<Value> {
    let token = next()?;
    Some(match sort {
        Sort::Bool => Value::Bool(token.parse().ok()?),
        Sort::Int => {
            let number = number(token, next)?;
            Value::Int(number.is_integer().then(|| number.to_integer())?)
        }
        Sort::Real => Value::Real(number(token, next)?),
        Sort::BitVec(width) => {
            let bits = match (token.strip_prefix("#x"), token.strip_prefix("#b")) {
                (Some(digits), _) => BigUint::parse_bytes(digits.as_bytes(), 16)?,
                (_, Some(digits)) => BigUint::parse_bytes(digits.as_bytes(), 2)?,
                _ => return None,
            };
            (bits.bits() <= u64::from(width)).then_some(())?;
            Value::bits(width, bits)
        }
        Sort::Array(array) => {
            // (store (store ((as const SORT) e) i e) i e)
            let (index, element) = (array.index.into(), array.element.into());
            let mut n_stores = 0;
            loop {
                match (n_stores == 0 || next()? == "(").then_some(next()?)? {
                    "store" => n_stores += 1,
                    "(" => break,
                    _ => return None,
                }
            }
            (next()? == "as" && next()? == "const").then_some(())?;
            let mut depth = 0;
            loop {
                match next()? {
                    "(" => depth += 1,
                    ")" if depth == 0 => break,
                    ")" => depth -= 1,
                    _ => (),
                }
            }
            let mut table = Table::constant(array, value(next, element)?);
            (next()? == ")").then_some(())?;
            for _ in 0..n_stores {
                let index = value(next, index)?;
                table.set(index, value(next, element)?);
                (next()? == ")").then_some(())?;
            }
            Value::Array(table)
        }
    })
}

/// A number, a negated one, or a fraction: three deep at most.
fn number<'t>(token: &'t str, next: &mut dyn FnMut() -> Option<&'t str>) -> Option<BigRational> {
    if token != "(" {
        return decimal(token);
    }
    let operation = next()?;
    let token = next()?;
    let first = match (operation, token) {
        // (- (/ 1 2)) and (/ (- 1) 2)
        ("-", "(") | ("/", "(") => {
            let inner = next()?;
            let number = decimal(next()?)?;
            let number = match inner {
                "-" => -number,
                "/" => divided(number, decimal(next()?)?)?,
                _ => return None,
            };
            (next()? == ")").then_some(number)?
        }
        _ => decimal(token)?,
    };
    let result = match operation {
        "-" => -first,
        "/" => divided(first, decimal(next()?)?)?,
        _ => return None,
    };
    (next()? == ")").then_some(result)
}

fn divided(a: BigRational, b: BigRational) -> Option<BigRational> {
    (b != BigRational::default()).then(|| a / b)
}

/// `12` or `1.5`.
fn decimal(text: &str) -> Option<BigRational> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit());
    (!whole.is_empty() && is_digits(whole) && is_digits(fraction)).then_some(())?;
    let numerator = BigInt::parse_bytes(format!("{whole}{fraction}").as_bytes(), 10)?;
    let denominator = (0..fraction.len()).fold(BigInt::one(), |n, _| n * 10);
    Some(BigRational::new(numerator, denominator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_values() {
        let sorts = [Sort::Int, Sort::Int, Sort::Real, Sort::Real, Sort::Real, Sort::Bool, Sort::BitVec(8)];
        let names: Vec<String> = (0..sorts.len()).map(|i| format!("v{i}")).collect();
        let text = "\n((v0 7)\n (v1 (- 12)) (v2 1.25) (v3 (- (/ 1.0 2.0))) (v4 (/ (- 3) 4))\n (v5 true) (v6 #x0f))\n";
        let real = |n: i64, d: i64| Value::Real(BigRational::new(n.into(), d.into()));
        let expected = [
            Value::int(7),
            Value::int(-12),
            real(5, 4),
            real(-1, 2),
            real(-3, 4),
            Value::Bool(true),
            Value::bits(8, 15u32),
        ];
        assert_eq!(read_values(text, &names, |i| sorts[i]), Some(expected.to_vec()));
        let array = Sort::array(Sort::Int, Sort::Bool).unwrap();
        let stored = "((a (store (store ((as const (Array Int Bool)) false) 7 true) (- 2) true)))";
        let read = read_values(stored, &["a".into()], |_| array).unwrap();
        assert_eq!(
            read[0].to_string(),
            "(store (store ((as const (Array Int Bool)) false) (- 2) true) 7 true)"
        );
        for wrong in
            ["", "(error \"no\")", "((v0 7))", "((v0 (root-obj (+ (^ x 2) (- 2)) 1)))", "((v0 (/ 1 0)))"]
        {
            assert_eq!(read_values(wrong, &names, |i| sorts[i]), None, "{wrong}");
        }
    }
}
