//! Waveforms: a trace as a Value Change Dump (IEEE 1364-2005, section 18) for any wave viewer.
//!
//! One unit of time is one step of the model. Inputs, latches (as `reg`), outputs and other edges that have names are in the scopes of the modules that their names
//! say: `u0.count[3]` is in `u0`. Bits of a vector are one variable. Bad states, constraints, fairness, justice and properties that AIGER has no section for have a scope
//! each behind them. The format is
//! small, and names and code points must be under our control, so the writer is our own rather than a crate's.
//!
//! A lasso is shown with its loop three times; `lasso.round` is 0 before it, and then counts the rounds. Where a round begins the same inputs begin anew, though
//! latches that do not matter to the property may differ.
//!
//! Over words inputs, state variables (as `reg`) and other terms that have names are in the scopes of their modules, and behind them are `properties`. Bit-vectors are
//! vectors. Integers are vectors in two's complement, as wide as the largest value in the trace needs. Reals are rounded. What a property claims is 1 where it holds.

use crate::signals::{self, Word, is_made_up};
use crate::told::{Teller, Told};
use indubit_aig::simulate;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Claim, Justice, Name, Property, PropertyId, Trace, WordSystem, WordTrace};
use indubit_term::{BigInt, BigRational, BigUint, Table, Term, Value};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;

/// The waveform of `trace`, a trace of `model`, under the title `title` (the model's file name).
pub fn write(model: &BitSystem, title: &str, trace: &Trace) -> String {
    let mut words: Vec<(Option<&'static str>, &'static str, Word)> = Vec::new();
    let mut known = HashSet::new();
    let design = [
        ("wire", signals::inputs(model)),
        ("reg", signals::latches(model)),
        ("wire", signals::edges('o', &model.outputs)),
        ("wire", signals::other_names(model)),
    ];
    for (kind, all) in design {
        // The same thing under the same name is shown once.
        let new = all.into_iter().filter(|word| known.insert((word.label(), word.bits.clone())));
        words.extend(new.map(|word| (None, kind, word)));
    }
    let sections = [
        ("bads", signals::edges('b', &model.bads)),
        ("constraints", signals::edges('c', &model.constraints)),
        ("fairness", signals::edges('f', &model.fairness)),
        ("justice", justice(model)),
    ];
    for (section, all) in sections {
        words.extend(all.into_iter().map(|word| (Some(section), "wire", word)));
    }
    let variable = |(section, kind, word): &(Option<&'static str>, &'static str, Word)| {
        let (scope, name) = place(*section, &word.base);
        Variable { scope, name, kind, width: word.bits.len(), range: word.range }
    };
    let mut variables: Vec<Variable> = words.iter().map(variable).collect();
    variables.extend(claimed(&model.specs));
    let formulas: Vec<_> = model.specs.iter().flat_map(shown_of).copied().collect();
    let rounds = Rounds::new(trace);
    variables.extend(rounds.variable());
    let rows = signals::replay(model, &rounds.shown).enumerate().map(|(step, values)| {
        let vectors = words.iter().map(|(.., word)| bits(&word.value(&values)));
        let shown = vectors.chain(formulas.iter().map(|&f| bits(&[simulate::value(&values, f)])));
        shown.chain(rounds.round(step)).collect()
    });
    waveform(title, &rounds.comment(), variables, rows)
}

