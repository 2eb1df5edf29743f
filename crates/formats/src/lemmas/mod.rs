//! Lemmas as people write them: one formula a line, over the names of a model.
//!
//! ```text
//! # x and y are numbers in two's complement.
//! def x := signed(x)
//! natural: x >= 0
//! signed(y) >= 1
//! !grant[0] | !grant[1]
//! state = 3 -> busy & "odd name"
//! ```
//!
//! **Lines.** `NAME: FORMULA` or `FORMULA` is a lemma. `def NAME := FORMULA` gives a name to a formula or a number, for the lines below; it
//! may be that of a signal, which it hides. `#` and `--` begin a comment.
//!
//! **Names** are those of latches, inputs, outputs, bad signals and constraints. `count` is all of `count[3]` … `count[0]` as a number, and
//! `count[3:2]` a part of it. Names with other characters than letters, digits and `_ . $ / \` are in double quotes or backquotes.
//! Signals without a name are `l3` (latch), `i0` (input), `o0`, `b0`, `c0` by their position, from 0; `@l3` is one even if another signal is
//! called `l3`.
//!
//! **Operators**, from those that bind least: `<->`, `->`, `|` (`or`), `^` (`xor`), `&` (`and`), comparisons `= != < <= > >=`, `+` and `-`, and `!`
//! (`not`). Numbers are unsigned; `signed(x)` reads a vector in two's complement. Arithmetic is exact and does not wrap around.
//!
//! [`read`] makes candidates for an invariant of it, [`write()`] writes an invariant so that it can be read back.

mod lexer;
mod names;
mod parser;
mod words;

use crate::invariant_text;
use crate::{Error, load};
use indubit_logic::{Clause, Lit};
use indubit_system::{BitSystem, Invariant};
use lexer::{Token, What};
use names::Names;
use parser::{Line, Parser, Value};
use std::fmt::Write;
use std::path::Path;
use words::Circuit;

/// More than formulas written by people or found by engines take, and less than memory.
const MOST_GATES: usize = 1 << 24;

/// A lemma as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// What the user calls it.
    pub name: Option<String>,
    /// The formula, without its name and comment.
    pub text: String,
    /// Its line, from 1.
    pub line: usize,
}

/// The lemmas of a file.
#[derive(Clone, Debug)]
pub struct Lemmas {
    /// In the order of the file.
    pub lemmas: Vec<Lemma>,
    /// One clause a lemma, in that order.
    pub candidates: Invariant,
}

/// The lemmas in a file, about `model`.
pub fn read(path: &Path, model: &BitSystem) -> Result<Lemmas, Error> {
    parse(&load(path)?, model).map_err(|error| error.with_path(path))
}

/// The lemmas in a text, about `model`.
///
/// ```
/// use indubit_formats::lemmas;
/// use indubit_system::BitSystem;
/// let mut model = BitSystem::new();
/// for name in ["go", "count[0]", "count[1]"] {
///     model.add_latch(name, Some(false));
/// }
/// let lemmas = lemmas::parse(b"small: count <= 2  # never 3\n", &model).unwrap();
/// assert_eq!((lemmas.lemmas[0].name.as_deref(), &*lemmas.lemmas[0].text), (Some("small"), "count <= 2"));
/// let error = lemmas::parse(b"cuont = 1 -> go", &model).unwrap_err();
/// assert!(error.to_string().ends_with("expected the name of a signal or a definition (is it count?)"));
/// ```
pub fn parse(text: &[u8], model: &BitSystem) -> Result<Lemmas, Error> {
    let names = Names::new(model);
    let mut parser = Parser::new(&names, Circuit::new(model.aig().clone(), MOST_GATES));
    let mut lemmas = Vec::new();
    let mut roots = Vec::new();
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    for (text, number) in text.split(|&b| b == b'\n').zip(1..) {
        let line = Line { text, number };
        let tokens = lexer::tokens(text, number)?;
        let Some(last) = tokens.last() else { continue };
        if tokens[0].what == What::Keyword("def") {
            define(&mut parser, line, &tokens)?;
            continue;
        }
        let (name, formula) = match &tokens[..] {
            [Token { what: What::Name { name, range: None }, .. }, colon, formula @ ..]
                if colon.what == What::Sign(":") =>
            {
                (Some(String::from_utf8_lossy(name).into_owned()), formula)
            }
            all => (None, all),
        };
        let start = match formula.first() {
            Some(first) => first.start,
            None => return Err(line.error(last.end, "a formula")),
        };
        roots.push(parser.proposition(line, formula)?);
        let text = String::from_utf8_lossy(&text[start..last.end]).into_owned();
        lemmas.push(Lemma { name, text, line: number });
    }
    Ok(Lemmas { lemmas, candidates: candidates(model, &parser.circuit, &roots) })
}

/// `def NAME := FORMULA`.
fn define(parser: &mut Parser<'_>, line: Line<'_>, tokens: &[Token]) -> Result<(), Error> {
    let [_, Token { what: What::Name { name, range: None }, start, .. }, sign, formula @ ..] = tokens else {
        let at = tokens.get(1).map_or(tokens[0].end, |t| t.start);
        return Err(line.error(at, "a definition, as in def NAME := FORMULA"));
    };
    if sign.what != What::Sign(":=") {
        return Err(line.error(sign.start, "`:=`, as in def NAME := FORMULA"));
    }
    if parser.definitions.contains_key(name) {
        return Err(Error::new(line.place(*start), "a second definition of this name", "another name"));
    }
    if formula.is_empty() {
        return Err(line.error(sign.end, "a formula"));
    }
    let value = match parser.formula(line, formula)? {
        // Made once, however often it is used.
        sum @ Value::Sum(_) => Value::Word(sum.word(&mut parser.circuit)),
        value => value,
    };
    parser.definitions.insert(name.clone(), value);
    line.fits(*start, &parser.circuit)
}

/// One clause for each root: what has been built on top of the model's circuit are additional gates.
fn candidates(model: &BitSystem, circuit: &Circuit, roots: &[Lit]) -> Invariant {
    let mut candidates = Invariant::new(model.aig().n_vars());
    for (gate, [a, b]) in circuit.aig.ands().filter(|(gate, _)| gate.index() >= model.aig().n_vars()) {
        let copy = candidates.and(a, b);
        debug_assert_eq!(copy.var(), gate, "formulas have no leaves of their own");
    }
    roots.iter().for_each(|&root| candidates.add(Clause::new([root])));
    candidates
}

/// An invariant of `model` as lemmas, one a line, after the definitions of what they have in common; `title` is the comment in the first line.
pub fn write(model: &BitSystem, invariant: &Invariant, title: &str) -> String {
    let names = Names::new(model);
    let spellings = names.spellings();
    // No signal begins like this, so none is hidden by a definition.
    let mut prefix = String::from("gate");
    while spellings.values().any(|name| name.starts_with(&prefix)) {
        prefix.push('_');
    }
    let (definitions, lemmas) = invariant_text::definitions_and_lemmas(model, invariant, spellings, &prefix);
    let mut text = String::new();
    for line in title.lines() {
        let _ = writeln!(text, "# {line}");
    }
    for (name, formula) in definitions {
        let _ = writeln!(text, "def {name} := {formula}");
    }
    for lemma in lemmas {
        let _ = writeln!(text, "{lemma}");
    }
    text
}

#[cfg(test)]
mod tests;
