//! What is to be had from a refutation.

use crate::label::System;
use crate::lemma::{Lemmas, NoLemmas};
use crate::partial::{self, End, Interpolants, Unit};
use indubit_aig::{Aig, Import};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Cancel};
use indubit_sat::proof::Log;
use std::ops::RangeInclusive;

/// There is no model of the clauses in which the assumptions hold, and this is why.
///
/// Interpolants can be taken from it at any cut and by any system, each time by another pass over the part of the
/// proof that matters. Cut `j` separates the parts below `j`, which are A, from the others, which are B; an assumption
/// counts as a clause of its part.
pub struct Refutation<'i> {
    pub(crate) log: &'i Log,
    pub(crate) end: End,
    /// The assumptions that were used.
    pub(crate) units: Vec<Unit>,
    pub(crate) cancel: &'i Cancel,
}

impl Refutation<'_> {
    /// The assumptions that were used, each with its part.
    pub fn core(&self) -> impl Iterator<Item = (u32, Lit)> {
        let last = if let End::Unit(unit) = self.end { Some(unit) } else { None };
        self.units.iter().copied().chain(last).map(|u| (u.part, u.lit))
    }

    /// The interpolant at one cut, as an edge of `aig`, where `map` says what a variable is. It is asked about variables
    /// of the interpolant only, and these are shared by both sides.
    pub fn interpolant(
        &self,
        cut: u32,
        system: System,
        aig: &mut Aig,
        map: impl FnMut(Var) -> Lit,
    ) -> Ask<Lit> {
        Ok(self.at(cut..=cut, system, aig, map)?[0])
    }

    /// The interpolants of the cuts `0..=n_parts`, all from the one proof: a sequence I₀, …, Iₙ such that Iⱼ and part `j`
    /// imply Iⱼ₊₁, whichever system it is. I₀ is true; Iₙ is false if there are no parts beyond `n_parts`.
    pub fn sequence(
        &self,
        n_parts: u32,
        system: System,
        aig: &mut Aig,
        map: impl FnMut(Var) -> Lit,
    ) -> Ask<Vec<Lit>> {
        self.at(0..=n_parts, system, aig, map)
    }

    /// The interpolants at these cuts modulo a theory, all from the one proof. They are in a graph of their own.
    pub fn modulo(
        &self,
        cuts: RangeInclusive<u32>,
        system: System,
        lemmas: &mut impl Lemmas,
    ) -> Ask<Interpolants> {
        partial::interpolants(self.log, self.end, &self.units, &cuts, system, lemmas, self.cancel)
    }

    /// The interpolants are built in a graph of their own, and only what they need comes into `aig`.
    fn at(
        &self,
        cuts: RangeInclusive<u32>,
        system: System,
        aig: &mut Aig,
        mut map: impl FnMut(Var) -> Lit,
    ) -> Ask<Vec<Lit>> {
        let found = self.modulo(cuts, system, &mut NoLemmas)?;
        let mut import = Import::new(&found.aig);
        let mut cone = indubit_aig::Cone::new();
        cone.collect(&found.aig, found.roots.iter().copied());
        for (var, leaf) in found.variables.into_iter().filter(|(_, leaf)| cone.contains(leaf.var())) {
            import.set(leaf.var(), map(var));
        }
        Ok(found.roots.iter().map(|&root| import.lit(&found.aig, aig, root)).collect())
    }
}
