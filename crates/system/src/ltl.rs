//! Formulas of linear temporal logic with past (Pnueli, *The temporal logic of programs*, FOCS 1977; Lichtenstein, Pnueli, Zuck, *The glory of the past*,
//! Logics of Programs 1985).
//!
//! A formula is a list of nodes, each after those it is made of, and each once; the last one is the formula. There are few operators: the others are made of them
//! by [`LtlBuilder`].

use crate::formula::{Formula, FormulaBuilder, FormulaNode, NodeId};

/// The place of a node in its formula.
pub type LtlId = NodeId;

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

impl FormulaNode for LtlNode {
    const TRUE: LtlNode = LtlNode::True;

    fn atom(number: u32) -> LtlNode {
        LtlNode::Atom(number)
    }
    fn not(a: LtlId) -> LtlNode {
        LtlNode::Not(a)
    }
    fn and(a: LtlId, b: LtlId) -> LtlNode {
        LtlNode::And(a, b)
    }
    fn as_atom(self) -> Option<u32> {
        if let LtlNode::Atom(number) = self { Some(number) } else { None }
    }
    fn as_not(self) -> Option<LtlId> {
        if let LtlNode::Not(a) = self { Some(a) } else { None }
    }
    fn build<A: Clone + PartialEq>(self, builder: &mut LtlBuilder<A>) -> LtlId {
        match self {
            LtlNode::True | LtlNode::Atom(_) => builder.push(self),
            LtlNode::Not(a) => builder.not(a),
            LtlNode::And(a, b) => builder.and(a, b),
            LtlNode::Next(a) => builder.next(a),
            LtlNode::Until(a, b) => builder.until(a, b),
            LtlNode::Yesterday(a) => builder.yesterday(a),
            LtlNode::Since(a, b) => builder.since(a, b),
        }
    }
    fn mapped(self, to: &mut dyn FnMut(LtlId) -> LtlId) -> LtlNode {
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

/// A formula of linear temporal logic.
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
pub type Ltl<A> = Formula<A, LtlNode>;

/// Makes formulas of linear temporal logic.
pub type LtlBuilder<A> = FormulaBuilder<A, LtlNode>;

impl<A: Clone + PartialEq> LtlBuilder<A> {
    /// `X a`: in the next step.
    pub fn next(&mut self, a: LtlId) -> LtlId {
        // Runs are infinite.
        if self.as_constant(a).is_some() { a } else { self.push(LtlNode::Next(a)) }
    }
    /// `a U b`: `b` some time, and `a` until then.
    pub fn until(&mut self, a: LtlId, b: LtlId) -> LtlId {
        match (self.as_constant(a), self.as_constant(b)) {
            (_, Some(_)) | (Some(false), _) => b,
            _ => self.push(LtlNode::Until(a, b)),
        }
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
        self.dual(a, LtlBuilder::finally)
    }
    /// `Y a`: in the step before, and there is one.
    pub fn yesterday(&mut self, a: LtlId) -> LtlId {
        // The first step has none before it, so this is not so of what is true.
        if self.as_constant(a) == Some(false) { a } else { self.push(LtlNode::Yesterday(a)) }
    }
    /// `Z a`: in the step before, if there is one.
    pub fn weak_yesterday(&mut self, a: LtlId) -> LtlId {
        self.dual(a, LtlBuilder::yesterday)
    }
    /// `a S b`: `b` in some step up to now, and `a` since then.
    pub fn since(&mut self, a: LtlId, b: LtlId) -> LtlId {
        match (self.as_constant(a), self.as_constant(b)) {
            (_, Some(_)) | (Some(false), _) => b,
            _ => self.push(LtlNode::Since(a, b)),
        }
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
        self.dual(a, LtlBuilder::once)
    }
    /// `F [from, to] a`: in some step from `from` to `to` steps later. As many nodes as `to`.
    pub fn finally_within(&mut self, from: u32, to: u32, a: LtlId) -> LtlId {
        if to < from {
            return self.constant(false);
        }
        self.within((from, to), a, LtlBuilder::or, LtlBuilder::next)
    }
    /// `G [from, to] a`: in all steps from `from` to `to` steps later. As many nodes as `to`.
    pub fn globally_within(&mut self, from: u32, to: u32, a: LtlId) -> LtlId {
        let not_a = self.not(a);
        let some_time = self.finally_within(from, to, not_a);
        self.not(some_time)
    }
    /// `O [from, to] a`: in some step from `from` to `to` steps ago. As many nodes as `to`.
    pub fn once_within(&mut self, from: u32, to: u32, a: LtlId) -> LtlId {
        if to < from {
            return self.constant(false);
        }
        self.within((from, to), a, LtlBuilder::or, LtlBuilder::yesterday)
    }
    /// `H [from, to] a`: in all steps from `from` to `to` steps ago, which there are, as NuSMV has it. As many nodes as `to`.
    pub fn historically_within(&mut self, from: u32, to: u32, a: LtlId) -> LtlId {
        if to < from {
            return self.constant(true);
        }
        self.within((from, to), a, LtlBuilder::and, LtlBuilder::yesterday)
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
        assert!(
            matches!(formula.node(formula.root()), LtlNode::Not(a) if a.index() + 1 == formula.root().index())
        );
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
        for constant in [truth, lie] {
            assert_eq!(builder.next(constant), constant);
            assert_eq!(builder.until(a, constant), constant);
            assert_eq!(builder.since(a, constant), constant);
            assert_eq!(builder.globally(constant), constant);
            assert_eq!(builder.historically(constant), constant);
        }
        assert_eq!((builder.until(lie, a), builder.since(lie, a)), (a, a));
        assert_eq!(builder.yesterday(lie), lie);
        assert_eq!(builder.weak_yesterday(truth), truth);
        assert_ne!(builder.yesterday(truth), truth);
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
