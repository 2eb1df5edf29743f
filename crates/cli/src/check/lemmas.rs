//! `indubit prove`: what has become of the user's lemmas.

use super::outcome::Cti;
use crate::args::{Check, Format};
use crate::terminal::{Paint, count, indent, path, printable};
use indubit::formats::lemmas::Lemma;
use indubit::{Standing, Support};
use serde_json::{Value, json};

/// Lemmas of which a terminal gets to see everything, and a JSON object the steps that break them; a machine writes thousands.
const LEMMAS_FOR_PEOPLE: usize = 50;
const STEPS_INLINE: usize = 1000;

/// The report on all lemmas, ready to be printed.
#[derive(Clone, Debug)]
pub struct Report {
    pub text: String,
    pub json: Value,
}

/// The report on `lemmas`, with what is known about each: `step` is how a step that breaks one of them is shown, with what it says of its
/// last moment, and `advice` is for those that say nothing.
pub fn report<T>(
    args: &Check,
    lemmas: &[Lemma],
    standings: &[Standing<T>],
    advice: &str,
    step: impl Fn(usize, &T, &str) -> Cti,
) -> Report {
    let paint = Paint::for_stdout();
    let n_proved = standings.iter().filter(|s| matches!(s, Standing::Proved(_))).count();
    let all = standings.len();
    let mut text = match &args.lemmas {
        Some(file) => format!("{}: ", paint.bold(&path(file))),
        None => String::new(),
    };
    text += &format!("{}, {n_proved} proved\n", count(all, "lemma", "lemmas"));
    let mut list = Vec::with_capacity(all);
    let width = all.to_string().len();
    for (i, (lemma, standing)) in lemmas.iter().zip(standings).enumerate() {
        let is_shown =
            i < LEMMAS_FOR_PEOPLE || args.verbose || args.format == Format::Json && i < STEPS_INLINE;
        let cti = match standing {
            _ if !is_shown => None,
            Standing::FalseInitially(trace) | Standing::NotInductive(trace) => {
                Some(step(i, trace, &format!("lemma {} is false", i + 1)))
            }
            Standing::Proved(Support { alone: Some(trace), .. }) if args.verbose => {
                Some(step(i, trace, &format!("lemma {} would be false", i + 1)))
            }
            _ => None,
        };
        if i < LEMMAS_FOR_PEOPLE || args.verbose {
            text += &entry((i, width), lemma, standing, advice, cti.as_ref(), paint);
        }
        list.push(json_entry(lemma, standing, cti));
    }
    if all > LEMMAS_FOR_PEOPLE && !args.verbose {
        text += &format!("… {} more lemmas (--verbose shows all)\n", all - LEMMAS_FOR_PEOPLE);
    }
    Report { text, json: list.into() }
}

fn entry<T>(
    (i, width): (usize, usize),
    lemma: &Lemma,
    standing: &Standing<T>,
    advice: &str,
    cti: Option<&Cti>,
    paint: Paint,
) -> String {
    let name = lemma.name.as_ref().map_or(String::new(), |name| format!("{}: ", printable(name)));
    let head = format!("{:>width$}  {name}{}", i + 1, paint.bold(&printable(&lemma.text)));
    let (said, more) = match standing {
        Standing::Trivial => (paint.open("says nothing"), format!(": it holds in every state{advice}")),
        Standing::Proved(support) => (paint.good("proved"), format!(": {}", relation(support))),
        Standing::FalseInitially(_) => {
            (paint.bad("not an invariant"), ": it is false in an initial state".into())
        }
        Standing::NotInductive(_) => (
            paint.open("not inductive"),
            ": a step breaks it, from a state in which it holds and all that is proved".into(),
        ),
        Standing::Unknown(stop) => (paint.open("unknown"), format!(": {stop}")),
    };
    let mut text = format!("{head}\n{:width$}  {said}{more}\n", "");
    if let Some(cti) = cti {
        text += &indent(&cti.table, width + 4);
    }
    text
}

/// What a formula is inductive relative to, in words.
pub fn relation<T>(support: &Support<T>) -> String {
    let Support { relative_to, together_with, .. } = support;
    match (&relative_to[..], &together_with[..]) {
        ([], []) => "inductive by itself".into(),
        (lemmas, []) => format!("inductive relative to {}", numbers(lemmas)),
        ([], others) => format!("not inductive by itself, but together with {}", numbers(others)),
        (lemmas, others) => {
            let relative = numbers(lemmas);
            format!("not inductive by itself, but together with {}, relative to {relative}", numbers(others))
        }
    }
}

/// `lemma 1`, `lemmas 1, 2 and 5`: as they are numbered in the report.
fn numbers(positions: &[usize]) -> String {
    const LISTED: usize = 10;
    let mut words: Vec<String> = positions.iter().take(LISTED).map(|i| (i + 1).to_string()).collect();
    if positions.len() > LISTED {
        words.push(format!("{} more", positions.len() - LISTED));
    }
    let last = words.pop().unwrap_or_default();
    match words.is_empty() {
        true => format!("lemma {last}"),
        false => format!("lemmas {} and {last}", words.join(", ")),
    }
}

fn json_entry<T>(lemma: &Lemma, standing: &Standing<T>, cti: Option<Cti>) -> Value {
    let word = match standing {
        Standing::Trivial => "trivial",
        Standing::Proved(_) => "proved",
        Standing::FalseInitially(_) => "false-initially",
        Standing::NotInductive(_) => "not-inductive",
        Standing::Unknown(_) => "unknown",
    };
    let (relative_to, together_with) = match standing {
        Standing::Proved(support) => (&support.relative_to[..], &support.together_with[..]),
        _ => (&[][..], &[][..]),
    };
    json!({
        "name": lemma.name,
        "text": lemma.text,
        "line": lemma.line,
        "standing": word,
        "relative_to": from_one(relative_to),
        "together_with": from_one(together_with),
        "cti": cti.map(|cti| cti.json),
    })
}

/// Positions as they are printed, from 1.
pub fn from_one(positions: &[usize]) -> Vec<usize> {
    positions.iter().map(|i| i + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_in_words() {
        let said = |relative_to: &[usize], together_with: &[usize]| {
            let (relative_to, together_with) = (relative_to.into(), together_with.into());
            relation(&Support::<()> { relative_to, together_with, alone: None })
        };
        assert_eq!(said(&[], &[]), "inductive by itself");
        assert_eq!(said(&[0], &[]), "inductive relative to lemma 1");
        assert_eq!(said(&[0, 1, 4], &[]), "inductive relative to lemmas 1, 2 and 5");
        assert_eq!(said(&[], &[1]), "not inductive by itself, but together with lemma 2");
        assert_eq!(
            said(&[0], &[1, 2]),
            "not inductive by itself, but together with lemmas 2 and 3, relative to lemma 1"
        );
        let many: Vec<usize> = (0..20).collect();
        assert!(said(&many, &[]).ends_with("9, 10 and 10 more"));
    }
}
