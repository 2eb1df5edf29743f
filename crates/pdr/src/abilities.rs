//! What some oracles can do beyond [`RelInd`]: for each, a trait, and a way to let the loop make use of it.
//!
//! | trait | the oracle | the loop |
//! |---|---|---|
//! | [`Targets`] | knows several bad signals | [`Pdr::aim`](crate::Pdr::aim) |
//! | [`Exchanges`] | has literals that other engines know | [`Pdr::with_exchange`](crate::Pdr::with_exchange) |
//! | [`Interpolants`] | interpolates | [`Pdr::with_interpolants`](crate::Pdr::with_interpolants) |
//! | [`States`] | knows single states | [`Pdr::quip`](crate::Pdr::quip) |
//! | [`Walks`] | makes random steps from them | [`Pdr::with_walks`](crate::Pdr::with_walks) |
//! | [`Abstraction`] | answers for an abstraction, and refines it | [`Pdr::with_refinement`](crate::Pdr::with_refinement) |
//!
//! An oracle has exactly the traits whose methods it has something to answer to, and what the loop does with a trait is only there for
//! oracles that have it.

use crate::{Level, Predecessor, RelInd, State};
use indubit_logic::{Clause, Cube};
use indubit_run::Ask;

/// An oracle for a problem with several bad signals.
pub trait Targets: RelInd {
    /// From now on ask about another bad signal, by its number.
    fn aim(&mut self, target: usize);
}

/// An oracle whose state literals mean the same to the engines that lemmas are traded with.
pub trait Exchanges: RelInd {
    /// The negation of a clause, if it is a cube of state literals without initial states.
    fn excluded(&self, clause: &Clause) -> Option<Cube>;
}

/// An oracle that interpolates between two steps.
pub trait Interpolants: RelInd {
    /// An interpolant between the states one step after `F[level-1]` without `states`, where `lemmas` are those of `F[level-1]`, and
    /// the states with a step into a cube, or bad states. `states` are among these. Cubes that the interpolant excludes, each
    /// without initial states: the first one contains `states`. None if there is no interpolant.
    fn interpolant(
        &mut self,
        level: Level,
        lemmas: &mut dyn Iterator<Item = &Cube>,
        states: &Cube,
        into: Option<&Cube>,
    ) -> Ask<Vec<Cube>>;
}

/// An oracle that knows single states, and where steps lead from there: what Quip's REACH is made of.
pub trait States: RelInd {
    /// An initial state in a cube that has some.
    fn initial_state(&mut self, cube: &Cube) -> Ask<State>;
    /// The state after a step into a cube, which it was found for. None if the step is not possible in this state, contrary to
    /// what lifting or the abstraction took for granted: it will do so no more.
    fn successor(&mut self, state: &State, step: &Self::Step, into: &Cube) -> Ask<Option<State>>;
    /// A step from this reachable state into the cube, if there is one.
    fn step_into(&mut self, state: &State, cube: &Cube) -> Ask<Option<Self::Step>>;
    /// A state as a cube.
    fn cube_of(&self, state: &State) -> Cube;
}

/// An oracle that makes steps at random.
pub trait Walks: States {
    /// A step that is possible in this state, by chance, if one is found; and the state after it.
    fn random_step(&mut self, state: &State) -> Option<(Self::Step, State)>;
}

/// An oracle for an abstraction that may become finer, with more atoms. It does when [`RelInd::concretize`] or [`States::successor`]
/// find that it was too coarse, and here.
pub trait Abstraction: States {
    /// After [`RelInd::predecessor`]: `found` stands in the way of excluding `states` from `F[level]`. Where states are abstract, it need not be for
    /// what they stand for (CTIGAR: Birgmeier, Bradley, Weissenbacher, CAV 2014): has the abstraction become finer for that reason? Lemmas stay then, and
    /// obligations go.
    fn refine(
        &mut self,
        level: Level,
        states: (&Cube, Option<&Self::Step>),
        found: &Predecessor<Self::Step>,
    ) -> Ask<bool>;
    /// The state as it is after a refinement, which may have brought more atoms.
    fn refined(&mut self, state: &State) -> State;
}
