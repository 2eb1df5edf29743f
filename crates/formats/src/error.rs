//! What is wrong with a file, and where.
//!
//! Every reader and writer of this crate fails with [`Error`]. Its message names the file, the line and column
//! (text) or the byte offset (binary), what was found there and what was expected instead, in one line.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Where in a file something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole, or no file at all.
    None,
    /// A place in text; both count from 1, and the column counts bytes.
    Line {
        /// The line, from 1.
        line: usize,
        /// The column in bytes, from 1.
        column: usize,
    },
    /// A place in binary data.
    Byte {
        /// The offset from the beginning of the file, from 0.
        offset: usize,
    },
}

impl Place {
    /// The line and column of a byte of a text.
    pub fn in_text(text: &[u8], offset: usize) -> Place {
        let before = &text[..offset.min(text.len())];
        let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |newline| newline + 1);
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        Place::Line { line, column: before.len() - line_start + 1 }
    }
    /// The line, from 1, of a place in text; 0 of any other.
    pub(crate) fn line(self) -> usize {
        match self {
            Place::Line { line, .. } => line,
            Place::None | Place::Byte { .. } => 0,
        }
    }
}

/// Why a file could not be read, understood or written.
///
/// ```
/// use indubit_formats::{Error, Place};
/// let place = Place::Line { line: 2, column: 1 };
/// let error = Error::new(place, "`abc`", "an input literal").with_path("model.aag");
/// assert_eq!(error.to_string(), "model.aag:2:1: found `abc`, expected an input literal");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    path: Option<PathBuf>,
    place: Place,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    /// The contents are not what the format wants.
    Contents { found: String, expected: String },
    /// The file system refused.
    Io(String),
}

impl Error {
    /// The contents are wrong at `place`.
    pub fn new(place: Place, found: impl Into<String>, expected: impl Into<String>) -> Error {
        Error {
            path: None,
            place,
            problem: Problem::Contents { found: found.into(), expected: expected.into() },
        }
    }
    /// A file or directory could not be read or written (`action`: "read", "write").
    pub fn io(path: &Path, action: &str, error: &io::Error) -> Error {
        let reason = match error.kind() {
            io::ErrorKind::NotFound if action == "read" => "there is no such file".into(),
            io::ErrorKind::NotFound => "the directory does not exist".into(),
            io::ErrorKind::IsADirectory => "it is a directory, not a file".into(),
            io::ErrorKind::PermissionDenied => "permission denied".into(),
            _ => error.to_string(),
        };
        let message = format!("cannot {action} this file: {reason}");
        Error { path: Some(path.to_owned()), place: Place::None, problem: Problem::Io(message) }
    }
    /// The error, in this file.
    pub fn with_path(mut self, path: impl Into<PathBuf>) -> Error {
        self.path = Some(path.into());
        self
    }
    /// The file, if it is known.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }
    /// Where in the file.
    pub fn place(&self) -> Place {
        self.place
    }
    /// What was found; `None` if the file could not even be read or written.
    pub fn found(&self) -> Option<&str> {
        match &self.problem {
            Problem::Contents { found, .. } => Some(found),
            Problem::Io(_) => None,
        }
    }
    /// What was expected; `None` if the file could not even be read or written.
    pub fn expected(&self) -> Option<&str> {
        match &self.problem {
            Problem::Contents { expected, .. } => Some(expected),
            Problem::Io(_) => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}:", path.display())?;
        }
        let space = if self.path.is_some() { " " } else { "" };
        match (self.place, &self.path) {
            (Place::None, _) => f.write_str(space)?,
            (Place::Line { line, column }, Some(_)) => write!(f, "{line}:{column}: ")?,
            (Place::Line { line, column }, None) => write!(f, "line {line}, column {column}: ")?,
            (Place::Byte { offset }, _) => write!(f, "{space}byte {offset}: ")?,
        }
        match &self.problem {
            Problem::Contents { found, expected } => write!(f, "found {found}, expected {expected}"),
            Problem::Io(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {}

/// How a piece of input is shown in a message: the rest of its word, shortened, in backquotes.
pub(crate) fn show(bytes: &[u8]) -> String {
    const LONGEST: usize = 24;
    let Some(&first) = bytes.first() else {
        return "the end of the file".into();
    };
    match first {
        b'\n' => return "the end of the line".into(),
        b'\r' if bytes.get(1) == Some(&b'\n') => return "the end of the line".into(),
        b' ' => return "a space".into(),
        b'\t' => return "a tab".into(),
        _ if !first.is_ascii_graphic() => return format!("byte 0x{first:02x}"),
        _ => (),
    }
    let word = bytes.iter().take_while(|b| b.is_ascii_graphic()).count();
    let text: String = bytes[..word.min(LONGEST)].iter().map(|&b| char::from(b)).collect();
    if word > LONGEST { format!("`{text}...`") } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_path_and_place() {
        let at = |place| Error::new(place, "x", "y");
        let line = Place::Line { line: 3, column: 7 };
        assert_eq!(at(line).to_string(), "line 3, column 7: found x, expected y");
        assert_eq!(at(line).with_path("a/b.aag").to_string(), "a/b.aag:3:7: found x, expected y");
        let byte = Place::Byte { offset: 9 };
        assert_eq!(at(byte).to_string(), "byte 9: found x, expected y");
        assert_eq!(at(byte).with_path("b.aig").to_string(), "b.aig: byte 9: found x, expected y");
        assert_eq!(at(Place::None).to_string(), "found x, expected y");
        assert_eq!(at(Place::None).with_path("b").to_string(), "b: found x, expected y");
    }

    #[test]
    fn io_errors_are_sentences() {
        let error = |kind: io::ErrorKind, action| Error::io(Path::new("m"), action, &kind.into()).to_string();
        assert_eq!(error(io::ErrorKind::NotFound, "read"), "m: cannot read this file: there is no such file");
        assert_eq!(
            error(io::ErrorKind::NotFound, "write"),
            "m: cannot write this file: the directory does not exist"
        );
        assert_eq!(
            error(io::ErrorKind::IsADirectory, "read"),
            "m: cannot read this file: it is a directory, not a file"
        );
    }

    #[test]
    fn places_in_text() {
        let text = b"ab\ncd\n";
        assert_eq!(Place::in_text(text, 0), Place::Line { line: 1, column: 1 });
        assert_eq!(Place::in_text(text, 2), Place::Line { line: 1, column: 3 });
        assert_eq!(Place::in_text(text, 4), Place::Line { line: 2, column: 2 });
        assert_eq!(Place::in_text(text, 6), Place::Line { line: 3, column: 1 });
        assert_eq!(Place::in_text(text, 99), Place::Line { line: 3, column: 1 });
    }

    #[test]
    fn input_is_shown_in_full_words() {
        assert_eq!(show(b""), "the end of the file");
        assert_eq!(show(b"\r\nx"), "the end of the line");
        assert_eq!(show(b"12a 3"), "`12a`");
        assert_eq!(show(b"\x80x"), "byte 0x80");
        assert_eq!(show(&[b'7'; 80]), format!("`{}...`", "7".repeat(24)));
    }
}
