//! Formulas of computation tree logic (Clarke, Emerson, *Design and synthesis of synchronization skeletons using branching-time temporal logic*, Logics of
//! Programs 1981).
//!
//! A formula is a list of nodes, each after those it is made of, and each once; the last one is the formula. All operators are made of `EX`, `EU` and `EG`
//! by [`CtlBuilder`], which is right with fairness, too: these three are about fair paths.

use rustc_hash::FxHashMap;

/// The place of a node in its formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CtlId(u32);

impl CtlId {
    /// Its position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CtlNode {
    /// Always true.
    True,
    /// The atom with this number: a formula about one state.
    Atom(u32),
    /// It is not so.
    Not(CtlId),
    /// Both.
    And(CtlId, CtlId),
    /// In some next state.
    ExistsNext(CtlId),
    /// On some path the second one some time, and the first one in all states before that.
    ExistsUntil(CtlId, CtlId),
    /// On some path always.
    ExistsGlobally(CtlId),
}

impl CtlNode {
    /// The nodes that it is made of.
    pub fn children(self) -> impl Iterator<Item = CtlId> {
        let (first, second) = match self {
            CtlNode::True | CtlNode::Atom(_) => (None, None),
            CtlNode::Not(a) | CtlNode::ExistsNext(a) | CtlNode::ExistsGlobally(a) => (Some(a), None),
            CtlNode::And(a, b) | CtlNode::ExistsUntil(a, b) => (Some(a), Some(b)),
        };
        first.into_iter().chain(second)
    }
}

/// A formula over atoms, which are edges of a circuit or terms.
///
/// Invariant: a node is made of nodes before it; no two are equal; the last one is the formula.
///
/// ```
/// use indubit_system::{CtlBuilder, CtlNode};
/// // It can always start again.
/// let mut builder = CtlBuilder::new();
/// let start = builder.atom("start");
/// let possible = builder.exists_finally(start);
/// let always = builder.all_globally(possible);
/// let formula = builder.finish(always);
/// assert_eq!(formula.atoms(), ["start"]);
/// assert!(matches!(formula.node(formula.root()), CtlNode::Not(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ctl<A> {
    atoms: Vec<A>,
    nodes: Vec<CtlNode>,
}

impl<A> Ctl<A> {
    /// Its atoms.
    pub fn atoms(&self) -> &[A] {
        &self.atoms
    }
    /// Its nodes, each after those it is made of; the last one is the formula.
    pub fn nodes(&self) -> &[CtlNode] {
        &self.nodes
    }
    /// The formula itself.
    pub fn root(&self) -> CtlId {
        CtlId(self.nodes.len() as u32 - 1)
    }
    /// What stands at a place.
    pub fn node(&self, id: CtlId) -> CtlNode {
        self.nodes[id.index()]
    }
    /// The same formula over other atoms, if there is one for each.
    pub fn try_map<B, E>(&self, to: impl FnMut(&A) -> Result<B, E>) -> Result<Ctl<B>, E> {
        let atoms = self.atoms.iter().map(to).collect::<Result<_, E>>()?;
        Ok(Ctl { atoms, nodes: self.nodes.clone() })
    }
}

/// Makes formulas of parts; equal parts are one.
#[derive(Clone, Debug)]
pub struct CtlBuilder<A> {
    atoms: Vec<A>,
    nodes: Vec<CtlNode>,
    known: FxHashMap<CtlNode, CtlId>,
}

impl<A: Clone + PartialEq> Default for CtlBuilder<A> {
    fn default() -> CtlBuilder<A> {
        CtlBuilder::new()
    }
}

