//! Formulas of linear temporal logic as text, with the operators that people use: nodes are few, and `G`, `V` or `->` are made of them by negations.

use indubit_system::{Ltl, LtlBuilder, LtlId, LtlNode, NodeId};
use indubit_term::Term;

/// An operator as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Constant(bool),
    Atom(u32),
    Not,
    And,
    Or,
    Implies,
    Iff,
    Next,
    Finally,
    Globally,
    Until,
    Release,
    Yesterday,
    WeakYesterday,
    Once,
    Historically,
    Since,
    Triggered,
}

/// How a node is written: an operator, and what it is applied to.
fn view<A>(formula: &Ltl<A>, id: LtlId) -> (Written, Vec<LtlId>) {
    let node = |id: LtlId| formula.node(id);
    let is_true = |id: LtlId| node(id) == LtlNode::True;
    let negated = |id: LtlId| if let LtlNode::Not(a) = node(id) { Some(a) } else { None };
    let both = |a: LtlId, b: LtlId| Some(vec![negated(a)?, negated(b)?]);
    match node(id) {
        LtlNode::True => (Written::Constant(true), Vec::new()),
        LtlNode::Atom(number) => (Written::Atom(number), Vec::new()),
        LtlNode::And(a, b) => match equivalence(formula, a, b) {
            Some(sides) => (Written::Iff, sides),
            None => (Written::And, vec![a, b]),
        },
        LtlNode::Next(a) => (Written::Next, vec![a]),
        LtlNode::Until(a, b) if is_true(a) => (Written::Finally, vec![b]),
        LtlNode::Until(a, b) => (Written::Until, vec![a, b]),
        LtlNode::Yesterday(a) => (Written::Yesterday, vec![a]),
        LtlNode::Since(a, b) if is_true(a) => (Written::Once, vec![b]),
        LtlNode::Since(a, b) => (Written::Since, vec![a, b]),
        LtlNode::Not(inner) => {
            let dual = match node(inner) {
                LtlNode::True => Some((Written::Constant(false), Vec::new())),
                LtlNode::Until(a, b) if is_true(a) => negated(b).map(|b| (Written::Globally, vec![b])),
                LtlNode::Since(a, b) if is_true(a) => negated(b).map(|b| (Written::Historically, vec![b])),
                LtlNode::Until(a, b) => both(a, b).map(|parts| (Written::Release, parts)),
                LtlNode::Since(a, b) => both(a, b).map(|parts| (Written::Triggered, parts)),
                LtlNode::Yesterday(a) => negated(a).map(|a| (Written::WeakYesterday, vec![a])),
                LtlNode::And(a, b) => match (negated(a), negated(b)) {
                    (Some(a), Some(b)) => Some((Written::Or, vec![a, b])),
                    (Some(a), None) => Some((Written::Implies, vec![b, a])),
                    (None, Some(b)) => Some((Written::Implies, vec![a, b])),
                    (None, None) => None,
                },
                _ => None,
            };
            dual.unwrap_or((Written::Not, vec![inner]))
        }
    }
}

/// The sides of `a <-> b`, which is `!(a & !b) & !(b & !a)`.
fn equivalence<A>(formula: &Ltl<A>, there: LtlId, back: LtlId) -> Option<Vec<LtlId>> {
    let parts = |id: LtlId| match formula.node(id) {
        LtlNode::Not(inner) => match formula.node(inner) {
            LtlNode::And(a, b) => Some([a, b]),
            _ => None,
        },
        _ => None,
    };
    let opposite =
        |a: LtlId, b: LtlId| formula.node(a) == LtlNode::Not(b) || formula.node(b) == LtlNode::Not(a);
    let ([a, b], [c, d]) = (parts(there)?, parts(back)?);
    // One of both pairs is the other one negated; then the first is equal to the negation of its partner.
    match () {
        () if opposite(a, c) && opposite(b, d) => Some(vec![a, d]),
        () if opposite(a, d) && opposite(b, c) => Some(vec![a, c]),
        () => None,
    }
}

/// The text of a formula. `write` says how an operator is written with its operands; `share` gives what is used more than once a name, or leaves it as it is. `None` if it
/// becomes longer than `limit`.
pub(crate) fn text<A>(
    formula: &Ltl<A>,
    limit: usize,
    write: impl Fn(Written, &[&str]) -> String,
    mut share: impl FnMut(String) -> String,
) -> Option<String> {
    let view = |id| {
        let (written, operands) = view(formula, id);
        (written, operands.into_iter().map(NodeId::index).collect())
    };
    let views: Vec<(Written, Vec<usize>)> = formula.ids().map(view).collect();
    assemble(&views, limit, write, &mut share)
}

