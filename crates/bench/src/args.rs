//! What users can say to `indubit bench`.

use clap::Args;
use indubit_console::values;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  indubit bench set.csv --engines ic3,bmc,kind --timeout 20 --csv results.csv --html page.html
  indubit bench models/ --config 'plain=--engine ic3' --config 'seeded=--engine ic3 --seed 1'
  indubit bench set.csv --engines ic3 --peer abc-pdr --peer 'mine=./checker --quick {model}'
  indubit bench set.csv --ablate ic3 --switch predict=off --switch '--seed 1' --csv results.csv
  indubit bench set.csv --engines ic3 --csv results.csv --resume     go on where a run was ended
  indubit bench --from results.csv --html page.html                  without running anything

A set in CSV has a column `path`, relative to its own directory, and may have `expected` (safe, unsafe), `property` and
`family`. Every configuration runs on an instance before the next one begins.

In the command of a peer, {model} is the path of the model, {aig} that of the model in binary AIGER, {chc} that of the model as
Horn clauses, {timeout} the time limit in seconds and {memory} the memory limit in MiB (0 for none). There is no shell unless the
command starts one. Ready: abc-pdr, abc-scorr-pdr, abc-bmc, abc-int, ric3-ic3, ric3-bmc, spacer. A verdict is read from --peer-safe and --peer-unsafe texts;
without these from the first line that is safe, unsat or 0, or unsafe, sat or 1; else from exit code 20 (safe) or 10 (unsafe).

Exit codes: 0 done, 30 interrupted (what is known is written), 2 bad input or usage, 70 a verdict is wrong: it differs from
the expected one, or configurations disagree; or Indubit met an internal error.";

/// Arguments of the command. Which engines there are is for the program to say.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Bench {
    /// Instances: CSV files, directories, models
    #[arg(value_name = "SET", required_unless_present = "from")]
    pub sets: Vec<PathBuf>,
    /// Run these engines, each as a configuration of that name
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub engines: Vec<String>,
    /// Run `indubit check` with these arguments; may be repeated
    #[arg(long, value_name = "NAME=ARGUMENTS")]
    pub config: Vec<String>,
    /// Run another model checker; may be repeated
    #[arg(long, value_name = "NAME=COMMAND|READY")]
    pub peer: Vec<String>,
    /// A line with this text in the output of that peer means safe; may be repeated
    #[arg(long, value_name = "NAME=TEXT")]
    pub peer_safe: Vec<String>,
    /// A line with this text in the output of that peer means unsafe; may be repeated
    #[arg(long, value_name = "NAME=TEXT")]
    pub peer_unsafe: Vec<String>,
    /// Compare everything with this configuration, and add one for each --switch [default: the first one]
    #[arg(long, value_name = "NAME")]
    pub ablate: Option<String>,
    /// Add these arguments to the configuration of --ablate, as a configuration of its own; `predict=off` is short for
    /// `--option predict=off`; may be repeated
    #[arg(long, value_name = "ARGUMENTS", requires = "ablate", allow_hyphen_values = true)]
    pub switch: Vec<String>,
    /// Add every option of `indubit engines --options` as a --switch, with each of its other values, numbers aside
    #[arg(long, requires = "ablate")]
    pub every_switch: bool,
    /// Only instances whose row in the CSV file has this value in this column; may be repeated
    #[arg(long = "where", value_name = "COLUMN=VALUE")]
    pub columns: Vec<String>,
    /// Only instances whose path contains this text; may be repeated, then any of them
    #[arg(long, value_name = "TEXT")]
    pub only: Vec<String>,
    /// Time limit of each run: seconds, or with a unit as in 500ms, 5m, 1h
    #[arg(long, value_name = "SECONDS", value_parser = values::duration, default_value = "60")]
    pub timeout: Duration,
    /// Memory limit of each run: MiB, or with a unit as in 500M, 4G
    #[arg(long, value_name = "MIB", value_parser = values::memory)]
    pub memory: Option<u64>,
    /// How many run at a time [default: half of the cores, at least 1]
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    pub jobs: Option<NonZeroUsize>,
    /// Write one line for each instance and configuration, as soon as it is known
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Keep what is in the CSV file and run only what is missing
    #[arg(long, requires = "csv")]
    pub resume: bool,
    /// Write everything as one JSON object
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a page with plots and tables
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Run nothing: take the results from this CSV file
    #[arg(long, value_name = "RESULTS", conflicts_with_all = [
        "sets", "engines", "config", "peer", "peer_safe", "peer_unsafe", "switch", "every_switch", "columns", "only", "memory", "jobs", "csv",
    ])]
    pub from: Option<PathBuf>,
    /// Compare processor time instead of wall-clock time: for machines with other work to do. Limits are on the wall clock
    #[arg(long)]
    pub cpu_time: bool,
    /// The title of the page [default: from the names of the sets]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// No progress on standard error
    #[arg(long, short)]
    pub quiet: bool,
}
