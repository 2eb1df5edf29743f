//! DIMACS CNF: formulas as sets of clauses.
//!
//! ```text
//! c a comment, anywhere a number could begin
//! p cnf 3 2          number of variables and of clauses
//! 1 -2 0             a clause is a list of literals that a 0 ends,
//! 2 -3
//! 1 0                on as many lines as it likes
//! %                  what old SATLIB files end with, followed by
//! 0
//! ```
//!
//! Variable `n` of the file is [`Var`] `n`; variable 0 is not used. The header may be missing if there are clauses. If it is there, it comes
//! before the first clause and it counts: no variable is larger than it says, and there are as many clauses as it
//! says. A last clause without its 0 is an error, since the file may have been cut off. Memory follows the size of the
//! file, not the numbers in it.
//!
//! Source: *Satisfiability: Suggested Format*, DIMACS 1993.

use crate::aiger::cursor::Cursor;
use crate::error::{Error, show};
use crate::load;
use indubit_logic::{Clause, Lit, Var};
use std::fmt::Write;
use std::path::Path;

/// A formula.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    /// Variables are `1..=n_vars`; some may not occur.
    pub n_vars: usize,
    /// The clauses as they stand in the file.
    pub clauses: Vec<Clause>,
}

/// Read a formula from a file.
pub fn read(path: &Path) -> Result<Cnf, Error> {
    parse(&load(path)?).map_err(|error| error.with_path(path))
}

/// Do the contents of a file look like a formula, and not like a model?
pub fn is_recognized(bytes: &[u8]) -> bool {
    bytes.iter().find(|&&b| !is_space(b)).is_some_and(|b| b"cp-0123456789".contains(b))
}

/// Read a formula from the contents of a file.
///
/// ```
/// use indubit_formats::dimacs;
/// let cnf = dimacs::parse(b"c tiny\np cnf 3 2\n1 -3 0 2\n0\n")?;
/// assert_eq!((cnf.n_vars, cnf.clauses.len()), (3, 2));
/// assert_eq!(dimacs::write(&cnf), "p cnf 3 2\n1 -3 0\n2 0\n");
///
/// let error = dimacs::parse(b"p cnf 3 1\n1 -4 0\n").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 2, column 3: found variable 4, expected at most 3, the number of variables in the header",
/// );
/// # Ok::<(), indubit_formats::Error>(())
/// ```
pub fn parse(bytes: &[u8]) -> Result<Cnf, Error> {
    let mut reader = Reader { cursor: Cursor::new(bytes), header: None };
    let mut cnf = Cnf::default();
    let mut lits: Vec<Lit> = Vec::new();
    let mut is_open = false;
    loop {
        reader.skip();
        let expected = if is_open { "a literal, or the 0 that ends a clause" } else { "a clause" };
        let start = reader.cursor.position();
        match reader.cursor.peek() {
            None if is_open => return Err(reader.cursor.unexpected(expected)),
            None => break,
            Some(b'%') if !is_open => {
                reader.terminator()?;
                break;
            }
            Some(b'p') if !is_open => reader.header(cnf.clauses.len())?,
            Some(_) => match reader.literal(expected)? {
                Some(lit) => {
                    is_open = true;
                    reader.room_for_clause(cnf.clauses.len(), start)?;
                    cnf.n_vars = cnf.n_vars.max(lit.var().index());
                    lits.push(lit);
                }
                None => {
                    reader.room_for_clause(cnf.clauses.len(), start)?;
                    cnf.clauses.push(Clause::new(lits.drain(..)));
                    is_open = false;
                }
            },
        }
    }
    match reader.header {
        Some(header) => {
            reader.all_clauses(cnf.clauses.len(), header.n_clauses)?;
            cnf.n_vars = header.n_vars;
        }
        // An empty file is rather the result of an accident than a formula without clauses.
        None if cnf.clauses.is_empty() => return Err(reader.cursor.unexpected("a header or a clause")),
        None => (),
    }
    Ok(cnf)
}

