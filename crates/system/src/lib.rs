//! Transition systems, the evidence for verdicts about them, and the way back from a smaller problem.
//!
//! - [`BitSystem`]: the user's model, with names and every section of an AIGER file.
//! - [`Safety`]: what an engine works on: one bad signal, constant or free initial values.
//! - [`Liveness`]: the same for what must happen: signals that no run may see infinitely often.
//! - [`Trace`], [`Invariant`], [`Proof`], [`Ranked`], [`Conclusion`]: evidence, on either of the two.
//! - [`close_lasso`]: lassos that can be followed without knowing what matters.
//! - [`Raise`]: how evidence found on a lowered problem comes back up to the user's model.
//! - [`Localization`]: a problem with some latches free, and what proofs about it say about the whole.
//! - [`Unroller`]: time frames as one hashed circuit.
//! - [`WordSystem`], [`WordTrace`], [`WordProblem`]: systems over terms, with relations, their runs, and what an engine works on.
//! - [`Property`], [`Claim`], [`Evidence`]: what is claimed about a system, and what stands behind a verdict.
//! - [`Ltl`]: formulas of linear temporal logic.
//! - [`Branching`], [`CtlProof`]: circuits as graphs of states, and why a formula of computation tree logic holds in them.
//! - [`Product`]: systems that watch themselves for such formulas.
//! - [`Kind`]: [`Bits`] and [`Words`] as one family of types.

mod bit;
mod blast;
mod branching;
mod branching_cone;
mod ctl;
mod evidence;
mod formula;
mod influence;
mod invariant;
mod kind;
mod lasso;
mod liveness;
mod localize;
mod ltl;
mod naming;
mod product;
mod property;
mod raise;
mod ranked;
mod reset;
mod safety;
mod simple_clauses;
mod steps;
mod unroll;
mod validate;
mod word;
mod word_lasso;
mod word_problem;

pub use bit::{BitSystem, Justice, Latch, Name, Signal};
pub use blast::{ARRAY_BITS, Blasted, blast};
pub use branching::{Bounds, Branching, Choice, CtlProof, Stuck, known_sets};
pub use branching_cone::BranchingCone;
pub use ctl::{Ctl, CtlBuilder, CtlId, CtlNode};
pub use evidence::{Conclusion, Proof, Shape, Trace};
pub use formula::{Formula, FormulaBuilder, FormulaNode, NodeId};
pub use influence::Influence;
pub use invariant::Invariant;
pub use kind::{Bits, Evidence, Kind, Words};
pub use lasso::{close_lasso, lasso_limit};
pub use liveness::{Fact, Finder, Liveness, SharedFacts};
pub use localize::Localization;
pub use ltl::{Ltl, LtlBuilder, LtlId, LtlNode};
pub use naming::{Alias, Clock, Naming, Origin};
pub use product::{Product, Watchable};
pub use property::{Claim, ClaimKind, Property, PropertyId};
pub use raise::{Lower, Raise, Stack};
pub use ranked::{Memory, Ranked};
pub use reset::{CyclicReset, ResetOrder};
pub use safety::{Safety, StateVar};
pub use unroll::{Frame, Start, Unroller};
pub use validate::Malformed;
pub use word::{WordConstraint, WordMalformed, WordProof, WordSystem, WordTrace, WordVar};
pub use word_problem::WordProblem;
