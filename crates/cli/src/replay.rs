//! `indubit replay`: recorded solver queries, asked again and measured.

use crate::args::{Replay, ReplaySolver as Solver};
use crate::exit::{Code, Failure, leave};
use crate::guard::{CodeSoFar, Guard};
use crate::terminal;
use indubit::formats::load;
use indubit::run::{Ask, Cancel, Stop};
use indubit::sat::stream::{Rebuilt, Report, Stream, replay};
use indubit::sat::{Cadical, Cdcl, Config, RelConfig, RelSolver};
use std::path::Path;
use std::time::Instant;

pub fn run(args: &Replay, start: Instant) -> Result<Code, Failure> {
    let cancel = Cancel::new();
    let overdue = |stop: Stop| {
        terminal::stderr(&format!("not replayed to the end ({stop})\n"));
        leave(Code::Unknown as u8);
    };
    let _guard = Guard::new(args.limits.since(start), &cancel, CodeSoFar::new(), overdue)?;
    terminal::stdout(&heading(args.csv))?;
    let mut rows: Vec<Row> = Vec::new();
    for file in &args.files {
        let stream = Stream::read(&load(file)?)
            .map_err(|error| Failure::bad_input(format!("{}: {error}", terminal::path(file))))?;
        for &solver in &args.solver {
            let begin = cpu_seconds().unwrap_or_else(|| start.elapsed().as_secs_f64());
            let report = match ask(args, solver, &stream, &cancel) {
                Ok(report) => report,
                Err(stop) => {
                    terminal::stderr(&format!(
                        "{}: not replayed to the end ({stop})\n",
                        terminal::path(file)
                    ));
                    return Ok(Code::Unknown);
                }
            };
            let end = cpu_seconds().unwrap_or_else(|| start.elapsed().as_secs_f64());
            let row = Row { file: name(file), solver, seconds: end - begin, report };
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

const COLUMNS: [&str; 12] = [
    "file",
    "solver",
    "queries",
    "sat",
    "unsat",
    "differ",
    "cpu_s",
    "queries/s",
    "ticks",
    "conflicts",
    "propagations",
    "core_lits",
];

fn heading(csv: bool) -> String {
    line(COLUMNS.map(String::from), csv)
}

/// The name to the left, numbers to the right.
fn line(cells: [String; COLUMNS.len()], csv: bool) -> String {
    if csv {
        return cells.join(",") + "\n";
    }
    let [file, solver, numbers @ ..] = cells;
    let mut text = format!("{file:<40} {solver:<8}");
    for number in numbers {
        text += &format!(" {number:>12}");
    }
    text + "\n"
}

impl Solver {
    fn name(self) -> &'static str {
        match self {
            Solver::Rel => "rel",
            Solver::Cdcl => "cdcl",
            Solver::Cadical => "cadical",
        }
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
        let counts = [effort.ticks, effort.conflicts, effort.propagations, core_lits];
        let [ticks, conflicts, propagations, core_lits] = counts.map(|n| n.to_string());
        let cells = [
            self.file.replace(',', "_"),
            self.solver.name().into(),
            queries.to_string(),
            satisfiable.to_string(),
            unsatisfiable.to_string(),
            disagreements.to_string(),
            format!("{:.3}", self.seconds),
            per_second,
            ticks,
            conflicts,
            propagations,
            core_lits,
        ];
        line(cells, csv)
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
