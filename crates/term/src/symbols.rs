//! Every function of SMT-LIB's Core, Ints, Reals and FixedSizeBitVectors by its name.

use crate::{BigRational, Op, Sort, SortError, Term, Terms, op::MAX_WIDTH};
use num_traits::One;

/// Arguments of a chain such as `(<= a b c)` are taken in pairs; of `(- a b c)` from the left.
impl Terms {
    /// The function `name` of SMT-LIB with `indices` (as in `(_ extract 7 0)`) and arguments, by the operators of the
    /// table. `Ok(None)` if there is no such function; an error names what has the wrong sort.
    ///
    /// Where some of the numbers are reals, integers beside them become reals, as many tools do.
    pub fn call(&mut self, name: &str, indices: &[u32], args: &[Term]) -> Result<Option<Term>, SortError> {
        let takes_none = |t: &Terms, arity: bool, expected: &str| {
            if !indices.is_empty() {
                return Err(SortError::new(
                    format!("`{name}` with an index"),
                    format!("`{name}` without one"),
                ));
            }
            if arity { Ok(()) } else { Err(t.sort_error(name, args, expected)) }
        };
        let n = args.len();
        if let Some(result) = self.call_bits(name, indices, args)? {
            return Ok(Some(result));
        }
        let term = match name {
            "true" | "false" => {
                takes_none(self, n == 0, "no arguments")?;
                self.bool(name == "true")
            }
            "not" => {
                takes_none(self, n == 1, "one Boolean term")?;
                self.apply(Op::Not, args)?
            }
            "and" | "or" => {
                takes_none(self, n > 0, "Boolean terms")?;
                self.apply(if name == "and" { Op::And } else { Op::Or }, args)?
            }
            "=>" | "xor" => {
                takes_none(self, n > 1, "two or more Boolean terms")?;
                self.all_of(name, args, |sort| sort == Sort::Bool, "Boolean terms")?;
                let &[first, ref rest @ ..] = args else { unreachable!("the arity was checked") };
                if name == "xor" {
                    rest.iter().fold(first, |a, &b| self.xor(a, b))
                } else {
                    let (last, rest) = args.split_last().expect("the arity was checked");
                    rest.iter().rev().fold(*last, |b, &a| self.implies(a, b))
                }
            }
            "=" | "distinct" => {
                takes_none(self, n > 1, "two or more terms of one sort")?;
                let args = self.mixed(args);
                let sort = self.sort(args[0]);
                self.all_of(name, &args, |other| other == sort, "terms of one sort")?;
                if name == "=" {
                    self.chain(&args, |t, a, b| t.eq(a, b))
                } else {
                    // Every pair is a term, so a list of many would be very many.
                    if n > 1000 {
                        return Err(self.sort_error(name, &args, "at most 1000 arguments"));
                    }
                    self.distinct(&args)
                }
            }
            "ite" => {
                takes_none(self, n == 3, "a Boolean condition and two terms of one sort")?;
                let branches = self.mixed(&args[1..]);
                self.apply(Op::Ite, &[args[0], branches[0], branches[1]])?
            }
            "<=" | "<" | ">=" | ">" => {
                takes_none(self, n > 1, "two or more numbers")?;
                let args = self.numbers(name, args)?;
                self.chain(&args, |t, a, b| match name {
                    "<=" => t.le(a, b),
                    "<" => t.lt(a, b),
                    ">=" => t.ge(a, b),
                    _ => t.gt(a, b),
                })
            }
            "+" | "*" | "-" => {
                takes_none(self, n > 0, "numbers")?;
                let args = self.numbers(name, args)?;
                match (name, &args[..]) {
                    ("+", _) => self.add(&args),
                    ("*", _) => self.product(&args),
                    (_, &[a]) => self.neg(a),
                    (_, &[first, ref rest @ ..]) => {
                        let rest = self.add(rest);
                        self.sub(first, rest)
                    }
                    _ => unreachable!("the arity was checked"),
                }
            }
            "/" => {
                takes_none(self, n > 1, "two or more numbers")?;
                self.numbers(name, args)?;
                let mut quotient = self.as_real(args[0]);
                for &divisor in &args[1..] {
                    self.check_divisor(name, divisor)?;
                    let divisor = self.number(divisor).expect("a divisor is a constant");
                    quotient = self.scale(&(BigRational::one() / divisor), quotient);
                }
                quotient
            }
            "div" | "mod" => {
                takes_none(self, if name == "div" { n > 1 } else { n == 2 }, "two integers")?;
                let op = if name == "div" { Op::Div } else { Op::Mod };
                let mut result = args[0];
                for &divisor in &args[1..] {
                    result = self.apply(op, &[result, divisor])?;
                }
                result
            }
            "abs" | "to_real" | "to_int" | "is_int" => {
                takes_none(self, n == 1, "one number")?;
                let args = self.numbers(name, args)?;
                match name {
                    "abs" => self.abs(args[0]),
                    "to_real" => self.as_real(args[0]),
                    "to_int" => self.apply(Op::ToInt, &args)?,
                    _ => {
                        self.all_of(name, &args, |sort| sort == Sort::Real, "one real")?;
                        self.is_int(args[0])
                    }
                }
            }
            "divisible" => match (indices, args) {
                (&[divisor], &[a]) if divisor > 0 && self.sort(a) == Sort::Int => {
                    let (divisor, zero) = (self.int(divisor), self.int(0));
                    let remainder = self.modulo(a, divisor);
                    self.eq(remainder, zero)
                }
                _ => return Err(self.sort_error(name, args, "one integer and a positive index")),
            },
            "select" => {
                takes_none(self, n == 2, "an array and an index of its sort")?;
                self.apply(Op::Select, args)?
            }
            "store" => {
                takes_none(self, n == 3, "an array, an index and an element of its sorts")?;
                self.apply(Op::Store, args)?
            }
            _ => return Ok(None),
        };
        Ok(Some(term))
    }

