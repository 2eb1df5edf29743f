//! Evidence about a model of words in a file, from anyone.

use crate::file::{Checked, Method, Violation, run_against};
use crate::word_certificate::check_word_certificate;
use crate::word_proof::{Gap, check_lemmas};
use crate::word_replay::check_word_trace;
use crate::{Reason, Solving, WordReason, ctl};
use indubit_formats::btor2::{self, Btor2};
use indubit_formats::model::WordModel;
use indubit_formats::{Error, Place, aiger, ctl_certificate, lemmas, word_trace};
use indubit_run::Ask;
use indubit_system::{Claim, Kind, Property, WordSystem, WordTrace, Words, blast};
use indubit_term::{MAX_ARRAY_BITS, Term};

/// Check evidence about `model` that comes as the contents of a file: a counterexample, as [`word_trace::write`] writes it, or an inductive
/// invariant that proves all properties that are to hold always. That is definitions in SMT-LIB, as [`WordModel::definitions`] writes them, or
/// formulas in the language of [`lemmas`]; or [sets of states](ctl_certificate) of its circuit; about a model in BTOR2 also a certificate in BTOR2, which is about one of several properties if it says so.
///
/// A counterexample is replayed by exact evaluation. Its property is found by its name, or else by its identifier.
pub fn certify_word_file(
    model: &WordModel,
    evidence: &[u8],
    by: impl Into<Solving>,
) -> Ask<Result<Checked<Words>, WordReason>> {
    if let Err(what) = model.system().validate() {
        return Ok(Err(WordReason::Malformed(what)));
    }
    if evidence.iter().all(u8::is_ascii_whitespace) {
        let expected = "a counterexample (`(violated ...)`) or an invariant (`(define-fun ...)`)";
        return Ok(Err(Error::new(Place::None, "an empty file", expected).into()));
    }
    if let WordModel::Btor2(model) = model
        && btor2::witness::is_witness(evidence)
    {
        return certify_witness(model, evidence, &by.into());
    }
    if let WordModel::Btor2(model) = model
        && btor2::is_recognized(evidence)
    {
        return certify_certificate(model, evidence, &by.into());
    }
    if evidence.starts_with(b"aag ") || evidence.starts_with(b"aig ") {
        return certify_sets(model.system(), evidence, &by.into());
    }
    match word_trace::is_trace(evidence) {
        true => certify_trace(model.system(), evidence, &by.into()),
        false => certify_invariant(model, evidence, &by.into()),
    }
}

/// Sets of states of the circuit that the system is.
fn certify_sets(
    system: &WordSystem,
    evidence: &[u8],
    by: &Solving,
) -> Ask<Result<Checked<Words>, WordReason>> {
    let file = match aiger::parse(evidence) {
        Ok(file) if ctl_certificate::is_recognized(&file.comment) => file,
        Ok(_) => {
            let text = "the circuit is no proof of a formula of computation tree logic, and others are about models in AIGER";
            return Ok(Err(WordReason::Misfit(text.into())));
        }
        Err(error) => return Ok(Err(error.into())),
    };
    let circuit = match blast(system, MAX_ARRAY_BITS) {
        Ok(circuit) => circuit.system,
        Err(error) => return Ok(Err(WordReason::Misfit(error.to_string()))),
    };
    Ok(match ctl::certify_sets(&circuit, &file, by)? {
        Ok((decided, holds)) => match system.properties.iter().find(|p| p.id == decided.id) {
            Some(property) => Ok(Checked::Decided { property: property.clone(), holds }),
            None => Err(WordReason::Misfit("the system has no such property".into())),
        },
        Err(Reason::Format(error)) => Err(error.into()),
        Err(reason) => Err(WordReason::Misfit(reason.to_string())),
    })
}

fn certify_trace(
    system: &WordSystem,
    evidence: &[u8],
    by: &Solving,
) -> Ask<Result<Checked<Words>, WordReason>> {
    let (name, trace) = match word_trace::parse(evidence, system) {
        Ok(read) => read,
        Err(error) => return Ok(Err(error.into())),
    };
    let properties = || system.properties.iter();
    let property =
        properties().find(|p| p.label() == name).or_else(|| properties().find(|p| p.id.to_string() == name));
    let Some(property) = property else {
        return Ok(Err(WordReason::Misfit(format!("the model has no property `{name}`"))));
    };
    violated(system, property, trace, by)
}

