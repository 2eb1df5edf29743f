//! JSON, as far as maps and witnesses need it: read with a limit to how deep it is nested, and text written as it wants it.

use crate::error::show;
use crate::{Error, Place};
use std::fmt;

/// Deeper than any map, and not too deep for the stack.
const DEEPEST: usize = 64;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// `null`, `true` or `false`: maps have nothing to say by them.
    Word,
    /// As it is written.
    Number(String),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl Value {
    /// What an object has under this name.
    pub fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Object(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }
    pub fn as_str(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }
    pub fn as_list(&self) -> Option<&[Value]> {
        if let Value::List(list) = self { Some(list) } else { None }
    }
    /// It as a number that is not negative.
    pub fn as_u32(&self) -> Option<u32> {
        if let Value::Number(digits) = self { digits.parse().ok() } else { None }
    }
}

impl fmt::Display for Value {
    /// What kind of value it is, for messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Word => f.write_str("a word"),
            Value::Number(digits) => f.write_str(digits),
            Value::Text(text) => write!(f, "{}", Quoted(text)),
            Value::List(list) => write!(f, "a list of {}", list.len()),
            Value::Object(entries) => {
                let names: Vec<&str> = entries.iter().take(8).map(|(name, _)| &name[..]).collect();
                write!(f, "an object with {}", names.join(", "))
            }
        }
    }
}

/// A text as JSON writes it.
pub(super) struct Quoted<'t>(pub &'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if c < ' ' => write!(f, "\\u{:04x}", u32::from(c))?,
                c => write!(f, "{c}")?,
            }
        }
        f.write_str("\"")
    }
}

/// Read a document.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, Error> {
    let mut reader = Reader { bytes, at: 0 };
    let value = reader.value(0)?;
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.error("the end of the file")),
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    fn error(&self, expected: &str) -> Error {
        let found = show(&self.bytes[self.at..]);
        Error::new(
            Place::in_text(self.bytes, self.at),
            found,
            format!("{expected}, for a map of Yosys is JSON"),
        )
    }
    /// What comes behind spaces.
    fn peek(&mut self) -> Option<u8> {
        while self.bytes.get(self.at).is_some_and(|b| b" \t\r\n".contains(b)) {
            self.at += 1;
        }
        self.bytes.get(self.at).copied()
    }
    fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }
    fn expect(&mut self, byte: u8) -> Result<(), Error> {
        if self.takes(byte) { Ok(()) } else { Err(self.error(&format!("`{}`", char::from(byte)))) }
    }
    fn value(&mut self, depth: usize) -> Result<Value, Error> {
        if depth > DEEPEST {
            return Err(self.error("fewer lists in lists"));
        }
        match self.peek() {
            Some(b'"') => self.text().map(Value::Text),
            Some(b'[') => {
                let mut list = Vec::new();
                self.sequence(b'[', b']', |reader| {
                    list.push(reader.value(depth + 1)?);
                    Ok(())
                })?;
                Ok(Value::List(list))
            }
            Some(b'{') => {
                let mut entries = Vec::new();
                self.sequence(b'{', b'}', |reader| {
                    let name = reader.text()?;
                    reader.expect(b':')?;
                    entries.push((name, reader.value(depth + 1)?));
                    Ok(())
                })?;
                Ok(Value::Object(entries))
            }
            Some(b'-' | b'0'..=b'9') => {
                let rest = &self.bytes[self.at..];
                let is_part = |b: &u8| b.is_ascii_digit() || b"+-.eE".contains(b);
                let length = rest.iter().take_while(|b| is_part(b)).count();
                self.at += length;
                Ok(Value::Number(String::from_utf8_lossy(&rest[..length]).into_owned()))
            }
            _ => {
                let rest = &self.bytes[self.at..];
                let word = [&b"null"[..], b"true", b"false"].into_iter().find(|word| rest.starts_with(word));
                let word = word.ok_or_else(|| self.error("a value"))?;
                self.at += word.len();
                Ok(Value::Word)
            }
        }
    }
    /// Elements between brackets, with commas.
    fn sequence(
        &mut self,
        open: u8,
        close: u8,
        mut element: impl FnMut(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.expect(open)?;
        if self.takes(close) {
            return Ok(());
        }
        loop {
            element(self)?;
            if self.takes(close) {
                return Ok(());
            }
            self.expect(b',')?;
        }
    }
    fn text(&mut self) -> Result<String, Error> {
        self.expect(b'"')?;
        let mut text = Vec::new();
        loop {
            let Some(&byte) = self.bytes.get(self.at) else { return Err(self.error("the end of a text")) };
            self.at += 1;
            match byte {
                b'"' => return Ok(String::from_utf8_lossy(&text).into_owned()),
                b'\\' => {
                    let c = self.escaped()?;
                    text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                byte => text.push(byte),
            }
        }
    }
    /// What stands behind a backslash. Halves of a pair that are no characters by themselves become a replacement.
    fn escaped(&mut self) -> Result<char, Error> {
        let Some(&byte) = self.bytes.get(self.at) else { return Err(self.error("an escaped character")) };
        let plain = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let digits = self.bytes.get(self.at + 1..self.at + 5);
                let digits = digits.filter(|d| d.iter().all(u8::is_ascii_hexdigit));
                let code = digits.and_then(|d| u32::from_str_radix(str::from_utf8(d).ok()?, 16).ok());
                let code = code.ok_or_else(|| self.error("four hexadecimal digits"))?;
                self.at += 4;
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return Err(self.error("an escaped character")),
        };
        self.at += 1;
        Ok(plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_read() {
        let value = parse(br#" {"a": [1, -2.5e3, "x\\y\u00e9\n"], "b": {}, "c": [], "d": null} "#).unwrap();
        let list = value.get("a").and_then(Value::as_list).unwrap();
        assert_eq!((list[0].as_u32(), list[1].as_u32()), (Some(1), None));
        assert_eq!(list[2].as_str(), Some("x\\yé\n"));
        assert_eq!((value.get("d"), value.get("e")), (Some(&Value::Word), None));
        assert_eq!(value.get("c").and_then(Value::as_list), Some(&[][..]));
    }

    #[test]
    fn what_is_written_is_read_again() {
        for text in ["", "\\u0.q", "a \"b\"\t\u{1}é"] {
            let written = Quoted(text).to_string();
            assert_eq!(parse(written.as_bytes()).unwrap().as_str(), Some(text));
            assert_eq!(serde_json::from_str::<String>(&written).unwrap(), text);
        }
    }

    #[test]
    fn mistakes_have_a_place() {
        for text in [
            "",
            "{",
            "[1",
            "[1,]",
            "{\"a\" 1}",
            "{1: 2}",
            "\"abc",
            "\"\\x\"",
            "\"\\u12\"",
            "[1] 2",
            "nul",
            "\"\\",
        ] {
            assert!(matches!(parse(text.as_bytes()).unwrap_err().place(), Place::Line { .. }), "{text}");
        }
        let deep = [b'['; 100_000];
        assert!(parse(&deep).unwrap_err().to_string().contains("fewer lists"));
    }
}
