//! In which initial state a formula is to be explained, if there is one.

use super::circuit::Circuit;
use crate::query::refute;
use crate::{Reason, Solving};
use indubit_logic::Lit;
use indubit_run::Ask;
use indubit_system::{Branching, CtlProof};

/// A state in which a proof that has passed the check decides its formula: the one in which it fails, or an initial one that is not known to have no fair path. There is none
/// if nothing is claimed, because no initial state has a fair path.
pub fn decided_in(
    graph: &Branching,
    proof: &CtlProof,
    by: &Solving,
) -> Ask<Result<Option<Vec<bool>>, Reason>> {
    if let Some(state) = &proof.fails_in {
        return Ok(Ok(Some(state.clone())));
    }
    let (mut circuit, clauses, _) = Circuit::new(graph, proof);
    let mut now = circuit.now();
    let mut assume = circuit.lits(&mut now, &[graph.initially, !proof.fair.no]);
    assume.extend(circuit.lits(&mut now, &clauses));
    match refute(&circuit.aig, &assume, &[Lit::FALSE], by) {
        Ok(None) => Ok(Ok(None)),
        Ok(Some(found)) => {
            let latches = circuit.leaves().take(graph.circuit.latches.len());
            Ok(Ok(Some(latches.map(|lit| found.value(lit).unwrap_or(false)).collect())))
        }
        Err(setback) => setback.settle(),
    }
}
