//! What users can say to `indubit check`.

use super::Effort;
use super::{DesignArgs, more_verilog};
use crate::check::SecondOpinion;
use crate::exit::{Code, Failure};
use crate::properties::Listed;
use clap::{Args, ValueEnum};
use indubit::ClaimKind;
use std::path::PathBuf;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Format {
    /// Text with readable evidence
    #[default]
    Human,
    /// One JSON object
    Json,
    /// A line `sat` (there is a trace to a bad state, or to a cover) or `unsat` (there is none), nothing if unknown
    Hwmcc,
    /// A line `0`, `1` or `2`, for `1` followed by the AIGER witness; the exit code is 0
    Sby,
    /// As solvers of Horn clauses do: `sat` (there is no trace), `unsat` (there is one) or `unknown`; for models of words
    Chc,
}

impl Format {
    /// Is it one answer for another program? Then the run ends with the first trace.
    pub fn is_one_answer(self) -> bool {
        match self {
            Format::Human | Format::Json => false,
            Format::Hwmcc | Format::Sby | Format::Chc => true,
        }
    }
    /// What the process ends with, where it would end with this: for sby the verdict is in what is printed alone.
    pub fn code(self, code: Code) -> Code {
        match (self, code) {
            (Format::Sby, Code::Unsafe | Code::Unknown) => Code::Done,
            _ => code,
        }
    }
}

