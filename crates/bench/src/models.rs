//! The files that peers are given: the model itself, or a copy that they can read.

use super::Host;
use super::set::Instance;
use indubit_console::exit::Failure;
use indubit_formats as formats;
use std::path::{Path, PathBuf};

/// What a peer's command calls its file, and the extension of a file of that kind.
pub const FILES: [(&str, Option<&str>); 3] =
    [("{model}", None), ("{aig}", Some("aig")), ("{chc}", Some("smt2"))];

/// Where an instance's file for a peer is: the model itself if it will do, else a copy in `scratch` with this number. A
/// copy has the one property that the instance is about; it is of the wanted kind, else of the same kind, circuits in binary AIGER,
/// which every tool reads.
pub fn file_for_peer(
    instance: &Instance,
    wanted: Option<&str>,
    scratch: &Path,
    number: usize,
    host: &dyn Host,
) -> Result<PathBuf, Failure> {
    let path = std::path::absolute(&instance.path).unwrap_or_else(|_| instance.path.clone());
    let own = path.extension().and_then(|e| e.to_str());
    let will_do = match wanted {
        None => true,
        Some("aig") => is_binary(&path),
        wanted => wanted == own,
    };
    if instance.property.is_none() && will_do {
        return Ok(path);
    }
    let extension = wanted.or(own.filter(|e| ["vmt", "smt2"].contains(e))).unwrap_or("aig");
    let copy = scratch.join(format!("{number}.{extension}"));
    formats::save(&copy, &host.convert(&path, instance.property.as_deref(), &copy)?)?;
    Ok(copy)
}

/// Does it have both the contents and the name of a binary file? Some tools go by the name.
fn is_binary(path: &Path) -> bool {
    use std::io::Read;
    let mut magic = [0; 4];
    let begins = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    begins.is_ok() && magic == *b"aig " && path.extension().is_some_and(|e| e == "aig")
}
