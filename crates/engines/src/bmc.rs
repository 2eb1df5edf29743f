//! Bounded model checking (seed 002; Biere et al., TACAS 1999).
//!
//! Frames are asked about one by one, or several at once: "is one of the next n frames bad?" A frame counts only if
//! the constraints hold up to it and in it, whatever comes after.

use crate::{Bits, Bounded, BoundedConfig, Engine};
use indubit_run::{Ask, Event, Run, Stop};
use indubit_system::{Safety, Start, Verdict};

/// How BMC goes about it.
#[derive(Clone, Copy, Debug)]
pub struct BmcConfig {
    /// The time frames and their solver.
    pub frames: BoundedConfig,
    /// How many lengths one question is about; 0 is as good as 1. With more than 1, a counterexample need not be a
    /// shortest one.
    pub step: u32,
}

impl Default for BmcConfig {
    fn default() -> BmcConfig {
        BmcConfig { frames: BoundedConfig::default(), step: 1 }
    }
}

/// Bounded model checking of one problem.
pub struct Bmc {
    safety: Safety,
    config: BmcConfig,
}

impl Bmc {
    /// Nothing has been asked yet.
    pub fn new(safety: Safety, config: BmcConfig) -> Bmc {
        Bmc { safety, config }
    }
}

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }
    fn run(&mut self, run: &mut Run<'_>) -> Verdict {
        let mut frames = Bits::new(&self.safety, Start::Initial, self.config.frames, run);
        let mut safe_up_to = None;
        let found = search(&mut frames, self.config.step, &mut safe_up_to, run);
        frames.report(run);
        match found {
            Ok(trace) => Verdict::Unsafe(trace),
            Err(stop) => Verdict::Unknown { stop, safe_up_to },
        }
    }
}

/// Ask for counterexamples of length 0, 1, 2, … for ever: the exact formula φᵏ, with the refuted lengths
/// kept as facts. `step` lengths at a time; the first of them that the model is about is the trace's.
fn search<B: Bounded>(
    frames: &mut B,
    step: u32,
    safe_up_to: &mut Option<u32>,
    run: &mut Run<'_>,
) -> Ask<B::Trace> {
    loop {
        let first = frames.extend_constrained();
        run.within_bound(first as u32)?;
        run.checkpoint()?;
        let bad = frames.bad(first);
        if run.exchange.safe_up_to() >= Some(first as u32) {
            // Another engine knows.
            frames.assert(&[(bad, false)]);
            *safe_up_to = Some(first as u32);
            continue;
        }
        let mut targets = vec![bad];
        let (mut any, mut valid) = (bad, None);
        for _ in 1..step {
            if run.within_bound((first + targets.len()) as u32).is_err() {
                break;
            }
            run.checkpoint()?;
            let k = frames.extend();
            let constraint = frames.constraint(k);
            let here = valid.map_or(constraint, |valid| frames.and(valid, constraint));
            let target = frames.and(here, frames.bad(k));
            (any, valid) = (frames.or(any, target), Some(here));
            targets.push(target);
        }
        if frames.solve(&[any])? {
            let length = first + frames.first_true(&targets).expect("a model of their disjunction");
            return Ok(frames.trace(length));
        }
        let last = (first + targets.len() - 1) as u32;
        *safe_up_to = Some(last);
        if !frames.in_core(any) {
            // Not the bad signal but the constraints alone are refuted: so many steps are impossible.
            return Err(Stop::Incomplete("the constraints allow no longer trace, which bmc cannot prove"));
        }
        frames.assert(&[(any, false)]);
        if let Some(valid) = valid {
            frames.assert(&[(valid, true)]);
        }
        run.event(Event::Bound { safe_up_to: last });
    }
}
