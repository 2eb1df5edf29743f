//! Waveforms: a trace as a Value Change Dump (IEEE 1364-2005, section 18) for any wave viewer.
//!
//! One unit of time is one step of the model. Inputs, latches, outputs, bad states and constraints have a scope
//! each, because AIGER lets two sections use the same name; bits of a vector are one variable. Properties that AIGER has no section for are in
//! the scope `properties`. The format is
//! small, and names and code points must be under our control, so the writer is our own rather than a crate's.
//!
//! A lasso is shown with its loop three times; `lasso.round` is 0 before it, and then counts the rounds. Where a round begins the same inputs begin anew, though
//! latches that do not matter to the property may differ.
//!
//! Over words the scopes are `inputs`, `states` and `properties`. Bit-vectors are vectors. Integers are vectors in two's complement, as wide as the
//! largest value in the trace needs. Reals are rounded. What a property claims is 1 where it holds.

use crate::signals::{self, Word};
use indubit_aig::simulate;
use indubit_system::{BitSystem, Justice, Name, Property, PropertyId, Trace, WordSystem, WordTrace};
use indubit_term::{BigInt, BigRational, BigUint, Table, Term, Value};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;

/// The waveform of `trace`, a trace of `model`, under the title `title` (the model's file name).
pub fn write(model: &BitSystem, title: &str, trace: &Trace) -> String {
    let words = [
        signals::inputs(model),
        signals::latches(model),
        signals::edges('o', &model.outputs),
        signals::edges('b', &model.bads),
        signals::edges('c', &model.constraints),
        signals::edges('f', &model.fairness),
        justice(model),
    ];
    let headings = [
        ("inputs", "wire"),
        ("latches", "reg"),
        ("outputs", "wire"),
        ("bads", "wire"),
        ("constraints", "wire"),
        ("fairness", "wire"),
        ("justice", "wire"),
    ];
    let variable = |kind: &'static str, word: &Word| Variable {
        name: word.base.clone(),
        kind,
        width: word.bits.len(),
        range: word.range,
    };
    let scope = |((name, kind), words): ((&'static str, &'static str), &Vec<Word>)| {
        (name, words.iter().map(|word| variable(kind, word)).collect())
    };
    let mut scopes: Vec<Scope> = headings.into_iter().zip(&words).map(scope).collect();
    scopes.push(("properties", claimed(&model.specs)));
    let formulas: Vec<_> = model.specs.iter().flat_map(|p| p.claim.formulas()).copied().collect();
    let rounds = Rounds::new(trace);
    scopes.extend(rounds.scope());
    let rows = signals::replay(model, &rounds.shown).enumerate().map(|(step, values)| {
        let vectors = words.iter().flatten().map(|word| bits(&word.value(&values)));
        let shown = vectors.chain(formulas.iter().map(|&f| bits(&[simulate::value(&values, f)])));
        shown.chain(rounds.round(step)).collect()
    });
    waveform(title, &rounds.comment(), scopes, rows)
}

/// The signals of justice properties, each by itself: `j0.1`, or as the property if it has one.
fn justice(model: &BitSystem) -> Vec<Word> {
    let own = |(i, justice): (usize, &Justice)| {
        let id = PropertyId::Justice(i);
        let label = justice.name.as_ref().map_or_else(|| id.to_string(), Name::to_string);
        let base = move |j: usize, n: usize| if n == 1 { label.clone() } else { format!("{label}.{j}") };
        let n = justice.lits.len();
        let words = justice.lits.iter().enumerate();
        words.map(|(j, &lit)| Word { base: base(j, n), range: None, bits: vec![lit] }).collect::<Vec<_>>()
    };
    model.justice.iter().enumerate().flat_map(own).collect()
}

/// A trace with its loop, if it has one, repeated.
struct Rounds {
    shown: Trace,
    /// The first step of the loop, and how long it is.
    place: Option<(usize, usize)>,
}

