//! What can be seen of a run while it works.

/// Something worth telling an observer. The command line turns these into progress and JSON lines.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// Work on the property begins, or goes on after others had their turn.
    Begin,
    /// A preprocessing pass is done.
    Pass(Pass),
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
        sizes: Vec<usize>,
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
    /// The independent checker begins with the evidence for a verdict.
    Checking {
        /// `trace` or `proof`.
        what: &'static str,
    },
}

impl Event {
    /// Is it one of the many small steps of an engine, of which there may be thousands a second?
    pub fn is_step(&self) -> bool {
        matches!(self, Event::Obligation { .. } | Event::Lemma { .. })
    }
}

/// What a preprocessing pass did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// The pass.
    pub name: &'static str,
    /// Inputs, latches and gates before.
    pub before: [usize; 3],
    /// Inputs, latches and gates after.
    pub after: [usize; 3],
}

/// Whom an event is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The position of the property in the model; none while there is work on all of them.
    pub property: Option<usize>,
    /// The member of the portfolio; 0 if there is only one.
    pub member: usize,
}

/// Sees events, and changes nothing by seeing them.
pub trait Observer {
    /// Called as it happens: be quick.
    fn event(&mut self, source: Source, event: &Event);
    /// Does it want to hear of each small step? Those of other threads are then sent to it, thousands a second.
    fn wants_steps(&self) -> bool {
        true
    }
}

/// What was done to decide a property.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The engine that was at work last.
    pub engine: Option<&'static str>,
    /// The passes that were made, in their order.
    pub passes: Vec<Pass>,
    /// What the engine has counted.
    pub counts: Vec<(&'static str, u64)>,
}
