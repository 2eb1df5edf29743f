//! Claims in computation tree logic.

use crate::{Reason, Solving};
use indubit_run::Ask;
use indubit_system::{BitSystem, CtlProof, Property};

/// Does a proof decide such a claim? It is about the [`Branching`](indubit_system::Branching) of the model, which is made here once more.
pub(crate) fn check(
    _model: &BitSystem,
    property: &Property,
    _proof: &CtlProof,
    _by: &Solving,
) -> Ask<Result<(), Reason>> {
    Ok(Err(Reason::Misfit(format!("{} is not checked", property.title()))))
}
