//! Time frames whose refutations give interpolants.

use super::{BitFrames, Bounded, BoundedConfig, Cuts, Parted, StateSets};
use crate::InterpolationConfig;
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Run};
use indubit_system::{Proof, Safety, Start};

/// Time frames with cuts between them. A refutation says for each cut which states are beyond it.
pub trait Interpolate: Bounded {
    /// A set of states, as a formula over the state variables of no particular frame.
    type States: Copy;
    /// Why a bad state is never reached.
    type Proof;

    /// The initial states.
    fn initial(&self) -> Self::States;
    /// The states that are in both sets.
    fn intersection(&mut self, a: Self::States, b: Self::States) -> Self::States;
    /// The states that are in one of the sets.
    fn union(&mut self, a: Self::States, b: Self::States) -> Self::States;
    /// How large the formula of a set is.
    fn size(&self, states: Self::States) -> usize;
    /// Is each of the states in one of these sets?
    fn is_covered(&mut self, states: Self::States, by: &[Self::States]) -> Ask<bool>;
    /// "The state of frame `k` is in the set", in the part of that frame.
    fn within(&mut self, k: usize, states: Self::States) -> Self::Formula;
    /// After a refutation: the interpolants at all cuts, the first one first. They and what is between them are an
    /// interpolation sequence (see `indubit_interpolate`; I₀ = true and Iₙ = false are left out).
    fn interpolants(&mut self, run: &mut Run<'_>) -> Ask<Vec<Self::States>>;
    /// The proof that a set of states is an inductive invariant.
    fn proof(&self, states: Self::States) -> Self::Proof;
}

impl<'s> BitFrames<'s, Parted> {
    /// No frames yet. The solver ends with the run and has its seed.
    pub fn interpolating(
        safety: &'s Safety,
        start: Start,
        cuts: Cuts,
        how: InterpolationConfig,
        config: BoundedConfig,
        run: &Run<'_>,
    ) -> BitFrames<'s, Parted> {
        // What is known of one part must not get into another.
        let config = BoundedConfig { facts: false, ..config };
        let solver = Parted::new(how, StateSets::new(safety, run), run);
        BitFrames::with_solver(safety, start, config, cuts, solver)
    }
    /// The sets of states.
    pub fn states(&mut self) -> &mut StateSets {
        &mut self.solver.states
    }
    /// Assert a clause of literals over latches, by their positions, in frame `k`.
    pub fn assert_in(&mut self, k: usize, clause: impl Iterator<Item = (usize, bool)>) {
        let clause: Vec<_> = clause.map(|(i, sign)| (self.state(k, i), sign)).collect();
        self.assert(&clause);
    }
}

impl Interpolate for BitFrames<'_, Parted> {
    type States = Lit;
    type Proof = Proof;

    fn initial(&self) -> Lit {
        self.solver.states.initial()
    }
    fn intersection(&mut self, a: Lit, b: Lit) -> Lit {
        self.solver.states.and(a, b)
    }
    fn union(&mut self, a: Lit, b: Lit) -> Lit {
        !self.solver.states.and(!a, !b)
    }
    fn size(&self, states: Lit) -> usize {
        self.solver.states.size(states)
    }
    fn is_covered(&mut self, states: Lit, by: &[Lit]) -> Ask<bool> {
        self.solver.states.is_covered(states, by)
    }
    fn within(&mut self, k: usize, states: Lit) -> Lit {
        let latches = self.unroller.frames()[k].latches.clone();
        self.solver.states.instance(states, &latches, self.unroller.aig_mut())
    }
    fn interpolants(&mut self, run: &mut Run<'_>) -> Ask<Vec<Lit>> {
        let n_cuts = self.parts.n_cuts();
        if self.trivial {
            // What is asked about is false in the last part, by itself.
            return Ok(vec![Lit::TRUE; n_cuts as usize]);
        }
        let mut latch_of = vec![0; self.unroller.aig().n_vars()];
        // A leaf is the state of the first frame that has it: later ones may have it as another latch.
        for frame in self.unroller.frames()[1..].iter().rev() {
            (0..).zip(&frame.latches).for_each(|(i, latch)| latch_of[latch.var().index()] = i);
        }
        self.solver.interpolants(n_cuts, |var: Var| latch_of[var.index()], run)
    }
    fn proof(&self, states: Lit) -> Proof {
        Proof::Inductive(self.solver.states.invariant(states, self.safety))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_interpolate::System;
    use indubit_run::Cancel;
    use indubit_system::StateVar;

    /// A ring of three latches, the first of which is set; bad when the first two are set. The input lets it turn.
    fn ring() -> Safety {
        let mut safety = Safety::default();
        let latches: Vec<Lit> = (0..3).map(|_| safety.aig.leaf()).collect();
        let turn = safety.aig.leaf();
        safety.inputs.push(turn.var());
        for i in 0..3 {
            let next = safety.aig.ite(turn, latches[(i + 2) % 3], latches[i]);
            safety.latches.push(StateVar { var: latches[i].var(), next, init: Some(i == 0) });
        }
        safety.bad = safety.aig.and(latches[0], latches[1]);
        safety
    }

    #[test]
    fn interpolants_are_between_the_steps_and_the_bad_states() {
        let safety = ring();
        for system in System::ALL {
            for cuts in [Cuts::First, Cuts::All] {
                let mut run = Run::new(Cancel::new());
                let config = BoundedConfig::default();
                let how = InterpolationConfig { system, ..InterpolationConfig::default() };
                let mut frames = BitFrames::interpolating(&safety, Start::Anywhere, cuts, how, config, &run);
                for _ in 0..4 {
                    frames.extend_constrained();
                }
                let initial = frames.initial();
                let start = frames.within(0, initial);
                let bad = frames.bad(3);
                assert!(!frames.solve(&[start, bad]).unwrap());
                let found = frames.interpolants(&mut run).unwrap();
                assert_eq!(found.len(), if cuts == Cuts::First { 1 } else { 3 });
                // The initial states stay where they are, if the input says so.
                for states in found {
                    assert!(frames.is_covered(initial, &[states]).unwrap());
                    assert!(!frames.is_covered(Lit::TRUE, &[states]).unwrap());
                }
                assert!(frames.solve(&[bad]).unwrap());
                assert_eq!(frames.trace(3).unwrap().inputs.len(), 4);
            }
        }
    }
}
