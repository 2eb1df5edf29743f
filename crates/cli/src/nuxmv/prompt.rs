//! Where lines come from: standard input as it is, or a terminal, with editing, completion and a history.

use super::commands::{COMMANDS, find};
use crate::exit::Failure;
use crate::terminal;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::io::BufRead;
use std::path::PathBuf;

/// So many lines are remembered between sessions.
const MOST_LINES: usize = 2000;

/// Names that can be completed.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub variables: Vec<String>,
    pub properties: Vec<String>,
    pub settings: Vec<String>,
}

/// Where lines come from.
pub enum Lines {
    /// Standard input.
    Plain,
    /// A terminal.
    Edited(Box<Edited>),
}

/// A terminal.
pub struct Edited {
    editor: Editor<Completions, FileHistory>,
    /// Where lines are remembered, if that is possible.
    history: Option<PathBuf>,
}

impl Lines {
    /// A terminal, if one can be edited.
    pub fn edited() -> Lines {
        let config = Config::builder().completion_type(CompletionType::List);
        let config = config.max_history_size(MOST_LINES).and_then(|config| config.history_ignore_dups(true));
        let Ok(config) = config else { return Lines::Plain };
        let Ok(mut editor) = Editor::with_config(config.auto_add_history(false).build()) else {
            return Lines::Plain;
        };
        editor.set_helper(Some(Completions { names: Names::default(), files: FilenameCompleter::new() }));
        // Without a place for it, there is no history from before, and none for later.
        let history = history_file();
        if let Some(path) = &history {
            let _ = editor.load_history(path);
        }
        Lines::Edited(Box::new(Edited { editor, history }))
    }
    pub fn is_edited(&self) -> bool {
        matches!(self, Lines::Edited(_))
    }
    /// The next command; none at the end. At a terminal, Ctrl-C begins the line anew.
    pub fn read(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        let Lines::Edited(edited) = self else { return self.ask(prompt) };
        loop {
            match edited.editor.readline(prompt) {
                Ok(line) => {
                    edited.remember(&line);
                    return Ok(Some(line));
                }
                Err(ReadlineError::Interrupted) => terminal::stdout("(Ctrl-D or quit leaves)\n")?,
                Err(ReadlineError::Eof) => return Ok(None),
                Err(error) => return Err(wrong(&error)),
            }
        }
    }
    /// The answer to a question; none at the end, or if somebody interrupts it.
    pub fn ask(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        match self {
            Lines::Plain => {
                let mut line = Vec::new();
                match std::io::stdin().lock().read_until(b'\n', &mut line) {
                    Ok(0) => Ok(None),
                    Ok(_) => Ok(Some(String::from_utf8_lossy(&line).into_owned())),
                    Err(error) => Err(wrong(&error)),
                }
            }
            Lines::Edited(edited) => match edited.editor.readline(prompt) {
                Ok(line) => Ok(Some(line)),
                Err(ReadlineError::Interrupted | ReadlineError::Eof) => Ok(None),
                Err(error) => Err(wrong(&error)),
            },
        }
    }
    /// These names are there to be completed.
    pub fn learn(&mut self, names: Names) {
        if let Lines::Edited(edited) = self
            && let Some(helper) = edited.editor.helper_mut()
        {
            helper.names = names;
        }
    }
}

impl Edited {
    /// Keep a line, for later sessions, too. Where that is not possible, it is forgotten.
    fn remember(&mut self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        let _ = self.editor.add_history_entry(line);
        if let Some(path) = &self.history {
            let _ = self.editor.save_history(path);
        }
    }
}

/// The file that remembers lines, in the directory for the state of programs (XDG Base Directory Specification); none if there is no such directory.
fn history_file() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))?;
    let directory = state.join("indubit");
    std::fs::create_dir_all(&directory).ok()?;
    Some(directory.join("nuxmv_history"))
}

fn wrong(error: &dyn std::fmt::Display) -> Failure {
    Failure::bad_input(format!("standard input: {error}"))
}

struct Completions {
    names: Names,
    files: FilenameCompleter,
}

/// What a word may become.
#[derive(Debug, PartialEq, Eq)]
enum Expected {
    Command,
    Option(String),
    File,
    Property,
    Setting,
    Variable,
}

