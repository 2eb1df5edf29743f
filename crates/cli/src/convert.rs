//! `indubit convert`: the same model in another format, or with one property.

use crate::args::Convert;
use crate::exit::{Code, Failure};
use crate::guard::Guard;
use crate::model;
use crate::output;
use crate::properties;
use indubit::formats::as_words::as_words;
use indubit::formats::model::Model;
use indubit::formats::{aiger, chc, vmt};
use indubit::{BitSystem, WordSystem};
use std::path::Path;

/// A file format.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    AigerAscii,
    AigerBinary,
    Vmt,
    Chc,
    /// ASCII AIGER or VMT, as the model is.
    Text,
}

pub fn run(args: &Convert) -> Result<Code, Failure> {
    let _guard = Guard::for_signals()?;
    let bytes = converted(&args.input, args.property.as_deref(), &args.output)?;
    output::save(&args.output, &bytes)?;
    Ok(Code::Done)
}

/// A model, or one property of it, as it is written to a file of this name.
pub fn converted(input: &Path, property: Option<&str>, output: &Path) -> Result<Vec<u8>, Failure> {
    // Before reading: the request may be wrong whatever the model is.
    let format = format(output)?;
    match model::read(input)? {
        Model::Bits(mut system) => {
            if let Some(wanted) = property {
                system = single_property(&system, wanted)?;
            }
            bits(&system, format, output)
        }
        Model::Words(words) => {
            let mut system = words.system().clone();
            if let Some(wanted) = property {
                let index = properties::find(&properties::of_words(&system), wanted)?;
                system.properties = vec![system.properties.swap_remove(index)];
            }
            self::words(&system, format, output)
        }
    }
}

fn bits(system: &BitSystem, format: Format, path: &Path) -> Result<Vec<u8>, Failure> {
    match format {
        Format::AigerAscii | Format::Text => Ok(aiger::write_ascii(system)),
        Format::AigerBinary => Ok(aiger::write_binary(system)),
        Format::Vmt | Format::Chc => {
            let words = as_words(system).map_err(|why| {
                Failure::bad_input(format!("{}: {why}", path.display()))
                    .with_hint("name the output .aag or .aig")
            })?;
            self::words(&words, format, path)
        }
    }
}

fn words(system: &WordSystem, format: Format, path: &Path) -> Result<Vec<u8>, Failure> {
    match format {
        Format::Vmt | Format::Text => Ok(vmt::write(system).into_bytes()),
        Format::Chc => Ok(chc::write(system).into_bytes()),
        Format::AigerAscii | Format::AigerBinary => {
            let circuit = indubit::preproc::blast(system).map_err(|error| {
                Failure::bad_input(format!("{}: a model of words cannot be AIGER: {error}", path.display()))
                    .with_hint("name the output .vmt or .smt2 (CHC)")
            })?;
            bits(&circuit.system, format, path)
        }
    }
}

/// The model with one of its properties, which is a bad-state property, and the constraints.
pub fn single_property(system: &BitSystem, wanted: &str) -> Result<BitSystem, Failure> {
    let all = properties::of_bits(system);
    let chosen = &all[properties::find(&all, wanted)?];
    match chosen.bad() {
        Some(i) => Ok(system.with_single_bad(i)),
        None => {
            let message = format!("property {} is a justice property", chosen.title());
            Err(Failure::bad_input(message).with_hint("--property keeps one bad-state property"))
        }
    }
}

/// The writer of circuits for a file with this extension.
pub fn writer(path: &Path) -> Result<fn(&BitSystem) -> Vec<u8>, Failure> {
    match format(path) {
        Ok(Format::AigerAscii | Format::Text) => Ok(aiger::write_ascii),
        Ok(Format::AigerBinary) => Ok(aiger::write_binary),
        _ => Err(Failure::bad_input(format!("{}: the extension does not say which format", path.display()))
            .with_hint("name the output .aag (ASCII AIGER) or .aig (binary AIGER)")),
    }
}

/// The format of a file with this extension.
fn format(path: &Path) -> Result<Format, Failure> {
    match path.extension().and_then(|e| e.to_str()) {
        _ if path == Path::new("-") => Ok(Format::Text),
        Some("aag") => Ok(Format::AigerAscii),
        Some("aig") => Ok(Format::AigerBinary),
        Some("vmt") => Ok(Format::Vmt),
        Some("smt2") => Ok(Format::Chc),
        _ => Err(Failure::bad_input(format!("{}: the extension does not say which format", path.display()))
            .with_hint(
                "name the output .aag (ASCII AIGER) or .aig (binary AIGER), of words .vmt or .smt2 (CHC)",
            )),
    }
}
