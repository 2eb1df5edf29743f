//! Evidence in a file, from anyone.

use crate::replay::find;
use crate::replay::first_violation;
use crate::solver::Solving;
use crate::{Reason, check_certificate, check_k_induction};
use indubit_formats::certificate;
use indubit_formats::witness::{self, Status};
use indubit_formats::{Error, Place, aiger};
use indubit_logic::{Clause, Lit, VarMap};
use indubit_run::Ask;
use indubit_system::{BitSystem, Bits, Claim, Invariant, Kind, Property, Signal};

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
}

/// A property and where it is violated.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation<K: Kind> {
    /// The property.
    pub property: Property<K::Formula>,
    /// The step of the trace; that in which the loop begins if the property is justice.
    pub step: usize,
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
/// or a certificate of ours for k-induction on simple paths.
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
            Ok(witness) => certify_circuit(model, &witness, &by.into()),
            Err(error) => Ok(Err(error.into())),
        }
    } else {
        Ok(certify_witness(model, evidence))
    }
}

fn certify_witness(model: &BitSystem, evidence: &[u8]) -> Result<Checked<Bits>, Reason> {
    if evidence.iter().all(u8::is_ascii_whitespace) {
        let expected = "a witness (`0`, `1`, `2`) or a circuit (`aag`, `aig`)";
        return Err(Error::new(Place::None, "an empty file", expected).into());
    }
    let mut violations = Vec::new();
    for witness in witness::parse(evidence, model)? {
        let trace = match (witness.status, witness.trace) {
            (Status::Violated, Some(trace)) => trace,
            (Status::Unknown, _) => {
                return Err(Reason::NoEvidence("the witness says that nothing is known (2)".into()));
            }
            _ => {
                let text =
                    "the witness only claims that the property holds (0); a certificate would prove it";
                return Err(Reason::NoEvidence(text.into()));
            }
        };
        for id in witness.properties {
            let property = find(model, id)?;
            let step = first_violation(model, &property, &trace)?;
            violations.push(Violation { property, step });
        }
    }
    Ok(Checked::Violated(violations))
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
