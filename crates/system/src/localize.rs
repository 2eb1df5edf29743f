//! Localization: the problem in which some latches are free.
//!
//! Proof-based abstraction (McMillan, Amla, TACAS 2003): `M_a` is `M` with all variables outside `V_a`, those of a core,
//! nondeterministic, so they are inputs there, of the first step too. Every path of `M` is one of `M_a`, and what holds of all paths of `M_a` holds in `M`: an
//! inductive invariant of `M_a` is kept whatever the next inputs are, so also if these are what the cut latches become. A
//! trace of `M_a` is a trace of `M` only if the cut latches happen to do what it needs.

use crate::{Invariant, Proof, Safety, StateVar, Trace};
use indubit_aig::simulate;
use indubit_logic::{Lit, Var, VarMap};

/// An abstraction of a problem, reduced to its cone of influence.
pub struct Localization<'s> {
    before: &'s Safety,
    /// The abstract problem.
    pub safety: Safety,
    /// Every node of it as a literal of the problem before.
    up: VarMap<Lit>,
    /// What latches and inputs of it were before, by position.
    latches: Vec<usize>,
    inputs: Vec<Origin>,
}

/// What an input of the abstract problem was before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Input(usize),
    /// A latch that was cut.
    Cut(usize),
}

impl<'s> Localization<'s> {
    /// `before` with all latches free but those that `is_kept` names by their positions.
    pub fn new(before: &'s Safety, is_kept: impl Fn(usize) -> bool) -> Localization<'s> {
        let (kept, cut): (Vec<usize>, Vec<usize>) = (0..before.latches.len()).partition(|&i| is_kept(i));
        let free = cut.iter().map(|&i| before.latches[i].var);
        let abstracted = Safety {
            aig: before.aig.clone(),
            inputs: before.inputs.iter().copied().chain(free).collect(),
            latches: kept.iter().map(|&i| before.latches[i]).collect(),
            bad: before.bad,
            also: before.also.clone(),
            constraints: before.constraints.clone(),
        };
        let (safety, import) = abstracted.reduced();
        let down = |v: Var| import.get(Lit::positive(v));
        let inputs = (0..before.inputs.len()).map(Origin::Input).chain(cut.iter().map(|&i| Origin::Cut(i)));
        let inputs =
            abstracted.inputs.iter().zip(inputs).filter(|&(&v, _)| down(v).is_some()).map(|(_, o)| o);
        Localization {
            inputs: inputs.collect(),
            latches: kept.into_iter().filter(|&i| down(before.latches[i].var).is_some()).collect(),
            up: safety.origins(before, down),
            before,
            safety,
        }
    }
    /// The proof about the problem before; none if the proof compares states, where the same state of the abstract problem
    /// can be two different ones.
    pub fn proof(&self, proof: Proof) -> Option<Proof> {
        let has_cuts = self.inputs.iter().any(|i| matches!(i, Origin::Cut(_)));
        if has_cuts && matches!(proof, Proof::KInductive { simple_path: Some(_), .. }) {
            return None;
        }
        let invariant = |small: Invariant| {
            let mut raised = Invariant::new(self.before.aig.n_vars());
            small.conjoin_to(&mut raised, |v| self.up[v]);
            raised
        };
        let latches = |small: Vec<usize>| small.into_iter().map(|i| self.latches[i]).collect();
        let n_vars = self.before.aig.n_vars();
        Some(proof.map(invariant, latches, |small| small.carried(n_vars, |v| self.up[v])))
    }
    /// The counterexample of the problem before that begins as an abstract one does and has the same inputs, if that is one.
    pub fn counterexample(&self, small: &Trace) -> Option<Trace> {
        let trace = self.concrete(small);
        let before = self.before;
        let mut state = trace.initial.clone();
        for (step, inputs) in trace.inputs.iter().enumerate() {
            let values = before.evaluate(&state, inputs);
            let holds = |&l: &Lit| simulate::value(&values, l);
            if !before.constraints.iter().all(holds) {
                return None;
            }
            if holds(&before.bad) {
                return Some(Trace { inputs: trace.inputs[..=step].to_vec(), ..trace });
            }
            state = before.next_state(&values);
        }
        None
    }
    fn concrete(&self, small: &Trace) -> Trace {
        let mut initial: Vec<bool> = self.before.latches.iter().map(|l| l.init.unwrap_or(false)).collect();
        for (&i, &value) in self.latches.iter().zip(&small.initial) {
            initial[i] = value;
        }
        let mut inputs = vec![vec![false; self.before.inputs.len()]; small.inputs.len()];
        for (row, small) in inputs.iter_mut().zip(&small.inputs) {
            for (origin, &value) in self.inputs.iter().zip(small) {
                if let Origin::Input(i) = *origin {
                    row[i] = value;
                }
            }
        }
        for (origin, &value) in self.inputs.iter().zip(small.inputs.first().into_iter().flatten()) {
            if let Origin::Cut(i) = *origin
                && let StateVar { init: None, .. } = self.before.latches[i]
            {
                initial[i] = value;
            }
        }
        Trace::finite(initial, inputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit_logic::Clause;

    /// `a` toggles, `b` copies `a`, and `c` keeps its free initial value; bad if all are set.
    fn three() -> (Safety, [Lit; 3]) {
        let mut safety = Safety::default();
        let [a, b, c] = [(); 3].map(|()| safety.aig.leaf());
        for (var, next, init) in [(a, !a, Some(false)), (b, a, Some(false)), (c, c, None)] {
            safety.latches.push(StateVar { var: var.var(), next, init });
        }
        safety.bad = safety.aig.and_all([a, b, c]);
        (safety, [a, b, c])
    }

    #[test]
    fn cut_latches_are_inputs_of_the_first_step_too() {
        let (safety, [_, b, _]) = three();
        let small = Localization::new(&safety, |i| i == 1);
        // What `a` becomes is no longer asked for, and what `b` becomes is `a`.
        assert_eq!((small.safety.inputs.len(), small.safety.latches.len()), (2, 1));
        let mut invariant = Invariant::new(small.safety.aig.n_vars());
        let latch = Lit::positive(small.safety.latches[0].var);
        invariant.add(Clause::new([!latch]));
        let Some(Proof::Inductive(raised)) = small.proof(Proof::Inductive(invariant)) else {
            panic!("no proof")
        };
        assert_eq!(raised.clauses(), [Clause::new([!b])]);
        let by_paths =
            |latches| Proof::KInductive { k: 1, with: Invariant::new(1), simple_path: Some(latches) };
        assert_eq!(small.proof(by_paths(vec![0])), None);
        assert!(Localization::new(&safety, |_| true).proof(by_paths(vec![0])).is_some());
    }

    #[test]
    fn only_what_happens_in_the_whole_is_a_counterexample() {
        let (mut safety, [a, b, c]) = three();
        let bad_soon = Trace::finite(vec![false], vec![vec![true, true]; 2]);
        let small = Localization::new(&safety, |i| i == 1);
        assert_eq!(small.counterexample(&bad_soon), None);
        safety.bad = safety.aig.and_all([a, !b, c]);
        let small = Localization::new(&safety, |i| i == 1);
        // The free initial value of `c` is what the abstract trace has in its first step.
        let found = small.counterexample(&bad_soon).map(|t| (t.initial.clone(), t.len()));
        assert_eq!(found, Some((vec![false, false, true], 1)));
        safety.constraints.push(!c);
        assert_eq!(Localization::new(&safety, |i| i == 1).counterexample(&bad_soon), None);
    }
}
