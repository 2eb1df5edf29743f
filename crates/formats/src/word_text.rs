//! Formulas and values over words for people: infix, with the user's names.
//!
//! `x >= 0`, `2*x + y <= z + 3`, `not (a and b)`, `a and x = 3 -> y >= 1`, `if c then x else y`. A clause is written as an
//! implication when that saves negations.

use crate::lemmas::spell_word;
use indubit_term::{BigInt, BigRational, Op, Sort, Sum, Table, Term, Terms, Value};

/// A formula that is longer is cut: as a tree, a term may be much larger than it is.
const LONGEST: usize = 2000;

/// A formula, one conjunct a line, the short ones first; of more than `limit` conjuncts only so many. Without a limit nothing is cut:
/// what is too long for infix is there as SMT-LIB, with `let` for what occurs twice.
///
/// ```
/// use indubit_formats::word_text;
/// use indubit_term::{Sort, Terms};
/// let mut t = Terms::new();
/// let (x, y) = (t.var("x", Sort::Int), t.var("y", Sort::Int));
/// let (zero, one) = (t.int(0), t.int(1));
/// let (a, b) = (t.ge(x, zero), t.ge(y, one));
/// let both = t.and(&[a, b]);
/// assert_eq!(word_text::write(&t, both, None), "x >= 0\ny >= 1\n");
/// ```
pub fn write(terms: &Terms, formula: Term, limit: Option<usize>) -> String {
    listed(lines(terms, formula, limit), limit)
}

/// A line for each conjunct, the short ones first; without a limit none of them is cut.
pub(crate) fn lines(terms: &Terms, formula: Term, limit: Option<usize>) -> Vec<String> {
    let line = |conjunct: Term| match infix(terms, conjunct) {
        Ok(text) => text,
        Err(_) if limit.is_none() => terms.display(conjunct).sharing().to_string().replace('\n', " "),
        Err(cut) => cut + " …",
    };
    let mut lines: Vec<String> = terms.conjuncts(formula).into_iter().map(line).collect();
    lines.sort_by_cached_key(|line| (line.chars().count(), line.clone()));
    // A lemma and the property may be written alike.
    lines.dedup();
    lines
}

/// A formula in one line, cut if it is too long.
pub(crate) fn line(terms: &Terms, formula: Term) -> String {
    infix(terms, formula).unwrap_or_else(|cut| cut + " …")
}

/// The lines, or as many as the limit says.
pub(crate) fn listed(mut lines: Vec<String>, limit: Option<usize>) -> String {
    let more = lines.len().saturating_sub(limit.unwrap_or(usize::MAX));
    lines.truncate(lines.len() - more);
    match (lines.is_empty(), more) {
        (true, 0) => "true\n".into(),
        (_, 0) => lines.join("\n") + "\n",
        (_, more) => format!("{}\n… {more} more lemmas\n", lines.join("\n")),
    }
}

/// A value: `-4`, `3/2`, `true`, `0x1f (31)`.
pub fn value(value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        Value::Real(r) => r.to_string(),
        Value::Bits { value, .. } if value.bits() <= 3 => value.to_string(),
        Value::Bits { value, .. } => format!("0x{} ({value})", value.to_str_radix(16)),
        Value::Array(table) => array(table),
    }
}

/// So many elements of an array are shown.
const MOST_ELEMENTS: usize = 16;

/// An array: `[0: 7, 2: 5, else 0]`.
fn array(table: &Table) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (i, (index, element)) in table.entries().enumerate() {
        if i == MOST_ELEMENTS {
            parts.push(format!("… {} more", table.entries().len() - i));
            break;
        }
        parts.push(format!("{}: {}", constant(index), constant(element)));
    }
    parts.push(format!("else {}", constant(table.others())));
    format!("[{}]", parts.join(", "))
}

/// A value in a formula: a bit-vector of a few digits is a number there, a longer one is what it is made of.
fn constant(constant: &Value) -> String {
    match constant {
        Value::Bits { value, .. } if value.bits() <= 10 => value.to_string(),
        Value::Bits { value, .. } => format!("0x{}", value.to_str_radix(16)),
        constant => value(constant),
    }
}

