//! The checks that make a witness circuit a proof.
//!
//! Primed is the witness, `K` are the latches that the mapping shares, `s → t` is one step:
//!
//! | check | formula |
//! |---|---|
//! | reset | `R{K} ∧ C → R'{K} ∧ C'` in `s` |
//! | transition | `F{K} ∧ C_s ∧ C_t ∧ C'_s → F'{K} ∧ C'_t` |
//! | safety | `C ∧ C' ∧ P' → P` in `s` |
//! | base | `R' ∧ C' → P'` in `s` |
//! | inductive | `F' ∧ C'_s ∧ C'_t ∧ P'_s → P'_t` |
//!
//! With stratified resets of the witness they imply that every trace of the model is accompanied by one of the
//! witness, and that the model is safe because the witness is (Yu, Froleyks, Biere, Heljanko, FMCAD 2022 and 2023).
//! This needs the witness to be able to follow: an image that is a gate, or shared, may not take the value
//! that it has to. Such mappings must pass a sixth check, *extension* (see its module), unless there is nothing to prove.
//! A model with justice properties asks for four more, about the ranks of the witness (see `ranks.rs`).
//!
//! A next state and a constant reset are put in the place of the latch rather than equated with it, so that hashing
//! and constants do the work of a solver.

use crate::audit::Setback;
use crate::frame::{Frame, constant_reset, latch_at, leaf_label, leaves};
use crate::mapping::Mapping;
use crate::query::{Counterexample, refute};
use crate::solver::{Solving, Sure};
use crate::{Reason, State, extension, ranks};
use indubit_aig::Aig;
use indubit_logic::{Lit, Var};
use indubit_run::Ask;
use indubit_system::{BitSystem, ResetOrder};

/// A check of a witness circuit against a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// An initial state of the model is one of the witness.
    Reset,
    /// A step of the model is one of the witness.
    Transition,
    /// The property of the witness implies the property of the model.
    Safety,
    /// The property of the witness holds initially.
    Base,
    /// The property of the witness is kept by each of its steps.
    Inductive,
    /// The witness can give mapped gates the values that the model wants.
    Extension,
    /// A signal that is gone in the witness is false in the model.
    Liveness,
    /// Each step of the witness goes on to a state that may come after the one before.
    Decrease,
    /// What may come before a state may come before all states after it.
    Closure,
    /// A signal that is gone stays gone.
    Consistent,
}

impl Check {
    /// Its name, as Certifaiger has it.
    pub fn name(self) -> &'static str {
        match self {
            Check::Reset => "reset",
            Check::Transition => "transition",
            Check::Safety => "safety",
            Check::Base => "base",
            Check::Inductive => "inductive",
            Check::Extension => "extension",
            Check::Liveness => "liveness",
            Check::Decrease => "decrease",
            Check::Closure => "closure",
            Check::Consistent => "consistent",
        }
    }
    /// What is wrong if it fails.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Check::Reset => "an initial state of the model is not one of the witness",
            Check::Transition => "the witness does not follow a step of the model",
            Check::Safety => "its property does not imply the property of the model",
            Check::Base => "its property does not hold initially",
            Check::Inductive => "its property is not kept by every step",
            Check::Extension => "a mapped signal cannot take every value that it has in the model",
            Check::Liveness => "a signal that its rank says is gone can be true in the model",
            Check::Decrease => "its rank does not go down in every step",
            Check::Closure => {
                "a state that its rank puts before another one is not before the states that follow it"
            }
            Check::Consistent => "a signal that its rank says is gone can come back",
        }
    }
}

/// Is `witness` a proof that no bad signal of `model` is ever true, and that no run sees the signals of one of its justice properties infinitely
/// often?
///
/// The properties of the model are all its bad signals (its outputs, if those are the bads) and all its justice properties together.
pub fn check_certificate(
    model: &BitSystem,
    witness: &BitSystem,
    by: impl Into<Solving>,
) -> Ask<Result<(), Reason>> {
    if let Err(cycle) = ResetOrder::new(witness) {
        let latch = witness.latch_label(cycle.latch);
        let text = format!("the resets of the witness are not stratified: that of {latch} depends on itself");
        return Ok(Err(Reason::Misfit(text)));
    }
    let mapping = match Mapping::read(model, witness) {
        Ok(mapping) => mapping,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut checker = Checker { model, witness, mapping: &mapping, aig: Aig::new(), by: by.into() };
    // Cheap ones first: what a solver has to do is mostly in the last.
    for check in
        [Check::Reset, Check::Safety, Check::Transition, Check::Base, Check::Inductive, Check::Extension]
    {
        match checker.run(check) {
            Ok(None) => (),
            Ok(Some(state)) => return Ok(Err(Reason::Check { check, state })),
            Err(setback) => return setback.settle(),
        }
    }
    ranks::check(&mut checker).or_else(Setback::settle)
}

/// All checks are about one circuit.
pub(crate) struct Checker<'c> {
    pub model: &'c BitSystem,
    pub witness: &'c BitSystem,
    pub mapping: &'c Mapping,
    pub aig: Aig,
    pub by: Solving,
}

