//! What a suite for engines needs: systems, verdicts, and a judge of lassos.

use super::{Fault, Rounds, Runs, check_lasso};
use crate::explicit::Refusal;
use crate::models::Expected;
use crate::{random, shrink};
use indubit_system::{BitSystem, Trace};
use std::ops::Range;

/// A random system with its verdicts.
#[derive(Clone, Debug)]
pub struct Case {
    /// The seed that it comes from.
    pub seed: u64,
    /// The system.
    pub system: BitSystem,
    /// The verdict of each justice property.
    pub expected: Vec<Expected>,
}

impl Case {
    /// The positions of the justice properties in [`BitSystem::properties`], with their verdicts.
    pub fn properties(&self) -> impl Iterator<Item = (usize, Expected)> {
        let n_bads = self.system.bad_signals().len();
        self.expected.iter().enumerate().map(move |(i, &expected)| (n_bads + i, expected))
    }
}

/// The random systems with these seeds. Some have fairness and no justice property at all.
pub fn live_cases(seeds: Range<u64>) -> impl Iterator<Item = Case> {
    let config = random::LiveConfig::default();
    seeds.map(move |seed| {
        let system = random::live_system(seed, &config);
        let expected = (0..system.justice.len()).map(|i| expected_verdict(&system, i));
        let expected = expected.collect::<Result<_, _>>().expect("random systems are small");
        Case { seed, system, expected }
    })
}

/// The verdict of a justice property, with the length of a [shortest] lasso.
pub fn expected_verdict(system: &BitSystem, justice: usize) -> Result<Expected, Refusal> {
    let length = shortest(system, justice)?;
    Ok(length.map_or(Expected::Holds, |length| Expected::Fails { length: Some(length) }))
}

/// The number of steps of a shortest lasso, until all latches that matter to the property have the values that they had before; none if
/// the property holds.
///
/// That is what a search by length finds on the cone of influence. Passes that find out more can make lassos shorter, and a
/// latch that marks the first step, for reset functions, can make them longer by one step: the loop cannot come back to that step.
pub fn shortest(system: &BitSystem, justice: usize) -> Result<Option<u32>, Refusal> {
    let lasso = Runs::new(&only(system, justice))?.shortest_lasso(0);
    Ok(lasso.map(|lasso| lasso.inputs.len() as u32))
}

/// The system with this justice property only, and only what that depends on.
pub fn only(system: &BitSystem, justice: usize) -> BitSystem {
    let mut alone = system.clone();
    alone.justice = vec![system.justice[justice].clone()];
    (alone.bads, alone.outputs, alone.specs) = Default::default();
    shrink::compact(&alone)
}

/// Is the lasso a counterexample by the definition, and does the reference know that there is one? The reason, if not.
pub fn check_lasso_against_reference(
    system: &BitSystem,
    justice: usize,
    lasso: &Trace,
) -> Result<Rounds, String> {
    let fails = Runs::new(system).map_err(|refusal| refusal.to_string())?.violates(justice);
    match (check_lasso(system, justice, lasso).map_err(|fault: Fault| fault.to_string()), fails) {
        (Ok(_), false) => Err("a lasso that checks, where the reference says that there is none".to_owned()),
        (Err(fault), false) => Err(format!("{fault}, and the reference says that there is no lasso")),
        (checked, true) => checked,
    }
}
