//! What statistics are drawn from.

use crate::{INFINITE, Pdr, RelInd};
use indubit_run::Run;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) obligations: u64,
    pub(crate) put_off: u64,
    pub(crate) lemmas: u64,
    pub(crate) pushed: u64,
    pub(crate) shrunk: u64,
    pub(crate) promoted: u64,
    /// Lemmas of other engines.
    pub(crate) taken: u64,
    /// Candidates with a literal less, and how many of them a known step refuted.
    pub(crate) drops: u64,
    pub(crate) refuted: u64,
    /// Counterexamples to generalization that were blocked.
    pub(crate) ctgs: u64,
    pub(crate) predictions: u64,
    pub(crate) predicted: u64,
    /// Attempts to separate, interpolants, and lemmas of theirs beside the one that was wanted.
    pub(crate) interpolations: u64,
    pub(crate) interpolants: u64,
    pub(crate) interpolated: u64,
    /// Quip's obligations that may be met, and lemmas that exclude a reachable state.
    pub(crate) may: u64,
    pub(crate) bad_lemmas: u64,
    pub(crate) collections: u64,
    /// Ways from REACH to bad.
    pub(crate) through_reach: u64,
    /// How often the abstraction became finer.
    pub(crate) refinements: u64,
}

impl<O: RelInd> Pdr<O> {
    /// Tell what was counted, after the naïve algorithm or FSIS.
    pub fn report_strengthening(&self, run: &mut Run<'_>) {
        let Counts { obligations, lemmas, drops, refuted, .. } = self.counts;
        for (name, value) in [
            ("steps to bad", u64::from(self.depth)),
            ("counterexamples to induction", obligations),
            ("lemmas", lemmas),
            ("counterexamples to induction removed", obligations - lemmas),
            ("queries to drop a literal", drops),
            ("drops refuted by known steps", refuted),
        ] {
            run.count(name, value);
        }
    }
    /// Tell the observer what was counted.
    pub fn report(&self, run: &mut Run<'_>) {
        let Counts {
            obligations,
            put_off,
            lemmas,
            pushed,
            shrunk,
            promoted,
            taken,
            drops,
            refuted,
            ctgs,
            predictions,
            predicted,
            interpolations,
            interpolants,
            interpolated,
            may,
            bad_lemmas,
            collections,
            through_reach,
            refinements,
        } = self.counts;
        for (name, value) in [
            ("frames", u64::from(self.depth)),
            ("obligations", obligations),
            ("obligations put off", put_off),
            ("lemmas", lemmas),
            ("lemmas kept", self.frames.at_least(0).count() as u64),
            ("lemmas for good", self.frames.delta(INFINITE).len() as u64),
            ("lemmas pushed", pushed),
            ("lemmas shortened by pushing", shrunk),
            ("lemmas promoted", promoted),
            ("lemmas of other engines", taken),
            ("refinements", refinements),
            ("queries to drop a literal", drops),
            ("drops refuted by known steps", refuted),
            ("counterexamples to generalization blocked", ctgs),
            ("queries to predict a lemma", predictions),
            ("lemmas predicted", predicted),
            ("queries for an interpolant", interpolations),
            ("interpolants", interpolants),
            ("further lemmas of interpolants", interpolated),
        ] {
            run.count(name, value);
        }
        if self.as_quip().is_none() {
            return;
        }
        for (name, value) in [
            ("may-obligations", may),
            ("bad lemmas", bad_lemmas),
            ("collections of bad lemmas", collections),
            ("ways from reachable states to bad", through_reach),
            ("reachable states", self.reach.n_found),
            ("reachable states deleted", self.reach.n_deleted),
            ("reachable states kept", self.reach.len() as u64),
        ] {
            run.count(name, value);
        }
    }
}
