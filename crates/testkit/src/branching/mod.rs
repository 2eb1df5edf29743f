//! The exact answer about claims in computation tree logic of a small system, its proof, and random formulas.
//!
//! A state is what the latches and those inputs hold that an atom of the formula or a reset function can see; all states and all steps that keep the constraints are enumerated. Operators are
//! fixpoints over sets of states, as the textbook has them (Clarke, Grumberg, Peled, *Model Checking*, 1999), and fair paths are found by taking states away (Emerson, Lei, LICS 1986). Nothing is
//! shared with the graph that engines and the checker make of a system.
//!
//! ```
//! use indubit_system::{BitSystem, CtlBuilder};
//! use indubit_testkit::branching::Reference;
//! // A latch that is set once and for all: it can be, and it need not be.
//! let mut system = BitSystem::new();
//! let (event, a) = (system.add_input("event"), system.add_latch("a", Some(false)));
//! let next = system.aig_mut().or(event, a);
//! system.set_next(a, next);
//! let mut builder = CtlBuilder::new();
//! let atom = builder.atom(a);
//! let (can, must) = (builder.exists_finally(atom), builder.all_finally(atom));
//! assert!(Reference::new(&system, &builder.finish(can)).unwrap().holds());
//! assert!(!Reference::new(&system, &builder.finish(must)).unwrap().holds());
//! ```

mod evaluate;
mod formulas;
mod proof;
mod states;
mod tables;
#[cfg(test)]
mod tests;

pub use evaluate::{Judged, Peeled};
pub use formulas::{Case, cases, random_formula};
pub use proof::{ExplicitProof, ExplicitSets, Flavour};
pub use states::{States, Step};

use crate::explicit::Refusal;
use indubit_logic::Lit;
use indubit_system::{BitSystem, Ctl};

/// A set of states: for each, whether it is a member.
pub type Set = Vec<bool>;

/// All states of a small system, and which of them satisfy each part of a formula.
pub struct Reference {
    /// The states and steps.
    pub states: States,
    /// The formula.
    pub formula: Ctl<Lit>,
    /// Which states have a fair path.
    pub fair: Judged,
    /// For each node of the formula which states satisfy it.
    pub nodes: Vec<Judged>,
}

impl Reference {
    /// The formula may be about edges that depend on inputs.
    pub fn new(system: &BitSystem, formula: &Ctl<Lit>) -> Result<Reference, Refusal> {
        let states = States::new(system, formula.atoms())?;
        let (fair, nodes) = evaluate::all(&states, formula);
        Ok(Reference { states, formula: formula.clone(), fair, nodes })
    }
    /// Does each initial state with a fair path satisfy the formula?
    pub fn holds(&self) -> bool {
        self.fails_in().is_none()
    }
    /// An initial state with a fair path that does not satisfy the formula.
    pub fn fails_in(&self) -> Option<usize> {
        let root = &self.nodes[self.formula.root().index()].set;
        (0..self.states.len()).find(|&s| self.states.initial[s] && self.fair.set[s] && !root[s])
    }
    /// Does it hold only because no initial state has a fair path?
    pub fn is_vacuous(&self) -> bool {
        (0..self.states.len()).all(|s| !self.states.initial[s] || !self.fair.set[s])
    }
}