/// The formula as text, with a header.
pub fn write(cnf: &Cnf) -> String {
    let mut text = format!("p cnf {} {}\n", cnf.n_vars, cnf.clauses.len());
    for clause in &cnf.clauses {
        for lit in clause.lits() {
            let sign = if lit.is_negated() { "-" } else { "" };
            let _ = write!(text, "{sign}{} ", lit.var().index());
        }
        text.push_str("0\n");
    }
    text
}

#[derive(Clone, Copy)]
struct Header {
    n_vars: usize,
    n_clauses: u64,
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    header: Option<Header>,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

impl Reader<'_> {
    /// Skip space and comments.
    fn skip(&mut self) {
        while let Some(byte) = self.cursor.peek() {
            match byte {
                b'c' => self.skip_while(|b| b != b'\n'),
                _ if is_space(byte) => self.skip_while(is_space),
                _ => return,
            }
        }
    }
    fn skip_while(&mut self, skipped: impl Fn(u8) -> bool) {
        let n_bytes = self.cursor.rest().iter().take_while(|&&b| skipped(b)).count();
        self.cursor.advance(n_bytes);
    }
    /// A number ends with the file or with space.
    fn end_of_word(&self, expected: &str) -> Result<(), Error> {
        match self.cursor.peek() {
            Some(byte) if !is_space(byte) => Err(self.cursor.unexpected(expected)),
            _ => Ok(()),
        }
    }

    /// A literal, or nothing for the 0 that ends a clause.
    fn literal(&mut self, expected: &str) -> Result<Option<Lit>, Error> {
        let start = self.cursor.position();
        let word = self.cursor.rest();
        let is_negated = self.cursor.peek() == Some(b'-');
        self.cursor.advance(usize::from(is_negated));
        let number = self.cursor.number("").map_err(|_| self.cursor.error_at(start, show(word), expected))?;
        self.end_of_word("a space or the end of the line after a number")?;
        let largest = self.header.map_or(Var::MAX.index(), |h| h.n_vars);
        match usize::try_from(number) {
            Ok(0) if is_negated => Err(self.cursor.error_at(start, show(word), expected)),
            Ok(0) => Ok(None),
            Ok(index) if index <= largest => Ok(Some(Var::from_index(index).lit(is_negated))),
            _ => {
                let whose = if self.header.is_some() {
                    "the number of variables in the header"
                } else {
                    "the largest that we can"
                };
                let found = show(word).replace(['`', '-'], "");
                Err(self.cursor.error_at(
                    start,
                    format!("variable {found}"),
                    format!("at most {largest}, {whose}"),
                ))
            }
        }
    }

    /// `p cnf VARIABLES CLAUSES`.
    fn header(&mut self, n_clauses: usize) -> Result<(), Error> {
        if self.header.is_some() {
            return Err(self.cursor.unexpected("no second header"));
        }
        if n_clauses > 0 {
            return Err(self.cursor.unexpected("the header before the first clause"));
        }
        for word in ["p", "cnf"] {
            let rest = self.cursor.rest();
            let found = rest.iter().take_while(|&&b| !is_space(b)).count();
            if &rest[..found] != word.as_bytes() {
                return Err(self.cursor.unexpected("a header `p cnf VARIABLES CLAUSES`"));
            }
            self.cursor.advance(found);
            self.skip_blanks();
        }
        let start = self.cursor.position();
        let n_vars = self.cursor.number("the number of variables")?;
        if n_vars > Var::MAX.index() as u64 {
            let expected = format!("at most {}", Var::MAX.index());
            return Err(self.cursor.error_at(start, format!("{n_vars} variables"), expected));
        }
        self.end_of_word("a space after the number of variables")?;
        self.skip_blanks();
        let n_clauses = self.cursor.number("the number of clauses")?;
        self.skip_blanks();
        self.header = Some(Header { n_vars: n_vars as usize, n_clauses });
        match self.cursor.peek() {
            None | Some(b'\n') => Ok(()),
            _ => Err(self.cursor.unexpected("the end of the line after the header")),
        }
    }
    fn skip_blanks(&mut self) {
        self.skip_while(|b| is_space(b) && b != b'\n');
    }

