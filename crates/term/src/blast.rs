//! Bit-blasting: Boolean and bit-vector terms as edges of a circuit, least significant bit first.
//!
//! Sums are ripple-carry adders, products sums of shifted rows, division is done by subtracting from the most significant bit
//! down, shifts are one row of multiplexers for each bit of the distance that is less than the width, and one for all others.

use crate::{Op, Sort, Term, Terms, Value};
use indubit_aig::Aig;
use indubit_logic::Lit;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// A circuit with more gates than about this is not made: a few lines can ask for more than fits into memory.
pub const MOST_GATES: u64 = 1 << 28;

/// An array becomes the bits of all its elements: not more than this.
pub const MAX_ARRAY_BITS: u64 = 1 << 22;

/// Products and quotients have a number of gates that grows with the square of the width: not wider than this.
pub const MAX_PRODUCT_WIDTH: usize = 1024;

fn is_product(op: Op) -> bool {
    matches!(op, Op::BvMul | Op::BvUdiv | Op::BvUrem)
}

/// Why a term is no circuit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BlastError {
    /// It is, or compares, a number.
    Number {
        /// The term, as far as it fits in a message.
        term: String,
        /// Its sort.
        sort: Sort,
    },
    /// A variable has no bits.
    Unknown(String),
    /// A product or quotient of very long bit-vectors.
    TooWide(String),
    /// Terms that would take about so many gates.
    TooMany(u64),
    /// An array of very many bits, or one that is indexed by numbers.
    TooLarge {
        /// The array, as far as it fits in a message.
        term: String,
        /// Its sort.
        sort: Sort,
        /// How many bits an array may have.
        limit: u64,
    },
}

impl fmt::Display for BlastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BlastError::Number { term, sort } => write!(f, "`{term}` of sort {sort} is not made of bits"),
            BlastError::Unknown(name) => write!(f, "the variable `{name}` has no bits"),
            BlastError::TooWide(term) => {
                write!(f, "`{term}` is a product or quotient of more than {MAX_PRODUCT_WIDTH} bits")
            }
            BlastError::TooMany(n) => {
                write!(f, "the circuit would have about {n} gates, more than {MOST_GATES}")
            }
            BlastError::TooLarge { term, sort, limit } => match sort.n_bits() {
                Some(n) => {
                    write!(f, "the array `{term}` has {n} bits, and at most {limit} become bits of a circuit")
                }
                None => write!(f, "the array `{term}` of sort {sort} is not made of bits, or of too many"),
            },
        }
    }
}

impl std::error::Error for BlastError {}

/// What terms are in a circuit. It grows with what it is asked about.
#[derive(Clone, Debug, Default)]
pub struct Blaster {
    bits: FxHashMap<Term, Vec<Lit>>,
}

