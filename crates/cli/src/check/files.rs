//! Evidence as files: where it goes, and that nothing half-written stays.

use super::deck::Question;
use super::outcome::{Answer, Kind, Shape, Why};
use crate::args::{Check, Format};
use crate::exit::Failure;
use crate::output;
use crate::panics;
use crate::preflight;
use crate::properties::{Selected, Subject};
use crate::terminal;
use indubit::formats::model::WordModel;
use indubit::formats::{aiger, certificate, certificate_all, lemmas, save, vcd, witness, word_trace};
use indubit::{BitSystem, Proof, Verdict, WordVerdict};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where evidence is to be written.
#[derive(Clone, Debug)]
pub struct Outputs {
    model: PathBuf,
    witness: Option<PathBuf>,
    certificate: Option<PathBuf>,
    vcd: Option<PathBuf>,
    invariant: Option<PathBuf>,
    /// A file that is read beside the model.
    lemmas: Option<PathBuf>,
    format: Format,
}

/// A file that is ready to be written.
pub struct Output {
    pub kind: Kind,
    pub path: PathBuf,
    /// Or why there is nothing to write.
    pub contents: Result<Vec<u8>, String>,
}

impl Output {
    /// Write it.
    pub fn save(&self) -> Result<(), Failure> {
        match &self.contents {
            Ok(contents) => output::save(&self.path, contents),
            Err(why) => Err(Failure::bad_input(format!("{}: {why}", self.path.display()))),
        }
    }
}

impl Outputs {
    pub fn new(args: &Check) -> Outputs {
        Outputs {
            model: args.model.clone(),
            witness: args.witness.clone(),
            certificate: args.certificate.clone(),
            vcd: args.vcd.clone(),
            // With the answer of that format it goes to standard output.
            invariant: args.invariant.clone().filter(|_| !args.prints_model()),
            lemmas: args.lemmas.clone(),
            format: args.format,
        }
    }

    fn paths(&self) -> impl Iterator<Item = &Path> {
        let paths = [&self.witness, &self.certificate, &self.vcd, &self.invariant];
        paths.into_iter().filter_map(|p| p.as_deref())
    }

