//! Every AIGER model of a corpus beside the checkout, if there is one, is read and round-trips.

use crate::support::assert_round_trips;
use fastrand::Rng;
use indubit_formats::aiger;
use std::path::{Path, PathBuf};

fn models_below(directory: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return;
    };
    for path in entries.map(|entry| entry.expect("a readable directory").path()) {
        if path.is_dir() {
            models_below(&path, found);
        } else if path.extension().is_some_and(|e| e == "aig" || e == "aag") {
            found.push(path);
        }
    }
}

#[test]
fn models_of_the_corpus_round_trip() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench/aiger");
    let mut models = Vec::new();
    models_below(&corpus, &mut models);
    models.sort();
    let mut rng = Rng::with_seed(1);
    for path in models {
        let mut system = aiger::read(&path).unwrap_or_else(|error| panic!("{error}"));
        if !system.comment.is_empty() && !system.comment.ends_with(b"\n") {
            system.comment.push(b'\n');
        }
        assert_round_trips(&system, &mut rng);
    }
}