impl<A: Clone + PartialEq> CtlBuilder<A> {
    /// With nothing in it.
    pub fn new() -> CtlBuilder<A> {
        CtlBuilder { atoms: Vec::new(), nodes: Vec::new(), known: FxHashMap::default() }
    }
    fn push(&mut self, node: CtlNode) -> CtlId {
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            CtlId(self.nodes.len() as u32 - 1)
        })
    }
    /// True or false.
    pub fn constant(&mut self, value: bool) -> CtlId {
        let truth = self.push(CtlNode::True);
        if value { truth } else { self.not(truth) }
    }
    /// What holds in a state.
    pub fn atom(&mut self, atom: A) -> CtlId {
        let number = self.atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        });
        self.push(CtlNode::Atom(number as u32))
    }
    /// `! a`.
    pub fn not(&mut self, a: CtlId) -> CtlId {
        match self.nodes[a.index()] {
            CtlNode::Not(inner) => inner,
            _ => self.push(CtlNode::Not(a)),
        }
    }
    /// `a & b`.
    pub fn and(&mut self, a: CtlId, b: CtlId) -> CtlId {
        let truth = self.constant(true);
        let lie = self.constant(false);
        if a == lie || b == lie || a == self.not(b) {
            lie
        } else if a == truth || a == b {
            b
        } else if b == truth {
            a
        } else {
            self.push(CtlNode::And(a.min(b), a.max(b)))
        }
    }
    /// `a | b`.
    pub fn or(&mut self, a: CtlId, b: CtlId) -> CtlId {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and(not_a, not_b);
        self.not(neither)
    }
    /// `a -> b`.
    pub fn implies(&mut self, a: CtlId, b: CtlId) -> CtlId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }
    /// `a <-> b`.
    pub fn iff(&mut self, a: CtlId, b: CtlId) -> CtlId {
        let (there, back) = (self.implies(a, b), self.implies(b, a));
        self.and(there, back)
    }
    /// `EX a`: in some next state.
    pub fn exists_next(&mut self, a: CtlId) -> CtlId {
        self.push(CtlNode::ExistsNext(a))
    }
    /// `AX a`: in all next states.
    pub fn all_next(&mut self, a: CtlId) -> CtlId {
        self.dual(a, CtlBuilder::exists_next)
    }
    /// `E [a U b]`: on some path `b` some time, and `a` until then.
    pub fn exists_until(&mut self, a: CtlId, b: CtlId) -> CtlId {
        self.push(CtlNode::ExistsUntil(a, b))
    }
    /// `A [a U b]`: on all paths `b` some time, and `a` until then.
    pub fn all_until(&mut self, a: CtlId, b: CtlId) -> CtlId {
        // Some path has `b` never, or neither of the two before it has `b`.
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and(not_a, not_b);
        let too_early = self.exists_until(not_b, neither);
        let never = self.exists_globally(not_b);
        let otherwise = self.or(too_early, never);
        self.not(otherwise)
    }
    /// `EF a`: on some path some time.
    pub fn exists_finally(&mut self, a: CtlId) -> CtlId {
        let truth = self.constant(true);
        self.exists_until(truth, a)
    }
    /// `AF a`: on all paths some time.
    pub fn all_finally(&mut self, a: CtlId) -> CtlId {
        self.dual(a, CtlBuilder::exists_globally)
    }
    /// `EG a`: on some path always.
    pub fn exists_globally(&mut self, a: CtlId) -> CtlId {
        self.push(CtlNode::ExistsGlobally(a))
    }
    /// `AG a`: on all paths always.
    pub fn all_globally(&mut self, a: CtlId) -> CtlId {
        self.dual(a, CtlBuilder::exists_finally)
    }
    /// `EBF from..to a`: on some path in some state from `from` to `to` steps later. As many nodes as `to`.
    pub fn exists_finally_within(&mut self, from: u32, to: u32, a: CtlId) -> CtlId {
        self.within(from, to, a, CtlBuilder::or, CtlBuilder::exists_next)
    }
    /// `ABF from..to a`: on all paths in some state from `from` to `to` steps later. As many nodes as `to`.
    pub fn all_finally_within(&mut self, from: u32, to: u32, a: CtlId) -> CtlId {
        self.within(from, to, a, CtlBuilder::or, CtlBuilder::all_next)
    }
    /// `EBG from..to a`: on some path in all states from `from` to `to` steps later. As many nodes as `to`.
    pub fn exists_globally_within(&mut self, from: u32, to: u32, a: CtlId) -> CtlId {
        self.within(from, to, a, CtlBuilder::and, CtlBuilder::exists_next)
    }
    /// `ABG from..to a`: on all paths in all states from `from` to `to` steps later. As many nodes as `to`.
    pub fn all_globally_within(&mut self, from: u32, to: u32, a: CtlId) -> CtlId {
        self.within(from, to, a, CtlBuilder::and, CtlBuilder::all_next)
    }
    /// `E [a BU from..to b]`: on some path `b` in some state from `from` to `to` steps later, and `a` until then. As many nodes as `to`.
    pub fn exists_until_within(&mut self, from: u32, to: u32, a: CtlId, b: CtlId) -> CtlId {
        self.until_within(from, to, a, b, CtlBuilder::exists_next)
    }
    /// `A [a BU from..to b]`: on all paths `b` in some state from `from` to `to` steps later, and `a` until then. As many nodes as `to`.
    pub fn all_until_within(&mut self, from: u32, to: u32, a: CtlId, b: CtlId) -> CtlId {
        self.until_within(from, to, a, b, CtlBuilder::all_next)
    }
    fn dual(&mut self, a: CtlId, operator: fn(&mut Self, CtlId) -> CtlId) -> CtlId {
        let not_a = self.not(a);
        let otherwise = operator(self, not_a);
        self.not(otherwise)
    }
    fn within(
        &mut self,
        from: u32,
        to: u32,
        a: CtlId,
        join: fn(&mut Self, CtlId, CtlId) -> CtlId,
        step: fn(&mut Self, CtlId) -> CtlId,
    ) -> CtlId {
        let mut formula = a;
        for _ in from..to {
            let later = step(self, formula);
            formula = join(self, a, later);
        }
        (0..from).fold(formula, |formula, _| step(self, formula))
    }
    fn until_within(
        &mut self,
        from: u32,
        to: u32,
        a: CtlId,
        b: CtlId,
        step: fn(&mut Self, CtlId) -> CtlId,
    ) -> CtlId {
        let mut formula = b;
        for _ in from..to {
            let later = step(self, formula);
            let goes_on = self.and(a, later);
            formula = self.or(b, goes_on);
        }
        for _ in 0..from {
            let later = step(self, formula);
            formula = self.and(a, later);
        }
        formula
    }
    /// The formula at a place, with nothing beside it.
    pub fn finish(&self, root: CtlId) -> Ctl<A> {
        let mut is_part = vec![false; root.index() + 1];
        is_part[root.index()] = true;
        for index in (0..=root.index()).rev() {
            if is_part[index] {
                self.nodes[index].children().for_each(|child| is_part[child.index()] = true);
            }
        }
        let (mut atoms, mut nodes) = (Vec::new(), Vec::new());
        let mut place = vec![CtlId(0); root.index() + 1];
        for index in (0..=root.index()).filter(|&index| is_part[index]) {
            place[index] = CtlId(nodes.len() as u32);
            let at = |child: CtlId| place[child.index()];
            nodes.push(match self.nodes[index] {
                CtlNode::True => CtlNode::True,
                CtlNode::Atom(number) => {
                    atoms.push(self.atoms[number as usize].clone());
                    CtlNode::Atom(atoms.len() as u32 - 1)
                }
                CtlNode::Not(a) => CtlNode::Not(at(a)),
                CtlNode::And(a, b) => CtlNode::And(at(a), at(b)),
                CtlNode::ExistsNext(a) => CtlNode::ExistsNext(at(a)),
                CtlNode::ExistsUntil(a, b) => CtlNode::ExistsUntil(at(a), at(b)),
                CtlNode::ExistsGlobally(a) => CtlNode::ExistsGlobally(at(a)),
            });
        }
        Ctl { atoms, nodes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_made_of_three() {
        let mut builder = CtlBuilder::new();
        let (a, b) = (builder.atom('a'), builder.atom('b'));
        let always = builder.all_globally(a);
        let not_a = builder.not(a);
        let some_time = builder.exists_finally(not_a);
        assert_eq!(always, builder.not(some_time));
        let until = builder.all_until(a, b);
        let formula = builder.finish(until);
        assert_eq!(formula.atoms(), ['a', 'b']);
        let n = |is: fn(&CtlNode) -> bool| formula.nodes().iter().filter(|node| is(node)).count();
        assert_eq!(n(|node| matches!(node, CtlNode::ExistsUntil(..))), 1);
        assert_eq!(n(|node| matches!(node, CtlNode::ExistsGlobally(_))), 1);
    }

    #[test]
    fn bounds_count_steps() {
        let mut builder = CtlBuilder::new();
        let (a, b) = (builder.atom('a'), builder.atom('b'));
        let next = builder.exists_next(a);
        assert_eq!(builder.exists_finally_within(1, 1, a), next);
        let now_or_next = builder.or(a, next);
        assert_eq!(builder.exists_finally_within(0, 1, a), now_or_next);
        let later = builder.exists_next(b);
        let first = builder.and(a, later);
        assert_eq!(builder.exists_until_within(1, 1, a, b), first);
    }
}
