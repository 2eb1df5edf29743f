//! The independent checker: evidence is believed only after it has been checked here, against the user's own model.
//!
//! - [`check`]: what stands behind a verdict, over bits and words, before the verdict is printed.
//! - [`check_trace`]: a counterexample is replayed by simulation, without a solver; over words by exact evaluation.
//! - [`ask_another`]: the queries for a proof over words, to a solver of somebody else.
//! - [`check_certificate`]: a witness circuit passes the checks of Certifaiger, by SAT.
//! - [`check_k_induction`]: k-step queries, for proofs that no witness circuit exists for.
//! - [`certify_file`]: evidence in a file, from anyone; [`certify_word_file`] over words.
//! - [`check_refutation`]: an LRAT proof, from anyone, that a formula has no model.
//! - [`lrat`]: derivations of a solver, checked clause by clause; [`Audited`] is our solver under such a check.
//!
//! The crate shares no code with the engines and the passes that find verdicts, and it solves in another
//! configuration than they do; [`Solving`] can have every answer of the solver checked too. Inside, everything becomes one hashed circuit: what model and witness have in common
//! collapses, and most checks are settled before a solver is asked.
//!
//! ```
//! use indubit_certify::check;
//! use indubit_logic::Clause;
//! use indubit_run::Cancel;
//! use indubit_system::{BitSystem, Bits, Evidence, Invariant, Proof};
//! // Two bits that swap for ever: never both set.
//! let mut model = BitSystem::new();
//! let (a, b) = (model.add_latch("a", Some(true)), model.add_latch("b", Some(false)));
//! model.set_next(a, b);
//! model.set_next(b, a);
//! let both = model.aig_mut().and(a, b);
//! model.add_bad("both", both);
//! let mut invariant = Invariant::new(model.aig().n_vars());
//! invariant.add(Clause::new([a, b]));
//! invariant.add(Clause::new([!a, !b]));
//! let evidence: Evidence<Bits> = Evidence::Proof(Proof::Inductive(invariant));
//! assert_eq!(check(&model, &model.properties()[0], &evidence, &Cancel::new()), Ok(Ok(())));
//! ```

mod audit;
mod certificate;
mod ctl;
mod evidence;
mod extension;
mod file;
mod frame;
mod k_induction;
mod lasso;
pub mod lrat;
mod ltl;
mod mapping;
mod numbering;
mod pairs;
mod query;
mod ranks;
mod reason;
mod refutation;
mod replay;
mod rises;
mod shape;
mod simple_path;
mod solver;
mod totality;
mod transitive;
mod word_certificate;
mod word_file;
mod word_paths;
mod word_proof;
mod word_replay;

pub use audit::{Audited, Setback, SolverError};
pub use certificate::{Check, check_certificate};
pub use ctl::{Condition, decided_in};
pub use evidence::{Certify, check, check_together};
pub use file::{Checked, Method, Violation, certify_file, is_commented};
pub use k_induction::check_k_induction;
pub use ltl::FINITE_RUN;
pub use numbering::Numbering;
pub use reason::{Reason, State};
pub use refutation::check_refutation;
pub use replay::check_trace;
pub use solver::Solving;
pub use word_file::certify_word_file;
pub use word_proof::ask_another;
pub use word_replay::WordReason;