/// The signals of justice properties, each by itself: `j0.1`, or as the property if it has one.
fn justice(model: &BitSystem) -> Vec<Word> {
    let own = |(i, justice): (usize, &Justice)| {
        let id = PropertyId::Justice(i);
        let label = justice.name.as_ref().map_or_else(|| id.to_string(), Name::to_string);
        let base = move |j: usize, n: usize| if n == 1 { label.clone() } else { format!("{label}.{j}") };
        let n = justice.lits.len();
        let words = justice.lits.iter().enumerate();
        let word = |(j, &lit): (usize, &Lit)| {
            let (bits, leaves) = (vec![lit], vec![lit.var()]);
            Word { base: base(j, n), range: None, bits, leaves, is_named: true }
        };
        words.map(word).collect::<Vec<_>>()
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
    fn variable(&self) -> Option<Variable> {
        let (scope, name) = place(Some("lasso"), "round");
        self.place.map(|_| Variable { scope, name, kind: "wire", width: 2, range: Some((1, 0)) })
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

/// The waveform of `trace`, a trace of `system`, under the title `title` (the model's file name); `signals` are terms that have names, and are shown, too.
pub fn write_words(
    system: &WordSystem,
    signals: &[(String, Term)],
    title: &str,
    trace: &WordTrace,
    tell: &Teller<'_>,
) -> String {
    let signals = Signals::new(system, signals, trace);
    let meant = system.meant_values(trace);
    let states = (0..system.states.len())
        .map(|i| ("reg", system.state_name(i), Some(system.states[i].current), column(&meant, i)));
    let inputs = (0..system.inputs.len())
        .map(|i| ("wire", system.input_name(i), Some(system.inputs[i]), column(&trace.inputs, i)));
    let others =
        signals.names.iter().enumerate().map(|(i, &name)| ("wire", name, None, column(&signals.values, i)));
    let mut variables: Vec<Variable> = Vec::new();
    // What is shown of each variable, in each step.
    let mut columns: Vec<Vec<Vec<Cell>>> = Vec::new();
    for (kind, name, var, values) in inputs.chain(states).chain(others) {
        let (scope, name) = place(None, name);
        let called = var.and_then(|var| told(&name, var, &values, tell));
        let (names, column) = called.unwrap_or_else(|| cells(&name, &values));
        if !column.is_empty() {
            let variable = |(i, name)| of_words(scope.clone(), name, kind, &column, i);
            variables.extend(names.into_iter().enumerate().map(variable));
        }
        columns.push(column);
    }
    let widths: Vec<usize> = variables.iter().map(|v| v.width).collect();
    variables.extend(claimed(&system.properties));
    let formulas: Vec<Term> = system.properties.iter().flat_map(shown_of).copied().collect();
    let rows = (0..trace.states.len().min(trace.inputs.len())).map(|step| {
        let value = trace.values_at(system, step);
        // A number that is too long for evaluation makes a property unknown.
        let holds = |&f: &Term| system.terms.holds(f, &value).map_or("x".into(), |holds| bits(&[holds]));
        let shown = columns.iter().flat_map(|column| &column[step]);
        let shown = shown.zip(&widths).map(|(cell, &width)| match cell {
            Cell::Value(value) => change(value, width),
            Cell::Text(text) => format!("s{} ", text.replace(|c: char| !c.is_ascii_graphic(), "_")),
        });
        shown.chain(formulas.iter().map(holds)).collect()
    });
    waveform(title, "", variables, rows)
}

fn column(rows: &[Vec<Value>], i: usize) -> Vec<&Value> {
    rows.iter().filter_map(|row| row.get(i)).collect()
}

/// Terms that have names, and their values in each step.
struct Signals<'s> {
    names: Vec<&'s str>,
    values: Vec<Vec<Value>>,
}

impl<'s> Signals<'s> {
    fn new(system: &WordSystem, signals: &'s [(String, Term)], trace: &WordTrace) -> Signals<'s> {
        let variables = system.states.iter().map(|v| v.current).chain(system.inputs.iter().copied());
        let mut known: HashSet<String> =
            variables.filter_map(|v| system.terms.name(v)).map(String::from).collect();
        let is_new = |(name, _): &&(String, Term)| !is_made_up(name) && known.insert(name.clone());
        let (names, terms): (Vec<&str>, Vec<Term>) =
            signals.iter().filter(is_new).map(|(name, term)| (&name[..], *term)).unzip();
        let row = |step| system.terms.evaluate_all(&terms, &trace.values_at(system, step));
        let rows: Result<Vec<_>, _> = (0..trace.states.len().min(trace.inputs.len())).map(row).collect();
        match rows {
            Ok(values) => Signals { names, values },
            // Numbers that are too long for evaluation are not shown.
            Err(_) => Signals { names: Vec::new(), values: Vec::new() },
        }
    }
}

/// A variable of a sort of words, as wide as the values in its column want it.
fn of_words(
    scope: Vec<String>,
    name: String,
    kind: &'static str,
    column: &[Vec<Cell>],
    i: usize,
) -> Variable {
    let (kind, width) = match &column[0][i] {
        Cell::Text(_) => ("string", 1),
        Cell::Value(Value::Bits { width, .. }) => (kind, *width as usize),
        Cell::Value(Value::Int(_)) => {
            let numbers = column.iter().filter_map(|cells| match &cells[i] {
                Cell::Value(value) => value.as_int(),
                Cell::Text(_) => None,
            });
            (kind, numbers.map(signed_width).max().unwrap_or(1))
        }
        Cell::Value(Value::Real(_)) => ("real", 64),
        Cell::Value(Value::Bool(_) | Value::Array(_)) => (kind, 1),
    };
    let range = (kind != "real" && width > 1).then(|| (width as u32 - 1, 0));
    Variable { scope, name, kind, width, range }
}

/// A variable as it is declared.
struct Variable {
    /// The modules that it is in.
    scope: Vec<String>,
    name: String,
    kind: &'static str,
    width: usize,
    range: Option<(u32, u32)>,
}

/// The modules that something of this name is in, and what it is called there. Whatever is no part of the design has a section to itself.
fn place(section: Option<&'static str>, name: &str) -> (Vec<String>, String) {
    if let Some(section) = section {
        return (vec![section.to_owned()], name.to_owned());
    }
    let is_plain = |part: &str| {
        let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
        part.starts_with(begins) && part.chars().all(|c| c.is_ascii_alphanumeric() || "_$[]".contains(c))
    };
    let mut parts: Vec<String> = match name.split('.').all(is_plain) {
        true => name.split('.').map(str::to_owned).collect(),
        false => vec![name.to_owned()],
    };
    let last = parts.pop().unwrap_or_default();
    (parts, last)
}

/// The formulas of a property that tell something about it in a single step: the atoms of a temporal formula do not.
fn shown_of<F>(property: &Property<F>) -> &[F] {
    match property.claim {
        Claim::Ltl(_) | Claim::Ctl(_) => &[],
        Claim::Always(_) | Claim::Reachable(_) | Claim::Justice(_) => property.claim.formulas(),
    }
}

/// What properties are about, one variable for each formula.
fn claimed<F>(properties: &[Property<F>]) -> Vec<Variable> {
    let variables = properties.iter().flat_map(|property| {
        let formulas = shown_of(property);
        let name = move |i: usize| match formulas.len() {
            1 => property.label(),
            _ => format!("{} {i}", property.label()),
        };
        let variable = move |i: usize| {
            let (scope, name) = place(Some("properties"), &name(i));
            Variable { scope, name, kind: "wire", width: 1, range: None }
        };
        (0..formulas.len()).map(variable)
    });
    variables.collect()
}

/// A module, and what is in it, in the order in which it comes.
#[derive(Default)]
struct Module<'v> {
    variables: Vec<(usize, &'v Variable)>,
    modules: Vec<(&'v str, Module<'v>)>,
    /// Where a module is among them.
    places: HashMap<&'v str, usize>,
}

impl<'v> Module<'v> {
    fn new(variables: &'v [Variable]) -> Module<'v> {
        let mut top = Module::default();
        for (i, variable) in variables.iter().enumerate() {
            let mut module = &mut top;
            for name in variable.scope.iter().take(DEEPEST) {
                let next = module.modules.len();
                let place = *module.places.entry(name).or_insert(next);
                if place == next {
                    module.modules.push((name, Module::default()));
                }
                module = &mut module.modules[place].1;
            }
            module.variables.push((i, variable));
        }
        top
    }
    fn write(&self, text: &mut String, taken: &mut HashSet<String>) {
        for &(i, Variable { name, kind, width, range, .. }) in &self.variables {
            let (name, code) = (reference(name, taken), code(i + 1));
            let range = range.map_or(String::new(), |(high, low)| format!(" [{high}:{low}]"));
            let _ = writeln!(text, "$var {kind} {width} {code} {name}{range} $end");
        }
        // A module may be called as a variable is.
        let mut modules = HashSet::new();
        for (name, module) in &self.modules {
            let _ = writeln!(text, "$scope module {} $end", reference(name, &mut modules));
            module.write(text, &mut HashSet::new());
            text.push_str("$upscope $end\n");
        }
    }
}

/// Modules deeper than this are not told apart.
const DEEPEST: usize = 64;

/// The waveform of variables whose values come in their order, a row for each step, as they stand in front of a code.
fn waveform(
    title: &str,
    comment: &str,
    variables: Vec<Variable>,
    rows: impl Iterator<Item = Vec<String>>,
) -> String {
    let mut text = format!("{comment}$version Indubit $end\n$timescale 1 ns $end\n");
    let _ = writeln!(text, "$scope module {} $end", reference(title, &mut HashSet::new()));
    let _ = writeln!(text, "$var integer 32 {} step $end", code(0));
    Module::new(&variables).write(&mut text, &mut HashSet::from(["step".to_owned()]));
    text.push_str("$upscope $end\n$enddefinitions $end\n");
    dump(&mut text, variables.len(), rows);
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

/// What is shown of a variable in a step.
enum Cell {
    Value(Value),
    /// The name of a value: viewers know variables of texts, though IEEE 1364 does not.
    Text(String),
}

/// A variable whose values the model calls otherwise than they are encoded: integers and symbols.
fn told(
    name: &str,
    var: Term,
    values: &[&Value],
    tell: &Teller<'_>,
) -> Option<(Vec<String>, Vec<Vec<Cell>>)> {
    let cell = |value: &&Value| match tell(var, value)? {
        Told::Number(number) => Some(vec![Cell::Value(Value::Int(number))]),
        Told::Symbol(symbol) => Some(vec![Cell::Text(symbol)]),
        Told::Text(_) | Told::Name(_) => None,
    };
    let column: Option<Vec<Vec<Cell>>> = values.iter().map(cell).collect();
    Some((vec![name.to_owned()], column?))
}

/// What is shown of a variable, by its names, and in each step its values: of an array the elements that are not always what all others are.
fn cells(name: &str, values: &[&Value]) -> (Vec<String>, Vec<Vec<Cell>>) {
    let tables: Vec<&Table> = values.iter().filter_map(|value| value.as_array()).collect();
    if tables.is_empty() {
        return (
            vec![name.to_owned()],
            values.iter().map(|&value| vec![Cell::Value(value.clone())]).collect(),
        );
    }
    let indices: BTreeSet<&Value> = tables.iter().flat_map(|t| t.entries()).map(|(index, _)| index).collect();
    let indices: Vec<&Value> = indices.into_iter().take(MOST_ELEMENTS).collect();
    let number = |index: &Value| index.as_bits().map_or_else(|| index.to_string(), BigUint::to_string);
    let names = indices.iter().map(|index| format!("{name}[{}]", number(index))).collect();
    (
        names,
        tables
            .iter()
            .map(|table| indices.iter().map(|i| Cell::Value(table.get(i).clone())).collect())
            .collect(),
    )
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
