//! Proof-based abstraction (K. L. McMillan, N. Amla, *Automatic Abstraction without Counterexamples*, TACAS 2003), as retold by
//! I. Zabrodin, *Craig Interpolation in Model Checking*, slides, 2025 (docs/SOURCES.md).
//!
//! | Zabrodin, slide *PBA [3]* | here |
//! |---|---|
//! | 1. φᵏ is checked; satisfiable: a counterexample | [`Pba::refute`] |
//! | otherwise V_a is what occurs in the unsatisfiable core | [`Guarded::core`] |
//! | 2. M_a: all outside V_a nondeterministic, verified by a complete algorithm; proved: the property holds | [`Pba::verify`], [`Localization`] |
//! | 3. a counterexample of M_a that M does not have is spurious: a larger k | [`Pba::rounds`] |
//!
//! As in the paper, k becomes the length of the abstract counterexample. M_a has none up to k, since V_a holds a core for
//! each length up to k (the slides ask φᵏ alone, whose core says nothing about shorter counterexamples). So k
//! grows with each round, and when it has reached the diameter of M_a there is none at all.

use crate::bounded::{Guarded, Order};
use crate::{BoundedConfig, Engine, EngineId, Implementation, Options, Proves};
use indubit_logic::Lit;
use indubit_run::{Ask, Event, Run};
use indubit_system::{Bits, Conclusion, Localization, Safety, Trace};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// How PBA goes about it.
#[derive(Clone, Copy, Debug)]
pub struct PbaConfig {
    /// Who verifies the abstraction.
    pub engine: Inner,
    /// Which cores make the abstraction.
    pub cores: Cores,
    /// How often a core is asked about again, as long as that makes it smaller.
    pub shrink: u32,
    /// How far the unrolling goes after a spurious counterexample.
    pub until: Until,
    /// How much k grows in a round at least; 0 is as good as 1.
    pub step: u32,
    /// Events of the other engine on the first abstraction; none is no limit.
    pub effort: Option<u64>,
}

impl Default for PbaConfig {
    fn default() -> PbaConfig {
        PbaConfig {
            engine: Inner(EngineId::Ic3),
            cores: Cores::Accumulate,
            shrink: 3,
            until: Until::Counterexample,
            step: 1,
            effort: None,
        }
    }
}

/// The name of an engine that can verify an abstraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inner(EngineId);

impl Inner {
    /// Any engine that goes on until it has a proof, but for PBA itself.
    pub fn named(name: &str) -> Option<Inner> {
        let is_complete = |e: &Implementation<Bits>| e.proves != Proves::Nothing && !e.as_given;
        let found = crate::find(name).filter(|e| e.bits.as_ref().is_some_and(is_complete))?;
        (found.id != EngineId::Pba).then_some(Inner(found.id))
    }
    /// As users type it.
    pub fn name(self) -> &'static str {
        self.0.info().name
    }
    fn implementation(self) -> &'static Implementation<Bits> {
        self.0.info().bits.as_ref().expect("it is for bits, or it would have no name here")
    }
}

/// What becomes of V_a from round to round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cores {
    /// It grows by the core of each φᵏ, relative to what it is already.
    Accumulate,
    /// It is the core of ψᵏ, anew in each round.
    Fresh,
}

/// Where a round's unrolling ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// At the length of the abstract counterexample, as in the paper.
    Counterexample,
    /// There, or before it when V_a has grown. It grows at that length at the latest, so there are no more rounds than latches.
    Growth,
}

pub(crate) struct Pba {
    safety: Safety,
    options: Options,
    safe_up_to: Option<u32>,
    counts: Counts,
}

#[derive(Default)]
struct Counts {
    rounds: u64,
    spurious: u64,
    unfinished: u64,
    kept: u64,
    /// What the other engine has counted in the last round.
    inner: Vec<(&'static str, u64)>,
}

/// The frames so far, and what was found out about them.
struct Unrolling<'s> {
    safety: &'s Safety,
    frames: Guarded<'s>,
    /// V_a, by position.
    kept: Vec<bool>,
    /// ψᵏ for the frames so far, and "the constraints hold in all of them", if cores are fresh.
    any: Lit,
    valid: Lit,
}

