//! What stands behind a verdict, and what stands in a file.

use crate::k_induction::check_shape;
use crate::replay::bad_signal;
use crate::solver::Solving;
use crate::{Reason, check_certificate, check_k_induction, check_trace, first_violation};
use indubit_formats::certificate::{self, Claim};
use indubit_formats::witness::{self, Status};
use indubit_formats::{Error, Place, aiger, certificate_all};
use indubit_logic::{Clause, Lit, VarMap};
use indubit_run::Ask;
use indubit_system::{BitSystem, Invariant, Proof, PropertyKind, Verdict};

/// What evidence has been found to prove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// The properties are violated.
    Violated(Vec<Violation>),
    /// The properties hold.
    Holds {
        /// Which properties.
        properties: Vec<PropertyKind>,
        /// How that was checked.
        method: Method,
    },
    /// Nothing was claimed.
    Nothing,
}

/// A property and where it is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The property.
    pub property: PropertyKind,
    /// The step of the trace.
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
}

/// Check what `verdict` says about the property at position `property` of [`BitSystem::properties`].
///
/// A proof is checked as the certificate that would be written for it.
pub fn check(
    model: &BitSystem,
    property: usize,
    verdict: &Verdict,
    by: impl Into<Solving>,
) -> Ask<Result<Checked, Reason>> {
    if let Err(what) = model.validate() {
        return Ok(Err(Reason::Misfit(format!("the model is malformed: {what}"))));
    }
    let Some(kind) = model.property(property).map(|p| p.kind) else {
        return Ok(Err(Reason::Misfit(format!("the model has no property {property}"))));
    };
    match verdict {
        Verdict::Unknown { .. } => Ok(Ok(Checked::Nothing)),
        Verdict::Unsafe(trace) => Ok(check_trace(model, kind, trace)
            .map(|()| Checked::Violated(vec![Violation { property: kind, step: trace.len() }]))),
        Verdict::Safe(proof) => check_proof(model, kind, proof, &by.into()),
    }
}

/// Check that one inductive invariant proves several bad signals, by their position in [`BitSystem::bad_signals`], to be never
/// true: as the one certificate for all of them.
pub fn check_together(
    model: &BitSystem,
    bads: &[usize],
    invariant: &Invariant,
    by: impl Into<Solving>,
) -> Ask<Result<(), Reason>> {
    if let Err(what) = model.validate() {
        return Ok(Err(Reason::Misfit(format!("the model is malformed: {what}"))));
    }
    if let Err(reason) = check_shape(model, invariant, 1) {
        return Ok(Err(reason));
    }
    let subject = model.with_bads(bads);
    // Said once, the invariant is there for all of them.
    let nothing = Proof::Inductive(Invariant::new(model.aig().n_vars()));
    let all = Proof::Inductive(invariant.clone());
    let proofs: Vec<&Proof> = (0..bads.len()).map(|i| if i == 0 { &all } else { &nothing }).collect();
    let Some(circuit) = certificate_all::build(&subject, &proofs, "") else {
        return Ok(Err(Reason::NoEvidence("there is nothing to prove".into())));
    };
    match aiger::parse(&aiger::write_binary(&circuit)) {
        Ok(witness) => check_certificate(&subject, &witness, by.into()),
        Err(error) => Ok(Err(error.into())),
    }
}

fn check_proof(
    model: &BitSystem,
    kind: PropertyKind,
    proof: &Proof,
    by: &Solving,
) -> Ask<Result<Checked, Reason>> {
    let Some(bad) = kind.bad() else { return Ok(Err(Reason::Liveness)) };
    let (with, k) = match proof {
        Proof::Inductive(invariant) => (invariant, 1),
        Proof::KInductive { k, with, .. } => (with, *k),
    };
    if let Err(reason) = check_shape(model, with, k) {
        return Ok(Err(reason));
    }
    let (result, method) = match proof {
        Proof::KInductive { simple_path: Some(latches), .. } => {
            (check_k_induction(model, bad, with, k, Some(latches), by)?, Method::KSteps { k })
        }
        _ => {
            let subject = certificate::subject(model, bad);
            // What is checked is what someone who reads the file would get, not what we believe to write.
            let file = aiger::write_binary(&certificate::build(model, bad, proof, ""));
            match aiger::parse(&file) {
                Ok(witness) => (check_certificate(&subject, &witness, by)?, Method::WitnessCircuit),
                Err(error) => return Ok(Err(error.into())),
            }
        }
    };
    Ok(result.map(|()| Checked::Holds { properties: vec![kind], method }))
}

/// Check evidence about `model` that comes as the contents of a file: an AIGER witness, a Certifaiger witness circuit,
/// or a certificate of ours for k-induction on simple paths.
///
/// A circuit whose comment names one of several bad signals (`WITNESS b3 …`) is checked against that one; if it
/// names none, against all of them.
pub fn certify_file(
    model: &BitSystem,
    evidence: &[u8],
    by: impl Into<Solving>,
) -> Ask<Result<Checked, Reason>> {
    if evidence.starts_with(b"aag ") || evidence.starts_with(b"aig ") {
        match aiger::parse(evidence) {
            Ok(witness) => certify_circuit(model, &witness, &by.into()),
            Err(error) => Ok(Err(error.into())),
        }
    } else {
        Ok(certify_witness(model, evidence))
    }
}

fn certify_witness(model: &BitSystem, evidence: &[u8]) -> Result<Checked, Reason> {
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
        for property in witness.properties {
            let step = first_violation(model, property, &trace)?;
            violations.push(Violation { property, step });
        }
    }
    Ok(Checked::Violated(violations))
}

fn certify_circuit(model: &BitSystem, witness: &BitSystem, by: &Solving) -> Ask<Result<Checked, Reason>> {
    let claim = Claim::read(&witness.comment);
    let safety: Vec<PropertyKind> = model
        .properties()
        .into_iter()
        .map(|p| p.kind)
        .filter(|kind| !matches!(kind, PropertyKind::Justice(_)))
        .collect();
    if safety.is_empty() && !model.justice.is_empty() {
        return Ok(Err(Reason::Liveness));
    }
    let named = claim.property.filter(|&p| safety.len() > 1 && bad_signal(model, p).is_ok());
    let properties = named.map_or(safety, |p| vec![p]);
    let bads: Vec<usize> = properties.iter().filter_map(|p| p.bad()).collect();
    if let Some((k, compared)) = claim.simple_path {
        let result = certify_simple_path(model, &bads, witness, k, &compared, by)?;
        return Ok(result.map(|()| Checked::Holds { properties, method: Method::KSteps { k } }));
    }
    let mut subject = model.clone();
    subject.bads = bads.iter().map(|&i| model.bad_signals()[i].clone()).collect();
    subject.outputs.clear();
    subject.justice.clear();
    let result = check_certificate(&subject, witness, by)?;
    Ok(result.map(|()| Checked::Holds { properties, method: Method::WitnessCircuit }))
}

/// The file of a proof by k-induction on simple paths is the model with the bad signals `bad` and `¬with`. What it says
/// about anything else than `with` is not looked at.
fn certify_simple_path(
    model: &BitSystem,
    bads: &[usize],
    file: &BitSystem,
    k: u32,
    compared: &[usize],
    by: &Solving,
) -> Ask<Result<(), Reason>> {
    let [bad] = bads[..] else {
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
    check_k_induction(model, bad, &with, k, Some(compared), by)
}

#[cfg(test)]
#[path = "verdict_tests.rs"]
mod tests;
