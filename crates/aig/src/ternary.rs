//! Ternary simulation: whole graphs at once, and event-driven with undo.

use crate::{Aig, Cone, Fanouts};
use indubit_logic::{Lit, Ternary, Var};

/// The ternary value of an edge.
pub fn value(values: &[Ternary], lit: Lit) -> Ternary {
    values[lit.var().index()] ^ lit.is_negated()
}

/// Compute all ANDs from the leaves in `values`.
pub fn propagate(aig: &Aig, values: &mut [Ternary]) {
    debug_assert_eq!(values.len(), aig.n_vars());
    values[Var::CONST.index()] = Ternary::False;
    for (gate, [a, b]) in aig.ands() {
        values[gate.index()] = value(values, a) & value(values, b);
    }
}

/// Finds leaves of an assignment that do not matter for some roots (Eén, Mishchenko, Brayton,
/// FMCAD 2011, section III-B).
///
/// Starting from an assignment under which all roots have a known value, [`Forget::forget`] makes one leaf
/// unknown and follows the consequences through the fanouts; if a root became unknown, all is undone.
///
/// What a root cannot do without is *critical*: the root itself, both fanins of a critical gate that is true, and the false
/// fanin of a critical gate that is false by one of them only. If a critical node became unknown, so would a root; so nothing
/// is followed beyond, and critical leaves are not even tried. That keeps deep circuits cheap in which every leaf
/// matters.
///
/// Invariant between calls: every critical node has the value it had at the start.
#[derive(Debug)]
pub struct Forget {
    fanouts: Fanouts,
    cone: Cone,
    values: Vec<Ternary>,
    is_critical: Vec<bool>,
    /// Gates that count as leaves.
    is_opaque: Vec<bool>,
    roots: Vec<Var>,
    /// The nodes that are critical.
    critical: Vec<Var>,
    /// Nodes to be made critical.
    found: Vec<Var>,
    /// Nodes that became unknown, and whose fanouts have to be looked at.
    queue: Vec<Var>,
    undo: Vec<(Var, Ternary)>,
}

