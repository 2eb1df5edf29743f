//! Bounded model checking (seed 002; Biere et al., TACAS 1999).

use crate::{Bits, Bounded, Engine};
use indubit_run::{Ask, Event, Run, Stop};
use indubit_system::{Safety, Start, Trace, Verdict};

pub(crate) struct Bmc {
    safety: Safety,
    safe_up_to: Option<u32>,
}

impl Bmc {
    pub(crate) fn new(safety: Safety) -> Bmc {
        Bmc { safety, safe_up_to: None }
    }

    /// Ask for a counterexample of length 0, 1, 2, … for ever: the exact formula φᵏ, with the refuted lengths
    /// kept as facts.
    fn search(&mut self, run: &mut Run<'_>) -> Ask<Trace> {
        let mut frames = Bits::new(&self.safety, Start::Initial, run);
        loop {
            let k = frames.extend();
            run.within_bound(k as u32)?;
            run.checkpoint()?;
            let bad = frames.bad(k);
            if run.exchange.safe_up_to() >= Some(k as u32) {
                // Another engine knows.
                frames.assert(&[(bad, false)]);
                self.safe_up_to = Some(k as u32);
                continue;
            }
            if frames.solve(&[bad])? {
                return Ok(frames.trace(k));
            }
            if !frames.in_core(bad) {
                // Not the bad signal but the constraints alone are refuted: k steps are impossible.
                self.safe_up_to = Some(k as u32);
                return Err(Stop::Incomplete(
                    "the constraints allow no longer trace, which bmc cannot prove",
                ));
            }
            frames.assert(&[(bad, false)]);
            self.safe_up_to = Some(k as u32);
            run.event(Event::Bound { safe_up_to: k as u32 });
        }
    }
}

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }
    fn run(&mut self, run: &mut Run<'_>) -> Verdict {
        match self.search(run) {
            Ok(trace) => Verdict::Unsafe(trace),
            Err(stop) => Verdict::Unknown { stop, safe_up_to: self.safe_up_to },
        }
    }
}
