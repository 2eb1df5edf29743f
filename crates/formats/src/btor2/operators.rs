//! The operators of BTOR2 as terms.
//!
//! Everything is a bit-vector in BTOR2, and what is true or false a bit. What connects such bits is made of formulas, which a bit can be made of again.

use indubit_term::{BigUint, Op, Sort, Term, Terms};

/// A node: a bit-vector or an array, or a bit that is a formula, or both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub sort: Sort,
    term: Option<Term>,
    truth: Option<Term>,
}

impl Node {
    /// A bit-vector or an array.
    pub fn of_term(terms: &Terms, term: Term) -> Node {
        Node { sort: terms.sort(term), term: Some(term), truth: None }
    }
    /// A bit.
    pub fn of_truth(truth: Term) -> Node {
        Node { sort: Sort::BitVec(1), term: None, truth: Some(truth) }
    }
    /// As a bit-vector or an array.
    pub fn term(&mut self, terms: &mut Terms) -> Term {
        *self.term.get_or_insert_with(|| {
            let truth = self.truth.expect("a node is a term or a formula");
            let [one, zero] = [1u32, 0].map(|bit| terms.bits(1, bit));
            terms.ite(truth, one, zero)
        })
    }
    /// As a formula.
    pub fn truth(&mut self, terms: &mut Terms) -> Term {
        *self.truth.get_or_insert_with(|| {
            let term = self.term.expect("a node is a term or a formula");
            let one = terms.bits(1, 1u32);
            terms.eq(term, one)
        })
    }
    /// Every bit the other way round.
    pub fn not(&mut self, terms: &mut Terms) -> Node {
        match self.sort {
            Sort::BitVec(1) => {
                let truth = self.truth(terms);
                Node::of_truth(terms.not(truth))
            }
            _ => {
                let term = self.term(terms);
                let not = terms.bv(Op::BvNot, &[term]);
                Node::of_term(terms, not)
            }
        }
    }
}

/// What an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// One bit-vector.
    One,
    /// Two bit-vectors of one width.
    Two,
    /// Two bit-vectors.
    Pair,
    /// Two of one sort.
    Same,
    /// Two bits.
    Bits,
    /// One bit-vector, and how much wider it becomes.
    Wider,
    /// One bit-vector, and the numbers of its upper and of its lower bit.
    Slice,
    /// A bit, and two of one sort.
    Choice,
    /// An array and an index.
    Read,
    /// An array, an index and an element.
    Write,
}

/// The operators with what they take.
#[rustfmt::skip]
pub(super) const OPERATORS: &[(&str, Takes)] = &[
    ("not", Takes::One), ("inc", Takes::One), ("dec", Takes::One), ("neg", Takes::One),
    ("redand", Takes::One), ("redor", Takes::One), ("redxor", Takes::One),
    ("sext", Takes::Wider), ("uext", Takes::Wider), ("slice", Takes::Slice),
    ("iff", Takes::Bits), ("implies", Takes::Bits), ("eq", Takes::Same), ("neq", Takes::Same),
    ("sgt", Takes::Two), ("ugt", Takes::Two), ("sgte", Takes::Two), ("ugte", Takes::Two),
    ("slt", Takes::Two), ("ult", Takes::Two), ("slte", Takes::Two), ("ulte", Takes::Two),
    ("and", Takes::Two), ("nand", Takes::Two), ("nor", Takes::Two), ("or", Takes::Two), ("xnor", Takes::Two), ("xor", Takes::Two),
    ("rol", Takes::Two), ("ror", Takes::Two), ("sll", Takes::Two), ("sra", Takes::Two), ("srl", Takes::Two),
    ("add", Takes::Two), ("mul", Takes::Two), ("sdiv", Takes::Two), ("udiv", Takes::Two), ("smod", Takes::Two), ("srem", Takes::Two), ("urem", Takes::Two), ("sub", Takes::Two),
    ("saddo", Takes::Two), ("uaddo", Takes::Two), ("sdivo", Takes::Two), ("udivo", Takes::Two), ("smulo", Takes::Two), ("umulo", Takes::Two),
    ("ssubo", Takes::Two), ("usubo", Takes::Two),
    ("concat", Takes::Pair), ("ite", Takes::Choice), ("read", Takes::Read), ("write", Takes::Write),
];

