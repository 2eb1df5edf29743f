//! The pool of terms.

use crate::{BigInt, Op, Sort, SortError, Value};
use num_traits::Zero;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{BuildHasher, Hash};

/// A term of a [`Terms`]. Arguments have smaller numbers than the terms they are in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(pub(crate) u32);

impl Term {
    /// Its number in the pool, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Node {
    op: Op,
    sort: Sort,
    /// Where the arguments begin; of a constant and a variable: which value, which name.
    first: u32,
    n_args: u32,
    /// Another term with the same hash.
    next: Option<Term>,
}

/// A pool of terms, each of them there once, and variables, each of them new.
///
/// Invariant: every term is well sorted, and built by the simplifying constructors from its arguments. So equal
/// terms have equal numbers, sums and comparisons are in normal form (see [`Sum`](crate::Sum)), `Ite` is not Boolean.
///
/// ```
/// use indubit_term::{Sort, Terms, Value};
/// let mut t = Terms::new();
/// let (x, y) = (t.var("x", Sort::Int), t.var("y", Sort::Int));
/// let (two, sum) = (t.int(2), t.add(&[x, y, x]));
/// let atom = t.gt(sum, two);
/// assert_eq!(t.display(atom).to_string(), "(>= (+ (* 2 x) y) 3)");
/// let value = t.evaluate(atom, &|v| Value::int(if v == x { 1 } else { 0 }))?;
/// assert_eq!(value, Value::Bool(false));
/// # Ok::<(), indubit_term::EvalError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    args: Vec<Term>,
    values: Vec<Value>,
    names: Vec<String>,
    constants: FxHashMap<Value, Term>,
    /// For each hash of an operator and its arguments the last term with it; others follow by `next`.
    table: FxHashMap<u64, Term>,
}

impl Terms {
    /// The empty pool.
    pub fn new() -> Terms {
        Terms::default()
    }
    /// Are these the same terms as those of `other`, and perhaps more?
    pub fn extends(&self, other: &Terms) -> bool {
        self.nodes.starts_with(&other.nodes)
            && self.args.starts_with(&other.args)
            && self.values.starts_with(&other.values)
            && self.names.starts_with(&other.names)
    }
    /// How many terms there are.
    pub fn n_terms(&self) -> usize {
        self.nodes.len()
    }
    /// How much there is: terms, and arguments of terms.
    pub fn size(&self) -> usize {
        self.nodes.len() + self.args.len()
    }
    /// A new variable. Names need not be unique, and two variables with one name are two variables.
    pub fn var(&mut self, name: &str, sort: Sort) -> Term {
        let first = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.push(Node { op: Op::Var, sort, first, n_args: 0, next: None })
    }
    /// Give a variable another name.
    ///
    /// # Panics
    /// If it is no variable.
    pub fn rename(&mut self, variable: Term, name: &str) {
        assert!(self.is_var(variable), "only variables have names");
        self.names[self.nodes[variable.index()].first as usize] = name.to_owned();
    }
    /// The constant with this value.
    pub fn constant(&mut self, value: Value) -> Term {
        if let Some(&known) = self.constants.get(&value) {
            return known;
        }
        let (first, sort) = (self.values.len() as u32, value.sort());
        self.values.push(value.clone());
        let term = self.push(Node { op: Op::Const, sort, first, n_args: 0, next: None });
        self.constants.insert(value, term);
        term
    }
    /// A truth value.
    pub fn bool(&mut self, b: bool) -> Term {
        self.constant(Value::Bool(b))
    }
    /// An integer.
    pub fn int(&mut self, i: impl Into<BigInt>) -> Term {
        self.constant(Value::Int(i.into()))
    }
    /// A bit-vector, cut to its width.
    pub fn bits(&mut self, width: u32, value: impl Into<crate::BigUint>) -> Term {
        self.constant(Value::bits(width, value))
    }

