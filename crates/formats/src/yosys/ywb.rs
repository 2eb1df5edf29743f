//! The map of a BTOR2 model that Yosys writes with `-ywmap`: JSON, with the paths of inputs, state variables and properties, in the order of the file.

use super::json;
use crate::Error;
use indubit_system::{Clock, Origin};
use serde_json::Value;

/// What such a map says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ywb {
    /// The parts of each input, the least significant one first.
    pub(super) inputs: Vec<Vec<Origin>>,
    /// The parts of each state variable; none of a memory.
    pub(super) states: Vec<Vec<Origin>>,
    pub(super) clocks: Vec<Clock>,
    /// The paths of bad states and of constraints, in their order.
    pub(super) asserts: Vec<Vec<String>>,
    pub(super) assumes: Vec<Vec<String>>,
}

pub(super) fn parse(bytes: &[u8]) -> Result<Ywb, Error> {
    let document = json::document(bytes, "Yosys Witness BTOR map")?;
    let parts = |element: &Value| match element.as_array() {
        Some(parts) => parts.iter().map(json::origin).collect(),
        None => Ok(Vec::new()),
    };
    let all = |key: &str| json::list(&document, key)?.iter().map(parts).collect::<Result<Vec<_>, Error>>();
    let paths = |key: &str| json::list(&document, key)?.iter().map(json::path).collect::<Result<Vec<_>, _>>();
    Ok(Ywb {
        inputs: all("inputs")?,
        states: all("states")?,
        clocks: json::clocks(&document)?,
        asserts: paths("asserts")?,
        assumes: paths("assumes")?,
    })
}
