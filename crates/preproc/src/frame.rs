//! Proving candidates in one time frame, from its latches and inputs up.
//!
//! Whatever is proved is merged at once, so that later nodes are built from what is merged already and most
//! candidates are equal without any question. A refuted candidate refines the classes, and the node is compared with its
//! new representative.

use crate::classes::Classes;
use crate::effort::Effort;
use crate::prover::{Answer, Prover};
use indubit_logic::{Lit, Var, VarMap};
use indubit_run::{Ask, Run};
use indubit_system::Safety;
use rustc_hash::FxHashSet;

/// A time frame.
pub(crate) struct Frame<'s> {
    pub(crate) from: &'s Safety,
    pub(crate) prover: Prover,
    /// What each node is in the prover's circuit. Given for inputs and latches.
    pub(crate) map: VarMap<Lit>,
}

/// What is known from other frames of the same kind.
pub(crate) struct Known {
    /// Pairs of cones that were equal when they were compared, by their hashes.
    pub(crate) pairs: FxHashSet<(u64, u64)>,
    /// Are they believed?
    pub(crate) believed: bool,
    /// Is a candidate that is too hard the only one of its class to be given up?
    pub(crate) patient: bool,
}

impl Known {
    /// Nothing yet.
    pub(crate) fn nothing() -> Known {
        Known { pairs: FxHashSet::default(), believed: false, patient: true }
    }
}

/// What happened in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    /// Some candidate was not proved.
    pub(crate) failed: bool,
    /// Some candidate was too hard.
    pub(crate) unknown: bool,
    /// Some candidate was believed and not proved.
    pub(crate) believed: bool,
    /// No effort was left.
    pub(crate) spent: bool,
}

impl<'s> Frame<'s> {
    /// A frame without values for inputs and latches.
    pub(crate) fn new(from: &'s Safety, prover: Prover) -> Frame<'s> {
        Frame { from, prover, map: VarMap::filled(from.aig.n_vars(), Lit::FALSE) }
    }
    /// Prove candidates. On return, all that is left in `classes` is equal in this frame wherever the prover's assertions
    /// hold (if nothing was believed).
    ///
    /// `refine` is to split classes by the prover's model, and says whether it has.
    pub(crate) fn prove(
        &mut self,
        classes: &mut Classes,
        known: &mut Known,
        effort: &mut Effort,
        run: &Run<'_>,
        mut refine: impl FnMut(&Frame<'s>, &mut Classes, &mut Effort) -> bool,
    ) -> Ask<Outcome> {
        let mut outcome = Outcome::default();
        let from = self.from;
        let latches = from.latches.iter().map(|l| (l.var, None));
        let gates = from.aig.ands().map(|(gate, fanins)| (gate, Some(fanins)));
        for (node, fanins) in latches.chain(gates) {
            if effort.is_spent() {
                outcome.spent = true;
                // What has not been looked at is not known.
                classes.retain(|v| fanins.is_some() && (v < node || from.aig.fanins(v).is_none()));
                break;
            }
            effort.nodes(1);
            if let Some([a, b]) = fanins {
                self.map[node] = self.prover.aig.and(self.map.lit(a), self.map.lit(b));
            }
            while let Some(other) = self.candidate(classes, node) {
                run.checkpoint()?;
                let built = self.map[node];
                let pair = (self.prover.hash(built), self.prover.hash(other));
                let equal = if known.believed && known.pairs.contains(&pair) {
                    outcome.believed = true;
                    true
                } else {
                    match self.prover.compare(built, other, effort)? {
                        Answer::Equal => {
                            known.pairs.insert(pair);
                            true
                        }
                        answer => {
                            outcome.failed = true;
                            outcome.unknown |= answer == Answer::Unknown;
                            known.pairs.remove(&pair);
                            if answer == Answer::Unknown && !known.patient {
                                classes.dissolve(node);
                            } else if answer == Answer::Unknown || !refine(self, classes, effort) {
                                classes.remove(node);
                            }
                            false
                        }
                    }
                };
                if equal {
                    self.map[node] = other;
                }
            }
        }
        Ok(outcome)
    }
    /// What the node is to be compared with, if that is not what it is.
    fn candidate(&self, classes: &Classes, node: Var) -> Option<Lit> {
        let other = self.map.lit(classes.representative(node)?);
        (other != self.map[node]).then_some(other)
    }
}
