//! `--events FILE`: what happens, as JSON lines, for everything that wants to show a run.
//!
//! `docs/events.md` is the format: one object a line, written while the run goes on, and never in part. Within a version, events and fields
//! are added but neither removed nor changed.

use crate::args::{Check, Level};
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
    pub fn create(path: &Path, args: &Check, start: Instant) -> Result<EventLog, Failure> {
        let (file, level) = (output::create(path)?, args.events_level);
        let waiting = Vec::new();
        let mut log =
            EventLog { path: path.into(), file, start, level, waiting, written: start, error: None };
        let (version, model) = (env!("CARGO_PKG_VERSION"), args.model.display().to_string());
        let (engine, seed) = (args.engine_name(), args.effort.seed);
        log.write("start", json!({"indubit": version, "model": model, "engine": engine, "seed": seed}));
        Ok(log)
    }

    pub fn wants_steps(&self) -> bool {
        self.level == Level::Steps
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
            for (name, value) in &outcome.record.counts {
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
        extend(&mut line, fields);
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
