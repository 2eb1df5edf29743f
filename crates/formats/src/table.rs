//! What a trace is shown in: names and values, step by step, after the first step only what changes.

use crate::trace_table::Options;
use std::fmt::Write;

/// One group of signals and the values shown last.
pub(crate) struct Group<V> {
    heading: &'static str,
    labels: Vec<String>,
    shown: Vec<Option<V>>,
}

impl<V: Clone + PartialEq> Group<V> {
    pub fn new(heading: &'static str, labels: Vec<String>) -> Group<V> {
        Group { heading, shown: vec![None; labels.len()], labels }
    }
    /// `name = value` of everything that differs from what was shown last; what has no name is the value alone.
    fn changes(&mut self, values: Vec<V>, show: fn(&V) -> String) -> Vec<String> {
        let mut entries = Vec::new();
        for ((label, shown), value) in self.labels.iter().zip(&mut self.shown).zip(values) {
            if Some(&value) != shown.as_ref() {
                entries.push(match &label[..] {
                    "" => show(&value),
                    label => format!("{label} = {}", show(&value)),
                });
                *shown = Some(value);
            }
        }
        entries
    }
}

/// A table of two groups: what is remembered, and what comes in.
pub(crate) struct Table<V> {
    groups: [Group<V>; 2],
    show: fn(&V) -> String,
    /// Where everything is that is left out.
    elsewhere: &'static str,
    options: Options,
    /// The first of the steps since when nothing has changed.
    quiet_since: Option<usize>,
    /// The step to which the last one goes back, if the run repeats for ever.
    loops_to: Option<usize>,
}

impl<V: Clone + PartialEq> Table<V> {
    pub fn new(
        groups: [Group<V>; 2],
        show: fn(&V) -> String,
        elsewhere: &'static str,
        options: Options,
    ) -> Table<V> {
        Table { groups, show, elsewhere, options, quiet_since: None, loops_to: None }
    }
    /// After the last step comes this one once more.
    pub fn set_loop(&mut self, loops_to: Option<usize>) {
        self.loops_to = loops_to;
    }
    /// Steps in the middle of a long trace are left out; changes are then relative to the last step shown. `values` are those of both
    /// groups, from what there is about a step; `note` says what is remarkable about it.
    pub fn steps<R>(
        &mut self,
        text: &mut String,
        rows: impl ExactSizeIterator<Item = R>,
        values: impl Fn(R) -> [Vec<V>; 2],
        note: impl Fn(usize) -> Option<String>,
    ) {
        let n_steps = rows.len();
        let half = self.options.steps.max(2) / 2;
        let cut = (n_steps > self.options.steps.max(2)).then(|| half..n_steps - half);
        for (step, row) in rows.enumerate() {
            let is_begin = self.loops_to == Some(step);
            if is_begin {
                self.flush_quiet(text, step);
                text.push_str("-- loop begins --\n");
            }
            match &cut {
                Some(cut) if cut.contains(&step) => {
                    // In two parts if the loop begins among them.
                    if step == cut.start || is_begin {
                        self.flush_quiet(text, step);
                        let end =
                            self.loops_to.filter(|b| (step + 1..cut.end).contains(b)).unwrap_or(cut.end);
                        let n = end - step;
                        let steps = if n == 1 { "step" } else { "steps" };
                        let _ = writeln!(text, "… {n} {steps} left out, see {}", self.elsewhere);
                        self.quiet_since = None;
                    }
                }
                _ => self.step(text, step, values(row), note(step)),
            }
        }
        self.flush_quiet(text, n_steps);
        if let Some(begin) = self.loops_to {
            let _ = writeln!(text, "-- back to step {} --", begin + self.options.first);
        }
    }
    fn step(&mut self, text: &mut String, step: usize, values: [Vec<V>; 2], note: Option<String>) {
        let mut body = String::new();
        for (group, values) in self.groups.iter_mut().zip(values) {
            let mut entries = group.changes(values, self.show);
            if entries.len() > self.options.signals {
                let more = entries.len() - self.options.signals;
                entries.truncate(self.options.signals);
                entries.push(format!("… {more} more, see {}", self.elsewhere));
            }
            wrap(&mut body, group.heading, &entries, self.options.width);
        }
        if body.is_empty() && note.is_none() && step > 0 {
            self.quiet_since.get_or_insert(step);
            return;
        }
        self.flush_quiet(text, step);
        let _ = match note {
            Some(note) => writeln!(text, "step {}: {note}", step + self.options.first),
            None => writeln!(text, "step {}", step + self.options.first),
        };
        text.push_str(&body);
    }
    fn flush_quiet(&mut self, text: &mut String, step: usize) {
        let shift = self.options.first;
        let _ = match self.quiet_since.take() {
            Some(first) if first + 1 == step => writeln!(text, "step {}: nothing changes", first + shift),
            Some(first) => writeln!(text, "steps {}-{}: nothing changes", first + shift, step - 1 + shift),
            None => Ok(()),
        };
    }
}

/// Write `entries` behind their heading, two spaces between them, within `width` columns.
fn wrap(text: &mut String, heading: &str, entries: &[String], width: usize) {
    const INDENT: usize = 11;
    let mut column = 0;
    for (i, entry) in entries.iter().enumerate() {
        let length = entry.chars().count();
        if i == 0 {
            let _ = write!(text, "  {heading:<9}{entry}");
            column = INDENT + length;
        } else if column + 2 + length <= width {
            let _ = write!(text, "  {entry}");
            column += 2 + length;
        } else {
            let _ = write!(text, "\n{:INDENT$}{entry}", "");
            column = INDENT + length;
        }
    }
    if !entries.is_empty() {
        text.push('\n');
    }
}