/// The text of the last of some views, each of an operator and the positions of its operands, which come before it.
pub(crate) fn assemble<W: Copy>(
    views: &[(W, Vec<usize>)],
    limit: usize,
    write: impl Fn(W, &[&str]) -> String,
    share: &mut impl FnMut(String) -> String,
) -> Option<String> {
    // How often each is written; what is hidden in an operator is not.
    let mut uses = vec![0_usize; views.len()];
    *uses.last_mut()? = 1;
    for (index, (_, operands)) in views.iter().enumerate().rev() {
        if uses[index] > 0 {
            operands.iter().for_each(|&operand| uses[operand] += 1);
        }
    }
    let (mut texts, mut length): (Vec<String>, usize) = (Vec::with_capacity(views.len()), 0);
    for (index, (written, operands)) in views.iter().enumerate() {
        let mut text = String::new();
        if uses[index] > 0 {
            let inner: Vec<&str> = operands.iter().map(|&operand| &*texts[operand]).collect();
            length += inner.iter().map(|text| text.len()).sum::<usize>();
            if length > limit {
                return None;
            }
            text = write(*written, &inner);
            if uses[index] > 1 && !operands.is_empty() {
                text = share(text);
            }
        }
        texts.push(text);
    }
    texts.pop()
}

/// A formula about runs that see each of these infinitely often; if there is none, that there are no such runs.
pub(crate) fn assuming(often: &[Term], formula: Option<&Ltl<Term>>) -> Ltl<Term> {
    let mut builder = LtlBuilder::new();
    let says = match formula {
        Some(formula) => builder.add(formula, |builder, &atom| builder.atom(atom)),
        None => builder.constant(false),
    };
    let mut assumed = builder.constant(true);
    for &signal in often {
        let atom = builder.atom(signal);
        let later = builder.finally(atom);
        let again = builder.globally(later);
        assumed = builder.and(assumed, again);
    }
    let claim = builder.implies(assumed, says);
    builder.finish(claim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(build: impl Fn(&mut LtlBuilder<char>, LtlId, LtlId) -> LtlId) -> String {
        let mut builder = LtlBuilder::new();
        let (a, b) = (builder.atom('a'), builder.atom('b'));
        let root = build(&mut builder, a, b);
        let formula = builder.finish(root);
        let write = |written: Written, parts: &[&str]| match written {
            Written::Atom(number) => formula.atoms()[number as usize].to_string(),
            Written::Constant(value) => value.to_string(),
            written => format!("{written:?}({})", parts.join(" ")),
        };
        text(&formula, 10_000, write, |text| text).unwrap()
    }

    #[test]
    fn operators_are_found_again() {
        for (build, expected) in [
            (LtlBuilder::or as fn(&mut LtlBuilder<char>, LtlId, LtlId) -> LtlId, "Or(a b)"),
            (LtlBuilder::implies, "Implies(a b)"),
            (LtlBuilder::iff, "Iff(a b)"),
            (LtlBuilder::release, "Release(a b)"),
            (LtlBuilder::triggered, "Triggered(a b)"),
            (LtlBuilder::until, "Until(a b)"),
        ] {
            assert_eq!(shown(build), expected);
        }
        for (build, expected) in [
            (LtlBuilder::globally as fn(&mut LtlBuilder<char>, LtlId) -> LtlId, "Globally(a)"),
            (LtlBuilder::historically, "Historically(a)"),
            (LtlBuilder::weak_yesterday, "WeakYesterday(a)"),
            (LtlBuilder::once, "Once(a)"),
        ] {
            assert_eq!(shown(|builder, a, _| build(builder, a)), expected);
        }
        let nested = shown(|builder, a, b| {
            let not_a = builder.not(a);
            let same = builder.iff(not_a, b);
            builder.globally(same)
        });
        assert!(["Globally(Iff(Not(a) b))", "Globally(Iff(a Not(b)))"].contains(&&*nested), "{nested}");
    }

    #[test]
    fn what_would_be_too_long_is_not_written() {
        let mut builder = LtlBuilder::new();
        let mut formula = builder.atom('a');
        for _ in 0..100 {
            let later = builder.next(formula);
            formula = builder.and(formula, later);
        }
        let formula = builder.finish(formula);
        let write = |_: Written, parts: &[&str]| format!("({})", parts.join(" "));
        assert_eq!(text(&formula, 10_000, write, |text| text), None);
        assert!(text(&formula, 10_000, write, |_| "n".into()).is_some());
    }
}
