//! Evidence as text, prepared outside of any lock: it may take a while.

use super::outcome::{Answer, Cti, Why, invariant};
use crate::args::{Check, Format};
use crate::properties::Selected;
use indubit::formats::model::WordModel;
use indubit::formats::trace_table::{self, Shown};
use indubit::formats::{invariant_text, witness, word_trace};
use indubit::logic::Lit;
use indubit::term::Value as WordValue;
use indubit::{BitSystem, Invariant, Proof, Property, Support, Trace, WordProof, WordTrace};
use serde_json::{Value, json};

/// Lemmas that a terminal gets to see, and lemmas that a JSON object carries.
const LEMMAS_FOR_PEOPLE: usize = 30;
const LEMMAS_INLINE: usize = 1000;

/// How much of the evidence is wanted as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effusiveness {
    /// Nothing.
    None,
    /// What fits a few screens.
    Readable,
    /// What fits into a JSON object.
    Inline,
    /// All.
    Everything,
}

impl Effusiveness {
    pub fn of(args: &Check) -> Effusiveness {
        match args.format {
            _ if args.quiet => Effusiveness::None,
            Format::Hwmcc | Format::Sby | Format::Chc => Effusiveness::None,
            _ if args.verbose => Effusiveness::Everything,
            Format::Human => Effusiveness::Readable,
            Format::Json => Effusiveness::Inline,
        }
    }
    /// So many lemmas of an invariant.
    fn lemmas(self, text: impl Fn(Option<usize>) -> String) -> String {
        match self {
            Effusiveness::None => String::new(),
            Effusiveness::Readable => text(Some(LEMMAS_FOR_PEOPLE)),
            Effusiveness::Inline => text(Some(LEMMAS_INLINE)),
            Effusiveness::Everything => text(None),
        }
    }
    /// So much of a trace.
    fn trace(self, table: impl Fn(trace_table::Options) -> String) -> String {
        match self {
            Effusiveness::None | Effusiveness::Inline => String::new(),
            Effusiveness::Readable => table(trace_table::Options::default()),
            Effusiveness::Everything => table(trace_table::Options::complete()),
        }
    }
}

pub fn safe(
    system: &BitSystem,
    proof: Proof,
    support: Option<Support>,
    effusiveness: Effusiveness,
) -> Answer {
    let text = effusiveness.lemmas(|limit| invariant_text::write(system, invariant(&proof), limit));
    Answer::Safe { why: Why::Bits(proof), text, support: support.map(|s| s.map(drop)) }
}

/// The same over words; with definitions if they are `wanted`.
pub fn safe_words(
    model: &WordModel,
    property: &Selected,
    proof: WordProof,
    support: Option<Support<WordTrace>>,
    wanted: bool,
    effusiveness: Effusiveness,
) -> Answer {
    let definitions = wanted.then(|| model.definitions(property.index, &proof)).flatten();
    let text = effusiveness.lemmas(|limit| match &proof {
        WordProof::Inductive { terms, invariant } => model.text(terms, *invariant, limit),
        WordProof::KInductive { .. } | WordProof::Ends { .. } => "true\n".into(),
    });
    Answer::Safe { why: Why::Words { proof, definitions }, text, support: support.map(|s| s.map(drop)) }
}

/// The number of lemmas in the text of an invariant: those that are printed and those that are left out. Definitions of
/// gates, which follow, do not count.
pub fn n_lemmas(text: &str) -> usize {
    let is_lemma = |line: &&str| !line.starts_with("where gate") && *line != "… more definitions";
    let count = |line: &str| match line.strip_prefix("… ").and_then(|l| l.strip_suffix(" more lemmas")) {
        Some(more) => more.parse().unwrap_or(1),
        None => 1,
    };
    text.lines().take_while(is_lemma).map(count).sum()
}

