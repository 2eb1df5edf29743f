//! IC3 / property-directed reachability over an abstract relative-induction oracle.
//!
//! Where to find the listings of S. Wolff, an introduction to IC3 (docs/SOURCES.md), which are those of Bradley, VMCAI 2011, in this crate:
//!
//! | listing | what | here |
//! |---|---|---|
//! | 1 | main loop | [`Pdr::prove`] in `prove.rs` |
//! | 2 | `extendFrontier`: CTI detection | `Pdr::extend_frontier` in `prove.rs` |
//! | 3 | `removeCTI`: proof obligations | `Pdr::remove_cti` in `prove.rs` |
//! | 3, line 26 | `inductiveGeneralization` | `generalize/` |
//! | 4 | `propagateClauses` | `Pdr::propagate` in `push.rs` |
//! | P1–P4 | what the frames satisfy | `paranoid.rs` |
//!
//! `naive.rs` and `fsis.rs` are what came before IC3 (Bradley, Manna, FMCAD 2007), with `F∞` as their only frame.
//!
//! Everything is written over [`Cube`](indubit_logic::Cube)s of state atoms. What an atom is, and which solver
//! answers, is the business of the oracle, a [`RelInd`]: latches and SAT, or predicates and SMT. What only some oracles can do is in
//! `abilities.rs`.

mod abilities;
mod activity;
mod aim;
mod bad_lemmas;
mod collect;
mod config;
mod counts;
mod exchange;
mod exclude;
mod extras;
mod frames;
mod fsis;
mod generalize;
mod index;
mod naive;
mod obligations;
mod oracle;
mod paranoid;
mod prove;
mod push;
mod quip;
mod reach;
mod refine;
mod strengthen;
mod walk;

pub use abilities::{Abstraction, Exchanges, Interpolants, States, Targets, Walks};
pub use activity::Activity;
pub use config::{Config, Generalize, Order, Promote};
pub use frames::{INFINITE, Level};
pub use oracle::{Answer, Concretization, Core, Cti, Predecessor, Query, RelInd, ask};
pub use prove::{Outcome, Pdr};
pub use quip::Quip;
pub use reach::State;
