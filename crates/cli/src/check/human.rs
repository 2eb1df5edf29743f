//! The report for people: compact, the user's names, and what to do next.

use super::evidence::is_cut;
use super::ledger::Ledger;
use super::lemmas::relation;
use super::outcome::{Answer, Branches, Cti, Evidence, Files, Outcome, Proof};
use crate::size::Size;
use crate::terminal::{self, Paint, and_more, count, indent, printable};
use indubit::ClaimKind;
use indubit::formats::invariant_text::n_lemmas;
use indubit::run::Stop;
use indubit::system::Shape;
use std::iter;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// As wide as the longest word of a verdict.
const WIDTH: usize = 11;

/// The first line.
pub fn model(path: &Path, more: &[PathBuf], size: &Size, n_selected: usize, paint: Paint) -> String {
    let mut parts = size.parts();
    parts.push(match size.properties {
        all if n_selected < all => format!("{n_selected} of {all} properties"),
        all => count(all, "property", "properties"),
    });
    let maps: Vec<String> = size.maps.iter().map(|map| printable(map)).collect();
    let maps = if maps.is_empty() { String::new() } else { format!("; names from {}", maps.join(" and ")) };
    let formulas = size.formulas.as_ref();
    let formulas = formulas.map_or(String::new(), |file| format!("; formulas of {}", printable(file)));
    let files = iter::once(path).chain(more.iter().map(PathBuf::as_path));
    let files: Vec<String> = files.map(|file| paint.bold(&terminal::path(file))).collect();
    format!("{}: {}{maps}{formulas}\n", files.join(", "), parts.join(", "))
}

/// The line of a property with --quiet: scripts rely on it.
pub fn quiet(outcome: &Outcome, paint: Paint) -> String {
    let word = outcome.answer.quiet_word();
    format!("{} {}\n", painted(&outcome.answer, word, paint), printable(&outcome.property.label()))
}

fn painted(answer: &Answer, word: &str, paint: Paint) -> String {
    match answer {
        Answer::Decided { is_true: true, .. } => paint.good(word),
        Answer::Decided { is_true: false, .. } | Answer::Internal { .. } => paint.bad(word),
        Answer::Unknown { .. } | Answer::Unsupported { .. } => paint.open(word),
    }
}

/// The word, the property, and who found it in what time.
fn line(outcome: &Outcome, paint: Paint) -> String {
    let word = painted(&outcome.answer, &format!("{:<WIDTH$}", outcome.answer.word()), paint);
    let how = match outcome.answer {
        Answer::Unsupported { .. } => String::new(),
        _ => paint.dim(&format!("  ({}, {})", outcome.engine, time(outcome.seconds))),
    };
    let place = outcome.property.place().map_or(String::new(), |place| format!(", {place}"));
    format!("{word} {}{}{how}\n", paint.bold(&outcome.property.title()), paint.dim(&place))
}

/// The line of a property in the table at the end, with its bound if it is unknown.
fn row(outcome: &Outcome, paint: Paint) -> String {
    let line = line(outcome, paint);
    match outcome.answer {
        Answer::Unknown { safe_up_to: Some(k), .. } => {
            format!("{}, {} {k}\n", line.trim_end(), nothing_up_to(outcome.property.claim))
        }
        _ => line,
    }
}

/// What a bound says of such a claim: a trace is a counterexample, or what a cover asks for.
fn nothing_up_to(claim: ClaimKind) -> &'static str {
    match claim {
        ClaimKind::Reachable => "not reached in up to",
        ClaimKind::Always | ClaimKind::Justice | ClaimKind::Ltl | ClaimKind::Ctl => "no counterexample up to",
    }
}

