//! What values are called where a design has an enumeration: attributes of wires, as Yosys dumps them.

use indubit_formats::btor2::Btor2;
use indubit_term::{BigUint, Term, Value};
use rustc_hash::FxHashMap;

/// What the values of a wire are called.
pub(crate) type Enumeration = FxHashMap<Value, String>;

/// The enumerations in a dump, by the names of wires:
///
/// ```text
/// attribute \enum_value_01 "\\pkg::BUSY"
/// wire width 2 \u0.state
/// ```
pub(crate) fn read(dump: &str) -> FxHashMap<String, Enumeration> {
    let mut found = FxHashMap::default();
    let mut values = Enumeration::default();
    for line in dump.lines().map(str::trim) {
        if let Some(attribute) = line.strip_prefix("attribute ") {
            values.extend(value(attribute));
        } else if !line.is_empty() {
            let values = std::mem::take(&mut values);
            let name = line.strip_prefix("wire ").and_then(|rest| rest.split_whitespace().last());
            if let Some(name) = name
                && !values.is_empty()
            {
                found.insert(name.trim_start_matches('\\').to_owned(), values);
            }
        }
    }
    found
}

/// `\enum_value_01 "\\pkg::BUSY"`: a value, and what it is called in its package.
fn value(attribute: &str) -> Option<(Value, String)> {
    let (digits, name) = attribute.strip_prefix("\\enum_value_")?.split_once(' ')?;
    let value = BigUint::parse_bytes(digits.as_bytes(), 2)?;
    let name = name.trim_matches('"').trim_start_matches('\\');
    let name = name.rsplit("::").next()?;
    Some((Value::bits(u32::try_from(digits.len()).ok()?, value), name.to_owned()))
}

/// Let variables of a model tell their values as the design does.
pub(crate) fn name_values(model: &mut Btor2, mut of_wires: FxHashMap<String, Enumeration>) {
    let terms = &model.system.terms;
    let states = model.system.states.iter().map(|v| v.current);
    let variables: Vec<Term> = states.chain(model.system.inputs.iter().copied()).collect();
    let mut found = FxHashMap::default();
    // A register behind an asynchronous reset has the names of the wire that is reset.
    let behind: FxHashMap<Term, Term> =
        model.system.wires.iter().map(|(&state, &wire)| (wire, state)).collect();
    for (name, term) in &model.signals {
        let variable = behind.get(term).unwrap_or(term);
        // One of several names is enough.
        if terms.is_var(*variable)
            && let Some(values) = of_wires.get(name)
        {
            found.insert(*variable, values.clone());
        }
    }
    for variable in variables {
        if let Some(values) = terms.name(variable).and_then(|name| of_wires.remove(name)) {
            found.insert(variable, values);
        }
    }
    model.enumerations = found;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dumps_are_read() {
        let dump = "attribute \\src \"a.sv:1.2-3.4\"\nattribute \\enum_value_00 \"\\\\IDLE\"\nattribute \\enum_value_10 \"\\\\p::BUSY\"\nwire width 2 output 7 \\u0.st\n\nwire \\x\n";
        let found = read(dump);
        let name = |n: u32| found["u0.st"].get(&Value::bits(2, n)).map(|s| &s[..]);
        assert_eq!((found.len(), name(0), name(1), name(2)), (1, Some("IDLE"), None, Some("BUSY")));
    }
}
