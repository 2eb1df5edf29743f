//! Satisfiability modulo linear arithmetic over reals and integers, with models, cores and interpolants.
//!
//! | file | idea |
//! |---|---|
//! | `smt` | terms as clauses and atoms |
//! | `external` | other solvers, by a pipe |
//! | `solver` | clauses, assumptions, models, cores: what users see |
//! | `engine` | the SAT kernel with arithmetic, with or without proofs |
//! | `arithmetic` | atoms as bounds; the theory that the SAT kernel asks |
//! | `simplex`, `tableau` | are there values within all bounds? |
//! | `integers` | moves, common divisors and splits |
//! | `cuts` | inequalities that integers satisfy and the present values do not |
//! | `farkas` | interpolants |
//! | `atom` | the normal form of atoms |
//! | `delta`, `rational` | exact numbers, and such with an infinitely small part |

mod arithmetic;
mod atom;
mod blasting;
mod cuts;
mod delta;
mod engine;
mod external;
mod farkas;
mod integers;
mod piped;
mod rational;
mod simplex;
mod smt;
mod solver;
mod tableau;
mod theory;
mod values;

pub use arithmetic::ArithConfig;
pub use atom::{ArithVar, AtMost};
pub use blasting::Blasting;
pub use external::{External, Opinion};
pub use farkas::{Interpolants, Leaf, Remainder};
pub use integers::TOO_MANY_SPLITS;
pub use piped::{Piped, TermSolver};
pub use rational::Rational;
pub use smt::{Smt, SmtConfig, unsupported};
pub use solver::{ArithCounts, ArithSolver};
pub use theory::Theory;
