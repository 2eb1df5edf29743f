//! The words of SMV.
//!
//! A name in quotes can have anything in it, and is another one than that without quotes, as in NuSMV. One without goes on through `$`, `#`, `-` and `\`, so `x-1` is one name and `x - 1` a difference; two dashes end it, for they begin a comment. Which words are
//! reserved is known here; names of functions (`count`, `toint`) are words like others, which mean something before a parenthesis only.

use super::slips;
use crate::error::show;
use crate::{Error, Place};
use indubit_term::{BigInt, BigRational, BigUint};
use std::sync::Arc;

/// No number of a file has more digits.
const MOST_DIGITS: usize = 4000;

/// No word has more bits.
pub(super) const MOST_BITS: u32 = 4096;

/// What stands at a place.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A name that is not reserved.
    Name(Arc<str>),
    /// A reserved word.
    Word(&'static str),
    /// A sign.
    Sign(&'static str),
    Int(BigInt),
    Real(BigRational),
    /// `0ud4_7`.
    Bits {
        signed: bool,
        width: u32,
        value: BigUint,
    },
    End,
}

/// A token with where it begins and ends.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub token: Token,
    pub start: usize,
    pub end: usize,
}

#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "MODULE", "DEFINE", "MDEFINE", "CONSTANTS", "VAR", "IVAR", "FROZENVAR", "INIT", "TRANS", "INVAR", "SPEC", "CTLSPEC", "LTLSPEC", "PSLSPEC", "COMPUTE",
    "NAME", "INVARSPEC", "FAIRNESS", "JUSTICE", "COMPASSION", "ISA", "ASSIGN", "MIRROR", "PRED", "PREDICATES", "PARSYNTH", "CONSTRAINT", "SIMPWFF", "CTLWFF",
    "LTLWFF", "PSLWFF", "COMPWFF", "NEXTWFF", "IN", "MIN", "MAX", "process", "array", "of", "boolean", "integer", "real", "clock", "word", "EX", "AX", "EF",
    "AF", "EG", "AG", "E", "F", "O", "G", "H", "X", "Y", "Z", "A", "U", "S", "V", "T", "BU", "EBF", "ABF", "EBG", "ABG", "case", "esac", "mod", "next", "init",
    "union", "in", "xor", "xnor", "self", "TRUE", "FALSE",
];

/// What means something before a parenthesis, or between formulas, and is a name elsewhere; other tools reserve some of these.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    "R", "READ", "WRITE", "CONSTARRAY", "typeof", "abs", "max", "min", "bool", "toint", "count", "floor", "signed", "unsigned", "swconst", "uwconst", "word1", "extend",
    "resize", "sizeof", "running", "Word", "Integer", "noncontinuous", "time", "sin", "cos", "exp", "tan", "ln", "pi", "N", "W", "MODULEWFF", "FUN", "ITYPE", "COMPID",
];

#[rustfmt::skip]
const SIGNS: &[&str] = &[
    "<->", "->", "<<", ">>", "<=", ">=", "!=", ":=", "::", "..", "!", "&", "|", "=", "<", ">", "+", "-", "*", "/", ":", ";", ",", ".", "(", ")", "[", "]",
    "{", "}", "?",
];

/// All tokens of a text, with [`Token::End`] behind the last one.
pub(super) fn tokens(text: &[u8]) -> Result<Vec<Spot>, Error> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip()?;
        let start = lexer.at;
        let token = lexer.token()?;
        let is_end = token == Token::End;
        tokens.push(Spot { token, start, end: lexer.at });
        if is_end {
            return Ok(tokens);
        }
    }
}

/// Where the first word of a text is, behind spaces and comments; `None` if there is none.
pub(super) fn beginning(text: &[u8]) -> Option<usize> {
    let mut lexer = Lexer { text, at: 0 };
    lexer.skip().ok()?;
    Some(lexer.at)
}

/// Is it a name that needs no quotes, and no function?
pub(super) fn is_name(name: &str) -> bool {
    let starts_well = name.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    let plain =
        name.bytes().all(continues) && !name.contains("--") && !name.contains('\\') && !name.ends_with('-');
    starts_well && plain && !RESERVED.contains(&name) && !FUNCTIONS.contains(&name)
}

/// Can it be in a name, behind the first letter?
fn continues(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_$#-\\".contains(&byte)
}

struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
}

