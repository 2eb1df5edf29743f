//! Exact evaluation.

use crate::{Op, Sort, Term, Terms, Value};
use rustc_hash::FxHashMap;
use std::fmt;

/// Why a term has no value here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalError {
    /// A number with more than [`EvalError::MAX_BITS`] bits: a product of products of products.
    TooLarge,
    /// A variable was given a value of another sort.
    WrongValue {
        /// The variable's name.
        name: String,
        /// Its sort.
        sort: Sort,
    },
    /// An operator met a value of another sort.
    WrongSort(String),
}

impl EvalError {
    /// Numbers in an evaluation are not longer than this.
    pub const MAX_BITS: u64 = 1 << 20;

    pub(crate) fn check(bits: u64) -> Result<(), EvalError> {
        if bits > EvalError::MAX_BITS { Err(EvalError::TooLarge) } else { Ok(()) }
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::TooLarge => write!(f, "a number with more than {} bits", EvalError::MAX_BITS),
            EvalError::WrongValue { name, sort } => write!(f, "the value of `{name}` is not of sort {sort}"),
            EvalError::WrongSort(op) => write!(f, "`{op}` of values of another sort"),
        }
    }
}

impl std::error::Error for EvalError {}

impl Terms {
    /// The value of a term, from the values of its variables.
    pub fn evaluate(&self, term: Term, value: &dyn Fn(Term) -> Value) -> Result<Value, EvalError> {
        let mut values = self.evaluate_all(&[term], value)?;
        Ok(values.swap_remove(0))
    }
    /// The values of several terms, what they share evaluated once.
    pub fn evaluate_all(
        &self,
        roots: &[Term],
        value: &dyn Fn(Term) -> Value,
    ) -> Result<Vec<Value>, EvalError> {
        let mut values: FxHashMap<Term, Value> = FxHashMap::default();
        let mut args: Vec<&Value> = Vec::new();
        for term in self.cone(roots) {
            let result = match self.op(term) {
                Op::Const => self.value(term).expect("a constant has a value").clone(),
                Op::Var => {
                    let found = value(term);
                    if found.sort() != self.sort(term) {
                        let name = self.name(term).unwrap_or_default().to_owned();
                        return Err(EvalError::WrongValue { name, sort: self.sort(term) });
                    }
                    found
                }
                op => {
                    args.extend(self.args(term).iter().map(|arg| &values[arg]));
                    op.evaluate(&args)?
                }
            };
            args = recycle(args);
            values.insert(term, result);
        }
        Ok(roots.iter().map(|root| values[root].clone()).collect())
    }
    /// Is the Boolean term true?
    pub fn holds(&self, term: Term, value: &dyn Fn(Term) -> Value) -> Result<bool, EvalError> {
        match self.evaluate(term, value)? {
            Value::Bool(b) => Ok(b),
            _ => Err(EvalError::WrongSort("a formula".into())),
        }
    }
}

/// Empty the vector, and keep its memory for references that live at another time.
fn recycle<'b>(mut args: Vec<&Value>) -> Vec<&'b Value> {
    args.clear();
    args.into_iter().map(|_| unreachable!("it is empty")).collect()
}
