//! From the tokens of a formula to what it stands for: operators by their precedence, on stacks of our own, so that nesting can be as
//! deep as the line is long. What is built is the matter of a [`Target`]: a circuit, or a term.

use super::lexer::{Language, Token, What};
use super::names::split_index;
use crate::error::{Error, Place};
use std::collections::HashMap;

/// What formulas are built into.
pub(super) trait Target {
    /// What a part of a formula stands for.
    type Value: Clone;
    /// What a lemma becomes.
    type Formula;
    const LANGUAGE: Language;
    /// The operators between two formulas, for messages.
    const OPERATORS: &'static str;
    /// What can stand where an operand is expected, for messages.
    const OPERANDS: &'static str;

    /// A lemma with this name begins.
    fn begin(&mut self, name: Option<Piece<'_, &[u8]>>, formula: Piece<'_, ()>) -> Result<(), Error>;
    /// May there be a definition?
    fn check_definition(&self, word: Piece<'_, ()>) -> Result<(), Error>;
    /// A value that is used often: what is not yet made of it is made once.
    fn shared(&mut self, value: Piece<'_, Self::Value>) -> Result<Self::Value, Error>;
    /// The lemma that began.
    fn finish(&mut self, formula: Piece<'_, Self::Value>) -> Result<Self::Formula, Error>;

    /// A name, a number or a constant; `None` if it is something else.
    fn operand(&mut self, token: Piece<'_, &What>) -> Result<Option<Self::Value>, Error>;
    /// `!` or `-`.
    fn prefix(&mut self, sign: &str, operand: Piece<'_, Self::Value>) -> Result<Self::Value, Error>;
    fn binary(
        &mut self,
        sign: Piece<'_, &str>,
        left: Piece<'_, Self::Value>,
        right: Piece<'_, Self::Value>,
    ) -> Result<Self::Value, Error>;
    /// A function with arguments, one of them or those that the line has; `if` is one of three.
    fn call(
        &mut self,
        name: Piece<'_, &[u8]>,
        args: Vec<Piece<'_, Self::Value>>,
    ) -> Result<Self::Value, Error>;
    /// Has what was built grown too large? Then it is not to be used.
    fn is_full(&self) -> bool;
}

/// A line of a file, for messages.
#[derive(Clone, Copy)]
pub(super) struct Line<'l> {
    pub text: &'l [u8],
    /// From 1.
    pub number: usize,
}

impl<'l> Line<'l> {
    pub fn place(self, at: usize) -> Place {
        Place::Line { line: self.number, column: at + 1 }
    }
    pub fn error(self, at: usize, expected: impl Into<String>) -> Error {
        let rest = self.text.get(at..).unwrap_or_default();
        let found = if rest.is_empty() { "the end of the line".into() } else { crate::error::show(rest) };
        Error::new(self.place(at), found, expected)
    }
    pub fn piece<V>(self, start: usize, end: usize, value: V) -> Piece<'l, V> {
        Piece { value, line: self, start, end }
    }
    /// Is what was made of it so far small enough?
    pub fn fits(self, at: usize, target: &impl Target) -> Result<(), Error> {
        match target.is_full() {
            true => Err(Error::new(self.place(at), "numbers or formulas that are too large", "smaller ones")),
            false => Ok(()),
        }
    }
}

/// Something, with the bytes of the line it was made of.
#[derive(Clone, Copy)]
pub(super) struct Piece<'l, V> {
    pub value: V,
    pub line: Line<'l>,
    pub start: usize,
    pub end: usize,
}

impl<'l, V> Piece<'l, V> {
    pub fn with<W>(&self, value: W) -> Piece<'l, W> {
        self.line.piece(self.start, self.end, value)
    }
    /// It in quotes, shortened.
    pub fn shown(&self) -> String {
        const LONGEST: usize = 40;
        let text = String::from_utf8_lossy(&self.line.text[self.start..self.end]);
        match text.char_indices().nth(LONGEST) {
            Some((cut, _)) => format!("`{}...`", &text[..cut]),
            None => format!("`{text}`"),
        }
    }
    pub fn error(&self, found: impl Into<String>, expected: impl Into<String>) -> Error {
        Error::new(self.line.place(self.start), found, expected)
    }
    pub fn is_in_parentheses(&self) -> bool {
        self.line.text[self.start] == b'('
    }
}

/// An operator, with where it stands.
#[derive(Clone, Copy, Debug)]
struct Operator {
    sign: &'static str,
    is_prefix: bool,
    /// Its token.
    at: usize,
    /// How many operands there were before it.
    n_before: usize,
}

impl Operator {
    /// How tightly it binds, and whether it does so from the right.
    fn precedence(self) -> (u32, bool) {
        match self.sign {
            // What is behind it goes on as long as it can.
            "else" => (0, true),
            _ if self.is_prefix => (9, true),
            "<->" => (1, false),
            "->" => (2, true),
            "|" => (3, false),
            "^" => (4, false),
            "&" => (5, false),
            "+" | "-" => (7, false),
            "*" | "/" | "div" | "mod" => (8, false),
            _ => (COMPARISON, false),
        }
    }
}

const COMPARISON: u32 = 6;

/// Reads formulas over the names of a model and over definitions.
pub(super) struct Parser<T: Target> {
    pub target: T,
    pub definitions: HashMap<Vec<u8>, T::Value>,
}

impl<T: Target> Parser<T> {
    pub fn new(target: T) -> Parser<T> {
        Parser { target, definitions: HashMap::new() }
    }

