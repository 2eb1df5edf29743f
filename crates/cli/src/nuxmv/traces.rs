//! The traces of a session.

use super::session::{Done, Session};
use super::show::{PLUGINS, Shown, Slice, Title};
use super::words::Given;
use crate::exit::Failure;

/// `1.2`: the number of a trace, and of a state in it.
pub fn label(text: &str) -> Option<(usize, usize)> {
    let (trace, state) = text.split_once('.')?;
    Some((trace.parse().ok()?, state.parse().ok()?))
}

/// `2`, `2.3`, `2.3:`, `2.3:5`: a trace, from which state on, and up to which one.
fn part(text: &str) -> Option<(usize, usize, Option<usize>)> {
    let (trace, rest) = text.split_once('.').unwrap_or((text, "1"));
    let (from, to) = rest.split_once(':').unwrap_or((rest, ""));
    let to = if to.is_empty() { None } else { Some(to.parse().ok()?) };
    Some((trace.parse().ok()?, from.parse().ok()?, to))
}

impl Session {
    /// `show_traces`.
    pub fn show_traces(&mut self, given: &Given) -> Result<Done, Failure> {
        if let Err(why) = self.need_model() {
            return Ok(Err(why));
        }
        let n = self.traces.len();
        if given.has('t') {
            self.say(&format!("There are {n} traces currently available.\n"))?;
            return Ok(Ok(()));
        }
        if given.has('A') {
            return Ok(Err("traces are not shown without names (-A)".into()));
        }
        let wanted: Option<Vec<_>> = match (&given.rest[..], given.has('a')) {
            (_, true) => Some((1..=n).map(|number| (number, 1, None)).collect()),
            ([], false) => Some(vec![(n, 1, None)]),
            (some, false) => some.iter().map(|text| part(text)).collect(),
        };
        let Some(wanted) = wanted else {
            return Ok(Err("which trace? 2, or 2.1:3 for the first three states of trace 2".into()));
        };
        if n == 0 {
            return Ok(Err("there are no traces".into()));
        }
        let plugin = match (given.number('p'), given.has('v')) {
            (Ok(Some(plugin)), _) => plugin,
            (Ok(None), true) => 1,
            (Ok(None), false) => self.settings.number("default_trace_plugin"),
            (Err(why), _) => return Ok(Err(why)),
        };
        if !PLUGINS.iter().any(|known| known.0 == plugin) {
            return Ok(Err(format!(
                "there is no way {plugin} to show a trace: show_plugins lists those there are"
            )));
        }
        for (number, from, to) in wanted {
            let Some(stored) = self.traces.get(number.wrapping_sub(1)) else {
                return Ok(Err(format!("there is no trace {number}: they are numbered from 1 to {n}")));
            };
            let n_states = stored.trace.states.len() + usize::from(stored.trace.loops_to.is_some());
            if from == 0 || from > n_states || to.is_some_and(|to| to < from || to > n_states) {
                return Ok(Err(format!("trace {number} has the states {number}.1 to {number}.{n_states}")));
            }
            let Some(model) = &self.model else { break };
            let title = Title { number, description: stored.description, kind: stored.kind };
            let definitions = self.definitions().filter(|_| !given.has('d'));
            let text =
                Shown::new(model, definitions).trace(&stored.trace, &title, Slice { from, to, plugin });
            if plugin != 4 && plugin != 6 {
                self.say(&format!(
                    "    <!-- ################### Trace number: {number} ################### -->\n"
                ))?;
            }
            self.say(&text)?;
        }
        Ok(Ok(()))
    }
    /// `show_plugins`.
    pub fn show_plugins(&mut self) -> Result<Done, Failure> {
        let default = self.settings.number("default_trace_plugin");
        for (number, name) in PLUGINS {
            let mark = if *number == default { "[D]" } else { "   " };
            self.say(&format!("{mark}  {number}\t {name}\n"))?;
        }
        Ok(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_traces() {
        assert_eq!(part("2"), Some((2, 1, None)));
        assert_eq!(part("2.3:"), Some((2, 3, None)));
        assert_eq!(part("2.3:5"), Some((2, 3, Some(5))));
        assert_eq!((part("x"), part("1.x"), label("1.2"), label("1")), (None, None, Some((1, 2)), None));
    }
}