    /// What is read in the same run.
    fn inputs(&self) -> Vec<&Path> {
        [Some(&self.model), self.lemmas.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect()
    }

    /// Complain before a long run rather than after it.
    pub fn preflight(&self, logs: &[&Path]) -> Result<(), Failure> {
        let all: Vec<&Path> = self.paths().chain(logs.iter().copied()).collect();
        preflight::check(&all, &self.inputs())
    }

    /// The same for the files that these properties may get: they have names of their own.
    pub fn preflight_for(&self, selected: &[Selected], logs: &[&Path]) -> Result<(), Failure> {
        let several = selected.len() > 1;
        let mut all: Vec<PathBuf> = logs.iter().map(|&path| path.to_owned()).collect();
        // Even if one file will do, a certificate for each is what becomes of proofs on simple paths.
        let safe = self.certificate.iter().chain(&self.invariant).map(|path| (path, several));
        let violated = [&self.witness, &self.vcd]
            .into_iter()
            .flatten()
            .map(|path| (path, several && !self.single_trace()));
        for (path, several) in safe.chain(violated) {
            match several {
                true => all.extend(selected.iter().map(|property| file_for(path, &property.id(), true))),
                false => all.push(path.clone()),
            }
        }
        preflight::distinct(&all, &self.inputs())
    }

    /// The run ends with the first unsafe property, so there is at most one counterexample and it needs no
    /// name of its own.
    fn single_trace(&self) -> bool {
        matches!(self.format, Format::Hwmcc | Format::Sby | Format::Chc)
    }

    /// Do certificates wait until all properties are safe? In a competition there is one verdict for all of them.
    pub fn certificates_wait(&self) -> bool {
        self.certificate.is_some() && self.format == Format::Hwmcc
    }

    /// What was asked for and what there is for one property; the certificate goes to the file itself or, if there are
    /// several, to one of its own.
    pub fn prepare(
        &self,
        question: &Question<'_>,
        property: &Selected,
        answer: &Answer,
        several: bool,
    ) -> Vec<Output> {
        let mut outputs = Vec::new();
        let id = property.id();
        match answer {
            Answer::Safe { why, .. } => {
                if let (Question::Bits { system, .. }, Why::Bits(proof)) = (question, why)
                    && !self.certificates_wait()
                {
                    outputs.extend(self.prepare_certificate(system, property, proof, several));
                }
                if let Some(path) = &self.invariant {
                    let path = file_for(path, &id, several);
                    let contents = self.invariant_bytes(question, property, why);
                    outputs.push(Output { kind: Kind::Invariant, path, contents });
                }
            }
            Answer::Unsafe { trace, witness, .. } => {
                let several = several && !self.single_trace();
                if let Some(path) = &self.witness {
                    let path = file_for(path, &id, several);
                    outputs.push(Output {
                        kind: Kind::Witness,
                        path,
                        contents: Ok(witness.clone().into_bytes()),
                    });
                }
                if let (Some(path), Question::Bits { system, .. }, Some(trace)) = (&self.vcd, question, trace)
                {
                    let path = file_for(path, &id, several);
                    let title = self.model.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
                    let contents = Ok(vcd::write(system, &title, trace).into_bytes());
                    outputs.push(Output { kind: Kind::Vcd, path, contents });
                }
            }
            Answer::Unknown { .. } | Answer::Unsupported | Answer::Internal { .. } => (),
        }
        outputs
    }

    /// The invariant as lemmas, if it is inductive with the property; over words as definitions.
    fn invariant_bytes(
        &self,
        question: &Question<'_>,
        property: &Selected,
        why: &Why,
    ) -> Result<Vec<u8>, String> {
        let (system, invariant) = match (question, why) {
            (Question::Bits { system, .. }, Why::Bits(Proof::Inductive(invariant))) => (system, invariant),
            (
                Question::Bits { system, .. },
                Why::Bits(Proof::KInductive { k: 1, with, simple_path: None }),
            ) => (system, with),
            (_, Why::Words { definitions: Some(text), .. }) => return Ok(text.clone().into_bytes()),
            _ => {
                let what = match why.shape() {
                    Shape::KInductive { k, .. } => format!("the proof is {k}-inductive"),
                    _ => "the proof goes through all runs, which end".into(),
                };
                return Err(format!(
                    "there is no inductive invariant to write: {what} (--engine ic3, over words ic3ia, finds one)"
                ));
            }
        };
        let model = terminal::path(&self.model);
        let title = format!(
            "Why {} of {model} holds: an inductive invariant.\nTo check it: indubit prove {model} --property {} --lemmas THIS",
            property.title(),
            property.id()
        );
        Ok(lemmas::write(system, invariant, &title).into_bytes())
    }

    /// The certificate of one property.
    pub fn prepare_certificate(
        &self,
        system: &BitSystem,
        property: &Selected,
        proof: &Proof,
        several: bool,
    ) -> Option<Output> {
        let path = file_for(self.certificate.as_ref()?, &property.id(), several);
        let contents = certificate_bytes(system, property.bad()?, proof, &self.model, &path);
        Some(Output { kind: Kind::Certificate, path, contents: Ok(contents) })
    }

    /// One certificate for all properties of the model, as a circuit and as a file. `None` if these are not all, or
    /// there is no such circuit.
    pub fn prepare_one_certificate(
        &self,
        system: &BitSystem,
        proofs: &[&Proof],
    ) -> Option<(BitSystem, Output)> {
        let path = self.certificate.clone().filter(|_| proofs.len() == system.n_properties())?;
        let circuit = certificate_all::build(system, proofs, &self.model.display().to_string())?;
        let contents = circuit_bytes(&circuit, &path);
        Some((circuit, Output { kind: Kind::Certificate, path, contents: Ok(contents) }))
    }
}

/// `out.aig` for property `b3`: `out.b3.aig` if there are several. A pipe or a device takes them all.
fn file_for(path: &Path, id: &str, several: bool) -> PathBuf {
    if !several || output::is_stream(path) {
        return path.to_owned();
    }
    let mut name = OsString::from(path.file_stem().unwrap_or_default());
    name.push(".");
    name.push(id);
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

fn certificate_bytes(system: &BitSystem, bad: usize, proof: &Proof, model: &Path, path: &Path) -> Vec<u8> {
    circuit_bytes(&certificate::build(system, bad, proof, &model.display().to_string()), path)
}

fn circuit_bytes(circuit: &BitSystem, path: &Path) -> Vec<u8> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("aag") => aiger::write_ascii(circuit),
        _ => aiger::write_binary(circuit),
    }
}

