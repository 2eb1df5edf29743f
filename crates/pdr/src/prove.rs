//! The loop: listings 1 to 4 of S. Wolff, an introduction to IC3, with the queue of J. Strejček's slides on PDR, which is that of
//! Eén, Mishchenko, Brayton, FMCAD 2011 (docs/SOURCES.md).
//!
//! Deviations from the listings, and why:
//! - A bad signal may depend on inputs and constraints, so a frame is tested for bad states itself
//!   (`F[k] ∧ bad`, as Strejček does) instead of for steps into them (`F[k] ∧ T ∧ ¬P′`, listing 2, line 11). `F[k]` then
//!   starts as *true* instead of *P*, and bad states are removed from it like any other.
//! - Lemmas go to `F[1]…F[j]` and `F[0]` stays the initial states, which imply them anyway; listings 2 and 3 add them to `F[0]`, too.
//! - A fulfilled obligation does not end the loop over the queue: listing 3 leaves the loop, with the other obligations open. It is
//!   enqueued again at the next frame, where its states are just as bad.

use crate::activity::Activity;
use crate::config::Config;
use crate::counts::Counts;
use crate::extras::{Extras, RecBlockCube};
use crate::frames::{Frames, LemmaId};
use crate::generalize::FailedDrops;
use crate::obligations::{ObligationId, Obligations};
use crate::reach::Reach;
use crate::{Answer, Concretization, INFINITE, Level, Predecessor, Query, Quip, RelInd, ask, paranoid};
use indubit_logic::Cube;
use indubit_run::{Ask, Event, Run};

/// What the loop found.
#[derive(Clone, Debug)]
pub enum Outcome<T> {
    /// The negations of these cubes together are an inductive invariant without bad states.
    Invariant(Vec<Cube>),
    /// A bad state is reachable.
    Counterexample(T),
}

/// IC3 over an oracle.
pub struct Pdr<O: RelInd> {
    pub(crate) oracle: O,
    pub(crate) config: Config,
    pub(crate) frames: Frames,
    /// The level that is being cleared of bad states: `k` in the listings. There may be higher ones.
    pub(crate) depth: Level,
    pub(crate) obligations: Obligations<O::Step>,
    pub(crate) activity: Activity,
    pub(crate) failed_drops: FailedDrops,
    /// The depth at which Quip last started over.
    pub(crate) collected_at: Level,
    /// Quip's reachable states.
    pub(crate) reach: Reach<O::Step>,
    /// What the loop does because the oracle can do more than [`RelInd`].
    pub(crate) extras: Extras<O>,
    pub(crate) counts: Counts,
}

/// How an attempt to clear the frontier of bad states ended.
pub(crate) enum Frontier<S> {
    /// It has none, or the queue was emptied before that was known.
    Done,
    /// A path from an initial state to a bad one.
    Reached(Vec<Predecessor<S>>),
    /// The frame of this level is the same as the next one.
    Repeated(Level),
}

/// What became of an obligation.
pub(crate) enum Blocked<S> {
    /// Its states are excluded by this lemma.
    By(LemmaId),
    /// There is a step into them.
    Not(Predecessor<S>),
    /// There may be no step into what they stand for, and the abstraction has become finer.
    Refined,
}

/// An obligation with more activity than this is put off (docs/SOURCES.md, Practice).
const RECURRING: f32 = 20.0;

impl<O: RelInd> Pdr<O> {
    /// IC3 with nothing known yet.
    pub fn new(oracle: O, config: Config) -> Pdr<O> {
        Pdr::build(oracle, config, None)
    }
    /// IC3, or Quip.
    pub(crate) fn build(mut oracle: O, config: Config, quip: Option<(Quip, RecBlockCube<O>)>) -> Pdr<O> {
        oracle.extend();
        Pdr {
            oracle,
            frames: Frames::new(),
            depth: 0,
            obligations: Obligations::new(config.is_deepest_first(quip.is_some())),
            activity: Activity::new(config.seed),
            failed_drops: FailedDrops::default(),
            collected_at: 0,
            reach: Reach::new(quip.map_or(0, |(quip, _)| quip.reach_limit)),
            extras: Extras::new(quip),
            counts: Counts::default(),
            config,
        }
    }
    /// `Some(k)`: no counterexample of any length up to `k` exists. All frames below the frontier are clear.
    pub fn safe_up_to(&self) -> Option<u32> {
        self.depth.max(self.collected_at).checked_sub(1)
    }
    /// The oracle, for its statistics.
    pub fn oracle(&self) -> &O {
        &self.oracle
    }
    /// Quip's switches, if it is not IC3.
    pub(crate) fn as_quip(&self) -> Option<Quip> {
        self.extras.quip.map(|(quip, _)| quip)
    }
    /// The lemmas of `F∞`: the negations of these cubes together are inductive.
    pub fn for_good(&self) -> impl Iterator<Item = &Cube> {
        self.frames.at_least(INFINITE).map(|lemma| &lemma.cube)
    }

