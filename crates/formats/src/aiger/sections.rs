//! What is the same text in both formats: latches from their next state on, and the lists of literals between the
//! latches and the gates.

use super::cursor::Cursor;
use super::header::Header;
use crate::Error;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Justice, Signal};
use std::fmt;

/// The rest of a latch's line, from its next state on, as both formats have it; the latch is new in `system`.
pub(super) fn read_latch(
    cursor: &mut Cursor<'_>,
    header: &Header,
    system: &mut BitSystem,
    i: usize,
    next: fmt::Arguments<'_>,
) -> Result<Lit, Error> {
    let next = cursor.literal(header.max_var, next)?;
    let mut reset = Lit::FALSE;
    if cursor.peek() == Some(b' ') {
        cursor.advance(1);
        reset = cursor.literal(header.max_var, format_args!("the reset of latch {i}"))?;
    }
    cursor.line_end(format_args!("latch {i}"))?;
    let latch = system.push_latch(None);
    system.set_next(latch, next);
    system.set_reset(latch, reset);
    Ok(latch)
}

/// Read outputs, bads, constraints, justice and fairness into `system`, with literals as the file numbers them.
pub(super) fn read(cursor: &mut Cursor<'_>, header: &Header, system: &mut BitSystem) -> Result<(), Error> {
    system.outputs = signals(cursor, header, header.n_outputs, "output")?;
    system.bads = signals(cursor, header, header.n_bads, "bad state")?;
    system.constraints = signals(cursor, header, header.n_constraints, "constraint")?;
    system.justice = justice(cursor, header)?;
    system.fairness = signals(cursor, header, header.n_fairness, "fairness constraint")?;
    Ok(())
}

fn signals(cursor: &mut Cursor<'_>, header: &Header, n: usize, kind: &str) -> Result<Vec<Signal>, Error> {
    let mut signals = Vec::with_capacity(cursor.room_for(n));
    for i in 0..n {
        let what = format_args!("the literal of {kind} {i} (the header announces {n})");
        let lit = cursor.literal_line(header.max_var, what)?;
        signals.push(Signal { lit, name: None });
    }
    Ok(signals)
}

/// All sizes come first, then the literals of all properties.
fn justice(cursor: &mut Cursor<'_>, header: &Header) -> Result<Vec<Justice>, Error> {
    let n = header.n_justice;
    let mut sizes = Vec::with_capacity(cursor.room_for(n));
    for i in 0..n {
        let what = format_args!("the size of justice property {i} (the header announces {n})");
        let size = cursor.number(what)?;
        cursor.line_end(what)?;
        sizes.push(usize::try_from(size).unwrap_or(usize::MAX));
    }
    let property = |(i, size): (usize, usize)| {
        let mut lits: Vec<Lit> = Vec::with_capacity(cursor.room_for(size));
        for j in 0..size {
            let what = format_args!("literal {j} of the {size} of justice property {i}");
            lits.push(cursor.literal_line(header.max_var, what)?);
        }
        Ok(Justice { lits, name: None })
    };
    sizes.into_iter().enumerate().map(property).collect()
}
