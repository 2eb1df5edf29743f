//! Several properties, one after the other.

use crate::generalize::FailedDrops;
use crate::{Pdr, Targets};

impl<O: Targets> Pdr<O> {
    /// Turn to another bad signal, by its number. What holds for good stays, whatever is bad; the other lemmas if
    /// they are to be shared.
    pub fn aim(&mut self, target: usize) {
        self.forget_obligations();
        self.oracle.aim(target);
        if !self.config.share_frames {
            self.frames.restart();
            self.oracle.restart();
        }
        self.failed_drops = FailedDrops::default();
        self.collected_at = 0;
        self.depth = 0;
    }
}