impl Blaster {
    /// Nothing is known.
    pub fn new() -> Blaster {
        Blaster::default()
    }
    /// The bits of a variable (or of any term), least significant first; one for a Boolean.
    pub fn set(&mut self, term: Term, bits: Vec<Lit>) {
        self.bits.insert(term, bits);
    }
    /// What keeps formulas from being circuits: a number, or a product or quotient that is too wide.
    pub fn obstacle(terms: &Terms, formulas: &[Term]) -> Option<Term> {
        let fits = |&term: &Term| match terms.sort(term) {
            Sort::Int | Sort::Real => false,
            Sort::BitVec(width) => width as usize <= MAX_PRODUCT_WIDTH || !is_product(terms.op(term)),
            Sort::Bool => true,
            sort @ Sort::Array(_) => sort.n_bits().is_some_and(|n| n <= MAX_ARRAY_BITS),
        };
        terms.cone(formulas).into_iter().find(|term| !fits(term))
    }
    /// About how many gates terms take.
    pub fn n_gates(terms: &Terms, roots: &[Term]) -> u64 {
        let bits = |term: Term| terms.sort(term).n_bits().unwrap_or(1);
        let cost = |term: Term| {
            let width = terms.args(term).iter().map(|&arg| bits(arg)).max().unwrap_or(0).max(bits(term));
            let factor = match terms.op(term) {
                Op::Var | Op::Const | Op::Not | Op::BvNot | Op::Concat => 0,
                Op::Extract { .. } | Op::SignExtend(_) | Op::ConstArray(_) => 0,
                Op::BvMul | Op::BvUdiv | Op::BvUrem => width.saturating_mul(12),
                Op::BvShl | Op::BvLshr | Op::BvAshr => 3 * u64::from(64 - width.leading_zeros()),
                Op::BvAdd | Op::BvNeg => 8,
                _ => 3,
            };
            // Whatever it is, its bits are remembered.
            width.saturating_mul(factor).saturating_add(bits(term) / 2)
        };
        terms.cone(roots).into_iter().fold(0u64, |sum, term| sum.saturating_add(cost(term)))
    }
    /// What a term is, if it is known.
    pub fn get(&self, term: Term) -> Option<&[Lit]> {
        self.bits.get(&term).map(|bits| &**bits)
    }
    /// A Boolean term as an edge.
    ///
    /// # Panics
    /// If it is not Boolean.
    pub fn literal(&mut self, terms: &Terms, aig: &mut Aig, term: Term) -> Result<Lit, BlastError> {
        assert_eq!(terms.sort(term), Sort::Bool, "a formula is Boolean");
        Ok(self.bits(terms, aig, term)?[0])
    }
    /// The bits of a term, least significant first.
    pub fn bits(&mut self, terms: &Terms, aig: &mut Aig, root: Term) -> Result<&[Lit], BlastError> {
        for term in self.needed(terms, root) {
            let bits = self.blast(terms, aig, term)?;
            self.bits.insert(term, bits);
        }
        Ok(&self.bits[&root])
    }
    fn write(&self, aig: &mut Aig, write: &Write) -> Vec<Lit> {
        let bits = |term: Term| &*self.bits[&term];
        let guard = write
            .guard
            .map_or(Lit::TRUE, |(guard, value)| if value { bits(guard)[0] } else { !bits(guard)[0] });
        let data = bits(write.data);
        let mask = write.mask.map_or_else(|| vec![Lit::TRUE; data.len()], |mask| bits(mask).to_vec());
        let mut result = Vec::with_capacity(bits(write.array).len());
        let here = decode(aig, bits(write.index));
        for (old, here) in bits(write.array).chunks_exact(data.len()).zip(here) {
            let here = aig.and(here, guard);
            for ((&old, &new), &mask) in old.iter().zip(data).zip(&mask) {
                let is_new = aig.and(here, mask);
                result.push(aig.ite(is_new, new, old));
            }
        }
        result
    }
    /// The terms below a root whose bits are needed for its own and not known, arguments first.
    fn needed(&self, terms: &Terms, root: Term) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut found: Vec<Term> = Vec::new();
        let mut open = vec![root];
        while let Some(term) = open.pop() {
            if !self.bits.contains_key(&term) && seen.insert(term) {
                found.push(term);
                open.extend(Shape::of(terms, term).needs(terms, term));
            }
        }
        found.sort_unstable();
        found
    }
    fn blast(&self, terms: &Terms, aig: &mut Aig, term: Term) -> Result<Vec<Lit>, BlastError> {
        let sort = terms.sort(term);
        let text = || terms.display(term).short().to_string();
        if sort.is_number() {
            return Err(BlastError::Number { term: text(), sort });
        }
        if matches!(sort, Sort::Array(_)) && sort.n_bits().is_none_or(|n| n > MAX_ARRAY_BITS) {
            return Err(BlastError::TooLarge { term: text(), sort, limit: MAX_ARRAY_BITS });
        }
        let bits = |term: Term| &*self.bits[&term];
        match Shape::of(terms, term) {
            Shape::Difference(a, b) => {
                let inverted: Vec<Lit> = bits(b).iter().map(|&b| !b).collect();
                return Ok(add(aig, bits(a), &inverted, Lit::TRUE).0);
            }
            Shape::Write(write) => return Ok(self.write(aig, &write)),
            Shape::Plain => (),
        }
        let args: Vec<&[Lit]> = terms.args(term).iter().map(|&arg| bits(arg)).collect();
        let op = terms.op(term);
        if is_product(op) && args[0].len() > MAX_PRODUCT_WIDTH {
            return Err(BlastError::TooWide(text()));
        }
        let pairs = |f: &mut dyn FnMut(Lit, Lit) -> Lit| -> Vec<Lit> {
            args[0].iter().zip(args[1]).map(|(&a, &b)| f(a, b)).collect()
        };
        Ok(match op {
            Op::Var => return Err(BlastError::Unknown(terms.name(term).unwrap_or_default().to_owned())),
            Op::Const => constant_bits(terms.value(term).expect("a constant has a value")),
            Op::Select => {
                let mut bits = args[0].to_vec();
                // From the least significant bit of the index on, it says which of two neighbours it is.
                for &bit in args[1] {
                    let width = terms.sort(term).n_bits().expect("it is made of bits") as usize;
                    let pairs = bits.chunks_exact(2 * width).map(|pair| pair.split_at(width));
                    bits = pairs.flat_map(|(low, high)| choose(aig, bit, high, low)).collect();
                }
                bits
            }
            Op::Store => unreachable!("it is a write"),
            Op::ConstArray(array) => {
                let n = array.n_indices().expect("it was checked that it is small") as usize;
                args[0].repeat(n)
            }
            Op::Not => vec![!args[0][0]],
            Op::And => vec![aig.and_all(args.iter().map(|a| a[0]))],
            Op::Or => vec![aig.or_all(args.iter().map(|a| a[0]))],
            Op::Eq => {
                let same = pairs(&mut |a, b| aig.iff(a, b));
                vec![aig.and_all(same)]
            }
            Op::Ite => choose(aig, args[0][0], args[1], args[2]),
            Op::BvNot => args[0].iter().map(|&a| !a).collect(),
            Op::BvAnd => pairs(&mut |a, b| aig.and(a, b)),
            Op::BvOr => pairs(&mut |a, b| aig.or(a, b)),
            Op::BvXor => pairs(&mut |a, b| aig.xor(a, b)),
            Op::BvNeg => {
                let inverted: Vec<Lit> = args[0].iter().map(|&a| !a).collect();
                let zero = vec![Lit::FALSE; inverted.len()];
                add(aig, &inverted, &zero, Lit::TRUE).0
            }
            Op::BvAdd => add(aig, args[0], args[1], Lit::FALSE).0,
            Op::BvMul => multiply(aig, args[0], args[1]),
            Op::BvUdiv => divide(aig, args[0], args[1]).0,
            Op::BvUrem => divide(aig, args[0], args[1]).1,
            Op::BvShl => {
                let reversed: Vec<Lit> = args[0].iter().rev().copied().collect();
                let mut shifted = shift(aig, &reversed, args[1], Lit::FALSE);
                shifted.reverse();
                shifted
            }
            Op::BvLshr => shift(aig, args[0], args[1], Lit::FALSE),
            Op::BvAshr => shift(aig, args[0], args[1], *args[0].last().expect("a vector has bits")),
            Op::BvUlt => vec![less(aig, args[0], args[1])],
            Op::BvSlt => {
                // With the signs inverted, order is that of unsigned numbers.
                let [a, b] = [args[0], args[1]].map(|bits| {
                    let mut bits = bits.to_vec();
                    let sign = bits.last_mut().expect("a vector has bits");
                    *sign = !*sign;
                    bits
                });
                vec![less(aig, &a, &b)]
            }
            Op::Concat => args[1].iter().chain(args[0]).copied().collect(),
            Op::Extract { high, low } => args[0][low as usize..=high as usize].to_vec(),
            Op::SignExtend(n) => {
                let sign = *args[0].last().expect("a vector has bits");
                args[0].iter().copied().chain((0..n).map(|_| sign)).collect()
            }
            Op::Le | Op::Lt | Op::Add | Op::Mul | Op::Div | Op::Mod | Op::ToReal | Op::ToInt => {
                unreachable!("arguments that are numbers were refused")
            }
        })
    }
}

