//! What bounded engines need: time frames in a solver.

mod answers;
mod config;
mod guarded;
mod interpolating;
mod parts;
mod states;

pub use answers::{Answers, Parted, Whole};
pub use config::{Backend, BoundedConfig};
pub(crate) use guarded::{Guarded, Order};
pub use interpolating::Interpolate;
pub use parts::Cuts;
pub use states::StateSets;

use indubit_aig::{Aig, Encoder, GateEncoder, simulate};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Run};
use indubit_system::{Safety, Start, Trace, Unroller};
use parts::Parts;
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

    /// Add a time frame, of which nothing is asserted yet; returns its index.
    fn extend(&mut self) -> usize;
    /// "Frame `k` is bad."
    fn bad(&self, k: usize) -> Self::Formula;
    /// "The constraints hold in frame `k`."
    fn constraint(&self, k: usize) -> Self::Formula;
    /// Both hold.
    fn and(&mut self, a: Self::Formula, b: Self::Formula) -> Self::Formula;
    /// One of the two holds, or both.
    fn or(&mut self, a: Self::Formula, b: Self::Formula) -> Self::Formula;
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
    /// The first of these that is true in the last model.
    fn first_true(&self, formulas: &[Self::Formula]) -> Option<usize>;
    /// Pairs of frames with equal states in the last model, one for each frame that repeats an earlier one.
    fn repeated_states(&self) -> Vec<(usize, usize)>;
    /// The path through frames `0..=last` in the last model, unless its values cannot be told.
    fn trace(&self, last: usize) -> Ask<Self::Trace>;

    /// Add a time frame with the constraints asserted in it; returns its index.
    fn extend_constrained(&mut self) -> usize {
        let k = self.extend();
        self.assert(&[(self.constraint(k), true)]);
        k
    }
}

/// Time frames of a [`Safety`] problem as a hashed circuit; a cone is encoded when it is asked about.
pub struct BitFrames<'s, S = Whole> {
    safety: &'s Safety,
    config: BoundedConfig,
    unroller: Unroller,
    encoder: Cnf,
    parts: Parts,
    solver: S,
    n_clauses: u64,
    /// The last question was answered without the solver: an assumption was the constant *false*.
    trivial: bool,
    /// The constant *false* was asserted.
    refuted: bool,
}

/// How gates become clauses.
enum Cnf {
    Binary(Encoder),
    Gates(GateEncoder),
}

impl Cnf {
    fn new(config: BoundedConfig) -> Cnf {
        match config.gates {
            true => Cnf::Gates(GateEncoder::new()),
            false => Cnf::Binary(Encoder::new()),
        }
    }
    /// Give `clause` what defines the cone of `root`, as far as it has not seen it.
    fn encode(&mut self, aig: &Aig, root: Lit, clause: impl FnMut(&[Lit])) {
        match self {
            Cnf::Binary(encoder) => encoder.encode(aig, root, clause),
            Cnf::Gates(encoder) => encoder.encode(aig, root, clause),
        }
    }
    /// The node will be read by gates to come.
    fn expect(&mut self, aig: &Aig, lit: Lit) {
        if let Cnf::Gates(encoder) = self {
            encoder.expect(aig, lit);
        }
    }
    fn contains(&self, var: Var) -> bool {
        match self {
            Cnf::Binary(encoder) => encoder.contains(var),
            Cnf::Gates(encoder) => encoder.contains(var),
        }
    }
}

impl<'s> BitFrames<'s> {
    /// No frames yet; the solver ends with the run and has its seed.
    pub fn new(safety: &'s Safety, start: Start, config: BoundedConfig, run: &Run<'_>) -> BitFrames<'s> {
        BitFrames::with_solver(safety, start, config, Cuts::None, Whole::new(config, run))
    }
}

