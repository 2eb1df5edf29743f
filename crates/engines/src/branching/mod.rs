//! IICTL.

use crate::{BranchingEngine, Options};
use indubit_run::{Ask, Run, Stop};
use indubit_system::{Branching, CtlProof};

pub(crate) struct Iictl {
    _graph: Branching,
}

impl Iictl {
    pub fn new(graph: Branching, _options: &Options) -> Iictl {
        Iictl { _graph: graph }
    }
}

impl BranchingEngine for Iictl {
    fn run(&mut self, _run: &mut Run<'_>) -> Ask<CtlProof> {
        Err(Stop::Incomplete("not yet"))
    }
}
