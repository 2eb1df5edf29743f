//! k-induction (Sheeran, Singh, Stålmarck, FMCAD 2000), incremental (Eén, Sörensson, BMC 2003).
//!
//! The base case is bounded model checking, and has its three questions ([`Query`](crate::Query)). The step needs P in all frames but
//! the last: "whenever P holds in k consecutive steps, then also in the subsequent one".
//!
//! Simple-path constraints make it complete: a shortest counterexample repeats no state, so a step that needs a
//! repeated state proves nothing. They are quadratic in the depth, so a pair of frames is required to differ
//! only once a model has shown them equal, and the proof says whether any such requirement was used.

use crate::bmc::{BmcConfig, Lengths, Query};
use crate::interpolation::Found;
use crate::{BitFrames, Bounded, Engine};
use indubit_logic::Lit;
use indubit_run::{Ask, Run};
use indubit_system::{Conclusion, Invariant, Proof, Safety, Start};

pub(crate) struct KInduction {
    safety: Safety,
    config: BmcConfig,
}

impl KInduction {
    pub(crate) fn new(safety: Safety, config: BmcConfig) -> KInduction {
        KInduction { safety, config }
    }
}

/// A step that holds wherever the property does: `k` good states in a row force another one.
pub(crate) struct Steps {
    pub(crate) k: u32,
    /// The states had to differ.
    pub(crate) is_simple: bool,
}

/// The frames of the base begin in the initial states, those of the step anywhere. `strengthen` may assert what is known of a frame of the step and
/// of those before it.
pub(crate) fn search<B: Bounded>(
    [mut base, mut step]: [B; 2],
    query: Query,
    mut strengthen: impl FnMut(&mut B, usize, &mut Run<'_>),
    safe_up_to: &mut Option<u32>,
    run: &mut Run<'_>,
) -> Ask<Found<B::Trace, Steps>> {
    let simple = step.proposition();
    step.extend_constrained();
    let mut lengths = Lengths::new(query);
    let mut n_pairs = 0;
    loop {
        // Base: no counterexample of length k - 1.
        let last = base.extend_constrained();
        run.within_bound(last as u32)?;
        run.checkpoint()?;
        let bad = base.bad(last);
        lengths.add(&mut base, bad);
        let is_known = run.bounds().safe_up_to() >= Some(last as u32);
        if !is_known && let Some(length) = lengths.solve(&mut base)? {
            return Ok(Found::Trace(base.trace(length)?));
        }
        lengths.refuted(&mut base);
        *safe_up_to = Some(last as u32);
        run.publish_bound(last as u32);
        run.spend(1);

        // Step: k good states in a row, and then a bad one?
        let k = last + 1;
        let good = step.bad(k - 1);
        step.assert(&[(good, false)]);
        step.extend_constrained();
        strengthen(&mut step, k, run);
        let bad = step.bad(k);
        let path_exists = loop {
            if !step.solve(&[bad, simple])? {
                break false;
            }
            let repeated = step.repeated_states();
            if repeated.is_empty() {
                break true;
            }
            n_pairs += repeated.len() as u64;
            for (i, j) in repeated {
                let differ = step.differ(i, j);
                step.assert(&[(simple, false), (differ, true)]);
            }
        };
        if !path_exists {
            run.count("pairs of states required to differ", n_pairs);
            return Ok(Found::Proof(Steps { k: k as u32, is_simple: step.in_core(simple) }));
        }
    }
}

/// Lemmas of other engines: they hold in each frame of the step. The proof that is found with them rests on them, and whoever
/// brought them knows that.
struct Lemmas {
    /// For each node the position of the latch it is.
    positions: Vec<Option<u32>>,
    /// By the positions of their latches, with their signs.
    all: Vec<Vec<(usize, bool)>>,
}

impl Lemmas {
    fn new(safety: &Safety) -> Lemmas {
        Lemmas { positions: safety.latch_positions(), all: Vec::new() }
    }
    /// Assert new ones in frames `0..=last`, and those from before in frame `last`, which is new.
    fn assert(&mut self, frames: &mut BitFrames<'_>, last: usize, run: &mut Run<'_>) {
        let n_before = self.all.len();
        let literal = |lit: &Lit| Some((self.positions[lit.var().index()]? as usize, !lit.is_negated()));
        for clause in run.lemmas.as_deref_mut().map(|others| others.take()).unwrap_or_default() {
            self.all.extend(clause.lits().iter().map(literal).collect::<Option<Vec<_>>>());
        }
        for (i, lemma) in self.all.iter().enumerate() {
            let first = if i < n_before { last } else { 0 };
            for k in first..=last {
                let clause: Vec<_> = lemma.iter().map(|&(i, sign)| (frames.state(k, i), sign)).collect();
                frames.assert(&clause);
            }
        }
    }
}

impl Engine for KInduction {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        let frames = |start| BitFrames::new(&self.safety, start, self.config.frames, run);
        let both = [frames(Start::Initial), frames(Start::Anywhere)];
        let (mut lemmas, mut safe_up_to) = (Lemmas::new(&self.safety), None);
        let strengthen = |step: &mut BitFrames<'_>, k, run: &mut Run<'_>| lemmas.assert(step, k, run);
        let found = search(both, self.config.query, strengthen, &mut safe_up_to, run);
        run.count("lemmas of other engines", lemmas.all.len() as u64);
        match found {
            Ok(Found::Trace(trace)) => Conclusion::Unsafe(trace),
            Ok(Found::Proof(Steps { k, is_simple })) => {
                let with = Invariant::new(self.safety.aig.n_vars());
                let simple_path = is_simple.then(|| (0..self.safety.latches.len()).collect());
                Conclusion::Safe(Proof::KInductive { k, with, simple_path })
            }
            Err(stop) => Conclusion::Unknown { stop, safe_up_to },
        }
    }
}
