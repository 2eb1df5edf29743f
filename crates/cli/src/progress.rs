//! One line on the terminal that says where the run is; nothing of it in a pipe or a file.

use crate::status_line::{StatusLine, shorten};
use crate::terminal::printable;
use indubit::run::Event;
use std::time::{Duration, Instant};

/// What is shown.
#[derive(Default)]
struct Status {
    property: String,
    activity: &'static str,
    safe_up_to: Option<u32>,
    /// Lemmas of each frame, and of `F∞`.
    sizes: Vec<usize>,
    for_good: usize,
    n_obligations: u64,
    queued: usize,
}

pub struct Progress {
    start: Instant,
    line: StatusLine,
    status: Status,
}

impl Progress {
    /// If standard error is a terminal that can take a line back.
    pub fn on_terminal(start: Instant) -> Option<Progress> {
        StatusLine::on_terminal(start).map(|line| Progress { start, line, status: Status::default() })
    }

    pub fn event(&mut self, event: &Event<'_>) {
        self.status.event(event);
        let (start, status) = (self.start, &self.status);
        self.line.draw(|width| status.line(start.elapsed(), width));
    }

    /// Take the line back, before something else is printed.
    pub fn clear(&mut self) {
        self.line.clear();
    }
}

impl Status {
    fn event(&mut self, event: &Event<'_>) {
        match *event {
            Event::Property { name, .. } => {
                *self = Status { property: printable(name), ..Status::default() };
            }
            Event::Engine { name } => self.activity = name,
            Event::Pass { name, .. } => self.activity = name,
            Event::Bound { safe_up_to } => self.safe_up_to = Some(safe_up_to),
            Event::Frames { sizes } => {
                if let Some((for_good, finite)) = sizes.split_last() {
                    (self.for_good, self.sizes) = (*for_good, finite.to_vec());
                }
            }
            Event::Obligation { queued, .. } => {
                self.n_obligations += 1;
                self.queued = queued;
            }
            Event::Lemma { level, .. } => {
                let level = level as usize;
                if level >= self.sizes.len() {
                    self.sizes.resize(level + 1, 0);
                }
                self.sizes[level] += 1;
            }
            Event::Checking { .. } => self.activity = "checking",
            _ => (),
        }
    }

    fn line(&self, elapsed: Duration, width: usize) -> String {
        let mut line =
            format!("{:.1} s  {}: {}", elapsed.as_secs_f64(), shorten(&self.property, 16), self.activity);
        if self.sizes.is_empty() {
            if let Some(k) = self.safe_up_to {
                line += &format!(", no counterexample up to {k}");
            }
        } else {
            let mut rest = match self.for_good {
                0 => String::new(),
                n => format!(" + {n} for good"),
            };
            if self.n_obligations > 0 {
                rest += &format!("  obligations {} ({} open)", self.n_obligations, self.queued);
            }
            line += &format!("  frame {}  lemmas ", self.sizes.len() - 1);
            let room = width.saturating_sub(line.chars().count() + rest.len());
            line += &compact(&self.sizes, room.max(12));
            line += &rest;
        }
        shorten(&line, width)
    }
}

/// Lemmas per frame from F1 on, the last ones if there is no room for all.
fn compact(sizes: &[usize], room: usize) -> String {
    let mut text = String::new();
    for (i, size) in sizes.iter().enumerate().skip(1).rev() {
        let with = if text.is_empty() { size.to_string() } else { format!("{size} {text}") };
        if with.len() + if i > 1 { 2 } else { 0 } > room && !text.is_empty() {
            return format!("… {text}");
        }
        text = with;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status_line::WIDTH;

    #[test]
    fn the_line_fits() {
        let mut status = Status::default();
        status.event(&Event::Property { index: 0, name: "a rather long property name\x1b[2J" });
        status.event(&Event::Engine { name: "ic3" });
        let sizes: Vec<usize> = (0..200).map(|i| i * 37 % 1000).collect();
        status.event(&Event::Frames { sizes: &sizes });
        status.event(&Event::Obligation { level: 198, depth: 3, queued: 12 });
        status.event(&Event::Lemma { level: 198, size: 3 });
        let line = status.line(Duration::from_secs(1234), WIDTH);
        assert!(line.chars().count() <= WIDTH && !line.contains('\x1b'), "{line}");
        let expected = format!("… {} {} + {} for good", sizes[197], sizes[198] + 1, sizes[199]);
        assert!(line.contains(&expected), "{line}");
    }

    #[test]
    fn small_runs_are_shown_in_full() {
        let mut status = Status::default();
        status.event(&Event::Property { index: 0, name: "p" });
        status.event(&Event::Engine { name: "ic3" });
        status.event(&Event::Frames { sizes: &[0, 3, 4, 0] });
        assert_eq!(status.line(Duration::from_millis(1500), 79), "1.5 s  p: ic3  frame 2  lemmas 3 4");
        let mut status = Status { activity: "bmc", property: "p".into(), ..Status::default() };
        status.event(&Event::Bound { safe_up_to: 7 });
        assert_eq!(status.line(Duration::ZERO, 79), "0.0 s  p: bmc, no counterexample up to 7");
        assert_eq!(compact(&[0, 10, 20, 30], 7), "… 20 30");
    }
}
