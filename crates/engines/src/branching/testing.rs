//! A model for tests of the parts of a search.

use super::Search;
use crate::Options;
use indubit_logic::Lit;
use indubit_run::{Cancel, Run};
use indubit_system::{BitSystem, Branching, CtlBuilder, CtlId};

/// What is done with a counter of four bits that goes on when its input says 5, and stops at 12.
pub(super) fn with_counter(
    formula: impl FnOnce(&mut CtlBuilder<Lit>, CtlId) -> CtlId,
    ask: impl FnOnce(Search<'_>, &mut Run<'_>),
) {
    let mut system = BitSystem::new();
    let inputs: Vec<Lit> = (0..3).map(|i| system.add_input(&format!("i{i}"))).collect();
    let bits: Vec<Lit> = (0..4).map(|i| system.add_latch(&format!("b{i}"), Some(false))).collect();
    let aig = system.aig_mut();
    let is_five = aig.and_all([inputs[0], !inputs[1], inputs[2]]);
    let is_last = aig.and_all([!bits[0], !bits[1], bits[2], bits[3]]);
    let mut carry = aig.and(is_five, !is_last);
    let mut next = Vec::new();
    for &bit in &bits {
        next.push(aig.xor(bit, carry));
        carry = aig.and(carry, bit);
    }
    bits.iter().zip(next).for_each(|(&bit, next)| system.set_next(bit, next));
    let mut builder = CtlBuilder::new();
    let atom = builder.atom(is_last);
    let root = formula(&mut builder, atom);
    let graph = Branching::new(&system, &builder.finish(root));
    let options = Options::default();
    let mut run = Run::new(Cancel::new());
    let search = Search::new(graph, &options, &run);
    ask(search, &mut run);
}
