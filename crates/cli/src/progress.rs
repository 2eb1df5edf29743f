//! One line on the terminal that says where the run is; nothing of it in a pipe or a file.

use crate::properties::Listed;
use crate::status_line::{StatusLine, shorten};
use crate::terminal::printable;
use indubit::run::{Event, Source};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What a member of the team does.
#[derive(Default)]
struct Member {
    activity: &'static str,
    safe_up_to: Option<u32>,
    /// The frontier of IC3, and the lemmas in all frames.
    frames: Option<(usize, usize)>,
}

/// What is shown.
#[derive(Default)]
struct Status {
    /// What properties are called, by their position in the model.
    names: BTreeMap<usize, String>,
    n_answered: usize,
    property: Option<usize>,
    members: BTreeMap<usize, Member>,
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

    pub fn begin(&mut self, selected: &[Listed]) {
        self.status.names = selected.iter().map(|p| (p.index, printable(&p.label()))).collect();
    }

    pub fn event(&mut self, source: Source, event: &Event, n_answered: usize) {
        self.status.event(source, event, n_answered);
        let (start, status) = (self.start, &self.status);
        self.line.draw(|width| status.line(start.elapsed(), width));
    }

    /// Take the line back, before something else is printed.
    pub fn clear(&mut self) {
        self.line.clear();
    }
}

impl Status {
    fn event(&mut self, source: Source, event: &Event, n_answered: usize) {
        self.n_answered = n_answered;
        if self.property != source.property {
            self.property = source.property;
            self.members.clear();
        }
        let member = self.members.entry(source.member).or_default();
        match event {
            Event::Begin => self.members.clear(),
            Event::Engine { name } => member.activity = name,
            Event::Pass(pass) => member.activity = pass.name,
            Event::Bound { safe_up_to } => member.safe_up_to = Some(*safe_up_to),
            Event::Frames { sizes } => {
                member.frames = Some((sizes.len().saturating_sub(2), sizes.iter().sum()));
            }
            Event::Lemma { .. } => {
                if let Some((_, n_lemmas)) = &mut member.frames {
                    *n_lemmas += 1;
                }
            }
            Event::Checking { .. } => member.activity = "checking",
            _ => (),
        }
    }

    fn line(&self, elapsed: Duration, width: usize) -> String {
        let mut line = format!("{:.1} s  ", elapsed.as_secs_f64());
        if self.names.len() > 1 {
            line += &format!("{}/{}  ", self.n_answered, self.names.len());
        }
        if let Some(name) = self.property.and_then(|p| self.names.get(&p)) {
            line += &format!("{}: ", shorten(name, 16));
        }
        let members = self.members.values().filter(|m| !m.activity.is_empty());
        let members: Vec<String> = members.map(Member::text).collect();
        line += &members.join(" | ");
        shorten(&line, width)
    }
}

impl Member {
    /// `ic3 frame 5, 312 lemmas`, `bmc 24`.
    fn text(&self) -> String {
        match (self.frames, self.safe_up_to) {
            (Some((frame, lemmas)), _) => format!("{} F{frame} {lemmas} lemmas", self.activity),
            (None, Some(k)) => format!("{} {k}", self.activity),
            (None, None) => self.activity.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status_line::WIDTH;

    fn status(names: &[&str]) -> Status {
        let names = names.iter().enumerate().map(|(i, name)| (i, printable(name))).collect();
        Status { names, ..Status::default() }
    }

    fn source(member: usize) -> Source {
        Source { property: Some(0), member }
    }

    #[test]
    fn the_line_fits() {
        let mut status = status(&["a rather long property name\x1b[2J", "q"]);
        for member in 0..30 {
            status.event(source(member), &Event::Engine { name: "ic3" }, 1);
            status.event(source(member), &Event::Frames { sizes: vec![37; 200] }, 1);
        }
        for width in [WIDTH, 20, 0] {
            let line = status.line(Duration::from_secs(1234), width);
            assert!(line.chars().count() <= width.max(1) && !line.contains('\x1b'), "{line}");
        }
    }

    #[test]
    fn all_members_are_shown() {
        let mut status = status(&["p"]);
        status.event(source(0), &Event::Engine { name: "ic3" }, 0);
        status.event(source(0), &Event::Frames { sizes: vec![0, 3, 4, 1] }, 0);
        assert_eq!(status.line(Duration::from_millis(1500), 79), "1.5 s  p: ic3 F2 8 lemmas");
        status.event(source(1), &Event::Engine { name: "bmc" }, 0);
        status.event(source(1), &Event::Bound { safe_up_to: 7 }, 0);
        assert_eq!(status.line(Duration::ZERO, 79), "0.0 s  p: ic3 F2 8 lemmas | bmc 7");
        // Another property begins.
        status.event(Source { property: Some(1), member: 0 }, &Event::Begin, 1);
        assert_eq!(status.line(Duration::ZERO, 79), "0.0 s  ");
    }
}
