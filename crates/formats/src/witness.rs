//! AIGER witnesses: counterexamples as text.
//!
//! A witness is the line `1` (violated; `0`: holds, `2`: unknown), the properties (`b3`, `j0`; several may
//! follow one another), the initial values of the latches, one line of input values a step, and a dot. Lines that
//! begin with `c` (comment) or `u` (a bound that has been excluded) may stand anywhere. A model without latches
//! or without inputs has empty lines in their places. Source: the AIGER 1.9 format and what `aigsim -w` accepts.
//!
//! A witness of a justice property is the first part of a run, up to and including the first time round its loop. It does not say where the loop
//! begins: the state after the last line is one that was there before, so whoever replays it finds that ([`close_lasso`](indubit_system::close_lasso) makes lassos such).
//!
//! In files without a bad-state section the outputs are the bad states; witnesses call them `b<i>` all the same.

use crate::error::show;
use crate::{Error, Place};
use indubit_logic::Lit;
use indubit_system::{BitSystem, PropertyId, Trace};

/// What a witness claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// `0`: the properties hold.
    Holds,
    /// `1`: the properties are violated, and a trace shows it.
    Violated,
    /// `2`: nobody knows.
    Unknown,
}

/// One witness of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Its claim.
    pub status: Status,
    /// The properties it is about; each exists in the model.
    pub properties: Vec<PropertyId>,
    /// The trace, if the status is [`Status::Violated`]. It has the shape of the model.
    pub trace: Option<Trace>,
}

/// The witness that `property` is violated by `trace`. What AIGER has no section for is the only bad state of the model that
/// [`with_single_property`](BitSystem::with_single_property) makes.
pub fn write(property: PropertyId, trace: &Trace) -> String {
    let id = match property {
        PropertyId::Bad(i) | PropertyId::Output(i) => format!("b{i}"),
        PropertyId::Justice(i) => format!("j{i}"),
        PropertyId::Invar(_) | PropertyId::Cover(_) | PropertyId::LtlSafety(_) => "b0".into(),
        PropertyId::Ltl(_) | PropertyId::Ctl(_) => "j0".into(),
    };
    let mut text = format!("1\n{id}\n");
    push_row(&mut text, &trace.initial);
    for row in &trace.inputs {
        push_row(&mut text, row);
    }
    text.push_str(".\n");
    text
}

pub(crate) fn push_row(text: &mut String, row: &[bool]) {
    text.extend(row.iter().map(|&b| if b { '1' } else { '0' }));
    text.push('\n');
}

/// The witnesses in `text`, one or more, for `model`.
///
/// An `x` is the reset value for a latch with a constant one and 0 everywhere else, as the competition and
/// `aigsim -c` read it.
///
/// ```
/// use indubit_formats::witness;
/// use indubit_system::BitSystem;
/// let mut model = BitSystem::new();
/// let a = model.add_input("a");
/// model.add_bad("", a);
/// let found = witness::parse(b"1\nb0\n\n0\n1\n.\n", &model).unwrap();
/// assert_eq!(found[0].trace.as_ref().unwrap().inputs, [[false], [true]]);
/// ```
pub fn parse(text: &[u8], model: &BitSystem) -> Result<Vec<Witness>, Error> {
    let mut lines = Lines::new(text, b"cu");
    let mut witnesses = Vec::new();
    loop {
        while lines.peek() == Some(b"") {
            lines.next();
        }
        if lines.peek().is_none() && !witnesses.is_empty() {
            return Ok(witnesses);
        }
        witnesses.push(parse_one(&mut lines, model)?);
    }
}

fn parse_one(lines: &mut Lines<'_>, model: &BitSystem) -> Result<Witness, Error> {
    let status = match lines.peek() {
        Some(b"0") => Status::Holds,
        Some(b"1") => Status::Violated,
        Some(b"2") => Status::Unknown,
        _ => return Err(lines.error(0, "`0`, `1` or `2`, the status of a witness")),
    };
    lines.next();
    let mut properties = Vec::new();
    while matches!(lines.peek(), Some([b'b' | b'j', ..])) {
        parse_properties(lines, model, &mut properties)?;
        lines.next();
    }
    if status != Status::Violated {
        if lines.peek() == Some(b".") {
            lines.next();
        }
        return Ok(Witness { status, properties, trace: None });
    }
    if properties.is_empty() {
        return Err(lines.error(0, "the violated property, such as `b0`"));
    }
    let resets: Vec<bool> = model.latches().iter().map(|l| l.reset == Lit::TRUE).collect();
    let initial = parse_row(lines, &resets, "latch")?;
    let zeros = vec![false; model.inputs().len()];
    let mut inputs = vec![parse_row(lines, &zeros, "input")?];
    while lines.peek() != Some(b".") {
        inputs.push(parse_row(lines, &zeros, "input")?);
    }
    lines.next();
    Ok(Witness { status, properties, trace: Some(Trace::finite(initial, inputs)) })
}