/// How tightly a text holds together: it is in parentheses where more is needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bond {
    Choice,
    Implication,
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Atom,
}

/// What is still to be written.
enum Piece {
    Text(&'static str),
    Owned(String),
    /// A term, or its negation, that holds together at least so tightly.
    Term(Term, bool, Bond),
}

/// The term in infix, or its beginning if it is too long.
fn infix(terms: &Terms, root: Term) -> Result<String, String> {
    let mut text = String::new();
    let mut open = vec![Piece::Term(root, false, Bond::Choice)];
    while let Some(piece) = open.pop() {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Owned(piece) => text.push_str(&piece),
            Piece::Term(term, negated, least) => {
                let (bond, pieces) = pieces(terms, term, negated);
                if bond < least {
                    text.push('(');
                    open.push(Piece::Text(")"));
                }
                open.extend(pieces.into_iter().rev());
            }
        }
        if text.len() > LONGEST {
            return Err(text.chars().take(LONGEST).collect());
        }
    }
    Ok(text)
}

/// A term, or its negation.
fn pieces(terms: &Terms, term: Term, negated: bool) -> (Bond, Vec<Piece>) {
    let args = terms.args(term);
    let one = |term, bond| Piece::Term(term, false, bond);
    let infix = |name: &'static str, bond, below| (bond, between(name, args.iter().map(|&a| one(a, below))));
    match (terms.op(term), negated) {
        (Op::Not, _) => pieces(terms, args[0], !negated),
        (Op::And, false) | (Op::Or, true) => conjunction(args.iter().map(|&a| (a, negated))),
        (Op::Or, false) | (Op::And, true) => clause(terms, args, negated),
        (Op::Le | Op::Lt, _) => comparison(terms, term, negated),
        (Op::Eq, false) if terms.sort(args[0]) == Sort::Bool => {
            infix(" <-> ", Bond::Implication, Bond::Comparison)
        }
        (Op::Eq, true) if terms.sort(args[0]) == Sort::Bool => {
            infix(" xor ", Bond::Implication, Bond::Comparison)
        }
        (Op::Eq, _) => match bit(terms, args) {
            // `x[3]`, and not `x[3] = 1`.
            Some((bit, is_set)) if is_set != negated => (Bond::Atom, vec![one(bit, Bond::Atom)]),
            Some((bit, _)) => (Bond::Not, vec![Piece::Text("not "), one(bit, Bond::Not)]),
            None => comparison(terms, term, negated),
        },
        (op @ (Op::BvUlt | Op::BvSlt), _) => less(terms, args, op == Op::BvSlt, negated),
        (_, true) => (Bond::Not, vec![Piece::Text("not "), one(term, Bond::Not)]),
        (Op::Var, _) => (Bond::Atom, vec![Piece::Owned(name(terms, term))]),
        (Op::Const, _) => {
            (Bond::Atom, vec![Piece::Owned(terms.value(term).map(constant).unwrap_or_default())])
        }
        (Op::Ite, _) => {
            let words = ["if ", " then ", " else "];
            let pieces =
                words.iter().zip(args).flat_map(|(word, &a)| [Piece::Text(word), one(a, Bond::Implication)]);
            (Bond::Choice, pieces.collect())
        }
        (Op::Add, _) => sum(terms.sum(term)),
        (Op::Mul, _) => match &terms.sum(term).monomials[..] {
            [(base, _)] if *base == term => infix(" * ", Bond::Product, Bond::Atom),
            _ => sum(terms.sum(term)),
        },
        (Op::Div, _) => infix(" div ", Bond::Product, Bond::Atom),
        (Op::Mod, _) => infix(" mod ", Bond::Product, Bond::Atom),
        (Op::ToReal, _) => pieces(terms, args[0], false),
        (Op::ToInt, _) => call("floor".into(), args),
        (Op::Extract { high, low }, _) => {
            let range = if high == low { format!("[{high}]") } else { format!("[{high}:{low}]") };
            (Bond::Atom, vec![one(args[0], Bond::Atom), Piece::Owned(range)])
        }
        (Op::SignExtend(by), _) => call(format!("sign_extend_{by}"), args),
        (op, _) => call(op.name(), args),
    }
}