/// A step that breaks a formula, or an initial state in which it is false; `roots` are what the formula depends on.
pub fn step(
    system: &BitSystem,
    roots: &[Lit],
    trace: &Trace,
    broken: &str,
    effusiveness: Effusiveness,
) -> Cti {
    let table = |options| trace_table::step(system, roots, trace, options, broken);
    let table = effusiveness.trace(|options| table(trace_table::Options { all: false, ..options }));
    let json = match effusiveness {
        Effusiveness::None => Value::Null,
        _ => {
            let list = |shown: &[Shown]| -> Vec<Value> {
                shown.iter().map(|s| json!({"name": s.name, "value": s.value})).collect()
            };
            let moments = trace_table::step_values(system, roots, trace);
            let moment = |[latches, inputs]: &[Vec<Shown>; 2]| json!({"latches": list(latches), "inputs": list(inputs)});
            moments.iter().map(moment).collect()
        }
    };
    Cti { is_step: !trace.is_empty(), table, json }
}

/// The nodes of the model that an invariant depends on.
pub fn roots(system: &BitSystem, invariant: &Invariant) -> Vec<Lit> {
    let mut own = Invariant::new(system.aig().n_vars());
    invariant.conjoin_to(&mut own, Lit::positive);
    own.nodes().map(Lit::positive).collect()
}

/// The same over words; values for programs are in SMT-LIB's notation.
pub fn word_step(model: &WordModel, trace: &WordTrace, broken: &str, effusiveness: Effusiveness) -> Cti {
    let table = effusiveness.trace(|options| model.step(trace, broken, options));
    let system = model.system();
    let json = match effusiveness {
        Effusiveness::None => Value::Null,
        _ => {
            let list = |values: &[WordValue], name: &dyn Fn(usize) -> String| -> Vec<Value> {
                let entry =
                    |(i, value): (usize, &WordValue)| json!({"name": name(i), "value": value.to_string()});
                values.iter().enumerate().map(entry).collect()
            };
            let moment = |(states, inputs): (&Vec<WordValue>, &Vec<WordValue>)| {
                let states = list(states, &|i| system.state_name(i).to_owned());
                json!({"states": states, "inputs": list(inputs, &|i| system.input_name(i).to_owned())})
            };
            trace.states.iter().zip(&trace.inputs).map(moment).collect()
        }
    };
    Cti { is_step: trace.states.len() > 1, table, json }
}

/// The evidence of a trace.
pub fn unsafe_(system: &BitSystem, property: &Property, trace: Trace, effusiveness: Effusiveness) -> Answer {
    let table = effusiveness.trace(|options| trace_table::write(system, property, &trace, options));
    let witness = witness::write(property, &trace);
    Answer::Unsafe { length: trace.len(), trace: Some(trace), witness, table }
}

/// The same over words.
pub fn unsafe_words(
    model: &WordModel,
    property: &Selected,
    trace: &WordTrace,
    effusiveness: Effusiveness,
) -> Answer {
    let (title, label) = (property.title(), property.label());
    let table = effusiveness.trace(|options| model.table(&title, &label, trace, options));
    let witness = word_trace::write(model.system(), &label, trace);
    Answer::Unsafe { length: trace.states.len().saturating_sub(1), trace: None, witness, table }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit::logic::Clause;

    #[test]
    fn lemmas_are_counted_as_they_are_printed() {
        let mut model = BitSystem::new();
        let latches: Vec<_> = (0..20).map(|i| model.add_latch(&format!("where{i}"), None)).collect();
        let mut parity = latches[0];
        for &latch in &latches[1..] {
            parity = model.aig_mut().xor(parity, latch);
        }
        let mut invariant = Invariant::new(model.aig().n_vars());
        // Two clauses that are one lemma, a clause that needs definitions, and many short ones.
        invariant.add(Clause::new([latches[0], latches[1]]));
        invariant.add(Clause::new([!latches[0], !latches[1]]));
        invariant.add(Clause::new([parity, latches[2], latches[3]]));
        for &latch in &latches[4..] {
            invariant.add(Clause::new([latch]));
        }
        for limit in [None, Some(5), Some(1)] {
            let text = invariant_text::write(&model, &invariant, limit);
            assert_eq!(n_lemmas(&text), 18, "{text}");
        }
        assert!(invariant_text::write(&model, &invariant, None).contains("\nwhere gate"));
    }
}
