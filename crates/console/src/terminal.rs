//! Writing to the terminal, a file or a pipe.

use crate::exit::{Code, Failure};
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Write to standard output. A reader that went away (`| head`) is no error: the exit code still counts.
pub fn stdout(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::bad_input(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Write a report for programs to standard output: what it is, the exit code, and the details.
pub fn json(format: &str, code: Code, details: Value) -> Result<(), Failure> {
    let mut object = json!({"format": format, "version": 1, "exit_code": code as u8});
    extend(&mut object, details);
    stdout(&format!("{object:#}\n"))
}

/// Add the members of one object to another.
pub fn extend(object: &mut Value, details: Value) {
    if let (Value::Object(object), Value::Object(details)) = (object, details) {
        object.extend(details);
    }
}

/// Write to standard error, if anyone listens.
pub fn stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Colours, or not.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// Colours if standard output is a terminal, unless the user does not want any (<https://no-color.org>).
    pub fn for_stdout() -> Paint {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        let capable = std::env::var_os("TERM").is_none_or(|t| t != "dumb");
        Paint { on: wanted && capable && io::stdout().is_terminal() }
    }
    /// No colours.
    pub fn plain() -> Paint {
        Paint { on: false }
    }
    fn style(self, code: &str, text: &str) -> String {
        if self.on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.into() }
    }
    /// Good news.
    pub fn good(self, text: &str) -> String {
        self.style("1;32", text)
    }
    /// Bad news.
    pub fn bad(self, text: &str) -> String {
        self.style("1;31", text)
    }
    /// Neither: it is not known.
    pub fn open(self, text: &str) -> String {
        self.style("1;33", text)
    }
    /// What stands out.
    pub fn bold(self, text: &str) -> String {
        self.style("1", text)
    }
    /// What stands back.
    pub fn dim(self, text: &str) -> String {
        self.style("2", text)
    }
}

/// `1 latch`, `2 latches`.
pub fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// ` and 3 more`, if there are more.
pub fn and_more(n: usize) -> String {
    if n == 0 { String::new() } else { format!(" and {n} more") }
}

/// `text`, which may have names from a file in it, with every line moved to the right.
pub fn indent(text: &str, by: usize) -> String {
    let mut indented = String::with_capacity(text.len() + by * 8);
    for line in text.lines() {
        if !line.is_empty() {
            indented.extend(std::iter::repeat_n(' ', by));
            indented.push_str(&printable(line));
        }
        indented.push('\n');
    }
    indented
}

/// Text from a file as it can be shown: control characters would move the cursor or worse.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Text of several lines from a file as it can be shown.
pub fn printable_lines(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect()
}

/// A path as it can be shown.
pub fn path(path: &Path) -> String {
    printable(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_lines() {
        assert_eq!(count(1, "latch", "latches"), "1 latch");
        assert_eq!(count(0, "latch", "latches"), "0 latches");
        assert_eq!((and_more(0), and_more(2)), (String::new(), " and 2 more".into()));
        assert_eq!(indent("a\n\nb\x07", 2), "  a\n\n  b\u{fffd}\n");
        assert_eq!(printable("a\x1b[2J\n"), "a\u{fffd}[2J\u{fffd}");
        assert_eq!(Paint::plain().bad("x"), "x");
        assert_eq!(Paint { on: true }.bad("x"), "\x1b[1;31mx\x1b[0m");
    }
}
