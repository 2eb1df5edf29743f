//! The graph itself: nodes, structural hashing, copying cones between graphs.

use indubit_logic::{Lit, Var, VarMap};

/// Marks a leaf: fanins that no AND can have, since they lie above [`Var::MAX`].
const LEAF: [Lit; 2] = [Lit::from_code(u32::MAX); 2];

/// An and-inverter graph.
///
/// Invariant: node 0 is the constant *false*; both fanins of an AND are smaller than the AND.
#[derive(Clone, Debug)]
pub struct Aig {
    nodes: Vec<[Lit; 2]>,
    /// Open-addressing table of hashed ANDs; 0 is an empty slot. Its length is a power of two or 0.
    table: Vec<u32>,
    n_hashed: usize,
}

impl Default for Aig {
    fn default() -> Aig {
        Aig::new()
    }
}

impl Aig {
    /// The graph with only the constant.
    pub fn new() -> Aig {
        Aig { nodes: vec![LEAF], table: Vec::new(), n_hashed: 0 }
    }
    /// The number of nodes, the constant included: variables are `0..n_vars`.
    pub fn n_vars(&self) -> usize {
        self.nodes.len()
    }
    /// The number of AND gates.
    pub fn n_ands(&self) -> usize {
        self.nodes.iter().filter(|&&n| n != LEAF).count()
    }
    /// The fanins of an AND; `None` for the constant and for leaves.
    pub fn fanins(&self, var: Var) -> Option<[Lit; 2]> {
        match self.nodes[var.index()] {
            LEAF => None,
            fanins => Some(fanins),
        }
    }
    /// All AND gates in topological order.
    pub fn ands(&self) -> impl DoubleEndedIterator<Item = (Var, [Lit; 2])> {
        self.nodes.iter().enumerate().filter(|&(_, &n)| n != LEAF).map(|(i, &n)| (Var::from_index(i), n))
    }
    /// A new leaf, as a positive literal.
    pub fn leaf(&mut self) -> Lit {
        self.push(LEAF)
    }
    /// A new AND exactly as given: neither simplified nor shared. For files that must stay as they are.
    pub fn raw_and(&mut self, a: Lit, b: Lit) -> Lit {
        self.push([a, b])
    }
    fn push(&mut self, node: [Lit; 2]) -> Lit {
        debug_assert!(
            node == LEAF || node.iter().all(|l| l.var().index() < self.nodes.len()),
            "fanin above its gate"
        );
        // Beyond that, literals would wrap and mean something else.
        assert!(self.nodes.len() <= Var::MAX.index(), "a circuit of more than 2^30 nodes");
        self.nodes.push(node);
        Lit::positive(Var::from_index(self.nodes.len() - 1))
    }

    /// The conjunction, simplified by the rules for constants and equal or complementary operands, and
    /// shared with an equal AND that exists already.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        match (a, b) {
            (Lit::FALSE, _) => return Lit::FALSE,
            (Lit::TRUE, _) => return b,
            _ if a == b => return a,
            _ if a == !b => return Lit::FALSE,
            _ => (),
        }
        if self.table.len() < 2 * (self.n_hashed + 1) {
            self.grow_table();
        }
        let mask = self.table.len() - 1;
        let mut slot = hash(a, b) & mask;
        loop {
            match self.table[slot] {
                0 => break,
                found if self.nodes[found as usize] == [a, b] => return Lit::positive(Var::new(found)),
                _ => slot = (slot + 1) & mask,
            }
        }
        let gate = self.push([a, b]);
        self.table[slot] = gate.var().index() as u32;
        self.n_hashed += 1;
        gate
    }
    fn grow_table(&mut self) {
        let old = std::mem::take(&mut self.table);
        self.table = vec![0; (4 * (self.n_hashed + 1)).next_power_of_two().max(64)];
        let mask = self.table.len() - 1;
        for entry in old.into_iter().filter(|&e| e != 0) {
            let [a, b] = self.nodes[entry as usize];
            let mut slot = hash(a, b) & mask;
            while self.table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.table[slot] = entry;
        }
    }

    /// The disjunction.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }
    /// `a -> b`.
    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }
    /// The exclusive or.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let left = self.and(a, !b);
        let right = self.and(!a, b);
        self.or(left, right)
    }
    /// `a <-> b`.
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }
    /// `if c then a else b`.
    pub fn ite(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        // One gate where a side is a constant: chains of decisions are full of these.
        match (a, b) {
            (Lit::TRUE, _) => return self.or(c, b),
            (_, Lit::TRUE) => return self.implies(c, a),
            _ if a == b => return a,
            _ => {}
        }
        let left = self.and(c, a);
        let right = self.and(!c, b);
        self.or(left, right)
    }
    /// The conjunction of all, as a balanced tree.
    pub fn and_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut layer: Vec<Lit> = lits.into_iter().collect();
        while layer.len() > 1 {
            layer = layer
                .chunks(2)
                .map(|pair| if let [a, b] = *pair { self.and(a, b) } else { pair[0] })
                .collect();
        }
        layer.pop().unwrap_or(Lit::TRUE)
    }
    /// The disjunction of all, as a balanced tree.
    pub fn or_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.and_all(lits.into_iter().map(|l| !l))
    }
}

fn hash(a: Lit, b: Lit) -> usize {
    let key = u64::from(a.code()) << 32 | u64::from(b.code());
    let mixed = (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 32) as usize
}

