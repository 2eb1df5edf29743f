//! What users can say.

mod check;
mod design;
mod engine;
mod fit;
mod plan;
mod prove;

pub use check::{Check, Format, Level};
pub use design::{DesignArgs, more_verilog, parted};
pub use engine::{Engine, PORTFOLIO, PORTFOLIO_SUMMARY, prover};
pub use prove::Prove;

use crate::about::{Completions, Engines, Man};
use crate::certify::Certify;
use crate::convert::Convert;
use crate::exit::{Code, Failure};
use crate::info::Info;
use crate::interpolate::Interpolate;
use crate::nuxmv::{self, Nuxmv};
use crate::replay::Replay;
use crate::sat::Sat;
use crate::simulate::Simulate;
use crate::terminal;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use indubit::Options;
use indubit::preproc::Passes;
use indubit::system::ARRAY_BITS;
use indubit::term::MAX_ARRAY_BITS;
use indubit_bench::args::Bench;
use indubit_console::values;
use serde_json::Value;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  indubit check model.aig                       all properties, with readable evidence
  indubit check model.aag --property overflow   one of them, by name or number
  indubit check model.aig --timeout 5m --witness cex.wit --certificate proof.aig
  indubit check top.sv --reset rst_n=0 --vcd bug.vcd   Verilog, by the Yosys that is installed
  indubit check model.btor2                     bit-vectors and arrays: BTOR2
  indubit check model.vmt                       words: VMT, or Horn clauses in SMT-LIB
  indubit certify model.aig proof.aig           check evidence, whoever made it
  indubit MODEL WITNESS [CERTIFICATE]           as the hardware model checking competition calls

Exit codes:
  0 every claim is true (safe, reached)   10 some is false (unsafe, unreachable)   30 unknown
  2 bad input or usage                    70 internal error (a bug in Indubit)";

/// A symbolic model checker whose every verdict comes with evidence that has been checked.
#[derive(Parser)]
#[command(
    name = "indubit",
    version,
    args_conflicts_with_subcommands = true,
    override_usage = "indubit <COMMAND>\n       indubit MODEL WITNESS [CERTIFICATE] [OPTIONS]",
    after_help = EXAMPLES
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten, next_help_heading = "Options of the competition's call")]
    pub competition: Competition,
}

impl Cli {
    /// What a call means.
    ///
    /// In mode `live`, sby says `+simple_liveness` before the model: it means to call suprove, whose script for justice
    /// that is. Next to `--format sby` it is understood as suprove does: only justice properties count.
    pub fn of(said: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
        let mut words: Vec<OsString> = said.into_iter().collect();
        if words.get(1).is_some_and(|word| word == "nuxmv") {
            words = nuxmv::spelled(words);
        }
        let n_said = words.len();
        let says_sby = |pair: &[OsString]| pair[0] == "--format" && pair[1] == "sby";
        if words.windows(2).any(says_sby) || words.iter().any(|word| word == "--format=sby") {
            words.retain(|word| word != "+simple_liveness");
        }
        let only_justice = words.len() < n_said;
        let mut cli = Cli::try_parse_from(words)?;
        if let Some(Command::Check(check)) = &mut cli.command {
            check.only_justice = only_justice;
        }
        Ok(cli)
    }
}

