//! k-induction (Sheeran, Singh, Stålmarck, FMCAD 2000), incremental (Eén, Sörensson, BMC 2003).
//!
//! Simple-path constraints make it complete: a shortest counterexample repeats no state, so a step that needs a
//! repeated state proves nothing. They are quadratic in the depth, so a pair of frames is required to differ
//! only once a model has shown them equal, and the proof says whether any such requirement was used.

use crate::{Bits, Bounded, BoundedConfig, Engine};
use indubit_run::{Ask, Event, Run};
use indubit_system::{Invariant, Proof, Safety, Start, Verdict};

pub(crate) struct KInduction {
    safety: Safety,
    config: BoundedConfig,
    safe_up_to: Option<u32>,
}

impl KInduction {
    pub(crate) fn new(safety: Safety, config: BoundedConfig) -> KInduction {
        KInduction { safety, config, safe_up_to: None }
    }

    fn search(&mut self, run: &mut Run<'_>) -> Ask<Verdict> {
        let mut base = Bits::new(&self.safety, Start::Initial, self.config, run);
        let mut step = Bits::new(&self.safety, Start::Anywhere, self.config, run);
        let simple = step.proposition();
        step.extend_constrained();
        let mut n_pairs = 0;
        loop {
            // Base: no counterexample of length k - 1.
            let last = base.extend_constrained();
            run.within_bound(last as u32)?;
            run.checkpoint()?;
            let bad = base.bad(last);
            if base.solve(&[bad])? {
                return Ok(Verdict::Unsafe(base.trace(last)));
            }
            base.assert(&[(bad, false)]);
            self.safe_up_to = Some(last as u32);
            run.event(Event::Bound { safe_up_to: last as u32 });

            // Step: k good states in a row, and then a bad one?
            let k = last + 1;
            let good = step.bad(k - 1);
            step.assert(&[(good, false)]);
            step.extend_constrained();
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
                run.event(Event::Count { name: "pairs of states required to differ", value: n_pairs });
                let with = Invariant::new(self.safety.aig.n_vars());
                let simple_path = step.in_core(simple).then(|| (0..self.safety.latches.len()).collect());
                return Ok(Verdict::Safe(Proof::KInductive { k: k as u32, with, simple_path }));
            }
        }
    }
}

impl Engine for KInduction {
    fn name(&self) -> &'static str {
        "kind"
    }
    fn run(&mut self, run: &mut Run<'_>) -> Verdict {
        self.search(run).unwrap_or_else(|stop| Verdict::Unknown { stop, safe_up_to: self.safe_up_to })
    }
}
