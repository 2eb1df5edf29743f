//! What can be seen of a run while it works.

/// Something worth telling an observer. The command line turns these into progress and JSON lines.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Work on a property begins.
    Property {
        /// Its index in the model.
        index: usize,
        /// Its name in the model.
        name: &'a str,
    },
    /// A preprocessing pass is done.
    Pass {
        /// The pass.
        name: &'static str,
        /// Inputs, latches and gates before.
        before: [usize; 3],
        /// Inputs, latches and gates after.
        after: [usize; 3],
    },
    /// An engine starts.
    Engine {
        /// Its name.
        name: &'static str,
    },
    /// No counterexample of any length up to this one exists.
    Bound {
        /// That length.
        safe_up_to: u32,
    },
    /// IC3 begins a level.
    Frames {
        /// Lemmas per delta frame, from `F₀` to the frontier, where those beyond it count too, and then `F∞`.
        sizes: &'a [usize],
    },
    /// IC3 takes up a proof obligation.
    Obligation {
        /// Its frame.
        level: u32,
        /// Steps from it to a bad state, or to a state that a lemma excludes.
        depth: u32,
        /// How many wait, this one included.
        queued: usize,
    },
    /// IC3 learned a lemma.
    Lemma {
        /// The highest frame in which it holds.
        level: u32,
        /// Its number of literals.
        size: usize,
    },
    /// An abstraction of the problem is given to another engine.
    Abstraction {
        /// No counterexample of any length up to this one exists in it.
        bound: u32,
        /// Its latches.
        kept: usize,
        /// The latches of the problem.
        latches: usize,
    },
    /// A count that the engine reports at its end.
    Count {
        /// What was counted.
        name: &'static str,
        /// How many.
        value: u64,
    },
    /// The independent checker begins with the evidence for a verdict.
    Checking {
        /// `trace` or `proof`.
        what: &'static str,
    },
}

/// Sees events.
pub trait Observer {
    /// Called from the thread that runs, as it happens: be quick.
    fn event(&mut self, event: &Event<'_>);
}

/// The observer that looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ignore;

impl Observer for Ignore {
    fn event(&mut self, _: &Event<'_>) {}
}
