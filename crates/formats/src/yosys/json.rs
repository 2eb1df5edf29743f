//! The maps that are JSON.

use crate::error::show;
use crate::{Error, Place};
use indubit_system::{Clock, Origin};
use serde_json::Value;

/// A map as a document, if it is of this version.
pub(super) fn document(bytes: &[u8], version: &str) -> Result<Value, Error> {
    let document: Value = serde_json::from_slice(bytes).map_err(|error| {
        // Both count from 1, but for the end of what is empty.
        let place = Place::Line { line: error.line().max(1), column: error.column().max(1) };
        let text = error.to_string();
        let found = text.rsplit_once(" at line ").map_or(&*text, |(found, _)| found);
        Error::new(place, found, "a map of Yosys, which is JSON")
    })?;
    match document.get("version").and_then(Value::as_str) {
        Some(found) if found == version => Ok(document),
        found => Err(misfit(format!("version `{}`", found.unwrap_or_default()), format!("`{version}`"))),
    }
}

/// Something that is not as it should be, wherever it is.
pub(super) fn misfit(found: impl Into<String>, expected: impl Into<String>) -> Error {
    Error::new(Place::None, found.into(), expected.into())
}

/// The elements of a list of a document; without it there are none.
pub(super) fn list<'d>(document: &'d Value, key: &str) -> Result<&'d [Value], Error> {
    match document.get(key) {
        None => Ok(&[]),
        Some(Value::Array(list)) => Ok(list),
        Some(_) => Err(misfit(format!("`{key}`, which is no list"), "a list")),
    }
}

/// A number of an element.
pub(super) fn number(element: &Value, key: &str) -> Result<u32, Error> {
    let number = element.get(key).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok());
    number.ok_or_else(|| misfit(format!("no number `{key}` in {}", brief(element)), "a number"))
}

/// A value, as far as it fits in a message.
fn brief(value: &Value) -> String {
    show(value.to_string().as_bytes())
}

/// A path: the names of instances, and of what is in the last one of them.
pub(super) fn path(path: &Value) -> Result<Vec<String>, Error> {
    let names: Option<Vec<String>> =
        path.as_array().and_then(|names| names.iter().map(|n| n.as_str().map(str::to_owned)).collect());
    names.filter(|names| !names.is_empty()).ok_or_else(|| misfit(brief(path), "a path: a list of names"))
}

/// Where something is; a bit if no width is said.
pub(super) fn origin(element: &Value) -> Result<Origin, Error> {
    let width = if element.get("width").is_some() { number(element, "width")? } else { 1 };
    let missing = || misfit(format!("no path in {}", brief(element)), "a path");
    Ok(Origin {
        path: path(element.get("path").ok_or_else(missing)?)?,
        offset: number(element, "offset")?,
        width,
    })
}

/// The clocks.
pub(super) fn clocks(document: &Value) -> Result<Vec<Clock>, Error> {
    let clock = |element: &Value| {
        let edge = element.get("edge").and_then(Value::as_str).unwrap_or("posedge").to_owned();
        Ok(Clock { origin: origin(element)?, edge })
    };
    list(document, "clocks")?.iter().map(clock).collect()
}

/// A path as one name: `u0.mem[3]`.
pub(super) fn joined(path: &[String]) -> String {
    let mut name = String::new();
    for part in path {
        let plain = part.strip_prefix('\\').unwrap_or(part);
        if !name.is_empty() && !plain.starts_with('[') {
            name.push('.');
        }
        name.push_str(plain);
    }
    name
}

/// The source that a name made up by Yosys has in it: `$assert$dir/fifo.sv:23$17` is at `dir/fifo.sv:23`.
pub(super) fn source(path: &[String]) -> Option<String> {
    let place = path.last()?.split('$').find(|part| part.contains(':'))?;
    let (file, line) = place.rsplit_once(':')?;
    let is_line = !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit());
    (is_line && !file.is_empty()).then(|| place.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_names() {
        let path = |parts: &[&str]| parts.iter().map(|&p| p.to_owned()).collect::<Vec<_>>();
        assert_eq!(joined(&path(&["\\u0", "\\mem", "\\[3]"])), "u0.mem[3]");
        assert_eq!(joined(&path(&["$auto$x.cc:1$2"])), "$auto$x.cc:1$2");
        assert_eq!(source(&path(&["\\u0", "$assert$dir/a.sv:23$17"])).as_deref(), Some("dir/a.sv:23"));
        assert_eq!((source(&path(&["\\a_full"])), source(&path(&["$assert$17"]))), (None, None));
    }
}