impl<'s, S: Answers> BitFrames<'s, S> {
    fn with_solver(
        safety: &'s Safety,
        start: Start,
        config: BoundedConfig,
        cuts: Cuts,
        solver: S,
    ) -> BitFrames<'s, S> {
        let encoder = Cnf::new(config);
        let unroller = Unroller::new(safety, start).with_two_levels(config.two_level);
        let parts = Parts::new(cuts);
        BitFrames {
            safety,
            config,
            unroller,
            encoder,
            parts,
            solver,
            n_clauses: 0,
            trivial: false,
            refuted: false,
        }
    }
    /// Tell the solver about a cone; returns the part that it is in.
    fn encode(&mut self, lit: Lit) -> u32 {
        let (aig, solver) = (self.unroller.aig(), &mut self.solver);
        let part = self.parts.of(aig, lit);
        let n_clauses = &mut self.n_clauses;
        let add = |clause: &[Lit]| {
            *n_clauses += 1;
            solver.add_clause(part, clause);
        };
        self.encoder.encode(aig, lit, add);
        part
    }
    /// Say across each cut what the latches are that something after it depends on.
    fn link(&mut self) {
        for cut in (0..self.parts.n_cuts()).rev() {
            let mut links = self.parts.take_links(cut);
            links.retain(|&(leaf, next)| {
                let is_needed = self.encoder.contains(leaf.var());
                if is_needed {
                    self.encode(next);
                    self.solver.add_clause(cut, &[!leaf, next]);
                    self.solver.add_clause(cut, &[leaf, !next]);
                }
                !is_needed
            });
            self.parts.put_links(cut, links);
        }
    }
    /// Latch number `i` in frame `k`.
    pub(crate) fn state(&self, k: usize, i: usize) -> Lit {
        self.unroller.frames()[k].latches[i]
    }
    /// Latch number `i` in the frame to come.
    pub(crate) fn next(&self, i: usize) -> Lit {
        self.unroller.next()[i]
    }
    /// Signal number `i` beside the bad one in frame `k`.
    pub(crate) fn signal(&self, k: usize, i: usize) -> Lit {
        self.unroller.frames()[k].also[i]
    }
    /// Both hold, or neither.
    pub(crate) fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        self.unroller.aig_mut().iff(a, b)
    }
    /// Latches of the frame to come whose value the solver knows.
    fn learn_latches(&mut self) {
        let fixed = |l: &Lit| self.solver.fixed(*l).map(|value| *l ^ !value);
        let facts: Vec<Lit> = self.unroller.next().iter().filter_map(fixed).collect();
        facts.into_iter().for_each(|fact| self.unroller.learn(fact));
    }
    /// The last model. A node need not have been encoded: all are computed from the leaves, free ones being false.
    fn model(&self) -> Vec<bool> {
        let aig = self.unroller.aig();
        let mut values = vec![false; aig.n_vars()];
        for leaf in (1..aig.n_vars()).map(Var::from_index).filter(|&v| aig.fanins(v).is_none()) {
            values[leaf.index()] = self.solver.value(Lit::positive(leaf));
        }
        simulate::propagate_bools(aig, &mut values);
        values
    }
    fn n_variables(&self) -> usize {
        let nodes = (0..self.unroller.aig().n_vars()).map(Var::from_index);
        nodes.filter(|&v| self.encoder.contains(v)).count()
    }
    /// Tell the observer what this took.
    pub fn report(&self, run: &mut Run<'_>) {
        let counts = self.solver.counts();
        for (name, value) in [
            ("nodes of the unrolling", self.unroller.aig().n_vars() as u64),
            ("nodes known to be constant", self.unroller.n_known() as u64),
            ("variables of the solver", self.n_variables() as u64),
            ("clauses of gates", self.n_clauses),
            ("conflicts", counts.conflicts),
            ("propagations", counts.propagations),
        ] {
            run.count(name, value);
        }
    }
}

impl<S: Answers> Bounded for BitFrames<'_, S> {
    type Formula = Lit;
    type Trace = Trace;

    fn extend(&mut self) -> usize {
        if self.config.facts {
            self.learn_latches();
        }
        let k = self.unroller.frames().len();
        if self.parts.begin(k) {
            let latches = 0..self.safety.latches.len();
            self.parts.cut(latches.map(|i| self.unroller.cut(i)).collect());
        }
        self.unroller.extend(self.safety);
        self.parts.update(self.unroller.aig());
        self.unroller.next().iter().for_each(|&latch| self.encoder.expect(self.unroller.aig(), latch));
        k
    }
    fn bad(&self, k: usize) -> Lit {
        self.unroller.frames()[k].bad
    }
    fn constraint(&self, k: usize) -> Lit {
        self.unroller.frames()[k].constraint
    }
    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.unroller.aig_mut().and(a, b)
    }
    fn or(&mut self, a: Lit, b: Lit) -> Lit {
        self.unroller.aig_mut().or(a, b)
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
        self.refuted |= lits.iter().all(|&l| l == Lit::FALSE);
        let part = lits.iter().map(|&l| self.encode(l)).max().unwrap_or(0);
        self.solver.add_clause(part, &lits);
        if let ([fact], true) = (&lits[..], self.config.facts) {
            self.unroller.learn(*fact);
        }
    }
    fn solve(&mut self, assumptions: &[Lit]) -> Ask<bool> {
        self.trivial = assumptions.contains(&Lit::FALSE);
        if self.trivial {
            return Ok(false);
        }
        let assumptions: Vec<(u32, Lit)> = assumptions.iter().map(|&l| (self.encode(l), l)).collect();
        self.link();
        self.solver.solve(&assumptions)
    }
    fn in_core(&self, assumption: Lit) -> bool {
        match self.trivial {
            true => assumption == Lit::FALSE && !self.refuted,
            false => self.solver.failed(assumption),
        }
    }
    fn first_true(&self, formulas: &[Lit]) -> Option<usize> {
        let values = self.model();
        formulas.iter().position(|&l| simulate::value(&values, l))
    }
    fn repeated_states(&self) -> Vec<(usize, usize)> {
        let values = self.model();
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
    fn trace(&self, last: usize) -> Ask<Trace> {
        Ok(self.unroller.trace(last, |leaf| self.solver.value(leaf)))
    }
}
