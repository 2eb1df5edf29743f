//! Craig interpolants from refutations of our SAT solver.
//!
//! A formula comes in parts A₁, …, Aₙ whose conjunction has no model. An interpolation sequence (Vizel,
//! Grumberg, FMCAD 2009) is I₀ = true, I₁, …, Iₙ = false with Iⱼ ∧ Aⱼ₊₁ → Iⱼ₊₁, where Iⱼ has only variables that occur both in
//! A₁, …, Aⱼ and in Aⱼ₊₁, …, Aₙ. With two parts, I₁ is an interpolant of A₁ and A₂ (W. Craig, 1957).
//!
//! | file | idea |
//! |---|---|
//! | `interpolator` | a solver that knows the parts, assumptions included |
//! | `refutation` | what is to be had from a refutation |
//! | `partial` | partial interpolants, clause by clause, for all cuts in one pass |
//! | `replay` | from a chain of unit propagations to resolution |
//! | `rules` | the rules of labelled interpolation |
//! | `lemma` | lemmas of a theory as leaves |
//! | `label` | sides of a cut, and the systems' labels |
//! | `build` | gates, simplified as they are made |
//! | `check` | the conditions, asked of another solver |
//!
//! ```
//! use indubit_aig::Aig;
//! use indubit_interpolate::{Answer, Interpolator, System, check};
//! use indubit_logic::{Clause, Var};
//! use indubit_run::Cancel;
//!
//! let mut aig = Aig::new();
//! let [x, y, z] = [(); 3].map(|()| aig.leaf());
//! // A: x and x -> y. B: y -> z and not z. What they share is y.
//! let parts = [vec![vec![x], vec![!x, y]], vec![vec![!y, z], vec![!z]]];
//! let mut interpolator = Interpolator::new(&Cancel::new(), 0);
//! for (part, clauses) in (0..).zip(&parts) {
//!     clauses.iter().for_each(|clause| interpolator.add_clause(part, clause));
//! }
//! let Answer::Refutation(refutation) = interpolator.solve(&[])? else { panic!("it has no model") };
//! let itself = |var: Var| var.lit(false);
//! let interpolant = refutation.interpolant(1, System::McMillan, &mut aig, itself)?;
//! assert_eq!(interpolant, y);
//!
//! let parts = parts.map(|clauses| clauses.into_iter().map(Clause::new).collect::<Vec<_>>());
//! let sequence = refutation.sequence(2, System::Pudlak, &mut aig, itself)?;
//! assert_eq!(check(&parts, &aig, itself, &sequence, &Cancel::new())?, Ok(()));
//! # Ok::<(), indubit_run::Stop>(())
//! ```

mod build;
mod check;
mod interpolator;
mod label;
mod lemma;
mod partial;
mod refutation;
mod replay;
mod rules;

pub use check::{Violation, check};
pub use interpolator::{Answer, Interpolator, Model};
pub use label::System;
pub use lemma::{Contribution, Lemmas, Range};
pub use partial::Interpolants;
pub use refutation::Refutation;
