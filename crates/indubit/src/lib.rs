//! Indubit as a library: from a system to a checked verdict.
//!
//! [`check`] does the whole path for one property: preprocessing, an engine, the way back to the system as it was
//! given, and the independent check of the evidence. A verdict that comes out has passed that check. [`Incremental`] and
//! [`WordIncremental`] prove properties with lemmas that somebody has at hand.
//!
//! ```
//! use indubit::{BitSystem, Verdict, check, engine};
//! use indubit::run::{Cancel, Ignore, Run};
//!
//! // Three bits in a ring, one of them set: never two at once.
//! let mut system = BitSystem::new();
//! let ring = [true, false, false].map(|init| system.add_latch("", Some(init)));
//! for i in 0..3 {
//!     system.set_next(ring[i], ring[(i + 2) % 3]);
//! }
//! let two = system.aig_mut().and(ring[0], ring[1]);
//! system.add_bad("two tokens", two);
//!
//! let mut observer = Ignore;
//! let mut run = Run::new(Cancel::new(), &mut observer);
//! let verdict = check(&system, 0, engine("ic3").unwrap(), &mut run).unwrap();
//! assert!(matches!(verdict, Verdict::Safe(_)));
//! ```

mod all;
mod attempt;
mod check;
mod market;
mod portfolio;
mod prove;
mod race;
mod tidy;
mod tidy_words;
mod words;

pub use all::{Next, Tell, check_all};
pub use check::{Error, Plan, Strategy, check};
pub use indubit_aig as aig;
pub use indubit_certify as certify;
pub use indubit_engines::{
    ALL as ENGINES, Engine, Info as EngineInfo, NOT_INDUCTIVE, Options, SWITCHES, Switch,
    WORDS as WORD_ENGINES, WordInfo, WordVerdict, find as engine,
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
    BitSystem, Invariant, Proof, Property, PropertyKind, Trace, Verdict, WordProof, WordSystem, WordTrace,
};
pub use indubit_term as term;
pub use portfolio::{Member, Portfolio};
pub use prove::{
    Incremental, NOT_INDUCTIVE_RELATIVE, PROVE, Standing, Support, WordIncremental,
    counterexample_to_induction, has_initial_state, word_counterexample_to_induction, word_has_initial_state,
};
pub use words::{Circuit, WordPlan, WordStrategy, check_all_words, check_words, unsupported, word_engine};
