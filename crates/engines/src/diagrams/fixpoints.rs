//! Fixpoints of sets of states.

use crate::BranchingEngine;
use indubit_run::{Ask, Run, Stop};
use indubit_system::{Branching, CtlProof};

pub(crate) struct Fixpoints {
    _graph: Branching,
    _most: usize,
}

impl Fixpoints {
    pub fn new(graph: Branching, most: usize) -> Fixpoints {
        Fixpoints { _graph: graph, _most: most }
    }
}

impl BranchingEngine for Fixpoints {
    fn run(&mut self, _run: &mut Run<'_>) -> Ask<CtlProof> {
        Err(Stop::Incomplete("not yet"))
    }
}
