//! Lemmas for and from other engines that work on the same property.

use crate::{Exchanges, INFINITE, Level, Pdr};
use indubit_run::{Ask, Run};

impl<O: Exchanges> Pdr<O> {
    /// Lemmas are exchanged at each depth, if the run has somebody to exchange them with.
    pub fn with_exchange(mut self) -> Pdr<O> {
        self.extras.exchange = Some(Pdr::exchange);
        self
    }

    /// Offer the lemmas of `F∞`, and take those of others. If no bad state is left by that, `F∞` is an invariant: its level.
    fn exchange(&mut self, run: &mut Run<'_>) -> Ask<Option<Level>> {
        let Some(others) = run.lemmas.as_deref_mut() else { return Ok(None) };
        others.offer(&mut self.for_good().map(|cube| !cube));
        let before = self.counts.taken;
        for clause in others.take() {
            if let Some(cube) = self.oracle.excluded(&clause)
                && self.frames.covering(INFINITE, &cube).is_none()
            {
                self.counts.taken += 1;
                self.learn(cube, INFINITE);
            }
        }
        let is_proof = self.counts.taken > before && self.oracle.bad(INFINITE)?.is_none();
        Ok(is_proof.then_some(INFINITE))
    }
}
