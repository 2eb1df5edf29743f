//! Lemmas about a model, in its own language: one expression a line, with a name before a colon if it is to have one.

use super::Smv;
use super::evaluate::Context;
use super::parser;
use crate::lemmas::Lemma;
use crate::{Error, Place};
use indubit_term::{Term, Terms};

/// Lemmas, the terms of the model and more, and one formula for each lemma.
pub(crate) type Formulas = (Vec<Lemma>, Terms, Vec<Term>);

impl Smv {
    /// The formulas of a text, over state variables and definitions of the model; with `inputs` also over these.
    pub(crate) fn formulas(&self, text: &[u8], inputs: bool) -> Result<Formulas, Error> {
        let mut elaborator = self.elaborator(b"");
        let cx = Context { scope: 0, next: false };
        let (mut lemmas, mut candidates) = (Vec::new(), Vec::new());
        for (index, line) in text.split(|&b| b == b'\n').enumerate() {
            let start = line.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(line.len());
            if start == line.len() || line[start] == b'#' || line[start..].starts_with(b"--") {
                continue;
            }
            let (name, from) = named(line, start);
            let formula = &line[from..];
            let in_file = |error: Error| match (error.place(), error.found(), error.expected()) {
                (Place::Line { column, .. }, Some(found), Some(expected)) => {
                    Error::new(Place::Line { line: index + 1, column: column + from }, found, expected)
                }
                _ => error,
            };
            let file = std::mem::take(&mut elaborator.file);
            let file = std::sync::Arc::try_unwrap(file).unwrap_or_else(|shared| (*shared).clone());
            let (file, root) = parser::alone(formula, file).map_err(in_file)?;
            (elaborator.file, elaborator.text) = (file.into(), formula);
            let candidate = elaborator.constraint(root, cx, "a lemma", false, inputs).map_err(in_file)?;
            lemmas.push(Lemma { name, text: elaborator.source(root), line: index + 1 });
            candidates.push(candidate);
        }
        Ok((lemmas, elaborator.terms, candidates))
    }
}

/// The name of a lemma, and where its formula begins.
fn named(line: &[u8], start: usize) -> (Option<String>, usize) {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let end = start + line[start..].iter().position(|b| !is_part(b)).unwrap_or(line.len() - start);
    let colon = end + line[end..].iter().position(|b| *b != b' ').unwrap_or(line.len() - end);
    let is_name = end > start && !line[start].is_ascii_digit();
    match (line.get(colon), line.get(colon + 1)) {
        (Some(b':'), next) if is_name && !matches!(next, Some(b':' | b'=')) => {
            (Some(String::from_utf8_lossy(&line[start..end]).into_owned()), colon + 1)
        }
        _ => (None, start),
    }
}
