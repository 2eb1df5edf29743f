//! Typed terms: Booleans, exact integers and rationals, bit-vectors, and arrays of these.
//!
//! - [`Terms`]: the pool in which terms live, each once. Its constructors simplify.
//! - [`Term`], [`Sort`], [`Op`]: a term is a number; the pool knows its operator, arguments and sort.
//! - [`Value`]: what a term evaluates to, exactly. [`Terms::evaluate`] does it.
//! - [`Sum`]: a linear sum, the normal form of arithmetic.
//! - [`Terms::call`]: every function of SMT-LIB by its name, expressed by the few operators of the table.
//! - [`Blaster`]: terms as circuits.
//!
//! Nothing here recurses over the depth of a term: terms may be as deep as they want.

mod arith;
mod arrays;
mod bits;
mod blast;
mod bool;
mod define;
mod evaluate;
mod op;
mod pool;
mod print;
mod sum;
mod symbols;
mod table;
mod value;
mod walk;

#[cfg(test)]
mod rewrite_tests;
#[cfg(test)]
mod tests;

pub use blast::{BlastError, Blaster, MAX_ARRAY_BITS, MAX_PRODUCT_WIDTH, MOST_GATES};
pub use evaluate::EvalError;
pub use num_bigint::{BigInt, BigUint};
pub use num_rational::BigRational;
pub use op::{ArraySort, Element, MAX_WIDTH, Op, Scalar, Sort, SortError};
pub use pool::{Term, Terms};
pub use print::{Comparison, Display, Symbol};
pub use sum::Sum;
pub use table::Table;
pub use value::Value;
