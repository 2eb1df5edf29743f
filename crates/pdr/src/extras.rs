//! Pieces of the loop that ask more of the oracle than [`RelInd`] does. A piece is a method of [`Pdr`] for oracles with the ability that it
//! takes, and only where the oracle has it can the piece be put here (`abilities.rs`).

use crate::frames::LemmaId;
use crate::obligations::ObligationId;
use crate::prove::Frontier;
use crate::reach::ReachId;
use crate::{Level, Pdr, Predecessor, Quip, RelInd};
use indubit_logic::Cube;
use indubit_run::{Ask, Run};

/// Fig. 4 of Quip.
pub(crate) type RecBlockCube<O> = fn(
    &mut Pdr<O>,
    Predecessor<<O as RelInd>::Step>,
    Quip,
    &mut Run<'_>,
) -> Ask<Frontier<<O as RelInd>::Step>>;

/// The pieces that are there.
pub(crate) struct Extras<O: RelInd> {
    /// Quip: its switches, and what it has in place of listing 3.
    pub(crate) quip: Option<(Quip, RecBlockCube<O>)>,
    /// So many random steps from each new reachable state.
    pub(crate) walk: Option<(u32, fn(&mut Pdr<O>, ReachId, u32))>,
    /// Lemmas that exclude an obligation's states, in place of the generalization of its core.
    pub(crate) interpolate: Option<fn(&mut Pdr<O>, ObligationId, Cube, &mut Run<'_>) -> Ask<LemmaId>>,
    /// Lemmas for and from other engines.
    pub(crate) share: Option<fn(&mut Pdr<O>, &mut Run<'_>) -> Ask<Option<Level>>>,
    /// Refinement where a predecessor stands in the way of an obligation.
    pub(crate) refine: Option<fn(&mut Pdr<O>, ObligationId, &Predecessor<O::Step>) -> Ask<bool>>,
    /// What REACH needs after each refinement.
    pub(crate) update_reach: Option<fn(&mut Pdr<O>)>,
}

impl<O: RelInd> Extras<O> {
    /// IC3, or Quip.
    pub(crate) fn new(quip: Option<(Quip, RecBlockCube<O>)>) -> Extras<O> {
        Extras { quip, walk: None, interpolate: None, share: None, refine: None, update_reach: None }
    }
}
