//! The map of an AIGER model that Yosys writes with `-ywmap`: JSON, with the paths of inputs, of registers whose initial values are inputs, and of properties.

use super::json;
use crate::Error;
use indubit_system::{Clock, Origin};

/// What such a map says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ywa {
    pub n_inputs: usize,
    pub n_latches: usize,
    /// The position of an input, what it is, and whether it is that only in the first step.
    pub inputs: Vec<(usize, Origin, bool)>,
    pub clocks: Vec<Clock>,
    /// The paths of bad states and of constraints, in their order.
    pub asserts: Vec<Vec<String>>,
    pub assumes: Vec<Vec<String>>,
}

pub(super) fn parse(bytes: &[u8]) -> Result<Ywa, Error> {
    let document = json::document(bytes, "Yosys Witness Aiger map")?;
    let mut inputs = Vec::new();
    // Free values in a step (`seqs`) are inputs like others.
    for (key, is_initial) in [("inputs", false), ("seqs", false), ("inits", true)] {
        for element in json::list(&document, key)? {
            let origin = Origin { width: 1, ..json::origin(element)? };
            inputs.push((json::number(element, "input")? as usize, origin, is_initial));
        }
    }
    let paths = |key: &str| json::list(&document, key)?.iter().map(json::path).collect::<Result<Vec<_>, _>>();
    let count = |key: &str| json::number(&document, key).map(|n: u32| n as usize);
    let (asserts, assumes) = (paths("asserts")?, paths("assumes")?);
    let clocks = json::clocks(&document)?;
    Ok(Ywa {
        n_inputs: count("input_count")?,
        n_latches: count("latch_count")?,
        inputs,
        clocks,
        asserts,
        assumes,
    })
}
