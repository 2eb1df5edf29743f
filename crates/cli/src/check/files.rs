//! Evidence as files: where it goes, and that nothing half-written stays.

use super::outcome::FileKind;
use crate::args::{Check, Format};
use crate::exit::Failure;
use crate::kinds::Presented;
use crate::output;
use crate::panics;
use crate::preflight;
use crate::properties::Listed;
use crate::terminal;
use indubit::formats::{aiger, save};
use indubit::{BitSystem, Evidence, Property, Verdict};
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
    pub kind: FileKind,
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

    /// Complain about the files that these properties may get, which have names of their own.
    pub fn preflight_for(&self, selected: &[Listed], logs: &[&Path]) -> Result<(), Failure> {
        let several = selected.len() > 1;
        let mut all: Vec<PathBuf> = logs.iter().map(|&path| path.to_owned()).collect();
        // Even if one file will do, a certificate for each is what becomes of proofs on simple paths.
        let proofs = self.certificate.iter().chain(&self.invariant).map(|path| (path, several));
        let traces = [&self.witness, &self.vcd]
            .into_iter()
            .flatten()
            .map(|path| (path, several && !self.single_trace()));
        for (path, several) in proofs.chain(traces) {
            match several {
                true => all.extend(selected.iter().map(|p| file_for(path, &p.id.to_string(), true))),
                false => all.push(path.clone()),
            }
        }
        preflight::distinct(&all, &self.inputs())
    }

    /// The run ends with the first trace, so there is at most one and it needs no name of its own.
    fn single_trace(&self) -> bool {
        matches!(self.format, Format::Hwmcc | Format::Sby | Format::Chc)
    }

    /// Do certificates wait until all properties are proved? In a competition there is one verdict for all of them.
    pub fn certificates_wait(&self) -> bool {
        self.certificate.is_some() && self.format == Format::Hwmcc
    }

    /// What was asked for and what there is for one property; files have names of their own if there are `several`.
    pub fn prepare<K: Presented>(
        &self,
        model: &K::Model,
        (index, property): (usize, &Property<K::Formula>),
        verdict: &Verdict<K>,
        several: bool,
    ) -> Vec<Output> {
        let mut outputs = Vec::new();
        let id = property.id.to_string();
        match verdict.evidence() {
            Some(Evidence::Proof(proof)) => {
                if !self.certificates_wait() {
                    outputs.extend(self.certificate::<K>(model, property, proof, several));
                }
                if let Some(path) = &self.invariant {
                    let contents = K::invariant(model, &[(index, proof)], &self.title(property));
                    let contents = contents.map(String::into_bytes).ok_or_else(|| {
                        let shape = K::shape(proof);
                        format!("there is no inductive invariant to write: the proof is {shape} (--engine ic3, over words ic3ia, finds one)")
                    });
                    let path = file_for(path, &id, several);
                    outputs.push(Output { kind: FileKind::Invariant, path, contents });
                }
            }
            Some(Evidence::Trace(trace)) => {
                let several = several && !self.single_trace();
                let mut push = |kind, path: &Option<PathBuf>, contents: &dyn Fn() -> String| {
                    if let Some(path) = path {
                        let (path, contents) = (file_for(path, &id, several), Ok(contents().into_bytes()));
                        outputs.push(Output { kind, path, contents });
                    }
                };
                push(FileKind::Witness, &self.witness, &|| K::witness(model, property, trace));
                let title = self.model.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
                push(FileKind::Vcd, &self.vcd, &|| K::waveform(model, &title, trace));
            }
            None => (),
        }
        outputs
    }

    /// What an invariant says in its first lines.
    fn title<F>(&self, property: &Property<F>) -> String {
        let model = terminal::path(&self.model);
        format!(
            "Why {} of {model} is decided: an inductive invariant.\nTo check it: indubit prove {model} --property {} --lemmas THIS",
            property.title(),
            property.id
        )
    }

    /// The certificate of one property, if one was asked for.
    pub fn certificate<K: Presented>(
        &self,
        model: &K::Model,
        property: &Property<K::Formula>,
        proof: &K::Proof,
        several: bool,
    ) -> Option<Output> {
        let path = file_for(self.certificate.as_ref()?, &property.id.to_string(), several);
        let circuit = K::certificate(model, property, proof, &self.model.display().to_string())?;
        Some(Output { kind: FileKind::Certificate, contents: Ok(circuit_bytes(&circuit, &path)), path })
    }

    /// A certificate for all properties of the model as a file.
    pub fn common_certificate(&self, circuit: &BitSystem) -> Option<Output> {
        let path = self.certificate.clone()?;
        Some(Output { kind: FileKind::Certificate, contents: Ok(circuit_bytes(circuit, &path)), path })
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

fn circuit_bytes(circuit: &BitSystem, path: &Path) -> Vec<u8> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("aag") => aiger::write_ascii(circuit),
        _ => aiger::write_binary(circuit),
    }
}

/// Keep evidence that did not pass the check for whoever looks into it: the files that could be written.
pub fn keep_rejected<K: Presented>(
    model: &K::Model,
    property: &Property<K::Formula>,
    claimed: &Evidence<K>,
) -> Vec<PathBuf> {
    let name = format!("indubit-rejected-{}-{}", std::process::id(), property.id);
    let keep = |extension: &str, contents: &dyn Fn() -> Option<Vec<u8>>| {
        let path = std::env::temp_dir().join(&name).with_extension(extension);
        // The evidence is wrong, so turning it into a file may fail in any way.
        let saved = panics::catch(|| contents().is_some_and(|bytes| save(&path, &bytes).is_ok()));
        saved.unwrap_or(false).then_some(path)
    };
    let kept = match claimed {
        Evidence::Proof(proof) => keep(K::KEPT, &|| match K::certificate(model, property, proof, "") {
            Some(circuit) => Some(aiger::write_ascii(&circuit)),
            None => K::invariant(model, &[(0, proof)], "").map(String::into_bytes),
        }),
        Evidence::Trace(trace) => keep("wit", &|| Some(K::witness(model, property, trace).into_bytes())),
    };
    kept.or_else(|| keep("txt", &|| Some(format!("{claimed:#?}\n").into_bytes()))).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit::logic::{Clause, Lit, Var};
    use indubit::{Bits, Invariant, Proof, Trace};

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
        system.add_bad("", Lit::FALSE);
        let property = system.properties()[0].clone();
        let proof = Proof::Inductive(Invariant::new(system.aig().n_vars()));
        let trace = Trace::finite(vec![], vec![vec![]]);
        for (claimed, start) in [(Evidence::Proof(proof), "aag "), (Evidence::Trace(trace), "1\nb0\n")] {
            let kept = keep_rejected::<Bits>(&system, &property, &claimed);
            let text = std::fs::read_to_string(&kept[0]).unwrap();
            std::fs::remove_file(&kept[0]).unwrap();
            assert!(text.starts_with(start), "{text}");
        }
        // Nonsense that is no circuit is kept as it is.
        let mut wild = Invariant::new(1000);
        wild.add(Clause::new([Lit::positive(Var::new(999))]));
        let claimed = Evidence::Proof(Proof::Inductive(wild));
        let kept = keep_rejected::<Bits>(&system, &property, &claimed);
        assert!(std::fs::read_to_string(&kept[0]).unwrap().contains("Inductive"));
        std::fs::remove_file(&kept[0]).unwrap();
    }
}
