//! Candidate equivalences: a partition of nodes into classes of literals that have agreed so far.
//!
//! Invariant: a class has at least two literals, its first is the representative, and replacing every other member by the
//! representative keeps a circuit well-founded: the constant comes before latches, latches before inputs, inputs
//! before gates, and gates are in topological order. An input is only ever a representative, since nothing replaces
//! an input; so a class with a representative that is an input has no latch.

use indubit_aig::simulate;
use indubit_logic::{Lit, Var, VarMap};
use indubit_system::Safety;
use rustc_hash::FxHashMap;

/// The class of a node that is in none.
const NONE: u32 = u32::MAX;

/// The candidates.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    classes: Vec<Vec<Lit>>,
    class_of: VarMap<u32>,
    /// Is the negation of the node in its class?
    negated: VarMap<bool>,
}

/// Which nodes are candidates for being replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Latches, by each other and by constants.
    Latches,
    /// Gates, by earlier nodes and by constants.
    Gates,
    /// Both.
    All,
}

impl Classes {
    /// The classes of nodes with equal signatures, up to a negation as given.
    pub(crate) fn new(safety: &Safety, scope: Scope, signature: &[u64], negated: Vec<bool>) -> Classes {
        let mut class_of: FxHashMap<u64, u32> = FxHashMap::default();
        let mut classes: Vec<Vec<Lit>> = Vec::new();
        let latches = safety.latches.iter().map(|l| l.var);
        let gates = safety.aig.ands().map(|(gate, _)| gate).filter(|_| scope != Scope::Latches);
        for var in
            std::iter::once(Var::CONST).chain(latches).chain(safety.inputs.iter().copied()).chain(gates)
        {
            let class = *class_of.entry(signature[var.index()]).or_insert_with(|| {
                classes.push(Vec::new());
                classes.len() as u32 - 1
            });
            classes[class as usize].push(var.lit(negated[var.index()]));
        }
        let mut found = Classes {
            classes: Vec::new(),
            class_of: VarMap::filled(safety.aig.n_vars(), NONE),
            negated: VarMap(negated),
        };
        let position = safety.latch_positions();
        let is_fixed = |lit: Lit| match safety.aig.fanins(lit.var()) {
            Some(_) => scope == Scope::Latches,
            None => scope == Scope::Gates || position[lit.var().index()].is_none(),
        };
        for mut class in classes {
            let first = class[0];
            class.retain(|&lit| lit == first || !is_fixed(lit));
            found.push(class);
        }
        found
    }
    fn push(&mut self, class: Vec<Lit>) {
        let number = if class.len() < 2 { NONE } else { self.classes.len() as u32 };
        for lit in &class {
            self.class_of[lit.var()] = number;
        }
        if number != NONE {
            self.classes.push(class);
        }
    }
    /// What the node may be replaced by, unless it is a representative itself.
    pub(crate) fn representative(&self, var: Var) -> Option<Lit> {
        let class = self.classes.get(self.class_of[var] as usize)?;
        let first = *class.first()?;
        (first.var() != var).then(|| first ^ self.negated[var])
    }
    /// For each node what it may be replaced by.
    pub(crate) fn representatives(&self) -> VarMap<Option<Lit>> {
        let n_vars = self.class_of.0.len();
        VarMap((0..n_vars).map(|v| self.representative(Var::from_index(v))).collect())
    }
    /// How many nodes may be replaced.
    pub(crate) fn n_candidates(&self) -> usize {
        self.classes.iter().map(|c| c.len().saturating_sub(1)).sum()
    }
    /// Nothing is known about the node any more.
    pub(crate) fn remove(&mut self, var: Var) {
        let number = std::mem::replace(&mut self.class_of[var], NONE);
        let Some(class) = self.classes.get_mut(number as usize) else { return };
        class.retain(|lit| lit.var() != var);
        if let [last] = class[..] {
            self.class_of[last.var()] = NONE;
            class.clear();
        }
    }
    /// Nothing is known about the node's class any more.
    pub(crate) fn dissolve(&mut self, var: Var) {
        if let Some(class) = self.classes.get_mut(self.class_of[var] as usize) {
            for lit in class.drain(..) {
                self.class_of[lit.var()] = NONE;
            }
        }
    }
    /// Nothing is known about the nodes that `keep` refuses; representatives stay while somebody has them.
    pub(crate) fn retain(&mut self, keep: impl Fn(Var) -> bool) {
        for class in std::mem::take(&mut self.classes) {
            for lit in &class {
                self.class_of[lit.var()] = NONE;
            }
            let mut position = 0..;
            self.push(class.into_iter().filter(|l| position.next() == Some(0) || keep(l.var())).collect());
        }
    }
    /// Split the classes by 64 values of each node, of which those in `lanes` count. Have any split?
    pub(crate) fn refine(&mut self, words: &[u64], lanes: u64) -> bool {
        let value = |lit: &Lit| simulate::word(words, *lit) & lanes;
        let mut split = false;
        for number in 0..self.classes.len() {
            let Some(first) = self.classes[number].first().map(value) else { continue };
            if self.classes[number].iter().all(|lit| value(lit) == first) {
                continue;
            }
            split = true;
            let mut class = std::mem::take(&mut self.classes[number]);
            // Stable: the order inside of each part stays.
            class.sort_by_key(value);
            for part in class.chunk_by(|a, b| value(a) == value(b)) {
                self.push(part.to_vec());
            }
        }
        split
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_system::StateVar;

    /// An input, two latches and two gates.
    fn circuit() -> (Safety, [Lit; 5]) {
        let mut safety = Safety::default();
        let [input, a, b] = [(); 3].map(|()| safety.aig.leaf());
        safety.inputs.push(input.var());
        for latch in [a, b] {
            safety.latches.push(StateVar { var: latch.var(), next: latch, init: Some(false) });
        }
        let (g, h) = (safety.aig.and(a, input), safety.aig.and(b, input));
        (safety, [input, a, b, g, h])
    }

    #[test]
    fn the_first_of_a_class_is_a_latch_and_never_a_later_gate() {
        let (safety, [input, a, b, g, h]) = circuit();
        let mut classes = Classes::new(&safety, Scope::All, &[9, 1, 1, 1, 1, 1], vec![false; 6]);
        assert_eq!(classes.n_candidates(), 3);
        assert_eq!(classes.representative(a.var()), None);
        assert_eq!(classes.representative(input.var()), None);
        for lit in [b, g, h] {
            assert_eq!(classes.representative(lit.var()), Some(a));
        }
        let mut words = vec![0; 6];
        words[g.var().index()] = 1;
        words[h.var().index()] = 1;
        assert!(!classes.refine(&words, 2) && classes.refine(&words, 3));
        assert_eq!(classes.representative(h.var()), Some(g));
        assert_eq!(classes.representative(b.var()), Some(a));
        classes.remove(g.var());
        assert_eq!(classes.n_candidates(), 1);
        let mut dissolved = classes.clone();
        dissolved.dissolve(b.var());
        assert_eq!(dissolved.n_candidates(), 0);
        classes.retain(|v| v != b.var());
        assert_eq!(classes.n_candidates(), 0);
    }

    #[test]
    fn scopes_and_negations() {
        let (safety, [input, a, b, g, h]) = circuit();
        let signature = [1, 1, 1, 1, 1, 1];
        let negated = vec![false, true, true, false, false, true];
        let latches = Classes::new(&safety, Scope::Latches, &signature, negated.clone());
        assert_eq!(latches.representative(a.var()), Some(Lit::TRUE));
        assert_eq!(latches.representative(b.var()), Some(Lit::FALSE));
        assert_eq!(latches.representative(g.var()), None);
        let gates = Classes::new(&safety, Scope::Gates, &[2, 1, 3, 4, 1, 1], negated);
        assert_eq!(gates.representative(g.var()), Some(!input));
        assert_eq!(gates.representative(h.var()), Some(input));
    }
}