/// A property, its verdict, and the evidence.
pub fn property(ledger: &Ledger, outcome: &Outcome, paint: Paint) -> String {
    let mut text = format!("\n{}", line(outcome, paint));
    match &outcome.answer {
        Answer::Decided { evidence: Evidence::Proof(proof), .. } => {
            if let Some(support) = &proof.support {
                let is_alone = support.alone.is_some() && support.together_with.is_empty();
                let alone = if is_alone { "not inductive by itself, but " } else { "" };
                text += &format!("  {alone}{}\n", relation(support));
            }
            text += &self::proof(proof, ledger.shown_before(proof).as_deref());
        }
        Answer::Decided { evidence: Evidence::Trace(trace), .. } => text += &indent(&trace.table, 2),
        Answer::Decided { evidence: Evidence::Branches(branches), .. } => text += &self::branches(branches),
        Answer::Unknown { stop, safe_up_to, cti } => {
            text += &unknown(ledger, outcome.property.claim, *stop, *safe_up_to, cti.as_ref());
        }
        Answer::Unsupported { why } => {
            text += &format!("  not checked: {why}\n");
        }
        Answer::Internal { .. } => text += "  no verdict: an internal error, see above\n",
    }
    if ledger.args.verbose {
        text += &details(outcome);
    }
    text
}

/// Where the evidence is, or is not.
pub fn files(files: &Files, paint: Paint) -> String {
    let mut text = String::new();
    for (kind, path) in &files.written {
        text += &format!("  {} written to {}\n", kind, terminal::path(path));
    }
    for (kind, path) in &files.missing {
        let not = paint.bad("not written");
        text += &format!("  {} {not} to {}\n", kind, terminal::path(path));
    }
    text
}

fn proof(proof: &Proof, shown_before: Option<&str>) -> String {
    if let Shape::Ranked { .. } = proof.shape {
        return indent(&proof.text, 2);
    }
    let is_inductive =
        matches!(proof.shape, Shape::Inductive | Shape::KInductive { k: 1, simple_path: false });
    if proof.n_clauses == 0 || proof.text == "true\n" {
        return if is_inductive { "  inductive by itself\n".into() } else { format!("  {}\n", proof.shape) };
    }
    let what = match is_inductive {
        true => "inductive invariant".to_string(),
        false => format!("{}, together with this invariant", proof.shape),
    };
    let lemmas = count(n_lemmas(&proof.text), "lemma", "lemmas");
    if let Some(other) = shown_before {
        return format!("  {what} ({lemmas}): that of {other}\n");
    }
    let more = if is_cut(&proof.text) { "    (--verbose shows all)\n" } else { "" };
    format!("  {what} ({lemmas}):\n{}{more}", indent(&proof.text, 4))
}

/// Why a formula of computation tree logic holds or fails.
fn branches(branches: &Branches) -> String {
    if branches.is_vacuous {
        return "  vacuous: no initial state has a fair path, so nothing is claimed of any\n".into();
    }
    match &branches.text[..] {
        "" => format!("  {}\n", branches.summary),
        text => indent(text, 2),
    }
}

/// The line for unknown properties that are not told one by one.
pub fn repeated(n: usize, paint: Paint) -> String {
    let word = paint.open(&format!("{:<WIDTH$}", "unknown"));
    match n {
        0 => String::new(),
        _ => format!("\n{word} {n} more, for the same reason (the table at the end lists them)\n"),
    }
}

fn unknown(
    ledger: &Ledger,
    claim: ClaimKind,
    stop: Stop,
    safe_up_to: Option<u32>,
    cti: Option<&Cti>,
) -> String {
    let known = match safe_up_to {
        Some(k) => format!("{} {}", nothing_up_to(claim), count(k as usize, "step", "steps")),
        None => "nothing is known".into(),
    };
    let (why, next) = match stop {
        Stop::TimeLimit => ("stopped by the time limit".into(), "a longer --timeout"),
        Stop::MemoryLimit => ("stopped by the memory limit".into(), "a larger --memory"),
        Stop::Cancelled => ("interrupted".into(), "to let it run longer"),
        Stop::Bound => ("the bound was reached".into(), "a larger --bound"),
        Stop::Incomplete(reason) => (reason.to_string(), "another --property or model"),
    };
    let (other, is_prove) = ((ledger.other_engine)(claim), ledger.args.lemmas.is_some());
    let next = match stop {
        Stop::Incomplete(_) if is_prove => {
            "a lemma that excludes the state of step 0, or `indubit check`, which looks for lemmas itself"
                .into()
        }
        Stop::Incomplete(_) if cti.is_some() => {
            format!("`indubit prove` with a lemma that excludes the state of step 0, or {other}")
        }
        Stop::Incomplete(_) => other,
        _ if is_prove => next.into(),
        _ => format!("{next}, or {other}"),
    };
    let step = cti.map_or(String::new(), |cti| {
        let introduction = match cti.is_step {
            true => {
                "counterexample to induction: a step from a good state to a bad one. This is no bug, for nothing says\n  \
                 that the first state can be reached."
            }
            false => {
                "a bad state in which all lemmas hold that are proved: the property does not follow from them. This is no bug, for\n  \
                 nothing says that the state can be reached."
            }
        };
        format!("  {introduction}\n{}", indent(&cti.table, 4))
    });
    format!("  {known}; {why}\n{step}  next: try {next}\n")
}