/// How a term becomes a circuit: some are smaller as a whole than as what they are made of.
enum Shape {
    /// By its operator.
    Plain,
    /// The first minus the second: one sum, and not two.
    Difference(Term, Term),
    /// An array with another element.
    Write(Write),
}

/// An array with another element at an index, where a mask and a guard allow it.
///
/// Memories of Yosys are `(ite guard (store array index (bvor (bvand data mask) (bvand (select array index) (bvnot mask)))) array)`: there is one choice for each bit instead of three.
struct Write {
    array: Term,
    index: Term,
    data: Term,
    mask: Option<Term>,
    /// A formula, and what it has to be.
    guard: Option<(Term, bool)>,
}

impl Shape {
    fn of(terms: &Terms, term: Term) -> Shape {
        match (terms.op(term), terms.args(term)) {
            (Op::BvAdd, &[a, b]) => {
                let negated = |t: Term| (terms.op(t) == Op::BvNeg).then(|| terms.args(t)[0]);
                match (negated(a), negated(b)) {
                    (_, Some(b)) => Shape::Difference(a, b),
                    (Some(a), None) => Shape::Difference(b, a),
                    (None, None) => Shape::Plain,
                }
            }
            (Op::Store, &[..]) => Shape::Write(Write::of(terms, term)),
            (Op::Ite, &[c, a, b]) if matches!(terms.sort(term), Sort::Array(_)) => {
                let writes =
                    |store: Term, old: Term| terms.op(store) == Op::Store && terms.args(store)[0] == old;
                match (writes(a, b), writes(b, a)) {
                    (true, _) => Shape::Write(Write { guard: Some((c, true)), ..Write::of(terms, a) }),
                    (_, true) => Shape::Write(Write { guard: Some((c, false)), ..Write::of(terms, b) }),
                    _ => Shape::Plain,
                }
            }
            _ => Shape::Plain,
        }
    }
    /// The terms whose bits it takes.
    fn needs(&self, terms: &Terms, term: Term) -> Vec<Term> {
        match self {
            Shape::Plain => terms.args(term).to_vec(),
            Shape::Difference(a, b) => vec![*a, *b],
            Shape::Write(Write { array, index, data, mask, guard }) => {
                let guard = guard.map(|(guard, _)| guard);
                [*array, *index, *data].into_iter().chain(*mask).chain(guard).collect()
            }
        }
    }
}

