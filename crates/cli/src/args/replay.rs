//! What users can say about recorded solver queries.

use super::Limits;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

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
