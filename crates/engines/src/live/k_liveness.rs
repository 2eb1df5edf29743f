//! k-liveness (K. Claessen, N. Sörensson, *A Liveness Checking Algorithm that Counts*, FMCAD 2012).
//!
//! A run that sees a signal infinitely often sees it more than k times, for each k. So if for some k no run sees it more than k times, which is a
//! safety property, no run sees it infinitely often; and in a finite system there is such a k. What IC3 has learnt for good about one k
//! holds for the next one, too: all of them are bad signals of one circuit.
//!
//! Signals that stabilize (section V of the paper) make k small: only steps in which none of them changes count, and when one does, counting begins anew.

use super::chain::{Chain, names};
use super::stabilize::stabilizing;
use super::watch::Watched;
use super::{LiveConfig, searcher};
use crate::ic3::SharedIc3;
use crate::{Engine, Options, Shared};
use indubit_run::{Ask, Run, Stop};
use indubit_system::{Conclusion, Invariant, Liveness, Proof, Safety};
use std::ops::RangeInclusive;

/// Counters for so many times at first, and for more when these are not enough. More than the last number is not counted: what needs so large a k, another engine has
/// to prove.
const MOST: [usize; 3] = [30, 150, 500];

pub(crate) struct KLiveness {
    problem: Liveness,
    options: Options,
}

impl KLiveness {
    pub(crate) fn new(problem: Liveness, options: &Options) -> KLiveness {
        let mut options = options.clone();
        options.pdr.share_frames = true;
        KLiveness { problem, options }
    }

    fn search(&mut self, run: &mut Run<'_>) -> Ask<Conclusion> {
        let LiveConfig { stabilize, .. } = self.options.live;
        let watched = Watched::new(&self.problem, &stabilizing(&self.problem, stabilize, run)?);
        let mut first = 0;
        for most in MOST {
            let conclusion = run.part_beside(|own| self.count_from(first, most, &watched, own))?;
            if let Some(conclusion) = conclusion {
                return Ok(conclusion);
            }
            first = most + 1;
        }
        Err(Stop::Incomplete("the signal is seen too often to count"))
    }

    /// Is it seen at most so often, for some number from `first` to `most`?
    fn count_from(
        &self,
        first: usize,
        most: usize,
        watched: &Watched,
        run: &mut Run<'_>,
    ) -> Ask<Option<Conclusion>> {
        let mut circuit = watched.circuit.clone();
        let chain = Chain::add(&mut circuit, watched.signal, watched.settled.unchanged, most);
        let mut ic3 = SharedIc3::new(searcher(circuit.clone(), &self.options), run);
        let result = count(&mut ic3, first..=most, watched, run);
        ic3.report(run);
        let (k, invariant) = match result? {
            Some(Counted::Bounded { k, invariant }) => (k, invariant),
            Some(Counted::Lasso(trace)) => return Ok(Some(Conclusion::Unsafe(trace))),
            None => return Ok(None),
        };
        run.count("times that it can be seen", k as u64);
        // Counters that the proof does not mention are not part of it.
        let (circuit, order) = (shorter(&circuit, &chain, k), chain.at_least[..k].iter().copied());
        let proof = watched.ordered(&circuit, &names(&chain), &invariant, order);
        Ok(Some(Conclusion::Safe(Proof::Ranked(Box::new(proof)))))
    }
}

/// What counting has shown.
enum Counted {
    /// The signal is seen at most `k` times.
    Bounded { k: usize, invariant: Invariant },
    /// One of the runs that see it often repeats a state.
    Lasso(indubit_system::Trace),
}

fn count(
    ic3: &mut SharedIc3,
    numbers: RangeInclusive<usize>,
    watched: &Watched,
    run: &mut Run<'_>,
) -> Ask<Option<Counted>> {
    for k in numbers {
        match ic3.run(k, run) {
            Conclusion::Safe(proof) => {
                return Ok(Some(Counted::Bounded { k, invariant: proof.invariant().clone() }));
            }
            Conclusion::Unsafe(trace) => {
                if let Some(lasso) = watched.lasso_in(&trace) {
                    return Ok(Some(Counted::Lasso(lasso)));
                }
            }
            Conclusion::Unknown { stop, .. } => return Err(stop),
        }
    }
    Ok(None)
}

/// The circuit with the first `k` latches of the chain only.
fn shorter(circuit: &Safety, chain: &Chain, k: usize) -> Safety {
    let gone = chain.at_least.len() - k;
    let mut shorter = circuit.clone();
    shorter.latches.truncate(circuit.latches.len() - gone);
    shorter
}

impl Engine for KLiveness {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        self.search(run).unwrap_or_else(|stop| Conclusion::Unknown { stop, safe_up_to: None })
    }
}
