//! Files of formulas of computation tree logic about a circuit, as IImc has them beside its AIGER models (Hassan, Bradley, Somenzi, *Incremental, Inductive CTL Model Checking*,
//! CAV 2012).
//!
//! ```text
//! # It can always start again.
//! AG EF (~count<1> & ~count<0>)
//! AG(req -> A ~ack U grant)   # nothing separates formulas but that one ends
//! E a & b U c                 # E [(a & b) U c]
//! ```
//!
//! **Operators**, from those that bind least: `->`, `^` and `==`, which are of one precedence and associate to the left; `|`; `&`; `~` or `!`; `EX EF EG AX AF AG`. After `E` or `A`
//! stand a formula as long as it can be, `U` (until), `R` (release) or `W` (weak until), and an operand that binds like that of `EX`: `E a | b U c & d` is `(E [(a | b) U c]) & d`. We also read
//! `E [a U b]` and `E (a U b)`, where the second formula is as long as it can be, too.
//!
//! **Names** begin with a letter or `_` and go on with letters, digits and `_ . * < >`; others are in double quotes. They are names of latches, inputs and outputs, as in
//! [lemmas](crate::lemmas). `true` and `false` are constants. `#` begins a comment, and `;` counts as a space.
//!
//! **What is a property.** With such a file the outputs of a model are signals: they stand for bad states only in a model that says nothing else about what is claimed. Its bad states and its
//! justice properties still are properties, before those of the file.

mod write;

pub use write::write;

use crate::error::show;
use crate::lemmas::{Meaning, Names, ctl_number, next_number};
use crate::{Error, Place, load};
use indubit_logic::Lit;
use indubit_system::{BitSystem, Claim, Ctl, CtlBuilder, CtlId, Property, PropertyId};
use std::path::{Path, PathBuf};

/// A formula is called by its text if that is not longer.
const LONGEST_NAME: usize = 80;

/// The file of formulas that stands beside a model: it is called like the model, with the extension `ctl`.
pub fn beside(model: &Path) -> Option<PathBuf> {
    let path = model.with_extension("ctl");
    (path != model && path.is_file()).then_some(path)
}

/// Add the formulas in a file to a model: how many there are.
pub fn read(path: &Path, model: &mut BitSystem) -> Result<usize, Error> {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    add(&load(path)?, &name, model).map_err(|error| error.with_path(path))
}

/// Add the formulas in a text, of a file of this name, to a model: how many there are.
///
/// ```
/// use indubit_formats::ctl_file;
/// use indubit_system::BitSystem;
/// let mut model = BitSystem::new();
/// for name in ["busy", "count<0>"] {
///     model.add_latch(name, Some(false));
/// }
/// ctl_file::add(b"AG(busy ->\n  AF ~count<0>) EF busy # can it work?", "model.ctl", &mut model).unwrap();
/// let titles: Vec<String> = model.properties().iter().map(|p| p.title()).collect();
/// assert_eq!(titles, ["AG(busy -> AF ~count<0>) (ctl0)", "EF busy (ctl1)"]);
/// let error = ctl_file::add(b"EF busi", "model.ctl", &mut model).unwrap_err();
/// assert!(error.to_string().starts_with("line 1, column 4: found `busi`"), "{error}");
/// ```
pub fn add(text: &[u8], name: &str, model: &mut BitSystem) -> Result<usize, Error> {
    let formulas = parse(text, model)?;
    model.formulas_from = Some(name.to_owned());
    let first = next_number(&model.specs, ctl_number);
    let n = formulas.len();
    for (index, Written { formula, text, line }) in formulas.into_iter().enumerate() {
        let name = (text.chars().count() <= LONGEST_NAME).then(|| (&*text).into());
        let (id, claim) = (PropertyId::Ctl(first + index), Claim::Ctl(formula));
        model.specs.push(Property { id, name, line: Some(line), source: None, claim });
    }
    Ok(n)
}

/// A formula as it stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// What it says.
    pub formula: Ctl<Lit>,
    /// Its text, in one line.
    pub text: String,
    /// The line in which it begins, from 1.
    pub line: usize,
}

/// The formulas in a text, about a model.
pub fn parse(text: &[u8], model: &BitSystem) -> Result<Vec<Written>, Error> {
    let names = Names::new(model);
    let tokens = tokens(text)?;
    let mut parser = Parser { text, tokens: &tokens, at: 0, names: &names };
    let mut formulas = Vec::new();
    while parser.at < tokens.len() {
        formulas.push(parser.formula()?);
    }
    Ok(formulas)
}

