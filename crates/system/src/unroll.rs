//! Time frames as one structurally hashed circuit.

use crate::{Safety, Trace};
use indubit_aig::Aig;
use indubit_logic::{Lit, VarMap};

/// Where an unrolling starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// In the initial states; constants propagate from there.
    Initial,
    /// Anywhere.
    Anywhere,
}

/// One time frame: what the signals of the system are in the unrolled circuit.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Inputs, by position.
    pub inputs: Vec<Lit>,
    /// Latches, by position.
    pub latches: Vec<Lit>,
    /// The bad signal.
    pub bad: Lit,
    /// The conjunction of the constraints.
    pub constraint: Lit,
}

/// Unrolls a problem frame by frame with constant propagation and hashing across frames
/// (PERFORMANCE D; the encoding of seed 002's BMC without copies of what does not change).
#[derive(Clone, Debug)]
pub struct Unroller {
    aig: Aig,
    frames: Vec<Frame>,
    /// The latches of the frame to come.
    next: Vec<Lit>,
    map: VarMap<Lit>,
}

impl Unroller {
    /// No frame yet.
    pub fn new(safety: &Safety, start: Start) -> Unroller {
        let mut aig = Aig::new();
        let next = safety
            .latches
            .iter()
            .map(|l| match l.init {
                Some(value) if start == Start::Initial => Lit::constant(value),
                _ => aig.leaf(),
            })
            .collect();
        Unroller { aig, frames: Vec::new(), next, map: VarMap::filled(safety.aig.n_vars(), Lit::FALSE) }
    }
    /// The unrolled circuit.
    pub fn aig(&self) -> &Aig {
        &self.aig
    }
    /// The unrolled circuit, for further gates over the frames.
    pub fn aig_mut(&mut self) -> &mut Aig {
        &mut self.aig
    }
    /// The frames so far.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }
    /// Add one time frame and return it.
    pub fn extend(&mut self, safety: &Safety) -> &Frame {
        let latches = std::mem::take(&mut self.next);
        for (latch, &lit) in safety.latches.iter().zip(&latches) {
            self.map[latch.var] = lit;
        }
        let inputs: Vec<Lit> = safety.inputs.iter().map(|_| self.aig.leaf()).collect();
        for (&input, &lit) in safety.inputs.iter().zip(&inputs) {
            self.map[input] = lit;
        }
        for (gate, [a, b]) in safety.aig.ands() {
            self.map[gate] = self.aig.and(self.map.lit(a), self.map.lit(b));
        }
        self.next = safety.latches.iter().map(|l| self.map.lit(l.next)).collect();
        let constraint = self.aig.and_all(safety.constraints.iter().map(|&c| self.map.lit(c)));
        let frame = Frame { inputs, latches, bad: self.map.lit(safety.bad), constraint };
        self.frames.push(frame);
        self.frames.last().expect("just pushed")
    }
    /// The trace through frames `0..=last` in a model of the unrolled circuit.
    pub fn trace(&self, last: usize, value: impl Fn(Lit) -> bool) -> Trace {
        Trace {
            initial: self.frames[0].latches.iter().map(|&l| value(l)).collect(),
            inputs: self.frames[..=last]
                .iter()
                .map(|f| f.inputs.iter().map(|&i| value(i)).collect())
                .collect(),
        }
    }
}
