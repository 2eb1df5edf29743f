//! The answers that other programs read: a word or a line, and evidence after it. They are about whether there is a trace, to a bad state or
//! to what is to be covered.

use super::outcome::Outcome;
use crate::exit::Code;

/// What the outcomes amount to: `Some(true)` if there is a trace, `Some(false)` if there is none for any of them. Nothing if something is not
/// known, or evidence that was asked for is missing, because there such a verdict counts for nothing.
fn has_trace<'a>(code: Code, mut outcomes: impl Iterator<Item = &'a Outcome> + Clone) -> Option<bool> {
    let is_complete = matches!(code, Code::Done | Code::Unsafe | Code::Unknown);
    if !is_complete {
        return None;
    }
    if outcomes.clone().any(|o| o.answer.trace().is_some()) {
        return Some(true);
    }
    let all_proved = outcomes.clone().next().is_some() && outcomes.all(|o| o.answer.proof().is_some());
    (all_proved && code != Code::Unknown).then_some(false)
}

/// `sat` if there is a trace, `unsat` if there is none, nothing otherwise.
pub fn hwmcc<'a>(code: Code, outcomes: impl Iterator<Item = &'a Outcome> + Clone) -> String {
    match has_trace(code, outcomes) {
        Some(true) => "sat\n".into(),
        Some(false) => "unsat\n".into(),
        None => String::new(),
    }
}

/// `0` if there is no trace, the witness (which begins with `1`) of the first property that has one, else `2`.
pub fn sby<'a>(code: Code, outcomes: impl Iterator<Item = &'a Outcome> + Clone) -> String {
    match (has_trace(code, outcomes.clone()), outcomes.filter_map(|o| o.answer.trace()).next()) {
        (Some(false), _) => "0\n".into(),
        (Some(true), Some(trace)) => trace.witness.clone(),
        _ if matches!(code, Code::Done | Code::Unsafe | Code::Unknown) => "2\n".into(),
        _ => String::new(),
    }
}

/// `sat` if there is no trace, for then the clauses have a model, which may follow; `unsat` if there is one; else
/// `unknown`, but nothing if evidence that was asked for is missing.
pub fn chc<'a>(
    code: Code,
    outcomes: impl Iterator<Item = &'a Outcome> + Clone,
    definitions: Option<&str>,
) -> String {
    match (has_trace(code, outcomes), definitions) {
        (Some(false), Some(model)) => format!("sat\n(\n{model})\n"),
        (Some(false), None) => "sat\n".into(),
        (Some(true), _) => "unsat\n".into(),
        (None, _) if code == Code::Unknown => "unknown\n".into(),
        (None, _) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::outcome::tests::{outcome, safe, unknown, violated};
    use super::super::outcome::{self, Answer};
    use super::*;

    #[test]
    fn what_other_programs_read() {
        let told = |answers: Vec<Answer>| {
            let outcomes: Vec<Outcome> =
                answers.into_iter().enumerate().map(|(i, a)| outcome(i, a)).collect();
            let code = outcome::code(outcomes.iter().map(|o| &o.answer));
            [hwmcc(code, outcomes.iter()), sby(code, outcomes.iter()), chc(code, outcomes.iter(), None)]
        };
        assert_eq!(told(vec![safe(), safe()]), ["unsat\n", "0\n", "sat\n"]);
        assert_eq!(told(vec![safe(), unknown(Some(3))]), ["", "2\n", "unknown\n"]);
        assert_eq!(told(vec![unknown(None), violated()]), ["sat\n", "1\nb0\n\n\n.\n", "unsat\n"]);
        let outcomes = [outcome(0, safe())];
        assert_eq!(hwmcc(Code::BadInput, outcomes.iter()), "");
        assert_eq!(chc(Code::BadInput, outcomes.iter(), Some("x")), "");
        assert_eq!(chc(Code::Done, outcomes.iter(), Some("x\n")), "sat\n(\nx\n)\n");
    }
}
