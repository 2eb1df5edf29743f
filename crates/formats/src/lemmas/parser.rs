//! From the tokens of a formula to a circuit: operators by their precedence, on stacks of our own, so that nesting can be as deep
//! as the line is long.

use super::lexer::{Token, What};
use super::names::{Meaning, Names, Unclear};
use super::words::{Circuit, Word, sum};
use crate::error::{Error, Place};
use indubit_logic::Lit;
use std::collections::HashMap;

/// What a part of a formula stands for.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Bit(Lit),
    Word(Word),
    /// A sum that nobody has looked at yet: terms as they are, or negated.
    Sum(Vec<(bool, Word)>),
}

impl Value {
    /// It as a number.
    pub fn word(self, circuit: &mut Circuit) -> Word {
        match self {
            Value::Bit(lit) => Word::new([lit]),
            Value::Word(word) => word,
            Value::Sum(terms) => sum(&terms, circuit),
        }
    }
    fn terms(self) -> Vec<(bool, Word)> {
        match self {
            Value::Bit(lit) => vec![(false, Word::new([lit]))],
            Value::Word(word) => vec![(false, word)],
            Value::Sum(terms) => terms,
        }
    }
}

/// An operator, with where it stands.
#[derive(Clone, Copy, Debug)]
struct Operator {
    sign: &'static str,
    is_prefix: bool,
    /// Its token.
    at: usize,
}

impl Operator {
    /// How tightly it binds, and whether it does so from the right.
    fn precedence(self) -> (u32, bool) {
        match self.sign {
            _ if self.is_prefix => (8, true),
            "<->" => (1, false),
            "->" => (2, true),
            "|" => (3, false),
            "^" => (4, false),
            "&" => (5, false),
            "+" | "-" => (7, false),
            _ => (COMPARISON, false),
        }
    }
}

const COMPARISON: u32 = 6;

/// A value on the stack, with the tokens it was made of.
struct Operand {
    value: Value,
    first: usize,
    last: usize,
}

/// Reads formulas over the names of a model and over definitions.
pub(super) struct Parser<'m> {
    names: &'m Names<'m>,
    pub circuit: Circuit,
    pub definitions: HashMap<Vec<u8>, Value>,
}

impl<'m> Parser<'m> {
    pub fn new(names: &'m Names<'m>, circuit: Circuit) -> Parser<'m> {
        Parser { names, circuit, definitions: HashMap::new() }
    }

    /// The formula that `tokens` are, in a line; `tokens` may be those behind something else.
    pub fn formula(&mut self, line: Line<'_>, tokens: &[Token]) -> Result<Value, Error> {
        let mut stacks = Stacks { line, tokens, operands: Vec::new(), operators: Vec::new() };
        let mut wants_operand = true;
        for (at, token) in tokens.iter().enumerate() {
            match (wants_operand, operator(token, wants_operand)) {
                (true, Some(sign @ ("!" | "-" | "(" | "signed"))) => {
                    stacks.operators.push(Operator { sign, is_prefix: true, at });
                }
                (true, _) => {
                    let value = self.operand(line, token)?;
                    stacks.operands.push(Operand { value, first: at, last: at });
                    wants_operand = false;
                }
                (false, Some(")")) => stacks.close(at, &mut self.circuit)?,
                (false, Some(sign)) if sign != "!" && sign != "(" && sign != "signed" => {
                    let operator = Operator { sign, is_prefix: false, at };
                    stacks.apply_tighter_than(operator, &mut self.circuit)?;
                    stacks.operators.push(operator);
                    wants_operand = true;
                }
                (false, _) => {
                    let expected = "an operator between two formulas: & | ^ -> <-> = != < <= > >= + -";
                    return Err(line.error(token.start, expected));
                }
            }
        }
        if wants_operand {
            return Err(line.error(tokens.last().map_or(line.text.len(), |t| t.end), "a formula"));
        }
        stacks.finish(&mut self.circuit)
    }

    /// A formula that is true or false.
    pub fn proposition(&mut self, line: Line<'_>, tokens: &[Token]) -> Result<Lit, Error> {
        let value = self.formula(line, tokens)?;
        let last = tokens.len() - 1;
        bit(line, tokens, &Operand { value, first: 0, last })
    }

    fn operand(&self, line: Line<'_>, token: &Token) -> Result<Value, Error> {
        match &token.what {
            What::Number(bits) => Ok(Value::Word(Word::new(bits.iter().map(|&b| Lit::constant(b))))),
            What::Keyword("true") => Ok(Value::Bit(Lit::TRUE)),
            What::Keyword("false") => Ok(Value::Bit(Lit::FALSE)),
            What::Position(letter, index) => match self.names.at(*letter, *index) {
                Some(lit) => Ok(Value::Bit(lit)),
                None => Err(line.error(token.start, "a position that the model has")),
            },
            What::Name { name, range } => {
                if let (Some(value), None) = (self.definitions.get(name), range) {
                    return Ok(value.clone());
                }
                match self.names.find(name, *range) {
                    Ok(Meaning::Bit(lit)) => Ok(Value::Bit(lit)),
                    Ok(Meaning::Bits(bits)) => Ok(Value::Word(Word::new(bits))),
                    Err(unclear) => Err(unknown(line, token, unclear)),
                }
            }
            What::Keyword(_) | What::Sign(_) => {
                Err(line.error(token.start, "a signal, a number or a formula"))
            }
        }
    }
}

