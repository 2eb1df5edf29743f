//! Lines of BTOR2: words, and where they are.

use crate::error::show;
use crate::{Error, Place};

/// A word of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub bytes: &'t [u8],
    place: Place,
}

impl<'t> Word<'t> {
    /// It is something else than expected here.
    pub fn error(&self, expected: impl Into<String>) -> Error {
        Error::new(self.place, show(self.bytes), expected)
    }
    /// What it stands for is not what is expected here.
    pub fn error_about(&self, found: impl Into<String>, expected: impl Into<String>) -> Error {
        Error::new(self.place, found, expected)
    }
    /// As text, if it is.
    pub fn text(&self) -> &'t str {
        std::str::from_utf8(self.bytes).unwrap_or_default()
    }
    /// A number that is not negative.
    pub fn number<N: std::str::FromStr>(&self, expected: &str) -> Result<N, Error> {
        let is_number = self.bytes.iter().all(u8::is_ascii_digit);
        let number = is_number.then(|| self.text().parse().ok()).flatten();
        number.ok_or_else(|| self.error(expected))
    }
}

/// A line with words.
#[derive(Clone, Debug)]
pub(super) struct Line<'t> {
    words: std::vec::IntoIter<Word<'t>>,
    end: Place,
    /// What stands behind `;`.
    pub comment: Option<&'t [u8]>,
}

impl<'t> Line<'t> {
    /// Line number `line`, from 1.
    pub fn new(line: usize, bytes: &'t [u8]) -> Line<'t> {
        let end = bytes.iter().position(|&b| b == b';').unwrap_or(bytes.len());
        let mut words = Vec::new();
        let mut from = None;
        for at in 0..=end {
            match (from, at < end && !bytes[at].is_ascii_whitespace()) {
                (None, true) => from = Some(at),
                (Some(start), false) => {
                    let place = Place::Line { line, column: start + 1 };
                    words.push(Word { bytes: &bytes[start..at], place });
                    from = None;
                }
                _ => (),
            }
        }
        let comment = bytes.get(end + 1..).map(<[u8]>::trim_ascii).filter(|comment| !comment.is_empty());
        Line { words: words.into_iter(), end: Place::Line { line, column: end + 1 }, comment }
    }
    /// The next word, if there is one.
    pub fn next(&mut self) -> Option<Word<'t>> {
        self.words.next()
    }
    /// The next word, which has to be there.
    pub fn word(&mut self, expected: &str) -> Result<Word<'t>, Error> {
        let end = self.end;
        self.next().ok_or_else(|| Error::new(end, "the end of the line", expected))
    }
    /// How many words are left.
    pub fn n_left(&self) -> usize {
        self.words.len()
    }
    /// The symbol at its end, and nothing else.
    pub fn symbol(&mut self) -> Result<Option<&'t [u8]>, Error> {
        let symbol = self.next();
        match self.next() {
            Some(more) => Err(more.error("the end of the line, or `;` and a comment")),
            None => Ok(symbol.map(|word| word.bytes)),
        }
    }
}
