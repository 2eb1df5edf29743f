//! LRAT proofs in text: how a formula is refuted, step by step.
//!
//! ```text
//! c a comment
//! 4 2 0 2 1 0        clause 4 is (2), by the hints 2 and 1
//! 4 d 1 0            clause 1 is needed no more
//! 5 0 4 3 0          clause 5 is empty
//! ```
//!
//! The clauses of the formula have the names 1, 2, … in its order. Steps are read one by one, so that memory follows the
//! longest step. Hints with a sign belong to RAT steps, which are not supported: they are refused with their place.
//! The binary form is recognised and refused.
//!
//! Source: Cruz-Filipe, Heule, Hunt, Kaufmann, Schneider-Kamp, *Efficient Certified RAT Verification*, CADE 2017.

use crate::aiger::cursor::Cursor;
use crate::error::Error;
use indubit_logic::{Lit, Var};

/// A step of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A clause that follows from those named by its hints.
    Derived {
        /// Its name.
        id: u64,
        /// Its literals; variable `n` of the file is [`Var`] `n`.
        lits: Vec<Lit>,
        /// Clauses, in the order of unit propagation.
        hints: Vec<u64>,
    },
    /// Clauses that are needed no more.
    Deleted {
        /// Their names.
        ids: Vec<u64>,
    },
}

/// The steps of a proof, each with its line (from 1), up to the first error.
///
/// ```
/// use indubit_formats::lrat::{Step, steps};
/// let all: Result<Vec<_>, _> = steps(b"4 2 0 2 1 0\n4 d 1 0\n").collect();
/// assert_eq!(all?[1], (2, Step::Deleted { ids: vec![1] }));
///
/// let error = steps(b"4 1 0 2 -3 0\n").next().unwrap().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 1, column 9: found `-3`, expected a hint of unit propagation: RAT steps are not supported",
/// );
/// # Ok::<(), indubit_formats::Error>(())
/// ```
pub fn steps(bytes: &[u8]) -> Steps<'_> {
    Steps { cursor: Cursor::new(bytes), line: 1, failed: false }
}

/// An iterator over the steps of a proof; see [`steps`].
pub struct Steps<'a> {
    cursor: Cursor<'a>,
    line: usize,
    failed: bool,
}

impl Iterator for Steps<'_> {
    type Item = Result<(usize, Step), Error>;
    fn next(&mut self) -> Option<Self::Item> {
        self.skip(true);
        if self.failed || self.cursor.peek().is_none() {
            return None;
        }
        let line = self.line;
        let step = self.step().map(|step| (line, step));
        self.failed = step.is_err();
        Some(step)
    }
}