    fn call_bits(&mut self, name: &str, indices: &[u32], args: &[Term]) -> Result<Option<Term>, SortError> {
        let indexed = matches!(
            name,
            "extract" | "zero_extend" | "sign_extend" | "rotate_left" | "rotate_right" | "repeat"
        );
        if indexed {
            return self.call_indexed(name, indices, args).map(Some);
        }
        let (op, negated, swapped) = match name {
            "bvnot" => (Op::BvNot, false, false),
            "bvneg" => (Op::BvNeg, false, false),
            "bvand" => (Op::BvAnd, false, false),
            "bvor" => (Op::BvOr, false, false),
            "bvxor" => (Op::BvXor, false, false),
            "bvnand" => (Op::BvAnd, true, false),
            "bvnor" => (Op::BvOr, true, false),
            "bvxnor" => (Op::BvXor, true, false),
            "bvadd" | "bvsub" => (Op::BvAdd, false, false),
            "bvmul" => (Op::BvMul, false, false),
            "bvudiv" | "bvsdiv" => (Op::BvUdiv, false, false),
            "bvurem" | "bvsrem" | "bvsmod" => (Op::BvUrem, false, false),
            "bvshl" => (Op::BvShl, false, false),
            "bvlshr" => (Op::BvLshr, false, false),
            "bvashr" => (Op::BvAshr, false, false),
            "concat" => (Op::Concat, false, false),
            "bvult" => (Op::BvUlt, false, false),
            "bvugt" => (Op::BvUlt, false, true),
            "bvule" => (Op::BvUlt, true, true),
            "bvuge" => (Op::BvUlt, true, false),
            "bvslt" => (Op::BvSlt, false, false),
            "bvsgt" => (Op::BvSlt, false, true),
            "bvsle" => (Op::BvSlt, true, true),
            "bvsge" => (Op::BvSlt, true, false),
            "bvcomp" => (Op::Eq, false, false),
            _ => return Ok(None),
        };
        if !indices.is_empty() {
            return Err(SortError::new(format!("`{name}` with an index"), format!("`{name}` without one")));
        }
        let associative = matches!(name, "bvand" | "bvor" | "bvxor" | "bvadd" | "bvmul" | "concat");
        let arity = if matches!(op, Op::BvNot | Op::BvNeg) { 1 } else { 2 };
        let is_vector = |sort: Sort| sort.width().is_some();
        self.all_of(name, args, is_vector, if arity == 1 { "one bit-vector" } else { "bit-vectors" })?;
        if args.len() != arity && !(associative && args.len() > 2) {
            let expected = if arity == 1 { "one bit-vector" } else { "two bit-vectors" };
            return Err(self.sort_error(name, args, expected));
        }
        let mut result = args[0];
        for &arg in &args[1..] {
            let pair = if swapped { [arg, result] } else { [result, arg] };
            let sorts = pair.map(|t| self.sort(t));
            op.sort(&sorts).map_err(|expected| self.sort_error(name, &[result, arg], expected))?;
            result = match name {
                "bvsub" => {
                    let negated = self.bv(Op::BvNeg, &[arg]);
                    self.bv(Op::BvAdd, &[result, negated])
                }
                "bvsdiv" | "bvsrem" | "bvsmod" => self.signed_division(name, result, arg),
                "bvcomp" => {
                    let (equal, one, zero) = (self.eq(result, arg), self.bits(1, 1u32), self.bits(1, 0u32));
                    self.ite(equal, one, zero)
                }
                _ => self.bv(op, &pair),
            };
        }
        if arity == 1 {
            result = self.bv(op, &[result]);
        }
        Ok(Some(match (negated, self.sort(result)) {
            (false, _) => result,
            (true, Sort::Bool) => self.not(result),
            (true, _) => self.bv(Op::BvNot, &[result]),
        }))
    }

