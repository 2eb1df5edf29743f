//! What users can say to commands that look at models: `info`, `convert`, `simulate`.

use super::TextFormat;
use clap::Args;
use std::path::PathBuf;

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
    #[arg(long, value_name = "N|NAME", conflicts_with = "cover")]
    pub property: Option<String>,
    /// Keep only the question whether this can be reached, as a bad state: what a witness or a certificate for a cover is about
    #[arg(long, value_name = "FORMULA")]
    pub cover: Option<String>,
}

const SIMULATE_EXAMPLES: &str = "\
Examples:
  indubit simulate model.aig                              20 random steps
  indubit simulate model.aig --steps 100 --seed 7 --vcd out.vcd
  indubit simulate model.aig --stimulus inputs.stim       one line of 0 and 1 a step, then a dot

Random runs obey the constraints: where random inputs break them, a solver chooses others, and the run ends where there are none. Over words
a solver chooses each step. Latches without an initial value start randomly, with a stimulus at 0. The exit code is 0 also when a bad state
was reached: a simulation decides nothing.";

#[derive(Args)]
#[command(after_help = SIMULATE_EXAMPLES)]
pub struct Simulate {
    /// The model: AIGER (ASCII or binary), VMT or CHC; - is standard input
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
    /// Inputs from a file in AIGER's stimulus format, for models of bits
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
