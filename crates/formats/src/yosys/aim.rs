//! The map of an AIGER model that Yosys writes with `-map` or `-vmap`: a line for each bit that has a name.
//!
//! ```text
//! input 1 0 d
//! init 5 0 unknown
//! latch 12 2 count
//! invlatch 4 0 count
//! output 0 0 full
//! ninitff 15
//! wire 69 0 unknown
//! ```
//!
//! Behind the word come the position, or for a wire the literal of the file, the bit of the signal, and its name. `invlatch` is a latch that holds the negation of what it is
//! called, `init` an input that is what a register begins with, and `ninitff` the latch that is true from the second step on.

use crate::{Error, Place};

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Input,
    Init,
    Latch,
    InvertedLatch,
    Output,
    Wire,
    /// The latch that tells the first step from the others.
    Later,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry<'t> {
    pub what: What,
    pub position: usize,
    pub offset: u32,
    pub name: &'t str,
}

pub(super) fn parse(bytes: &[u8]) -> Result<Vec<Entry<'_>>, Error> {
    let text = str::from_utf8(bytes).map_err(|e| {
        Error::new(Place::in_text(bytes, e.valid_up_to()), "what is no text", "a map that Yosys has written")
    })?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(number, line)| entry(number, line)).collect()
}

fn entry(number: usize, line: &str) -> Result<Entry<'_>, Error> {
    let mut words = line.trim_end().splitn(4, ' ');
    let mut next = || words.next().unwrap_or_default();
    let wrong = |expected: &str| {
        Error::new(Place::Line { line: number, column: 1 }, format!("`{line}`"), expected.to_owned())
    };
    let what = match next() {
        "input" => What::Input,
        "init" => What::Init,
        "latch" => What::Latch,
        "invlatch" => What::InvertedLatch,
        "output" => What::Output,
        "wire" => What::Wire,
        "ninitff" => What::Later,
        _ => return Err(wrong("input, init, latch, invlatch, output, wire or ninitff")),
    };
    let position = next().parse().map_err(|_| wrong("a position behind the word"))?;
    if what == What::Later {
        return Ok(Entry { what, position, offset: 0, name: "" });
    }
    let offset = next().parse().map_err(|_| wrong("the number of a bit behind the position"))?;
    match next() {
        "" => Err(wrong("a name at the end")),
        name => Ok(Entry { what, position, offset, name }),
    }
}
