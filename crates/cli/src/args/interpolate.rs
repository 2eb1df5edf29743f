//! What users can say to `indubit interpolate`.

use super::{Limits, TextFormat};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

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
