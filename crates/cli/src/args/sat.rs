//! What users can say to `indubit sat`.

use super::Limits;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  indubit sat formula.cnf                           a model, or that there is none
  indubit sat formula.cnf --proof formula.lrat      with a proof if there is none
  indubit certify formula.cnf formula.lrat          check such a proof, whoever made it

The output is that of SAT competitions: a line `s SATISFIABLE` with a model in lines `v`, a line `s UNSATISFIABLE`, or
`s UNKNOWN` when a limit or a signal ended the search; comments in lines `c`. A variable that occurs in no clause is left
out of the model: it may have either value. A model is checked against the formula before it is printed. That there
is none has been derived, and each step of the derivation checked, by the time it is printed (with --solver cadical it
has not, and a comment says so). A proof file is there only if there is no model, and complete.

Exit codes, as in SAT competitions: 10 satisfiable, 20 unsatisfiable, 0 unknown; but 2 for bad input or usage, or a
proof that could not be written, and 70 for an internal error.";

/// A solver for formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Solver {
    /// Ours; its refutations are checked
    Cdcl,
    /// CaDiCaL
    Cadical,
}

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Sat {
    /// The formula: DIMACS CNF
    #[arg(value_name = "FORMULA")]
    pub formula: PathBuf,
    /// The solver
    #[arg(long, value_name = "NAME", value_enum, default_value_t = Solver::Cdcl)]
    pub solver: Solver,
    /// If there is no model, write the proof: LRAT as text (--solver cdcl only)
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Seed of the solver's random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    #[command(flatten)]
    pub limits: Limits,
    /// Print the line `s` only
    #[arg(long, short)]
    pub quiet: bool,
}
