//! IC3 and Quip on bits: the loop of the `pdr` crate over the SAT oracle.

use crate::{BoolOracle, Engine, Options, OracleConfig, Shared};
use indubit_logic::{Clause, Cube};
use indubit_pdr::{Config, Generalize, Outcome, Pdr, Quip};
use indubit_run::{Ask, Run};
use indubit_system::{Conclusion, Invariant, Proof, Safety, Trace};

pub(crate) struct Ic3 {
    safety: Safety,
    options: Options,
    quip: Option<Quip>,
}

impl Ic3 {
    pub(crate) fn new(safety: Safety, options: &Options) -> Ic3 {
        Ic3 { safety, options: options.clone(), quip: None }
    }
    /// Quip (Ivrii, Gurfinkel, FMCAD 2015): with may-obligations and reachable states.
    pub(crate) fn quip(safety: Safety, options: &Options) -> Ic3 {
        let mut options = options.clone();
        // Reachable states are found along lifted steps.
        options.oracle.lifting.targets = true;
        Ic3 { safety, quip: Some(options.quip), options }
    }
}

impl Engine for Ic3 {
    fn run(&mut self, run: &mut Run<'_>) -> Conclusion {
        let (oracle, config) = seeded(&self.options, run.seed);
        let mut pdr = over_bits(BoolOracle::with_config(&self.safety, run, &oracle), config, self.quip);
        let outcome = pdr.prove(run);
        pdr.report(run);
        pdr.oracle().report(run);
        conclusion(outcome, &pdr, self.safety.aig.n_vars())
    }
}

/// One `F∞` for all bad signals of a problem: no lemma depends on what is bad.
pub(crate) struct SharedIc3 {
    pdr: Pdr<BoolOracle<'static>>,
    n_vars: usize,
    /// The bad signal that the frames are about.
    target: Option<usize>,
}

impl SharedIc3 {
    /// IC3, or Quip.
    pub(crate) fn new(ic3: Ic3, run: &Run<'_>) -> SharedIc3 {
        let (oracle, config) = seeded(&ic3.options, run.seed);
        let n_vars = ic3.safety.aig.n_vars();
        SharedIc3 {
            pdr: over_bits(BoolOracle::owning(ic3.safety, run, &oracle), config, ic3.quip),
            n_vars,
            target: None,
        }
    }
}

impl Shared for SharedIc3 {
    fn run(&mut self, target: usize, run: &mut Run<'_>) -> Conclusion {
        if self.target != Some(target) {
            self.pdr.aim(target);
            self.target = Some(target);
        }
        let outcome = self.pdr.prove(run);
        conclusion(outcome, &self.pdr, self.n_vars)
    }
    fn proof(&self) -> Proof {
        Proof::Inductive(invariant(self.pdr.for_good(), self.n_vars))
    }
    fn report(&self, run: &mut Run<'_>) {
        self.pdr.report(run);
        self.pdr.oracle().report(run);
    }
}

/// IC3 or Quip, with all that is there for bits.
fn over_bits<'s>(oracle: BoolOracle<'s>, config: Config, quip: Option<Quip>) -> Pdr<BoolOracle<'s>> {
    let by_interpolants = config.generalize == Generalize::Interpolant;
    let pdr = match quip {
        Some(quip) => Pdr::quip(oracle, config, quip).with_walks(quip.walk),
        None => Pdr::new(oracle, config),
    };
    let pdr = pdr.with_exchange();
    if by_interpolants { pdr.with_interpolants() } else { pdr }
}

/// The switches, with a seed.
pub(crate) fn seeded(options: &Options, seed: u64) -> (OracleConfig, Config) {
    let mut oracle = options.oracle;
    oracle.solver.seed = seed;
    (oracle, Config { seed, ..options.pdr.clone() })
}

fn invariant<'c>(lemmas: impl Iterator<Item = &'c Cube>, n_vars: usize) -> Invariant {
    let mut invariant = Invariant::new(n_vars);
    lemmas.map(|cube| !cube).for_each(|clause: Clause| invariant.add(clause));
    invariant
}

/// The conclusion about a problem of so many nodes.
pub(crate) fn conclusion(
    outcome: Ask<Outcome<Trace>>,
    pdr: &Pdr<BoolOracle<'_>>,
    n_vars: usize,
) -> Conclusion {
    match outcome {
        Ok(Outcome::Invariant(lemmas)) => {
            Conclusion::Safe(Proof::Inductive(invariant(lemmas.iter(), n_vars)))
        }
        Ok(Outcome::Counterexample(trace)) => Conclusion::Unsafe(trace),
        Err(stop) => Conclusion::Unknown { stop, safe_up_to: pdr.safe_up_to() },
    }
}