impl Pba {
    pub(crate) fn new(safety: Safety, options: &Options) -> Pba {
        Pba { safety, options: options.clone(), safe_up_to: None, counts: Counts::default() }
    }

    fn search(&mut self, run: &mut Run<'_>) -> Ask<Conclusion> {
        let safety = self.safety.clone();
        let mut unrolling = Unrolling::new(&safety, self.options.bmc.frames, run);
        let verdict = self.rounds(&mut unrolling, run);
        unrolling.frames.report(run);
        verdict
    }

    fn rounds(&mut self, unrolling: &mut Unrolling<'_>, run: &mut Run<'_>) -> Ask<Conclusion> {
        let config = self.options.pba;
        let safety = unrolling.safety;
        let mut effort = config.effort;
        let mut goals = 0..=0;
        loop {
            if let Some(trace) = self.refute(unrolling, goals, run)? {
                return Ok(Conclusion::Unsafe(trace));
            }
            let k = self.safe_up_to.expect("a length was refuted");
            let abstraction = Localization::new(safety, |i| unrolling.kept[i]);
            self.counts.rounds += 1;
            self.counts.kept = abstraction.safety.latches.len() as u64;
            let (kept, latches) = (abstraction.safety.latches.len(), safety.latches.len());
            run.event(Event::Abstraction { bound: k, kept, latches });
            let next = k.saturating_add(config.step.max(1));
            goals = match self.verify(&abstraction, effort, run) {
                Some(Conclusion::Unsafe(abstract_trace)) => match abstraction.counterexample(&abstract_trace)
                {
                    Some(trace) => return Ok(Conclusion::Unsafe(trace)),
                    None => {
                        self.counts.spurious += 1;
                        next..=next.max(abstract_trace.len() as u32)
                    }
                },
                Some(verdict) => return Ok(verdict),
                None => {
                    self.counts.unfinished += 1;
                    effort = effort.map(|e| e + e / 2 + 1);
                    next..=next
                }
            };
        }
    }

    /// Refute all lengths up to the last goal that have not been, and find V_a for them; or a counterexample.
    fn refute(
        &mut self,
        unrolling: &mut Unrolling<'_>,
        goals: RangeInclusive<u32>,
        run: &mut Run<'_>,
    ) -> Ask<Option<Trace>> {
        let n_kept = unrolling.n_kept();
        while self.safe_up_to.is_none_or(|k| k < *goals.end()) {
            let has_grown = self.options.pba.until == Until::Growth && unrolling.n_kept() > n_kept;
            if has_grown && self.safe_up_to.is_some_and(|k| goals.contains(&k)) {
                break;
            }
            let k = unrolling.frames.extend();
            run.within_bound(k as u32)?;
            run.checkpoint()?;
            let is_refuted = match self.options.pba.cores {
                Cores::Accumulate => unrolling.refute_and_keep(k, self.options.pba.shrink)?,
                Cores::Fresh => unrolling.refute_only(k)?,
            };
            if !is_refuted {
                return Ok(Some(unrolling.frames.trace(k)));
            }
            self.safe_up_to = Some(k as u32);
            run.publish_bound(k as u32);
            run.spend(1);
        }
        if self.options.pba.cores == Cores::Fresh {
            unrolling.choose(self.options.pba.shrink)?;
        }
        Ok(None)
    }

    /// The verdict about M_a, raised to M if it is safe; none if it takes too long.
    fn verify(
        &mut self,
        m_a: &Localization<'_>,
        effort: Option<u64>,
        run: &mut Run<'_>,
    ) -> Option<Conclusion> {
        let effort = effort.unwrap_or(u64::MAX);
        let verdict = self.run_inner(self.options.pba.engine, m_a, effort, run)?;
        let Conclusion::Safe(proof) = verdict else { return Some(verdict) };
        if let Some(proof) = m_a.proof(proof) {
            return Some(Conclusion::Safe(proof));
        }
        // M_a is safe, by paths on which its states differ. Those of M need not differ there: an invariant is wanted.
        match self.run_inner(PbaConfig::default().engine, m_a, u64::MAX, run)? {
            Conclusion::Safe(proof) => m_a.proof(proof).map(Conclusion::Safe),
            verdict => Some(verdict),
        }
    }