    /// Is another clause, which begins or ends at `start`, one of those that the header speaks of?
    fn room_for_clause(&self, n_clauses: usize, start: usize) -> Result<(), Error> {
        match self.header {
            Some(header) if n_clauses as u64 >= header.n_clauses => {
                let found = format!("clause {}", n_clauses + 1);
                let expected = format!("at most {}, the number of clauses in the header", header.n_clauses);
                Err(self.cursor.error_at(start, found, expected))
            }
            _ => Ok(()),
        }
    }
    fn all_clauses(&self, n_clauses: usize, claimed: u64) -> Result<(), Error> {
        if n_clauses as u64 == claimed {
            return Ok(());
        }
        let next = n_clauses + 1;
        Err(self
            .cursor
            .unexpected(format!("clause {next} of {claimed}, the number of clauses in the header")))
    }

    /// `%`, and perhaps a 0, and nothing else.
    fn terminator(&mut self) -> Result<(), Error> {
        self.cursor.advance(1);
        self.skip();
        if self.cursor.peek() == Some(b'0') {
            self.cursor.advance(1);
            self.skip();
        }
        match self.cursor.peek() {
            None => Ok(()),
            Some(_) => Err(self.cursor.unexpected("nothing but a 0 after the `%` that ends the file")),
        }
    }
}

