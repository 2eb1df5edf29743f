//! Terms as SMT-LIB text.
//!
//! What the normal form hides is shown again: `x >= 3` is the negation of `x <= 2` in the pool, and `x <= y` is
//! `x - y <= 0`.

use crate::{BigInt, BigRational, Op, Sort, Sum, Term, Terms, Value};
use num_traits::{One, Signed};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};

/// A term to be written.
#[derive(Clone, Copy)]
pub struct Display<'t> {
    terms: &'t Terms,
    term: Term,
    sharing: bool,
    longest: Option<usize>,
    name: Option<&'t dyn Fn(Term) -> Option<String>>,
}

impl<'t> Display<'t> {
    /// With `let` for what occurs more than once: as long as the term has nodes.
    pub fn sharing(self) -> Display<'t> {
        Display { sharing: true, ..self }
    }
    /// The beginning of it, for a message.
    pub fn short(self) -> Display<'t> {
        Display { longest: Some(60), ..self }
    }
    /// Write these names for variables, which are symbols already, in the place of their own.
    pub fn with_names(self, name: &'t dyn Fn(Term) -> Option<String>) -> Display<'t> {
        Display { name: Some(name), ..self }
    }
}

impl Terms {
    /// The term as SMT-LIB writes it, as a tree: shared subterms are written each time.
    pub fn display(&self, term: Term) -> Display<'_> {
        Display { terms: self, term, sharing: false, longest: None, name: None }
    }
}

/// A symbol as SMT-LIB writes it, in bars if it has to be.
#[derive(Clone, Copy, Debug)]
pub struct Symbol<'n>(pub &'n str);

/// Words that are no symbols of their own.
const RESERVED: &[&str] = &[
    "_",
    "!",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
];

impl fmt::Display for Symbol<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.0;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
        let starts_well = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
        if starts_well && name.chars().all(is_plain) && !RESERVED.contains(&name) {
            return f.write_str(name);
        }
        // A bar or a backslash cannot be in a symbol at all.
        let clean = name.replace(['|', '\\'], "!");
        write!(f, "|{clean}|")
    }
}

/// A piece of text that is still to be written.
enum Piece {
    Text(&'static str),
    Owned(String),
    Term(Term),
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.longest {
            Some(longest) => {
                let mut short = Short { text: String::new(), left: longest };
                if self.write(&mut short).is_err() {
                    short.text.push_str("...");
                }
                f.write_str(&short.text)
            }
            None => self.write(f),
        }
    }
}

/// Fails when it has enough.
struct Short {
    text: String,
    left: usize,
}

impl Write for Short {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        for c in s.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(c);
        }
        Ok(())
    }
}

impl Display<'_> {
    fn write(&self, out: &mut dyn Write) -> fmt::Result {
        let mut named: FxHashMap<Term, usize> = FxHashMap::default();
        let shared = if self.sharing { self.shared() } else { Vec::new() };
        for &term in &shared {
            write!(out, "(let ((_l{} ", named.len())?;
            self.write_tree(out, term, &named)?;
            out.write_str("))\n")?;
            named.insert(term, named.len());
        }
        self.write_tree(out, self.term, &named)?;
        (0..shared.len()).try_for_each(|_| out.write_str(")"))
    }
    /// What is written more than once and is not just a name, arguments first.
    fn shared(&self) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut twice: FxHashSet<Term> = FxHashSet::default();
        let mut open = vec![self.term];
        while let Some(term) = open.pop() {
            for piece in self.pieces(term) {
                if let Piece::Term(below) = piece
                    && !matches!(self.terms.op(below), Op::Var | Op::Const)
                {
                    if seen.insert(below) {
                        open.push(below);
                    } else {
                        twice.insert(below);
                    }
                }
            }
        }
        // The negation of a shared comparison is short enough.
        let mut shared: Vec<Term> = twice.into_iter().collect();
        shared.sort_unstable();
        shared
    }
    fn write_tree(&self, out: &mut dyn Write, root: Term, named: &FxHashMap<Term, usize>) -> fmt::Result {
        let mut open = vec![Piece::Term(root)];
        while let Some(piece) = open.pop() {
            match piece {
                Piece::Text(text) => out.write_str(text)?,
                Piece::Owned(text) => out.write_str(&text)?,
                Piece::Term(term) => match named.get(&term) {
                    Some(name) => write!(out, "_l{name}")?,
                    None => open.extend(self.pieces(term).into_iter().rev()),
                },
            }
        }
        Ok(())
    }
    /// How a term is written.
    fn pieces(&self, term: Term) -> Vec<Piece> {
        let t = self.terms;
        match t.op(term) {
            Op::Const => vec![Piece::Owned(t.value(term).expect("a constant has a value").to_string())],
            Op::Var => {
                let name = self.name.and_then(|name| name(term));
                let own = || Symbol(t.name(term).expect("a variable has a name")).to_string();
                vec![Piece::Owned(name.unwrap_or_else(own))]
            }
            Op::Le | Op::Lt => self.comparison(term, false),
            Op::Eq if t.sort(t.args(term)[0]).is_number() => self.comparison(term, false),
            Op::Not if matches!(t.op(t.args(term)[0]), Op::Le | Op::Lt) => {
                self.comparison(t.args(term)[0], true)
            }
            Op::Mul if t.value(t.args(term)[0]).and_then(Value::as_rational) == Some(-BigRational::one()) => {
                application("-".into(), &t.args(term)[1..])
            }
            op => application(op.name(), t.args(term)),
        }
    }
    /// A comparison of a sum and a constant, what is subtracted on the other side.
    fn comparison(&self, atom: Term, negated: bool) -> Vec<Piece> {
        let t = self.terms;
        let Some(Comparison { left, relation, right, sort }) = t.comparison(atom, negated) else {
            return application(t.op(atom).name(), t.args(atom));
        };
        let mut pieces = vec![Piece::Owned(format!("({relation} "))];
        pieces.extend(sum_pieces(left, sort));
        pieces.push(Piece::Text(" "));
        pieces.extend(sum_pieces(right, sort));
        pieces.push(Piece::Text(")"));
        pieces
    }
}

