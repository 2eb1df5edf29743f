//! Formulas of computation tree logic as text, with the operators that people use: nodes are few, and `AG`, `A [p U q]` or `->` are made of them by negations.

use crate::ltl_text::assemble;
use indubit_system::{Ctl, CtlId, CtlNode};

/// So many operands are written one after the other; more are nested.
const MOST_OPERANDS: usize = 100;

/// An operator as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Constant(bool),
    Atom(u32),
    Not,
    /// Of two or more.
    And,
    /// Of two or more.
    Or,
    /// All of so many imply one of the others.
    Implies(usize),
    Iff,
    /// `EX`, `EF` or `EG`.
    Exists(char),
    /// `AX`, `AF` or `AG`.
    All(char),
    /// `E [p U q]`, or with `R` or `W`.
    ExistsPair(char),
    /// `A [p U q]`, or with `R` or `W`.
    AllPair(char),
}

/// A node of a formula, or that it is not so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub id: CtlId,
    pub is_negated: bool,
}

impl Part {
    pub fn new(id: CtlId) -> Part {
        Part { id, is_negated: false }
    }
    fn not(id: CtlId) -> Part {
        Part { id, is_negated: true }
    }
    /// That it is not so.
    fn negated(self) -> Part {
        Part { is_negated: !self.is_negated, ..self }
    }
    /// The same without a negation as its node.
    pub fn plain<A>(mut self, formula: &Ctl<A>) -> Part {
        while let CtlNode::Not(inner) = formula.node(self.id) {
            self = Part { id: inner, is_negated: !self.is_negated };
        }
        self
    }
    /// Its place among all nodes and their negations, each after what it is made of.
    fn position(self) -> usize {
        2 * self.id.index() + usize::from(self.is_negated)
    }
}

/// Which nodes of a formula have a temporal operator in them.
pub(crate) fn temporal<A>(formula: &Ctl<A>) -> Vec<bool> {
    let mut is_temporal: Vec<bool> = Vec::with_capacity(formula.nodes().len());
    for node in formula.nodes() {
        let inner = |id: &CtlId| is_temporal[id.index()];
        is_temporal.push(match node {
            CtlNode::True | CtlNode::Atom(_) => false,
            CtlNode::Not(a) => inner(a),
            CtlNode::And(a, b) => inner(a) || inner(b),
            CtlNode::ExistsNext(_) | CtlNode::ExistsUntil(..) | CtlNode::ExistsGlobally(_) => true,
        });
    }
    is_temporal
}

/// How a part of a formula is written, whose nodes are [`temporal`] or not: an operator, and what it is applied to.
pub(crate) fn view<A>(formula: &Ctl<A>, part: Part, is_temporal: &[bool]) -> (Written, Vec<Part>) {
    let Part { id, is_negated } = part.plain(formula);
    let is_true = |id: CtlId| formula.node(id) == CtlNode::True;
    match (formula.node(id), is_negated) {
        (CtlNode::True, _) => (Written::Constant(!is_negated), Vec::new()),
        (CtlNode::Atom(number), false) => (Written::Atom(number), Vec::new()),
        (CtlNode::Atom(_) | CtlNode::Not(_), _) => (Written::Not, vec![Part::new(id)]),
        (CtlNode::And(a, b), false) => {
            let all_until = until_and_always(formula, [a, b]).map(|parts| (Written::AllPair('U'), parts));
            let iff = || equivalence(formula, a, b).map(|parts| (Written::Iff, parts));
            all_until.or_else(iff).unwrap_or_else(|| (Written::And, conjuncts(formula, [a, b])))
        }
        (CtlNode::And(a, b), true) => {
            if let Some(found) = exists_pair(formula, [a, b]) {
                return found;
            }
            if equivalence(formula, a, b).is_some() {
                return (Written::Not, vec![Part::new(id)]);
            }
            let all = conjuncts(formula, [a, b]).into_iter().map(Part::negated);
            // What is about the state comes first, and what it implies for paths then; without these, what is negated implies what is not.
            let (paths, state): (Vec<Part>, Vec<Part>) = all.partition(|part| is_temporal[part.id.index()]);
            let (before, behind): (Vec<Part>, Vec<Part>) = match paths.is_empty() {
                false => (state, paths),
                true => state.into_iter().partition(|part| part.is_negated),
            };
            if before.is_empty() || behind.is_empty() {
                return (Written::Or, before.into_iter().chain(behind).collect());
            }
            let n = before.len();
            (Written::Implies(n), before.into_iter().map(Part::negated).chain(behind).collect())
        }
        (CtlNode::ExistsNext(a), false) => (Written::Exists('X'), vec![Part::new(a)]),
        (CtlNode::ExistsNext(a), true) => (Written::All('X'), vec![Part::not(a)]),
        (CtlNode::ExistsGlobally(a), false) => (Written::Exists('G'), vec![Part::new(a)]),
        (CtlNode::ExistsGlobally(a), true) => (Written::All('F'), vec![Part::not(a)]),
        (CtlNode::ExistsUntil(a, b), false) if is_true(a) => (Written::Exists('F'), vec![Part::new(b)]),
        (CtlNode::ExistsUntil(a, b), true) if is_true(a) => (Written::All('G'), vec![Part::not(b)]),
        (CtlNode::ExistsUntil(a, b), false) => (Written::ExistsPair('U'), vec![Part::new(a), Part::new(b)]),
        (CtlNode::ExistsUntil(a, b), true) => match beside(formula, a, b) {
            // `! E [!q U (!p & !q)]`.
            Some(other) => (Written::AllPair('W'), vec![Part::not(other), Part::not(a)]),
            None if [a, b].iter().all(|&id| matches!(formula.node(id), CtlNode::Not(_))) => {
                (Written::AllPair('R'), vec![Part::not(a), Part::not(b)])
            }
            None => (Written::Not, vec![Part::new(id)]),
        },
    }
}

