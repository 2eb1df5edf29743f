//! How deep bounded model checking gets: depth by processor time, with every switch.
//!
//! `cargo bench -p indubit --bench bmc -- [SECONDS] [OPTION=VALUE…] MODEL.aig…` runs BMC on the first bad signal of each
//! model for so many seconds of processor time (20 by default) and prints the depth it reached. Options are those of
//! `indubit check --option`. Models are given by hand, so nothing happens without one.

#[path = "support/clock.rs"]
mod clock;

use clock::cpu_seconds;
use indubit_engines::{Bmc, BmcConfig, Engine, Options};
use indubit_preproc::{Passes, Prepared, Select, prepare};
use indubit_run::{Cancel, Event, Observer, Run, Source, resident_bytes};
use indubit_system::Conclusion;
use std::path::Path;
use std::time::Duration;

/// Remembers the last bound and ends the run when the processor time is used up.
struct Depth {
    start: f64,
    seconds: f64,
    cancel: Cancel,
    depth: Option<u32>,
    /// Processor time when `depth` was reached.
    at: f64,
}

impl Observer for Depth {
    fn event(&mut self, _: Source, event: &Event) {
        if let Event::Bound { safe_up_to } = event {
            let spent = cpu_seconds("thread-self") - self.start;
            if spent > self.seconds {
                return self.cancel.out_of_time();
            }
            (self.depth, self.at) = (Some(*safe_up_to), spent);
        }
    }
}

/// End the run when this (main) thread has used so much processor time.
fn limit(seconds: f64, cancel: Cancel) {
    let thread = format!("self/task/{}", std::process::id());
    std::thread::spawn(move || {
        while !cancel.is_raised() {
            std::thread::sleep(Duration::from_millis(50));
            if cpu_seconds(&thread) > seconds {
                cancel.out_of_time();
            }
        }
    });
}

fn measure(path: &Path, config: BmcConfig, seconds: f64) {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let system = match indubit_formats::aiger::read(path) {
        Ok(system) => system,
        Err(error) => return println!("{name}: {error}"),
    };
    let cancel = Cancel::new();
    let start = cpu_seconds("thread-self");
    limit(start + seconds, cancel.clone());
    let mut depth = Depth { start, seconds, cancel: cancel.clone(), depth: None, at: 0.0 };
    let mut run = Run::new(cancel).observed_by(&mut depth);
    let Some(bad) = system.property(0).and_then(|p| p.claim.target()) else {
        return println!("{name}: nothing to reach");
    };
    let Ok(Prepared { safety, .. }) = prepare(&system, &Select::one(bad), &Passes::default(), &mut run)
    else {
        return;
    };
    let conclusion = Bmc::new(safety, config).run(&mut run);
    run.cancel().cancel();
    let counts: String =
        run.record().counts.iter().map(|(name, value)| format!("  {name} {value}")).collect();
    let answer = match conclusion {
        Conclusion::Unsafe(trace) if cpu_seconds("thread-self") - start <= seconds => {
            format!("unsafe at {}", trace.len())
        }
        _ => String::new(),
    };
    let depth_reached = depth.depth.map_or_else(|| "none".to_owned(), |d| d.to_string());
    let memory = resident_bytes().unwrap_or(0) >> 20;
    println!("{name:48} depth {depth_reached:>5} at {:6.2} s  {memory:5} MiB {counts}  {answer}", depth.at);
}

fn main() {
    let mut options = Options::default();
    let mut seconds = 20.0;
    for word in std::env::args().skip(1).filter(|w| w != "--bench") {
        if let Ok(number) = word.parse() {
            seconds = number;
        } else if word.contains('=') {
            options.set(&word).unwrap_or_else(|error| panic!("{word}: {error}"));
        } else {
            measure(Path::new(&word), options.bmc, seconds);
        }
    }
}
