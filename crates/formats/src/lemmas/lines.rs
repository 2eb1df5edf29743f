//! The lines of a file: lemmas, with or without a name, and definitions.

use super::Lemma;
use super::lexer::{self, Token, What};
use super::parser::{Line, Parser, Target};
use crate::Error;

/// The lemmas of a text, and what they become.
pub(super) fn read<T: Target>(
    text: &[u8],
    parser: &mut Parser<T>,
) -> Result<(Vec<Lemma>, Vec<T::Formula>), Error> {
    let mut lemmas = Vec::new();
    let mut formulas = Vec::new();
    for (text, number) in text.split(|&b| b == b'\n').zip(1..) {
        let line = Line { text, number };
        let tokens = lexer::tokens(text, number, T::LANGUAGE)?;
        let Some(last) = tokens.last() else { continue };
        if tokens[0].what == What::Keyword("def") {
            define(parser, line, &tokens)?;
            continue;
        }
        let (name, formula) = match &tokens[..] {
            [token @ Token { what: What::Name { range: None, .. }, .. }, colon, formula @ ..]
                if colon.what == What::Sign(":") =>
            {
                (Some(token), formula)
            }
            all => (None, all),
        };
        let start = match formula.first() {
            Some(first) => first.start,
            None => return Err(line.error(last.end, "a formula")),
        };
        formulas.push(parser.lemma(line, name, formula)?);
        let name = name.and_then(|token| match &token.what {
            What::Name { name, .. } => Some(String::from_utf8_lossy(name).into_owned()),
            _ => None,
        });
        let text = String::from_utf8_lossy(&text[start..last.end]).into_owned();
        lemmas.push(Lemma { name, text, line: number });
    }
    Ok((lemmas, formulas))
}

/// `def NAME := FORMULA`.
fn define<T: Target>(parser: &mut Parser<T>, line: Line<'_>, tokens: &[Token]) -> Result<(), Error> {
    parser.target.check_definition(line.piece(tokens[0].start, tokens[0].end, ()))?;
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
    let value = parser.formula(line, formula)?;
    let value = parser.target.shared(value)?;
    parser.definitions.insert(name.clone(), value);
    line.fits(*start, &parser.target)
}