impl Lexer<'_> {
    fn rest(&self) -> &[u8] {
        &self.text[self.at..]
    }
    fn error(&self, at: usize, found: impl Into<String>, expected: &str) -> Error {
        Error::new(Place::in_text(self.text, at), found, expected)
    }
    /// Spaces and comments: `-- …` up to the end of the line, `/-- … --/`.
    fn skip(&mut self) -> Result<(), Error> {
        loop {
            let rest = self.rest();
            if rest.first().is_some_and(|b| b.is_ascii_whitespace() || *b == b'\x0b') {
                self.at += 1;
            } else if rest.starts_with(b"/--") {
                let inside = &rest[3..];
                match inside.windows(3).position(|w| w == b"--/") {
                    Some(end) => self.at += 6 + end,
                    None => {
                        return Err(self.error(self.at, "a comment that does not end", "`--/` at its end"));
                    }
                }
            } else if rest.starts_with(b"--") {
                self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            } else {
                return Ok(());
            }
        }
    }
    fn token(&mut self) -> Result<Token, Error> {
        let rest = self.rest();
        let Some(&first) = rest.first() else { return Ok(Token::End) };
        if first.is_ascii_digit() || rest.starts_with(b"f'") || rest.starts_with(b"F'") {
            return self.number();
        }
        if first.is_ascii_alphabetic() || first == b'_' {
            let mut end = rest.iter().position(|&b| !continues(b)).unwrap_or(rest.len());
            if let Some(comment) = rest[..end].windows(2).position(|w| w == b"--") {
                end = comment;
            }
            self.at += end;
            // Names are ASCII.
            let name = String::from_utf8_lossy(&self.text[self.at - end..self.at]);
            return Ok(match RESERVED.iter().find(|word| **word == name) {
                Some(word) => Token::Word(word),
                None => Token::Name(name.into()),
            });
        }
        if first == b'"' {
            // The quotes are a part of the name: `"x"` is not `x`.
            let length =
                rest[1..].iter().position(|&b| b == b'"' || b == b'\n').filter(|&n| rest[1 + n] == b'"');
            let Some(length) = length else {
                return Err(self.error(
                    self.at,
                    "a name in quotes that does not end",
                    "`\"` at its end, in the same line",
                ));
            };
            self.at += length + 2;
            let name = String::from_utf8_lossy(&self.text[self.at - length - 2..self.at]);
            return Ok(Token::Name(name.into()));
        }
        if first == b'@' {
            let expected = "no operator of timed systems: `@F~` and `@O~` are not supported";
            return Err(self.error(self.at, show(rest), expected));
        }
        if first == b'#' {
            let expected = "`--`, which begins a comment; if the line is for a preprocessor such as cpp, run that on the file first";
            return Err(self.error(self.at, show(rest), expected));
        }
        if let Some((theirs, ours)) = slips::sign(rest) {
            return Err(self.error(self.at, format!("`{theirs}`"), ours));
        }
        match SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes())) {
            Some(sign) => {
                self.at += sign.len();
                Ok(Token::Sign(sign))
            }
            None => Err(self.error(self.at, show(&rest[..1]), "a name, a number or an operator of SMV")),
        }
    }
    /// The digits from here on.
    fn digits(&mut self, is_digit: fn(&u8) -> bool) -> Result<String, Error> {
        let start = self.at;
        while self.text.get(self.at).is_some_and(is_digit) {
            self.at += 1;
        }
        if self.at - start > MOST_DIGITS {
            let expected = format!("at most {MOST_DIGITS} digits");
            return Err(self.error(start, format!("a number of {} digits", self.at - start), &expected));
        }
        Ok(String::from_utf8_lossy(&self.text[start..self.at]).into_owned())
    }
    /// A number as it is written, up to what cannot belong to one.
    fn written(&self, start: usize) -> String {
        let rest = &self.text[start..];
        let end = rest.iter().position(|b| !b.is_ascii_alphanumeric() && !b"_'.".contains(b));
        show(&rest[..end.unwrap_or(rest.len())])
    }
    fn number(&mut self) -> Result<Token, Error> {
        let start = self.at;
        if let Some(bits) = self.bits()? {
            return Ok(bits);
        }
        let digit: fn(&u8) -> bool = u8::is_ascii_digit;
        if !self.text[self.at].is_ascii_digit() {
            self.at += 2;
            let numerator = self.digits(digit)?;
            let slash = self.text.get(self.at) == Some(&b'/');
            self.at += usize::from(slash);
            let denominator = if slash { self.digits(digit)? } else { String::new() };
            return match (integer(&numerator), integer(&denominator)) {
                (Some(n), Some(d)) if d != BigInt::from(0) => Ok(Token::Real(BigRational::new(n, d))),
                _ => Err(self.error(start, self.written(start), "a fraction such as f'1/3")),
            };
        }
        let whole = self.digits(digit)?;
        let is_digit_at = |at: usize| self.text.get(at).is_some_and(u8::is_ascii_digit);
        // `0..3` is a range.
        let has_point = self.text.get(self.at) == Some(&b'.') && is_digit_at(self.at + 1);
        let mut fraction = String::new();
        if has_point {
            self.at += 1;
            fraction = self.digits(digit)?;
        }
        let mut exponent = None;
        if matches!(self.text.get(self.at), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.text.get(self.at + 1), Some(b'+' | b'-')));
            let is_digit_at = |at: usize| self.text.get(at).is_some_and(u8::is_ascii_digit);
            if is_digit_at(self.at + 1 + sign) {
                let negative = self.text[self.at + 1] == b'-';
                self.at += 1 + sign;
                let size: i32 = self.digits(digit)?.parse().unwrap_or(i32::MAX);
                if size as usize > MOST_DIGITS {
                    let expected = format!("an exponent of at most {MOST_DIGITS}");
                    return Err(self.error(start, self.written(start), &expected));
                }
                exponent = Some(if negative { -size } else { size });
            }
        }
        if self.text.get(self.at).is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_') {
            return Err(self.error(
                start,
                self.written(start),
                "a number, or a name that begins with a letter",
            ));
        }
        let number = integer(&format!("{whole}{fraction}")).unwrap_or_default();
        if !has_point && exponent.is_none() {
            return Ok(Token::Int(number));
        }
        let ten = BigRational::from_integer(BigInt::from(10));
        let scale = exponent.unwrap_or(0) - fraction.len() as i32;
        let power = (0..scale.unsigned_abs()).fold(BigRational::from_integer(1.into()), |p, _| p * &ten);
        let number = BigRational::from_integer(number);
        Ok(Token::Real(if scale < 0 { number / power } else { number * power }))
    }
    /// `0`, a sign, a base, a width if there is one, `_` and digits.
    fn bits(&mut self) -> Result<Option<Token>, Error> {
        let (start, rest) = (self.at, self.rest());
        let signed = matches!(rest.get(1), Some(b's' | b'S'));
        let prefix = if signed || matches!(rest.get(1), Some(b'u' | b'U')) { 2 } else { 1 };
        let (radix, bits_of_digit) = match (rest.first(), rest.get(prefix)) {
            (Some(b'0'), Some(b'b' | b'B')) => (2, Some(1)),
            (Some(b'0'), Some(b'o' | b'O')) => (8, Some(3)),
            (Some(b'0'), Some(b'd' | b'D')) => (10, None),
            (Some(b'0'), Some(b'h' | b'H')) => (16, Some(4)),
            _ => return Ok(None),
        };
        let bad = |lexer: &Self, expected: &str| Err(lexer.error(start, lexer.written(start), expected));
        self.at += prefix + 1;
        let written = self.digits(u8::is_ascii_digit)?;
        if self.text.get(self.at) != Some(&b'_') {
            return bad(self, "`_` and digits behind the width of a word, as in 0ud8_15");
        }
        let digits = self.digits(|b| b.is_ascii_hexdigit() || *b == b'_')?.replace('_', "");
        let Some(value) = BigUint::parse_bytes(digits.as_bytes(), radix) else {
            return bad(self, &format!("digits of base {radix} in a word"));
        };
        let width = match (&written[..], bits_of_digit) {
            ("", Some(n)) => Some(digits.len() as u32 * n),
            ("", None) => return bad(self, "the width of a decimal word, as in 0ud8_15"),
            (written, _) => written.parse().ok(),
        };
        match width.filter(|&width| (1..=MOST_BITS).contains(&width)) {
            None => bad(self, &format!("a word of 1 to {MOST_BITS} bits")),
            // The most negative number is a minus in front of what has one bit more than fits.
            Some(width) if value.bits() > u64::from(width) => {
                bad(self, &format!("a number that fits into {width} bits"))
            }
            Some(width) => Ok(Some(Token::Bits { signed, width, value })),
        }
    }
}

