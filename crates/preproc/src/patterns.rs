//! Random simulation: 64 runs of a problem side by side, and signatures of what nodes do in them.

use crate::effort::Effort;
use fastrand::Rng;
use indubit_aig::simulate;
use indubit_logic::{Lit, Var};
use indubit_run::{Ask, Run};
use indubit_system::Safety;

/// In these lanes inputs change seldom: a model that is reset by an input every other step goes nowhere.
const STEADY: u64 = 0xffff_ffff_0000_0000;

/// 64 states with inputs, and the values of all nodes in them.
pub(crate) struct Walk<'s> {
    safety: &'s Safety,
    /// One word a node.
    pub(crate) words: Vec<u64>,
    /// The runs that have not violated a constraint before this step.
    pub(crate) lanes: u64,
    next: Vec<u64>,
}

impl<'s> Walk<'s> {
    /// Before the first step.
    pub(crate) fn new(safety: &'s Safety) -> Walk<'s> {
        Walk { safety, words: vec![0; safety.aig.n_vars()], lanes: u64::MAX, next: Vec::new() }
    }
    /// Into initial states, all lanes alive.
    pub(crate) fn start(&mut self, random: &mut Rng) {
        self.lanes = u64::MAX;
        for latch in &self.safety.latches {
            self.words[latch.var.index()] = match latch.init {
                Some(value) => u64::from(value).wrapping_neg(),
                None => random.u64(..),
            };
        }
        for input in &self.safety.inputs {
            self.words[input.index()] = random.u64(..);
        }
        simulate::propagate(&self.safety.aig, &mut self.words);
    }
    /// Into any states, all lanes alive: `leaf` gives latches and inputs their values.
    pub(crate) fn set(&mut self, mut leaf: impl FnMut(Var) -> u64) {
        self.lanes = u64::MAX;
        for var in self.safety.latches.iter().map(|l| l.var).chain(self.safety.inputs.iter().copied()) {
            self.words[var.index()] = leaf(var);
        }
        simulate::propagate(&self.safety.aig, &mut self.words);
    }
    /// One step on, into states with random inputs. The lanes that violate a constraint where they are end there.
    pub(crate) fn step(&mut self, random: &mut Rng) {
        self.step_with(|before| {
            let keep = (random.u64(..) | random.u64(..) | random.u64(..)) & STEADY;
            before & keep | random.u64(..) & !keep
        });
    }
    /// One step on; `input` gives inputs their values from those they had, in order.
    pub(crate) fn step_with(&mut self, mut input: impl FnMut(u64) -> u64) {
        let holds = |&c: &Lit| simulate::word(&self.words, c);
        self.lanes &= self.safety.constraints.iter().map(holds).fold(u64::MAX, |a, b| a & b);
        self.next.clear();
        self.next.extend(self.safety.latches.iter().map(|l| simulate::word(&self.words, l.next)));
        for (latch, &word) in self.safety.latches.iter().zip(&self.next) {
            self.words[latch.var.index()] = word;
        }
        for var in &self.safety.inputs {
            let word = &mut self.words[var.index()];
            *word = input(*word);
        }
        simulate::propagate(&self.safety.aig, &mut self.words);
    }
}

/// What nodes did in a number of patterns.
pub(crate) struct Signatures {
    /// A hash of the values, up to a negation.
    pub(crate) hashes: Vec<u64>,
    /// The value in the first pattern, which is the negation that was taken out.
    pub(crate) negated: Vec<bool>,
}

impl Signatures {
    fn new(first: &[u64]) -> Signatures {
        let negated = first.iter().map(|word| word & 1 == 1).collect();
        Signatures { hashes: vec![0; first.len()], negated }
    }
    fn add(&mut self, words: &[u64], lanes: u64) {
        for ((hash, &word), &negated) in self.hashes.iter_mut().zip(words).zip(&self.negated) {
            let word = (word ^ u64::from(negated).wrapping_neg()) & lanes;
            let mixed = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            *hash = mixed ^ mixed >> 32;
        }
    }
}

/// With fewer patterns than so many words of 64, candidates are not worth a question.
pub(crate) const MIN_PATTERNS: usize = 16;
/// Runs have at most so many steps before others begin.
const MAX_STEPS: usize = 512;

/// Signatures from runs that begin in initial states and have so many steps together, 64 at a time.
pub(crate) fn reachable(
    safety: &Safety,
    steps: usize,
    effort: &mut Effort,
    run: &Run<'_>,
) -> Ask<Signatures> {
    let mut random = Rng::with_seed(run.seed);
    let mut walk = Walk::new(safety);
    walk.start(&mut random);
    let mut signatures = Signatures::new(&walk.words);
    for step in 1..=steps {
        run.checkpoint()?;
        signatures.add(&walk.words, walk.lanes);
        walk.step(&mut random);
        if walk.lanes == 0 || step.is_multiple_of(MAX_STEPS) {
            walk.start(&mut random);
        }
        effort.nodes(2 * safety.aig.n_vars());
    }
    signatures.add(&walk.words, walk.lanes);
    Ok(signatures)
}

/// Signatures from so many times 64 random assignments of latches and inputs.
pub(crate) fn anywhere(safety: &Safety, times: usize, effort: &mut Effort, run: &Run<'_>) -> Ask<Signatures> {
    let mut random = Rng::with_seed(run.seed);
    let mut walk = Walk::new(safety);
    walk.set(|_| random.u64(..));
    let mut signatures = Signatures::new(&walk.words);
    for _ in 0..times {
        run.checkpoint()?;
        signatures.add(&walk.words, u64::MAX);
        walk.set(|_| random.u64(..));
        effort.nodes(2 * safety.aig.n_vars());
    }
    signatures.add(&walk.words, u64::MAX);
    Ok(signatures)
}
