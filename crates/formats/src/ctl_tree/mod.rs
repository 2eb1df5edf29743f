//! Why a formula of computation tree logic holds or fails in a state, for people and for programs: a tree of paths where there are some, and of sets of states where there are none.
//!
//! A claim that some path exists is shown by that path, which is found by following the inputs that the proof chooses; then the tree goes on in its last state. A claim about all paths rests on sets of
//! states, of which their size is told.

mod explain;
#[cfg(test)]
mod tests;

pub use explain::explain;

use crate::invariant_text;
use crate::lemmas::Names;
use crate::trace_table::Options;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Ctl};
use std::fmt::Write;

/// A formula longer than this is cut.
const LONGEST: usize = 240;

/// Why a formula holds or fails in an initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree<T> {
    /// That state, as a path without a step.
    pub start: T,
    /// Why.
    pub why: Why<T>,
}

impl<T> Tree<T> {
    /// The same tree with other traces.
    pub fn map<S>(self, mut to: impl FnMut(T) -> S) -> Tree<S> {
        Tree { start: to(self.start), why: self.why.map(&mut to) }
    }
    /// Paths of the tree, from its root on, each in the last state of the one before, and where it begins to repeat for ever: joined, they are what is shown to whoever wants one trace.
    pub fn paths(&self) -> Vec<(&T, Option<usize>)> {
        let (mut paths, mut next) = (Vec::new(), Some(&self.why));
        while let Some(why) = next {
            let parts = match &why.reason {
                Reason::Path { trace, loops_to, parts, .. } => {
                    paths.push((trace, *loops_to));
                    if loops_to.is_some() { &[] } else { &parts[..] }
                }
                Reason::Parts(parts) => parts,
                Reason::State | Reason::Sets { .. } | Reason::LeftOut => &[],
            };
            next = parts.iter().find(|part| part.has_path());
        }
        paths
    }
    /// The tree as text. `table` makes the table of a path, with a note about some of its steps; it numbers them from `Options::first` on.
    pub fn text(&self, table: &Table<'_, T>, options: Options) -> String {
        let mut text = String::new();
        let (is_path, is_set) = (self.why.reason.is_path(), matches!(self.why.reason, Reason::Sets { .. }));
        if self.why.holds && !is_set {
            text.push_str("in an initial state, for example:\n");
        }
        if !is_path && !is_set {
            text.push_str(&table(&self.start, options, &|_| None));
        }
        let at = match (is_set, self.why.holds) {
            (true, true) => "every initial state".to_owned(),
            _ => "step 0".to_owned(),
        };
        self.why.write(&mut text, "", &at, table, options);
        text
    }
}

/// That a formula holds or fails in a state, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why<T> {
    /// The formula, with the operators that people use.
    pub formula: String,
    /// Does it hold there?
    pub holds: bool,
    /// The step in which the state is, counted from the initial one.
    pub step: usize,
    /// Why.
    pub reason: Reason<T>,
}

/// Why a formula holds or fails in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason<T> {
    /// The state says so.
    State,
    /// These parts do so.
    Parts(Vec<Why<T>>),
    /// There is a path.
    Path {
        /// The path from the state on; it repeats for ever if it has a loop.
        trace: T,
        /// How many steps it has up to its last state.
        length: usize,
        /// Where its loop begins.
        loops_to: Option<usize>,
        /// What is so in its last state, or where its loop begins.
        parts: Vec<Why<T>>,
    },
    /// There is no path, which sets of states show.
    Sets {
        /// What they are, in a few words.
        what: &'static str,
        /// How many gates they have as circuits.
        gates: usize,
        /// The operators inside that they rest on, whether they hold or fail there, and the gates of their sets.
        inner: Vec<(String, bool, usize)>,
    },
    /// It would make the tree too large.
    LeftOut,
}

