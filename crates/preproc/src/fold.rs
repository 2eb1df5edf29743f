//! Constraints become part of the bad signal: an additional latch `valid` says that they have held so far.
//!
//! The latch begins true and stays true as long as all constraints hold; the bad signal counts only while they do. That is the
//! same question without constraints. Engines that cannot do anything clever with constraints are spared them; on the other hand
//! what a constraint excludes, propagation sees only where `valid` is asked about.
//!
//! Signals that a run is to see infinitely often count while the constraints hold, too: a run that sees them so often has constraints that hold for ever.

use crate::appendix::Appendix;
use crate::rebuild::unchanged;
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Run};
use indubit_system::{Invariant, Lower, Proof, Raise, Safety, StateVar, Trace};

/// Folds constraints into the bad signals.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fold;

impl Lower for Fold {
    type From = Safety;
    fn name(&self) -> &'static str {
        "fold"
    }
    fn lower(&self, from: &Safety, _: &mut Run<'_>) -> Ask<(Safety, Box<dyn Raise>)> {
        if from.constraints.is_empty() {
            return Ok(unchanged(from));
        }
        let mut safety = from.clone();
        let valid = safety.aig.leaf();
        let constraints = std::mem::take(&mut safety.constraints);
        let hold = safety.aig.and_all(constraints);
        let still_valid = safety.aig.and(valid, hold);
        safety.latches.push(StateVar { var: valid.var(), next: still_valid, init: Some(true) });
        safety.bad = safety.aig.and(safety.bad, still_valid);
        for also in &mut safety.also {
            *also = safety.aig.and(*also, still_valid);
        }
        let appendix = Appendix::new(&safety.aig, valid.var());
        Ok((safety, Box::new(Unfold { appendix, n_latches: from.latches.len() })))
    }
}

/// The way back: `valid` is true in every state that a run with constraints can reach.
struct Unfold {
    appendix: Appendix,
    /// Latches before.
    n_latches: usize,
}

impl Unfold {
    fn invariant(&self, folded: &Invariant) -> Invariant {
        let mut raised = Invariant::new(self.appendix.n_vars());
        let node = self.appendix.with_leaf(Lit::TRUE, &mut raised);
        folded.conjoin_to(&mut raised, node);
        raised
    }
}

impl Raise for Unfold {
    fn trace(&self, mut trace: Trace) -> Trace {
        trace.initial.truncate(self.n_latches);
        trace
    }
    fn proof(&self, proof: Proof) -> Proof {
        // `valid` is true along the whole path, so it makes no two states differ.
        let before = |latches: Vec<usize>| latches.into_iter().filter(|&i| i < self.n_latches).collect();
        let appendix = &self.appendix;
        proof.map(
            |invariant| self.invariant(&invariant),
            before,
            |ranked| {
                ranked.rebased(appendix.n_vars(), Vec::new(), |with| appendix.with_leaf(Lit::TRUE, with))
            },
        )
    }
    fn up(&self, node: Var) -> Option<Lit> {
        match node {
            node if node < self.appendix.leaf() => Some(Lit::positive(node)),
            node if node == self.appendix.leaf() => Some(Lit::TRUE),
            _ => None,
        }
    }
    fn down(&self, node: Var) -> Option<Lit> {
        Some(Lit::positive(node))
    }
}
