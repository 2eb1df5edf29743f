//! Copies of a system in one circuit, one for each moment that a check speaks of.

use indubit_aig::{Aig, Import};
use indubit_logic::{Lit, Var};
use indubit_system::BitSystem;

/// A copy of the signals of `system`. Leaves are set first; gates are copied when they are asked for.
pub(crate) struct Frame<'s> {
    system: &'s BitSystem,
    import: Import,
}

impl<'s> Frame<'s> {
    /// No leaf is set yet.
    pub fn new(system: &'s BitSystem) -> Frame<'s> {
        Frame { system, import: Import::new(system.aig()) }
    }
    /// Say what a leaf is.
    pub fn set(&mut self, leaf: Var, lit: Lit) {
        self.import.set(leaf, lit);
    }
    /// The copy of an edge.
    pub fn lit(&mut self, aig: &mut Aig, lit: Lit) -> Lit {
        self.import.lit(self.system.aig(), aig, lit)
    }
    /// `C`, as conjuncts.
    pub fn constraints(&mut self, aig: &mut Aig) -> Vec<Lit> {
        let system = self.system;
        system.constraints.iter().map(|c| self.lit(aig, c.lit)).collect()
    }
    /// `P`, as conjuncts: no bad signal is true.
    pub fn property(&mut self, aig: &mut Aig) -> Vec<Lit> {
        let system = self.system;
        system.bad_signals().iter().map(|b| !self.lit(aig, b.lit)).collect()
    }
    /// The next state of a latch.
    pub fn next(&mut self, aig: &mut Aig, latch: usize) -> Lit {
        self.lit(aig, self.system.latches()[latch].next)
    }
    /// The moment after this one, with new inputs; of latches it has those that are `wanted`.
    pub fn after(&mut self, aig: &mut Aig, wanted: impl Fn(Var) -> bool) -> Frame<'s> {
        let mut after = Frame::new(self.system);
        for input in self.system.inputs() {
            after.set(input.lit.var(), aig.leaf());
        }
        for (i, latch) in self.system.latches().iter().enumerate().filter(|(_, latch)| wanted(latch.var)) {
            after.set(latch.var, self.next(aig, i));
        }
        after
    }
    /// `R` for one latch: it has its reset value.
    pub fn is_reset(&mut self, aig: &mut Aig, latch: usize) -> Lit {
        let latch = &self.system.latches()[latch];
        let (value, reset) = (self.lit(aig, Lit::positive(latch.var)), self.lit(aig, latch.reset));
        aig.iff(value, reset)
    }
}

/// The constant that a latch is reset to, if it is one.
pub(crate) fn constant_reset(system: &BitSystem, latch: usize) -> Option<Lit> {
    Some(system.latches()[latch].reset).filter(|r| r.is_const())
}

/// The inputs and latches of a system in AIGER's numbering: position `p` has the literal `2 (p + 1)`.
pub(crate) fn leaves(system: &BitSystem) -> impl Iterator<Item = Var> {
    system.inputs().iter().map(|i| i.lit.var()).chain(system.latches().iter().map(|l| l.var))
}

/// The latch at a position of that numbering, if it is one.
pub(crate) fn latch_at(system: &BitSystem, position: usize) -> Option<usize> {
    position.checked_sub(system.inputs().len()).filter(|&latch| latch < system.latches().len())
}

/// The name of the leaf at a position of that numbering.
pub(crate) fn leaf_label(system: &BitSystem, position: usize) -> String {
    match latch_at(system, position) {
        Some(latch) => system.latch_label(latch),
        None => system.input_label(position),
    }
}
