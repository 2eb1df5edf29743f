//! How far a run is: one line that changes on a terminal, one line for each result in a pipe or a file.

use super::result::Row;
use indubit_console::status_line::{StatusLine, shorten};
use indubit_console::terminal::{self, printable};
use std::time::{Duration, Instant};

pub struct Progress {
    start: Instant,
    line: Option<StatusLine>,
    is_quiet: bool,
    counts: Counts,
}

struct Counts {
    n_pairs: usize,
    done: usize,
    /// For each configuration its name and how many it has solved.
    solved: Vec<(String, usize)>,
}

impl Progress {
    /// Of `n_pairs` runs, for configurations of these names.
    pub fn new<'n>(n_pairs: usize, names: impl Iterator<Item = &'n str>, is_quiet: bool) -> Progress {
        let start = Instant::now();
        let line = if is_quiet { None } else { StatusLine::on_terminal(start) };
        let counts = Counts { n_pairs, done: 0, solved: names.map(|name| (name.into(), 0)).collect() };
        Progress { start, line, is_quiet, counts }
    }

    pub fn row(&mut self, row: &Row) {
        self.counts.row(row);
        let elapsed = self.start.elapsed();
        match &mut self.line {
            _ if self.is_quiet => (),
            Some(line) => line.draw(|width| shorten(&self.counts.status(elapsed), width)),
            None => {
                let Row { instance, configuration, ending, seconds, .. } = row;
                let what = format!("{configuration} {} {seconds:.2} s {instance}", ending.word());
                terminal::stderr(&format!("{}: {}\n", self.counts.status(elapsed), printable(&what)));
            }
        }
    }

    /// Something that must not be missed.
    pub fn shout(&mut self, text: &str) {
        self.clear();
        terminal::stderr(&format!("{}\n", printable(text)));
    }

    /// Take the line back.
    pub fn clear(&mut self) {
        if let Some(line) = &mut self.line {
            line.clear();
        }
    }
}

impl Counts {
    fn row(&mut self, row: &Row) {
        self.done += 1;
        if row.ending.verdict().is_some() {
            let of_config = self.solved.iter_mut().find(|(name, _)| *name == row.configuration);
            if let Some((_, solved)) = of_config {
                *solved += 1;
            }
        }
    }

    fn status(&self, elapsed: Duration) -> String {
        let solved: Vec<String> = self.solved.iter().map(|(name, n)| format!("{name} {n}")).collect();
        let left = elapsed.as_secs_f64() * (self.n_pairs - self.done) as f64 / self.done.max(1) as f64;
        format!(
            "{} of {}, {} left, solved: {}",
            self.done,
            self.n_pairs,
            time(left),
            printable(&solved.join(", "))
        )
    }
}

/// `42 s`, `7 min`, `3.2 h`.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::matrix::tests::SAFE;
    use super::super::result::Ending;
    use super::super::result::tests::row;
    use super::*;

    #[test]
    fn what_is_left() {
        let solved = vec![("x".into(), 0), ("y".into(), 0)];
        let mut counts = Counts { n_pairs: 4, done: 0, solved };
        counts.row(&row("a", "x", SAFE, 1.0));
        counts.row(&row("a", "y", Ending::Timeout, 20.0));
        assert_eq!(counts.status(Duration::from_secs(21)), "2 of 4, 21 s left, solved: x 1, y 0");
        assert_eq!((time(600.0), time(10_000.0)), ("10 min".into(), "2.8 h".into()));
    }
}
