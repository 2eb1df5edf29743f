//! Lemmas that engines exchange while they work on the same property.

use indubit_logic::Clause;

/// Where an engine leaves what it knows of all reachable states, and finds what others know.
///
/// Clauses are over the engine's own problem; whoever implements this translates them.
pub trait Lemmas {
    /// These hold for good: together with what was [taken](Lemmas::take) before, they are an inductive invariant.
    fn offer(&mut self, lemmas: &mut dyn Iterator<Item = Clause>);
    /// What others have offered since the last call. A proof may rest on it: that it does, and on what it rests itself, is known.
    fn take(&mut self) -> Vec<Clause>;
}
