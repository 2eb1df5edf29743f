//! The line of a file in which something is wrong, with a mark below the place.

use indubit::formats::Place;
use std::fmt::Write;

/// So much of a line is shown around the place.
const WIDEST: usize = 100;

/// The line at a place of a text, if that has lines.
pub fn excerpt(text: &[u8], place: Place) -> Option<String> {
    let Place::Line { line: number, column } = place else { return None };
    let line = text.split(|&b| b == b'\n').nth(number.checked_sub(1)?)?;
    let at = column.checked_sub(1)?.min(line.len());
    // Columns are bytes, and marks stand below characters.
    let before = String::from_utf8_lossy(&line[..at]).replace('\t', " ");
    let after = String::from_utf8_lossy(&line[at..]).replace(['\t', '\r'], " ");
    let skipped = before.chars().count().saturating_sub(WIDEST / 2);
    let dots = if skipped > 0 { "..." } else { "" };
    let before: String = dots.chars().chain(before.chars().skip(skipped)).collect();
    let after: String = after.trim_end().chars().take(WIDEST / 2).collect();
    let margin = number.to_string().len().max(3);
    let mut shown = String::new();
    let _ = writeln!(shown, "{number:>margin$} | {before}{after}");
    let _ = write!(shown, "{:margin$} | {}^", "", " ".repeat(before.chars().count()));
    Some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_below_the_place() {
        let text = "MODULE main\n\tINIT\tö & idel\r\n".as_bytes();
        let place = Place::Line { line: 2, column: 12 };
        assert_eq!(excerpt(text, place).as_deref(), Some("  2 |  INIT ö & idel\n    |           ^"));
        assert_eq!(excerpt(text, Place::None), None);
        assert_eq!(excerpt(text, Place::Line { line: 9, column: 1 }), None);
        let behind = excerpt(text, Place::Line { line: 3, column: 5 });
        assert_eq!(behind.as_deref(), Some("  3 | \n    | ^"));
        let long = "x".repeat(500);
        let cut = excerpt(long.as_bytes(), Place::Line { line: 1, column: 300 }).unwrap();
        assert!(cut.len() < 300 && cut.starts_with("  1 | ...xxx"), "{cut}");
    }
}
