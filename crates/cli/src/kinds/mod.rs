//! What the command line shows of models of each kind. Each command matches the kind of its model once, when it has been read; everything after that
//! is written over [`Presented`].

mod bits;
mod excerpt;
mod words;

use crate::exit::Failure;
use crate::size::Size;
use excerpt::excerpt;
use indubit::certify::{Solving, decided_in};
use indubit::formats::ctl_certificate;
use indubit::formats::ctl_tree::{self, Tree};
use indubit::formats::lemmas::Lemma;
use indubit::formats::seen::Seen;
use indubit::formats::trace_table::{Options, Shown};
use indubit::formats::{self, model};
use indubit::run::{Ask, Cancel, Run};
use indubit::smt::External;
use indubit::system::{Branching, CtlProof};
use indubit::{BitSystem, Claim, Inductive, Kind, Property, Trace};
use serde_json::{Value, json};
use std::path::Path;

/// A kind of models that can be shown.
pub trait Presented: Inductive {
    /// The model as it was read.
    type Model: Clone + Send + Sync;
    /// Is it made of words, or of bits?
    const IS_WORDS: bool;
    /// Who answers the checker's queries about a proof.
    const BY_QUERIES: &'static str;
    /// How a trace is replayed.
    const BY_REPLAY: &'static str;
    /// The extension of evidence that is kept for a report.
    const KEPT: &'static str;
    /// The advice for lemmas that say nothing.
    const ADVICE: &'static str;

    fn system(model: &Self::Model) -> &Self::System;
    fn size(model: &Self::Model) -> Size;
    /// What in the model makes it say less than it seems to.
    fn suspicions(_: &Self::Model) -> Vec<String> {
        Vec::new()
    }
    /// Does our own solver answer the checker's queries about all properties? If not, another one does alone.
    fn is_decidable(_: &Self::Model) -> bool {
        true
    }
    /// An array that has too many bits to become part of a circuit, if that is all that keeps the model from being one, and how many.
    fn too_large(_: &Self::Model, _array_bits: u64) -> Option<(String, u64)> {
        None
    }
    /// The lemmas in a file, as they stand there and as formulas.
    fn read_lemmas(path: &Path, model: &Self::Model) -> Result<(Vec<Lemma>, Self::Lemmas), formats::Error>;
    /// Some of the lemmas.
    fn only(lemmas: &Self::Lemmas, which: &[usize]) -> Self::Lemmas;
    /// One more property: can this be reached?
    fn add_cover(model: &mut Self::Model, text: &str) -> Result<(), formats::Error>;
    /// The model with another system in it, which has more state, inputs and properties.
    fn with_system(model: &Self::Model, system: Self::System) -> Self::Model;
    /// Add a claim in temporal logic.
    fn add_ltl(model: &mut Self::Model, text: &str) -> Result<(), formats::Error>;
    /// Add a claim in computation tree logic.
    fn add_ctl(model: &mut Self::Model, text: &str) -> Result<(), formats::Error>;

