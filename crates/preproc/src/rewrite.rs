//! Structural rewriting: gates are made anew with the rules of [`Aig::and_rewritten`](indubit_aig::Aig::and_rewritten).
//!
//! Gates that were not there before are known on the way back by their definitions.

use crate::rebuild::rewrite;
use indubit_aig::Aig;
use indubit_run::{Ask, Run};
use indubit_system::{Lower, Raise, Safety};

/// Simplifies gates by what their operands are made of. The circuit never grows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rewrite;

impl Lower for Rewrite {
    type From = Safety;
    fn name(&self) -> &'static str {
        "rewrite"
    }
    fn lower(&self, from: &Safety, _: &mut Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
        Ok(rewrite(from, Aig::and_rewritten))
    }
}
