//! Constructors of Boolean terms, of equality and of choice.

use crate::{Op, Sort, Term, Terms};

/// Conjunctions inside conjunctions are taken in if they are not longer than this, so that a chain of a hundred thousand
/// does not become a hundred thousand lists.
const MAX_FLATTENED: usize = 32;

impl Terms {
    /// Negation.
    ///
    /// # Panics
    /// If it is not Boolean.
    pub fn not(&mut self, a: Term) -> Term {
        if let Some(value) = self.as_bool(a) {
            return self.bool(!value);
        }
        if self.op(a) == Op::Not { self.args(a)[0] } else { self.intern(Op::Not, &[a]) }
    }
    /// Conjunction; true if there is nothing.
    ///
    /// # Panics
    /// If some term is not Boolean.
    pub fn and(&mut self, args: &[Term]) -> Term {
        self.and_or(Op::And, args)
    }
    /// Disjunction; false if there is nothing.
    ///
    /// # Panics
    /// If some term is not Boolean.
    pub fn or(&mut self, args: &[Term]) -> Term {
        self.and_or(Op::Or, args)
    }
    fn and_or(&mut self, op: Op, args: &[Term]) -> Term {
        let neutral = op == Op::And;
        let mut parts: Vec<Term> = Vec::with_capacity(args.len());
        for &arg in args {
            assert_eq!(self.sort(arg), Sort::Bool, "`{}` is not Boolean", self.display(arg).short());
            if self.op(arg) == op && (self.args(arg).len() <= MAX_FLATTENED || args.len() == 1) {
                parts.extend_from_slice(self.args(arg));
            } else {
                match self.as_bool(arg) {
                    Some(value) if value == neutral => (),
                    Some(value) => return self.bool(value),
                    None => parts.push(arg),
                }
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let is_complement =
            |&t: &Term| self.op(t) == Op::Not && parts.binary_search(&self.args(t)[0]).is_ok();
        if parts.iter().any(is_complement) {
            return self.bool(!neutral);
        }
        match parts[..] {
            [] => self.bool(neutral),
            [only] => only,
            _ => self.intern(op, &parts),
        }
    }
    /// `a` implies `b`.
    ///
    /// # Panics
    /// If they are not Boolean.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(&[not_a, b])
    }
    /// Exactly one of the two.
    ///
    /// # Panics
    /// If they are not Boolean.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }
    /// Are the two the same? Between Boolean terms: if and only if.
    ///
    /// # Panics
    /// If they are of different sorts.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(a), self.sort(b), "the two sides of an equality are of one sort");
        if a == b {
            return self.bool(true);
        }
        match self.sort(a) {
            Sort::Bool => self.iff(a, b),
            Sort::Int | Sort::Real => self.eq_numbers(a, b),
            Sort::BitVec(_) => self.eq_bits(a, b),
            Sort::Array(_) => self.eq_arrays(a, b),
        }
    }
    fn iff(&mut self, a: Term, b: Term) -> Term {
        for (x, y) in [(a, b), (b, a)] {
            match self.as_bool(x) {
                Some(true) => return y,
                Some(false) => return self.not(y),
                None => (),
            }
        }
        let strip = |t: Term| if self.op(t) == Op::Not { (self.args(t)[0], true) } else { (t, false) };
        let ((a, not_a), (b, not_b)) = (strip(a), strip(b));
        let equal = if a == b { self.bool(true) } else { self.intern(Op::Eq, &[a.min(b), a.max(b)]) };
        if not_a != not_b { self.not(equal) } else { equal }
    }
    /// Are they pairwise different?
    ///
    /// # Panics
    /// If they are of different sorts.
    pub fn distinct(&mut self, args: &[Term]) -> Term {
        let mut parts = Vec::new();
        for (i, &a) in args.iter().enumerate() {
            for &b in &args[..i] {
                let equal = self.eq(b, a);
                parts.push(self.not(equal));
            }
        }
        self.and(&parts)
    }
    /// `a` if `c` holds, else `b`. Of Boolean branches it becomes a conjunction of two implications.
    ///
    /// # Panics
    /// If `c` is not Boolean, or `a` and `b` are of different sorts.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        assert_eq!(self.sort(c), Sort::Bool, "`{}` is not Boolean", self.display(c).short());
        assert_eq!(self.sort(a), self.sort(b), "the branches of a choice are of one sort");
        match self.as_bool(c) {
            Some(true) => return a,
            Some(false) => return b,
            None => (),
        }
        if a == b {
            return a;
        }
        if self.op(c) == Op::Not {
            return self.ite(self.args(c)[0], b, a);
        }
        if self.sort(a) == Sort::Bool {
            return self.ite_bool(c, a, b);
        }
        // Below the branch the condition is known.
        let chosen = |t: Term, branch: usize| {
            if self.op(t) == Op::Ite && self.args(t)[0] == c { self.args(t)[branch] } else { t }
        };
        let (a, b) = (chosen(a, 1), chosen(b, 2));
        if a == b { a } else { self.intern(Op::Ite, &[c, a, b]) }
    }
    fn ite_bool(&mut self, c: Term, a: Term, b: Term) -> Term {
        let not_c = self.not(c);
        if a == not_c || self.as_bool(a) == Some(false) {
            return self.and(&[not_c, b]);
        }
        if b == not_c || self.as_bool(b) == Some(true) {
            return self.or(&[not_c, a]);
        }
        if a == c || self.as_bool(a) == Some(true) {
            return self.or(&[c, b]);
        }
        if b == c || self.as_bool(b) == Some(false) {
            return self.and(&[c, a]);
        }
        let not_b = self.not(b);
        if a == not_b {
            return self.eq(c, a);
        }
        let (then, otherwise) = (self.or(&[not_c, a]), self.or(&[c, b]));
        self.and(&[then, otherwise])
    }
}
