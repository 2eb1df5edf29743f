//! Formulas of temporal logics: what linear and branching time have in common.
//!
//! A formula is a list of nodes, each after those it is made of, and each once; the last one is the formula. Each logic has an enumeration of nodes; its operators beyond these are made of them by its builder.

use rustc_hash::FxHashMap;
use std::fmt::Debug;
use std::hash::Hash;

/// The place of a node in its formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// Its position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The nodes of a logic: what all of them have, and what each is made of.
pub trait FormulaNode: Copy + Debug + Eq + Hash {
    /// Always true.
    const TRUE: Self;
    /// The atom with this number.
    fn atom(number: u32) -> Self;
    /// It is not so.
    fn not(a: NodeId) -> Self;
    /// Both.
    fn and(a: NodeId, b: NodeId) -> Self;
    /// The number of the atom, if it is one.
    fn as_atom(self) -> Option<u32>;
    /// What it negates, if it does.
    fn as_not(self) -> Option<NodeId>;
    /// The same node in a builder that has what it is made of, simplified as the builder does.
    fn build<A: Clone + PartialEq>(self, builder: &mut FormulaBuilder<A, Self>) -> NodeId;
    /// The same node, made of others.
    fn mapped(self, to: &mut dyn FnMut(NodeId) -> NodeId) -> Self;
    /// The nodes that it is made of.
    fn children(self) -> impl Iterator<Item = NodeId> {
        let (mut parts, mut n) = ([NodeId(0); 2], 0);
        self.mapped(&mut |part| {
            parts[n] = part;
            n += 1;
            part
        });
        parts.into_iter().take(n)
    }
}

/// A formula over atoms, which are edges of a circuit or terms.
///
/// Invariant: a node is made of nodes before it, of two at most; no two are equal; the last one is the formula, which all others are a part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula<A, N> {
    atoms: Vec<A>,
    nodes: Vec<N>,
}

impl<A, N: FormulaNode> Formula<A, N> {
    /// Its atoms.
    pub fn atoms(&self) -> &[A] {
        &self.atoms
    }
    /// Its nodes, each after those it is made of; the last one is the formula.
    pub fn nodes(&self) -> &[N] {
        &self.nodes
    }
    /// The formula itself.
    pub fn root(&self) -> NodeId {
        NodeId(self.nodes.len() as u32 - 1)
    }
    /// What stands at a place.
    pub fn node(&self, id: NodeId) -> N {
        self.nodes[id.index()]
    }
    /// All places, each after those of the nodes it is made of.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<A, N> {
        (0..self.nodes.len() as u32).map(NodeId)
    }
    /// The same formula over other atoms.
    pub fn map<B>(&self, to: impl FnMut(&A) -> B) -> Formula<B, N> {
        Formula { atoms: self.atoms.iter().map(to).collect(), nodes: self.nodes.clone() }
    }
    /// The same formula over other atoms, if there is one for each.
    pub fn try_map<B, E>(&self, to: impl FnMut(&A) -> Result<B, E>) -> Result<Formula<B, N>, E> {
        let atoms = self.atoms.iter().map(to).collect::<Result<_, E>>()?;
        Ok(Formula { atoms, nodes: self.nodes.clone() })
    }
}

/// Makes formulas of parts; equal parts are one.
#[derive(Clone, Debug)]
pub struct FormulaBuilder<A, N> {
    atoms: Vec<A>,
    nodes: Vec<N>,
    known: FxHashMap<N, NodeId>,
}

impl<A: Clone + PartialEq, N: FormulaNode> Default for FormulaBuilder<A, N> {
    fn default() -> FormulaBuilder<A, N> {
        FormulaBuilder::new()
    }
}

