//! Cone of influence, with structural hashing.

use crate::rebuild::{Because, rebuild};
use indubit_logic::VarMap;
use indubit_run::{Ask, Run};
use indubit_system::{Lower, Raise, Safety};

/// Keeps only what bad and the constraints depend on, through any number of steps.
///
/// All constraints stay: one that shares nothing with bad may still end every trace.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConeOfInfluence;

impl Lower for ConeOfInfluence {
    type From = Safety;
    fn name(&self) -> &'static str {
        "coi"
    }
    fn lower(&self, from: &Safety, _: &mut Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
        Ok(rebuild(from, &VarMap::filled(from.aig.n_vars(), None), Because::Fact))
    }
}
