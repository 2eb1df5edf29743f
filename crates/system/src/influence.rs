//! Which signals of a model can matter to some edges at all.

use crate::BitSystem;
use indubit_aig::Cone;
use indubit_logic::Lit;

/// Computes sequential cones of influence: the least set of nodes that contains the roots and is closed under
/// fanins, next-state functions and reset functions.
///
/// Because it is closed, the signals in it form a system of their own: what the others do is of no consequence to
/// them.
pub struct Influence<'s> {
    system: &'s BitSystem,
    latch_of: Vec<Option<u32>>,
    cone: Cone,
}

impl<'s> Influence<'s> {
    /// Prepare for `system`; many cones can then be asked for.
    pub fn new(system: &'s BitSystem) -> Influence<'s> {
        let mut latch_of = vec![None; system.aig().n_vars()];
        for (i, latch) in system.latches().iter().enumerate() {
            latch_of[latch.var.index()] = Some(i as u32);
        }
        Influence { system, latch_of, cone: Cone::new() }
    }
    /// The cone of influence of `roots`.
    pub fn of(&mut self, roots: impl IntoIterator<Item = Lit>) -> &Cone {
        let aig = self.system.aig();
        self.cone.clear(aig);
        for root in roots {
            self.cone.add(aig, root);
        }
        self.cone.close(aig, |var| {
            let latch = self.latch_of[var.index()].map(|i| &self.system.latches()[i as usize]);
            latch.into_iter().flat_map(|l| [l.next, l.reset])
        });
        &self.cone
    }
    /// Inputs, latches and gates in the cone of influence of `roots`.
    pub fn size(&mut self, roots: impl IntoIterator<Item = Lit>) -> [usize; 3] {
        self.of(roots);
        let mut size = [0; 3];
        for &var in self.cone.vars() {
            let kind = match (self.system.aig().fanins(var), self.latch_of[var.index()]) {
                (Some(_), _) => 2,
                (None, Some(_)) => 1,
                (None, None) => 0,
            };
            size[kind] += 1;
        }
        size
    }
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
        let mut influence = Influence::new(&model);
        let cone = influence.of([a]);
        assert!([i, j, a, b, g].iter().all(|l| cone.contains(l.var())));
        assert!(!cone.contains(c.var()) && !cone.contains(k.var()));
        assert_eq!(influence.size([a]), [2, 2, 1]);
        assert_eq!(influence.size([k]), [1, 0, 0]);
        assert_eq!(influence.size([Lit::TRUE]), [0, 0, 0]);
    }
}