/// Copies cones of one graph into another.
///
/// The caller maps the leaves first; ANDs are mapped on demand and each only once.
#[derive(Clone, Debug)]
pub struct Import {
    map: VarMap<Option<Lit>>,
    stack: Vec<Var>,
}

impl Import {
    /// Nothing of `source` is mapped but the constant.
    pub fn new(source: &Aig) -> Import {
        let mut map = VarMap::filled(source.n_vars(), None);
        map[Var::CONST] = Some(Lit::FALSE);
        Import { map, stack: Vec::new() }
    }
    /// Say what a node of the source is in the target.
    pub fn set(&mut self, source: Var, target: Lit) {
        self.map[source] = Some(target);
    }
    /// What a literal of the source is in the target, if that is known already.
    pub fn get(&self, lit: Lit) -> Option<Lit> {
        self.map[lit.var()].map(|l| l ^ lit.is_negated())
    }
    /// The literal of `target` that equals `lit` of `source`, building what is missing.
    ///
    /// Every leaf in the cone of `lit` must have been mapped. The source may have more nodes than before.
    pub fn lit(&mut self, source: &Aig, target: &mut Aig, lit: Lit) -> Lit {
        if self.map.0.len() < source.n_vars() {
            self.map.0.resize(source.n_vars(), None);
        }
        self.stack.push(lit.var());
        while let Some(&var) = self.stack.last() {
            if self.map[var].is_some() {
                self.stack.pop();
                continue;
            }
            let [a, b] = source.fanins(var).expect("leaf in the cone was not mapped");
            match (self.get(a), self.get(b)) {
                (Some(x), Some(y)) => {
                    self.map[var] = Some(target.and(x, y));
                    self.stack.pop();
                }
                (x, y) => {
                    if x.is_none() {
                        self.stack.push(a.var());
                    }
                    if y.is_none() {
                        self.stack.push(b.var());
                    }
                }
            }
        }
        self.get(lit).expect("the loop above maps it")
    }
}

/// For each node the ANDs that read it.
#[derive(Clone, Debug)]
pub struct Fanouts {
    start: Vec<u32>,
    gates: Vec<Var>,
}

impl Fanouts {
    /// The fanouts of every node of `aig`.
    pub fn new(aig: &Aig) -> Fanouts {
        let mut start = vec![0u32; aig.n_vars() + 1];
        for (_, fanins) in aig.ands() {
            for lit in fanins {
                start[lit.var().index() + 1] += 1;
            }
        }
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        let mut fill = start.clone();
        let mut gates = vec![Var::CONST; start.last().map_or(0, |&n| n as usize)];
        for (gate, fanins) in aig.ands() {
            for lit in fanins {
                let slot = &mut fill[lit.var().index()];
                gates[*slot as usize] = gate;
                *slot += 1;
            }
        }
        Fanouts { start, gates }
    }
    /// The ANDs with `var` as a fanin, in increasing order.
    pub fn of(&self, var: Var) -> &[Var] {
        &self.gates[self.start[var.index()] as usize..self.start[var.index() + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simplification_and_sharing() {
        let mut aig = Aig::new();
        let (a, b) = (aig.leaf(), aig.leaf());
        assert_eq!(aig.and(a, Lit::TRUE), a);
        assert_eq!(aig.and(a, Lit::FALSE), Lit::FALSE);
        assert_eq!(aig.and(a, a), a);
        assert_eq!(aig.and(a, !a), Lit::FALSE);
        let g = aig.and(a, b);
        assert_eq!(aig.and(b, a), g);
        assert_eq!(aig.n_ands(), 1);
        let raw = aig.raw_and(a, b);
        assert_ne!(raw, g);
        assert_eq!(aig.fanins(raw.var()), Some([a, b]));
        assert_eq!(aig.and_all([]), Lit::TRUE);
        assert_eq!(aig.or_all([]), Lit::FALSE);
    }

    #[test]
    fn sharing_survives_table_growth() {
        let mut aig = Aig::new();
        let leaves: Vec<Lit> = (0..60).map(|_| aig.leaf()).collect();
        let mut pairs = Vec::new();
        for &a in &leaves {
            for &b in &leaves {
                pairs.push((a, b, aig.and(a, !b)));
            }
        }
        let n = aig.n_vars();
        assert!(pairs.iter().all(|&(a, b, g)| aig.and(!b, a) == g));
        assert_eq!(aig.n_vars(), n);
    }

    #[test]
    fn a_raw_gate_of_constants_is_a_gate() {
        let mut aig = Aig::new();
        let g = aig.raw_and(Lit::TRUE, Lit::TRUE);
        assert!(aig.fanins(g.var()).is_some());
        let mut words = vec![0; aig.n_vars()];
        crate::simulate::propagate(&aig, &mut words);
        assert_eq!(crate::simulate::word(&words, g), u64::MAX);
    }

    #[test]
    fn import_copies_a_cone() {
        let mut source = Aig::new();
        let (a, b, c) = (source.leaf(), source.leaf(), source.leaf());
        let x = source.xor(a, b);
        let y = source.ite(c, x, !a);
        let mut target = Aig::new();
        let (p, q) = (target.leaf(), target.leaf());
        let mut import = Import::new(&source);
        import.set(a.var(), p);
        import.set(b.var(), !q);
        import.set(c.var(), Lit::TRUE);
        let copied = import.lit(&source, &mut target, !y);
        let expected = !target.xor(p, !q);
        assert_eq!(copied, expected);
        let fanouts = Fanouts::new(&source);
        assert_eq!(fanouts.of(b.var()).len(), 2);
    }
}
