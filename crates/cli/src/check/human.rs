//! The report for people: compact, the user's names, and what to do next.

use super::evidence::n_lemmas;
use super::lemmas::relation;
use super::outcome::{Answer, Cti, Files, Outcome, Shape, Why};
use super::session::{Request, Session};
use crate::terminal::{self, Paint, count, indent};
use indubit::run::Stop;
use std::time::Duration;

/// The first line.
pub fn model(session: &Session, paint: Paint) -> String {
    let Some(size) = &session.size else {
        return String::new();
    };
    let mut parts = size.parts();
    parts.push(match (session.selected.len(), size.properties) {
        (selected, all) if selected < all => format!("{selected} of {all} properties"),
        (_, all) => count(all, "property", "properties"),
    });
    format!("{}: {}\n", paint.bold(&terminal::path(&session.request.model)), parts.join(", "))
}

/// A property, its verdict, and the evidence.
pub fn property(session: &Session, outcome: &Outcome, paint: Paint) -> String {
    let request = &session.request;
    let title = outcome.property.title();
    let how = match outcome.answer {
        Answer::Unsupported => String::new(),
        _ => paint.dim(&format!("  ({}, {})", outcome.engine, time(outcome.seconds))),
    };
    let word = format!("{:<8}", outcome.answer.word());
    let word = match outcome.answer {
        Answer::Safe { .. } => paint.good(&word),
        Answer::Unsafe { .. } | Answer::Internal { .. } => paint.bad(&word),
        Answer::Unknown { .. } | Answer::Unsupported => paint.open(&word),
    };
    if request.quiet {
        let bound = match outcome.answer {
            Answer::Unknown { safe_up_to: Some(k), .. } => format!(", no counterexample up to {k}"),
            _ => String::new(),
        };
        return format!("{word} {title}{bound}\n");
    }
    let mut text = format!("\n{word} {}{how}\n", paint.bold(&title));
    match &outcome.answer {
        Answer::Safe { why, text: lemmas, support } => {
            if let Some(support) = support {
                let alone = if support.alone.is_some() && support.together_with.is_empty() {
                    "not inductive by itself, but "
                } else {
                    ""
                };
                text += &format!("  {alone}{}\n", relation(support));
            }
            text += &safe(why, lemmas);
        }
        Answer::Unsafe { table, .. } => text += &indent(table, 2),
        Answer::Unknown { stop, safe_up_to, cti } => {
            text += &unknown(request, *stop, *safe_up_to, cti.as_ref());
        }
        Answer::Unsupported => {
            text += "  not supported yet: this is a justice (liveness) property, and it was not checked\n";
        }
        Answer::Internal { .. } => text += "  no verdict: an internal error, see above\n",
    }
    if request.verbose {
        text += &details(outcome);
    }
    text
}

/// In the place of properties about which the same would be said.
pub fn repeated(n: usize, paint: Paint) -> String {
    match n {
        0 => String::new(),
        n => format!(
            "\n{}  {} more, for the same reason (--quiet lists them)\n",
            paint.open("unknown"),
            count(n, "property", "properties")
        ),
    }
}

/// Where the evidence is, or is not.
pub fn files(files: &Files, paint: Paint) -> String {
    let mut text = String::new();
    for (kind, path) in &files.written {
        text += &format!("  {} written to {}\n", kind.word(), terminal::path(path));
    }
    for (kind, path) in &files.missing {
        let not = paint.bad("not written");
        text += &format!("  {} {not} to {}\n", kind.word(), terminal::path(path));
    }
    text
}

fn safe(why: &Why, lemmas: &str) -> String {
    let lemmas_in_all = count(n_lemmas(lemmas), "lemma", "lemmas");
    let is_trivial = why.n_clauses() == 0 || lemmas == "true\n";
    let (claim, introduction) = match why.shape() {
        Shape::Inductive if is_trivial => ("inductive by itself".to_string(), ""),
        Shape::Inductive => (String::new(), "inductive invariant"),
        Shape::Ends { last } => {
            (format!("every run ends after at most {}", count(last as usize, "step", "steps")), "")
        }
        Shape::KInductive { k, simple_path } => {
            let paths = if simple_path { " on paths that repeat no state" } else { "" };
            (format!("{k}-inductive{paths}"), ", together with this invariant")
        }
    };
    if is_trivial {
        return format!("  {claim}\n");
    }
    let is_cut = lemmas.lines().any(|l| l.starts_with("… "));
    let more = if is_cut { "    (--verbose shows all)\n" } else { "" };
    format!("  {claim}{introduction} ({lemmas_in_all}):\n{}{more}", indent(lemmas, 4))
}

