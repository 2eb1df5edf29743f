//! Pieces of the loop that ask more of the oracle than [`RelInd`] does. A piece is a method of [`Pdr`] for oracles with the ability that it
//! takes, and only where the oracle has it can the piece be put here (`abilities.rs`).

use crate::frames::LemmaId;
use crate::obligations::ObligationId;
use crate::prove::Frontier;
use crate::reach::ReachId;
use crate::{Level, Pdr, Predecessor, Quip, RelInd};
use indubit_logic::Cube;
use indubit_run::{Ask, Run};

type Step<O> = <O as RelInd>::Step;
/// Quip's Fig. 4, in place of listing 3.
pub(crate) type RecBlockCube<O> =
    fn(&mut Pdr<O>, Predecessor<Step<O>>, Quip, &mut Run<'_>) -> Ask<Frontier<Step<O>>>;
/// So many random steps from a reachable state.
type Walk<O> = fn(&mut Pdr<O>, ReachId, u32);
/// Lemmas that exclude an obligation's states, in place of the generalization of its core.
type Interpolate<O> = fn(&mut Pdr<O>, ObligationId, Cube, &mut Run<'_>) -> Ask<LemmaId>;
/// Lemmas for and from other engines: the level of an invariant, if they make one.
type Exchange<O> = fn(&mut Pdr<O>, &mut Run<'_>) -> Ask<Option<Level>>;
/// Has the abstraction become finer because of what stands in the way of an obligation?
type Refine<O> = fn(&mut Pdr<O>, ObligationId, &Predecessor<Step<O>>) -> Ask<bool>;
/// What REACH needs after each refinement.
type UpdateReach<O> = fn(&mut Pdr<O>);

/// The pieces that are there.
pub(crate) struct Extras<O: RelInd> {
    pub(crate) quip: Option<(Quip, RecBlockCube<O>)>,
    pub(crate) walk: Option<(u32, Walk<O>)>,
    pub(crate) interpolate: Option<Interpolate<O>>,
    pub(crate) exchange: Option<Exchange<O>>,
    pub(crate) refine: Option<Refine<O>>,
    pub(crate) update_reach: Option<UpdateReach<O>>,
}

impl<O: RelInd> Extras<O> {
    /// IC3, or Quip.
    pub(crate) fn new(quip: Option<(Quip, RecBlockCube<O>)>) -> Extras<O> {
        Extras { quip, walk: None, interpolate: None, exchange: None, refine: None, update_reach: None }
    }
}
