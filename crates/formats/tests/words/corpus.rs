//! Every VMT and CHC file of a corpus beside the checkout, if there is one, is read, or refused for arrays or nonlinear clauses.

use crate::support::assert_same;
use fastrand::Rng;
use indubit_formats::{chc, vmt};
use std::path::{Path, PathBuf};

fn files_below(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return;
    };
    for path in entries.map(|entry| entry.expect("a readable directory").path()) {
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|e| e == "vmt" || e == "smt2") {
            found.push(path);
        }
    }
}

#[test]
fn files_of_the_corpus_are_read() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    if let Some(corpus) = here.ancestors().map(|a| a.join("shared/bench")).find(|c| c.is_dir()) {
        files_below(&corpus.join("vmt"), &mut files);
        files_below(&corpus.join("chc"), &mut files);
    }
    files_below(&here.join("../../examples"), &mut files);
    files.sort();
    let mut rng = Rng::with_seed(1);
    for path in files {
        let read = match path.extension() {
            Some(e) if e == "vmt" => vmt::read(&path),
            _ => chc::read(&path).map(|chc| chc.system),
        };
        let system = match read {
            Ok(system) => system,
            Err(error) => {
                let error = error.to_string();
                let is_known = |what: &str| error.contains(&format!("{what} are not supported"));
                assert!(["arrays", "nonlinear clauses"].into_iter().any(is_known), "{error}");
                continue;
            }
        };
        system.validate().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(!system.properties.is_empty(), "{}", path.display());
        let written = vmt::write(&system);
        let again =
            vmt::parse(written.as_bytes()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_same(&system, &again, &mut rng);
        // For other tools to look at.
        if let Some(directory) = std::env::var_os("INDUBIT_WRITE_CHC") {
            let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
            std::fs::write(Path::new(&directory).join(name + ".smt2"), chc::write(&system)).unwrap();
        }
    }
}
