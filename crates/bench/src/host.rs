//! What is asked of the program that this command is part of.

use indubit_console::exit::Failure;
use std::path::Path;

/// The program that runs itself over a set of models. It knows its own arguments and formats; bench does not.
#[derive(Clone, Copy)]
pub struct Host {
    /// Would `check` take these arguments, along with a model, a format and limits? They are of the configuration of that name.
    pub validate: fn(&str, &[String]) -> Result<(), Failure>,
    /// Every setting `NAME=VALUE` that a configuration, by its name and arguments, could have in place of one that it has.
    pub other_settings: fn(&str, &[String]) -> Result<Vec<String>, Failure>,
    /// A model, or one property of it, as it is written to a file of this name.
    pub convert: fn(&Path, Option<&str>, &Path) -> Result<Vec<u8>, Failure>,
}