#[derive(Subcommand)]
pub enum Command {
    /// Decide properties of a model, with evidence
    Check(Box<Check>),
    /// Prove properties with lemmas of your own, checked one by one
    Prove(Box<Prove>),
    /// Check a witness or a certificate, from anyone, against a model
    Certify(Certify),
    /// What is in a model: sizes, resets, properties and what they depend on
    Info(Info),
    /// Write a model in another format (.aag, .aig, .vmt, .smt2), or with one property only
    Convert(Convert),
    /// Run a model on random inputs or on given ones
    Simulate(Simulate),
    /// The commands of NuSMV and nuXmv, from a script or at a prompt
    Nuxmv(Nuxmv),
    /// Decide a formula in CNF, with a proof if it has no model
    Sat(Sat),
    /// Ask recorded solver queries again, of any solver, and measure it
    Replay(Replay),
    /// A Craig interpolant of two formulas, or an interpolation sequence of several
    Interpolate(Interpolate),
    /// Run configurations and other model checkers side by side over a set of models, and compare them
    #[command(mut_arg("engines", |names| names.value_parser(engine::names())))]
    Bench(Box<Bench>),
    /// The engines there are, with their papers
    Engines(Engines),
    /// Completions for a shell, on standard output
    Completions(Completions),
    /// Manual pages, one for each command
    Man(Man),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TextFormat {
    /// Text
    Human,
    /// One JSON object
    Json,
}

impl TextFormat {
    /// Print a report: its text, or what it is and its details.
    pub fn print(self, what: &str, code: Code, text: &str, details: Value) -> Result<(), Failure> {
        match self {
            TextFormat::Human => terminal::stdout(text),
            TextFormat::Json => terminal::json(what, code, details),
        }
    }
}

/// When to stop.
#[derive(Args, Clone, Default)]
pub struct Limits {
    /// Stop after this time, everything included: seconds, or with a unit as in 500ms, 5m, 1h
    #[arg(long, value_name = "SECONDS", value_parser = values::duration)]
    pub timeout: Option<Duration>,
    /// Stop when the process needs more memory than this: MiB, or with a unit as in 500M, 4G
    #[arg(long, value_name = "MIB", value_parser = values::memory)]
    pub memory: Option<u64>,
}

impl Limits {
    /// What is left of them for a process that began at `start`.
    pub fn since(&self, start: Instant) -> indubit::run::Limits {
        let time = self.timeout.map(|t| t.saturating_sub(start.elapsed()));
        indubit::run::Limits { time, memory: self.memory }
    }
}

/// Which arrays become bits.
#[derive(Args, Clone, Default)]
pub struct Arrays {
    /// Words: arrays of at most so many bits, in all of their elements, become bits of a circuit [default: 65536]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_ARRAY_BITS))]
    pub array_bits: Option<u64>,
}

impl Arrays {
    pub fn limit(&self) -> u64 {
        self.array_bits.unwrap_or(ARRAY_BITS)
    }
}

/// How an engine is run.
#[derive(Args, Clone, Default)]
pub struct Effort {
    /// The engine that looks for the verdict, alone and in the same way at each time (unless there are --threads); or several at once
    #[arg(long, value_name = "NAME", default_value = PORTFOLIO, value_parser = engine::parser())]
    pub engine: Engine,
    /// How many engines work at the same time: of the portfolio [default: as many as there are cores], or with --engine NAME so many
    /// of that one, each with another seed [default: 1]
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    pub threads: Option<NonZeroUsize>,
    #[command(flatten)]
    pub limits: Limits,
    /// Look for no counterexample longer than this many steps, and for no induction deeper than that
    #[arg(long, value_name = "K")]
    pub bound: Option<u32>,
    /// Switch an idea of the engine on or off, or choose between variants: `indubit engines --options` lists them
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    pub option: Vec<String>,
    /// Preprocessing, in this order and separated by commas, or none: coi, ternary, rewrite, fraig, lcorr, scorr, fold, and try
    /// for a short attempt of the engine (with scorr*4, four times as much effort goes into scorr)
    #[arg(long, value_name = "LIST", value_parser = str::parse::<Passes>)]
    pub passes: Option<Passes>,
    #[command(flatten)]
    pub arrays: Arrays,
    /// Seed of every random choice: with one engine on one thread, equal seeds give equal runs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Trust nobody (slow): the engine checks expensive invariants of its own, and the solver that checks the proof
    /// has to prove every refutation, which an LRAT checker verifies down to resolution
    #[arg(long)]
    pub paranoid: bool,
}

/// A setting of an option that exists.
fn setting(text: &str) -> Result<String, String> {
    Options::default().set(text).map(|()| text.into())
}

/// The call of the hardware model checking competition.
#[derive(Args)]
pub struct Competition {
    /// Competition call: the model
    #[arg(value_name = "MODEL", hide = true)]
    model: Option<PathBuf>,
    /// Competition call: where the witness goes if the answer is `sat`
    #[arg(value_name = "WITNESS", hide = true)]
    witness: Option<PathBuf>,
    /// Competition call: where the certificate goes if the answer is `unsat`; at the word level it need not be there
    #[arg(value_name = "CERTIFICATE", hide = true)]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    effort: Effort,
}

impl Competition {
    /// As a call of `check --format hwmcc`.
    pub fn into_check(self) -> Result<Check, Failure> {
        let Some(model) = self.model else {
            return Err(Failure::bad_input("no command was given").with_hint("see `indubit --help`"));
        };
        let shown = model.display();
        if Cli::command().get_subcommands().any(|c| model.as_os_str() == c.get_name()) {
            let message = format!("`{shown}` is a command, and there are options before it");
            return Err(Failure::bad_input(message)
                .with_hint(format!("options follow their command: `indubit {shown} MODEL --timeout 5`")));
        }
        if self.certificate.is_none() && !model.exists() {
            return Err(no_such_command(&shown.to_string()));
        }
        let Some(witness) = self.witness else {
            return Err(Failure::bad_input("no command was given").with_hint(format!(
                "to check a model: `indubit check {shown}`; the competition's call is `indubit MODEL WITNESS [CERTIFICATE]`"
            )));
        };
        Ok(Check {
            model,
            effort: self.effort,
            witness: Some(witness),
            certificate: self.certificate,
            format: Format::Hwmcc,
            ..Check::default()
        })
    }
}

/// Neither a command nor a file: what may have been meant?
fn no_such_command(word: &str) -> Failure {
    let command = Cli::command();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    let closest = names.iter().map(|name| (strsim::damerau_levenshtein(name, word), *name)).min();
    let failure = Failure::bad_input(format!("`{word}` is neither a command nor a file"));
    match closest {
        Some((distance, name)) if distance <= 1 + word.len() / 4 => {
            failure.with_hint(format!("did you mean `indubit {name}`?"))
        }
        _ => failure.with_hint(format!("commands are {}; see `indubit --help`", names.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Result<Cli, clap::Error> {
        Cli::of(["indubit"].into_iter().chain(words.split_whitespace()).map(OsString::from))
    }

    fn competition(words: &str) -> Result<Check, Failure> {
        parse(words).unwrap().competition.into_check()
    }

    fn check(words: &str) -> Check {
        match parse(words).unwrap().command {
            Some(Command::Check(check)) => *check,
            _ => panic!("not a check"),
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn defaults_of_check() {
        let args = check("check m.aig");
        assert_eq!((args.effort.engine.name(), args.effort.seed, args.format), (PORTFOLIO, 0, Format::Human));
        assert!(
            args.effort.limits.timeout.is_none() && args.effort.bound.is_none() && args.property.is_empty()
        );
    }

    #[test]
    fn everything_at_once() {
        let args = check(
            "check m --engine bmc --property 1 --property x --timeout 1.5 --memory 2G --bound 7 --seed 3 --witness w \
             --certificate c --vcd v --events e --quiet --paranoid --format json",
        );
        assert_eq!(args.property, ["1", "x"]);
        assert_eq!(args.effort.limits.timeout, Some(Duration::from_millis(1500)));
        assert_eq!(args.effort.limits.memory, Some(2 << 30));
        assert!(args.quiet && args.effort.paranoid && args.format == Format::Json);
    }

    #[test]
    fn the_competition_calls_with_three_files() {
        let args = competition("m.aig w c --engine kind --timeout 9").unwrap();
        assert_eq!((args.format, args.effort.engine.name()), (Format::Hwmcc, "kind"));
        assert_eq!((args.witness, args.certificate), (Some("w".into()), Some("c".into())));
        let args = competition("Cargo.toml w").unwrap();
        assert_eq!((args.format, args.witness, args.certificate), (Format::Hwmcc, Some("w".into()), None));
        assert!(
            competition("no/such w").is_err()
                && competition("Cargo.toml").is_err()
                && competition("").is_err()
        );
        let early = competition("--timeout 5 check m");
        assert!(format!("{:?}", early.err()).contains("options follow their command"));
        assert!(parse("m w c more").is_err());
    }

    #[test]
    fn sby_calls_with_a_script_of_suprove() {
        for format in ["--format sby", "--format=sby"] {
            let args = check(&format!("check {format} +simple_liveness --timeout 9 m.aig"));
            assert_eq!((args.format, args.only_justice, args.model), (Format::Sby, true, "m.aig".into()));
        }
        assert!(!check("check --format sby m.aig").only_justice);
        // Nobody else says that.
        let args = check("check +simple_liveness");
        assert_eq!((args.only_justice, args.model), (false, "+simple_liveness".into()));
    }

    #[test]
    fn nonsense_is_refused() {
        for words in [
            "check",
            "check +simple_liveness m",
            "check --format sby +simple_liveness",
            "check --format sby +magic m",
            "check m --engine magic",
            "check m --timeout -1",
            "check m --memory lots",
            "check m --bound x",
            "check m --passes coi,magic",
            "check m --format xml",
            "check m --quiet --verbose",
            "simulate m --random --stimulus f",
            "simulate m --steps 0",
            "convert m",
            "interpolate a.cnf",
            "interpolate a.cnf b.cnf --system craig",
        ] {
            assert!(parse(words).is_err(), "{words}");
        }
    }
}
