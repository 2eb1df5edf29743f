//! Time frames as one structurally hashed circuit.

use crate::{Safety, Trace};
use indubit_aig::Aig;
use indubit_logic::{Lit, Ternary, Var, VarMap};

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
    /// The other signals that are asked about.
    pub also: Vec<Lit>,
    /// The conjunction of the constraints.
    pub constraint: Lit,
}

/// Unrolls a problem frame by frame with constant propagation and hashing across frames: what does not change from one frame
/// to the next is not copied.
///
/// What is [learned](Unroller::learn) about nodes goes into the frames to come as constants.
#[derive(Clone, Debug)]
pub struct Unroller {
    aig: Aig,
    frames: Vec<Frame>,
    /// The latches of the frame to come.
    next: Vec<Lit>,
    map: VarMap<Lit>,
    two_level: bool,
    /// What is known about nodes of the unrolled circuit; nothing about those beyond its end.
    known: Vec<Ternary>,
    n_known: usize,
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
        Unroller {
            aig,
            frames: Vec::new(),
            next,
            map: VarMap::filled(safety.aig.n_vars(), Lit::FALSE),
            two_level: false,
            known: Vec::new(),
            n_known: 0,
        }
    }
    /// Simplify gates by their operands' fanins, too ([`Aig::and_two_level`]), or not.
    pub fn with_two_levels(mut self, two_level: bool) -> Unroller {
        self.two_level = two_level;
        self
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
    /// The latches of the frame to come.
    pub fn next(&self) -> &[Lit] {
        &self.next
    }
    /// Let latch number `i` of the frame to come be a new leaf; returns what it would have been.
    pub fn cut(&mut self, i: usize) -> (Lit, Lit) {
        let leaf = self.aig.leaf();
        (leaf, std::mem::replace(&mut self.next[i], leaf))
    }
    /// From now on `lit`, and with it every operand of a conjunction that it is, counts as true.
    pub fn learn(&mut self, lit: Lit) {
        let mut stack = vec![lit];
        while let Some(lit) = stack.pop() {
            let at = lit.var().index();
            if self.known.len() <= at {
                self.known.resize(at + 1, Ternary::Unknown);
            }
            // The constant stays what it is even if *false* is learned: then nothing is satisfiable anyhow.
            if self.known[at] != Ternary::Unknown || lit.var() == Var::CONST {
                continue;
            }
            self.known[at] = Ternary::from(!lit.is_negated());
            self.n_known += 1;
            if !lit.is_negated() {
                stack.extend(self.aig.fanins(lit.var()).into_iter().flatten());
            }
        }
    }
    /// How many nodes are known to be constant.
    pub fn n_known(&self) -> usize {
        self.n_known
    }
    /// The literal, or its value if that is known.
    pub fn simplified(&self, lit: Lit) -> Lit {
        match self.known.get(lit.var().index()) {
            Some(Ternary::True) => Lit::TRUE ^ lit.is_negated(),
            Some(Ternary::False) => Lit::FALSE ^ lit.is_negated(),
            _ => lit,
        }
    }
    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let lit = if self.two_level { self.aig.and_two_level(a, b) } else { self.aig.and(a, b) };
        self.simplified(lit)
    }
    /// Add one time frame and return it.
    pub fn extend(&mut self, safety: &Safety) -> &Frame {
        let next = std::mem::take(&mut self.next);
        let latches: Vec<Lit> = next.into_iter().map(|l| self.simplified(l)).collect();
        for (latch, &lit) in safety.latches.iter().zip(&latches) {
            self.map[latch.var] = lit;
        }
        let inputs: Vec<Lit> = safety.inputs.iter().map(|_| self.aig.leaf()).collect();
        for (&input, &lit) in safety.inputs.iter().zip(&inputs) {
            self.map[input] = lit;
        }
        for (gate, [a, b]) in safety.aig.ands() {
            self.map[gate] = self.and(self.map.lit(a), self.map.lit(b));
        }
        self.next = safety.latches.iter().map(|l| self.map.lit(l.next)).collect();
        let constraint = self.aig.and_all(safety.constraints.iter().map(|&c| self.map.lit(c)));
        let also = safety.also.iter().map(|&l| self.map.lit(l)).collect();
        let frame = Frame { inputs, latches, bad: self.map.lit(safety.bad), also, constraint };
        self.frames.push(frame);
        self.frames.last().expect("just pushed")
    }
    /// The trace through frames `0..=last` in a model of the unrolled circuit.
    pub fn trace(&self, last: usize, value: impl Fn(Lit) -> bool) -> Trace {
        // A solver that was never told about the constant has any value for it.
        let value = |l: Lit| if l.is_const() { l == Lit::TRUE } else { value(l) };
        let inputs = self.frames[..=last].iter().map(|f| f.inputs.iter().map(|&i| value(i)).collect());
        Trace::finite(self.frames[0].latches.iter().map(|&l| value(l)).collect(), inputs.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StateVar;

    /// A latch that keeps the conjunction of itself, free at the beginning, and an input; bad if it is set.
    fn conjunction() -> Safety {
        let mut safety = Safety::default();
        let (latch, input) = (safety.aig.leaf(), safety.aig.leaf());
        let next = safety.aig.and(latch, input);
        safety.inputs.push(input.var());
        safety.latches.push(StateVar { var: latch.var(), next, init: None });
        safety.bad = latch;
        safety
    }

    #[test]
    fn what_is_learned_is_constant_in_later_frames() {
        let safety = conjunction();
        let mut unroller = Unroller::new(&safety, Start::Initial);
        let bad = unroller.extend(&safety).bad;
        unroller.learn(!bad);
        assert_eq!((unroller.simplified(bad), unroller.n_known()), (Lit::FALSE, 1));
        let next = unroller.next()[0];
        unroller.learn(!next);
        assert_eq!(unroller.extend(&safety).bad, Lit::FALSE);
        assert_eq!(unroller.next(), [Lit::FALSE]);
    }

    #[test]
    fn frames_on_both_sides_of_a_cut_share_nothing() {
        let safety = conjunction();
        let mut unroller = Unroller::new(&safety, Start::Initial);
        unroller.extend(&safety);
        let before = unroller.next()[0];
        let (after, cut) = unroller.cut(0);
        assert_eq!((cut, unroller.next()), (before, &[after][..]));
        assert!(unroller.aig().fanins(after.var()).is_none());
        assert_eq!(unroller.extend(&safety).latches, [after]);
    }

    #[test]
    fn a_true_conjunction_has_true_operands() {
        let safety = conjunction();
        let mut unroller = Unroller::new(&safety, Start::Anywhere).with_two_levels(true);
        let frame = unroller.extend(&safety).clone();
        unroller.learn(unroller.next()[0]);
        assert_eq!(unroller.simplified(!frame.inputs[0]), Lit::FALSE);
        assert_eq!(unroller.simplified(frame.latches[0]), Lit::TRUE);
        // A contradiction does not turn the constant around.
        unroller.learn(Lit::FALSE);
        assert_eq!(unroller.simplified(Lit::FALSE), Lit::FALSE);
        // The trace still reads what the model says about the leaves.
        assert_eq!(unroller.trace(0, |l| l == frame.inputs[0]).inputs, [[true]]);
    }
}