/// What a conjunction is of, if that is not written in another way.
fn conjuncts<A>(formula: &Ctl<A>, both: [CtlId; 2]) -> Vec<Part> {
    let (mut open, mut all) = (vec![both[1], both[0]], Vec::new());
    while let Some(id) = open.pop() {
        match formula.node(id) {
            CtlNode::And(a, b)
                if all.len() + open.len() < MOST_OPERANDS
                    && until_and_always(formula, [a, b]).is_none()
                    && exists_pair(formula, [a, b]).is_none()
                    && equivalence(formula, a, b).is_none() =>
            {
                open.extend([b, a]);
            }
            _ => all.push(Part::new(id).plain(formula)),
        }
    }
    all
}

/// The other one of what `both` is the conjunction of, if that is one with `a`.
fn beside<A>(formula: &Ctl<A>, a: CtlId, both: CtlId) -> Option<CtlId> {
    match formula.node(both) {
        CtlNode::And(x, y) if x == a => Some(y),
        CtlNode::And(x, y) if y == a => Some(x),
        _ => None,
    }
}

/// What `EU` and `EG` that are both negated are about, in any order.
fn negated_pair<A>(formula: &Ctl<A>, [a, b]: [CtlId; 2]) -> Option<([CtlId; 2], CtlId)> {
    let inner =
        |id: CtlId| if let CtlNode::Not(inner) = formula.node(id) { Some(formula.node(inner)) } else { None };
    match (inner(a)?, inner(b)?) {
        (CtlNode::ExistsUntil(x, y), CtlNode::ExistsGlobally(z))
        | (CtlNode::ExistsGlobally(z), CtlNode::ExistsUntil(x, y)) => Some(([x, y], z)),
        _ => None,
    }
}

/// The sides of `A [p U q]`, which is `!E [!q U (!p & !q)] & !EG !q`.
fn until_and_always<A>(formula: &Ctl<A>, both: [CtlId; 2]) -> Option<Vec<Part>> {
    let ([not_q, neither], always) = negated_pair(formula, both)?;
    let not_p = beside(formula, not_q, neither)?;
    (always == not_q).then(|| vec![Part::not(not_p), Part::not(not_q)])
}

/// `E [p W q]`, which is `E [p U q] | EG p`, and `E [p R q]`, which is `E [q U (p & q)] | EG q`: of the negation of both.
fn exists_pair<A>(formula: &Ctl<A>, both: [CtlId; 2]) -> Option<(Written, Vec<Part>)> {
    let ([x, y], always) = negated_pair(formula, both)?;
    if always != x {
        return None;
    }
    Some(match beside(formula, x, y) {
        Some(other) => (Written::ExistsPair('R'), vec![Part::new(other), Part::new(x)]),
        None => (Written::ExistsPair('W'), vec![Part::new(x), Part::new(y)]),
    })
}

/// The sides of `a <-> b`, which is `!(a & !b) & !(b & !a)`.
fn equivalence<A>(formula: &Ctl<A>, there: CtlId, back: CtlId) -> Option<Vec<Part>> {
    let parts = |id: CtlId| match Part::new(id).plain(formula) {
        Part { id, is_negated: true } => match formula.node(id) {
            CtlNode::And(a, b) => Some([a, b].map(|id| Part::new(id).plain(formula))),
            _ => None,
        },
        _ => None,
    };
    let ([a, b], [c, d]) = (parts(there)?, parts(back)?);
    // Each of one pair is the negation of one of the other pair.
    let is_swapped = a == c.negated() && b == d.negated() || a == d.negated() && b == c.negated();
    is_swapped.then(|| vec![a, b.negated()])
}

