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

/// More than that is not counted: what needs so large a k, another engine has to prove.
const MOST: usize = 500;

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
        let mut circuit = watched.circuit.clone();
        let chain = Chain::add(&mut circuit, watched.signal, watched.settled.unchanged, MOST);
        run.part_beside(|own| {
            let mut ic3 = SharedIc3::new(searcher(circuit.clone(), &self.options), own);
            let result = count(&mut ic3, &watched, own);
            ic3.report(own);
            let (k, invariant) = match result? {
                Counted::Bounded { k, invariant } => (k, invariant),
                Counted::Lasso(trace) => return Ok(Conclusion::Unsafe(trace)),
            };
            own.count("times that it can be seen", k as u64);
            // Counters that the proof does not mention are not part of it.
            let (circuit, order) = (shorter(&circuit, &chain, k), chain.at_least[..k].iter().copied());
            let proof = watched.ordered(&circuit, &names(&chain), &invariant, order);
            Ok(Conclusion::Safe(Proof::Ranked(Box::new(proof))))
        })
    }
}

/// What counting has shown.
enum Counted {
    /// The signal is seen at most `k` times.
    Bounded { k: usize, invariant: Invariant },
    /// One of the runs that see it often repeats a state.
    Lasso(indubit_system::Trace),
}

fn count(ic3: &mut SharedIc3, watched: &Watched, run: &mut Run<'_>) -> Ask<Counted> {
    for k in 0..=MOST {
        match ic3.run(k, run) {
            Conclusion::Safe(proof) => {
                return Ok(Counted::Bounded { k, invariant: proof.invariant().clone() });
            }
            Conclusion::Unsafe(trace) => {
                if let Some(lasso) = watched.lasso_in(&trace) {
                    return Ok(Counted::Lasso(lasso));
                }
            }
            Conclusion::Unknown { stop, .. } => return Err(stop),
        }
    }
    Err(Stop::Incomplete("the signal is seen too often to count"))
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
