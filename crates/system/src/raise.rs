//! The way back: every change to a problem returns how evidence is carried to what it was before.

use crate::{Conclusion, Proof, Safety, Trace};
use indubit_logic::{Clause, Lit, Var};
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
pub trait Raise: Send + Sync {
    /// A trace of the problem before.
    fn trace(&self, trace: Trace) -> Trace;
    /// A proof about the problem before.
    fn proof(&self, proof: Proof) -> Proof;
    /// What a node of the problem after is in the problem before, if it is one there.
    fn up(&self, node: Var) -> Option<Lit>;
    /// What a node of the problem before is in the problem after, if it is one there. In all reachable states both have the same
    /// value, and [`Raise::proof`] of *true* says why.
    fn down(&self, node: Var) -> Option<Lit>;

    /// The conclusion about the problem before.
    fn conclusion(&self, conclusion: Conclusion) -> Conclusion {
        match conclusion {
            Conclusion::Safe(proof) => Conclusion::Safe(self.proof(proof)),
            Conclusion::Unsafe(trace) => Conclusion::Unsafe(self.trace(trace)),
            unknown @ Conclusion::Unknown { .. } => unknown,
        }
    }
    /// A clause over the problem after as one over the problem before, if all its nodes are there.
    fn clause_up(&self, clause: &Clause) -> Option<Clause> {
        clause.map(|node| self.up(node))
    }
    /// A clause over the problem before as one over the problem after, if all its nodes are there.
    fn clause_down(&self, clause: &Clause) -> Option<Clause> {
        clause.map(|node| self.down(node))
    }
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
}

impl Raise for Stack {
    fn trace(&self, trace: Trace) -> Trace {
        self.0.iter().rev().fold(trace, |t, raise| raise.trace(t))
    }
    fn proof(&self, proof: Proof) -> Proof {
        self.0.iter().rev().fold(proof, |p, raise| raise.proof(p))
    }
    fn up(&self, node: Var) -> Option<Lit> {
        let mut raises = self.0.iter().rev();
        raises.try_fold(Lit::positive(node), |lit, raise| Some(raise.up(lit.var())? ^ lit.is_negated()))
    }
    fn down(&self, node: Var) -> Option<Lit> {
        let mut raises = self.0.iter();
        raises.try_fold(Lit::positive(node), |lit, raise| Some(raise.down(lit.var())? ^ lit.is_negated()))
    }
}