impl Write {
    /// Of a `store`.
    fn of(terms: &Terms, store: Term) -> Write {
        let &[array, index, element] = terms.args(store) else { unreachable!("a store has three arguments") };
        let (data, mask) = match Write::masked(terms, array, index, element) {
            Some((data, mask)) => (data, Some(mask)),
            None => (element, None),
        };
        Write { array, index, data, mask, guard: None }
    }
    /// The data and the mask of an element that is what was there wherever the mask is 0.
    fn masked(terms: &Terms, array: Term, index: Term, element: Term) -> Option<(Term, Term)> {
        let both = |op: Op, term: Term| match (terms.op(term), terms.args(term)) {
            (found, &[a, b]) if found == op => Some([(a, b), (b, a)]),
            _ => None,
        };
        let is_old = |t: Term| terms.op(t) == Op::Select && terms.args(t) == [array, index];
        let are_inverse = |a: Term, b: Term| {
            let not = |t: Term, of: Term| terms.op(t) == Op::BvNot && terms.args(t)[0] == of;
            not(a, b) || not(b, a)
        };
        for (new, kept) in both(Op::BvOr, element)? {
            for (_, rest) in both(Op::BvAnd, kept).into_iter().flatten().filter(|&(old, _)| is_old(old)) {
                let found =
                    both(Op::BvAnd, new).into_iter().flatten().find(|&(_, mask)| are_inverse(mask, rest));
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }
}

/// The bits of a value, least significant first; of an array its elements, in the order of indices.
fn constant_bits(value: &Value) -> Vec<Lit> {
    match value {
        Value::Bool(b) => vec![Lit::constant(*b)],
        Value::Bits { width, value } => (0..*width).map(|i| Lit::constant(value.bit(i.into()))).collect(),
        Value::Array(table) => {
            let n = table.sort().n_indices().expect("it was checked that it is small");
            (0..n).flat_map(|i| constant_bits(table.get(&table.nth(i)))).collect()
        }
        Value::Int(_) | Value::Real(_) => unreachable!("numbers were refused"),
    }
}

/// For each number, is the index that?
fn decode(aig: &mut Aig, index: &[Lit]) -> Vec<Lit> {
    let mut here = vec![Lit::TRUE];
    for &bit in index {
        let upper: Vec<Lit> = here.iter().map(|&lit| aig.and(lit, bit)).collect();
        here.iter_mut().for_each(|lit| *lit = aig.and(*lit, !bit));
        here.extend(upper);
    }
    here
}

fn choose(aig: &mut Aig, c: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    a.iter().zip(b).map(|(&a, &b)| aig.ite(c, a, b)).collect()
}

/// The sum and what is carried over.
fn add(aig: &mut Aig, a: &[Lit], b: &[Lit], mut carry: Lit) -> (Vec<Lit>, Lit) {
    let mut sum = Vec::with_capacity(a.len());
    for (&a, &b) in a.iter().zip(b) {
        let half = aig.xor(a, b);
        sum.push(aig.xor(half, carry));
        let (both, through) = (aig.and(a, b), aig.and(half, carry));
        carry = aig.or(both, through);
    }
    (sum, carry)
}

/// `a < b`, unsigned: the subtraction borrows.
fn less(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let mut less = Lit::FALSE;
    for (&a, &b) in a.iter().zip(b) {
        let (here, not_more) = (aig.and(!a, b), aig.or(!a, b));
        let below = aig.and(not_more, less);
        less = aig.or(here, below);
    }
    less
}

fn multiply(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let width = a.len();
    let mut sum = vec![Lit::FALSE; width];
    for (i, &bit) in a.iter().enumerate().filter(|&(_, &bit)| bit != Lit::FALSE) {
        let row: Vec<Lit> = b[..width - i].iter().map(|&b| aig.and(bit, b)).collect();
        let (upper, _) = add(aig, &sum[i..], &row, Lit::FALSE);
        sum.truncate(i);
        sum.extend(upper);
    }
    sum
}

/// Quotient and remainder. By 0 they are all ones and the dividend: every subtraction of 0 succeeds.
fn divide(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    let width = a.len();
    // One bit more, for the remainder is shifted before it is compared.
    let inverted: Vec<Lit> = b.iter().map(|&b| !b).chain([Lit::TRUE]).collect();
    let mut remainder = vec![Lit::FALSE; width];
    let mut quotient = vec![Lit::FALSE; width];
    for i in (0..width).rev() {
        let mut shifted = vec![a[i]];
        shifted.append(&mut remainder);
        let (difference, fits) = add(aig, &shifted, &inverted, Lit::TRUE);
        quotient[i] = fits;
        remainder = choose(aig, fits, &difference[..width], &shifted[..width]);
    }
    (quotient, remainder)
}

/// Towards the least significant bit, `fill` comes in.
fn shift(aig: &mut Aig, a: &[Lit], distance: &[Lit], fill: Lit) -> Vec<Lit> {
    let mut bits = a.to_vec();
    // 2^n is the width or more: by so much, nothing is left.
    let n = a.len().next_power_of_two().trailing_zeros() as usize;
    let (near, far) = distance.split_at(n.min(distance.len()));
    for (i, &moves) in near.iter().enumerate() {
        let moved: Vec<Lit> = (0..a.len()).map(|j| bits.get(j + (1 << i)).copied().unwrap_or(fill)).collect();
        bits = choose(aig, moves, &moved, &bits);
    }
    let too_far = aig.or_all(far.iter().copied());
    choose(aig, too_far, &vec![fill; a.len()], &bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ArraySort, Scalar};
    use indubit_aig::simulate;

    /// Circuits of random terms compute what the evaluator does.
    #[test]
    fn circuits_agree_with_evaluation() {
        for seed in 0..400 {
            let rng = &mut fastrand::Rng::with_seed(seed);
            let (mut t, mut aig, mut blaster) = (Terms::new(), Aig::new(), Blaster::new());
            let mut variables = Vec::new();
            let array = ArraySort { index: Scalar::BitVec(3), element: Scalar::BitVec(5).into() };
            let nested = Sort::array(Sort::Bool, Sort::Array(array)).unwrap();
            let sorts = [Sort::Bool, Sort::BitVec(5), Sort::BitVec(3), Sort::Array(array), nested];
            for i in 0..10 {
                let sort = sorts[i % sorts.len()];
                let variable = t.var(&format!("v{i}"), sort);
                let bits: Vec<Lit> = (0..sort.n_bits().unwrap()).map(|_| aig.leaf()).collect();
                blaster.set(variable, bits.clone());
                variables.push((variable, bits));
            }
            let mut pool: Vec<Term> = variables.iter().map(|v| v.0).collect();
            pool.extend([t.bits(5, rng.u32(..)), t.bits(3, rng.u32(..))]);
            for _ in 0..60 {
                let more = [
                    Op::Extract { high: 2, low: 1 },
                    Op::SignExtend(2),
                    Op::Select,
                    Op::Store,
                    Op::ConstArray(array),
                ];
                let ops = [&Op::PLAIN[..], &more].concat();
                let op = ops[rng.usize(0..ops.len())];
                let args: Vec<Term> = (0..rng.usize(1..4)).map(|_| pool[rng.usize(0..pool.len())]).collect();
                if let Ok(term) = t.apply(op, &args)
                    && t.sort(term).width().is_none_or(|w| w < 20)
                {
                    pool.push(term);
                }
            }
            for &term in &pool {
                blaster.bits(&t, &mut aig, term).expect("only bits");
            }
            for _ in 0..5 {
                let mut values = vec![false; aig.n_vars()];
                for (_, bits) in &variables {
                    bits.iter().for_each(|b| values[b.var().index()] = rng.bool());
                }
                simulate::propagate_bools(&aig, &mut values);
                let value = |term: Term| {
                    let bits = blaster.get(term).expect("it was blasted");
                    let bits = bits.iter().map(|&b| simulate::value(&values, b));
                    Value::of_bits(t.sort(term), bits).expect("made of bits")
                };
                for &term in &pool {
                    let expected = t.evaluate(term, &value).expect("bits only");
                    assert_eq!(value(term), expected, "seed {seed}: {}", t.display(term));
                }
            }
        }
    }

    #[test]
    fn wide_shifts_are_a_few_rows() {
        for op in [Op::BvShl, Op::BvLshr, Op::BvAshr] {
            let (mut t, mut aig, mut blaster) = (Terms::new(), Aig::new(), Blaster::new());
            let width = 1000;
            let [a, b] = ["a", "b"].map(|name| t.var(name, Sort::BitVec(width)));
            for variable in [a, b] {
                blaster.set(variable, (0..width).map(|_| aig.leaf()).collect());
            }
            let shifted = t.apply(op, &[a, b]).unwrap();
            blaster.bits(&t, &mut aig, shifted).unwrap();
            // Ten rows, and one for what is too far.
            assert!(aig.n_ands() < 12 * 3 * width as usize, "{}", aig.n_ands());
        }
    }

    /// All distances of all small widths.
    #[test]
    fn shifts_agree_with_evaluation() {
        for (op, width) in
            [Op::BvShl, Op::BvLshr, Op::BvAshr].into_iter().flat_map(|op| (1..6).map(move |w| (op, w)))
        {
            let mut t = Terms::new();
            for (a, b) in (0..1u32 << width).flat_map(|a| (0..1u32 << width).map(move |b| (a, b))) {
                let (mut aig, mut blaster) = (Aig::new(), Blaster::new());
                let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::BitVec(width)));
                for (variable, value) in [(x, a), (y, b)] {
                    blaster.set(variable, (0..width).map(|i| Lit::constant(value >> i & 1 == 1)).collect());
                }
                let shifted = t.apply(op, &[x, y]).unwrap();
                let bits = blaster.bits(&t, &mut aig, shifted).unwrap();
                let found = bits.iter().rev().fold(0u32, |n, &b| 2 * n + u32::from(b == Lit::TRUE));
                let value = |v: Term| Value::bits(width, if v == x { a } else { b });
                assert_eq!(t.evaluate(shifted, &value), Ok(Value::bits(width, found)), "{op:?} {a} {b}");
            }
        }
    }

    #[test]
    fn what_is_not_made_of_bits_is_named() {
        let (mut t, mut aig, mut blaster) = (Terms::new(), Aig::new(), Blaster::new());
        let (x, p) = (t.var("x", Sort::Int), t.var("p", Sort::Bool));
        let zero = t.int(0);
        let atom = t.le(x, zero);
        let error = blaster.bits(&t, &mut aig, atom).unwrap_err().to_string();
        assert_eq!(error, "`x` of sort Int is not made of bits");
        let error = blaster.bits(&t, &mut aig, p).unwrap_err().to_string();
        assert_eq!(error, "the variable `p` has no bits");
    }
}
