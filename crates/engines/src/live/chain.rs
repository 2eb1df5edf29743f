//! How often a signal has been seen, as a chain of latches: number `i` is true from the step after the `i`-th time on, until counting begins anew.

use indubit_logic::{Lit, Var};
use indubit_system::{Safety, StateVar};
use std::collections::HashMap;

/// Latches that count up to a number.
pub(super) struct Chain {
    /// "Seen at least so often, from once on."
    pub at_least: Vec<Lit>,
}

impl Chain {
    /// Count `signal`, up to `most` times, and begin anew after each step that is not to be `kept`. The bad signals of the circuit are "it is seen once more after so many times",
    /// from none on.
    pub(super) fn add(circuit: &mut Safety, signal: Lit, kept: Lit, most: usize) -> Chain {
        let mut at_least = Vec::with_capacity(most);
        let mut more = signal;
        circuit.bad = signal;
        for _ in 0..most {
            let latch = circuit.aig.leaf();
            let next = circuit.aig.or(latch, more);
            let next = circuit.aig.and(next, kept);
            circuit.latches.push(StateVar { var: latch.var(), next, init: Some(false) });
            at_least.push(latch);
            more = circuit.aig.and(latch, signal);
            circuit.also.push(more);
        }
        Chain { at_least }
    }
}

/// What the latches of a chain remember.
pub(super) fn names(chain: &Chain) -> HashMap<Var, String> {
    let name = |(i, latch): (usize, &Lit)| (latch.var(), format!("count >= {}", i + 1));
    chain.at_least.iter().enumerate().map(name).collect()
}