/// A sign, a word or a name in quotes: bytes from one place to another.
#[derive(Clone, Copy)]
struct Token {
    begin: usize,
    end: usize,
    line: usize,
}

fn tokens(text: &[u8]) -> Result<Vec<Token>, Error> {
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    while let Some(&byte) = text.get(at) {
        let rest = &text[at..];
        let length = |goes_on: &dyn Fn(&u8) -> bool| rest.iter().take_while(|b| goes_on(b)).count();
        let length = match byte {
            b'\n' => {
                line += 1;
                at += 1;
                continue;
            }
            b';' | b'\r' | b' ' | b'\t' | 0xb | 0xc => {
                at += 1;
                continue;
            }
            b'#' => {
                at += length(&|&b| b != b'\n');
                continue;
            }
            b'&' | b'|' | b'~' | b'!' | b'^' | b'(' | b')' | b'[' | b']' => 1,
            b'=' if rest.starts_with(b"==") => 2,
            b'-' if rest.starts_with(b"->") => 2,
            b'"' => {
                let end = rest[1..].iter().position(|&b| b == b'"' || b == b'\n').map(|end| end + 1);
                match end.filter(|&end| rest[end] == b'"') {
                    Some(end) => end + 1,
                    None => {
                        return Err(Error::new(
                            Place::in_text(text, at),
                            show(rest),
                            "a closing quote in the same line",
                        ));
                    }
                }
            }
            _ if byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 => length(&is_word),
            _ => {
                let expected = "a formula of CTL: names, ( ), ~ & | ^ == ->, EX EF EG AX AF AG, and E or A with U, R or W";
                return Err(Error::new(Place::in_text(text, at), show(rest), expected));
            }
        };
        tokens.push(Token { begin: at, end: at + length, line });
        at += length;
    }
    Ok(tokens)
}

/// Can it be in a name?
fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte >= 0x80 || b"_.*<>".contains(byte)
}

/// Is it a name without quotes, which is made of what can be in one?
fn is_name(word: &[u8]) -> bool {
    const OPERATORS: [&[u8]; 13] =
        [b"EX", b"EF", b"EG", b"AX", b"AF", b"AG", b"E", b"A", b"U", b"R", b"W", b"true", b"false"];
    let begins = word.first().is_some_and(|b| b.is_ascii_alphabetic() || *b >= 0x80 || *b == b'_');
    begins && !OPERATORS.contains(&word)
}

/// On all paths, or on some.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paths {
    All,
    Some,
}

/// What is begun: an operator that waits for its last operand, or something that has to be closed. With the token that began it.
enum Open {
    Parenthesis(usize),
    Bracket(usize),
    Unary(fn(&mut CtlBuilder<Lit>, CtlId) -> CtlId),
    Binary(&'static str, CtlId),
    /// `E` or `A`.
    Quantifier(Paths, usize),
    /// The same, up to `U`, `R` or `W`.
    Until(Paths, u8, CtlId),
    /// The same within `(` or `[`.
    Inside(Paths, u8, CtlId, usize),
}

struct Parser<'t> {
    text: &'t [u8],
    tokens: &'t [Token],
    at: usize,
    names: &'t Names<'t>,
}

