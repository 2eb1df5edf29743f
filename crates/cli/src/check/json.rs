//! The report for programs: one JSON object. `docs/check.schema.json` is its schema.
//!
//! `{"format": "indubit.check", "version": 1, ...}`. Within a version, fields are added but neither removed nor
//! changed. Every property has the same fields; those that do not apply are `null`. Evidence is inline if it is
//! small, else `witness`, `steps` or `invariant` in it is `null`: files have it in full (--witness, --certificate, --invariant). `steps` has the
//! values of states and inputs in each step by name, and `invariant` the formulas that `indubit prove` reads. `cti`, a step that shows why the
//! property is not inductive, is a list of two moments (of one, if a property of inputs does not follow from lemmas), each like a step.
//! `indubit prove` calls it `indubit.prove`, and adds `lemmas`: each with its `standing`; lemmas are numbered from 1.

use super::ledger::Ledger;
use super::lemmas::from_one;
use super::outcome::{Answer, Evidence, File, Outcome, Proof};
use crate::exit::Code;
use crate::size::Size;
use crate::terminal::extend;
use indubit::run::{Pass, Record, Stop, memory_of};
use indubit::system::Shape;
use serde_json::{Value, json};
use std::time::Duration;

/// Larger evidence is left to files.
const LARGEST_INLINE: usize = 1 << 16;

/// `verdict` is the code that the verdicts amount to, `code` that of the process.
pub fn document(ledger: &Ledger, elapsed: Duration, verdict: Code, code: Code) -> String {
    let args = &ledger.args;
    let model = ledger.size.as_ref().map_or(Value::Null, Size::json);
    let verdict = match verdict {
        Code::Done => "safe",
        Code::Unsafe => "unsafe",
        Code::Unknown => "unknown",
        _ => "error",
    };
    let is_prove = args.lemmas.is_some();
    let limits = &args.effort.limits;
    let mut document = json!({
        "format": if is_prove { "indubit.prove" } else { "indubit.check" },
        "version": 1,
        "indubit": env!("CARGO_PKG_VERSION"),
        "path": args.model.display().to_string(),
        "model": model,
        "engine": args.engine_name(),
        "seed": args.effort.seed,
        "bound": args.effort.bound,
        "timeout": limits.timeout.map(|time| time.as_secs_f64()),
        "memory": limits.memory,
        "verdict": verdict,
        "exit_code": code as u8,
        "seconds": seconds(elapsed.as_secs_f64()),
        "peak_memory": memory_of("self").map(|memory| memory.peak),
        "warnings": ledger.warnings,
        "properties": ledger.outcomes().into_iter().map(property).collect::<Vec<_>>(),
    });
    if is_prove {
        let lemmas = ledger.lemmas.as_ref().map(|report| report.json.clone());
        extend(&mut document, json!({"lemmas": lemmas}));
    }
    format!("{document:#}\n")
}

fn property(outcome: &Outcome) -> Value {
    let property = &outcome.property;
    let (mut length, mut stop, mut message, mut checked) = (None, None, None, None);
    let [mut evidence, mut cti, mut support] = [const { Value::Null }; 3];
    let mut kept = Vec::new();
    match &outcome.answer {
        Answer::Decided { evidence: Evidence::Proof(proof), .. } => {
            support = proof.support.as_ref().map_or(Value::Null, |used| {
                json!({"relative_to": from_one(&used.relative_to), "together_with": from_one(&used.together_with)})
            });
            checked = Some(proof.checked.to_owned());
            evidence = self::proof(proof);
        }
        Answer::Decided { evidence: Evidence::Trace(trace), .. } => {
            checked = Some(trace.checked.clone());
            length = Some(trace.length);
            let (witness, steps) = (inline(&trace.witness), &trace.steps);
            evidence = json!({"kind": "trace", "loop": trace.loops_to, "witness": witness, "steps": steps});
        }
        Answer::Decided { evidence: Evidence::Branches(branches), .. } => {
            checked = Some(branches.checked.to_owned());
            evidence = json!({
                "kind": "branches",
                "vacuous": branches.is_vacuous,
                "initial": branches.start.get(0),
                "tree": branches.tree,
            });
        }
        Answer::Unknown { stop: reason, cti: found, .. } => {
            cti = found.as_ref().map_or(Value::Null, |found| found.json.clone());
            stop = Some(stop_name(*reason));
            message = Some(reason.to_string());
        }
        Answer::Unsupported { why } => message = Some(format!("not checked: {why}")),
        Answer::Internal { message: text, kept: files } => {
            message = Some(text.clone());
            kept = files.iter().map(|p| p.display().to_string()).collect();
        }
    }
    let Record { passes, counts, .. } = &outcome.record;
    let pass = |p: &Pass| json!({"name": p.name, "before": p.before, "after": p.after});
    property.json_with(json!({
        "line": property.line,
        "source": property.source,
        "verdict": outcome.answer.word(),
        "length": length,
        "safe_up_to": safe_up_to(outcome),
        "stop": stop,
        "message": message,
        "engine": outcome.engine,
        "seconds": seconds(outcome.seconds),
        "at": seconds(outcome.at),
        "checked": checked,
        "evidence": evidence,
        "cti": cti,
        "lemmas": support,
        "files": files(&outcome.files.written),
        "missing": files(&outcome.files.missing),
        "kept": kept,
        "passes": passes.iter().map(pass).collect::<Vec<_>>(),
        "statistics": counts.iter().map(|&(n, v)| (n.to_string(), Value::from(v))).collect::<Value>(),
    }))
}

