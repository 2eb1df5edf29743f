//! The symbol table and the comment: the same text in both formats.

use super::cursor::Cursor;
use crate::Error;
use crate::error::show;
use indubit_system::{BitSystem, Name};

/// Read from behind the gates to the end of the file.
pub(super) fn read(cursor: &mut Cursor<'_>, system: &mut BitSystem) -> Result<(), Error> {
    loop {
        match cursor.rest() {
            [] => return Ok(()),
            // `c0 name` names a constraint; any other `c` starts the comment.
            [b'c', next, ..] if next.is_ascii_digit() => read_symbol(cursor, system)?,
            [b'c', ..] => {
                cursor.advance(1);
                cursor.advance(cursor.at_line_end().unwrap_or(0));
                system.comment = cursor.rest().to_vec();
                return Ok(());
            }
            _ => read_symbol(cursor, system)?,
        }
    }
}

fn read_symbol(cursor: &mut Cursor<'_>, system: &mut BitSystem) -> Result<(), Error> {
    let (start, symbol) = (cursor.position(), show(cursor.rest()));
    let Some(kind) = cursor.peek().and_then(Kind::from_letter) else {
        let expected = "a symbol (`i0 name`, or l, o, b, c, j, f), a comment (`c`) or the end of the file";
        return Err(cursor.unexpected(expected));
    };
    let what = kind.noun();
    cursor.advance(1);
    let number = cursor.number(format_args!("the index of the {what} that the symbol names"))?;
    let n = kind.count(system);
    let Some(index) = usize::try_from(number).ok().filter(|&index| index < n) else {
        return Err(match n.checked_sub(1) {
            None => cursor.error_at(start, symbol, format_args!("no such symbol, since there is no {what}")),
            Some(last) => {
                cursor.error_at(start, symbol, format_args!("an index up to {last}, the last {what}"))
            }
        });
    };
    cursor.space("the symbol's name")?;
    if kind.name(system, index).is_some() {
        let found = format_args!("a second symbol for {what} {index}");
        return Err(cursor.error_at(start, found, "at most one"));
    }
    let name = rest_of_line(cursor);
    if !name.is_empty() {
        kind.set_name(system, index, Name::new(name));
    }
    Ok(())
}

/// Everything up to the line end, which is skipped; the file may end instead.
fn rest_of_line<'a>(cursor: &mut Cursor<'a>) -> &'a [u8] {
    let rest = cursor.rest();
    let Some(length) = rest.iter().position(|&b| b == b'\n') else {
        cursor.advance(rest.len());
        return rest;
    };
    cursor.advance(length + 1);
    let line = &rest[..length];
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// What a symbol can name.
#[derive(Clone, Copy)]
enum Kind {
    Input,
    Latch,
    Output,
    Bad,
    Constraint,
    Justice,
    Fairness,
}

impl Kind {
    fn from_letter(letter: u8) -> Option<Kind> {
        Some(match letter {
            b'i' => Kind::Input,
            b'l' => Kind::Latch,
            b'o' => Kind::Output,
            b'b' => Kind::Bad,
            b'c' => Kind::Constraint,
            b'j' => Kind::Justice,
            b'f' => Kind::Fairness,
            _ => return None,
        })
    }
    fn noun(self) -> &'static str {
        match self {
            Kind::Input => "input",
            Kind::Latch => "latch",
            Kind::Output => "output",
            Kind::Bad => "bad state",
            Kind::Constraint => "constraint",
            Kind::Justice => "justice property",
            Kind::Fairness => "fairness constraint",
        }
    }
    fn count(self, system: &BitSystem) -> usize {
        match self {
            Kind::Input => system.inputs().len(),
            Kind::Latch => system.latches().len(),
            Kind::Output => system.outputs.len(),
            Kind::Bad => system.bads.len(),
            Kind::Constraint => system.constraints.len(),
            Kind::Justice => system.justice.len(),
            Kind::Fairness => system.fairness.len(),
        }
    }
    fn name(self, system: &BitSystem, index: usize) -> Option<&Name> {
        match self {
            Kind::Input => system.inputs()[index].name.as_ref(),
            Kind::Latch => system.latches()[index].name.as_ref(),
            Kind::Output => system.outputs[index].name.as_ref(),
            Kind::Bad => system.bads[index].name.as_ref(),
            Kind::Constraint => system.constraints[index].name.as_ref(),
            Kind::Justice => system.justice[index].name.as_ref(),
            Kind::Fairness => system.fairness[index].name.as_ref(),
        }
    }
    fn set_name(self, system: &mut BitSystem, index: usize, name: Name) {
        match self {
            Kind::Input => system.name_input(index, name),
            Kind::Latch => system.name_latch(index, name),
            Kind::Output => system.outputs[index].name = Some(name),
            Kind::Bad => system.bads[index].name = Some(name),
            Kind::Constraint => system.constraints[index].name = Some(name),
            Kind::Justice => system.justice[index].name = Some(name),
            Kind::Fairness => system.fairness[index].name = Some(name),
        }
    }
}
