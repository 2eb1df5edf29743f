//! The sequential cone of influence: everything that some signals can depend on, through any number of steps.

use indubit::BitSystem;
use indubit::logic::{Lit, Var};

/// Computes the sizes of cones of one system; the marks are reused.
pub struct Cones<'s> {
    system: &'s BitSystem,
    /// For each node the latch that it is.
    latch_of: Vec<Option<u32>>,
    stamps: Vec<u32>,
    stamp: u32,
    stack: Vec<Var>,
}

impl<'s> Cones<'s> {
    pub fn new(system: &'s BitSystem) -> Cones<'s> {
        let n = system.aig().n_vars();
        let mut latch_of = vec![None; n];
        for (i, latch) in system.latches().iter().enumerate() {
            latch_of[latch.var.index()] = Some(i as u32);
        }
        Cones { system, latch_of, stamps: vec![0; n], stamp: 0, stack: Vec::new() }
    }

    /// Inputs, latches and gates that the roots depend on.
    pub fn size(&mut self, roots: impl IntoIterator<Item = Lit>) -> [usize; 3] {
        // At most one cone a property, and there are fewer properties than 2^32.
        self.stamp += 1;
        self.stamps[Var::CONST.index()] = self.stamp;
        let [mut inputs, mut latches, mut gates] = [0; 3];
        roots.into_iter().for_each(|root| self.visit(root));
        while let Some(var) = self.stack.pop() {
            let fanins = match (self.system.aig().fanins(var), self.latch_of[var.index()]) {
                (Some(fanins), _) => {
                    gates += 1;
                    fanins
                }
                (None, Some(i)) => {
                    latches += 1;
                    let latch = &self.system.latches()[i as usize];
                    [latch.next, latch.reset]
                }
                (None, None) => {
                    inputs += 1;
                    continue;
                }
            };
            fanins.into_iter().for_each(|fanin| self.visit(fanin));
        }
        [inputs, latches, gates]
    }

    fn visit(&mut self, lit: Lit) {
        let stamp = &mut self.stamps[lit.var().index()];
        if *stamp != self.stamp {
            *stamp = self.stamp;
            self.stack.push(lit.var());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn through_next_and_reset() {
        let mut model = BitSystem::new();
        let [i, j, _] = ["i", "j", "k"].map(|n| model.add_input(n));
        let [a, b, c] = ["a", "b", "c"].map(|n| model.add_latch(n, None));
        let g = model.aig_mut().and(i, b);
        model.set_next(a, g);
        model.set_reset(b, j);
        model.set_next(c, a);
        let mut cones = Cones::new(&model);
        assert_eq!(cones.size([!a]), [2, 2, 1]);
        assert_eq!(cones.size([c, i]), [2, 3, 1]);
        assert_eq!(cones.size([Lit::TRUE]), [0, 0, 0]);
    }
}