    /// The formula that `tokens` are, in a line; `tokens` may be those behind something else.
    pub fn formula<'l>(&mut self, line: Line<'l>, tokens: &'l [Token]) -> Result<Piece<'l, T::Value>, Error> {
        let mut stacks =
            Stacks { line, tokens, operands: Vec::new(), operators: Vec::new(), target: &mut self.target };
        let mut wants_operand = true;
        for (at, token) in tokens.iter().enumerate() {
            let sign = operator(token, wants_operand, T::LANGUAGE);
            match (wants_operand, sign) {
                (true, Some(sign @ ("!" | "-" | "(" | CALL | "if"))) => stacks.push(sign, true, at),
                (true, _) => {
                    let defined = match &token.what {
                        What::Name { name, range: None } => self.definitions.get(name).cloned(),
                        _ => None,
                    };
                    if defined.is_none() {
                        check_hidden(&self.definitions, line, token)?;
                    }
                    let piece = line.piece(token.start, token.end, &token.what);
                    let value = match defined {
                        Some(value) => Some(value),
                        None => stacks.target.operand(piece)?,
                    };
                    let value = value.ok_or_else(|| line.error(token.start, T::OPERANDS))?;
                    stacks.operands.push(piece.with(value));
                    wants_operand = false;
                }
                (false, Some(")")) => stacks.close(at)?,
                (false, Some(",")) => {
                    stacks.comma(at)?;
                    wants_operand = true;
                }
                (false, Some(word @ ("then" | "else"))) => {
                    stacks.branch(word, at)?;
                    wants_operand = true;
                }
                (false, Some(sign)) if !["!", "(", CALL, "if"].contains(&sign) => {
                    stacks.apply_tighter_than(sign, at)?;
                    stacks.push(sign, false, at);
                    wants_operand = true;
                }
                (false, _) => {
                    let expected = format!("an operator between two formulas: {}", T::OPERATORS);
                    return Err(line.error(token.start, expected));
                }
            }
        }
        if wants_operand {
            return Err(line.error(tokens.last().map_or(line.text.len(), |t| t.end), "a formula"));
        }
        stacks.finish()
    }

