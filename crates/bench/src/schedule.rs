//! All runs, some at a time: all configurations of an instance, then the next instance, so that what is compared runs close
//! together and meets the same noise.

use super::Host;
use super::config::{Config, Tool};
use super::job::{Job, Launch};
use super::models::{FILES, file_for_peer};
use super::reading;
use super::result::Row;
use super::set::Instance;
use indubit_console::exit::Failure;
use signal_hook::consts::TERM_SIGNALS;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What Indubit may take to end after a limit.
const GRACE: Duration = Duration::from_secs(5);

/// Limits, and how many at a time.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub timeout: Duration,
    pub memory: Option<u64>,
    pub jobs: usize,
}

/// Raised by the first signal; the second one ends the process at once.
#[derive(Clone)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listen to the signals that ask a process to end.
    pub fn listen() -> Interrupt {
        let flag = Arc::new(AtomicBool::new(false));
        for &signal in TERM_SIGNALS {
            // Where the system refuses to install a handler, the signal keeps its default effect.
            let code = indubit_console::exit::Code::Unknown as i32;
            let _ = signal_hook::flag::register_conditional_shutdown(signal, code, flag.clone());
            let _ = signal_hook::flag::register(signal, flag.clone());
        }
        Interrupt(flag)
    }
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A directory for output and copies of models, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch, Failure> {
        let path = std::env::temp_dir().join(format!("indubit-bench-{}", std::process::id()));
        match std::fs::create_dir(&path) {
            Ok(()) => Ok(Scratch(path)),
            Err(error) => Err(indubit_formats::Error::io(&path, "create", &error).into()),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Run every pair, of an instance and a configuration, in this order. `tell` gets each row as soon as it is known.
/// Ends early with what is known if it is interrupted, or if `tell` fails.
pub fn run(
    pairs: &[(&Instance, &Config)],
    limits: Limits,
    host: &dyn Host,
    interrupt: &Interrupt,
    mut tell: impl FnMut(Row) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let scratch = Scratch::new()?;
    let this = std::env::current_exe()
        .map_err(|error| Failure::bad_input(format!("cannot find the program that is running: {error}")))?;
    let mut waiting: VecDeque<(usize, &(&Instance, &Config))> = pairs.iter().enumerate().collect();
    let mut running: Vec<(Job, &Instance, &Config)> = Vec::new();
    while !interrupt.is_raised() && (!waiting.is_empty() || !running.is_empty()) {
        while running.len() < limits.jobs
            && let Some((number, &(instance, config))) = waiting.pop_front()
        {
            let launch = launch(config, instance, limits, host, &this, &scratch.0, number);
            let started = launch.map_err(|failure| failure.message().to_owned()).and_then(|launch| {
                Job::start(launch, &scratch.0, number).map_err(|error| format!("cannot start it: {error}"))
            });
            match started {
                Ok(job) => running.push((job, instance, config)),
                Err(message) => tell(reading::not_started(config, instance, limits, message))?,
            }
        }
        let mut i = 0;
        while i < running.len() {
            let (job, instance, config) = &mut running[i];
            let ended = job.look().map_err(|error| {
                Failure::bad_input(format!("cannot ask the system about a process: {error}"))
            })?;
            match ended {
                Some(ended) => {
                    let row = reading::row(config, instance, limits, &ended);
                    running.swap_remove(i);
                    tell(row)?;
                }
                None => i += 1,
            }
        }
        if let Some(age) = running.iter().map(|(job, ..)| job.age()).min() {
            // Nobody wakes this thread up but the clock, or a signal.
            std::thread::park_timeout(pause(age));
        }
    }
    Ok(())
}

/// How long to wait until the next look, if the youngest job has this age: times are good to one percent or to a
/// millisecond, and looking costs next to nothing of the cores that are measured.
fn pause(age: Duration) -> Duration {
    (age / 100).clamp(Duration::from_millis(1), Duration::from_millis(50))
}

/// What to start.
fn launch(
    config: &Config,
    instance: &Instance,
    limits: Limits,
    host: &dyn Host,
    this: &Path,
    scratch: &Path,
    number: usize,
) -> Result<Launch, Failure> {
    let Limits { timeout, memory, .. } = limits;
    let (program, arguments) = match &config.tool {
        Tool::Indubit(arguments) => {
            let model = std::path::absolute(&instance.path).unwrap_or_else(|_| instance.path.clone());
            let mut all: Vec<OsString> = vec!["check".into(), model.into()];
            all.extend(arguments.iter().map(OsString::from));
            all.extend(instance.property.iter().flat_map(|name| ["--property".into(), name.into()]));
            all.extend(["--format".into(), "json".into()]);
            all.extend(["--timeout".into(), timeout.as_secs_f64().to_string().into()]);
            all.extend(
                memory.iter().flat_map(|bytes| ["--memory".into(), format!("{}k", bytes >> 10).into()]),
            );
            (this.to_owned(), all)
        }
        Tool::Peer { words, .. } => {
            let is_meant = |name: &str| words.iter().any(|word| word.contains(name));
            let wanted = FILES.iter().filter(|(name, _)| is_meant(name)).find_map(|(_, wanted)| *wanted);
            let model = file_for_peer(instance, wanted, scratch, number, host)?;
            let fill = |word: &String| -> OsString {
                let model = model.to_string_lossy();
                let seconds = timeout.as_secs_f64().ceil().to_string();
                let mib = memory.map_or(0, |bytes| bytes >> 20).to_string();
                let word = word.replace("{timeout}", &seconds).replace("{memory}", &mib);
                FILES.iter().fold(word, |word, (name, _)| word.replace(name, &model)).into()
            };
            let (first, rest) = words.split_first().expect("a peer has a program");
            (PathBuf::from(first), rest.iter().map(fill).collect())
        }
    };
    let grace = matches!(config.tool, Tool::Indubit(_)).then_some(GRACE);
    Ok(Launch { program, arguments, timeout, memory, grace })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_more_frequent_in_the_beginning() {
        assert_eq!(pause(Duration::ZERO), Duration::from_millis(1));
        assert_eq!(pause(Duration::from_secs(2)), Duration::from_millis(20));
        assert_eq!(pause(Duration::from_secs(3600)), Duration::from_millis(50));
    }
}