/// What a run violates. Files do not say where a loop begins: at the first state to which the last one leads back, so that the property is violated.
fn violated(
    system: &WordSystem,
    property: &Property<Term>,
    trace: WordTrace,
    by: &Solving,
) -> Ask<Result<Checked<Words>, WordReason>> {
    let violation = match property.claim {
        Claim::Ltl(_) | Claim::Justice(_) => {
            let begins = trace.loops_to.map_or(0..trace.states.len(), |begin| begin..begin + 1);
            let run = |loops_to| WordTrace { loops_to, ..trace.clone() };
            run_against::<Words>(system, property, begins, by, run)?
        }
        _ => check_word_trace(system, property, &trace).map(|()| {
            let step = Words::length(&trace);
            Violation { property: property.clone(), step, repeats: false }
        }),
    };
    Ok(violation.map(|violation| Checked::Violated(vec![violation])))
}

/// A witness of BTOR2.
fn certify_witness(model: &Btor2, evidence: &[u8], by: &Solving) -> Ask<Result<Checked<Words>, WordReason>> {
    let system = &model.system;
    let (id, trace) = match btor2::witness::parse(evidence, model) {
        Ok(read) => read,
        Err(error) => return Ok(Err(error.into())),
    };
    // BTOR2 has no formulas: a witness that the only one is violated is about justice.
    let formula = match &system.properties[..] {
        [only] if matches!(only.claim, Claim::Ltl(_)) => Some(only),
        _ => None,
    };
    let Some(property) = system.properties.iter().find(|p| p.id == id).or(formula) else {
        return Ok(Err(WordReason::Misfit(format!("the model has no property `{id}`"))));
    };
    violated(system, property, trace, by)
}

fn certify_certificate(
    model: &Btor2,
    evidence: &[u8],
    by: &Solving,
) -> Ask<Result<Checked<Words>, WordReason>> {
    let mut properties = match proved(&model.system) {
        Ok(properties) => properties,
        Err(reason) => return Ok(Err(reason)),
    };
    let named = btor2::certificate::property(evidence).filter(|_| properties.len() > 1);
    if let Some(property) = named.and_then(|id| properties.iter().find(|p| p.id == id)) {
        properties = vec![property.clone()];
    }
    let result = check_word_certificate(model, &properties, evidence, by)?;
    Ok(result.map(|()| Checked::Holds { properties, method: Method::WitnessCircuit }))
}

/// The properties that an invariant proves: those that are to hold always.
fn proved(system: &WordSystem) -> Result<Vec<Property<Term>>, WordReason> {
    let always = |p: &&Property<Term>| matches!(p.claim, Claim::Always(_));
    let properties: Vec<Property<Term>> = system.properties.iter().filter(always).cloned().collect();
    match properties.is_empty() {
        true => Err(WordReason::Misfit("the model has no property that an invariant could prove".into())),
        false => Ok(properties),
    }
}

fn certify_invariant(
    model: &WordModel,
    evidence: &[u8],
    by: &Solving,
) -> Ask<Result<Checked<Words>, WordReason>> {
    let system = model.system();
    let properties = match proved(system) {
        Ok(properties) => properties,
        Err(reason) => return Ok(Err(reason)),
    };
    let read = match lemmas::parse_words(evidence, model) {
        Ok(read) => read,
        Err(error) => return Ok(Err(error.into())),
    };
    let claims: Vec<Term> = properties.iter().flat_map(|p| p.claim.formulas()).copied().collect();
    let gap = check_lemmas(system, read.terms, &read.candidates, &claims, by)?;
    Ok(gap.and_then(|gap| match gap {
        None => Ok(Checked::Holds { properties, method: Method::Smt }),
        Some((Gap::Implied, which)) => Err(WordReason::NotImplied { property: properties[which].label() }),
        Some((gap, which)) => {
            let lemma = &read.lemmas[which];
            let formula = match &lemma.name {
                Some(name) => format!("{name}: {}", lemma.text),
                None => lemma.text.clone(),
            };
            Err(WordReason::NotLemma { line: lemma.line, formula, what: gap.what() })
        }
    }))
}

#[cfg(test)]
#[path = "word_file_tests.rs"]
mod tests;