/// A line each for the properties that are unknown and those that cannot be checked.
pub fn why_unknown(outcomes: &[&Outcome]) -> String {
    let line = |why: fn(&Outcome) -> Option<String>| {
        let mut all = outcomes.iter().filter_map(|o| Some((o.property.title(), why(o)?)));
        let Some((first, why)) = all.next() else { return String::new() };
        format!("{first}{}: {why}\n", and_more(all.count()))
    };
    let unknown = line(|outcome| match outcome.answer {
        Answer::Unknown { stop, safe_up_to: Some(k), .. } => {
            Some(format!("unknown ({stop}), {} {k}", nothing_up_to(outcome.property.claim)))
        }
        Answer::Unknown { stop, .. } => Some(format!("unknown ({stop})")),
        _ => None,
    });
    unknown
        + &line(|outcome| match &outcome.answer {
            Answer::Unsupported { why } => Some(format!("not checked: {why}")),
            _ => None,
        })
}

fn details(outcome: &Outcome) -> String {
    let mut text = String::new();
    for pass in &outcome.record.passes {
        let [[i, l, g], [j, m, h]] = [pass.before, pass.after];
        text += &format!("  pass {}: inputs {i} -> {j}, latches {l} -> {m}, gates {g} -> {h}\n", pass.name);
    }
    let counted: Vec<_> = outcome.record.counts.iter().filter(|(_, value)| *value > 0).collect();
    let width = counted.iter().map(|(_, value)| value.to_string().len()).max().unwrap_or(0);
    if !counted.is_empty() {
        text += "  statistics:\n";
    }
    for (name, value) in counted {
        text += &format!("    {value:>width$}  {name}\n");
    }
    text
}

/// How many there are of each word: true claims, false ones, and then those without a verdict; otherwise as they appear.
fn totals(outcomes: &[&Outcome]) -> String {
    let rank = |answer: &Answer| match answer {
        Answer::Decided { is_true: true, .. } => 0,
        Answer::Decided { is_true: false, .. } => 1,
        Answer::Unknown { .. } => 2,
        Answer::Unsupported { .. } => 3,
        Answer::Internal { .. } => 4,
    };
    let mut answers: Vec<&Answer> = outcomes.iter().map(|outcome| &outcome.answer).collect();
    answers.sort_by_key(|answer| rank(answer));
    let mut words: Vec<(&str, usize)> = Vec::new();
    for answer in answers {
        match words.iter_mut().find(|(word, _)| *word == answer.word()) {
            Some((_, n)) => *n += 1,
            None => words.push((answer.word(), 1)),
        }
    }
    words.iter().map(|(word, n)| format!("{n} {word}")).collect::<Vec<_>>().join(", ")
}

