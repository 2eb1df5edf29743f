//! What is asked of the program that this command is part of.

use indubit_console::exit::Failure;
use std::path::Path;

/// The program that runs itself over a set of models. It knows its own arguments and formats; bench does not.
pub trait Host {
    /// Would `check` take the arguments of the configuration `name`, along with a model, a format and limits?
    fn validate(&self, name: &str, arguments: &[String]) -> Result<(), Failure>;
    /// Every setting `NAME=VALUE` that the configuration `name` could have in place of one that it has.
    fn other_settings(&self, name: &str, arguments: &[String]) -> Result<Vec<String>, Failure>;
    /// The model `input`, or one property of it, as it is written to a file with the name `output`.
    fn convert(&self, input: &Path, property: Option<&str>, output: &Path) -> Result<Vec<u8>, Failure>;
}