    /// A lemma with its name.
    pub fn lemma(
        &mut self,
        line: Line<'_>,
        name: Option<&Token>,
        tokens: &[Token],
    ) -> Result<T::Formula, Error> {
        let (first, last) = (&tokens[0], &tokens[tokens.len() - 1]);
        let name = name.and_then(|token| match &token.what {
            What::Name { name, .. } => Some(line.piece(token.start, token.end, &name[..])),
            _ => None,
        });
        self.target.begin(name, line.piece(first.start, last.end, ()))?;
        let value = self.formula(line, tokens)?.value;
        self.target.finish(line.piece(first.start, last.end, value))
    }
}

/// A definition hides what has the same name, parts of it included.
fn check_hidden<V>(definitions: &HashMap<Vec<u8>, V>, line: Line<'_>, token: &Token) -> Result<(), Error> {
    let base = match &token.what {
        What::Name { name, range: Some(_) } => Some(&name[..]),
        What::Name { name, range: None } => split_index(name).map(|(base, _)| base),
        What::Expression if !definitions.is_empty() => {
            let piece = line.piece(token.start, token.end, ());
            return Err(piece.error(piece.shown(), "formulas in infix, in a file with definitions"));
        }
        _ => None,
    };
    match base.filter(|name| definitions.contains_key(*name)) {
        None => Ok(()),
        Some(_) => {
            let piece = line.piece(token.start, token.end, ());
            let found = format!("{}, a part of what a definition hides", piece.shown());
            Err(piece.error(found, "another name for the definition"))
        }
    }
}

/// The sign of all functions.
const CALL: &str = "call";

/// The one-letter form of an operator or a parenthesis, if the token can be one here.
fn operator(token: &Token, wants_operand: bool, language: Language) -> Option<&'static str> {
    match token.what {
        What::Keyword("not") => Some("!"),
        What::Keyword("and") | What::Sign("&&") => Some("&"),
        What::Keyword("or") | What::Sign("||") => Some("|"),
        What::Keyword("xor") => Some("^"),
        What::Sign("==") => Some("="),
        What::Keyword("signed") if wants_operand => Some(CALL),
        What::Function(_) => Some(CALL),
        What::Keyword(word @ ("if" | "then" | "else")) => Some(word),
        What::Sign(",") if language == Language::Words => Some(","),
        What::Sign(":" | ":=" | "," | "=>") => None,
        What::Sign(sign) => Some(sign),
        _ => None,
    }
}

struct Stacks<'l, 't, T: Target> {
    line: Line<'l>,
    tokens: &'l [Token],
    operands: Vec<Piece<'l, T::Value>>,
    operators: Vec<Operator>,
    target: &'t mut T,
}

