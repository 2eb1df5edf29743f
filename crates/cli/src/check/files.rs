//! Evidence as files: where it goes, and that nothing half-written stays.

use super::evidence::watched;
use super::outcome::File;
use crate::args::{Check, Format};
use crate::exit::Failure;
use crate::kinds::{Presented, Proved};
use crate::properties::Listed;
use crate::{output, panics, preflight, terminal};
use indubit::certify::Solving;
use indubit::formats::save;
use indubit::system::CtlProof;
use indubit::{ClaimKind, Evidence, Property, PropertyId, Verdict};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A file that is ready to be written.
pub struct Output {
    pub file: File,
    /// Or why there is nothing to write.
    pub contents: Result<Vec<u8>, Failure>,
}

impl Output {
    /// Write it: which file that is, and what came of it.
    pub fn save(self) -> (File, Result<(), Failure>) {
        let result = self.contents.and_then(|contents| output::save(&self.file.1, &contents));
        (self.file, result)
    }
}

/// There is nothing to write to a file.
fn nothing(path: &Path, why: &str) -> Failure {
    Failure::bad_input(format!("{}: {why}", path.display()))
}

/// Where evidence goes, and what is read or grows in the same run.
impl Check {
    /// With the answer of `--format chc` the invariant goes to standard output.
    fn invariant(&self) -> Option<&Path> {
        self.invariant.as_deref().filter(|_| !self.prints_model())
    }

    fn traces(&self) -> [Option<&Path>; 3] {
        [self.witness.as_deref(), self.vcd.as_deref(), self.yw.as_deref()]
    }

    fn logs(&self) -> impl Iterator<Item = &Path> {
        [&self.events, &self.record].into_iter().filter_map(|path| path.as_deref())
    }

    fn inputs(&self) -> Vec<PathBuf> {
        let formulas = self.design.formulas(&self.model);
        [&self.model].into_iter().chain(&self.lemmas).cloned().chain(formulas).collect()
    }

    /// Do certificates wait until all properties are proved? In a competition there is one verdict for all of them.
    pub fn certificates_wait(&self) -> bool {
        self.certificate.is_some() && self.format == Format::Hwmcc
    }
}

/// Complain before a long run rather than after it.
pub fn preflight(args: &Check) -> Result<(), Failure> {
    let proofs = [args.certificate.as_deref(), args.invariant()];
    let all: Vec<&Path> = proofs.into_iter().chain(args.traces()).flatten().chain(args.logs()).collect();
    preflight::check(&all, &args.inputs())
}

/// Complain about the files that these properties may get, which have names of their own.
pub fn preflight_for(args: &Check, selected: &[Listed]) -> Result<(), Failure> {
    let several = selected.len() > 1;
    let mut all: Vec<PathBuf> = args.logs().map(Path::to_owned).collect();
    // Even if one file will do, a certificate for each is what becomes of proofs on simple paths.
    let proofs = [args.certificate.as_deref(), args.invariant()];
    let traces = args.traces();
    for (paths, several) in [(&proofs[..], several), (&traces[..], several && !args.format.is_one_answer())] {
        for path in paths.iter().flatten() {
            let n = if several { selected.len() } else { 1 };
            all.extend(selected.iter().take(n).map(|p| file_for(path, p.id, several)));
        }
    }
    preflight::distinct(&all, &args.inputs())
}

/// What was asked for and what there is for one property; files have names of their own if there are `several`.
pub fn prepare<K: Presented>(
    args: &Check,
    model: &K::Model,
    (index, property): (usize, &Property<K::Formula>),
    verdict: &Verdict<K>,
    several: bool,
    by: Solving,
) -> Vec<Output> {
    let output = |what, path: Option<&Path>, several, contents: &dyn Fn() -> Result<String, String>| {
        let file = (what, file_for(path?, property.id, several));
        let contents = contents().map(String::into_bytes).map_err(|why| nothing(&file.1, &why));
        Some(Output { file, contents })
    };
    let outputs = match verdict.evidence() {
        Some(Evidence::Proof(proof)) => {
            let waits = args.certificates_wait();
            let certificate =
                if waits { None } else { certificate::<K>(args, model, (property, proof), several, by) };
            let invariant = output("invariant", args.invariant(), several, &|| {
                let watched = watched::<K>(model, property, proof);
                let title = title(args, property, watched.is_some());
                let written = match watched {
                    Some(watched) => K::invariant(&watched.model, &[(watched.index, proof)], &title),
                    None => K::invariant(model, &[(index, proof)], &title),
                };
                written.ok_or_else(|| {
                    let shape = K::shape(proof);
                    let instead = match property.claim.kind() {
                        ClaimKind::Justice | ClaimKind::Ltl => {
                            "--certificate writes it for AIGER, which `indubit convert` makes of a model"
                        }
                        _ => "--engine ic3, over words ic3ia, finds one",
                    };
                    format!("there is no inductive invariant to write: the proof is {shape} ({instead})")
                })
            });
            vec![certificate, invariant]
        }
        Some(Evidence::Ctl(proof)) => {
            let why = || {
                let why =
                    "the proof is in sets of states, not an inductive invariant (--certificate writes it)";
                Err(why.into())
            };
            vec![
                sets::<K>(args, model, (property, proof), several, by),
                output("invariant", args.invariant(), several, &why),
            ]
        }
        Some(Evidence::Trace(trace)) => {
            let several = several && !args.format.is_one_answer();
            let title = args.model.file_name().map(|n| n.to_string_lossy()).unwrap_or_default();
            let witness = || Ok(K::witness(model, property, trace));
            let waveform = || Ok(K::waveform(model, &title, trace));
            let yosys = || {
                K::yosys_witness(model, property, trace)
                    .ok_or_else(|| "there is no design to witness this".to_owned())
            };
            vec![
                output("witness", args.witness.as_deref(), several, &witness),
                output("vcd", args.vcd.as_deref(), several, &waveform),
                output("yw", args.yw.as_deref(), several, &yosys),
            ]
        }
        None => Vec::new(),
    };
    outputs.into_iter().flatten().collect()
}

