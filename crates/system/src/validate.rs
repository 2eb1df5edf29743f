//! Is a system what it claims to be? Readers make sure of it; systems built in memory are checked before use.

use crate::{BitSystem, CyclicReset, ResetOrder};
use indubit_logic::{Lit, Var};
use std::fmt;

/// What is wrong with a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// A leaf of the circuit is neither an input nor a latch.
    StrayLeaf(Var),
    /// An edge refers to a node that does not exist.
    UnknownNode {
        /// What the edge is, for example `next of latch 3`.
        place: String,
        /// The edge.
        lit: Lit,
    },
    /// Reset functions depend on each other in a circle.
    CyclicReset(CyclicReset),
    /// What is said of a circuit is about one with another number of nodes.
    OtherCircuit {
        /// The nodes of the circuit that it is about.
        about: usize,
        /// The nodes of this one.
        n_vars: usize,
    },
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::StrayLeaf(var) => {
                write!(f, "leaf {var:?} of the circuit is neither an input nor a latch")
            }
            Malformed::UnknownNode { place, lit } => write!(f, "{place} is {lit:?}, which does not exist"),
            Malformed::CyclicReset(cycle) => cycle.fmt(f),
            Malformed::OtherCircuit { about, n_vars } => {
                write!(f, "an invariant is about a circuit of {about} nodes, and this one has {n_vars}")
            }
        }
    }
}

impl std::error::Error for Malformed {}

impl BitSystem {
    /// Check the invariants that are documented at the type.
    pub fn validate(&self) -> Result<(), Malformed> {
        let n_vars = self.aig().n_vars();
        if let Some((what, i, lit)) = self.edges().find(|(_, _, lit)| lit.var().index() >= n_vars) {
            return Err(Malformed::UnknownNode { place: format!("{what} {i}"), lit });
        }
        let mut known = vec![false; n_vars];
        known[Var::CONST.index()] = true;
        self.inputs().iter().for_each(|i| known[i.lit.var().index()] = true);
        self.latches().iter().for_each(|l| known[l.var.index()] = true);
        let stray = |v: &Var| self.aig().fanins(*v).is_none() && !known[v.index()];
        if let Some(leaf) = (0..n_vars).map(Var::from_index).find(stray) {
            return Err(Malformed::StrayLeaf(leaf));
        }
        ResetOrder::new(self).map(|_| ()).map_err(Malformed::CyclicReset)
    }

    /// Every edge into the circuit, with what it is and its index there.
    fn edges(&self) -> impl Iterator<Item = (&'static str, usize, Lit)> {
        let signals = [
            ("output", &self.outputs),
            ("bad signal", &self.bads),
            ("constraint", &self.constraints),
            ("fairness", &self.fairness),
        ];
        let signals = signals
            .into_iter()
            .flat_map(|(what, list)| list.iter().enumerate().map(move |(i, s)| (what, i, s.lit)));
        let latches =
            self.latches().iter().enumerate().flat_map(|(i, l)| {
                [("the next state of latch", i, l.next), ("the reset of latch", i, l.reset)]
            });
        let justice = self.justice.iter().enumerate();
        let justice = justice.flat_map(|(i, j)| j.lits.iter().map(move |&l| ("justice", i, l)));
        signals.chain(latches).chain(justice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_damage_is_found() {
        let mut system = BitSystem::new();
        let a = system.add_latch("a", Some(false));
        system.add_bad("a", a);
        assert_eq!(system.validate(), Ok(()));

        let mut stray = system.clone();
        let leaf = stray.aig_mut().leaf();
        assert_eq!(stray.validate(), Err(Malformed::StrayLeaf(leaf.var())));

        let mut unknown = system.clone();
        unknown.add_constraint("", Var::new(9).lit(true));
        assert_eq!(unknown.validate().unwrap_err().to_string(), "constraint 0 is !v9, which does not exist");

        let mut cyclic = system;
        cyclic.set_reset(a, !a);
        assert!(matches!(cyclic.validate(), Err(Malformed::CyclicReset(_))));
    }
}