impl<'t> Parser<'t> {
    fn word(&self, token: Token) -> &'t [u8] {
        &self.text[token.begin..token.end]
    }
    fn next(&self) -> &'t [u8] {
        self.tokens.get(self.at).map_or(&[], |&token| self.word(token))
    }
    /// An error about the next token.
    fn error(&self, expected: impl Into<String>) -> Error {
        match self.tokens.get(self.at) {
            Some(&token) => {
                Error::new(Place::in_text(self.text, token.begin), show(self.word(token)), expected)
            }
            None => Error::new(Place::in_text(self.text, self.text.len()), "the end of the file", expected),
        }
    }
    /// Where a token stands, for messages.
    fn whereabouts(&self, token: usize) -> String {
        match Place::in_text(self.text, self.tokens[token].begin) {
            Place::Line { line, column } => format!("in line {line}, column {column}"),
            Place::None | Place::Byte { .. } => "before".into(),
        }
    }

    /// The next formula, up to where it ends.
    fn formula(&mut self) -> Result<Written, Error> {
        let first = self.at;
        let mut builder = CtlBuilder::new();
        let mut open = Vec::new();
        let root = loop {
            let operand = self.operand(&mut builder, &mut open)?;
            match self.after(operand, &mut builder, &mut open)? {
                Some(root) => break root,
                None => continue,
            }
        };
        let mut text = String::new();
        let mut end = None;
        for &token in &self.tokens[first..self.at] {
            // As it stands there, but for spaces and comments.
            if end.is_some_and(|end| end < token.begin) {
                text.push(' ');
            }
            text += &String::from_utf8_lossy(self.word(token));
            end = Some(token.end);
        }
        Ok(Written { formula: builder.finish(root), text, line: self.tokens[first].line })
    }
    /// An operand, after what opens it.
    fn operand(&mut self, builder: &mut CtlBuilder<Lit>, open: &mut Vec<Open>) -> Result<CtlId, Error> {
        loop {
            let at = self.at;
            let opened = match self.next() {
                b"(" => Open::Parenthesis(at),
                b"[" if matches!(open.last(), Some(Open::Quantifier(..))) => Open::Bracket(at),
                b"~" | b"!" => Open::Unary(CtlBuilder::not),
                b"EX" => Open::Unary(CtlBuilder::exists_next),
                b"EF" => Open::Unary(CtlBuilder::exists_finally),
                b"EG" => Open::Unary(CtlBuilder::exists_globally),
                b"AX" => Open::Unary(CtlBuilder::all_next),
                b"AF" => Open::Unary(CtlBuilder::all_finally),
                b"AG" => Open::Unary(CtlBuilder::all_globally),
                b"E" => Open::Quantifier(Paths::Some, at),
                b"A" => Open::Quantifier(Paths::All, at),
                word => {
                    let operand = match word {
                        b"true" => builder.constant(true),
                        b"false" => builder.constant(false),
                        [b'"', name @ .., b'"'] => self.atom(name, builder)?,
                        word if is_name(word) => self.atom(word, builder)?,
                        _ => return Err(self.error("a formula")),
                    };
                    self.at += 1;
                    return Ok(operand);
                }
            };
            open.push(opened);
            self.at += 1;
        }
    }
    fn atom(&self, name: &[u8], builder: &mut CtlBuilder<Lit>) -> Result<CtlId, Error> {
        let shown = || format!("`{}`", String::from_utf8_lossy(name));
        let (found, expected) = match self.names.find(name, None) {
            Ok(Meaning::Bit(lit)) if lit.var() == Lit::TRUE.var() => {
                return Ok(builder.constant(lit == Lit::TRUE));
            }
            Ok(Meaning::Bit(lit)) => return Ok(builder.atom(lit)),
            Ok(Meaning::Bits(bits)) => {
                (format!("{}, a vector of {} bits", shown(), bits.len()), "one of its bits".to_owned())
            }
            Err(unclear) => unclear.told(shown(), "the name of a latch, an input or an output"),
        };
        Err(Error::new(Place::in_text(self.text, self.tokens[self.at].begin), found, expected))
    }
    /// What follows an operand: the formula, if that ends there; if not, another operand does.
    fn after(
        &mut self,
        mut operand: CtlId,
        builder: &mut CtlBuilder<Lit>,
        open: &mut Vec<Open>,
    ) -> Result<Option<CtlId>, Error> {
        loop {
            operand = apply(operand, open, builder, |open| matches!(open, Open::Unary(_) | Open::Until(..)));
            match self.next() {
                b"&" => return Ok(self.binary("&", operand, builder, open)),
                b"|" => return Ok(self.binary("|", operand, builder, open)),
                b"^" => return Ok(self.binary("^", operand, builder, open)),
                b"==" => return Ok(self.binary("==", operand, builder, open)),
                b"->" => return Ok(self.binary("->", operand, builder, open)),
                [sign @ (b'U' | b'R' | b'W')] => {
                    operand = apply(operand, open, builder, |open| matches!(open, Open::Binary(..)));
                    let begun = match open.pop() {
                        Some(Open::Quantifier(paths, _)) => Open::Until(paths, *sign, operand),
                        Some(Open::Parenthesis(at) | Open::Bracket(at)) => match open.pop() {
                            Some(Open::Quantifier(paths, _)) => Open::Inside(paths, *sign, operand, at),
                            _ => return Err(self.stray()),
                        },
                        _ => return Err(self.stray()),
                    };
                    open.push(begun);
                    self.at += 1;
                    return Ok(None);
                }
                closing @ (b")" | b"]") => {
                    operand = apply(operand, open, builder, |open| matches!(open, Open::Binary(..)));
                    operand = match open.pop() {
                        Some(Open::Parenthesis(_)) if closing == b")" => operand,
                        Some(Open::Inside(paths, sign, first, at))
                            if (closing == b")") == (self.word(self.tokens[at]) == b"(") =>
                        {
                            path_formula(paths, sign, first, operand, builder)
                        }
                        before => return Err(self.unfinished(before.as_ref())),
                    };
                    self.at += 1;
                }
                _ => {
                    operand = apply(operand, open, builder, |open| matches!(open, Open::Binary(..)));
                    return match open.last() {
                        None => Ok(Some(operand)),
                        before => Err(self.unfinished(before)),
                    };
                }
            }
        }
    }
    fn binary(
        &mut self,
        sign: &'static str,
        operand: CtlId,
        builder: &mut CtlBuilder<Lit>,
        open: &mut Vec<Open>,
    ) -> Option<CtlId> {
        let binds =
            |open: &Open| matches!(open, Open::Binary(before, _) if precedence(before) >= precedence(sign));
        let left = apply(operand, open, builder, binds);
        open.push(Open::Binary(sign, left));
        self.at += 1;
        None
    }
    /// An operator of paths without a quantifier.
    fn stray(&self) -> Error {
        self.error("an operator that needs no `E` or `A` before the formula")
    }
    /// Something is open where a formula ends.
    fn unfinished(&self, open: Option<&Open>) -> Error {
        let (missing, sign, at) = match open {
            Some(Open::Quantifier(Paths::Some, at)) => ("`U`, `R` or `W`", "E", *at),
            Some(Open::Quantifier(Paths::All, at)) => ("`U`, `R` or `W`", "A", *at),
            Some(Open::Bracket(at)) => ("`U`, `R` or `W`", "[", *at),
            Some(Open::Inside(.., at)) if self.word(self.tokens[*at]) == b"[" => ("`]`", "[", *at),
            Some(Open::Parenthesis(at) | Open::Inside(.., at)) => ("an operator or `)`", "(", *at),
            _ => return self.error("an operator, or another formula"),
        };
        self.error(format!("{missing} for the `{sign}` {}", self.whereabouts(at)))
    }
}