/// An operator with arguments of the right sorts, and with its numbers.
pub(super) fn apply(terms: &mut Terms, name: &str, args: &mut [Node], numbers: &[u32]) -> Node {
    let is_bit = args.iter().all(|arg| arg.sort == Sort::BitVec(1));
    if let Some(truth) = relation(terms, name, args, is_bit) {
        return Node::of_truth(truth);
    }
    if let ("ite", [condition, a, b]) = (name, &mut *args) {
        let (condition, a, b) = (condition.truth(terms), a.term(terms), b.term(terms));
        let choice = terms.ite(condition, a, b);
        return Node::of_term(terms, choice);
    }
    let args: Vec<Term> = args.iter_mut().map(|arg| arg.term(terms)).collect();
    let result = match (name, &args[..]) {
        ("slice", &[a]) => terms.extract(numbers[0], numbers[1], a),
        ("uext", &[a]) => terms.zero_extend(numbers[0], a),
        ("sext", &[a]) => terms.bv(Op::SignExtend(numbers[0]), &[a]),
        ("read", &[array, index]) => terms.select(array, index),
        ("write", &[array, index, element]) => terms.store(array, index, element),
        ("inc" | "dec", &[a]) => {
            let width = terms.width(a);
            let one = terms.bits(width, 1u32);
            let step = if name == "inc" { one } else { terms.bv(Op::BvNeg, &[one]) };
            terms.bv(Op::BvAdd, &[a, step])
        }
        ("rol" | "ror", &[a, b]) => rotate(terms, name == "rol", a, b),
        _ => {
            let function = match name {
                "not" => "bvnot",
                "neg" => "bvneg",
                "and" => "bvand",
                "nand" => "bvnand",
                "or" => "bvor",
                "nor" => "bvnor",
                "xor" => "bvxor",
                "xnor" => "bvxnor",
                "sll" => "bvshl",
                "srl" => "bvlshr",
                "sra" => "bvashr",
                "add" => "bvadd",
                "sub" => "bvsub",
                "mul" => "bvmul",
                "udiv" => "bvudiv",
                "urem" => "bvurem",
                "sdiv" => "bvsdiv",
                "srem" => "bvsrem",
                "smod" => "bvsmod",
                _ => "concat",
            };
            let called = terms.call(function, &[], &args).expect("sorts were checked");
            called.expect("a function of SMT-LIB")
        }
    };
    Node::of_term(terms, result)
}

/// What is true or false, as a formula.
fn relation(terms: &mut Terms, name: &str, args: &mut [Node], is_bit: bool) -> Option<Term> {
    let mut truths =
        |terms: &mut Terms| -> Vec<Term> { args.iter_mut().map(|arg| arg.truth(terms)).collect() };
    let negated = matches!(name, "nand" | "nor" | "xor" | "neq");
    let positive = match name {
        "and" | "nand" if is_bit => {
            let truths = truths(terms);
            terms.and(&truths)
        }
        "or" | "nor" if is_bit => {
            let truths = truths(terms);
            terms.or(&truths)
        }
        "not" if is_bit => {
            let truths = truths(terms);
            terms.not(truths[0])
        }
        "implies" => {
            let truths = truths(terms);
            terms.implies(truths[0], truths[1])
        }
        "xor" | "xnor" | "eq" | "neq" | "iff" if is_bit => {
            let truths = truths(terms);
            terms.eq(truths[0], truths[1])
        }
        "ite" if is_bit => {
            let truths = truths(terms);
            terms.ite(truths[0], truths[1], truths[2])
        }
        "eq" | "neq" => {
            let [a, b] = [args[0].term(terms), args[1].term(terms)];
            terms.eq(a, b)
        }
        "redand" | "redor" | "redxor" => return Some(reduce(terms, name, args[0])),
        "saddo" | "uaddo" | "sdivo" | "udivo" | "smulo" | "umulo" | "ssubo" | "usubo" => {
            let [a, b] = [args[0].term(terms), args[1].term(terms)];
            return Some(overflow(terms, name, a, b));
        }
        _ => {
            // Which of the two is less, or not.
            let (op, swapped, negated) = match name {
                "ult" => (Op::BvUlt, false, false),
                "ugt" => (Op::BvUlt, true, false),
                "ugte" => (Op::BvUlt, false, true),
                "ulte" => (Op::BvUlt, true, true),
                "slt" => (Op::BvSlt, false, false),
                "sgt" => (Op::BvSlt, true, false),
                "sgte" => (Op::BvSlt, false, true),
                "slte" => (Op::BvSlt, true, true),
                _ => return None,
            };
            let [a, b] = [args[0].term(terms), args[1].term(terms)];
            let less = terms.bv(op, &if swapped { [b, a] } else { [a, b] });
            return Some(if negated { terms.not(less) } else { less });
        }
    };
    Some(if negated { terms.not(positive) } else { positive })
}