/// A comparison of numbers as people write it: no coefficient is negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// What stands before the relation.
    pub left: Sum,
    /// As SMT-LIB writes it: `=`, `<=`, `<`, `>=` or `>`.
    pub relation: &'static str,
    /// What stands behind it.
    pub right: Sum,
    /// The sort of both.
    pub sort: Sort,
}

impl Terms {
    /// An atom, or the negation of an inequality, as a comparison; `None` if it does not compare a sum with a constant.
    pub fn comparison(&self, atom: Term, negated: bool) -> Option<Comparison> {
        let (op, &[left, right]) = (self.op(atom), self.args(atom)) else { return None };
        let sort = self.sort(left);
        if !sort.is_number() {
            return None;
        }
        let (sum, mut bound) = (self.sum(left), self.number(right)?);
        let relation = match (op, negated) {
            (Op::Eq, false) => "=",
            (Op::Le, false) => "<=",
            (Op::Lt, false) => "<",
            (Op::Le, true) if sort == Sort::Int => {
                bound += BigInt::one();
                ">="
            }
            (Op::Le, true) => ">",
            (Op::Lt, true) => ">=",
            _ => return None,
        };
        let (positive, negative): (Vec<_>, Vec<_>) =
            sum.monomials.iter().cloned().partition(|(_, c)| c.is_positive());
        let negative = negative.into_iter().map(|(base, c)| (base, -c)).collect();
        let zero = BigRational::default();
        // The constant where it is positive; alone it stays at the right.
        let at_right = sum.monomials.len() == positive.len() || !bound.is_negative();
        let (at_left, at_right) = if at_right { (zero, bound) } else { (-bound, zero) };
        let left = Sum { monomials: positive, constant: at_left };
        Some(Comparison { left, relation, right: Sum { monomials: negative, constant: at_right }, sort })
    }
}

fn application(name: String, args: &[Term]) -> Vec<Piece> {
    let mut pieces = vec![Piece::Owned(format!("({name}"))];
    for &arg in args {
        pieces.extend([Piece::Text(" "), Piece::Term(arg)]);
    }
    pieces.push(Piece::Text(")"));
    pieces
}

fn sum_pieces(sum: Sum, sort: Sort) -> Vec<Piece> {
    let number = |number: BigRational| Piece::Owned(Value::number(sort, number).to_string());
    let with_constant = sum.monomials.is_empty() || sum.constant != BigRational::default();
    let n = sum.monomials.len() + usize::from(with_constant);
    let mut pieces = vec![Piece::Text(if n > 1 { "(+ " } else { "" })];
    for (i, (base, coefficient)) in sum.monomials.into_iter().enumerate() {
        pieces.push(Piece::Text(if i > 0 { " " } else { "" }));
        if coefficient.is_one() {
            pieces.push(Piece::Term(base));
        } else {
            pieces.extend([Piece::Text("(* "), number(coefficient), Piece::Text(" "), Piece::Term(base)]);
            pieces.push(Piece::Text(")"));
        }
    }
    if with_constant {
        pieces.extend([Piece::Text(if n > 1 { " " } else { "" }), number(sum.constant)]);
    }
    pieces.push(Piece::Text(if n > 1 { ")" } else { "" }));
    pieces
}
