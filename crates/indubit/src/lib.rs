//! Indubit as a library: from a system to a checked verdict.
//!
//! [`check`] does the whole path for one property, [`check_all`] for several by turns: preprocessing, engines, the way back to the system as it
//! was given, and the independent check of the evidence. A verdict that comes out has passed that check. [`Incremental`] proves properties
//! with lemmas that somebody has at hand. These are written over a [`Kind`] of systems: [`Bits`] or [`Words`]. What is
//! asked of SMV models alone ([`Steps`], [`deadlock`], [`reachable_states`], [`dead_ends`]) is about words.
//!
//! ```
//! use indubit::run::{Cancel, Run};
//! use indubit::{BitSystem, Bits, Plan, check};
//! use std::time::Duration;
//!
//! // Three bits in a ring, one of them set: never two at once. (Or `formats::aiger::read(path)`.)
//! let mut model = BitSystem::new();
//! let ring = [true, false, false].map(|init| model.add_latch("", Some(init)));
//! for i in 0..3 {
//!     model.set_next(ring[i], ring[(i + 2) % 3]);
//! }
//! let two = model.aig_mut().and(ring[0], ring[1]);
//! model.add_bad("two tokens", two);
//!
//! let mut run = Run::new(Cancel::after(Duration::from_secs(10)));
//! let verdict = check::<Bits>(&model, 0, Plan::default(), &mut run)?;
//! assert_eq!(verdict.word(), "safe");
//! println!("{verdict}"); // safe: inductive invariant of 2 lemmas
//! # Ok::<(), indubit::Error<Bits>>(())
//! ```
//!
//! Over words, where a system has numbers:
//!
//! ```
//! use indubit::run::{Cancel, Run};
//! use indubit::term::Sort;
//! use indubit::{EngineId, WordSystem, Words, check};
//!
//! // x counts up from 0: can it be 3? (Or `formats::vmt::read(path)`.)
//! let mut model = WordSystem::new();
//! let x = model.add_state("x", Sort::Int);
//! let [zero, one, three] = [0, 1, 3].map(|n| model.terms.int(n));
//! model.init = model.terms.eq(x.current, zero);
//! let more = model.terms.add(&[x.current, one]);
//! model.trans = model.terms.eq(x.next, more);
//! let seen = model.terms.eq(x.current, three);
//! model.add_cover("three", seen);
//!
//! let verdict = check::<Words>(&model, 0, EngineId::Bmc, &mut Run::new(Cancel::new()))?;
//! assert_eq!(verdict.to_string(), "reached in step 3");
//! # Ok::<(), indubit::Error<Words>>(())
//! ```

mod all;
mod bits;
mod check;
mod circuit;
mod exchange;
mod path;
mod plan;
mod prove;
mod race;
mod share;
mod simulate;
mod states;
mod steps;
mod temporal;
mod tidy;
mod verdict;
mod words;
mod workers;

pub use all::{Answer, Next, Tell, check_all};
pub use check::check;
pub use indubit_aig as aig;
pub use indubit_certify as certify;
pub use indubit_certify::FINITE_RUN;
pub use indubit_engines::{
    ENGINES, EngineId, EngineInfo, Implementation, NOT_INDUCTIVE, Options, Proves, SWITCHES, Supported,
    Switch, Switched, find as engine,
};
pub use indubit_formats as formats;
pub use indubit_interpolate as interpolate;
pub use indubit_logic as logic;
pub use indubit_preproc as preproc;
pub use indubit_run as run;
pub use indubit_sat as sat;
pub use indubit_smt as smt;
pub use indubit_system as system;
pub use indubit_system::{
    BitSystem, Bits, Claim, ClaimKind, Evidence, Invariant, Kind, Proof, Property, PropertyId, Trace,
    WordProof, WordSystem, WordTrace, Words,
};
pub use indubit_term as term;
pub use path::{Decidable, is_circuit};
pub use plan::{Member, Plan, Strategy, Who, is_in_portfolio};
pub use prove::{
    Incremental, Inductive, NOT_INDUCTIVE_RELATIVE, PROVE, Standing, Support, Vacuity,
    counterexample_to_induction, deadlock, vacuity,
};
pub use simulate::{Simulated, Simulation, simulate};
pub use states::{DeadEnds, States, dead_ends, reachable_states};
pub use steps::{Choice, Condition, Steps, Wanted};
pub use verdict::{Error, Verdict};
pub use words::{WordLemmas, unsupported};
pub use workers::WORKER;
