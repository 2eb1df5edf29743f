//! Which signals can matter to some edges at all.

use indubit_aig::Cone;
use indubit_logic::Lit;
use indubit_system::BitSystem;

/// The sequential cone of influence of `roots`: the least set of nodes that contains the roots and is closed
/// under fanins, next-state functions and reset functions.
///
/// Because it is closed, the signals in it form a system of their own: what the others do is of no
/// consequence to them.
pub(crate) fn cone_of_influence(model: &BitSystem, roots: impl IntoIterator<Item = Lit>) -> Cone {
    let aig = model.aig();
    let mut latch_of = vec![u32::MAX; aig.n_vars()];
    for (i, latch) in model.latches().iter().enumerate() {
        latch_of[latch.var.index()] = i as u32;
    }
    let mut cone = Cone::new();
    cone.clear(aig);
    for root in roots {
        cone.add(aig, root);
    }
    let mut seen = 0;
    while let Some(&var) = cone.vars().get(seen) {
        seen += 1;
        if let Some(latch) = model.latches().get(latch_of[var.index()] as usize) {
            cone.add(aig, latch.next);
            cone.add(aig, latch.reset);
        }
    }
    cone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_under_next_and_reset() {
        let mut model = BitSystem::new();
        let [i, j, k] = ["i", "j", "k"].map(|n| model.add_input(n));
        let [a, b, c] = ["a", "b", "c"].map(|n| model.add_latch(n, None));
        let g = model.aig_mut().and(i, b);
        model.set_next(a, g);
        model.set_reset(b, j);
        model.set_next(c, a);
        let cone = cone_of_influence(&model, [a]);
        assert!([i, j, a, b, g].iter().all(|l| cone.contains(l.var())));
        assert!(!cone.contains(c.var()) && !cone.contains(k.var()));
    }
}
