//! Models of words, as they are shown.

use super::{Explained, Presented, Proved, Subject, explained, sets};
use crate::size::Size;
use indubit::certify::{self, Solving};
use indubit::formats::lemmas::{self, Lemma};
use indubit::formats::model::WordModel;
use indubit::formats::seen::{self, Seen};
use indubit::formats::trace_table::{Options, Shown};
use indubit::formats::{self, btor2, ranked_text, told, vcd, word_trace, yosys};
use indubit::run::{Ask, Cancel, Run};
use indubit::smt::External;
use indubit::system::{ARRAY_BITS, CtlProof, Trace, blast};
use indubit::term::{BlastError, MAX_ARRAY_BITS, Term};
use indubit::{BitSystem, Property, PropertyId, WordLemmas, WordProof, WordSystem, WordTrace, Words};
use std::path::Path;

/// What is to be said of the circuit of a model, and of a property there.
fn on_circuit<T>(
    model: &WordModel,
    property: &Property<Term>,
    say: impl FnOnce(&BitSystem, &Property) -> T,
) -> Option<T> {
    let circuit = blast(model.system(), MAX_ARRAY_BITS).ok()?.system;
    let property = circuit.properties().into_iter().find(|p| p.id == property.id)?;
    Some(say(&circuit, &property))
}

/// What the formulas that a property is made of are called.
fn atoms(model: &WordModel, property: &Property<Term>) -> Vec<String> {
    property.claim.formulas().iter().map(|&atom| model.formula(atom)).collect()
}

impl Presented for Words {
    type Model = WordModel;
    const IS_WORDS: bool = true;
    const BY_QUERIES: &'static str = "SMT";
    const BY_REPLAY: &'static str = "evaluation";
    const KEPT: &'static str = "smt2";
    const ADVICE: &'static str = "";

    fn system(model: &WordModel) -> &WordSystem {
        model.system()
    }
    fn size(model: &WordModel) -> Size {
        let maps = match model {
            WordModel::Btor2(model) => &model.maps[..],
            WordModel::Vmt(_) | WordModel::Chc(_) | WordModel::Smv(_) => &[],
        };
        Size::of_words(model.system()).with_maps(maps)
    }
    fn suspicions(model: &WordModel) -> Vec<String> {
        model.suspicions()
    }
    fn is_decidable(model: &WordModel) -> bool {
        let system = model.system();
        indubit::is_circuit::<Words>(system, ARRAY_BITS)
            || (0..system.properties.len()).all(|property| indubit::unsupported(system, property).is_none())
    }
    fn too_large(model: &WordModel, array_bits: u64) -> Option<(String, u64)> {
        let error = blast(model.system(), array_bits).err()?;
        match error {
            BlastError::TooLarge { sort, .. } => Some((error.to_string(), sort.n_bits()?)),
            _ => None,
        }
    }
    fn read_lemmas(path: &Path, model: &WordModel) -> Result<(Vec<Lemma>, WordLemmas), formats::Error> {
        let lemmas::WordLemmas { lemmas, terms, candidates } = lemmas::read_words(path, model)?;
        Ok((lemmas, WordLemmas { terms, formulas: candidates }))
    }
    fn only(lemmas: &WordLemmas, which: &[usize]) -> WordLemmas {
        let formulas = which.iter().map(|&i| lemmas.formulas[i]).collect();
        WordLemmas { terms: lemmas.terms.clone(), formulas }
    }
    fn add_cover(model: &mut WordModel, text: &str) -> Result<(), formats::Error> {
        lemmas::add_word_cover(model, text)
    }
    fn with_system(model: &WordModel, system: WordSystem) -> WordModel {
        let mut model = model.clone();
        *model.system_mut() = system;
        model
    }
    fn add_ltl(model: &mut WordModel, text: &str) -> Result<(), formats::Error> {
        lemmas::add_word_ltl(model, text)
    }
    fn add_ctl(model: &mut WordModel, text: &str) -> Result<(), formats::Error> {
        lemmas::add_word_ctl(model, text)
    }

