//! Proofs in sets of states that come in files.

use crate::{Certify, Checked, Reason, Solving};
use indubit_formats::{certificate, ctl_certificate};
use indubit_run::Ask;
use indubit_system::{BitSystem, Bits, Branching, Claim, Evidence, Property};

/// Does a circuit decide the claim in computation tree logic that it names, or the only one? Which one, and whether it holds.
pub(crate) fn certify_sets(
    model: &BitSystem,
    circuit: &BitSystem,
    by: &Solving,
) -> Ask<Result<(Property, bool), Reason>> {
    let mut properties = model.properties();
    properties.retain(|p| matches!(p.claim, Claim::Ctl(_)));
    let named = certificate::Claim::read(&circuit.comment).property;
    if let Some(index) = properties.iter().position(|p| Some(p.id) == named) {
        properties = vec![properties.swap_remove(index)];
    }
    let [property] = &properties[..] else {
        let text = match properties.len() {
            0 => "the model has no formula of computation tree logic",
            _ => {
                "the model has several formulas of computation tree logic, and the comment names none of them"
            }
        };
        return Ok(Err(Reason::Misfit(text.into())));
    };
    let Claim::Ctl(formula) = &property.claim else { unreachable!("only those are left") };
    let graph = Branching::new(model, formula);
    let proof = match ctl_certificate::read(circuit, &graph) {
        Ok(proof) => proof,
        Err(error) => return Ok(Err(error.into())),
    };
    let holds = proof.holds();
    let checked = Bits::check(model, property, &Evidence::Ctl(Box::new(proof)), by)?;
    Ok(checked.map(|()| (property.clone(), holds)))
}

/// The same, as what has been found of evidence in a file.
pub(crate) fn certify_file(
    model: &BitSystem,
    circuit: &BitSystem,
    by: &Solving,
) -> Ask<Result<Checked<Bits>, Reason>> {
    Ok(certify_sets(model, circuit, by)?.map(|(property, holds)| Checked::Decided { property, holds }))
}
