//! How the process ends: exit codes, and errors with a hint.

use crate::terminal::printable_lines;
use indubit_formats::{self as formats, Place};
use std::fmt::Display;
use std::process::ExitCode;

/// The documented exit codes. They do not change between versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Every property is safe or holds, or the command is done.
    Done = 0,
    /// `certify`: the evidence was rejected.
    Rejected = 1,
    /// Bad input or usage, or a file that was asked for could not be written.
    BadInput = 2,
    /// Some property is unsafe or fails; `sat`: the formula is satisfiable; `interpolate`: the formulas have a common model.
    Unsafe = 10,
    /// `sat`: the formula is unsatisfiable.
    Unsatisfiable = 20,
    /// No property is unsafe or fails, but some are unknown.
    Unknown = 30,
    /// A bug of ours.
    Internal = 70,
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> ExitCode {
        ExitCode::from(code as u8)
    }
}

/// End the process now, whatever other threads do: no half-written file stays, and no destructor runs in a library that
/// another thread is still using.
pub fn leave(code: u8) -> ! {
    formats::abandon();
    signal_hook::low_level::exit(code.into())
}

/// A command that could not do its work.
#[derive(Debug)]
pub struct Failure {
    code: Code,
    message: String,
    hint: Option<String>,
}

impl Failure {
    /// The user's input or request is at fault.
    pub fn bad_input(message: impl Into<String>) -> Failure {
        Failure { code: Code::BadInput, message: message.into(), hint: None }
    }
    /// We are at fault.
    pub fn internal(message: impl Display) -> Failure {
        let hint = "this is a bug in Indubit: please report it with the model and the command line";
        Failure {
            code: Code::Internal,
            message: format!("internal error: {message}"),
            hint: Some(hint.into()),
        }
    }
    /// A model that could not be read.
    pub fn model(error: formats::Error) -> Failure {
        let hint = match error.place() {
            Place::None if error.found().is_none() => None,
            // Nothing says what it is; otherwise it is meant to be an AIGER file.
            _ if error.expected().is_some_and(|e| e.starts_with("an AIGER model")) => Some(
                "a model is an AIGER file, beginning with `aag` or `aig`, BTOR2, SMV, or SMT-LIB: VMT or Horn clauses; files in Verilog end with .v or .sv",
            ),
            _ => Some("the file may be damaged or cut off; if another tool reads it, please report this"),
        };
        Failure { hint: hint.map(Into::into), ..Failure::bad_input(error.to_string()) }
    }
    /// A formula that could not be read.
    pub fn formula(error: formats::Error) -> Failure {
        match error.found() {
            None => error.into(),
            Some(_) => Failure::from(error).with_hint(
                "formulas are in DIMACS CNF: `p cnf VARIABLES CLAUSES`, then clauses that end with 0",
            ),
        }
    }
    /// With advice what to do.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Failure {
        self.hint = Some(hint.into());
        self
    }
    /// What the process ends with.
    pub fn code(&self) -> Code {
        self.code
    }
    /// What is wrong, without the hint.
    pub fn message(&self) -> &str {
        &self.message
    }
    /// Tell the user.
    pub fn print(&self) {
        crate::terminal::stderr(&self.text());
    }
    /// The message, which may quote anything from a file, and the hint.
    fn text(&self) -> String {
        let mut text = format!("error: {}\n", self.message);
        if let Some(hint) = &self.hint {
            text += &format!("hint: {hint}\n");
        }
        printable_lines(&text)
    }
}

/// Files that could not be written, and files other than models that could not be read.
impl From<formats::Error> for Failure {
    fn from(error: formats::Error) -> Failure {
        Failure::bad_input(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_cannot_move_the_cursor() {
        let failure = Failure::bad_input("latch \x1b[2J\r").with_hint("a\u{9b}b");
        assert_eq!(failure.text(), "error: latch \u{fffd}[2J\u{fffd}\nhint: a\u{fffd}b\n");
    }
}