impl Rounds {
    /// How often a loop is shown: often enough to see that it is one, and a number of two bits.
    const SHOWN: usize = 3;

    fn new(trace: &Trace) -> Rounds {
        let mut shown = trace.clone();
        let place = shown.loops_to.take().filter(|&begin| begin < trace.inputs.len());
        for _ in 1..place.map_or(1, |_| Rounds::SHOWN) {
            let again = place.map_or(&[][..], |begin| &trace.inputs[begin..]);
            shown.inputs.extend_from_slice(again);
        }
        Rounds { shown, place: place.map(|begin| (begin, trace.inputs.len() - begin)) }
    }
    fn scope(&self) -> Option<Scope> {
        let round = Variable { name: "round".into(), kind: "wire", width: 2, range: Some((1, 0)) };
        self.place.map(|_| ("lasso", vec![round]))
    }
    fn round(&self, step: usize) -> Option<String> {
        let (begin, n) = self.place?;
        let round = step.checked_sub(begin).map_or(0, |inside| 1 + inside / n);
        Some(format!("b{round:02b} "))
    }
    fn comment(&self) -> String {
        let Some((begin, n)) = self.place else { return String::new() };
        let last = begin + n - 1;
        let times = Rounds::SHOWN;
        format!(
            "$comment the run repeats steps {begin} to {last} for ever; they are shown {times} times $end\n"
        )
    }
}

/// The waveform of `trace`, a trace of `system`, under the title `title` (the model's file name).
pub fn write_words(system: &WordSystem, title: &str, trace: &WordTrace) -> String {
    let current: Vec<Term> = system.states.iter().map(|v| v.current).collect();
    let groups =
        [("inputs", "wire", &system.inputs, &trace.inputs), ("states", "reg", &current, &trace.states)];
    let variable = |kind: &'static str, name: String, column: &[Vec<Value>], i: usize| {
        let (kind, width) = match &column[0][i] {
            Value::Bits { width, .. } => (kind, *width as usize),
            Value::Int(_) => {
                let numbers = column.iter().filter_map(|cells| cells[i].as_int());
                (kind, numbers.map(signed_width).max().unwrap_or(1))
            }
            Value::Real(_) => ("real", 64),
            Value::Bool(_) | Value::Array(_) => (kind, 1),
        };
        Variable { name, kind, width, range: (kind != "real" && width > 1).then(|| (width as u32 - 1, 0)) }
    };
    let mut scopes: Vec<Scope> = Vec::new();
    // What is shown of each variable, in each step.
    let mut columns: Vec<Vec<Vec<Value>>> = Vec::new();
    for (scope, kind, variables, rows) in groups {
        let mut list = Vec::new();
        for (i, &var) in variables.iter().enumerate() {
            let values: Vec<&Value> = rows.iter().filter_map(|row| row.get(i)).collect();
            let name = system.terms.name(var).unwrap_or_default();
            let (names, column) = cells(name, &values);
            if !column.is_empty() {
                list.extend(names.into_iter().enumerate().map(|(i, name)| variable(kind, name, &column, i)));
            }
            columns.push(column);
        }
        scopes.push((scope, list));
    }
    let widths: Vec<usize> = scopes.iter().flat_map(|(_, list)| list).map(|v| v.width).collect();
    scopes.push(("properties", claimed(&system.properties)));
    let formulas: Vec<Term> = system.properties.iter().flat_map(|p| p.claim.formulas()).copied().collect();
    let variables: Vec<Term> = system.inputs.iter().chain(&current).copied().collect();
    let rows = trace.inputs.iter().zip(&trace.states).enumerate().map(|(step, (inputs, states))| {
        let values = inputs.iter().chain(states);
        let of: HashMap<Term, &Value> = variables.iter().copied().zip(values).collect();
        let value = |t: Term| of.get(&t).map_or_else(|| Value::zero(system.terms.sort(t)), |&v| v.clone());
        // A number that is too long for evaluation makes a property unknown.
        let holds = |&f: &Term| system.terms.holds(f, &value).map_or("x".into(), |holds| bits(&[holds]));
        let shown = columns.iter().flat_map(|column| &column[step]);
        let shown = shown.zip(&widths).map(|(value, &width)| change(value, width));
        shown.chain(formulas.iter().map(holds)).collect()
    });
    waveform(title, "", scopes, rows)
}

