//! The first line: which format, and how many of everything.

use super::cursor::Cursor;
use crate::error::{Error, Place};
use indubit_logic::Var;

/// The two encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Ascii,
    Binary,
}

/// The numbers of the header.
///
/// Invariant: `max_var` is at most [`Var::MAX`] and at least the sum of inputs, latches and gates; in binary they
/// are equal. The other counts are as claimed and may be arbitrarily large.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) format: Format,
    pub(super) max_var: u32,
    pub(super) n_inputs: usize,
    pub(super) n_latches: usize,
    pub(super) n_outputs: usize,
    pub(super) n_ands: usize,
    pub(super) n_bads: usize,
    pub(super) n_constraints: usize,
    pub(super) n_justice: usize,
    pub(super) n_fairness: usize,
}

/// The fields in their order; the first five are mandatory.
const FIELDS: [&str; 9] = [
    "the maximal variable (M)",
    "the number of inputs (I)",
    "the number of latches (L)",
    "the number of outputs (O)",
    "the number of AND gates (A)",
    "the number of bad states (B)",
    "the number of constraints (C)",
    "the number of justice properties (J)",
    "the number of fairness constraints (F)",
];
const N_MANDATORY: usize = 5;

impl Header {
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<Header, Error> {
        let format = read_format(cursor)?;
        let max_var_at = cursor.position() + 1;
        let mut numbers = [0u64; FIELDS.len()];
        for (i, (number, what)) in numbers.iter_mut().zip(FIELDS).enumerate() {
            if i >= N_MANDATORY && cursor.peek() != Some(b' ') {
                break;
            }
            cursor.space(what)?;
            *number = cursor.number(what)?;
        }
        cursor.line_end("the header's numbers (at most nine)")?;

        let [max_var, n_inputs, n_latches, _, n_ands, ..] = numbers;
        let largest = Var::MAX.index() as u64;
        if max_var > largest {
            let found = match max_var {
                u64::MAX => "a maximal variable of more than 64 bits".into(),
                _ => format!("a maximal variable of {max_var}"),
            };
            return Err(cursor.error_at(max_var_at, found, format_args!("at most {largest}")));
        }
        let n_defined = n_inputs.saturating_add(n_latches).saturating_add(n_ands);
        if max_var < n_defined || format == Format::Binary && max_var != n_defined {
            let found = format!("a maximal variable of {max_var}");
            let relation = if format == Format::Binary { "" } else { "at least " };
            let sum = format_args!("{n_inputs} + {n_latches} + {n_ands}");
            let expected = format_args!("{relation}the sum {sum} of inputs, latches and AND gates");
            return Err(cursor.error_at(max_var_at, found, expected));
        }
        let count = |i: usize| usize::try_from(numbers[i]).unwrap_or(usize::MAX);
        Ok(Header {
            format,
            max_var: max_var as u32,
            n_inputs: count(1),
            n_latches: count(2),
            n_outputs: count(3),
            n_ands: count(4),
            n_bads: count(5),
            n_constraints: count(6),
            n_justice: count(7),
            n_fairness: count(8),
        })
    }
}

fn read_format(cursor: &mut Cursor<'_>) -> Result<Format, Error> {
    let expected = "an AIGER model, which starts with `aag` (ASCII) or `aig` (binary)";
    let format = match cursor.rest() {
        [] => return Err(Error::new(Place::None, "an empty file", expected)),
        [b'a', b'a', b'g', ..] => Format::Ascii,
        [b'a', b'i', b'g', ..] => Format::Binary,
        bytes => {
            return Err(match compression(bytes) {
                Some(name) => Error::new(Place::None, format!("a file compressed with {name}"), expected),
                None => cursor.unexpected(expected),
            });
        }
    };
    cursor.advance(3);
    Ok(format)
}

/// Models are often kept compressed: then say so, instead of complaining about strange bytes.
fn compression(bytes: &[u8]) -> Option<&'static str> {
    const SIGNATURES: [(&[u8], &str); 4] =
        [(b"\x1f\x8b", "gzip"), (b"\xfd7zXZ", "xz"), (b"BZh", "bzip2"), (b"\x28\xb5\x2f\xfd", "zstd")];
    SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature)).map(|&(_, name)| name)
}