impl<T> Why<T> {
    /// The same tree with other traces.
    pub fn map<S>(self, to: &mut impl FnMut(T) -> S) -> Why<S> {
        let Why { formula, holds, step, reason } = self;
        let reason = match reason {
            Reason::State => Reason::State,
            Reason::LeftOut => Reason::LeftOut,
            Reason::Parts(parts) => Reason::Parts(parts.into_iter().map(|part| part.map(to)).collect()),
            Reason::Sets { what, gates, inner } => Reason::Sets { what, gates, inner },
            Reason::Path { trace, length, loops_to, parts } => {
                let trace = to(trace);
                let parts = parts.into_iter().map(|part| part.map(to)).collect();
                Reason::Path { trace, length, loops_to, parts }
            }
        };
        Why { formula, holds, step, reason }
    }
    /// `AF ack fails`.
    pub fn claim(&self) -> String {
        let verb = if self.holds { "holds" } else { "fails" };
        format!("{} {verb}", cut(&self.formula))
    }
    fn has_path(&self) -> bool {
        match &self.reason {
            Reason::Parts(parts) => parts.iter().any(Why::has_path),
            reason => reason.is_path(),
        }
    }
    fn write(&self, text: &mut String, indent: &str, place: &str, table: &Table<'_, T>, options: Options) {
        let at = format!("{indent}{} in {place}", self.claim());
        let part = |part: &Why<T>, text: &mut String| {
            part.write(text, &format!("{indent}  "), &format!("step {}", part.step), table, options);
        };
        let inner = format!("{indent}  ");
        let _ = match &self.reason {
            Reason::State => writeln!(text, "{at}"),
            Reason::LeftOut => writeln!(text, "{at}: … left out, see --verbose"),
            Reason::Parts(parts) => {
                let _ = writeln!(text, "{at}:");
                parts.iter().for_each(|inner| part(inner, text));
                Ok(())
            }
            Reason::Sets { what, gates, inner: operators } => {
                let _ = writeln!(text, "{at}: {what} ({})", n_gates(*gates));
                for (formula, holds, gates) in operators {
                    let verb = if *holds { "holds" } else { "fails" };
                    let _ = writeln!(
                        text,
                        "{inner}where {} {verb} is known from sets of states ({})",
                        cut(formula),
                        n_gates(*gates)
                    );
                }
                Ok(())
            }
            Reason::Path { trace, length, loops_to, parts } => {
                let what = match (length, loops_to) {
                    (_, Some(_)) => "a path that goes on for ever",
                    (1, None) => "a step",
                    _ => "a path",
                };
                let _ = writeln!(text, "{at}: there is {what}");
                let states: Vec<String> =
                    parts.iter().filter(|p| p.reason.is_state()).map(Why::claim).collect();
                let note = |step: usize| {
                    (step == *length && loops_to.is_none() && !states.is_empty()).then(|| states.join(", "))
                };
                let shown = table(
                    trace,
                    Options {
                        first: self.step,
                        width: options.width.saturating_sub(inner.len()).max(40),
                        ..options
                    },
                    &note,
                );
                shown.lines().for_each(|line| text.push_str(&format!("{inner}{line}\n")));
                let others = parts.iter().filter(|part| !part.reason.is_state() || loops_to.is_some());
                others.for_each(|inner| part(inner, text));
                Ok(())
            }
        };
    }
}

/// Makes the table of a path.
pub type Table<'t, T> = dyn Fn(&T, Options, &dyn Fn(usize) -> Option<String>) -> String + 't;

impl<T> Reason<T> {
    fn is_path(&self) -> bool {
        matches!(self, Reason::Path { .. })
    }
    fn is_state(&self) -> bool {
        matches!(self, Reason::State)
    }
}

/// What the atoms of a formula about a circuit are called: by names where they have some, as they are in the model, and else as formulas over names.
pub fn atoms(model: &BitSystem, formula: &Ctl<Lit>) -> Vec<String> {
    let spellings = Names::new(model).spellings();
    let text = |&atom: &Lit| match spellings.get(&atom.var()) {
        Some(label) => {
            let name = label.text.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
            // Quotes are for what reads it.
            let name = name.filter(|name| !name.contains([' ', '\\', '"'])).unwrap_or(&label.text);
            if label.negated == atom.is_negated() { name.to_owned() } else { format!("!{name}") }
        }
        None => {
            let text = invariant_text::formula(model, atom, Some(0));
            let mut lines = text.lines();
            lines.next().unwrap_or_default().to_owned()
        }
    };
    formula.atoms().iter().map(text).collect()
}

fn n_gates(n: usize) -> String {
    if n == 1 { "1 gate".into() } else { format!("{n} gates") }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}