/// What an invariant says in its first lines. That of a formula of temporal logic is about the model with what watches it.
fn title<F>(args: &Check, property: &Property<F>, is_watched: bool) -> String {
    let model = terminal::path(&args.model);
    let command = match (is_watched, property.line) {
        (false, _) => format!("prove {model} --property {} --lemmas THIS", property.id),
        (true, Some(_)) => format!("certify {model} THIS --property {}", property.id),
        // It was given by `--ltl`, and is called by its text; for a shell, a quote inside of quotes ends them for a moment.
        (true, None) => format!("certify {model} THIS --ltl '{}'", property.label().replace('\'', "'\\''")),
    };
    format!(
        "Why {} of {model} is decided: an inductive invariant.\nTo check it: indubit {command}",
        property.title()
    )
}

/// The certificate of one property, if one was asked for.
pub fn certificate<K: Presented>(
    args: &Check,
    model: &K::Model,
    (property, proof): Proved<'_, K>,
    several: bool,
    by: Solving,
) -> Option<Output> {
    let path = file_for(args.certificate.as_ref()?, property.id, several);
    let contents = match watched::<K>(model, property, proof) {
        Some(watched) => certified::<K>(args, &watched.model, &[(&watched.property, proof)], &path, by),
        None => certified::<K>(args, model, &[(property, proof)], &path, by),
    };
    Some(Output { file: ("certificate", path), contents })
}

/// The certificate of a formula of computation tree logic, if one was asked for. What is written is read and checked once more.
fn sets<K: Presented>(
    args: &Check,
    model: &K::Model,
    (property, proof): (&Property<K::Formula>, &CtlProof),
    several: bool,
    by: Solving,
) -> Option<Output> {
    let path = file_for(args.certificate.as_ref()?, property.id, several);
    let written = K::sets(model, property, proof, &args.model.display().to_string(), &path);
    let contents = written.ok_or_else(|| nothing(&path, "there is no circuit"));
    let contents = contents.and_then(|contents| checked::<K>(model, contents, &path, by));
    Some(Output { file: ("certificate", path), contents })
}

/// The certificate of proofs, for a file of this name. What was checked over words is the proof, and not yet what is written; nor is that of several proofs.
pub fn certified<K: Presented>(
    args: &Check,
    model: &K::Model,
    proofs: &[Proved<'_, K>],
    path: &Path,
    by: Solving,
) -> Result<Vec<u8>, Failure> {
    let contents = K::certificate(model, proofs, &args.model.display().to_string(), path)
        .map_err(|why| nothing(path, &why))?;
    if K::IS_WORDS || proofs.len() > 1 { checked::<K>(model, contents, path, by) } else { Ok(contents) }
}

/// A certificate that has passed the check as it is written.
fn checked<K: Presented>(
    model: &K::Model,
    contents: Vec<u8>,
    path: &Path,
    by: Solving,
) -> Result<Vec<u8>, Failure> {
    match K::check_certificate(model, &contents, by) {
        Ok(Ok(())) => Ok(contents),
        Ok(Err(reason)) => {
            Err(Failure::internal(format!("the certificate did not pass the check: {reason}")))
        }
        Err(stop) => Err(nothing(path, &format!("the certificate was not checked to the end ({stop})"))),
    }
}

/// `out.aig` for property `b3`: `out.b3.aig` if there are several. A pipe or a device takes them all.
fn file_for(path: &Path, id: PropertyId, several: bool) -> PathBuf {
    if !several || output::is_stream(path) {
        return path.to_owned();
    }
    let mut name = OsString::from(path.file_stem().unwrap_or_default());
    name.push(".");
    name.push(id.to_string());
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
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
        Evidence::Proof(proof) => keep(K::KEPT, &|| match K::IS_WORDS {
            false => K::certificate(model, &[(property, proof)], "", Path::new("kept.aag")).ok(),
            true => K::invariant(model, &[(0, proof)], "").map(String::into_bytes),
        }),
        Evidence::Trace(trace) => keep("wit", &|| Some(K::witness(model, property, trace).into_bytes())),
        Evidence::Ctl(proof) => keep("aag", &|| K::sets(model, property, proof, "", Path::new("kept.aag"))),
    };
    kept.or_else(|| keep("txt", &|| Some(format!("{claimed:#?}\n").into_bytes()))).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use indubit::logic::{Clause, Lit, Var};
    use indubit::{BitSystem, Bits, Invariant, Proof, Trace};

    #[test]
    fn several_properties_have_a_file_each() {
        let name = |path: &str, several| {
            file_for(Path::new(path), PropertyId::Bad(3), several).display().to_string()
        };
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
