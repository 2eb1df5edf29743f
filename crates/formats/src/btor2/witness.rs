//! Counterexamples in the witness format of BTOR2, as btorsim reads them.
//!
//! ```text
//! sat
//! b0
//! #0
//! 0 00001010 count#0
//! @0
//! 0 1 enable@0
//! .
//! ```
//!
//! Behind `#0` stand the state variables without initial value, behind every other `#STEP` those without next value, behind `@STEP` the inputs, each by its position. Of an array
//! there is a line for each element: `1 [0011] 11111111 memory#0`.

use super::Btor2;
use super::line::{Line, Word};
use crate::{Error, Place};
use indubit_system::{Property, PropertyId, WordTrace};
use indubit_term::{ArraySort, BigUint, Scalar, Sort, Table, Term, Value};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// The trace as a witness that a property is violated, or a cover reached.
pub fn write(model: &Btor2, property: &Property<Term>, trace: &WordTrace) -> String {
    let mut text = format!("sat\n{}\n", property.id);
    for (step, (states, inputs)) in trace.states.iter().zip(&trace.inputs).enumerate() {
        let is_open =
            |&i: &usize| if step == 0 { model.inits[i].is_none() } else { model.nexts[i].is_none() };
        let open: Vec<usize> = (0..model.states.len()).filter(is_open).collect();
        if step == 0 || !open.is_empty() {
            let _ = writeln!(text, "#{step}");
        }
        for i in open {
            assignment(&mut text, i, &states[i], &format!("{}#{step}", symbol(model.system.state_name(i))));
        }
        let _ = writeln!(text, "@{step}");
        for (i, value) in inputs.iter().enumerate() {
            assignment(&mut text, i, value, &format!("{}@{step}", symbol(model.system.input_name(i))));
        }
    }
    text + ".\n"
}

/// A name as one word.
fn symbol(name: &str) -> String {
    name.replace(|c: char| c.is_whitespace() || c == ';', "_")
}

fn assignment(text: &mut String, position: usize, value: &Value, symbol: &str) {
    let Value::Array(table) = value else {
        let _ = writeln!(text, "{position} {} {symbol}", digits(value));
        return;
    };
    // What a file does not say is zero.
    let is_zero = *table.others() == Value::zero(table.sort().element.into());
    let all = table.sort().n_indices().filter(|_| !is_zero);
    let indices: Vec<Value> = match (all, table.sort().index) {
        (Some(n), Scalar::BitVec(width)) => (0..n).map(|i| Value::bits(width, i)).collect(),
        _ => table.entries().map(|(index, _)| index.clone()).collect(),
    };
    for index in indices {
        let _ = writeln!(text, "{position} [{}] {} {symbol}", digits(&index), digits(table.get(&index)));
    }
}

/// All bits, the most significant one first.
fn digits(value: &Value) -> String {
    match value {
        Value::Bits { width, value } => format!("{:0>1$}", value.to_str_radix(2), *width as usize),
        other => other.to_string(),
    }
}

/// Is it meant to be a witness?
pub fn is_witness(bytes: &[u8]) -> bool {
    let mut lines = bytes
        .split(|&b| b == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty() && line[0] != b';');
    lines.next() == Some(b"sat")
}

/// Read a witness, of ours or of others: the property that it is about, and the run that it stands for, by evaluation. Whether that violates the property is not
/// looked at, nor whether constraints hold.
pub fn parse(bytes: &[u8], model: &Btor2) -> Result<(PropertyId, WordTrace), Error> {
    let mut lines = (1..).zip(bytes.split(|&b| b == b'\n')).map(|(number, text)| Line::new(number, text));
    let mut next = || loop {
        let mut line = lines.next()?;
        if let Some(word) = line.next() {
            return Some((word, line));
        }
    };
    let end =
        |expected: &str| Error::new(Place::in_text(bytes, bytes.len()), "the end of the file", expected);
    let (sat, _) = next().ok_or_else(|| end("`sat`"))?;
    if sat.bytes != b"sat" {
        return Err(sat.error("`sat`"));
    }
    let (word, _) = next().ok_or_else(|| end("a property, such as `b0`"))?;
    let number = word.text().get(1..).and_then(|digits| digits.parse().ok());
    let id = match (word.bytes.first(), number) {
        (Some(b'b'), Some(number)) => PropertyId::Bad(number),
        (Some(b'j'), Some(number)) => PropertyId::Justice(number),
        _ => return Err(word.error("a property, such as `b0` or `j0`")),
    };
    let mut run = Run { model, trace: WordTrace::default(), free: FxHashMap::default() };
    // Where we are: behind `#STEP` or `@STEP`.
    let mut part: Option<(bool, usize)> = None;
    loop {
        let Some((word, mut line)) = next() else { return Err(end("`.`, the end of the witness")) };
        let step = || word.text().get(1..).and_then(|digits| digits.parse::<usize>().ok());
        match word.bytes.first() {
            Some(b'.') => break,
            Some(b'#') if step() == Some(run.trace.states.len()) && part.is_none_or(|p| !p.0) => {
                part = Some((true, run.trace.states.len()));
            }
            Some(b'@') if step() == Some(run.trace.states.len()) => {
                run.begin(&word)?;
                part = Some((false, run.trace.states.len() - 1));
            }
            Some(b'#' | b'@') => {
                return Err(word.error(format!("`#{0}` or `@{0}`, the next step", run.trace.states.len())));
            }
            _ => match part {
                None => return Err(word.error("`#0` or `@0`")),
                Some((true, _)) => run.state(word, &mut line)?,
                Some((false, step)) => run.input(step, word, &mut line)?,
            },
        }
    }
    match run.trace.states.is_empty() {
        true => Err(end("at least one step, `@0`")),
        false => Ok((id, run.trace)),
    }
}

