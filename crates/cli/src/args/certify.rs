//! What users can say to `indubit certify`.

use super::{Limits, TextFormat};
use clap::Args;
use std::path::PathBuf;

const CERTIFY_EXAMPLES: &str = "\
Examples:
  indubit certify model.aig cex.wit      an AIGER witness: replayed by simulation
  indubit certify model.aig proof.aig    a Certifaiger witness circuit: five checks by SAT
  indubit certify formula.cnf proof.lrat a refutation of a formula: LRAT as text, without RAT steps

  indubit certify model.vmt trace.txt    the values in each step, as --witness writes them: evaluated
  indubit certify model.vmt inv.smt2     an invariant as definitions in SMT-LIB: three queries for each property
  indubit certify model.aig cover.wit --cover 'count = 7'   evidence for a cover

A certificate whose comment names one of several properties (`WITNESS b3 model.aig`) is checked against that one, and
against all of them together if it names none.

Exit codes: 0 the evidence is valid, 1 it was rejected (the reason is printed), 30 it was not checked (a limit was
reached, or it is about liveness, which is not supported yet), 2 bad input or usage, 70 internal error.";

#[derive(Args)]
#[command(after_help = CERTIFY_EXAMPLES)]
pub struct Certify {
    /// The model: AIGER, ASCII or binary, VMT or CHC; or a formula: DIMACS CNF
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// A witness (a trace) or a certificate (a witness circuit, .aag or .aig; over words definitions in SMT-LIB); for a formula an LRAT proof
    #[arg(value_name = "EVIDENCE")]
    pub evidence: PathBuf,
    /// The evidence is about this cover, as `indubit check` had it
    #[arg(long, value_name = "FORMULA")]
    pub cover: Option<String>,
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
