//! `indubit convert`: the same model in another format, or with one property.

use crate::args::Convert;
use crate::exit::{Code, Failure};
use crate::guard::Guard;
use crate::output;
use crate::properties;
use indubit::formats::aiger;
use indubit::{BitSystem, PropertyKind};
use std::path::Path;

pub fn run(args: &Convert) -> Result<Code, Failure> {
    let _guard = Guard::for_signals()?;
    // Before reading: the request may be wrong whatever the model is.
    let write = writer(&args.output)?;
    let mut system = aiger::read(&args.input).map_err(Failure::model)?;
    if let Some(wanted) = &args.property {
        system = single_property(&system, wanted)?;
    }
    output::save(&args.output, &write(&system))?;
    Ok(Code::Done)
}

/// The model with one of its properties, which is a bad-state property, and the constraints.
pub fn single_property(system: &BitSystem, wanted: &str) -> Result<BitSystem, Failure> {
    let all = system.properties();
    let chosen = &all[properties::find(&all, wanted)?];
    match chosen.kind {
        PropertyKind::Bad(i) | PropertyKind::Output(i) => Ok(system.with_single_bad(i)),
        PropertyKind::Justice(_) => {
            let message = format!("property {} is a justice property", properties::title(chosen));
            Err(Failure::bad_input(message).with_hint("--property keeps one bad-state property"))
        }
    }
}

/// The writer for a file with this extension.
pub fn writer(path: &Path) -> Result<fn(&BitSystem) -> Vec<u8>, Failure> {
    match path.extension().and_then(|e| e.to_str()) {
        _ if path == Path::new("-") => Ok(aiger::write_ascii),
        Some("aag") => Ok(aiger::write_ascii),
        Some("aig") => Ok(aiger::write_binary),
        _ => Err(Failure::bad_input(format!("{}: the extension does not say which format", path.display()))
            .with_hint("name the output .aag (ASCII AIGER) or .aig (binary AIGER)")),
    }
}
