//! VMT: transition systems as annotated SMT-LIB.
//!
//! | annotation | meaning |
//! |---|---|
//! | `(! x :next x')` | `x` is a state variable, `x'` its next value |
//! | `(! f :init)` | what holds initially; several are conjoined |
//! | `(! f :trans)` | what holds in a step; several are conjoined |
//! | `(! f :invar-property n)` | `f` holds in all reachable states |
//! | `(! f :live-property n)` | every infinite run comes to a step from which on `f` holds: `F G f` |
//! | `(! f :ltl-property n)` | every infinite run satisfies `f`, which has operators such as `ltl.G` |
//!
//! Older files write the value `true` behind annotations without one. Variables without `:next` are inputs. Annotations
//! that say nothing about a system, such as `:named` and `:pattern`, are passed over; any other one is an error.
//!
//! Source: *Verification Modulo Theories*, <https://vmt-lib.fbk.eu>.

mod read;
mod temporal;
mod write;

pub use read::{parse, read};
pub(crate) use temporal::is_operator;
pub use write::write;
