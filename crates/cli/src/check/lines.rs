//! The answers that other programs read: a word or a line, and evidence after it. They are about whether there is a trace, to a bad state or
//! to what is to be covered.

use super::outcome::{Outcome, Trace};
use crate::exit::Code;

/// What they come to together.
enum Together<'o> {
    Trace(&'o Trace),
    Proved,
    Unknown,
}

/// Nothing if evidence that was asked for is missing, because there such a verdict counts for nothing.
fn together<'o>(code: Code, outcomes: &[&'o Outcome]) -> Option<Together<'o>> {
    if !matches!(code, Code::Done | Code::Unsafe | Code::Unknown) {
        return None;
    }
    // The code knows whether a certificate is missing that they need all together.
    let are_proved = outcomes.iter().all(|o| o.answer.proof().is_some()) && code != Code::Unknown;
    Some(match outcomes.iter().find_map(|o| o.answer.trace()) {
        Some(trace) => Together::Trace(trace),
        None if are_proved => Together::Proved,
        None => Together::Unknown,
    })
}

/// `sat` if there is a trace, `unsat` if there is none, nothing otherwise.
pub fn hwmcc(code: Code, outcomes: &[&Outcome]) -> String {
    match together(code, outcomes) {
        Some(Together::Trace(_)) => "sat\n".into(),
        Some(Together::Proved) => "unsat\n".into(),
        Some(Together::Unknown) | None => String::new(),
    }
}

/// `0` if there is no trace, the witness (which begins with `1`) of the first property that has one, else `2`.
pub fn sby(code: Code, outcomes: &[&Outcome]) -> String {
    match together(code, outcomes) {
        Some(Together::Trace(trace)) => trace.witness.clone(),
        Some(Together::Proved) => "0\n".into(),
        Some(Together::Unknown) => "2\n".into(),
        None => String::new(),
    }
}

/// As solvers of Horn clauses do: `sat` if there is no trace, for then the clauses have a model, whose `definitions` may follow; `unsat` if there is one; else `unknown`.
pub fn chc(code: Code, outcomes: &[&Outcome], definitions: Option<&str>) -> String {
    match (together(code, outcomes), definitions) {
        (Some(Together::Trace(_)), _) => "unsat\n".into(),
        (Some(Together::Proved), Some(model)) => format!("sat\n(\n{model})\n"),
        (Some(Together::Proved), None) => "sat\n".into(),
        (Some(Together::Unknown), _) if code == Code::Unknown => "unknown\n".into(),
        (Some(Together::Unknown) | None, _) => String::new(),
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
            let outcomes: Vec<&Outcome> = outcomes.iter().collect();
            let code = outcome::code(&outcomes);
            [hwmcc(code, &outcomes), sby(code, &outcomes), chc(code, &outcomes, None)]
        };
        assert_eq!(told(vec![safe(), safe()]), ["unsat\n", "0\n", "sat\n"]);
        assert_eq!(told(vec![safe(), unknown(Some(3))]), ["", "2\n", "unknown\n"]);
        assert_eq!(told(vec![unknown(None), violated()]), ["sat\n", "1\nb0\n\n\n.\n", "unsat\n"]);
        let safe = outcome(0, safe());
        assert_eq!(hwmcc(Code::BadInput, &[&safe]), "");
        assert_eq!(chc(Code::BadInput, &[&safe], Some("x")), "");
        assert_eq!(chc(Code::Done, &[&safe], Some("x\n")), "sat\n(\nx\n)\n");
    }
}
