//! The binary format: inputs and latch literals are implied, gates are pairs of deltas.
//!
//! Variables are numbered as in the system that is built, inputs first, then latches, then gates, so literals are
//! taken as they are.

use super::cursor::Cursor;
use super::header::Header;
use super::sections;
use crate::Error;
use indubit_logic::Lit;
use indubit_system::BitSystem;

/// Inputs cost no bytes, so the header alone decides about their memory. A used input costs a byte at least (a
/// gate has two bytes and reads two); this many unused ones are believed on top of that.
const MAX_UNUSED_INPUTS: usize = 1 << 20;

/// Read everything between the header and the symbols.
pub(super) fn read(cursor: &mut Cursor<'_>, header: &Header) -> Result<BitSystem, Error> {
    let mut system = BitSystem::new();
    let most = MAX_UNUSED_INPUTS.saturating_add(cursor.rest().len());
    if header.n_inputs > most {
        let found = format_args!("{} inputs claimed by the header", header.n_inputs);
        let expected = format_args!("no more than {most} in a file of this length");
        return Err(cursor.error_at(0, found, expected));
    }
    for _ in 0..header.n_inputs {
        system.push_input(None);
    }
    read_latches(cursor, header, &mut system)?;
    sections::read(cursor, header, &mut system)?;
    cursor.enter_binary();
    read_gates(cursor, header, &mut system)?;
    Ok(system)
}

fn read_latches(cursor: &mut Cursor<'_>, header: &Header, system: &mut BitSystem) -> Result<(), Error> {
    let n = header.n_latches;
    for i in 0..n {
        let what = format_args!("the next state of latch {i} (the header announces {n})");
        sections::read_latch(cursor, header, system, i, what)?;
    }
    Ok(())
}

fn read_gates(cursor: &mut Cursor<'_>, header: &Header, system: &mut BitSystem) -> Result<(), Error> {
    let n = header.n_ands;
    let aig = system.aig_mut();
    let first = aig.n_vars();
    for i in 0..n {
        let lhs = 2 * (first + i) as u32;
        let left = lhs - delta(cursor, lhs, [1, lhs], (i, n))?;
        let right = left - delta(cursor, lhs, [0, left], (i, n))?;
        aig.raw_and(Lit::from_code(left), Lit::from_code(right));
    }
    Ok(())
}

/// A delta of gate `lhs`, the `i`-th of `n`, between the bounds.
fn delta(
    cursor: &mut Cursor<'_>,
    lhs: u32,
    [low, high]: [u32; 2],
    (i, n): (usize, usize),
) -> Result<u32, Error> {
    let start = cursor.position();
    let expected =
        format_args!("a delta from {low} to {high} for gate {lhs} (AND {i}; the header announces {n})");
    let delta = cursor.delta(expected)?;
    if (low..=high).contains(&delta) {
        Ok(delta)
    } else {
        Err(cursor.error_at(start, format_args!("delta {delta}"), expected))
    }
}
