//! `indubit replay`: recorded solver queries, asked again and measured.

use crate::args::Limits;
use crate::exit::{Code, Failure, leave};
use crate::guard::{CodeSoFar, Guard};
use crate::terminal;
use clap::{Args, ValueEnum};
use indubit::formats::load;
use indubit::run::{Ask, Cancel, Stop};
use indubit::sat::stream::{Rebuilt, Report, Stream, replay};
use indubit::sat::{Cadical, Cdcl, Config, RelConfig, RelSolver};
use std::path::{Path, PathBuf};
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  indubit check model.aig --engine ic3 --record model.queries
  indubit replay model.queries --solver rel --solver cadical
  indubit replay *.queries --no-cones --csv

Files are read before the clock starts. Ticks count work in the solver's own unit: watches and clauses, or cache lines.
Instructions are counted by `perf stat` or `valgrind --tool=callgrind` around a replay of one file by one solver.
Exit codes: 0 every answer is the recorded one, 70 some is not, 30 a limit was reached, 2 bad input or usage.";

/// A solver that can be asked recorded queries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Solver {
    /// Ours for IC3, inside the cones of each query
    Rel,
    /// Ours for everything
    Cdcl,
    /// CaDiCaL
    Cadical,
}

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Replay {
    /// Recorded queries, from `indubit check MODEL --engine ic3 --record FILE`
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The solver to ask; may be repeated, to compare
    #[arg(long, value_name = "NAME", value_enum, default_value = "rel")]
    pub solver: Vec<Solver>,
    /// rel: everything is in the domain of every query, not its cones only
    #[arg(long)]
    pub no_cones: bool,
    /// rel: decisions come from an exact heap, not from buckets
    #[arg(long)]
    pub no_buckets: bool,
    /// rel: models assign the whole domain, not only what justifies the rest
    #[arg(long)]
    pub no_justify: bool,
    /// rel: do not look for subsumed clauses
    #[arg(long)]
    pub no_subsume: bool,
    /// rel: do not unassign parts of models where the engine did
    #[arg(long)]
    pub no_flips: bool,
    /// Seed of the solvers' random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    pub limits: Limits,
    /// Print comma-separated values
    #[arg(long)]
    pub csv: bool,
}

pub fn run(args: &Replay, start: Instant) -> Result<Code, Failure> {
    let cancel = Cancel::new();
    let overdue = |stop: Stop| {
        terminal::stderr(&format!("not replayed to the end ({stop})\n"));
        leave(Code::Unknown as u8);
    };
    let _guard = Guard::new(args.limits.since(start), &cancel, CodeSoFar::new(), overdue)?;
    terminal::stdout(&line(COLUMNS, args.csv))?;
    let seconds = || cpu_seconds().unwrap_or_else(|| start.elapsed().as_secs_f64());
    let mut rows: Vec<Row> = Vec::new();
    for file in &args.files {
        let stream = Stream::read(&load(file)?)
            .map_err(|error| Failure::bad_input(format!("{}: {error}", terminal::path(file))))?;
        for &solver in &args.solver {
            let begin = seconds();
            let report = match ask(args, solver, &stream, &cancel) {
                Ok(report) => report,
                Err(stop) => {
                    let file = terminal::path(file);
                    terminal::stderr(&format!("{file}: not replayed to the end ({stop})\n"));
                    return Ok(Code::Unknown);
                }
            };
            let row = Row { file: name(file), solver, seconds: seconds() - begin, report };
            terminal::stdout(&row.text(args.csv))?;
            rows.push(row);
        }
    }
    if !args.csv && args.files.len() > 1 {
        terminal::stdout(&totals(args, &rows))?;
    }
    match rows.iter().map(|row| row.report.disagreements).sum::<u64>() {
        0 => Ok(Code::Done),
        n => Err(Failure::internal(format!(
            "{n} answers differ from the recorded ones: the file is damaged, or a solver is wrong"
        ))),
    }
}

fn ask(args: &Replay, solver: Solver, stream: &Stream, cancel: &Cancel) -> Ask<Report> {
    let flips = !args.no_flips;
    match solver {
        Solver::Rel => {
            let config = RelConfig {
                seed: args.seed,
                cones: !args.no_cones,
                buckets: !args.no_buckets,
                justify: !args.no_justify,
                subsume: !args.no_subsume,
            };
            replay(stream, flips, || RelSolver::new(cancel, config))
        }
        Solver::Cdcl => replay(stream, flips, || Rebuilt::new(|| Cdcl::new(cancel, args.seed))),
        Solver::Cadical => {
            let make = || Cadical::new(Config::Default, cancel).seeded(args.seed);
            replay(stream, flips, || Rebuilt::new(make))
        }
    }
}

/// The time that this thread has been running, where the system tells.
fn cpu_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds as f64 * 1e-9)
}

fn name(path: &Path) -> String {
    terminal::printable(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy())
}

struct Row {
    file: String,
    solver: Solver,
    seconds: f64,
    report: Report,
}

const COLUMNS: &str =
    "file,solver,queries,sat,unsat,differ,cpu_s,queries/s,ticks,conflicts,propagations,core_lits";

/// Comma-separated values as they are wanted: as they are, or the names to the left and numbers to the right.
fn line(cells: &str, csv: bool) -> String {
    let cell = |(i, cell): (usize, &str)| match i {
        0 => format!("{cell:<40}"),
        1 => format!(" {cell:<8}"),
        _ => format!(" {cell:>12}"),
    };
    let line = if csv { cells.into() } else { cells.split(',').enumerate().map(cell).collect::<String>() };
    line + "\n"
}

impl Solver {
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

impl Row {
    fn text(&self, csv: bool) -> String {
        let Report { satisfiable, unsatisfiable, disagreements, core_lits, effort, .. } = self.report;
        let queries = satisfiable + unsatisfiable;
        // The clock ticks in milliseconds: over a shorter time nothing can be said.
        let per_second = match self.seconds >= 0.01 {
            true => format!("{:.0}", queries as f64 / self.seconds),
            false => "-".into(),
        };
        let (file, solver, seconds) = (self.file.replace(',', "_"), self.solver.name(), self.seconds);
        let answers = format!("{queries},{satisfiable},{unsatisfiable},{disagreements}");
        let work = format!("{},{},{},{core_lits}", effort.ticks, effort.conflicts, effort.propagations);
        line(&format!("{file},{solver},{answers},{seconds:.3},{per_second},{work}"), csv)
    }
}

/// Each solver's time for all files, and how the others compare with the first: in total, and by geometric mean.
fn totals(args: &Replay, rows: &[Row]) -> String {
    let of = |solver: Solver| rows.iter().filter(move |row| row.solver == solver).map(|row| row.seconds);
    let first = args.solver[0];
    let mut text = String::new();
    for &solver in &args.solver {
        let total: f64 = of(solver).sum();
        text += &format!("{}: {total:.3} s in total", solver.name());
        if solver != first {
            let ratios: Vec<f64> =
                of(solver).zip(of(first)).map(|(a, b)| a.max(1e-3) / b.max(1e-3)).collect();
            let mean = (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp();
            let times = total / of(first).sum::<f64>().max(1e-3);
            text += &format!(", {times:.2} times {} (geometric mean {mean:.2})", first.name());
        }
        text.push('\n');
    }
    text
}
