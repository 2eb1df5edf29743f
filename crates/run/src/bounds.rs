//! Up to which length a property has no counterexample, as far as anybody knows who works on it.

use std::sync::atomic::{AtomicU32, Ordering};

/// What is known about the lengths of counterexamples to one property, by whoever found it out.
#[derive(Debug, Default)]
pub struct Bounds {
    /// The length of the shortest counterexample that has not been excluded.
    open: AtomicU32,
}

impl Bounds {
    /// No counterexample of any length up to this one exists.
    pub fn publish(&self, safe_up_to: u32) {
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
        let bounds = Bounds::default();
        assert_eq!(bounds.safe_up_to(), None);
        bounds.publish(0);
        assert_eq!(bounds.safe_up_to(), Some(0));
        bounds.publish(7);
        bounds.publish(3);
        assert_eq!(bounds.safe_up_to(), Some(7));
    }
}
