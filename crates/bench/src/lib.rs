//! `indubit bench`: configurations and other model checkers, side by side over a set of instances.
//!
//! Each run is a child process. Rows go to the CSV file as they come in; tables, plots and JSON are made from rows
//! alone, so that they can be made again from a file without running anything.

pub mod args;
mod config;
mod csv;
mod file;
mod host;
mod html;
mod job;
mod json;
mod matrix;
mod models;
mod peers;
mod process;
mod progress;
mod reading;
mod result;
mod schedule;
mod set;
mod statistics;
mod text;
mod words;

pub use host::Host;

use args::Bench;
use config::Config;
use file::Results;
use indubit_console::exit::{Code, Failure};
use indubit_console::output;
use indubit_console::preflight;
use indubit_console::terminal::{self, Paint};
use matrix::{Clock, Matrix};
use progress::Progress;
use result::Row;
use schedule::{Interrupt, Limits};
use set::{Filter, Instance};
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::Path;

/// Run everything that is missing, and report; or only report.
pub fn run(args: &Bench, host: &dyn Host) -> Result<Code, Failure> {
    let outputs: Vec<&Path> =
        [&args.csv, &args.json, &args.html].into_iter().filter_map(|path| path.as_deref()).collect();
    let inputs: Vec<&Path> = args.sets.iter().chain(&args.from).map(|path| path.as_path()).collect();
    preflight::check(&outputs, &inputs)?;
    match &args.from {
        Some(path) => report(args, Matrix::new(file::read(path)?), true),
        None => measure(args, host),
    }
}

/// Run what is missing, then report.
fn measure(args: &Bench, host: &dyn Host) -> Result<Code, Failure> {
    let instances = set::read(&args.sets, &filter(args)?)?;
    let configs = config::all(args, host)?;
    let old = match &args.csv {
        Some(path) if args.resume && path.exists() => {
            let rows = file::read(path)?;
            file::compatible(path, &rows, &configs, limits(args))?;
            Some(rows)
        }
        _ => None,
    };
    let mut results = match &args.csv {
        Some(path) => Some(Results::create(path, old.as_deref())?),
        None => None,
    };
    let mut rows = old.unwrap_or_default();
    let pairs = missing(&instances, &configs, &rows);
    let interrupt = Interrupt::listen();
    let mut progress = Progress::new(pairs.len(), configs.iter().map(|c| c.name.as_str()), args.quiet);
    let ran = schedule::run(&pairs, limits(args), host, &interrupt, |row| {
        progress.row(&row);
        if let Some(results) = &mut results {
            results.add(&row)?;
        }
        let same = |other: &&Row| other.instance == row.instance;
        let about: Vec<Row> = rows.iter().filter(same).chain([&row]).cloned().collect();
        let about = Matrix::new(about);
        for wrong in about.wrong() {
            progress.shout(&format!("WRONG  {}", about.explain(&wrong)));
        }
        rows.push(row);
        Ok(())
    });
    progress.clear();
    // What is known is reported whatever happened.
    let is_complete = ran.is_ok() && !interrupt.is_raised();
    let names: Vec<String> = configs.iter().map(|config| config.name.clone()).collect();
    let code = report(args, Matrix::new(rows).in_order(&names), is_complete)?;
    match ran {
        Err(failure) => Err(failure),
        Ok(()) if interrupt.is_raised() => {
            terminal::stderr("interrupted: the results are not complete\n");
            // A wrong verdict is the worse news.
            Ok(if code == Code::Internal { code } else { Code::Unknown })
        }
        Ok(()) => Ok(code),
    }
}

/// `COLUMN=VALUE` and texts.
fn filter(args: &Bench) -> Result<Filter, Failure> {
    let pair = |text: &String| match text.split_once('=') {
        Some((column, value)) => Ok((column.to_owned(), value.to_owned())),
        None => Err(Failure::bad_input(format!("--where {text}: expected a column, `=`, and a value"))),
    };
    let columns = args.columns.iter().map(pair).collect::<Result<_, _>>()?;
    Ok(Filter { columns, texts: args.only.clone() })
}

fn limits(args: &Bench) -> Limits {
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let jobs = args.jobs.map_or((cores / 2).max(1), NonZeroUsize::get);
    Limits { timeout: args.timeout, memory: args.memory, jobs }
}

/// All configurations of an instance, then those of the next one, without what has been run.
fn missing<'a>(
    instances: &'a [Instance],
    configs: &'a [Config],
    rows: &[Row],
) -> Vec<(&'a Instance, &'a Config)> {
    let done: HashSet<(&str, &str)> =
        rows.iter().map(|row| (row.instance.as_str(), row.configuration.as_str())).collect();
    let pairs = instances.iter().flat_map(|instance| configs.iter().map(move |config| (instance, config)));
    pairs.filter(|(instance, config)| !done.contains(&(&*instance.name, &*config.name))).collect()
}

/// Write and print everything that was asked for.
fn report(args: &Bench, matrix: Matrix, is_complete: bool) -> Result<Code, Failure> {
    let matrix = matrix.by(if args.cpu_time { Clock::Processor } else { Clock::Wall });
    if matrix.configs.is_empty() {
        return if is_complete { Err(Failure::bad_input("there are no results")) } else { Ok(Code::Unknown) };
    }
    let base = match &args.ablate {
        Some(name) => match matrix.config(name) {
            Some(base) => base,
            None if !is_complete => 0,
            None => {
                return Err(Failure::bad_input(format!(
                    "--ablate {name}: there are no results of that name"
                )));
            }
        },
        None => 0,
    };
    if let Some(path) = &args.json {
        output::save(path, json::document(&matrix, base, is_complete).as_bytes())?;
    }
    if let Some(path) = &args.html {
        output::save(path, html::page(&matrix, base, &title(args), is_complete).as_bytes())?;
    }
    terminal::stdout(&text::summary(&matrix, base, Paint::for_stdout()))?;
    let is_wrong = !matrix.wrong().is_empty();
    let is_broken = |c: usize| matrix.rows(c).any(|(_, row)| is_internal_error(row));
    Ok(if is_wrong || (0..matrix.configs.len()).any(is_broken) { Code::Internal } else { Code::Done })
}

/// A bug that Indubit noticed itself.
fn is_internal_error(row: &Row) -> bool {
    row.command.starts_with("indubit check ") && row.exit_code == Some(Code::Internal as i32)
}

fn title(args: &Bench) -> String {
    let from_names = || {
        let names = args.sets.iter().chain(&args.from).filter_map(|path| path.file_name());
        names.map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>().join(", ")
    };
    args.title.clone().unwrap_or_else(from_names)
}
