//! `indubit certify`: evidence from anyone, checked against a model.

use crate::args::{DesignArgs, Limits, TextFormat, parted};
use crate::exit::{Code, Failure};
use crate::kinds::{self, Model, Presented};
use crate::properties::no_property;
use crate::terminal::{Paint, and_more, printable};
use crate::{convert, guard};
use clap::Args;
use indubit::certify::{
    Checked, Method, Reason, Solving, WordReason, certify_file, certify_word_file, check_refutation,
    is_commented,
};
use indubit::formats::model::WordModel;
use indubit::formats::{aiger, btor2, ctl_certificate, dimacs, load, smv, word_trace};
use indubit::run::{Ask, Cancel, Stop};
use indubit::{Bits, Claim, ClaimKind, Property, PropertyId, Words};
use indubit_verilog::is_verilog;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;

const EXAMPLES: &str = "\
Examples:
  indubit certify model.aig cex.wit      an AIGER witness: replayed by simulation
  indubit certify model.aig proof.aig    a Certifaiger witness circuit: its checks by SAT
  indubit certify formula.cnf proof.lrat a refutation of a formula: LRAT as text, without RAT steps

  indubit certify model.vmt trace.txt    the values in each step, as --witness writes them: evaluated
  indubit certify model.vmt inv.smt2     an invariant as definitions in SMT-LIB: three queries for each property
  indubit certify model.btor2 cex.wit    a witness of BTOR2, as btorsim reads it: evaluated
  indubit certify model.btor2 proof.btor2   a certificate in BTOR2, as Cerbtora reads it: five queries
  indubit certify top.sv more.v inv.smt2 --top top --reset rst_n=0   evidence about a design, with the options of `check`
  indubit certify model.aig cover.wit --cover 'count = 7'   evidence for a cover
  indubit certify model.aig run.wit --ltl 'G F granted'     evidence for a formula: a run that violates it, or a proof about the product
  indubit certify model.aig sets.aag                        sets of states that decide a formula of computation tree logic
  indubit certify model.smv inv.smt2 --property ltl2        evidence for one of the properties of the file

A certificate whose comment names one of several properties (`WITNESS b3 model.aig`) is checked against that one, and
against all of them together if it names none.

