//! Evidence in a file, from anyone.

use crate::replay::find;
use crate::replay::first_violation;
use crate::solver::Solving;
use crate::{Certify, Reason, check_certificate, check_k_induction, ctl};
use indubit_formats::witness::{self, Status, Witness};
use indubit_formats::{Error, Place, aiger, certificate, ctl_certificate, lemmas};
use indubit_logic::{Clause, Lit, VarMap};
use indubit_run::Ask;
use indubit_system::{
    BitSystem, Bits, Claim, Evidence, Invariant, Justice, Kind, Proof, Property, Signal, Trace,
};

/// What evidence has been found to prove.
#[derive(Clone, Debug, PartialEq)]
pub enum Checked<K: Kind> {
    /// The properties are violated.
    Violated(Vec<Violation<K>>),
    /// The properties hold.
    Holds {
        /// Which properties.
        properties: Vec<Property<K::Formula>>,
        /// How that was checked.
        method: Method,
    },
    /// A claim in computation tree logic holds, or fails.
    Decided {
        /// The claim.
        property: Property<K::Formula>,
        /// Does it hold?
        holds: bool,
    },
}

/// A property and where it is violated.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation<K: Kind> {
    /// The property.
    pub property: Property<K::Formula>,
    /// The step of the trace; that in which the loop begins if it repeats.
    pub step: usize,
    /// Does the run repeat for ever from that step on? Else it violates the property however it goes on.
    pub repeats: bool,
}

/// How a proof was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// As a Certifaiger witness circuit.
    WitnessCircuit,
    /// By queries over `k` steps of the model on simple paths.
    KSteps {
        /// The depth of the induction.
        k: u32,
    },
    /// As an inductive invariant, by queries to a solver for terms.
    Smt,
}

/// Check evidence about `model` that comes as the contents of a file: an AIGER witness, a Certifaiger witness circuit,
/// a certificate of ours for k-induction on simple paths, [sets of states](ctl_certificate), or [`lemmas`] that are an inductive invariant, behind a comment.
/// If a formula of temporal logic is all that is claimed, a witness is a run that violates it; proofs are about its product.
///
/// A circuit whose comment names one of several properties (`WITNESS b3 …`) is checked against that one; if it
/// names none, against all of them, but against no justice property if it has none, and the model has bad signals.
///
/// A witness of a justice property does not say where its loop begins: at the first state that is repeated after the last step.
pub fn certify_file(
    model: &BitSystem,
    evidence: &[u8],
    by: impl Into<Solving>,
) -> Ask<Result<Checked<Bits>, Reason>> {
    if evidence.starts_with(b"aag ") || evidence.starts_with(b"aig ") {
        match aiger::parse(evidence) {
            Ok(circuit) if ctl_certificate::is_recognized(&circuit.comment) => {
                ctl::certify_file(model, &circuit, &by.into())
            }
            Ok(witness) => certify_circuit(model, &witness, &by.into()),
            Err(error) => Ok(Err(error.into())),
        }
    } else if is_commented(evidence) {
        certify_lemmas(model, evidence, &by.into())
    } else {
        let by = by.into();
        match parse_witness(model, evidence) {
            Ok(witnesses) => certify_witness(model, witnesses, &by),
            Err(reason) => Ok(Err(reason)),
        }
    }
}

/// Does it begin with a comment, as lemmas in a file do? Witnesses and circuits do not.
pub fn is_commented(evidence: &[u8]) -> bool {
    evidence.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'#')
}

/// Lemmas that are an inductive invariant together, for all that must hold always.
fn certify_lemmas(model: &BitSystem, evidence: &[u8], by: &Solving) -> Ask<Result<Checked<Bits>, Reason>> {
    let read = match lemmas::parse(evidence, model) {
        Ok(read) => read,
        Err(error) => return Ok(Err(error.into())),
    };
    let mut properties = model.properties();
    properties.retain(|p| matches!(p.claim, Claim::Always(_)));
    let proof = Evidence::Proof(Proof::Inductive(read.candidates));
    for property in &properties {
        if let Err(reason) = Bits::check(model, property, &proof, by)? {
            return Ok(Err(reason));
        }
    }
    Ok(match properties.is_empty() {
        true => Err(Reason::Misfit("the model has no property that an invariant could prove".into())),
        false => Ok(Checked::Holds { properties, method: Method::WitnessCircuit }),
    })
}

/// The claim in temporal logic, if it is all that is claimed of a model.
fn only_formula(model: &BitSystem) -> Option<Property> {
    let mut properties = model.properties();
    let only = properties.pop().filter(|p| matches!(p.claim, Claim::Ltl(_)));
    only.filter(|_| properties.is_empty())
}

/// What a file of witnesses says. AIGER has no formulas: a witness that one is violated is about the first justice property, as if there were one.
fn parse_witness(model: &BitSystem, evidence: &[u8]) -> Result<Vec<Witness>, Reason> {
    if evidence.iter().all(u8::is_ascii_whitespace) {
        let expected = "a witness (`0`, `1`, `2`) or a circuit (`aag`, `aig`)";
        return Err(Error::new(Place::None, "an empty file", expected).into());
    }
    let often = Justice { lits: Vec::new(), name: None };
    let stand_in = only_formula(model).map(|_| model.with_justice(vec![often]));
    Ok(witness::parse(evidence, stand_in.as_ref().unwrap_or(model))?)
}

