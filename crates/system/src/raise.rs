//! The way back: every change to a problem returns how evidence is carried to what it was before.

use crate::{Proof, Safety, Trace, Verdict};
use indubit_logic::Clause;
use indubit_run::{Ask, Run};

/// A transformation into a problem for an engine, with its way back.
pub trait Lower {
    /// What it starts from.
    type From;
    /// Its name in reports.
    fn name(&self) -> &'static str;
    /// The new problem, and how evidence about it is raised.
    fn lower(&self, from: &Self::From, run: &mut Run<'_>) -> Ask<(Safety, Box<dyn Raise>)>;
}

/// Carries evidence found after a transformation to the problem before it.
pub trait Raise {
    /// A trace of the problem before.
    fn trace(&self, trace: Trace) -> Trace;
    /// A proof about the problem before.
    fn proof(&self, proof: Proof) -> Proof;
    /// A lemma (a clause over state variables) as a clause over the problem before, if it is one there.
    fn clause(&self, clause: &Clause) -> Option<Clause>;
}

/// The transformations applied so far, first to last.
#[derive(Default)]
pub struct Stack(Vec<Box<dyn Raise>>);

impl Stack {
    /// No transformation yet.
    pub fn new() -> Stack {
        Stack::default()
    }
    /// One more transformation was applied.
    pub fn push(&mut self, raise: Box<dyn Raise>) {
        self.0.push(raise);
    }
    /// The verdict about the first problem.
    pub fn verdict(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Safe(proof) => Verdict::Safe(self.proof(proof)),
            Verdict::Unsafe(trace) => Verdict::Unsafe(self.trace(trace)),
            unknown @ Verdict::Unknown { .. } => unknown,
        }
    }
}

impl Raise for Stack {
    fn trace(&self, trace: Trace) -> Trace {
        self.0.iter().rev().fold(trace, |t, raise| raise.trace(t))
    }
    fn proof(&self, proof: Proof) -> Proof {
        self.0.iter().rev().fold(proof, |p, raise| raise.proof(p))
    }
    fn clause(&self, clause: &Clause) -> Option<Clause> {
        self.0.iter().rev().try_fold(clause.clone(), |c, raise| raise.clause(&c))
    }
}
