//! `indubit certify`: evidence from anyone, checked against a model.

use crate::args::{Certify, TextFormat};
use crate::convert::{self, Keep};
use crate::exit::{Code, Failure};
use crate::guard;
use crate::kinds::{self, Model, Presented};
use crate::properties::no_property;
use crate::terminal::{self, Paint, printable};
use indubit::certify::{Checked, Method, Reason, Solving, WordReason};
use indubit::formats::{self, dimacs, load};
use indubit::run::{Ask, Cancel, Stop};
use indubit::{Bits, Claim, Property, Words};
use serde_json::{Value, json};
use std::time::Instant;

pub fn run(args: &Certify, start: Instant) -> Result<Code, Failure> {
    let cancel = Cancel::new();
    let limits = args.limits.since(start);
    let (format, quiet) = (args.format, args.quiet);
    let once = guard::Report::new(Code::Unknown);
    let _guard = once.guard(limits, &cancel, move |stop| {
        let details = json!({"stop": stop.to_string()});
        let _ = report(format, quiet, Code::Unknown, &unfinished(stop), details);
    })?;
    let model = load(&args.model)?;
    let is_formula = dimacs::is_recognized(&model);
    let check = if is_formula { refutation } else { evidence };
    let (code, text, details) = check(args, &model, &cancel)?;
    once.give(code, || report(args.format, args.quiet, code, &text, details))
}

/// The exit code, the text for people, and more for programs.
type Finding = (Code, String, Value);

/// A proof that a formula has no model.
fn refutation(args: &Certify, formula: &[u8], cancel: &Cancel) -> Result<Finding, Failure> {
    let formula = dimacs::parse(formula).map_err(|e| Failure::formula(e.with_path(&args.model)))?;
    let proof = load(&args.evidence)?;
    Ok(match indubit::certify::check_refutation(&formula, &proof, cancel) {
        Err(stop) => (Code::Unknown, unfinished(stop), json!({"stop": stop.to_string()})),
        Ok(Err(Reason::Format(error))) => {
            return Err(Failure::bad_input(error.with_path(&args.evidence).to_string())
                .with_hint("evidence about a formula is an LRAT proof, as text and without RAT steps"));
        }
        Ok(Err(reason)) => rejected(&reason.to_string()),
        Ok(Ok(n_derived)) => {
            let method = format!("LRAT proof: {n_derived} derived clauses");
            let text = format!("the formula is unsatisfiable\nchecked: {method}");
            let details = json!({"claim": "unsatisfiable", "method": method});
            (Code::Done, format!("{}: {text}", Paint::for_stdout().good("valid")), details)
        }
    })
}

/// Evidence about a model. That for a cover is about the model in which it is the only thing that must not happen.
fn evidence(args: &Certify, model: &[u8], cancel: &Cancel) -> Result<Finding, Failure> {
    let model = kinds::parse(model, &args.model)?;
    let keep = args.cover.as_deref().map_or(Keep::All, Keep::Cover);
    let model = convert::kept(model, keep)?;
    let evidence = load(&args.evidence)?;
    let by = Solving::new(cancel).with_paranoia(args.paranoid);
    match &model {
        Model::Bits(model) if model.n_properties() == 0 => Err(no_property()),
        Model::Words(model) if model.system().properties.is_empty() => Err(no_property()),
        Model::Bits(model) => {
            let found = indubit::certify::certify_file(model, &evidence, by);
            let why = |reason: Reason| match reason {
                Reason::Format(error) => Refusal::Format(error),
                Reason::Solver(error) => Refusal::Solver(error.to_string()),
                reason => Refusal::Rejected(reason.to_string()),
            };
            finding::<Bits>(args, found.map(|found| found.map_err(why)))
        }
        Model::Words(model) => {
            if args.paranoid {
                let message = "--paranoid is for the solver of bits, and this is a model of words";
                return Err(Failure::bad_input(message).with_hint("leave it out"));
            }
            let found = indubit::certify::certify_word_file(model, &evidence, by);
            let why = |reason: WordReason| match reason {
                WordReason::Format(error) => Refusal::Format(error),
                WordReason::Liveness => Refusal::Liveness(reason.to_string()),
                reason => Refusal::Rejected(reason.to_string()),
            };
            finding::<Words>(args, found.map(|found| found.map_err(why)))
        }
    }
}

/// Why evidence is not valid.
enum Refusal {
    Format(formats::Error),
    /// It cannot be checked yet.
    Liveness(String),
    /// The solver made a mistake.
    Solver(String),
    Rejected(String),
}

