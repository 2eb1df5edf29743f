//! From a design to a model.

use crate::design::map;
use crate::properties::interpret;
use crate::reset::hold;
use crate::{Design, Error, Yosys};
use indubit_formats::btor2::{self, Btor2};
use indubit_formats::yosys::witness;
use std::path::{Path, PathBuf};
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
    let written = room.write(MAP, &map())?;
    let out = room.path("design");
    let seen =
        Design { files: design.files.iter().map(|file| seen_from_here(file)).collect(), ..design.clone() };
    let run = |is_system: bool| -> Result<Output, Error> {
        let text = seen.script(&out.to_string_lossy(), &written.to_string_lossy(), is_system);
        yosys.run(&room.write("script.ys", &text)?)
    };
    // Words such as `bit` are names in Verilog; some who call a file .v write SystemVerilog all the same.
    let mut output = run(design.is_system_verilog())?;
    let mut contents = fs::read(out.with_extension("btor2")).unwrap_or_default();
    if !design.is_system_verilog() && !is_complete(&output, &contents) {
        output = run(true)?;
        contents = fs::read(out.with_extension("btor2")).unwrap_or_default();
    }
    if !is_complete(&output, &contents) {
        return Err(failed(&output));
    }
    let mut model = btor2::parse(&contents)
        .map_err(|error| Error::new(format!("what Yosys has written cannot be read: {error}")))?;
    let list = |extension: &str| listed(&out, extension);
    let (clocks, falling) = (list("clocks"), list("negedge"));
    one_clock(design, &clocks, &falling)?;
    model.clocks = clocks.iter().map(|name| witness::clock(name, !falling.is_empty())).collect();
    warn(&mut model, &output, &list("latches"), &list("wraps"));
    let reset_done = hold(&mut model, &design.resets)?;
    interpret(&mut model, reset_done, MAP);
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
                "`--clock {}` takes all of them to be one: every register is updated in each step",
                several[0]
            )))
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
