//! Lemmas for and from other engines that work on the same property.

use crate::{INFINITE, Level, Pdr, Trades};
use indubit_run::{Ask, Run};

impl<O: Trades> Pdr<O> {
    /// Lemmas are traded at each depth, if the run has somebody to trade with.
    pub fn with_trade(mut self) -> Pdr<O> {
        self.extras.trade = Some(Pdr::trade);
        self
    }

    /// Offer the lemmas of `F∞`, and take those of others. If no bad state is left by that, `F∞` is an invariant: its level.
    fn trade(&mut self, run: &mut Run<'_>) -> Ask<Option<Level>> {
        let Some(trade) = run.trade.as_deref_mut() else { return Ok(None) };
        trade.offer(&mut self.for_good().map(|cube| !cube));
        let before = self.counts.taken;
        for clause in trade.take() {
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
