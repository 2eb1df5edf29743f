//! Formulas as circuits, over the names of a model of bits.

use super::lexer::{Language, What};
use super::names::{Meaning, Names, Unclear};
use super::parser::{Piece, Target};
use super::sum::Sum;
use super::words::{Circuit, Word, sum};
use crate::Error;
use indubit_logic::Lit;

/// What a part of a formula stands for.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Bit(Lit),
    Word(Word),
    Sum(Sum<Word>),
}

impl Value {
    /// It as a number.
    fn word(self, circuit: &mut Circuit) -> Word {
        match self {
            Value::Bit(lit) => Word::new([lit]),
            Value::Word(word) => word,
            Value::Sum(terms) => sum(&terms.items(), circuit),
        }
    }
    fn terms(self) -> Sum<Word> {
        match self {
            Value::Bit(lit) => Sum::new(Word::new([lit])),
            Value::Word(word) => Sum::new(word),
            Value::Sum(terms) => terms,
        }
    }
}

/// The circuit that grows, and the names of what it is about.
pub(super) struct Bits<'m> {
    names: &'m Names<'m>,
    pub circuit: Circuit,
}

impl<'m> Bits<'m> {
    pub fn new(names: &'m Names<'m>, circuit: Circuit) -> Bits<'m> {
        Bits { names, circuit }
    }
}

impl Target for Bits<'_> {
    type Value = Value;
    type Formula = Lit;
    const LANGUAGE: Language = Language::Bits;
    const OPERATORS: &'static str = "& | ^ -> <-> = != < <= > >= + -";
    const OPERANDS: &'static str = "a signal, a number or a formula";

    fn begin(&mut self, _: Option<Piece<'_, &[u8]>>, _: Piece<'_, ()>) -> Result<(), Error> {
        Ok(())
    }
    fn check_definition(&self, _: Piece<'_, ()>) -> Result<(), Error> {
        Ok(())
    }
    fn shared(&mut self, value: Piece<'_, Value>) -> Result<Value, Error> {
        Ok(match value.value {
            sum @ Value::Sum(_) => Value::Word(sum.word(&mut self.circuit)),
            value => value,
        })
    }
    fn finish(&mut self, formula: Piece<'_, Value>) -> Result<Lit, Error> {
        bit(&formula)
    }

    fn operand(&mut self, token: Piece<'_, &What>) -> Result<Option<Value>, Error> {
        Ok(Some(match token.value {
            What::Number(bits) => Value::Word(Word::new(bits.iter().map(|&b| Lit::constant(b)))),
            What::Keyword("true") => Value::Bit(Lit::TRUE),
            What::Keyword("false") => Value::Bit(Lit::FALSE),
            What::Position(letter, index) => match self.names.at(*letter, *index) {
                Some(lit) => Value::Bit(lit),
                None => return Err(token.line.error(token.start, "a position that the model has")),
            },
            What::Name { name, range } => match self.names.find(name, *range) {
                Ok(Meaning::Bit(lit)) => Value::Bit(lit),
                Ok(Meaning::Bits(bits)) => Value::Word(Word::new(bits)),
                Err(unclear) => return Err(unknown(token, unclear)),
            },
            _ => return Ok(None),
        }))
    }
    fn prefix(&mut self, sign: &str, operand: Piece<'_, Value>) -> Result<Value, Error> {
        Ok(match sign {
            "!" => Value::Bit(!bit(&operand)?),
            _ => Value::Sum(operand.value.terms().negated()),
        })
    }
    fn binary(
        &mut self,
        sign: Piece<'_, &str>,
        left: Piece<'_, Value>,
        right: Piece<'_, Value>,
    ) -> Result<Value, Error> {
        let circuit = &mut self.circuit;
        match sign.value {
            "+" => return Ok(Value::Sum(left.value.terms().plus(right.value.terms()))),
            "-" => return Ok(Value::Sum(left.value.terms().plus(right.value.terms().negated()))),
            "=" | "!=" | "<" | "<=" | ">" | ">=" => {
                let (a, b) = (left.value.word(circuit), right.value.word(circuit));
                return Ok(Value::Bit(match sign.value {
                    "=" => a.equals(&b, circuit),
                    "!=" => !a.equals(&b, circuit),
                    "<" => a.less(&b, circuit),
                    "<=" => !b.less(&a, circuit),
                    ">" => b.less(&a, circuit),
                    _ => !a.less(&b, circuit),
                }));
            }
            _ => (),
        }
        let (a, b, aig) = (bit(&left)?, bit(&right)?, &mut circuit.aig);
        Ok(Value::Bit(match sign.value {
            "&" => aig.and(a, b),
            "|" => aig.or(a, b),
            "^" => aig.xor(a, b),
            "->" => aig.implies(a, b),
            _ => aig.iff(a, b),
        }))
    }
    /// There is only `signed`.
    fn call(&mut self, name: Piece<'_, &[u8]>, args: Vec<Piece<'_, Value>>) -> Result<Value, Error> {
        match &args[..] {
            [Piece { value: Value::Word(word), .. }]
                if args[0].is_in_parentheses() && word.bits.iter().any(|b| !b.is_const()) =>
            {
                Ok(Value::Word(Word { signed: true, ..word.clone() }))
            }
            _ => {
                let expected = "a vector of signals in parentheses, as in signed(x) or signed(x[7:0])";
                Err(name.error(name.shown(), expected))
            }
        }
    }
    fn is_full(&self) -> bool {
        self.circuit.is_full()
    }
}

fn unknown(token: Piece<'_, &What>, unclear: Unclear) -> Error {
    let (found, expected) = unclear.told(token.shown(), "the name of a signal or a definition");
    token.error(found, expected)
}

/// The operand as something that is true or false.
fn bit(operand: &Piece<'_, Value>) -> Result<Lit, Error> {
    match &operand.value {
        Value::Bit(lit) => Ok(*lit),
        Value::Word(word) if !word.signed && word.bits.len() <= 1 => {
            Ok(word.bits.first().copied().unwrap_or(Lit::FALSE))
        }
        Value::Word(word) => {
            let text = operand.shown();
            let bare = text.trim_matches('`');
            let found = format!("{text}, a number of {} bits", word.bits.len());
            let expected =
                format!("a single bit or a formula; compare it, as in {bare} != 0, or take one of its bits");
            Err(operand.error(found, expected))
        }
        Value::Sum(_) => {
            let found = format!("{}, a number", operand.shown());
            Err(operand.error(found, "a formula; compare it with another number"))
        }
    }
}