fn certify_witness(
    model: &BitSystem,
    witnesses: Vec<Witness>,
    by: &Solving,
) -> Ask<Result<Checked<Bits>, Reason>> {
    let mut violations = Vec::new();
    let formula = only_formula(model);
    for witness in witnesses {
        let trace = match (witness.status, witness.trace) {
            (Status::Violated, Some(trace)) => trace,
            (Status::Unknown, _) => {
                return Ok(Err(Reason::NoEvidence("the witness says that nothing is known (2)".into())));
            }
            _ => {
                let text =
                    "the witness only claims that the property holds (0); a certificate would prove it";
                return Ok(Err(Reason::NoEvidence(text.into())));
            }
        };
        for id in witness.properties {
            let found = match &formula {
                Some(formula) => {
                    run_against::<Bits>(model, formula, 0..trace.inputs.len(), by, |loops_to| Trace {
                        loops_to,
                        ..trace.clone()
                    })?
                }
                None => find(model, id).and_then(|property| {
                    let step = first_violation(model, &property, &trace)?;
                    let repeats = matches!(property.claim, Claim::Justice(_));
                    Ok(Violation { property, step, repeats })
                }),
            };
            match found {
                Ok(violation) => violations.push(violation),
                Err(reason) => return Ok(Err(reason)),
            }
        }
    }
    Ok(Ok(Checked::Violated(violations)))
}

/// How a run violates a claim about infinite runs. It goes back to one of these steps, the first one that will do; or it violates a formula however it goes on.
pub(crate) fn run_against<K: Certify>(
    system: &K::System,
    property: &Property<K::Formula>,
    begins: std::ops::Range<usize>,
    by: &Solving,
    run: impl Fn(Option<usize>) -> K::Trace,
) -> Ask<Result<Violation<K>, K::Reason>> {
    let violation = |step, repeats| Ok(Ok(Violation { property: property.clone(), step, repeats }));
    let mut first = None;
    for begin in begins {
        match K::check(system, property, &Evidence::Trace(run(Some(begin))), by)? {
            Ok(()) => return violation(begin, true),
            Err(reason) => first = Some(first.unwrap_or(reason)),
        }
    }
    if let Claim::Ltl(_) = property.claim {
        let finite = run(None);
        let last = K::length(&finite);
        if let Ok(()) = K::check(system, property, &Evidence::Trace(finite), by)? {
            return violation(last, false);
        }
    }
    Ok(Err(first.unwrap_or_else(|| K::misfit("a run without a step goes nowhere".into()))))
}

fn certify_circuit(
    model: &BitSystem,
    witness: &BitSystem,
    by: &Solving,
) -> Ask<Result<Checked<Bits>, Reason>> {
    let claim = certificate::Claim::read(&witness.comment);
    // A certificate says that something never happens: of covers, only one whose negation is the property of the model is meant.
    let mut properties = model.properties();
    properties.retain(|p| matches!(p.claim, Claim::Always(_) | Claim::Justice(_)));
    let named = claim.property.filter(|_| properties.len() > 1);
    let is_live = |p: &Property| matches!(p.claim, Claim::Justice(_));
    if let Some(property) = named.and_then(|id| properties.iter().find(|p| p.id == id)) {
        properties = vec![property.clone()];
    } else if witness.justice.is_empty() && !properties.iter().all(is_live) {
        // It has nothing to say about justice, and does not say that it has.
        properties.retain(|p| !is_live(p));
    }
    if let Some((k, compared)) = claim.simple_path {
        let result = certify_simple_path(model, &properties, witness, k, &compared, by)?;
        return Ok(result.map(|()| Checked::Holds { properties, method: Method::KSteps { k } }));
    }
    let bad = |p: &Property| Some(Signal { lit: p.claim.target()?, name: p.name.clone() });
    let mut subject = model.with_bads(properties.iter().filter_map(bad).collect());
    subject.fairness.clone_from(&model.fairness);
    for property in properties.iter().filter(|p| is_live(p)) {
        subject.justice.extend(certificate::subject(model, property).justice.iter().cloned());
    }
    let result = check_certificate(&subject, witness, by)?;
    Ok(result.map(|()| Checked::Holds { properties, method: Method::WitnessCircuit }))
}

/// The file of a proof by k-induction on simple paths is the model with the bad signals `bad` and `¬with`. What it says
/// about anything else than `with` is not looked at.
fn certify_simple_path(
    model: &BitSystem,
    properties: &[Property],
    file: &BitSystem,
    k: u32,
    compared: &[usize],
    by: &Solving,
) -> Ask<Result<(), Reason>> {
    let [property] = properties else {
        let text =
            "a certificate for k-induction on simple paths is about one property, and it does not say which";
        return Ok(Err(Reason::Misfit(text.into())));
    };
    let shape = |s: &BitSystem| (s.inputs().len(), s.latches().len());
    if shape(file) != shape(model) {
        let text = "the certificate has other inputs or latches than the model";
        return Ok(Err(Reason::Misfit(text.into())));
    }
    let mut with = Invariant::new(model.aig().n_vars());
    let mut map = VarMap::filled(file.aig().n_vars(), Lit::FALSE);
    for (theirs, ours) in file.inputs().iter().zip(model.inputs()) {
        map[theirs.lit.var()] = ours.lit;
    }
    for (theirs, ours) in file.latches().iter().zip(model.latches()) {
        map[theirs.var] = Lit::positive(ours.var);
    }
    let mut cone = indubit_aig::Cone::new();
    let [_, not_with] = file.bad_signals() else {
        let text = "a certificate for k-induction on simple paths has two bad signals";
        return Ok(Err(Reason::Misfit(text.into())));
    };
    cone.collect(file.aig(), [not_with.lit]);
    for (gate, [a, b]) in file.aig().ands().filter(|(gate, _)| cone.contains(*gate)) {
        map[gate] = with.and(map.lit(a), map.lit(b));
    }
    with.add(Clause::new([!map.lit(not_with.lit)]));
    check_k_induction(model, property, &with, k, Some(compared), by)
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
