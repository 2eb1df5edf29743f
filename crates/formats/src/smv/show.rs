//! Values in the words of a model: `idle`, `7`, `0ud4_7`, `TRUE`, and never how they are encoded.

use super::Smv;
use super::elaborate::VarType;
use super::values::{Constant, Encoding};
use crate::told::Told;
use crate::word_text;
use indubit_term::{BigInt, BigRational, Sort, Term, Value};

impl Smv {
    /// What a value of a variable is called.
    pub fn tell(&self, variable: Term, value: &Value) -> Option<Told> {
        let Some(r#type) = self.type_of(variable) else { return Some(Told::Text(plain(value))) };
        Some(match r#type {
            VarType::Range(range, _) => Told::Number(self.encoding.integer(value, range)),
            VarType::Symbols(_) => Told::Symbol(shown(r#type, self.encoding, value)),
            _ => Told::Text(shown(r#type, self.encoding, value)),
        })
    }
    /// The type of a variable as SMV writes it; long enumerations are cut.
    pub fn type_name(&self, variable: Term) -> String {
        const MOST: usize = 8;
        let list = |values: Vec<String>| match values.len() {
            n if n > MOST => format!("{{{}, ... {} more}}", values[..MOST].join(", "), n - MOST),
            _ => format!("{{{}}}", values.join(", ")),
        };
        match self.type_of(variable) {
            Some(VarType::Integer) => "integer".into(),
            Some(VarType::Real) => "real".into(),
            Some(VarType::Range(range, None)) => format!("{}..{}", range.low, range.high),
            Some(VarType::Range(_, Some(values))) => list(values.iter().map(BigInt::to_string).collect()),
            Some(VarType::Symbols(domain)) => list(domain.iter().map(Constant::to_string).collect()),
            Some(VarType::Word { signed, width }) => {
                format!("{} word[{width}]", if *signed { "signed" } else { "unsigned" })
            }
            Some(VarType::Boolean) => "boolean".into(),
            Some(VarType::Array(..) | VarType::Elements(..)) | None => match self.system.terms.sort(variable)
            {
                Sort::Bool => "boolean".into(),
                sort => sort.to_string(),
            },
        }
    }
    /// The type of a variable.
    pub(super) fn type_of(&self, variable: Term) -> Option<&VarType> {
        self.names.by_term.get(&variable).map(|&index| &self.names.variables[index].r#type)
    }
}

/// A value of a type.
pub(super) fn shown(r#type: &VarType, encoding: Encoding, value: &Value) -> String {
    match (r#type, value) {
        (VarType::Range(range, _), _) => encoding.integer(value, range).to_string(),
        (VarType::Symbols(domain), _) => {
            let place = usize::try_from(encoding.integer(value, &Encoding::codes(domain))).ok();
            match place.and_then(|place| domain.get(place)) {
                Some(constant) => constant.to_string(),
                // A run that breaks the model's constraints may show it.
                None => format!("outside of its enumeration ({value})"),
            }
        }
        (VarType::Word { signed, .. }, Value::Bits { width, value }) => word(*width, value, *signed),
        _ => plain(value),
    }
}

/// A value whose sort says all about it.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::Bool(true) => "TRUE".into(),
        Value::Bool(false) => "FALSE".into(),
        Value::Real(value) => real(value),
        Value::Bits { width, value } => word(*width, value, false),
        other => word_text::value(other),
    }
}

/// `3`, or `f'1/3`: what looks like a quotient of integers is rounded.
pub(super) fn real(value: &BigRational) -> String {
    if value.is_integer() { value.to_string() } else { format!("f'{value}").replace("f'-", "-f'") }
}

/// `0ud4_7`, `-0sd4_1`.
pub(super) fn word(width: u32, value: &indubit_term::BigUint, signed: bool) -> String {
    if !signed {
        return format!("0ud{width}_{value}");
    }
    let value = BigInt::from(value.clone());
    match value.bits() == u64::from(width) {
        true => format!("-0sd{width}_{}", (BigInt::from(1) << width) - value),
        false => format!("0sd{width}_{value}"),
    }
}
