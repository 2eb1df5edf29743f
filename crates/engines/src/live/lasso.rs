//! Bounded search for lassos (A. Biere, A. Cimatti, E. Clarke, Y. Zhu, *Symbolic Model Checking without BDDs*, TACAS 1999), with the encoding of
//! A. Biere, K. Heljanko, T. Junttila, T. Latvala, V. Schuppan, *Linear Encodings of Bounded LTL Model Checking*, LMCS 2006.
//!
//! A lasso of `k` steps ends in a state where it was before. That state is a row of propositions of its own, so that "here the loop begins" and
//! "here it ends" are said of one frame each: the formula grows by one frame with each `k`, and not by pairs of frames.

use crate::bmc::NO_LONGER_TRACE;
use crate::{BitFrames, Bounded, BoundedConfig, Engine};
use indubit_logic::Lit;
use indubit_run::{Ask, Run, Stop};
use indubit_system::{Conclusion, Liveness, Start, Trace};

pub(crate) struct LassoSearch {
    problem: Liveness,
    config: BoundedConfig,
}

impl LassoSearch {
    pub(crate) fn new(problem: Liveness, config: BoundedConfig) -> LassoSearch {
        LassoSearch { problem, config }
    }
}

impl Engine for LassoSearch {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        let circuit = self.problem.circuit();
        let mut frames = BitFrames::new(circuit, Start::Initial, self.config, run);
        let mut safe_up_to = None;
        let (n_latches, n_signals) = (circuit.latches.len(), self.problem.signals().len());
        let found = search(&mut frames, n_latches, n_signals, &mut safe_up_to, run);
        frames.report(run);
        match found {
            Ok(lasso) => Conclusion::Unsafe(lasso),
            Err(stop) => Conclusion::Unknown { stop, safe_up_to },
        }
    }
}

/// Ask for lassos of 1, 2, 3, … steps for ever.
fn search(
    frames: &mut BitFrames<'_>,
    n_latches: usize,
    n_signals: usize,
    safe_up_to: &mut Option<u32>,
    run: &mut Run<'_>,
) -> Ask<Trace> {
    let meeting: Vec<Lit> = (0..n_latches).map(|_| frames.proposition()).collect();
    let mut begins: Vec<Lit> = Vec::new();
    let mut inside = Lit::FALSE;
    let mut seen = vec![Lit::FALSE; n_signals];
    loop {
        let k = frames.extend_constrained();
        run.within_bound(k as u32 + 1)?;
        run.checkpoint()?;
        let here = frames.proposition();
        for (i, &at) in meeting.iter().enumerate() {
            let latch = frames.state(k, i);
            frames.assert(&[(here, false), (latch, false), (at, true)]);
            frames.assert(&[(here, false), (latch, true), (at, false)]);
        }
        begins.push(here);
        inside = frames.or(inside, here);
        for (i, seen) in seen.iter_mut().enumerate() {
            let now = frames.and(inside, frames.signal(k, i));
            *seen = frames.or(*seen, now);
        }
        let mut closes = inside;
        for (i, &at) in meeting.iter().enumerate() {
            let same = frames.iff(frames.next(i), at);
            closes = frames.and(closes, same);
        }
        if run.bounds().safe_up_to() < Some(k as u32 + 1) {
            let question: Vec<Lit> = seen.iter().copied().chain([closes]).collect();
            if frames.solve(&question)? {
                let loops_to = Some(frames.first_true(&begins).expect("a loop that ends has begun"));
                return Ok(Trace { loops_to, ..frames.trace(k)? });
            }
            if !question.iter().any(|&part| frames.in_core(part)) {
                return Err(Stop::Incomplete(NO_LONGER_TRACE));
            }
        }
        *safe_up_to = Some(k as u32 + 1);
        run.publish_bound(k as u32 + 1);
        run.spend(1);
    }
}