fn proof(proof: &Proof) -> Value {
    let (kind, k, simple_path) = match proof.shape {
        Shape::Inductive => ("inductive", None, None),
        Shape::KInductive { k, simple_path } => ("k-inductive", Some(k), Some(simple_path)),
        Shape::Ranked { n_ranks } => ("ranked", Some(n_ranks), None),
        Shape::Ends { last } => ("ends", Some(last), None),
    };
    let is_small = |lines: &&Vec<String>| lines.iter().map(String::len).sum::<usize>() <= LARGEST_INLINE;
    json!({
        "kind": kind,
        "k": k,
        "simple_path": simple_path,
        "clauses": proof.n_clauses,
        "ranks": proof.ranks.as_ref().filter(is_small),
        "invariant": proof.formulas.as_ref().filter(is_small),
    })
}

fn inline(text: &str) -> Option<&str> {
    (!text.is_empty() && text.len() <= LARGEST_INLINE).then_some(text)
}

/// What the event stream says of a verdict: the short form.
pub fn verdict_fields(outcome: &Outcome) -> Value {
    let mut fields = property(outcome);
    let short =
        ["index", "id", "name", "verdict", "length", "safe_up_to", "stop", "seconds", "files", "missing"];
    if let Value::Object(fields) = &mut fields {
        fields.retain(|key, _| short.contains(&key.as_str()));
    }
    fields
}

/// Up to where nothing was found; for properties that have no proof.
fn safe_up_to(outcome: &Outcome) -> Option<u32> {
    match outcome.answer {
        Answer::Unknown { safe_up_to, .. } => safe_up_to,
        Answer::Decided { evidence: Evidence::Trace(_), .. } => outcome.safe_up_to,
        _ => None,
    }
}

/// Files by what they are.
fn files(files: &[File]) -> Value {
    let entry = |(what, path): &File| (what.to_string(), path.display().to_string().into());
    Value::Object(files.iter().map(entry).collect())
}

/// The word for why a run gave up.
fn stop_name(stop: Stop) -> &'static str {
    match stop {
        Stop::Cancelled => "cancelled",
        Stop::TimeLimit => "time",
        Stop::MemoryLimit => "memory",
        Stop::Bound => "bound",
        Stop::Incomplete(_) => "incomplete",
    }
}

/// Rounded to microseconds: more digits are noise.
fn seconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::super::outcome::tests::{outcome, safe, unknown, violated};
    use super::*;

    #[test]
    fn every_property_has_every_field() {
        let values = [safe(), violated(), unknown(Some(4)), Answer::Unsupported { why: "why".into() }]
            .map(|a| property(&outcome(0, a)));
        let keys = |v: &Value| v.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        assert!(values.iter().all(|v| keys(v) == keys(&values[0])));
        assert_eq!(values[0]["evidence"]["invariant"], json!([]));
        assert_eq!((&values[1]["length"], &values[1]["evidence"]["loop"]), (&json!(2), &Value::Null));
        assert_eq!(values[1]["evidence"]["witness"], "1\nb0\n\n\n.\n");
        assert_eq!((&values[2]["safe_up_to"], &values[2]["stop"]), (&json!(4), &json!("time")));
        assert_eq!(values[3]["verdict"], "unsupported");
    }

    #[test]
    fn large_evidence_is_left_out() {
        assert_eq!(inline(""), None);
        assert_eq!(inline(&"x".repeat(LARGEST_INLINE + 1)), None);
        assert_eq!(inline("x"), Some("x"));
    }
}
