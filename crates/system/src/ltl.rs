//! Formulas of linear temporal logic with past (Pnueli, *The temporal logic of programs*, FOCS 1977; Lichtenstein, Pnueli, Zuck, *The glory of the past*,
//! Logics of Programs 1985).
//!
//! A formula is a list of nodes, each after those it is made of, and each once; the last one is the formula. There are few operators: the others are made of them
//! by [`LtlBuilder`].

use rustc_hash::FxHashMap;

/// The place of a node in its formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LtlId(u32);

impl LtlId {
    /// Its position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LtlNode {
    /// Always true.
    True,
    /// The atom with this number: a formula about one step.
    Atom(u32),
    /// It is not so.
    Not(LtlId),
    /// Both.
    And(LtlId, LtlId),
    /// In the next step.
    Next(LtlId),
    /// The second one some time, and the first one in all steps before that.
    Until(LtlId, LtlId),
    /// In the step before, and there is one.
    Yesterday(LtlId),
    /// The second one in some step up to now, and the first one in all steps after that.
    Since(LtlId, LtlId),
}

impl LtlNode {
    /// The nodes that it is made of.
    pub fn children(self) -> impl Iterator<Item = LtlId> {
        let (first, second) = match self {
            LtlNode::True | LtlNode::Atom(_) => (None, None),
            LtlNode::Not(a) | LtlNode::Next(a) | LtlNode::Yesterday(a) => (Some(a), None),
            LtlNode::And(a, b) | LtlNode::Until(a, b) | LtlNode::Since(a, b) => (Some(a), Some(b)),
        };
        first.into_iter().chain(second)
    }
    fn mapped(self, to: impl Fn(LtlId) -> LtlId) -> LtlNode {
        match self {
            LtlNode::True | LtlNode::Atom(_) => self,
            LtlNode::Not(a) => LtlNode::Not(to(a)),
            LtlNode::Next(a) => LtlNode::Next(to(a)),
            LtlNode::Yesterday(a) => LtlNode::Yesterday(to(a)),
            LtlNode::And(a, b) => LtlNode::And(to(a), to(b)),
            LtlNode::Until(a, b) => LtlNode::Until(to(a), to(b)),
            LtlNode::Since(a, b) => LtlNode::Since(to(a), to(b)),
        }
    }
}

/// A formula over atoms, which are edges of a circuit or terms.
///
/// Invariant: a node is made of nodes before it; no two are equal; the last one is the formula, which all others are a part of.
///
/// ```
/// use indubit_system::LtlBuilder;
/// // Who asks is answered some time.
/// let mut builder = LtlBuilder::new();
/// let (asked, answered) = (builder.atom("asked"), builder.atom("answered"));
/// let some_time = builder.finally(answered);
/// let response = builder.implies(asked, some_time);
/// let always = builder.globally(response);
/// let formula = builder.finish(always);
/// assert_eq!(formula.atoms(), ["asked", "answered"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ltl<A> {
    atoms: Vec<A>,
    nodes: Vec<LtlNode>,
}

impl<A> Ltl<A> {
    /// Its atoms.
    pub fn atoms(&self) -> &[A] {
        &self.atoms
    }
    /// Its nodes, each after those it is made of; the last one is the formula.
    pub fn nodes(&self) -> &[LtlNode] {
        &self.nodes
    }
    /// The formula itself.
    pub fn root(&self) -> LtlId {
        LtlId(self.nodes.len() as u32 - 1)
    }
    /// What stands at a place.
    pub fn node(&self, id: LtlId) -> LtlNode {
        self.nodes[id.index()]
    }
    /// All places, each after those of the nodes it is made of.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = LtlId> + use<A> {
        (0..self.nodes.len() as u32).map(LtlId)
    }
    /// The same formula over other atoms.
    pub fn map<B>(&self, to: impl FnMut(&A) -> B) -> Ltl<B> {
        Ltl { atoms: self.atoms.iter().map(to).collect(), nodes: self.nodes.clone() }
    }
    /// The same formula over other atoms, if there is one for each.
    pub fn try_map<B, E>(&self, to: impl FnMut(&A) -> Result<B, E>) -> Result<Ltl<B>, E> {
        let atoms = self.atoms.iter().map(to).collect::<Result<_, E>>()?;
        Ok(Ltl { atoms, nodes: self.nodes.clone() })
    }
}

/// Makes formulas of parts; equal parts are one.
#[derive(Clone, Debug)]
pub struct LtlBuilder<A> {
    atoms: Vec<A>,
    nodes: Vec<LtlNode>,
    known: FxHashMap<LtlNode, LtlId>,
}

impl<A: Clone + PartialEq> Default for LtlBuilder<A> {
    fn default() -> LtlBuilder<A> {
        LtlBuilder::new()
    }
}

