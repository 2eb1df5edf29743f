//! What bounded engines need: time frames in a solver.

use indubit_aig::{Encoder, simulate};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Run};
use indubit_sat::{Cadical, Config, Solve};
use indubit_system::{Safety, Start, Trace, Unroller};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// A growing sequence of time frames, and a solver that knows them.
///
/// Written for bits or words alike: an engine handles formulas only as opaque [`Bounded::Formula`]s.
pub trait Bounded {
    /// A formula over the frames.
    type Formula: Copy;
    /// A path through the frames.
    type Trace;

    /// Add a time frame, with the constraints asserted in it; returns its index.
    fn extend(&mut self) -> usize;
    /// "Frame `k` is bad."
    fn bad(&self, k: usize) -> Self::Formula;
    /// A new free proposition.
    fn proposition(&mut self) -> Self::Formula;
    /// "The states of frames `i` and `j` differ."
    fn differ(&mut self, i: usize, j: usize) -> Self::Formula;
    /// Assert the disjunction of formulas, each as is (`true`) or negated (`false`).
    fn assert(&mut self, disjunction: &[(Self::Formula, bool)]);
    /// Is everything asserted so far satisfiable together with these formulas?
    fn solve(&mut self, assumptions: &[Self::Formula]) -> Ask<bool>;
    /// Was the assumption used in the last refutation?
    fn in_core(&self, assumption: Self::Formula) -> bool;
    /// Pairs of frames with equal states in the last model, one for each frame that repeats an earlier one.
    fn repeated_states(&self) -> Vec<(usize, usize)>;
    /// The path through frames `0..=last` in the last model.
    fn trace(&self, last: usize) -> Self::Trace;
}

/// Time frames of a [`Safety`] problem as a hashed circuit; a cone is encoded when it is asked about.
pub struct Bits<'s> {
    safety: &'s Safety,
    unroller: Unroller,
    encoder: Encoder,
    solver: Cadical,
    /// The last question was answered without the solver: an assumption was the constant *false*.
    trivial: bool,
}

impl<'s> Bits<'s> {
    /// No frames yet; the solver ends with the run and has its seed.
    pub fn new(safety: &'s Safety, start: Start, run: &Run<'_>) -> Bits<'s> {
        let solver = Cadical::new(Config::Default, run.cancel()).seeded(run.seed);
        Bits {
            safety,
            unroller: Unroller::new(safety, start),
            encoder: Encoder::new(),
            solver,
            trivial: false,
        }
    }
    fn encode(&mut self, lit: Lit) {
        self.encoder.encode(self.unroller.aig(), lit, |clause| self.solver.add_clause(clause));
    }
}

impl Bounded for Bits<'_> {
    type Formula = Lit;
    type Trace = Trace;

    fn extend(&mut self) -> usize {
        let constraint = self.unroller.extend(self.safety).constraint;
        self.assert(&[(constraint, true)]);
        self.unroller.frames().len() - 1
    }
    fn bad(&self, k: usize) -> Lit {
        self.unroller.frames()[k].bad
    }
    fn proposition(&mut self) -> Lit {
        self.unroller.aig_mut().leaf()
    }
    fn differ(&mut self, i: usize, j: usize) -> Lit {
        let [a, b] = [i, j].map(|k| self.unroller.frames()[k].latches.clone());
        let aig = self.unroller.aig_mut();
        let differences: Vec<Lit> = a.iter().zip(&b).map(|(&x, &y)| aig.xor(x, y)).collect();
        aig.or_all(differences)
    }
    fn assert(&mut self, disjunction: &[(Lit, bool)]) {
        let lits: Vec<Lit> = disjunction.iter().map(|&(lit, positive)| lit ^ !positive).collect();
        if lits.contains(&Lit::TRUE) {
            return;
        }
        lits.iter().for_each(|&l| self.encode(l));
        self.solver.add_clause(&lits);
    }
    fn solve(&mut self, assumptions: &[Lit]) -> Ask<bool> {
        self.trivial = assumptions.contains(&Lit::FALSE);
        if self.trivial {
            return Ok(false);
        }
        assumptions.iter().for_each(|&l| self.encode(l));
        self.solver.solve(assumptions)
    }
    fn in_core(&self, assumption: Lit) -> bool {
        if self.trivial { assumption == Lit::FALSE } else { self.solver.failed(assumption) }
    }
    fn repeated_states(&self) -> Vec<(usize, usize)> {
        // A latch may be a gate that was never encoded: compute all from the leaves, free ones being false.
        let aig = self.unroller.aig();
        let mut values = vec![false; aig.n_vars()];
        for leaf in (0..aig.n_vars()).map(Var::from_index).filter(|&v| aig.fanins(v).is_none()) {
            values[leaf.index()] = self.solver.value(Lit::positive(leaf));
        }
        simulate::propagate_bools(aig, &mut values);
        let mut first: HashMap<Vec<bool>, usize> = HashMap::new();
        let mut pairs = Vec::new();
        for (j, frame) in self.unroller.frames().iter().enumerate() {
            let state = frame.latches.iter().map(|&l| simulate::value(&values, l)).collect();
            match first.entry(state) {
                Entry::Occupied(i) => pairs.push((*i.get(), j)),
                Entry::Vacant(slot) => {
                    slot.insert(j);
                }
            }
        }
        pairs
    }
    fn trace(&self, last: usize) -> Trace {
        self.unroller.trace(last, |leaf| self.solver.value(leaf))
    }
}