fn precedence(sign: &str) -> u32 {
    match sign {
        "&" => 2,
        "|" => 1,
        _ => 0,
    }
}

/// Apply what is open and binds tightly enough to an operand.
fn apply(
    mut operand: CtlId,
    open: &mut Vec<Open>,
    builder: &mut CtlBuilder<Lit>,
    binds: impl Fn(&Open) -> bool,
) -> CtlId {
    while let Some(operator) = open.pop_if(|top| binds(top)) {
        operand = match operator {
            Open::Unary(make) => make(builder, operand),
            Open::Until(paths, sign, first) => path_formula(paths, sign, first, operand, builder),
            Open::Binary(sign, left) => match sign {
                "&" => builder.and(left, operand),
                "|" => builder.or(left, operand),
                "->" => builder.implies(left, operand),
                sign => {
                    let same = builder.iff(left, operand);
                    if sign == "==" { same } else { builder.not(same) }
                }
            },
            Open::Parenthesis(_) | Open::Bracket(_) | Open::Quantifier(..) | Open::Inside(..) => operand,
        };
    }
    operand
}

fn path_formula(paths: Paths, sign: u8, first: CtlId, second: CtlId, builder: &mut CtlBuilder<Lit>) -> CtlId {
    let make = match (paths, sign) {
        (Paths::Some, b'U') => CtlBuilder::exists_until,
        (Paths::All, b'U') => CtlBuilder::all_until,
        (Paths::Some, b'R') => CtlBuilder::exists_release,
        (Paths::All, b'R') => CtlBuilder::all_release,
        (Paths::Some, _) => CtlBuilder::exists_weak_until,
        (Paths::All, _) => CtlBuilder::all_weak_until,
    };
    make(builder, first, second)
}

#[cfg(test)]
mod tests;