/// What is expected at the end of a line, and where the word begins that is completed.
fn expected(line: &str) -> (Expected, usize) {
    let start = line
        .rfind(';')
        .filter(|at| line[..*at].matches('"').count().is_multiple_of(2))
        .map_or(0, |at| at + 1);
    let command = &line[start..];
    let word_at = start + command.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let mut words = line[start..word_at].split_whitespace();
    let Some(first) = words.next() else { return (Expected::Command, word_at) };
    let before = words.next_back();
    let is_quoted = command.matches('"').count() % 2 == 1;
    let is_part = |c: char| c.is_alphanumeric() || "_.$#[]".contains(c);
    let name_at =
        line.char_indices().rev().take_while(|&(_, c)| is_part(c)).last().map_or(line.len(), |(at, _)| at);
    match (first, before) {
        _ if is_quoted => (Expected::Variable, name_at),
        (_, None) if line[word_at..].starts_with('-') => (Expected::Option(first.to_owned()), word_at),
        ("help", _) => (Expected::Command, word_at),
        ("set" | "unset", None) => (Expected::Setting, word_at),
        ("set", Some("input_file")) | ("source", _) | (_, Some("-o")) | ("read_model", Some("-i")) => {
            (Expected::File, word_at)
        }
        (_, Some("-P")) => (Expected::Property, word_at),
        _ if line[word_at..].starts_with('-') => (Expected::Option(first.to_owned()), word_at),
        _ => (Expected::Variable, name_at),
    }
}

impl Completions {
    fn candidates(&self, what: &Expected) -> Vec<String> {
        match what {
            Expected::Command => COMMANDS.iter().map(|command| command.0.to_owned()).collect(),
            Expected::Option(command) => {
                let letters = find(command).map_or("", |command| command.1).chars();
                letters.filter(|&c| c != ':').map(|letter| format!("-{letter}")).collect()
            }
            Expected::Property => self.names.properties.clone(),
            Expected::Setting => self.names.settings.clone(),
            Expected::Variable => self.names.variables.clone(),
            Expected::File => Vec::new(),
        }
    }
}

impl Completer for Completions {
    type Candidate = Pair;
    fn complete(
        &self,
        line: &str,
        at: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let (what, start) = expected(&line[..at]);
        if what == Expected::File {
            return self.files.complete(line, at, context);
        }
        let typed = &line[start..at];
        let mut all = self.candidates(&what);
        all.retain(|candidate| candidate.starts_with(typed));
        all.sort_unstable();
        all.dedup();
        let pair = |text: String| Pair { display: text.clone(), replacement: text };
        Ok((start, all.into_iter().map(pair).collect()))
    }
}

impl Helper for Completions {}
impl Hinter for Completions {
    type Hint = String;
}
impl Highlighter for Completions {}
impl Validator for Completions {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_completed() {
        let option = |command: &str| Expected::Option(command.into());
        for (line, what, start) in [
            ("chec", Expected::Command, 0),
            ("go; sim", Expected::Command, 4),
            ("simulate -", option("simulate"), 9),
            ("simulate -k 3 -", option("simulate"), 14),
            ("check_invar -P bo", Expected::Property, 15),
            ("read_model -i ex", Expected::File, 14),
            ("show_property -o ", Expected::File, 17),
            ("source scr", Expected::File, 7),
            ("set bmc", Expected::Setting, 4),
            ("set input_file mo", Expected::File, 15),
            ("help pick", Expected::Command, 5),
            ("check_invar -p \"a.x = 1; a.y", Expected::Variable, 25),
            ("check_invar -p !tem", Expected::Variable, 16),
        ] {
            assert_eq!(expected(line), (what, start), "{line}");
        }
    }

    #[test]
    fn candidates_begin_as_typed() {
        let names = Names { variables: vec!["a.x".into(), "count".into()], ..Names::default() };
        let completions = Completions { names, files: FilenameCompleter::new() };
        let history = FileHistory::new();
        let complete = |line: &str| {
            let (start, pairs) = completions.complete(line, line.len(), &Context::new(&history)).unwrap();
            (start, pairs.into_iter().map(|pair| pair.replacement).collect::<Vec<_>>())
        };
        assert_eq!(complete("check_ltlspec -p \"G cou"), (20, vec!["count".into()]));
        assert_eq!(complete("goto"), (0, vec!["goto_state".into()]));
        assert_eq!(complete("print_current_state -").1, ["-v"]);
    }
}
