//! Parts of an unrolling, between which interpolants are wanted.
//!
//! Before a cut, the latches of the frame to come are leaves of their own. So no gate depends on leaves of two parts, and
//! all that the parts share are these leaves, which the part before says what they are: they are the state there.

use indubit_aig::Aig;
use indubit_logic::{Lit, Var};

/// Where an unrolling is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cuts {
    /// Nowhere.
    None,
    /// After the first step: A is a step, B is all that comes after it (McMillan, CAV 2003).
    First,
    /// After each step (Vizel, Grumberg, FMCAD 2009).
    All,
}

impl Cuts {
    /// The part that frame `k` is in.
    pub(super) fn part(self, k: usize) -> u32 {
        match self {
            Cuts::None => 0,
            Cuts::First => k.min(1) as u32,
            Cuts::All => k as u32,
        }
    }
}

/// Which part a node is in, and what connects the parts.
pub(super) struct Parts {
    cuts: Cuts,
    /// The part of the last frame.
    last: u32,
    /// By node.
    parts: Vec<u32>,
    /// For each cut the leaves after it that have no connection yet, each with what it is before the cut.
    links: Vec<Vec<(Lit, Lit)>>,
}

impl Parts {
    pub(super) fn new(cuts: Cuts) -> Parts {
        Parts { cuts, last: 0, parts: Vec::new(), links: Vec::new() }
    }
    /// Frame `k` is about to be built. Is there a cut before it?
    pub(super) fn begin(&mut self, k: usize) -> bool {
        let part = self.cuts.part(k);
        std::mem::replace(&mut self.last, part) != part
    }
    /// The leaves after the cut, each with what it is before it.
    pub(super) fn cut(&mut self, links: Vec<(Lit, Lit)>) {
        self.links.push(links);
    }
    /// How many cuts there are: cut `i` is between parts `i` and `i + 1`.
    pub(super) fn n_cuts(&self) -> u32 {
        self.links.len() as u32
    }
    /// The connections that are to be made.
    pub(super) fn take_links(&mut self, cut: u32) -> Vec<(Lit, Lit)> {
        std::mem::take(&mut self.links[cut as usize])
    }
    /// The connections that are still to be made.
    pub(super) fn put_links(&mut self, cut: u32, links: Vec<(Lit, Lit)>) {
        self.links[cut as usize] = links;
    }
    /// Take note of new nodes: leaves are in the part of the last frame, gates where their operands are.
    pub(super) fn update(&mut self, aig: &Aig) {
        if self.cuts == Cuts::None {
            return;
        }
        for var in (self.parts.len()..aig.n_vars()).map(Var::from_index) {
            let part = match aig.fanins(var) {
                Some([a, b]) => {
                    let [a, b] = [a, b].map(|l| self.parts[l.var().index()]);
                    debug_assert_eq!(a, b, "a gate is in one part");
                    a
                }
                None => self.last,
            };
            self.parts.push(part);
        }
    }
    /// The part of an edge. A constant is in the last one.
    pub(super) fn of(&mut self, aig: &Aig, lit: Lit) -> u32 {
        self.update(aig);
        if lit.is_const() { self.last } else { self.parts.get(lit.var().index()).copied().unwrap_or(0) }
    }
}
