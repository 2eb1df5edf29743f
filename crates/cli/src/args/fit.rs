//! Do the arguments fit the model? That is known only when it has been read.

use super::{Check, Format};
use crate::exit::Failure;
use indubit::formats::model::Model;
use indubit::{ENGINES, WORD_ENGINES};
use std::path::Path;

impl Check {
    /// Do they fit? A model of words may be a `circuit`, which the engines for bits work on.
    pub fn validate_for(&self, model: &Model, is_circuit: bool, n_properties: usize) -> Result<(), Failure> {
        match model {
            Model::Bits(_) => self.validate_for_bits(),
            Model::Words(_) => self.validate_for_words(is_circuit, n_properties),
        }
    }

    fn validate_for_bits(&self) -> Result<(), Failure> {
        let name = self.effort.engine.name();
        if !self.effort.engine.is_for_bits() {
            let message = format!("the engine {name} is for words, and this is a model of bits");
            let names: Vec<&str> = ENGINES.iter().map(|e| e.name).collect();
            let hint = match name {
                "ic3ia" | "ctigar" => "--engine ic3 is IC3 over bits; all: ",
                _ => "engines for bits are ",
            };
            return Err(Failure::bad_input(message).with_hint(format!("{hint}{}", names.join(", "))));
        }
        let refused = [
            (self.format == Format::Chc, "--format chc", "--format hwmcc or json are for AIGER"),
            (self.smt.is_some(), "--smt", "--paranoid has the proof checked down to resolution"),
            (self.print_model, "--model", "--invariant FILE writes the invariant"),
        ];
        self.refuse(&refused, "is for models of words, and this is one of bits")
    }

    fn validate_for_words(&self, is_circuit: bool, n_properties: usize) -> Result<(), Failure> {
        let name = self.effort.engine.name();
        if !is_circuit && !self.effort.engine.is_for_words() {
            let message = format!("the engine {name} is for bits, and this is a model of words");
            let names: Vec<&str> = WORD_ENGINES.iter().map(|e| e.name).collect();
            let hint = match name {
                "ic3" => "--engine ic3ia is IC3 over words; all: ",
                _ => "engines for words are ",
            };
            return Err(Failure::bad_input(message).with_hint(format!("{hint}{}", names.join(", "))));
        }
        if !is_circuit && let Some(setting) = self.effort.option.iter().find(|s| is_for_bits_only(s)) {
            let message =
                format!("--option {setting} is not for models of words: nothing is behind it there");
            return Err(Failure::bad_input(message).with_hint("leave it out"));
        }
        let passes = self.effort.passes.is_some() && !is_circuit;
        let refused = [
            (
                self.certificate.is_some(),
                "--certificate",
                "--invariant FILE writes the invariant as a definition in SMT-LIB",
            ),
            (self.vcd.is_some(), "--vcd", "--witness FILE writes the values in each step"),
            (self.record.is_some(), "--record", "it is for the SAT queries of ic3 and quip on AIGER"),
            (self.effort.paranoid, "--paranoid", "--smt COMMAND has the proof checked by another solver"),
            (passes, "--passes", "leave it out: there is no preprocessing of words"),
            (self.format == Format::Hwmcc, "--format hwmcc", "--format chc or json are for words"),
            (self.format == Format::Sby, "--format sby", "--format chc or json are for words"),
        ];
        self.refuse(&refused, "is not for models of words yet")?;
        if self.print_model && self.format != Format::Chc {
            let message = "--model is part of the answer of --format chc";
            return Err(Failure::bad_input(message).with_hint("--invariant FILE writes the same definitions"));
        }
        if self.format == Format::Chc && self.witness.as_deref() == Some(Path::new("-")) {
            let message = "--format chc: the answer is the first line of the output, and --witness - would come before it";
            return Err(Failure::bad_input(message).with_hint("write the witness to a file"));
        }
        if self.prints_model() && n_properties > 1 {
            let message = "--model: the proofs of several properties are not one model";
            return Err(Failure::bad_input(message).with_hint("choose one with --property"));
        }
        Ok(())
    }

    fn refuse(&self, refused: &[(bool, &str, &str)], why: &str) -> Result<(), Failure> {
        match refused.iter().find(|(is_asked_for, ..)| *is_asked_for) {
            None => Ok(()),
            Some((_, what, hint)) => {
                let message = format!("{}: {what} {why}", self.model.display());
                Err(Failure::bad_input(message).with_hint(*hint))
            }
        }
    }
}

/// Settings of engines that are there for bits and for words, of which only those for bits make something: an interpolant of one query as
/// a lemma, and random steps from reachable states.
fn is_for_bits_only(setting: &str) -> bool {
    setting == "generalize=interpolant" || setting.strip_prefix("walk=").is_some_and(|steps| steps != "0")
}