fn unknown(request: &Request, stop: Stop, safe_up_to: Option<u32>, cti: Option<&Cti>) -> String {
    let known = match safe_up_to {
        Some(k) => format!("no counterexample up to {}", count(k as usize, "step", "steps")),
        None => "nothing is known".into(),
    };
    let (why, next) = match stop {
        Stop::TimeLimit => ("stopped by the time limit".into(), "a longer --timeout"),
        Stop::MemoryLimit => ("stopped by the memory limit".into(), "a larger --memory"),
        Stop::Cancelled => ("interrupted".into(), "to let it run longer"),
        Stop::Bound => ("the bound was reached".into(), "a larger --bound"),
        Stop::Incomplete(reason) => (reason.to_string(), "another --property or model"),
    };
    let other = if request.engine_proves {
        "another --engine (`indubit engines` lists them)".to_string()
    } else {
        format!("--engine {}, which can prove ({} cannot)", request.prover, request.engine)
    };
    let next = match stop {
        Stop::Incomplete(_) if request.is_prove => {
            "a lemma that excludes the state of step 0, or `indubit check`, which looks for lemmas itself"
                .into()
        }
        Stop::Incomplete(_) if cti.is_some() => {
            format!("`indubit prove` with a lemma that excludes the state of step 0, or {other}")
        }
        Stop::Incomplete(_) => other,
        _ if request.is_prove => next.into(),
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
pub fn why_unknown(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    let mut line = |first: Option<&Outcome>, n: usize, why: &dyn Fn(&Answer) -> String| {
        if let Some(first) = first {
            let others = if n > 1 { format!(" and {} more", n - 1) } else { String::new() };
            text += &format!("{}{others}: {}\n", first.property.title(), why(&first.answer));
        }
    };
    let unknown = || outcomes.iter().filter(|o| matches!(o.answer, Answer::Unknown { .. }));
    line(unknown().next(), unknown().count(), &|answer| match answer {
        Answer::Unknown { stop, safe_up_to: Some(k), .. } => {
            format!("unknown ({stop}), no counterexample up to {k}")
        }
        Answer::Unknown { stop, .. } => format!("unknown ({stop})"),
        _ => String::new(),
    });
    let live = || outcomes.iter().filter(|o| matches!(o.answer, Answer::Unsupported));
    line(live().next(), live().count(), &|_| "not checked: justice (liveness) is not supported yet".into());
    text
}

fn details(outcome: &Outcome) -> String {
    let mut text = String::new();
    for pass in &outcome.passes {
        let [[i, l, g], [j, m, h]] = [pass.before, pass.after];
        text += &format!("  pass {}: inputs {i} -> {j}, latches {l} -> {m}, gates {g} -> {h}\n", pass.name);
    }
    let counted: Vec<_> = outcome.statistics.iter().filter(|(_, value)| *value > 0).collect();
    let width = counted.iter().map(|(_, value)| value.to_string().len()).max().unwrap_or(0);
    if !counted.is_empty() {
        text += "  statistics:\n";
    }
    for (name, value) in counted {
        text += &format!("    {value:>width$}  {name}\n");
    }
    text
}

/// The last lines: how it went, and what has been checked.
pub fn summary(session: &Session, elapsed: Duration, paint: Paint) -> String {
    let n = |word: &str| session.outcomes.iter().filter(|o| o.answer.word() == word).count();
    let (safe, violated) = (n("safe"), n("unsafe"));
    let mut text = String::from("\n");
    if session.outcomes.len() > 1 {
        let words = ["safe", "unsafe", "unknown", "unsupported", "error"];
        let words = words.into_iter().filter(|w| n(w) > 0).map(|w| format!("{} {w}", n(w)));
        let words: Vec<String> = words.collect();
        let properties = count(session.outcomes.len(), "property", "properties");
        text += &format!("{properties}: {}  ({})\n", words.join(", "), time(elapsed.as_secs_f64()));
    }
    let is_words = session.size.as_ref().is_some_and(|size| size.is_words);
    let by_queries = match &session.request.other {
        Some(other) if session.request.is_alone => terminal::printable(other).to_string(),
        Some(other) => format!("SMT and {}", terminal::printable(other)),
        None if is_words => "SMT".into(),
        None => "SAT".into(),
    };
    let by_replay = if is_words { "evaluation" } else { "simulation" };
    let by = |n: usize, one, many, by: &str| (n > 0).then(|| format!("{} by {by}", count(n, one, many)));
    let proofs = by(safe, "proof", "proofs", &by_queries);
    let traces = by(violated, "trace", "traces", by_replay);
    let checked: Vec<String> = [proofs, traces].into_iter().flatten().collect();
    let model = terminal::path(&session.request.model);
    text += &match checked[..] {
        [] => "checked: nothing, for there is no verdict".to_string(),
        _ => format!("checked: {} against {model}, independently of the engine", checked.join(" and ")),
    };
    text = text.replace("checked:", &paint.bold("checked:"));
    text + "\n"
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
    use super::*;
    use indubit::{Invariant, Proof, WordProof};

    #[test]
    fn proofs_say_what_they_are() {
        let none = Invariant::new(1);
        let bits = |proof: Proof| Why::Bits(proof);
        let k = |simple: bool| {
            bits(Proof::KInductive { k: 3, with: none.clone(), simple_path: simple.then(Vec::new) })
        };
        assert_eq!(safe(&bits(Proof::Inductive(none.clone())), "true\n"), "  inductive by itself\n");
        assert_eq!(safe(&k(false), "true\n"), "  3-inductive\n");
        assert_eq!(safe(&k(true), ""), "  3-inductive on paths that repeat no state\n");
        let mut some = none.clone();
        some.add(indubit::logic::Clause::new([]));
        assert_eq!(
            safe(&bits(Proof::Inductive(some.clone())), "false\n"),
            "  inductive invariant (1 lemma):\n    false\n"
        );
        let with = Proof::KInductive { k: 2, with: some, simple_path: None };
        assert_eq!(
            safe(&bits(with), "x\n"),
            "  2-inductive, together with this invariant (1 lemma):\n    x\n"
        );
        let words = WordProof::KInductive { k: 4, simple_path: true };
        let words = Why::Words { proof: words, definitions: None };
        assert_eq!(safe(&words, "true\n"), "  4-inductive on paths that repeat no state\n");
    }

    #[test]
    fn times_have_few_digits() {
        assert_eq!(
            (time(0.004), time(12.34), time(1200.0)),
            ("0.00 s".into(), "12.3 s".into(), "20 min".into())
        );
    }
}