    /// An operator with arguments, simplified; an error names what has the wrong sort. Division by 0 or by what is
    /// not a constant is an error as well.
    pub fn apply(&mut self, op: Op, args: &[Term]) -> Result<Term, SortError> {
        self.check(op, args)?;
        Ok(self.build(op, args))
    }
    fn check(&self, op: Op, args: &[Term]) -> Result<Sort, SortError> {
        let sorts: Vec<Sort> = args.iter().map(|&a| self.sort(a)).collect();
        let sort = op.sort(&sorts).map_err(|expected| self.sort_error(&op.name(), args, expected))?;
        if matches!(op, Op::Div | Op::Mod) {
            self.check_divisor(&op.name(), args[1])?;
        }
        Ok(sort)
    }
    pub(crate) fn check_divisor(&self, name: &str, divisor: Term) -> Result<(), SortError> {
        match self.value(divisor) {
            Some(value) if value.as_rational().is_none_or(|r| !r.is_zero()) => Ok(()),
            Some(_) => {
                Err(SortError::new(format!("`{name}` by zero"), "division by a constant that is not zero"))
            }
            None => Err(SortError::new(
                format!("`{name}` by `{}`", self.display(divisor).short()),
                "division by a constant that is not zero",
            )),
        }
    }
    /// The error that `name` takes something else than these arguments.
    pub(crate) fn sort_error(&self, name: &str, args: &[Term], expected: &str) -> SortError {
        let mut found = format!("`{name}`");
        match args {
            [] => found += " without arguments",
            [..] if args.len() > 3 => found += &format!(" with {} arguments", args.len()),
            _ => {
                for (i, &arg) in args.iter().enumerate() {
                    found += if i == 0 { " of " } else { " and " };
                    found += &format!("`{}` (sort {})", self.display(arg).short(), self.sort(arg));
                }
            }
        }
        SortError::new(found, expected)
    }
    /// An operator with arguments of the right sorts, simplified.
    pub(crate) fn build(&mut self, op: Op, args: &[Term]) -> Term {
        match (op, args) {
            (Op::Not, &[a]) => self.not(a),
            (Op::And, _) => self.and(args),
            (Op::Or, _) => self.or(args),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::Ite, &[c, a, b]) => self.ite(c, a, b),
            (Op::Le, &[a, b]) => self.le(a, b),
            (Op::Lt, &[a, b]) => self.lt(a, b),
            (Op::Add, _) => self.add(args),
            (Op::Mul, _) => self.product(args),
            (Op::Div, &[a, b]) => self.div(a, b),
            (Op::Mod, &[a, b]) => self.modulo(a, b),
            (Op::ToReal, &[a]) => self.to_real(a),
            (Op::ToInt, &[a]) => self.to_int(a),
            (Op::Select, &[array, index]) => self.select(array, index),
            (Op::Store, &[array, index, element]) => self.store(array, index, element),
            (Op::ConstArray(sort), &[element]) => self.const_array(sort, element),
            _ => self.build_bits(op, args),
        }
    }
    /// The term with exactly this operator and these arguments.
    ///
    /// # Panics
    /// If the sorts are wrong.
    pub(crate) fn intern(&mut self, op: Op, args: &[Term]) -> Term {
        let sort = self.check(op, args).unwrap_or_else(|error| panic!("ill-sorted term: {error}"));
        let hash = FxBuildHasher.hash_one((op, args));
        let mut candidate = self.table.get(&hash).copied();
        while let Some(term) = candidate {
            if self.op(term) == op && self.args(term) == args {
                return term;
            }
            candidate = self.nodes[term.index()].next;
        }
        let first = self.args.len() as u32;
        self.args.extend_from_slice(args);
        let next = self.table.get(&hash).copied();
        let term = self.push(Node { op, sort, first, n_args: args.len() as u32, next });
        self.table.insert(hash, term);
        term
    }
    fn push(&mut self, node: Node) -> Term {
        let number = u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms fit into memory");
        self.nodes.push(node);
        Term(number)
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].sort
    }
    /// The operator of a term.
    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.index()].op
    }
    /// The arguments of a term.
    pub fn args(&self, term: Term) -> &[Term] {
        let node = &self.nodes[term.index()];
        if node.n_args == 0 {
            return &[];
        }
        &self.args[node.first as usize..][..node.n_args as usize]
    }
    /// The value of a constant.
    pub fn value(&self, term: Term) -> Option<&Value> {
        let node = &self.nodes[term.index()];
        (node.op == Op::Const).then(|| &self.values[node.first as usize])
    }
    /// The name of a variable.
    pub fn name(&self, term: Term) -> Option<&str> {
        let node = &self.nodes[term.index()];
        (node.op == Op::Var).then(|| &*self.names[node.first as usize])
    }
    /// Is it a variable?
    pub fn is_var(&self, term: Term) -> bool {
        self.op(term) == Op::Var
    }
    /// The value of a Boolean constant.
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        self.value(term).and_then(Value::as_bool)
    }
}