Exit codes: 0 the evidence is valid, 1 it was rejected (the reason is printed), 30 it was not checked (a limit was
reached, or it is about liveness over words, which is not supported yet), 2 bad input or usage, 70 internal error.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Certify {
    /// The model: AIGER, ASCII or binary, BTOR2, Verilog (by Yosys, one file or several), SMV, VMT or CHC; or a formula: DIMACS CNF. Then the evidence: a witness (a trace) or a certificate (a witness
    /// circuit, .aag or .aig; about BTOR2 in BTOR2; over words definitions in SMT-LIB); for a formula an LRAT proof
    #[arg(value_names = ["MODEL", "EVIDENCE"], num_args = 2.., required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub design: DesignArgs,
    /// The evidence is about this cover, as `indubit check` had it
    #[arg(long, value_name = "FORMULA")]
    pub cover: Option<String>,
    /// The evidence is about this formula of temporal logic, as `indubit check` had it: a run that violates it, or a proof about the model with what watches it (docs/LTL.md)
    #[arg(long, value_name = "FORMULA", conflicts_with = "cover")]
    pub ltl: Option<String>,
    /// The evidence is about this formula of computation tree logic, as `indubit check` had it (docs/CTL.md)
    #[arg(long, value_name = "FORMULA", conflicts_with_all = ["cover", "ltl"])]
    pub ctl: Option<String>,
    /// The evidence is about this property of the model, as for a proof of one formula of temporal logic of several
    #[arg(long, value_name = "N|NAME", conflicts_with_all = ["cover", "ltl", "ctl"])]
    pub property: Option<String>,
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

/// Properties that people get to see by their names.
const LISTED: usize = 10;

pub fn run(args: &Certify, start: Instant) -> Result<Code, Failure> {
    if args.design.show_all(&args.files)? {
        return Ok(Code::Done);
    }
    let cancel = Cancel::new();
    let (format, quiet) = (args.format, args.quiet);
    let report = move |(code, text, details): Finding| match quiet {
        true => Ok(()),
        false => format.print("indubit.certify", code, &text, details),
    };
    let once = guard::Report::new(Code::Unknown);
    let _guard = once.guard(args.limits.since(start), &cancel, move |stop| {
        let _ = report(unfinished(stop));
    })?;
    let (model, more, about) = parted(&args.files)?;
    let finding = if is_verilog(model) {
        evidence(args, args.design.read(model, more)?, about, &cancel)?
    } else {
        args.design.refuse(model, more)?;
        let contents = load(model)?;
        // Other formats begin as a formula may, with a number or a dash.
        let is_formula = dimacs::is_recognized(&contents)
            && !btor2::is_recognized(&contents)
            && !smv::is_recognized(&contents);
        match is_formula {
            true => refutation((&contents, model), about, &cancel)?,
            false => {
                let mut parsed = kinds::parse(&contents, model)?;
                args.design.add_formulas(&mut parsed, model)?;
                evidence(args, parsed, about, &cancel)?
            }
        }
    };
    once.give(finding.0, || report(finding))
}

/// The exit code, the text for people, and what programs get.
type Finding = (Code, String, Value);

/// A proof that a formula has no model.
fn refutation((formula, path): (&[u8], &Path), about: &Path, cancel: &Cancel) -> Result<Finding, Failure> {
    let formula = dimacs::parse(formula).map_err(|e| Failure::formula(e.with_path(path)))?;
    let found = check_refutation(&formula, &load(about)?, cancel);
    let hint = "evidence about a formula is an LRAT proof, as text and without RAT steps";
    finding(about, found, hint, |n_derived| {
        let method = format!("LRAT proof: {n_derived} derived clauses");
        let text = format!("the formula is unsatisfiable\nchecked: {method}");
        valid(&text, json!({"result": "valid", "claim": "unsatisfiable", "method": method}))
    })
}

/// Evidence about a model. That for a cover is about the model in which it is the only thing that must not happen.
fn evidence(args: &Certify, model: Model, about: &Path, cancel: &Cancel) -> Result<Finding, Failure> {
    let evidence = load(about)?;
    let is_circuit = evidence.starts_with(b"aag ") || evidence.starts_with(b"aig ");
    // A run is judged by the formula itself, a proof is about the product.
    let is_run = match &model {
        Model::Bits(_) => !is_circuit && !is_commented(&evidence),
        Model::Words(WordModel::Btor2(_)) if btor2::witness::is_witness(&evidence) => true,
        Model::Words(_) => word_trace::is_trace(&evidence),
    };
    let circuit = if is_circuit { aiger::parse(&evidence).ok() } else { None };
    let is_live = circuit.as_ref().is_some_and(|circuit| !circuit.justice.is_empty());
    // Sets of states are about the model itself.
    let is_sets = circuit.as_ref().is_some_and(|circuit| ctl_certificate::is_recognized(&circuit.comment));
    // A proof about the only property of a model is about that one, a cover as well, which is proved unreachable.
    let sole = match &model {
        Model::Words(words) if !is_run && !is_sets => match &words.system().properties[..] {
            [only] if matches!(only.claim, Claim::Reachable(_)) => Some(only.label()),
            _ => None,
        },
        _ => None,
    };
    let is_added = args.cover.is_some() || args.ltl.is_some() || args.ctl.is_some();
    let what = convert::Kept {
        property: args.property.as_deref().or(sole.as_deref().filter(|_| !is_added)),
        cover: args.cover.as_deref(),
        ltl: args.ltl.as_deref(),
        ctl: args.ctl.as_deref(),
        justice: is_live,
        formulas: is_run || is_sets,
    };
    let model = convert::kept(model, what)?;
    let by = Solving::new(cancel).with_paranoia(args.paranoid);
    let hint = "evidence is an AIGER witness, or a witness circuit that begins with `aag` or `aig`; over words what --witness, --invariant or --certificate write";
    match &model {
        Model::Bits(model) if model.n_properties() == 0 => Err(no_property()),
        Model::Words(model) if model.system().properties.is_empty() => Err(no_property()),
        Model::Bits(model) => {
            let found = certify_file(model, &evidence, by);
            finding(about, found, hint, |checked| claimed::<Bits>(checked, args))
        }
        Model::Words(_) if args.paranoid => {
            let message = "--paranoid is for the solver of bits, and this is a model of words";
            Err(Failure::bad_input(message).with_hint("leave it out"))
        }
        Model::Words(model) => {
            let found = certify_word_file(model, &evidence, by).map(|found| {
                found.map_err(|reason| match reason {
                    WordReason::Format(error) => Reason::Format(error),
                    reason => Reason::Misfit(reason.to_string()),
                })
            });
            finding(about, found, hint, |checked| claimed::<Words>(checked, args))
        }
    }
}

/// What came out: `hint` is for what is no evidence at all, `valid` for what has passed the check.
fn finding<T>(
    about: &Path,
    found: Ask<Result<T, Reason>>,
    hint: &str,
    valid: impl FnOnce(T) -> Finding,
) -> Result<Finding, Failure> {
    Ok(match found {
        Err(stop) => unfinished(stop),
        Ok(Err(Reason::Format(error))) => {
            return Err(Failure::bad_input(error.with_path(about).to_string()).with_hint(hint));
        }
        Ok(Err(Reason::Solver(error))) => return Err(Failure::internal(error)),
        Ok(Err(reason)) => rejected(&reason.to_string()),
        Ok(Ok(checked)) => valid(checked),
    })
}

fn unfinished(stop: Stop) -> Finding {
    let details = json!({"result": "unknown", "stop": stop.to_string()});
    (Code::Unknown, format!("unknown: not checked to the end ({stop})\n"), details)
}

/// The reason may quote names from the model or the evidence.
fn rejected(reason: &str) -> Finding {
    let text = format!("{}: {}\n", Paint::for_stdout().bad("rejected"), printable(reason));
    (Code::Rejected, text, json!({"result": "rejected", "reason": reason}))
}

fn valid(text: &str, details: Value) -> Finding {
    (Code::Done, format!("{}: {text}\n", Paint::for_stdout().good("valid")), details)
}

/// What evidence claims, and has been found to be true. A cover has the words that `indubit check` has for it; one that is given here has no number: it is a bad state
/// only here.
fn claimed<K: Presented>(checked: Checked<K>, args: &Certify) -> Finding {
    // Of those that the model has itself, some have become bad states on the way.
    let is_cover = |property: &Property<K::Formula>| {
        args.cover.is_some()
            || matches!(property.id, PropertyId::Cover(_))
            || matches!(property.claim, Claim::Reachable(_))
    };
    // Neither has a number that means something here.
    let is_formula = |property: &Property<K::Formula>| {
        args.ltl.is_some() || matches!(property.id, PropertyId::Ltl(_) | PropertyId::LtlSafety(_))
    };
    let name = |property: &Property<K::Formula>| {
        let has_no_number = args.cover.is_some() || is_formula(property);
        printable(&if has_no_number { property.label() } else { property.title() })
    };
    // For a bad state, or what may be called one, that is never seen, and for one that is.
    let words = |property: &Property<K::Formula>| match ClaimKind::Reachable.words() {
        [reached, unreachable] if is_cover(property) => [unreachable, reached],
        _ if is_formula(property) => ClaimKind::Ltl.words(),
        _ => property.claim.kind().words(),
    };
    match checked {
        Checked::Violated(violations) if !violations.is_empty() => {
            let each = violations.iter().map(|v| match v.property.claim {
                Claim::Ltl(_) if !v.repeats => {
                    format!(
                        "{} is violated in step {} by every run that begins so",
                        name(&v.property),
                        v.step
                    )
                }
                Claim::Justice(_) | Claim::Ltl(_) => {
                    format!("{} is violated by a run that repeats from step {} on", name(&v.property), v.step)
                }
                _ if is_cover(&v.property) => format!("{} is reached in step {}", name(&v.property), v.step),
                _ => format!("{} is violated in step {}", name(&v.property), v.step),
            });
            let each: Vec<String> = each.collect();
            let list = violations.iter().map(|v| json!({"property": name(&v.property), "step": v.step}));
            let list: Vec<Value> = list.collect();
            let method = format!("replay by {}", K::BY_REPLAY);
            let text = format!("{}\nchecked: the trace was replayed by {}", each.join(", "), K::BY_REPLAY);
            let details = json!({"result": "valid", "claim": words(&violations[0].property)[1], "violations": list, "method": method});
            valid(&text, details)
        }
        Checked::Holds { properties, method } if !properties.is_empty() => {
            let names: Vec<String> = properties.iter().map(name).collect();
            let by = if args.paranoid {
                "by SAT with checked refutations".into()
            } else {
                format!("by {}", K::BY_QUERIES)
            };
            let is_live = properties.iter().any(|p| matches!(p.claim, Claim::Justice(_)));
            let more = if is_live { ", liveness, decrease, closure, consistent" } else { "" };
            let method = match method {
                Method::WitnessCircuit => {
                    format!("witness circuit: reset, transition, safety, base, inductive{more}, {by}")
                }
                Method::Smt => "inductive invariant: initiation, consecution, safety, by SMT".into(),
                Method::KSteps { k } => format!("k-induction on simple paths: {k}-step queries {by}"),
            };
            let claim = words(&properties[0])[0];
            let verb = match (names.len(), claim) {
                (1, "holds") => "holds".into(),
                (_, "holds") => "hold".into(),
                (1, _) => format!("is {claim}"),
                _ => format!("are {claim}"),
            };
            let (listed, more) = names.split_at(names.len().min(LISTED));
            let more = and_more(more.len());
            let text = format!("{}{more} {verb}\nchecked: {method}", listed.join(", "));
            valid(&text, json!({"result": "valid", "claim": claim, "properties": names, "method": method}))
        }
        Checked::Decided { property, holds } => {
            let by = if args.paranoid { "by SAT with checked refutations" } else { "by SAT" };
            let method = format!("sets of states: invariant, each operator, initial states, {by}");
            let [yes, no] = ClaimKind::Ctl.words();
            let word = if holds { yes } else { no };
            let name = printable(&property.title());
            let text = format!("{name} {word}\nchecked: {method}");
            valid(&text, json!({"result": "valid", "claim": word, "properties": [name], "method": method}))
        }
        // Evidence for no property at all is not valid, whatever has been checked.
        _ => rejected("the evidence claims nothing"),
    }
}