/// As lemmas write it, so that what is written can be read back.
fn name(terms: &Terms, var: Term) -> String {
    spell_word(terms.name(var).unwrap_or_default())
}

fn call(name: String, args: &[Term]) -> (Bond, Vec<Piece>) {
    let mut pieces = vec![Piece::Owned(name), Piece::Text("(")];
    pieces.extend(between(", ", args.iter().map(|&a| Piece::Term(a, false, Bond::Choice))));
    pieces.push(Piece::Text(")"));
    (Bond::Atom, pieces)
}

fn between(separator: &'static str, parts: impl Iterator<Item = Piece>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (i, part) in parts.enumerate() {
        if i > 0 {
            pieces.push(Piece::Text(separator));
        }
        pieces.push(part);
    }
    pieces
}

fn conjunction(lits: impl Iterator<Item = (Term, bool)>) -> (Bond, Vec<Piece>) {
    (Bond::And, between(" and ", lits.map(|(term, negated)| Piece::Term(term, negated, Bond::Not))))
}

/// A disjunction of terms, or (`negated`) of their negations.
fn clause(terms: &Terms, args: &[Term], negated: bool) -> (Bond, Vec<Piece>) {
    let literal = |&arg: &Term| match terms.op(arg) {
        Op::Not => (terms.args(arg)[0], !negated),
        _ => (arg, negated),
    };
    // An inequality can be negated without a word.
    let is_inequality = |op: Op| matches!(op, Op::Le | Op::Lt | Op::BvUlt | Op::BvSlt);
    let is_negative = |&(term, negated): &(Term, bool)| negated && !is_inequality(terms.op(term));
    let (negative, positive): (Vec<_>, Vec<_>) = args.iter().map(literal).partition(is_negative);
    let or = |lits: Vec<(Term, bool)>| {
        between(" or ", lits.into_iter().map(|(term, negated)| Piece::Term(term, negated, Bond::And)))
    };
    if negative.is_empty() {
        return (Bond::Or, or(positive));
    }
    let (_, condition) = conjunction(negative.iter().map(|&(term, negated)| (term, !negated)));
    if positive.is_empty() {
        let mut pieces = vec![Piece::Text("not (")];
        pieces.extend(condition);
        pieces.push(Piece::Text(")"));
        return (Bond::Not, pieces);
    }
    let mut pieces = condition;
    pieces.push(Piece::Text(" -> "));
    pieces.extend(or(positive));
    (Bond::Implication, pieces)
}

/// Is it an equality of a single bit with a constant? Which one, and is it set?
fn bit(terms: &Terms, sides: &[Term]) -> Option<(Term, bool)> {
    let &[a, b] = sides else { return None };
    let (bit, number) = if terms.value(a).is_some() { (b, a) } else { (a, b) };
    let number = terms.value(number)?;
    (number.sort() == Sort::BitVec(1)).then(|| (bit, number == &Value::bits(1, 1u32)))
}

/// `x < y` for bit-vectors: without a sign they are numbers, with one they say so. A constant is on the right.
fn less(terms: &Terms, sides: &[Term], signed: bool, negated: bool) -> (Bond, Vec<Piece>) {
    let (mut left, mut right) = (sides[0], sides[1]);
    let mut relation = if negated { " >= " } else { " < " };
    if terms.value(left).is_some() {
        (left, right) = (right, left);
        relation = if negated { " <= " } else { " > " };
    }
    let side = |side: Term| match terms.value(side) {
        Some(Value::Bits { width, value }) if signed => {
            let half = BigInt::from(1) << (width - 1);
            let value = BigInt::from(value.clone());
            let value = if value < half { value } else { value - half * 2 };
            vec![Piece::Owned(value.to_string())]
        }
        None if signed => call("signed".into(), &[side]).1,
        _ => vec![Piece::Term(side, false, Bond::Sum)],
    };
    let mut pieces = side(left);
    pieces.push(Piece::Text(relation));
    pieces.extend(side(right));
    (Bond::Comparison, pieces)
}

