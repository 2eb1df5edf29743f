//! Constructors of bit-vectors: constants are computed, neutral and absorbing arguments removed, arguments of
//! commutative operators put in order, extractions moved to what they are from.

use crate::{BigUint, Op, Sort, Term, Terms, Value, value::mask};
use num_traits::{One, Zero};

/// So many choices, one in the other, are looked into when one is compared with a constant.
const MAX_CHOICES: usize = 16;

impl Terms {
    /// The width of a bit-vector.
    ///
    /// # Panics
    /// If it is not a bit-vector.
    pub fn width(&self, a: Term) -> u32 {
        let width = self.sort(a).width();
        width.unwrap_or_else(|| panic!("`{}` is not a bit-vector", self.display(a).short()))
    }
    /// An operator of bit-vectors with two arguments (or one), simplified.
    ///
    /// # Panics
    /// If it is not one, or the sorts are wrong.
    pub fn bv(&mut self, op: Op, args: &[Term]) -> Term {
        self.build_bits(op, args)
    }
    /// The bits from `high` down to `low`.
    ///
    /// # Panics
    /// If there are no such bits.
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        self.build_bits(Op::Extract { high, low }, &[a])
    }
    /// Two vectors as one, `a` more significant.
    ///
    /// # Panics
    /// If they are not bit-vectors, or the result is wider than [`MAX_WIDTH`](crate::MAX_WIDTH).
    pub fn concat(&mut self, a: Term, b: Term) -> Term {
        self.build_bits(Op::Concat, &[a, b])
    }
    /// With that many zeros in front.
    ///
    /// # Panics
    /// If it is not a bit-vector, or the result is wider than [`MAX_WIDTH`](crate::MAX_WIDTH).
    pub fn zero_extend(&mut self, n: u32, a: Term) -> Term {
        if n == 0 {
            return a;
        }
        let zeros = self.bits(n, 0u32);
        self.concat(zeros, a)
    }

    pub(crate) fn build_bits(&mut self, op: Op, args: &[Term]) -> Term {
        if args.iter().all(|&arg| self.value(arg).is_some()) {
            return self.fold(op, args);
        }
        match *args {
            [a] => self.simplify_one(op, a),
            [a, b] => self.simplify_two(op, a, b),
            _ => self.intern(op, args),
        }
    }
    fn simplify_one(&mut self, op: Op, a: Term) -> Term {
        match (op, self.op(a)) {
            (Op::BvNot, Op::BvNot) | (Op::BvNeg, Op::BvNeg) => self.args(a)[0],
            (Op::SignExtend(0), _) => a,
            (Op::SignExtend(m), Op::SignExtend(n)) => {
                let inner = self.args(a)[0];
                self.intern(Op::SignExtend(m + n), &[inner])
            }
            (Op::Extract { high, low }, _) => self.simplify_extract(high, low, a),
            _ => self.intern(op, &[a]),
        }
    }
    /// An extraction from an extraction or a concatenation goes inside.
    fn simplify_extract(&mut self, high: u32, low: u32, mut a: Term) -> Term {
        let (mut high, mut low) = (high, low);
        loop {
            if low == 0 && self.width(a) == high + 1 {
                return a;
            }
            match (self.op(a), self.args(a)) {
                (Op::Const, _) => return self.fold(Op::Extract { high, low }, &[a]),
                (Op::Extract { low: below, high: top }, &[inner]) if high <= top - below => {
                    (high, low, a) = (high + below, low + below, inner);
                }
                (Op::Concat, &[upper, lower]) if low >= self.width(lower) => {
                    let width = self.width(lower);
                    if high < width {
                        return self.intern(Op::Extract { high, low }, &[a]);
                    }
                    (high, low, a) = (high - width, low - width, upper);
                }
                (Op::Concat, &[_, lower]) if high < self.width(lower) && low <= high => a = lower,
                _ => return self.intern(Op::Extract { high, low }, &[a]),
            }
        }
    }
    fn simplify_two(&mut self, op: Op, a: Term, b: Term) -> Term {
        let commutes = matches!(op, Op::BvAnd | Op::BvOr | Op::BvXor | Op::BvAdd | Op::BvMul);
        // A constant comes first where the order does not matter.
        let key = |t: Term| (self.value(t).is_none(), t);
        let (a, b) = if commutes && key(b) < key(a) { (b, a) } else { (a, b) };
        let Sort::BitVec(width) = self.sort(a) else { return self.intern(op, &[a, b]) };
        if self.sort(b) != self.sort(a) {
            return self.simplify_concat(op, a, b);
        }
        let constant = |t: Term| self.value(t).and_then(Value::as_bits);
        let is = |t: Term, number: &BigUint| constant(t) == Some(number);
        let (zero, one, ones) = (BigUint::zero(), BigUint::one(), mask(width));
        match op {
            Op::BvAnd | Op::BvOr if a == b => a,
            Op::BvXor if a == b => self.bits(width, zero),
            Op::BvUlt | Op::BvSlt if a == b => self.bool(false),
            Op::BvAnd | Op::BvMul if is(a, &zero) => a,
            Op::BvAnd if is(a, &ones) => b,
            Op::BvMul | Op::BvUdiv if is(if op == Op::BvMul { a } else { b }, &one) => {
                if op == Op::BvMul {
                    b
                } else {
                    a
                }
            }
            Op::BvOr if is(a, &ones) => a,
            Op::BvOr | Op::BvXor | Op::BvAdd if is(a, &zero) => b,
            Op::BvXor if is(a, &ones) => self.simplify_one(Op::BvNot, b),
            Op::BvAdd if self.op(b) == Op::BvAdd && constant(a).is_some() => {
                // Constants of a sum are added up.
                let &[c, rest] = self.args(b) else { unreachable!("a sum has two arguments") };
                if constant(c).is_none() {
                    return self.intern(op, &[a, b]);
                }
                let c = self.fold(Op::BvAdd, &[a, c]);
                self.simplify_two(Op::BvAdd, c, rest)
            }
            Op::BvAdd if self.is_bv_negation(a, b) => self.bits(width, zero),
            Op::BvUdiv | Op::BvUrem if self.power_of_two(b).is_some() => {
                let k = self.power_of_two(b).expect("it was just found");
                if k == 0 {
                    // What is left of a division by 1 is nothing; its quotient was dealt with.
                    return self.bits(width, zero);
                }
                // The upper bits are the quotient, the lower ones what is left.
                let (high, low, n_zeros) =
                    if op == Op::BvUdiv { (width - 1, k, k) } else { (k - 1, 0, width - k) };
                let part = self.simplify_extract(high, low, a);
                self.zero_extend(n_zeros, part)
            }
            Op::BvShl | Op::BvLshr | Op::BvAshr if is(b, &zero) => a,
            Op::BvUlt if is(b, &zero) || is(a, &ones) => self.bool(false),
            Op::Concat => self.simplify_concat(op, a, b),
            _ => self.intern(op, &[a, b]),
        }
    }
    /// The exponent of a constant that is a power of two.
    fn power_of_two(&self, a: Term) -> Option<u32> {
        let value = self.value(a)?.as_bits()?;
        let exponent = value.trailing_zeros()?;
        (value.count_ones() == 1).then(|| u32::try_from(exponent).ok()).flatten()
    }
    fn is_bv_negation(&self, a: Term, b: Term) -> bool {
        [(a, b), (b, a)].iter().any(|&(x, y)| self.op(x) == Op::BvNeg && self.args(x)[0] == y)
    }
    /// Neighbouring bits of one vector are an extraction.
    fn simplify_concat(&mut self, op: Op, a: Term, b: Term) -> Term {
        if let (Op::Concat, Op::Extract { high, low }, Op::Extract { high: next, low: last }) =
            (op, self.op(a), self.op(b))
            && self.args(a) == self.args(b)
            && low == next + 1
        {
            let inner = self.args(a)[0];
            return self.simplify_extract(high, last, inner);
        }
        self.intern(op, &[a, b])
    }
    pub(crate) fn eq_bits(&mut self, a: Term, b: Term) -> Term {
        let (a, b) =
            if self.value(a).is_some() || (self.value(b).is_none() && b < a) { (b, a) } else { (a, b) };
        let Some(value) = self.value(b).cloned() else { return self.intern(Op::Eq, &[a, b]) };
        if self.value(a).is_some() {
            return self.bool(false);
        }
        self.eq_choice(a, b, &value)
    }
    /// A choice is compared with a constant `b`: where it chooses constants, each is decided.
    fn eq_choice(&mut self, a: Term, b: Term, value: &Value) -> Term {
        let mut rest = a;
        // Under which condition a constant is chosen, and whether it is that one.
        let mut chosen: Vec<(Term, bool)> = Vec::new();
        while chosen.len() < MAX_CHOICES
            && let (Op::Ite, &[c, x, y]) = (self.op(rest), self.args(rest))
        {
            let is_that = |t: Term| self.value(t).map(|constant| constant == value);
            match (is_that(x), is_that(y)) {
                (Some(is_that), _) => {
                    chosen.push((c, is_that));
                    rest = y;
                }
                (None, Some(is_that)) => {
                    chosen.push((self.not(c), is_that));
                    rest = x;
                }
                (None, None) => break,
            }
        }
        let mut equal = match self.value(rest) {
            Some(last) => {
                let equal = *last == *value;
                self.bool(equal)
            }
            None => self.intern(Op::Eq, &[rest, b]),
        };
        for (condition, is_that) in chosen.into_iter().rev() {
            equal = if is_that {
                self.or(&[condition, equal])
            } else {
                let not = self.not(condition);
                self.and(&[not, equal])
            };
        }
        equal
    }
}
