//! Inductive strengthening on bits: the naïve algorithm and FSIS of the `pdr` crate over the SAT oracle (Bradley, Manna,
//! FMCAD 2007).

use crate::ic3::{conclusion, seeded};
use crate::{BoolOracle, Engine, Options};
use indubit_pdr::{Outcome, Pdr};
use indubit_run::{Ask, Run};
use indubit_system::{Conclusion, Safety, Trace};

/// One way to a strengthening.
type Strengthen = for<'s> fn(&mut Pdr<BoolOracle<'s>>, &mut Run<'_>) -> Ask<Outcome<Trace>>;

pub(crate) struct Strengthening {
    safety: Safety,
    options: Options,
    strengthen: Strengthen,
}

impl Strengthening {
    pub(crate) fn naive(safety: Safety, options: &Options) -> Strengthening {
        Strengthening { safety, options: options.clone(), strengthen: |pdr, run| pdr.naive(run) }
    }
    pub(crate) fn fsis(safety: Safety, options: &Options) -> Strengthening {
        Strengthening { safety, options: options.clone(), strengthen: |pdr, run| pdr.fsis(run) }
    }
}

impl Engine for Strengthening {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        let (mut oracle, config) = seeded(&self.options, run.seed);
        // States are removed for good, so they must be able to make the step that says they reach bad.
        oracle.lazy_constraints = false;
        oracle.lifting.constraints = true;
        oracle.lifting.targets = true;
        // CTIs are in IS, so what was removed before hardly ever subsumes them, and there are many, each with many literals: with
        // thousands of them the search for subsumed ones took 70 % of the time, and nobody could interrupt it.
        oracle.solver.subsume = false;
        // The step begins in P.
        oracle.good_steps = true;
        let mut pdr = Pdr::new(BoolOracle::with_config(&self.safety, run, &oracle), config);
        let outcome = (self.strengthen)(&mut pdr, run);
        pdr.report_strengthening(run);
        pdr.oracle().report(run);
        conclusion(outcome, &pdr, self.safety.aig.n_vars())
    }
}
