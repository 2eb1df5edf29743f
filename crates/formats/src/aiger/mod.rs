//! AIGER models: ASCII (`aag`) and binary (`aig`), versions 1.0 and 1.9, and the reset functions in use since
//! the hardware model checking competition of 2025.
//!
//! ```text
//! aag M I L O A [B C J F]      maximal variable, then counts; trailing fields may be dropped
//! 2                            I inputs                                (implicit in binary)
//! 4 6 1                        L latches: literal, next, reset         (binary: next, reset)
//! 6                            O outputs, B bads, C constraints, a literal each;
//! 2                            J justice sizes, then all justice literals, then F fairness literals
//! 6 2 5                        A gates: left-hand side, two fanins     (binary: two deltas)
//! i0 request                   symbols for i l o b c j f
//! c                            comment: everything up to the end of the file
//! ```
//!
//! **Which signals are properties.** Version 1.0 has no bad states: there, outputs stand for them. A file
//! whose `B` is absent or 0 and that has no justice property either is read that way, so an explicit `B 0`
//! and an old header mean the same. In a file with justice only, outputs are just outputs
//! ([`BitSystem::outputs_are_bad`]).
//!
//! **Resets.** Absent or `0`, `1`, the latch's own literal (uninitialised), or any other literal: a reset
//! function, evaluated in the first step. A reset function that depends on itself is an error.
//!
//! **The system that is read** has the inputs, latches and gates of the file, and nothing is simplified or
//! shared. Literals may differ in ASCII: variables are renumbered to inputs, latches, gates, since a file may
//! leave gaps and list its gates in any order. Gates that are in order already stay in order.
//!
//! **Beyond the letter of the standard** we accept Windows line ends, any bytes in names, a last symbol
//! without a line end, and a comment that starts on the `c` line. An empty symbol is no symbol. Two symbols
//! for one signal are an error, as is a definition whose line end is missing: the file may have been cut off
//! within a number.
//!
//! Source: Biere, *The AIGER And-Inverter Graph (AIG) Format Version 20071012*; Biere, Heljanko, Wieringa, *AIGER
//! 1.9 and Beyond*, 2011.

mod ascii;
mod binary;
pub(crate) mod cursor;
mod gates;
mod header;
mod sections;
mod symbols;
mod variables;
mod write;

pub use write::{numbering, write_ascii, write_binary};

use crate::{Error, load, yosys};
use cursor::Cursor;
use header::{Format, Header};
use indubit_system::{BitSystem, ResetOrder};
use std::path::Path;

/// Read a model from a file. The contents decide whether it is ASCII or binary, the file's name does not matter.
pub fn read(path: &Path) -> Result<BitSystem, Error> {
    parse(&load(path)?).map_err(|error| error.with_path(path))
}

/// Read a model from the contents of a file.
///
/// ```
/// use indubit_formats::aiger;
/// // A latch that toggles; it must never be set.
/// let system = aiger::parse(b"aag 1 0 1 0 0 1\n2 3\n2\nl0 toggle\nb0 set\n")?;
/// assert_eq!(system.latch_label(0), "toggle");
/// assert_eq!(system.properties()[0].label(), "set");
/// assert_eq!(aiger::write_binary(&system), b"aig 1 0 1 0 0 1\n3\n2\nl0 toggle\nb0 set\n");
///
/// let error = aiger::parse(b"aag 1 1 0 1 0\n2\n5\n").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 3, column 1: found literal 5, expected at most 3, since the header's maximal variable is 1",
/// );
/// # Ok::<(), indubit_formats::Error>(())
/// ```
pub fn parse(bytes: &[u8]) -> Result<BitSystem, Error> {
    let mut cursor = Cursor::new(bytes);
    let header = Header::read(&mut cursor)?;
    let mut system = match header.format {
        Format::Ascii => ascii::read(&mut cursor, &header)?,
        Format::Binary => binary::read(&mut cursor, &header)?,
    };
    symbols::read(&mut cursor, &mut system)?;
    check_resets(&cursor, &header, &system)?;
    yosys::interpret(&mut system, false);
    Ok(system)
}

fn check_resets(cursor: &Cursor<'_>, header: &Header, system: &BitSystem) -> Result<(), Error> {
    let Err(cycle) = ResetOrder::new(system) else {
        return Ok(());
    };
    // The reset is the last number on the latch's line; binary files list neither inputs nor latch literals.
    let (line, field) = match header.format {
        Format::Ascii => (2 + header.n_inputs + cycle.latch, 2),
        Format::Binary => (2 + cycle.latch, 1),
    };
    let found = match &system.latches()[cycle.latch].name {
        Some(name) => format!("a reset function of latch {} (`{name}`) that depends on itself", cycle.latch),
        None => format!("a reset function of latch {} that depends on itself", cycle.latch),
    };
    Err(Error::new(cursor.place_of_field(line, field), found, "reset functions without cycles"))
}