    /// What is said of a state in which a property does not hold: over bits the signal is the bad state.
    fn broken(property: &Property<Self::Formula>) -> String;
    /// An invariant for people, at most so many lemmas.
    fn text(
        model: &Self::Model,
        property: &Property<Self::Formula>,
        proof: &Self::Proof,
        most: Option<usize>,
    ) -> String;
    /// An invariant as formulas that `prove` reads, at most so many.
    fn formulas(model: &Self::Model, proof: &Self::Proof, most: usize) -> Option<Vec<String>>;
    /// The predicates of a ranked proof, at most so many.
    fn ranks(_: &Self::Model, _: &Property<Self::Formula>, _: &Self::Proof, _: usize) -> Option<Vec<String>> {
        None
    }
    /// How many clauses or conjuncts an invariant has.
    fn n_clauses(proof: &Self::Proof) -> usize;
    fn checked(proof: &Self::Proof) -> &'static str;
    /// Ask the checker's queries about a proof of another solver, over words: what is not confirmed, or why it is refused.
    fn ask_another(
        _: &Self::Model,
        _: &Property<Self::Formula>,
        _: &Self::Proof,
        _: &External,
        _: &Cancel,
    ) -> Ask<Result<Vec<String>, String>> {
        Ok(Ok(Vec::new()))
    }
    fn table(
        model: &Self::Model,
        property: &Property<Self::Formula>,
        trace: &Self::Trace,
        options: Options,
    ) -> String;
    /// Any run for people; `note` says what is remarkable about a step.
    fn run_table(
        model: &Self::Model,
        trace: &Self::Trace,
        options: Options,
        note: &dyn Fn(usize) -> Option<String>,
    ) -> String;
    /// What is remarkable about each step of a run.
    fn seen(model: &Self::Model, trace: &Self::Trace) -> Vec<Seen>;
    /// The values in each step: states and inputs.
    fn steps(model: &Self::Model, trace: &Self::Trace) -> Vec<[Vec<Shown>; 2]>;
    /// A step that breaks a formula, or a state in which it is false: for people, and its values. Signals that have nothing to do with the
    /// subject may be left out.
    fn step(
        model: &Self::Model,
        subject: Subject<'_, Self>,
        trace: &Self::Trace,
        broken: &str,
        options: Options,
    ) -> (String, Vec<[Vec<Shown>; 2]>);

    /// Why a formula of computation tree logic holds or fails, by a proof that has been checked, as a tree of so many nodes at most.
    fn why(
        model: &Self::Model,
        property: &Property<Self::Formula>,
        proof: &CtlProof,
        most: usize,
        by: &Solving,
    ) -> Ask<Explained<Self::Trace>>;
    /// Such a proof as a file of this name, and how the model is called in it.
    fn sets(
        model: &Self::Model,
        property: &Property<Self::Formula>,
        proof: &CtlProof,
        model_name: &str,
        path: &Path,
    ) -> Option<Vec<u8>>;
    /// The table of a path that a formula is about; `note` says what is remarkable about a step.
    fn path(
        model: &Self::Model,
        property: &Property<Self::Formula>,
        trace: &Self::Trace,
        options: Options,
        note: &dyn Fn(usize) -> Option<String>,
    ) -> String;

    /// A run to a state without successor, where a model is not expected to have one, of at most so many steps.
    fn deadlock(_: &Self::Model, _: usize, _: Option<&External>, _: &Run<'_>) -> Ask<Option<Self::Trace>> {
        Ok(None)
    }

