//! Words and signs of a line.

use super::words::MOST_BITS;
use crate::error::{Error, Place};
use indubit_term::{BigInt, BigRational, BigUint, Value};

/// What the lemmas are about, which decides what can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Bits,
    /// With all numbers, products, `if`, functions, and names in bars where SMT-LIB has them. `/` is division and in no name.
    Words,
}

/// One of them, with the bytes of the line it stands at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub what: What,
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A name, with `[3]` behind it if that is there; `x[7:4]` is `x` with a range.
    Name { name: Vec<u8>, range: Option<(u32, u32)> },
    /// `@l3`: a signal by its section and position.
    Position(char, usize),
    /// A number, least significant bit first, without zeros in front.
    Number(Vec<bool>),
    /// A number in the language of words: an integer or a rational one.
    Exact(Value),
    /// A name with a parenthesis behind it.
    Function(Vec<u8>),
    /// An expression of SMT-LIB: `(or a b)`.
    Expression,
    /// A word that cannot be a name without quotes.
    Keyword(&'static str),
    /// An operator or a parenthesis.
    Sign(&'static str),
}

const KEYWORDS: &[&str] = &["not", "and", "or", "xor", "true", "false", "signed", "def"];
/// More of them over words.
const CHOICE: &[&str] = &["if", "then", "else"];
/// Operators over words that are names where an operand is expected.
const DIVISIONS: &[&str] = &["div", "mod"];
/// Longer numbers than these are refused over words.
const MOST_DIGITS: usize = 1000;

/// Longer ones first.
const SIGNS: &[&str] = &[
    "<->", "->", "=>", "<=", ">=", "!=", ":=", "==", "&&", "||", "=", "<", ">", "!", "&", "|", "^", "+", "-",
    "(", ")", ":", ",",
];
const PRODUCTS: &[&str] = &["*", "/"];

impl Language {
    /// Can this byte be in a name without quotes? All beyond ASCII can.
    fn is_plain(self, byte: u8) -> bool {
        byte.is_ascii_alphanumeric()
            || byte >= 0x80
            || b"_.$\\".contains(&byte)
            || byte == b'/' && self == Language::Bits
    }
    fn keyword(self, word: &[u8]) -> Option<&'static str> {
        let more = if self == Language::Words { CHOICE } else { &[] };
        KEYWORDS.iter().chain(more).find(|k| k.as_bytes() == word).copied()
    }
    fn sign(self, text: &[u8]) -> Option<&'static str> {
        let more = if self == Language::Words { PRODUCTS } else { &[] };
        SIGNS.iter().chain(more).find(|sign| text.starts_with(sign.as_bytes())).copied()
    }
}

/// A name in a lemma about words: as it stands if it can, else in bars, as SMT-LIB has it, or in quotes if it cannot be a symbol.
pub(crate) fn spell_word(name: &str) -> String {
    let starts_well = name.bytes().next().is_some_and(|b| !b.is_ascii_digit());
    let is_plain = |b| b < 0x80 && Language::Words.is_plain(b);
    let is_word =
        starts_well && name.bytes().all(is_plain) && Language::Words.keyword(name.as_bytes()).is_none();
    match name {
        _ if is_word && !DIVISIONS.contains(&name) => name.to_owned(),
        _ if name.contains(|c: char| "|\\".contains(c) || c.is_control()) => quote(name.as_bytes()),
        _ => format!("|{name}|"),
    }
}

/// A name as it is written: as it stands if it can, else in quotes.
pub(super) fn spell(name: &[u8]) -> String {
    let body = name.iter().take_while(|&&b| Language::Bits.is_plain(b)).count();
    let is_word = body > 0 && !name[0].is_ascii_digit() && Language::Bits.keyword(name).is_none();
    if let (true, Ok(text)) = (is_word && indices(&name[body..]) == name.len() - body, str::from_utf8(name)) {
        return text.to_string();
    }
    quote(name)
}

fn quote(name: &[u8]) -> String {
    let mut text = String::from("\"");
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' | '\\' => text.extend(['\\', c]),
                c if c.is_control() => {
                    c.to_string().bytes().for_each(|b| text.push_str(&format!("\\x{b:02x}")));
                }
                c => text.push(c),
            }
        }
        chunk.invalid().iter().for_each(|b| text.push_str(&format!("\\x{b:02x}")));
    }
    text + "\""
}

/// The length of `[3][0]` at the beginning of `text`.
fn indices(text: &[u8]) -> usize {
    let mut length = 0;
    while let Some(rest) = text[length..].strip_prefix(b"[") {
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 || rest.get(digits) != Some(&b']') {
            break;
        }
        length += digits + 2;
    }
    length
}