/// What came out.
fn finding<K: Presented>(
    args: &Certify,
    result: Ask<Result<Checked<K>, Refusal>>,
) -> Result<Finding, Failure> {
    Ok(match result {
        Err(stop) => (Code::Unknown, unfinished(stop), json!({"stop": stop.to_string()})),
        Ok(Err(Refusal::Format(error))) => {
            return Err(Failure::bad_input(error.with_path(&args.evidence).to_string()).with_hint(
                "evidence is an AIGER witness, or a witness circuit that begins with `aag` or `aig`; over words what --witness or --invariant write",
            ));
        }
        Ok(Err(Refusal::Liveness(reason))) => {
            (Code::Unknown, format!("not supported yet: {reason}"), json!({"reason": reason}))
        }
        Ok(Err(Refusal::Solver(error))) => return Err(Failure::internal(error)),
        Ok(Err(Refusal::Rejected(reason))) => rejected(&reason),
        Ok(Ok(checked)) if proves_nothing(&checked) => rejected("the evidence claims nothing"),
        Ok(Ok(checked)) => {
            let (text, details) = valid(&checked, args.paranoid);
            (Code::Done, format!("{}: {text}", Paint::for_stdout().good("valid")), details)
        }
    })
}

fn unfinished(stop: Stop) -> String {
    format!("unknown: not checked to the end ({stop})")
}

/// The reason may quote names from the model or the evidence.
fn rejected(reason: &str) -> Finding {
    let text = format!("{}: {}", Paint::for_stdout().bad("rejected"), printable(reason));
    (Code::Rejected, text, json!({"reason": reason}))
}

/// Evidence for no property at all is not valid, whatever has been checked.
fn proves_nothing<K: Presented>(checked: &Checked<K>) -> bool {
    match checked {
        Checked::Violated(violations) => violations.is_empty(),
        Checked::Holds { properties, .. } => properties.is_empty(),
    }
}

/// What has been found to be true.
fn valid<K: Presented>(checked: &Checked<K>, paranoid: bool) -> (String, Value) {
    let name = |property: &Property<K::Formula>| printable(&property.title());
    match checked {
        Checked::Violated(violations) => {
            let each = violations.iter().map(|v| match v.property.claim {
                Claim::Justice(_) => {
                    format!("{} is violated by a run that repeats from step {} on", name(&v.property), v.step)
                }
                _ => format!("{} is violated in step {}", name(&v.property), v.step),
            });
            let each: Vec<String> = each.collect();
            let list = violations.iter().map(|v| json!({"property": name(&v.property), "step": v.step}));
            let list: Vec<Value> = list.collect();
            let method = format!("replay by {}", K::BY_REPLAY);
            let text = format!("{}\nchecked: the trace was replayed by {}", each.join(", "), K::BY_REPLAY);
            (text, json!({"claim": "unsafe", "violations": list, "method": method}))
        }
        Checked::Holds { properties, method } => {
            let names: Vec<String> = properties.iter().map(name).collect();
            let by = if paranoid { "by SAT with checked refutations" } else { "by SAT" };
            let is_live = properties.iter().any(|p| matches!(p.claim, Claim::Justice(_)));
            let more = if is_live { ", liveness, decrease, closure, consistent" } else { "" };
            let method = match method {
                Method::WitnessCircuit => {
                    format!("witness circuit: reset, transition, safety, base, inductive{more}, {by}")
                }
                Method::Smt => "inductive invariant: initiation, consecution, safety, by SMT".into(),
                Method::KSteps { k } => format!("k-induction on simple paths: {k}-step queries {by}"),
            };
            let verb = match (names.len(), is_live) {
                (1, false) => "is safe",
                (_, false) => "are safe",
                (1, true) => "holds",
                (_, true) => "hold",
            };
            let text = format!("{} {verb}\nchecked: {method}", shortened(&names));
            (text, json!({"claim": "safe", "properties": names, "method": method}))
        }
    }
}

fn shortened(names: &[String]) -> String {
    const LISTED: usize = 10;
    match names.len() {
        n if n > LISTED => format!("{} and {} more", names[..LISTED].join(", "), n - LISTED),
        _ => names.join(", "),
    }
}

fn report(format: TextFormat, quiet: bool, code: Code, text: &str, details: Value) -> Result<(), Failure> {
    let result = match code {
        Code::Done => "valid",
        Code::Rejected => "rejected",
        _ => "unknown",
    };
    match format {
        _ if quiet => Ok(()),
        TextFormat::Human => terminal::stdout(&format!("{text}\n")),
        TextFormat::Json => {
            let mut object = json!({"result": result});
            terminal::extend(&mut object, details);
            terminal::json("indubit.certify", code, object)
        }
    }
}
