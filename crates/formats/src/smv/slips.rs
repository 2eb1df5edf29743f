//! What people write who know another language, or mistype a word, and what SMV has for it: errors say so.

use super::lexer::{Spot, Token};
use crate::lemmas::similar;

/// Signs of other languages; none of them can be in a model.
const SIGNS: &[(&str, &str)] = &[
    ("<=>", "`<->`"),
    ("&&", "`&`"),
    ("||", "`|`"),
    ("==", "`=`, which compares"),
    ("=>", "`->` between formulas, or `>=` between numbers"),
    ("=<", "`<=`"),
    ("<>", "`!=`"),
    ("//", "`--`, which begins a comment"),
    ("/*", "`--` for a comment of one line, or `/-- … --/`"),
    ("~", "`!`, which is negation"),
    ("^", "`xor`"),
    ("%", "`mod`"),
    ("'", "`next(x)` for the next value of x"),
];

/// Words of other languages.
const WORDS: &[(&str, &str)] = &[
    ("and", "`&`"),
    ("or", "`|`"),
    ("not", "`!`"),
    ("implies", "`->`"),
    ("iff", "`<->`"),
    ("true", "`TRUE`"),
    ("True", "`TRUE`"),
    ("false", "`FALSE`"),
    ("False", "`FALSE`"),
    ("if", "`C ? A : B`, or `case`"),
    ("then", "`C ? A : B`, or `case`"),
    ("else", "`TRUE : …;`, the last branch of a `case`"),
    ("default", "`TRUE : …;`, the last branch of a `case`"),
    ("otherwise", "`TRUE : …;`, the last branch of a `case`"),
    ("until", "`U`"),
    ("UNTIL", "`U`"),
    ("always", "`G`"),
    ("eventually", "`F`"),
    ("bool", "`boolean`"),
    ("int", "`integer`"),
    ("float", "`real`"),
    ("double", "`real`"),
    ("enum", "`{a, b, c}`"),
    ("Boolean", "`boolean`"),
    ("Integer", "`integer`"),
    ("Real", "`real`"),
];

/// The sign of another language that a text begins with, and what SMV has for it.
pub(super) fn sign(text: &[u8]) -> Option<(&'static str, &'static str)> {
    SIGNS.iter().find(|(sign, _)| text.starts_with(sign.as_bytes())).copied()
}

/// What to say where something else is expected: of a word of another language that stands there, or before it. At the end of a line it is as likely a name that only lacks what ends the line.
pub(super) fn advice(text: &[u8], before: Option<&Spot>, there: &Spot) -> Option<String> {
    let of = |spot: &Spot| match &spot.token {
        Token::Name(name) => word(name),
        _ => None,
    };
    let is_in_line =
        |before: &&Spot| text.get(before.end..there.start).is_some_and(|between| !between.contains(&b'\n'));
    of(there).or_else(|| before.filter(is_in_line).and_then(of))
}

/// What SMV has for a word of another language, as the end of a message.
pub(super) fn word(name: &str) -> Option<String> {
    WORDS
        .iter()
        .find(|(word, _)| *word == name)
        .map(|(word, ours)| format!("; SMV writes {ours} for `{word}`"))
}

/// The word that is meant by one that nobody knows: like it but for a few letters, or for capitals.
pub(super) fn meant<'w>(name: &str, words: &[&'w str]) -> Option<&'w str> {
    let same = words.iter().find(|word| word.eq_ignore_ascii_case(name)).copied();
    same.or_else(|| {
        let close = similar(name.as_bytes(), words.iter().map(|word| word.as_bytes()));
        words.iter().find(|word| Some(&word.as_bytes()) == close.first()).copied()
    })
}