/// One line such as `b0` or `b0b2j1`.
fn parse_properties(
    lines: &Lines<'_>,
    model: &BitSystem,
    properties: &mut Vec<PropertyId>,
) -> Result<(), Error> {
    let line = lines.peek().unwrap_or_default();
    let mut at = 0;
    while at < line.len() {
        let letter = line[at];
        let digits = line[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
        let number = std::str::from_utf8(&line[at + 1..at + 1 + digits]).ok().and_then(|d| d.parse().ok());
        let (n_known, what) = match letter {
            b'b' => (model.bad_signals().len(), "bad-state property"),
            b'j' => (model.justice.len(), "justice property"),
            _ => return Err(lines.error(at, "a property such as `b0` or `j0`")),
        };
        let letter = char::from(letter);
        let index = match number {
            Some(index) if index < n_known => index,
            _ if digits == 0 => {
                return Err(lines.error(at, "a property such as `b0` or `j0`"));
            }
            _ if n_known == 0 => {
                return Err(lines.error(at, format!("another kind: the model has no {what}")));
            }
            _ => {
                let last = n_known - 1;
                return Err(lines.error(at, format!("a {what} of the model, at most `{letter}{last}`")));
            }
        };
        properties.push(match letter {
            'j' => PropertyId::Justice(index),
            _ if model.outputs_are_bad() => PropertyId::Output(index),
            _ => PropertyId::Bad(index),
        });
        at += 1 + digits;
        at += line[at..].iter().take_while(|&&b| b == b' ').count();
    }
    Ok(())
}

/// One line of values; `unknown` says what an `x` is at each place. `what` they are: "latch", "input".
pub(crate) fn parse_row(lines: &mut Lines<'_>, unknown: &[bool], what: &str) -> Result<Vec<bool>, Error> {
    let expected = |n: usize| match n {
        1 => format!("a line with the value of 1 {what}"),
        n if what == "latch" => format!("a line with the values of {n} latches"),
        n => format!("a line with the values of {n} {what}s"),
    };
    let line = lines.peek().ok_or_else(|| lines.error(0, expected(unknown.len())))?;
    if line == b"." {
        return Err(lines.error(0, expected(unknown.len())));
    }
    let value = |(at, &byte): (usize, &u8)| match byte {
        b'0' => Ok(false),
        b'1' => Ok(true),
        b'x' | b'X' => Ok(unknown.get(at).copied().unwrap_or(false)),
        _ => Err(lines.error(at, "`0`, `1` or `x`")),
    };
    let row: Vec<bool> = line.iter().enumerate().map(value).collect::<Result<_, _>>()?;
    if row.len() != unknown.len() {
        let found = format!("{} value{}", row.len(), if row.len() == 1 { "" } else { "s" });
        let place = Place::Line { line: lines.number(), column: row.len().min(unknown.len()) + 1 };
        return Err(Error::new(place, found, expected(unknown.len())));
    }
    lines.next();
    Ok(row)
}

/// The lines of a text without their ends (`\n` or `\r\n`), without those that begin with one of some letters.
pub(crate) struct Lines<'t> {
    rest: &'t [u8],
    ignored: &'static [u8],
    number: usize,
}