/// A variable as it is declared.
struct Variable {
    name: String,
    kind: &'static str,
    width: usize,
    range: Option<(u32, u32)>,
}

/// Variables under a heading.
type Scope = (&'static str, Vec<Variable>);

/// What properties are about, one variable for each formula.
fn claimed<F>(properties: &[Property<F>]) -> Vec<Variable> {
    let variables = properties.iter().flat_map(|property| {
        let formulas = property.claim.formulas();
        let name = move |i: usize| match formulas.len() {
            1 => property.label(),
            _ => format!("{} {i}", property.label()),
        };
        (0..formulas.len()).map(move |i| Variable { name: name(i), kind: "wire", width: 1, range: None })
    });
    variables.collect()
}

/// The waveform of variables whose values come in their order, a row for each step, as they stand in front of a code.
fn waveform(
    title: &str,
    comment: &str,
    scopes: Vec<Scope>,
    rows: impl Iterator<Item = Vec<String>>,
) -> String {
    let mut text = format!("{comment}$version Indubit $end\n$timescale 1 ns $end\n");
    let _ = writeln!(text, "$scope module {} $end", reference(title, &mut HashSet::new()));
    let _ = writeln!(text, "$var integer 32 {} step $end", code(0));
    let mut n_variables = 0;
    for (scope, variables) in scopes {
        if variables.is_empty() {
            continue;
        }
        let _ = writeln!(text, "$scope module {scope} $end");
        let mut taken = HashSet::new();
        for Variable { name, kind, width, range } in variables {
            n_variables += 1;
            let (name, code) = (reference(&name, &mut taken), code(n_variables));
            let range = range.map_or(String::new(), |(high, low)| format!(" [{high}:{low}]"));
            let _ = writeln!(text, "$var {kind} {width} {code} {name}{range} $end");
        }
        text.push_str("$upscope $end\n");
    }
    text.push_str("$upscope $end\n$enddefinitions $end\n");
    dump(&mut text, n_variables, rows);
    text
}

fn dump(text: &mut String, n_variables: usize, rows: impl Iterator<Item = Vec<String>>) {
    let mut shown: Vec<String> = vec![String::new(); n_variables];
    let mut n_steps = 0;
    for row in rows {
        let _ = writeln!(text, "#{n_steps}");
        if n_steps == 0 {
            text.push_str("$dumpvars\n");
        }
        let _ = writeln!(text, "b{n_steps:b} {}", code(0));
        for (i, (value, shown)) in row.into_iter().zip(&mut shown).enumerate() {
            if value != *shown {
                let _ = writeln!(text, "{value}{}", code(i + 1));
                *shown = value;
            }
        }
        if n_steps == 0 {
            text.push_str("$end\n");
        }
        n_steps += 1;
    }
    // So that viewers show the last step as long as the others.
    let _ = writeln!(text, "#{n_steps}");
}

/// Bits as they stand in front of a code, most significant first: `1`, or `b101 `.
fn bits(values: &[bool]) -> String {
    let digits = values.iter().map(|&bit| if bit { '1' } else { '0' });
    match values {
        [_] => digits.collect(),
        _ => std::iter::once('b').chain(digits).chain([' ']).collect(),
    }
}

/// So many elements of an array are shown.
const MOST_ELEMENTS: usize = 256;

/// What is shown of a variable, by its names, and in each step its values: of an array the elements that are not always what all others are.
fn cells(name: &str, values: &[&Value]) -> (Vec<String>, Vec<Vec<Value>>) {
    let tables: Vec<&Table> = values.iter().filter_map(|value| value.as_array()).collect();
    if tables.is_empty() {
        return (vec![name.to_owned()], values.iter().map(|&value| vec![value.clone()]).collect());
    }
    let indices: BTreeSet<&Value> = tables.iter().flat_map(|t| t.entries()).map(|(index, _)| index).collect();
    let indices: Vec<&Value> = indices.into_iter().take(MOST_ELEMENTS).collect();
    let number = |index: &Value| index.as_bits().map_or_else(|| index.to_string(), BigUint::to_string);
    let names = indices.iter().map(|index| format!("{name}[{}]", number(index))).collect();
    (names, tables.iter().map(|table| indices.iter().map(|i| table.get(i).clone()).collect()).collect())
}

/// A value as it stands in front of a code.
fn change(value: &Value, width: usize) -> String {
    let vector = |value: &BigUint| -> String {
        bits(&(0..width as u64).rev().map(|i| value.bit(i)).collect::<Vec<bool>>())
    };
    match value {
        Value::Bool(bit) => bits(&[*bit]),
        Value::Bits { value, .. } => vector(value),
        Value::Int(number) => {
            let wrapped =
                if *number < BigInt::from(0) { (BigInt::from(1) << width) + number } else { number.clone() };
            vector(wrapped.magnitude())
        }
        Value::Real(number) => format!("r{:?} ", rounded(number)),
        // Its elements are shown.
        Value::Array(_) => bits(&[false]),
    }
}

/// How many bits a number has in two's complement.
fn signed_width(number: &BigInt) -> usize {
    let is_negative = *number < BigInt::from(0);
    // -8 has as many as 7.
    (number + BigInt::from(i32::from(is_negative))).bits() as usize + 1
}

/// The nearest number of the machine, or one beside it.
fn rounded(number: &BigRational) -> f64 {
    // So many digits, and then some, are what such a number has.
    const DIGITS: i64 = 20;
    let n_digits = |n: &BigInt| n.magnitude().to_string().len() as i64;
    let shift = DIGITS - n_digits(number.numer()) + n_digits(number.denom());
    let power = BigInt::from(10).pow(shift.unsigned_abs() as u32);
    let digits = match shift >= 0 {
        true => number.numer() * power / number.denom(),
        false => number.numer() / (number.denom() * power),
    };
    let parsed: f64 = format!("{digits}e{}", -shift).parse().expect("digits with an exponent are a number");
    parsed.clamp(f64::MIN, f64::MAX)
}

/// The short code of variable `index`: digits are the printable characters `!` to `~`.
fn code(mut index: usize) -> String {
    let mut text = String::new();
    loop {
        text.push(char::from(b'!' + (index % 94) as u8));
        index /= 94;
        if index == 0 {
            return text;
        }
        index -= 1;
    }
}

/// The name as a reference that is legal and new in its scope: a plain identifier as it is, anything else as a
/// Verilog escaped identifier, with `_` for what even that does not allow.
fn reference(name: &str, taken: &mut HashSet<String>) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut legal: String =
        name.chars().map(|c| if c.is_ascii_graphic() { c } else { '_' }).collect::<String>();
    if legal.is_empty() {
        legal.push('_');
    }
    if !legal.bytes().all(plain) || legal.starts_with(|c: char| c.is_ascii_digit()) {
        // A name that Yosys or another tool has escaped already keeps its single backslash.
        legal = format!("\\{}", legal.strip_prefix('\\').filter(|l| !l.is_empty()).unwrap_or(&legal));
    }
    let mut unique = legal.clone();
    let mut n = 1;
    while !taken.insert(unique.clone()) {
        n += 1;
        unique = format!("{legal}_{n}");
    }
    unique
}

#[cfg(test)]
#[path = "vcd_tests.rs"]
mod tests;