/// Model and witness in the same moment.
pub(crate) struct Pair<'c> {
    pub model: Frame<'c>,
    pub witness: Frame<'c>,
}

impl<'c> Checker<'c> {
    /// Where a check fails, if it does.
    fn run(&mut self, check: Check) -> Sure<Option<State>> {
        match check {
            Check::Reset => self.reset(),
            Check::Transition => self.transition(),
            Check::Safety => self.safety(),
            Check::Base => self.base(),
            Check::Inductive => self.inductive(),
            Check::Extension => self.extension(),
            Check::Liveness | Check::Decrease | Check::Closure | Check::Consistent => {
                unreachable!("these are for whoever has read the ranks")
            }
        }
    }

    fn reset(&mut self) -> Sure<Option<State>> {
        let model = self.model;
        let mut s = self.pair(|p| latch_at(model, p).and_then(|latch| constant_reset(model, latch)));
        let mut assume = s.model.constraints(&mut self.aig);
        for (_, latch) in self.mapping.model_latches(model) {
            assume.push(s.model.is_reset(&mut self.aig, latch));
        }
        let mut show = s.witness.constraints(&mut self.aig);
        for latch in self.mapping.witness_latches(self.witness) {
            show.push(s.witness.is_reset(&mut self.aig, latch));
        }
        self.decide(&assume, &show, |this, found| this.pair_state(&mut s, found))
    }

    fn transition(&mut self) -> Sure<Option<State>> {
        let mut s = self.pair(|_| None);
        let mut assume = Vec::new();
        let mut t = self.successor(&mut s, &mut assume);
        assume.extend(s.model.constraints(&mut self.aig));
        assume.extend(t.model.constraints(&mut self.aig));
        assume.extend(s.witness.constraints(&mut self.aig));
        let mut show = t.witness.constraints(&mut self.aig);
        for latch in self.mapping.witness_latches(self.witness) {
            let next = s.witness.next(&mut self.aig, latch);
            let value = t.witness.lit(&mut self.aig, Lit::positive(self.witness.latches()[latch].var));
            show.push(self.aig.iff(next, value));
        }
        self.decide(&assume, &show, |this, found| this.pair_state(&mut s, found))
    }

    fn safety(&mut self) -> Sure<Option<State>> {
        let mut s = self.pair(|_| None);
        let mut assume = s.model.constraints(&mut self.aig);
        assume.extend(s.witness.constraints(&mut self.aig));
        assume.extend(s.witness.property(&mut self.aig));
        let show = s.model.property(&mut self.aig);
        self.decide(&assume, &show, |this, found| this.pair_state(&mut s, found))
    }

    fn base(&mut self) -> Sure<Option<State>> {
        let witness = self.witness;
        let mut s = Frame::new(witness);
        for (q, leaf) in leaves(witness).enumerate() {
            let constant = latch_at(witness, q).and_then(|latch| constant_reset(witness, latch));
            s.set(leaf, constant.unwrap_or_else(|| self.aig.leaf()));
        }
        let mut assume = s.constraints(&mut self.aig);
        for latch in 0..witness.latches().len() {
            assume.push(s.is_reset(&mut self.aig, latch));
        }
        let show = s.property(&mut self.aig);
        self.decide(&assume, &show, |this, found| this.witness_state(&mut s, found))
    }

    fn inductive(&mut self) -> Sure<Option<State>> {
        let witness = self.witness;
        let mut s = Frame::new(witness);
        for leaf in leaves(witness) {
            s.set(leaf, self.aig.leaf());
        }
        // Only the latches that P' and C' look at are needed in t.
        let roots = witness.bad_signals().iter().chain(&witness.constraints).map(|signal| signal.lit);
        let mut cone = indubit_aig::Cone::new();
        cone.collect(witness.aig(), roots);
        let mut t = s.after(&mut self.aig, |latch| cone.contains(latch));
        let mut assume = s.constraints(&mut self.aig);
        assume.extend(t.constraints(&mut self.aig));
        assume.extend(s.property(&mut self.aig));
        let show = t.property(&mut self.aig);
        self.decide(&assume, &show, |this, found| this.witness_state(&mut s, found))
    }

