//! Derivations: what a kernel that records needs to say how each clause follows.
//!
//! A derivation is a chain of clauses in the order of reverse unit propagation, as in LRAT (Cruz-Filipe, Heule, Hunt,
//! Kaufmann, Schneider-Kamp, CADE 2017). Literals that are false at level 0 disappear by their unit clauses, so that each
//! of these has a name. A kernel that does not record compiles to nothing here.

use super::arena::{Arena, ClauseRef};
use super::policy::{ClauseId, ProofSink};
use indubit_logic::{Lit, Var};

/// The sink of derivations, and the names that chains are made of.
///
/// Invariants, in a kernel that records: each variable that is assigned at level 0 has the name of its unit clause in
/// `units`, and each variable that is assigned has its place on the trail in `positions`. In others both are empty.
#[derive(Clone, Debug)]
pub(crate) struct Derivations<P> {
    pub(crate) sink: P,
    units: Vec<ClauseId>,
    positions: Vec<u32>,
}

impl<P: ProofSink> Derivations<P> {
    pub(super) fn new(sink: P) -> Derivations<P> {
        Derivations { sink, units: Vec::new(), positions: Vec::new() }
    }
    pub(super) fn grow(&mut self, n_vars: usize) {
        if P::RECORDS {
            self.units.resize(n_vars, 0);
            self.positions.resize(n_vars, 0);
        }
    }
    /// The unit clause of a variable that is assigned at level 0.
    pub(super) fn unit(&self, var: Var) -> ClauseId {
        self.units[var.index()]
    }
    pub(super) fn set_unit(&mut self, var: Var, name: ClauseId) {
        if P::RECORDS {
            self.units[var.index()] = name;
        }
    }
    /// Where an assigned variable stands on the trail.
    pub(super) fn position(&self, var: Var) -> u32 {
        self.positions[var.index()]
    }
    pub(super) fn set_position(&mut self, var: Var, position: usize) {
        if P::RECORDS {
            self.positions[var.index()] = position as u32;
        }
    }
    /// What is left of clause `name` without `dropped`, which are false at level 0.
    pub(super) fn shorten(
        &mut self,
        left: &[Lit],
        dropped: impl Iterator<Item = Lit>,
        name: ClauseId,
    ) -> ClauseId {
        if !P::RECORDS {
            return 0;
        }
        let mut chain: Vec<ClauseId> = dropped.map(|l| self.unit(l.var())).collect();
        chain.push(name);
        self.sink.derived(left, &chain)
    }
    /// What has become of `clause` at level 0, where all but `left` are false.
    pub(super) fn derive_at_level_0(&mut self, left: &[Lit], clause: ClauseRef, arena: &Arena) -> ClauseId {
        let dropped = arena.lits(clause).iter().copied().filter(|l| !left.contains(l));
        self.shorten(left, dropped, arena.name(clause))
    }
    /// A clause in the arena is needed no more.
    pub(super) fn forget(&mut self, clause: ClauseRef, arena: &Arena) {
        if P::RECORDS {
            self.sink.deleted(arena.name(clause));
        }
    }
}