    /// A trace as a file.
    fn witness(model: &Self::Model, property: &Property<Self::Formula>, trace: &Self::Trace) -> String;
    fn waveform(model: &Self::Model, title: &str, trace: &Self::Trace) -> String;
    /// A trace for Yosys that decides a property, if the model is one that Yosys may have made.
    fn yosys_witness(
        model: &Self::Model,
        property: &Property<Self::Formula>,
        trace: &Self::Trace,
    ) -> Option<String>;
    /// Is it?
    fn is_for_yosys(_: &Self::Model) -> bool {
        true
    }
    /// Can proofs become certificates for other checkers? If not: why, and what to do instead.
    fn certifiable(_: &Self::Model) -> Result<(), [&'static str; 2]> {
        Ok(())
    }
    /// Proofs of properties as one certificate for other checkers, for a file of this name, or why there is none; it calls the model as it is said.
    fn certificate(
        model: &Self::Model,
        proofs: &[Proved<'_, Self>],
        model_name: &str,
        path: &Path,
    ) -> Result<Vec<u8>, String>;
    /// Is that what it is taken for?
    fn check_certificate(model: &Self::Model, certificate: &[u8], by: Solving) -> Ask<Result<(), String>>;
    /// The invariant of proofs as a file that can be read back, if they have one; `title` says what it is.
    fn invariant(model: &Self::Model, proofs: &[(usize, &Self::Proof)], title: &str) -> Option<String>;
}

/// What is said about a formula of computation tree logic that is decided.
pub enum Explained<T> {
    /// No initial state has a fair path, so nothing is claimed.
    Vacuous,
    Why(Box<Tree<T>>),
    /// Its proof says nothing about a state.
    Nothing,
}

/// Why a formula about a circuit holds or fails; its atoms are called so.
fn explained(
    circuit: &BitSystem,
    property: &Property,
    (proof, most): (&CtlProof, usize),
    by: &Solving,
    atoms: &[String],
) -> Ask<Explained<Trace>> {
    let Claim::Ctl(formula) = &property.claim else { return Ok(Explained::Nothing) };
    let graph = Branching::new(circuit, formula);
    let atom = |number: u32| atoms.get(number as usize).cloned().unwrap_or_default();
    Ok(match decided_in(&graph, proof, by)? {
        Ok(Some(state)) => {
            let tree = ctl_tree::explain(&graph, proof, &state, circuit.inputs().len(), most, &atom);
            tree.map_or(Explained::Nothing, |tree| Explained::Why(Box::new(tree)))
        }
        Ok(None) => Explained::Vacuous,
        Err(_) => Explained::Nothing,
    })
}

/// The file of a proof about a circuit in sets of states.
fn sets(
    circuit: &BitSystem,
    property: &Property,
    proof: &CtlProof,
    atoms: &[String],
    (model_name, path): (&str, &Path),
) -> Option<Vec<u8>> {
    let Claim::Ctl(formula) = &property.claim else { return None };
    let graph = Branching::new(circuit, formula);
    let file = ctl_certificate::write(circuit, &graph, property, proof, atoms, model_name);
    Some(bits::written(&file, path))
}

/// A property and its proof.
pub type Proved<'a, K> = (&'a Property<<K as Kind>::Formula>, &'a <K as Kind>::Proof);

/// What a step is to be shown for.
#[derive(Clone, Copy)]
pub enum Subject<'a, K: Presented> {
    /// A lemma, by its position.
    Lemma(&'a K::Lemmas, usize),
    Property(&'a Property<K::Formula>),
}

pub fn steps_json(steps: &[[Vec<Shown>; 2]]) -> Value {
    let list = |values: &[Shown]| -> Vec<Value> {
        let value = |v: &Shown| match &v.symbol {
            Some(symbol) => json!({"name": v.name, "value": v.value, "symbol": symbol}),
            None => json!({"name": v.name, "value": v.value}),
        };
        values.iter().map(value).collect()
    };
    let step = |[states, inputs]: &[Vec<Shown>; 2]| json!({"states": list(states), "inputs": list(inputs)});
    steps.iter().map(step).collect()
}

/// A model that has been read.
pub use model::Model;

/// Read a model, with advice for whoever has to mend one.
pub fn read(path: &Path) -> Result<Model, Failure> {
    parse(&formats::load(path).map_err(Failure::model)?, path)
}

/// A model from the contents of its file.
pub fn parse(bytes: &[u8], path: &Path) -> Result<Model, Failure> {
    let mut model = model::parse_named(bytes, path).map_err(|error| {
        let error = error.with_path(path);
        if model::is_smv(bytes, path) {
            let line = excerpt(bytes, error.place()).map_or(String::new(), |line| format!("\n{line}"));
            return Failure::bad_input(format!("{error}{line}"))
                .with_hint("docs/FORMATS.md says what is read of SMV");
        }
        if !model::is_smtlib(bytes) {
            return Failure::model(error);
        }
        Failure::bad_input(error.to_string()).with_hint(
            "docs/FORMATS.md says what is read of VMT and CHC; if it should be read, please report this",
        )
    })?;
    model.use_maps(path);
    Ok(model)
}