/// Keep evidence that did not pass the check for whoever looks into it. Returns the file, if it could be written.
fn keep(property: &Selected, extension: &str, contents: &dyn Fn(&Path) -> Vec<u8>) -> Option<PathBuf> {
    let name = format!("indubit-rejected-{}-{}", std::process::id(), property.id());
    let path = std::env::temp_dir().join(name).with_extension(extension);
    // The evidence is wrong, so turning it into a file may fail in any way.
    panics::catch(|| save(&path, &contents(&path)).is_ok()).unwrap_or(false).then_some(path)
}

/// The same over words.
pub fn keep_rejected_words(model: &WordModel, property: &Selected, claimed: &WordVerdict) -> Vec<PathBuf> {
    let contents = match claimed {
        Verdict::Safe(proof) => model.definitions(property.index, proof),
        Verdict::Unsafe(trace) => Some(word_trace::write(model.system(), &property.label(), trace)),
        Verdict::Unknown { .. } => None,
    };
    let contents = contents.unwrap_or_else(|| format!("{claimed:#?}\n"));
    keep(property, "smt2", &|_| contents.clone().into_bytes()).into_iter().collect()
}

/// Keep evidence about bits.
pub fn keep_rejected(
    model: &Path,
    system: &BitSystem,
    property: &Selected,
    claimed: &Verdict,
) -> Vec<PathBuf> {
    let keep = |extension: &str, contents: &dyn Fn(&Path) -> Vec<u8>| keep(property, extension, contents);
    let kept = match claimed {
        Verdict::Safe(proof) => property
            .bad()
            .and_then(|bad| keep("aag", &|path| certificate_bytes(system, bad, proof, model, path))),
        Verdict::Unsafe(trace) => match &property.subject {
            Subject::Bits(property) => keep("wit", &|_| witness::write(property, trace).into_bytes()),
            Subject::Words { .. } => None,
        },
        Verdict::Unknown { .. } => None,
    };
    kept.or_else(|| keep("txt", &|_| format!("{claimed:#?}\n").into_bytes())).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_properties_have_a_file_each() {
        let name = |path: &str, several| file_for(Path::new(path), "b3", several).display().to_string();
        assert_eq!(name("dir/out.aig", false), "dir/out.aig");
        assert_eq!(name("dir/out.aig", true), "dir/out.b3.aig");
        assert_eq!(name("out", true), "out.b3");
        assert_eq!(name("a.b/out.x.wit", true), "a.b/out.x.b3.wit");
        assert_eq!(name(".hidden", true), ".hidden.b3");
        assert_eq!(name("/dev/null", true), "/dev/null");
    }

    #[test]
    fn rejected_evidence_is_kept() {
        let mut system = BitSystem::new();
        system.add_bad("", indubit::logic::Lit::FALSE);
        let property = Selected { index: 0, subject: Subject::Bits(system.properties()[0].clone()) };
        let proof = Proof::Inductive(indubit::Invariant::new(system.aig().n_vars()));
        let trace = indubit::Trace { initial: vec![], inputs: vec![vec![]] };
        for (claimed, start) in [(Verdict::Safe(proof), "aag "), (Verdict::Unsafe(trace), "1\nb0\n")] {
            let kept = keep_rejected(Path::new("m.aig"), &system, &property, &claimed);
            let text = std::fs::read_to_string(&kept[0]).unwrap();
            std::fs::remove_file(&kept[0]).unwrap();
            assert!(text.starts_with(start), "{text}");
        }
        // Nonsense that is no circuit is kept as it is.
        let mut wild = indubit::Invariant::new(1000);
        wild.add(indubit::logic::Clause::new([indubit::logic::Lit::positive(indubit::logic::Var::new(999))]));
        let claimed = Verdict::Safe(Proof::Inductive(wild));
        let kept = keep_rejected(Path::new("m.aig"), &system, &property, &claimed);
        assert!(std::fs::read_to_string(&kept[0]).unwrap().contains("Inductive"));
        std::fs::remove_file(&kept[0]).unwrap();
    }
}