/// The last lines: all properties in the order of the model, how it went, and what has been checked.
pub fn summary(ledger: &Ledger, elapsed: Duration, paint: Paint) -> String {
    let outcomes = ledger.outcomes();
    let mut text = String::from("\n");
    if outcomes.len() > 1 {
        let properties = count(outcomes.len(), "property", "properties");
        text += &format!("{properties}: {}  ({})\n", totals(&outcomes), time(elapsed.as_secs_f64()));
        outcomes.iter().for_each(|outcome| text += &format!("  {}", row(outcome, paint)));
    }
    let by = |n: usize, one, many, by: &str| (n > 0).then(|| format!("{} by {by}", count(n, one, many)));
    let n_proofs = outcomes.iter().filter(|o| o.answer.proof().is_some()).count();
    let n_traces = outcomes.iter().filter(|o| o.answer.trace().is_some()).count();
    let proofs = by(n_proofs, "proof", "proofs", &printable(&ledger.by_queries));
    let traces = by(n_traces, "trace", "traces", ledger.by_replay);
    let n_branches = outcomes.iter().filter(|o| o.answer.branches().is_some()).count();
    let branches = by(n_branches, "proof in sets of states", "proofs in sets of states", "SAT");
    let checked: Vec<String> = [proofs, traces, branches].into_iter().flatten().collect();
    let model = terminal::path(&ledger.args.model);
    let head = paint.bold("checked:");
    text += &match checked[..] {
        [] => format!("{head} nothing, for there is no verdict\n"),
        _ => format!("{head} {} against {model}, independently of the engine\n", checked.join(" and ")),
    };
    text
}

/// Seconds with as many digits as matter.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.2} s"),
        s if s < 600.0 => format!("{s:.1} s"),
        s => format!("{:.0} min", s / 60.0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcome::tests::{outcome, safe, unknown, violated};
    use super::*;

    fn some(shape: Shape, n_clauses: usize, text: &str) -> Proof {
        Proof { shape, n_clauses, text: text.into(), ..safe().proof().unwrap().clone() }
    }

    #[test]
    fn one_fact_has_one_phrasing() {
        let k = |k, simple_path| Shape::KInductive { k, simple_path };
        assert_eq!(proof(&some(Shape::Inductive, 0, "true\n"), None), "  inductive by itself\n");
        assert_eq!(proof(&some(k(1, false), 0, "true\n"), None), "  inductive by itself\n");
        assert_eq!(proof(&some(k(3, false), 0, "true\n"), None), "  3-inductive\n");
        assert_eq!(proof(&some(k(3, true), 0, ""), None), "  3-inductive on paths that repeat no state\n");
        let one = "  inductive invariant (1 lemma):\n    x\n";
        assert_eq!(proof(&some(Shape::Inductive, 1, "x\n"), None), one);
        assert_eq!(proof(&some(k(1, false), 1, "x\n"), None), one);
        assert_eq!(
            proof(&some(k(2, false), 1, "x\n"), None),
            "  2-inductive, together with this invariant (1 lemma):\n    x\n"
        );
        assert_eq!(
            proof(&some(Shape::Inductive, 3, "x\ny\nz\n"), Some("b0")),
            "  inductive invariant (3 lemmas): that of b0\n"
        );
        let ends = some(Shape::Ends { last: 1 }, 0, "true\n");
        assert_eq!(proof(&ends, None), "  every run ends after at most 1 step\n");
    }

    #[test]
    fn totals_know_every_word() {
        let reached = match violated() {
            Answer::Decided { evidence, .. } => Answer::Decided { word: "reached", is_true: true, evidence },
            other => other,
        };
        let outcomes = [unknown(None), violated(), safe(), reached, violated()].map(|a| outcome(0, a));
        let outcomes: Vec<&Outcome> = outcomes.iter().collect();
        assert_eq!(totals(&outcomes), "1 safe, 1 reached, 2 unsafe, 1 unknown");
    }

    #[test]
    fn quiet_lines_begin_with_the_word() {
        assert_eq!(quiet(&outcome(0, safe()), Paint::plain()), "safe b0\n");
        assert_eq!(quiet(&outcome(1, unknown(None)), Paint::plain()), "unknown b1\n");
        assert_eq!(
            quiet(&outcome(2, Answer::Unsupported { why: String::new() }), Paint::plain()),
            "unknown b2\n"
        );
    }

    #[test]
    fn times_have_few_digits() {
        assert_eq!(
            (time(0.004), time(12.34), time(1200.0)),
            ("0.00 s".into(), "12.3 s".into(), "20 min".into())
        );
    }
}
