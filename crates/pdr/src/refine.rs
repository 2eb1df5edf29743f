//! An abstraction that becomes finer on the way (CTIGAR: Birgmeier, Bradley, Weissenbacher, CAV 2014).

use crate::obligations::ObligationId;
use crate::{Abstraction, Pdr, Predecessor};
use indubit_run::Ask;

impl<O: Abstraction> Pdr<O> {
    /// The oracle answers for an abstraction: it is refined where it is too coarse for a step.
    pub fn with_refinement(mut self) -> Pdr<O> {
        self.extras.refine = Some(Pdr::refine);
        self.extras.update_reach = Some(Pdr::update_reach);
        self
    }

    /// Listing 6, lines 82 and 83: has the abstraction become finer because of what stands in the way of an obligation?
    fn refine(&mut self, id: ObligationId, found: &Predecessor<O::Step>) -> Ask<bool> {
        let obligation = &self.obligations[id];
        self.oracle.refine(obligation.level, (&obligation.cube, obligation.step.as_ref()), found)
    }

    /// Reachable states have more atoms.
    fn update_reach(&mut self) {
        let oracle = &mut self.oracle;
        self.reach.update(|state| oracle.refined(state));
    }
}