impl Forget {
    /// Prepare for `aig`.
    pub fn new(aig: &Aig) -> Forget {
        Forget {
            fanouts: Fanouts::new(aig),
            cone: Cone::new(),
            values: vec![Ternary::Unknown; aig.n_vars()],
            is_critical: vec![false; aig.n_vars()],
            is_opaque: vec![false; aig.n_vars()],
            roots: Vec::new(),
            critical: Vec::new(),
            found: Vec::new(),
            queue: Vec::new(),
            undo: Vec::new(),
        }
    }
    /// From now on a gate counts as a leaf: it can be forgotten, and what is below is not forgotten through it.
    pub fn make_opaque(&mut self, gate: Var) {
        self.is_opaque[gate.index()] = true;
    }
    /// The value of a node that the roots depend on.
    pub fn value(&self, var: Var) -> Ternary {
        self.values[var.index()]
    }
    /// Begin with the leaf values given by `leaf`, under which all `roots` have a value, and watch these.
    pub fn start<V: Into<Ternary>>(
        &mut self,
        aig: &Aig,
        roots: impl IntoIterator<Item = Lit>,
        leaf: impl Fn(Var) -> V,
    ) {
        for var in self.critical.drain(..) {
            self.is_critical[var.index()] = false;
        }
        self.roots.clear();
        self.roots.extend(roots.into_iter().map(Lit::var));
        self.values[Var::CONST.index()] = Ternary::False;
        let cone = self.cone.collect(aig, self.roots.iter().map(|&r| Lit::positive(r)));
        for &var in cone {
            self.values[var.index()] = match aig.fanins(var) {
                Some([a, b]) => value(&self.values, a) & value(&self.values, b),
                None => leaf(var).into(),
            };
        }
        self.found.extend_from_slice(&self.roots);
        self.mark_critical(aig);
    }
    /// What was found is critical, and what follows from that.
    fn mark_critical(&mut self, aig: &Aig) {
        while let Some(var) = self.found.pop() {
            if std::mem::replace(&mut self.is_critical[var.index()], true) {
                continue;
            }
            self.critical.push(var);
            let Some([a, b]) = aig.fanins(var).filter(|_| !self.is_opaque[var.index()]) else { continue };
            let is_false = |lit| value(&self.values, lit) == Ternary::False;
            match (self.values[var.index()], is_false(a), is_false(b)) {
                (Ternary::True, ..) => self.found.extend([a.var(), b.var()]),
                (_, true, false) => self.found.push(a.var()),
                (_, false, true) => self.found.push(b.var()),
                _ => (),
            }
        }
    }
    /// The nodes that the roots depend on.
    pub fn cone(&self) -> &Cone {
        &self.cone
    }
    /// Can the leaf be unknown with all roots still known? If so it stays unknown.
    pub fn forget(&mut self, aig: &Aig, leaf: Var) -> bool {
        if !self.cone.contains(leaf) {
            return true;
        }
        if self.is_critical[leaf.index()] {
            return false;
        }
        self.make_unknown(leaf);
        // Values only ever become unknown, so that the order does not matter.
        while let Some(var) = self.queue.pop() {
            for i in 0..self.fanouts.of(var).len() {
                let gate = self.fanouts.of(var)[i];
                let is_known = self.values[gate.index()] != Ternary::Unknown;
                if !is_known || !self.cone.contains(gate) || self.is_opaque[gate.index()] {
                    continue;
                }
                let [a, b] = aig.fanins(gate).expect("a fanout is an AND");
                if value(&self.values, a) & value(&self.values, b) != Ternary::Unknown {
                    continue;
                }
                if self.is_critical[gate.index()] {
                    self.queue.clear();
                    for (var, old) in self.undo.drain(..) {
                        self.values[var.index()] = old;
                    }
                    return false;
                }
                self.make_unknown(gate);
            }
        }
        // A critical gate that was false by two fanins may be so by one of them only now.
        for (var, _) in self.undo.drain(..) {
            for &gate in self.fanouts.of(var) {
                if self.cone.contains(gate) && self.is_critical[gate.index()] && !self.is_opaque[gate.index()]
                {
                    let fanins = aig.fanins(gate).expect("a fanout is an AND");
                    let known = fanins.into_iter().filter(|&l| value(&self.values, l) == Ternary::False);
                    self.found.extend(known.map(Lit::var));
                }
            }
        }
        self.mark_critical(aig);
        true
    }
    fn make_unknown(&mut self, var: Var) {
        let old = std::mem::replace(&mut self.values[var.index()], Ternary::Unknown);
        self.undo.push((var, old));
        self.queue.push(var);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forgetting_keeps_the_roots() {
        let mut aig = Aig::new();
        let (a, b, c) = (aig.leaf(), aig.leaf(), aig.leaf());
        let g = aig.and(a, b);
        let h = aig.and(!g, c);
        let mut forget = Forget::new(&aig);
        // a = 0 alone makes g false; with c = 1, h is true whatever b is.
        forget.start(&aig, [h], |v| v == c.var());
        assert!(forget.forget(&aig, b.var()));
        assert!(!forget.forget(&aig, a.var()));
        assert!(!forget.forget(&aig, c.var()));
        // A second start is independent of the first.
        forget.start(&aig, [!g], |_| false);
        assert!(forget.forget(&aig, c.var()));
        assert!(forget.forget(&aig, a.var()));
        assert!(!forget.forget(&aig, b.var()));
    }

    #[test]
    fn gates_can_be_forgotten_in_place_of_leaves() {
        let mut aig = Aig::new();
        let (a, b, c) = (aig.leaf(), aig.leaf(), aig.leaf());
        let g = aig.and(a, b);
        let h = aig.and(g, c);
        let i = aig.and(!g, !c);
        let mut forget = Forget::new(&aig);
        forget.make_opaque(g.var());
        forget.start(&aig, [h], |_| true);
        // What is below the gate does not matter, the gate does.
        assert!(forget.forget(&aig, a.var()) && forget.forget(&aig, b.var()));
        assert!(!forget.forget(&aig, g.var()) && forget.value(g.var()) == Ternary::True);
        forget.start(&aig, [i], |v| v == c.var());
        assert!(forget.forget(&aig, g.var()) && !forget.forget(&aig, c.var()));
    }

    #[test]
    fn a_leaf_that_is_a_root_stays() {
        let mut aig = Aig::new();
        let a = aig.leaf();
        let mut forget = Forget::new(&aig);
        forget.start(&aig, [!a], |_| true);
        assert!(!forget.forget(&aig, a.var()));
        let mut values = vec![Ternary::Unknown; aig.n_vars()];
        propagate(&aig, &mut values);
        assert_eq!(value(&values, !a), Ternary::Unknown);
    }
}
