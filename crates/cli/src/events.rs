//! `--events FILE`: what happens, as JSON lines, for everything that wants to show a run.
//!
//! One object a line, written while the run goes on; a line is never written in part. Every object has `v` (the
//! version of this format, 1), `t` (seconds since the start of the process) and `event`; the other fields depend
//! on the event:
//!
//! | event | fields |
//! |---|---|
//! | `start` | `indubit` (version), `model` (path), `engine`, `seed` |
//! | `model` | `inputs`, `latches`, `gates`, `constraints`, `properties` (counts); of words `states`, `inputs`, `terms`, `properties` |
//! | `property` | `index`, `id`, `name`: work on a property begins |
//! | `pass` | `name`, `before`, `after` (each `[inputs, latches, gates]`) |
//! | `engine` | `name` |
//! | `bound` | `safe_up_to`: no counterexample of any length up to it |
//! | `frames` | `sizes`: lemmas per delta frame, from F0 to the frontier, and then F∞ |
//! | `obligation` | `level`, `depth` (steps to a bad state), `queued` |
//! | `lemma` | `level` (the highest frame it holds in), `size` (literals) |
//! | `abstraction` | `bound`, `kept`, `latches`: an abstraction is given to another engine |
//! | `count` | `name`, `value`: a statistic of the engine, before its verdict |
//! | `checking` | `what`: `trace` or `proof`; the independent checker begins |
//! | `verdict` | `index`, `id`, `name`, `verdict`, `length`, `safe_up_to`, `stop`, `seconds`, `files`, `missing` |
//! | `end` | `exit_code`; the last line, also after a limit, a signal or an error |
//!
//! Events between `property` and `verdict` say which property (`property`, its index, if it is about one) and which member of the portfolio
//! (`member`, from 0) they are about. `--events-level verdicts` leaves out all but `start`, `model`, `verdict` and `end`; obligations and lemmas, of
//! which a long run has gigabytes, are there with `--events-level steps` only.
//!
//! Within a version, events and fields are added but neither removed nor changed: readers skip what they do not know.
//! `docs/events.md` is this text for users.

use crate::args::Level;
use crate::check::{Outcome, verdict_fields};
use crate::exit::{Code, Failure};
use crate::output;
use crate::properties::Listed;
use crate::size::Size;
use crate::terminal::extend;
use indubit::formats;
use indubit::run::{Event, Source};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Lines wait at most this long or until there are this many bytes, so that one can watch a run.
const LATEST: Duration = Duration::from_millis(100);
const LARGEST: usize = 1 << 16;

pub struct EventLog {
    path: PathBuf,
    file: Box<dyn Write + Send>,
    start: Instant,
    level: Level,
    waiting: Vec<u8>,
    written: Instant,
    /// The first error; nothing is written after it.
    error: Option<io::Error>,
}

impl EventLog {
    /// Begin a file, replacing an old one.
    pub fn create(path: &Path, level: Level, start: Instant) -> Result<EventLog, Failure> {
        let file = output::create(path)?;
        let waiting = Vec::new();
        Ok(EventLog { path: path.into(), file, start, level, waiting, written: start, error: None })
    }

    /// Is each small step written down?
    pub fn wants_steps(&self) -> bool {
        self.level == Level::Steps
    }

    pub fn start(&mut self, model: &Path, engine: &str, seed: u64) {
        let version = env!("CARGO_PKG_VERSION");
        let model = model.display().to_string();
        self.write("start", json!({"indubit": version, "model": model, "engine": engine, "seed": seed}));
    }

    pub fn model(&mut self, size: &Size) {
        self.write("model", size.json());
    }

    /// What a run tells, about a property or about none.
    pub fn event(&mut self, property: Option<&Listed>, source: Source, event: &Event) {
        if self.level == Level::Verdicts || (event.is_step() && self.level < Level::Steps) {
            return;
        }
        let (name, mut fields) = match (event, property) {
            (Event::Begin, Some(p)) => {
                let id = p.id.to_string();
                return self.write("property", json!({"index": p.index, "id": id, "name": p.name}));
            }
            (Event::Pass(pass), _) => {
                ("pass", json!({"name": pass.name, "before": pass.before, "after": pass.after}))
            }
            (Event::Engine { name }, _) => ("engine", json!({"name": name})),
            (Event::Bound { safe_up_to }, _) => ("bound", json!({"safe_up_to": safe_up_to})),
            (Event::Frames { sizes }, _) => ("frames", json!({"sizes": sizes})),
            (Event::Obligation { level, depth, queued }, _) => {
                ("obligation", json!({"level": level, "depth": depth, "queued": queued}))
            }
            (Event::Lemma { level, size }, _) => ("lemma", json!({"level": level, "size": size})),
            (Event::Abstraction { bound, kept, latches }, _) => {
                ("abstraction", json!({"bound": bound, "kept": kept, "latches": latches}))
            }
            (Event::Checking { what }, _) => ("checking", json!({"what": what})),
            // Events may be added: they get a line when this table gets a row.
            _ => return,
        };
        extend(&mut fields, json!({"property": source.property, "member": source.member}));
        self.write(name, fields);
    }

    pub fn verdict(&mut self, outcome: &Outcome) {
        if self.level > Level::Verdicts {
            let index = outcome.property.index;
            for (name, value) in &outcome.counts {
                self.write("count", json!({"name": name, "value": value, "property": index}));
            }
        }
        self.write("verdict", verdict_fields(outcome));
    }

    /// The last line. Tells whether everything could be written.
    pub fn end(&mut self, code: Code) -> Result<(), Failure> {
        self.write("end", json!({"exit_code": code as u8}));
        self.flush();
        match self.error.take() {
            Some(error) => Err(formats::Error::io(&self.path, "write", &error).into()),
            None => Ok(()),
        }
    }

    fn write(&mut self, event: &str, fields: Value) {
        let t = (self.start.elapsed().as_secs_f64() * 1e6).round() / 1e6;
        let mut line = json!({"v": 1, "t": t, "event": event});
        if let (Value::Object(line), Value::Object(fields)) = (&mut line, fields) {
            line.extend(fields);
        }
        self.waiting.extend_from_slice(line.to_string().as_bytes());
        self.waiting.push(b'\n');
        // Thousands a second; all others are worth a call.
        let is_frequent = matches!(event, "frames" | "obligation" | "lemma" | "bound" | "count");
        if !is_frequent || self.waiting.len() >= LARGEST || self.written.elapsed() >= LATEST {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.written = Instant::now();
        if self.error.is_none() {
            self.error = self.file.write_all(&self.waiting).and_then(|()| self.file.flush()).err();
        }
        self.waiting.clear();
    }
}