impl<A: Clone + PartialEq, N: FormulaNode> FormulaBuilder<A, N> {
    /// With nothing in it.
    pub fn new() -> FormulaBuilder<A, N> {
        FormulaBuilder { atoms: Vec::new(), nodes: Vec::new(), known: FxHashMap::default() }
    }
    pub(crate) fn push(&mut self, node: N) -> NodeId {
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            NodeId(self.nodes.len() as u32 - 1)
        })
    }
    /// True or false.
    pub fn constant(&mut self, value: bool) -> NodeId {
        let truth = self.push(N::TRUE);
        if value { truth } else { self.not(truth) }
    }
    /// What holds at a moment.
    pub fn atom(&mut self, atom: A) -> NodeId {
        let number = self.atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        });
        self.push(N::atom(number as u32))
    }
    /// `! a`.
    pub fn not(&mut self, a: NodeId) -> NodeId {
        self.nodes[a.index()].as_not().unwrap_or_else(|| self.push(N::not(a)))
    }
    /// `a & b`.
    pub fn and(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let truth = self.constant(true);
        let lie = self.constant(false);
        if a == lie || b == lie || a == self.not(b) {
            lie
        } else if a == truth || a == b {
            b
        } else if b == truth {
            a
        } else {
            self.push(N::and(a.min(b), a.max(b)))
        }
    }
    /// `a | b`.
    pub fn or(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and(not_a, not_b);
        self.not(neither)
    }
    /// `a -> b`.
    pub fn implies(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }
    /// `a <-> b`.
    pub fn iff(&mut self, a: NodeId, b: NodeId) -> NodeId {
        let (there, back) = (self.implies(a, b), self.implies(b, a));
        self.and(there, back)
    }
    /// The truth value that it is, if it is one.
    pub fn as_constant(&self, a: NodeId) -> Option<bool> {
        let node = |id: NodeId| self.nodes[id.index()];
        match node(a).as_not() {
            None => (node(a) == N::TRUE).then_some(true),
            Some(inner) => (node(inner) == N::TRUE).then_some(false),
        }
    }
    /// `! operator ! a`.
    pub(crate) fn dual(&mut self, a: NodeId, operator: fn(&mut Self, NodeId) -> NodeId) -> NodeId {
        let not_a = self.not(a);
        let otherwise = operator(self, not_a);
        self.not(otherwise)
    }
    /// What holds from `from` to `to` steps away: joined, one step after the other.
    pub(crate) fn within(
        &mut self,
        (from, to): (u32, u32),
        a: NodeId,
        join: fn(&mut Self, NodeId, NodeId) -> NodeId,
        step: fn(&mut Self, NodeId) -> NodeId,
    ) -> NodeId {
        let mut formula = a;
        for _ in from..to {
            let later = step(self, formula);
            formula = join(self, a, later);
        }
        (0..from).fold(formula, |formula, _| step(self, formula))
    }
    /// All of another formula, simplified; what stands for an atom of it is up to the caller.
    pub fn add<B>(
        &mut self,
        formula: &Formula<B, N>,
        mut atom: impl FnMut(&mut Self, &B) -> NodeId,
    ) -> NodeId {
        let mut places: Vec<NodeId> = Vec::with_capacity(formula.nodes.len());
        for node in &formula.nodes {
            let place = match node.as_atom() {
                Some(number) => atom(self, &formula.atoms[number as usize]),
                None => node.mapped(&mut |part| places[part.index()]).build(self),
            };
            places.push(place);
        }
        *places.last().expect("a formula has a root")
    }
    /// The formula at a place, with nothing beside it.
    pub fn finish(&self, root: NodeId) -> Formula<A, N> {
        let mut is_part = vec![false; root.index() + 1];
        is_part[root.index()] = true;
        for index in (0..=root.index()).rev() {
            if is_part[index] {
                self.nodes[index].children().for_each(|child| is_part[child.index()] = true);
            }
        }
        let (mut atoms, mut nodes) = (Vec::new(), Vec::new());
        let mut place = vec![NodeId(0); root.index() + 1];
        for index in (0..=root.index()).filter(|&index| is_part[index]) {
            place[index] = NodeId(nodes.len() as u32);
            nodes.push(match self.nodes[index].as_atom() {
                Some(number) => {
                    atoms.push(self.atoms[number as usize].clone());
                    N::atom(atoms.len() as u32 - 1)
                }
                None => self.nodes[index].mapped(&mut |child| place[child.index()]),
            });
        }
        Formula { atoms, nodes }
    }
}