fn comparison(terms: &Terms, atom: Term, negated: bool) -> (Bond, Vec<Piece>) {
    let is_equality = terms.op(atom) == Op::Eq;
    let different = is_equality && negated;
    let Some(found) = terms.comparison(atom, negated && !is_equality) else {
        let relation = match terms.op(atom) {
            Op::Eq if different => " != ".into(),
            op if negated => format!(" not {} ", op.name()),
            op => format!(" {} ", op.name()),
        };
        let &[left, right] = terms.args(atom) else { unreachable!("a comparison has two sides") };
        let [left, right] = [left, right].map(|side| Piece::Term(side, false, Bond::Sum));
        return (Bond::Comparison, vec![left, Piece::Owned(relation), right]);
    };
    let relation = if different { "!=" } else { found.relation };
    let (_, mut pieces) = sum(found.left);
    pieces.push(Piece::Owned(format!(" {relation} ")));
    pieces.extend(sum(found.right).1);
    (Bond::Comparison, pieces)
}

/// `2*x - y + 3`.
fn sum(sum: Sum) -> (Bond, Vec<Piece>) {
    let zero = BigRational::default();
    let one = BigRational::from_integer(1.into());
    let n = sum.monomials.len();
    let mut pieces: Vec<Piece> = Vec::new();
    let sign = |pieces: &mut Vec<Piece>, number: &BigRational| {
        pieces.push(Piece::Text(match (pieces.is_empty(), *number < zero) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        }));
    };
    for (base, coefficient) in &sum.monomials {
        // The sign in front is that of a variable alone: `-(x mod 2)`.
        let is_signed = pieces.is_empty() && *coefficient < zero;
        sign(&mut pieces, coefficient);
        let size = if *coefficient < zero { -coefficient } else { coefficient.clone() };
        if size == one {
            let bond = match (is_signed, n) {
                (true, _) => Bond::Atom,
                (false, 1) => Bond::Sum,
                (false, _) => Bond::Product,
            };
            pieces.push(Piece::Term(*base, false, bond));
        } else {
            pieces.extend([Piece::Owned(format!("{size}*")), Piece::Term(*base, false, Bond::Atom)]);
        }
    }
    let is_single = n == 1 && sum.constant == zero;
    if n == 0 || sum.constant != zero {
        sign(&mut pieces, &sum.constant);
        let size = if sum.constant < zero { -sum.constant } else { sum.constant };
        pieces.push(Piece::Owned(size.to_string()));
    }
    (if is_single { Bond::Product } else { Bond::Sum }, pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(terms: &Terms, formula: Term) -> String {
        infix(terms, formula).unwrap()
    }

    #[test]
    fn formulas_read_as_they_are_spoken() {
        let mut t = Terms::new();
        let [x, y] = ["x", "y"].map(|n| t.var(n, Sort::Int));
        let [a, b, c] = ["a", "b", "an odd name"].map(|n| t.var(n, Sort::Bool));
        let [zero, one, two] = [0, 1, 2].map(|n| t.int(n));
        let not_negative = t.ge(x, zero);
        assert_eq!(text(&t, not_negative), "x >= 0");
        let twice = t.mul(two, x);
        let sum = t.add(&[twice, y, one]);
        let minus = t.neg(y);
        let difference = t.sub(x, y);
        let less = t.le(difference, two);
        assert_eq!((text(&t, sum), text(&t, minus)), ("2*x + y + 1".into(), "-y".into()));
        let remainder = t.modulo(x, two);
        let minus = t.neg(remainder);
        assert_eq!((text(&t, remainder), text(&t, minus)), ("x mod 2".into(), "-(x mod 2)".into()));
        assert_eq!(text(&t, less), "x <= y + 2");
        let equal = t.eq(x, one);
        let different = t.not(equal);
        assert_eq!((text(&t, equal), text(&t, different)), ("x = 1".into(), "x != 1".into()));
        let both = t.and(&[a, b]);
        let not_both = t.not(both);
        assert_eq!(text(&t, not_both), "not (a and b)");
        let [not_a, not_b, not_c] = [a, b, c].map(|v| t.not(v));
        let neither = t.and(&[not_a, not_b]);
        assert_eq!(text(&t, neither), "not a and not b");
        let some = t.or(&[a, not_negative]);
        assert_eq!(text(&t, some), "a or x >= 0");
        let implies = t.or(&[not_a, not_c, not_negative, b]);
        let printed = text(&t, implies);
        assert_eq!(printed, "a and |an odd name| -> b or x >= 0");
        let iff = t.eq(a, both);
        assert_eq!(text(&t, iff), "a <-> (a and b)");
        let choice = t.ite(a, x, y);
        let above = t.ge(choice, one);
        assert_eq!(text(&t, above), "(if a then x else y) >= 1");
        let nested = t.and(&[some, c]);
        assert_eq!(text(&t, nested), "|an odd name| and (a or x >= 0)");
    }

    #[test]
    fn vectors_are_numbers() {
        let mut t = Terms::new();
        let [x, y] = ["x", "y"].map(|n| t.var(n, Sort::BitVec(16)));
        let [ten, large, minus] = [10u32, 0xbeef, 0xfff0].map(|n| t.bits(16, n));
        let above = t.bv(Op::BvUlt, &[ten, x]);
        let at_most = t.not(above);
        let between = t.bv(Op::BvSlt, &[minus, y]);
        let odd = t.eq(y, large);
        let bit = t.extract(3, 3, x);
        let one = t.bits(1, 1u32);
        let is_set = t.eq(bit, one);
        let is_clear = t.not(is_set);
        let all = t.and(&[at_most, between, odd, is_clear]);
        assert_eq!(write(&t, all, None), "x <= 10\nnot x[3]\ny = 0xbeef\nsigned(y) > -16\n");
        let clause = t.or(&[above, is_clear]);
        assert_eq!(text(&t, clause), "x[3] -> x > 10");
    }

    #[test]
    fn one_conjunct_a_line() {
        let mut t = Terms::new();
        let names: Vec<Term> = (0..20).map(|i| t.var(&format!("v{i}"), Sort::Bool)).collect();
        let all = t.and(&names);
        let text = write(&t, all, Some(3));
        assert_eq!(text, "v0\nv1\nv2\n… 17 more lemmas\n");
        let truth = t.bool(true);
        assert_eq!(write(&t, truth, Some(1)), "true\n");
    }

    #[test]
    fn deep_terms_are_cut_or_shared() {
        let mut t = Terms::new();
        let mut deep = t.var("x", Sort::Int);
        for i in 0..60 {
            let c = t.var(&format!("c{i}"), Sort::Bool);
            let other = t.add(&[deep, deep]);
            deep = t.ite(c, deep, other);
        }
        let zero = t.int(0);
        let formula = t.ge(deep, zero);
        let cut = write(&t, formula, Some(5));
        assert!(cut.ends_with(" …\n") && cut.len() < 2 * LONGEST);
        assert!(write(&t, formula, None).starts_with("(let "));
    }

    #[test]
    fn values_are_short() {
        let third = BigRational::new((-1).into(), 3.into());
        let all = [
            Value::Bool(true),
            Value::int(-4),
            Value::Real(third),
            Value::bits(8, 31u32),
            Value::bits(8, 5u32),
        ];
        assert_eq!(all.each_ref().map(value), ["true", "-4", "-1/3", "0x1f (31)", "5"]);
        assert_eq!(all.each_ref().map(constant), ["true", "-4", "-1/3", "31", "5"]);
    }
}
