//! The answers that other programs read: a word or a line, and evidence after it. They are about whether there is a trace, to a bad state or
//! to what is to be covered.

use super::outcome::Outcome;
use crate::args::Format;
use crate::exit::Code;

/// - HWMCC: `sat` if there is a trace, `unsat` if there is none, nothing otherwise.
/// - SBY: `0` if there is no trace, the witness (which begins with `1`) of the first property that has one, else `2`.
/// - CHC: `sat` if there is no trace, for then the clauses have a model, whose `definitions` may follow; `unsat` if there is one; else `unknown`.
///
/// Nothing if evidence that was asked for is missing, because there such a verdict counts for nothing.
pub fn answer(format: Format, code: Code, outcomes: &[&Outcome], definitions: Option<&str>) -> String {
    if !matches!(code, Code::Done | Code::Unsafe | Code::Unknown) {
        return String::new();
    }
    let trace = outcomes.iter().find_map(|o| o.answer.trace());
    // The code knows whether a certificate is missing that they need all together.
    let are_proved = outcomes.iter().all(|o| o.answer.proof().is_some()) && code != Code::Unknown;
    match (format, trace) {
        (Format::Hwmcc, Some(_)) => "sat\n".into(),
        (Format::Sby, Some(trace)) => trace.witness.clone(),
        (Format::Chc, Some(_)) => "unsat\n".into(),
        (Format::Hwmcc, ..) if are_proved => "unsat\n".into(),
        (Format::Sby, ..) if are_proved => "0\n".into(),
        (Format::Chc, ..) if are_proved => match definitions {
            Some(model) => format!("sat\n(\n{model})\n"),
            None => "sat\n".into(),
        },
        (Format::Sby, ..) => "2\n".into(),
        (Format::Chc, ..) if code == Code::Unknown => "unknown\n".into(),
        _ => String::new(),
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
            [Format::Hwmcc, Format::Sby, Format::Chc].map(|format| answer(format, code, &outcomes, None))
        };
        assert_eq!(told(vec![safe(), safe()]), ["unsat\n", "0\n", "sat\n"]);
        assert_eq!(told(vec![safe(), unknown(Some(3))]), ["", "2\n", "unknown\n"]);
        assert_eq!(told(vec![unknown(None), violated()]), ["sat\n", "1\nb0\n\n\n.\n", "unsat\n"]);
        let safe = outcome(0, safe());
        assert_eq!(answer(Format::Hwmcc, Code::BadInput, &[&safe], None), "");
        assert_eq!(answer(Format::Chc, Code::BadInput, &[&safe], Some("x")), "");
        assert_eq!(answer(Format::Chc, Code::Done, &[&safe], Some("x\n")), "sat\n(\nx\n)\n");
    }
}