    fn broken(property: &Property<Term>) -> String {
        format!("{} is false", property.label())
    }
    fn text(model: &WordModel, property: &Property<Term>, proof: &WordProof, most: Option<usize>) -> String {
        match proof {
            WordProof::Ranked(ranked) => on_circuit(model, property, |circuit, property| {
                ranked_text::write(circuit, property, ranked, most)
            })
            .unwrap_or_default(),
            WordProof::Inductive { terms, invariant } => model.text(terms, *invariant, most),
            WordProof::KInductive { .. } | WordProof::Ends { .. } => "true\n".into(),
        }
    }
    fn formulas(model: &WordModel, proof: &WordProof, most: usize) -> Option<Vec<String>> {
        let is_small = proof.n_lemmas() <= most;
        let WordProof::Inductive { terms, invariant } = proof else {
            if let WordProof::Ranked(_) = proof {
                return None;
            }
            return is_small.then(|| vec!["true".into()]);
        };
        is_small.then(|| model.text(terms, *invariant, None).lines().map(str::to_owned).collect())
    }
    fn ranks(
        model: &WordModel,
        property: &Property<Term>,
        proof: &WordProof,
        most: usize,
    ) -> Option<Vec<String>> {
        match proof {
            WordProof::Ranked(ranked) if ranked.order.len() <= most => {
                on_circuit(model, property, |circuit, property| ranked_text::ranks(circuit, property, ranked))
            }
            _ => None,
        }
    }
    fn n_clauses(proof: &WordProof) -> usize {
        proof.n_lemmas()
    }
    fn checked(proof: &WordProof) -> &'static str {
        match proof {
            WordProof::Inductive { .. } => "queries by SMT",
            WordProof::KInductive { .. } | WordProof::Ends { .. } => "k-step queries by SMT",
            WordProof::Ranked(_) => "witness circuit by SAT",
        }
    }
    fn deadlock(
        model: &WordModel,
        steps: usize,
        other: Option<&External>,
        run: &Run<'_>,
    ) -> Ask<Option<WordTrace>> {
        match model {
            WordModel::Smv(model) => indubit::deadlock(&model.system, steps, other, run),
            WordModel::Vmt(_) | WordModel::Chc(_) | WordModel::Btor2(_) => Ok(None),
        }
    }
    fn ask_another(
        model: &WordModel,
        property: &Property<Term>,
        proof: &WordProof,
        other: &External,
        cancel: &Cancel,
    ) -> Ask<Result<Vec<String>, String>> {
        let asked = certify::ask_another(model.system(), property, proof, other, cancel)?;
        Ok(asked.map_err(|reason| reason.to_string()))
    }
    fn table(model: &WordModel, property: &Property<Term>, trace: &WordTrace, options: Options) -> String {
        model.table(property, trace, options)
    }
    fn run_table(
        model: &WordModel,
        trace: &WordTrace,
        options: Options,
        note: &dyn Fn(usize) -> Option<String>,
    ) -> String {
        model.run_table(trace, options, note)
    }
    fn seen(model: &WordModel, trace: &WordTrace) -> Vec<Seen> {
        seen::words(model.system(), trace)
    }
    fn steps(model: &WordModel, trace: &WordTrace) -> Vec<[Vec<Shown>; 2]> {
        told::values(model.system(), trace, &|var, value| model.tell(var, value))
    }
    fn step(
        model: &WordModel,
        _: Subject<'_, Words>,
        trace: &WordTrace,
        broken: &str,
        options: Options,
    ) -> (String, Vec<[Vec<Shown>; 2]>) {
        (model.step(trace, broken, options), Words::steps(model, trace))
    }

    fn why(
        model: &WordModel,
        property: &Property<Term>,
        proof: &CtlProof,
        most: usize,
        by: &Solving,
    ) -> Ask<Explained<WordTrace>> {
        let Ok(circuit) = blast(model.system(), MAX_ARRAY_BITS) else { return Ok(Explained::Nothing) };
        let found = circuit.system.properties().into_iter().find(|p| p.id == property.id);
        let Some(on_circuit) = found else { return Ok(Explained::Nothing) };
        let atoms = atoms(model, property);
        let told = explained(&circuit.system, &on_circuit, (proof, most), by, &atoms)?;
        let to_words = |mut trace: Trace| {
            // The whole state repeats already.
            let loops_to = trace.loops_to.take();
            WordTrace { loops_to, ..circuit.trace(0, &trace) }
        };
        Ok(match told {
            Explained::Vacuous => Explained::Vacuous,
            Explained::Nothing => Explained::Nothing,
            Explained::Why(tree) => Explained::Why(Box::new(tree.map(to_words))),
        })
    }
    fn sets(
        model: &WordModel,
        property: &Property<Term>,
        proof: &CtlProof,
        model_name: &str,
        path: &Path,
    ) -> Option<Vec<u8>> {
        let atoms = atoms(model, property);
        on_circuit(model, property, |circuit, property| {
            sets(circuit, property, proof, &atoms, (model_name, path))
        })?
    }
    fn path(
        model: &WordModel,
        _: &Property<Term>,
        trace: &WordTrace,
        options: Options,
        note: &dyn Fn(usize) -> Option<String>,
    ) -> String {
        model.run_table(trace, options, note)
    }

    fn witness(model: &WordModel, property: &Property<Term>, trace: &WordTrace) -> String {
        match model {
            // One of a design would be about a file that nobody has.
            WordModel::Btor2(model)
                if model.file.is_some() && !matches!(property.id, PropertyId::Cover(_)) =>
            {
                btor2::witness::write(model, property, trace)
            }
            _ => word_trace::write(model.system(), &property.label(), trace),
        }
    }
    fn waveform(model: &WordModel, title: &str, trace: &WordTrace) -> String {
        vcd::write_words(model.system(), model.signals(), title, trace, &|var, value| model.tell(var, value))
    }
    fn yosys_witness(model: &WordModel, property: &Property<Term>, trace: &WordTrace) -> Option<String> {
        match model {
            WordModel::Btor2(model) => Some(yosys::witness::of_btor2(model, &property.label(), trace)),
            WordModel::Vmt(_) | WordModel::Chc(_) | WordModel::Smv(_) => None,
        }
    }
    fn is_for_yosys(model: &WordModel) -> bool {
        matches!(model, WordModel::Btor2(_))
    }
    fn certifiable(model: &WordModel) -> Result<(), [&'static str; 2]> {
        match model {
            WordModel::Btor2(model) if model.file.is_some() => Ok(()),
            WordModel::Btor2(_) => Err([
                "--certificate writes BTOR2 about a file in BTOR2, and this is a design in Verilog",
                "`indubit convert DESIGN model.btor2` writes such a file, with the same options",
            ]),
            WordModel::Vmt(_) | WordModel::Chc(_) | WordModel::Smv(_) => Err([
                "--certificate is for AIGER and BTOR2 only",
                "--invariant FILE writes an invariant as a definition in SMT-LIB; if all is bits, `indubit convert` makes AIGER of the model, where ranked proofs have certificates, too",
            ]),
        }
    }
    fn certificate(
        model: &WordModel,
        proofs: &[Proved<'_, Words>],
        model_name: &str,
        _: &Path,
    ) -> Result<Vec<u8>, String> {
        match model {
            WordModel::Btor2(model) => {
                btor2::certificate::write(model, proofs, model_name).map(String::into_bytes)
            }
            WordModel::Vmt(_) | WordModel::Chc(_) | WordModel::Smv(_) => {
                Err("only models in BTOR2 have certificates".into())
            }
        }
    }
    fn check_certificate(model: &WordModel, certificate: &[u8], by: Solving) -> Ask<Result<(), String>> {
        let checked = certify::certify_word_file(model, certificate, by)?;
        Ok(checked.map(drop).map_err(|reason| reason.to_string()))
    }
    fn invariant(model: &WordModel, proofs: &[(usize, &WordProof)], _: &str) -> Option<String> {
        model.definitions(proofs)
    }
}
