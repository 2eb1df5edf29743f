//! The command line of Indubit: flags in, verdicts, evidence and exit codes out.
//!
//! [`exit::Code`] has the exit codes. `sat` exits as SAT competitions want it: with 0 if nothing is known.
//!
//! `--format sby` exits with 0 whatever the verdict is, because its caller reads the verdict from the output.
//!
//! Only this crate, `console` and `bench` print. Everything it knows about a run in progress comes from
//! [`indubit::run::Event`]s.

mod about;
mod args;
mod bench;
mod certify;
mod check;
mod convert;
mod events;
mod info;
mod interpolate;
mod kinds;
mod nuxmv;
mod progress;
mod properties;
mod replay;
mod sat;
mod simulate;
mod size;

use exit::{Code, Failure};
use indubit_console::{exit, guard, output, panics, preflight, status_line, terminal};
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let start = Instant::now();
    panics::install(indubit::WORKER);
    let cli = args::Cli::of(std::env::args_os()).unwrap_or_else(|error| error.exit());
    let result = panics::catch(|| dispatch(cli, start)).unwrap_or_else(|panic| Err(Failure::internal(panic)));
    match result {
        Ok(code) => code.into(),
        Err(failure) => {
            failure.print();
            failure.code().into()
        }
    }
}

fn dispatch(cli: args::Cli, start: Instant) -> Result<Code, Failure> {
    match cli.command {
        None => check::run(cli.competition.into_check()?, start),
        Some(args::Command::Check(args)) => check::run(*args, start),
        Some(args::Command::Prove(args)) => check::run(args.into_check(), start),
        Some(args::Command::Certify(args)) => certify::run(&args, start),
        Some(args::Command::Info(args)) => info::run(&args),
        Some(args::Command::Convert(args)) => convert::run(&args),
        Some(args::Command::Simulate(args)) => simulate::run(&args),
        Some(args::Command::Nuxmv(args)) => nuxmv::run(&args),
        Some(args::Command::Sat(args)) => sat::run(&args, start),
        Some(args::Command::Replay(args)) => replay::run(&args, start),
        Some(args::Command::Interpolate(args)) => interpolate::run(&args, start),
        Some(args::Command::Bench(args)) => indubit_bench::run(&args, &bench::Program),
        Some(args::Command::Engines(args)) => about::engines(&args),
        Some(args::Command::Completions(args)) => about::completions(&args),
        Some(args::Command::Man(args)) => about::man(&args),
    }
}