fn unknown(line: Line<'_>, token: &Token, unclear: Unclear) -> Error {
    let found = line.shown(token.start, token.end);
    let (found, expected) = match unclear {
        Unclear::Unknown(similar) => {
            let advice = match &similar[..] {
                [] => "`indubit simulate` shows all names".into(),
                names => format!("is it {}?", names.join(" or ")),
            };
            (found, format!("the name of a signal or a definition ({advice})"))
        }
        Unclear::Ambiguous(which) => {
            (format!("{found}, which names several signals"), format!("one of them: {}", which.join(" or ")))
        }
        Unclear::OutOfRange(high, low) => (found, format!("bits from {high} down to {low}")),
    };
    Error::new(line.place(token.start), found, expected)
}

/// The one-letter form of an operator or a parenthesis, if the token can be one here.
fn operator(token: &Token, wants_operand: bool) -> Option<&'static str> {
    match token.what {
        What::Keyword("not") => Some("!"),
        What::Keyword("and") | What::Sign("&&") => Some("&"),
        What::Keyword("or") | What::Sign("||") => Some("|"),
        What::Keyword("xor") => Some("^"),
        What::Sign("==") => Some("="),
        What::Keyword("signed") if wants_operand => Some("signed"),
        What::Sign(":" | ":=" | "," | "=>") => None,
        What::Sign(sign) => Some(sign),
        _ => None,
    }
}

/// A line of a file, for messages.
#[derive(Clone, Copy)]
pub(super) struct Line<'l> {
    pub text: &'l [u8],
    /// From 1.
    pub number: usize,
}

impl Line<'_> {
    pub fn place(self, at: usize) -> Place {
        Place::Line { line: self.number, column: at + 1 }
    }
    pub fn error(self, at: usize, expected: impl Into<String>) -> Error {
        let rest = self.text.get(at..).unwrap_or_default();
        let found = if rest.is_empty() { "the end of the line".into() } else { crate::error::show(rest) };
        Error::new(self.place(at), found, expected)
    }
    /// Is what was made of it so far small enough?
    pub fn fits(self, at: usize, circuit: &Circuit) -> Result<(), Error> {
        match circuit.is_full() {
            true => Err(Error::new(self.place(at), "numbers or formulas that are too large", "smaller ones")),
            false => Ok(()),
        }
    }
    /// A piece of it in quotes, shortened.
    fn shown(self, start: usize, end: usize) -> String {
        const LONGEST: usize = 40;
        let text = String::from_utf8_lossy(&self.text[start..end]);
        match text.char_indices().nth(LONGEST) {
            Some((cut, _)) => format!("`{}...`", &text[..cut]),
            None => format!("`{text}`"),
        }
    }
}

struct Stacks<'l> {
    line: Line<'l>,
    tokens: &'l [Token],
    operands: Vec<Operand>,
    operators: Vec<Operator>,
}

