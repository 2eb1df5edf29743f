//! Formulas of computation tree logic (Clarke, Emerson, *Design and synthesis of synchronization skeletons using branching-time temporal logic*, Logics of
//! Programs 1981).
//!
//! A formula is a list of nodes, each after those it is made of, and each once; the last one is the formula. All operators are made of `EX`, `EU` and `EG`
//! by [`CtlBuilder`], which is right with fairness, too: these three are about fair paths.

use crate::formula::{Formula, FormulaBuilder, FormulaNode, NodeId};

/// The place of a node in its formula.
pub type CtlId = NodeId;

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

impl FormulaNode for CtlNode {
    const TRUE: CtlNode = CtlNode::True;

    fn atom(number: u32) -> CtlNode {
        CtlNode::Atom(number)
    }
    fn not(a: CtlId) -> CtlNode {
        CtlNode::Not(a)
    }
    fn and(a: CtlId, b: CtlId) -> CtlNode {
        CtlNode::And(a, b)
    }
    fn as_atom(self) -> Option<u32> {
        if let CtlNode::Atom(number) = self { Some(number) } else { None }
    }
    fn as_not(self) -> Option<CtlId> {
        if let CtlNode::Not(a) = self { Some(a) } else { None }
    }
    fn build<A: Clone + PartialEq>(self, builder: &mut CtlBuilder<A>) -> CtlId {
        match self {
            CtlNode::Not(a) => builder.not(a),
            CtlNode::And(a, b) => builder.and(a, b),
            other => builder.push(other),
        }
    }
    fn mapped(self, to: &mut dyn FnMut(CtlId) -> CtlId) -> CtlNode {
        match self {
            CtlNode::True | CtlNode::Atom(_) => self,
            CtlNode::Not(a) => CtlNode::Not(to(a)),
            CtlNode::ExistsNext(a) => CtlNode::ExistsNext(to(a)),
            CtlNode::ExistsGlobally(a) => CtlNode::ExistsGlobally(to(a)),
            CtlNode::And(a, b) => CtlNode::And(to(a), to(b)),
            CtlNode::ExistsUntil(a, b) => CtlNode::ExistsUntil(to(a), to(b)),
        }
    }
}

/// A formula of computation tree logic.
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
pub type Ctl<A> = Formula<A, CtlNode>;

/// Makes formulas of computation tree logic.
pub type CtlBuilder<A> = FormulaBuilder<A, CtlNode>;

impl<A: Clone + PartialEq> CtlBuilder<A> {
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
    /// `E [a R b]`: on some path `b` up to and including where `a` holds, or always.
    pub fn exists_release(&mut self, a: CtlId, b: CtlId) -> CtlId {
        let both = self.and(a, b);
        let until = self.exists_until(b, both);
        let always = self.exists_globally(b);
        self.or(until, always)
    }
    /// `A [a R b]`: on all paths `b` up to and including where `a` holds, or always.
    pub fn all_release(&mut self, a: CtlId, b: CtlId) -> CtlId {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let too_early = self.exists_until(not_a, not_b);
        self.not(too_early)
    }
    /// `E [a W b]`: on some path `a` until `b`, or always.
    pub fn exists_weak_until(&mut self, a: CtlId, b: CtlId) -> CtlId {
        let until = self.exists_until(a, b);
        let always = self.exists_globally(a);
        self.or(until, always)
    }
    /// `A [a W b]`: on all paths `a` until `b`, or always.
    pub fn all_weak_until(&mut self, a: CtlId, b: CtlId) -> CtlId {
        let (not_a, not_b) = (self.not(a), self.not(b));
        let neither = self.and(not_a, not_b);
        let too_early = self.exists_until(not_b, neither);
        self.not(too_early)
    }
    /// `EBF from..to a`: on some path in some state from `from` to `to` steps later. As many nodes as `to`.
    pub fn exists_finally_within(&mut self, from: u32, to: u32, a: CtlId) -> CtlId {
        self.within((from, to), a, CtlBuilder::or, CtlBuilder::exists_next)
    }
    /// `ABF from..to a`: on all paths in some state from `from` to `to` steps later. As many nodes as `to`.
    pub fn all_finally_within(&mut self, from: u32, to: u32, a: CtlId) -> CtlId {
        self.within((from, to), a, CtlBuilder::or, CtlBuilder::all_next)
    }
    /// `EBG from..to a`: on some path in all states from `from` to `to` steps later. As many nodes as `to`.
    pub fn exists_globally_within(&mut self, from: u32, to: u32, a: CtlId) -> CtlId {
        self.within((from, to), a, CtlBuilder::and, CtlBuilder::exists_next)
    }
    /// `ABG from..to a`: on all paths in all states from `from` to `to` steps later. As many nodes as `to`.
    pub fn all_globally_within(&mut self, from: u32, to: u32, a: CtlId) -> CtlId {
        self.within((from, to), a, CtlBuilder::and, CtlBuilder::all_next)
    }
    /// `E [a BU from..to b]`: on some path `b` in some state from `from` to `to` steps later, and `a` until then. As many nodes as `to`.
    pub fn exists_until_within(&mut self, from: u32, to: u32, a: CtlId, b: CtlId) -> CtlId {
        self.until_within(from, to, a, b, CtlBuilder::exists_next)
    }
    /// `A [a BU from..to b]`: on all paths `b` in some state from `from` to `to` steps later, and `a` until then. As many nodes as `to`.
    pub fn all_until_within(&mut self, from: u32, to: u32, a: CtlId, b: CtlId) -> CtlId {
        self.until_within(from, to, a, b, CtlBuilder::all_next)
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
