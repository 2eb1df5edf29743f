//! SAT sweeping: gates that compute the same function of latches and inputs are merged (Kuehlmann, Paruthi, Krohm,
//! Ganai, IEEE TCAD 2002; Mishchenko, Chatterjee, Jiang, Brayton: FRAIGs, 2005).
//!
//! Random patterns propose candidates, and each is proved or refuted by SAT, from the leaves up, in a circuit in which
//! those proved before are merged already. A model that refutes one candidate is simulated and refutes others. What is
//! merged is equal in every state with every input: no invariant is needed on the way back.

use crate::classes::{Classes, Scope};
use crate::effort::Effort;
use crate::frame::{Frame, Known, Outcome};
use crate::patterns::{self, Walk};
use crate::prover::Prover;
use crate::rebuild::{Because, rebuild};
use fastrand::Rng;
use indubit_run::{Ask, Run};
use indubit_system::{Lower, Raise, Safety};

/// Nodes that the pass may visit.
const EFFORT: u64 = 50_000_000;
/// Nodes and ticks for one question.
const LIMIT: usize = 10_000;
/// Random patterns, in words of 64.
const PATTERNS: usize = 256;

/// Merges gates that are equal whatever latches and inputs are.
#[derive(Clone, Copy, Debug)]
pub struct Sweep {
    /// How many times the usual effort it may spend.
    pub effort: u32,
}

impl Lower for Sweep {
    type From = Safety;
    fn name(&self) -> &'static str {
        "fraig"
    }
    fn lower(&self, from: &Safety, run: &mut Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
        let mut effort = Effort::new(EFFORT, self.effort);
        let times = effort.rounds(2 * from.aig.n_vars(), PATTERNS, 4);
        let signatures = patterns::anywhere(from, times, &mut effort, run)?;
        let mut classes = Classes::new(from, Scope::Gates, &signatures.hashes, signatures.negated);
        let mut frame = Frame::new(from, Prover::new(LIMIT, run));
        for var in from.inputs.iter().copied().chain(from.latches.iter().map(|l| l.var)) {
            frame.map[var] = frame.prover.leaf(var.index() as u64);
        }
        prove_frame(frame, &mut classes, &mut effort, run)?;
        Ok(rebuild(from, &classes.representatives(), Because::Fact))
    }
}

/// Prove candidates in a frame that nothing else is known about. On return, all that is left in `classes` is equal there.
pub(crate) fn prove_frame(
    mut frame: Frame<'_>,
    classes: &mut Classes,
    effort: &mut Effort,
    run: &Run<'_>,
) -> Ask<Outcome> {
    let mut walk = Walk::new(frame.from);
    let mut random = Rng::with_seed(run.seed);
    frame.prove(classes, &mut Known::nothing(), effort, run, |frame, classes, effort| {
        let salt = random.u64(..);
        walk.set(|leaf| frame.prover.spread(frame.map[leaf], salt));
        effort.nodes(frame.map.0.len());
        classes.refine(&walk.words, u64::MAX)
    })
}
