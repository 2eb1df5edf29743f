//! A line on the terminal that is written again and again, and taken back before anything else is printed.

use crate::terminal;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// The line changes at most this often.
const PERIOD: Duration = Duration::from_millis(100);
/// Wider lines would wrap on common terminals and could not be taken back.
pub const WIDTH: usize = 79;

/// A line that can be taken back.
pub struct StatusLine {
    drawn: Instant,
    is_visible: bool,
}

impl StatusLine {
    /// If standard error is a terminal that can take a line back.
    pub fn on_terminal(start: Instant) -> Option<StatusLine> {
        let capable = std::env::var_os("TERM").is_some_and(|t| t != "dumb");
        (capable && std::io::stderr().is_terminal()).then_some(StatusLine { drawn: start, is_visible: false })
    }

    /// Show what `line` makes for the width it is given, unless something was shown just now.
    pub fn draw(&mut self, line: impl FnOnce(usize) -> String) {
        if self.drawn.elapsed() >= PERIOD {
            self.drawn = Instant::now();
            self.is_visible = true;
            // Asked each time: a window may have become narrower, and a line that wraps cannot be taken back.
            let size = terminal_size::terminal_size_of(std::io::stderr());
            let width =
                size.map_or(WIDTH, |(columns, _)| WIDTH.min(usize::from(columns.0).saturating_sub(1)));
            terminal::stderr(&format!("\r\x1b[2K{}", line(width)));
        }
    }

    /// Take the line back, before something else is printed.
    pub fn clear(&mut self) {
        if self.is_visible {
            self.is_visible = false;
            terminal::stderr("\r\x1b[2K");
        }
    }
}

/// The beginning of `text`, if all of it is too long.
pub fn shorten(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.into();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}