impl<'t> Lines<'t> {
    pub fn new(text: &'t [u8], ignored: &'static [u8]) -> Lines<'t> {
        let mut lines = Lines { rest: text, ignored, number: 1 };
        lines.skip_ignored();
        lines
    }
    fn raw(&self) -> (&'t [u8], usize) {
        match self.rest.iter().position(|&b| b == b'\n') {
            Some(end) => (&self.rest[..end], end + 1),
            None => (self.rest, self.rest.len()),
        }
    }
    fn skip_ignored(&mut self) {
        while self.rest.first().is_some_and(|b| self.ignored.contains(b)) {
            self.rest = &self.rest[self.raw().1..];
            self.number += 1;
        }
    }
    /// The current line.
    pub fn peek(&self) -> Option<&'t [u8]> {
        let (line, _) = self.raw();
        (!self.rest.is_empty()).then(|| line.strip_suffix(b"\r").unwrap_or(line))
    }
    /// Go on to the next line.
    pub fn next(&mut self) {
        self.rest = &self.rest[self.raw().1..];
        self.number += 1;
        self.skip_ignored();
    }
    /// The number of the current line, from 1.
    pub fn number(&self) -> usize {
        self.number
    }
    /// Something else than `expected` stands in the current line.
    pub fn error(&self, at: usize, expected: impl Into<String>) -> Error {
        let place = Place::Line { line: self.number, column: at + 1 };
        Error::new(place, show(self.rest.get(at..).unwrap_or_default()), expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two latches (reset 1, free), one input, two bads.
    fn model() -> BitSystem {
        let mut model = BitSystem::new();
        let i = model.add_input("i");
        let a = model.add_latch("a", Some(true));
        model.add_latch("b", None);
        model.add_bad("", i);
        model.add_bad("", a);
        model
    }

    fn message(text: &str) -> String {
        parse(text.as_bytes(), &model()).unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_is_read_back() {
        let model = model();
        let trace = Trace::finite(vec![true, false], vec![vec![false], vec![true]]);
        let text = write(model.properties()[1].id, &trace);
        assert_eq!(text, "1\nb1\n10\n0\n1\n.\n");
        let found = parse(text.as_bytes(), &model).unwrap();
        let expected =
            Witness { status: Status::Violated, properties: vec![PropertyId::Bad(1)], trace: Some(trace) };
        assert_eq!(found, [expected]);
    }

    #[test]
    fn witnesses_from_anyone() {
        let text = "u0\r\nc hello\r\n1\r\nb0b1\r\nxx\r\nu3\r\nx\r\n.\r\n\r\n0\nb1\n.\n2\nb0\n";
        let found = parse(text.as_bytes(), &model()).unwrap();
        assert_eq!(found[0].properties, [PropertyId::Bad(0), PropertyId::Bad(1)]);
        let trace = found[0].trace.as_ref().unwrap();
        assert_eq!((&trace.initial[..], &trace.inputs[..]), (&[true, false][..], &[vec![false]][..]));
        assert_eq!(found[1].status, Status::Holds);
        assert_eq!(found[2].status, Status::Unknown);
        assert_eq!(parse(b"1\nb0\nb1\n11\n1\n.", &model()).unwrap()[0].properties.len(), 2);
    }

    #[test]
    fn empty_lines_stand_for_no_latches_and_no_inputs() {
        let mut model = BitSystem::new();
        model.outputs.push(indubit_system::Signal { lit: Lit::TRUE, name: None });
        let trace = Trace::finite(vec![], vec![vec![], vec![]]);
        let text = write(model.properties()[0].id, &trace);
        assert_eq!(text, "1\nb0\n\n\n\n.\n");
        let found = parse(text.as_bytes(), &model).unwrap();
        assert_eq!(found[0].trace, Some(trace));
        assert_eq!(found[0].properties, [PropertyId::Output(0)]);
        let short = parse(b"1\nb0\n\n.\n", &model).unwrap_err().to_string();
        assert_eq!(short, "line 4, column 1: found `.`, expected a line with the values of 0 inputs");
    }

    #[test]
    fn errors_name_the_line() {
        let status = "expected `0`, `1` or `2`, the status of a witness";
        assert_eq!(message(""), format!("line 1, column 1: found the end of the file, {status}"));
        assert_eq!(message("sat\n"), format!("line 1, column 1: found `sat`, {status}"));
        assert_eq!(
            message("1\n11\n"),
            "line 2, column 1: found `11`, expected the violated property, such as `b0`"
        );
        assert_eq!(
            message("c\n1\nb2\n"),
            "line 3, column 1: found `b2`, expected a bad-state property of the model, at most `b1`"
        );
        assert_eq!(
            message("1\nj0\n"),
            "line 2, column 1: found `j0`, expected another kind: the model has no justice property"
        );
        assert_eq!(
            message("1\nb99999999999999999999999\n"),
            "line 2, column 1: found `b99999999999999999999999`, expected a bad-state property of the model, at most `b1`"
        );
        assert_eq!(
            message("1\nb0x\n"),
            "line 2, column 3: found `x`, expected a property such as `b0` or `j0`"
        );
        assert_eq!(
            message("1\nb0\n101\n"),
            "line 3, column 3: found 3 values, expected a line with the values of 2 latches"
        );
        assert_eq!(message("1\nb0\n12\n"), "line 3, column 2: found `2`, expected `0`, `1` or `x`");
        assert_eq!(
            message("1\nb0\n10\n1\n"),
            "line 5, column 1: found the end of the file, expected a line with the value of 1 input"
        );
        assert!(message("1\nb0\n10\n1\n.\nrest").starts_with("line 6"));
    }
}
