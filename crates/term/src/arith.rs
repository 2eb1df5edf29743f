//! Constructors of arithmetic.

use crate::{BigInt, BigRational, Op, Sort, Sum, Term, Terms, Value};
use num_traits::{One, Signed, Zero};

/// Coefficients are multiplied up to this many bits; beyond, the product stays a product.
const MAX_BITS: u64 = 1 << 14;
/// Products are flattened up to this many factors.
const MAX_FACTORS: usize = 16;

/// A comparison with 0.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Le,
    Lt,
    Eq,
}

impl Terms {
    /// A real.
    pub fn real(&mut self, r: impl Into<BigRational>) -> Term {
        self.constant(Value::Real(r.into()))
    }
    /// A sum of at least one number.
    ///
    /// # Panics
    /// If they are not numbers of one sort.
    pub fn add(&mut self, args: &[Term]) -> Term {
        let sort = self.number_sort("+", args);
        if let &[only] = args {
            return only;
        }
        let mut sums: Vec<Sum> = args.iter().map(|&arg| self.sum(arg)).collect();
        // In pairs, so that a sum of many terms takes n log n steps.
        while sums.len() > 1 {
            let pairs = sums.chunks(2);
            let added = pairs.map(|pair| match pair {
                [a, b] => a.plus(&BigRational::one(), b),
                _ => pair[0].clone(),
            });
            sums = added.collect();
        }
        let sum = sums.pop().unwrap_or_default();
        self.of_sum(&sum, sort)
    }
    fn number_sort(&self, name: &str, args: &[Term]) -> Sort {
        let sorts: Vec<Sort> = args.iter().map(|&arg| self.sort(arg)).collect();
        Op::Add.sort(&sorts).unwrap_or_else(|expected| {
            panic!("ill-sorted term: {}", self.sort_error(name, args, expected));
        })
    }
    /// `a - b`.
    ///
    /// # Panics
    /// If they are not numbers of one sort.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let sort = self.number_sort("-", &[a, b]);
        let difference = self.sum(a).plus(&-BigRational::one(), &self.sum(b));
        self.of_sum(&difference, sort)
    }
    /// `-a`.
    ///
    /// # Panics
    /// If it is not a number.
    pub fn neg(&mut self, a: Term) -> Term {
        self.scale(&-BigRational::one(), a)
    }
    /// A number times a term.
    ///
    /// # Panics
    /// If the term is not a number, or if it is an integer and the factor is not.
    pub fn scale(&mut self, factor: &BigRational, a: Term) -> Term {
        let sort = self.number_sort("*", &[a]);
        assert!(sort == Sort::Real || factor.is_integer(), "a factor of an integer is an integer");
        let sum = self.sum(a).scaled(factor);
        self.of_sum(&sum, sort)
    }
    /// A product of two numbers. Products of constants and sums are sums; others stay products.
    ///
    /// # Panics
    /// If they are not numbers of one sort.
    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        self.product(&[a, b])
    }
    /// A product of at least one number.
    ///
    /// # Panics
    /// If they are not numbers of one sort.
    pub fn product(&mut self, args: &[Term]) -> Term {
        let sort = self.number_sort("*", args);
        let mut coefficient = BigRational::one();
        let mut factors: Vec<Term> = Vec::new();
        for &arg in args {
            let nested = self.op(arg) == Op::Mul && self.args(arg).len() + factors.len() <= MAX_FACTORS;
            let parts = if nested { self.args(arg) } else { &[arg][..] };
            for &part in parts {
                match self.number(part) {
                    Some(number) if bits(&number) + bits(&coefficient) <= MAX_BITS => coefficient *= number,
                    _ => factors.push(part),
                }
            }
        }
        factors.sort_unstable();
        if coefficient.is_zero() || factors.is_empty() {
            return self.constant(Value::number(sort, coefficient));
        }
        let base = if let [only] = factors[..] { only } else { self.intern(Op::Mul, &factors) };
        let sum = self.sum(base);
        if sum.monomials.iter().all(|(_, c)| bits(c) + bits(&coefficient) <= MAX_BITS)
            && bits(&sum.constant) + bits(&coefficient) <= MAX_BITS
        {
            return self.of_sum(&sum.scaled(&coefficient), sort);
        }
        let coefficient = self.constant(Value::number(sort, coefficient));
        self.intern(Op::Mul, &[coefficient, base])
    }
    /// `a <= b`.
    ///
    /// # Panics
    /// If they are not numbers of one sort.
    pub fn le(&mut self, a: Term, b: Term) -> Term {
        self.compare(Comparison::Le, a, b)
    }
    /// `a < b`.
    ///
    /// # Panics
    /// If they are not numbers of one sort.
    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        self.compare(Comparison::Lt, a, b)
    }
    /// `a >= b`.
    ///
    /// # Panics
    /// If they are not numbers of one sort.
    pub fn ge(&mut self, a: Term, b: Term) -> Term {
        self.le(b, a)
    }
    /// `a > b`.
    ///
    /// # Panics
    /// If they are not numbers of one sort.
    pub fn gt(&mut self, a: Term, b: Term) -> Term {
        self.lt(b, a)
    }
    pub(crate) fn eq_numbers(&mut self, a: Term, b: Term) -> Term {
        self.compare(Comparison::Eq, a, b)
    }
    fn compare(&mut self, comparison: Comparison, a: Term, b: Term) -> Term {
        let sort = self.number_sort("<=", &[a, b]);
        let difference = self.sum(a).plus(&-BigRational::one(), &self.sum(b));
        let Some((factor, left)) = difference.primitive() else {
            let zero = BigRational::zero();
            return self.bool(match comparison {
                Comparison::Le => difference.constant <= zero,
                Comparison::Lt => difference.constant < zero,
                Comparison::Eq => difference.constant == zero,
            });
        };
        let bound = -difference.constant / &factor;
        // A choice between constants: decide each.
        if let [(base, coefficient)] = &left.monomials[..]
            && coefficient.is_one()
            && let (Op::Ite, &[c, x, y]) = (self.op(*base), self.args(*base))
            && let (Some(x), Some(y)) = (self.number(x), self.number(y))
        {
            let decide = |value: BigRational| match (comparison, factor.is_negative()) {
                (Comparison::Eq, _) => value == bound,
                (Comparison::Le, false) => value <= bound,
                (Comparison::Le, true) => value >= bound,
                (Comparison::Lt, false) => value < bound,
                (Comparison::Lt, true) => value > bound,
            };
            let (x, y) = (self.bool(decide(x)), self.bool(decide(y)));
            return self.ite(c, x, y);
        }
        let left = self.of_sum(&left, sort);
        let (op, bound, negated) = match (comparison, factor.is_negative(), sort == Sort::Int) {
            (Comparison::Eq, _, true) if !bound.is_integer() => return self.bool(false),
            (Comparison::Eq, _, _) => (Op::Eq, bound, false),
            (Comparison::Le, false, true) => (Op::Le, bound.floor(), false),
            (Comparison::Lt, false, true) => (Op::Le, bound.ceil() - BigInt::one(), false),
            (Comparison::Le, true, true) => (Op::Le, bound.ceil() - BigInt::one(), true),
            (Comparison::Lt, true, true) => (Op::Le, bound.floor(), true),
            (Comparison::Le, false, false) => (Op::Le, bound, false),
            (Comparison::Lt, false, false) => (Op::Lt, bound, false),
            (Comparison::Le, true, false) => (Op::Lt, bound, true),
            (Comparison::Lt, true, false) => (Op::Le, bound, true),
        };
        let bound = self.constant(Value::number(sort, bound));
        let atom = self.intern(op, &[left, bound]);
        if negated { self.not(atom) } else { atom }
    }
    /// Integer division by a constant that is not 0.
    ///
    /// # Panics
    /// If it is anything else.
    pub fn div(&mut self, a: Term, b: Term) -> Term {
        match self.number(b) {
            Some(one) if one.is_one() => a,
            Some(one) if one == -BigRational::one() => self.neg(a),
            _ => self.fold(Op::Div, &[a, b]),
        }
    }
    /// The remainder of integer division by a constant that is not 0.
    ///
    /// # Panics
    /// If it is anything else.
    pub fn modulo(&mut self, a: Term, b: Term) -> Term {
        match self.number(b) {
            Some(one) if one.abs().is_one() => self.int(0),
            _ => self.fold(Op::Mod, &[a, b]),
        }
    }
    /// An integer as a real.
    ///
    /// # Panics
    /// If it is not an integer.
    pub fn to_real(&mut self, a: Term) -> Term {
        if self.op(a) == Op::Var {
            return self.intern(Op::ToReal, &[a]);
        }
        assert_eq!(self.sort(a), Sort::Int, "to_real takes an integer");
        let sum = self.sum(a);
        if sum.monomials.len() == 1 && sum.monomials[0].0 == a {
            return self.intern(Op::ToReal, &[a]);
        }
        let mut real = Sum::constant(sum.constant);
        for (base, coefficient) in sum.monomials {
            real.monomials.push((self.intern(Op::ToReal, &[base]), coefficient));
        }
        real.monomials.sort_unstable_by_key(|(base, _)| *base);
        self.of_sum(&real, Sort::Real)
    }
    /// The greatest integer that is not above a real.
    ///
    /// # Panics
    /// If it is not a real.
    pub fn to_int(&mut self, a: Term) -> Term {
        if self.op(a) == Op::ToReal { self.args(a)[0] } else { self.fold(Op::ToInt, &[a]) }
    }
    /// Is the real an integer?
    ///
    /// # Panics
    /// If it is not a real.
    pub fn is_int(&mut self, a: Term) -> Term {
        let floor = self.to_int(a);
        let floor = self.to_real(floor);
        self.eq(a, floor)
    }
    /// The number without its sign.
    ///
    /// # Panics
    /// If it is not a number.
    pub fn abs(&mut self, a: Term) -> Term {
        let sort = self.number_sort("abs", &[a]);
        let zero = self.constant(Value::zero(sort));
        let (negative, negated) = (self.lt(a, zero), self.neg(a));
        self.ite(negative, negated, a)
    }
    /// The operator with these arguments, computed if all are constants.
    pub(crate) fn fold(&mut self, op: Op, args: &[Term]) -> Term {
        let values: Option<Vec<&Value>> = args.iter().map(|&arg| self.value(arg)).collect();
        let sorts: Vec<Sort> = args.iter().map(|&arg| self.sort(arg)).collect();
        if let Some(values) = values
            && op.sort(&sorts).is_ok()
            && !(matches!(op, Op::Div | Op::Mod) && values[1].as_int().is_some_and(Zero::is_zero))
            && let Ok(value) = op.evaluate(&values)
        {
            return self.constant(value);
        }
        self.intern(op, args)
    }
}

fn bits(number: &BigRational) -> u64 {
    number.numer().bits() + number.denom().bits() - 1
}