    /// Listing 1: extend the frontier, propagate, until a frame repeats. If the run ends before that, the same can be called again.
    pub fn prove(&mut self, run: &mut Run<'_>) -> Ask<Outcome<O::Trace>> {
        loop {
            run.within_bound(self.depth)?;
            if let Some(outcome) = self.extend_frontier(run)? {
                return Ok(outcome);
            }
            if let Some(outcome) = self.advance(run)? {
                return Ok(outcome);
            }
        }
    }

    /// The frontier has no bad states: open another one, and propagate. An invariant, if a frame repeats.
    pub fn advance(&mut self, run: &mut Run<'_>) -> Ask<Option<Outcome<O::Trace>>> {
        run.publish_bound(self.depth);
        run.spend(1);
        self.depth += 1;
        self.open(self.depth);
        if self.as_quip().is_some_and(|quip| quip.reset_reach) {
            self.reach.clear();
        }
        let mut repeated = match self.as_quip() {
            Some(quip) if quip.reset_free => self.settle()?,
            _ => self.propagate(run)?,
        };
        if let (None, Some(quip)) = (repeated, self.as_quip()) {
            repeated = self.collect_garbage(quip.collect, run)?;
        }
        if let (None, Some(exchange)) = (repeated, self.extras.exchange) {
            repeated = exchange(self, run)?;
        }
        self.frames.compact();
        self.obligations.compact();
        run.event(Event::Frames { sizes: self.frames.sizes(self.depth) });
        run.spend(1);
        if run.paranoid {
            paranoid::check(&mut self.oracle, &self.frames, self.depth, self.counts.taken > 0)?;
        }
        Ok(repeated.map(|level| self.invariant(level)))
    }

    /// There are frames up to this level.
    pub(crate) fn open(&mut self, level: Level) {
        while self.frames.top() < level {
            self.frames.extend();
            self.oracle.extend();
        }
    }

    /// `F[level]` is the same as the next frame, and without bad states: its lemmas hold for good.
    fn invariant(&mut self, level: Level) -> Outcome<O::Trace> {
        if level != INFINITE {
            self.settle_above(level - 1);
        }
        Outcome::Invariant(self.for_good().cloned().collect())
    }

    /// Listing 2: find the counterexamples to `F[k] ⇒ P` and remove them. A trace is a real counterexample.
    fn extend_frontier(&mut self, run: &mut Run<'_>) -> Ask<Option<Outcome<O::Trace>>> {
        let mut patience = self.config.restart.map(|n| n.max(1));
        while let Some(bad) = self.oracle.bad(self.depth)? {
            let frontier = match self.extras.quip {
                Some((quip, rec_block_cube)) => rec_block_cube(self, bad, quip, run)?,
                None => self.remove_cti(bad, patience, run)?,
            };
            match frontier {
                Frontier::Done => (),
                Frontier::Repeated(level) => return Ok(Some(self.invariant(level))),
                Frontier::Reached(path) => {
                    self.forget_obligations();
                    match self.oracle.concretize(&path)? {
                        Concretization::Real(trace) => return Ok(Some(Outcome::Counterexample(trace))),
                        Concretization::Refined => self.refined(),
                    }
                }
            }
            if self.as_quip().is_none() && self.obligations.n_open() > 0 {
                self.activity.reseed();
                patience = patience.map(|p| p * 2);
            }
            if self.as_quip().is_none_or(|q| !q.reset_free) {
                self.forget_obligations();
            }
        }
        Ok(None)
    }

    /// The abstraction has become finer: lemmas stay, obligations go, and reachable states may have more atoms.
    pub(crate) fn refined(&mut self) {
        self.counts.refinements += 1;
        self.forget_obligations();
        self.failed_drops = FailedDrops::default();
        if let Some(update_reach) = self.extras.update_reach {
            update_reach(self);
        }
    }

    /// Empty the queue (Ivrii, Gurfinkel, FMCAD 2015, rule ResetQ).
    pub(crate) fn forget_obligations(&mut self) {
        self.obligations.clear();
        if self.as_quip().is_some() {
            self.frames.unsettled_mut().for_each(|lemma| lemma.is_wanted = false);
        }
    }