/// How much of a run is written down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, ValueEnum)]
pub enum Level {
    /// Verdicts only
    Verdicts,
    #[default]
    /// And what happens on the way: properties, passes, engines, bounds, levels of IC3
    Progress,
    /// And each obligation and lemma: gigabytes, in a long run
    Steps,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  indubit check model.aig                          every property
  indubit check model.aig --property 2             the third one; its name or b2 work as well
  indubit check model.aig --engine bmc --bound 50  only bugs, up to 50 steps deep
  indubit check model.aig --cover 'count = 7'      can that happen? A trace, or a proof that it cannot
  indubit check model.aig --ltl 'G (request -> F granted)'   must that happen? A proof, or a run that goes on for ever without it
  indubit check model.aig --ctl 'AG (stuck -> EF idle)'   is that always possible? Sets of states that show it, or a state in which it is not so, and why
  indubit check model.aig                          with a file model.ctl beside it: the formulas of computation tree logic there
  indubit check model.aig --vcd bug.vcd            a waveform of the counterexample
  indubit check model.aig --invariant inv.lemmas   the proof as text, for `indubit prove model.aig --lemmas inv.lemmas`
  indubit check model.aig --format json --events run.jsonl
  indubit check top.sv fifo.v --top top --reset rst_n=0 --vcd bug.vcd    Verilog, by the Yosys that is installed
  indubit check model.btor2                        bit-vectors and arrays: BTOR2
  indubit check model.vmt                          integers, reals, Booleans, bit-vectors: VMT
  indubit check clauses.smt2 --format chc --model  Horn clauses: sat, unsat or unknown, and a model

Every verdict is checked against the model, by a checker that does not know how it was found, before it is printed.

With several properties every FILE becomes one file for each property, with the property's identifier before the
extension: --certificate out.aig writes out.b0.aig, out.b1.aig, ... A certificate for one of several properties is for
the model with that property only, which `indubit convert MODEL single.aig --property N` writes. With --format hwmcc,
sby and chc the run ends with the first trace, and its witness is FILE itself. With --format hwmcc the
certificate is FILE itself as well, for all properties of the model together, and written only if all are proved. A FILE
can be - or /dev/stdout: then everything goes there, one after the other.

Exit codes: 0 every claim is true (safe; reached, for a cover), 10 some claim is false (unsafe; unreachable, for a cover), 30 unknown,
2 bad input or usage, 70 internal error.
A FILE that cannot be written also is 2: the verdicts are printed, but some evidence is missing (with --format hwmcc
and sby a verdict without the evidence that was asked for is not printed).
--format hwmcc and chc keep them; --format sby exits with 0 whatever the verdict is. These three answer whether there is a trace, to a bad
state or to what is to be covered. With --format sby, +simple_liveness before MODEL, which sby says in mode live,
means only justice properties.

Models of words (BTOR2, SMV, VMT and CHC) have engines of their own: ic3ia, ctigar, quip, bmc, kind, itp, isb and lasso. If all variables are Booleans or
bit-vectors, the model becomes a circuit, and the engines for bits work on it. For words, --witness writes the values in each step and
--invariant a definition in SMT-LIB; docs/FORMATS.md says how. --certificate is for AIGER and BTOR2, --record and --paranoid are for AIGER.";

#[derive(Args, Default)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct Check {
    /// The model: AIGER (ASCII or binary), BTOR2, Verilog (by Yosys), SMV, VMT or CHC; - is standard input
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// More files of a design in Verilog
    #[arg(value_name = "MORE", value_parser = more_verilog)]
    pub more: Vec<PathBuf>,
    #[command(flatten)]
    pub design: DesignArgs,
    /// Only this property, by number, identifier (b0; p0 over words) or name; may be repeated [default: all]
    #[arg(long, value_name = "N|NAME")]
    pub property: Vec<String>,
    /// Can this be reached? The name of a signal, or a formula in the language of `indubit prove`; may be repeated. Only covers are checked then,
    /// and what --property says
    #[arg(long, value_name = "FORMULA")]
    pub cover: Vec<String>,
    /// Does this hold of all infinite runs? A formula of temporal logic (G F X U V, of the past H O Y Z S T) over formulas in the language of `indubit prove`; may be
    /// repeated. Only these are checked then, and what --cover and --property say
    #[arg(long, value_name = "FORMULA")]
    pub ltl: Vec<String>,
    /// Does this hold in all initial states? A formula of computation tree logic (AX EX AF EF AG EG, A [p U q], E [p U q]) over formulas in the language of `indubit prove`; may be
    /// repeated. Only these are checked then, and what --cover, --ltl and --property say
    #[arg(long, value_name = "FORMULA")]
    pub ctl: Vec<String>,
    #[command(flatten)]
    pub effort: Effort,
    /// Write the trace to what is violated or covered: as an AIGER witness, over words as values in each step
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// Write the proof that it is never reached as a witness circuit: AIGER, ASCII for .aag and binary for all else; of a model in BTOR2 as a certificate in BTOR2
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Write the trace as a waveform
    #[arg(long, value_name = "FILE")]
    pub vcd: Option<PathBuf>,
    /// Write the trace as a Yosys witness, which `sim -r` reads: for Verilog, BTOR2 and AIGER
    #[arg(long, value_name = "FILE")]
    pub yw: Option<PathBuf>,
    /// Write the inductive invariant of a proof: as lemmas, which `indubit prove` reads, over words as a definition in SMT-LIB
    #[arg(long, value_name = "FILE")]
    pub invariant: Option<PathBuf>,
    /// Write what happens as JSON lines while it happens
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// How much of it
    #[arg(long, value_name = "LEVEL", value_enum, default_value_t = Level::Progress, requires = "events")]
    pub events_level: Level,
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
    /// Only justice properties count, as sby wants it in mode `live`: what it writes then always has a bad state that is
    /// never reached, too.
    #[arg(skip)]
    pub only_justice: bool,
    /// One line a property, in the order of the model: its verdict, and its name
    #[arg(long, short, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print passes, statistics, and invariants and traces in full
    #[arg(long, short)]
    pub verbose: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
}

impl Check {
    /// Those of a model's properties that count.
    pub fn counting(&self, mut all: Vec<Listed>) -> Result<Vec<Listed>, Failure> {
        if self.only_justice {
            all.retain(|property| property.claim != ClaimKind::Always);
            if all.is_empty() {
                let hint = "in mode live, sby needs a property such as `assert property (eventually x)`";
                return Err(Failure::bad_input("the model has no justice property").with_hint(hint));
            }
        }
        Ok(all)
    }
}
