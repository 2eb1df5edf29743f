//! Do the arguments fit the model? That is known only when it has been read.

use super::{Check, Format};
use crate::exit::Failure;
use crate::kinds::Presented;
use indubit::{Bits, ClaimKind, ENGINES, EngineId, Kind, Words};
use std::path::Path;

impl Check {
    /// Do they fit a model of this kind? One of words may be a circuit, which the engines for bits work on.
    pub fn validate_for<K: Presented>(&self, is_circuit: bool) -> Result<(), Failure> {
        let name = self.effort.engine.name();
        if self.lemmas.is_none() && self.effort.engine.proves::<K>(is_circuit).is_none() {
            let (kind, other) = (K::NAME, if K::IS_WORDS { Bits::NAME } else { Words::NAME });
            let message = format!("the engine {name} is for {other}, and this is a model of {kind}");
            let names: Vec<&str> =
                ENGINES.iter().filter(|e| K::implementation(e).is_some()).map(|e| e.name).collect();
            let advice = match self.effort.engine.0.map(|engine| engine.id) {
                Some(EngineId::Ic3) => "--engine ic3ia is IC3 over words; ",
                Some(EngineId::Ic3ia | EngineId::Ctigar) => "--engine ic3 is IC3 over bits; ",
                _ => "",
            };
            let hint = format!("{advice}engines for {kind} are {}", names.join(", "));
            return Err(Failure::bad_input(message).with_hint(hint));
        }
        match is_circuit {
            true => self.effort.validate_for::<Bits>()?,
            false => self.effort.validate_for::<K>()?,
        }
        let bits_only = [
            (self.record.is_some(), "--record", "it is for the SAT queries of ic3 and quip on AIGER"),
            (self.effort.paranoid, "--paranoid", "--smt COMMAND has the proof checked by another solver"),
            (
                self.effort.passes.is_some() && !is_circuit,
                "--passes",
                "leave it out: there is no preprocessing of words",
            ),
            (self.format == Format::Sby, "--format sby", "--format hwmcc, chc or json are for words"),
        ];
        let words_only = [
            (self.format == Format::Chc, "--format chc", "--format hwmcc or json are for AIGER"),
            (self.smt.is_some(), "--smt", "--paranoid has the proof checked down to resolution"),
            (self.effort.arrays.array_bits.is_some(), "--array-bits", "leave it out: bits have no arrays"),
            (self.print_model, "--model", "--invariant FILE writes the invariant"),
        ];
        if !K::IS_WORDS {
            return self.refuse(&words_only, "is for models of words, and this is one of bits");
        }
        self.refuse(&bits_only, "is not for models of words yet")?;
        if self.print_model && self.format != Format::Chc {
            let message = "--model is part of the answer of --format chc";
            return Err(Failure::bad_input(message).with_hint("--invariant FILE writes the same definitions"));
        }
        if self.format == Format::Chc && self.witness.as_deref() == Some(Path::new("-")) {
            let message = "--format chc: the answer is the first line of the output, and --witness - would come before it";
            return Err(Failure::bad_input(message).with_hint("write the witness to a file"));
        }
        Ok(())
    }

    /// Does the engine work on circuits only?
    pub fn is_for_circuits(&self) -> bool {
        self.effort.engine.0.is_some_and(|engine| engine.words.is_none())
    }

    /// Why such a claim is not decided, unless it is.
    pub fn unsupported(&self, claim: ClaimKind) -> Option<String> {
        match (&self.lemmas, claim) {
            (Some(_), ClaimKind::Justice | ClaimKind::Ltl | ClaimKind::Ctl) => Some(format!(
                "lemmas say what holds in each state; `indubit check` decides {claim} properties"
            )),
            (Some(_), _) => None,
            (None, claim) => self.effort.engine.unsupported(claim),
        }
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