struct Run<'m> {
    model: &'m Btor2,
    trace: WordTrace,
    /// What was said of state variables for the step to come.
    free: FxHashMap<usize, Value>,
}

impl Run<'_> {
    /// Go on to the next step.
    fn begin(&mut self, at: &Word<'_>) -> Result<(), Error> {
        let Run { model, trace, free } = self;
        let system = &model.system;
        let terms = &system.terms;
        let failed = |error| at.error_about(format!("{error}"), "a run that can be evaluated");
        let sort = |i: usize| terms.sort(system.states[i].current);
        let mut values: FxHashMap<Term, Value> = FxHashMap::default();
        let mut row = Vec::new();
        if let (Some(states), Some(inputs)) = (trace.states.last(), trace.inputs.last()) {
            let current = system.states.iter().map(|v| v.current).zip(states);
            values.extend(
                current.chain(system.inputs.iter().copied().zip(inputs)).map(|(t, v)| (t, v.clone())),
            );
        }
        let is_first = trace.states.is_empty();
        for i in 0..system.states.len() {
            let given = if is_first { model.inits.get(i) } else { model.nexts.get(i) };
            let value = match given.copied().flatten() {
                Some(term) => {
                    let value =
                        |t: Term| values.get(&t).cloned().unwrap_or_else(|| Value::zero(terms.sort(t)));
                    terms.evaluate(term, &value).map_err(failed)?
                }
                // The additional variable that says that this is the first step.
                None if i >= model.states.len() => Value::Bool(is_first),
                None => free.remove(&i).unwrap_or_else(|| Value::zero(sort(i))),
            };
            if is_first {
                // Initial values may depend on those before them.
                values.insert(system.states[i].current, value.clone());
            }
            row.push(value);
        }
        free.clear();
        trace.states.push(row);
        trace.inputs.push(system.inputs.iter().map(|&input| Value::zero(terms.sort(input))).collect());
        Ok(())
    }
    fn state(&mut self, word: Word<'_>, line: &mut Line<'_>) -> Result<(), Error> {
        let i = position(word, self.model.states.len(), "state variable")?;
        let sort = self.model.system.terms.sort(self.model.system.states[i].current);
        let value = self.free.entry(i).or_insert_with(|| Value::zero(sort));
        assign(value, sort, line)
    }
    fn input(&mut self, step: usize, word: Word<'_>, line: &mut Line<'_>) -> Result<(), Error> {
        let i = position(word, self.model.inputs.len(), "input")?;
        let sort = self.model.system.terms.sort(self.model.system.inputs[i]);
        assign(&mut self.trace.inputs[step][i], sort, line)
    }
}

fn position(word: Word<'_>, n: usize, what: &str) -> Result<usize, Error> {
    let expected = format!("the position of {} {what}, below {n}", if what == "input" { "an" } else { "a" });
    match word.number::<usize>(&expected)? {
        i if i < n => Ok(i),
        _ => Err(word.error(expected)),
    }
}

/// Set a value, or an element of an array, to what stands in the line.
fn assign(value: &mut Value, sort: Sort, line: &mut Line<'_>) -> Result<(), Error> {
    let word = line.word("a value")?;
    match (sort, value) {
        (Sort::Array(ArraySort { index, element }), Value::Array(table)) => {
            let inner = word.bytes.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]"));
            let index = inner.and_then(|digits| binary(digits, index.into()));
            let index = index.ok_or_else(|| word.error(format!("an index of sort {} in brackets", sort)))?;
            let word = line.word("an element")?;
            let element =
                binary(word.bytes, element.into()).ok_or_else(|| word.error("an element of the array"))?;
            Table::set(table, index, element);
            Ok(())
        }
        (sort, value) => {
            *value = binary(word.bytes, sort)
                .ok_or_else(|| word.error(format!("a binary number of sort {sort}")))?;
            Ok(())
        }
    }
}

/// A binary number; bits that do not matter are `x`, and 0 here.
fn binary(digits: &[u8], sort: Sort) -> Option<Value> {
    let width = sort.width()?;
    let digits: Vec<u8> = digits.iter().map(|&d| if d == b'x' { b'0' } else { d }).collect();
    let is_binary = digits.len() == width as usize && digits.iter().all(|d| matches!(d, b'0' | b'1'));
    is_binary.then(|| BigUint::parse_bytes(&digits, 2)).flatten().map(|value| Value::bits(width, value))
}