/// The tokens of a line, without its comment.
pub(super) fn tokens(line: &[u8], number: usize, language: Language) -> Result<Vec<Token>, Error> {
    let mut lexer = Lexer { line, number, language, at: 0, wants_operand: true };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next()? {
        lexer.wants_operand = match token.what {
            What::Name { .. } | What::Position(..) | What::Number(_) | What::Exact(_) => false,
            What::Keyword("true" | "false") | What::Sign(")") | What::Expression => false,
            What::Keyword(_) | What::Sign(_) | What::Function(_) => true,
        };
        tokens.push(token);
    }
    Ok(tokens)
}

struct Lexer<'l> {
    line: &'l [u8],
    number: usize,
    language: Language,
    at: usize,
    /// Is a name or a number expected, and no operator? Over words `|` begins a name then.
    wants_operand: bool,
}

impl Lexer<'_> {
    fn error(&self, at: usize, expected: &str) -> Error {
        let place = Place::Line { line: self.number, column: at + 1 };
        Error::new(place, crate::error::show(self.line.get(at..).unwrap_or_default()), expected)
    }
    fn rest(&self) -> &[u8] {
        &self.line[self.at..]
    }
    fn next(&mut self) -> Result<Option<Token>, Error> {
        self.at += self.rest().iter().take_while(|b| b.is_ascii_whitespace()).count();
        let (start, rest) = (self.at, self.rest());
        let what = match rest.first() {
            None | Some(b'#') => return Ok(None),
            _ if rest.starts_with(b"--") => return Ok(None),
            Some(b'"' | b'`') => {
                let name = self.quoted()?;
                self.with_range(name)?
            }
            Some(b'|') if self.is_words() && self.wants_operand => {
                let name = self.in_bars()?;
                self.with_range(name)?
            }
            Some(b'(') if self.is_words() && self.wants_operand && is_expression(rest) => {
                self.expression()?
            }
            Some(b'@') if !self.is_words() => self.position()?,
            Some(b) if b.is_ascii_digit() => self.numeral()?,
            Some(&b) if self.language.is_plain(b) => self.word()?,
            _ => match self.language.sign(rest) {
                Some(sign) => {
                    self.at += sign.len();
                    What::Sign(sign)
                }
                None => {
                    let expected = match self.language {
                        Language::Bits => {
                            "a formula; a name with other characters than letters, digits \
                             and _ . $ / \\ is written in quotes, as in \"odd name\""
                        }
                        Language::Words => {
                            "a formula; a name with other characters than letters, digits \
                             and _ . $ \\ is written in bars or quotes, as in |odd name|"
                        }
                    };
                    return Err(self.error(start, expected));
                }
            },
        };
        Ok(Some(Token { what, start, end: self.at }))
    }
    fn is_words(&self) -> bool {
        self.language == Language::Words
    }
    fn word(&mut self) -> Result<What, Error> {
        let length = self.rest().iter().take_while(|&&b| self.language.is_plain(b)).count();
        let name = self.rest()[..length].to_vec();
        self.at += length;
        if let Some(keyword) = self.language.keyword(&name) {
            return Ok(What::Keyword(keyword));
        }
        if self.is_words() {
            let division = DIVISIONS.iter().find(|d| d.as_bytes() == name && !self.wants_operand);
            if let Some(sign) = division {
                return Ok(What::Sign(sign));
            }
            if self.wants_operand && self.rest().trim_ascii_start().starts_with(b"(") {
                return Ok(What::Function(name));
            }
        }
        self.with_range(name)
    }
    /// Up to the parenthesis that closes what is open here.
    fn expression(&mut self) -> Result<What, Error> {
        let (mut n_open, mut quote) = (0, None);
        for (i, &byte) in self.rest().iter().enumerate() {
            match (quote, byte) {
                (Some(open), _) => quote = (byte != open).then_some(open),
                (None, b'|' | b'"') => quote = Some(byte),
                (None, b'(') => n_open += 1,
                (None, b')') => n_open -= 1,
                _ => (),
            }
            if n_open == 0 {
                self.at += i + 1;
                return Ok(What::Expression);
            }
        }
        Err(self.error(self.at, "a `)` that closes it in the same line"))
    }
    /// `|any name|`.
    fn in_bars(&mut self) -> Result<Vec<u8>, Error> {
        let name = self.rest()[1..].split(|&b| b == b'|').next().unwrap_or_default().to_vec();
        if self.at + name.len() + 1 >= self.line.len() {
            return Err(self.error(self.at, "a name that ends with `|` in the same line"));
        }
        self.at += name.len() + 2;
        Ok(name)
    }
    /// What is behind a name: indices belong to it, a range does not.
    fn with_range(&mut self, mut name: Vec<u8>) -> Result<What, Error> {
        let length = indices(self.rest());
        name.extend_from_slice(&self.rest()[..length]);
        self.at += length;
        if !self.rest().starts_with(b"[") {
            return Ok(What::Name { name, range: None });
        }
        let inside = self.rest()[1..].split(|&b| b == b']').next().unwrap_or_default();
        let range = str::from_utf8(inside).ok().and_then(|text| {
            let (high, low) = text.split_once(':')?;
            Some((high.trim().parse::<u32>().ok()?, low.trim().parse::<u32>().ok()?))
        });
        match range {
            Some((high, low)) if high >= low && self.rest().get(inside.len() + 1) == Some(&b']') => {
                self.at += inside.len() + 2;
                Ok(What::Name { name, range: Some((high, low)) })
            }
            _ => Err(self.error(self.at, "an index or a range, as in x[3] or x[7:0]")),
        }
    }
    /// `"any name"` or `` `any name` ``, with `\"`, `\\` and `\x1b` for what cannot stand there.
    fn quoted(&mut self) -> Result<Vec<u8>, Error> {
        let (start, quote) = (self.at, self.line[self.at]);
        let mut name = Vec::new();
        self.at += 1;
        loop {
            match self.rest() {
                [] => return Err(self.error(start, "a closing quote in the same line")),
                [b'\\', b'x', high, low, ..] => {
                    let digit = |b: u8| char::from(b).to_digit(16);
                    let (Some(high), Some(low)) = (digit(*high), digit(*low)) else {
                        return Err(self.error(self.at, "two hexadecimal digits after \\x"));
                    };
                    name.push((16 * high + low) as u8);
                    self.at += 4;
                }
                [b'\\', escaped @ (b'"' | b'`' | b'\\'), ..] => {
                    name.push(*escaped);
                    self.at += 2;
                }
                [b'\\', ..] => {
                    return Err(self.error(self.at, "\\\\ for a backslash within quotes"));
                }
                [b, ..] if *b == quote => {
                    self.at += 1;
                    return Ok(name);
                }
                [b, ..] => {
                    name.push(*b);
                    self.at += 1;
                }
            }
        }
    }
    fn position(&mut self) -> Result<What, Error> {
        let rest = &self.rest()[1..];
        let letter = rest.first().copied().filter(|b| b"iolbc".contains(b));
        let digits = rest.iter().skip(1).take_while(|b| b.is_ascii_digit()).count();
        let index = letter.and_then(|_| str::from_utf8(&rest[1..=digits]).ok()?.parse().ok());
        match (letter, index) {
            (Some(letter), Some(index)) => {
                self.at += digits + 2;
                Ok(What::Position(letter.into(), index))
            }
            _ => Err(self.error(
                self.at,
                "a signal by its position: @i0 (input), @l0 (latch), @o0 (output), @b0 (bad), @c0 (constraint)",
            )),
        }
    }
    fn numeral(&mut self) -> Result<What, Error> {
        let start = self.at;
        let length = self.rest().iter().take_while(|&&b| self.language.is_plain(b)).count();
        let text = self.rest()[..length].to_vec();
        self.at += length;
        if self.is_words() {
            return exact(&text).map(What::Exact).ok_or_else(|| {
                let expected = format!(
                    "a number of at most {MOST_DIGITS} digits, as in 12, 1.5, 0x1f or 0b101; \
                     a name that begins with a digit is written in bars"
                );
                self.error(start, &expected)
            });
        }
        let bits_of = |digits: &[u8], width: usize| -> Option<Vec<bool>> {
            let mut bits = Vec::with_capacity(digits.len() * width);
            for &digit in digits.iter().rev() {
                let value = char::from(digit).to_digit(1 << width)?;
                bits.extend((0..width).map(|i| value >> i & 1 == 1));
            }
            (!digits.is_empty()).then_some(bits)
        };
        let mut bits = match &text[..] {
            [b'0', b'x', digits @ ..] => bits_of(digits, 4),
            [b'0', b'b', digits @ ..] => bits_of(digits, 1),
            digits => {
                let number = str::from_utf8(digits).ok().and_then(|text| text.parse::<u128>().ok());
                number.map(|n| (0..128).map(|i| n >> i & 1 == 1).collect())
            }
        }
        .ok_or_else(|| {
            self.error(
                start,
                "a number, decimal (up to 128 bits), 0x1f or 0b101; a name that begins with a digit is written in quotes",
            )
        })?;
        while bits.last() == Some(&false) {
            bits.pop();
        }
        if bits.len() > MOST_BITS {
            return Err(self.error(start, &format!("a number of at most {MOST_BITS} bits")));
        }
        Ok(What::Number(bits))
    }
}

