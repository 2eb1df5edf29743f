//! IC3 and Quip on bits: the loop of the `pdr` crate over the SAT oracle.

use crate::{BoolOracle, Engine, Options};
use indubit_logic::Clause;
use indubit_pdr::{Config, Outcome, Pdr, Promote};
use indubit_run::Run;
use indubit_system::{Invariant, Proof, Safety, Verdict};

pub(crate) struct Ic3 {
    name: &'static str,
    safety: Safety,
    options: Options,
}

impl Ic3 {
    pub(crate) fn new(safety: Safety, options: &Options) -> Ic3 {
        Ic3 { name: "ic3", safety, options: options.clone() }
    }
    /// Seed 004: with may-obligations, reachable states, and the largest inductive subset of all lemmas.
    pub(crate) fn quip(safety: Safety, options: &Options) -> Ic3 {
        let mut options = options.clone();
        options.pdr.quip = Some(options.quip);
        options.pdr.promote = Promote::MaxIndSubset;
        Ic3 { name: "quip", safety, options }
    }
}

impl Engine for Ic3 {
    fn name(&self) -> &'static str {
        self.name
    }
    fn run(&mut self, run: &mut Run<'_>) -> Verdict {
        let mut oracle = self.options.oracle;
        oracle.solver.seed = run.seed;
        let config = Config { seed: run.seed, ..self.options.pdr.clone() };
        let mut pdr = Pdr::new(BoolOracle::with_config(&self.safety, run, &oracle), config);
        let outcome = pdr.prove(run);
        pdr.report(run);
        pdr.oracle().report(run);
        match outcome {
            Ok(Outcome::Invariant(lemmas)) => {
                let mut invariant = Invariant::new(self.safety.aig.n_vars());
                lemmas.iter().map(|cube| !cube).for_each(|clause: Clause| invariant.add(clause));
                Verdict::Safe(Proof::Inductive(invariant))
            }
            Ok(Outcome::Counterexample(trace)) => Verdict::Unsafe(trace),
            Err(stop) => Verdict::Unknown { stop, safe_up_to: pdr.safe_up_to() },
        }
    }
}
