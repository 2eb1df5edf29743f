//! What a run is given (cancellation, limits, seed, an observer) and how it ends early.
//!
//! Engines and solvers poll one flag, [`Cancel`]. A single [`Watchdog`] thread turns deadlines, the memory
//! limit and signals into that flag, so nothing below it looks at a clock. Effort is what engines [`spend`](Run::spend); it
//! is the same whoever looks on.

mod bounds;
mod cancel;
mod event;
mod lemmas;
mod program;
mod sink;
mod timer;
mod watchdog;

pub use bounds::Bounds;
pub use cancel::{Ask, Cancel, Stop};
pub use event::{Event, Observer, Pass, Record, Source};
pub use lemmas::Lemmas;
pub use program::program;
pub use sink::Sink;
pub use timer::{Timer, within_time};
pub use watchdog::{Limits, Memory, Watchdog, memory_of, resident_bytes};

use std::sync::Arc;

/// The environment of one run: cancellation in, events out, and what is known and done so far.
///
/// ```
/// use indubit_run::{Cancel, Run};
/// use std::time::Duration;
/// let run = Run::new(Cancel::after(Duration::from_secs(10))).with_seed(7);
/// assert!(run.checkpoint().is_ok());
/// ```
pub struct Run<'r> {
    cancel: Cancel,
    observer: Option<&'r mut dyn Observer>,
    source: Source,
    bounds: Arc<Bounds>,
    /// The highest bound that this run has told.
    safe_up_to: Option<u32>,
    /// Do its bounds mean anything to the observer?
    tells_bounds: bool,
    record: Record,
    spent: u64,
    /// It ends when so much is spent.
    effort: u64,
    /// Do not look for counterexamples longer than this, nor for inductions deeper than this.
    pub bound: Option<u32>,
    /// Seed of every random choice; equal seeds give equal runs.
    pub seed: u64,
    /// Check expensive invariants while running (of IC3's frames after each level), and every answer of the solver
    /// that checks the evidence.
    pub paranoid: bool,
    /// Where an engine that asks many small solver queries records them.
    pub queries: Option<Sink>,
    /// Lemmas for and from other engines.
    pub lemmas: Option<Box<dyn Lemmas>>,
}