    fn run_inner(
        &mut self,
        inner: Inner,
        m_a: &Localization<'_>,
        effort: u64,
        run: &mut Run<'_>,
    ) -> Option<Conclusion> {
        // What is known about M says nothing about M_a: neither bounds nor lemmas.
        let mut engine = (inner.implementation().make)(m_a.safety.clone(), &self.options);
        let part = run.part_about(Arc::default(), effort, |own| engine.run(own));
        let is_over = part.is_exhausted && matches!(part.result, Conclusion::Unknown { .. });
        self.counts.inner = part.record.counts;
        (!is_over).then_some(part.result)
    }

    fn report(&mut self, run: &mut Run<'_>) {
        for (name, value) in std::mem::take(&mut self.counts.inner) {
            run.count(name, value);
        }
        for (name, value) in [
            ("latches of the problem", self.safety.latches.len() as u64),
            ("latches kept", self.counts.kept),
            ("rounds", self.counts.rounds),
            ("spurious counterexamples", self.counts.spurious),
            ("abstractions that took too long", self.counts.unfinished),
        ] {
            run.count(name, value);
        }
    }
}

impl<'s> Unrolling<'s> {
    fn new(safety: &'s Safety, config: BoundedConfig, run: &Run<'_>) -> Unrolling<'s> {
        let frames = Guarded::new(safety, config, run);
        Unrolling {
            safety,
            frames,
            kept: vec![false; safety.latches.len()],
            any: Lit::FALSE,
            valid: Lit::TRUE,
        }
    }
    fn n_kept(&self) -> usize {
        self.kept.iter().filter(|&&kept| kept).count()
    }
    /// Is there no counterexample of length `k`? Then what is kept excludes it, too.
    fn refute_and_keep(&mut self, k: usize, shrink: u32) -> Ask<bool> {
        self.frames.assert(self.frames.constraint(k));
        let bad = self.frames.bad(k);
        // The abstraction so far may do: that asks for no more latches than there are.
        if self.frames.solve(bad, |_| false)? {
            if self.frames.solve(bad, |_| true)? {
                return Ok(false);
            }
            for latch in self.core(bad, shrink)? {
                self.kept[latch] = true;
                self.frames.keep(latch);
            }
        }
        self.frames.assert(!bad);
        Ok(true)
    }
    /// Is there no counterexample of length `k`? Constraints are part of the question: in ψᵏ a short counterexample counts
    /// whatever comes after.
    fn refute_only(&mut self, k: usize) -> Ask<bool> {
        self.valid = self.frames.and(self.valid, self.frames.constraint(k));
        let bad = self.frames.and(self.valid, self.frames.bad(k));
        self.any = self.frames.or(self.any, bad);
        Ok(!self.frames.solve(bad, |_| true)?)
    }
    /// V_a is the core of ψᵏ.
    fn choose(&mut self, shrink: u32) -> Ask<()> {
        let found = self.frames.solve(self.any, |_| true)?;
        debug_assert!(!found, "each of its lengths was refuted");
        self.kept.fill(false);
        for latch in self.core(self.any, shrink)? {
            self.kept[latch] = true;
        }
        Ok(())
    }
    /// The latches that the last refutation of `target` needs, made fewer by asking again with these alone, in one order and
    /// the other.
    fn core(&mut self, target: Lit, shrink: u32) -> Ask<Vec<usize>> {
        let mut core = self.frames.core();
        for i in 0..shrink {
            let order = if i % 2 == 0 { Order::Backward } else { Order::Forward };
            let smaller = self.frames.smaller_core(target, &core, order)?;
            if smaller.len() >= core.len() {
                break;
            }
            core = smaller;
        }
        Ok(core)
    }
}

impl Engine for Pba {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        let verdict = self.search(run);
        self.report(run);
        match verdict {
            Ok(Conclusion::Unknown { stop, safe_up_to }) => {
                Conclusion::Unknown { stop, safe_up_to: safe_up_to.max(self.safe_up_to) }
            }
            Ok(verdict) => verdict,
            Err(stop) => Conclusion::Unknown { stop, safe_up_to: self.safe_up_to },
        }
    }
}
