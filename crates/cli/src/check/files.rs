//! Evidence as files: where it goes, and that nothing half-written stays.

use super::outcome::{Answer, Files};
use crate::args::{Check, Format};
use crate::exit::Failure;
use crate::panics;
use crate::preflight;
use crate::properties::Selected;
use indubit::formats::{aiger, certificate, save, vcd, witness};
use indubit::{BitSystem, Proof, Verdict};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where evidence is to be written.
#[derive(Clone, Debug)]
pub struct Outputs {
    model: PathBuf,
    witness: Option<PathBuf>,
    certificate: Option<PathBuf>,
    vcd: Option<PathBuf>,
    /// The run ends with the first unsafe property, so there is at most one counterexample and it needs no
    /// name of its own.
    single_trace: bool,
}

impl Outputs {
    pub fn new(args: &Check) -> Outputs {
        Outputs {
            model: args.model.clone(),
            witness: args.witness.clone(),
            certificate: args.certificate.clone(),
            vcd: args.vcd.clone(),
            single_trace: matches!(args.format, Format::Hwmcc | Format::Sby),
        }
    }

    fn paths(&self) -> impl Iterator<Item = &Path> {
        [&self.witness, &self.certificate, &self.vcd].into_iter().filter_map(|p| p.as_deref())
    }

    /// Complain before a long run rather than after it.
    pub fn preflight(&self, events: Option<&Path>) -> Result<(), Failure> {
        let all: Vec<&Path> = self.paths().chain(events).collect();
        preflight::check(&all, &[&self.model])
    }

    /// Write what was asked for and what there is.
    pub fn write(
        &self,
        system: &BitSystem,
        property: &Selected,
        answer: &Answer,
        several: bool,
    ) -> Result<Files, Failure> {
        let mut files = Files::default();
        let id = property.id();
        match answer {
            Answer::Safe { proof, .. } => {
                if let (Some(path), Some(bad)) = (&self.certificate, property.bad()) {
                    let path = file_for(path, &id, several);
                    save(&path, &certificate_bytes(system, bad, proof, &self.model, &path))?;
                    files.certificate = Some(path);
                }
            }
            Answer::Unsafe { trace, witness, .. } => {
                let several = several && !self.single_trace;
                if let Some(path) = &self.witness {
                    let path = file_for(path, &id, several);
                    save(&path, witness.as_bytes())?;
                    files.witness = Some(path);
                }
                if let Some(path) = &self.vcd {
                    let path = file_for(path, &id, several);
                    let title = self.model.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
                    save(&path, vcd::write(system, &title, trace).as_bytes())?;
                    files.vcd = Some(path);
                }
            }
            Answer::Unknown { .. } | Answer::Unsupported | Answer::Internal { .. } => (),
        }
        Ok(files)
    }

    /// Remove what an interrupted [`save`] may have left beside the outputs: hidden files that carry our number.
    pub fn remove_temporaries(&self) {
        for path in self.paths() {
            let name = path.file_stem().unwrap_or_default();
            let (start, number) =
                (format!(".{}", name.to_string_lossy()), format!(".{}-", std::process::id()));
            for entry in std::fs::read_dir(preflight::directory(path)).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                if name.starts_with(&start) && name.contains(&number) && name.ends_with(".tmp") {
                    let _ = std::fs::remove_file(entry.path());
                }
            }
        }
    }
}

/// `out.aig` for property `b3`: `out.b3.aig` if there are several.
fn file_for(path: &Path, id: &str, several: bool) -> PathBuf {
    if !several || path == Path::new("/dev/null") {
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
    let circuit = certificate::build(system, bad, proof, &model.display().to_string());
    match path.extension().and_then(|e| e.to_str()) {
        Some("aag") => aiger::write_ascii(&circuit),
        _ => aiger::write_binary(&circuit),
    }
}

/// Keep evidence that did not pass the check for whoever looks into it. Returns the files that could be written.
pub fn keep_rejected(
    model: &Path,
    system: &BitSystem,
    property: &Selected,
    claimed: &Verdict,
) -> Vec<PathBuf> {
    let name = format!("indubit-rejected-{}-{}", std::process::id(), property.id());
    let path = std::env::temp_dir().join(name);
    let keep = |extension: &str, contents: &dyn Fn(&Path) -> Vec<u8>| {
        let path = path.with_extension(extension);
        // The evidence is wrong, so turning it into a file may fail in any way.
        panics::catch(|| save(&path, &contents(&path)).is_ok()).unwrap_or(false).then_some(path)
    };
    let kept = match claimed {
        Verdict::Safe(proof) => property
            .bad()
            .and_then(|bad| keep("aag", &|path| certificate_bytes(system, bad, proof, model, path))),
        Verdict::Unsafe(trace) => keep("wit", &|_| witness::write(&property.property, trace).into_bytes()),
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
        let property = Selected { index: 0, property: system.properties()[0].clone() };
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

    #[test]
    fn only_our_own_temporaries_are_removed() {
        let number = std::process::id();
        let directory = std::env::temp_dir().join(format!("indubit-temporaries-{number}"));
        std::fs::create_dir_all(&directory).unwrap();
        let ours = [format!(".out.aig.{number}-0.tmp"), format!(".out.b1.aig.{number}-12.tmp")];
        let others =
            ["out.aig".into(), format!(".out.aig.{number}0-0.tmp"), format!(".x.aig.{number}-0.tmp")];
        for name in ours.iter().chain(&others) {
            std::fs::write(directory.join(name), "").unwrap();
        }
        let outputs = Outputs {
            model: "m.aig".into(),
            witness: None,
            certificate: Some(directory.join("out.aig")),
            vcd: None,
            single_trace: false,
        };
        outputs.remove_temporaries();
        assert!(ours.iter().all(|name| !directory.join(name).exists()));
        assert!(others.iter().all(|name| directory.join(name).exists()));
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
