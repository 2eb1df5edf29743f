//! Evidence as text, prepared outside of any lock: it may take a while.

use super::outcome::Answer;
use crate::args::{Check, Format};
use crate::properties::Selected;
use indubit::formats::{invariant_text, trace_table, witness};
use indubit::{BitSystem, Invariant, Proof, Trace};

/// Lemmas that a terminal gets to see, and lemmas that a JSON object carries.
const LEMMAS_FOR_PEOPLE: usize = 30;
const LEMMAS_INLINE: usize = 1000;

/// How much of the evidence is wanted as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effusiveness {
    /// Nothing.
    None,
    /// What fits a few screens.
    Readable,
    /// What fits into a JSON object.
    Inline,
    /// All.
    Everything,
}

impl Effusiveness {
    pub fn of(args: &Check) -> Effusiveness {
        match args.format {
            _ if args.quiet => Effusiveness::None,
            Format::Hwmcc | Format::Sby => Effusiveness::None,
            _ if args.verbose => Effusiveness::Everything,
            Format::Human => Effusiveness::Readable,
            Format::Json => Effusiveness::Inline,
        }
    }
}

/// The invariant of a proof.
pub fn invariant(proof: &Proof) -> &Invariant {
    match proof {
        Proof::Inductive(invariant) | Proof::KInductive { with: invariant, .. } => invariant,
    }
}

pub fn safe(system: &BitSystem, proof: Proof, effusiveness: Effusiveness) -> Answer {
    let text = |limit| invariant_text::write(system, invariant(&proof), limit);
    let text = match effusiveness {
        Effusiveness::None => String::new(),
        Effusiveness::Readable => text(Some(LEMMAS_FOR_PEOPLE)),
        Effusiveness::Inline => text(Some(LEMMAS_INLINE)),
        Effusiveness::Everything => text(None),
    };
    Answer::Safe { proof, text }
}

/// The evidence of a trace.
pub fn unsafe_(system: &BitSystem, property: &Selected, trace: Trace, effusiveness: Effusiveness) -> Answer {
    let table = |options| trace_table::write(system, &property.property, &trace, options);
    let table = match effusiveness {
        Effusiveness::None | Effusiveness::Inline => String::new(),
        Effusiveness::Readable => table(trace_table::Options::default()),
        Effusiveness::Everything => table(trace_table::Options::complete()),
    };
    let witness = witness::write(&property.property, &trace);
    Answer::Unsafe { trace, witness, table }
}
