//! The files that peers are given: the model itself, or a copy that they can read.

use super::set::Instance;
use crate::convert::single_property;
use crate::exit::Failure;
use indubit::formats::{self, aiger};
use std::path::{Path, PathBuf};

/// Where an instance's file for a peer is: the model itself if it will do, else a copy in `scratch` called `name`. A
/// copy has the one property that the instance is about; it is in binary AIGER, which every tool reads.
pub fn file_for_peer(
    instance: &Instance,
    binary: bool,
    scratch: &Path,
    name: &str,
) -> Result<PathBuf, Failure> {
    let path = std::path::absolute(&instance.path).unwrap_or_else(|_| instance.path.clone());
    if instance.property.is_none() && (!binary || is_binary(&path)) {
        return Ok(path);
    }
    let mut system = aiger::read(&path).map_err(Failure::model)?;
    if let Some(property) = &instance.property {
        system = single_property(&system, property)?;
    }
    let copy = scratch.join(name);
    formats::save(&copy, &aiger::write_binary(&system))?;
    Ok(copy)
}

/// Does it have both the contents and the name of a binary file? Some tools go by the name.
fn is_binary(path: &Path) -> bool {
    use std::io::Read;
    let mut magic = [0; 4];
    let begins = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    begins.is_ok() && magic == *b"aig " && path.extension().is_some_and(|e| e == "aig")
}