impl<'l, T: Target> Stacks<'l, '_, T> {
    fn push(&mut self, sign: &'static str, is_prefix: bool, at: usize) {
        self.operators.push(Operator { sign, is_prefix, at, n_before: self.operands.len() });
    }
    /// Do what binds more tightly than the operator that comes next.
    fn apply_tighter_than(&mut self, sign: &'static str, at: usize) -> Result<(), Error> {
        let (precedence, is_right) = Operator { sign, is_prefix: false, at, n_before: 0 }.precedence();
        while let Some(&top) = self.operators.last() {
            if let "(" | CALL | "if" | "then" = top.sign {
                break;
            }
            let (other, _) = top.precedence();
            if other == COMPARISON && precedence == COMPARISON {
                let expected = "parentheses around one of two comparisons in a row";
                return Err(self.line.error(self.tokens[at].start, expected));
            }
            if other < precedence || other == precedence && is_right {
                break;
            }
            self.operators.pop();
            self.apply(top)?;
        }
        Ok(())
    }
    /// Do everything up to what is still open, which is taken off.
    fn open(&mut self) -> Result<Option<Operator>, Error> {
        loop {
            match self.operators.pop() {
                Some(operator) if !matches!(operator.sign, "(" | "if" | "then") => self.apply(operator)?,
                open => return Ok(open),
            }
        }
    }
    /// An error at `at`: here should be what is open.
    fn missing(&self, open: Operator, at: usize) -> Error {
        let (missing, sign) = match open.sign {
            "if" => ("then", "if"),
            "then" => ("else", "if"),
            _ => (")", "("),
        };
        let column = self.tokens[open.at].start + 1;
        self.line.error(at, format!("`{missing}` for the `{sign}` in column {column}"))
    }
    /// A closing parenthesis.
    fn close(&mut self, at: usize) -> Result<(), Error> {
        let token = &self.tokens[at];
        match self.open()? {
            None => Err(self.line.error(token.start, "nothing that was not opened")),
            Some(open) if open.sign == "(" => {
                if self.operands.len() == open.n_before + 1 {
                    let operand = self.operands.last_mut().expect("there is something in parentheses");
                    (operand.start, operand.end) = (self.tokens[open.at].start, token.end);
                }
                match self.operators.pop_if(|o| o.sign == CALL) {
                    Some(call) => self.call(call, token.end),
                    None => Ok(()),
                }
            }
            Some(open) => Err(self.missing(open, token.start)),
        }
    }
    /// A comma is between arguments.
    fn comma(&mut self, at: usize) -> Result<(), Error> {
        let start = self.tokens[at].start;
        match self.open()? {
            Some(open) if open.sign != "(" => Err(self.missing(open, start)),
            Some(open) if self.operators.last().is_some_and(|o| o.sign == CALL) => {
                self.operators.push(open);
                Ok(())
            }
            _ => Err(self.line.error(start, "a comma between arguments of a function only")),
        }
    }
    /// `then` or `else`.
    fn branch(&mut self, word: &'static str, at: usize) -> Result<(), Error> {
        let start = self.tokens[at].start;
        let before = if word == "then" { "if" } else { "then" };
        match self.open()? {
            // Its tokens are all of them: those from the `if` on.
            Some(open) if open.sign == before => {
                self.operators.push(Operator { sign: word, is_prefix: true, ..open });
                Ok(())
            }
            Some(open) => Err(self.missing(open, start)),
            None => Err(self.line.error(start, format!("a `{before}` before `{word}`"))),
        }
    }
    fn finish(mut self) -> Result<Piece<'l, T::Value>, Error> {
        match self.open()? {
            Some(open) => Err(self.missing(open, self.tokens[self.tokens.len() - 1].end)),
            None => Ok(self.pop()),
        }
    }
    fn pop(&mut self) -> Piece<'l, T::Value> {
        self.operands.pop().expect("an operator is applied when its operands are there")
    }
    fn apply(&mut self, operator: Operator) -> Result<(), Error> {
        let Operator { sign, is_prefix, at, .. } = operator;
        let token = &self.tokens[at];
        let end = self.operands.last().expect("an operator is applied when its operands are there").end;
        let piece = if !is_prefix {
            let (right, left) = (self.pop(), self.pop());
            let start = left.start;
            let sign = self.line.piece(token.start, token.end, sign);
            self.line.piece(start, end, self.target.binary(sign, left, right)?)
        } else if let "!" | "-" = sign {
            let operand = self.pop();
            self.line.piece(token.start, end, self.target.prefix(sign, operand)?)
        } else {
            return self.call(operator, end);
        };
        self.operands.push(piece);
        self.line.fits(token.start, self.target)
    }
    /// A function, or `if`, whose last argument ends at `end`.
    fn call(&mut self, operator: Operator, end: usize) -> Result<(), Error> {
        let token = &self.tokens[operator.at];
        let args = self.operands.split_off(operator.n_before);
        let name: &[u8] = match &token.what {
            What::Function(name) => name,
            What::Keyword(word) => word.as_bytes(),
            _ => unreachable!("a call begins with a name"),
        };
        let piece = self.line.piece(token.start, end, name);
        let value = self.target.call(piece, args)?;
        self.operands.push(piece.with(value));
        self.line.fits(token.start, self.target)
    }
}
