//! What users can say.

mod engine;
mod fit;
mod plan;
mod prove;
mod replay;
mod sat;
mod second;

pub use engine::{Engine, PORTFOLIO, PORTFOLIO_SUMMARY};
pub use prove::Prove;
pub use replay::{Replay, Solver as ReplaySolver};
pub use sat::{Sat, Solver as SatSolver};
pub use second::{Second, SecondOpinion};

use crate::exit::Failure;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use indubit::Options;
use indubit::preproc::Passes;
use indubit_bench::args::Bench;
use indubit_console::values;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  indubit check model.aig                       all properties, with readable evidence
  indubit check model.aag --property overflow   one of them, by name or number
  indubit check model.aig --timeout 5m --witness cex.wit --certificate proof.aig
  indubit check model.vmt                       words: VMT, or Horn clauses in SMT-LIB
  indubit certify model.aig proof.aig           check evidence, whoever made it
  indubit MODEL WITNESS CERTIFICATE             as the hardware model checking competition calls

Exit codes:
  0 every property safe   10 some property unsafe   30 unknown
  2 bad input or usage    70 internal error (a bug in Indubit)";

/// A symbolic model checker whose every verdict comes with evidence that has been checked.
#[derive(Parser)]
#[command(
    name = "indubit",
    version,
    args_conflicts_with_subcommands = true,
    override_usage = "indubit <COMMAND>\n       indubit MODEL WITNESS CERTIFICATE [OPTIONS]",
    after_help = EXAMPLES
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten, next_help_heading = "Options of the competition's call")]
    pub competition: Competition,
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
}

/// When to stop.
#[derive(Args, Clone)]
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

/// How an engine is run.
#[derive(Args, Clone)]
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
    /// Competition call: where the certificate goes if the answer is `unsat`
    #[arg(value_name = "CERTIFICATE", hide = true)]
    certificate: Option<PathBuf>,
    #[command(flatten)]
    effort: Effort,
}