impl<'r> Run<'r> {
    /// A run that ends when `cancel` says so, and that nobody observes.
    pub fn new(cancel: Cancel) -> Run<'r> {
        Run {
            cancel,
            observer: None,
            source: Source::default(),
            bounds: Arc::default(),
            safe_up_to: None,
            tells_bounds: true,
            record: Record::default(),
            spent: 0,
            effort: u64::MAX,
            bound: None,
            seed: 0,
            paranoid: false,
            queries: None,
            lemmas: None,
        }
    }
    /// Observed by somebody.
    pub fn observed_by(mut self, observer: &'r mut dyn Observer) -> Run<'r> {
        self.observer = Some(observer);
        self
    }
    /// With a bound on the depth.
    pub fn with_bound(mut self, bound: Option<u32>) -> Run<'r> {
        self.bound = bound;
        self
    }
    /// With a seed.
    pub fn with_seed(mut self, seed: u64) -> Run<'r> {
        self.seed = seed;
        self
    }
    /// With expensive invariants checked.
    pub fn with_paranoia(mut self, paranoid: bool) -> Run<'r> {
        self.paranoid = paranoid;
        self
    }
    /// With a place to record solver queries.
    pub fn with_queries(mut self, queries: Option<Sink>) -> Run<'r> {
        self.queries = queries;
        self
    }
    /// With what is known about the lengths of counterexamples.
    pub fn with_bounds(mut self, bounds: Arc<Bounds>) -> Run<'r> {
        self.safe_up_to = bounds.safe_up_to();
        self.bounds = bounds;
        self
    }
    /// As a part of the work on something.
    pub fn with_source(mut self, source: Source) -> Run<'r> {
        self.source = source;
        self
    }

    /// The flag that ends this run; solvers keep a clone.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }
    /// Go on, or unwind because the run has been ended.
    pub fn checkpoint(&self) -> Ask<()> {
        self.cancel.checkpoint()
    }
    /// Is depth `k` still within the bound?
    pub fn within_bound(&self, k: u32) -> Ask<()> {
        match self.bound {
            Some(bound) if k > bound => Err(Stop::Bound),
            _ => Ok(()),
        }
    }
    /// Depth `k`, or the bound if that is smaller.
    pub fn at_most_bound(&self, k: u32) -> u32 {
        self.bound.map_or(k, |bound| k.min(bound))
    }

    /// Tell the observer. That is all: nothing depends on who looks on.
    pub fn event(&mut self, event: Event) {
        if let Some(observer) = &mut self.observer {
            observer.event(self.source, &event);
        }
    }
    /// What the events of this run are about.
    pub fn source(&self) -> Source {
        self.source
    }
    /// From now on, this run is about another property, or about none, of which this is known. What it was about before.
    ///
    /// What is known about one must not be taken for what is known about another: engines do not look for counterexamples of
    /// lengths that are excluded.
    pub fn turn_to(&mut self, property: Option<usize>, bounds: Arc<Bounds>) -> (Option<usize>, Arc<Bounds>) {
        self.safe_up_to = bounds.safe_up_to();
        let before = std::mem::replace(&mut self.bounds, bounds);
        (std::mem::replace(&mut self.source.property, property), before)
    }
    /// Tell the observer what somebody else has to tell.
    pub fn relay(&mut self, source: Source, event: &Event) {
        if let Some(observer) = &mut self.observer {
            observer.event(source, event);
        }
    }
    /// Does the observer want to hear of each small step?
    pub fn wants_steps(&self) -> bool {
        self.observer.as_ref().is_some_and(|observer| observer.wants_steps())
    }
    /// An engine starts.
    pub fn begin_engine(&mut self, name: &'static str) {
        self.record.engine = Some(name);
        self.event(Event::Engine { name });
    }
    /// A pass is done.
    pub fn passed(&mut self, pass: Pass) {
        self.record.passes.push(pass);
        self.event(Event::Pass(pass));
    }
    /// A statistic of the engine, at its end.
    pub fn count(&mut self, name: &'static str, value: u64) {
        self.record.counts.push((name, value));
    }
    /// What was done so far.
    pub fn record(&self) -> &Record {
        &self.record
    }
    /// What was done so far; it begins anew.
    pub fn take_record(&mut self) -> Record {
        std::mem::take(&mut self.record)
    }
    /// This was done, too.
    pub fn add_record(&mut self, record: Record) {
        self.record.engine = record.engine.or(self.record.engine);
        self.record.passes.extend(record.passes);
        self.record.counts.extend(record.counts);
    }

    /// No counterexample of any length up to this one exists.
    pub fn publish_bound(&mut self, safe_up_to: u32) {
        self.bounds.publish(safe_up_to);
        if self.safe_up_to < Some(safe_up_to) {
            self.safe_up_to = Some(safe_up_to);
            if self.tells_bounds {
                self.event(Event::Bound { safe_up_to });
            }
        }
    }
    /// The highest bound that this run knows of, from its own work or from those whose work it goes on with.
    pub fn safe_up_to(&self) -> Option<u32> {
        self.safe_up_to
    }
    /// What anybody knows about the lengths of counterexamples.
    pub fn bounds(&self) -> &Arc<Bounds> {
        &self.bounds
    }

    /// A run within this one that has a flag of its own, and is about something else: what it tells, this one tells. Nothing else of it counts
    /// as this one's.
    pub fn within(&mut self, cancel: Cancel, source: Source, bounds: Arc<Bounds>) -> Run<'_> {
        let mut own = Run::new(cancel)
            .with_source(source)
            .with_seed(self.seed)
            .with_bound(self.bound)
            .with_paranoia(self.paranoid)
            .with_bounds(bounds);
        own.observer = self.observer.as_mut().map(|observer| &mut **observer as &mut dyn Observer);
        own
    }

    /// A part of this run that works on other questions: what it tells of one of them, this one tells of the property that it stands for.
    pub fn part_for<T>(
        &mut self,
        property: &dyn Fn(usize) -> usize,
        work: impl FnOnce(&mut Run<'_>) -> T,
    ) -> T {
        let (cancel, source) = (self.cancel.child(), self.source);
        let (seed, bound, paranoid, queries) = (self.seed, self.bound, self.paranoid, self.queries.clone());
        let mut relay = Renamed { run: self, property };
        let mut own = Run::new(cancel)
            .observed_by(&mut relay)
            .with_source(source)
            .with_seed(seed)
            .with_bound(bound)
            .with_paranoia(paranoid)
            .with_queries(queries);
        work(&mut own)
    }

    /// So much was done, in the engine's own small steps. The run ends when that is more than it may spend.
    pub fn spend(&mut self, effort: u64) {
        self.spent = self.spent.saturating_add(effort);
        if self.spent >= self.effort {
            self.cancel.cancel();
        }
    }
    /// Has it ended because it has spent what it may?
    pub fn is_exhausted(&self) -> bool {
        self.spent >= self.effort
    }

    /// A part of this run with limited effort: it ends with the run, and what it tells, spends and finds out of the same
    /// problem counts as the run's. Its record does not, unless [`add_record`](Run::add_record) says so.
    pub fn part<T>(&mut self, effort: u64, work: impl FnOnce(&mut Run<'_>) -> T) -> Part<T> {
        let bounds = self.bounds.clone();
        self.part_about(bounds, effort, work)
    }
    /// A part of this run that is about another problem, which has fewer restrictions: its bounds hold here, too, and not the
    /// other way round.
    pub fn part_about<T>(
        &mut self,
        bounds: Arc<Bounds>,
        effort: u64,
        work: impl FnOnce(&mut Run<'_>) -> T,
    ) -> Part<T> {
        let (cancel, source) = (self.cancel.child(), self.source);
        let (safe_up_to, effort) = (self.safe_up_to, effort.min(self.effort.saturating_sub(self.spent)));
        let mut own = Run { safe_up_to, effort, ..self.within(cancel, source, bounds) };
        let result = work(&mut own);
        let is_exhausted = own.is_exhausted();
        let Run { record, spent, safe_up_to, .. } = own;
        if let Some(safe_up_to) = safe_up_to {
            self.bounds.publish(safe_up_to);
            self.safe_up_to = self.safe_up_to.max(Some(safe_up_to));
        }
        self.spend(spent);
        Part { result, record, is_exhausted: is_exhausted && self.cancel.checkpoint().is_ok() }
    }
    /// A part of this run that is about a problem of another nature: no bound of one means anything to the other. What it spends and records
    /// counts as the run's.
    pub fn part_beside<T>(&mut self, work: impl FnOnce(&mut Run<'_>) -> T) -> T {
        let (cancel, source) = (self.cancel.child(), self.source);
        let (effort, queries) = (self.effort.saturating_sub(self.spent), self.queries.clone());
        let mut own = Run {
            effort,
            queries,
            bound: None,
            tells_bounds: false,
            ..self.within(cancel, source, Arc::default())
        };
        let result = work(&mut own);
        let Run { record, spent, .. } = own;
        self.add_record(record);
        self.spend(spent);
        result
    }
}

/// Tells what is said of questions as said of properties.
struct Renamed<'a, 'r> {
    run: &'a mut Run<'r>,
    property: &'a dyn Fn(usize) -> usize,
}

impl Observer for Renamed<'_, '_> {
    fn event(&mut self, source: Source, event: &Event) {
        let property = source.property.map(self.property);
        self.run.relay(Source { property, ..source }, event);
    }
    fn wants_steps(&self) -> bool {
        self.run.wants_steps()
    }
}

/// What came of a part of a run.
pub struct Part<T> {
    /// What the work has found.
    pub result: T,
    /// What was done.
    pub record: Record,
    /// Did it end because it had spent what it may, while the run goes on?
    pub is_exhausted: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Seen(Vec<(Source, Event)>);

    impl Observer for Seen {
        fn event(&mut self, source: Source, event: &Event) {
            self.0.push((source, event.clone()));
        }
    }

    fn work(run: &mut Run<'_>) -> u32 {
        let mut steps = 0;
        run.publish_bound(2);
        while run.checkpoint().is_ok() && steps < 10 {
            steps += 1;
            run.event(Event::Lemma { level: 1, size: 1 });
            run.spend(1);
        }
        run.count("steps", u64::from(steps));
        steps
    }

    #[test]
    fn observing_changes_nothing() {
        let mut seen = Seen::default();
        for observed in [false, true] {
            let mut run = Run::new(Cancel::new());
            if observed {
                run = run.observed_by(&mut seen).with_source(Source { property: Some(3), member: 1 });
            }
            let part = run.part(4, work);
            assert_eq!((part.result, part.is_exhausted), (4, true));
            assert_eq!(part.record.counts, [("steps", 4)]);
            let part = run.part(100, work);
            assert_eq!((part.result, part.is_exhausted), (10, false));
            assert_eq!((run.safe_up_to(), run.bounds().safe_up_to()), (Some(2), Some(2)));
            assert!(run.record().counts.is_empty() && run.checkpoint().is_ok());
            run.add_record(part.record);
            assert_eq!(run.take_record().counts, [("steps", 10)]);
        }
        // The second part is not told of a bound again that the first one has told.
        assert_eq!(seen.0.iter().filter(|(_, e)| matches!(e, Event::Bound { .. })).count(), 1);
        assert!(seen.0.iter().all(|(source, _)| *source == Source { property: Some(3), member: 1 }));
    }

    #[test]
    fn a_run_within_another_one_is_on_its_own() {
        let mut seen = Seen::default();
        let mut run = Run::new(Cancel::new()).observed_by(&mut seen).with_seed(3).with_bound(Some(9));
        let (cancel, source) = (run.cancel().child(), Source { property: Some(1), member: 2 });
        let mut own = run.within(cancel, source, Arc::default());
        assert_eq!((own.seed, own.bound), (3, Some(9)));
        own.publish_bound(5);
        own.cancel().cancel();
        assert!(run.checkpoint().is_ok() && run.safe_up_to().is_none());
        assert_eq!(seen.0, [(source, Event::Bound { safe_up_to: 5 })]);
    }

    #[test]
    fn bounds_belong_to_a_property() {
        let mut run = Run::new(Cancel::new());
        let before = run.turn_to(Some(1), Arc::default());
        run.publish_bound(7);
        let first = run.turn_to(Some(2), Arc::default());
        assert_eq!((run.safe_up_to(), run.bounds().safe_up_to()), (None, None));
        run.turn_to(first.0, first.1);
        assert_eq!((run.source().property, run.safe_up_to()), (Some(1), Some(7)));
        run.turn_to(before.0, before.1);
        assert_eq!((run.source().property, run.safe_up_to()), (None, None));
    }

    #[test]
    fn a_part_within_a_part_spends_for_both() {
        let mut run = Run::new(Cancel::new());
        let part = run.part(6, |outer| {
            let inner = outer.part(4, work);
            assert!(inner.is_exhausted && outer.checkpoint().is_ok());
            let inner = outer.part(4, work);
            assert_eq!(inner.result, 2);
            assert!(outer.checkpoint().is_err());
        });
        assert!(part.is_exhausted && run.checkpoint().is_ok());
    }
}