impl Steps<'_> {
    /// Skip space, and comments where a step may begin.
    fn skip(&mut self, comments: bool) {
        while let Some(byte) = self.cursor.peek() {
            let n_bytes = match byte {
                b'\n' => {
                    self.line += 1;
                    1
                }
                b' ' | b'\t' | b'\r' => 1,
                b'c' if comments => self.cursor.rest().iter().take_while(|&&b| b != b'\n').count(),
                _ => return,
            };
            self.cursor.advance(n_bytes);
        }
    }

    fn step(&mut self) -> Result<Step, Error> {
        // Steps of the binary form begin with `a` or `d` and are followed by bytes that are no text.
        if matches!(self.cursor.rest(), [b'a' | b'd', byte, ..] if !byte.is_ascii_graphic()) {
            let expected =
                "the name of a clause: this seems to be a binary proof, and only text is supported";
            return Err(self.cursor.unexpected(expected));
        }
        let id = self.name("the name of a clause", "a name greater than 0")?;
        self.skip(false);
        let ends = "or the 0 that ends the list";
        if self.cursor.peek() == Some(b'd') {
            self.cursor.advance(1);
            let ids = self.list(|this| this.name(&format!("the name of a clause {ends}"), "a name"))?;
            return Ok(Step::Deleted { ids });
        }
        let lits = self.list(|this| this.literal(&format!("a literal {ends}")))?;
        let rat = "a hint of unit propagation: RAT steps are not supported";
        let hints = self.list(|this| this.name(&format!("a hint {ends}"), rat))?;
        Ok(Step::Derived { id, lits, hints })
    }

    /// Items up to a 0.
    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Result<T, Error>) -> Result<Vec<T>, Error> {
        let mut items = Vec::new();
        loop {
            self.skip(false);
            if matches!(self.cursor.rest(), [b'0'] | [b'0', b' ' | b'\t' | b'\r' | b'\n', ..]) {
                self.cursor.advance(1);
                return Ok(items);
            }
            items.push(item(self)?);
        }
    }
    /// The name of a clause, which has no sign.
    fn name(&mut self, expected: &str, positive: &str) -> Result<u64, Error> {
        match self.integer(expected)? {
            (start, true, number) => Err(self.cursor.error_at(start, format!("`-{number}`"), positive)),
            (start, _, 0) => Err(self.cursor.error_at(start, "`0`", positive)),
            (start, _, u64::MAX) => {
                Err(self.cursor.error_at(start, "a number of more than 64 bits", expected))
            }
            (_, _, number) => Ok(number),
        }
    }
    fn literal(&mut self, expected: &str) -> Result<Lit, Error> {
        let (start, negated, number) = self.integer(expected)?;
        match usize::try_from(number) {
            Ok(index) if (1..=Var::MAX.index()).contains(&index) => Ok(Var::from_index(index).lit(negated)),
            _ => {
                let range = format!("a variable from 1 to {}", Var::MAX.index());
                Err(self.cursor.error_at(start, format!("variable {number}"), range))
            }
        }
    }
    /// Where a number begins, whether it has a sign, and its value without it.
    fn integer(&mut self, expected: &str) -> Result<(usize, bool, u64), Error> {
        let start = self.cursor.position();
        let negated = self.cursor.peek() == Some(b'-');
        self.cursor.advance(usize::from(negated));
        let number = self.cursor.number(expected)?;
        match self.cursor.peek() {
            None | Some(b' ' | b'\t' | b'\r' | b'\n') => Ok((start, negated, number)),
            Some(_) => Err(self.cursor.unexpected("a space or the end of the line after a number")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<(usize, Step)>, String> {
        steps(text.as_bytes()).collect::<Result<_, _>>().map_err(|error: Error| error.to_string())
    }

    #[test]
    fn steps_in_every_layout() {
        let lits = vec![Var::new(7).lit(true), Var::new(2).lit(false)];
        let expected = vec![
            (2, Step::Derived { id: 9, lits, hints: vec![3, 4] }),
            (3, Step::Deleted { ids: vec![] }),
            (4, Step::Derived { id: 12, lits: vec![], hints: vec![] }),
        ];
        assert_eq!(parse("c x\n9 -7 2 0 3 4 0\n9 d 0\n12 0 0"), Ok(expected.clone()));
        assert_eq!(parse("\r\n 9\t-7 2 0 3 4 0\r\n9 d 0\r\n12 0 0\r\n\n"), Ok(expected));
        assert_eq!(parse(""), Ok(vec![]));
    }

    #[test]
    fn errors_name_the_place() {
        for (text, message) in [
            ("x", "line 1, column 1: found `x`, expected the name of a clause"),
            ("0 0 0", "line 1, column 1: found `0`, expected a name greater than 0"),
            (
                "5 1 0 2",
                "line 1, column 8: found the end of the file, expected a hint or the 0 that ends the list",
            ),
            (
                "5 1",
                "line 1, column 4: found the end of the file, expected a literal or the 0 that ends the list",
            ),
            (
                "5 1x 0 0",
                "line 1, column 4: found `x`, expected a space or the end of the line after a number",
            ),
            ("5 -0 0 0", "line 1, column 3: found variable 0, expected a variable from 1 to 1073741822"),
            (
                "5 1073741823 0 0",
                "line 1, column 3: found variable 1073741823, expected a variable from 1 to 1073741822",
            ),
            (
                "99999999999999999999 0 0",
                "line 1, column 1: found a number of more than 64 bits, expected the name of a clause",
            ),
            ("4 1 0 3 0\n4 d -1 0", "line 2, column 5: found `-1`, expected a name"),
            (
                "a\u{8}\u{2}\u{0}",
                "line 1, column 1: found `a`, expected the name of a clause: this seems to be a binary proof, and only text is supported",
            ),
        ] {
            assert_eq!(parse(text), Err(message.into()), "{text:?}");
        }
    }

    #[test]
    fn mutated_proofs_are_read_or_refused() {
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..20_000 {
            let mut bytes = b"c x\n4 2 -1 0 2 1 0\n4 d 1 0\n5 0 4 3 0\n".to_vec();
            for _ in 0..rng.usize(1..4) {
                let at = rng.usize(..bytes.len());
                match rng.u8(..3) {
                    0 => drop(bytes.remove(at)),
                    1 => bytes[at] = rng.u8(..),
                    _ => bytes.insert(at, b"0123456789-d \nc"[rng.usize(..15)]),
                }
            }
            assert!(steps(&bytes).count() <= bytes.len());
        }
    }
}