/// Does it begin as an expression of SMT-LIB does, and no formula in infix: with an operator in front, or its negation?
fn is_expression(text: &[u8]) -> bool {
    let head = |text: &'_ [u8]| {
        let inside = text.strip_prefix(b"(")?.trim_ascii_start();
        let length = inside.iter().take_while(|&&b| b != b'(' && !b.is_ascii_whitespace()).count();
        Some((inside[..length].to_vec(), inside.len() - length))
    };
    let Some((mut word, mut left)) = head(text) else { return false };
    if word == b"not" {
        match head(text[text.len() - left..].trim_ascii_start()) {
            Some(inner) => (word, left) = inner,
            None => return false,
        }
    }
    match &word[..] {
        b"let" => text[text.len() - left..].trim_ascii_start().starts_with(b"(("),
        b"and" | b"or" | b"=" | b"=>" | b"<" | b"<=" | b">" | b">=" => true,
        _ => false,
    }
}

/// A number in one of its notations.
fn exact(text: &[u8]) -> Option<Value> {
    let text = str::from_utf8(text).ok().filter(|text| text.len() <= MOST_DIGITS)?;
    let radix = |digits: &str, radix| {
        let value =
            BigUint::parse_bytes(digits.as_bytes(), radix).filter(|_| !digits.contains(['_', '+']))?;
        Some(Value::Int(value.into()))
    };
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0b") {
        return radix(digits, 2);
    }
    match text.split_once('.') {
        None => radix(text, 10),
        Some((whole, fraction)) if !whole.is_empty() && !fraction.is_empty() => {
            let all = radix(&format!("{whole}{fraction}"), 10)?;
            let exponent = u32::try_from(fraction.len()).ok()?;
            let number = BigRational::new(all.as_int()?.clone(), BigInt::from(10).pow(exponent));
            Some(Value::Real(number))
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> What {
        What::Name { name: text.into(), range: None }
    }

    fn whats(line: &str) -> Vec<What> {
        tokens(line.as_bytes(), 1, Language::Bits).unwrap().into_iter().map(|t| t.what).collect()
    }

    #[test]
    fn names_numbers_and_signs() {
        use What::{Keyword, Name, Number, Position, Sign};
        assert_eq!(
            whats("a<->b[3][0] -> top.u/x$1  # comment"),
            [name("a"), Sign("<->"), name("b[3][0]"), Sign("->"), name("top.u/x$1")]
        );
        assert_eq!(whats("x[7:4]-- and so on"), [Name { name: b"x".into(), range: Some((7, 4)) }]);
        assert_eq!(
            whats("not 5 0x0a 0"),
            [
                Keyword("not"),
                Number(vec![true, false, true]),
                Number(vec![false, true, false, true]),
                Number(vec![])
            ]
        );
        assert_eq!(
            whats("@l12 `a b`[1] \"\\\"\\xff\""),
            [Position('l', 12), name("a b[1]"), Name { name: vec![b'"', 0xff], range: None }]
        );
        assert_eq!(whats(" \t\r"), []);
    }

    #[test]
    fn names_are_spelled_so_that_they_are_read_back() {
        for text in ["a", "x[3]", "m[3][0]", "d e", "not", "7up", "", "x[7:0]", "a<3>", "ä", "a\"b\\", "x[]"]
        {
            assert_eq!(whats(&spell(text.as_bytes())), [name(text)], "{text}");
        }
        let odd = [0xff, b'a', 0x1b, b'\n', 0xc2];
        assert_eq!(whats(&spell(&odd)), [What::Name { name: odd.to_vec(), range: None }]);
        assert_eq!(["a.b[0]", "a b", "and"].map(|n| spell(n.as_bytes())), ["a.b[0]", "\"a b\"", "\"and\""]);
    }

    #[test]
    fn what_is_no_token_has_a_place() {
        let message = |line: &str| tokens(line.as_bytes(), 3, Language::Bits).unwrap_err().to_string();
        assert!(message("a & ?").starts_with("line 3, column 5: found `?`, expected a formula; a name with"));
        assert!(message("x[3:5]").contains("column 2: found `[3:5]`, expected an index or a range"));
        assert!(message("x[7:").contains("an index or a range"));
        assert!(message("\"abc").contains("expected a closing quote"));
        assert!(message("@q1").contains("@i0 (input)"));
        assert!(message("@l").contains("@i0 (input)"));
        assert!(message("12ab").contains("in quotes"));
        assert!(message(&format!("0x{}", "f".repeat(5000))).contains("at most 4096 bits"));
        assert!(message("0x").contains("a number"));
        assert!(message(&"9".repeat(40)).contains("128 bits"));
        assert!(message("\"\\q\"").contains("backslash"));
        assert!(message("\"\\xg0\"").contains("hexadecimal"));
    }
}