    fn extension(&mut self) -> Sure<Option<State>> {
        // A model without properties is right whatever the witness does.
        let never_bad = self.model.bad_signals().iter().all(|bad| bad.lit == Lit::FALSE);
        let nothing_to_prove = never_bad && self.model.justice.is_empty();
        if nothing_to_prove || self.mapping.derived().next().is_none() {
            return Ok(None);
        }
        extension::check(self)
    }

    /// One moment; `shared` may say what a leaf of the model is that has an image of its own. All others are free.
    pub fn pair(&mut self, mut shared: impl FnMut(usize) -> Option<Lit>) -> Pair<'c> {
        let (mapping, aig) = (self.mapping, &mut self.aig);
        let mut pair = Pair { model: Frame::new(self.model), witness: Frame::new(self.witness) };
        for leaf in leaves(self.witness) {
            let value = match mapping.owner(leaf) {
                Some((p, sign)) => shared(p).unwrap_or_else(|| aig.leaf()) ^ sign,
                None => aig.leaf(),
            };
            pair.witness.set(leaf, value);
        }
        for (p, leaf) in leaves(self.model).enumerate() {
            let value = match mapping.image(p) {
                Some(image) => pair.witness.lit(aig, image),
                None => aig.leaf(),
            };
            pair.model.set(leaf, value);
        }
        pair
    }

    /// The moment after `s`, `F{K}` being part of it and of `assume`.
    fn successor(&mut self, s: &mut Pair<'c>, assume: &mut Vec<Lit>) -> Pair<'c> {
        let next: Vec<(usize, Lit)> = self
            .mapping
            .model_latches(self.model)
            .map(|(p, latch)| (p, s.model.next(&mut self.aig, latch)))
            .collect();
        let lookup = |p: usize| next.binary_search_by_key(&p, |n| n.0).ok().map(|i| next[i].1);
        let mut t = self.pair(lookup);
        for p in self.mapping.derived() {
            if let (Some(next), Some(latch)) = (lookup(p), latch_at(self.model, p)) {
                let value = t.model.lit(&mut self.aig, Lit::positive(self.model.latches()[latch].var));
                assume.push(self.aig.iff(next, value));
            }
        }
        t
    }

    /// Does the implication hold? If not, `state` describes the counterexample.
    pub fn decide(
        &mut self,
        assume: &[Lit],
        show: &[Lit],
        state: impl FnOnce(&mut Self, &Counterexample) -> State,
    ) -> Sure<Option<State>> {
        let found = refute(&self.aig, assume, show, &self.by)?;
        Ok(found.map(|found| state(self, &found)))
    }

    /// The values of the model's leaves, and of those that only the witness has.
    pub fn pair_state(&mut self, pair: &mut Pair<'c>, found: &Counterexample) -> State {
        let mut state = Vec::new();
        for (p, leaf) in leaves(self.model).enumerate() {
            let lit = pair.model.lit(&mut self.aig, Lit::positive(leaf));
            state.extend(found.value(lit).map(|value| (leaf_label(self.model, p), value)));
        }
        for (q, leaf) in leaves(self.witness).enumerate() {
            if self.mapping.owner(leaf).is_none() {
                let lit = pair.witness.lit(&mut self.aig, Lit::positive(leaf));
                state.extend(found.value(lit).map(|value| (self.own_label(q), value)));
            }
        }
        State(state)
    }

    /// The values of the witness's leaves, in the model's names where it simulates them.
    pub fn witness_state(&mut self, frame: &mut Frame<'_>, found: &Counterexample) -> State {
        let mut labelled = |this: &mut Self, q: usize, leaf: Var| {
            let lit = frame.lit(&mut this.aig, Lit::positive(leaf));
            let value = found.value(lit)?;
            Some(match this.mapping.owner(leaf) {
                Some((p, sign)) => (leaf_label(this.model, p), value ^ sign),
                None => (this.own_label(q), value),
            })
        };
        let leaves: Vec<Var> = leaves(self.witness).collect();
        State(leaves.into_iter().enumerate().filter_map(|(q, leaf)| labelled(self, q, leaf)).collect())
    }

    /// How a leaf that only the witness has is called.
    fn own_label(&self, q: usize) -> String {
        format!("{} of the witness", leaf_label(self.witness, q))
    }
}

#[cfg(test)]
#[path = "certificate_tests.rs"]
mod tests;
