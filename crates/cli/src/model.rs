//! Reading models, with advice for whoever has to mend one.

use crate::exit::Failure;
use indubit::BitSystem;
use indubit::formats::model::{self, Model};
use indubit::formats::{Error, load};
use std::path::Path;

/// Any model.
pub fn read(path: &Path) -> Result<Model, Failure> {
    let bytes = load(path).map_err(Failure::model)?;
    parse(&bytes, path)
}

/// Any model from the contents of its file.
fn parse(bytes: &[u8], path: &Path) -> Result<Model, Failure> {
    model::parse(bytes).map_err(|error| {
        let error = error.with_path(path);
        if model::is_smtlib(bytes) { words(&error) } else { Failure::model(error) }
    })
}

/// A model of bits, for a command that knows no others.
pub fn parse_bits(bytes: &[u8], path: &Path, command: &str) -> Result<BitSystem, Failure> {
    match parse(bytes, path)? {
        Model::Bits(system) => Ok(system),
        Model::Words(_) => {
            let message = format!("{}: `indubit {command}` is not for models of words yet", path.display());
            Err(Failure::bad_input(message).with_hint(
                "check, info and convert are; a model of Booleans and bit-vectors can be converted to .aig",
            ))
        }
    }
}

/// The same from its file.
pub fn read_bits(path: &Path, command: &str) -> Result<BitSystem, Failure> {
    parse_bits(&load(path).map_err(Failure::model)?, path, command)
}

fn words(error: &Error) -> Failure {
    Failure::bad_input(error.to_string()).with_hint(
        "docs/FORMATS.md says what is read of VMT and CHC; if it should be read, please report this",
    )
}