    /// Listing 3: meet the obligation to exclude `states` from the frontier, and all that follow from it; give up after so
    /// many obligations, if a number is given.
    fn remove_cti(
        &mut self,
        states: Predecessor<O::Step>,
        patience: Option<u64>,
        run: &mut Run<'_>,
    ) -> Ask<Frontier<O::Step>> {
        let end = patience.map_or(u64::MAX, |p| self.counts.obligations + p);
        self.obligations.push(self.depth, states, None);
        while let Some(id) = self.obligations.pop() {
            run.checkpoint()?;
            let obligation = &self.obligations[id];
            let (level, depth, activity) = (obligation.level, obligation.depth, obligation.activity);
            run.event(Event::Obligation { level, depth, queued: self.obligations.n_open() + 1 });
            run.spend(1);
            self.counts.obligations += 1;
            if level == 0 || self.oracle.meets_init(&obligation.cube)? {
                return Ok(Frontier::Reached(self.obligations.chain(id)));
            }
            if self.config.drop_recurring && activity > RECURRING {
                self.counts.put_off += 1;
                continue;
            }
            match self.block(id, run)? {
                Blocked::Refined => {
                    self.refined();
                    return Ok(Frontier::Done);
                }
                Blocked::Not(predecessor) => {
                    self.obligations.requeue(id);
                    self.obligations.push(level - 1, predecessor, Some(id));
                    if self.counts.obligations >= end {
                        return Ok(Frontier::Done);
                    }
                }
                Blocked::By(lemma) => {
                    if self.config.early
                        && let Some(level) = self.frames.repeated(self.depth)
                    {
                        return Ok(Frontier::Repeated(level));
                    }
                    // A chain from there would have this many steps: no longer than the bound allows.
                    let level = self.frames.get(lemma).level;
                    if level < self.depth && run.within_bound(level + 1 + depth).is_ok() {
                        self.obligations.move_up(id, level + 1);
                    }
                }
            }
        }
        Ok(Frontier::Done)
    }

    /// Listing 3, lines 22 to 35, for one obligation: find a lemma that excludes its states, or a step into them.
    pub(crate) fn block(&mut self, id: ObligationId, run: &mut Run<'_>) -> Ask<Blocked<O::Step>> {
        let obligation = &self.obligations[id];
        let (level, activity, cube) = (obligation.level, obligation.activity, &obligation.cube);
        if let Some(lemma) = self.frames.covering(level, cube) {
            return Ok(Blocked::By(lemma));
        }
        let core = match ask(&mut self.oracle, Query::Relative, level, cube)? {
            Answer::Cti(cti) => {
                let found = cti.lift()?;
                // Listing 6, lines 82 and 83.
                if let Some(refine) = self.extras.refine
                    && refine(self, id, &found)?
                {
                    return Ok(Blocked::Refined);
                }
                return Ok(Blocked::Not(found));
            }
            Answer::Inductive(core) => core.into_cube(),
        };
        let cube = cube.clone();
        let core = self.admit(core, &cube);
        let is_lemma = self.obligations[id].step.is_none();
        if let Some(interpolate) = self.extras.interpolate {
            return Ok(Blocked::By(interpolate(self, id, core, run)?));
        }
        let lemma = match self.as_quip() {
            // It was generalized when it was learnt, relative to a stronger frame.
            Some(quip) if is_lemma && !quip.regeneralize => core,
            _ => self.generalize(level, &cube, core, activity, run)?,
        };
        Ok(Blocked::By(self.add_lemma(lemma, level, run)?))
    }

    /// Listing 3, lines 25 to 28: exclude `lemma` from the frames up to the highest at which it is still
    /// inductive relative to the one before.
    pub(crate) fn add_lemma(&mut self, mut lemma: Cube, mut level: Level, run: &mut Run<'_>) -> Ask<LemmaId> {
        while level < self.depth {
            match ask(&mut self.oracle, Query::Relative, level + 1, &lemma)? {
                Answer::Cti(_) => break,
                Answer::Inductive(core) => {
                    if self.config.shrink {
                        let core = core.into_cube();
                        lemma = self.admit(core, &lemma);
                    }
                    level += 1;
                }
            }
        }
        self.counts.lemmas += 1;
        run.event(Event::Lemma { level, size: lemma.len() });
        run.spend(1);
        self.activity.bump(&lemma);
        Ok(self.learn(lemma, level))
    }

    /// A lemma for the frames up to `level`.
    pub(crate) fn learn(&mut self, lemma: Cube, level: Level) -> LemmaId {
        let is_bad = self.is_bad(&lemma);
        self.oracle.learn(&lemma, 1, level);
        self.failed_drops.learnt(&lemma, level);
        let id = self.frames.insert(lemma, level);
        self.frames.get_mut(id).is_bad = is_bad;
        id
    }
}
