//! The stream of a file, checked and ready to be replayed.

use super::{AND, CLAUSE, CLONE, END, HEADER, NEW, QUERY, QUERY_WITH, UNASSIGN};
use indubit_logic::{Lit, Var};
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

/// More solvers than any engine has frames. Each costs memory, whatever else the file says.
const MAX_SOLVERS: u32 = 1 << 16;

/// Recorded events. Variables are numbered anew in the order in which they come, so that a solver may have an array over
/// them however large they were.
#[derive(Clone, Debug, Default)]
pub struct Stream {
    pub(super) events: Vec<Event>,
    /// The literals of all events.
    pub(super) lits: Vec<Lit>,
}

/// Literals of a [`Stream`].
pub(super) type List = Range<usize>;

#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A new stream: the solvers so far are gone, and numbers begin with 0 again.
    Begin,
    New,
    Clone {
        of: u32,
    },
    And {
        solver: u32,
        gate: Var,
        fanins: [Lit; 2],
    },
    Clause {
        solver: u32,
        lits: List,
    },
    Query {
        solver: u32,
        clause: Option<List>,
        assumptions: List,
        satisfiable: bool,
    },
    Unassign {
        solver: u32,
        lits: List,
    },
}

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The number of bytes before it.
    pub at: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no query stream: expected {} at byte {}", self.expected, self.at)
    }
}

impl std::error::Error for Malformed {}

impl Stream {
    /// The streams of a file, one after the other.
    pub fn read(bytes: &[u8]) -> Result<Stream, Malformed> {
        let mut reader =
            Reader { bytes, at: 0, numbers: HashMap::new(), n_solvers: 0, stream: Stream::default() };
        loop {
            reader.stream()?;
            if reader.at == bytes.len() {
                return Ok(reader.stream);
            }
        }
    }
    /// How many queries there are.
    pub fn n_queries(&self) -> usize {
        self.events.iter().filter(|e| matches!(e, Event::Query { .. })).count()
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
    numbers: HashMap<Var, Var>,
    n_solvers: u32,
    stream: Stream,
}

impl Reader<'_> {
    fn expected<T>(&self, expected: &'static str) -> Result<T, Malformed> {
        Err(Malformed { at: self.at, expected })
    }
    fn stream(&mut self) -> Result<(), Malformed> {
        if !self.bytes[self.at..].starts_with(HEADER.as_bytes()) {
            return self.expected("the line `indubit queries 1`");
        }
        self.at += HEADER.len();
        self.n_solvers = 0;
        self.stream.events.push(Event::Begin);
        while let Some(event) = self.event()? {
            self.stream.events.push(event);
        }
        Ok(())
    }
    fn event(&mut self) -> Result<Option<Event>, Malformed> {
        let tag = self.byte()?;
        if tag == END {
            return Ok(None);
        }
        if matches!(tag, NEW | CLONE) && self.n_solvers == MAX_SOLVERS {
            return self.expected("no more solvers");
        }
        if tag == NEW {
            self.n_solvers += 1;
            return Ok(Some(Event::New));
        }
        if tag > UNASSIGN {
            self.at -= 1;
            return self.expected("a tag");
        }
        let solver = self.number()?;
        let Some(solver) = u32::try_from(solver).ok().filter(|&s| s < self.n_solvers) else {
            return self.expected("the number of a solver before this byte");
        };
        Ok(Some(match tag {
            CLONE => {
                self.n_solvers += 1;
                Event::Clone { of: solver }
            }
            AND => {
                let List { start, .. } = self.list()?;
                let &[gate, a, b] = &self.stream.lits[start..] else {
                    return self.expected("a gate and its two fanins before this byte");
                };
                if gate.is_negated() {
                    return self.expected("a gate that is not negated before this byte");
                }
                self.stream.lits.truncate(start);
                Event::And { solver, gate: gate.var(), fanins: [a, b] }
            }
            CLAUSE => Event::Clause { solver, lits: self.list()? },
            UNASSIGN => Event::Unassign { solver, lits: self.list()? },
            _ => {
                let clause = if tag >= QUERY_WITH { Some(self.list()?) } else { None };
                let satisfiable = (tag - QUERY) % 2 == 1;
                Event::Query { solver, clause, assumptions: self.list()?, satisfiable }
            }
        }))
    }
    fn byte(&mut self) -> Result<u8, Malformed> {
        let Some(&byte) = self.bytes.get(self.at) else {
            return self.expected("more: the recording was cut off");
        };
        self.at += 1;
        Ok(byte)
    }
    fn number(&mut self) -> Result<u64, Malformed> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        self.expected("a number of at most five bytes before this one")
    }
    fn list(&mut self) -> Result<List, Malformed> {
        let start = self.stream.lits.len();
        let mut last = 0i64;
        for _ in 0..self.number()? {
            let number = self.number()?;
            let difference = (number >> 1) as i64;
            last += if number & 1 == 1 { -difference } else { difference };
            let Ok(code) = u32::try_from(last) else {
                return self.expected("a literal before this byte");
            };
            let lit = Lit::from_code(code);
            let n_numbers = self.numbers.len();
            let var = *self.numbers.entry(lit.var()).or_insert_with(|| Var::from_index(n_numbers));
            self.stream.lits.push(var.lit(lit.is_negated()));
        }
        Ok(start..self.stream.lits.len())
    }
}