impl<A: Clone + PartialEq> LtlBuilder<A> {
    /// With nothing in it.
    pub fn new() -> LtlBuilder<A> {
        LtlBuilder { atoms: Vec::new(), nodes: Vec::new(), known: FxHashMap::default() }
    }
    fn push(&mut self, node: LtlNode) -> LtlId {
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            LtlId(self.nodes.len() as u32 - 1)
        })
    }
    /// How many nodes there are.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }
    /// True or false.
    pub fn constant(&mut self, value: bool) -> LtlId {
        let truth = self.push(LtlNode::True);
        if value { truth } else { self.not(truth) }
    }
    /// What holds in a step.
    pub fn atom(&mut self, atom: A) -> LtlId {
        let number = self.atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
            self.atoms.push(atom);
            self.atoms.len() - 1
        });
        self.push(LtlNode::Atom(number as u32))
    }
    /// `! a`.
    pub fn not(&mut self, a: LtlId) -> LtlId {
        match self.nodes[a.index()] {
            LtlNode::Not(inner) => inner,
            _ => self.push(LtlNode::Not(a)),
        }
    }
    /// `a & b`.
    pub fn and(&mut self, a: LtlId, b: LtlId) -> LtlId {
        let truth = self.constant(true);
        let lie = self.constant(false);
        if a == lie || b == lie || a == self.not(b) {
            lie
        } else if a == truth || a == b {
            b
        } else if b == truth {
            a
        } else {
            self.push(LtlNode::And(a.min(b), a.max(b)))
        }
    }
    /// `a | b`.
    pub fn or(&mut self, a: LtlId, b: LtlId) -> LtlId {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and(not_a, not_b);
        self.not(neither)
    }
    /// `a -> b`.
    pub fn implies(&mut self, a: LtlId, b: LtlId) -> LtlId {
        let not_a = self.not(a);
        self.or(not_a, b)
    }
    /// `a <-> b`.
    pub fn iff(&mut self, a: LtlId, b: LtlId) -> LtlId {
        let (there, back) = (self.implies(a, b), self.implies(b, a));
        self.and(there, back)
    }
    /// `X a`: in the next step.
    pub fn next(&mut self, a: LtlId) -> LtlId {
        self.push(LtlNode::Next(a))
    }
    /// `a U b`: `b` some time, and `a` until then.
    pub fn until(&mut self, a: LtlId, b: LtlId) -> LtlId {
        self.push(LtlNode::Until(a, b))
    }
    /// `a V b`, the dual of *until*: `b` up to and including the step, if there is one, in which `a` holds, too.
    pub fn release(&mut self, a: LtlId, b: LtlId) -> LtlId {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let until = self.until(not_a, not_b);
        self.not(until)
    }
    /// `F a`: some time.
    pub fn finally(&mut self, a: LtlId) -> LtlId {
        let truth = self.constant(true);
        self.until(truth, a)
    }
    /// `G a`: from now on always.
    pub fn globally(&mut self, a: LtlId) -> LtlId {
        let not_a = self.not(a);
        let some_time = self.finally(not_a);
        self.not(some_time)
    }
    /// `Y a`: in the step before, and there is one.
    pub fn yesterday(&mut self, a: LtlId) -> LtlId {
        self.push(LtlNode::Yesterday(a))
    }
    /// `Z a`: in the step before, if there is one.
    pub fn weak_yesterday(&mut self, a: LtlId) -> LtlId {
        let not_a = self.not(a);
        let yesterday = self.yesterday(not_a);
        self.not(yesterday)
    }
    /// `a S b`: `b` in some step up to now, and `a` since then.
    pub fn since(&mut self, a: LtlId, b: LtlId) -> LtlId {
        self.push(LtlNode::Since(a, b))
    }
    /// `a T b`, the dual of *since*: `b` since and including the last step, if there is one, in which `a` held, too.
    pub fn triggered(&mut self, a: LtlId, b: LtlId) -> LtlId {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let since = self.since(not_a, not_b);
        self.not(since)
    }
    /// `O a`: in some step up to now.
    pub fn once(&mut self, a: LtlId) -> LtlId {
        let truth = self.constant(true);
        self.since(truth, a)
    }
    /// `H a`: in all steps up to now.
    pub fn historically(&mut self, a: LtlId) -> LtlId {
        let not_a = self.not(a);
        let once = self.once(not_a);
        self.not(once)
    }
    /// `F [from, to] a`: in some step from `from` to `to` steps later. As many nodes as `to`.
    pub fn finally_within(&mut self, from: u32, to: u32, a: LtlId) -> LtlId {
        self.within(from, to, a, LtlBuilder::next)
    }
    /// `G [from, to] a`: in all steps from `from` to `to` steps later. As many nodes as `to`.
    pub fn globally_within(&mut self, from: u32, to: u32, a: LtlId) -> LtlId {
        let not_a = self.not(a);
        let some_time = self.finally_within(from, to, not_a);
        self.not(some_time)
    }
    /// `O [from, to] a`: in some step from `from` to `to` steps ago. As many nodes as `to`.
    pub fn once_within(&mut self, from: u32, to: u32, a: LtlId) -> LtlId {
        self.within(from, to, a, LtlBuilder::yesterday)
    }
    /// `H [from, to] a`: in all steps from `from` to `to` steps ago, which there are, as NuSMV has it. As many nodes as `to`.
    pub fn historically_within(&mut self, from: u32, to: u32, a: LtlId) -> LtlId {
        if to < from {
            return self.constant(true);
        }
        let mut formula = a;
        for _ in from..to {
            let before = self.yesterday(formula);
            formula = self.and(a, before);
        }
        (0..from).fold(formula, |formula, _| self.yesterday(formula))
    }
    fn within(&mut self, from: u32, to: u32, a: LtlId, step: fn(&mut Self, LtlId) -> LtlId) -> LtlId {
        if to < from {
            return self.constant(false);
        }
        let mut formula = a;
        for _ in from..to {
            let later = step(self, formula);
            formula = self.or(a, later);
        }
        (0..from).fold(formula, |formula, _| step(self, formula))
    }
    /// The formula at a place, with nothing beside it.
    pub fn finish(&self, root: LtlId) -> Ltl<A> {
        let mut is_part = vec![false; root.index() + 1];
        is_part[root.index()] = true;
        for index in (0..=root.index()).rev().filter(|&index| self.nodes[index] != LtlNode::True) {
            if is_part[index] {
                self.nodes[index].children().for_each(|child| is_part[child.index()] = true);
            }
        }
        let (mut atoms, mut nodes) = (Vec::new(), Vec::new());
        let mut place = vec![LtlId(0); root.index() + 1];
        for index in (0..=root.index()).filter(|&index| is_part[index]) {
            place[index] = LtlId(nodes.len() as u32);
            nodes.push(match self.nodes[index] {
                LtlNode::Atom(number) => {
                    atoms.push(self.atoms[number as usize].clone());
                    LtlNode::Atom(atoms.len() as u32 - 1)
                }
                node => node.mapped(|child| place[child.index()]),
            });
        }
        Ltl { atoms, nodes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_built_once_and_what_is_beside_is_left_out() {
        let mut builder = LtlBuilder::new();
        let (a, b) = (builder.atom("a"), builder.atom("b"));
        let beside = builder.next(b);
        let (once, twice) = (builder.globally(a), builder.globally(a));
        assert_eq!(once, twice);
        let formula = builder.finish(once);
        assert_eq!(formula.atoms(), ["a"]);
        assert_eq!(formula.node(formula.root()), LtlNode::Not(LtlId(formula.root().0 - 1)));
        assert_eq!(builder.finish(beside).nodes().len(), 2);
        let lengths = formula.try_map(|name| Ok::<usize, ()>(name.len()));
        assert_eq!(lengths.map(|formula| formula.atoms().to_vec()), Ok(vec![1]));
    }

    #[test]
    fn what_says_nothing_is_simplified() {
        let mut builder = LtlBuilder::new();
        let a = builder.atom('a');
        let not_a = builder.not(a);
        let (truth, lie) = (builder.constant(true), builder.constant(false));
        assert_eq!(builder.and(a, not_a), lie);
        assert_eq!(builder.or(a, not_a), truth);
        assert_eq!(builder.and(truth, a), a);
        assert_eq!(builder.implies(lie, a), truth);
        assert_eq!(builder.not(not_a), a);
    }

    #[test]
    fn bounds_count_steps() {
        let mut builder = LtlBuilder::new();
        let a = builder.atom('a');
        let next = builder.next(a);
        assert_eq!(builder.finally_within(0, 0, a), a);
        assert_eq!(builder.globally_within(1, 1, a), {
            let not_a = builder.not(a);
            let next = builder.next(not_a);
            builder.not(next)
        });
        let now_or_next = builder.or(a, next);
        assert_eq!(builder.finally_within(0, 1, a), now_or_next);
        let later = builder.next(now_or_next);
        assert_eq!(builder.finally_within(1, 2, a), later);
        assert_eq!(builder.once_within(2, 1, a), builder.constant(false));
        let yesterday = builder.yesterday(a);
        assert_eq!(builder.once_within(1, 1, a), yesterday);
        assert_eq!(builder.historically_within(1, 1, a), yesterday);
        let both = builder.and(a, yesterday);
        assert_eq!(builder.historically_within(0, 1, a), both);
    }
}