impl Competition {
    /// The same as a call of `check --format hwmcc`.
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
        if self.witness.is_none() && !model.exists() {
            let known =
                "check, prove, certify, info, convert, simulate, sat, interpolate, replay, bench and engines";
            return Err(Failure::bad_input(format!("`{shown}` is neither a command nor a file"))
                .with_hint(format!("commands are {known}; see `indubit --help`")));
        }
        let (Some(witness), Some(certificate)) = (self.witness, self.certificate) else {
            return Err(Failure::bad_input("no command was given").with_hint(format!(
                "to check a model: `indubit check {shown}`; the competition's call is `indubit MODEL WITNESS CERTIFICATE`"
            )));
        };
        Ok(Check {
            model,
            property: Vec::new(),
            effort: self.effort,
            witness: Some(witness),
            certificate: Some(certificate),
            vcd: None,
            invariant: None,
            events: None,
            record: None,
            smt: None,
            print_model: false,
            lemmas: None,
            quiet: false,
            verbose: false,
            format: Format::Hwmcc,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// Text with readable evidence
    Human,
    /// One JSON object
    Json,
    /// A line `sat` (some property is unsafe) or `unsat` (all are safe), nothing if unknown
    Hwmcc,
    /// A line `0`, `1` or `2`, for `1` followed by the AIGER witness; the exit code is 0
    Sby,
    /// As solvers of Horn clauses do: `sat` (all properties are safe), `unsat` (some is unsafe) or `unknown`; for models of words
    Chc,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TextFormat {
    /// Text
    Human,
    /// One JSON object
    Json,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  indubit check model.aig                          every property
  indubit check model.aig --property 2             the third one; its name or b2 work as well
  indubit check model.aig --engine bmc --bound 50  only bugs, up to 50 steps deep
  indubit check model.aig --vcd bug.vcd            a waveform of the counterexample
  indubit check model.aig --invariant inv.lemmas   the proof as text, for `indubit prove model.aig --lemmas inv.lemmas`
  indubit check model.aig --format json --events run.jsonl
  indubit check model.vmt                          integers, reals, Booleans, bit-vectors: VMT
  indubit check clauses.smt2 --format chc --model  Horn clauses: sat, unsat or unknown, and a model

Every verdict is checked against the model, by a checker that does not know how it was found, before it is printed.

With several properties every FILE becomes one file for each property, with the property's identifier before the
extension: --certificate out.aig writes out.b0.aig, out.b1.aig, ... A certificate for one of several properties is for
the model with that property only, which `indubit convert MODEL single.aig --property N` writes. With --format hwmcc,
sby and chc the run ends with the first unsafe property, and its witness is FILE itself. With --format hwmcc the
certificate is FILE itself as well, for all properties of the model together, and written only if all are safe. A FILE
can be - or /dev/stdout: then everything goes there, one after the other.

Exit codes: 0 every property safe, 10 some unsafe, 30 unknown, 2 bad input or usage, 70 internal error.
A FILE that cannot be written also is 2: the verdicts are printed, but some evidence is missing (with --format hwmcc
and sby a verdict without the evidence that was asked for is not printed).
--format hwmcc and chc keep them; --format sby exits with 0 whatever the verdict is.

Models of words (VMT and CHC) have engines of their own: ic3ia, ctigar, quip, bmc, kind, itp and isb. If all variables are Booleans or
bit-vectors, the model becomes a circuit, and the engines for bits work on it. For words, --witness writes the values in each step and
--invariant a definition in SMT-LIB; docs/FORMATS.md says how. --certificate, --vcd, --record and --paranoid are for AIGER.";

#[derive(Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct Check {
    /// The model: AIGER (ASCII or binary), VMT or CHC; - is standard input
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Only this property, by number, identifier (b0; p0 over words) or name; may be repeated [default: all]
    #[arg(long, value_name = "N|NAME")]
    pub property: Vec<String>,
    #[command(flatten)]
    pub effort: Effort,
    /// If unsafe, write the counterexample: as an AIGER witness, over words as values in each step
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// If safe, write the proof as a witness circuit: AIGER, ASCII for .aag and binary for all else
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// If unsafe, write the counterexample as a waveform
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<PathBuf>,
    /// If safe, write the inductive invariant: as lemmas, which `indubit prove` reads, over words as a definition in SMT-LIB
    #[arg(long, value_name = "FILE")]
    pub invariant: Option<PathBuf>,
    /// Write what happens as JSON lines while it happens
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// Record the engine's solver queries, for `indubit replay` (ic3 and quip)
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Words: ask another solver, too, whether the proof is right: a command that reads SMT-LIB, such as `cvc5 --lang smt2`; it also decides what ours has no theory for, by bmc and kind; or none [default: z3 for a few seconds, if it is installed]
    #[arg(long, value_name = "COMMAND", value_parser = SecondOpinion::parse)]
    pub smt: Option<SecondOpinion>,
    /// With --format chc: if `sat`, print the model as well, a definition of each predicate
    #[arg(long = "model", id = "print-model")]
    pub print_model: bool,
    /// `indubit prove`: lemmas take the place of the engine.
    #[arg(skip)]
    pub lemmas: Option<PathBuf>,
    /// Print the verdicts only
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print passes, statistics, and invariants and traces in full
    #[arg(long, short)]
    pub verbose: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

const CERTIFY_EXAMPLES: &str = "\
Examples:
  indubit certify model.aig cex.wit      an AIGER witness: replayed by simulation
  indubit certify model.aig proof.aig    a Certifaiger witness circuit: five checks by SAT
  indubit certify formula.cnf proof.lrat a refutation of a formula: LRAT as text, without RAT steps

A certificate whose comment names one of several properties (`WITNESS b3 model.aig`) is checked against that one, and
against all of them together if it names none.

Exit codes: 0 the evidence is valid, 1 it was rejected (the reason is printed), 30 it was not checked (a limit was
reached, or it is about liveness, which is not supported yet), 2 bad input or usage, 70 internal error.";

#[derive(Args)]
#[command(after_help = CERTIFY_EXAMPLES)]
pub struct Certify {
    /// The model: AIGER, ASCII or binary; or a formula: DIMACS CNF, with the extension .cnf
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// A witness (a counterexample) or a certificate (a witness circuit, .aag or .aig); for a formula an LRAT proof
    #[arg(value_name = "EVIDENCE")]
    pub evidence: PathBuf,
    #[command(flatten)]
    pub limits: Limits,
    /// Have every refutation of the solver that checks the certificate verified, down to resolution, by an LRAT
    /// checker (slower; nothing rests on the solver then)
    #[arg(long)]
    pub paranoid: bool,
    /// Print nothing: the exit code says it all
    #[arg(long, short)]
    pub quiet: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    pub format: TextFormat,
}

#[derive(Args)]
pub struct Info {
    /// The model: AIGER (ASCII or binary), VMT or CHC; - is standard input
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    pub format: TextFormat,
}

const CONVERT_EXAMPLES: &str = "\
Examples:
  indubit convert model.aig model.aag                  binary to ASCII, names and comments kept
  indubit convert model.aig single.aig --property 3    what a certificate for b3 of several is for
  indubit convert model.vmt model.smt2                 a transition system over words as Horn clauses
  indubit convert clauses.smt2 model.vmt               and the other way round";

#[derive(Args)]
#[command(after_help = CONVERT_EXAMPLES)]
pub struct Convert {
    /// The model: AIGER (ASCII or binary), VMT or CHC; - is standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The file to write; its extension says how: .aag (ASCII AIGER), .aig (binary), .vmt or .smt2 (CHC); AIGER has bits only; - is ASCII
    /// AIGER or VMT on standard output
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// Keep only this property: of AIGER a bad-state property, as the only bad signal, and the constraints
    #[arg(long, value_name = "N|NAME")]
    pub property: Option<String>,
}

const SIMULATE_EXAMPLES: &str = "\
Examples:
  indubit simulate model.aig                              20 random steps
  indubit simulate model.aig --steps 100 --seed 7 --vcd out.vcd
  indubit simulate model.aig --stimulus inputs.stim       one line of 0 and 1 a step, then a dot

Latches without an initial value start randomly, with a stimulus at 0. The exit code is 0 also when a bad state was
reached: a simulation decides nothing.";

#[derive(Args)]
#[command(after_help = SIMULATE_EXAMPLES)]
pub struct Simulate {
    /// The model: AIGER, ASCII or binary; - is standard input
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// Random inputs (the default without --stimulus)
    #[arg(long, conflicts_with = "stimulus")]
    pub random: bool,
    /// The number of steps of a random run; of a stimulus, use at most so many [default: 20; all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub steps: Option<u32>,
    /// Seed of the random values
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Inputs from a file in AIGER's stimulus format
    #[arg(long, value_name = "FILE")]
    pub stimulus: Option<PathBuf>,
    /// Write a waveform
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<PathBuf>,
    /// Print what became true only, not the table
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print all steps and all signals, however many
    #[arg(long, short)]
    pub verbose: bool,
}

const INTERPOLATE_EXAMPLES: &str = "\
Examples:
  indubit interpolate a.cnf b.cnf                  I with A -> I, I & B unsatisfiable, over shared variables
  indubit interpolate a.cnf b.cnf --system pudlak
  indubit interpolate a1.cnf a2.cnf a3.cnf         I1, I2 with A1 -> I1, I1 & A2 -> I2, I2 & A3 unsatisfiable
  indubit interpolate a.cnf b.cnf --output i.aag   inputs x1, x2, ... after the variables, output I

All conditions are checked with another solver before anything is printed.

Exit codes: 0 there it is, 10 the formulas have a common model (it is printed), so there is none, 30 a limit was
reached, 2 bad input or usage, 70 internal error.";

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum System {
    /// McMillan's: the strongest of the three
    Mcmillan,
    /// Pudlák's: symmetric in its formulas
    Pudlak,
    /// The inverse of McMillan's: the weakest of the three
    InverseMcmillan,
}

#[derive(Args)]
#[command(after_help = INTERPOLATE_EXAMPLES)]
pub struct Interpolate {
    /// The formulas: DIMACS CNF; equal numbers are the same variable
    #[arg(value_name = "CNF", required = true, num_args = 2..)]
    pub formulas: Vec<PathBuf>,
    /// The interpolation system
    #[arg(long, value_enum, default_value_t = System::Mcmillan)]
    pub system: System,
    /// Write the interpolants as a circuit: AIGER, .aag (ASCII) or .aig (binary); - is ASCII on standard output, and then the report is on standard error
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub limits: Limits,
    /// Print the formulas only, or the model
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print formulas in full, however long
    #[arg(long, short)]
    pub verbose: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    pub format: TextFormat,
}

#[derive(Args)]
pub struct Engines {
    /// What --option can switch, too
    #[arg(long)]
    pub options: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    pub format: TextFormat,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(std::iter::once(&"indubit").chain(words))
    }

    fn check(words: &[&str]) -> Check {
        match parse(words).unwrap().command {
            Some(Command::Check(check)) => *check,
            None => parse(words).unwrap().competition.into_check().unwrap(),
            _ => panic!("not a check"),
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn defaults_of_check() {
        let args = check(&["check", "m.aig"]);
        assert_eq!((args.effort.engine.name(), args.effort.seed, args.format), (PORTFOLIO, 0, Format::Human));
        assert!(
            args.effort.limits.timeout.is_none() && args.effort.bound.is_none() && args.property.is_empty()
        );
    }

    #[test]
    fn everything_at_once() {
        let args = check(&[
            "check",
            "m",
            "--engine",
            "bmc",
            "--property",
            "1",
            "--property",
            "x",
            "--timeout",
            "1.5",
            "--memory",
            "2G",
            "--bound",
            "7",
            "--seed",
            "3",
            "--witness",
            "w",
            "--certificate",
            "c",
            "--vcd",
            "v",
            "--events",
            "e",
            "--quiet",
            "--paranoid",
            "--format",
            "json",
        ]);
        assert_eq!(args.property, ["1", "x"]);
        assert_eq!(args.effort.limits.timeout, Some(Duration::from_millis(1500)));
        assert_eq!(args.effort.limits.memory, Some(2 << 30));
        assert!(args.quiet && args.effort.paranoid && args.format == Format::Json);
    }

    #[test]
    fn the_competition_calls_with_three_files() {
        let args = check(&["m.aig", "w", "c", "--engine", "kind", "--timeout", "9"]);
        assert_eq!((args.format, args.effort.engine.name()), (Format::Hwmcc, "kind"));
        assert_eq!((args.witness, args.certificate), (Some("w".into()), Some("c".into())));
        let incomplete = parse(&["no/such", "w"]).unwrap().competition.into_check();
        assert!(incomplete.is_err());
        assert!(parse(&[]).unwrap().competition.into_check().is_err());
        let early = parse(&["--timeout", "5", "check", "m"]).unwrap().competition.into_check();
        assert!(format!("{:?}", early.err()).contains("options follow their command"));
        assert!(parse(&["m", "w", "c", "more"]).is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        for words in [
            &["check"][..],
            &["check", "m", "--engine", "magic"],
            &["check", "m", "--timeout", "-1"],
            &["check", "m", "--memory", "lots"],
            &["check", "m", "--bound", "x"],
            &["check", "m", "--passes", "coi,magic"],
            &["check", "m", "--format", "xml"],
            &["check", "m", "--quiet", "--verbose"],
            &["simulate", "m", "--random", "--stimulus", "f"],
            &["simulate", "m", "--steps", "0"],
            &["convert", "m"],
            &["interpolate", "a.cnf"],
            &["interpolate", "a.cnf", "b.cnf", "--system", "craig"],
        ] {
            assert!(parse(words).is_err(), "{words:?}");
        }
    }
}
