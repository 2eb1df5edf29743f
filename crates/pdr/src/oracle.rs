//! The boundary between PDR and the solver that answers for the system.

use crate::Level;
use indubit_logic::{Cube, Lit};
use indubit_run::Ask;

/// A set of states, all of which reach the next set (or a bad state) in one step, and what is needed to replay
/// that step.
#[derive(Clone, Debug)]
pub struct Predecessor<S> {
    /// The states.
    pub cube: Cube,
    /// The step: for bits, the inputs.
    pub step: S,
}

/// What became of an abstract counterexample.
pub enum Concretization<T> {
    /// It is real.
    Real(T),
    /// It was spurious, and the abstraction has become finer: lemmas stay, obligations go.
    Refined,
}

/// What to ask about a cube at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Is `F[level-1] ∧ ¬cube ∧ T ∧ cube′` unsatisfiable?
    Relative,
    /// Is `F[level-1] ∧ T ∧ cube′` unsatisfiable? For a cube whose negation is already a lemma of `F[level-1]`: no need to say it again.
    Push,
}

/// Answers relative-induction queries about one system: all that IC3 needs. `abilities.rs` has what some oracles can do beyond that.
///
/// One call is one solver query, so dispatch costs nothing and hot loops live behind it. Contract: lemmas
/// survive a refinement, because refinement only removes abstract transitions.
pub trait RelInd {
    /// What a step needs to be replayed.
    type Step: Clone;
    /// A counterexample.
    type Trace;

    /// Open one more frame: after `n` calls the levels are `0..n`, and [`INFINITE`](crate::INFINITE). `F[0]` is the initial
    /// states, and a new frame has the lemmas of `F∞`.
    fn extend(&mut self);
    /// Close all frames but `F[0]` and `F∞`.
    fn restart(&mut self);
    /// Exclude `cube` from the frames `from..=to`; the frames `1..from` exclude it already.
    fn learn(&mut self, cube: &Cube, from: Level, to: Level);
    /// Does `cube` contain an initial state?
    fn meets_init(&mut self, cube: &Cube) -> Ask<bool>;
    /// States of `F[level]` that are bad, if there are any.
    fn bad(&mut self, level: Level) -> Ask<Option<Predecessor<Self::Step>>>;
    /// Is `¬cube` inductive relative to `F[level-1]`, or to `F∞`? Ask through [`ask`].
    fn inductive(&mut self, query: Query, level: Level, cube: &Cube) -> Ask<bool>;
    /// A subset of the last inductive cube that is still inductive and still without initial states.
    fn core(&mut self) -> Cube;
    /// States of `F[level-1]` with a step into the cube of the last query, lifted from its model.
    fn predecessor(&mut self) -> Ask<Predecessor<Self::Step>>;
    /// The state in the model of the last query, as far as it matters.
    fn state(&self) -> Vec<Lit>;
    /// Is a literal true after the step in the model of the last query, if that matters?
    fn after(&self, lit: Lit) -> Option<bool>;
    /// The number of a literal's atom, counted from 0 without gaps: its place in a [`State`](crate::State).
    fn atom(&self, lit: Lit) -> u32;
    /// Replay a path from an initial state to a bad one.
    fn concretize(&mut self, path: &[Predecessor<Self::Step>]) -> Ask<Concretization<Self::Trace>>;
}

/// The answer to a query. A core exists only when it is inductive, a predecessor only when it is not, and both
/// borrow the oracle, so neither can go stale.
pub enum Answer<'o, O> {
    /// Inductive: no step leads into the cube.
    Inductive(Core<'o, O>),
    /// A counterexample to induction.
    Cti(Cti<'o, O>),
}

/// Access to the unsatisfiable core.
pub struct Core<'o, O>(&'o mut O);
/// Access to the predecessor.
pub struct Cti<'o, O>(&'o mut O);

impl<O: RelInd> Core<'_, O> {
    /// The core as a cube.
    pub fn into_cube(self) -> Cube {
        self.0.core()
    }
}

impl<O: RelInd> Cti<'_, O> {
    /// The predecessor, lifted to as many states as possible.
    pub fn lift(self) -> Ask<Predecessor<O::Step>> {
        self.0.predecessor()
    }
    /// The predecessor as it is, and not lifted.
    pub fn state(&self) -> Vec<Lit> {
        self.0.state()
    }
    /// Is a literal true in the successor, if that matters?
    pub fn after(&self, lit: Lit) -> Option<bool> {
        self.0.after(lit)
    }
}

/// Ask whether `¬cube` is inductive relative to `F[level-1]`.
pub fn ask<'o, O: RelInd>(oracle: &'o mut O, query: Query, level: Level, cube: &Cube) -> Ask<Answer<'o, O>> {
    Ok(match oracle.inductive(query, level, cube)? {
        true => Answer::Inductive(Core(oracle)),
        false => Answer::Cti(Cti(oracle)),
    })
}