/// The text of a part of a formula. `write` says how an operator is written with its operands. `None` if it becomes longer than `limit`.
pub(crate) fn text<A>(
    formula: &Ctl<A>,
    part: Part,
    limit: usize,
    write: impl Fn(Written, &[&str]) -> String,
) -> Option<String> {
    let last = part.plain(formula);
    let is_temporal = temporal(formula);
    let parts = formula.ids().take(last.id.index() + 1).flat_map(|id| [Part::new(id), Part::not(id)]);
    let view = |part: Part| {
        let (written, operands) = view(formula, part, &is_temporal);
        (written, operands.into_iter().map(|part| part.plain(formula).position()).collect())
    };
    let views: Vec<(Written, Vec<usize>)> = parts.take(last.position() + 1).map(view).collect();
    assemble(&views, limit, write, &mut |text| text)
}

/// How formulas are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// As `--ctl` reads them, and people.
    Plain,
    /// As in files of formulas beside a circuit.
    File,
    /// As in SMV, which has no `R` and `W`.
    Smv,
}

/// An operator with its operands. Other than negated, these are in parentheses if they have operators; `atom` says what atoms are called, with parentheses where they need them.
pub(crate) fn spelled(
    style: Style,
    written: Written,
    parts: &[&str],
    atom: &dyn Fn(u32) -> String,
) -> String {
    // What has no space and no operator is a name, a constant, or the negation of one; what stands in parentheses from its beginning to its end is as good.
    let is_quoted = |text: &str| {
        text.len() > 1 && text.find('"') == Some(0) && text[1..].find('"') == Some(text.len() - 2)
    };
    let is_simple = |text: &str| !text.contains([' ', '=', '&', '|', '^', '+', '-', '/']) || is_quoted(text);
    let is_closed = |text: &str| {
        let mut depth = 0_usize;
        let ends = text.char_indices().find(|&(_, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => (),
            }
            depth == 0
        });
        text.starts_with('(') && ends.is_some_and(|(at, _)| at + 1 == text.len())
    };
    let one = |i: usize| {
        let text = parts[i];
        if is_simple(text) || is_closed(text) { text.to_owned() } else { format!("({text})") }
    };
    let path = |quantifier: char, sign: char| match style {
        Style::File => format!("{quantifier} {} {sign} {}", one(0), one(1)),
        Style::Plain | Style::Smv => format!("{quantifier} [{} {sign} {}]", one(0), one(1)),
    };
    let all = |sign: &str, which: std::ops::Range<usize>| -> String {
        let texts: Vec<String> = which.map(one).collect();
        texts.join(&format!(" {sign} "))
    };
    match written {
        Written::Constant(value) => match (style, value) {
            (Style::Smv, true) => "TRUE".into(),
            (Style::Smv, false) => "FALSE".into(),
            (_, value) => value.to_string(),
        },
        Written::Atom(number) => atom(number),
        Written::Not => {
            let sign = if style == Style::File { '~' } else { '!' };
            // An atom may be a negation.
            match parts[0].strip_prefix(sign).filter(|inner| is_simple(inner) || is_closed(inner)) {
                Some(inner) => inner.to_owned(),
                None => format!("{sign}{}", one(0)),
            }
        }
        Written::And => all("&", 0..parts.len()),
        Written::Or => all("|", 0..parts.len()),
        Written::Implies(n) => format!("{} -> {}", all("&", 0..n), all("|", n..parts.len())),
        Written::Iff => all(if style == Style::File { "==" } else { "<->" }, 0..2),
        Written::Exists(sign) => format!("E{sign} {}", one(0)),
        Written::All(sign) => format!("A{sign} {}", one(0)),
        Written::ExistsPair('W') if style == Style::Smv => {
            format!("(E [{0} U {1}]) | (EG {0})", one(0), one(1))
        }
        Written::ExistsPair('R') if style == Style::Smv => {
            format!("(E [{1} U ({0} & {1})]) | (EG {1})", one(0), one(1))
        }
        Written::AllPair('W') if style == Style::Smv => {
            format!("!(E [(!{1}) U ((!{0}) & (!{1}))])", one(0), one(1))
        }
        Written::AllPair('R') if style == Style::Smv => format!("!(E [(!{}) U (!{})])", one(0), one(1)),
        Written::ExistsPair(sign) => path('E', sign),
        Written::AllPair(sign) => path('A', sign),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctl_file;
    use crate::lemmas::temporal;
    use indubit_logic::Lit;

    fn told(style: Style, text: &str) -> String {
        let formula = temporal::parse_ctl(text).unwrap();
        let atom = |number: u32| formula.atoms()[number as usize].clone();
        let write = |written: Written, parts: &[&str]| spelled(style, written, parts, &atom);
        self::text(&formula, Part::new(formula.root()), 100_000, write).unwrap()
    }

    #[test]
    fn operators_are_found_again() {
        for text in [
            "AG (a -> (AF b))",
            "AG (EF !a)",
            "A [a U b]",
            "E [a U (EX b)]",
            "A [a W b]",
            "A [a R b]",
            "E [a W b]",
            "E [a R b]",
            "(AX a) | (EG b)",
            "a <-> (AF b)",
            "AG (a & b -> (AF c) | (EX a))",
            "a & b -> c | d",
            "a | b | c",
            "a & b & (EX (c | d))",
            "A [!a U !b]",
            "A [!a W !b]",
            "AF (AG !a)",
            "!a",
            "true",
            "false",
        ] {
            assert_eq!(told(Style::Plain, text), text);
        }
        assert_eq!(told(Style::Plain, "(AX a) | !b"), "b -> (AX a)");
        assert_eq!(told(Style::Plain, "!EF a"), "AG !a");
        assert_eq!(told(Style::Plain, "!(a <-> EX b)"), "!(a <-> (EX b))");
        assert_eq!(told(Style::File, "A [a U b <-> !c]"), "A a U (b == !c)");
        assert_eq!(told(Style::Smv, "A [a W b]"), "!(E [(!b) U ((!a) & (!b))])");
    }

    /// A formula without an order of what is joined.
    fn canonical(formula: &Ctl<Lit>) -> String {
        // Of each node the operands, of which a conjunction has several.
        let mut parts: Vec<Vec<String>> = Vec::new();
        for node in formula.nodes() {
            let of = |id: CtlId| format!("({})", parts[id.index()].join("&"));
            parts.push(match *node {
                CtlNode::And(a, b) => {
                    let mut both = [&parts[a.index()][..], &parts[b.index()]].concat();
                    both.sort();
                    both.dedup();
                    both
                }
                CtlNode::True => vec!["1".into()],
                CtlNode::Atom(number) => vec![format!("{:?}", formula.atoms()[number as usize])],
                CtlNode::Not(a) => vec![format!("!{}", of(a))],
                CtlNode::ExistsNext(a) => vec![format!("X{}", of(a))],
                CtlNode::ExistsUntil(a, b) => vec![format!("{}U{}", of(a), of(b))],
                CtlNode::ExistsGlobally(a) => vec![format!("G{}", of(a))],
            });
        }
        parts.pop().unwrap().join("&")
    }

    /// What is written means the same when it is read again.
    #[test]
    fn what_is_written_is_read_again() {
        let mut model = indubit_system::BitSystem::new();
        for name in ["a", "b", "c"] {
            model.add_latch(name, None);
        }
        let read = |text: &str| ctl_file::parse(text.as_bytes(), &model).unwrap().remove(0).formula;
        for text in [
            "AG (a & b -> AX (b | c)) & !(EF (a == b)) | E a & EG b U c",
            "(A (E a R b) W (A b U EG c)) -> AF (a ^ AX c)",
            "!(A a U b) & !(E a W c) & !(A c R b)",
            "a & (b | !c) & EX (a -> b -> c)",
            "~(a & b & (c | ~(a | ~b)))",
            "E (a & b) U (a & b & c) == E ~a U (b & ~a)",
            "a -> AF b | AG c -> EX a",
        ] {
            let formula = read(text);
            let atom = |number: u32| model.latch_label(formula.atoms()[number as usize].var().index() - 1);
            let write = |written: Written, parts: &[&str]| spelled(Style::File, written, parts, &atom);
            let written = self::text(&formula, Part::new(formula.root()), 100_000, write).unwrap();
            assert_eq!(canonical(&read(&written)), canonical(&formula), "{text}: {written}");
        }
    }

    #[test]
    fn what_would_be_too_long_is_not_written() {
        let mut builder = indubit_system::CtlBuilder::new();
        let mut formula = builder.atom('a');
        for _ in 0..100 {
            let later = builder.exists_next(formula);
            formula = builder.and(formula, later);
        }
        let formula = builder.finish(formula);
        let write = |_: Written, parts: &[&str]| format!("({})", parts.join(" "));
        assert_eq!(text(&formula, Part::new(formula.root()), 10_000, write), None);
    }
}