fn integer(digits: &str) -> Option<BigInt> {
    BigInt::parse_bytes(digits.as_bytes(), 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Token> {
        tokens(text.as_bytes()).unwrap().into_iter().map(|spot| spot.token).collect()
    }
    fn name(name: &str) -> Token {
        Token::Name(name.into())
    }

    #[test]
    fn names_go_on_through_dashes_but_not_through_comments() {
        let expected = [name("x-1"), name("y"), Token::Sign("-"), Token::Int(1.into()), Token::End];
        assert_eq!(read("x-1 y - 1--no\n/-- a\n b --/"), expected);
        assert_eq!(read("a$b#c\\d")[0], name("a$b#c\\d"));
    }

    #[test]
    fn numbers_of_all_kinds() {
        let bits = |signed, width, value: u32| Token::Bits { signed, width, value: value.into() };
        assert_eq!(
            read("0ud8_15 0sb4_1000 0h_7b 0o8_17 0b_0_1")[..5],
            [
                bits(false, 8, 15),
                bits(true, 4, 8),
                bits(false, 8, 0x7b),
                bits(false, 8, 15),
                bits(false, 2, 1)
            ]
        );
        let real = |n: i32, d: i32| Token::Real(BigRational::new(n.into(), d.into()));
        assert_eq!(read("1.5 f'2/6 2e-1")[..3], [real(3, 2), real(1, 3), real(1, 5)]);
        assert_eq!(read("0..3")[..3], [Token::Int(0.into()), Token::Sign(".."), Token::Int(3.into())]);
    }

    #[test]
    fn what_is_no_token_is_an_error() {
        let error = |text: &str| tokens(text.as_bytes()).unwrap_err().to_string();
        assert!(error("x := 3y").contains("column 6: found `3y`, expected a number"));
        assert!(error("0ud2_7").contains("a number that fits into 2 bits"));
        assert!(error("@F~ x").contains("`@F~` and `@O~` are not supported"));
        assert!(error("/-- x").contains("a comment that does not end"));
        assert!(error("0ud_7").contains("the width"));
    }
}
