//! The ASCII format: every literal is spelled out, variables may have gaps, gates come in any order.
//!
//! The file is read with literals as it numbers them. Once all definitions are known, gates get their nodes and
//! all other literals are renumbered; since every item has a line of its own, a literal found undefined then
//! is located by counting.

use super::cursor::Cursor;
use super::gates::{self, Gate};
use super::header::Header;
use super::sections;
use super::variables::{Definition, Variables};
use crate::{Error, Place};
use indubit_logic::Lit;
use indubit_system::{BitSystem, Signal};
use std::fmt::Display;

/// Read everything between the header and the symbols.
pub(super) fn read(cursor: &mut Cursor<'_>, header: &Header) -> Result<BitSystem, Error> {
    let mut system = BitSystem::new();
    let mut variables = Variables::new(header.max_var, cursor.rest().len());
    read_inputs(cursor, header, &mut system, &mut variables)?;
    read_latches(cursor, header, &mut system, &mut variables)?;
    sections::read(cursor, header, &mut system)?;
    let gates = read_gates(cursor, header, &mut variables)?;
    let first_gate_line = first_gate_line(header, &system);
    gates::build(&gates, &mut variables, system.aig_mut()).map_err(|bad| {
        let place = cursor.place_of_field(first_gate_line + bad.gate, bad.field);
        let lit = gates[bad.gate][bad.field].code();
        if bad.is_cyclic {
            let found = format!("AND gate {lit}, which depends on itself");
            Error::new(place, found, "AND gates without cycles")
        } else {
            undefined(place, lit)
        }
    })?;
    renumber(cursor, header, &mut system, &variables)?;
    Ok(system)
}

fn read_inputs(
    cursor: &mut Cursor<'_>,
    header: &Header,
    system: &mut BitSystem,
    variables: &mut Variables,
) -> Result<(), Error> {
    let n = header.n_inputs;
    for i in 0..n {
        let what = format_args!("the literal of input {i} (the header announces {n})");
        let lit = new_variable(cursor, header, variables, what)?;
        cursor.line_end(what)?;
        variables.set(lit.var(), Definition::Node(system.push_input(None)));
    }
    Ok(())
}

/// Latches get their next states and resets as the file numbers them.
fn read_latches(
    cursor: &mut Cursor<'_>,
    header: &Header,
    system: &mut BitSystem,
    variables: &mut Variables,
) -> Result<(), Error> {
    let n = header.n_latches;
    for i in 0..n {
        let what = format_args!("the literal of latch {i} (the header announces {n})");
        let lit = new_variable(cursor, header, variables, what)?;
        let what = format_args!("the next state of latch {i}");
        cursor.space(what)?;
        let latch = sections::read_latch(cursor, header, system, i, what)?;
        variables.set(lit.var(), Definition::Node(latch));
    }
    Ok(())
}

fn read_gates(
    cursor: &mut Cursor<'_>,
    header: &Header,
    variables: &mut Variables,
) -> Result<Vec<Gate>, Error> {
    let n = header.n_ands;
    let mut gates = Vec::with_capacity(cursor.room_for(n));
    for i in 0..n {
        let what = format_args!("the literal of AND gate {i} (the header announces {n})");
        let lhs = new_variable(cursor, header, variables, what)?;
        let what = format_args!("a literal that AND gate {i} conjoins");
        cursor.space(what)?;
        let left = cursor.literal(header.max_var, what)?;
        cursor.space(what)?;
        let right = cursor.literal(header.max_var, what)?;
        cursor.line_end(format_args!("AND gate {i}"))?;
        variables.set(lhs.var(), Definition::Gate(i as u32));
        gates.push([lhs, left, right]);
    }
    Ok(gates)
}

/// A literal that defines its variable: positive, not a constant, and new.
fn new_variable(
    cursor: &mut Cursor<'_>,
    header: &Header,
    variables: &Variables,
    what: impl Display,
) -> Result<Lit, Error> {
    let start = cursor.position();
    let lit = cursor.literal(header.max_var, &what)?;
    let code = lit.code();
    let problem = if lit.is_const() {
        "a constant"
    } else if lit.is_negated() {
        "which is negated (odd)"
    } else if variables.get(lit.var()) != Definition::Undefined {
        "which is defined already"
    } else {
        return Ok(lit);
    };
    let expected = format_args!("{what} to be even, not 0, and not defined before");
    Err(cursor.error_at(start, format_args!("literal {code}, {problem}"), expected))
}

/// The line of the first gate: the header is line 1, and each item before the gates has one line.
fn first_gate_line(header: &Header, system: &BitSystem) -> usize {
    let n_justice_lits: usize = system.justice.iter().map(|j| j.lits.len()).sum();
    let signals = [&system.outputs, &system.bads, &system.constraints, &system.fairness];
    let n_signals: usize = signals.iter().map(|s| s.len()).sum();
    2 + header.n_inputs + header.n_latches + n_signals + header.n_justice + n_justice_lits
}

/// Turn all literals outside the gates into the system's own, in the order of the file.
fn renumber(
    cursor: &Cursor<'_>,
    header: &Header,
    system: &mut BitSystem,
    variables: &Variables,
) -> Result<(), Error> {
    let map = |line: usize, field: usize, lit: Lit| {
        variables.lit(lit).ok_or_else(|| undefined(cursor.place_of_field(line, field), lit.code()))
    };
    let mut line = 2 + header.n_inputs;
    for i in 0..system.latches().len() {
        let latch = &system.latches()[i];
        let lit = Lit::positive(latch.var);
        let (next, reset) = (map(line, 1, latch.next)?, map(line, 2, latch.reset)?);
        system.set_next(lit, next);
        system.set_reset(lit, reset);
        line += 1;
    }
    let map_signals = |signals: &mut [Signal], line: &mut usize| {
        for signal in signals {
            signal.lit = map(*line, 0, signal.lit)?;
            *line += 1;
        }
        Ok(())
    };
    map_signals(&mut system.outputs, &mut line)?;
    map_signals(&mut system.bads, &mut line)?;
    map_signals(&mut system.constraints, &mut line)?;
    line += header.n_justice;
    for lit in system.justice.iter_mut().flat_map(|j| &mut j.lits) {
        *lit = map(line, 0, *lit)?;
        line += 1;
    }
    map_signals(&mut system.fairness, &mut line)
}

fn undefined(place: Place, code: u32) -> Error {
    let expected = "a constant or the literal of an input, latch or AND gate";
    Error::new(place, format!("literal {code}, whose variable is not defined"), expected)
}