/// All bits, some bit, or an odd number of bits.
fn reduce(terms: &mut Terms, name: &str, mut node: Node) -> Term {
    let mut term = node.term(terms);
    let mut width = terms.width(term);
    let ones = (BigUint::from(1u32) << width) - 1u32;
    match name {
        "redand" => {
            let ones = terms.bits(width, ones);
            terms.eq(term, ones)
        }
        "redor" => {
            let zero = terms.bits(width, 0u32);
            let none = terms.eq(term, zero);
            terms.not(none)
        }
        _ => {
            // One half and the other, again and again.
            while width > 1 {
                let half = width.div_ceil(2);
                let low = terms.extract(half - 1, 0, term);
                let high = terms.extract(width - 1, half, term);
                let high = terms.zero_extend(2 * half - width, high);
                term = terms.bv(Op::BvXor, &[high, low]);
                width = half;
            }
            let one = terms.bits(1, 1u32);
            terms.eq(term, one)
        }
    }
}

/// By a distance modulo the width.
fn rotate(terms: &mut Terms, to_left: bool, a: Term, distance: Term) -> Term {
    let width = terms.width(a);
    let modulus = terms.bits(width, width);
    let near = if width.is_power_of_two() {
        let below = terms.bits(width, width - 1);
        terms.bv(Op::BvAnd, &[distance, below])
    } else {
        terms.bv(Op::BvUrem, &[distance, modulus])
    };
    let minus = terms.bv(Op::BvNeg, &[near]);
    let far = terms.bv(Op::BvAdd, &[modulus, minus]);
    let (there, back) = if to_left { (Op::BvShl, Op::BvLshr) } else { (Op::BvLshr, Op::BvShl) };
    let (one, other) = (terms.bv(there, &[a, near]), terms.bv(back, &[a, far]));
    terms.bv(Op::BvOr, &[one, other])
}

/// Does the result not fit?
fn overflow(terms: &mut Terms, name: &str, a: Term, b: Term) -> Term {
    let width = terms.width(a);
    let zero = terms.bits(width, 0u32);
    match name {
        "uaddo" => {
            let sum = terms.bv(Op::BvAdd, &[a, b]);
            terms.bv(Op::BvUlt, &[sum, a])
        }
        "usubo" => terms.bv(Op::BvUlt, &[a, b]),
        "udivo" => terms.bool(false),
        "sdivo" => {
            let least = terms.bits(width, BigUint::from(1u32) << (width - 1));
            let minus_one = terms.bits(width, (BigUint::from(1u32) << width) - 1u32);
            let both = [terms.eq(a, least), terms.eq(b, minus_one)];
            terms.and(&both)
        }
        "umulo" | "smulo" => {
            let [wide_a, wide_b] = [a, b].map(|t| match name {
                "umulo" => terms.zero_extend(width, t),
                _ => terms.bv(Op::SignExtend(width), &[t]),
            });
            let product = terms.bv(Op::BvMul, &[wide_a, wide_b]);
            let low = terms.extract(width - 1, 0, product);
            let fits = match name {
                "umulo" => terms.zero_extend(width, low),
                _ => terms.bv(Op::SignExtend(width), &[low]),
            };
            let same = terms.eq(product, fits);
            terms.not(same)
        }
        // The result has a sign that it cannot have.
        _ => {
            let other = if name == "saddo" { b } else { terms.bv(Op::BvNot, &[b]) };
            let result = match name {
                "saddo" => terms.bv(Op::BvAdd, &[a, b]),
                _ => {
                    let minus = terms.bv(Op::BvNeg, &[b]);
                    terms.bv(Op::BvAdd, &[a, minus])
                }
            };
            let [a, b, result] = [a, other, result].map(|t| terms.bv(Op::BvSlt, &[t, zero]));
            let (alike, kept) = (terms.eq(a, b), terms.eq(a, result));
            let lost = terms.not(kept);
            terms.and(&[alike, lost])
        }
    }
}
