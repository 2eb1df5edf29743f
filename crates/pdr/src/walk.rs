//! Random steps from reachable states (§IV.D of Quip's paper).

use crate::reach::ReachId;
use crate::{Pdr, Walks};

impl<O: Walks> Pdr<O> {
    /// Random steps from each state that Quip finds: so many, as long as each one shows that a lemma is bad.
    pub fn with_walks(mut self, steps: u32) -> Pdr<O> {
        self.extras.walk = Some((steps, Pdr::walk));
        self
    }

    fn walk(&mut self, from: ReachId, steps: u32) {
        let mut last = from;
        for _ in 0..steps {
            let Some(state) = self.reach.state(last).cloned() else { break };
            let Some((step, next)) = self.oracle.random_step(&state) else { break };
            if self.mark_bad(&next) == 0 {
                break;
            }
            last = self.reach.insert(next, Some((last, step)));
        }
    }
}