impl Stacks<'_> {
    /// Do what binds more tightly than the operator that comes next.
    fn apply_tighter_than(&mut self, next: Operator, circuit: &mut Circuit) -> Result<(), Error> {
        let (precedence, is_right) = next.precedence();
        while let Some(&top) = self.operators.last() {
            if top.sign == "(" || top.sign == "signed" {
                break;
            }
            let (other, _) = top.precedence();
            if other == COMPARISON && precedence == COMPARISON {
                let expected = "parentheses around one of two comparisons in a row";
                return Err(self.line.error(self.tokens[next.at].start, expected));
            }
            if other < precedence || other == precedence && is_right {
                break;
            }
            self.operators.pop();
            self.apply(top, circuit)?;
        }
        Ok(())
    }
    /// A closing parenthesis.
    fn close(&mut self, at: usize, circuit: &mut Circuit) -> Result<(), Error> {
        loop {
            match self.operators.pop() {
                None => return Err(self.line.error(self.tokens[at].start, "nothing that was not opened")),
                Some(open) if open.sign == "(" => {
                    let operand = self.operands.last_mut().expect("there is something in parentheses");
                    (operand.first, operand.last) = (open.at, at);
                    return match self.operators.pop_if(|o| o.sign == "signed") {
                        Some(signed) => self.apply(signed, circuit),
                        None => Ok(()),
                    };
                }
                Some(operator) => self.apply(operator, circuit)?,
            }
        }
    }
    fn finish(mut self, circuit: &mut Circuit) -> Result<Value, Error> {
        while let Some(operator) = self.operators.pop() {
            if operator.sign == "(" {
                let expected = format!("`)` for the `(` in column {}", self.tokens[operator.at].start + 1);
                return Err(self.line.error(self.tokens[self.tokens.len() - 1].end, expected));
            }
            self.apply(operator, circuit)?;
        }
        Ok(self.operands.pop().expect("a formula has a value").value)
    }
    fn pop(&mut self) -> Operand {
        self.operands.pop().expect("an operator is applied when its operands are there")
    }
    fn apply(&mut self, operator: Operator, circuit: &mut Circuit) -> Result<(), Error> {
        let Operator { sign, is_prefix, at } = operator;
        let right = self.pop();
        let last = right.last;
        let operand = if is_prefix {
            let value = match sign {
                "!" => Value::Bit(!bit(self.line, self.tokens, &right)?),
                "-" => {
                    Value::Sum(right.value.terms().into_iter().map(|(sign, word)| (!sign, word)).collect())
                }
                _ => self.signed(at, right)?,
            };
            Operand { value, first: at, last }
        } else {
            let left = self.pop();
            let first = left.first;
            Operand { value: self.binary(sign, left, right, circuit)?, first, last }
        };
        self.operands.push(operand);
        self.line.fits(self.tokens[at].start, circuit)
    }
    fn signed(&self, at: usize, operand: Operand) -> Result<Value, Error> {
        let (first, last) = (&self.tokens[operand.first], &self.tokens[operand.last]);
        match operand.value {
            Value::Word(word) if first.what == What::Sign("(") && word.bits.iter().any(|b| !b.is_const()) => {
                Ok(Value::Word(Word { signed: true, ..word }))
            }
            _ => {
                let found = self.line.shown(self.tokens[at].start, last.end);
                let expected = "a vector of signals in parentheses, as in signed(x) or signed(x[7:0])";
                Err(Error::new(self.line.place(self.tokens[at].start), found, expected))
            }
        }
    }
    fn binary(
        &self,
        sign: &str,
        left: Operand,
        right: Operand,
        circuit: &mut Circuit,
    ) -> Result<Value, Error> {
        if let "+" | "-" = sign {
            let mut terms = left.value.terms();
            terms.extend(
                right.value.terms().into_iter().map(|(negative, word)| (negative ^ (sign == "-"), word)),
            );
            return Ok(Value::Sum(terms));
        }
        if let "=" | "!=" | "<" | "<=" | ">" | ">=" = sign {
            let (a, b) = (left.value.word(circuit), right.value.word(circuit));
            return Ok(Value::Bit(match sign {
                "=" => a.equals(&b, circuit),
                "!=" => !a.equals(&b, circuit),
                "<" => a.less(&b, circuit),
                "<=" => !b.less(&a, circuit),
                ">" => b.less(&a, circuit),
                _ => !a.less(&b, circuit),
            }));
        }
        let [a, b] = [&left, &right].map(|operand| bit(self.line, self.tokens, operand));
        let (a, b, aig) = (a?, b?, &mut circuit.aig);
        Ok(Value::Bit(match sign {
            "&" => aig.and(a, b),
            "|" => aig.or(a, b),
            "^" => aig.xor(a, b),
            "->" => aig.implies(a, b),
            _ => aig.iff(a, b),
        }))
    }
}

/// The operand as something that is true or false.
fn bit(line: Line<'_>, tokens: &[Token], operand: &Operand) -> Result<Lit, Error> {
    let (start, end) = (tokens[operand.first].start, tokens[operand.last].end);
    match &operand.value {
        Value::Bit(lit) => Ok(*lit),
        Value::Word(word) if !word.signed && word.bits.len() <= 1 => {
            Ok(word.bits.first().copied().unwrap_or(Lit::FALSE))
        }
        Value::Word(word) => {
            let text = line.shown(start, end);
            let bare = text.trim_matches('`');
            let found = format!("{text}, a number of {} bits", word.bits.len());
            let expected =
                format!("a single bit or a formula; compare it, as in {bare} != 0, or take one of its bits");
            Err(Error::new(line.place(start), found, expected))
        }
        Value::Sum(_) => {
            let found = format!("{}, a number", line.shown(start, end));
            Err(Error::new(line.place(start), found, "a formula; compare it with another number"))
        }
    }
}
