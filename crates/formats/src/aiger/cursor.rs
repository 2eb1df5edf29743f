//! A position in the bytes of a file, with the few tokens that AIGER has.
//!
//! Lines and columns are counted only when there is an error to report.

use crate::error::{Error, Place, show};
use indubit_logic::Lit;
use std::fmt::Display;

/// Reads a file from front to back.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// From here on, places are byte offsets.
    binary_from: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0, binary_from: usize::MAX }
    }
    /// What has not been read.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }
    pub(crate) fn position(&self) -> usize {
        self.at
    }
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }
    pub(crate) fn advance(&mut self, n_bytes: usize) {
        self.at = (self.at + n_bytes).min(self.bytes.len());
    }
    /// Binary data begins here; places after this one have no lines.
    pub(crate) fn enter_binary(&mut self) {
        self.binary_from = self.at;
    }
    /// How many items to make room for: what the header claims, but no more than could follow at two bytes each.
    pub(crate) fn room_for(&self, claimed: usize) -> usize {
        claimed.min(self.rest().len() / 2)
    }

    /// The next byte, if any, is not the expected one.
    pub(crate) fn unexpected(&self, expected: impl Display) -> Error {
        self.error_at(self.at, show(self.rest()), expected)
    }
    pub(crate) fn error_at(&self, offset: usize, found: impl Display, expected: impl Display) -> Error {
        let place = if offset < self.binary_from {
            Place::in_text(self.bytes, offset)
        } else {
            Place::Byte { offset }
        };
        Error::new(place, found.to_string(), expected.to_string())
    }
    /// The place of a field (from 0, separated by single spaces) on a line (from 1), for errors that show up
    /// after the line has been read.
    pub(crate) fn place_of_field(&self, line: usize, field: usize) -> Place {
        let text = self.bytes.split(|&b| b == b'\n').nth(line - 1).unwrap_or_default();
        let before: usize = text.split(|&b| b == b' ').take(field).map(|word| word.len() + 1).sum();
        Place::Line { line, column: before + 1 }
    }

    /// A number in decimal digits; one that does not fit is the largest there is.
    pub(crate) fn number(&mut self, what: impl Display) -> Result<u64, Error> {
        let start = self.at;
        let mut value = 0u64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = value.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected(what)) } else { Ok(value) }
    }
    /// A literal of a variable up to `max_var`.
    pub(crate) fn literal(&mut self, max_var: u32, what: impl Display) -> Result<Lit, Error> {
        let start = self.at;
        let code = self.number(what)?;
        let largest = 2 * max_var + 1;
        match u32::try_from(code) {
            Ok(code) if code <= largest => Ok(Lit::from_code(code)),
            _ => Err(self.error_at(
                start,
                format_args!("literal {}", String::from_utf8_lossy(&self.bytes[start..self.at])),
                format_args!("at most {largest}, since the header's maximal variable is {max_var}"),
            )),
        }
    }
    /// The single space before the next number on a line.
    pub(crate) fn space(&mut self, what: impl Display) -> Result<(), Error> {
        if self.peek() != Some(b' ') {
            return Err(self.unexpected(format_args!("a space and {what}")));
        }
        self.at += 1;
        Ok(())
    }
    /// Is the cursor at a line end? Its length then, Unix or Windows.
    pub(crate) fn at_line_end(&self) -> Option<usize> {
        match self.rest() {
            [b'\n', ..] => Some(1),
            [b'\r', b'\n', ..] => Some(2),
            _ => None,
        }
    }
    /// The end of the line after `what`.
    pub(crate) fn line_end(&mut self, what: impl Display) -> Result<(), Error> {
        match self.at_line_end() {
            Some(length) => {
                self.at += length;
                Ok(())
            }
            None => Err(self.unexpected(format_args!("the end of the line after {what}"))),
        }
    }
    /// A literal alone on its line.
    pub(crate) fn literal_line(&mut self, max_var: u32, what: impl Display) -> Result<Lit, Error> {
        let lit = self.literal(max_var, &what)?;
        self.line_end(what)?;
        Ok(lit)
    }
    /// A number in groups of seven bits, low ones first; the top bit of a byte says that more follow.
    pub(crate) fn delta(&mut self, what: impl Display) -> Result<u32, Error> {
        let start = self.at;
        let mut value = 0u64;
        for shift in [0, 7, 14, 21, 28] {
            let Some(byte) = self.peek() else {
                return Err(self.unexpected(what));
            };
            self.at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return u32::try_from(value).map_err(|_| self.delta_overflow(start, what));
            }
        }
        Err(self.delta_overflow(start, what))
    }
    fn delta_overflow(&self, start: usize, what: impl Display) -> Error {
        self.error_at(start, "a number of more than 32 bits", what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deltas_as_in_the_format_description() {
        let cases: [(u32, &[u8]); 9] = [
            (0, &[0x00]),
            (1, &[0x01]),
            (127, &[0x7f]),
            (128, &[0x80, 0x01]),
            (258, &[0x82, 0x02]),
            (16383, &[0xff, 0x7f]),
            (16387, &[0x83, 0x80, 0x01]),
            ((1 << 28) + 7, &[0x87, 0x80, 0x80, 0x80, 0x01]),
            (u32::MAX, &[0xff, 0xff, 0xff, 0xff, 0x0f]),
        ];
        for (value, bytes) in cases {
            assert_eq!(Cursor::new(bytes).delta("a delta").unwrap(), value);
        }
        let overflows: [&[u8]; 2] = [&[0xff, 0xff, 0xff, 0xff, 0x10], &[0x80; 9]];
        for bytes in overflows {
            let error = Cursor::new(bytes).delta("a delta").unwrap_err();
            assert_eq!(error.found(), Some("a number of more than 32 bits"));
        }
    }

    #[test]
    fn fields_are_found_again() {
        let cursor = Cursor::new(b"aag 1\n22 333 4\r\n");
        assert_eq!(cursor.place_of_field(2, 2), Place::Line { line: 2, column: 8 });
        assert_eq!(cursor.place_of_field(1, 0), Place::Line { line: 1, column: 1 });
    }

    #[test]
    fn room_is_bounded_by_the_file() {
        assert_eq!(Cursor::new(b"0\n1\n").room_for(usize::MAX), 2);
        assert_eq!(Cursor::new(b"0\n1\n").room_for(1), 1);
    }
}
