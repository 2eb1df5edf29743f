//! AIGER stimuli: the inputs of a simulation, one line of `0`, `1` or `x` a step, and a dot at the end.
//!
//! An `x` is read as 0. Lines that begin with `c` are comments. A model without inputs has one empty line a step.

use crate::Error;
use crate::witness::{Lines, parse_row, push_row};

/// The stimulus with these rows of input values.
pub fn write(inputs: &[Vec<bool>]) -> String {
    let mut text = String::new();
    for row in inputs {
        push_row(&mut text, row);
    }
    text.push_str(".\n");
    text
}

/// The rows of a stimulus for a model with `n_inputs` inputs. The end of the text ends it as well as a dot does.
///
/// ```
/// use indubit_formats::stimulus;
/// assert_eq!(stimulus::parse(b"01\n1x\n.\n", 2).unwrap(), [[false, true], [true, false]]);
/// ```
pub fn parse(text: &[u8], n_inputs: usize) -> Result<Vec<Vec<bool>>, Error> {
    let mut lines = Lines::new(text, b"c");
    let zeros = vec![false; n_inputs];
    let mut rows = Vec::new();
    while !matches!(lines.peek(), None | Some(b".")) {
        rows.push(parse_row(&mut lines, &zeros, "input")?);
    }
    if lines.peek().is_some() {
        lines.next();
    }
    while lines.peek() == Some(b"") {
        lines.next();
    }
    match lines.peek() {
        Some(_) => Err(lines.error(0, "nothing after the `.` that ends a stimulus")),
        None => Ok(rows),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trip() {
        for rows in [vec![], vec![vec![true, false]], vec![vec![], vec![]]] {
            let n = rows.first().map_or(0, Vec::len);
            assert_eq!(parse(write(&rows).as_bytes(), n).unwrap(), rows);
        }
    }

    #[test]
    fn lenient_and_strict() {
        assert_eq!(parse(b"c x\r\n1\r\n0", 1).unwrap(), [[true], [false]]);
        assert_eq!(parse(b"", 3).unwrap(), Vec::<Vec<bool>>::new());
        let error = parse(b"1\n10\n", 1).unwrap_err().to_string();
        assert_eq!(error, "line 2, column 2: found 2 values, expected a line with the value of 1 input");
        let error = parse(b"1\n.\n1\n", 1).unwrap_err().to_string();
        assert_eq!(error, "line 3, column 1: found `1`, expected nothing after the `.` that ends a stimulus");
        assert!(parse(b"\n", 1).is_err());
    }
}
