//! A circuit with a solver that is asked whether two of its edges are equal.

use crate::effort::Effort;
use fastrand::Rng;
use indubit_aig::{Aig, Cone, Definition, Encoder};
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Run, Stop};
use indubit_sat::{Circuit, Counted, RelConfig, RelSolver, Solve, Tuning};

/// What is known about two edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// They are equal wherever the assertions hold.
    Equal,
    /// The solver's model is where they differ.
    Differ,
    /// Finding out takes too long.
    Unknown,
}

/// A circuit that grows, and what is asserted about it.
pub(crate) struct Prover {
    /// The circuit.
    pub(crate) aig: Aig,
    encoder: Encoder,
    cone: Cone,
    limit: usize,
    solver: RelSolver,
    /// Names of leaves, hashed; by node, as far as someone asked.
    hashes: Vec<u64>,
}

impl Prover {
    /// An empty circuit; questions end with the run. None is about more nodes than `limit`, or takes more ticks.
    pub(crate) fn new(limit: usize, run: &Run<'_>) -> Prover {
        let config = RelConfig { seed: run.seed, ..RelConfig::default() };
        let tuning = Tuning { seed: run.seed, poll: limit as u64 / 8, ..Tuning::default() };
        let mut solver = RelSolver::tuned(run.cancel(), config, tuning);
        solver.limit(Some(limit as u64));
        Prover { aig: Aig::new(), encoder: Encoder::new(), cone: Cone::new(), limit, solver, hashes: vec![0] }
    }
    /// A new leaf. Its name, which is the same from prover to prover, is what hashes are made from.
    pub(crate) fn leaf(&mut self, name: u64) -> Lit {
        self.complete_hashes();
        self.hashes.push(mix(name, 1));
        self.aig.leaf()
    }
    /// A hash of the cone of an edge. With leaves of the same names, it is the same in every prover.
    pub(crate) fn hash(&mut self, lit: Lit) -> u64 {
        self.complete_hashes();
        self.hash_of(lit)
    }
    fn hash_of(&self, lit: Lit) -> u64 {
        self.hashes[lit.var().index()] ^ u64::from(lit.is_negated()).wrapping_neg()
    }
    fn complete_hashes(&mut self) {
        for node in self.hashes.len()..self.aig.n_vars() {
            let [a, b] =
                self.aig.fanins(Var::from_index(node)).expect("leaves are hashed when they are made");
            // The order of the fanins depends on numbers, which are not the same in every prover.
            let (a, b) = (self.hash_of(a), self.hash_of(b));
            self.hashes.push(mix(a.min(b), a.max(b)));
        }
    }
    fn encode(&mut self, lit: Lit) {
        self.encoder.visit(&self.aig, lit, |definition| match definition {
            Definition::Constant => self.solver.add_clause(&[Lit::TRUE]),
            Definition::And(gate, a, b) => self.solver.define_and(gate.var(), a, b),
        });
    }
    /// From now on, `lit` holds.
    pub(crate) fn assert(&mut self, lit: Lit) {
        self.encode(lit);
        self.solver.add_clause(&[lit]);
    }
    /// From now on, `a` and `b` are equal.
    pub(crate) fn assert_equal(&mut self, a: Lit, b: Lit) {
        self.encode(a);
        self.encode(b);
        self.solver.add_clause(&[a, !b]);
        self.solver.add_clause(&[!a, b]);
    }
    /// Are the two edges equal?
    pub(crate) fn compare(&mut self, a: Lit, b: Lit, effort: &mut Effort) -> Ask<Answer> {
        self.cone.clear(&self.aig);
        let whole = [a, b].into_iter().all(|root| self.cone.add_up_to(&self.aig, root, self.limit));
        effort.nodes(4 * self.cone.vars().len());
        if !whole {
            return Ok(Answer::Unknown);
        }
        for (yes, no) in [(a, b), (b, a)] {
            let mut assumptions = vec![yes, !no];
            assumptions.retain(|&l| l != Lit::TRUE);
            if assumptions.contains(&Lit::FALSE) {
                continue;
            }
            assumptions.iter().for_each(|&l| self.encode(l));
            let before = self.solver.counts().ticks;
            let answer = self.solver.solve(&assumptions);
            effort.ticks(self.solver.counts().ticks - before);
            match answer {
                Ok(false) => (),
                Ok(true) => return Ok(Answer::Differ),
                Err(Stop::Incomplete(_)) => return Ok(Answer::Unknown),
                Err(stop) => return Err(stop),
            }
        }
        Ok(Answer::Equal)
    }
    /// The value of a leaf in the model, or none if both will do.
    fn value(&self, leaf: Var) -> Option<bool> {
        self.solver.assigned(leaf)
    }
    /// After [`Answer::Differ`]: 64 values of a leaf, or of a constant, that agree with the model. Where that leaves it
    /// open they are random (by `salt`, and the same for the same leaf), so that one model refutes many candidates.
    pub(crate) fn spread(&self, lit: Lit, salt: u64) -> u64 {
        let value = if lit.is_const() { Some(false) } else { self.value(lit.var()) };
        let random = || Rng::with_seed(salt.wrapping_add(lit.var().index() as u64)).u64(..);
        let word = value.map_or_else(random, |value| u64::from(value).wrapping_neg());
        word ^ u64::from(lit.is_negated()).wrapping_neg()
    }
}

fn mix(a: u64, b: u64) -> u64 {
    let mixed = (a ^ a >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ b;
    let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 29
}
