//! What users can say to `indubit prove`.

use super::{Check, Effort, Format, Limits, TextFormat};
use super::{DesignArgs, more_verilog};
use crate::check::SecondOpinion;
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  indubit prove model.aag --lemmas model.lemmas
  indubit prove model.aag --lemmas model.lemmas --property overflow --certificate proof.aig
  indubit prove system.vmt --lemmas system.lemmas
  indubit check model.aag --invariant inv.lemmas && indubit prove model.aag --lemmas inv.lemmas

A file of lemmas has one formula a line, over the names of the model:
  # comment                              -- or so
  !grant[0] | !grant[1]                  bits: ! & | ^ -> <-> ( ) true false, or not and or xor
  small: count <= 12                     with a name; vectors are numbers: = != < <= > >= + -, without wrapping round
  signed(x[7:0]) >= -5                   in two's complement
  def full := head = tail & last_push    a name for what follows
  full -> \"odd name\" | l3              names in quotes; signals without a name by their position

Over words it has numbers of any size, or is what `indubit check --invariant` writes:
  2*x + y <= n + 1                       linear arithmetic; 1.5, 3/2, mod, div, if c then x else y
  busy: jobs >= 1                        of clauses with several predicates: about this one, in the names of its arguments
  (define-fun state ((x Int)) Bool ...)  SMT-LIB, a lemma for each conjunct

Each lemma must hold initially and be kept by every step from a state in which it, and the lemmas proved before it, hold. What is
not inductive in this order may be so together; then the property is proved in the same way. Where that fails, the step that
breaks a formula is shown: a counterexample to induction, which is no bug.

Exit codes: 0 every property proved, 10 some property is false initially or after one step, 30 the lemmas do not prove
it, 2 bad input or usage, 70 internal error.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Prove {
    /// The model: AIGER, ASCII or binary, BTOR2, Verilog (by Yosys), SMV, VMT or CHC; - is standard input
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// More files of a design in Verilog
    #[arg(value_name = "MORE", value_parser = more_verilog)]
    more: Vec<PathBuf>,
    #[command(flatten)]
    design: DesignArgs,
    /// The lemmas
    #[arg(long, value_name = "FILE")]
    lemmas: PathBuf,
    /// Only this property, by number, identifier (b0) or name; may be repeated [default: all]
    #[arg(long, value_name = "N|NAME")]
    property: Vec<String>,
    #[command(flatten)]
    limits: Limits,
    /// If safe, write the proof as a witness circuit: AIGER, ASCII for .aag and binary for all else
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// If safe, write the invariant: the lemmas that were proved, and the property; over words as definitions in SMT-LIB
    #[arg(long, value_name = "FILE")]
    invariant: Option<PathBuf>,
    /// If unsafe, write the counterexample: an AIGER witness, or the values in each step
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,
    /// If unsafe, write the counterexample as a waveform
    #[arg(long, value_name = "FILE")]
    vcd: Option<PathBuf>,
    /// If unsafe, write the counterexample as a Yosys witness, as in `check`
    #[arg(long, value_name = "FILE")]
    yw: Option<PathBuf>,
    /// Have every refutation of the solver that checks the proof verified, down to resolution, by an LRAT checker
    #[arg(long)]
    paranoid: bool,
    /// Words: ask another solver, too, whether the proof is right, as in `check`; it also decides what ours has no theory for; or none [default: z3 for a few seconds, if it is installed]
    #[arg(long, value_name = "COMMAND", value_parser = SecondOpinion::parse)]
    smt: Option<SecondOpinion>,
    /// Print the verdicts only
    #[arg(long, short, conflicts_with = "verbose")]
    quiet: bool,
    /// Print invariants in full, and why lemmas are not inductive by themselves
    #[arg(long, short)]
    verbose: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = TextFormat::Human)]
    format: TextFormat,
}

impl Prove {
    /// As a check in which lemmas take the place of the engine.
    pub fn into_check(self) -> Check {
        Check {
            model: self.model,
            more: self.more,
            design: self.design,
            property: self.property,
            effort: Effort { limits: self.limits, paranoid: self.paranoid, ..Effort::default() },
            witness: self.witness,
            certificate: self.certificate,
            vcd: self.vcd,
            yw: self.yw,
            invariant: self.invariant,
            smt: self.smt,
            lemmas: Some(self.lemmas),
            quiet: self.quiet,
            verbose: self.verbose,
            format: match self.format {
                TextFormat::Human => Format::Human,
                TextFormat::Json => Format::Json,
            },
            ..Check::default()
        }
    }
}