    fn call_indexed(&mut self, name: &str, indices: &[u32], args: &[Term]) -> Result<Term, SortError> {
        let &[a] = args else { return Err(self.sort_error(name, args, "one bit-vector")) };
        let Some(width) = self.sort(a).width() else {
            return Err(self.sort_error(name, args, "one bit-vector"));
        };
        match (name, indices) {
            ("extract", &[high, low]) => self.apply(Op::Extract { high, low }, args),
            ("zero_extend", &[n]) if n <= MAX_WIDTH - width => Ok(self.zero_extend(n, a)),
            ("sign_extend", &[n]) => self.apply(Op::SignExtend(n), args),
            ("rotate_left" | "rotate_right", &[n]) => {
                let n = if name == "rotate_left" { n % width } else { (width - n % width) % width };
                if n == 0 {
                    return Ok(a);
                }
                let (upper, lower) =
                    (self.extract(width - 1 - n, 0, a), self.extract(width - 1, width - n, a));
                Ok(self.concat(upper, lower))
            }
            ("repeat", &[n]) if n > 0 && u64::from(n) * u64::from(width) <= u64::from(MAX_WIDTH) => {
                Ok((1..n).fold(a, |all, _| self.concat(all, a)))
            }
            ("zero_extend" | "repeat", &[_]) => {
                Err(self.sort_error(name, args, "an index so that the result has 1 to 65536 bits"))
            }
            ("extract", _) => Err(self.sort_error(name, args, "two indices")),
            _ => Err(self.sort_error(name, args, "one index")),
        }
    }

    /// Signed division and remainders by unsigned ones, as SMT-LIB defines them.
    fn signed_division(&mut self, name: &str, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let zero = self.bits(width, 0u32);
        let [a_negative, b_negative] = [a, b].map(|t| self.bv(Op::BvSlt, &[t, zero]));
        let [minus_a, minus_b] = [a, b].map(|t| self.bv(Op::BvNeg, &[t]));
        let (abs_a, abs_b) = (self.ite(a_negative, minus_a, a), self.ite(b_negative, minus_b, b));
        let op = if name == "bvsdiv" { Op::BvUdiv } else { Op::BvUrem };
        let result = self.bv(op, &[abs_a, abs_b]);
        let minus = self.bv(Op::BvNeg, &[result]);
        match name {
            "bvsdiv" => {
                let differ = self.xor(a_negative, b_negative);
                self.ite(differ, minus, result)
            }
            "bvsrem" => self.ite(a_negative, minus, result),
            _ => {
                // The remainder has the sign of the divisor.
                let [plus_b, minus_plus_b] = [result, minus].map(|t| self.bv(Op::BvAdd, &[t, b]));
                let a_positive = self.ite(b_negative, plus_b, result);
                let a_not = self.ite(b_negative, minus, minus_plus_b);
                let signed = self.ite(a_negative, a_not, a_positive);
                let exact = self.eq(result, zero);
                self.ite(exact, result, signed)
            }
        }
    }

    fn all_of(
        &self,
        name: &str,
        args: &[Term],
        is: impl Fn(Sort) -> bool,
        expected: &str,
    ) -> Result<(), SortError> {
        match args.iter().position(|&arg| !is(self.sort(arg))) {
            // The first arguments say what the others should be.
            Some(wrong) if args.len() > 3 => {
                Err(self.sort_error(name, &[args[0], args[wrong]][usize::from(wrong == 0)..], expected))
            }
            Some(_) => Err(self.sort_error(name, args, expected)),
            None if args.is_empty() => Err(self.sort_error(name, args, expected)),
            None => Ok(()),
        }
    }
    fn numbers(&mut self, name: &str, args: &[Term]) -> Result<Vec<Term>, SortError> {
        self.all_of(name, args, Sort::is_number, "numbers")?;
        Ok(self.mixed(args))
    }
    /// Integers beside reals become reals.
    fn mixed(&mut self, args: &[Term]) -> Vec<Term> {
        if args.iter().any(|&arg| self.sort(arg) == Sort::Real) {
            args.iter().map(|&arg| self.as_real(arg)).collect()
        } else {
            args.to_vec()
        }
    }
    /// An integer as a real; anything else as it is.
    pub fn as_real(&mut self, a: Term) -> Term {
        if self.sort(a) == Sort::Int { self.to_real(a) } else { a }
    }
    fn chain(&mut self, args: &[Term], pair: impl Fn(&mut Terms, Term, Term) -> Term) -> Term {
        let pairs: Vec<Term> = args.windows(2).map(|w| pair(self, w[0], w[1])).collect();
        self.and(&pairs)
    }
}
