//! What engines that work on the same property at the same time tell one another.

use std::sync::atomic::{AtomicU32, Ordering};

/// A place for what is known about the property, by whoever found it out.
#[derive(Debug, Default)]
pub struct Exchange {
    /// The length of the shortest counterexample that has not been excluded.
    open: AtomicU32,
}

impl Exchange {
    /// No counterexample of any length up to this one exists.
    pub fn publish_bound(&self, safe_up_to: u32) {
        self.open.fetch_max(safe_up_to.saturating_add(1), Ordering::Relaxed);
    }
    /// The highest bound that anybody published.
    pub fn safe_up_to(&self) -> Option<u32> {
        self.open.load(Ordering::Relaxed).checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_bound_counts() {
        let exchange = Exchange::default();
        assert_eq!(exchange.safe_up_to(), None);
        exchange.publish_bound(0);
        assert_eq!(exchange.safe_up_to(), Some(0));
        exchange.publish_bound(7);
        exchange.publish_bound(3);
        assert_eq!(exchange.safe_up_to(), Some(7));
    }
}
