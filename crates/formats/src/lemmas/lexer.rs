//! Words and signs of a line.

use super::words::MOST_BITS;
use crate::error::{Error, Place};

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
    /// A word that cannot be a name without quotes.
    Keyword(&'static str),
    /// An operator or a parenthesis.
    Sign(&'static str),
}

pub(super) const KEYWORDS: &[&str] = &["not", "and", "or", "xor", "true", "false", "signed", "def"];

/// Longer ones first.
const SIGNS: &[&str] = &[
    "<->", "->", "=>", "<=", ">=", "!=", ":=", "==", "&&", "||", "=", "<", ">", "!", "&", "|", "^", "+", "-",
    "(", ")", ":", ",",
];

/// Can this byte be in a name without quotes? All beyond ASCII can.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || b"_.$/\\".contains(&byte)
}

/// A name as it is written: as it stands if it can, else in quotes.
pub(super) fn spell(name: &[u8]) -> String {
    let body = name.iter().take_while(|&&b| is_plain(b)).count();
    let is_word = body > 0 && !name[0].is_ascii_digit() && !KEYWORDS.iter().any(|k| k.as_bytes() == name);
    if let (true, Ok(text)) = (is_word && indices(&name[body..]) == name.len() - body, str::from_utf8(name)) {
        return text.to_string();
    }
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
pub(super) fn tokens(line: &[u8], number: usize) -> Result<Vec<Token>, Error> {
    let mut lexer = Lexer { line, number, at: 0 };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Lexer<'l> {
    line: &'l [u8],
    number: usize,
    at: usize,
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
            Some(b'@') => self.position()?,
            Some(b) if b.is_ascii_digit() => self.numeral()?,
            Some(&b) if is_plain(b) => self.word()?,
            _ => match SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes())) {
                Some(sign) => {
                    self.at += sign.len();
                    What::Sign(sign)
                }
                None => {
                    return Err(self.error(
                        start,
                        "a formula; a name with other characters than letters, digits \
                         and _ . $ / \\ is written in quotes, as in \"odd name\"",
                    ));
                }
            },
        };
        Ok(Some(Token { what, start, end: self.at }))
    }
    fn word(&mut self) -> Result<What, Error> {
        let length = self.rest().iter().take_while(|&&b| is_plain(b)).count();
        let name = self.rest()[..length].to_vec();
        self.at += length;
        match KEYWORDS.iter().find(|k| k.as_bytes() == name) {
            Some(keyword) => Ok(What::Keyword(keyword)),
            None => self.with_range(name),
        }
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
        let length = self.rest().iter().take_while(|&&b| is_plain(b)).count();
        let text = self.rest()[..length].to_vec();
        self.at += length;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> What {
        What::Name { name: text.into(), range: None }
    }

    fn whats(line: &str) -> Vec<What> {
        tokens(line.as_bytes(), 1).unwrap().into_iter().map(|t| t.what).collect()
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
        let message = |line: &str| tokens(line.as_bytes(), 3).unwrap_err().to_string();
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