/// A model in the lines `v` of SAT competitions, in the order given.
pub fn model_lines(numbers: impl IntoIterator<Item = i64>) -> String {
    const WIDTH: usize = 78;
    let mut text = String::new();
    let mut line = String::from("v");
    for number in numbers.into_iter().chain([0]) {
        let word = format!(" {number}");
        if line.len() + word.len() > WIDTH {
            text += &line;
            text.push('\n');
            line = String::from("v");
        }
        line += &word;
    }
    text + &line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clauses(text: &str) -> Vec<Vec<i64>> {
        let signed = |l: &Lit| l.var().index() as i64 * if l.is_negated() { -1 } else { 1 };
        let cnf = parse(text.as_bytes()).unwrap();
        cnf.clauses.iter().map(|c| c.lits().iter().map(signed).collect()).collect()
    }

    #[test]
    fn all_the_freedom_that_files_take() {
        let expected = vec![vec![1, -2], vec![], vec![3, 3, -3]];
        for text in [
            "p cnf 3 3\n1 -2 0\n0\n3 3 -3 0\n",
            "c one\nc\np  cnf\t3 3 \r\n1\n-2 c two\n 0 0\nc 3 0\n3 3\n\n-3 0",
            "1 -2 0 0 3 3 -3 0",
            "p cnf 3 3\n1 -2 0 0 3 3 -3 0\n%\n0\n\n",
            "p cnf 3 3\n1 -2 0 0 3 3 -3 0\n%",
            "cnf is a comment here\n1 -2 0 0 0003 3 -3 0\n",
        ] {
            assert_eq!(clauses(text), expected, "{text:?}");
        }
        assert_eq!(parse(b"p cnf 7 0\n").unwrap(), Cnf { n_vars: 7, clauses: Vec::new() });
        assert_eq!(parse(b"5 0").unwrap().n_vars, 5);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = "p cnf 9 4\n1 -2 0\n0\n9 9 0\n-8 0\n";
        assert_eq!(write(&parse(text.as_bytes()).unwrap()), text);
    }

    #[test]
    fn errors_name_the_place() {
        let count = "the number of clauses in the header";
        for (text, message) in [
            (
                "p cnf 2 1\n1 -3 0\n",
                "line 2, column 3: found variable 3, expected at most 2, the number of variables in the header",
            ),
            ("c nothing", "line 1, column 10: found the end of the file, expected a header or a clause"),
            (
                "1073741823 0",
                "line 1, column 1: found variable 1073741823, expected at most 1073741822, the largest that we can",
            ),
            (
                "99999999999999999999999999 0",
                "line 1, column 1: found variable 999999999999999999999999..., expected at most 1073741822, the largest that we can",
            ),
            (
                "1 2\n",
                "line 2, column 1: found the end of the file, expected a literal, or the 0 that ends a clause",
            ),
            ("1 x 0", "line 1, column 3: found `x`, expected a literal, or the 0 that ends a clause"),
            ("1 - 0", "line 1, column 3: found `-`, expected a literal, or the 0 that ends a clause"),
            ("1 -0", "line 1, column 3: found `-0`, expected a literal, or the 0 that ends a clause"),
            ("+1 0", "line 1, column 1: found `+1`, expected a clause"),
            ("x1 2 0", "line 1, column 1: found `x1`, expected a clause"),
            ("1,2 0", "line 1, column 2: found `,2`, expected a space or the end of the line after a number"),
            ("1 % 0", "line 1, column 3: found `%`, expected a literal, or the 0 that ends a clause"),
            (
                "1 0\n%\n0\n1 0",
                "line 4, column 1: found `1`, expected nothing but a 0 after the `%` that ends the file",
            ),
            ("p dnf 1 1\n", "line 1, column 3: found `dnf`, expected a header `p cnf VARIABLES CLAUSES`"),
            ("pcnf 1 1\n", "line 1, column 1: found `pcnf`, expected a header `p cnf VARIABLES CLAUSES`"),
            ("p cnf\n1 0", "line 1, column 6: found the end of the line, expected the number of variables"),
            ("p cnf 1 x\n", "line 1, column 9: found `x`, expected the number of clauses"),
            ("p cnf 1x 1\n", "line 1, column 8: found `x`, expected a space after the number of variables"),
            ("p cnf 1 1 1\n", "line 1, column 11: found `1`, expected the end of the line after the header"),
            (
                "p cnf 2000000000 1\n",
                "line 1, column 7: found 2000000000 variables, expected at most 1073741822",
            ),
            ("1 0\np cnf 1 1\n", "line 2, column 1: found `p`, expected the header before the first clause"),
            ("p cnf 1 1\np cnf 1 1\n", "line 2, column 1: found `p`, expected no second header"),
            (
                "p cnf 1 1\n1 0\n-1 0\n",
                &format!("line 3, column 1: found clause 2, expected at most 1, {count}"),
            ),
            (
                "p cnf 1 2\n1 0\n",
                &format!("line 3, column 1: found the end of the file, expected clause 2 of 2, {count}"),
            ),
            (
                "p cnf 1 99999999999999999999\n1 0\n",
                &format!(
                    "line 3, column 1: found the end of the file, expected clause 2 of 18446744073709551615, {count}"
                ),
            ),
            ("\u{0}", "line 1, column 1: found byte 0x00, expected a clause"),
        ] {
            assert_eq!(parse(text.as_bytes()).unwrap_err().to_string(), message, "{text:?}");
        }
    }

    #[test]
    fn mutated_files_are_read_or_refused() {
        let mut rng = fastrand::Rng::with_seed(9);
        for _ in 0..20_000 {
            let mut bytes = b"c x\np cnf 4 3\n1 -2 0 3\n0 -4 1 0\n%\n0\n".to_vec();
            for _ in 0..rng.usize(1..4) {
                let at = rng.usize(..bytes.len());
                match rng.u8(..3) {
                    0 => drop(bytes.remove(at)),
                    1 => bytes[at] = rng.u8(..),
                    _ => bytes.insert(at, b"0123456789-% \ncpnf"[rng.usize(..18)]),
                }
            }
            if let Ok(cnf) = parse(&bytes) {
                assert_eq!(parse(write(&cnf).as_bytes()).unwrap(), cnf);
            }
        }
    }

    #[test]
    fn models_are_wrapped() {
        assert_eq!(model_lines([1, -2]), "v 1 -2 0\n");
        let text = model_lines((1..100).map(|n| n * 1000));
        assert!(text.lines().count() > 5 && text.lines().all(|l| l.starts_with("v ") && l.len() <= 78));
        let numbers = text.split_whitespace().filter(|w| *w != "v").count();
        assert_eq!(numbers, 100);
    }
}
